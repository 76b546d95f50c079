/* SPDX-License-Identifier: BSD-2-Clause */
/* The states of a machine, why it stands, and with what it ended. */
#ifndef CORE_LIFE_H
#define CORE_LIFE_H

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
};

/* Exit codes: the guest's own from finisher and HTIF, 0 shutdown, and these. */
enum {
	EXIT_SYSTEM_FAILURE = 1,
	EXIT_LIMIT = 124,
	EXIT_DEADLOCK = 125, /* or a reboot, which machines do not do */
	EXIT_CRASH = 126,
};

#endif
