/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sums of samples: instead of a record of each, one for all of an instruction,
 * hart, mode and address space. They wait here, and there is room for so many
 * instructions only: whoever adds looks first whether it is full.
 */
#ifndef CORE_SAMPLE_SUMS_H
#define CORE_SAMPLE_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct state;

enum {
	SUMS_MAX = 1 << 16 /* that wait */
};

struct sample_sum {
	uint64_t pc, satp; /* of the instruction, as records have it */
	uint64_t periods;
	uint16_t sampler, hart;
	uint32_t mode; /* enum pmu_mode */
};

struct sample_sums;

struct sample_sums *sums_new(void); /* NULL without memory */
void sums_free(struct sample_sums *all);

bool sums_are_full(const struct sample_sums *all);
/* Adds the periods of @s to those of its instruction. */
void sums_add(struct sample_sums *all, const struct sample_sum *s);
/*
 * Sorts them by sampler, hart, mode, space and pc. Returns how many; they stay
 * where they are until sums_clear().
 */
size_t sums_sorted(struct sample_sums *all, const struct sample_sum **ret);
void sums_clear(struct sample_sums *all);

/* All of it (state-bytes.h). */
void sums_give(const struct sample_sums *all, struct state *to);
void sums_take(struct sample_sums *all, struct state *from);

#endif
