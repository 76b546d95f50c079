/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The hypervisor's CSRs: hstatus, delegation of exceptions, environment, time
 * delta, guest translation, and vsstatus, the guest's own sstatus. Interrupts
 * are csr-hyp-irq.c's.
 */
#include "csr-row.h"

#include <stddef.h>

#include <pmu/rule.h>

#include "topi.h"

#define BIT(n) (UINT64_C(1) << (n))

#define HSTATUS_VSXL64 (UINT64_C(2) << 32)

#define HENVCFG_FIOM BIT(0)

/* All that a guest may be given; bit 0 only without C. Ecalls but its own,
 * guest-page faults and virtual instructions are the hypervisor's. */
#define HEDELEG UINT64_C(0x000cb1fe)

#define HGATP64_MODE (UINT64_C(15) << 60)
#define HGATP32_MODE (UINT64_C(1) << 31)
/* VMID of 14 or 7 bits, PPN of 44 or 22 without the lowest two */
#define HGATP64_REST UINT64_C(0x03fffffffffffffc)
#define HGATP32_REST UINT64_C(0x1ffffffc)

/* VSXLEN is HSXLEN, VSBE is little-endian: both read-only. */
static uint64_t rd_hstatus(const struct pmu_hart *h, const struct csr_ref *ref)
{
	return h->hstatus | (h->cfg.xlen == 64 ? HSTATUS_VSXL64 : 0);
}

static unsigned wr_hstatus(struct pmu_hart *h, const struct csr_ref *ref,
			   uint64_t value)
{
	uint64_t mask = HSTATUS_GVA | HSTATUS_SPV | HSTATUS_SPVP | HSTATUS_HU |
			HSTATUS_VTVM | HSTATUS_VTW | HSTATUS_VTSR;
	uint64_t old = h->hstatus;

	/* VGEIN keeps its value when no such interrupt exists. */
	if ((value & HSTATUS_VGEIN) >> 12 <= h->cfg.guest_irqs)
		mask |= HSTATUS_VGEIN;
	h->hstatus = (old & ~mask) | (value & mask);
	return (old ^ h->hstatus) & HSTATUS_VGEIN ? PMU_FX_IRQ : 0;
}

static unsigned wr_hedeleg(struct pmu_hart *h, const struct csr_ref *ref,
			   uint64_t value)
{
	uint64_t mask = HEDELEG;

	if (!has(h, PMU_EXT_C))
		mask |= BIT(PMU_CAUSE_FETCH_MISALIGNED);
	h->hedeleg = value & mask;
	return 0;
}

/* What the machine does not enable, no hypervisor can: read-only zero. */
static uint64_t henvcfg_mask(const struct pmu_hart *h)
{
	return HENVCFG_FIOM | (h->menvcfg & (MENVCFG_STCE | MENVCFG_ADUE));
}

static uint64_t rd_henvcfg(const struct pmu_hart *h, const struct csr_ref *ref)
{
	return h->henvcfg & henvcfg_mask(h);
}

static unsigned wr_henvcfg(struct pmu_hart *h, const struct csr_ref *ref,
			   uint64_t value)
{
	uint64_t mask = henvcfg_mask(h), changed = (h->henvcfg ^ value) & mask;
	unsigned effects = 0;

	h->henvcfg ^= changed;
	if (changed & MENVCFG_STCE)
		effects |= PMU_FX_TIMER | PMU_FX_IRQ;
	if (changed & MENVCFG_ADUE)
		effects |= PMU_FX_TLB;
	return effects;
}

static unsigned wr_htimedelta(struct pmu_hart *h, const struct csr_ref *ref,
			      uint64_t value)
{
	h->htimedelta = value;
	return PMU_FX_TIMER | PMU_FX_IRQ;
}

/* Unlike satp's, an unsupported MODE voids the field only. */
static unsigned wr_hgatp(struct pmu_hart *h, const struct csr_ref *ref,
			 uint64_t value)
{
	uint64_t mode = h->cfg.xlen == 32 ? HGATP32_MODE : HGATP64_MODE;
	uint64_t rest = h->cfg.xlen == 32 ? HGATP32_REST : HGATP64_REST;

	if (!csr_satp_mode_exists(h, value))
		value = (value & ~mode) | (h->hgatp & mode);
	h->hgatp = value & (mode | rest);
	return PMU_FX_TLB;
}

/* SD sums up what the guest sees, its own FS alone. */
static uint64_t rd_vsstatus(const struct pmu_hart *h, const struct csr_ref *ref)
{
	bool dirty = (h->vsstatus & MSTATUS_FS) == MSTATUS_FS;
	uint64_t ret = h->vsstatus;

	if (h->cfg.xlen == 32)
		return dirty ? ret | MSTATUS_SD32 : ret;
	return ret | MSTATUS_UXL64 | (dirty ? MSTATUS_SD64 : 0);
}

/* The fields that change when @value is written. */
static uint64_t vsstatus_change(const struct pmu_hart *h, uint64_t value)
{
	uint64_t mask = MSTATUS_SIE | MSTATUS_SPIE | MSTATUS_SPP | MSTATUS_SUM |
			MSTATUS_MXR;

	if (has(h, PMU_EXT_F))
		mask |= MSTATUS_FS;
	/* FS is Off or Dirty, as in mstatus. */
	if (value & MSTATUS_FS)
		value |= MSTATUS_FS;
	return (h->vsstatus ^ value) & mask;
}

static unsigned wr_vsstatus(struct pmu_hart *h, const struct csr_ref *ref,
			    uint64_t value)
{
	uint64_t changed = vsstatus_change(h, value);

	h->vsstatus ^= changed;
	return csr_status_effects(changed, value);
}

static bool quiet_vsstatus(const struct pmu_hart *h, const struct csr_ref *ref,
			   uint64_t value)
{
	uint64_t changed = vsstatus_change(h, value);

	return irq_quiet_status(h, ref->now, csr_status_effects(changed, value),
				changed & value & MSTATUS_SIE);
}

const struct csr_desc csr_hyp_table[] = {
	{ CSR(PMU_CSR_VSSTATUS), .ext = PMU_EXT_H, .read = rd_vsstatus,
	  .write = wr_vsstatus, .quiet = quiet_vsstatus,
	  .rule = RULE("vsstatus_sz_acc_op") },
	{ CSR(PMU_CSR_VSTVEC), .ext = PMU_EXT_H, CSR_PLAIN(vstvec), .kept = 2,
	  .rule = RULE("vstvec_sz_acc_op") },
	{ CSR(PMU_CSR_VSSCRATCH), .ext = PMU_EXT_H, CSR_PLAIN(vsscratch),
	  .rule = RULE("vsscratch_sz_acc_op") },
	{ CSR(PMU_CSR_VSEPC), .ext = PMU_EXT_H, CSR_WORD(vsepc),
	  .read = csr_rd_reg, .write = csr_wr_epc, .quiet = csr_quiet,
	  .rule = RULE("vspec_sz_acc_op") },
	{ CSR(PMU_CSR_VSCAUSE), .ext = PMU_EXT_H, CSR_PLAIN(vscause),
	  .rule = RULE("vscause_sz_acc_op") },
	{ CSR(PMU_CSR_VSTVAL), .ext = PMU_EXT_H, CSR_PLAIN(vstval),
	  .rule = RULE("vstval_sz_acc_op") },
	{ CSR(PMU_CSR_HSTATUS), .ext = PMU_EXT_H, .read = rd_hstatus,
	  .write = wr_hstatus, .rule = RULE("hstatus_sz_acc_op") },
	{ CSR(PMU_CSR_HEDELEG), .part = CSR_WIDE, .ext = PMU_EXT_H,
	  CSR_WORD(hedeleg), .read = csr_rd_reg, .write = wr_hedeleg,
	  .rule = RULE("hedeleg_sz_acc"),
	  .high = { .first = PMU_CSR_HEDELEGH,
		    .guard = csr_hedelegh_allowed,
		    .rule = RULE("hedelegh_sz_acc_op") } },
	{ CSR(PMU_CSR_HTIMEDELTA), .part = CSR_WIDE, .ext = PMU_EXT_H,
	  CSR_WORD(htimedelta), .read = csr_rd_reg, .write = wr_htimedelta,
	  .rule = RULE("htimedelta_sz_acc_op"),
	  .high = { .first = PMU_CSR_HTIMEDELTAH,
		    .rule = RULE("htimedeltah_sz_acc_op") } },
	{ CSR(PMU_CSR_HENVCFG), .part = CSR_WIDE, .ext = PMU_EXT_H,
	  .guard = csr_envcfg_allowed, .read = rd_henvcfg, .write = wr_henvcfg,
	  .rule = RULE("henvcfg_sz_acc_op"),
	  .high = { .first = PMU_CSR_HENVCFGH,
		    .rule = RULE("henvcfgh_sz_acc_op") } },
	{ CSR(PMU_CSR_HTVAL), .ext = PMU_EXT_H, CSR_PLAIN(htval),
	  .rule = RULE("htval_sz_acc_op") },
	{ CSR(PMU_CSR_HTINST), .ext = PMU_EXT_H, CSR_PLAIN(htinst),
	  .rule = RULE("htinst_sz_acc_op") },
	{ CSR(PMU_CSR_HGATP), .ext = PMU_EXT_H, CSR_WORD(hgatp),
	  .guard = csr_satp_allowed, .read = csr_rd_reg, .write = wr_hgatp,
	  .rule = RULE("hgatp_sz_acc_op") },
	{ .last = 0 }
};
