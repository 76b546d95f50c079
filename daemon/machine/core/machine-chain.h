/* SPDX-License-Identifier: BSD-2-Clause */
/* The callers of a sampled instruction, without tables. */
#ifndef CORE_MACHINE_CHAIN_H
#define CORE_MACHINE_CHAIN_H

#include "machine-hart.h"
#include "sampler.h"

struct record_at;

/*
 * Puts the callers of @to->last_pc, which @h ran in the mode of @at and goes on
 * from at its pc, into @callers (SAMPLE_MAX_CALLERS), and these and why there
 * are no more into @to. Only reads.
 */
void chain_find(struct machine *m, const struct hart *h,
		const struct record_at *at, struct record_sample *to,
		uint64_t *callers);

#endif
