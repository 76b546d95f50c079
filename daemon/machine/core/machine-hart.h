/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The harts of a machine: which they are, their comings and goings, the time
 * that passes while they wait, and the records that tell of one.
 */
#ifndef CORE_MACHINE_HART_H
#define CORE_MACHINE_HART_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/hart.h>

#include "engine/engine.h"
#include "owners.h"
#include "turn.h"

/* Where a hart's state is; which never changes. */
struct hart {
	struct pmu_hart *pmu;
	struct engine_ctx *ctx;
	unsigned index;
};

enum hart_wait {
	WAIT_NONE,
	WAIT_WFI,     /* retires when it ends, goes on behind it */
	WAIT_SUSPEND, /* SBI: its registers are already those it wakes with */
};

struct harts *harts_new(unsigned n); /* NULL without memory */
void harts_free(struct harts *all, struct engine *engine);
bool harts_make(struct machine *m, unsigned hart,
		const struct pmu_hart_config *cfg);
const struct hart *hart_of(const struct machine *m, unsigned hart);
/* The hart whose turn it is, or was last. */
const struct hart *hart_present(const struct machine *m);
uint64_t harts_insns(const struct machine *m);

static inline uint64_t hart_pc(const struct machine *m, const struct hart *h)
{
	return engine_get(m->engine, h->ctx, ENGINE_PC);
}

static inline void hart_set_pc(struct machine *m, const struct hart *h,
			       uint64_t pc)
{
	engine_set(m->engine, h->ctx, ENGINE_PC, pc);
}

/* Brings the engine's FP switch to what FS and the mode say. */
void hart_sync_fp(struct machine *m, const struct hart *h);

/* Comings and goings */

void hart_start(struct machine *m, const struct hart *h, uint64_t pc,
		uint64_t arg);
void hart_stop(struct machine *m, const struct hart *h);
/* It waits from the present clock on; @next_pc: behind its WFI. */
void hart_begin_wait(struct machine *m, const struct hart *h,
		     enum hart_wait wait, uint64_t next_pc);
/* The WFI that it waited in retires (C165). False: it was in none. */
bool hart_retire_wfi(struct machine *m, const struct hart *h);
/* Taken out of a WFI, it waits no more and the WFI never retires. */
void hart_leave_wfi(struct machine *m, const struct hart *h);
/* All of them stopped, waits accounted for, their CSRs reset; no record. */
void harts_reset(struct machine *m);
/* Wakes those that anything wakes. */
void harts_wake(struct machine *m);
/* What was just sent to @hart is to be noticed soon (setting yield). */
void hart_called(struct machine *m, unsigned hart);
/* Neither stopped nor suspended? */
bool hart_is_there(const struct machine *m, const struct hart *h);
/* Must it get a software event before it goes on? It ends a wait. */
bool hart_has_event(const struct machine *m, const struct hart *h);

/* Waiting */

/* Accounts for the waiting of all harts up to now, exactly. */
void harts_account(struct machine *m);
/*
 * That, and records what those of @observers have found whose bits are set in
 * waits that go on.
 */
void harts_settle(struct machine *m, uint32_t observers);
/* Only of harts that overflow a counter by now. */
void harts_account_due(struct machine *m);
/* When waiting overflows a counter first, of all waiting harts. */
uint64_t harts_next_overflow(const struct machine *m);
/* The first timer of all waiting harts; *@ret_waiting: does any wait? */
uint64_t harts_next_timer(const struct machine *m, bool *ret_waiting);
/* The first timer of @h. */
uint64_t hart_next_timer(const struct machine *m, const struct hart *h);

/* Records */

struct record_at hart_at(const struct machine *m, const struct hart *h,
			 uint64_t pc);
/* What became of @h, at its pc and mode. */
void hart_record_change(struct machine *m, const struct hart *h,
			enum hart_change what);
/* The overflows of @h since the last time; @last_pc: the instruction. */
void hart_record_overflows(struct machine *m, const struct hart *h,
			   uint64_t last_pc);

/* Those of libpmu, their registers and their waits (state-bytes.h). */
void harts_give(const struct machine *m, struct state *to);
void harts_take(struct machine *m, struct state *from);

#endif
