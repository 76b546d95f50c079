/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The CSRs of the execution environment: misa, menvcfg, satp, stimecmp, and
 * the guard of the floating-point CSRs, whose values the engine has. How an
 * address is translated is decided in translate.c.
 */
#include "csr-row.h"

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
enum pmu_csr_result csr_fs_on(const struct pmu_hart *h,
			      const struct csr_ref *ref)
{
	return fs_on(h, ref->mode) ? PMU_CSR_OK : PMU_CSR_ILLEGAL;
}

bool pmu_fp_on(const struct pmu_hart *h)
{
	return fs_on(h, h->mode);
}

uint64_t csr_rd_misa(const struct pmu_hart *h, const struct csr_ref *ref)
{
	static const struct {
		uint32_t ext;
		char letter;
	} letters[] = {
		{ 0, 'I' },	    { PMU_EXT_M, 'M' }, { PMU_EXT_A, 'A' },
		{ PMU_EXT_F, 'F' }, { PMU_EXT_D, 'D' }, { PMU_EXT_C, 'C' },
		{ PMU_EXT_S, 'S' }, { PMU_EXT_U, 'U' }, { PMU_EXT_H, 'H' },
	};
	uint64_t misa =
		h->cfg.xlen == 32 ? UINT64_C(1) << 30 : UINT64_C(2) << 62;

	for (unsigned i = 0; i < sizeof(letters) / sizeof(*letters); i++)
		if (has(h, letters[i].ext))
			misa |= UINT64_C(1) << (letters[i].letter - 'A');
	return misa;
}

unsigned csr_wr_menvcfg(struct pmu_hart *h, const struct csr_ref *ref,
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
enum pmu_csr_result csr_vsatp_allowed(const struct pmu_hart *h,
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
unsigned csr_wr_satp(struct pmu_hart *h, const struct csr_ref *ref,
		     uint64_t value)
{
	unsigned shift = h->cfg.xlen == 32 ? 22 : 44;
	unsigned room = h->cfg.xlen == 32 ? 9 : 16;
	uint64_t asid = (UINT64_C(1) << h->cfg.asid_bits) - 1;
	uint64_t none = ((UINT64_C(1) << room) - 1) & ~asid;

	if (!csr_satp_mode_exists(h, value))
		return 0;
	return csr_wr_reg(h, ref, value & ~(none << shift)) | PMU_FX_TLB;
}

/*
 * Below M, stimecmp and vstimecmp need mcounteren.TM and menvcfg.STCE; a guest,
 * which means vstimecmp, the same of hcounteren and henvcfg (C116).
 */
enum pmu_csr_result csr_stimecmp_enabled(const struct pmu_hart *h,
					 const struct csr_ref *ref)
{
	if (ref->mode == PMU_MODE_M)
		return PMU_CSR_OK;
	if (!(h->mcounteren & 2) || !irq_timer_drives_stip(h))
		return PMU_CSR_ILLEGAL;
	if (pmu_mode_is_guest(ref->mode) &&
	    (!(h->hcounteren & 2) || !irq_timer_drives_vstip(h)))
		return PMU_CSR_VIRTUAL;
	return PMU_CSR_OK;
}

/* stimecmp, vstimecmp */
unsigned csr_wr_stimecmp(struct pmu_hart *h, const struct csr_ref *ref,
			 uint64_t value)
{
	return csr_wr_reg(h, ref, value) | PMU_FX_TIMER | PMU_FX_IRQ;
}
