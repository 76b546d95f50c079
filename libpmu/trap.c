/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where a trap goes and what taking it does to the hart, its cost and its event
 * included. Which interrupt is next is interrupt.c's, how a trap is left again
 * (xRET) is exec.c's.
 */
#include "hart.h"

static uint64_t cause_value(const struct pmu_hart *h,
			    const struct pmu_trap *trap)
{
	uint64_t interrupt = trap->interrupt;

	return interrupt << (h->cfg.xlen - 1) | trap->cause;
}

/* The handler: interrupts of a vectored table go to their own entry. */
static uint64_t vector(const struct pmu_hart *h, uint64_t tvec,
		       const struct pmu_trap *trap)
{
	uint64_t base = tvec & ~UINT64_C(3);

	if (trap->interrupt && (tvec & 3) == 1)
		base += UINT64_C(4) * trap->cause;
	return xlen_value(h, base);
}

uint8_t pmu_ecall_cause(const struct pmu_hart *h)
{
	switch (h->mode) {
	case PMU_MODE_M:
		return PMU_CAUSE_ECALL_M;
	case PMU_MODE_S:
		return PMU_CAUSE_ECALL_S;
	case PMU_MODE_VS:
		return PMU_CAUSE_ECALL_VS;
	case PMU_MODE_U:
	case PMU_MODE_VU:
	case PMU_N_MODES:
		break;
	}
	return PMU_CAUSE_ECALL_U;
}

enum pmu_mode pmu_trap_target(const struct pmu_hart *h,
			      const struct pmu_trap *trap)
{
	uint64_t delegated = trap->interrupt ? h->mideleg : h->medeleg;

	if (h->mode == PMU_MODE_M || !has(h, PMU_EXT_S))
		return PMU_MODE_M;
	return delegated >> trap->cause & 1 ? PMU_MODE_S : PMU_MODE_M;
}

void pmu_trap_account(struct pmu_hart *h, const struct pmu_trap *trap)
{
	counter_count(h, PMU_EV_CYCLES, h->cfg.trap_cycles);
	counter_count(
		h, trap->interrupt ? PMU_EV_INTERRUPTS : PMU_EV_EXCEPTIONS, 1);
}

/* mstatus.MPP's number of a mode. */
static uint64_t mpp_of(enum pmu_mode mode)
{
	switch (mode) {
	case PMU_MODE_M:
		return 3;
	case PMU_MODE_S:
	case PMU_MODE_VS:
		return 1;
	case PMU_MODE_U:
	case PMU_MODE_VU:
	case PMU_N_MODES:
		break;
	}
	return 0;
}

static uint64_t enter_m(struct pmu_hart *h, const struct pmu_trap *trap)
{
	uint64_t status = h->mstatus;

	h->mepc = xlen_value(h, trap->pc);
	h->mcause = cause_value(h, trap);
	h->mtval = xlen_value(h, trap->tval);
	h->mstatus = (status & ~(MSTATUS_MIE | MSTATUS_MPIE | MSTATUS_MPP)) |
		     mpp_of(h->mode) * (MSTATUS_MPP & -MSTATUS_MPP);
	if (status & MSTATUS_MIE)
		h->mstatus |= MSTATUS_MPIE;
	h->mode = PMU_MODE_M;
	return vector(h, h->mtvec, trap);
}

static uint64_t enter_s(struct pmu_hart *h, const struct pmu_trap *trap)
{
	uint64_t status = h->mstatus;

	h->sepc = xlen_value(h, trap->pc);
	h->scause = cause_value(h, trap);
	h->stval = xlen_value(h, trap->tval);
	h->mstatus = status & ~(MSTATUS_SIE | MSTATUS_SPIE | MSTATUS_SPP);
	if (status & MSTATUS_SIE)
		h->mstatus |= MSTATUS_SPIE;
	if (h->mode == PMU_MODE_S)
		h->mstatus |= MSTATUS_SPP;
	h->mode = PMU_MODE_S;
	return vector(h, h->stvec, trap);
}

uint64_t pmu_trap_enter(struct pmu_hart *h, const struct pmu_trap *trap)
{
	enum pmu_mode target = pmu_trap_target(h, trap);

	pmu_trap_account(h, trap);
	return target == PMU_MODE_M ? enter_m(h, trap) : enter_s(h, trap);
}

uint64_t pmu_trap_redirect(struct pmu_hart *h, const struct pmu_trap *trap)
{
	return enter_s(h, trap);
}
