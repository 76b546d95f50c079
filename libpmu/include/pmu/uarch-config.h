/* SPDX-License-Identifier: BSD-2-Clause */
/* Which parts a core's models have (uarch.h), as plain data. */
#ifndef PMU_UARCH_CONFIG_H
#define PMU_UARCH_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

enum pmu_replacement {
	PMU_REPLACE_LRU,
	PMU_REPLACE_PLRU,   /* a tree of bits */
	PMU_REPLACE_RANDOM, /* the same numbers each time */
};

enum pmu_write_policy {
	PMU_WRITE_BACK,	   /* a store that misses fills its line */
	PMU_WRITE_THROUGH, /* it fills nothing; each goes on to the next level
			    */
};

/* Powers of two; @size is ways * line * sets. */
struct pmu_cache_config {
	uint32_t size, line; /* bytes; size 0: there is none */
	uint8_t ways;
	uint8_t replacement, write; /* enum above */
};

struct pmu_tlb_config {
	uint32_t entries; /* pages of 4 KiB; 0: there is none */
	uint8_t ways;
	uint8_t replacement;
};

enum pmu_predictor_kind {
	PMU_PREDICT_NONE,
	PMU_PREDICT_STATIC,  /* backwards taken, forwards not */
	PMU_PREDICT_BIMODAL, /* counters of 2 bits, by address */
	PMU_PREDICT_GSHARE,  /* the same, by address and history */
};

struct pmu_predictor_config {
	uint8_t kind;	  /* enum pmu_predictor_kind */
	uint8_t history;  /* GSHARE: outcomes, 1-16 */
	uint8_t returns;  /* addresses of callers kept, 0-64 */
	uint32_t entries; /* BIMODAL, GSHARE: counters */
	uint32_t targets; /* of indirect jumps, 0: none is kept */
};

enum pmu_prefetch {
	PMU_PREFETCH_NONE,
	PMU_PREFETCH_NEXT, /* behind a miss of the L1D, the line that follows */
};

/* How many cycles a core waits that issues in order, 0-10000. */
struct pmu_stall_config {
	uint16_t last_level; /* for a line that the last level has */
	uint16_t memory;     /* for one that memory has */
	uint16_t stlb;	     /* for a translation that the second level has */
	uint16_t walk;	     /* for one that page tables are walked for */
	uint16_t branch;     /* for what was not predicted */
};

struct pmu_uarch_config {
	struct pmu_cache_config l1i, l1d, ll;
	struct pmu_tlb_config itlb, dtlb, stlb; /* stlb: behind both */
	struct pmu_predictor_config predictor;
	uint8_t prefetch; /* enum pmu_prefetch, of an L1D */
	struct pmu_stall_config stalls;
	bool inorder; /* a hart waits for so long: the stalls are events */
};

#endif
