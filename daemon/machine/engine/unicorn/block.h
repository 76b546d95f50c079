/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A block as it is decoded: what it counts, where its bytes are, and what makes
 * it more than a block that only counts.
 */
#ifndef UNICORN_BLOCK_H
#define UNICORN_BLOCK_H

#include <stdint.h>

#include "float.h"
#include "lanes.h"
#include "memory.h"

enum block_flag {
	BLOCK_BREAK = 1u << 0,	  /* a breakpoint lies inside */
	BLOCK_LR = 1u << 1,	  /* may take a reservation */
	BLOCK_FENCE_I = 1u << 2,  /* ends with fence.i */
	BLOCK_HOST = 1u << 3,	  /* Unicorn would run what is the host's */
	BLOCK_STRADDLE = 1u << 4, /* its last instruction crosses a page */
	BLOCK_FP = 1u << 5,	  /* uses floating-point registers */
	BLOCK_FP_MIXED = 1u << 6, /* as single and double, see float_decode() */
	BLOCK_MINMAX = 1u << 7,	  /* fmin, fmax */
	/* loads or stores floating point, 16 bits; with BLOCK_FP */
	BLOCK_FP_SHORT = 1u << 8,
	/* of RV64, see lrsc.c: */
	BLOCK_LR_D = 1u << 9,	/* with BLOCK_LR: may be one of a doubleword */
	BLOCK_SC_W = 1u << 10,	/* SC.W, whose LR is of a block before */
	BLOCK_MIXED = 1u << 11, /* SC.W behind LR.D */
	BLOCK_LRSC = BLOCK_LR | BLOCK_LR_D | BLOCK_SC_W,
};

/* A decoded block; in the step slot, one instruction. */
struct block {
	uint64_t addr;
	uint64_t key; /* epoch | size, 0: always the slow path */
	struct lanes counts;
	uint64_t seen;		/* epoch | size, for the slow path */
	const uint8_t *host[2]; /* its bytes, and those on the next page */
	const struct page *page[2];
	uint32_t gen[2];
	uint32_t bytes_max; /* of the host's, see guard.c */
	uint16_t bytes;
	uint16_t last;	     /* offset of the last instruction */
	uint16_t flags;	     /* enum block_flag */
	uint16_t last_flags; /* enum pmu_insn_flag of the last instruction */
	uint32_t last_word;
	struct float_use fp;
} __attribute__((aligned(64)));

/* Of the engine's events that a build has beyond the catalogue. */
#ifndef ENGINE_MORE_LANES
#define ENGINE_MORE_LANES(flags)
#endif

/* Adds an instruction of @flags, enum pmu_insn_flag, to what is counted. */
static inline void block_add(struct lanes *v, unsigned flags)
{
	/* in the order of enum pmu_event */
	const uint8_t events[PMU_N_ENGINE_EVENTS] = {
		1, (flags & PMU_INSN_BRANCH) != 0, (flags & PMU_INSN_LOAD) != 0,
		(flags & PMU_INSN_STORE) != 0 ENGINE_MORE_LANES(flags)
	};

	for (unsigned i = 0; i < PMU_N_ENGINE_EVENTS; i++)
		lanes_add(v, i, events[i]);
}

/* block.c: the instruction at @off of @b, as it was translated. */
uint32_t block_word(const struct engine *e, const struct block *b,
		    unsigned off);
/*
 * Decodes the block of @size bytes at @addr unless its place in the table still
 * has it, from another epoch; NULL: its page is not translated any more.
 */
struct block *block_decode(struct slot *s, uint64_t addr, uint32_t size);

/* lrsc.c: @insn of @b, LR or SC, adds to its flags. */
void lrsc_decode(struct block *b, const struct pmu_insn *insn, unsigned xlen);
/* Before @b, which has BLOCK_LR or BLOCK_SC_W, runs. */
void lrsc_enter(struct engine *e, const struct block *b);
/* The same, unless it has to look what the reservation is: false. */
bool lrsc_enters(struct engine *e, const struct block *b);

#endif
