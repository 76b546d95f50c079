/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An interactive session by dice: slices of any length, pauses, steps, looks,
 * inputs and injections of every kind and moves to another machine in between.
 * The same seed gives the same session, but what is compared is its trace with
 * that of its replay, which has one slice length and knows only the stamped
 * inputs.
 */
#ifndef TESTS_RANDOM_SESSION_H
#define TESTS_RANDOM_SESSION_H

#include <stdint.h>

#include "core/pacer.h"
#include "machine-fixture.h"

/* Idle time that passes in strides of any length. Zeroed but for the dice. */
struct random_pacer {
	struct pacer pacer;
	uint64_t dice;	 /* seed, not 0 */
	uint64_t stride; /* the longest, in cycles */
	uint64_t at;
	unsigned begun; /* stretches */
};

void random_pacer_init(struct random_pacer *p, uint64_t dice, uint64_t stride);

struct random_session {
	uint64_t dice;	  /* seed, not 0 */
	unsigned inputs;  /* how many at most */
	uint64_t slice;	  /* the longest, in instructions */
	bool sbi;	  /* SBI calls too */
	bool registers;	  /* register, CSR and memory writes too */
	uint64_t scratch; /* RAM that may be written */
	unsigned moves;	  /* how often at most it goes on in another machine */
};

/* Runs @f, which has started, to its end. */
void random_session_run(struct fixture *f, struct random_session *p);

#endif
