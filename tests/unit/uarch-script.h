/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Scripts that show instructions to a core's models. A word is an instruction:
 *   l1000 s1000 a1000  load, store, atomic of 8 bytes at 0x1000; l1000:2 of 2
 *   d1000              a device is loaded from
 *   f1000 f1000:2      nothing but the fetch of 4 (2) bytes at 0x1000
 *   b1000>f00 b1000-f00  a branch to 0xf00, taken, not taken
 *   j1000>f00 c1000>f00  a jump, a call (jal x0, jal ra)
 *   i1000>f00 x1000>f00 r1000>f00  by a register: a jump, a call, a return
 *   y1000>f00 z1000>f00  by ra, linked in t0 (to a coroutine), in ra
 *   @2 @0              from here on in address space 2, not translated
 *   %                  addresses have 32 bits from here on
 *   | ^                a fence, a reset
 * All but f, b and the jumps are fetched from one line.
 */
#ifndef TESTS_UNIT_UARCH_SCRIPT_H
#define TESTS_UNIT_UARCH_SCRIPT_H

#include <pmu/miss.h>

#define CACHE(s, l, w, r)                                                      \
	{                                                                      \
		.size = (s), .line = (l), .ways = (w),                         \
		.replacement = PMU_REPLACE_##r                                 \
	}
#define TLB(n, w, r)                                                           \
	{                                                                      \
		.entries = (n), .ways = (w), .replacement = PMU_REPLACE_##r    \
	}

/* What has happened so far. */
struct run {
	struct pmu_uarch *u;
	struct pmu_misses *why; /* or NULL */
	struct pmu_space space;
	unsigned n[PMU_N_UARCH_EVENTS];
	unsigned stalled[PMU_N_STALLS];
	/* NULL: nobody wants to know */
	void (*missed)(struct run *r, const struct pmu_miss *miss);
};

/* A cold instance of @cfg. */
void run_begin(struct run *r, const struct pmu_uarch_config *cfg);
/* As many lines as are remembered beside those of a table. */
enum {
	RUN_REMEMBERED = 600
};
/* Its misses are explained from here on. */
void run_explain(struct run *r, const struct pmu_uarch_config *cfg,
		 void (*missed)(struct run *r, const struct pmu_miss *miss));
/* It sees @insn. */
void run_see(struct run *r, const struct pmu_uarch_insn *insn);
void run_end(struct run *r);
void run_play(struct run *r, const char *script);

#endif
