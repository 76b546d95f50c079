/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is pending, which interrupt is next, what ends a WFI. mip is composed
 * here from its parts: bits that devices drive, bits that software owns, and
 * the timer signal of Sstc, which is a function of time and stored nowhere.
 * Taking the interrupt is trap.c's.
 */
#include "hart-state.h"

static const uint64_t device_irqs = IRQS_M | IRQ_BIT(PMU_IRQ_SEI);
static const uint64_t software_irqs = IRQS_S | IRQ_LCOFI;

/*
 * Highest first. The order among interrupts is the same whatever mode they
 * target, so one list serves all (C111).
 */
static const uint8_t priority[] = {
	PMU_IRQ_MEI,  PMU_IRQ_MSI,  PMU_IRQ_MTI,   PMU_IRQ_SEI,
	PMU_IRQ_SSI,  PMU_IRQ_STI,  PMU_IRQ_SGEI,  PMU_IRQ_VSEI,
	PMU_IRQ_VSSI, PMU_IRQ_VSTI, PMU_IRQ_LCOFI,
};

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
	if (software_irqs & irq_implemented(h) & IRQ_BIT(irq))
		set_bit(&h->mip_soft, irq, level);
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

/* The bits of mip among @wanted; time is computed only for the timers. */
static uint64_t pending_of(const struct pmu_hart *h, uint64_t now,
			   uint64_t wanted)
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
	return pending_of(h, now, UINT64_MAX);
}

/* Is any of them pending, or given by software (C165 with the AIA's rule)? */
static bool any(const struct pmu_hart *h, uint64_t pending)
{
	return pending || irq_given_to_s(h) || irq_given_to_vs(h);
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

/*
 * Those of @pending that may be taken now, and the mode that takes them:
 * M-mode's before HS-mode's before VS-mode's. A guest's own wait while it does
 * not run.
 */
static uint64_t takeable(const struct pmu_hart *h, uint64_t pending,
			 enum pmu_mode *ret_target)
{
	uint64_t to_m = pending & ~h->mideleg;
	uint64_t to_s = (pending & h->mideleg) | irq_given_to_s(h);
	uint64_t to_vs = (to_s & irq_hideleg(h)) | irq_given_to_vs(h);

	to_s &= ~irq_hideleg(h);
	*ret_target = PMU_MODE_M;
	if (to_m && irq_takes(h, PMU_MODE_M))
		return to_m;
	*ret_target = PMU_MODE_S;
	if (to_s && irq_takes(h, PMU_MODE_S))
		return to_s;
	*ret_target = PMU_MODE_VS;
	return irq_takes(h, PMU_MODE_VS) ? to_vs : 0;
}

static void interrupt(const struct pmu_hart *h, uint8_t irq,
		      enum pmu_mode target, struct pmu_trap *ret)
{
	*ret = (struct pmu_trap){ .interrupt = true, .cause = irq };
	if (pmu_trap_target(h, ret) != target)
		ret->given = target;
}

bool pmu_interrupt_next(const struct pmu_hart *h, uint64_t now,
			struct pmu_trap *ret)
{
	uint64_t pending = pending_of(h, now, h->mie), candidates;
	enum pmu_mode target;

	if (!any(h, pending))
		return false;
	candidates = takeable(h, pending, &target);
	if (candidates == 0)
		return false;
	for (unsigned i = 0; i < sizeof(priority); i++) {
		if (!(candidates & IRQ_BIT(priority[i])))
			continue;
		interrupt(h, priority[i], target, ret);
		return true;
	}
	return false;
}

bool pmu_hart_wakes(const struct pmu_hart *h, uint64_t now)
{
	return any(h, pending_of(h, now, h->mie));
}

uint64_t pmu_stimecmp(const struct pmu_hart *h)
{
	return irq_timer_drives_stip(h) ? h->stimecmp : UINT64_MAX;
}

/* The first cycle after @now at which @tb reaches @ticks. */
static uint64_t rises(const struct pmu_timebase *tb, uint64_t ticks,
		      uint64_t now)
{
	uint64_t cycle = pmu_time_next(tb, ticks, now);

	return cycle > now ? cycle : UINT64_MAX;
}

uint64_t pmu_timer_next(const struct pmu_hart *h, uint64_t now)
{
	struct pmu_timebase guest = *h->tb;
	uint64_t first = UINT64_MAX, cycle;

	guest.offset += h->htimedelta;
	if (irq_timer_drives_stip(h))
		first = rises(h->tb, h->stimecmp, now);
	if (irq_timer_drives_vstip(h)) {
		cycle = rises(&guest, h->vstimecmp, now);
		if (cycle < first)
			first = cycle;
	}
	return first;
}
