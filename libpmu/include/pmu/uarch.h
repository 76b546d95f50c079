/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models of caches, TLBs and branch predictors. They see each instruction with
 * its addresses, in order, and say what happened and for how long a core that
 * issues in order would have waited; they hold no data and know no hart. What
 * is counted exactly: docs/UARCH.md.
 */
#ifndef PMU_UARCH_H
#define PMU_UARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pmu/uarch-config.h>

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
	PMU_UA_L1D_PREFETCHES,
	PMU_UA_L1D_PREFETCH_MISSES,
	PMU_UA_L1I_LOADS,
	PMU_UA_L1I_LOAD_MISSES,
	PMU_UA_LL_LOADS,
	PMU_UA_LL_LOAD_MISSES,
	PMU_UA_LL_STORES,
	PMU_UA_LL_STORE_MISSES,
	PMU_UA_LL_PREFETCHES,
	PMU_UA_LL_PREFETCH_MISSES,
	PMU_UA_DTLB_LOADS,
	PMU_UA_DTLB_LOAD_MISSES,
	PMU_UA_DTLB_STORES,
	PMU_UA_DTLB_STORE_MISSES,
	PMU_UA_ITLB_LOADS,
	PMU_UA_ITLB_LOAD_MISSES,
	PMU_UA_BRANCH_LOADS,
	PMU_UA_BRANCH_LOAD_MISSES,
	PMU_UA_NODE_LOADS, /* what memory is asked for */
	PMU_UA_NODE_STORES,
	PMU_UA_NODE_PREFETCHES,
	PMU_N_UARCH_EVENTS
};

/* The named cores: "none" is the first. NULL behind the last one. */
const char *pmu_uarch_preset(size_t i, struct pmu_uarch_config *ret);
/* What is wrong with @cfg, for people: NULL for nothing. */
const char *pmu_uarch_fault(const struct pmu_uarch_config *cfg);
/* What there is to count: bit e for enum pmu_uarch_event e. */
uint32_t pmu_uarch_events(const struct pmu_uarch_config *cfg);

/* What of an instruction it looks at. */
enum {
	PMU_LOOK_FETCH = 1, /* its bytes */
	PMU_LOOK_DATA = 2,
	PMU_LOOK_FLOW = 4, /* where it goes, if it is a branch or a jump */
};
/* All that an instance looks at. What has none of it need not be shown. */
unsigned pmu_uarch_looks(const struct pmu_uarch_config *cfg);

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
	bool narrow; /* they have 32 bits, else 64: behind the last one is 0 */
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
	/* Behind it execution went on at @next; PMU_FLOW_NEXT: not looked at */
	uint8_t flow;	 /* enum pmu_flow */
	uint8_t rd, rs1; /* of jumps: calls and returns are told by them */
	bool backward;	 /* of branches: to a lower address, if taken */
	uint64_t next;
};

enum pmu_stall {
	PMU_STALL_FRONTEND, /* for instructions to execute */
	PMU_STALL_BACKEND,  /* for what they load */
	PMU_N_STALLS
};

#define PMU_UARCH_MOST 48
/* What happened, in this order, and the cycles that it takes to wait for it. */
struct pmu_uarch_found {
	unsigned n;
	uint8_t event[PMU_UARCH_MOST]; /* enum pmu_uarch_event */
	uint32_t stalled[PMU_N_STALLS];
};

/* @insn is fetched, does what it does with @data, and goes where it goes. */
void pmu_uarch_see(struct pmu_uarch *u, const struct pmu_uarch_insn *insn,
		   const struct pmu_space *code, const struct pmu_space *data,
		   struct pmu_uarch_found *ret);

#pragma GCC visibility pop

#endif
