/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Everything that comes from outside and changes a machine, in one queue: each
 * stamped with the cycle at which it acts. The stamps of a recorded run feed
 * the same queue again, which is what replay is. Inputs are kept in the form
 * that trace records have.
 */
#ifndef CORE_INPUT_H
#define CORE_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "pmu/v1/machines.pb-c.h"

enum {
	INPUT_MAX_QUEUED = 1 << 20,
	INPUT_MAX_BYTES = 64 << 20, /* of all queued console and memory bytes */
	INPUT_MAX_CONSOLE = 64 << 10, /* bytes of one input */
	INPUT_MAX_MEMORY = 128 << 10, /* less than a trace record may have */
};

/* Inputs to come, in the order they act. Zero-initialised is empty. */
struct inputs {
	Pmu__V1__Input **queue;
	size_t first, end, cap; /* queue[first..end) */
	size_t bytes;
};

void inputs_free(struct inputs *q);
/*
 * Queues a copy of @in. False: no kind, a value out of range for @n_harts
 * harts, a stamp before the last one queued, or a limit reached.
 */
bool inputs_add(struct inputs *q, const Pmu__V1__Input *in, unsigned n_harts,
		struct error *e);
/* Checks all but the order, for an input that acts at once. */
bool input_check(const Pmu__V1__Input *in, unsigned n_harts, struct error *e);
/* The cycle at which the next one acts; UINT64_MAX: none is queued. */
uint64_t inputs_next(const struct inputs *q);
/*
 * Takes the next one if its time has come at @now and the @moment of it, else
 * NULL. It is to be freed with input_free().
 */
Pmu__V1__Input *inputs_take(struct inputs *q, uint64_t now, uint32_t moment);
size_t inputs_count(const struct inputs *q);
void input_free(Pmu__V1__Input *in);

#endif
