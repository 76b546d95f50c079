/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How far a hart may run: the nearest of the plan's ends, what happens to it,
 * and what a slice of the host still allows.
 */
#include <pmu/counter.h>
#include <pmu/csr.h>
#include <pmu/csr-number.h>

#include "core/plan.h"
#include "unit.h"

static struct plan *p;
static struct pmu_hart *h;
static const struct pmu_timebase timebase = { .clock_hz = 1, .time_hz = 1 };

static void make(uint32_t cpi)
{
	struct pmu_hart_config cfg;

	pmu_hart_config_init(&cfg, 64);
	cfg.cpi = cpi;
	ck_assert_int_eq(pmu_hart_new(&h, &cfg, &timebase), 0);
	pmu_hart_reset(h);
	p = plan_new();
	plan_begin_slice(p, 1000000);
}

static void teardown(void)
{
	plan_free(p);
	pmu_hart_free(h);
	p = NULL;
	h = NULL;
}

static const struct limit_row {
	const char *why;
	uint32_t cpi;
	uint64_t clock, insns, want; /* 0: no instruction at all */
} limit_rows[] = {
	{ "the clock is nearer", 1, 100, 500, 100 },
	{ "instructions are nearer", 1, 500, 100, 100 },
	{ "a part of an instruction's cycles is a whole one", 3, 100, 500, 34 },
	{ "whole ones are not rounded", 4, 100, 500, 25 },
	{ "the clock is there", 1, 0, 500, 0 },
	{ "the instructions are done", 1, 500, 0, 0 },
};

TEST_ROWS(the_budget_is_the_nearest_end, limit_rows)
{
	const struct limit_row *row = &limit_rows[_i];

	make(row->cpi);
	plan_make(p, row->clock, row->insns);
	ck_assert(plan_set_budget(p, h, 0) == (row->want != 0));
	ck_assert(plan_is_over(p, 0, h) == (row->want == 0));
	if (row->want)
		ck_assert_uint_eq(plan_budget(p)->limit.n[PMU_EV_INSNS],
				  row->want);
}

TEST(what_the_engine_did_is_folded_once)
{
	make(3);
	plan_make(p, 300, UINT64_MAX);
	plan_set_budget(p, h, 0);
	plan_budget(p)->done.n[PMU_EV_INSNS] = 40;
	ck_assert_uint_eq(plan_under_way(p, h), 120);
	plan_advance(p, h);
	plan_advance(p, h);
	ck_assert_uint_eq(pmu_hart_insns(h), 40);
	ck_assert_uint_eq(plan_under_way(p, h), 0);
	ck_assert(plan_set_budget(p, h, 120));
	ck_assert_uint_eq(plan_budget(p)->limit.n[PMU_EV_INSNS], 60);
}

/* Counter 3 counts @event, and overflows with the next @n. */
static void arm_event(enum pmu_event event, uint64_t n)
{
	unsigned effects;

	pmu_csr_poke(h, PMU_CSR_MHPMEVENT3, 0, pmu_event_desc(event)->selector,
		     &effects);
	pmu_csr_poke(h, PMU_CSR_MHPMCOUNTER3, 0, -n, &effects);
}

static void arm(uint64_t n)
{
	arm_event(PMU_EV_LOADS, n);
}

static const struct wait_row {
	const char *why;
	uint32_t cpi;
	uint64_t clock, insns, overflow; /* of cycles, 0: none */
	uint64_t waits[2], want;	 /* 0: not one more instruction */
} wait_rows[] = {
	{ "waiting is time", 1, 100, 500, 0, { 30, 0 }, 70 },
	{ "all of it", 1, 100, 500, 0, { 30, 20 }, 50 },
	{ "up to the end of the clock", 1, 100, 500, 0, { 100, 0 }, 0 },
	{ "and beyond", 1, 100, 500, 0, { 90, 90 }, 0 },
	{ "a part of an instruction's cycles is a whole one",
	  4,
	  100,
	  500,
	  0,
	  { 29, 0 },
	  18 },
	{ "instructions are nearer", 1, 100, 20, 0, { 30, 0 }, 20 },
	{ "a counter of cycles overflows before",
	  1,
	  100,
	  500,
	  60,
	  { 30, 0 },
	  30 },
	{ "or by waiting", 1, 100, 500, 60, { 30, 30 }, 0 },
	{ "or after", 1, 100, 500, 200, { 30, 0 }, 70 },
};

TEST_ROWS(waiting_brings_the_end_nearer, wait_rows)
{
	const struct wait_row *row = &wait_rows[_i];

	make(row->cpi);
	if (row->overflow)
		arm_event(PMU_EV_CYCLES, row->overflow);
	plan_make(p, row->clock, row->insns);
	ck_assert(plan_set_budget(p, h, 0));
	for (unsigned i = 0; i < 2; i++)
		plan_stall(p, h, row->waits[i]);
	ck_assert_uint_eq(plan_budget(p)->limit.n[PMU_EV_INSNS], row->want);
	ck_assert_uint_eq(plan_under_way(p, h), row->waits[0] + row->waits[1]);
	plan_budget(p)->done.n[PMU_EV_INSNS] = row->want;
	plan_advance(p, h);
	ck_assert_uint_eq(pmu_hart_cycles(h),
			  row->want * row->cpi + row->waits[0] + row->waits[1]);
	ck_assert_uint_eq(plan_under_way(p, h), 0);
}

/* What is next is counted from where the hart has got to. */
TEST(waiting_is_folded_once)
{
	make(1);
	arm_event(PMU_EV_CYCLES, 100);
	plan_make(p, 1000, UINT64_MAX);
	plan_set_budget(p, h, 0);
	plan_stall(p, h, 40);
	plan_budget(p)->done.n[PMU_EV_INSNS] = 10;
	plan_advance(p, h);
	ck_assert(plan_set_budget(p, h, 50));
	ck_assert_uint_eq(plan_budget(p)->limit.n[PMU_EV_INSNS], 50);
	plan_stall(p, h, 50);
	plan_advance(p, h);
	ck_assert(pmu_counter_overflowed(h, 3));
}

static uint64_t loads_left(void)
{
	ck_assert(plan_set_budget(p, h, 0));
	return plan_budget(p)->limit.n[PMU_EV_LOADS];
}

/* How far the next overflow is follows from what was done, unless it is told.
 */
TEST(an_overflow_comes_nearer_by_what_is_counted)
{
	make(1);
	arm(100);
	plan_make(p, 1000, 1000);
	ck_assert_uint_eq(loads_left(), 100);
	plan_budget(p)->done.n[PMU_EV_LOADS] = 30;
	plan_budget(p)->done.n[PMU_EV_INSNS] = 40;
	plan_advance(p, h);
	ck_assert_uint_eq(plan_budget(p)->done.n[PMU_EV_LOADS], 0);
	ck_assert_uint_eq(loads_left(), 70);
	plan_count(p, PMU_EV_LOADS);
	ck_assert_uint_eq(loads_left(), 69);
	arm(5);
	ck_assert_uint_eq(loads_left(), 69);
	plan_counts_changed(p);
	ck_assert_uint_eq(loads_left(), 5);
	arm(9);
	ck_assert_uint_eq(loads_left(), 5); /* it was told once */
}

/* An instruction of the host's counts itself, whatever else it does. */
TEST(what_the_host_executes_is_counted)
{
	make(1);
	arm_event(PMU_EV_INSNS, 100);
	plan_make(p, 1000, 1000);
	ck_assert(plan_set_budget(p, h, 0));
	plan_executed(p, 0);
	ck_assert(plan_set_budget(p, h, 0));
	ck_assert_uint_eq(plan_budget(p)->limit.n[PMU_EV_INSNS], 99);
}

/* An overflow is nearer than the end of the plan. */
TEST(a_budget_ends_at_the_overflow)
{
	unsigned effects;

	make(1);
	pmu_csr_poke(h, PMU_CSR_MHPMEVENT3, 0,
		     pmu_event_desc(PMU_EV_INSNS)->selector, &effects);
	pmu_csr_poke(h, PMU_CSR_MHPMCOUNTER3, 0, -20ull, &effects);
	plan_make(p, 1000, 1000);
	ck_assert(plan_set_budget(p, h, 0));
	ck_assert_uint_eq(plan_budget(p)->limit.n[PMU_EV_INSNS], 20);
	ck_assert_uint_eq(plan_budget(p)->soft, 1000000);
}

/* What the engine has done is work of the host's, too. */
TEST(a_slice_is_spent_by_what_was_done)
{
	make(1);
	plan_make(p, 1000, 1000);
	plan_begin_slice(p, 50);
	ck_assert(plan_set_budget(p, h, 0));
	ck_assert_uint_eq(plan_budget(p)->soft, 50);
	plan_budget(p)->done.n[PMU_EV_INSNS] = 49;
	plan_advance(p, h);
	ck_assert(plan_has_slice(p));
	plan_budget(p)->done.n[PMU_EV_INSNS] = 1;
	plan_advance(p, h);
	ck_assert(!plan_has_slice(p));
}

TEST(another_plan_takes_all_of_it)
{
	struct state state = { 0 };
	struct plan *other = plan_new();

	make(1);
	plan_make(p, 100, 50);
	plan_watch(p, true);
	plan_give(p, &state);
	plan_take(other, &state);
	ck_assert_ptr_null(state.failed);
	ck_assert_int_eq(plan_next(other), PLAN_STOP);
	plan_watch(other, false);
	ck_assert(plan_has_slice(other));
	ck_assert(plan_set_budget(other, h, 0));
	ck_assert_uint_eq(plan_budget(other)->limit.n[PMU_EV_INSNS], 50);
	ck_assert(!plan_set_budget(other, h, 100));
	plan_free(other);
	state_free(&state);
}

TEST(a_cut_leaves_the_instruction_under_way)
{
	make(1);
	plan_make(p, 100, UINT64_MAX);
	plan_set_budget(p, h, 0);
	plan_budget(p)->done.n[PMU_EV_INSNS] = 7;
	plan_cut(p);
	ck_assert_uint_eq(plan_budget(p)->limit.n[PMU_EV_INSNS], 8);
	plan_set_single(p);
	ck_assert_uint_eq(plan_budget(p)->limit.n[PMU_EV_INSNS], 1);
}

static const struct next_row {
	const char *why;
	bool asked, watched, slice_over;
	enum plan_next want;
} next_rows[] = {
	{ "a new plan asks for interrupts", false, false, false, PLAN_ASK },
	{ "asked, it goes", true, false, false, PLAN_GO },
	{ "breakpoints are looked at", true, true, false, PLAN_STOP },
	{ "the host wants to be asked", true, false, true, PLAN_STOP },
};

TEST_ROWS(a_hart_goes_on_while_nothing_stops_it, next_rows)
{
	const struct next_row *row = &next_rows[_i];

	make(1);
	plan_make(p, 100, 100);
	if (row->asked)
		plan_no_irq(p);
	plan_watch(p, row->watched);
	if (row->slice_over)
		plan_end_slice(p);
	ck_assert_msg(plan_next(p) == row->want, "%s", row->why);
	ck_assert(!plan_is_over(p, 0, h));
}

static void execute_mode(struct plan *plan)
{
	plan_executed(plan, PMU_FX_MODE);
}

static void execute_count(struct plan *plan)
{
	plan_executed(plan, PMU_FX_COUNT);
}

static void execute_irq(struct plan *plan)
{
	plan_executed(plan, PMU_FX_IRQ);
}

static void execute_timer(struct plan *plan)
{
	plan_executed(plan, PMU_FX_TIMER);
}

static void execute_others(struct plan *plan)
{
	plan_executed(plan, PMU_FX_TLB | PMU_FX_FS | PMU_FX_FCSR);
}

/* What of a plan is asked again because of what happens. */
static const struct event_row {
	const char *why;
	void (*happens)(struct plan *plan);
	bool is_over, irq, count;
} event_rows[] = {
	{ "nobody runs by it", plan_left, true, false, false },
	{ "a hart came", plan_turn_changed, true, false, false },
	{ "a timer", plan_timer_changed, true, false, false },
	{ "another goal", plan_goal_changed, true, false, false },
	{ "an input", plan_input_came, true, false, false },
	{ "a moment", plan_moment_passed, true, false, false },
	{ "a stop", plan_stop_wanted, true, false, false },
	{ "an interrupt", plan_interrupts_changed, false, true, false },
	{ "the end of a WFI", plan_wait_ended, false, true, true },
	{ "a trap", plan_trapped, false, true, true },
	{ "an overflow", plan_overflowed, false, true, true },
	{ "a counter", plan_counts_changed, false, false, true },
	{ "other observers", plan_observers_changed, true, false, true },
	{ "another mode", execute_mode, false, true, true },
	{ "a write of a counter", execute_count, false, false, true },
	{ "a write of mie", execute_irq, false, true, false },
	{ "a write of stimecmp", execute_timer, true, false, false },
	{ "what does not concern it", execute_others, false, false, false },
};

TEST_ROWS(what_happens_is_asked_again, event_rows)
{
	const struct event_row *row = &event_rows[_i];

	make(1);
	arm(100);
	plan_make(p, 1000, 1000);
	ck_assert_uint_eq(loads_left(), 100);
	plan_no_irq(p);
	arm(5);
	row->happens(p);
	ck_assert_msg(plan_is_over(p, 0, h) == row->is_over, "%s", row->why);
	ck_assert_msg(plan_has_irq(p) == row->irq, "%s", row->why);
	ck_assert_msg((loads_left() == 5) == row->count, "%s", row->why);
	ck_assert_int_eq(plan_next(p), row->is_over ? PLAN_STOP
				       : row->irq   ? PLAN_ASK
						    : PLAN_GO);
}

/* Void goes before interrupts. */
TEST(a_plan_that_is_over_asks_for_nothing)
{
	make(1);
	plan_make(p, 100, 100);
	plan_interrupts_changed(p);
	plan_turn_changed(p);
	ck_assert_int_eq(plan_next(p), PLAN_STOP);
}

/* Whoever gets no budget of a plan needs another, whatever its clock. */
TEST(a_plan_without_an_instruction_is_over)
{
	make(1);
	plan_make(p, 100, 100);
	ck_assert(!plan_set_budget(p, h, 100));
	ck_assert(plan_is_over(p, 0, h));
}

TEST(another_plan_is_not_void)
{
	make(1);
	plan_turn_changed(p);
	ck_assert(plan_is_over(p, 0, h));
	plan_make(p, 100, 100);
	ck_assert(!plan_is_over(p, 0, h));
	ck_assert(!plan_is_over(p, 99, h));
	ck_assert(plan_is_over(p, 100, h));
	ck_assert(plan_has_irq(p));
	plan_no_irq(p);
	ck_assert(!plan_has_irq(p));
}

TEST(a_slice_is_spent_and_never_below_nothing)
{
	make(1);
	plan_begin_slice(p, 0);
	ck_assert(plan_has_slice(p));
	plan_spend(p, 1);
	ck_assert(!plan_has_slice(p));
	plan_begin_slice(p, 10);
	plan_spend(p, 9);
	ck_assert(plan_has_slice(p));
	plan_spend(p, 5);
	ck_assert(!plan_has_slice(p));
}

SUITE("plan", .teardown = teardown);
