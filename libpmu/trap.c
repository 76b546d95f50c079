/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where a trap goes and what taking it does to the hart, its cost and its event
 * included. Which interrupt is next is topi.c's, how a trap is left again
 * (xRET) is exec.c's.
 */
#include "counter-state.h"
#include "hart-state.h"
#include "interrupt.h"
#include "timing.h"

static uint64_t cause_value(const struct pmu_hart *h, bool interrupt,
			    uint8_t cause)
{
	return (uint64_t)interrupt << (h->cfg.xlen - 1) | cause;
}

/* The handler: interrupts of a vectored table go to their own entry. */
static uint64_t vector(const struct pmu_hart *h, uint64_t tvec, bool interrupt,
		       uint8_t cause)
{
	uint64_t base = tvec & ~UINT64_C(3);

	if (interrupt && (tvec & 3) == 1)
		base += UINT64_C(4) * cause;
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

/* Where HS-mode's part of a trap goes on to. */
static enum pmu_mode target_below_m(const struct pmu_hart *h,
				    const struct pmu_trap *trap)
{
	uint64_t delegated = trap->interrupt ? irq_hideleg(h) : h->hedeleg;

	if (pmu_mode_is_guest(h->mode) && delegated >> trap->cause & 1)
		return PMU_MODE_VS;
	return PMU_MODE_S;
}

enum pmu_mode pmu_trap_target(const struct pmu_hart *h,
			      const struct pmu_trap *trap)
{
	uint64_t delegated = trap->interrupt ? h->mideleg : h->medeleg;

	if (trap->given != PMU_MODE_M)
		return trap->given;
	if (h->mode == PMU_MODE_M || !has(h, PMU_EXT_S) ||
	    !(delegated >> trap->cause & 1))
		return PMU_MODE_M;
	return target_below_m(h, trap);
}

void pmu_trap_account(struct pmu_hart *h, const struct pmu_trap *trap)
{
	if (h->fetched)
		overflow_fetched(h);
	h->traps++;
	counter_spend(h, timing_of_trap(h));
	counter_count(
		h, trap->interrupt ? PMU_EV_INTERRUPTS : PMU_EV_EXCEPTIONS, 1);
	counter_settle(h);
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
	h->mcause = cause_value(h, trap->interrupt, trap->cause);
	h->mtval = xlen_value(h, trap->tval);
	h->mtval2 = xlen_value(h, trap->tval2);
	h->mtinst = xlen_value(h, trap->tinst);
	h->mstatus = (status & ~(MSTATUS_MIE | MSTATUS_MPIE | MSTATUS_MPP |
				 MSTATUS_MPV | MSTATUS_GVA)) |
		     mpp_of(h->mode) * (MSTATUS_MPP & -MSTATUS_MPP);
	if (status & MSTATUS_MIE)
		h->mstatus |= MSTATUS_MPIE;
	if (pmu_mode_is_guest(h->mode))
		h->mstatus |= MSTATUS_MPV;
	if (trap->gva)
		h->mstatus |= MSTATUS_GVA;
	h->mode = PMU_MODE_M;
	return vector(h, h->mtvec, trap->interrupt, trap->cause);
}

/* sstatus or vsstatus after a trap from a mode of that nominal privilege. */
static uint64_t push_status(uint64_t status, bool from_s)
{
	uint64_t ret = status & ~(MSTATUS_SIE | MSTATUS_SPIE | MSTATUS_SPP);

	if (status & MSTATUS_SIE)
		ret |= MSTATUS_SPIE;
	return from_s ? ret | MSTATUS_SPP : ret;
}

/* hstatus: SPVP is of the last guest, so it stays when none was running. */
static uint64_t push_hstatus(const struct pmu_hart *h, bool gva)
{
	uint64_t ret = h->hstatus & ~(HSTATUS_SPV | HSTATUS_GVA);

	if (gva)
		ret |= HSTATUS_GVA;
	if (!pmu_mode_is_guest(h->mode))
		return ret;
	ret |= HSTATUS_SPV | HSTATUS_SPVP;
	return h->mode == PMU_MODE_VS ? ret : ret & ~HSTATUS_SPVP;
}

static uint64_t enter_s(struct pmu_hart *h, const struct pmu_trap *trap)
{
	h->sepc = xlen_value(h, trap->pc);
	h->scause = cause_value(h, trap->interrupt, trap->cause);
	h->stval = xlen_value(h, trap->tval);
	h->htval = xlen_value(h, trap->tval2);
	h->htinst = xlen_value(h, trap->tinst);
	h->hstatus = push_hstatus(h, trap->gva);
	h->mstatus = push_status(h->mstatus, h->mode == PMU_MODE_S ||
						     h->mode == PMU_MODE_VS);
	h->mode = PMU_MODE_S;
	return vector(h, h->stvec, trap->interrupt, trap->cause);
}

/*
 * A guest knows its VS-level interrupts as those of S-level. What it is given
 * has the guest's number already.
 */
static uint8_t guest_cause(const struct pmu_trap *trap)
{
	bool vs = trap->interrupt && trap->given != PMU_MODE_VS &&
		  IRQS_VS >> trap->cause & 1;

	return vs ? (uint8_t)(trap->cause - 1) : trap->cause;
}

static uint64_t enter_vs(struct pmu_hart *h, const struct pmu_trap *trap)
{
	uint8_t cause = guest_cause(trap);

	h->vsepc = xlen_value(h, trap->pc);
	h->vscause = cause_value(h, trap->interrupt, cause);
	h->vstval = xlen_value(h, trap->tval);
	h->vsstatus = push_status(h->vsstatus, h->mode == PMU_MODE_VS);
	h->mode = PMU_MODE_VS;
	return vector(h, h->vstvec, trap->interrupt, cause);
}

static uint64_t enter(struct pmu_hart *h, const struct pmu_trap *trap,
		      enum pmu_mode target)
{
	switch (target) {
	case PMU_MODE_S:
		return enter_s(h, trap);
	case PMU_MODE_VS:
		return enter_vs(h, trap);
	case PMU_MODE_M:
	case PMU_MODE_U:
	case PMU_MODE_VU:
	case PMU_N_MODES:
		break;
	}
	return enter_m(h, trap);
}

uint64_t pmu_trap_enter(struct pmu_hart *h, const struct pmu_trap *trap)
{
	enum pmu_mode target = pmu_trap_target(h, trap);

	if (pmu_trap_overflows(h, trap))
		pmu_lcofi_delivered(h);
	pmu_trap_account(h, trap);
	return enter(h, trap, target);
}

uint64_t pmu_trap_redirect(struct pmu_hart *h, const struct pmu_trap *trap)
{
	return enter(h, trap, target_below_m(h, trap));
}
