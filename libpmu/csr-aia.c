/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the LCOFI needs of Smaia and Ssaia: mvien and mvip give S-mode, hvien
 * and hvip give VS-mode an LCOFI that is software's, and bit 13 of sip, sie,
 * vsip and vsie is composed here of what is delegated and what is given
 * (C135). The rest of the AIA is not modelled.
 */
#include "csr-row.h"

#include <stddef.h>

#include <pmu/rule.h>

/* The bits of mvien; those of hvien need Ssaia and H as well. */
static uint64_t mvien_bits(const struct pmu_hart *h)
{
	return has(h, PMU_EXT_SMCDELEG | PMU_EXT_SSCOFPMF | PMU_EXT_SMAIA)
		       ? IRQ_LCOFI
		       : 0;
}

uint64_t aia_hvip_bits(const struct pmu_hart *h)
{
	return has(h, PMU_EXT_SSAIA) ? mvien_bits(h) : 0;
}

/* Where sip and sie, vsip and vsie have bits of their own. */
static uint64_t own_of_s(const struct pmu_hart *h)
{
	return h->mvien & ~h->mideleg;
}

static uint64_t own_of_vs(const struct pmu_hart *h)
{
	return h->hvien & ~irq_hideleg(h);
}

/* A bit of sie or vsie that becomes one of its own is 0 (C174). */
void aia_settle(struct pmu_hart *h)
{
	h->sie_own &= own_of_s(h);
	h->vsie_own &= own_of_vs(h);
}

static void replace(uint64_t *word, uint64_t value, uint64_t mask)
{
	*word = (*word & ~mask) | (value & mask);
}

/* mip as far as @pending has it: a bit that is not wanted is 0. */
uint64_t aia_sip(const struct pmu_hart *h, uint64_t pending)
{
	return (pending & h->mideleg) | (h->mvip & own_of_s(h));
}

uint64_t aia_sie(const struct pmu_hart *h)
{
	return (h->mie & h->mideleg) | (h->sie_own & own_of_s(h));
}

void aia_set_sip(struct pmu_hart *h, uint64_t value, uint64_t mask)
{
	replace(&h->mip_soft, value, mask & h->mideleg);
	replace(&h->mvip, value, mask & own_of_s(h));
}

void aia_set_sie(struct pmu_hart *h, uint64_t value, uint64_t mask)
{
	replace(&h->mie, value, mask & h->mideleg);
	replace(&h->sie_own, value, mask & own_of_s(h));
}

uint64_t aia_vsip(const struct pmu_hart *h, uint64_t pending)
{
	return ((aia_sip(h, pending) & irq_hideleg(h)) |
		(h->hvip & own_of_vs(h))) &
	       IRQ_LCOFI;
}

uint64_t aia_vsie(const struct pmu_hart *h)
{
	return ((aia_sie(h) & irq_hideleg(h)) | (h->vsie_own & own_of_vs(h))) &
	       IRQ_LCOFI;
}

void aia_set_vsip(struct pmu_hart *h, uint64_t value)
{
	aia_set_sip(h, value, IRQ_LCOFI & irq_hideleg(h));
	replace(&h->hvip, value, own_of_vs(h));
}

void aia_set_vsie(struct pmu_hart *h, uint64_t value)
{
	aia_set_sie(h, value, IRQ_LCOFI & irq_hideleg(h));
	replace(&h->vsie_own, value, own_of_vs(h));
}

uint64_t irq_given_to_s(const struct pmu_hart *h)
{
	return h->mvip & h->sie_own & own_of_s(h);
}

uint64_t irq_given_to_vs(const struct pmu_hart *h)
{
	return h->hvip & h->vsie_own & own_of_vs(h);
}

static unsigned wr_mvien(struct pmu_hart *h, const struct csr_ref *ref,
			 uint64_t value)
{
	h->mvien = value & mvien_bits(h);
	aia_settle(h);
	return PMU_FX_IRQ;
}

/* What mvip shows of mip: the bits that software writes there, too. */
static uint64_t mvip_aliases(const struct pmu_hart *h)
{
	return irq_timer_drives_stip(h) ? IRQS_S & ~IRQ_BIT(PMU_IRQ_STI)
					: IRQS_S;
}

static uint64_t rd_mvip(const struct pmu_hart *h, const struct csr_ref *ref)
{
	return h->mvip | (h->mip_soft & mvip_aliases(h));
}

static unsigned wr_mvip(struct pmu_hart *h, const struct csr_ref *ref,
			uint64_t value)
{
	h->mvip = value & mvien_bits(h);
	replace(&h->mip_soft, value, mvip_aliases(h));
	return PMU_FX_IRQ;
}

static unsigned wr_hvien(struct pmu_hart *h, const struct csr_ref *ref,
			 uint64_t value)
{
	h->hvien = value & aia_hvip_bits(h);
	aia_settle(h);
	return PMU_FX_IRQ;
}

enum pmu_csr_result csr_aia_allowed(const struct pmu_hart *h,
				    const struct csr_ref *ref)
{
	return csr_stateen(h, ref->mode, STATEEN0_AIA);
}

const struct csr_desc csr_aia_table[] = {
	{ CSR(PMU_CSR_MVIEN, "mvien"), .part = CSR_WIDE, .ext = PMU_EXT_SMAIA,
	  CSR_WORD(mvien), .read = csr_rd_reg, .write = wr_mvien,
	  .rule = RULE("ssccfg_lcofi_mvip_mvien"),
	  .high = { .first = PMU_CSR_MVIENH, .names = CSR_NAME("mvienh") } },
	{ CSR(PMU_CSR_MVIP, "mvip"), .part = CSR_WIDE, .ext = PMU_EXT_SMAIA,
	  .read = rd_mvip, .write = wr_mvip,
	  .rule = RULE("ssccfg_lcofi_mvip_mvien"),
	  .high = { .first = PMU_CSR_MVIPH, .names = CSR_NAME("mviph") } },
	{ CSR(PMU_CSR_HVIEN, "hvien"), .part = CSR_WIDE, .ext = PMU_EXT_SSAIA,
	  CSR_WORD(hvien), .guard = csr_aia_allowed, .read = csr_rd_reg,
	  .write = wr_hvien, .rule = RULE("ssccfg_lcofi_hvip_hvien"),
	  .high = { .first = PMU_CSR_HVIENH, .names = CSR_NAME("hvienh") } },
	{ .names = NULL }
};
