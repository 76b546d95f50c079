/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whose turn it is: round robin over the harts that run, a quantum of cycles
 * each, exact. Turns end at the quantum or when the hart stops or waits;
 * pauses and the host's slices move nothing. What wakes a hart is decided by
 * the machine.
 */
#ifndef CORE_SCHED_H
#define CORE_SCHED_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/hart.h>

enum hart_status {
	HART_STOPPED,
	HART_RUNNING, /* or would, if it were its turn */
	HART_WAITING, /* WFI or suspended */
};

struct sched {
	unsigned n;
	uint64_t quantum; /* cycles */
	enum hart_status status[PMU_MAX_HARTS];
	int cur;	     /* whose turn it is, -1: nobody's */
	unsigned last;	     /* who had the turn before, for the order */
	uint64_t turn_start; /* clock */
};

/* All harts STOPPED; the first turn will be hart 0's if it runs. */
void sched_init(struct sched *s, unsigned n, uint64_t quantum);
/* Must a turn end or begin at clock @now? Then ask sched_next(). */
bool sched_due(const struct sched *s, uint64_t now);
/* The clock at which the present turn ends; UINT64_MAX with one hart. */
uint64_t sched_turn_end(const struct sched *s);
/*
 * Gives the turn to the next running hart, which may be the same again.
 * Returns it, or -1 when none runs.
 */
int sched_next(struct sched *s, uint64_t now);

#endif
