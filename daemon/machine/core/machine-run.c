/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The stop points: what is due, whose turn it is, how far it may run. The order
 * is machine-inside.h's; how far the host lets it go is the caller's.
 */
#include <assert.h>
#include <stdio.h>

#include "machine-inside.h"

enum {
	ATTEND_COST = 100 /* host work of a stop point, in instructions */
};

static uint64_t min(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t max(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Moments */

uint32_t machine_moment(const struct machine *m)
{
	return m->moment_clock == machine_now(m) ? m->moment : 0;
}

void machine_next_moment(struct machine *m)
{
	m->moment = machine_moment(m) + 1;
	m->moment_clock = machine_now(m);
}

/* The end of a run, for good or for now */

static struct hart *present(struct machine *m)
{
	return &m->harts[m->sched.cur >= 0 ? m->sched.cur : (int)m->sched.last];
}

void machine_end(struct machine *m, enum machine_cause cause, int exit_code)
{
	struct hart *h = present(m);
	struct record_at at = machine_at(m, h, machine_pc(m, h));

	m->state = MACHINE_ENDED;
	m->cause = cause;
	m->exit_code = exit_code;
	record_stop(m->recorder, &at, cause, exit_code);
}

/* Limits that are reached at the present clock. */
static bool check_limits(struct machine *m)
{
	const struct settings *s = &m->cfg.settings;
	const struct until *u = &m->until;
	uint64_t now = machine_now(m), insns = machine_insns(m);

	if (m->ending)
		machine_end(m, m->cause, m->exit_code);
	else if (s->max_insns && insns >= s->max_insns)
		machine_end(m, CAUSE_MAX_INSNS, EXIT_LIMIT);
	else if (s->max_cycles && now >= s->max_cycles)
		machine_end(m, CAUSE_MAX_CYCLES, EXIT_LIMIT);
	else if (machine_step_is_over(m))
		machine_hold(m, CAUSE_STEP);
	else if (insns >= u->insn || now >= u->cycle)
		machine_hold(m, CAUSE_UNTIL);
	else
		return false;
	return true;
}

/* What is due */

void machine_settle(struct machine *m)
{
	uint64_t now = machine_now(m);

	board_timer_run(m->board, now);
	if (m->fw)
		fw_timer_run(m->fw, now);
	for (unsigned i = 0; i < m->cfg.harts; i++)
		if (m->sched.status[i] == HART_WAITING &&
		    m->harts[i].overflow_at <= now)
			machine_account_wait(m, &m->harts[i]);
	machine_flush_console(m);
}

void machine_settle_inputs(struct machine *m)
{
	struct input *in;

	machine_settle(m);
	while ((in = inputs_take(&m->inputs, machine_now(m),
				 machine_moment(m)))) {
		machine_apply_input(m, in, NULL, NULL);
		input_free(in);
	}
}

/* Turns */

bool machine_turn_is_over(const struct machine *m)
{
	/* A hart that left its turn to wait or stop may run again already. */
	return !m->clock.running || sched_due(&m->sched, machine_now(m));
}

static void wake_harts(struct machine *m)
{
	uint64_t now = machine_now(m);

	for (unsigned i = 0; i < m->cfg.harts; i++)
		if (m->sched.status[i] == HART_WAITING &&
		    (pmu_hart_wakes(m->harts[i].pmu, now) ||
		     machine_event_due(m, &m->harts[i]) ||
		     (m->fw && fw_hart_woken(m->fw, i))))
			machine_wake_hart(m, &m->harts[i]);
}

static bool give_turn(struct machine *m)
{
	const struct hart *h;

	wake_harts(m);
	if (sched_next(&m->sched, machine_now(m)) < 0)
		return false;
	h = machine_current(m);
	clock_run(&m->clock, h->pmu);
	machine_next_moment(m);
	m->skip_break = false; /* the stop was in an earlier turn */
	if (m->until.step_hart == STEP_NEXT_TURN)
		machine_begin_step(m, h);
	return true;
}

/* The WFI that the hart waited in retires (C165). */
static void finish_wfi(struct machine *m, struct hart *h)
{
	uint64_t pc = machine_pc(m, h);

	h->wait = WAIT_NONE;
	pmu_exec_wake(h->pmu);
	machine_set_pc(m, h, h->next_pc);
	machine_record_overflows(m, h, pc);
	m->plan.room_stale = true;
	m->plan.irq = true;
}

/* Nobody runs: to the first thing that can change that, or stand still. */
static void idle(struct machine *m)
{
	uint64_t now = machine_now(m);
	uint64_t next = inputs_next(&m->inputs);
	bool waiting = false;

	/* One for a moment that this cycle does not have acts behind it. */
	next = min(max(next, now + 1), machine_wait_event(m));

	for (unsigned i = 0; i < m->cfg.harts; i++) {
		if (m->sched.status[i] != HART_WAITING)
			continue;
		waiting = true;
		next = min(next, machine_hart_timer(m, &m->harts[i]));
	}
	if (next == UINT64_MAX && waiting && !m->console_eof) {
		m->state = MACHINE_WAITING;
		return;
	}
	if (next == UINT64_MAX) {
		machine_end(m, CAUSE_DEADLOCK, EXIT_DEADLOCK);
		return;
	}
	assert(next > now);
	if (m->cfg.settings.max_cycles)
		next = min(next, m->cfg.settings.max_cycles);
	clock_stop(&m->clock);
	clock_jump(&m->clock, min(next, m->until.cycle));
}

/* Plans */

static void make_plan(struct machine *m)
{
	const struct settings *s = &m->cfg.settings;
	struct plan *p = &m->plan;
	struct hart *h = machine_current(m);
	uint64_t own = pmu_hart_insns(h->pmu), now = machine_now(m);
	uint64_t others = machine_insns(m) - own;

	p->clock = min(sched_turn_end(&m->sched), machine_hart_timer(m, h));
	p->clock = min(p->clock, machine_wait_event(m));
	/* One that waits for a later moment of this cycle acts behind it. */
	p->clock = min(p->clock, max(inputs_next(&m->inputs), now + 1));
	p->clock = min(p->clock, m->until.cycle);
	if (s->max_cycles)
		p->clock = min(p->clock, s->max_cycles);
	p->insns = UINT64_MAX;
	if (s->max_insns)
		p->insns = s->max_insns - others;
	if (m->until.insn != UINT64_MAX)
		p->insns = min(p->insns, m->until.insn - others);
	if (m->until.step_hart == m->sched.cur) {
		uint64_t cycles = machine_step_cycles(m);

		p->insns = min(p->insns, m->until.step_insns);
		if (cycles < UINT64_MAX - now)
			p->clock = min(p->clock, now + cycles);
	}
	p->stale = false;
	p->irq = true;
	p->room_stale = true;
}

static bool plan_is_over(const struct machine *m)
{
	const struct plan *p = &m->plan;

	return p->stale || machine_now(m) >= p->clock ||
	       pmu_hart_insns(m->harts[m->sched.cur].pmu) >= p->insns;
}

/*
 * Everything but running, one step of it. Afterwards the plan stands, or there
 * is more to attend to, or nobody runs.
 */
static void attend(struct machine *m)
{
	m->plan.stale = true;
	machine_settle_inputs(m);
	if (check_limits(m))
		return;
	if (!machine_turn_is_over(m))
		make_plan(m);
	else if (!give_turn(m))
		idle(m);
}

/* Running */

static bool at_breakpoint(struct machine *m)
{
	struct hart *h = machine_current(m);
	uint64_t pc;

	if (m->skip_break || (!m->n_breakpoints && !m->until.has_pc))
		return false;
	pc = machine_pc(m, h);
	if (m->until.has_pc && pc == m->until.pc) {
		machine_hold(m, CAUSE_UNTIL);
		return true;
	}
	for (size_t i = 0; i < m->n_breakpoints; i++) {
		if (pc != m->breakpoints[i])
			continue;
		machine_hold(m, CAUSE_BREAKPOINT);
		return true;
	}
	return false;
}

/* One run of the engine. */
static void run_present(struct machine *m)
{
	struct hart *h = machine_current(m);
	int stop;

	if (!machine_set_budget(m)) {
		m->plan.stale = true;
		return;
	}
	if (m->skip_break) {
		engine_set_breakpoints(m->engine, NULL, 0);
		m->budget.limit.n[PMU_EV_INSNS] = 1;
	}
	stop = engine_run(m->engine, h->ctx, machine_enter_regime(m),
			  &m->budget);
	machine_advance(m);
	machine_flush_console(m);
	machine_record_overflows(m, h, m->budget.last_pc);
	if (m->skip_break) {
		m->skip_break = false;
		machine_sync_breakpoints(m);
	}
	if (stop < 0)
		machine_crash(m, engine_error(m->engine));
	else if (stop == ENGINE_STOP_SOFT)
		m->host_left = 0;
}

/* Uses the turn as far as the plan goes. */
static void go(struct machine *m)
{
	struct hart *h = machine_current(m);

	if (h->wait == WAIT_WFI) {
		finish_wfi(m, h);
		return;
	}
	if (at_breakpoint(m))
		return;
	if (m->plan.irq && machine_take_interrupt(m)) {
		m->skip_break = false;
		return;
	}
	run_present(m);
}

void machine_run(struct machine *m, uint64_t soft)
{
	m->host_left = soft ? soft : 1;
	while (m->state == MACHINE_RUNNING && m->host_left &&
	       !m->recorder->full) {
		if (m->sched.cur < 0 || plan_is_over(m)) {
			m->host_left -= min(m->host_left, ATTEND_COST);
			attend(m);
		} else {
			go(m);
		}
	}
	/* Whoever looks now finds nothing to settle first. */
	machine_account_waiting(m);
}
