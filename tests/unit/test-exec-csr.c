/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CSR instructions: what each form reads and writes, fcsr, RV32; and what every
 * intercepted instruction counts, down to the collisions of one instruction
 * that writes what it counts in.
 */
#include "../../guests/common/csr-short.h"
#include "exec-hart.h"

/* A CSR instruction; @rs1 is the register's number, or the immediate. */
static uint32_t csr_insn(unsigned funct3, uint16_t num, unsigned rd,
			 unsigned rs1)
{
	return (uint32_t)num << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | 0x73;
}

enum {
	RW = 1,
	RS,
	RC,
	RWI = 5,
	RSI,
	RCI
};
static const struct form_row {
	const char *rule, *why;
	unsigned funct3, rd, rs1;
	uint64_t value; /* in rs1 */
	uint64_t after; /* mscratch, 0xf0 before */
} form_rows[] = {
	{ RULE("csrrw_op"), "csrrw", RW, 5, 6, 0x3c, 0x3c },
	{ RULE("csrrw_op"), "csrrw x0", RW, 0, 6, 0x3c, 0x3c },
	{ RULE("csrrw_rs1_x0"), "csrrw from x0", RW, 5, 0, 0, 0 },
	{ RULE("csrrs_op"), "csrrs", RS, 5, 6, 0x3c, 0xfc },
	{ RULE("csrrs_csrrc_rs1_x0"), "csrrs from x0", RS, 5, 0, 0, 0xf0 },
	{ RULE("csrrc_op"), "csrrc", RC, 5, 6, 0x3c, 0xc0 },
	{ RULE("csrrwi_csrrsi_csrrci_ops"), "csrrwi", RWI, 5, 17, 0xff, 17 },
	{ RULE("csrrwi_rd_x0"), "csrrwi x0", RWI, 0, 17, 0xff, 17 },
	{ RULE("csrrwi_csrrsi_csrrci_ops"), "csrrsi", RSI, 5, 17, 0xff, 0xf1 },
	{ RULE("csrrsi_csrrci_uimm_zero"), "csrrsi 0", RSI, 5, 0, 0xff, 0xf0 },
	{ RULE("csrrwi_csrrsi_csrrci_ops"), "csrrci", RCI, 5, 17, 0xff, 0xe0 },
};

TEST_ROWS(csr_instructions_read_and_write, form_rows)
{
	const struct form_row *row = &form_rows[_i];
	struct pmu_hart *h = new_hart(0);
	uint32_t insn = csr_insn(row->funct3, MSCRATCH, row->rd, row->rs1);
	struct pmu_exec_out out;

	shows(row->rule);
	h->mscratch = 0xf0;
	out = run_with(h, insn, row->value, 0);
	ck_assert_msg(out.kind == PMU_EXEC_RETIRED && out.next_pc == 0x1004,
		      "%s", row->why);
	ck_assert_msg(h->mscratch == row->after, "%s: %#llx", row->why,
		      (unsigned long long)h->mscratch);
	ck_assert_msg(out.rd == row->rd, "%s", row->why);
	ck_assert_msg(row->rd == 0 || out.rd_value == 0xf0, "%s", row->why);
	ck_assert_msg(retired(h, M) == 1 && pmu_hart_cycles(h) == 3, "%s",
		      row->why);
	pmu_hart_free(h);
}

static const struct readonly_row {
	const char *rule, *why;
	unsigned funct3, rd, rs1;
	bool legal;
} readonly_rows[] = {
	{ RULE("csrrs_csrrc_rs1_x0 C180"), "csrrs from x0", RS, 5, 0, true },
	{ RULE("csrrs_csrrc_rs1_x0 C180"), "csrrs from x6 = 0", RS, 5, 6,
	  false },
	{ RULE("csrrs_csrrc_rs1_x0 C180"), "csrrc from x6 = 0", RC, 5, 6,
	  false },
	{ RULE("csrrs_csrrc_rs1_x0 C180"), "csrrs x0, x0", RS, 0, 0, true },
	{ RULE("csrrw_rs1_x0"), "csrrw from x0", RW, 5, 0, false },
	{ RULE("csrrsi_csrrci_uimm_zero"), "csrrsi 0", RSI, 5, 0, true },
	{ RULE("csrrsi_csrrci_uimm_zero"), "csrrci 0", RCI, 5, 0, true },
	{ RULE("csrrwi_csrrsi_csrrci_ops"), "csrrci 1", RCI, 5, 1, false },
	{ RULE("csrrwi_csrrsi_csrrci_ops"), "csrrwi 0", RWI, 5, 0, false },
};

TEST_ROWS(a_read_only_csr_traps_what_writes, readonly_rows)
{
	const struct readonly_row *row = &readonly_rows[_i];
	struct pmu_hart *h = new_hart(0);
	uint32_t insn = csr_insn(row->funct3, CYCLE, row->rd, row->rs1);
	struct pmu_exec_out out = run(h, insn);

	shows(row->rule);
	ck_assert_msg((out.kind == PMU_EXEC_RETIRED) == row->legal, "%s",
		      row->why);
	ck_assert_msg(row->legal || out.trap.cause == PMU_CAUSE_ILLEGAL, "%s",
		      row->why);
	pmu_hart_free(h);
}

/* RV32: results are sign-extended, operands taken as 32 bits, pc wraps. */
TEST(rv32_values_have_32_bits)
{
	struct pmu_hart *h = new_hart_xlen(32, 0);
	struct pmu_exec_in in = { .pc = 0xfffffffc,
				  .insn = csr_insn(RW, MSCRATCH, 5, 6),
				  .rs1 = UINT64_C(0xffffffff80000001) };
	struct pmu_exec_out out;

	h->mscratch = 0x80000000;
	pmu_exec(h, &in, &out);
	ck_assert_uint_eq(out.rd_value, UINT64_C(0xffffffff80000000));
	ck_assert_uint_eq(h->mscratch, 0x80000001);
	ck_assert_uint_eq(out.next_pc, 0);
	pmu_hart_free(h);
}

static const struct fcsr_row {
	const char *why;
	uint32_t insn;
	uint64_t rs1, read;
	uint32_t before, after;
	bool written;
} fcsr_rows[] = {
	{ "frcsr", 0x003022f3, 0, 0xab, 0xab, 0xab, false },
	{ "frrm", 0x002022f3, 0, 5, 0xab, 0xab, false },
	{ "frflags", 0x001022f3, 0, 0xb, 0xab, 0xab, false },
	{ "fscsr, upper bits ignored", 0x003312f3, 0xfffff54, 0xab, 0xab, 0x54,
	  true },
	{ "fsrm, upper bits ignored", 0x002312f3, 0xfa, 5, 0xab, 0x4b, true },
	{ "fsflags, upper bits ignored", 0x001312f3, 0xe4, 0xb, 0xab, 0xa4,
	  true },
	{ "csrrs fflags", 0x001322f3, 0x14, 0xb, 0xab, 0xbf, true },
	{ "csrrc frm", 0x002332f3, 0x1, 5, 0xab, 0x8b, true },
	{ "csrrsi fcsr, 3", 0x0031e2f3, 0, 0xa8, 0xa8, 0xab, true },
	{ "csrrs fcsr from x6 = 0 writes (C180)", 0x003322f3, 0, 0xab, 0xab,
	  0xab, true },
};

TEST_ROWS(fcsr_is_carried_in_and_out, fcsr_rows)
{
	const struct fcsr_row *row = &fcsr_rows[_i];
	struct pmu_hart *h = new_hart(0);
	struct pmu_exec_out out;

	h->mode = U;
	h->mstatus = MSTATUS_FS;
	out = run_with(h, row->insn, row->rs1, row->before);
	ck_assert_msg(out.kind == PMU_EXEC_RETIRED && out.rd == 5 &&
			      out.rd_value == row->read,
		      "%s: read %#llx", row->why,
		      (unsigned long long)out.rd_value);
	ck_assert_msg(!(out.effects & PMU_FX_FCSR) == !row->written, "%s",
		      row->why);
	ck_assert_msg(!row->written || out.fcsr == row->after, "%s: %#x",
		      row->why, out.fcsr);
	ck_assert_msg(h->mstatus == MSTATUS_FS && retired(h, U) == 1, "%s",
		      row->why);
	pmu_hart_free(h);
}

/* One instruction, and the counters it finds and leaves. */
static const struct count_row {
	const char *rule, *why;
	uint32_t insn;
	uint64_t rs1, read;	 /* what rd gets */
	uint64_t minstret, hpm3; /* afterwards; 100 before */
	bool of3, lcofip;
	uint64_t start3; /* mhpmcounter3 before, counting instructions */
	uint64_t event3; /* filters and OF of mhpmevent3 */
} count_rows[] = {
	{ RULE("csrr_order C118"), "csrr minstret", 0xb02022f3, 0, 100, 101,
	  101, false, false, 100, 0 },
	{ RULE("csrr_order C118"), "csrr instret", 0xc02022f3, 0, 100, 101, 101,
	  false, false, 100, 0 },
	{ RULE("C117"), "csrrw minstret", 0xb02312f3, 5, 100, 5, 101, false,
	  false, 100, 0 },
	{ RULE("C117"), "csrrw mhpmcounter3", 0xb03312f3, 5, 100, 101, 5, false,
	  false, 100, 0 },
	{ RULE("csrrs_csrrc_rs1_x0 C180 C117"), "csrrs minstret from x6 = 0",
	  0xb02322f3, 0, 100, 100, 101, false, false, 100, 0 },
	{ RULE("C117 C161"), "write of a counter that would overflow",
	  0xb03312f3, UINT64_MAX, UINT64_MAX, 101, UINT64_MAX, false, false,
	  UINT64_MAX, 0 },
	{ RULE("C117"), "write of a filtered counter stays", 0xb03312f3, 5, 100,
	  101, 5, false, false, 100, PMU_EVENT_MINH },
	{ RULE("C160"), "inhibiting counts itself", 0x320312f3, 0xc, 0, 101,
	  101, false, false, 100, 0 },
	{ RULE("C160"), "a new filter is not yet in force", 0x323312f3,
	  PMU_EVENT_MINH, 0, 101, 101, false, false, 100, 0 },
	{ RULE("C160"), "a filter taken away is still in force", 0x323312f3, 0,
	  0, 101, 100, false, false, 100, PMU_EVENT_MINH },
	{ RULE("C161 csrw_order"), "mhpmevent3, its counter overflows",
	  0x323312f3, 0, 0, 101, 0, false, false, UINT64_MAX, 0 },
	{ RULE("C161 csrw_order"), "mhpmevent3 with OF, its counter overflows",
	  0x323312f3, PMU_EVENT_OF, 0, 101, 0, true, false, UINT64_MAX, 0 },
	{ RULE("C161 C109"), "csrc mip, LCOFI while a counter overflows",
	  0x344332f3, 1 << PMU_IRQ_LCOFI, 0, 101, 0, true, true, UINT64_MAX,
	  0 },
	{ RULE("C107 C109"), "any CSR access overflows a counter", 0x340312f3,
	  0, 0, 101, 0, true, true, UINT64_MAX, 0 },
	{ RULE("C107"), "OF set: no second request", 0x340312f3, 0, 0, 101, 0,
	  true, false, UINT64_MAX, PMU_EVENT_OF },
	{ RULE("C177 C107"), "overflow with sfence.vma", 0x12000073, 0, 0, 101,
	  0, true, true, UINT64_MAX, 0 },
	{ RULE("C126"), "mret", PMU_WORD_MRET, 0, 0, 101, 101, false, false,
	  100, PMU_EVENT_UINH },
	{ RULE("C126"), "mret, M filtered", PMU_WORD_MRET, 0, 0, 101, 100,
	  false, false, 100, PMU_EVENT_MINH },
	{ RULE("C126 C107"), "sret from M overflows", PMU_WORD_SRET, 0, 0, 101,
	  0, true, true, UINT64_MAX, PMU_EVENT_UINH },
	{ RULE("C119"), "ecall retires nothing", PMU_WORD_ECALL, 0, 0, 100, 100,
	  false, false, 100, 0 },
	{ RULE("C119"), "an illegal instruction neither", 0xc02312f3, 0, 0, 100,
	  100, false, false, 100, 0 },
	{ RULE("C119 C165"), "wfi retires when it completes", PMU_WORD_WFI, 0,
	  0, 100, 100, false, false, 100, 0 },
};

TEST_ROWS(instructions_count_by_their_own_rules, count_rows)
{
	const struct count_row *row = &count_rows[_i];
	uint32_t selector = pmu_event_desc(PMU_EV_INSNS)->selector;
	struct pmu_hart *h = new_hart(0);
	bool event_insn = row->insn >> 20 == MHPMEVENT3;
	struct pmu_exec_out out;

	shows(row->rule);
	pmu_counter_set_event(h, 3, row->event3 | selector);
	pmu_counter_set(h, 3, row->start3);
	pmu_counter_set(h, 2, 100);
	out = run_with(h, row->insn, row->rs1 | (event_insn ? selector : 0), 0);
	ck_assert_msg(pmu_counter_get(h, 2) == row->minstret, "%s: %llu",
		      row->why, (unsigned long long)pmu_counter_get(h, 2));
	ck_assert_msg(pmu_counter_get(h, 3) == row->hpm3, "%s: %llu", row->why,
		      (unsigned long long)pmu_counter_get(h, 3));
	ck_assert_msg(!(pmu_counter_event(h, 3) & PMU_EVENT_OF) == !row->of3,
		      "%s: OF", row->why);
	ck_assert_msg(!(h->mip_soft >> PMU_IRQ_LCOFI & 1) == !row->lcofip,
		      "%s: LCOFIP", row->why);
	ck_assert_msg(!row->read || out.rd_value == row->read, "%s: rd %llu",
		      row->why, (unsigned long long)out.rd_value);
	ck_assert_msg(!row->lcofip || out.effects & PMU_FX_IRQ, "%s: effects",
		      row->why);
	pmu_hart_free(h);
}

static const struct emulated_row {
	const char *why;
	uint64_t event;
	uint64_t after;
} emulated_rows[] = {
	{ "M counted: its emulation is not counted on top", 0, 10 },
	{ "M inhibited: once, in the mode that trapped", PMU_EVENT_MINH, 11 },
	{ "M and U inhibited", PMU_EVENT_MINH | PMU_EVENT_UINH, 10 },
};

TEST_ROWS(an_emulated_instruction_retires_for_who_inhibits_m, emulated_rows)
{
	const struct emulated_row *row = &emulated_rows[_i];
	struct pmu_hart *h = new_hart(0);

	shows(RULE("C126"));
	h->mode = U;
	pmu_counter_set_event(
		h, 3, row->event | pmu_event_desc(PMU_EV_INSNS)->selector);
	pmu_counter_set_event(
		h, 4, row->event | pmu_event_desc(PMU_EV_CYCLES)->selector);
	pmu_counter_set(h, 3, 10);
	pmu_counter_set(h, 4, 10);
	pmu_exec_emulated(h);
	ck_assert_msg(pmu_counter_get(h, 3) == row->after, "%s", row->why);
	ck_assert_msg(pmu_counter_get(h, 4) == 10, "%s: cycles", row->why);
	pmu_hart_free(h);
}

static const struct readable_row {
	const char *rule;
	unsigned xlen;
	uint16_t num;
	enum pmu_mode mode;
	uint32_t mcounteren, scounteren;
	bool readable;
} readable_rows[] = {
	{ RULE("C115"), 64, 0xc03, M, 0, 0, true },
	{ RULE("C115"), 64, 0xc03, S, 8, 0, true },
	{ RULE("C115"), 64, 0xc03, S, 0, 8, false },
	{ RULE("C115"), 64, 0xc03, U, 8, 8, true },
	{ RULE("C115"), 64, 0xc03, U, 8, 0, false },
	{ RULE("C115"), 32, 0xc83, U, 8, 8, true },
	{ RULE("C139"), 64, 0xc83, M, 8, 8, false },
	{ RULE("C116"), 64, 0xc01, U, 2, 0, false },
	{ RULE("C115"), 64, 0xc20, M, 0, 0, false },
	{ RULE("C115"), 64, 0xb03, S, 8, 8, false },
};

TEST_ROWS(counters_are_readable_as_enabled, readable_rows)
{
	const struct readable_row *row = &readable_rows[_i];
	struct pmu_csr_req read = { .num = row->num, .read = true };
	unsigned effects = 0;
	uint64_t old;
	struct pmu_hart *h = new_hart_xlen(row->xlen, 0);

	shows(row->rule);
	h->mode = row->mode;
	h->mcounteren = row->mcounteren;
	h->scounteren = row->scounteren;
	ck_assert((pmu_csr(h, &read, &old, &effects) == PMU_CSR_OK) ==
		  row->readable);
	pmu_hart_free(h);
}

SUITE("exec-csr");
