/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is pending, and for whom. mip is composed here from its parts: bits that
 * devices drive, bits that software owns, and the timer signal of Sstc, which
 * is a function of time and stored nowhere. Which interrupt is next and what
 * ends a WFI is topi.c's, taking the interrupt trap.c's.
 */
#include "interrupt.h"

static const uint64_t device_irqs = IRQS_M | IRQ_BIT(PMU_IRQ_SEI);
static const uint64_t software_irqs = IRQS_S | IRQ_LCOFI;

uint64_t irq_implemented(const struct pmu_hart *h)
{
	uint64_t bits = IRQS_M;

	if (has(h, PMU_EXT_S))
		bits |= IRQS_S;
	if (has(h, PMU_EXT_SSCOFPMF))
		bits |= IRQ_LCOFI;
	return bits | irq_of_guests(h);
}

uint64_t irq_of_guests(const struct pmu_hart *h)
{
	uint64_t bits = has(h, PMU_EXT_H) ? IRQS_VS : 0;

	return h->cfg.guest_irqs ? bits | IRQ_SGEI : bits;
}

/* LCOFI goes to guests with Shlcofideleg only, and only from HS-mode (C175). */
uint64_t irq_hideleg(const struct pmu_hart *h)
{
	return h->hideleg & (h->mideleg | h->mvien);
}

uint64_t irq_given_to_s(const struct pmu_hart *h)
{
	return h->mvip & h->sie_own;
}

uint64_t irq_given_to_vs(const struct pmu_hart *h)
{
	return h->hvip & h->vsie_own;
}

static void set_bit(uint64_t *bits, enum pmu_irq irq, bool level)
{
	if (level)
		*bits |= IRQ_BIT(irq);
	else
		*bits &= ~IRQ_BIT(irq);
}

void pmu_irq_set(struct pmu_hart *h, enum pmu_irq irq, bool level)
{
	if (device_irqs & irq_implemented(h) & IRQ_BIT(irq))
		set_bit(&h->mip_line, irq, level);
}

void pmu_irq_soft(struct pmu_hart *h, enum pmu_irq irq, bool level)
{
	bool apart = irq == PMU_IRQ_SEI && h->mvien & IRQ_BIT(irq);

	if (software_irqs & irq_implemented(h) & IRQ_BIT(irq))
		set_bit(apart ? &h->mvip : &h->mip_soft, irq, level);
	irq_written(h);
}

uint32_t pmu_lcofi_counters(const struct pmu_hart *h)
{
	return h->lcofi_for;
}

bool pmu_lcofi_asked(const struct pmu_hart *h, unsigned n)
{
	return n < PMU_N_COUNTERS && h->lcofi_by >> n & 1;
}

void pmu_lcofi_withdraw(struct pmu_hart *h, uint32_t counters)
{
	h->lcofi_by &= ~counters;
	h->lcofi_for &= ~counters;
	if (!h->lcofi_for)
		pmu_irq_soft(h, PMU_IRQ_LCOFI, false);
}

/* Is what a mode is given mip's own LCOFI, which is delegated to it? */
static bool is_delegated(const struct pmu_hart *h, enum pmu_mode given)
{
	return given == PMU_MODE_VS && !(h->hvictl & HVICTL_VTI) &&
	       h->mideleg & irq_hideleg(h) & IRQ_LCOFI;
}

uint32_t pmu_trap_overflows(const struct pmu_hart *h,
			    const struct pmu_trap *trap)
{
	if (!trap->interrupt || trap->cause != PMU_IRQ_LCOFI)
		return 0;
	if (trap->given != PMU_MODE_M && !is_delegated(h, trap->given))
		return 0;
	return h->lcofi_for;
}

void pmu_lcofi_delivered(struct pmu_hart *h)
{
	h->lcofi_for = 0;
}

void pmu_irq_guest(struct pmu_hart *h, unsigned n, bool level)
{
	if (n < 1 || n > h->cfg.guest_irqs)
		return;
	if (level)
		h->hgeip |= UINT64_C(1) << n;
	else
		h->hgeip &= ~(UINT64_C(1) << n);
}

static bool is_time(const struct pmu_hart *h, uint64_t now, uint64_t delta,
		    uint64_t timecmp)
{
	return pmu_time(h->tb, now) + delta >= timecmp;
}

/* The bits of hip among @wanted: hvip's and the signals of VS-level. */
static uint64_t pending_of_guests(const struct pmu_hart *h, uint64_t now,
				  uint64_t wanted)
{
	unsigned vgein = (unsigned)((h->hstatus & HSTATUS_VGEIN) >> 12);
	uint64_t pending = h->hvip & IRQS_VS;

	if (h->hgeip & h->hgeie)
		pending |= IRQ_SGEI;
	if (h->hgeip >> vgein & 1)
		pending |= IRQ_BIT(PMU_IRQ_VSEI);
	if (wanted & IRQ_BIT(PMU_IRQ_VSTI) && irq_timer_drives_vstip(h) &&
	    is_time(h, now, h->htimedelta, h->vstimecmp))
		pending |= IRQ_BIT(PMU_IRQ_VSTI);
	return pending;
}

/* Time is computed only for the timers. */
uint64_t irq_pending(const struct pmu_hart *h, uint64_t now, uint64_t wanted)
{
	uint64_t pending = h->mip_soft | h->mip_line;

	if (irq_timer_drives_stip(h)) {
		pending &= ~IRQ_BIT(PMU_IRQ_STI);
		if (wanted & IRQ_BIT(PMU_IRQ_STI) &&
		    is_time(h, now, 0, h->stimecmp))
			pending |= IRQ_BIT(PMU_IRQ_STI);
	}
	if (has(h, PMU_EXT_H))
		pending |= pending_of_guests(h, now, wanted);
	return pending & wanted;
}

uint64_t pmu_irq_pending(const struct pmu_hart *h, uint64_t now)
{
	return irq_pending(h, now, UINT64_MAX);
}

bool irq_reaches(const struct pmu_hart *h, enum pmu_mode target)
{
	if (target == PMU_MODE_VS)
		return pmu_mode_is_guest(h->mode);
	return target == PMU_MODE_M || h->mode != PMU_MODE_M;
}

bool irq_open_in(const struct pmu_hart *h, enum pmu_mode target)
{
	if (target == PMU_MODE_M)
		return h->mstatus & MSTATUS_MIE;
	if (target == PMU_MODE_S)
		return h->mstatus & MSTATUS_SIE;
	return h->vsstatus & MSTATUS_SIE;
}

bool irq_takes(const struct pmu_hart *h, enum pmu_mode target)
{
	return irq_reaches(h, target) &&
	       (h->mode != target || irq_open_in(h, target));
}

uint64_t pmu_stimecmp(const struct pmu_hart *h)
{
	return irq_timer_drives_stip(h) ? h->stimecmp : UINT64_MAX;
}

uint64_t pmu_timer_next(const struct pmu_hart *h, uint64_t now)
{
	struct pmu_timebase guest = *h->tb;
	uint64_t first = UINT64_MAX, cycle;

	guest.offset += h->htimedelta;
	if (irq_timer_drives_stip(h))
		first = pmu_time_next(h->tb, h->stimecmp, now);
	if (irq_timer_drives_vstip(h)) {
		cycle = pmu_time_next(&guest, h->vstimecmp, now);
		if (cycle < first)
			first = cycle;
	}
	return first;
}
