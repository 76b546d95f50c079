/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Exactness of the machine over the scripted engine: overflow without skid,
 * turns of exactly a quantum, and that no host slice, no block and no slow
 * reader can be seen in a trace.
 */
#include <pmu/csr.h>

#include "core/machine-read.h"
#include "engine/engine.h"
#include "machine-script.h"

/* Overflow: zero skid at every distance, into M-mode with MIE set */

static struct fake_op skid_ops[64];

TEST_RANGE(an_overflow_interrupts_behind_its_instruction, 1, 45)
{
	const struct fake_op head[] = {
		LI(1, PC(60)),
		CSRW(MTVEC, 1),
		LI(1, 1 << 13),
		CSRW(MIE, 1),
		LI(1, 8),
		CSRW(MSTATUS, 1),
		LI(1, 2), /* instructions */
		CSRW(MHPMEVENT3, 1),
		LI(1, -(uint64_t)_i),
		CSRW(MHPMCOUNTER3, 1), /* 9 */
	};
	const struct fake_op pass[] = { PASS };
	Pmu__V1__Trace *t;
	const Pmu__V1__Record *o, *r;

	memset(skid_ops, 0, sizeof(skid_ops));
	memcpy(skid_ops, head, sizeof(head));
	memcpy(skid_ops + 60, pass, sizeof(pass));
	SCRIPT(skid_ops);
	fake.block = 7;
	play("");
	ended(CAUSE_FINISHER_PASS, 0);
	t = fixture_trace(&f);
	o = fixture_record(t, PMU__V1__RECORD__KIND_OVERFLOW, 0);
	r = fixture_record(t, PMU__V1__RECORD__KIND_TRAP, 0);
	ck_assert_uint_eq(o->overflow->last_pc, PC(9 + (uint64_t)_i));
	ck_assert_uint_eq(o->pc, PC(10 + (uint64_t)_i));
	ck_assert_uint_eq(o->insn, 10 + (uint64_t)_i);
	ck_assert_str_eq(o->overflow->event, "instructions");
	ck_assert_uint_eq(r->pc, PC(10 + (uint64_t)_i));
	ck_assert(r->trap->interrupt);
	ck_assert_uint_eq(r->trap->cause, PMU_IRQ_LCOFI);
	ck_assert_uint_eq(r->trap->handler, PC(60));
	fixture_free_trace(t);
}

/* Turns */

static const struct fake_op spin_ops[] = { JUMP(0) };

TEST(turns_take_exactly_a_quantum)
{
	SCRIPT(spin_ops);
	fixture_play(&f,
		     &(struct fixture_config){ .m_mode = true,
					       .harts = 3,
					       .settings = "quantum=100 "
							   "max-cycles="
							   "730" },
		     13);
	ended(CAUSE_MAX_CYCLES, EXIT_LIMIT);
	ck_assert_uint_eq(fixture_status(&f).hart, 1);
	ck_assert_uint_eq(fixture_status(&f).insn, 730);
	ck_assert_uint_eq(fake.switches, 7);
}

/* Three instructions in M-mode, three in U-mode, and back by an ecall. */
static const struct fake_op modes_ops[] = {
	LI(1, PC(4)), CSRW(MEPC, 1), CSRW(MTVEC, 1),   INSN(FAKE_MRET),
	NOP,	      NOP,	     INSN(FAKE_ECALL),
};

/* Each regime may have an engine of its own. */
TEST(a_regime_is_that_of_the_mode)
{
	SCRIPT(modes_ops);
	fixture_init(&f, &(struct fixture_config){ .m_mode = true,
						   .settings = "pmp-entries=0 "
							       "max-insns=7" });
	fixture_start(&f);
	while (fixture_status(&f).insn < 4)
		fixture_run(&f, 1, 1);
	ck_assert_uint_gt(fake.runs_of[ENGINE_KERNEL], 0);
	ck_assert_uint_eq(fake.runs_of[ENGINE_USER], 0);
	while (fixture_status(&f).insn < 6)
		fixture_run(&f, 1, 1);
	ck_assert_uint_gt(fake.runs_of[ENGINE_USER], 0);
	fake.runs_of[ENGINE_KERNEL] = 0;
	fixture_run(&f, 1000, 10); /* its trap, and the last one in M-mode */
	ended(CAUSE_MAX_INSNS, EXIT_LIMIT);
	ck_assert_uint_gt(fake.runs_of[ENGINE_KERNEL], 0);
}

/*
 * Who only waits has counted when somebody looks, in the middle of a turn: all
 * but the first quantum, in which it was ready.
 */
static const struct fake_op pair_ops[] = {
	CSRR(1, MHARTID),
	LOOP(1, 4), /* 0: taken, 1: not */
	WFI,
	JUMP(2),
	JUMP(4),
};

TEST(who_waits_has_counted_at_the_end_of_a_slice)
{
	uint64_t cycles;

	SCRIPT(pair_ops);
	fixture_init(&f,
		     &(struct fixture_config){ .m_mode = true,
					       .harts = 2,
					       .settings = "quantum=1000" });
	fixture_start(&f);
	while (fixture_status(&f).cycle < 2500)
		fixture_run(&f, 10, 1);
	ck_assert_uint_ne(fixture_status(&f).cycle % 1000, 0);
	ck_assert_int_eq(pmu_csr_peek(machine_pmu(f.m, 1), MCYCLE,
				      machine_clock(f.m), &cycles),
			 0);
	ck_assert_uint_eq(cycles, machine_clock(f.m) - 1000);
}

/* Hart 1 waits with a counter that overflows in the middle of 0's turn. */
static const struct fake_op aside_ops[] = {
	CSRR(1, MHARTID),
	LOOP(1, 8), /* 0: taken, 1: not */
	LI(1, 1),
	CSRW(MHPMEVENT3, 1), /* cycles */
	LI(1, -250ull),
	CSRW(MHPMCOUNTER3, 1),
	WFI,
	JUMP(6),
	JUMP(8),
};

TEST_TIMES(a_waiting_hart_overflows_exactly_while_another_runs, 5)
{
	Pmu__V1__Trace *t;
	const Pmu__V1__Record *r;

	SCRIPT(aside_ops);
	fixture_play(&f,
		     &(struct fixture_config){
			     .m_mode = true,
			     .harts = 2,
			     .settings = "quantum=1000 max-cycles=3000" },
		     1 + 300 * (uint64_t)_i);
	t = fixture_trace(&f);
	r = fixture_record(t, PMU__V1__RECORD__KIND_OVERFLOW, 0);
	ck_assert_ptr_nonnull(r);
	/* 0 has 1000 cycles, 1 six: then it waits 250 */
	ck_assert_uint_eq(r->cycle, 1256);
	ck_assert_uint_eq(r->hart, 1);
	ck_assert_uint_eq(r->overflow->value, 0);
	fixture_free_trace(t);
}

/* Software interrupts between harts: 0 sends, 1 waits and passes. */
static const struct fake_op ipi_ops[] = {
	LI(2, 1 << 3),
	CSRW(MIE, 2),
	CSRR(1, MHARTID), /* x1 = 0 or 1 */
	LI(3, 200),
	LOOP(1, 8), /* hart 0 wraps to a huge number: taken; 1: not */
	WFI,
	PASS,	    /* 5, 6-7 */
	LOOP(3, 8), /* 8 */
	LI(4, 1),
	WRITE(4, 4, MSIP(1)),
	WFI,
};

TEST(a_hart_wakes_another_at_its_next_turn)
{
	Pmu__V1__Trace *t;
	const Pmu__V1__Record *r;

	SCRIPT(ipi_ops);
	fixture_play(&f,
		     &(struct fixture_config){ .m_mode = true,
					       .harts = 2,
					       .settings = "quantum=1000" },
		     1000);
	ended(CAUSE_FINISHER_PASS, 0);
	t = fixture_trace(&f);
	r = fixture_record(t, PMU__V1__RECORD__KIND_STOP, 0);
	ck_assert_uint_eq(r->hart, 1);
	fixture_free_trace(t);
}

/* Hart 0 sends and goes on; hart 1 passes when it has its turn. */
static const struct fake_op call_ops[] = {
	LI(2, 1 << 3), CSRW(MIE, 2),	     CSRR(1, MHARTID),
	LI(3, 200),    LOOP(1, 8),	     WFI,
	PASS,	       LOOP(3, 8), /* 8 */
	LI(4, 1),      WRITE(4, 4, MSIP(1)), JUMP(11),
};

/* Hart 0 spins; hart 1 waits for tick 5, cycle 500, and passes. */
static const struct fake_op alarm_ops[] = {
	CSRR(1, MHARTID),
	LOOP(1, 9),
	LI(2, 1 << 7),
	CSRW(MIE, 2),
	LI(3, 5),
	WRITE(3, 8, MTIMECMP(1)),
	WFI,
	PASS,
	JUMP(9), /* 9 */
};

static const struct yield_row {
	const char *why;
	const struct fake_op *ops;
	size_t n;
	const char *settings;
	uint64_t cycle;
} yield_rows[] = {
	{ "an IPI ends the turn of who sends it", call_ops,
	  ARRAY_SIZE(call_ops), "quantum=1000", 207 + 8 },
	{ "or its turn goes on", call_ops, ARRAY_SIZE(call_ops),
	  "quantum=1000 yield=off", 1000 + 8 },
	{ "a wait's end ends the turn of another", alarm_ops,
	  ARRAY_SIZE(alarm_ops), "quantum=100", 500 + 3 },
	{ "or is noticed at its quantum's end", alarm_ops,
	  ARRAY_SIZE(alarm_ops), "quantum=100 yield=off", 506 + 3 },
};

/* The same in whatever slices of the host. */
static void yields(const struct yield_row *row, uint64_t soft)
{
	const Pmu__V1__Record *r;
	Pmu__V1__Trace *t;

	script(row->ops, row->n);
	fixture_play(&f,
		     &(struct fixture_config){ .m_mode = true,
					       .harts = 2,
					       .settings = row->settings },
		     soft);
	ended(CAUSE_FINISHER_PASS, 0);
	t = fixture_trace(&f);
	r = fixture_record(t, PMU__V1__RECORD__KIND_STOP, 0);
	ck_assert_uint_eq(r->hart, 1);
	ck_assert_msg(r->cycle == row->cycle, "%s: %lu", row->why,
		      (unsigned long)r->cycle);
	fixture_free_trace(t);
}

TEST_ROWS(what_is_urgent_ends_a_turn, yield_rows)
{
	yields(&yield_rows[_i], 100000);
}

TEST_ROWS(what_is_urgent_ends_it_in_any_slices, yield_rows)
{
	yields(&yield_rows[_i], 7);
}

/* A user's call, and one of M-mode, which answers it. */
static const struct fake_op user_ops[] = {
	CSRW(SATP, 2),
	LI(1, PC(9)),
	CSRW(MTVEC, 1),
	LI(1, PC(8)),
	CSRW(MEPC, 1),
	INSN(FAKE_MRET),
	NOP,
	INSN(FAKE_ECALL),
	LI(1, PC(12)),
	CSRW(MTVEC, 1), /* 9 */
	INSN(FAKE_ECALL),
	PASS,
};

static const struct satp_row {
	const char *why;
	uint64_t satp;
} satp_rows[] = {
	{ "a table at a place, with an ASID", 0x8005400000080123 },
	{ "no translation", 0 },
};

/* What a pc means depends on it; of other modes it would say nothing. */
TEST_ROWS(a_users_record_says_whose_pc_it_is, satp_rows)
{
	struct fake_op ops[ARRAY_SIZE(user_ops) + 1] = { LI(
		2, satp_rows[_i].satp) };
	Pmu__V1__Trace *t;
	const Pmu__V1__Record *r;

	memcpy(ops + 1, user_ops, sizeof(user_ops));
	SCRIPT(ops);
	play("");
	t = fixture_trace(&f);
	r = fixture_record(t, PMU__V1__RECORD__KIND_TRAP, 0);
	ck_assert_ptr_nonnull(r);
	ck_assert_int_eq(r->privilege, PMU__V1__PRIVILEGE__PRIVILEGE_U);
	ck_assert_msg(r->satp == satp_rows[_i].satp, "%s: 0x%llx",
		      satp_rows[_i].why, (unsigned long long)r->satp);
	r = fixture_record(t, PMU__V1__RECORD__KIND_TRAP, 1);
	ck_assert_ptr_nonnull(r);
	ck_assert_int_eq(r->privilege, PMU__V1__PRIVILEGE__PRIVILEGE_M);
	ck_assert_uint_eq(r->satp, 0);
	fixture_free_trace(t);
}

/* No host slice, no block boundary is visible. */

static const struct fake_op busy_ops[] = {
	LI(1, PC(16)),
	CSRW(MTVEC, 1),
	LI(1, 1 << 13 | 1 << 7),
	CSRW(MIE, 1),
	LI(1, 8),
	CSRW(MSTATUS, 1),
	LI(1, 2),
	CSRW(MHPMEVENT3, 1),
	LI(1, -37ull),
	CSRW(MHPMCOUNTER3, 1), /* 9 */
	LOAD,
	STORE,
	{ FAKE_FAULT, 0, 0, PMU_CAUSE_LOAD_MISALIGNED, 5 },
	NOP,
	CSRR(2, 0xb00),
	JUMP(10), /* 15 */
	/* handler, 16: re-arm and go on behind */
	LI(1, -37ull),
	LI(2, 2),
	CSRW(MHPMEVENT3, 2),
	CSRW(MHPMCOUNTER3, 1),
	LI(1, 1 << 13),
	INSN(FAKE_CSRRC(0, 0x344, 1)),
	LI(3, 3000),
	WRITE(3, 8, MTIMECMP(0)),
	LI(1, PC(13)),
	CSRW(0x341, 1),
	LI(1, 0x1880),
	CSRW(MSTATUS, 1),
	INSN(FAKE_MRET),
};

static const struct slice_row {
	uint64_t soft;
	unsigned block;
} slice_rows[] = {
	{ 1, 1 }, { 2, 3 }, { 7, 5 }, { 100, 64 }, { 129, 2 }, { 100000, 1 },
};

TEST_ROWS(slices_and_blocks_cannot_be_seen, slice_rows)
{
	const struct slice_row *row = &slice_rows[_i];
	const struct fixture_config cfg = {
		.m_mode = true,
		.harts = 2,
		.settings = "quantum=97 max-insns=20000 time-hz=1G cpi=2",
		.traps = true,
	};
	struct fixture other;

	SCRIPT(busy_ops);
	fixture_play(&f, &cfg, 1000);
	ended(CAUSE_MAX_INSNS, EXIT_LIMIT);
	ck_assert_uint_gt(buf_len(&f.bytes), 1000);
	SCRIPT(busy_ops);
	fake.block = row->block;
	fixture_play(&other, &cfg, row->soft);
	ck_assert(fixture_same(&f, &other));
	fixture_fini(&other);
}

TEST(a_full_sink_stops_the_machine_and_loses_nothing)
{
	const struct fixture_config cfg = {
		.m_mode = true,
		.settings = "max-insns=100000 quantum=97",
		.traps = true,
	};
	struct fixture slow;
	unsigned stalls = 0;

	SCRIPT(busy_ops);
	fixture_play(&f, &cfg, 1000);
	SCRIPT(busy_ops);
	fixture_init(&slow, &cfg);
	fixture_start(&slow);
	while (fixture_state(&slow) == MACHINE_RUNNING) {
		slow.room = 1000;
		fixture_run(&slow, 1000, 100);
		stalls++;
	}
	slow.room = UINT64_MAX;
	fixture_run(&slow, 1, 1);
	ck_assert_uint_gt(stalls, 3);
	ck_assert(fixture_same(&f, &slow));
	fixture_fini(&slow);
}

SUITE("machine-exact", .teardown = teardown);
