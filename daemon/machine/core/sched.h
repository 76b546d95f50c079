/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whose turn it is: round robin over the harts that run, a quantum of cycles
 * each, exact. Turns end at the quantum, when the hart stops or waits, or when
 * something is urgent for another one; pauses and the host's slices move
 * nothing. What wakes a hart and what is urgent is decided by the machine.
 */
#ifndef CORE_SCHED_H
#define CORE_SCHED_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/hart.h>

/* The longest turn while something urgent goes round. */
#define SCHED_URGENT UINT64_C(10000)

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
	uint64_t alarm;	     /* clock: something is urgent then */
	bool over;	     /* it is already, the turn ends */
	bool urgent;	     /* turns are short until it is @urged_by's */
	unsigned urged_by;
};

/* All harts STOPPED; the first turn will be hart 0's if it runs. */
void sched_init(struct sched *s, unsigned n, uint64_t quantum);
/* Must a turn end or begin at clock @now? Then ask sched_next(). */
bool sched_due(const struct sched *s, uint64_t now);
/* The clock at which the present turn ends; UINT64_MAX with one hart. */
uint64_t sched_turn_end(const struct sched *s);
/*
 * Something is urgent for another hart: the turn ends now, and those of the
 * others, up to the present one's next, are short. Nothing while nobody runs.
 */
void sched_urge(struct sched *s);
/* The same at clock @at, if the turn lasts so long; the last call counts. */
void sched_urge_at(struct sched *s, uint64_t at);
/*
 * Gives the turn to the next running hart, which may be the same again.
 * Returns it, or -1 when none runs.
 */
int sched_next(struct sched *s, uint64_t now);

#endif
