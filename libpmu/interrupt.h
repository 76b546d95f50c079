/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Interrupts of a hart: which there are, which pend, whom they reach. Which one
 * is next is topi.c's.
 */
#ifndef LIBPMU_INTERRUPT_H
#define LIBPMU_INTERRUPT_H

#include "hart-state.h"

/* The interrupts that this hart has. */
uint64_t irq_implemented(const struct pmu_hart *h);
/* Those for guests (VS-level, SGEI): always delegated, in hip and hie. */
uint64_t irq_of_guests(const struct pmu_hart *h);
/* hideleg as it acts: of what reaches HS-mode, what goes on to VS-mode. */
uint64_t irq_hideleg(const struct pmu_hart *h);
/* Can interrupts of @target (M, S or VS) be taken out of the hart's mode? */
bool irq_reaches(const struct pmu_hart *h, enum pmu_mode target);
/* The enable that @target itself has: mstatus.MIE, sstatus.SIE, vsstatus'. */
bool irq_open_in(const struct pmu_hart *h, enum pmu_mode target);
/* Would an interrupt of @target be taken now? */
bool irq_takes(const struct pmu_hart *h, enum pmu_mode target);
/* After a write of mip_soft: a request that is gone is for nobody. */
static inline void irq_written(struct pmu_hart *h)
{
	if (!(h->mip_soft & IRQ_LCOFI))
		h->lcofi_by = h->lcofi_for = 0;
}

/* The bits of mip among @wanted. */
uint64_t irq_pending(const struct pmu_hart *h, uint64_t now, uint64_t wanted);
/* Where sip and sie, vsip and vsie have bits of their own. */
static inline uint64_t irq_own_of_s(const struct pmu_hart *h)
{
	return h->mvien & ~h->mideleg;
}

static inline uint64_t irq_own_of_vs(const struct pmu_hart *h)
{
	return h->hvien & ~irq_hideleg(h);
}

/* What software gives to S, VS, pending and enabled; not in mip. */
uint64_t irq_given_to_s(const struct pmu_hart *h);
uint64_t irq_given_to_vs(const struct pmu_hart *h);
/* Is STIP stimecmp's signal, not software's bit? STCE is 0 without Sstc. */
static inline bool irq_timer_drives_stip(const struct pmu_hart *h)
{
	return h->menvcfg & MENVCFG_STCE;
}

/* Has vstimecmp a part in VSTIP? The guest's STCE is below the machine's. */
static inline bool irq_timer_drives_vstip(const struct pmu_hart *h)
{
	return h->menvcfg & h->henvcfg & MENVCFG_STCE;
}

#endif
