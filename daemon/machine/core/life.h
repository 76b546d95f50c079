/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The states of a machine, why it stands, with what it ended, and a text about
 * that for people. Which state follows which is a table in life.c.
 */
#ifndef CORE_LIFE_H
#define CORE_LIFE_H

#include <stdbool.h>

#include "machine-error.h"
#include "state-bytes.h"

enum machine_state {
	MACHINE_NEW = 1,
	MACHINE_RUNNING,
	MACHINE_PAUSED,
	MACHINE_WAITING,
	MACHINE_ENDED,
	MACHINE_CRASHED,
};

enum machine_cause {
	CAUSE_NONE,
	CAUSE_SHUTDOWN,
	CAUSE_FINISHER_PASS,
	CAUSE_FINISHER_FAIL,
	CAUSE_HTIF,
	CAUSE_SYSTEM_FAILURE,
	CAUSE_REBOOT,
	CAUSE_MAX_INSNS,
	CAUSE_MAX_CYCLES,
	CAUSE_DEADLOCK,
	CAUSE_PAUSE,
	CAUSE_BREAKPOINT,
	CAUSE_STEP,
	CAUSE_UNTIL,
	CAUSE_CRASH,
	CAUSE_TRAP_LOOP,
	CAUSE_WATCHPOINT,
};

/* Exit codes: the guest's own from finisher and HTIF, 0 shutdown, and these. */
enum {
	EXIT_SYSTEM_FAILURE = 1,
	EXIT_REBOOT = 122,
	EXIT_LIMIT = 124,
	EXIT_DEADLOCK = 125, /* or a trap loop */
	EXIT_CRASH = 126,
};

/* How a guest reboots: CAUSE_REBOOT's code for life_end_soon(). */
enum reboot_kind {
	REBOOT_COLD = 1, /* SBI system reset, its types */
	REBOOT_WARM,
	REBOOT_DEVICE, /* the test finisher */
};

struct life;

/* In the state NEW. @reboots: CAUSE_REBOOT is no end. NULL without memory. */
struct life *life_new(bool reboots);
void life_free(struct life *l); /* NULL is fine */

enum machine_state life_state(const struct life *l);
enum machine_cause life_cause(const struct life *l);
int life_exit_code(const struct life *l);
const char *life_detail(const struct life *l);

/* From NEW to RUNNING. */
void life_start(struct life *l);
/*
 * Stands for @cause: holds still, ends or crashes, whichever that cause is
 * about. Only where life_may_stop() allows it.
 */
void life_stop(struct life *l, enum machine_cause cause);
bool life_may_stop(const struct life *l, enum machine_cause cause);
/* From PAUSED to RUNNING; false in any other state. */
bool life_go_on(struct life *l);
/* Nothing can happen but from outside: from RUNNING to WAITING. */
void life_wait(struct life *l);
/* Something has come from outside: from WAITING to RUNNING, or nothing. */
void life_wake(struct life *l);
/* ERROR_NOT_NOW: @what is not for the present state. */
bool life_refuse(const struct life *l, const char *what, struct error *e);

/*
 * The guest, or what is wrong with it, ends the machine at the next stop point.
 * @code: where the cause leaves it to the guest. False: something else came
 * first and counts.
 */
bool life_end_soon(struct life *l, enum machine_cause cause, int code);
/* Ends it if life_end_soon() wants that: for *@ret. False: it does not. */
bool life_end_now(struct life *l, enum machine_cause *ret);
/* Does it reboot instead? True once for each reboot; *@ret: how. */
bool life_reboot_now(struct life *l, enum reboot_kind *ret);

/* It does not stand any more where it stopped: its harts have moved. */
void life_move(struct life *l);

/* Sets the text, for good. */
void life_tell(struct life *l, const char *text);
/* Sets it until the machine goes on, or wakes. */
void life_tell_for_now(struct life *l, const char *text);

/* All of it (state-bytes.h). */
void life_give(const struct life *l, struct state *to);
void life_take(struct life *l, struct state *from);

#endif
