/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The interrupt CSRs of the hypervisor and of its guest: hideleg, hvip, and the
 * views hip, hie, vsip, vsie of what mip and mie hold. What is pending is
 * decided in interrupt.c.
 */
#include "csr-aia.h"

#include <stddef.h>

#include <pmu/rule.h>

/* A guest sees VSSI, VSTI and VSEI as SSI, STI and SEI, one number lower. */
enum {
	VS_SHIFT = 1
};

static uint64_t rd_hideleg(const struct pmu_hart *h, const struct csr_ref *ref)
{
	return irq_hideleg(h);
}

static unsigned wr_hideleg(struct pmu_hart *h, const struct csr_ref *ref,
			   uint64_t value)
{
	uint64_t mask = IRQS_VS;

	if (has(h, PMU_EXT_SHLCOFIDELEG))
		mask |= IRQ_LCOFI & (h->mideleg | h->mvien);
	mask |= IRQS_LOCAL & ~IRQ_LCOFI & h->mvien;
	h->hideleg = (h->hideleg & ~mask) | (value & mask);
	aia_settle(h);
	return PMU_FX_IRQ;
}

static unsigned set_hvip(struct pmu_hart *h, uint64_t value, uint64_t mask)
{
	h->hvip = (h->hvip & ~mask) | (value & mask);
	return PMU_FX_IRQ;
}

static unsigned wr_hvip(struct pmu_hart *h, const struct csr_ref *ref,
			uint64_t value)
{
	return set_hvip(h, value, IRQS_VS | aia_hvip_bits(h));
}

/* csrrs and csrrc combine with VSSIP, the only bit that is written. */
static uint64_t rd_hip(const struct pmu_hart *h, const struct csr_ref *ref)
{
	if (ref->modify)
		return h->hvip & IRQ_BIT(PMU_IRQ_VSSI);
	return pmu_irq_pending(h, ref->now) & irq_of_guests(h);
}

/* hip, and mip as far as it shows the same bits. */
unsigned csr_wr_hip(struct pmu_hart *h, const struct csr_ref *ref,
		    uint64_t value)
{
	return set_hvip(h, value, IRQ_BIT(PMU_IRQ_VSSI) & irq_of_guests(h));
}

static unsigned set_mie(struct pmu_hart *h, uint64_t value, uint64_t mask)
{
	h->mie = (h->mie & ~mask) | (value & mask);
	return PMU_FX_IRQ;
}

static uint64_t rd_hie(const struct pmu_hart *h, const struct csr_ref *ref)
{
	return h->mie & irq_of_guests(h);
}

static unsigned wr_hie(struct pmu_hart *h, const struct csr_ref *ref,
		       uint64_t value)
{
	return set_mie(h, value, irq_of_guests(h));
}

/* hgeie: bits guest_irqs to 1. */
static unsigned wr_hgeie(struct pmu_hart *h, const struct csr_ref *ref,
			 uint64_t value)
{
	uint64_t mask = UINT64_MAX >> (63 - h->cfg.guest_irqs);

	h->hgeie = value & mask & ~UINT64_C(1);
	return PMU_FX_IRQ;
}

/* Where the guest sees the VS-level @bits of hip or hie that it is given. */
static uint64_t to_guest(const struct pmu_hart *h, uint64_t bits)
{
	return (bits & irq_hideleg(h) & IRQS_VS) >> VS_SHIFT;
}

static uint64_t from_guest(uint64_t bits)
{
	return (bits & IRQS_S) << VS_SHIFT;
}

static uint64_t rd_vsip(const struct pmu_hart *h, const struct csr_ref *ref)
{
	uint64_t pending = csr_rd_mip(h, ref);

	return to_guest(h, pending) | aia_vsip(h, pending);
}

/* SSIP and local interrupts are the guest's to write, as they are in sip. */
static unsigned wr_vsip(struct pmu_hart *h, const struct csr_ref *ref,
			uint64_t value)
{
	uint64_t mask = irq_hideleg(h) & IRQ_BIT(PMU_IRQ_VSSI);

	aia_set_vsip(h, value);
	return set_hvip(h, from_guest(value), mask);
}

static uint64_t rd_vsie(const struct pmu_hart *h, const struct csr_ref *ref)
{
	return to_guest(h, h->mie) | aia_vsie(h);
}

static unsigned wr_vsie(struct pmu_hart *h, const struct csr_ref *ref,
			uint64_t value)
{
	aia_set_vsie(h, value);
	return set_mie(h, from_guest(value), irq_hideleg(h) & IRQS_VS);
}

const struct csr_desc csr_hyp_irq_table[] = {
	{ CSR(PMU_CSR_VSIE), .part = CSR_WIDE, .ext = PMU_EXT_H,
	  .guard = csr_vsi_allowed, .read = rd_vsie, .write = wr_vsie,
	  .rule = RULE("vsip_vsie_sz_acc_op"),
	  .high = { .first = PMU_CSR_VSIEH,
		    .ext = PMU_EXT_SSAIA,
		    .guard = csr_vsih_allowed,
		    .rule = RULE("aia_widened") } },
	{ CSR(PMU_CSR_VSIP), .part = CSR_WIDE, .ext = PMU_EXT_H,
	  .guard = csr_vsi_allowed, .read = rd_vsip, .write = wr_vsip,
	  .rule = RULE("vsip_vsie_sz_acc_op"),
	  .high = { .first = PMU_CSR_VSIPH,
		    .ext = PMU_EXT_SSAIA,
		    .guard = csr_vsih_allowed,
		    .rule = RULE("aia_widened") } },
	{ CSR(PMU_CSR_HIDELEG), .part = CSR_WIDE, .ext = PMU_EXT_H,
	  .read = rd_hideleg, .write = wr_hideleg,
	  .rule = RULE("hideleg_sz_acc"),
	  .high = { .first = PMU_CSR_HIDELEGH,
		    .ext = PMU_EXT_SSAIA,
		    .guard = csr_aia_allowed,
		    .rule = RULE("aia_widened") } },
	{ CSR(PMU_CSR_HIE), .ext = PMU_EXT_H, .read = rd_hie, .write = wr_hie,
	  .rule = RULE("hip_hie_sz_acc") },
	{ CSR(PMU_CSR_HGEIE), .ext = PMU_EXT_H, CSR_WORD(hgeie),
	  .read = csr_rd_reg, .write = wr_hgeie,
	  .rule = RULE("hgeie_sz_acc_op") },
	{ CSR(PMU_CSR_HIP), .ext = PMU_EXT_H, .read = rd_hip,
	  .write = csr_wr_hip, .rule = RULE("hip_hie_sz_acc") },
	{ CSR(PMU_CSR_HVIP), .part = CSR_WIDE, .ext = PMU_EXT_H, CSR_WORD(hvip),
	  .read = csr_rd_reg, .write = wr_hvip, .rule = RULE("hvip_sz_op"),
	  .high = { .first = PMU_CSR_HVIPH,
		    .ext = PMU_EXT_SSAIA,
		    .guard = csr_aia_allowed,
		    .rule = RULE("ssccfg_lcofi_hvip_hvien") } },
	{ CSR(PMU_CSR_HGEIP), .ext = PMU_EXT_H, CSR_WORD(hgeip),
	  .read = csr_rd_reg, .rule = RULE("hgeip_sz_acc_op") },
	{ .last = 0 }
};
