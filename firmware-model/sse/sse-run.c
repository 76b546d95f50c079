/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Delivering a software event to S-mode and resuming what it interrupted, step
 * by step as SBI 3.0 lists them (Software Event Injection, Completion). Both
 * happen at an instruction boundary, before any interrupt.
 */
#include "sse-event.h"

#include <pmu/csr-field.h>
#include <pmu/csr.h>
#include <pmu/insn.h>

#include "sbi/sbi-call.h"
#include "sse-hart.h"

/* INTERRUPTED_FLAGS; Zicfilp's and Ssdbltrp's bits are nobody's here. */
enum {
	FLAG_SPP = 1 << 0,
	FLAG_SPIE = 1 << 1,
	FLAG_SPV = 1 << 2,
	FLAG_SPVP = 1 << 3,
};

static uint64_t peek(const struct fw_hart *h, uint16_t csr)
{
	uint64_t value = 0;

	pmu_csr_peek(h->pmu, csr, 0, &value);
	return value;
}

static void poke(struct fw_hart *h, uint16_t csr, uint64_t value)
{
	unsigned effects = 0;

	pmu_csr_poke(h->pmu, csr, 0, value, &effects);
}

static uint64_t with(uint64_t value, uint64_t bit, bool on)
{
	return on ? value | bit : value & ~bit;
}

/* Registers, as they are after what the firmware has already written. */

static uint64_t get_reg(const struct fw_trap *t, const struct fw_regs *regs,
			unsigned x)
{
	for (unsigned i = 0; i < regs->n; i++)
		if (regs->reg[i].x == x)
			return regs->reg[i].value;
	return t->args(t->regs)[x - PMU_X_A0];
}

static void set_reg(const struct fw_hart *h, struct fw_regs *regs, uint8_t x,
		    uint64_t value)
{
	unsigned i = 0;

	while (i < regs->n && regs->reg[i].x != x)
		i++;
	if (i == regs->n)
		regs->n++;
	regs->reg[i].x = x;
	regs->reg[i].value =
		fw_xlen(h) == 32 ? (uint64_t)(int32_t)(uint32_t)value : value;
}

static void save(const struct fw_hart *h, const struct fw_trap *t,
		 const struct fw_regs *regs, struct sse_event *e)
{
	uint64_t sstatus = peek(h, PMU_CSR_SSTATUS), hstatus = 0;

	if (fw_has(h, PMU_EXT_H))
		hstatus = peek(h, PMU_CSR_HSTATUS);
	e->attr[SSE_FLAGS] = (sstatus & PMU_MSTATUS_SPP ? FLAG_SPP : 0) |
			     (sstatus & PMU_MSTATUS_SPIE ? FLAG_SPIE : 0) |
			     (hstatus & PMU_HSTATUS_SPV ? FLAG_SPV : 0) |
			     (hstatus & PMU_HSTATUS_SPVP ? FLAG_SPVP : 0);
	e->attr[SSE_SEPC] = peek(h, PMU_CSR_SEPC);
	e->attr[SSE_A6] = get_reg(t, regs, PMU_X_A6) & sbi_xmask(h);
	e->attr[SSE_A7] = get_reg(t, regs, PMU_X_A7) & sbi_xmask(h);
}

/* Where an xRET to the handler goes: bit 1 is no address without C. */
static uint64_t entry(const struct fw_hart *h, const struct sse_event *e)
{
	uint64_t align = fw_has(h, PMU_EXT_C) ? 1 : 3;

	return e->attr[SSE_ENTRY_PC] & ~align;
}

static void redirect(struct fw_hart *h, const struct sse_event *e,
		     struct fw_regs *regs)
{
	enum pmu_mode mode = pmu_hart_mode(h->pmu);
	bool v = pmu_mode_is_guest(mode);
	bool s = mode == PMU_MODE_S || mode == PMU_MODE_VS;
	uint64_t sstatus = peek(h, PMU_CSR_SSTATUS), hstatus;

	set_reg(h, regs, PMU_X_A6, fw_hartid(h));
	set_reg(h, regs, PMU_X_A7, e->attr[SSE_ENTRY_ARG]);
	poke(h, PMU_CSR_SEPC, regs->pc);
	sstatus = with(sstatus, PMU_MSTATUS_SPP, s);
	sstatus = with(sstatus, PMU_MSTATUS_SPIE, sstatus & PMU_MSTATUS_SIE);
	poke(h, PMU_CSR_SSTATUS, with(sstatus, PMU_MSTATUS_SIE, false));
	if (fw_has(h, PMU_EXT_H)) {
		hstatus = with(peek(h, PMU_CSR_HSTATUS), PMU_HSTATUS_SPV, v);
		poke(h, PMU_CSR_HSTATUS,
		     v ? with(hstatus, PMU_HSTATUS_SPVP, s) : hstatus);
	}
	pmu_hart_set_mode(h->pmu, PMU_MODE_S);
	regs->pc = entry(h, e);
}

/* For records: what is delivered, and what it interrupts. */
static void tell(struct fw_hart *h, enum sse_index i, struct fw_regs *ret)
{
	ret->event = (struct fw_delivered){
		.delivered = true,
		.id = sse_id(i),
		.mode = pmu_hart_mode(h->pmu),
		.pc = ret->pc,
	};
	if (i != SSE_PMU)
		return;
	ret->event.counters = pmu_lcofi_counters(h->pmu);
	pmu_lcofi_delivered(h->pmu);
}

void sse_deliver(struct fw *fw, unsigned hart, const struct fw_trap *t,
		 struct fw_regs *ret)
{
	struct fw_hart *h = &fw->hart[hart];
	int i = hsm_state(h) == HSM_STARTED ? sse_due(fw, hart) : -1;
	struct sse_event *e;

	if (i < 0)
		return;
	e = sse_at(fw, hart, (enum sse_index)i);
	save(h, t, ret, e);
	tell(h, (enum sse_index)i, ret);
	redirect(h, e, ret);
	sse_change(fw, hart, (enum sse_index)i, SSE_RUN);
}

static enum pmu_mode resumed_mode(bool v, bool s)
{
	if (v)
		return s ? PMU_MODE_VS : PMU_MODE_VU;
	return s ? PMU_MODE_S : PMU_MODE_U;
}

static void resume(struct fw_hart *h, const struct sse_event *e,
		   struct fw_regs *regs)
{
	uint64_t flags = e->attr[SSE_FLAGS], sstatus = peek(h, PMU_CSR_SSTATUS);
	uint64_t hstatus = 0;

	if (fw_has(h, PMU_EXT_H))
		hstatus = peek(h, PMU_CSR_HSTATUS);
	regs->pc = peek(h, PMU_CSR_SEPC);
	pmu_hart_set_mode(h->pmu, resumed_mode(hstatus & PMU_HSTATUS_SPV,
					       sstatus & PMU_MSTATUS_SPP));
	if (fw_has(h, PMU_EXT_H)) {
		hstatus = with(hstatus, PMU_HSTATUS_SPV, flags & FLAG_SPV);
		poke(h, PMU_CSR_HSTATUS,
		     with(hstatus, PMU_HSTATUS_SPVP, flags & FLAG_SPVP));
	}
	sstatus = with(sstatus, PMU_MSTATUS_SIE, sstatus & PMU_MSTATUS_SPIE);
	sstatus = with(sstatus, PMU_MSTATUS_SPIE, flags & FLAG_SPIE);
	poke(h, PMU_CSR_SSTATUS,
	     with(sstatus, PMU_MSTATUS_SPP, flags & FLAG_SPP));
	regs->n = 0;
	set_reg(h, regs, PMU_X_A7, e->attr[SSE_A7]);
	set_reg(h, regs, PMU_X_A6, e->attr[SSE_A6]);
	poke(h, PMU_CSR_SEPC, e->attr[SSE_SEPC]);
}

void sse_complete(struct fw *fw, struct sbi_call *call)
{
	enum sse_index i = (enum sse_index)sse_running(fw, call->hart);
	struct sse_event *e = sse_at(fw, call->hart, i);
	bool once = e->attr[SSE_CONFIG] & SSE_CONFIG_ONESHOT;

	sse_change(fw, call->hart, i, once ? SSE_COMPLETE_ONCE : SSE_COMPLETE);
	resume(sbi_caller(fw, call), e, call->regs);
}

bool fw_sse_due(const struct fw *fw, unsigned hart)
{
	int i;

	if (hart >= fw->n_harts)
		return false;
	i = sse_due(fw, hart);
	return i >= 0 && !sse_by_lcofi(fw, hart, i);
}

void fw_sse_deliver(struct fw *fw, unsigned hart, const struct fw_trap *t,
		    struct fw_regs *ret)
{
	ret->pc = t->trap->pc;
	ret->n = 0;
	ret->event.delivered = false;
	if (hart < fw->n_harts)
		sse_deliver(fw, hart, t, ret);
}
