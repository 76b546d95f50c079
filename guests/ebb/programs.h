/* SPDX-License-Identifier: BSD-2-Clause */
/* Programs that are alone with the unit, and what others are made of. */
#ifndef PROGRAMS_H
#define PROGRAMS_H

#include "../common/tap.h"
#include "ebb-kernel.h"

extern const struct scenario {
	const char *name, *rules;
	program_fn *fn;	       /* not 0: it went as it should, and */
	unsigned long illegal; /* so many instructions were */
} ebb_scenarios[];
extern const unsigned ebb_n_scenarios;

extern const char *ebb_where; /* before the name of each result */
extern unsigned ebb_results, ebb_failed;
void ebb_result(bool ok, const char *rules, const char *name);

/* Exactly 2 * @turns instructions, the same from everywhere. */
void spin(unsigned long turns);

/* Those of exact.c. */
program_fn cycles, cycles_with_freeze, cycles_with_mmcr2, instruction_count,
	multi_counter;
/* The user's own freeze of @frozen lasts, over branches and switches. */
unsigned long freeze_some(struct user *u, unsigned long frozen);

/* Handlers. One that goes on with the period of the program's count[1]. */
void again(unsigned long overflown);
void stop(unsigned long overflown); /* One that lets all counters stand */

/* Every period is told of, @n times, however often the kernel comes between. */
unsigned long lose_none(struct user *u, unsigned long n);
/* A neighbour without branches. */
unsigned long idle(struct user *u);

#endif
