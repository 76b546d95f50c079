/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A slot and the blocks decoded for it: what the hooks work on while code
 * runs, and how they count.
 */
#ifndef UNICORN_SLOT_H
#define UNICORN_SLOT_H

#include <stdbool.h>
#include <stdint.h>

#include <unicorn/unicorn.h>

#include <pmu/insn.h>

#include "block.h"
#include "engine/engine.h"
#include "fast/fast.h"
#include "fast/helper-exit.h"
#include "fast/tlb.h"
#include "float.h"
#include "lanes.h"
#include "memory.h"
#include "slot-space.h"

enum {
	BLOCK_ENTRIES = 1 << 16,
	STEP_ENTRIES = 1 << 13,
	STEP_KEY = 1, /* "size" of a block in the step slot */
};

/* Why the running slot stopped. */
enum outcome {
	OUT_NONE,
	OUT_AGAIN, /* something is due outside, then go on */
	OUT_STEP,  /* go on with the step slot for [step_lo, step_hi) */
	OUT_INSN,  /* an instruction for the host, not executed */
	OUT_FAULT, /* slot->fault, of the instruction not executed */
	OUT_LIMIT,
	OUT_SOFT,
	OUT_BREAK,
	OUT_HOST,
	OUT_BROKEN,
};

struct slot {
	struct engine *e;
	uc_engine *uc;
	struct lanes left; /* until the slow path has to look */
	uint64_t spare;	   /* instructions beyond @left, see slot_load() */
	uint32_t current;  /* the block counted in @left, see slot_current() */
	struct lanes origin; /* @left when engine_budget.done was right */
	void *slow;	     /* where generated code calls, see fast/ */
	struct fast *fast;   /* NULL: blocks are counted by the hook */
	struct fast_exits exits;
	void *cpu;	 /* Unicorn's, unless engine.pages is off */
	uint64_t insns;	 /* counted here, */
	uint64_t hooked; /* of which by the hook; unless @fast, not known */
	uint64_t epoch;	 /* of the TLBs, in the upper half, and which it is */
	struct block *blocks;
	uint32_t block_mask;
	struct fast_filled filled[SLOT_SPACES];
	bool is_step, stale; /* flush the TLB before running */
	struct slot_spaces spaces;
	bool translated; /* a block not counted in @tb_bytes yet */
	uint64_t tb_bytes, tb_limit, emptied; /* how often it was passed */
	bool forced; /* a page fill of our own, see slot_fill() */
	uint64_t forced_paddr;
	bool poisoned; /* @poison is mapped to the scratch page */
	uint64_t poison;
};

/* Where the block at @addr is, if the table has it. */
static inline struct block *slot_block_at(const struct slot *s, uint64_t addr)
{
	return &s->blocks[(addr >> 1) & s->block_mask];
}

static inline size_t slot_table_size(const struct slot *s)
{
	return ((size_t)s->block_mask + 1) * sizeof(*s->blocks);
}

fast_exit_fn exits_inside; /* exits.c */

/* slot-new.c */
int slot_new(struct slot **ret, struct engine *e, bool is_step);
void slot_free(struct slot *s);

/* slot.c */
/* Drops the slot's translations now; safe in hooks that may flush. */
void slot_flush(struct slot *s);
/* Forgets what was decoded; a table takes memory by what is in it only. */
void slot_forget(struct slot *s);
uint64_t slot_pc(const struct slot *s);
/* Ends the run before the instruction at @pc; from a block or code hook. */
void slot_stop(struct slot *s, uint64_t pc, enum outcome out);

/* blocks.c */
void blocks_hook(uc_engine *uc, uint64_t addr, uint32_t size, void *user);
/* @ret: where the hook returns to, NULL: it is the step slot's. */
void blocks_slow(struct slot *s, uint64_t addr, uint32_t size, uint8_t *ret);
/* The same for block @current, which counts by itself. True: it may run. */
bool blocks_site(struct slot *s, const struct block *b, uint32_t current);
/*
 * The current block did not get beyond @pc: takes back what it did not do.
 * False: @pc is not in it, so it is complete.
 */
bool slot_uncount(struct slot *s, uint64_t pc);

/* window.c */
/* Brings engine_budget.done up to what @left says; the block is over. */
void slot_sync(struct slot *s);
/* Sets @left from the budget. */
void slot_load(struct slot *s);
/* The budget's limit of instructions is nearer than when @left was set. */
void slot_narrow(struct slot *s);
/* Makes the next block take the slow path. */
void slot_force(struct slot *s);
/* The block counted in slot.left, or NULL; and the number of one, for there. */
const struct block *slot_current(const struct slot *s);
static inline uint32_t slot_number(const struct slot *s, const struct block *b)
{
	return (uint32_t)(b - s->blocks) + 1;
}
/* Counts block @current, with which @left ends, unless an event's does. */
bool slot_not_yet(struct slot *s, struct lanes left, uint32_t current);

/* due.c: what is due before @addr, the counts being right, or OUT_NONE. */
enum outcome slot_due(struct slot *s, uint64_t addr);

/* fill.c; OUT_NONE: the page-crossing instruction at @addr may run now. */
enum outcome fill_straddle(struct slot *s, uint64_t addr);

/* step.c */
void step_hook(uc_engine *uc, uint64_t addr, uint32_t size, void *user);

/* translated.c */
void translated_hook(uc_engine *uc, uc_tb *cur, uc_tb *prev, void *user);

/* guard.c */
/* Counts what was translated just now. */
void guard_translated(struct slot *s, const uc_tb *tb);
/* The host's bytes that @insn takes at most. */
uint32_t guard_insn_bytes(const struct pmu_insn *insn, uint32_t word);
/* @b runs next: counts it if it was translated just now. */
void guard_count(struct slot *s, const struct block *b);
void guard_run(struct slot *s);

#endif
