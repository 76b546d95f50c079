/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The table of a machine's states: what can happen in each and where it leads.
 * Each cause of a stop is one of three events, and says the exit code unless it
 * is the guest's.
 */
#include "life.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum life_event {
	NOTHING, /* of a cause that is none: no state has an edge for it */
	START,
	HOLD,
	GO_ON,
	WAIT,
	WAKE,
	END,
	CRASH,
	N_EVENTS
};

enum {
	N_STATES = MACHINE_CRASHED + 1,
	GUESTS = -1, /* in place of an exit code */
};

struct life {
	enum machine_state state;
	enum machine_cause cause;
	int exit_code;
	enum machine_cause pending; /* CAUSE_NONE: none */
	int pending_code;
	bool reboots;
	bool for_now; /* the text goes when the machine goes on */
	char detail[256];
};

/* No state, which is 0: refused. */
static const enum machine_state edges[N_STATES][N_EVENTS] = {
	[MACHINE_NEW] = { [START] = MACHINE_RUNNING },
	[MACHINE_RUNNING] = { [HOLD] = MACHINE_PAUSED,
			      [WAIT] = MACHINE_WAITING,
			      [WAKE] = MACHINE_RUNNING,
			      [END] = MACHINE_ENDED,
			      [CRASH] = MACHINE_CRASHED },
	[MACHINE_PAUSED] = { [GO_ON] = MACHINE_RUNNING,
			     [WAKE] = MACHINE_PAUSED },
	[MACHINE_WAITING] = { [HOLD] = MACHINE_PAUSED,
			      [WAKE] = MACHINE_RUNNING },
	/* Where it has ended, or not begun, nothing wakes it. */
};

static const struct {
	enum life_event event;
	int exit_code; /* of END and CRASH, or GUESTS */
} causes[] = {
	[CAUSE_SHUTDOWN] = { END, 0 },
	[CAUSE_FINISHER_PASS] = { END, GUESTS },
	[CAUSE_FINISHER_FAIL] = { END, GUESTS },
	[CAUSE_HTIF] = { END, GUESTS },
	[CAUSE_SYSTEM_FAILURE] = { END, EXIT_SYSTEM_FAILURE },
	[CAUSE_REBOOT] = { END, EXIT_REBOOT },
	[CAUSE_MAX_INSNS] = { END, EXIT_LIMIT },
	[CAUSE_MAX_CYCLES] = { END, EXIT_LIMIT },
	[CAUSE_DEADLOCK] = { END, EXIT_DEADLOCK },
	[CAUSE_PAUSE] = { HOLD, 0 },
	[CAUSE_BREAKPOINT] = { HOLD, 0 },
	[CAUSE_STEP] = { HOLD, 0 },
	[CAUSE_UNTIL] = { HOLD, 0 },
	[CAUSE_CRASH] = { CRASH, EXIT_CRASH },
	[CAUSE_TRAP_LOOP] = { END, EXIT_DEADLOCK },
	[CAUSE_WATCHPOINT] = { HOLD, 0 },
};

struct life *life_new(bool reboots)
{
	struct life *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	l->state = MACHINE_NEW;
	l->reboots = reboots;
	return l;
}

void life_free(struct life *l)
{
	free(l);
}

enum machine_state life_state(const struct life *l)
{
	return l->state;
}

enum machine_cause life_cause(const struct life *l)
{
	return l->cause;
}

int life_exit_code(const struct life *l)
{
	return l->exit_code;
}

const char *life_detail(const struct life *l)
{
	return l->detail;
}

static bool can(const struct life *l, enum life_event event)
{
	return edges[l->state][event];
}

static void happen(struct life *l, enum life_event event)
{
	assert(can(l, event));
	l->state = edges[l->state][event];
}

void life_start(struct life *l)
{
	happen(l, START);
}

bool life_may_stop(const struct life *l, enum machine_cause cause)
{
	return can(l, causes[cause].event);
}

void life_stop(struct life *l, enum machine_cause cause)
{
	happen(l, causes[cause].event);
	l->cause = cause;
	if (causes[cause].event != HOLD && causes[cause].exit_code != GUESTS)
		l->exit_code = causes[cause].exit_code;
}

/* What was told for now is over. */
static void move_on(struct life *l)
{
	if (l->for_now)
		l->detail[0] = '\0';
	l->for_now = false;
}

bool life_go_on(struct life *l)
{
	if (!can(l, GO_ON))
		return false;
	happen(l, GO_ON);
	l->cause = CAUSE_NONE;
	move_on(l);
	return true;
}

void life_wait(struct life *l)
{
	happen(l, WAIT);
}

void life_wake(struct life *l)
{
	if (l->state == MACHINE_WAITING)
		move_on(l);
	if (can(l, WAKE))
		happen(l, WAKE);
}

bool life_refuse(const struct life *l, const char *what, struct error *e)
{
	static const char *const names[] = {
		[MACHINE_NEW] = "has not started",
		[MACHINE_RUNNING] = "is running",
		[MACHINE_PAUSED] = "is paused",
		[MACHINE_WAITING] = "is waiting",
		[MACHINE_ENDED] = "has ended",
		[MACHINE_CRASHED] = "has crashed",
	};

	return error_set(e, ERROR_NOT_NOW, AT(PART_NONE, "WRONG_STATE"),
			 "%s: the machine %s", what, names[l->state]);
}

bool life_end_soon(struct life *l, enum machine_cause cause, int code)
{
	assert(causes[cause].event == END);
	if (l->pending != CAUSE_NONE)
		return false;
	l->pending = cause;
	l->pending_code = code;
	return true;
}

bool life_end_now(struct life *l, enum machine_cause *ret)
{
	if (l->pending == CAUSE_NONE)
		return false;
	l->exit_code = l->pending_code;
	life_stop(l, l->pending);
	*ret = l->pending;
	return true;
}

bool life_reboot_now(struct life *l, enum reboot_kind *ret)
{
	if (l->pending != CAUSE_REBOOT || !l->reboots)
		return false;
	l->pending = CAUSE_NONE;
	*ret = (enum reboot_kind)l->pending_code;
	return true;
}

void life_move(struct life *l)
{
	if (l->cause == CAUSE_BREAKPOINT || l->cause == CAUSE_UNTIL)
		l->cause = CAUSE_PAUSE;
}

void life_tell(struct life *l, const char *text)
{
	snprintf(l->detail, sizeof(l->detail), "%s", text);
	l->for_now = false;
}

void life_tell_for_now(struct life *l, const char *text)
{
	life_tell(l, text);
	l->for_now = true;
}

void life_give(const struct life *l, struct state *to)
{
	state_put(to, "life", l, sizeof(*l));
}

void life_take(struct life *l, struct state *from)
{
	state_get(from, "life", l, sizeof(*l));
}
