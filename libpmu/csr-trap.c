/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The CSRs of trap set-up and handling: which bits a hart of this configuration
 * has, and which a write may change. What a trap does with them is decided in
 * trap.c. sstatus, sie and sip are views, nothing of their own.
 */
#include "csr-aia.h"

#include <stddef.h>

#include <pmu/rule.h>

#include "topi.h"

#define BIT(n) (UINT64_C(1) << (n))

#define MSTATUS_SXL64 (UINT64_C(2) << 34)

#define SSTATUS                                                                \
	(MSTATUS_SIE | MSTATUS_SPIE | MSTATUS_SPP | MSTATUS_FS | MSTATUS_SUM | \
	 MSTATUS_MXR)

/* Exceptions that can happen below M: all but ecalls of M. */
#define EXCEPTIONS                                                             \
	(BIT(PMU_CAUSE_ILLEGAL) | BIT(PMU_CAUSE_BREAKPOINT) |                  \
	 BIT(PMU_CAUSE_FETCH_ACCESS) | BIT(PMU_CAUSE_LOAD_MISALIGNED) |        \
	 BIT(PMU_CAUSE_LOAD_ACCESS) | BIT(PMU_CAUSE_STORE_MISALIGNED) |        \
	 BIT(PMU_CAUSE_STORE_ACCESS) | BIT(PMU_CAUSE_ECALL_U) |                \
	 BIT(PMU_CAUSE_ECALL_S))
#define GUEST_EXCEPTIONS                                                       \
	(BIT(PMU_CAUSE_ECALL_VS) | BIT(PMU_CAUSE_FETCH_GUEST_PAGE) |           \
	 BIT(PMU_CAUSE_LOAD_GUEST_PAGE) | BIT(PMU_CAUSE_VIRTUAL) |             \
	 BIT(PMU_CAUSE_STORE_GUEST_PAGE))
#define PAGE_FAULTS                                                            \
	(BIT(PMU_CAUSE_FETCH_PAGE) | BIT(PMU_CAUSE_LOAD_PAGE) |                \
	 BIT(PMU_CAUSE_STORE_PAGE))

/* The fields of mstatus that this hart has and software may write. */
static uint64_t status_fields(const struct pmu_hart *h)
{
	uint64_t mask = MSTATUS_MIE | MSTATUS_MPIE | MSTATUS_MPP;

	if (has(h, PMU_EXT_U))
		mask |= MSTATUS_MPRV | MSTATUS_TW;
	if (has(h, PMU_EXT_S))
		mask |= MSTATUS_SIE | MSTATUS_SPIE | MSTATUS_SPP | MSTATUS_TSR;
	if (h->cfg.sv_modes)
		mask |= MSTATUS_SUM | MSTATUS_MXR | MSTATUS_TVM;
	if (has(h, PMU_EXT_F))
		mask |= MSTATUS_FS;
	if (has(h, PMU_EXT_H))
		mask |= MSTATUS_MPV | MSTATUS_GVA;
	return mask;
}

static bool mpp_exists(const struct pmu_hart *h, uint64_t status)
{
	switch ((status & MSTATUS_MPP) >> 11) {
	case 0:
		return has(h, PMU_EXT_U);
	case 1:
		return has(h, PMU_EXT_S);
	case 3:
		return true;
	default:
		return false;
	}
}

/*
 * What depends on mstatus, or on vsstatus, which has fewer fields, and follows
 * from the bits that @changed.
 */
unsigned csr_status_effects(uint64_t changed, uint64_t status)
{
	unsigned effects = 0;

	if (changed & (MSTATUS_MIE | MSTATUS_SIE))
		effects |= PMU_FX_IRQ;
	/* What is allowed beyond that is walked for when it is needed. */
	if (changed & ~status & MSTATUS_SUM)
		effects |= PMU_FX_SUM;
	if (changed & ~status & MSTATUS_MXR)
		effects |= PMU_FX_TLB;
	if (changed & MSTATUS_MPRV)
		effects |= PMU_FX_TLB;
	if ((changed & (MSTATUS_MPP | MSTATUS_MPV)) && (status & MSTATUS_MPRV))
		effects |= PMU_FX_TLB;
	if (changed & MSTATUS_FS)
		effects |= PMU_FX_FS;
	return effects;
}

/* mstatus with the bits of @mask replaced, as far as this hart has them. */
static uint64_t new_status(const struct pmu_hart *h, uint64_t value,
			   uint64_t mask)
{
	mask &= status_fields(h);
	if (!mpp_exists(h, value))
		mask &= ~MSTATUS_MPP;
	/* FS is Off or Dirty: a state that nobody tracks is Dirty. */
	if (value & MSTATUS_FS)
		value |= MSTATUS_FS;
	return (h->mstatus & ~mask) | (value & mask);
}

static unsigned set_status(struct pmu_hart *h, uint64_t value, uint64_t mask)
{
	uint64_t old = h->mstatus;

	h->mstatus = new_status(h, value, mask);
	return csr_status_effects(old ^ h->mstatus, h->mstatus);
}

static bool quiet_status(const struct pmu_hart *h, const struct csr_ref *ref,
			 uint64_t value, uint64_t mask)
{
	uint64_t status = new_status(h, value, mask);
	uint64_t changed = h->mstatus ^ status;

	return irq_quiet_status(h, ref->now,
				csr_status_effects(changed, status),
				changed & status & (MSTATUS_MIE | MSTATUS_SIE));
}

/* The fields that no write changes: SD, and the XLENs on RV64. */
static uint64_t status_read_only(const struct pmu_hart *h)
{
	bool dirty = (h->mstatus & MSTATUS_FS) == MSTATUS_FS;
	uint64_t ret = 0;

	if (h->cfg.xlen == 32)
		return dirty ? MSTATUS_SD32 : 0;
	if (dirty)
		ret |= MSTATUS_SD64;
	if (has(h, PMU_EXT_U))
		ret |= MSTATUS_UXL64;
	if (has(h, PMU_EXT_S))
		ret |= MSTATUS_SXL64;
	return ret;
}

static uint64_t rd_mstatus(const struct pmu_hart *h, const struct csr_ref *ref)
{
	return h->mstatus | status_read_only(h);
}

static unsigned wr_mstatus(struct pmu_hart *h, const struct csr_ref *ref,
			   uint64_t value)
{
	return set_status(h, value, UINT64_MAX);
}

static bool quiet_mstatus(const struct pmu_hart *h, const struct csr_ref *ref,
			  uint64_t value)
{
	return quiet_status(h, ref, value, UINT64_MAX);
}

static uint64_t rd_sstatus(const struct pmu_hart *h, const struct csr_ref *ref)
{
	return (h->mstatus & SSTATUS) | (status_read_only(h) & ~MSTATUS_SXL64);
}

static unsigned wr_sstatus(struct pmu_hart *h, const struct csr_ref *ref,
			   uint64_t value)
{
	return set_status(h, value, SSTATUS);
}

static bool quiet_sstatus(const struct pmu_hart *h, const struct csr_ref *ref,
			  uint64_t value)
{
	return quiet_status(h, ref, value, SSTATUS);
}

/* Fetches are misaligned only without C; page faults need page tables. */
static unsigned wr_medeleg(struct pmu_hart *h, const struct csr_ref *ref,
			   uint64_t value)
{
	uint64_t mask = EXCEPTIONS;

	if (!has(h, PMU_EXT_C))
		mask |= BIT(PMU_CAUSE_FETCH_MISALIGNED);
	if (h->cfg.sv_modes)
		mask |= PAGE_FAULTS;
	if (has(h, PMU_EXT_H))
		mask |= GUEST_EXCEPTIONS;
	h->medeleg = value & mask;
	return 0;
}

/* The interrupts of guests pass M-mode by, whatever is written. */
static unsigned wr_mideleg(struct pmu_hart *h, const struct csr_ref *ref,
			   uint64_t value)
{
	h->mideleg = (value & irq_implemented(h) & ~IRQS_M) | irq_of_guests(h);
	aia_settle(h);
	return PMU_FX_IRQ;
}

static unsigned wr_mie(struct pmu_hart *h, const struct csr_ref *ref,
		       uint64_t value)
{
	h->mie = value & irq_implemented(h);
	return PMU_FX_IRQ;
}

/* sie and sip: those of guests are in hie and hip. */
static uint64_t rd_sie(const struct pmu_hart *h, const struct csr_ref *ref)
{
	return aia_sie(h) & ~irq_of_guests(h);
}

static unsigned wr_sie(struct pmu_hart *h, const struct csr_ref *ref,
		       uint64_t value)
{
	aia_set_sie(h, value, ~irq_of_guests(h));
	return PMU_FX_IRQ;
}

/*
 * The software's bits of mip. With Sstc and STCE, STIP follows stimecmp and is
 * read-only; the bit written before shows again when STCE goes. With bit 9 of
 * mvien, the software's SEIP is in mvip alone.
 */
static uint64_t mip_writable(const struct pmu_hart *h)
{
	uint64_t mask = irq_implemented(h) & ~(IRQS_M | irq_of_guests(h));

	mask &= ~(h->mvien & IRQ_BIT(PMU_IRQ_SEI));
	if (irq_timer_drives_stip(h))
		mask &= ~IRQ_BIT(PMU_IRQ_STI);
	return mask;
}

/* csrrs and csrrc combine with what software wrote, not with the lines. */
uint64_t csr_rd_mip(const struct pmu_hart *h, const struct csr_ref *ref)
{
	if (ref->modify)
		return h->mip_soft | (h->hvip & IRQ_BIT(PMU_IRQ_VSSI));
	return pmu_irq_pending(h, ref->now);
}

static unsigned wr_mip(struct pmu_hart *h, const struct csr_ref *ref,
		       uint64_t value)
{
	uint64_t mask = mip_writable(h);

	h->mip_soft = (h->mip_soft & ~mask) | (value & mask);
	irq_written(h);
	return csr_wr_hip(h, ref, value);
}

static uint64_t rd_sip(const struct pmu_hart *h, const struct csr_ref *ref)
{
	return aia_sip(h, csr_rd_mip(h, ref)) & ~irq_of_guests(h);
}

/* In sip SSIP and the local interrupts' bits are software's (C110). */
static unsigned wr_sip(struct pmu_hart *h, const struct csr_ref *ref,
		       uint64_t value)
{
	aia_set_sip(h, value, IRQ_BIT(PMU_IRQ_SSI) | IRQS_LOCAL);
	return PMU_FX_IRQ;
}

/* An address to go on at: bit 0 is zero, bit 1 too without C. */
unsigned csr_wr_epc(struct pmu_hart *h, const struct csr_ref *ref,
		    uint64_t value)
{
	uint64_t low = has(h, PMU_EXT_C) ? 1 : 3;

	return csr_wr_reg(h, ref, value & ~low);
}

const struct csr_desc csr_trap_table[] = {
	{ CSR(PMU_CSR_SSTATUS), .ext = PMU_EXT_S, .read = rd_sstatus,
	  .write = wr_sstatus, .quiet = quiet_sstatus,
	  .rule = RULE("sstatus") },
	{ CSR(PMU_CSR_SIE), .part = CSR_WIDE, .ext = PMU_EXT_S, .read = rd_sie,
	  .write = wr_sie, .rule = RULE("sip_sie"),
	  .high = { .first = PMU_CSR_SIEH,
		    .ext = PMU_EXT_SSAIA,
		    .guard = csr_aia_allowed,
		    .rule = RULE("aia_widened") } },
	{ CSR(PMU_CSR_STVEC), .ext = PMU_EXT_S, CSR_PLAIN(stvec), .kept = 2,
	  .rule = RULE("stvec_op") },
	{ CSR(PMU_CSR_SSCRATCH), .ext = PMU_EXT_S, CSR_PLAIN(sscratch),
	  .rule = RULE("sscratch") },
	{ CSR(PMU_CSR_SEPC), .ext = PMU_EXT_S, CSR_WORD(sepc),
	  .read = csr_rd_reg, .write = csr_wr_epc, .quiet = csr_quiet,
	  .rule = RULE("sepc") },
	{ CSR(PMU_CSR_SCAUSE), .ext = PMU_EXT_S, CSR_PLAIN(scause),
	  .rule = RULE("scause") },
	{ CSR(PMU_CSR_STVAL), .ext = PMU_EXT_S, CSR_PLAIN(stval),
	  .rule = RULE("stval") },
	{ CSR(PMU_CSR_SIP), .part = CSR_WIDE, .ext = PMU_EXT_S, .read = rd_sip,
	  .write = wr_sip, .rule = RULE("sip_sie"),
	  .high = { .first = PMU_CSR_SIPH,
		    .ext = PMU_EXT_SSAIA,
		    .guard = csr_aia_allowed,
		    .rule = RULE("aia_widened") } },
	{ CSR(PMU_CSR_MSTATUS), .part = CSR_WIDE, .read = rd_mstatus,
	  .write = wr_mstatus, .quiet = quiet_mstatus,
	  .rule = RULE("mstatus_sz_acc"),
	  .high = { .first = PMU_CSR_MSTATUSH,
		    .rule = RULE("mstatush_sz_acc") } },
	{ CSR(PMU_CSR_MEDELEG), .part = CSR_WIDE, .ext = PMU_EXT_S,
	  CSR_WORD(medeleg), .read = csr_rd_reg, .write = wr_medeleg,
	  .rule = RULE("medeleg_sz_acc"),
	  .high = { .first = PMU_CSR_MEDELEGH,
		    .rule = RULE("medelegh_sz_acc_enc_xlen32") } },
	{ CSR(PMU_CSR_MIDELEG), .part = CSR_WIDE, .ext = PMU_EXT_S,
	  CSR_WORD(mideleg), .read = csr_rd_reg, .write = wr_mideleg,
	  .rule = RULE("mideleg_sz_acc"),
	  .high = { .first = PMU_CSR_MIDELEGH,
		    .ext = PMU_EXT_SMAIA,
		    .rule = RULE("aia_widened") } },
	{ CSR(PMU_CSR_MIE), .part = CSR_WIDE, CSR_WORD(mie), .read = csr_rd_reg,
	  .write = wr_mie, .rule = RULE("mie_sz_acc"),
	  .high = { .first = PMU_CSR_MIEH,
		    .ext = PMU_EXT_SMAIA,
		    .rule = RULE("aia_widened") } },
	{ CSR(PMU_CSR_MTVEC), CSR_PLAIN(mtvec), .kept = 2,
	  .rule = RULE("mtvec_sz_warl_acc") },
	{ CSR(PMU_CSR_MSCRATCH), CSR_PLAIN(mscratch),
	  .rule = RULE("mscratch_sz_acc") },
	{ CSR(PMU_CSR_MEPC), CSR_WORD(mepc), .read = csr_rd_reg,
	  .write = csr_wr_epc, .quiet = csr_quiet,
	  .rule = RULE("mepc_sz_acc") },
	{ CSR(PMU_CSR_MCAUSE), CSR_PLAIN(mcause),
	  .rule = RULE("mcause_sz_acc") },
	{ CSR(PMU_CSR_MTVAL), CSR_PLAIN(mtval), .rule = RULE("mtval_sz_acc") },
	{ CSR(PMU_CSR_MIP), .part = CSR_WIDE, .read = csr_rd_mip,
	  .write = wr_mip, .rule = RULE("mip_sz_acc"),
	  .high = { .first = PMU_CSR_MIPH,
		    .ext = PMU_EXT_SMAIA,
		    .rule = RULE("aia_widened") } },
	{ CSR(PMU_CSR_MTINST), .ext = PMU_EXT_H, CSR_PLAIN(mtinst),
	  .rule = RULE("mtinst_sz_acc_op") },
	{ CSR(PMU_CSR_MTVAL2), .ext = PMU_EXT_H, CSR_PLAIN(mtval2),
	  .rule = RULE("mtval2_sz_acc_op") },
	{ .last = 0 }
};
