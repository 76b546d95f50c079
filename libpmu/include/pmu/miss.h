/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Why a cache or a TLB of a core's models missed: Hill's three classes, told
 * for one miss by what two other tables would have had that see the same
 * accesses, one that never replaces anything and one of the same size that is
 * fully associative. The definitions, and what is convention in them:
 * docs/UARCH.md. A predictor has no lines, so its misses have no such reason.
 */
#ifndef PMU_MISS_H
#define PMU_MISS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pmu/uarch.h>

#pragma GCC visibility push(default)

enum pmu_part {
	PMU_PART_L1I,
	PMU_PART_L1D,
	PMU_PART_LL,
	PMU_PART_ITLB,
	PMU_PART_DTLB,
	PMU_PART_STLB,
	PMU_N_PARTS
};

enum pmu_miss_access {
	PMU_MISS_FETCH,
	PMU_MISS_LOAD,
	PMU_MISS_STORE,
	PMU_MISS_PREFETCH,
};

enum pmu_miss_reason {
	PMU_MISS_COLD,	   /* never held */
	PMU_MISS_CAPACITY, /* the fully associative one has lost it, too */
	PMU_MISS_CONFLICT, /* that one still has it */
	PMU_MISS_FENCE,	   /* held, before the last fence of translations */
	PMU_MISS_UNKNOWN,  /* longer ago than is remembered */
	PMU_N_MISS_REASONS
};

/* What was in the place that the line was put into. */
enum pmu_miss_victim {
	PMU_VICTIM_NOT_PUT, /* a store that goes through: it has no place */
	PMU_VICTIM_EMPTY,   /* nothing */
	PMU_VICTIM_CLEAN,   /* a line; of a TLB: a page */
	PMU_VICTIM_DIRTY,   /* one that a store has reached, to be written */
	PMU_VICTIM_UNKNOWN, /* one of which that is forgotten */
};

struct pmu_miss {
	uint8_t event;	/* enum pmu_uarch_event */
	uint8_t part;	/* enum pmu_part: whose the event's misses are */
	uint8_t access; /* enum pmu_miss_access */
	uint8_t reason, victim;
	bool victim_elsewhere; /* of another address space */
	uint32_t set;
	uint64_t vaddr, paddr; /* its first byte in the line that missed */
	/* where that begins, and the victim: physical, of a TLB virtual */
	uint64_t line, victim_line;
};

enum {
	PMU_MISSES_MOST = 24,	/* of an instruction */
	PMU_N_MISS_EVENTS = 11, /* pmu_uarch_is_miss() */
};

/* Does this one count misses that have a reason? */
bool pmu_uarch_is_miss(enum pmu_uarch_event event);

/*
 * What an instance of @cfg has to remember for it: of each table as many lines
 * as it has and @others more, those asked for last. NULL: no memory.
 */
struct pmu_misses *pmu_misses_new(const struct pmu_uarch_config *cfg,
				  uint32_t others);
void pmu_misses_free(struct pmu_misses *m); /* NULL is fine */
/* How much memory that takes. */
size_t pmu_misses_bytes(const struct pmu_uarch_config *cfg, uint32_t others);
/* Nothing was ever seen: to go with pmu_uarch_reset(). */
void pmu_misses_reset(struct pmu_misses *m);
/*
 * @m (NULL: nobody) learns from here on what @u sees, which was as cold as @m
 * when that began. It changes nothing of what @u finds.
 */
void pmu_uarch_explain(struct pmu_uarch *u, struct pmu_misses *m);
/*
 * The misses of the instruction that was seen last, in their order: one for
 * each that is counted. To be asked for after each instruction.
 */
unsigned pmu_misses_take(struct pmu_misses *m,
			 struct pmu_miss ret[PMU_MISSES_MOST]);

/*
 * What it remembers, plain data in pieces: piece @i, NULL behind the last one.
 * The first says how long the others are. Whoever has written all of them calls
 * pmu_misses_given().
 */
void *pmu_misses_piece(struct pmu_misses *m, unsigned i, size_t *ret_size);
void pmu_misses_given(struct pmu_misses *m);

#pragma GCC visibility pop

#endif
