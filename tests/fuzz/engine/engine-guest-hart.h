/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What handlers find in the pages of their hart, and who puts it there: words
 * of a register's width for each level, and the places to go on at.
 */
#ifndef TESTS_FUZZ_ENGINE_GUEST_HART_H
#define TESTS_FUZZ_ENGINE_GUEST_HART_H

#include "engine-guest-inside.h"

/* Words of a hart's own page, for each level. */
enum {
	SAVED = 0, /* x30, x29, x28 */
	NEXT = 3,
	FIRST,
	END,
	TIMER,	     /* address of mtimecmp, M only */
	CLOCK,	     /* and of mtime */
	SOFTWARE,    /* and of msip */
	STATUS,	     /* bits that a place leaves alone */
	VALUES = 16, /* of CSRs at boot */
	S_OFFSET = 2048,
	/* words of a place */
	PC = 0,
	SATP,
	BITS,
	REGS,
	COUNTERS = 11, /* M only */
	PLACE_WORDS = 24,
	N_PLACES = 120,
	PLACES_PAGES = 8, /* those of S behind those of M */
	N_COUNTERS = 3,
};

/* mstatus and sstatus */
#define STATUS_SPIE (1u << 5)
#define STATUS_SPP  (1u << 8)
#define STATUS_MPIE (1u << 7)
#define STATUS_MPP  (3u << 11)
#define STATUS_FS   (3u << 13)
#define STATUS_MPRV (1u << 17)
#define STATUS_SUM  (1u << 18)
#define STATUS_MXR  (1u << 19)
#define STATUS_TVM  (1u << 20)
#define STATUS_TSR  (1u << 22)

/* Registers of a place, from REGS on. */
enum {
	N_PLACE_REGS = 8
};
extern const uint8_t place_regs[N_PLACE_REGS];

static inline uint64_t hart_at(unsigned hart, enum level level)
{
	return (uint64_t)(HART_PAGE + hart * HART_PAGES) * PAGE +
	       (level == LEVEL_S ? S_OFFSET : 0);
}

static inline uint64_t places_at(unsigned hart, enum level level)
{
	return hart_at(hart, LEVEL_M) + PAGE +
	       (level == LEVEL_S ? PLACES_PAGES * PAGE - PAGE : 0);
}

#endif
