/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What leaves the engine: an instruction of the host's, a fault, an interrupt
 * that is due. After each one the same questions are asked as at the end of a
 * block (C163): does anything forbid to go on?
 */
#include "machine-exit.h"

#include <stdlib.h>
#include <string.h>

#include <pmu/counter.h>
#include <pmu/csr-number.h>
#include <pmu/ebb-unit.h>
#include <pmu/exec.h>
#include <pmu/insn-field.h>
#include <pmu/insn.h>

#include "engine/engine-feed.h"
#include "deliveries.h"
#include "injections.h"
#include "machine-console.h"
#include "machine-csr.h"
#include "machine-guest.h"
#include "machine-note.h"
#include "machine-trap.h"
#include "machine-uarch.h"
#include "plan.h"

enum {
	EXIT_COST = 64,	 /* host work of an exit, in instructions */
	QUIET_COST = 16, /* and of one that is none */
};

struct runner {
	const struct hart *h; /* that runs */
	enum engine_regime regime;
	unsigned told; /* PMU_LOOK_... of what the engine executes */
};

struct runner *runner_new(void)
{
	return calloc(1, sizeof(struct runner));
}

void runner_free(struct runner *x)
{
	free(x);
}

static enum engine_regime regime_of(enum pmu_mode mode)
{
	return pmu_mode_is_user(mode) ? ENGINE_USER : ENGINE_KERNEL;
}

/* Each pair of modes, that of fetches and that of data, has its own. */
static void choose_translations(struct machine *m, const struct pmu_hart *h)
{
	engine_set_space(m->engine, (uint8_t)pmu_hart_mode(h),
			 (uint8_t)pmu_data_mode(h));
}

static enum engine_next go_on(struct machine *m, const struct hart *h)
{
	uint64_t now = machine_now(m);
	struct pmu_trap trap;

	if (m->recorder->full)
		return ENGINE_STOP;
	switch (plan_next(m->plan)) {
	case PLAN_STOP:
		return ENGINE_STOP;
	case PLAN_ASK:
		if (hart_has_event(m, h) ||
		    pmu_interrupt_next(h->pmu, now, &trap) ||
		    pmu_hart_branches(h->pmu))
			return ENGINE_STOP;
		plan_no_irq(m->plan);
		break;
	case PLAN_GO:
		break;
	}
	if (regime_of(pmu_hart_mode(h->pmu)) != m->runner->regime &&
	    !engine_spans_regimes(m->engine))
		return ENGINE_STOP;
	choose_translations(m, h->pmu);
	if (uarch_enter(m, h) != m->runner->told)
		return ENGINE_STOP;
	return plan_set_budget(m->plan, h->pmu, now) ? ENGINE_RESUME
						     : ENGINE_STOP;
}

static void apply_effects(struct machine *m, const struct hart *h,
			  unsigned effects)
{
	bool all = effects & PMU_FX_TLB;

	if (effects & PMU_FX_SUM && !m->cfg->settings.sum_pages)
		all = true;
	if (all)
		engine_flush_tlb(m->engine);
	else if (effects & PMU_FX_SUM)
		engine_sum_cleared(m->engine);
	/* Its address may be another page's there; who fences drops it, too. */
	if (effects & PMU_FX_MODE)
		engine_drop_reservation(m->engine, h->ctx);
	if (effects & (PMU_FX_FS | PMU_FX_MODE))
		hart_sync_fp(m, h);
}

/* To a user's own handler, when nothing else is due here. */
static bool take_branch(struct machine *m, const struct hart *h)
{
	uint32_t overflown;
	uint64_t pc;
	struct record_at at;
	struct record_delivery d;

	if (!pmu_hart_branches(h->pmu)) {
		plan_no_irq(m->plan);
		return false;
	}
	engine_drop_reservation(m->engine, h->ctx);
	pc = hart_pc(m, h);
	overflown = pmu_hart_branch_counters(h->pmu);
	at = hart_at(m, h, pc);
	record_hart(m->recorder, &at, CHANGE_EVENT_BRANCH, overflown);
	d = deliveries_of_branch(m, h, overflown);
	d.handler = pmu_hart_branch(h->pmu, pc);
	hart_set_pc(m, h, d.handler);
	deliveries_record(m, h, &at, &d);
	injections_moved(m->injections, h);
	/* It takes no cycle: what comes from outside now is behind it. */
	turn_next_moment(m->turn);
	plan_moment_passed(m->plan);
	plan_spend(m->plan, EXIT_COST);
	return true;
}

bool runner_take_interrupt(struct machine *m, const struct hart *h)
{
	struct pmu_trap trap;
	bool found = pmu_interrupt_next(h->pmu, machine_now(m), &trap);
	bool due = hart_has_event(m, h);

	if (!found && !due)
		return take_branch(m, h);
	trap.pc = hart_pc(m, h);
	/* Ahead of S-mode's interrupts; LCOFI may bring one that goes first. */
	if (due && !(found && pmu_trap_target(h->pmu, &trap) == PMU_MODE_M))
		trap_deliver_event(m, h);
	else
		trap_take(m, h, &trap, 0);
	plan_spend(m->plan, EXIT_COST);
	return true;
}

/* Instructions */

static void read_operands(struct machine *m, const struct hart *h,
			  struct pmu_exec_in *in)
{
	unsigned funct3 = pmu_insn_funct3(in->insn);
	unsigned rs1 = pmu_insn_rs1(in->insn), rs2 = pmu_insn_rs2(in->insn);

	if (rs1 && funct3 <= 4)
		in->rs1 = engine_get(m->engine, h->ctx, ENGINE_X0 + rs1);
	if (rs2 && funct3 == 4) /* to store; what the fences name is ignored */
		in->rs2 = engine_get(m->engine, h->ctx, ENGINE_X0 + rs2);
	if (funct3 && pmu_insn_csr(in->insn) <= PMU_CSR_FCSR)
		in->fcsr = (uint32_t)engine_get(m->engine, h->ctx, ENGINE_FCSR);
}

static void retired(struct machine *m, const struct hart *h,
		    const struct pmu_exec_out *out)
{
	if (out->rd)
		engine_set(m->engine, h->ctx, ENGINE_X0 + out->rd,
			   out->rd_value);
	if (out->effects & PMU_FX_FCSR)
		engine_set(m->engine, h->ctx, ENGINE_FCSR, out->fcsr);
	hart_set_pc(m, h, out->next_pc);
	if (out->effects)
		apply_effects(m, h, out->effects);
	plan_executed(m->plan, out->effects);
}

static void wait_for_interrupt(struct machine *m, const struct hart *h,
			       const struct pmu_exec_out *out)
{
	if (!pmu_hart_wakes(h->pmu, machine_now(m))) {
		hart_begin_wait(m, h, WAIT_WFI, out->next_pc);
		return;
	}
	pmu_exec_wake(h->pmu);
	retired(m, h, out);
	plan_interrupts_changed(m->plan);
}

/* A hypervisor load or store. Returns false when it has trapped. */
static bool access_guest(struct machine *m, const struct hart *h,
			 const struct engine_exit *exit,
			 struct pmu_exec_out *out)
{
	const struct pmu_exec_access *a = &out->access;
	struct pmu_trap trap = { .pc = exit->pc };
	uint64_t loaded;

	if (!guest_access(m, h, a, &loaded, &trap)) {
		if (!trap.tinst)
			trap.tinst = pmu_insn_transform(
				exit->insn, pmu_hart_config(h->pmu)->xlen,
				(unsigned)(trap.tval - a->vaddr));
		trap_take(m, h, &trap, exit->insn);
		return false;
	}
	if (a->store)
		engine_drop_reservation(m->engine, h->ctx);
	plan_count(m->plan, a->store ? PMU_EV_STORES : PMU_EV_LOADS);
	pmu_exec_accessed(h->pmu, loaded, out);
	retired(m, h, out);
	console_flush(m);
	notes_flush(m);
	return true;
}

static void execute(struct machine *m, const struct hart *h,
		    const struct engine_exit *exit)
{
	struct pmu_exec_in in = {
		.pc = exit->pc,
		.insn = exit->insn,
		.now = machine_now(m),
	};
	struct pmu_exec_out out = { 0 };

	read_operands(m, h, &in);
	if (m->recorder->csr_accesses)
		csr_exec_recorded(m, h, &in, &out);
	else
		pmu_exec(h->pmu, &in, &out);
	switch (out.kind) {
	case PMU_EXEC_RETIRED:
		if (out.effects & PMU_FX_TLB_PAGE) {
			engine_fence_page(m->engine, in.rs1);
			out.effects &= ~(unsigned)PMU_FX_TLB;
		}
		retired(m, h, &out);
		uarch_retired(m, h, exit->insn);
		break;
	case PMU_EXEC_WAIT:
		wait_for_interrupt(m, h, &out);
		break;
	case PMU_EXEC_TRAP:
		trap_take(m, h, &out.trap, exit->insn);
		return;
	case PMU_EXEC_ACCESS:
		if (!access_guest(m, h, exit, &out))
			return;
		break;
	}
	hart_record_overflows(m, h, exit->pc);
}

static void fault(struct machine *m, const struct hart *h,
		  const struct engine_exit *exit)
{
	struct pmu_trap trap = {
		.cause = exit->cause,
		.pc = exit->pc,
		.tval = exit->tval,
	};

	guest_describe_fault(m, h, exit, &trap);
	trap_take(m, h, &trap, 0);
}

enum engine_next runner_on_exit(void *host, const struct engine_exit *exit)
{
	struct machine *m = host;
	const struct hart *h = m->runner->h;

	plan_advance(m->plan, h->pmu);
	plan_spend(m->plan, EXIT_COST);
	switch (exit->kind) {
	case ENGINE_EXIT_INSN:
		execute(m, h, exit);
		break;
	case ENGINE_EXIT_FAULT:
		fault(m, h, exit);
		break;
	}
	return go_on(m, h);
}

/*
 * What is asked after each exit has the answer that it had before a quiet one,
 * unless the plan is changed already or each instruction is looked at. The time
 * is that of the last account: a timer that rises behind it is where the plan
 * ends, whoever may be interrupted.
 */
bool runner_quiet(void *host, struct pmu_csr_req *req, uint64_t *ret_old)
{
	struct machine *m = host;
	const struct hart *h = m->runner->h;
	unsigned effects;

	if (m->recorder->csr_accesses || plan_next(m->plan) != PLAN_GO)
		return false;
	req->now = machine_now(m);
	if (!pmu_csr_quiet(h->pmu, req, ret_old, &effects))
		return false;
	plan_spend(m->plan, QUIET_COST);
	if (effects & PMU_FX_FS)
		hart_sync_fp(m, h);
	return true;
}

int runner_run(struct machine *m, const struct hart *h)
{
	struct runner *x = m->runner;

	choose_translations(m, h->pmu);
	hart_sync_fp(m, h);
	x->told = uarch_enter(m, h);
	if (engine_feed(m->engine, x->told) < 0)
		return -ENGINE_ENOMEM;
	x->h = h;
	x->regime = regime_of(pmu_hart_mode(h->pmu));
	return engine_run(m->engine, h->ctx, x->regime, plan_budget(m->plan));
}
