/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What leaves the engine: an instruction of the host's, a fault, an interrupt
 * that is due. Here they go through libpmu, and through the firmware model if
 * they end in M-mode and it is there. After each one the same questions are
 * asked as at the end of a block (C163): does anything forbid to go on?
 */
#include <string.h>

#include <pmu/csr-number.h>
#include <pmu/insn.h>

#include "machine-inside.h"

enum {
	EXIT_COST = 64, /* host work of an exit, in instructions */
	N_ARGS = 8,	/* a0-a7 */
	REG_A0 = 10,
};

static enum engine_regime regime_of(enum pmu_mode mode)
{
	return pmu_mode_is_user(mode) ? ENGINE_USER : ENGINE_KERNEL;
}

static void spend(struct machine *m, uint64_t work)
{
	m->host_left -= m->host_left < work ? m->host_left : work;
}

void machine_advance(struct machine *m)
{
	struct engine_budget *b = &m->budget;

	pmu_hart_advance(machine_current(m)->pmu, &b->done);
	spend(m, b->done.n[PMU_EV_INSNS]);
	for (unsigned i = 0; i < PMU_N_ENGINE_EVENTS; i++) {
		m->plan.room.n[i] -= b->done.n[i];
		b->done.n[i] = 0;
	}
}

/* Instructions until the clock has reached the plan's: rounded up. */
static uint64_t insns_to(const struct machine *m, uint64_t cycles)
{
	uint64_t cpi = m->cfg.settings.cpi;

	return cpi == 1 ? cycles : cycles / cpi + (cycles % cpi != 0);
}

bool machine_set_budget(struct machine *m)
{
	struct plan *p = &m->plan;
	const struct pmu_hart *h = machine_current(m)->pmu;
	uint64_t now = machine_now(m), own = pmu_hart_insns(h);
	uint64_t n;

	if (now >= p->clock || own >= p->insns)
		return false;
	if (p->room_stale)
		pmu_hart_limits(h, &p->room);
	p->room_stale = false;
	m->budget.limit = p->room;
	n = insns_to(m, p->clock - now);
	if (p->insns - own < n)
		n = p->insns - own;
	if (n < m->budget.limit.n[PMU_EV_INSNS])
		m->budget.limit.n[PMU_EV_INSNS] = n;
	m->budget.soft = m->host_left;
	return true;
}

/*
 * The kernel's translations that the engine holds are those of one pair of
 * modes, the user's those of U or of VU.
 */
static void check_modes(struct machine *m, const struct pmu_hart *h)
{
	enum pmu_mode mode = pmu_hart_mode(h), data;

	if (regime_of(mode) == ENGINE_USER) {
		if (mode == m->user_mode)
			return;
		m->user_mode = mode;
	} else {
		data = pmu_data_mode(h);
		if (mode == m->kernel_mode && data == m->kernel_data_mode)
			return;
		m->kernel_mode = mode;
		m->kernel_data_mode = data;
	}
	engine_flush_tlb(m->engine);
}

static bool is_watched(const struct machine *m)
{
	return m->n_breakpoints || m->until.has_pc || m->skip_break;
}

static enum engine_next go_on(struct machine *m, struct hart *h)
{
	struct pmu_trap trap;

	if (m->plan.stale || !m->host_left || is_watched(m) ||
	    m->recorder->full)
		return ENGINE_STOP;
	if (m->plan.irq) {
		if (machine_event_due(m, h) ||
		    pmu_interrupt_next(h->pmu, machine_now(m), &trap))
			return ENGINE_STOP;
		m->plan.irq = false;
	}
	if (regime_of(pmu_hart_mode(h->pmu)) != m->regime)
		return ENGINE_STOP;
	check_modes(m, h->pmu);
	return machine_set_budget(m) ? ENGINE_RESUME : ENGINE_STOP;
}

static void apply_effects(struct machine *m, struct hart *h, unsigned effects)
{
	if (effects & PMU_FX_TLB)
		engine_flush_tlb(m->engine);
	if (effects & (PMU_FX_FS | PMU_FX_MODE))
		machine_sync_fp(m, h);
	if (effects & (PMU_FX_MODE | PMU_FX_COUNT))
		m->plan.room_stale = true;
	if (effects & (PMU_FX_MODE | PMU_FX_IRQ))
		m->plan.irq = true;
	if (effects & PMU_FX_TIMER)
		m->plan.stale = true;
}

/* Traps */

/* Registers as the firmware asks for them: arguments come all at once. */
struct regs {
	struct machine *m;
	struct hart *h;
	bool have_args;
	uint64_t args[N_ARGS];
};

static const uint64_t *get_args(struct regs *r)
{
	if (!r->have_args)
		engine_get_args(r->m->engine, r->h->ctx, r->args);
	r->have_args = true;
	return r->args;
}

static uint64_t get_reg(void *arg, unsigned x)
{
	struct regs *r = arg;

	if (x >= REG_A0 && x < REG_A0 + N_ARGS)
		return get_args(r)[x - REG_A0];
	return engine_get(r->m->engine, r->h->ctx, ENGINE_X0 + x);
}

static void write_regs(struct machine *m, struct hart *h,
		       const struct fw_regs *out)
{
	machine_set_pc(m, h, out->pc);
	for (unsigned i = 0; i < out->n; i++)
		if (out->reg[i].x)
			engine_set(m->engine, h->ctx, out->reg[i].x,
				   out->reg[i].value);
}

/* @out: what it wrote to registers, nothing if it handed the trap on. */
static void firmware_handles(struct regs *r, const struct pmu_trap *trap,
			     uint32_t insn, struct fw_regs *out)
{
	struct machine *m = r->m;
	struct fw_trap t = {
		.trap = trap,
		.insn = trap->cause == PMU_CAUSE_ILLEGAL ? insn : 0,
		.now = machine_now(m),
		.get = get_reg,
		.regs = r,
	};

	switch (fw_trap(m->fw, machine_index(m, r->h), &t, out)) {
	case FW_DONE:
		write_regs(m, r->h, out);
		break;
	case FW_REDIRECT:
		machine_set_pc(m, r->h, pmu_trap_redirect(r->h->pmu, trap));
		break;
	case FW_GONE:
		break;
	}
}

/* What the records of a trap to the firmware need, from before it. */
struct before {
	struct record_at at;
	struct record_sbi sbi;
	bool call;
};

static void look_before(struct regs *r, const struct pmu_trap *trap,
			struct before *ret)
{
	ret->at = machine_at(r->m, r->h, trap->pc);
	ret->call = !trap->interrupt && trap->cause == PMU_CAUSE_ECALL_S &&
		    r->m->recorder->sbi_calls;
	if (ret->call)
		memcpy(ret->sbi.args, get_args(r), sizeof(ret->sbi.args));
}

/*
 * A legacy call answers in a0 alone; one whose pointer faulted and SSE.complete
 * not at all.
 */
static void record_answer(const struct fw_regs *answer, unsigned xlen,
			  struct record_sbi *ret)
{
	ret->returned = answer->n > 0 && answer->reg[0].x == REG_A0;
	if (ret->returned)
		ret->error = (int64_t)answer->reg[0].value;
	if (answer->n > 1 && answer->reg[1].x == REG_A0 + 1)
		ret->value = xlen == 32 ? (uint32_t)answer->reg[1].value
					: answer->reg[1].value;
}

static void record_firmware(struct regs *r, const struct pmu_trap *trap,
			    struct before *before, const struct fw_regs *answer)
{
	struct machine *m = r->m;

	record_answer(answer, pmu_hart_config(r->h->pmu)->xlen, &before->sbi);
	if (before->call && before->sbi.returned)
		fw_refusal_text(fw_refusal(m->fw), before->sbi.reason,
				sizeof(before->sbi.reason));
	if (before->call)
		record_sbi(m->recorder, &before->at, &before->sbi);
	if (m->recorder->traps)
		record_trap(m->recorder, &before->at,
			    &(struct record_trap){
				    .trap = trap,
				    .to_firmware = true,
				    .handler = machine_pc(m, r->h),
			    });
}

/* A trap that ends in M-mode while the firmware model is there. */
static void to_firmware(struct machine *m, struct hart *h,
			const struct pmu_trap *trap, uint32_t insn)
{
	bool recorded = m->recorder->traps || m->recorder->sbi_calls;
	struct regs regs = { .m = m, .h = h };
	struct before before = { 0 };
	struct fw_regs out = { 0 };

	if (recorded)
		look_before(&regs, trap, &before);
	pmu_trap_account(h->pmu, trap);
	m->here = trap->pc;
	firmware_handles(&regs, trap, insn, &out);
	if (recorded)
		record_firmware(&regs, trap, &before, &out);
}

static void to_guest(struct machine *m, struct hart *h,
		     const struct pmu_trap *trap)
{
	struct record_at at;
	uint64_t pc;

	if (m->recorder->traps)
		at = machine_at(m, h, trap->pc);
	pc = pmu_trap_enter(h->pmu, trap);
	if (m->fw && trap->interrupt)
		fw_interrupt_taken(m->fw, machine_index(m, h), trap);
	machine_set_pc(m, h, pc);
	if (m->recorder->traps)
		record_trap(m->recorder, &at,
			    &(struct record_trap){
				    .trap = trap,
				    .target = pmu_hart_mode(h->pmu),
				    .handler = pc,
			    });
}

static void take_trap(struct machine *m, struct hart *h,
		      const struct pmu_trap *trap, uint32_t insn)
{
	engine_drop_reservation(m->engine, h->ctx);
	if (m->fw && pmu_trap_target(h->pmu, trap) == PMU_MODE_M)
		to_firmware(m, h, trap, insn);
	else
		to_guest(m, h, trap);
	machine_sync_fp(m, h);
	m->plan.room_stale = true;
	m->plan.irq = true;
	machine_record_overflows(m, h, trap->pc);
	machine_watch_traps(m, h, trap);
}

/* The firmware delivers a software event: no trap, at no cost. */
static void deliver_event(struct machine *m, struct hart *h)
{
	struct pmu_trap at = { .pc = machine_pc(m, h) };
	struct regs regs = { .m = m, .h = h };
	struct fw_trap t = {
		.trap = &at,
		.now = machine_now(m),
		.get = get_reg,
		.regs = &regs,
	};
	struct fw_regs out = { 0 };

	engine_drop_reservation(m->engine, h->ctx);
	machine_record_change(m, h, CHANGE_SOFTWARE_EVENT);
	fw_sse_deliver(m->fw, machine_index(m, h), &t, &out);
	write_regs(m, h, &out);
	machine_next_moment(m);
	m->plan.stale = true;
}

bool machine_event_due(const struct machine *m, const struct hart *h)
{
	return m->fw && fw_sse_due(m->fw, machine_index(m, h));
}

bool machine_take_interrupt(struct machine *m)
{
	struct hart *h = machine_current(m);
	struct pmu_trap trap;
	bool found = pmu_interrupt_next(h->pmu, machine_now(m), &trap);
	bool due = machine_event_due(m, h);

	if (!found && !due) {
		m->plan.irq = false;
		return false;
	}
	trap.pc = machine_pc(m, h);
	/* Ahead of S-mode's interrupts; LCOFI may bring one that goes first. */
	if (due && !(found && pmu_trap_target(h->pmu, &trap) == PMU_MODE_M))
		deliver_event(m, h);
	else
		take_trap(m, h, &trap, 0);
	spend(m, EXIT_COST);
	return true;
}

/* Instructions */

static void read_operands(struct machine *m, const struct hart *h,
			  struct pmu_exec_in *in)
{
	unsigned funct3 = in->insn >> 12 & 7;
	unsigned rs1 = in->insn >> 15 & 31, rs2 = in->insn >> 20 & 31;

	if (rs1 && funct3 <= 4)
		in->rs1 = engine_get(m->engine, h->ctx, ENGINE_X0 + rs1);
	if (rs2 && funct3 == 4) /* to store; what the fences name is ignored */
		in->rs2 = engine_get(m->engine, h->ctx, ENGINE_X0 + rs2);
	if (funct3 && in->insn >> 20 <= PMU_CSR_FCSR)
		in->fcsr = (uint32_t)engine_get(m->engine, h->ctx, ENGINE_FCSR);
}

static void retired(struct machine *m, struct hart *h,
		    const struct pmu_exec_out *out)
{
	m->plan.room.n[PMU_EV_INSNS]--;
	if (out->rd)
		engine_set(m->engine, h->ctx, ENGINE_X0 + out->rd,
			   out->rd_value);
	if (out->effects & PMU_FX_FCSR)
		engine_set(m->engine, h->ctx, ENGINE_FCSR, out->fcsr);
	machine_set_pc(m, h, out->next_pc);
	if (out->effects)
		apply_effects(m, h, out->effects);
}

static void wait_for_interrupt(struct machine *m, struct hart *h,
			       const struct pmu_exec_out *out)
{
	if (!pmu_hart_wakes(h->pmu, machine_now(m))) {
		machine_wait_hart(m, h, WAIT_WFI, out->next_pc);
		return;
	}
	pmu_exec_wake(h->pmu);
	retired(m, h, out);
	m->plan.irq = true;
}

/* A hypervisor load or store. Returns false when it has trapped. */
static bool access_guest(struct machine *m, struct hart *h,
			 const struct engine_exit *exit,
			 struct pmu_exec_out *out)
{
	const struct pmu_exec_access *a = &out->access;
	struct pmu_trap trap = { .pc = exit->pc };
	uint64_t loaded;

	if (!machine_guest_access(m, a, &loaded, &trap)) {
		if (!trap.tinst)
			trap.tinst = pmu_insn_transform(
				exit->insn, pmu_hart_config(h->pmu)->xlen,
				(unsigned)(trap.tval - a->vaddr));
		take_trap(m, h, &trap, exit->insn);
		return false;
	}
	if (a->store)
		engine_drop_reservation(m->engine, h->ctx);
	m->plan.room.n[a->store ? PMU_EV_STORES : PMU_EV_LOADS]--;
	pmu_exec_accessed(h->pmu, loaded, out);
	retired(m, h, out);
	machine_flush_console(m);
	return true;
}

static void execute(struct machine *m, struct hart *h,
		    const struct engine_exit *exit)
{
	struct pmu_exec_in in = {
		.pc = exit->pc,
		.insn = exit->insn,
		.now = machine_now(m),
	};
	struct pmu_exec_out out = { 0 };

	read_operands(m, h, &in);
	pmu_exec(h->pmu, &in, &out);
	switch (out.kind) {
	case PMU_EXEC_RETIRED:
		retired(m, h, &out);
		break;
	case PMU_EXEC_WAIT:
		wait_for_interrupt(m, h, &out);
		break;
	case PMU_EXEC_TRAP:
		take_trap(m, h, &out.trap, exit->insn);
		return;
	case PMU_EXEC_ACCESS:
		if (!access_guest(m, h, exit, &out))
			return;
		break;
	}
	machine_record_overflows(m, h, exit->pc);
}

static void fault(struct machine *m, struct hart *h,
		  const struct engine_exit *exit)
{
	struct pmu_trap trap = {
		.cause = exit->cause,
		.pc = exit->pc,
		.tval = exit->tval,
	};

	machine_describe_fault(m, h, exit, &trap);
	take_trap(m, h, &trap, 0);
}

enum engine_next machine_on_exit(void *host, const struct engine_exit *exit)
{
	struct machine *m = host;
	struct hart *h = machine_current(m);

	machine_advance(m);
	spend(m, EXIT_COST);
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

enum engine_regime machine_enter_regime(struct machine *m)
{
	struct hart *h = machine_current(m);

	check_modes(m, h->pmu);
	machine_sync_fp(m, h);
	m->regime = regime_of(pmu_hart_mode(h->pmu));
	return m->regime;
}
