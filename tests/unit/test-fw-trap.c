/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Traps that reach the firmware: what it emulates, what it hands to S-mode.
 */
#include "../../guests/common/csr-short.h"
#include "fw-fixture.h"

enum {
	A5 = 15,
};
enum {
	CSRRW = 1,
	CSRRS,
	CSRRC,
	CSRRWI = 5,
	CSRRSI,
	CSRRCI
};

#define NO_CNTR (PMU_EXT_ZICNTR | PMU_EXT_ZIHPM | PMU_EXT_SSCOFPMF)
#define S	PMU_MODE_S
#define U	PMU_MODE_U

static uint32_t csr_insn(unsigned funct3, uint16_t csr, unsigned rs1)
{
	return 0x73u | A5 << 7 | funct3 << 12 | rs1 << 15 | (uint32_t)csr << 20;
}

static enum fw_outcome illegal(struct bench *b, uint32_t insn,
			       struct fw_regs *ret)
{
	struct bench_trap t = {
		.trap = { .cause = PMU_CAUSE_ILLEGAL, .pc = 0x80001000 },
		.insn = insn,
	};

	return bench_trap(b, 0, &t, ret);
}

static const struct read_row {
	const char *rule, *why;
	uint64_t without;
	unsigned xlen;
	enum pmu_mode mode;
	unsigned funct3, rs1;
	uint16_t csr;
	uint64_t scounteren;
	bool emulated;
	uint64_t value;
} read_rows[] = {
	{ RULE("C167 time_csr_architectural_availability"), "time", NO_CNTR, 64,
	  S, CSRRS, 0, TIME, 0, true, UINT64_C(0x123456789a) },
	{ RULE("C167"), "cycle", NO_CNTR, 64, S, CSRRS, 0, CYCLE, 0, true,
	  1000 },
	{ RULE("C167"), "instret", NO_CNTR, 64, S, CSRRC, 0, INSTRET, 0, true,
	  1000 },
	{ RULE("C167"), "immediate form", NO_CNTR, 64, S, CSRRSI, 0, TIME, 0,
	  true, UINT64_C(0x123456789a) },
	{ RULE("C167"), "RV32 time", NO_CNTR, 32, S, CSRRS, 0, TIME, 0, true,
	  0x3456789a },
	{ RULE("C167"), "RV32 timeh", NO_CNTR, 32, S, CSRRS, 0, 0xc81, 0, true,
	  0x12 },
	{ RULE("C139"), "timeh on RV64", NO_CNTR, 64, S, CSRRS, 0, 0xc81, 0,
	  false, 0 },
	{ RULE("C167"), "hpmcounter3", PMU_EXT_ZICNTR, 64, S, CSRRS, 0,
	  HPMCOUNTER3, 0, true, 0 },
	{ RULE("C114"), "a counter that is not there", NO_CNTR, 64, S, CSRRS, 0,
	  HPMCOUNTER3 + 1, 0, false, 0 },
	{ RULE("C115"), "a write", NO_CNTR, 64, S, CSRRW, 0, TIME, 0, false,
	  0 },
	{ RULE("C115"), "a write of a zero register", NO_CNTR, 64, S, CSRRS, 1,
	  TIME, 0, false, 0 },
	{ RULE("C115"), "an immediate write", NO_CNTR, 64, S, CSRRWI, 0, TIME,
	  0, false, 0 },
	{ RULE("C115"), "an immediate clear", NO_CNTR, 64, S, CSRRCI, 3, TIME,
	  0, false, 0 },
	{ RULE("C121"), "time from U", NO_CNTR, 64, U, CSRRS, 0, TIME, 0, true,
	  UINT64_C(0x123456789a) },
	{ RULE("C121"), "cycle from U", NO_CNTR, 64, U, CSRRS, 0, CYCLE, 0,
	  false, 0 },
	{ RULE("C116"), "time from U, on", 0, 64, U, CSRRS, 0, TIME, 2, true,
	  UINT64_C(0x123456789a) },
	{ RULE("C116"), "time from U, off", 0, 64, U, CSRRS, 0, TIME, 5, false,
	  0 },
	{ RULE("C116"), "timeh from U, off", 0, 32, U, CSRRS, 0, 0xc81, 5,
	  false, 0 },
	{ RULE("C147"), "cycle from U, on", 0, 64, U, CSRRS, 0, CYCLE, 1, true,
	  1000 },
	{ RULE("C147"), "cycle from U, off", 0, 64, U, CSRRS, 0, CYCLE, 2,
	  false, 0 },
	{ RULE("C96"), "another CSR", 0, 64, S, CSRRS, 0, 0x123, 0, false, 0 },
	{ RULE("C96"), "an M register", 0, 64, S, CSRRS, 0, 0x300, 0, false,
	  0 },
};

TEST_ROWS(reads_of_counters_are_emulated, read_rows)
{
	const struct read_row *row = &read_rows[_i];
	struct opts o = { .xlen = row->xlen,
			  .without = row->without,
			  .hpm_mask = 8 };
	struct fw_regs regs;
	struct bench b;

	shows(row->rule);
	if (row->without == NO_CNTR)
		o.no_hpm = true;
	bench_init(&b, &o);
	bench_run(&b, 0, 1000);
	b.now = UINT64_C(0x123456789a) * 10 + 3;
	bench_poke(&b, 0, PMU_CSR_MCOUNTEREN, 0);
	bench_poke(&b, 0, PMU_CSR_SCOUNTEREN, row->scounteren);
	pmu_hart_set_mode(b.harts[0], row->mode);
	ck_assert_msg(illegal(&b, csr_insn(row->funct3, row->csr, row->rs1),
			      &regs) == (row->emulated ? FW_DONE : FW_REDIRECT),
		      "%s", row->why);
	ck_assert_uint_eq(fw_event_total(b.fw, 0, 4), 1);
	if (row->emulated) {
		ck_assert_uint_eq(regs.pc, 0x80001004);
		ck_assert_uint_eq(regs.n, 1);
		ck_assert_uint_eq(regs.reg[0].x, A5);
		ck_assert_uint_eq(regs.reg[0].value, row->value);
	}
	bench_fini(&b);
}

static const struct guest_row {
	const char *rule, *why;
	unsigned xlen;
	enum pmu_mode mode;
	uint16_t csr;
	uint64_t hcounteren, scounteren;
	bool emulated;
	uint64_t value;
} guest_rows[] = {
	{ RULE("C115"), "cycle from VS", 64, PMU_MODE_VS, CYCLE, 1, 0, true,
	  1000 },
	{ RULE("C115"), "cycle from VS, off", 64, PMU_MODE_VS, CYCLE, 6, 7,
	  false, 0 },
	{ RULE("C115"), "cycle from VU", 64, PMU_MODE_VU, CYCLE, 1, 1, true,
	  1000 },
	{ RULE("C115"), "cycle from VU, off in h", 64, PMU_MODE_VU, CYCLE, 6, 1,
	  false, 0 },
	{ RULE("C115"), "cycle from VU, off in s", 64, PMU_MODE_VU, CYCLE, 1, 6,
	  false, 0 },
	{ RULE("C164"), "time from VS, shifted", 64, PMU_MODE_VS, TIME, 2, 0,
	  true, UINT64_C(0x323456789b) },
	{ RULE("C164"), "timeh from VS, shifted", 32, PMU_MODE_VS, 0xc81, 2, 0,
	  true, 0x32 },
	{ RULE("C164"), "time from HS, not shifted", 64, PMU_MODE_S, TIME, 0, 0,
	  true, UINT64_C(0x123456789a) },
};

/* mcounteren says no for all; then those of the hypervisor and its guest. */
TEST_TIMES(reads_of_guests_are_emulated, 2 * ARRAY_SIZE(guest_rows))
{
	const struct guest_row *row = &guest_rows[_i / 2];
	struct opts o = { .profile = _i & 1,
			  .xlen = row->xlen,
			  .with = PMU_EXT_H };
	struct fw_regs regs;
	struct bench b;

	shows(row->rule);
	bench_init(&b, &o);
	bench_run(&b, 0, 1000);
	b.now = UINT64_C(0x123456789a) * 10 + 3;
	bench_poke(&b, 0, PMU_CSR_MCOUNTEREN, 0);
	bench_poke(&b, 0, PMU_CSR_SCOUNTEREN, row->scounteren);
	bench_poke(&b, 0, 0x606, row->hcounteren);
	bench_poke(&b, 0, 0x605, row->xlen == 32 ? 1 : UINT64_C(0x2000000001));
	if (row->xlen == 32)
		bench_poke(&b, 0, 0x615, 0x20);
	pmu_hart_set_mode(b.harts[0], row->mode);
	ck_assert_msg(illegal(&b, csr_insn(CSRRS, row->csr, 0), &regs) ==
			      (row->emulated ? FW_DONE : FW_REDIRECT),
		      "%s", row->why);
	if (row->emulated)
		ck_assert_uint_eq(regs.reg[0].value, row->value);
	bench_fini(&b);
}

/* mcounteren says no, the, the firmware gives the value all the same. */
TEST_TIMES(mcounteren_does_not_keep_a_counter_from_s, 2)
{
	struct opts o = { .xlen = _i ? 32 : 64 };
	struct fw_regs regs;
	struct bench b;

	bench_init(&b, &o);
	bench_poke(&b, 0, PMU_CSR_MCOUNTEREN, 0);
	PMU(&b, CFG, 3, 1, AUTO, 2);
	PMU(&b, STOP, 3, 1);
	PMU(&b, START, 3, 1, INIT, 0x87654321, 0, 0);
	ck_assert_int_eq(illegal(&b, csr_insn(CSRRS, HPMCOUNTER3, 0), &regs),
			 FW_DONE);
	ck_assert_uint_eq(regs.reg[0].value,
			  _i ? UINT64_C(0xffffffff87654321) : 0x87654321);
	bench_fini(&b);
}

/* One retirement for counters that do not count M-mode. */
TEST_TIMES(an_emulated_instruction_retires_once, 2)
{
	struct opts o = { .profile = _i };
	struct fw_regs regs;
	struct bench b;

	shows(RULE("C126"));
	bench_init(&b, &o);
	bench_poke(&b, 0, PMU_CSR_MCOUNTEREN, 0);
	PMU(&b, CFG, 3, 1, AUTO, 2);
	illegal(&b, csr_insn(CSRRS, HPMCOUNTER3, 0), &regs);
	ck_assert_uint_eq(regs.reg[0].value, 0);
	ck_assert_uint_eq(bench_value(&b, 3), _i ? 0 : 1);
	ck_assert_uint_eq(bench_value(&b, 2), 0);
	bench_fini(&b);
}

static const uint32_t other_insns[] = {
	0,	    0xffffffff, 0x00000013, 0x30200073,
	0x10500073, 0x00000073, 0xc0104073, /* funct3 4 */
};

TEST_ROWS(other_instructions_go_to_s, other_insns)
{
	struct opts o = { .without = NO_CNTR, .no_hpm = true };
	struct fw_regs regs;
	struct bench b;

	bench_init(&b, &o);
	ck_assert_int_eq(illegal(&b, other_insns[_i], &regs), FW_REDIRECT);
	ck_assert_uint_eq(fw_event_total(b.fw, 0, 4), 1);
	bench_fini(&b);
}

static const uint8_t handed_on[] = {
	PMU_CAUSE_FETCH_MISALIGNED, PMU_CAUSE_FETCH_ACCESS,
	PMU_CAUSE_BREAKPOINT,	    PMU_CAUSE_LOAD_MISALIGNED,
	PMU_CAUSE_LOAD_ACCESS,	    PMU_CAUSE_STORE_MISALIGNED,
	PMU_CAUSE_STORE_ACCESS,	    PMU_CAUSE_ECALL_U,
	PMU_CAUSE_FETCH_PAGE,	    PMU_CAUSE_LOAD_PAGE,
	PMU_CAUSE_STORE_PAGE,
};

TEST_ROWS(other_exceptions_go_to_s, handed_on)
{
	struct bench_trap t = { .trap = { .cause = handed_on[_i] } };
	struct opts o = { 0 };
	struct fw_regs regs;
	struct bench b;

	bench_init(&b, &o);
	ck_assert_int_eq(bench_trap(&b, 0, &t, &regs), FW_REDIRECT);
	bench_fini(&b);
}

/* An M-level interrupt that an instrument enabled ends, and does not loop. */
TEST(a_stray_interrupt_is_disabled)
{
	struct bench_trap t = { .trap = { .interrupt = true,
					  .cause = PMU_IRQ_MTI,
					  .pc = 0x80002000 } };
	struct opts o = { 0 };
	struct fw_regs regs;
	struct bench b;

	bench_init(&b, &o);
	bench_poke(&b, 0, 0x304, 1u << PMU_IRQ_MTI | 1u << PMU_IRQ_MEI);
	ck_assert_int_eq(bench_trap(&b, 0, &t, &regs), FW_DONE);
	ck_assert_uint_eq(regs.pc, 0x80002000);
	ck_assert_uint_eq(regs.n, 0);
	ck_assert_uint_eq(bench_csr(&b, 0, 0x304), 1u << PMU_IRQ_MEI);
	bench_fini(&b);
}

TEST(a_hart_that_is_not_ours_is_handed_on)
{
	struct bench_trap t = { .trap = { .cause = PMU_CAUSE_ECALL_S } };
	struct opts o = { 0 };
	struct fw_regs regs;
	struct bench b;

	bench_init(&b, &o);
	ck_assert_int_eq(bench_trap(&b, 1, &t, &regs), FW_REDIRECT);
	bench_fini(&b);
}

SUITE("fw-trap");
