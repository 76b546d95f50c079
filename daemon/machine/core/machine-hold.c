/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a machine is to run until, and where it is to stop. The engine has the
 * breakpoints, too, so that it need not ask at each instruction.
 */
#include "machine-hold.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "injections.h"
#include "machine-watch.h"
#include "min-max.h"
#include "pace.h"
#include "plan.h"

enum {
	STEP_MORE_TRAPS = 1000
};

/* In place of a hart that steps. */
enum {
	STEP_NONE = -2,
	STEP_NEXT_TURN = -3 /* the hart that gets the next turn */
};

struct until {
	uint64_t insn, cycle, pc; /* UINT64_MAX: none; pc if has_pc */
	bool has_pc;
	int step_hart;			 /* or STEP_... */
	uint64_t step_insns, step_traps; /* the step ends with either */
	uint64_t step_wanted;		 /* instructions */
	bool trap_ends, trapped;	 /* so does a trap; there was one */
};

struct hold {
	struct until until;
	uint64_t breakpoints[MACHINE_MAX_BREAKPOINTS];
	size_t n;
	uint64_t held; /* harts that were held before their next instruction */
	uint64_t held_pc[PMU_MAX_HARTS];
	bool passing;	     /* one of them runs, past it */
	uint32_t injections; /* whose pcs the engine has: their version */
};

static const struct until no_until = {
	.insn = UINT64_MAX,
	.cycle = UINT64_MAX,
	.step_hart = STEP_NONE,
};

struct hold *hold_new(void)
{
	struct hold *hold = calloc(1, sizeof(*hold));

	if (hold)
		hold->until = no_until;
	return hold;
}

void hold_free(struct hold *hold)
{
	free(hold);
}

/* Tells the plan whether instructions are to be looked at one by one. */
static void watch(struct machine *m)
{
	const struct hold *hold = m->hold;

	plan_watch(m->plan, hold->n || hold->until.has_pc || hold->passing ||
				    injections_at_pc(m->injections));
}

static void sync_breakpoints(struct machine *m)
{
	uint64_t all[MACHINE_MAX_BREAKPOINTS];
	size_t n = m->hold->n;

	memcpy(all, m->hold->breakpoints, n * sizeof(*all));
	if (m->hold->until.has_pc && n < MACHINE_MAX_BREAKPOINTS)
		all[n++] = m->hold->until.pc;
	m->hold->injections = injections_version(m->injections);
	n += injections_pcs(m->injections, all + n,
			    MACHINE_MAX_BREAKPOINTS - n);
	engine_set_breakpoints(m->engine, all, n);
	watch(m);
}

size_t hold_room(const struct machine *m)
{
	/* One is kept free for run-until. */
	return MACHINE_MAX_BREAKPOINTS - 1 - m->hold->n -
	       injections_at_pc(m->injections);
}

static void set_until(struct machine *m, const struct until *until)
{
	bool sync = m->hold->until.has_pc || until->has_pc;

	m->hold->until = *until;
	plan_goal_changed(m->plan);
	if (sync)
		sync_breakpoints(m);
}

void hold_still(struct machine *m, enum machine_cause cause)
{
	life_stop(m->life, cause);
	pace_end(m->pace);
	set_until(m, &no_until);
}

/* Steps */

/* A hart that only traps retires nothing: so many entries end a step, too. */
static uint64_t traps_of_step(uint64_t insns)
{
	return insns < UINT64_MAX / 8 ? 4 * insns + STEP_MORE_TRAPS
				      : UINT64_MAX / 2;
}

/* It is @h that steps, from now on. */
static void begin_step(struct until *u, const struct hart *h)
{
	u->step_hart = (int)h->index;
	u->step_insns += pmu_hart_insns(h->pmu);
	u->step_traps += pmu_hart_traps(h->pmu);
}

/* What the step has come to, and @why it is no more. */
static void tell_step(struct machine *m, const char *why)
{
	const struct until *u = &m->hold->until;
	uint64_t left = u->step_wanted;
	char text[160];

	if (u->step_hart >= 0)
		left = u->step_insns -
		       pmu_hart_insns(hart_of(m, (unsigned)u->step_hart)->pmu);
	snprintf(text, sizeof(text),
		 "executed %" PRIu64 " of %" PRIu64 " instructions: %s",
		 u->step_wanted - left, u->step_wanted, why);
	life_tell_for_now(m->life, text);
}

void hold_waits(struct machine *m)
{
	if (m->hold->until.step_hart != STEP_NONE)
		tell_step(m, "all harts wait, and only input can wake one");
}

/* All executed, or so many traps that nothing else is to be expected? */
static bool step_is_over(struct machine *m)
{
	const struct until *u = &m->hold->until;
	const struct hart *h;
	char text[64];

	if (u->step_hart < 0)
		return false;
	if (u->trapped)
		return true;
	h = hart_of(m, (unsigned)u->step_hart);
	if (pmu_hart_insns(h->pmu) >= u->step_insns)
		return true;
	if (pmu_hart_traps(h->pmu) < u->step_traps)
		return false;
	snprintf(text, sizeof(text), "hart %d takes trap after trap",
		 u->step_hart);
	tell_step(m, text);
	return true;
}

void hold_trapped(struct machine *m, const struct hart *h)
{
	struct until *u = &m->hold->until;

	injections_moved(m->injections, h);
	if (!u->trap_ends || u->step_hart != (int)h->index)
		return;
	u->trapped = true;
	plan_stop_wanted(m->plan);
}

/* The hart that steps cannot have taken that many traps in fewer cycles. */
static uint64_t step_cycles(const struct machine *m, const struct hart *h)
{
	uint64_t traps = m->hold->until.step_traps - pmu_hart_traps(h->pmu);

	return pmu_trap_cost(h->pmu, traps);
}

/* Stop points */

bool hold_if_due(struct machine *m)
{
	const struct until *u = &m->hold->until;

	if (watches_due(m))
		hold_still(m, CAUSE_WATCHPOINT);
	else if (step_is_over(m))
		hold_still(m, CAUSE_STEP);
	else if (harts_insns(m) >= u->insn || machine_now(m) >= u->cycle)
		hold_still(m, CAUSE_UNTIL);
	else
		return false;
	return true;
}

/* @h is to go on past where it stands, whoever runs before it. */
static void mark_held(struct hold *hold, const struct hart *h, uint64_t pc)
{
	hold->held |= UINT64_C(1) << h->index;
	hold->held_pc[h->index] = pc;
}

static void forget_held(struct hold *hold, const struct hart *h)
{
	hold->held &= ~(UINT64_C(1) << h->index);
}

static bool was_held(const struct hold *hold, const struct hart *h, uint64_t pc)
{
	return hold->held >> h->index & 1 && hold->held_pc[h->index] == pc;
}

/* Is @pc where to hold @h? */
static bool held_at(struct machine *m, const struct hart *h, uint64_t pc)
{
	struct hold *hold = m->hold;
	bool until = hold->until.has_pc && pc == hold->until.pc, point = false;

	for (size_t i = 0; i < hold->n && !until; i++)
		point = point || pc == hold->breakpoints[i];
	if (!until && !point)
		return false;
	mark_held(hold, h, pc);
	hold_still(m, until ? CAUSE_UNTIL : CAUSE_BREAKPOINT);
	return true;
}

bool hold_before(struct machine *m, const struct hart *h)
{
	bool fresh;

	if ((m->hold->n || m->hold->until.has_pc) &&
	    !was_held(m->hold, h, hart_pc(m, h)) &&
	    held_at(m, h, hart_pc(m, h)))
		return true;
	if (!injections_at_pc(m->injections) ||
	    !injections_meet(m->injections, h, hart_pc(m, h), &fresh))
		return false;
	/* A plan that ends where it has retired; the engine stops here once. */
	if (fresh)
		plan_stop_wanted(m->plan);
	return fresh;
}

void hold_turn(struct machine *m, const struct hart *h)
{
	if (m->hold->until.step_hart == STEP_NEXT_TURN)
		begin_step(&m->hold->until, h);
}

void hold_moved(struct machine *m, const struct hart *h)
{
	forget_held(m->hold, h);
}

void hold_reset(struct machine *m)
{
	m->hold->held = 0;
}

uint64_t hold_clock(const struct machine *m)
{
	return m->hold->until.cycle;
}

void hold_limit(const struct machine *m, const struct hart *h, uint64_t *clock,
		uint64_t *insns)
{
	const struct until *u = &m->hold->until;
	uint64_t now = machine_now(m), cycles;

	*clock = min(*clock, u->cycle);
	if (u->insn != UINT64_MAX)
		*insns = min(*insns, u->insn - (harts_insns(m) -
						pmu_hart_insns(h->pmu)));
	if (u->step_hart != (int)h->index)
		return;
	*insns = min(*insns, u->step_insns);
	cycles = step_cycles(m, h);
	if (cycles < UINT64_MAX - now)
		*clock = min(*clock, now + cycles);
}

bool hold_begin_run(struct machine *m, const struct hart *h)
{
	struct hold *hold = m->hold;

	if (hold->injections != injections_version(m->injections))
		sync_breakpoints(m);
	hold->passing = hold->held && was_held(hold, h, hart_pc(m, h));
	if (hold->passing) {
		engine_set_breakpoints(m->engine, NULL, 0);
		watch(m);
	}
	return hold->passing;
}

void hold_end_run(struct machine *m, const struct hart *h)
{
	forget_held(m->hold, h);
	if (!m->hold->passing)
		return;
	m->hold->passing = false;
	sync_breakpoints(m);
}

/* What may be asked for */

bool machine_pause(struct machine *m, struct error *e)
{
	if (!life_may_stop(m->life, CAUSE_PAUSE))
		return life_refuse(m->life, "pause", e);
	pace_look(m->pace, m->turn);
	harts_account(m);
	hold_still(m, CAUSE_PAUSE);
	return true;
}

static bool let_go(struct machine *m, const char *what,
		   const struct until *until, struct error *e)
{
	enum machine_cause cause = life_cause(m->life);
	const struct hart *h = hart_present(m);

	if (!life_go_on(m->life))
		return life_refuse(m->life, what, e);
	watches_forget(m);
	if (cause == CAUSE_UNTIL) /* of a count, too */
		mark_held(m->hold, h, hart_pc(m, h));
	set_until(m, until);
	return true;
}

bool machine_resume(struct machine *m, struct error *e)
{
	return let_go(m, "resume", &no_until, e);
}

bool machine_step(struct machine *m, const struct machine_step *step,
		  struct error *e)
{
	uint64_t insns = step->insns ? step->insns : 1;
	struct until u = no_until;

	if (step->hart >= (int)m->cfg->harts)
		return error_set(e, ERROR_INVALID,
				 AT(PART_HART, "NO_SUCH_HART"),
				 "hart: there is no hart %d, the last is %u",
				 step->hart, m->cfg->harts - 1);
	if (insns > UINT64_MAX / 2)
		return error_set(e, ERROR_INVALID, AT(PART_INSNS, "TOO_MANY"),
				 "insns: must be at most %" PRIu64
				 ", not %" PRIu64,
				 UINT64_MAX / 2, insns);
	u.step_hart = STEP_NEXT_TURN;
	u.step_insns = u.step_wanted = insns;
	u.step_traps = traps_of_step(insns);
	u.trap_ends = step->trap_ends;
	if (!let_go(m, "step", &u, e))
		return false;
	if (step->hart >= 0)
		begin_step(&m->hold->until, hart_of(m, (unsigned)step->hart));
	else if (!turn_is_over(m->turn))
		begin_step(&m->hold->until, hart_present(m));
	return true;
}

bool machine_run_until(struct machine *m, const struct machine_until *until,
		       struct error *e)
{
	struct until u = no_until;

	switch (until->kind) {
	case UNTIL_INSN:
		u.insn = until->value;
		break;
	case UNTIL_CYCLE:
		u.cycle = until->value;
		break;
	case UNTIL_PC:
		if (until->value % 2)
			return error_set(e, ERROR_INVALID,
					 AT(PART_PC, "BAD_VALUE"),
					 "until: 0x%" PRIx64
					 " is odd: no instruction is there",
					 until->value);
		u.pc = until->value;
		u.has_pc = true;
		break;
	}
	return let_go(m, "run until", &u, e);
}

bool machine_takes_breakpoints(const struct machine *m, const uint64_t *pcs,
			       size_t n, struct error *e)
{
	size_t most = hold_room(m) + m->hold->n;

	if (n > most)
		return error_set(
			e, ERROR_NO_ROOM, AT(PART_BREAKPOINTS, "TOO_MANY"),
			"breakpoints: must be at most %zu, not %zu", most, n);
	for (size_t i = 0; i < n; i++)
		if (pcs[i] % 2)
			return error_set(e, ERROR_INVALID,
					 AT(PART_BREAKPOINTS, "BAD_VALUE"),
					 "breakpoints: 0x%" PRIx64
					 " is odd: no instruction is there",
					 pcs[i]);
	return true;
}

bool machine_set_breakpoints(struct machine *m, const uint64_t *pcs, size_t n,
			     struct error *e)
{
	if (!machine_takes_breakpoints(m, pcs, n, e))
		return false;
	if (n) /* no list at all is NULL */
		memcpy(m->hold->breakpoints, pcs, n * sizeof(*pcs));
	m->hold->n = n;
	sync_breakpoints(m);
	return true;
}

void hold_give(const struct hold *hold, struct state *to)
{
	state_put(to, "hold", hold, sizeof(*hold));
}

void hold_take(struct machine *m, struct state *from)
{
	state_get(from, "hold", m->hold, sizeof(*m->hold));
	sync_breakpoints(m);
}
