/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The state in which firmware hands a hart to S-mode (C121): what the reference
 * firmware writes. Reading back is WARL, and CSRs that a hart lacks are left
 * out.
 */
#include <pmu/csr-field.h>
#include <pmu/csr.h>
#include <pmu/explain.h>

#include "counters/fw-counters.h"
#include "sbi/sbi-call.h"

#define BIT(n) (UINT64_C(1) << (n))
/* mstateen0: what the reference lets S-mode have (C121) */
#define STATEEN_ALWAYS                                                         \
	(PMU_STATEEN_SE | PMU_STATEEN0_ENVCFG | PMU_STATEEN0_CONTEXT |         \
	 PMU_STATEEN0_P1P13)
#define STATEEN_AIA (PMU_STATEEN0_AIA | PMU_STATEEN0_IMSIC)

enum {
	UPPER = 0x10, /* from either to its upper half on RV32 */
};

/*
 * PMP: of the reference's regions only the last one, all of memory for S and U.
 * Those before it hide the firmware's own memory, and this firmware lies in
 * none of the guest's.
 */
#define PMP_NAPOT_RWX 0x1f
#define PMP_ALL	      UINT64_MAX

#define DELEGATED_EXCEPTIONS                                                   \
	(BIT(PMU_CAUSE_FETCH_MISALIGNED) | BIT(PMU_CAUSE_BREAKPOINT) |         \
	 BIT(PMU_CAUSE_ECALL_U) | BIT(PMU_CAUSE_FETCH_PAGE) |                  \
	 BIT(PMU_CAUSE_LOAD_PAGE) | BIT(PMU_CAUSE_STORE_PAGE))
/* With the H extension these are the hypervisor's (C97 counts the others). */
#define DELEGATED_TO_HS                                                        \
	(BIT(PMU_CAUSE_ECALL_VS) | BIT(PMU_CAUSE_FETCH_GUEST_PAGE) |           \
	 BIT(PMU_CAUSE_LOAD_GUEST_PAGE) | BIT(PMU_CAUSE_VIRTUAL) |             \
	 BIT(PMU_CAUSE_STORE_GUEST_PAGE))
#define DELEGATED_INTERRUPTS                                                   \
	(BIT(PMU_IRQ_SSI) | BIT(PMU_IRQ_STI) | BIT(PMU_IRQ_SEI) |              \
	 BIT(PMU_IRQ_LCOFI))

static const struct boot_csr {
	uint16_t num;
	uint64_t value;
} boot_csrs[] = {
	{ PMU_CSR_MSTATUS, PMU_MSTATUS_FS },
	{ PMU_CSR_PMPADDR0, PMP_ALL },
	{ PMU_CSR_PMPCFG0, PMP_NAPOT_RWX },
	{ PMU_CSR_MIDELEG, DELEGATED_INTERRUPTS },
	{ PMU_CSR_MIE, 0 },
	{ PMU_CSR_MIP, 0 },
	{ PMU_CSR_MCOUNTEREN, UINT32_MAX },
	{ PMU_CSR_SCOUNTEREN, 2 }, /* time for U-mode */
	{ PMU_CSR_STVEC, 0 },
	{ PMU_CSR_SSCRATCH, 0 },
	{ PMU_CSR_SATP, 0 },
	{ PMU_CSR_STIMECMP, UINT64_MAX },
	{ PMU_CSR_STIMECMPH, UINT32_MAX },
	{ PMU_CSR_MVIEN, 0 },
	{ PMU_CSR_HSTATUS, 0 },
	{ PMU_CSR_HEDELEG, 0 },
	{ PMU_CSR_HIDELEG, 0 },
	{ PMU_CSR_HTIMEDELTA, 0 },
	{ PMU_CSR_HCOUNTEREN, 0 },
	{ PMU_CSR_HENVCFG, 0 },
	{ PMU_CSR_HSTATEEN0, 0 },
	{ PMU_CSR_HSTATEEN0H, 0 },
	{ PMU_CSR_HVIP, 0 },
	{ PMU_CSR_HGATP, 0 },
	{ PMU_CSR_VSATP, 0 },
};

static void poke(struct fw_hart *h, uint16_t num, uint64_t value)
{
	unsigned effects = 0;

	/* A CSR that is missing is no mistake. */
	(void)pmu_csr_poke(h->pmu, num, 0, value, &effects);
}

/* Both halves of a register that has two on RV32. */
static void poke64(struct fw_hart *h, uint16_t num, uint64_t value)
{
	poke(h, num, value & sbi_xmask(h));
	if (fw_xlen(h) == 32)
		poke(h, num + UPPER, value >> 32);
}

static void boot_csr_state(const struct fw *fw, struct fw_hart *h)
{
	uint64_t menvcfg = 0, mstateen = STATEEN_ALWAYS;
	uint64_t medeleg = DELEGATED_EXCEPTIONS;

	if (fw_has(h, PMU_EXT_H))
		medeleg |= DELEGATED_TO_HS;
	if (fw_has(h, PMU_EXT_SSTC))
		menvcfg |= PMU_MENVCFG_STCE;
	if (fw_has(h, PMU_EXT_SVADU) && !fw_has(h, PMU_EXT_SVADE))
		menvcfg |= PMU_MENVCFG_ADUE;
	if (fw_has(h, PMU_EXT_SMCDELEG))
		menvcfg |= PMU_MENVCFG_CDE;
	if (fw_has(h, PMU_EXT_SMAIA))
		mstateen |= STATEEN_AIA;
	if (fw_has(h, PMU_EXT_SMAIA) || fw_has(h, PMU_EXT_SMCSRIND))
		mstateen |= PMU_STATEEN0_CSRIND;
	if (!fw->cfg.quirks.no_ebb)
		mstateen |= PMU_STATEEN0_C; /* which the reference lacks */
	poke(h, PMU_CSR_MEDELEG, medeleg);
	poke64(h, PMU_CSR_MENVCFG, menvcfg);
	poke64(h, PMU_CSR_MSTATEEN0, mstateen);
	for (size_t i = 0; i < sizeof(boot_csrs) / sizeof(*boot_csrs); i++)
		poke(h, boot_csrs[i].num, boot_csrs[i].value & sbi_xmask(h));
}

void fw_hart_boot(struct fw *fw, unsigned hart)
{
	struct fw_hart *h;

	if (hart >= fw->n_harts)
		return;
	h = &fw->hart[hart];
	pmu_hart_author(h->pmu, &(struct pmu_origin){ .by = PMU_BY_FIRMWARE });
	boot_csr_state(fw, h);
	counters_boot(fw, h);
	sbi_hart_boot(h);
	pmu_hart_set_mode(h->pmu, PMU_MODE_S);
}
