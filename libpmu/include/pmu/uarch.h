/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models of caches, TLBs and branch predictors. They see each instruction with
 * its addresses, in order, and say what happened; they hold no data, cost no
 * time, and know no hart. What is counted exactly: docs/UARCH.md.
 */
#ifndef PMU_UARCH_H
#define PMU_UARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(default)

/* What can happen. */
enum pmu_uarch_event {
	PMU_UA_CACHE_REFERENCES, /* the last level's hits (C193) */
	PMU_UA_CACHE_MISSES,
	PMU_UA_BRANCH_MISSES,
	PMU_UA_L1D_LOADS,
	PMU_UA_L1D_LOAD_MISSES,
	PMU_UA_L1D_STORES,
	PMU_UA_L1D_STORE_MISSES,
	PMU_UA_L1I_LOADS,
	PMU_UA_L1I_LOAD_MISSES,
	PMU_UA_LL_LOADS,
	PMU_UA_LL_LOAD_MISSES,
	PMU_UA_LL_STORES,
	PMU_UA_LL_STORE_MISSES,
	PMU_UA_DTLB_LOADS,
	PMU_UA_DTLB_LOAD_MISSES,
	PMU_UA_DTLB_STORES,
	PMU_UA_DTLB_STORE_MISSES,
	PMU_UA_ITLB_LOADS,
	PMU_UA_ITLB_LOAD_MISSES,
	PMU_UA_BRANCH_LOADS,
	PMU_UA_BRANCH_LOAD_MISSES,
	PMU_N_UARCH_EVENTS
};

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

struct pmu_uarch_config {
	struct pmu_cache_config l1i, l1d, ll;
	struct pmu_tlb_config itlb, dtlb, stlb; /* stlb: behind both */
	struct pmu_predictor_config predictor;
};

/* The named cores: "none" is the first. NULL behind the last one. */
const char *pmu_uarch_preset(size_t i, struct pmu_uarch_config *ret);
/* What is wrong with @cfg, for people: NULL for nothing. */
const char *pmu_uarch_fault(const struct pmu_uarch_config *cfg);
/* What there is to count: bit e for enum pmu_uarch_event e. */
uint32_t pmu_uarch_events(const struct pmu_uarch_config *cfg);

/* An instance, cold. NULL: no memory. @cfg has no fault. */
struct pmu_uarch *pmu_uarch_new(const struct pmu_uarch_config *cfg);
void pmu_uarch_free(struct pmu_uarch *u);		    /* NULL is fine */
size_t pmu_uarch_bytes(const struct pmu_uarch_config *cfg); /* that one takes */
/* Cold again: nothing is held, nothing predicted. */
void pmu_uarch_reset(struct pmu_uarch *u);
/* Forgets the translations of all address spaces. */
void pmu_uarch_fence(struct pmu_uarch *u);
/* What it remembers, plain data; the same size for the same configuration. */
void *pmu_uarch_state(struct pmu_uarch *u, size_t *ret_size);

/* Whose addresses: TLBs tell spaces apart by @tag. */
struct pmu_space {
	uint64_t tag;
	bool translated;
};

/* Bytes at an address; @paddr[1]: those on the next page, if there are any. */
struct pmu_span {
	uint64_t vaddr, paddr[2];
	uint8_t size; /* 0: none */
};

enum pmu_flow {
	PMU_FLOW_NEXT,
	PMU_FLOW_BRANCH,   /* conditional */
	PMU_FLOW_JUMP,	   /* to where the instruction says */
	PMU_FLOW_INDIRECT, /* to where a register says */
};

struct pmu_uarch_insn {
	struct pmu_span code, data;
	bool load, store; /* of @data: an atomic one is both */
	bool device;	  /* @data is no memory: no cache holds it */
	/* Behind it execution went on at @next. FLOW_NEXT: not looked at. */
	uint8_t flow;	 /* enum pmu_flow */
	uint8_t rd, rs1; /* of jumps: calls and returns are told by them */
	bool backward;	 /* of branches: to a lower address, if taken */
	uint64_t next;
};

#define PMU_UARCH_MOST 48
/* What happened, in this order. */
struct pmu_uarch_found {
	unsigned n;
	uint8_t event[PMU_UARCH_MOST]; /* enum pmu_uarch_event */
};

/* @insn is fetched, does what it does with @data, and goes where it goes. */
void pmu_uarch_see(struct pmu_uarch *u, const struct pmu_uarch_insn *insn,
		   const struct pmu_space *code, const struct pmu_space *data,
		   struct pmu_uarch_found *ret);

#pragma GCC visibility pop

#endif
