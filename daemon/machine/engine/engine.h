/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The engine: whatever executes guest instructions natively. There are two
 * implementations of these functions, chosen at link time: Unicorn
 * (engine/unicorn/) and the scripted fake (tests/fake-engine.c).
 *
 * The engine runs unprivileged instructions and counts what retires; it knows
 * no privilege, no CSR and no clock. Everything else leaves through
 * struct engine_host_ops, synchronously and as plain data. Exits, faults,
 * device accesses and stops happen at exact instruction boundaries, so what a
 * guest sees never depends on how the engine cuts code into blocks.
 */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pmu/hart.h>

#include "engine-host.h"
#include "engine-move.h"
#include "engine-pieces.h"

enum engine_errno { /* returned negated; engine_error() tells more */
	ENGINE_EINVAL = 1,
	ENGINE_ENOMEM,
	ENGINE_ESELFTEST, /* this Unicorn does not behave as relied on */
	ENGINE_EBROKEN,	  /* the engine failed while running a guest */
};

/* Which slot runs, where there are two: for kernel or user privileges. */
enum engine_regime {
	ENGINE_KERNEL,
	ENGINE_USER
};

/*
 * How far to run. The engine adds to @done and stops before the instruction
 * that follows the one with which any done.n[i] reached limit.n[i]: exact.
 * @soft: stop at the next block end once done instructions reach it; for
 * returning to the host now and then, never visible to the guest.
 */
struct engine_budget {
	struct pmu_progress done, limit;
	uint64_t soft;
	/* Out, ENGINE_STOP_LIMIT: pc of the instruction retired last. */
	uint64_t last_pc;
	bool reached; /* executed() said so */
};

enum engine_stop {
	ENGINE_STOP_LIMIT, /* a limit reached exactly */
	ENGINE_STOP_SOFT,
	ENGINE_STOP_HOST,  /* on_exit() said ENGINE_STOP */
	ENGINE_STOP_BREAK, /* the next instruction has a breakpoint */
};

struct engine_config {
	uint8_t xlen;
	uint8_t mode;  /* enum engine_mode */
	uint8_t spoil; /* for tests: enum fast_spoil of unicorn/fast/ */
	/* 1: one slot for both regimes, 2: one each, 0: as is faster here */
	uint8_t engines;
	bool step_only;	    /* every instruction in the step engine */
	bool native_minmax; /* fmin and fmax as the engine has them */
	/* bytes of code per slot and of the step slot, 4 MiB to 1 GiB each */
	uint64_t code_buffer; /* 0: 64 MiB */
	uint64_t step_buffer; /* 0: 16 MiB */
	/* As where counter reads cannot be made to trap: for tests. */
	bool stop_at_counters;
};

/*
 * Opens all slots and runs the self test; none is opened later, so that a
 * seccomp filter may be loaded after it. Returns 0 or a negated enum
 * engine_errno; on failure @ret is NULL, or good for engine_error() and
 * engine_free() only.
 */
int engine_new(struct engine **ret, const struct engine_config *cfg,
	       const struct engine_host_ops *ops, void *host);
void engine_free(struct engine *e);
/* What went wrong last, for people; valid until the next call. */
const char *engine_error(const struct engine *e);
/* "unicorn 2.1.1", for the host part of a trace. */
const char *engine_version(void);

/* RAM of the guest; page aligned, before the first run, outlives the engine. */
int engine_map_ram(struct engine *e, uint64_t paddr, uint64_t size, void *ram);
/* Physical RAM that the host wrote: translated code there is void. */
void engine_ram_written(struct engine *e, uint64_t paddr, uint64_t size);

int engine_ctx_new(struct engine *e, struct engine_ctx **ret);
void engine_ctx_free(struct engine *e, struct engine_ctx *ctx);
/* A reservation is not taken over: @state->reserved is for looking only. */
void engine_ctx_load(struct engine *e, struct engine_ctx *ctx,
		     const struct hart_state *state);
void engine_ctx_save(struct engine *e, struct engine_ctx *ctx,
		     struct hart_state *ret);

/*
 * Runs @ctx from its pc, which is in @regime, until a stop. A different @ctx
 * than in the last run is a hart switch: translations are dropped, its
 * reservation too. Returns enum engine_stop, or -ENGINE_EBROKEN.
 */
int engine_run(struct engine *e, struct engine_ctx *ctx,
	       enum engine_regime regime, struct engine_budget *budget);

/*
 * Does a run go on where the regime changes in an exit? If not, on_exit() says
 * ENGINE_STOP there.
 */
bool engine_spans_regimes(const struct engine *e);

/* One register of @ctx, running or not: ENGINE_X0 + n, ENGINE_PC, ... */
uint64_t engine_get(struct engine *e, struct engine_ctx *ctx, unsigned reg);
void engine_set(struct engine *e, struct engine_ctx *ctx, unsigned reg,
		uint64_t value);
/* x10-x17, the arguments of a call, quicker than one by one. */
void engine_get_args(struct engine *e, struct engine_ctx *ctx, uint64_t ret[8]);
/* Floating point on or off (virtual mstatus.FS): off makes it INSN exits. */
void engine_set_fp(struct engine *e, struct engine_ctx *ctx, bool on);
/* Void the LR reservation; traps, other modes and hart switches do. */
void engine_drop_reservation(struct engine *e, struct engine_ctx *ctx);

/* Drops all translations, and the LR reservation, whose address is virtual. */
void engine_flush_tlb(struct engine *e);
/*
 * Drops those at @vaddr, whatever their space, and all that come from the same
 * leaf (engine_walk.leaf_bits); and the reservation, wherever it is.
 */
void engine_fence_page(struct engine *e, uint64_t vaddr);
/* Drops those that hold by SUM alone (engine_walk.by_sum). */
void engine_sum_cleared(struct engine *e);
/*
 * Whose translations fetches and data have from now on: two numbers below 16 of
 * the host's choice. Those of other pairs of numbers are kept for them.
 */
void engine_set_space(struct engine *e, uint8_t fetch, uint8_t data);
/* What engine_host_ops.watched() says has changed. */
void engine_watched_changed(struct engine *e);
/* What fence.i means for all code translated so far. */
void engine_fence_i(struct engine *e);

/* Virtual addresses to stop before, n <= 1024; one stopped at is passed. */
int engine_set_breakpoints(struct engine *e, const uint64_t *pcs, size_t n);

#endif
