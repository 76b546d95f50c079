/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The stop points: what is due, whose turn it is, how far it may run. The order
 * is that of owners.h; how far the host lets it go is the caller's.
 */
#include <assert.h>

#include "engine/engine.h"
#include "injections.h"
#include "machine-console.h"
#include "machine-ebb.h"
#include "machine-exit.h"
#include "machine-hold.h"
#include "machine-input.h"
#include "machine-note.h"
#include "machine-reset.h"
#include "machine-sample.h"
#include "min-max.h"
#include "pace.h"
#include "plan.h"

enum {
	BETWEEN_COST = 100 /* host work of a stop point, in instructions */
};

/* The end of a run, for good or for now */

static void record_end(struct machine *m, enum machine_cause cause)
{
	const struct hart *h = hart_present(m);
	struct record_at at = hart_at(m, h, hart_pc(m, h));

	samplers_write_sums(m);
	record_stop(m->recorder, &at, cause, life_exit_code(m->life));
}

static void end(struct machine *m, enum machine_cause cause)
{
	life_stop(m->life, cause);
	record_end(m, cause);
}

static void crash(struct machine *m, const char *why)
{
	samplers_write_sums(m);
	life_tell(m->life, why);
	life_stop(m->life, CAUSE_CRASH);
}

/* False: it cannot, and has crashed. */
static bool reboot(struct machine *m, enum reboot_kind kind)
{
	struct error e = { 0 };

	if (machine_reset(m, kind, &e))
		return true;
	crash(m, e.text);
	return false;
}

/* Limits that are reached at the present clock, and a reboot. */
static bool check_limits(struct machine *m)
{
	const struct settings *s = &m->cfg->settings;
	enum machine_cause cause;
	enum reboot_kind kind;

	if (life_reboot_now(m->life, &kind) && !reboot(m, kind))
		return true;
	if (life_end_now(m->life, &cause))
		record_end(m, cause);
	else if (s->max_insns && harts_insns(m) >= s->max_insns)
		end(m, CAUSE_MAX_INSNS);
	else if (s->max_cycles && machine_now(m) >= s->max_cycles)
		end(m, CAUSE_MAX_CYCLES);
	else
		return hold_if_due(m);
	return true;
}

/* Turns */

static bool give_turn(struct machine *m)
{
	const struct hart *h;
	int next;

	harts_wake(m);
	next = turn_next(m->turn);
	if (next < 0)
		return false;
	h = hart_of(m, (unsigned)next);
	pace_end(m->pace);
	turn_begin(m->turn, h->pmu);
	hold_turn(m, h);
	return true;
}

/* How far the clock may go while nobody runs. */
static uint64_t idle_limit(const struct machine *m)
{
	uint64_t max_cycles = m->cfg->settings.max_cycles;

	return min(max_cycles ? max_cycles : UINT64_MAX, hold_clock(m));
}

/* Nobody runs: to the first thing that can change that, or stand still. */
static void idle(struct machine *m)
{
	uint64_t now = machine_now(m);
	bool waiting;
	uint64_t next = harts_next_timer(m, &waiting);

	/* One for a moment that this cycle does not have acts behind it. */
	next = min(next, max(inputs_next(m->inputs), now + 1));
	next = min(next, harts_next_overflow(m));
	if (next == UINT64_MAX && waiting && !console_is_over(m->console)) {
		pace_wait(m->pace, m->turn, idle_limit(m));
		hold_waits(m);
		life_wait(m->life);
		return;
	}
	if (next == UINT64_MAX) {
		end(m, CAUSE_DEADLOCK);
		return;
	}
	assert(next > now);
	if (!pace_idle(m->pace, m->turn, min(next, idle_limit(m))))
		plan_end_slice(m->plan);
}

/* Plans */

/* The turn is too long where another hart would wait for its end. */
static void bound_turn(struct machine *m)
{
	bool waiting;

	if (m->cfg->settings.yield)
		turn_urge_at(m->turn, min(harts_next_timer(m, &waiting),
					  harts_next_overflow(m)));
}

static void make_plan(struct machine *m)
{
	const struct settings *s = &m->cfg->settings;
	const struct hart *h = hart_present(m);
	uint64_t clock, insns = UINT64_MAX;

	bound_turn(m);
	clock = min(turn_end(m->turn), hart_next_timer(m, h));
	clock = min(clock, harts_next_overflow(m));
	/* One that waits for a later moment of this cycle acts behind it. */
	clock = min(clock, max(inputs_next(m->inputs), machine_now(m) + 1));
	if (s->max_cycles)
		clock = min(clock, s->max_cycles);
	if (s->max_insns)
		insns = s->max_insns -
			(harts_insns(m) - pmu_hart_insns(h->pmu));
	insns = min(insns, injections_next(m->injections, h));
	hold_limit(m, h, &clock, &insns);
	plan_make(m->plan, clock, insns);
}

/*
 * Everything but running, one step of it. Afterwards the plan stands, or there
 * is more to do, or nobody runs.
 */
static void between_runs(struct machine *m)
{
	plan_left(m->plan);
	machine_settle(m);
	if (machine_frozen(m) || check_limits(m))
		return;
	if (!turn_is_over(m->turn))
		make_plan(m);
	else if (!give_turn(m))
		idle(m);
}

/* Running */

/* One run of the engine. */
static void run(struct machine *m, const struct hart *h)
{
	int stop;

	if (!plan_set_budget(m->plan, h->pmu, machine_now(m)))
		return;
	if (hold_begin_run(m, h))
		plan_set_single(m->plan);
	stop = runner_run(m, h);
	plan_advance(m->plan, h->pmu);
	console_flush(m);
	notes_flush(m);
	hart_record_overflows(m, h, plan_budget(m->plan)->last_pc);
	hold_end_run(m, h);
	if (stop < 0)
		crash(m, engine_error(m->engine));
	else if (stop == ENGINE_STOP_SOFT)
		plan_end_slice(m->plan);
}

/* Uses the turn as far as the plan goes. */
static void use_turn(struct machine *m, const struct hart *h)
{
	if (hart_retire_wfi(m, h) || hold_before(m, h))
		return;
	if (plan_has_irq(m->plan) && runner_take_interrupt(m, h))
		hold_moved(m, h);
	else
		run(m, h);
}

bool machine_sleeps(const struct machine *m, uint64_t *ret_until)
{
	return life_state(m->life) == MACHINE_RUNNING &&
	       pace_sleeps(m->pace, ret_until);
}

void machine_look(struct machine *m)
{
	pace_look(m->pace, m->turn);
	harts_account(m);
}

void machine_run(struct machine *m, uint64_t soft)
{
	plan_begin_slice(m->plan, soft);
	while (life_state(m->life) == MACHINE_RUNNING &&
	       plan_has_slice(m->plan) && !m->recorder->full &&
	       !machine_frozen(m)) {
		const struct hart *h = hart_present(m);

		if (turn_hart(m->turn) < 0 ||
		    plan_is_over(m->plan, machine_now(m), h->pmu)) {
			plan_spend(m->plan, BETWEEN_COST);
			between_runs(m);
		} else {
			use_turn(m, h);
		}
	}
	/* Whoever looks now finds nothing to settle first. */
	harts_account(m);
}
