/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One hart's comings and goings: started, stopped, waiting, and the time that
 * passes while it waits; and the records that tell of a hart.
 */
#include "machine-inside.h"

enum {
	REG_A0 = 10,
	REG_A1 = 11,
};

uint64_t machine_pc(struct machine *m, const struct hart *h)
{
	return engine_get(m->engine, h->ctx, ENGINE_PC);
}

void machine_set_pc(struct machine *m, struct hart *h, uint64_t pc)
{
	engine_set(m->engine, h->ctx, ENGINE_PC, pc);
}

struct record_at machine_at(struct machine *m, const struct hart *h,
			    uint64_t pc)
{
	return (struct record_at){
		.insn = pmu_hart_insns(h->pmu),
		.cycle = machine_now(m),
		.pc = pc,
		.hart = machine_index(m, h),
		.mode = pmu_hart_mode(h->pmu),
	};
}

void machine_record_change(struct machine *m, struct hart *h,
			   enum hart_change what)
{
	struct record_at at = machine_at(m, h, machine_pc(m, h));

	record_hart(m->recorder, &at, what);
}

void machine_sync_fp(struct machine *m, struct hart *h)
{
	engine_set_fp(m->engine, h->ctx, pmu_fp_on(h->pmu));
}

void machine_start_hart(struct machine *m, struct hart *h, uint64_t pc,
			uint64_t arg)
{
	static const struct hart_state zero;

	engine_ctx_load(m->engine, h->ctx, &zero);
	machine_set_pc(m, h, pc);
	engine_set(m->engine, h->ctx, REG_A0, machine_index(m, h));
	engine_set(m->engine, h->ctx, REG_A1, arg);
	machine_sync_fp(m, h);
	h->wait = WAIT_NONE;
	m->sched.status[machine_index(m, h)] = HART_RUNNING;
	machine_record_change(m, h, CHANGE_STARTED);
}

/* The hart runs no more: its cycles move the clock no more. */
static void leave(struct machine *m, struct hart *h)
{
	if (m->clock.running == h->pmu)
		clock_stop(&m->clock);
	m->plan.stale = true;
}

void machine_wake_hart(struct machine *m, struct hart *h)
{
	machine_account_wait(m, h);
	m->sched.status[machine_index(m, h)] = HART_RUNNING;
	machine_record_change(m, h, CHANGE_WOKEN);
	if (h->wait != WAIT_SUSPEND)
		return;
	h->wait = WAIT_NONE;
	fw_hart_resumed(m->fw, machine_index(m, h));
}

void machine_stop_hart(struct machine *m, struct hart *h)
{
	if (m->sched.status[machine_index(m, h)] == HART_WAITING)
		machine_account_wait(m, h);
	leave(m, h);
	h->wait = WAIT_NONE;
	m->sched.status[machine_index(m, h)] = HART_STOPPED;
	machine_record_change(m, h, CHANGE_STOPPED);
}

static uint64_t add(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static void find_overflow(struct machine *m, struct hart *h)
{
	h->overflow_at = UINT64_MAX;
	if (m->cfg.settings.wfi_cycles == SETTINGS_WFI_COUNT)
		h->overflow_at = add(h->waited, pmu_hart_idle_limit(h->pmu));
}

void machine_wait_hart(struct machine *m, struct hart *h, enum hart_wait wait,
		       uint64_t next_pc)
{
	leave(m, h);
	h->wait = wait;
	h->next_pc = next_pc;
	h->waited = machine_now(m);
	find_overflow(m, h);
	m->sched.status[machine_index(m, h)] = HART_WAITING;
	machine_next_moment(m);
	machine_record_change(m, h, CHANGE_WAITING);
}

void machine_account_wait(struct machine *m, struct hart *h)
{
	uint64_t now = machine_now(m);

	if (m->cfg.settings.wfi_cycles != SETTINGS_WFI_COUNT)
		h->waited = now;
	while (h->waited < now) {
		uint64_t to = now < h->overflow_at ? now : h->overflow_at;

		pmu_hart_idle(h->pmu, to - h->waited);
		h->waited = to;
		if (to < h->overflow_at)
			continue;
		machine_record_overflows(m, h, machine_pc(m, h));
		find_overflow(m, h);
	}
}

/* What a change from outside may have done to the waiting of @h. */
static void account_waiting_one(struct machine *m, struct hart *h)
{
	if (m->sched.status[machine_index(m, h)] != HART_WAITING)
		return;
	machine_account_wait(m, h);
	find_overflow(m, h);
}

void machine_account_waiting(struct machine *m)
{
	for (unsigned i = 0; i < m->cfg.harts; i++)
		account_waiting_one(m, &m->harts[i]);
}

uint64_t machine_wait_event(struct machine *m)
{
	uint64_t first = UINT64_MAX;

	for (unsigned i = 0; i < m->cfg.harts; i++)
		if (m->sched.status[i] == HART_WAITING &&
		    m->harts[i].overflow_at < first)
			first = m->harts[i].overflow_at;
	return first;
}

uint64_t machine_hart_timer(struct machine *m, const struct hart *h)
{
	unsigned i = machine_index(m, h);
	uint64_t now = machine_now(m);
	uint64_t first = board_timer_next(m->board, i);
	uint64_t t;

	if (m->fw) {
		t = fw_timer_next(m->fw, i);
		if (t < first)
			first = t;
	}
	t = pmu_timer_next(h->pmu, now);
	return t < first ? t : first;
}

static const char *event_name(const struct pmu_overflow *o)
{
	const struct pmu_event_desc *desc =
		pmu_event_by_selector(o->event & PMU_EVENT_SELECTOR);

	return desc ? desc->name : NULL;
}

void machine_record_overflows(struct machine *m, struct hart *h,
			      uint64_t last_pc)
{
	struct pmu_overflow found[PMU_N_COUNTERS];
	unsigned n = pmu_hart_take_overflows(h->pmu, found);
	struct record_at at;
	uint64_t pending = 0;

	if (!n)
		return;
	m->plan.irq = true;
	m->plan.room_stale = true;
	at = machine_at(m, h,
			h->wait == WAIT_WFI ? h->next_pc : machine_pc(m, h));
	pmu_csr_peek(h->pmu, PMU_CSR_SCOUNTOVF, at.cycle, &pending);
	for (unsigned i = 0; i < n; i++) {
		struct record_overflow o = {
			.overflow = &found[i],
			.event = event_name(&found[i]),
			.raised = found[i].raised,
			.time = pmu_time(&m->timebase, at.cycle),
			.last_pc = last_pc,
			.pending = (uint32_t)pending,
		};

		record_overflow(m->recorder, &at, &o);
	}
}
