/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Privileged instructions where there are guests: which of the five modes may
 * execute one and what refuses it, the hypervisor's loads and stores, and both
 * xRET with all values of what they look at.
 */
#include "exec-hart.h"

static struct pmu_hart *hyp_hart(unsigned xlen)
{
	struct pmu_hart_config cfg;
	struct pmu_hart *h;

	pmu_hart_config_init(&cfg, xlen);
	cfg.ext |= PMU_EXT_H | PMU_EXT_SHCOUNTERENW;
	ck_assert_int_eq(pmu_hart_new(&h, &cfg, &timebase), 0);
	return h;
}

enum {
	SFENCE_VMA = 0x12208073,
	HFENCE_VVMA = 0x22208073,
	HFENCE_GVMA = 0x62208073,
	HLV_W = 0x6800c573, /* hlv.w a0, (x1) */
	HLVX_HU = 0x6430c573,
	HSV_B = 0x6220c073, /* hsv.b x2, (x1) */
};

static const struct legal_row {
	const char *rule, *why;
	uint32_t insn;
	uint64_t mstatus, hstatus;
	const char *verdict; /* M S U VS VU: x executes, - illegal, v virtual */
} legal_rows[] = {
	{ RULE("H_virtinst_vu_sret_sfence"), "sret", PMU_WORD_SRET, 0, 0,
	  "xx-xv" },
	{ RULE("hstatus_vtsr_op H_virtinst_vs_sret_vtsr1"), "sret, VTSR",
	  PMU_WORD_SRET, 0, HSTATUS_VTSR, "xx-vv" },
	{ RULE("mstatus_modes mstatus_tsr_op"), "sret, TSR", PMU_WORD_SRET,
	  MSTATUS_TSR, 0, "x--xv" },
	{ RULE("xret_in_lower_mode"), "mret", PMU_WORD_MRET, 0, 0, "x----" },
	{ RULE("H_virtinst_vu_sret_sfence sfence_vma_v1"), "sfence.vma",
	  SFENCE_VMA, 0, 0, "xx-xv" },
	{ RULE("hstatus_vtvm_op H_virtinst_vs_sfence_sinval_satp_vtvm1"),
	  "sfence.vma, VTVM", SFENCE_VMA, 0, HSTATUS_VTVM, "xx-vv" },
	{ RULE("mstatus_modes"), "sfence.vma, TVM", SFENCE_VMA, MSTATUS_TVM, 0,
	  "x--xv" },
	{ RULE("H_virtinst_vu_wfi_tw0 C165"), "wfi", PMU_WORD_WFI, 0, 0,
	  "xx-xv" },
	{ RULE("hstatus_vtw_op H_virtinst_wfi_vtw1_tw0 vtw_virtinstr C165"),
	  "wfi, VTW", PMU_WORD_WFI, 0, HSTATUS_VTW, "xx-vv" },
	{ RULE("mstatus_modes C165"), "wfi, TW", PMU_WORD_WFI, MSTATUS_TW, 0,
	  "x----" },
	{ RULE("hstatus_vtw_op C165"), "wfi, TW and VTW", PMU_WORD_WFI,
	  MSTATUS_TW, HSTATUS_VTW, "x----" },
	{ RULE("hfence-vvma_mode hfence-vvma_hfence-gvma_exceptions"),
	  "hfence.vvma", HFENCE_VVMA, 0, 0, "xx-vv" },
	{ RULE("hfence-vvma_tvm mstatus_tvm_hs"), "hfence.vvma, TVM and VTVM",
	  HFENCE_VVMA, MSTATUS_TVM, HSTATUS_VTVM, "xx-vv" },
	{ RULE("hfence-gvma_op H_virtinst_vu_vs_hinst"), "hfence.gvma",
	  HFENCE_GVMA, 0, 0, "xx-vv" },
	{ RULE("hfence-vvma_hfence-gvma_exceptions"), "hfence.gvma, TVM",
	  HFENCE_GVMA, MSTATUS_TVM, 0, "x--vv" },
	{ RULE("hlsv_mode hlsv_illegalinst"), "hlv.w", HLV_W, 0, 0, "xx-vv" },
	{ RULE("hstatus_hu_op hlsv_virtinst"), "hlv.w, HU", HLV_W, 0,
	  HSTATUS_HU, "xxxvv" },
	{ RULE("hlsv_mode"), "hlvx.hu", HLVX_HU, 0, 0, "xx-vv" },
	{ RULE("hstatus_hu_op"), "hsv.b, HU", HSV_B, 0, HSTATUS_HU, "xxxvv" },
	{ RULE("H_cause_virtual_instruction"), "no such hfence", 0x42208073, 0,
	  0, "-----" },
	{ RULE("H_cause_virtual_instruction"), "hfence.vvma with rd",
	  HFENCE_VVMA | 0x80, 0, 0, "-----" },
	{ RULE("H_cause_virtual_instruction"), "hsv.b with rd", HSV_B | 0x80, 0,
	  HSTATUS_HU, "-----" },
	{ RULE("H_cause_virtual_instruction"), "hinval.vvma: no Svinval",
	  0x26208073, 0, 0, "-----" },
	{ RULE("H_cause_virtual_instruction"), "all ones", 0xffffffff, 0, 0,
	  "-----" },
};

/* What is refused changes nothing; xtval is the instruction. */
static void check_refused(struct pmu_hart *h, const struct legal_row *row,
			  char verdict)
{
	struct pmu_hart before = *h;
	struct pmu_exec_out out = run(h, row->insn);
	unsigned cause = verdict == 'v' ? PMU_CAUSE_VIRTUAL : PMU_CAUSE_ILLEGAL;

	ck_assert_msg(out.kind == PMU_EXEC_TRAP && out.trap.cause == cause,
		      "%s in %s", row->why, pmu_mode_name(h->mode));
	ck_assert(out.trap.tval == row->insn && out.trap.pc == 0x1000);
	ck_assert(!out.trap.gva && !out.trap.tval2 && !out.trap.tinst);
	ck_assert(!out.trap.interrupt && !out.effects && !out.rd);
	ck_assert(!memcmp(h, &before, sizeof(before)));
}

TEST_ROWS(an_instruction_is_refused_as_the_rules_say, legal_rows)
{
	const struct legal_row *row = &legal_rows[_i];

	shows(row->rule);
	shows(RULE("H_virtinst_xtval"));
	for (unsigned mode = 0; mode < PMU_N_MODES; mode++) {
		struct pmu_hart *h = hyp_hart(64);

		h->mode = (enum pmu_mode)mode;
		h->mstatus = row->mstatus;
		h->hstatus = row->hstatus;
		if (row->verdict[mode] == 'x')
			ck_assert_msg(run(h, row->insn).kind != PMU_EXEC_TRAP,
				      "%s in %s", row->why,
				      pmu_mode_name(h->mode));
		else
			check_refused(h, row, row->verdict[mode]);
		pmu_hart_free(h);
	}
}

TEST(without_h_its_instructions_are_illegal)
{
	static const uint32_t insns[] = { HFENCE_VVMA, HFENCE_GVMA, HLV_W,
					  HSV_B };
	struct pmu_hart *h = new_hart(0);

	shows(RULE("hlsv_op"));
	for (unsigned i = 0; i < ARRAY_SIZE(insns); i++) {
		struct pmu_exec_out out = run(h, insns[i]);

		ck_assert(out.kind == PMU_EXEC_TRAP);
		ck_assert_uint_eq(out.trap.cause, PMU_CAUSE_ILLEGAL);
	}
	pmu_hart_free(h);
}

/* RULE: sfence_vma_v0, hfence-vvma_hfence-gvma_op: they retire as one. */
TEST(a_fence_voids_translations_and_retires)
{
	static const uint32_t insns[] = { SFENCE_VMA, HFENCE_VVMA,
					  HFENCE_GVMA };
	struct pmu_hart *h = hyp_hart(64);

	shows(RULE("hfence-vvma_hfence-gvma_op"));
	h->mode = S;
	for (unsigned i = 0; i < ARRAY_SIZE(insns); i++) {
		struct pmu_exec_out out = run(h, insns[i]);
		bool page = insns[i] == SFENCE_VMA; /* x1, x2 */

		ck_assert(out.kind == PMU_EXEC_RETIRED);
		ck_assert_uint_eq(out.effects,
				  PMU_FX_TLB | (page ? PMU_FX_TLB_PAGE : 0));
		ck_assert_uint_eq(retired(h, S), i + 1);
	}
	pmu_hart_free(h);
}

#define LOW UINT64_C(0x8182838485868788)
static const struct memory_row {
	const char *insn;
	uint32_t word; /* rd or rs2: 5, rs1: 6 */
	unsigned min_xlen;
	uint8_t size;
	bool store, execute, sign;
	uint64_t rd; /* of a load that found LOW, on RV64 */
} memory_rows[] = {
	{ "hlv.b", 0x600342f3, 32, 1, false, false, true, ~UINT64_C(0x77) },
	{ "hlv.bu", 0x601342f3, 32, 1, false, false, false, 0x88 },
	{ "hlv.h", 0x640342f3, 32, 2, false, false, true, ~UINT64_C(0x7877) },
	{ "hlv.hu", 0x641342f3, 32, 2, false, false, false, 0x8788 },
	{ "hlvx.hu", 0x643342f3, 32, 2, false, true, false, 0x8788 },
	{ "hlv.w", 0x680342f3, 32, 4, false, false, true, 0xffffffff85868788 },
	{ "hlv.wu", 0x681342f3, 64, 4, false, false, false, 0x85868788 },
	{ "hlvx.wu", 0x683342f3, 32, 4, false, true, false, 0x85868788 },
	{ "hlv.d", 0x6c0342f3, 64, 8, false, false, true, LOW },
	{ "hsv.b", 0x62534073, 32, 1, true, false, false, 0 },
	{ "hsv.h", 0x66534073, 32, 2, true, false, false, 0 },
	{ "hsv.w", 0x6a534073, 32, 4, true, false, false, 0 },
	{ "hsv.d", 0x6e534073, 64, 8, true, false, false, 0 },
};

static void check_memory(struct pmu_hart *h, const struct memory_row *row)
{
	struct pmu_exec_in in = { .pc = 0x1000,
				  .insn = row->word,
				  .rs1 = 0xffffffff80001234,
				  .rs2 = 0x1122334455667788 };
	struct pmu_hart before = *h;
	struct pmu_exec_out out = { 0 };
	uint64_t rd = row->rd;

	pmu_exec(h, &in, &out);
	ck_assert_msg(out.kind == PMU_EXEC_ACCESS, "%s", row->insn);
	ck_assert(!memcmp(h, &before, sizeof(before)) && !out.effects);
	ck_assert_uint_eq(out.access.vaddr,
			  h->cfg.xlen == 32 ? 0x80001234 : in.rs1);
	ck_assert(out.access.size == row->size &&
		  out.access.store == row->store &&
		  out.access.execute == row->execute &&
		  out.access.sign == row->sign);
	ck_assert_uint_eq(out.access.value, row->store ? in.rs2 : 0);
	ck_assert_uint_eq(out.access.mode, PMU_MODE_VU);
	pmu_exec_accessed(h, LOW, &out);
	ck_assert(out.kind == PMU_EXEC_RETIRED && out.next_pc == 0x1004);
	ck_assert_uint_eq(out.rd, row->store ? 0 : 5);
	if (h->cfg.xlen == 32 && row->size == 4)
		rd = 0xffffffff85868788;
	if (!row->store)
		ck_assert_msg(out.rd_value == rd, "%s", row->insn);
	ck_assert_uint_eq(h->totals[PMU_EV_LOADS][M], !row->store);
	ck_assert_uint_eq(h->totals[PMU_EV_STORES][M], row->store);
	ck_assert_uint_eq(retired(h, M), 1);
}

TEST_ROWS(a_hypervisor_access_is_told_and_finished, memory_rows)
{
	const struct memory_row *row = &memory_rows[_i];

	shows(RULE("hlsv_op hlsv_u_op hlvx-wu_valid32 hlsv_priv"));
	for (unsigned xlen = 32; xlen <= 64; xlen += 32) {
		struct pmu_hart *h = hyp_hart(xlen);

		if (xlen >= row->min_xlen)
			check_memory(h, row);
		else
			ck_assert(run(h, row->word).trap.cause ==
				  PMU_CAUSE_ILLEGAL);
		pmu_hart_free(h);
	}
}

/* All encodings of that opcode and funct3: no more than those of the rows. */
TEST(no_other_encoding_is_a_hypervisor_access)
{
	struct pmu_hart *h = hyp_hart(64);
	unsigned found = 0;

	shows(RULE("hlsv_op"));
	for (uint32_t n = 0; n < 1u << 17; n++) {
		uint32_t word = (n >> 5) << 20 | (n & 31) << 7 | 0x34073;
		struct pmu_exec_out out = run(h, word);

		if (out.kind == PMU_EXEC_ACCESS)
			found++;
		else
			ck_assert_uint_eq(out.trap.cause, PMU_CAUSE_ILLEGAL);
	}
	/* 9 loads with any rd, 4 stores with any rs2 */
	ck_assert_uint_eq(found, 13 * 32);
	pmu_hart_free(h);
}

/* The fields of hstatus and mstatus aside from SPVP change nothing. */
TEST(spvp_gives_the_mode_of_the_access)
{
	struct pmu_hart *h = hyp_hart(64);

	shows(RULE("hlsv_priv hstatus_spvp_op mstatus_mprv_hlsv"));
	h->mstatus = MSTATUS_MPRV | MSTATUS_MPP;
	ck_assert_uint_eq(run(h, HLV_W).access.mode, PMU_MODE_VU);
	h->hstatus = HSTATUS_SPVP;
	ck_assert_uint_eq(run(h, HLV_W).access.mode, PMU_MODE_VS);
	pmu_hart_free(h);
}

TEST(a_hypervisor_load_may_overflow_a_counter)
{
	struct pmu_hart *h = hyp_hart(64);
	struct pmu_exec_out out;

	shows(RULE("C107 C177"));
	pmu_counter_set_event(h, 3, pmu_event_desc(PMU_EV_LOADS)->selector);
	pmu_counter_set(h, 3, UINT64_MAX);
	out = run(h, HLV_W);
	pmu_exec_accessed(h, 0, &out);
	ck_assert_uint_eq(out.effects, PMU_FX_COUNT | PMU_FX_IRQ);
	ck_assert_uint_eq(pmu_counter_get(h, 3), 0);
	pmu_hart_free(h);
}

TEST(calls_and_breakpoints_of_a_guest)
{
	struct pmu_hart *h = hyp_hart(64);
	struct pmu_exec_out out;

	shows(RULE("H_cause_ecall mstatus_gva_op hstatus_gva_op"));
	h->mode = PMU_MODE_VS;
	out = run(h, PMU_WORD_ECALL);
	ck_assert(out.trap.cause == PMU_CAUSE_ECALL_VS && !out.trap.gva);
	out = run(h, PMU_WORD_EBREAK);
	ck_assert(out.trap.cause == PMU_CAUSE_BREAKPOINT && out.trap.gva);
	h->mode = PMU_MODE_VU;
	out = run(h, PMU_WORD_ECALL);
	ck_assert(out.trap.cause == PMU_CAUSE_ECALL_U && !out.trap.gva);
	h->mode = S;
	out = run(h, PMU_WORD_ECALL);
	ck_assert(out.trap.cause == PMU_CAUSE_ECALL_S);
	out = run(h, PMU_WORD_EBREAK);
	ck_assert(out.trap.cause == PMU_CAUSE_BREAKPOINT && !out.trap.gva);
	pmu_hart_free(h);
}

/* The registers that xRET reads and writes, one number per combination. */
struct state {
	uint64_t mstatus, hstatus, vsstatus;
};

static struct state scatter(unsigned n)
{
	static const uint8_t mpps[] = { 0, 1, 3 };
	uint64_t status = (uint64_t)(n & 1) << 1 | (uint64_t)(n >> 1 & 1) << 5 |
			  (uint64_t)(n >> 2 & 1) << 8;

	return (struct state){
		.mstatus = status | (uint64_t)(n >> 3 & 1) << 3 |
			   (uint64_t)(n >> 4 & 1) << 7 |
			   (uint64_t)(n >> 5 & 1) << 17 |
			   (uint64_t)(n >> 6 & 1) << 39 |
			   (uint64_t)mpps[n >> 8] << 11,
		.hstatus = (uint64_t)(n >> 7 & 1) << 7 | HSTATUS_SPVP,
		.vsstatus = status ^ 0x122,
	};
}

/* SIE = SPIE, SPIE = 1, SPP = 0, bit by bit. */
static uint64_t model_pop(uint64_t status)
{
	return (status & ~UINT64_C(0x122)) | (status >> 5 & 1) << 1 | 0x20;
}

static enum pmu_mode model_mret(struct state *s)
{
	static const enum pmu_mode plain[] = { U, S, M, M };
	static const enum pmu_mode guest[] = { PMU_MODE_VU, PMU_MODE_VS, M, M };
	unsigned mpp = s->mstatus >> 11 & 3, mpv = s->mstatus >> 39 & 1;
	uint64_t mpie = s->mstatus >> 7 & 1;

	s->mstatus &= ~(UINT64_C(1) << 39 | UINT64_C(0x1888));
	s->mstatus |= mpie << 3 | 0x80;
	return mpv ? guest[mpp] : plain[mpp];
}

static enum pmu_mode model_sret(struct state *s, bool from_guest)
{
	unsigned spp = s->mstatus >> 8 & 1, spv = s->hstatus >> 7 & 1;

	if (from_guest) {
		spp = s->vsstatus >> 8 & 1;
		s->vsstatus = model_pop(s->vsstatus);
		return spp ? PMU_MODE_VS : PMU_MODE_VU;
	}
	s->mstatus = model_pop(s->mstatus);
	s->hstatus &= ~UINT64_C(0x80);
	if (spv)
		return spp ? PMU_MODE_VS : PMU_MODE_VU;
	return spp ? S : U;
}

static void check_xret(struct pmu_hart *h, enum pmu_mode from, bool mret,
		       unsigned n)
{
	struct state want = scatter(n), begin = want;
	bool guest = from == PMU_MODE_VS;
	enum pmu_mode to = mret ? model_mret(&want) : model_sret(&want, guest);
	struct pmu_exec_out out;
	uint64_t count = retired(h, from);

	if (to != M)
		want.mstatus &= ~MSTATUS_MPRV;
	h->mode = from;
	h->mstatus = begin.mstatus;
	h->hstatus = begin.hstatus;
	h->vsstatus = begin.vsstatus;
	out = run(h, mret ? PMU_WORD_MRET : PMU_WORD_SRET);
	ck_assert_msg(h->mode == to && h->mstatus == want.mstatus &&
			      h->hstatus == want.hstatus &&
			      h->vsstatus == want.vsstatus,
		      "from %s by %s, %u: %s", pmu_mode_name(from),
		      mret ? "mret" : "sret", n, pmu_mode_name(h->mode));
	ck_assert_uint_eq(out.next_pc, mret ? 0x2000 : guest ? 0x4000 : 0x3000);
	ck_assert(out.kind == PMU_EXEC_RETIRED && out.effects & PMU_FX_IRQ);
	ck_assert(!(out.effects & PMU_FX_MODE) == (to == from));
	ck_assert(!(out.effects & PMU_FX_TLB) ==
		  !(begin.mstatus & MSTATUS_MPRV));
	ck_assert_uint_eq(retired(h, from), count + 1);
}

TEST(xret_returns_to_what_was_pushed)
{
	struct pmu_hart *h = hyp_hart(64);

	shows(RULE("mret_h sret_h sret_v0 sret_v1 mstatus_mpv_op"));
	shows(RULE("hstatus_spv_sret instret_xret C126 C163"));
	h->mepc = 0x2000;
	h->sepc = 0x3000;
	h->vsepc = 0x4000;
	for (unsigned n = 0; n < 3u << 8; n++) {
		check_xret(h, M, true, n);
		check_xret(h, M, false, n);
		check_xret(h, S, false, n);
		check_xret(h, PMU_MODE_VS, false, n);
	}
	pmu_hart_free(h);
}

/* Entering or leaving a guest may give or take the FP registers. */
TEST(xret_tells_when_floating_point_goes_or_comes)
{
	struct pmu_hart *h = hyp_hart(64);

	shows(RULE("vsstatus_fs_op"));
	h->mode = S;
	h->mstatus = MSTATUS_FS | MSTATUS_SPP;
	h->hstatus = HSTATUS_SPV;
	ck_assert(run(h, PMU_WORD_SRET).effects & PMU_FX_FS);
	ck_assert_uint_eq(h->mode, PMU_MODE_VS);
	h->mode = S;
	h->vsstatus = MSTATUS_FS;
	h->hstatus = HSTATUS_SPV;
	ck_assert(!(run(h, PMU_WORD_SRET).effects & PMU_FX_FS));
	pmu_hart_free(h);
}

/* Random SYSTEM words in all modes: what traps leaves everything as it was. */
TEST(what_traps_changes_nothing)
{
	struct pmu_hart *h = hyp_hart(64);
	uint32_t seed = 7;

	shows(RULE("C119"));
	for (unsigned i = 0; i < 50000; i++) {
		struct pmu_hart before;
		struct pmu_exec_out out;
		uint32_t insn;

		seed = seed * 1664525 + 1013904223;
		insn = (seed & ~0x7fu) | 0x73;
		h->mode = (enum pmu_mode)(i % PMU_N_MODES);
		before = *h;
		out = run_with(h, insn, seed, 0);
		if (out.kind != PMU_EXEC_TRAP)
			continue;
		ck_assert_msg(!memcmp(h, &before, sizeof(before)), "%#x", insn);
		ck_assert_msg(out.trap.tval == insn, "%#x", insn);
	}
	pmu_hart_free(h);
}

SUITE("exec-hyp");
