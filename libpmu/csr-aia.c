/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The CSRs of Smaia and Ssaia that are not those of other chapters made wider:
 * mvien and mvip give S-mode, hvien and hvip give VS-mode interrupts that are
 * software's, and sip, sie, vsip and vsie are composed here of what is
 * delegated and what is given (C135); hvictl, hviprio1 and 2, mtopi, stopi and
 * vstopi, whose values are topi.c's. There is no IMSIC.
 */
#include "csr-aia.h"

#include <stddef.h>

#include <pmu/rule.h>

#include "csr-closed.h"
#include "topi.h"

/* Priority numbers for 1, 5, 13, and for 16-23: all that have a place there. */
#define HVIPRIO1 UINT64_C(0x0000ff00ff00ff00)
#define HVICTL                                                                 \
	(HVICTL_VTI | HVICTL_IID | HVICTL_DPR | HVICTL_IPRIOM | HVICTL_IPRIO)

/* What of S-level software can filter besides: SSI and SEI. */
static const uint64_t filtered = IRQ_BIT(PMU_IRQ_SSI) | IRQ_BIT(PMU_IRQ_SEI);

uint64_t aia_hvip_bits(const struct pmu_hart *h)
{
	return has(h, PMU_EXT_SSAIA) ? IRQS_LOCAL : 0;
}

/* A bit of sie or vsie that becomes one of its own is 0 (C174). */
void aia_settle(struct pmu_hart *h)
{
	h->sie_own &= irq_own_of_s(h);
	h->vsie_own &= irq_own_of_vs(h);
}

static void replace(uint64_t *word, uint64_t value, uint64_t mask)
{
	*word = (*word & ~mask) | (value & mask);
}

/* mip as far as @pending has it: a bit that is not wanted is 0. */
uint64_t aia_sip(const struct pmu_hart *h, uint64_t pending)
{
	return (pending & h->mideleg) | (h->mvip & irq_own_of_s(h));
}

uint64_t aia_sie(const struct pmu_hart *h)
{
	return (h->mie & h->mideleg) | (h->sie_own & irq_own_of_s(h));
}

void aia_set_sip(struct pmu_hart *h, uint64_t value, uint64_t mask)
{
	replace(&h->mip_soft, value, mask & h->mideleg);
	irq_written(h);
	replace(&h->mvip, value, mask & irq_own_of_s(h));
}

void aia_set_sie(struct pmu_hart *h, uint64_t value, uint64_t mask)
{
	replace(&h->mie, value, mask & h->mideleg);
	replace(&h->sie_own, value, mask & irq_own_of_s(h));
}

uint64_t aia_vsip(const struct pmu_hart *h, uint64_t pending)
{
	return ((aia_sip(h, pending) & irq_hideleg(h)) |
		(h->hvip & irq_own_of_vs(h))) &
	       IRQS_LOCAL;
}

uint64_t aia_vsie(const struct pmu_hart *h)
{
	return ((aia_sie(h) & irq_hideleg(h)) |
		(h->vsie_own & irq_own_of_vs(h))) &
	       IRQS_LOCAL;
}

void aia_set_vsip(struct pmu_hart *h, uint64_t value)
{
	aia_set_sip(h, value, IRQS_LOCAL & irq_hideleg(h));
	replace(&h->hvip, value, irq_own_of_vs(h));
}

void aia_set_vsie(struct pmu_hart *h, uint64_t value)
{
	aia_set_sie(h, value, IRQS_LOCAL & irq_hideleg(h));
	replace(&h->vsie_own, value, irq_own_of_vs(h));
}

static void move(uint64_t *from, uint64_t *to, uint64_t bits)
{
	*to |= *from & bits;
	*from &= ~bits;
}

/*
 * The software's SEIP is one bit, which mip shows or not: it moves. SSIP is
 * two, of which that of mvip begins at 0.
 */
static unsigned wr_mvien(struct pmu_hart *h, const struct csr_ref *ref,
			 uint64_t value)
{
	uint64_t seip = IRQ_BIT(PMU_IRQ_SEI);

	h->mvien = value & (IRQS_LOCAL | filtered);
	if (h->mvien & seip)
		move(&h->mip_soft, &h->mvip, seip);
	else
		move(&h->mvip, &h->mip_soft, seip);
	if (!(h->mvien & IRQ_BIT(PMU_IRQ_SSI)))
		h->mvip &= ~IRQ_BIT(PMU_IRQ_SSI);
	aia_settle(h);
	return PMU_FX_IRQ;
}

/* What mvip shows of mip: the bits that software writes there, too. */
static uint64_t mvip_aliases(const struct pmu_hart *h)
{
	uint64_t bits = IRQS_S & ~h->mvien;

	return irq_timer_drives_stip(h) ? bits & ~IRQ_BIT(PMU_IRQ_STI) : bits;
}

static uint64_t rd_mvip(const struct pmu_hart *h, const struct csr_ref *ref)
{
	return h->mvip | (h->mip_soft & mvip_aliases(h));
}

static unsigned wr_mvip(struct pmu_hart *h, const struct csr_ref *ref,
			uint64_t value)
{
	replace(&h->mvip, value, IRQS_LOCAL | (h->mvien & filtered));
	replace(&h->mip_soft, value, mvip_aliases(h));
	return PMU_FX_IRQ;
}

static unsigned wr_hvien(struct pmu_hart *h, const struct csr_ref *ref,
			 uint64_t value)
{
	h->hvien = value & IRQS_LOCAL;
	aia_settle(h);
	return PMU_FX_IRQ;
}

static unsigned wr_hvictl(struct pmu_hart *h, const struct csr_ref *ref,
			  uint64_t value)
{
	h->hvictl = value & HVICTL;
	return PMU_FX_IRQ;
}

static uint64_t rd_mtopi(const struct pmu_hart *h, const struct csr_ref *ref)
{
	return topi_of_m(h, irq_pending(h, ref->now, h->mie));
}

static uint64_t rd_stopi(const struct pmu_hart *h, const struct csr_ref *ref)
{
	return topi_of_s(h, irq_pending(h, ref->now, h->mie));
}

static uint64_t rd_vstopi(const struct pmu_hart *h, const struct csr_ref *ref)
{
	return topi_of_vs(h, irq_pending(h, ref->now, h->mie));
}

enum pmu_csr_result csr_aia_allowed(const struct pmu_hart *h,
				    const struct csr_ref *ref)
{
	return csr_stateen(h, ref->mode, STATEEN0_AIA, ref->closed_by);
}

enum pmu_csr_result aia_vti(const struct pmu_hart *h, const struct csr_ref *ref)
{
	return ref->mode == PMU_MODE_VS && h->hvictl & HVICTL_VTI
		       ? csr_closed(ref->closed_by, PMU_CSR_HVICTL,
				    PMU_CSR_VIRTUAL)
		       : PMU_CSR_OK;
}

/* vsip, vsie */
enum pmu_csr_result csr_vsi_allowed(const struct pmu_hart *h,
				    const struct csr_ref *ref)
{
	return aia_vti(h, ref);
}

/* vsiph, vsieh */
enum pmu_csr_result csr_vsih_allowed(const struct pmu_hart *h,
				     const struct csr_ref *ref)
{
	enum pmu_csr_result result = csr_aia_allowed(h, ref);

	return result == PMU_CSR_OK ? aia_vti(h, ref) : result;
}

/* stopei, vstopei: an IMSIC's, which a guest may be made to believe in. */
static enum pmu_csr_result topei_allowed(const struct pmu_hart *h,
					 const struct csr_ref *ref)
{
	return pmu_mode_is_guest(ref->mode) ? PMU_CSR_VIRTUAL : PMU_CSR_ILLEGAL;
}

#define SSAIA_H (PMU_EXT_SSAIA | PMU_EXT_H)

const struct csr_desc csr_aia_table[] = {
	{ CSR(PMU_CSR_MVIEN), .part = CSR_WIDE,
	  .ext = PMU_EXT_SMAIA | PMU_EXT_S, CSR_WORD(mvien), .read = csr_rd_reg,
	  .write = wr_mvien, .rule = RULE("ssccfg_lcofi_mvip_mvien"),
	  .high = { .first = PMU_CSR_MVIENH } },
	{ CSR(PMU_CSR_MVIP), .part = CSR_WIDE, .ext = PMU_EXT_SMAIA | PMU_EXT_S,
	  .read = rd_mvip, .write = wr_mvip,
	  .rule = RULE("ssccfg_lcofi_mvip_mvien"),
	  .high = { .first = PMU_CSR_MVIPH } },
	{ CSR(PMU_CSR_HVIEN), .part = CSR_WIDE, .ext = SSAIA_H, CSR_WORD(hvien),
	  .guard = csr_aia_allowed, .read = csr_rd_reg, .write = wr_hvien,
	  .rule = RULE("ssccfg_lcofi_hvip_hvien"),
	  .high = { .first = PMU_CSR_HVIENH } },
	{ CSR(PMU_CSR_HVICTL), .ext = SSAIA_H, CSR_WORD(hvictl),
	  .guard = csr_aia_allowed, .read = csr_rd_reg, .write = wr_hvictl,
	  .rule = RULE("aia_hvictl_fields") },
	{ CSR(PMU_CSR_HVIPRIO1), .part = CSR_WIDE, .ext = SSAIA_H,
	  CSR_WORD(hviprio1), .guard = csr_aia_allowed, .read = csr_rd_reg,
	  .write = csr_wr_reg, .kept = ~HVIPRIO1,
	  .rule = RULE("aia_hviprio_fields"),
	  .high = { .first = PMU_CSR_HVIPRIO1H } },
	{ CSR(PMU_CSR_HVIPRIO2), .part = CSR_WIDE, .ext = SSAIA_H,
	  CSR_WORD(hviprio2), .guard = csr_aia_allowed, .read = csr_rd_reg,
	  .write = csr_wr_reg, .rule = RULE("aia_hviprio_fields"),
	  .high = { .first = PMU_CSR_HVIPRIO2H } },
	{ CSR(PMU_CSR_STOPEI), .part = CSR_REFUSED, .ext = SSAIA_H,
	  .guard = topei_allowed, .rule = RULE("aia_topei_absent") },
	{ CSR(PMU_CSR_VSTOPEI), .part = CSR_REFUSED, .ext = SSAIA_H,
	  .guard = topei_allowed, .rule = RULE("aia_topei_absent") },
	{ CSR(PMU_CSR_MTOPI), .ext = PMU_EXT_SMAIA, .read = rd_mtopi,
	  .rule = RULE("aia_mtopi_iid") },
	{ CSR(PMU_CSR_STOPI), .ext = PMU_EXT_SSAIA, .guard = csr_aia_allowed,
	  .read = rd_stopi, .rule = RULE("aia_stopi_iid") },
	{ CSR(PMU_CSR_VSTOPI), .ext = SSAIA_H, .guard = csr_aia_allowed,
	  .read = rd_vstopi, .rule = RULE("aia_vstopi_first") },
	{ .last = 0 }
};
