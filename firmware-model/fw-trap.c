/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Traps that reach firmware: SBI calls are dispatched, reads of counters and
 * time that the hart does not offer to S-mode are emulated, everything else is
 * handed to S-mode. What became due meanwhile as a software event goes first.
 * Firmware events count at the entry, whatever follows (C96).
 */
#include <pmu/counter.h>
#include <pmu/csr.h>
#include <pmu/exec.h>
#include <pmu/insn-field.h>
#include <pmu/insn-word.h>
#include <pmu/insn.h>

#include "counters/fw-counters.h"
#include "counters/fw-events.h"
#include "sbi/sbi-call.h"
#include "sse/sse-event.h"

static uint64_t as_register(const struct fw_hart *h, uint64_t value)
{
	return fw_xlen(h) == 32 ? (uint64_t)(int32_t)(uint32_t)value : value;
}

static void count(struct fw *fw, unsigned hart, uint8_t cause)
{
	static const struct trap_event {
		uint8_t cause;
		enum fw_event event;
	} events[] = {
		{ PMU_CAUSE_ILLEGAL, FW_EV_ILLEGAL_INSN },
		{ PMU_CAUSE_LOAD_MISALIGNED, FW_EV_MISALIGNED_LOAD },
		{ PMU_CAUSE_STORE_MISALIGNED, FW_EV_MISALIGNED_STORE },
		{ PMU_CAUSE_LOAD_ACCESS, FW_EV_ACCESS_LOAD },
		{ PMU_CAUSE_STORE_ACCESS, FW_EV_ACCESS_STORE },
	};

	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++)
		if (events[i].cause == cause)
			fw_event(fw, hart, events[i].event);
}

/* A csrr of a user counter: its number 0-31 and whether its upper half. */
static bool reads_counter(const struct fw_hart *h, uint32_t insn,
			  unsigned *ret_n, bool *ret_high)
{
	unsigned csr = pmu_insn_csr(insn), funct3 = pmu_insn_funct3(insn);

	if (pmu_insn_opcode(insn) != PMU_OPCODE_SYSTEM)
		return false;
	/* csrrs, csrrc and their immediate forms with a zero operand */
	if ((funct3 & 3) < 2 || pmu_insn_rs1(insn))
		return false;
	*ret_n = csr & 31;
	*ret_high = (csr & ~31u) == PMU_CSR_CYCLEH;
	return pmu_csr_is_user_counter(csr) && (!*ret_high || fw_xlen(h) == 32);
}

static uint64_t csr(const struct fw_hart *h, uint16_t num, uint64_t now)
{
	uint64_t value = 0;

	pmu_csr_peek(h->pmu, num, now, &value);
	return value;
}

/*
 * May the trapping mode have counter @n from us: whatever mcounteren says, as
 * far as those below it allow (C115, C116: time like the rest)? A hart without
 * Zicntr has no bit that S-mode could set for U; there it is as the boot would
 * leave it: time only (C121).
 */
static bool may_read(const struct fw_hart *h, unsigned n, uint64_t now)
{
	enum pmu_mode mode = pmu_hart_mode(h->pmu);
	uint64_t enabled = UINT64_MAX;

	if (n != TIME_HOLE && !(pmu_counters(h->pmu) >> n & 1))
		return false;
	if (pmu_mode_is_user(mode))
		enabled = csr(h, PMU_CSR_SCOUNTEREN, now);
	if (!fw_has(h, PMU_EXT_ZICNTR))
		enabled |= UINT64_C(1) << TIME_HOLE;
	if (pmu_mode_is_guest(mode))
		enabled &= csr(h, PMU_CSR_HCOUNTEREN, now);
	return enabled >> n & 1;
}

/* What a guest reads is shifted by its hypervisor (C164). */
static uint64_t time_value(const struct fw *fw, const struct fw_hart *h,
			   uint64_t now)
{
	uint64_t time = pmu_time(fw->machine.timebase, now);

	if (!pmu_mode_is_guest(pmu_hart_mode(h->pmu)))
		return time;
	if (fw_xlen(h) == 32)
		time += csr(h, PMU_CSR_HTIMEDELTAH, now) << 32;
	return time + csr(h, PMU_CSR_HTIMEDELTA, now);
}

static enum fw_outcome illegal(struct fw *fw, unsigned hart,
			       const struct fw_trap *t, struct fw_regs *ret)
{
	struct fw_hart *h = &fw->hart[hart];
	unsigned n;
	bool high;
	uint64_t value;

	if (!reads_counter(h, t->insn, &n, &high) || !may_read(h, n, t->now))
		return FW_REDIRECT;
	value = n == TIME_HOLE ? time_value(fw, h, t->now)
			       : pmu_counter_get(h->pmu, n);
	fw_event(fw, hart, FW_EV_CSR_EMULATED);
	if (!fw->cfg.quirks.emulated_unretired)
		pmu_exec_emulated(h->pmu); /* C126 */
	ret->pc = t->trap->pc + 4;
	ret->n = 1;
	ret->reg[0].x = (uint8_t)pmu_insn_rd(t->insn);
	ret->reg[0].value = as_register(h, high ? value >> 32 : value);
	return FW_DONE;
}

static enum fw_outcome ecall(struct fw *fw, unsigned hart,
			     const struct fw_trap *t, struct fw_regs *ret)
{
	struct sbi_call call;
	struct fw_hart *h = &fw->hart[hart];
	struct sbi_ret answer;
	bool legacy;

	sbi_call_init(&call, hart, t->now, ret);
	answer = sbi_dispatch(fw, &call, t->args(t->regs), &legacy);
	if (call.outcome != FW_DONE || call.resumed)
		return call.outcome;
	if (call.faulted) {
		call.fault.pc = t->trap->pc;
		ret->pc = pmu_trap_redirect(h->pmu, &call.fault);
		ret->n = 0;
		return FW_DONE;
	}
	ret->pc = t->trap->pc + 4;
	ret->n = legacy ? 1 : 2;
	ret->reg[0].x = PMU_X_A0;
	ret->reg[0].value = as_register(h, (uint64_t)answer.error);
	ret->reg[1].x = PMU_X_A1;
	ret->reg[1].value = as_register(h, answer.value);
	return FW_DONE;
}

/*
 * An overflow that is to be delivered as a software event; of anything else who
 * enabled it did so by mistake.
 */
static enum fw_outcome interrupt(struct fw *fw, unsigned hart,
				 const struct fw_trap *t, struct fw_regs *ret)
{
	struct fw_hart *h = &fw->hart[hart];
	uint64_t mie = 0;
	unsigned effects = 0;

	ret->pc = t->trap->pc;
	ret->n = 0;
	if (t->trap->cause == PMU_IRQ_LCOFI && sse_due(fw, hart) >= 0)
		return FW_DONE;
	pmu_csr_peek(h->pmu, PMU_CSR_MIE, t->now, &mie);
	pmu_csr_poke(h->pmu, PMU_CSR_MIE, t->now,
		     mie & ~(UINT64_C(1) << (t->trap->cause & 63)), &effects);
	return FW_DONE;
}

static enum fw_outcome exception(struct fw *fw, unsigned hart,
				 const struct fw_trap *t, struct fw_regs *ret)
{
	count(fw, hart, t->trap->cause);
	if (t->trap->cause == PMU_CAUSE_ECALL_S)
		return ecall(fw, hart, t, ret);
	if (t->trap->cause == PMU_CAUSE_ILLEGAL)
		return illegal(fw, hart, t, ret);
	return FW_REDIRECT;
}

enum fw_outcome fw_trap(struct fw *fw, unsigned hart, const struct fw_trap *t,
			struct fw_regs *ret)
{
	enum fw_outcome outcome;

	ret->event.delivered = false;
	if (hart >= fw->n_harts)
		return FW_REDIRECT;
	outcome = t->trap->interrupt ? interrupt(fw, hart, t, ret)
				     : exception(fw, hart, t, ret);
	if (outcome == FW_REDIRECT)
		fw_event(fw, hart, FW_EV_TRAP_REDIRECTED);
	else if (outcome == FW_DONE)
		sse_deliver(fw, hart, t, ret);
	return outcome;
}
