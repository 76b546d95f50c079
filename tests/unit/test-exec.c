/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Intercepted instructions: which are legal where, what xRET and WFI do to the
 * hart; that one which traps changes nothing at all. CSR accesses and counting
 * are test-exec-csr.c's.
 */
#include "exec-hart.h"

static const struct legal_row {
	const char *rule, *why;
	uint32_t insn;
	uint64_t mstatus;
	uint64_t without;
	uint8_t legal; /* bits M, S, U */
} legal_rows[] = {
#define IN(mode) (1u << (mode))
	{ RULE("mret_presence xret_in_lower_mode"), "mret", PMU_WORD_MRET, 0, 0,
	  IN(M) },
	{ RULE("xret_in_higher_mode"), "sret", PMU_WORD_SRET, 0, 0,
	  IN(M) | IN(S) },
	{ RULE("mstatus_tsr_op"), "sret, TSR = 1", PMU_WORD_SRET, MSTATUS_TSR,
	  0, IN(M) },
	{ RULE("sret_presence"), "sret, no S", PMU_WORD_SRET, 0, PMU_EXT_S, 0 },
	{ RULE("mstatus_tvm_warl_op"), "sfence.vma", 0x12000073, 0, 0,
	  IN(M) | IN(S) },
	{ RULE("mstatus_tvm_warl_op"), "sfence.vma x1, x2", 0x12208073,
	  MSTATUS_TVM, 0, IN(M) },
	{ RULE("sfence_vma_op"), "sfence.vma, no S", 0x12000073, 0, PMU_EXT_S,
	  0 },
	{ RULE("mstatus_tw_umode_op C165"), "wfi", PMU_WORD_WFI, 0, 0,
	  IN(M) | IN(S) },
	{ RULE("mstatus_tw_always_illegal C165"), "wfi, TW = 1", PMU_WORD_WFI,
	  MSTATUS_TW, 0, IN(M) },
	{ RULE("wfi_opt_U_mode C165"), "wfi, no S", PMU_WORD_WFI, 0, PMU_EXT_S,
	  IN(M) | IN(U) },
	{ RULE("mstatus_tw_op"), "wfi, no S, TW = 1", PMU_WORD_WFI, MSTATUS_TW,
	  PMU_EXT_S, IN(M) },
	{ RULE("csrrs_op"), "csrr mscratch", 0x34002573, 0, 0, IN(M) },
	{ RULE("csrrs_op"), "csrr sscratch", 0x14002573, 0, 0, IN(M) | IN(S) },
	{ RULE("mstatus_fs_vs_xs_off_op"), "frcsr, FS = Off", 0x00302573, 0, 0,
	  0 },
	{ RULE("mstatus_fs_vs_xs_off_op"), "frcsr, FS = Dirty", 0x00302573,
	  MSTATUS_FS, 0, IN(M) | IN(S) | IN(U) },
	{ RULE("mstatus_fs_vs_xs_off_op"), "frcsr, no F", 0x00302573,
	  MSTATUS_FS, PMU_EXT_F | PMU_EXT_D, 0 },
	{ RULE("mtval_ill_instr_exc_in_low_bits"), "mret with rd", 0x302000f3,
	  0, 0, 0 },
	{ RULE("mtval_ill_instr_exc_in_low_bits"), "ecall with rs1", 0x00008073,
	  0, 0, 0 },
	{ RULE("mtval_ill_instr_exc_in_low_bits"), "mnret", 0x70200073, 0, 0,
	  0 },
	{ RULE("mtval_ill_instr_exc_in_low_bits"), "uret", 0x00200073, 0, 0,
	  0 },
	{ RULE("mtval_ill_instr_exc_in_low_bits"), "dret", 0x7b200073, 0, 0,
	  0 },
	{ RULE("mtval_ill_instr_exc_in_low_bits"), "sinval.vma", 0x16000073, 0,
	  0, 0 },
	{ RULE("mtval_ill_instr_exc_in_low_bits"), "hlv.b", 0x60004073, 0, 0,
	  0 },
	{ RULE("mtval_ill_instr_exc_in_low_bits"), "all ones", 0xffffffff, 0, 0,
	  0 },
	{ RULE("mtval_ill_instr_exc_in_low_bits"), "16 bits of zero", 0x0000, 0,
	  0, 0 },
	{ RULE("mtval_ill_instr_exc_in_low_bits"), "reserved compressed",
	  0x8002, 0, 0, 0 },
	{ RULE("ebreak_op2"), "c.ebreak without C", INSN_C_EBREAK, 0, PMU_EXT_C,
	  0 },
};

/* An illegal instruction leaves all of the hart as it was. */
static void assert_illegal(struct pmu_hart *h, const struct legal_row *row)
{
	struct pmu_hart before = *h;
	struct pmu_exec_out out = run(h, row->insn);

	ck_assert_msg(out.kind == PMU_EXEC_TRAP && out.effects == 0 &&
			      out.rd == 0,
		      "%s in %s", row->why, pmu_mode_name(h->mode));
	ck_assert_msg(out.trap.cause == PMU_CAUSE_ILLEGAL &&
			      !out.trap.interrupt && out.trap.pc == 0x1000 &&
			      out.trap.tval == row->insn,
		      "%s in %s", row->why, pmu_mode_name(h->mode));
	ck_assert_msg(!memcmp(h, &before, sizeof(before)), "%s in %s", row->why,
		      pmu_mode_name(h->mode));
}

TEST_ROWS(instructions_are_legal_where_the_rules_say, legal_rows)
{
	const struct legal_row *row = &legal_rows[_i];

	shows(row->rule);
	for (enum pmu_mode mode = M; mode <= U; mode++) {
		struct pmu_hart *h = new_hart(row->without);

		if (mode == S && row->without & PMU_EXT_S)
			mode++;
		h->mode = mode;
		h->mstatus = row->mstatus;
		if (row->legal >> mode & 1)
			ck_assert_msg(run(h, row->insn).kind != PMU_EXEC_TRAP,
				      "%s in %s", row->why,
				      pmu_mode_name(mode));
		else
			assert_illegal(h, row);
		pmu_hart_free(h);
	}
}

/* Random SYSTEM words of every kind. */
TEST(what_traps_changes_nothing)
{
	struct pmu_hart *h = new_hart(0);
	uint32_t seed = 1;

	shows(RULE("mtval_ill_instr_exc_in_low_bits C119"));
	for (unsigned i = 0; i < 20000; i++) {
		struct pmu_hart before;
		struct pmu_exec_out out;
		uint32_t insn;

		seed = seed * 1664525 + 1013904223;
		insn = (seed & ~0x7fu) | 0x73;
		h->mode = (enum pmu_mode)(i % 3);
		before = *h;
		out = run_with(h, insn, seed, 0);
		if (out.kind != PMU_EXEC_TRAP)
			continue;
		ck_assert_msg(!memcmp(h, &before, sizeof(before)), "%#x", insn);
		ck_assert_msg(out.trap.tval == insn, "%#x", insn);
	}
	pmu_hart_free(h);
}

static const struct exception_row {
	const char *rule;
	uint32_t insn;
	enum pmu_mode mode;
	uint8_t cause;
	uint64_t tval;
} exception_rows[] = {
	{ RULE("ecall_ebreak_no_minstret_inc C119"), PMU_WORD_ECALL, U, 8, 0 },
	{ RULE("ecall_op2 C119"), PMU_WORD_ECALL, S, 9, 0 },
	{ RULE("ecall_op2 C126"), PMU_WORD_ECALL, M, 11, 0 },
	{ RULE("ecall_ebreak_no_minstret_inc ecall_ebreak_epc_value"),
	  PMU_WORD_EBREAK, U, 3, 0x1000 },
	{ RULE("ebreak_op2 ecall_ebreak_epc_value"), INSN_C_EBREAK, S, 3,
	  0x1000 },
};

TEST_ROWS(ecall_and_ebreak_only_trap, exception_rows)
{
	const struct exception_row *row = &exception_rows[_i];
	struct pmu_hart *h = new_hart(0), before;
	struct pmu_exec_out out;

	shows(row->rule);
	h->mode = row->mode;
	before = *h;
	out = run(h, row->insn);
	ck_assert(out.kind == PMU_EXEC_TRAP && out.trap.cause == row->cause);
	ck_assert(out.trap.pc == 0x1000 && out.trap.tval == row->tval);
	ck_assert(!memcmp(h, &before, sizeof(before)));
	pmu_hart_free(h);
}

/* It goes on at pc + 4, retired in its mode. */
TEST(wfi_retires_once_when_it_wakes)
{
	struct pmu_hart *h = new_hart(0);
	struct pmu_exec_out out;

	shows(RULE("wfi_mepc_val C165"));
	h->mode = S;
	out = run(h, PMU_WORD_WFI);
	ck_assert(out.kind == PMU_EXEC_WAIT && out.next_pc == 0x1004);
	ck_assert(retired(h, S) == 0 && pmu_hart_cycles(h) == 0);
	ck_assert_uint_eq(pmu_exec_wake(h), 0);
	ck_assert(retired(h, S) == 1 && pmu_hart_cycles(h) == 3);
	pmu_counter_set_event(h, 3, pmu_event_desc(PMU_EV_INSNS)->selector);
	pmu_counter_set(h, 3, UINT64_MAX);
	ck_assert_uint_eq(pmu_exec_wake(h), PMU_FX_COUNT | PMU_FX_IRQ);
	pmu_hart_free(h);
}

static uint64_t scatter(unsigned n)
{
	static const uint8_t places[] = { 1, 3, 5, 7, 8, 17, 18, 20 };
	static const uint8_t mpps[] = { 0, 1, 3 };
	uint64_t ret = (uint64_t)mpps[n >> 8] << 11;

	for (unsigned i = 0; i < sizeof(places); i++)
		ret |= (uint64_t)(n >> i & 1) << places[i];
	return ret;
}

/* mstatus after the return, field by field. */
static uint64_t model_xret(uint64_t m, bool mret, enum pmu_mode to)
{
	unsigned xie = mret ? 3 : 1, xpie = mret ? 7 : 5;
	uint64_t pie = m >> xpie & 1;

	m &= ~(UINT64_C(1) << xie | UINT64_C(1) << xpie);
	m |= pie << xie | UINT64_C(1) << xpie;
	m &= ~(mret ? UINT64_C(0x1800) : UINT64_C(0x100));
	return to == M ? m : m & ~(UINT64_C(1) << 17);
}

static void check_xret(struct pmu_hart *h, enum pmu_mode from, bool mret,
		       uint64_t mstatus)
{
	static const enum pmu_mode modes[] = { U, S, M, M };
	enum pmu_mode to = modes[mret ? mstatus >> 11 & 3 : mstatus >> 8 & 1];
	struct pmu_exec_out out;
	uint64_t count;

	h->mode = from;
	h->mstatus = mstatus;
	count = retired(h, from);
	out = run(h, mret ? PMU_WORD_MRET : PMU_WORD_SRET);
	ck_assert_msg(h->mode == to &&
			      h->mstatus == model_xret(mstatus, mret, to),
		      "%d %d %#llx: mode %d, %#llx", from, mret,
		      (unsigned long long)mstatus, h->mode,
		      (unsigned long long)h->mstatus);
	ck_assert(out.next_pc == (mret ? 0x2002u : 0x3004u));
	ck_assert(retired(h, from) == count + 1);
	ck_assert(out.effects & PMU_FX_IRQ);
	ck_assert(!(out.effects & PMU_FX_MODE) == (to == from));
	/* data goes by MPP with MPRV, and both MPP and MPRV may have changed */
	ck_assert(!(out.effects & PMU_FX_TLB) == !(mstatus & MSTATUS_MPRV));
}

TEST(xret_pops_the_privilege_stack)
{
	struct pmu_hart *h = new_hart(0);

	shows(RULE("mstatus_xret_op C163"));
	shows(RULE("mstatus_mprv_clr_mret_sret_less_priv"));
	h->mepc = 0x2002;
	h->sepc = 0x3004;
	for (unsigned n = 0; n < 3u << 8; n++) {
		check_xret(h, M, true, scatter(n));
		check_xret(h, M, false, scatter(n));
		check_xret(h, S, false, scatter(n));
	}
	pmu_hart_free(h);
}

/* RULE: mstatus_xret_op: without U the least privileged mode is M. */
TEST(mret_without_u_keeps_mpp)
{
	struct pmu_hart *h = new_hart(PMU_EXT_S | PMU_EXT_U);

	h->mstatus = MSTATUS_MPP;
	run(h, PMU_WORD_MRET);
	ck_assert(h->mode == M && h->mstatus == (MSTATUS_MPP | MSTATUS_MPIE));
	pmu_hart_free(h);
}

/* RULE: mepc_align: IALIGN is 32 without C, for good: misa is read-only. */
TEST(xret_goes_to_aligned_addresses)
{
	struct pmu_hart *h = new_hart(PMU_EXT_C);
	unsigned effects;

	ck_assert_int_eq(pmu_csr_poke(h, 0x341, 0, 0x2003, &effects), 0);
	ck_assert_uint_eq(run(h, PMU_WORD_MRET).next_pc, 0x2000);
	pmu_hart_free(h);
}

SUITE("exec");
