/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Each hart's wait is kept here: since when it waits, for what, and when that
 * overflows a counter.
 */
#include "machine-hart.h"

#include <stdlib.h>

#include <fw/fw.h>
#include <fw/sse.h>
#include <pmu/counter.h>
#include <pmu/csr-number.h>
#include <pmu/csr.h>
#include <pmu/exec.h>
#include <pmu/insn.h>
#include <pmu/observer.h>
#include <pmu/trap.h>

#include "board/board.h"
#include "deliveries.h"
#include "ebb-session.h"
#include "machine-address.h"
#include "machine-hart-state.h"
#include "machine-sample.h"
#include "plan.h"

/* What a hart waits for. */
struct wait {
	enum hart_wait kind;
	uint64_t accounted;   /* clock up to which it is */
	uint64_t overflow_at; /* clock at which it overflows a counter */
	uint64_t next_pc;     /* behind the WFI */
};

struct harts {
	unsigned n;
	struct hart hart[PMU_MAX_HARTS];
	struct wait wait[PMU_MAX_HARTS];
};

static struct wait *wait_of(const struct machine *m, const struct hart *h)
{
	return &m->harts->wait[h->index];
}

static enum hart_wait waits_in(const struct machine *m, const struct hart *h)
{
	return wait_of(m, h)->kind;
}

struct harts *harts_new(unsigned n)
{
	struct harts *all = calloc(1, sizeof(*all));

	if (all)
		all->n = n;
	return all;
}

void harts_free(struct harts *all, struct engine *engine)
{
	for (unsigned i = 0; all && i < all->n; i++) {
		if (all->hart[i].ctx)
			engine_ctx_free(engine, all->hart[i].ctx);
		pmu_hart_free(all->hart[i].pmu);
	}
	free(all);
}

bool harts_make(struct machine *m, unsigned hart,
		const struct pmu_hart_config *cfg)
{
	struct hart *h = &m->harts->hart[hart];

	h->index = hart;
	return pmu_hart_new(&h->pmu, cfg, m->timebase) == 0 &&
	       engine_ctx_new(m->engine, &h->ctx) == 0;
}

const struct hart *hart_of(const struct machine *m, unsigned hart)
{
	return &m->harts->hart[hart];
}

const struct hart *hart_present(const struct machine *m)
{
	return hart_of(m, turn_present(m->turn));
}

uint64_t harts_insns(const struct machine *m)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < m->harts->n; i++)
		sum += pmu_hart_insns(m->harts->hart[i].pmu);
	return sum;
}

void hart_sync_fp(struct machine *m, const struct hart *h)
{
	engine_set_fp(m->engine, h->ctx, pmu_fp_on(h->pmu));
}

/* Records */

struct record_at hart_at(const struct machine *m, const struct hart *h,
			 uint64_t pc)
{
	return (struct record_at){
		.insn = pmu_hart_insns(h->pmu),
		.cycle = machine_now(m),
		.pc = pc,
		.hart = h->index,
		.mode = pmu_hart_mode(h->pmu),
		.next_mode = pmu_hart_mode(h->pmu),
		.satp = address_space(h->pmu, pmu_hart_mode(h->pmu),
				      machine_now(m)),
	};
}

void hart_record_change(struct machine *m, const struct hart *h,
			enum hart_change what)
{
	struct record_at at = hart_at(m, h, hart_pc(m, h));

	record_hart(m->recorder, &at, what, 0);
}

static const char *event_name(const struct pmu_overflow *o)
{
	const struct pmu_event_desc *desc =
		pmu_event_by_selector(o->event & PMU_EVENT_SELECTOR);

	return desc ? desc->name : NULL;
}

/* Where it goes on. */
static uint64_t next_pc(const struct machine *m, const struct hart *h)
{
	const struct wait *w = wait_of(m, h);

	return w->kind == WAIT_WFI ? w->next_pc : hart_pc(m, h);
}

static void record_found(struct machine *m, const struct hart *h,
			 const struct pmu_overflow *found, unsigned n,
			 uint64_t last_pc)
{
	struct record_at at = hart_at(m, h, next_pc(m, h));
	uint64_t pending = 0;

	pmu_csr_peek(h->pmu, PMU_CSR_SCOUNTOVF, at.cycle, &pending);
	for (unsigned i = 0; i < n; i++) {
		struct record_overflow o = {
			.overflow = &found[i],
			.event = event_name(&found[i]),
			.raised = found[i].raised,
			.time = pmu_time(m->timebase, at.cycle),
			.last_pc = last_pc,
			.pending = (uint32_t)pending,
			.ebb = ebb_alert(m->ebb, h->index, found[i].counter,
					 at.cycle),
		};

		/* A WFI that waits retires before anything is taken. */
		deliveries_found(m, h, &found[i],
				 at.insn + (waits_in(m, h) == WAIT_WFI));
		if (o.ebb) /* it is told at a stop point */
			plan_stop_wanted(m->plan);
		at.satp = address_space(h->pmu, found[i].mode, at.cycle);
		record_overflow(m->recorder, &at, &o);
	}
}

static void record_samples(struct machine *m, const struct hart *h,
			   uint32_t observers, uint64_t last_pc)
{
	struct record_at at = hart_at(m, h, next_pc(m, h));

	if (samplers_record(m, h, observers, &at, last_pc))
		plan_counts_changed(m->plan);
}

void hart_record_overflows(struct machine *m, const struct hart *h,
			   uint64_t last_pc)
{
	struct pmu_overflow found[PMU_N_COUNTERS];
	unsigned n = pmu_hart_take_overflows(h->pmu, found);

	if (n) {
		plan_overflowed(m->plan);
		record_found(m, h, found, n, last_pc);
	}
	if (samplers_any(m->samplers))
		record_samples(m, h, UINT32_MAX, last_pc);
}

/* Waiting */

static bool waits(const struct machine *m, const struct hart *h)
{
	return turn_status(m->turn, h->index) == HART_WAITING;
}

static uint64_t add(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static bool counts_waiting(const struct machine *m)
{
	return m->cfg->settings.wfi_cycles == SETTINGS_WFI_COUNT;
}

static void find_overflow(struct machine *m, const struct hart *h)
{
	struct wait *w = wait_of(m, h);

	w->overflow_at = add(w->accounted,
			     counts_waiting(m) ? pmu_hart_wait_limit(h->pmu)
					       : pmu_hart_halt_limit(h->pmu));
}

static void pass(struct machine *m, const struct hart *h, uint64_t cycles)
{
	if (counts_waiting(m))
		pmu_hart_idle(h->pmu, cycles);
	else
		pmu_hart_halt(h->pmu, cycles);
}

static void account(struct machine *m, const struct hart *h)
{
	struct wait *w = wait_of(m, h);
	uint64_t now = machine_now(m);

	while (w->accounted < now) {
		uint64_t to = now < w->overflow_at ? now : w->overflow_at;

		pass(m, h, to - w->accounted);
		w->accounted = to;
		if (to < w->overflow_at)
			continue;
		hart_record_overflows(m, h, hart_pc(m, h));
		find_overflow(m, h);
	}
}

/*
 * Up to the end of its wait, or of the run. A wait is one sample of an
 * observer, however many periods it takes: it does not matter who looked
 * meanwhile, and at a machine that waits for its input, nothing comes before.
 */
static void settle(struct machine *m, const struct hart *h, uint32_t observers)
{
	if (!waits(m, h))
		return;
	account(m, h);
	record_samples(m, h, observers, hart_pc(m, h));
}

void harts_settle(struct machine *m, uint32_t observers)
{
	for (unsigned i = 0; i < m->harts->n; i++)
		settle(m, hart_of(m, i), observers);
}

void harts_account(struct machine *m)
{
	for (unsigned i = 0; i < m->harts->n; i++) {
		const struct hart *h = hart_of(m, i);

		if (!waits(m, h))
			continue;
		account(m, h);
		/* A change from outside may have moved it. */
		find_overflow(m, h);
	}
}

void harts_account_due(struct machine *m)
{
	uint64_t now = machine_now(m);

	for (unsigned i = 0; i < m->harts->n; i++)
		if (waits(m, hart_of(m, i)) &&
		    m->harts->wait[i].overflow_at <= now)
			account(m, hart_of(m, i));
}

uint64_t harts_next_overflow(const struct machine *m)
{
	uint64_t first = UINT64_MAX;

	for (unsigned i = 0; i < m->harts->n; i++)
		if (waits(m, hart_of(m, i)) &&
		    m->harts->wait[i].overflow_at < first)
			first = m->harts->wait[i].overflow_at;
	return first;
}

uint64_t hart_next_timer(const struct machine *m, const struct hart *h)
{
	uint64_t first = board_timer_next(m->board, h->index);
	uint64_t t;

	if (m->fw) {
		t = fw_timer_next(m->fw, h->index);
		if (t < first)
			first = t;
	}
	t = pmu_timer_next(h->pmu, machine_now(m));
	return t < first ? t : first;
}

uint64_t harts_next_timer(const struct machine *m, bool *ret_waiting)
{
	uint64_t first = UINT64_MAX, t;

	*ret_waiting = false;
	for (unsigned i = 0; i < m->harts->n; i++) {
		if (!waits(m, hart_of(m, i)))
			continue;
		*ret_waiting = true;
		t = hart_next_timer(m, hart_of(m, i));
		if (t < first)
			first = t;
	}
	return first;
}

/* Comings and goings */

void hart_start(struct machine *m, const struct hart *h, uint64_t pc,
		uint64_t arg)
{
	static const struct hart_state zero;

	engine_ctx_load(m->engine, h->ctx, &zero);
	hart_set_pc(m, h, pc);
	engine_set(m->engine, h->ctx, PMU_X_A0, h->index);
	engine_set(m->engine, h->ctx, PMU_X_A1, arg);
	hart_sync_fp(m, h);
	wait_of(m, h)->kind = WAIT_NONE;
	turn_set_status(m->turn, h->index, HART_RUNNING);
	hart_record_change(m, h, CHANGE_STARTED);
}

static void leave(struct machine *m, const struct hart *h)
{
	turn_leave(m->turn, h->pmu);
	plan_turn_changed(m->plan);
}

void hart_stop(struct machine *m, const struct hart *h)
{
	settle(m, h, UINT32_MAX);
	leave(m, h);
	wait_of(m, h)->kind = WAIT_NONE;
	turn_set_status(m->turn, h->index, HART_STOPPED);
	hart_record_change(m, h, CHANGE_STOPPED);
}

void harts_reset(struct machine *m)
{
	for (unsigned i = 0; i < m->harts->n; i++) {
		const struct hart *h = hart_of(m, i);

		settle(m, h, UINT32_MAX);
		*wait_of(m, h) = (struct wait){ .kind = WAIT_NONE };
		leave(m, h);
		pmu_hart_reset(h->pmu);
	}
	turn_reset(m->turn);
}

void hart_begin_wait(struct machine *m, const struct hart *h,
		     enum hart_wait wait, uint64_t next_pc)
{
	leave(m, h);
	*wait_of(m, h) = (struct wait){
		.kind = wait,
		.next_pc = next_pc,
		.accounted = machine_now(m),
	};
	find_overflow(m, h);
	turn_set_status(m->turn, h->index, HART_WAITING);
	turn_next_moment(m->turn);
	hart_record_change(m, h, CHANGE_WAITING);
}

static void wake(struct machine *m, const struct hart *h)
{
	settle(m, h, UINT32_MAX);
	turn_set_status(m->turn, h->index, HART_RUNNING);
	hart_record_change(m, h, CHANGE_WOKEN);
	if (wait_of(m, h)->kind != WAIT_SUSPEND)
		return;
	wait_of(m, h)->kind = WAIT_NONE;
	fw_hart_resumed(m->fw, h->index);
}

bool hart_has_event(const struct machine *m, const struct hart *h)
{
	return m->fw && fw_sse_due(m->fw, h->index);
}

void harts_wake(struct machine *m)
{
	uint64_t now = machine_now(m);

	for (unsigned i = 0; i < m->harts->n; i++) {
		const struct hart *h = hart_of(m, i);

		if (waits(m, h) &&
		    (pmu_hart_wakes(h->pmu, now) || hart_has_event(m, h) ||
		     (m->fw && fw_hart_woken(m->fw, i))))
			wake(m, h);
	}
}

void hart_called(struct machine *m, unsigned hart)
{
	if (!m->cfg->settings.yield || (int)hart == turn_hart(m->turn) ||
	    turn_status(m->turn, hart) == HART_STOPPED)
		return;
	turn_urge(m->turn);
	plan_turn_changed(m->plan);
}

bool hart_retire_wfi(struct machine *m, const struct hart *h)
{
	struct wait *w = wait_of(m, h);
	uint64_t pc;

	if (w->kind != WAIT_WFI)
		return false;
	pc = hart_pc(m, h);
	w->kind = WAIT_NONE;
	pmu_exec_wake(h->pmu);
	hart_set_pc(m, h, w->next_pc);
	hart_record_overflows(m, h, pc);
	plan_wait_ended(m->plan);
	return true;
}

void hart_leave_wfi(struct machine *m, const struct hart *h)
{
	struct wait *w = wait_of(m, h);

	if (w->kind != WAIT_WFI)
		return;
	w->kind = WAIT_NONE;
	turn_set_status(m->turn, h->index, HART_RUNNING);
}

bool hart_is_there(const struct machine *m, const struct hart *h)
{
	return turn_status(m->turn, h->index) != HART_STOPPED &&
	       waits_in(m, h) != WAIT_SUSPEND;
}

/* State */

void harts_give(const struct machine *m, struct state *to)
{
	const struct harts *all = m->harts;

	for (unsigned i = 0; i < all->n; i++)
		hart_give(m, &all->hart[i], to);
	state_put(to, "waits", all->wait, sizeof(all->wait));
}

void harts_take(struct machine *m, struct state *from)
{
	struct harts *all = m->harts;

	for (unsigned i = 0; i < all->n; i++)
		hart_take(m, &all->hart[i], from);
	state_get(from, "waits", all->wait, sizeof(all->wait));
}
