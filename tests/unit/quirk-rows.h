/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rows of test-fw-quirks.c: a flag, and what differs by it.
 */
#ifndef TESTS_QUIRK_ROWS_H
#define TESTS_QUIRK_ROWS_H

#include "fw-cpu.h"

struct ask {
	uint32_t eid, fid;
	uint64_t a[6];
};

/*
 * What is asked of a machine with the flag off and on: calls first, then a call
 * or a look.
 */
struct quirk_row {
	const char *flag, *why;
	struct opts opts;
	void *(*tree)(void);
	struct ask pre[5], last;
	int64_t (*look)(void); /* NULL: @last's error, else its value */
	int64_t off, on;
};

/* The machine that a row asks. */
extern struct bench quirk_bench;

enum {
	N_QUIRK_ROWS_SSE = 25,
	N_QUIRK_ROWS_HARTS = 21,
};
extern const struct quirk_row quirk_rows_sse[N_QUIRK_ROWS_SSE];
extern const struct quirk_row quirk_rows_harts[N_QUIRK_ROWS_HARTS];

void quirk_stop_hart_1(void);

#define PMU_DO(fid, ...)                                                       \
	{                                                                      \
		PMU_EID, fid,                                                  \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define DO(eid, fid, ...)                                                      \
	{                                                                      \
		eid##_EID, fid,                                                \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define ON3    PMU_DO(CFG, 3, 1, 0, 2)
#define RUN3   PMU_DO(CFG, 3, 1, AUTO, 2)
#define ON4    PMU_DO(CFG, 4, 1, 0, 2)
#define RUN4   PMU_DO(CFG, 4, 1, AUTO, 2)
#define TIMERS PMU_DO(CFG, 32, 3, AUTO, FW_TIMER)
#define NO_FILTERS                                                             \
	{                                                                      \
		.without = PMU_EXT_SSCOFPMF | PMU_EXT_SMCNTRPMF                \
	}
#define OVERFLOW_EVENT                                                         \
	DO(SSE, REGISTER, OVERFLOW, RAM_BASE + 0x4000),                        \
		DO(SSE, ENABLE, OVERFLOW)

#endif
