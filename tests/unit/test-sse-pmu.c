/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * SSE, the event of counter overflows: exactly where it comes, whose LCOFI is
 * in which state, what stop and start do meanwhile, what a hand-over keeps.
 */
#include "fw-cpu.h"

enum {
	HANDLER = 0x4000,
};
#define LCOFI	     (1u << PMU_IRQ_LCOFI)
#define BIT(b, csr)  (!!(bench_csr(b, 0, csr) & LCOFI))
#define IN_HANDLER() (c.pc == RAM_BASE + HANDLER)

static struct bench b;
static struct cpu c;

static void begin(const struct opts *o)
{
	bench_init(&b, o);
	cpu_init(&c, &b, 0);
	PMU(&b, CFG, 3, 1, 0, 2);
}

/* Counter @n overflows with the @d-th instruction from now on. */
static void start(unsigned n, unsigned d)
{
	ck_assert_int_eq(PMU_ERR(&b, START, n, 1, INIT, 0ull - d, UINT64_MAX),
			 0);
}

/* Of the counters in @set: the reference shows OF of those not in use. */
static uint64_t overflown(uint64_t set)
{
	return bench_csr(&b, 0, 0xda0) & set;
}

static unsigned status(void)
{
	return cpu_attr(&c, OVERFLOW, STATUS) & ~(unsigned)INJECTABLE;
}

static void complete(void)
{
	SSE(&c, COMPLETE, 0);
}

/* Zero skid, at every distance and on both widths. */
TEST_TIMES(an_overflow_interrupts_behind_its_instruction, 4 * 8)
{
	struct opts o = { .profile = _i & 1, .xlen = _i & 2 ? 32 : 64 };
	unsigned d = 1 + (unsigned)_i / 4;

	shows(RULE("C176"));
	begin(&o);
	cpu_want(&c, OVERFLOW);
	SSE(&c, UNMASK, 0);
	c.pc = RAM_BASE;
	start(3, d);
	cpu_run(&c, 2 * d);
	ck_assert(IN_HANDLER());
	ck_assert_uint_eq(bench_csr(&b, 0, PMU_CSR_SEPC), RAM_BASE + 4 * d);
	ck_assert_uint_eq(overflown(8), 8);
	ck_assert_uint_eq(bench_value(&b, 3), 0);
	ck_assert_uint_eq(status(), RUNNING);
	/* The reference leaves the request to the handler's stop. */
	ck_assert_uint_eq(BIT(&b, PMU_CSR_MIP), _i & 1);
	ck_assert_uint_eq(
		pmu_hart_total(b.harts[0], PMU_EV_INTERRUPTS, PMU_MODE_S), 1);
	bench_fini(&b);
}

/* mideleg.13 and mie.13 of each profile; whatever S-mode had set in sie. */
static const struct owner_row {
	const char *why;
	bool unmasked;
	unsigned state;
	bool mideleg[2], mie[2];
} owner_rows[] = {
	{ "unused", true, UNUSED, { true, true }, { true, true } },
	{ "registered", true, REGISTERED, { true, false }, { true, false } },
	{ "enabled, masked", false, ENABLED, { false }, { false } },
	{ "enabled", true, ENABLED, { false }, { true, true } },
	{ "runs", true, RUNNING, { false }, { false } },
};

TEST_TIMES(the_firmware_has_lcofi_while_it_is_wanted,
	   2 * ARRAY_SIZE(owner_rows))
{
	const struct owner_row *row = &owner_rows[_i / 2];
	struct opts o = { .profile = _i & 1 };

	shows(RULE("C174"));
	begin(&o);
	bench_poke(&b, 0, PMU_CSR_SIE, LCOFI);
	if (row->unmasked)
		SSE(&c, UNMASK, 0);
	if (row->state >= REGISTERED)
		SSE(&c, REGISTER, OVERFLOW, handler_of(OVERFLOW));
	if (row->state >= ENABLED)
		SSE(&c, ENABLE, OVERFLOW);
	if (row->state >= RUNNING) {
		start(3, 1);
		cpu_run(&c, 1);
	}
	ck_assert_msg(BIT(&b, PMU_CSR_MIDELEG) == row->mideleg[_i & 1], "%s",
		      row->why);
	ck_assert_msg(BIT(&b, PMU_CSR_MIE) == row->mie[_i & 1], "%s", row->why);
	ck_assert_uint_eq(BIT(&b, PMU_CSR_SIE),
			  row->mideleg[_i & 1] && row->mie[_i & 1]);
	/* Given back: sie.13 begins as 0. */
	if (row->state == ENABLED) {
		SSE(&c, DISABLE, OVERFLOW);
		ck_assert_uint_eq(BIT(&b, PMU_CSR_MIDELEG), !(_i & 1));
		SSE(&c, UNREGISTER, OVERFLOW);
		ck_assert_uint_eq(BIT(&b, PMU_CSR_MIDELEG), 1);
		ck_assert_uint_eq(BIT(&b, PMU_CSR_SIE), 0);
	}
	bench_fini(&b);
}

/* A request that stands when LCOFI changes hands: the reference's event keeps
 * it. */
TEST_TIMES(a_request_survives_the_hand_over, 2)
{
	struct opts o = { .profile = _i };

	begin(&o);
	start(3, 1);
	cpu_run(&c, 1);
	ck_assert_uint_eq(BIT(&b, PMU_CSR_SIP), 1);
	cpu_want(&c, OVERFLOW);
	ck_assert_uint_eq(status(), ENABLED | PENDING);
	ck_assert_uint_eq(BIT(&b, PMU_CSR_SIP), 0);
	SSE(&c, DISABLE, OVERFLOW);
	ck_assert_uint_eq(status(), _i ? REGISTERED | PENDING : REGISTERED);
	ck_assert_uint_eq(BIT(&b, PMU_CSR_MIP), !_i);
	ck_assert_uint_eq(BIT(&b, PMU_CSR_SIP), !_i);
	SSE(&c, ENABLE, OVERFLOW);
	SSE(&c, UNMASK, 0);
	ck_assert(IN_HANDLER());
	bench_fini(&b);
}

/* C66: the one stop that clears LCOFIP. */
static const struct stop_row {
	const char *why;
	bool wanted, unmasked, before;
	bool after[2]; /* spec, opensbi */
} stop_rows[] = {
	{ "no event wanted", false, true, true, { true, true } },
	{ "masked: not yet seen", true, false, true, { true, false } },
	{ "handled, another came", true, true, true, { false, false } },
};

TEST_TIMES(stop_clears_the_request_that_is_handled, 2 * ARRAY_SIZE(stop_rows))
{
	const struct stop_row *row = &stop_rows[_i / 2];
	struct opts o = { .profile = _i & 1 };

	shows(RULE("C66"));
	begin(&o);
	if (row->unmasked)
		SSE(&c, UNMASK, 0);
	if (row->wanted)
		cpu_want(&c, OVERFLOW);
	PMU(&b, CFG, 4, 1, 0, 2);
	start(3, 1);
	start(4, 2);
	cpu_run(&c, 1);
	/* The second one overflows in the handler, if that runs. */
	bench_run(&b, 0, 1);
	ck_assert_uint_eq(BIT(&b, PMU_CSR_MIP), row->before);
	ck_assert_int_eq(PMU_ERR(&b, STOP, 3, 3), 0);
	ck_assert_msg(BIT(&b, PMU_CSR_MIP) == row->after[_i & 1], "%s",
		      row->why);
	ck_assert_uint_eq(overflown(0x18), 0x18);
	bench_fini(&b);
}

/* Stops of one counter after the other, of which 4 overflows in the handler. */
static const struct partial_row {
	const char *why;
	unsigned stops[2]; /* 0: none */
	bool restarted;	   /* the first of them, meanwhile */
	bool again[2];	   /* spec, opensbi */
} partial_rows[] = {
	{ "another is stopped", { 3 }, false, { true, false } },
	{ "another is stopped, again and again",
	  { 3, 3 },
	  true,
	  { true, false } },
	{ "its own", { 4 }, false, { false, false } },
	{ "one by one", { 3, 4 }, true, { false, false } },
};

TEST_TIMES(a_stop_leaves_requests_of_other_counters,
	   2 * ARRAY_SIZE(partial_rows))
{
	const struct partial_row *row = &partial_rows[_i / 2];
	struct opts o = { .profile = _i & 1 };
	bool again = row->again[_i & 1];

	shows(RULE("C66"));
	begin(&o);
	cpu_want(&c, OVERFLOW);
	SSE(&c, UNMASK, 0);
	PMU(&b, CFG, 4, 1, 0, 2);
	start(3, 1);
	start(4, 2);
	cpu_run(&c, 1);
	bench_run(&b, 0, 1);
	for (unsigned i = 0; i < 2 && row->stops[i]; i++) {
		PMU(&b, STOP, row->stops[i], 1);
		if (!i && row->restarted)
			start(row->stops[i], 1000);
	}
	ck_assert_msg(BIT(&b, PMU_CSR_MIP) == again, "%s", row->why);
	complete();
	ck_assert_msg(IN_HANDLER() == again, "%s", row->why);
	ck_assert_uint_eq(overflown(0x10), 0x10);
	bench_fini(&b);
}

/* What came while the hart was masked outlives the stop of its counter. */
TEST_TIMES(a_stop_leaves_what_waits_to_be_unmasked, 2)
{
	struct opts o = { .profile = _i };

	begin(&o);
	cpu_want(&c, OVERFLOW);
	start(3, 1);
	cpu_run(&c, 1);
	ck_assert_uint_eq(status(), ENABLED | PENDING);
	ck_assert_int_eq(PMU_ERR(&b, STOP, 3, 1), 0);
	ck_assert_uint_eq(BIT(&b, PMU_CSR_MIP), !_i);
	ck_assert_uint_eq(status(), ENABLED | PENDING);
	SSE(&c, UNMASK, 0);
	ck_assert(IN_HANDLER());
	ck_assert_uint_eq(status(), RUNNING);
	complete();
	ck_assert(!IN_HANDLER());
	ck_assert_uint_eq(status(), ENABLED);
	bench_fini(&b);
}

/* What came to an event that is registered alone: S-mode's, or the firmware's.
 */
TEST_TIMES(a_stop_and_what_a_registered_event_met, 2)
{
	struct opts o = { .profile = _i };

	begin(&o);
	SSE(&c, REGISTER, OVERFLOW, handler_of(OVERFLOW));
	start(3, 1);
	cpu_run(&c, 1);
	ck_assert_uint_eq(BIT(&b, PMU_CSR_MIP), 1);
	ck_assert_uint_eq(BIT(&b, PMU_CSR_SIP), !_i);
	ck_assert_int_eq(PMU_ERR(&b, STOP, 3, 1), 0);
	ck_assert_uint_eq(BIT(&b, PMU_CSR_MIP), !_i);
	SSE(&c, UNMASK, 0);
	SSE(&c, ENABLE, OVERFLOW);
	ck_assert_uint_eq(IN_HANDLER(), !_i);
	bench_fini(&b);
}

/* Whose LCOFI is, an event of software does not change. */
TEST_TIMES(other_events_leave_lcofi, 4)
{
	struct opts o = { .profile = _i & 1 };

	begin(&o);
	bench_poke(&b, 0, PMU_CSR_SIE, LCOFI);
	if (_i & 2)
		SSE(&c, REGISTER, OVERFLOW, handler_of(OVERFLOW));
	cpu_want(&c, LOCAL);
	ck_assert_uint_eq(BIT(&b, PMU_CSR_MIDELEG), _i != 3);
	ck_assert_uint_eq(BIT(&b, PMU_CSR_SIE), _i != 3);
	bench_fini(&b);
}

/* What the handler has seen does not silence its counter: another one asks. */
TEST_TIMES(a_start_beside_the_request_of_another_counter, 2)
{
	struct opts o = { .profile = _i };

	shows(RULE("C55"));
	begin(&o);
	cpu_want(&c, OVERFLOW);
	SSE(&c, UNMASK, 0);
	PMU(&b, CFG, 4, 1, 0, 2);
	start(3, 1);
	start(4, 2);
	cpu_run(&c, 1);
	bench_run(&b, 0, 1);
	ck_assert_uint_eq(overflown(0x18), 0x18);
	PMU(&b, STOP, 3, 1);
	start(3, 1);
	ck_assert_uint_eq(overflown(0x18), 0x10);
	PMU(&b, STOP, 4, 1);
	ck_assert_uint_eq(BIT(&b, PMU_CSR_MIP), 0);
	bench_run(&b, 0, 1);
	ck_assert_uint_eq(overflown(8), 8);
	complete();
	ck_assert(IN_HANDLER());
	bench_fini(&b);
}

/* What overflows in a handler comes when it completes, at once. */
TEST_TIMES(an_overflow_in_the_handler_comes_next, 2)
{
	struct opts o = { .profile = _i };
	uint64_t resumed, a6, a7;

	shows(RULE("C162"));
	begin(&o);
	cpu_want(&c, OVERFLOW);
	SSE(&c, UNMASK, 0);
	PMU(&b, CFG, 4, 1, 0, 2);
	start(3, 1);
	start(4, 2);
	cpu_run(&c, 5);
	resumed = bench_csr(&b, 0, PMU_CSR_SEPC);
	a6 = cpu_attr(&c, OVERFLOW, I_A6);
	a7 = cpu_attr(&c, OVERFLOW, I_A7);
	bench_run(&b, 0, 1);
	ck_assert(!cpu_boundary(&c));
	ck_assert_uint_eq(status(), _i ? RUNNING : (RUNNING | PENDING));
	complete();
	ck_assert(IN_HANDLER());
	/* What was interrupted is what the first one interrupted. */
	ck_assert_uint_eq(bench_csr(&b, 0, PMU_CSR_SEPC), resumed);
	ck_assert_uint_eq(cpu_attr(&c, OVERFLOW, I_A6), a6);
	ck_assert_uint_eq(cpu_attr(&c, OVERFLOW, I_A7), a7);
	/* Handled as Linux does, it is the last. */
	PMU(&b, STOP, 3, 3);
	complete();
	ck_assert(!cpu_boundary(&c));
	ck_assert_uint_eq(c.pc, resumed);
	ck_assert_uint_eq(status(), ENABLED);
	bench_fini(&b);
}

/* Counters that start again in the handler overflow again. */
TEST_TIMES(a_handler_arms_the_next_overflow, 2)
{
	struct opts o = { .profile = _i };

	shows(RULE("C145"));
	begin(&o);
	cpu_want(&c, OVERFLOW);
	SSE(&c, UNMASK, 0);
	start(3, 5);
	for (unsigned i = 0; i < 3; i++) {
		cpu_run(&c, 100);
		ck_assert(IN_HANDLER());
		ck_assert_uint_eq(overflown(8), 8);
		PMU(&b, STOP, 3, 1);
		start(3, 5);
		ck_assert_uint_eq(overflown(8), 0);
		c.pc += 4;
		complete();
		ck_assert(!cpu_boundary(&c));
	}
	bench_fini(&b);
}

/* A request that nobody has seen keeps its OF over stop and start. */
TEST(a_masked_overflow_is_not_forgotten)
{
	struct opts o = { 0 };

	shows(RULE("C55"));
	begin(&o);
	cpu_want(&c, OVERFLOW);
	start(3, 1);
	cpu_run(&c, 3);
	ck_assert_uint_eq(status(), ENABLED | PENDING);
	PMU(&b, STOP, 3, 1);
	start(3, 100);
	SSE(&c, UNMASK, 0);
	ck_assert(IN_HANDLER());
	ck_assert_uint_eq(overflown(8), 8);
	bench_fini(&b);
}

/* While an event of higher priority runs, LCOFI stays off. */
TEST_TIMES(an_overflow_waits_for_a_higher_priority, 2)
{
	struct opts o = { .profile = _i };

	begin(&o);
	cpu_set_attr(&c, OVERFLOW, PRIORITY, 1);
	cpu_want(&c, OVERFLOW);
	cpu_want(&c, LOCAL);
	SSE(&c, UNMASK, 0);
	SSE(&c, INJECT, LOCAL, 0);
	ck_assert_uint_eq(BIT(&b, PMU_CSR_MIE), 0);
	start(3, 1);
	cpu_run(&c, 3);
	ck_assert_uint_eq(status(), ENABLED | PENDING);
	complete();
	ck_assert(IN_HANDLER());
	bench_fini(&b);
}

TEST_TIMES(a_one_shot_overflow_gives_lcofi_back, 2)
{
	struct opts o = { .profile = _i };

	begin(&o);
	cpu_set_attr(&c, OVERFLOW, CONFIG, 1);
	cpu_want(&c, OVERFLOW);
	SSE(&c, UNMASK, 0);
	start(3, 1);
	cpu_run(&c, 3);
	complete();
	ck_assert_uint_eq(status(), REGISTERED);
	ck_assert_uint_eq(BIT(&b, PMU_CSR_MIDELEG), !_i);
	ck_assert_uint_eq(BIT(&b, PMU_CSR_MIE), 0);
	bench_fini(&b);
}

/* An overflow ends WFI and a suspension, as any interrupt that is enabled. */
TEST(an_overflow_ends_a_wait)
{
	struct opts o = { 0 };

	shows(RULE("C165"));
	begin(&o);
	cpu_want(&c, OVERFLOW);
	SSE(&c, UNMASK, 0);
	ck_assert(!pmu_hart_wakes(b.harts[0], 0));
	start(3, 1);
	bench_run(&b, 0, 1);
	ck_assert(pmu_hart_wakes(b.harts[0], 0));
	ck_assert(!fw_sse_due(b.fw, 0));
	bench_fini(&b);
}

/* The reference's can be injected: no LCOFI brings it then. */
TEST(an_injected_overflow_is_due)
{
	struct opts o = { .profile = FW_PROFILE_OPENSBI };

	shows(RULE("C145"));
	begin(&o);
	cpu_want(&c, OVERFLOW);
	SSE(&c, UNMASK, 0);
	ck_assert(!fw_sse_due(b.fw, 0));
	ck_assert_int_eq(TRY(&c, INJECT, OVERFLOW, 0), 0);
	ck_assert(fw_sse_due(b.fw, 0));
	ck_assert(cpu_boundary(&c));
	ck_assert(IN_HANDLER());
	ck_assert(!fw_sse_due(b.fw, 0));
	bench_fini(&b);
}

/* A hart that stops gives LCOFI back, and leaves alone what it never had. */
TEST_TIMES(a_stopped_hart_has_lcofi_delegated, 2)
{
	const uint64_t args[8] = { [6] = 1, [7] = HSM_EID };
	struct opts o = { 0 };
	struct sbi_ret ret;

	shows(RULE("C174"));
	begin(&o);
	bench_poke(&b, 0, PMU_CSR_SIE, LCOFI);
	if (_i)
		cpu_want(&c, OVERFLOW);
	ck_assert_uint_eq(BIT(&b, PMU_CSR_MIDELEG), !_i);
	ck_assert_int_eq(fw_sbi_call(b.fw, 0, 0, args, &ret), FW_GONE);
	ck_assert_uint_eq(BIT(&b, PMU_CSR_MIDELEG), 1);
	ck_assert_uint_eq(BIT(&b, PMU_CSR_MIE), !_i);
	bench_fini(&b);
}

/* Enabled by an instrument where nothing can be delivered: off again. */
TEST(a_stray_lcofi_is_disabled)
{
	struct opts o = { 0 };

	begin(&o);
	cpu_want(&c, OVERFLOW);
	start(3, 1);
	bench_run(&b, 0, 1);
	bench_poke(&b, 0, PMU_CSR_MIE, LCOFI);
	ck_assert(cpu_boundary(&c));
	ck_assert(!IN_HANDLER());
	ck_assert_uint_eq(BIT(&b, PMU_CSR_MIE), 0);
	ck_assert(!cpu_boundary(&c));
	bench_fini(&b);
}

SUITE("sse-pmu");
