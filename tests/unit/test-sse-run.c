/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * SSE, what happens: delivery and completion step by step, priorities, the way
 * of global events, harts that stop or sleep. Overflows are test-sse-pmu.c's.
 */
#include "fw-cpu.h"

enum {
	SIE = 1 << 1,
	SPIE = 1 << 5,
	SPP = 1 << 8,
	SPV = 1 << 7,
	SPVP = 1 << 8,
};
enum {
	F_SPP = 1,
	F_SPIE = 2,
	F_SPV = 4,
	F_SPVP = 8,
};
#define S  PMU_MODE_S
#define U  PMU_MODE_U
#define VS PMU_MODE_VS
#define VU PMU_MODE_VU
#define H  PMU_EXT_H

static struct bench b;
static struct cpu c;

static void begin(const struct opts *o)
{
	bench_init(&b, o);
	cpu_init(&c, &b, 0);
}

static unsigned state_of(uint64_t event)
{
	return cpu_attr(&c, event, STATUS) & STATE_MASK;
}

/* Software Event Injection: what is saved, what the handler finds. */
static const struct delivery_row {
	const char *why;
	uint64_t with;
	enum pmu_mode mode;
	unsigned sstatus, hstatus;	       /* before */
	unsigned flags;			       /* saved */
	unsigned in_sstatus, in_hstatus;       /* in the handler */
	unsigned after_sstatus, after_hstatus; /* it changes nothing itself */
} delivery_rows[] = {
	{ "S, quiet", 0, S, 0, 0, 0, SPP, 0, 0, 0 },
	{ "S, interrupts on", 0, S, SIE, 0, 0, SPP | SPIE, 0, SIE, 0 },
	{ "S, in a handler", 0, S, SPP | SPIE, 0, F_SPP | F_SPIE, SPP, 0,
	  SPP | SPIE, 0 },
	{ "U", 0, U, SIE, 0, 0, SPIE, 0, SIE, 0 },
	{ "U, SPP left over", 0, U, SPP, 0, F_SPP, 0, 0, SPP, 0 },
	{ "HS", H, S, SIE, 0, 0, SPP | SPIE, 0, SIE, 0 },
	{ "HS, guest bits left over", H, S, 0, SPV | SPVP, F_SPV | F_SPVP, SPP,
	  SPVP, 0, SPV | SPVP },
	{ "VS", H, VS, SIE, 0, 0, SPP | SPIE, SPV | SPVP, SIE, 0 },
	{ "VS, SPVP left over", H, VS, 0, SPVP, F_SPVP, SPP, SPV | SPVP, 0,
	  SPVP },
	{ "VU", H, VU, SPP, SPVP, F_SPP | F_SPVP, 0, SPV, SPP, SPVP },
	{ "U of HS", H, U, 0, SPVP, F_SPVP, 0, SPVP, 0, SPVP },
};

static void set_status(const struct delivery_row *row)
{
	bench_poke(&b, 0, PMU_CSR_SSTATUS, row->sstatus);
	if (row->with & H)
		bench_poke(&b, 0, PMU_CSR_HSTATUS, row->hstatus);
}

static void check_status(const struct delivery_row *row, unsigned sstatus,
			 unsigned hstatus)
{
	ck_assert_msg((bench_csr(&b, 0, PMU_CSR_SSTATUS) &
		       (SIE | SPIE | SPP)) == sstatus,
		      "%s", row->why);
	if (row->with & H)
		ck_assert_msg((bench_csr(&b, 0, PMU_CSR_HSTATUS) &
			       (SPV | SPVP)) == hstatus,
			      "%s", row->why);
}

TEST_TIMES(a_handler_finds_what_was_interrupted, 2 * ARRAY_SIZE(delivery_rows))
{
	const struct delivery_row *row = &delivery_rows[_i / 2];
	struct opts o = { .with = row->with, .xlen = _i & 1 ? 32 : 64 };
	struct cpu was;

	begin(&o);
	c.x[A6] = _i & 1 ? 0xffffffff87654321 : 0x1234567887654321;
	cpu_want(&c, LOCAL);
	SSE(&c, UNMASK, 0);
	TRY(&c, INJECT, LOCAL, 0);
	pmu_hart_set_mode(b.harts[0], row->mode);
	set_status(row);
	bench_poke(&b, 0, PMU_CSR_SEPC, 0x80000ab0);
	bench_poke(&b, 0, PMU_CSR_SCAUSE, 5);
	was = c;
	ck_assert(cpu_boundary(&c));
	ck_assert_uint_eq(c.pc, handler_of(LOCAL));
	ck_assert_int_eq(pmu_hart_mode(b.harts[0]), S);
	ck_assert_uint_eq(c.x[A6], 0);
	ck_assert_uint_eq(c.x[A7], _i & 1 ? 0xffffffffffff0001 : LOCAL + 1);
	ck_assert_uint_eq(bench_csr(&b, 0, PMU_CSR_SEPC), was.pc);
	ck_assert_uint_eq(bench_csr(&b, 0, PMU_CSR_SCAUSE), 5);
	check_status(row, row->in_sstatus, row->in_hstatus);
	ck_assert_uint_eq(cpu_attr(&c, LOCAL, I_FLAGS), row->flags);
	ck_assert_uint_eq(cpu_attr(&c, LOCAL, I_SEPC), 0x80000ab0);
	ck_assert_uint_eq(cpu_attr(&c, LOCAL, STATUS), RUNNING | INJECTABLE);
	ck_assert(!cpu_boundary(&c));

	/* Software Event Completion: everything is back. */
	SSE(&c, COMPLETE, was.x[A0], was.x[A1], was.x[12], was.x[13], was.x[14],
	    was.x[15]);
	ck_assert_int_eq(memcmp(&c, &was, sizeof(c)), 0);
	ck_assert_int_eq(pmu_hart_mode(b.harts[0]), row->mode);
	ck_assert_uint_eq(bench_csr(&b, 0, PMU_CSR_SEPC), 0x80000ab0);
	check_status(row, row->after_sstatus, row->after_hstatus);
	ck_assert_uint_eq(state_of(LOCAL), ENABLED);
	bench_fini(&b);
}

/* What the handler changes is what is resumed. */
TEST(a_handler_may_resume_elsewhere)
{
	struct opts o = { 0 };

	begin(&o);
	cpu_want(&c, LOCAL);
	SSE(&c, UNMASK, 0);
	SSE(&c, INJECT, LOCAL, 0);
	cpu_set_attr(&c, LOCAL, I_SEPC, 0x80000100);
	cpu_set_attr(&c, LOCAL, I_FLAGS, F_SPP | F_SPIE | 0x30);
	cpu_set_attr(&c, LOCAL, I_A6, 66);
	cpu_set_attr(&c, LOCAL, I_A7, 77);
	bench_poke(&b, 0, PMU_CSR_SEPC, 0x80000200);
	bench_poke(&b, 0, PMU_CSR_SSTATUS, SPIE);
	SSE(&c, COMPLETE, 0);
	ck_assert_uint_eq(c.pc, 0x80000200);
	ck_assert_int_eq(pmu_hart_mode(b.harts[0]), U);
	ck_assert_uint_eq(c.x[A6], 66);
	ck_assert_uint_eq(c.x[A7], 77);
	ck_assert_uint_eq(bench_csr(&b, 0, PMU_CSR_SEPC), 0x80000100);
	ck_assert_uint_eq(bench_csr(&b, 0, PMU_CSR_SSTATUS) &
				  (SIE | SPIE | SPP),
			  SIE | SPIE | SPP);
	bench_fini(&b);
}

/* Injected by its own hart: behind the call, whose answer is there. */
TEST_TIMES(a_call_returns_before_the_event_it_caused, 2)
{
	struct opts o = { .profile = _i };

	begin(&o);
	cpu_want(&c, LOCAL);
	SSE(&c, UNMASK, 0);
	c.pc = RAM_BASE + 0x30;
	ck_assert_int_eq(SSE(&c, INJECT, LOCAL, 0), 0);
	ck_assert_uint_eq(c.pc, handler_of(LOCAL));
	ck_assert_uint_eq(c.x[A0], 0);
	ck_assert_uint_eq(c.x[A1], 0);
	ck_assert_uint_eq(bench_csr(&b, 0, PMU_CSR_SEPC), RAM_BASE + 0x34);
	ck_assert_uint_eq(cpu_attr(&c, LOCAL, I_A6), INJECT);
	ck_assert_uint_eq(cpu_attr(&c, LOCAL, I_A7), SSE_EID);
	bench_fini(&b);
}

TEST(nothing_runs_nothing_completes)
{
	struct opts o = { 0 };

	begin(&o);
	c.pc = RAM_BASE + 0x30;
	ck_assert_int_eq(SSE(&c, COMPLETE, 5), 0);
	ck_assert_uint_eq(c.pc, RAM_BASE + 0x34);
	bench_fini(&b);
}

/* It has no registers to give back. */
TEST(an_instrument_completes_nothing_that_runs)
{
	struct opts o = { 0 };

	begin(&o);
	ck_assert_int_eq(TRY(&c, COMPLETE, 0), 0);
	cpu_want(&c, LOCAL);
	SSE(&c, UNMASK, 0);
	SSE(&c, INJECT, LOCAL, 0);
	ck_assert_int_eq(TRY(&c, COMPLETE, 0), SBI_ERR_FAILED);
	ck_assert_uint_eq(state_of(LOCAL), RUNNING);
	bench_fini(&b);
}

TEST(a_one_shot_event_ends_registered)
{
	struct opts o = { 0 };

	begin(&o);
	cpu_set_attr(&c, LOCAL, CONFIG, 1);
	cpu_want(&c, LOCAL);
	SSE(&c, UNMASK, 0);
	SSE(&c, INJECT, LOCAL, 0);
	TRY(&c, INJECT, LOCAL, 0);
	SSE(&c, COMPLETE, 0);
	ck_assert_uint_eq(cpu_attr(&c, LOCAL, STATUS),
			  REGISTERED | PENDING | INJECTABLE);
	ck_assert(!cpu_boundary(&c));
	SSE(&c, ENABLE, LOCAL);
	ck_assert_uint_eq(c.pc, handler_of(LOCAL));
	bench_fini(&b);
}

/* A handler's pc is one of the hart's: without C bit 1 of it is no address. */
TEST_TIMES(without_c_a_handler_is_at_a_word, 2)
{
	struct opts o = { .without = _i ? PMU_EXT_C : 0 };

	begin(&o);
	SSE(&c, REGISTER, LOCAL, RAM_BASE + 0x102, 0);
	SSE(&c, ENABLE, LOCAL);
	SSE(&c, INJECT, LOCAL, 0);
	SSE(&c, UNMASK, 0);
	ck_assert_uint_eq(c.pc, RAM_BASE + (_i ? 0x100 : 0x102));
	bench_fini(&b);
}

/* Software Event Priority: lower first, then the lower number. */
static const struct order_row {
	const char *why;
	unsigned overflow, local, global;
	uint64_t order[3];
} order_rows[] = {
	{ "equal: by number", 0, 0, 0, { OVERFLOW, LOCAL, GLOBAL } },
	{ "the other way round", 3, 2, 1, { GLOBAL, LOCAL, OVERFLOW } },
	{ "two are equal", 5, 4, 4, { LOCAL, GLOBAL, OVERFLOW } },
	{ "the largest",
	  UINT32_MAX,
	  0,
	  UINT32_MAX,
	  { LOCAL, OVERFLOW, GLOBAL } },
};

static void want_all(const struct order_row *row)
{
	cpu_set_attr(&c, OVERFLOW, PRIORITY, row->overflow);
	cpu_set_attr(&c, LOCAL, PRIORITY, row->local);
	cpu_set_attr(&c, GLOBAL, PRIORITY, row->global);
	cpu_want(&c, OVERFLOW);
	cpu_want(&c, LOCAL);
	cpu_want(&c, GLOBAL);
}

static void signal_one(uint64_t event)
{
	if (event == OVERFLOW)
		pmu_irq_soft(b.harts[0], PMU_IRQ_LCOFI, true);
	else
		TRY(&c, INJECT, event, 0);
}

/* All at once: each in its turn, when the one before completes. */
TEST_TIMES(events_come_by_priority, 2 * ARRAY_SIZE(order_rows))
{
	const struct order_row *row = &order_rows[_i / 2];
	struct opts o = { .profile = _i & 1 };

	begin(&o);
	want_all(row);
	for (unsigned i = 0; i < 3; i++)
		signal_one(row->order[i]);
	SSE(&c, UNMASK, 0);
	for (unsigned i = 0; i < 3; i++) {
		cpu_boundary(&c);
		ck_assert_msg(c.pc == handler_of(row->order[i]), "%s: %u",
			      row->why, i);
		ck_assert(!cpu_boundary(&c));
		/* What the handler of an overflow does, too. */
		pmu_irq_soft(b.harts[0], PMU_IRQ_LCOFI,
			     row->order[i] != OVERFLOW && i < 2 &&
				     row->order[i + 1] == OVERFLOW);
		if (row->order[2] == OVERFLOW && i < 2)
			signal_one(OVERFLOW);
		SSE(&c, COMPLETE, 0);
	}
	cpu_boundary(&c);
	ck_assert_uint_eq(c.pc, RAM_BASE + 7 * 4);
	bench_fini(&b);
}

/* One after the other, the last of them first: each interrupts the one before,
 * and they complete from the inside out. */
TEST_TIMES(a_higher_priority_preempts, 2 * ARRAY_SIZE(order_rows))
{
	const struct order_row *row = &order_rows[_i / 2];
	struct opts o = { .profile = _i & 1 };

	begin(&o);
	want_all(row);
	SSE(&c, UNMASK, 0);
	for (int i = 2; i >= 0; i--) {
		c.pc += 0x100;
		signal_one(row->order[i]);
		ck_assert(cpu_boundary(&c));
		ck_assert_uint_eq(c.pc, handler_of(row->order[i]));
	}
	pmu_irq_soft(b.harts[0], PMU_IRQ_LCOFI, false);
	for (unsigned i = 1; i < 3; i++) {
		SSE(&c, COMPLETE, 0);
		ck_assert_msg(c.pc == handler_of(row->order[i]) + 0x100,
			      "%s: %u", row->why, i);
		ck_assert_uint_eq(state_of(row->order[i]), RUNNING);
	}
	SSE(&c, COMPLETE, 0);
	ck_assert_int_eq(pmu_hart_mode(b.harts[0]), S);
	ck_assert(!cpu_boundary(&c));
	bench_fini(&b);
}

/* Masked events wait, and are shown as pending. */
TEST(masked_events_wait)
{
	struct opts o = { 0 };

	begin(&o);
	cpu_want(&c, LOCAL);
	SSE(&c, INJECT, LOCAL, 0);
	ck_assert(!fw_sse_due(b.fw, 0));
	ck_assert(!cpu_boundary(&c));
	ck_assert_uint_eq(cpu_attr(&c, LOCAL, STATUS),
			  ENABLED | PENDING | INJECTABLE);
	ck_assert_int_eq(SSE(&c, UNMASK, 0), 0);
	ck_assert_uint_eq(c.pc, handler_of(LOCAL));
	ck_assert_uint_eq(cpu_attr(&c, LOCAL, I_A6), UNMASK);
	bench_fini(&b);
}

TEST(a_hart_that_is_not_there_has_no_events)
{
	struct opts o = { 0 };

	begin(&o);
	ck_assert(!fw_sse_due(b.fw, 1));
	bench_fini(&b);
}

SUITE("sse-run");
