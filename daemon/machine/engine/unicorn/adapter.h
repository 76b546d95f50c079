/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the files of the Unicorn adapter share beyond slots (slot.h) and memory
 * (memory.h): contexts and the state of a run. Nothing outside this folder
 * includes it, so no Unicorn type leaves it.
 */
#ifndef UNICORN_ADAPTER_H
#define UNICORN_ADAPTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <unicorn/unicorn.h>

#include "engine/engine.h"
#include "feed.h"
#include "float.h"
#include "leaf.h"
#include "memory.h"
#include "slot.h"
#include "watch.h"

enum {
	MAX_RAM = 8, /* engine_map_ram() calls */
	MAX_BREAKPOINTS = 1024,
	MAX_DIRTY = 1024,  /* dirty code pages kept by name */
	SCRATCH_PAGES = 4, /* own memory behind the guest's addresses */
};

struct engine_ctx {
	uc_context *regs; /* unless live */
	uint64_t pc;	  /* always, but while code runs */
	uint32_t fcsr;	  /* unless live with fp_on */
	bool fp_on;
	bool maybe_reserved, maybe_wide; /* ran LR, LR.D since a drop */
	bool passing; /* stopped at breakpoint @pass_pc before */
	uint64_t pass_pc;
	struct float_state fp;
};

/* Where a context of Unicorn has these words, found by the self test. */
struct layout {
	size_t mstatus, priv_ver, load_res, load_val;
	size_t priv; /* 0: not found, and not needed */
};

struct engine {
	struct engine_config cfg;
	const struct engine_host_ops *ops;
	void *host;
	struct slot *slots[3]; /* kernel, user (or NULL), step */
	struct slot *step;
	struct layout layout;
	bool counters_trap;
	const char *slow_why, *raise_why; /* what is off, see selftest.c */
	struct fast_spared pages; /* that were known, and fenced or by SUM */
	struct fast_spared clean; /* of the blocks translated */
	struct fast_spared spaces;
	uc_context *template; /* a fresh hart in U-mode */
	uint8_t *scratch;
	uint64_t scratch_base;
	struct ram ram[MAX_RAM];
	size_t n_ram;
	struct leaves leaves;
	uint64_t serial; /* +1 when no TLB holds an entry any more */
	uint64_t dirty[MAX_DIRTY];
	uint8_t *was; /* the pages of these before they were written */
	size_t n_dirty;
	bool dirty_more; /* and others, not in dirty[] */

	struct engine_ctx *live; /* registers are in live_slot */
	struct slot *live_slot;
	struct engine_ctx *last; /* of the last run */

	struct engine_budget *budget;
	struct slot *running; /* inside uc_emu_start() */
	enum outcome out;
	struct fault fault;
	bool faulted;
	bool progressed;
	bool fence_seen; /* a fence.i ran, or runs in this block */
	bool fence_due;	 /* remove dirty code before going on */
	uint64_t step_lo, step_hi;
	struct watch watch;
	struct float_held held;
	struct feed *feed; /* NULL: nobody is told what is executed */

	uint64_t *breakpoints; /* sorted */
	size_t n_breakpoints;
	char error[160];
};

static inline uint64_t engine_mask(const struct engine *e)
{
	return e->cfg.xlen == 32 ? UINT32_MAX : UINT64_MAX;
}

static inline bool steps_all(const struct engine *e)
{
	return e->cfg.step_only || e->feed != NULL;
}

/* Has an event reached its limit, or the host said so? */
static inline bool budget_reached(const struct engine_budget *b)
{
	if (b->reached)
		return true;
	for (int i = 0; i < PMU_N_ENGINE_EVENTS; i++)
		if (b->done.n[i] >= b->limit.n[i])
			return true;
	return false;
}

/* engine-error.c */
__attribute__((format(printf, 2, 3))) void engine_fail(struct engine *e,
						       const char *fmt, ...);

/* tlbs.c: empties all TLBs; they fill again from what is known. */
void engine_empty_tlbs(struct engine *e);
/*
 * Empties what they have of the page at @vaddr; engine.pages is on. False: one
 * had to be emptied as a whole.
 */
bool tlbs_empty_page(struct engine *e, uint64_t vaddr);

/* due.c: does a breakpoint lie in [@lo, @hi)? */
bool breakpoint_in(const struct engine *e, uint64_t lo, uint64_t hi);

/* exits.c */
void exits_hook(uc_engine *uc, uint32_t intno, void *user);
fast_quiet_fn exits_quiet;
/* After a run that ended with an error or a failed fill. */
enum outcome exits_handle(struct slot *s, uc_err err);

/* mmio.c: the access at the pc is a device's; false: deliver the fault @exit */
bool mmio_run(struct slot *s, struct engine_exit *exit);

/* regs.c */
void regs_bind(struct engine *e, struct engine_ctx *ctx, struct slot *s);
uint64_t regs_x(struct slot *s, unsigned n);
void regs_set_x(struct slot *s, unsigned n, uint64_t value);
uint64_t regs_f(struct slot *s, unsigned n);
void regs_set_f(struct slot *s, unsigned n, uint64_t value);

/* selftest.c, layout.c */
int selftest_run(struct engine *e);
int layout_find(struct engine *e);

#endif
