/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The state-enable registers (Smstateen): which of their bits exist on this
 * hart, and what a bit that is 0 does to an access below its level. Bits of
 * state that no hart here has (Zfinx, Zcmt, IMSIC, triggers, Ssqosid, Smctr)
 * are read-only zero. Of sstateen0 to sstateen3 there is the bit of custom
 * state, where a hart has any (Xpmuebb).
 */
#include "csr-row.h"

#include <stddef.h>

#include <pmu/rule.h>

#include "csr-closed.h"

/* The bits that mstateen @n has. */
static uint64_t mstateen_bits(const struct pmu_hart *h, unsigned n)
{
	uint64_t bits = STATEEN_SE;

	if (n != 0)
		return bits;
	if (has(h, PMU_EXT_XPMUEBB))
		bits |= STATEEN0_C;
	if (has(h, PMU_EXT_S))
		bits |= STATEEN0_ENVCFG;
	if (h->cfg.ext & (PMU_EXT_SSCSRIND | PMU_EXT_SSAIA))
		bits |= STATEEN0_CSRIND;
	if (has(h, PMU_EXT_SSAIA))
		bits |= STATEEN0_AIA;
	if (has(h, PMU_EXT_H) && h->cfg.xlen == 32)
		bits |= STATEEN0_P1P13;
	return bits;
}

/* hstateen as it appears: what mstateen has at 0 is 0 (C171). */
static uint64_t hstateen(const struct pmu_hart *h, unsigned n)
{
	return h->hstateen[n] & h->mstateen[n];
}

/* Does a bit of stateen @n let @mode at what it controls? */
static enum pmu_csr_result enabled(const struct pmu_hart *h, enum pmu_mode mode,
				   unsigned n, uint64_t bit, uint16_t *by)
{
	uint16_t m = csr_with_bit(h, PMU_CSR_MSTATEEN0, bit);
	uint16_t hs = csr_with_bit(h, PMU_CSR_HSTATEEN0, bit);

	if (mode == PMU_MODE_M || !has(h, PMU_EXT_SMSTATEEN))
		return PMU_CSR_OK;
	if (!(h->mstateen[n] & bit))
		return csr_closed(by, (uint16_t)(m + n), PMU_CSR_ILLEGAL);
	if (pmu_mode_is_guest(mode) && !(hstateen(h, n) & bit))
		return csr_closed(by, (uint16_t)(hs + n), PMU_CSR_VIRTUAL);
	return PMU_CSR_OK;
}

enum pmu_csr_result csr_stateen(const struct pmu_hart *h, enum pmu_mode mode,
				uint64_t bit, uint16_t *by)
{
	return enabled(h, mode, 0, bit, by);
}

enum pmu_csr_result csr_envcfg_allowed(const struct pmu_hart *h,
				       const struct csr_ref *ref)
{
	return csr_stateen(h, ref->mode, STATEEN0_ENVCFG, ref->closed_by);
}

/* What a guest gets goes by hedeleg, which no bit controls. */
enum pmu_csr_result csr_hedelegh_allowed(const struct pmu_hart *h,
					 const struct csr_ref *ref)
{
	if (pmu_mode_is_guest(ref->mode))
		return PMU_CSR_VIRTUAL;
	return csr_stateen(h, ref->mode, STATEEN0_P1P13, ref->closed_by);
}

static enum pmu_csr_result stateen_allowed(const struct pmu_hart *h,
					   const struct csr_ref *ref)
{
	return enabled(h, ref->mode, ref->arg, STATEEN_SE, ref->closed_by);
}

static uint64_t rd_mstateen(const struct pmu_hart *h, const struct csr_ref *ref)
{
	return h->mstateen[ref->arg];
}

static unsigned wr_mstateen(struct pmu_hart *h, const struct csr_ref *ref,
			    uint64_t value)
{
	h->mstateen[ref->arg] = value & mstateen_bits(h, ref->arg);
	return 0;
}

/* Of sstateen0, what those above leave to @ref->mode. */
static uint64_t sstateen0_bits(const struct pmu_hart *h,
			       const struct csr_ref *ref)
{
	uint64_t bits = mstateen_bits(h, 0) & STATEEN0_C;

	if (ref->mode != PMU_MODE_M)
		bits &= h->mstateen[0];
	if (pmu_mode_is_guest(ref->mode))
		bits &= hstateen(h, 0);
	return bits;
}

static uint64_t rd_sstateen0(const struct pmu_hart *h,
			     const struct csr_ref *ref)
{
	return h->sstateen0 & sstateen0_bits(h, ref);
}

static unsigned wr_sstateen0(struct pmu_hart *h, const struct csr_ref *ref,
			     uint64_t value)
{
	uint64_t bits = sstateen0_bits(h, ref);

	h->sstateen0 = (h->sstateen0 & ~bits) | (value & bits);
	return PMU_FX_IRQ;
}

static uint64_t rd_hstateen(const struct pmu_hart *h, const struct csr_ref *ref)
{
	return hstateen(h, ref->arg);
}

/* Bits that mstateen hides keep what was written before. */
static unsigned wr_hstateen(struct pmu_hart *h, const struct csr_ref *ref,
			    uint64_t value)
{
	unsigned n = ref->arg;
	uint64_t mask = h->mstateen[n] & ~STATEEN0_P1P13;

	h->hstateen[n] = (h->hstateen[n] & ~mask) | (value & mask);
	return 0;
}

const struct csr_desc csr_stateen_table[] = {
	{ CSR(PMU_CSR_SSTATEEN0), .ext = PMU_EXT_S | PMU_EXT_SMSTATEEN,
	  .guard = stateen_allowed, .read = rd_sstateen0, .write = wr_sstateen0,
	  .rule = RULE("sstateen_rv64_csrs") },
	{ CSR_RUN(PMU_CSR_SSTATEEN0 + 1, 3), .arg = 1,
	  .ext = PMU_EXT_S | PMU_EXT_SMSTATEEN, .guard = stateen_allowed,
	  .read = csr_rd_zero, .rule = RULE("sstateen_rv64_csrs") },
	{ CSR_RUN(PMU_CSR_MSTATEEN0, 4), .part = CSR_WIDE,
	  .ext = PMU_EXT_SMSTATEEN, .guard = stateen_allowed,
	  .read = rd_mstateen, .write = wr_mstateen,
	  .rule = RULE("mstateen_rv64_csrs"),
	  .high = { .first = PMU_CSR_MSTATEEN0H,
		    .rule = RULE("stateen_rv32_upper_bits_csrs") } },
	{ CSR_RUN(PMU_CSR_HSTATEEN0, 4), .part = CSR_WIDE,
	  .ext = PMU_EXT_SMSTATEEN | PMU_EXT_H, .guard = stateen_allowed,
	  .read = rd_hstateen, .write = wr_hstateen,
	  .rule = RULE("hstateen_rv64_csrs"),
	  .high = { .first = PMU_CSR_HSTATEEN0H,
		    .rule = RULE("stateen_rv32_upper_bits_csrs") } },
	{ .last = 0 }
};
