/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A small S-mode kernel: two processes in U-mode on each hart, which share six
 * counters, and whose event-based branches it switches.
 */
#ifndef EBB_KERNEL_H
#define EBB_KERNEL_H

#include <stdbool.h>

#include "../common/guest.h"
#include "ebb-csrs.h"

enum {
	FIRST_COUNTER = 3,
	N_COUNTERS = 6,
	COUNTERS = 0x1f8,
	CYCLES_OF_USERS = 5,
};

/*
 * What they count, from FIRST_COUNTER on: instructions, twice, cycles,
 * branches, loads, stores; of users, but the second, which counts in the
 * kernel, too.
 */
extern const unsigned long counter_event[N_COUNTERS];
enum {
	COUNTS_KERNEL = 4
};

enum { /* calls, a7 */
	CALL_EXIT,
	CALL_OPEN,
	CALL_CLOSE,
	CALL_YIELD,
	CALL_WORK, /* so many turns of a loop in the kernel */
};

/* What a program has in its own memory. */
struct user {
	struct ebb ebb;
	unsigned long count[4]; /* as the program likes */
};

/* The unit's state, as it is saved. */
struct unit {
	unsigned long hr, rr, cs, ctl, ovf, frz, own;
	uint64_t value[N_COUNTERS];
};

enum {
	N_STACK = 512,
};

struct process {
	unsigned long x[33]; /* x0: pc; the last: the kernel's sp */
	struct unit unit;
	struct user user;
	unsigned long illegal; /* instructions, each passed over */
	bool done;
	unsigned long result;
	unsigned long stack[N_STACK];
};

typedef unsigned long program_fn(struct user *u);

static inline long user_call(long number, unsigned long arg)
{
	register unsigned long a0 __asm__("a0") = arg;
	register long a7 __asm__("a7") = number;

	__asm__ volatile("ecall" : "+r"(a0) : "r"(a7) : "memory");
	return (long)a0;
}

/* Where tp points. */
static inline struct user *user_self(void)
{
	struct user *u;

	__asm__("mv %0, tp" : "=r"(u));
	return u;
}

/* Claims the six of this hart. False: the firmware says no. */
bool kernel_init(void);
long kernel_claim(void); /* only that; the firmware's error */
void kernel_end(void);
void process_make(struct process *p, program_fn *fn);
/* The unit of the child after a fork: none of it. */
void process_fork_unit(struct process *child);
/* Until all have ended; they change every @slice instructions, 0: by yield. */
void kernel_run(struct process *p, unsigned n, unsigned long slice);
/* One for as long as it does not yield or end. */
void kernel_step(struct process *p);
void unit_save(struct unit *u);
void unit_restore(const struct unit *u);
/* Counters of the process that runs. 0, or -1 and nothing has changed. */
long unit_claim(unsigned long mask);
long unit_give_up(unsigned long mask);

extern unsigned long kernel_alerts; /* that came while in the kernel */

#endif
