/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The CSRs of physical memory protection: what an entry's registers hold, what
 * they show, and what locks them. What they then protect is pmp.c's.
 */
#include "csr-row.h"

#include <stddef.h>
#include <string.h>

#include <pmu/rule.h>

enum {
	CFG_PER_NUMBER = 4, /* entries of a pmpcfg of RV32; RV64 has two in one
			     */
	CFG_BITS = PMP_CFG_R | PMP_CFG_W | PMP_CFG_X | PMP_CFG_A | PMP_CFG_L,
};

#define BELOW(bit)     ((UINT64_C(1) << (bit)) - 1)
#define ADDR_BITS_RV64 BELOW(54) /* of an address of 56 bits */

static unsigned entries_in(const struct pmu_hart *h)
{
	return h->cfg.xlen / 8u;
}

static uint64_t rd_pmpcfg(const struct pmu_hart *h, const struct csr_ref *ref)
{
	const uint8_t *cfg = &h->pmp.cfg[ref->arg * CFG_PER_NUMBER];
	uint64_t value = 0;

	for (unsigned i = 0; i < entries_in(h); i++)
		value |= (uint64_t)cfg[i] << 8 * i;
	return value;
}

/*
 * What a write of @value makes of an entry that is not locked. Where a value is
 * reserved or not to be had (W without R, NA4 with a larger grain), what the
 * entry would have allowed or matched is none at all.
 */
static uint8_t legal_cfg(uint8_t value)
{
	unsigned cfg = value & CFG_BITS;

	if ((cfg & (PMP_CFG_R | PMP_CFG_W)) == PMP_CFG_W)
		cfg &= ~(unsigned)(PMP_CFG_W | PMP_CFG_X);
	if ((cfg & PMP_CFG_A) == PMP_CFG_NA4)
		cfg &= ~(unsigned)PMP_CFG_A;
	return (uint8_t)cfg;
}

static unsigned wr_pmpcfg(struct pmu_hart *h, const struct csr_ref *ref,
			  uint64_t value)
{
	unsigned first = ref->arg * CFG_PER_NUMBER;
	bool changed = false;

	for (unsigned i = 0; i < entries_in(h); i++) {
		uint8_t *cfg = &h->pmp.cfg[first + i];
		uint8_t legal = legal_cfg((uint8_t)(value >> 8 * i));

		if (first + i >= h->cfg.pmp_entries || *cfg & PMP_CFG_L ||
		    *cfg == legal)
			continue;
		*cfg = legal;
		changed = true;
	}
	if (!changed)
		return 0;
	pmp_settle(h);
	return PMU_FX_TLB;
}

/* The bits below the grain show how the entry matches, not what they are. */
static uint64_t rd_pmpaddr(const struct pmu_hart *h, const struct csr_ref *ref)
{
	uint64_t addr = h->pmp.addr[ref->arg];

	if (ref->arg >= h->cfg.pmp_entries)
		return 0;
	if ((h->pmp.cfg[ref->arg] & PMP_CFG_A) == PMP_CFG_NAPOT)
		return addr | BELOW(PMP_G - 1);
	return addr & ~BELOW(PMP_G);
}

/* By its own L, or as the lower end of a locked range. */
static bool addr_locked(const struct pmu_hart *h, unsigned entry)
{
	const uint8_t *cfg = h->pmp.cfg;

	if (cfg[entry] & PMP_CFG_L)
		return true;
	return entry + 1 < PMP_ENTRIES && cfg[entry + 1] & PMP_CFG_L &&
	       (cfg[entry + 1] & PMP_CFG_A) == PMP_CFG_TOR;
}

static unsigned wr_pmpaddr(struct pmu_hart *h, const struct csr_ref *ref,
			   uint64_t value)
{
	uint64_t *addr = &h->pmp.addr[ref->arg];

	value &= h->cfg.xlen == 32 ? UINT32_MAX : ADDR_BITS_RV64;
	if (ref->arg >= h->cfg.pmp_entries || addr_locked(h, ref->arg) ||
	    *addr == value)
		return 0;
	*addr = value;
	pmp_settle(h);
	return PMU_FX_TLB;
}

/* All numbers exist, also of entries that do not: zero, and never written. */
const struct csr_desc csr_pmp_table[] = {
	{ CSR_RUN(PMU_CSR_PMPCFG0, 16), .part = CSR_EVEN, .read = rd_pmpcfg,
	  .write = wr_pmpcfg, .rule = RULE("pmp_csrs_warl_access") },
	{ CSR_RUN(PMU_CSR_PMPADDR0, 64), .read = rd_pmpaddr,
	  .write = wr_pmpaddr, .rule = RULE("pmp_addr_registers") },
	{ .last = 0 }
};
