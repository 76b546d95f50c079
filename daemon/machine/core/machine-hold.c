/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Holding a machine still and letting it go on: pause, step, run until,
 * breakpoints. None of it is an input; nothing here moves what the guest sees.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "machine-inside.h"

enum {
	STEP_MORE_TRAPS = 1000
};

static const struct until no_until = {
	.insn = UINT64_MAX,
	.cycle = UINT64_MAX,
	.step_hart = STEP_NONE,
};

void machine_sync_breakpoints(struct machine *m)
{
	uint64_t all[MACHINE_MAX_BREAKPOINTS];
	size_t n = m->n_breakpoints;

	memcpy(all, m->breakpoints, n * sizeof(*all));
	if (m->until.has_pc && n < MACHINE_MAX_BREAKPOINTS)
		all[n++] = m->until.pc;
	engine_set_breakpoints(m->engine, all, n);
}

static void set_until(struct machine *m, const struct until *until)
{
	bool sync = m->until.has_pc || until->has_pc;

	m->until = *until;
	m->plan.stale = true;
	if (sync)
		machine_sync_breakpoints(m);
}

void machine_hold(struct machine *m, enum machine_cause cause)
{
	m->state = MACHINE_PAUSED;
	m->cause = cause;
	set_until(m, &no_until);
}

static bool refuse(const struct machine *m, const char *what, struct error *e)
{
	static const char *const names[] = {
		[MACHINE_NEW] = "has not started",
		[MACHINE_RUNNING] = "is running",
		[MACHINE_PAUSED] = "is paused",
		[MACHINE_WAITING] = "is waiting",
		[MACHINE_ENDED] = "has ended",
		[MACHINE_CRASHED] = "has crashed",
	};

	return error_set(e, STATUS_FAILED_PRECONDITION, AT(NULL, "WRONG_STATE"),
			 "%s: the machine %s", what, names[m->state]);
}

bool machine_pause(struct machine *m, struct error *e)
{
	if (m->state != MACHINE_RUNNING && m->state != MACHINE_WAITING)
		return refuse(m, "pause", e);
	machine_hold(m, CAUSE_PAUSE);
	return true;
}

/* A hart that only traps retires nothing: so many entries end a step, too. */
static uint64_t traps_of_step(uint64_t insns)
{
	return insns < UINT64_MAX / 8 ? 4 * insns + STEP_MORE_TRAPS
				      : UINT64_MAX / 2;
}

uint64_t machine_hart_traps(const struct hart *h)
{
	uint64_t n = 0;

	for (int mode = 0; mode < PMU_N_MODES; mode++)
		n += pmu_hart_total(h->pmu, PMU_EV_EXCEPTIONS,
				    (enum pmu_mode)mode) +
		     pmu_hart_total(h->pmu, PMU_EV_INTERRUPTS,
				    (enum pmu_mode)mode);
	return n;
}

void machine_begin_step(struct machine *m, const struct hart *h)
{
	m->until.step_hart = (int)machine_index(m, h);
	m->until.step_insns += pmu_hart_insns(h->pmu);
	m->until.step_traps += machine_hart_traps(h);
}

bool machine_step_is_over(struct machine *m)
{
	const struct until *u = &m->until;
	const struct hart *h;
	uint64_t insns;

	if (u->step_hart < 0)
		return false;
	h = &m->harts[u->step_hart];
	insns = pmu_hart_insns(h->pmu);
	if (insns >= u->step_insns)
		return true;
	if (machine_hart_traps(h) < u->step_traps)
		return false;
	snprintf(m->detail, sizeof(m->detail),
		 "executed %" PRIu64 " of %" PRIu64 " instructions: hart %d "
		 "takes trap after trap",
		 u->step_wanted - (u->step_insns - insns), u->step_wanted,
		 u->step_hart);
	m->step_failed = true;
	return true;
}

uint64_t machine_step_cycles(struct machine *m)
{
	const struct until *u = &m->until;
	uint64_t traps =
		u->step_traps - machine_hart_traps(&m->harts[u->step_hart]);
	uint64_t cycles;

	if (__builtin_mul_overflow(traps, m->cfg.settings.trap_cycles, &cycles))
		return UINT64_MAX;
	return cycles;
}

static bool let_go(struct machine *m, const char *what,
		   const struct until *until, struct error *e)
{
	if (m->state != MACHINE_PAUSED)
		return refuse(m, what, e);
	m->state = MACHINE_RUNNING;
	m->skip_break = m->cause == CAUSE_BREAKPOINT || m->cause == CAUSE_UNTIL;
	m->cause = CAUSE_NONE;
	if (m->step_failed)
		m->detail[0] = '\0';
	m->step_failed = false;
	set_until(m, until);
	return true;
}

bool machine_resume(struct machine *m, struct error *e)
{
	return let_go(m, "resume", &no_until, e);
}

bool machine_step(struct machine *m, uint64_t insns, struct error *e)
{
	struct until u = no_until;

	if (insns == 0)
		insns = 1;
	if (insns > UINT64_MAX / 2)
		return error_set(e, STATUS_INVALID_ARGUMENT,
				 AT("insns", "TOO_MANY"),
				 "step: at most %llu instructions",
				 (unsigned long long)(UINT64_MAX / 2));
	u.step_hart = STEP_NEXT_TURN;
	u.step_insns = u.step_wanted = insns;
	u.step_traps = traps_of_step(insns);
	if (!let_go(m, "step", &u, e))
		return false;
	if (!machine_turn_is_over(m))
		machine_begin_step(m, machine_current(m));
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
		u.pc = until->value;
		u.has_pc = true;
		break;
	}
	return let_go(m, "run until", &u, e);
}

bool machine_set_breakpoints(struct machine *m, const uint64_t *pcs, size_t n,
			     struct error *e)
{
	/* One is kept free for run-until. */
	if (n > MACHINE_MAX_BREAKPOINTS - 1)
		return error_set(e, STATUS_RESOURCE_EXHAUSTED,
				 AT("pcs", "TOO_MANY"),
				 "breakpoints: %zu, at most %d are accepted", n,
				 MACHINE_MAX_BREAKPOINTS - 1);
	if (n) /* no list at all is NULL */
		memcpy(m->breakpoints, pcs, n * sizeof(*pcs));
	m->n_breakpoints = n;
	machine_sync_breakpoints(m);
	return true;
}
