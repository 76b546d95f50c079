/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The CSRs of the execution environment: menvcfg, senvcfg, satp, stimecmp, and
 * the guard of the floating-point CSRs, whose values the engine has. How an
 * address is translated is decided in translate.c.
 */
#include "csr-aia.h"

#include <stddef.h>

#include <pmu/rule.h>

#include "csr-closed.h"

#define MENVCFG_FIOM UINT64_C(1)

#define SATP64_MODE(satp) ((unsigned)((satp) >> 60))
#define SATP32_MODE(satp) ((unsigned)((satp) >> 31))

static bool fs_on(const struct pmu_hart *h, enum pmu_mode mode)
{
	if (pmu_mode_is_guest(mode) && !(h->vsstatus & MSTATUS_FS))
		return false;
	return h->mstatus & MSTATUS_FS;
}

/*
 * FS = Off takes the floating-point CSRs away in every mode, M too; in a guest
 * its own FS as well. The exception is never a virtual instruction.
 */
static enum pmu_csr_result fs_allowed(const struct pmu_hart *h,
				      const struct csr_ref *ref)
{
	return fs_on(h, ref->mode) ? PMU_CSR_OK : PMU_CSR_ILLEGAL;
}

bool pmu_fp_on(const struct pmu_hart *h)
{
	return fs_on(h, h->mode);
}

static unsigned wr_menvcfg(struct pmu_hart *h, const struct csr_ref *ref,
			   uint64_t value)
{
	uint64_t mask = MENVCFG_FIOM, changed;
	unsigned effects = 0;

	if (has(h, PMU_EXT_SSTC))
		mask |= MENVCFG_STCE;
	if (has(h, PMU_EXT_SVADU))
		mask |= MENVCFG_ADUE;
	if (has(h, PMU_EXT_SMCDELEG))
		mask |= MENVCFG_CDE;
	changed = (h->menvcfg ^ value) & mask;
	h->menvcfg = value & mask;
	if (changed & MENVCFG_STCE)
		effects |= PMU_FX_TIMER | PMU_FX_IRQ;
	if (changed & MENVCFG_ADUE)
		effects |= PMU_FX_TLB;
	return effects;
}

/* TVM keeps S-mode, but no guest, away from satp and hgatp. */
enum pmu_csr_result csr_satp_allowed(const struct pmu_hart *h,
				     const struct csr_ref *ref)
{
	if (ref->mode == PMU_MODE_S && (h->mstatus & MSTATUS_TVM))
		return PMU_CSR_ILLEGAL;
	return PMU_CSR_OK;
}

/* VTVM keeps VS-mode away from what it knows as satp. */
static enum pmu_csr_result vsatp_allowed(const struct pmu_hart *h,
					 const struct csr_ref *ref)
{
	if (ref->mode == PMU_MODE_VS && (h->hstatus & HSTATUS_VTVM))
		return PMU_CSR_VIRTUAL;
	return PMU_CSR_OK;
}

bool csr_satp_mode_exists(const struct pmu_hart *h, uint64_t satp)
{
	uint8_t sv = h->cfg.sv_modes;

	if (h->cfg.xlen == 32)
		return SATP32_MODE(satp) ? sv & PMU_SV32 : true;
	switch (SATP64_MODE(satp)) {
	case 0:
		return true;
	case 8:
		return sv & PMU_SV39;
	case 9:
		return sv & PMU_SV48;
	case 10:
		return sv & PMU_SV57;
	default:
		return false;
	}
}

/*
 * satp, vsatp: an unsupported MODE makes the whole write void; ASID has its
 * width.
 */
static unsigned wr_satp(struct pmu_hart *h, const struct csr_ref *ref,
			uint64_t value)
{
	uint64_t room = pmu_satp_asid(h->cfg.xlen);
	uint64_t none = room & room << h->cfg.asid_bits;

	if (!csr_satp_mode_exists(h, value))
		return 0;
	return csr_wr_reg(h, ref, value & ~none) | PMU_FX_TLB;
}

/*
 * Below M, stimecmp and vstimecmp need mcounteren.TM and menvcfg.STCE; a guest,
 * which means vstimecmp, the same of hcounteren and henvcfg (C116).
 */
static enum pmu_csr_result stimecmp_enabled(const struct pmu_hart *h,
					    const struct csr_ref *ref)
{
	uint16_t menvcfg = csr_with_bit(h, PMU_CSR_MENVCFG, MENVCFG_STCE);
	uint16_t henvcfg = csr_with_bit(h, PMU_CSR_HENVCFG, MENVCFG_STCE);
	uint16_t *by = ref->closed_by;

	if (ref->mode == PMU_MODE_M)
		return PMU_CSR_OK;
	if (!(h->mcounteren & 2))
		return csr_closed(by, PMU_CSR_MCOUNTEREN, PMU_CSR_ILLEGAL);
	if (!irq_timer_drives_stip(h))
		return csr_closed(by, menvcfg, PMU_CSR_ILLEGAL);
	if (pmu_mode_is_guest(ref->mode) && !(h->hcounteren & 2))
		return csr_closed(by, PMU_CSR_HCOUNTEREN, PMU_CSR_VIRTUAL);
	if (pmu_mode_is_guest(ref->mode) && !irq_timer_drives_vstip(h))
		return csr_closed(by, henvcfg, PMU_CSR_VIRTUAL);
	return ref->write ? aia_vti(h, ref) : PMU_CSR_OK;
}

/* stimecmp, vstimecmp */
static unsigned wr_stimecmp(struct pmu_hart *h, const struct csr_ref *ref,
			    uint64_t value)
{
	return csr_wr_reg(h, ref, value) | PMU_FX_TIMER | PMU_FX_IRQ;
}

const struct csr_desc csr_env_table[] = {
	{ CSR(PMU_CSR_FFLAGS), .part = CSR_ENGINE, .ext = PMU_EXT_F,
	  .guard = fs_allowed, .rule = RULE("mstatus_fs_op") },
	{ CSR(PMU_CSR_FRM), .part = CSR_ENGINE, .ext = PMU_EXT_F,
	  .guard = fs_allowed, .rule = RULE("mstatus_fs_op") },
	{ CSR(PMU_CSR_FCSR), .part = CSR_ENGINE, .ext = PMU_EXT_F,
	  .guard = fs_allowed, .rule = RULE("mstatus_fs_op") },
	{ CSR(PMU_CSR_SENVCFG), .ext = PMU_EXT_S, CSR_WORD(senvcfg),
	  .guard = csr_envcfg_allowed, .read = csr_rd_reg, .write = csr_wr_reg,
	  .kept = ~UINT64_C(1), .rule = RULE("senvcfg") },
	{ CSR(PMU_CSR_STIMECMP), .part = CSR_WIDE, .ext = PMU_EXT_SSTC,
	  CSR_WORD(stimecmp), .guard = stimecmp_enabled, .read = csr_rd_reg,
	  .write = wr_stimecmp, .rule = RULE("stimecmp_stimecmph_sz_acc"),
	  .high = { .first = PMU_CSR_STIMECMPH } },
	{ CSR(PMU_CSR_SATP), .ext = PMU_EXT_S, CSR_WORD(satp),
	  .guard = csr_satp_allowed, .read = csr_rd_reg, .write = wr_satp,
	  .rule = RULE("satp") },
	{ CSR(PMU_CSR_VSTIMECMP), .part = CSR_WIDE,
	  .ext = PMU_EXT_H | PMU_EXT_SSTC, CSR_WORD(vstimecmp),
	  .guard = stimecmp_enabled, .read = csr_rd_reg, .write = wr_stimecmp,
	  .rule = RULE("vstimecmp_acc"),
	  .high = { .first = PMU_CSR_VSTIMECMPH } },
	{ CSR(PMU_CSR_VSATP), .ext = PMU_EXT_H, CSR_WORD(vsatp),
	  .guard = vsatp_allowed, .read = csr_rd_reg, .write = wr_satp,
	  .rule = RULE("vsatp_sz_acc_op") },
	{ CSR(PMU_CSR_MENVCFG), .part = CSR_WIDE, .ext = PMU_EXT_U,
	  CSR_WORD(menvcfg), .read = csr_rd_reg, .write = wr_menvcfg,
	  .rule = RULE("menvcfg_op"),
	  .high = { .first = PMU_CSR_MENVCFGH,
		    .rule = RULE("menvcfgh_sz_acc_op") } },
	{ .last = 0 }
};
