/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The state in which firmware hands a hart to S-mode (C121): what the reference
 * firmware writes. Reading back is WARL, and CSRs that a hart lacks are left
 * out.
 */
#include "boot.h"

#include <string.h>

#include <pmu/csr.h>
#include <pmu/explain.h>

#include "sbi/sbi-call.h"

#define BIT(n)	       (UINT64_C(1) << (n))
#define MSTATUS_FS     (BIT(13) | BIT(14))
#define MENVCFG_STCE   BIT(63)
#define MENVCFG_ADUE   BIT(61)
#define MENVCFG_CDE    BIT(60)
/* mstateen0: what the reference lets S-mode have (C121) */
#define STATEEN_SE     (BIT(63) | BIT(62) | BIT(57) | BIT(56))
#define STATEEN_AIA    (BIT(59) | BIT(58))
#define STATEEN_CSRIND BIT(60)

enum {
	UPPER = 0x10, /* from either to its upper half on RV32 */
};

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
	{ PMU_CSR_MSTATUS, MSTATUS_FS },
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

static void boot_csr_state(struct fw_hart *h)
{
	uint64_t menvcfg = 0, mstateen = STATEEN_SE;
	uint64_t medeleg = DELEGATED_EXCEPTIONS;

	if (fw_has(h, PMU_EXT_H))
		medeleg |= DELEGATED_TO_HS;
	if (fw_has(h, PMU_EXT_SSTC))
		menvcfg |= MENVCFG_STCE;
	if (fw_has(h, PMU_EXT_SVADU) && !fw_has(h, PMU_EXT_SVADE))
		menvcfg |= MENVCFG_ADUE;
	if (fw_has(h, PMU_EXT_SMCDELEG))
		menvcfg |= MENVCFG_CDE;
	if (fw_has(h, PMU_EXT_SMAIA))
		mstateen |= STATEEN_AIA;
	if (fw_has(h, PMU_EXT_SMAIA) || fw_has(h, PMU_EXT_SMCSRIND))
		mstateen |= STATEEN_CSRIND;
	poke(h, PMU_CSR_MEDELEG, medeleg);
	poke64(h, PMU_CSR_MENVCFG, menvcfg);
	poke64(h, PMU_CSR_MSTATEEN0, mstateen);
	for (size_t i = 0; i < sizeof(boot_csrs) / sizeof(*boot_csrs); i++)
		poke(h, boot_csrs[i].num, boot_csrs[i].value & sbi_xmask(h));
}

/* cycle and instret run, the others wait for an event. */
static void boot_counters(const struct fw *fw, struct fw_hart *h)
{
	uint64_t event = 0;

	if (fw_has(h, PMU_EXT_SSCOFPMF))
		event = PMU_EVENT_MINH |
			(fw->cfg.quirks.boot_sets_of ? PMU_EVENT_OF : 0);
	pmu_counter_set_inhibit(h->pmu, ~UINT32_C(7));
	for (unsigned n = 0; n < N_HW; n++)
		pmu_counter_set_event(h->pmu, n, n < 3 ? 0 : event);
	memset(h->ctr, 0, sizeof(h->ctr));
	h->shmem_on = false;
}

void fw_hart_boot(struct fw *fw, unsigned hart)
{
	struct fw_hart *h;

	if (hart >= fw->n_harts)
		return;
	h = &fw->hart[hart];
	pmu_hart_author(h->pmu, &(struct pmu_origin){ .by = PMU_BY_FIRMWARE });
	sse_reset(fw, hart);
	boot_csr_state(h);
	boot_counters(fw, h);
	h->fwft_locked = 0;
	h->timer_armed = false;
	h->ipi_pending = false;
	h->hsm = HSM_STARTED;
	pmu_hart_set_mode(h->pmu, PMU_MODE_S);
}

/*
 * Ids mean the same on all harts, for clients ask one hart and use them on all:
 * what a hart lacks of the others' hardware counters is a hole there (C17).
 */
void boot_init(struct fw *fw, struct pmu_hart *const *harts)
{
	uint64_t firmware = (UINT64_C(1) << fw->cfg.fw_counters) - 1;
	uint32_t any = 0;

	for (unsigned i = 0; i < fw->n_harts; i++)
		any |= pmu_counters(harts[i]);
	for (unsigned i = 0; i < fw->n_harts; i++) {
		struct fw_hart *h = &fw->hart[i];

		h->pmu = harts[i];
		h->hsm = HSM_STOPPED;
		h->n_hw = 32 - (unsigned)__builtin_clz(any);
		h->n_counters = h->n_hw + fw->cfg.fw_counters;
		h->valid = pmu_counters(harts[i]) | firmware << h->n_hw;
	}
}
