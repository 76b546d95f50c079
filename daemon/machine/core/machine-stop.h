/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Holding a machine still and letting it go on, as whoever is outside asks for
 * it: pause, resume, step, run until, breakpoints and watchpoints. None of it
 * is an input.
 */
#ifndef CORE_MACHINE_STOP_H
#define CORE_MACHINE_STOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct machine;

enum {
	MACHINE_MAX_BREAKPOINTS = 1024,
	MACHINE_MAX_WATCHPOINTS = 64,
};

/* Stops behind a load or store of one of these bytes, virtual addresses. */
struct machine_watchpoint {
	uint64_t address, bytes;
	bool loads, stores;
};

/* What CAUSE_WATCHPOINT stands behind. */
struct machine_access {
	unsigned hart;
	struct machine_watchpoint point;
	uint64_t address;
	unsigned size; /* 0: there was none */
	bool store;    /* else a load; an atomic one is a store */
};

/* False: not in this state. */
bool machine_pause(struct machine *m, struct error *e);
bool machine_resume(struct machine *m, struct error *e);
enum {
	STEP_NEXT_HART = -1
};
struct machine_step {
	uint64_t insns; /* 0: 1 */
	int hart;	/* or STEP_NEXT_HART: the one that runs next */
	bool trap_ends; /* before the first instruction of its handler */
};
/*
 * Goes on until a hart has retired so many more; the others have their turns
 * meanwhile as ever.
 */
bool machine_step(struct machine *m, const struct machine_step *step,
		  struct error *e);
struct machine_until {
	enum {
		UNTIL_INSN,
		UNTIL_CYCLE,
		UNTIL_PC
	} kind;
	uint64_t value;
};
bool machine_run_until(struct machine *m, const struct machine_until *until,
		       struct error *e);
/* May these @n be the breakpoints instead of those that there are? */
bool machine_takes_breakpoints(const struct machine *m, const uint64_t *pcs,
			       size_t n, struct error *e);
bool machine_set_breakpoints(struct machine *m, const uint64_t *pcs, size_t n,
			     struct error *e);
bool machine_set_watchpoints(struct machine *m,
			     const struct machine_watchpoint *points, size_t n,
			     struct error *e);

#endif
