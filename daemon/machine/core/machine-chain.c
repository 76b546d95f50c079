/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Who called whom at a sample: each function's code says how it will return
 * (chain-return.h). One that never does is believed to have the frame that the
 * calling convention lays out, below fp the return address and below that the
 * caller's fp, but not the sampled one, which may not have made it yet. Every
 * step is checked, and a chain that cannot go on says why; nothing is guessed.
 */
#include "machine-chain.h"

#include <pmu/csr-number.h>
#include <pmu/csr.h>
#include <pmu/insn.h>

#include "chain-return.h"
#include "machine.h"
#include "plan.h"
#include "recorder.h"

enum {
	STACK_ALIGNED = 16, /* by the calling convention */
	FOLLOW_COST = 16,   /* of an instruction, in those of plan_spend() */
};

struct chain {
	struct chain_reader reader;
	struct chain_regs regs;
	uint64_t pc;
	uint64_t own; /* where the sampled function goes on behind t0's call */
	bool called;  /* it is behind a call, else all registers are live */
	struct record_sample *to;
	uint64_t *callers;
};

/* False: there are as many as there may be. */
static bool add(struct chain *c, uint64_t pc)
{
	if (c->to->n_callers == SAMPLE_MAX_CALLERS) {
		c->to->end = CHAIN_LIMIT;
		return false;
	}
	c->callers[c->to->n_callers++] = pc;
	return true;
}

/* Goes on behind a call at @pc: that has lost what it need not keep. */
static void go_behind_call(struct chain *c, uint64_t pc)
{
	c->pc = pc;
	c->called = true;
	c->regs.known &= CHAIN_KEPT;
}

/* The registers behind the sampled instruction, and what is behind a trap. */
static void read_registers(struct chain *c, const struct machine *m,
			   const struct hart *h)
{
	enum pmu_mode mode = c->reader.mode;
	bool is_m = mode == PMU_MODE_M, is_vs = mode == PMU_MODE_VS;
	uint16_t epc = is_m    ? PMU_CSR_MEPC
		       : is_vs ? PMU_CSR_VSEPC
			       : PMU_CSR_SEPC;
	uint16_t status = is_m	  ? PMU_CSR_MSTATUS
			  : is_vs ? PMU_CSR_VSSTATUS
				  : PMU_CSR_SSTATUS;
	struct chain_regs *r = &c->regs;

	for (unsigned x = 0; x < CHAIN_REGISTERS; x++) {
		r->x[x] = engine_get(m->engine, h->ctx, ENGINE_X0 + x);
		if (c->reader.size == 4)
			r->x[x] = (uint32_t)r->x[x];
	}
	r->known = UINT32_MAX;
	r->epc_known = !pmu_csr_peek(h->pmu, epc, 0, &r->epc);
	r->status_known = !pmu_csr_peek(h->pmu, status, 0, &r->status);
}

static bool jumps(const struct pmu_insn_effect *e)
{
	return e->kind == PMU_EFFECT_JUMP || e->kind == PMU_EFFECT_JUMP_TO ||
	       e->kind == PMU_EFFECT_BRANCH ||
	       e->kind == PMU_EFFECT_TRAP_RETURN;
}

/* Can @e, which is at @from, go on at @to? */
static bool leads_to(const struct chain *c, const struct pmu_insn_effect *e,
		     uint64_t from, uint64_t to)
{
	uint64_t imm = (uint64_t)(int64_t)e->imm, base = from;

	if (!jumps(e) || (e->kind == PMU_EFFECT_BRANCH && to == from + e->len))
		return to == from + e->len;
	if (e->kind == PMU_EFFECT_TRAP_RETURN || (e->rd && e->rd == e->rs1))
		return true;
	if (e->kind == PMU_EFFECT_JUMP_TO)
		base = c->regs.x[e->rs1];
	base = (base + imm) & ~UINT64_C(1);
	return to == (c->reader.size == 4 ? (uint32_t)base : base);
}

/* It trapped, or was interrupted, within its mode, and has gone no further. */
static bool start_at_trap(struct chain *c, const struct pmu_insn_effect *e)
{
	uint64_t last = c->to->last_pc;

	c->pc = c->regs.epc;
	if (c->regs.epc_known &&
	    (c->pc == last || leads_to(c, e, last, c->pc))) {
		/* whatever trap was before */
		c->regs.epc_known = c->regs.status_known = false;
		return true;
	}
	c->to->end = CHAIN_NO_RETURN;
	return false;
}

/*
 * Registers are those behind the sampled instruction, the callers are its own.
 * A call has gone into another function, a return is out of its own.
 */
static bool start(struct chain *c, uint64_t pc)
{
	uint64_t last = c->to->last_pc, behind;
	struct pmu_insn_effect e;

	c->pc = pc;
	if (!chain_effect(&c->reader, last, &e)) {
		c->to->end = CHAIN_UNREADABLE;
		return false;
	}
	if (!leads_to(c, &e, last, pc))
		return start_at_trap(c, &e);
	behind = last + e.len;
	if (jumps(&e) && e.rd == PMU_X_RA) {
		go_behind_call(c, behind);
	} else if (jumps(&e) && e.rd == PMU_X_T0) {
		c->own = behind;
	} else if (e.kind == PMU_EFFECT_TRAP_RETURN) {
		return add(c, pc);
	} else if (e.kind == PMU_EFFECT_JUMP_TO && !e.rd && !e.imm &&
		   (e.rs1 == PMU_X_RA || e.rs1 == PMU_X_T0) &&
		   chain_follows_call(&c->reader, pc, e.rs1)) {
		if (e.rs1 == PMU_X_RA)
			go_behind_call(c, pc);
		return add(c, pc);
	}
	return true;
}

/* By the frame at fp, of a function that is behind a call. */
static enum chain_end step_by_frame(struct chain *c)
{
	uint64_t fp = c->regs.x[PMU_X_FP], ra, next;
	unsigned size = c->reader.size;

	if (fp % STACK_ALIGNED || fp < c->regs.x[PMU_X_SP])
		return CHAIN_BAD_FRAME;
	if (!chain_load(&c->reader, fp - size, &ra) ||
	    !chain_load(&c->reader, fp - 2 * size, &next))
		return CHAIN_UNREADABLE;
	if (!ra)
		return CHAIN_BOTTOM;
	if (!chain_follows_call(&c->reader, ra, PMU_X_RA))
		return CHAIN_BAD_RETURN;
	if (!add(c, ra))
		return CHAIN_LIMIT;
	/* Stacks grow down: a caller's frame is above. */
	if (next && next <= fp)
		return CHAIN_BAD_FRAME;
	c->regs.x[PMU_X_SP] = fp;
	c->regs.x[PMU_X_FP] = next;
	c->regs.known = 1u << PMU_X_SP | 1u << PMU_X_FP | 1;
	c->pc = ra;
	return CHAIN_NONE;
}

static enum chain_end step_without_return(struct chain *c)
{
	uint64_t fp = c->regs.x[PMU_X_FP];

	if (!fp && (c->called || !c->regs.x[PMU_X_RA]))
		return CHAIN_BOTTOM;
	if (!c->called)
		return CHAIN_NO_RETURN;
	return step_by_frame(c);
}

/* To the caller or what was interrupted, at @pc; registers are its already. */
static enum chain_end go_up(struct chain *c, enum chain_way way,
			    const struct chain_regs *from, uint64_t pc)
{
	uint64_t sp = c->regs.x[PMU_X_SP], fp = c->regs.x[PMU_X_FP];
	bool moves = sp != from->x[PMU_X_SP] || fp != from->x[PMU_X_FP] ||
		     !c->called || pc != c->pc;
	/* Stacks grow down, and frames do. */
	bool falls = sp < from->x[PMU_X_SP] && fp <= from->x[PMU_X_FP];

	if (c->regs.through && c->regs.through != c->own &&
	    !add(c, c->regs.through))
		return CHAIN_LIMIT;
	c->regs.through = c->own = 0;
	if (!add(c, pc))
		return CHAIN_LIMIT;
	if (way == CHAIN_WAY_CALLER) {
		go_behind_call(c, pc);
	} else {
		c->pc = pc;
		c->called = c->regs.epc_known = c->regs.status_known = false;
	}
	return moves && !falls ? CHAIN_NONE : CHAIN_BAD_FRAME;
}

/* One function. Returns CHAIN_NONE when there may be another. */
static enum chain_end step(struct chain *c)
{
	const struct chain_regs from = c->regs;
	uint64_t to;
	enum chain_way way = chain_return(&c->reader, c->pc, &c->regs, &to);

	switch (way) {
	case CHAIN_WAY_NONE:
		return step_without_return(c);
	case CHAIN_WAY_UNCLEAR:
		return c->reader.insns < CHAIN_MAX_INSNS ? CHAIN_NO_RETURN
							 : CHAIN_LIMIT;
	case CHAIN_WAY_BAD:
		return CHAIN_BAD_RETURN;
	case CHAIN_WAY_BOTTOM:
		return CHAIN_BOTTOM;
	case CHAIN_WAY_TRAP:
	case CHAIN_WAY_CALLER:
		break;
	}
	return go_up(c, way, &from, to);
}

void chain_find(struct machine *m, const struct hart *h,
		const struct record_at *at, struct record_sample *to,
		uint64_t *callers)
{
	struct chain c = {
		.reader = { .board = m->board,
			    .hart = h->pmu,
			    .mode = at->mode,
			    .size = m->cfg->settings.xlen == 32 ? 4 : 8 },
		.to = to,
		.callers = callers,
	};

	to->callers = callers;
	/* It trapped: addresses are another mode's by now. */
	if (pmu_hart_mode(h->pmu) != at->mode) {
		to->end = CHAIN_LEFT_MODE;
		return;
	}
	read_registers(&c, m, h);
	if (!start(&c, at->pc))
		return;
	do
		to->end = step(&c);
	while (to->end == CHAIN_NONE);
	plan_spend(m->plan, (uint64_t)c.reader.insns * FOLLOW_COST);
}
