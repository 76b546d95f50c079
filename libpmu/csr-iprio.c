/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The arrays of priority numbers behind miselect and siselect (Smaia, Ssaia):
 * a byte for each interrupt that their level can enable, 8 bits wide. What the
 * numbers decide is topi.c's.
 */
#include "csr-aia.h"

#include <pmu/rule.h>

/* The interrupts that a register of the array has. */
static unsigned room(const struct pmu_hart *h)
{
	return h->cfg.xlen / 8;
}

static uint64_t get(const struct pmu_hart *h, const struct csr_ref *ref,
		    const uint8_t *iprio, uint64_t settable)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < room(h); i++)
		if (settable >> (ref->arg + i) & 1)
			value |= (uint64_t)iprio[ref->arg + i] << 8 * i;
	return value;
}

static void set(const struct pmu_hart *h, const struct csr_ref *ref,
		uint64_t value, uint8_t *iprio, uint64_t settable)
{
	for (unsigned i = 0; i < room(h); i++)
		if (settable >> (ref->arg + i) & 1)
			iprio[ref->arg + i] = (uint8_t)(value >> 8 * i);
}

/* Those of guests are never taken in M-mode; MEI's number is no software's. */
static uint64_t settable_of_m(const struct pmu_hart *h)
{
	return irq_implemented(h) & ~irq_of_guests(h) & ~IRQ_BIT(PMU_IRQ_MEI);
}

/* Of what sie or hie can enable now; a number stays while it is not shown. */
static uint64_t settable_of_s(const struct pmu_hart *h)
{
	return (h->mideleg | h->mvien) & ~IRQ_BIT(PMU_IRQ_SEI);
}

static uint64_t rd_miprio(const struct pmu_hart *h, const struct csr_ref *ref)
{
	return get(h, ref, h->miprio, settable_of_m(h));
}

static unsigned wr_miprio(struct pmu_hart *h, const struct csr_ref *ref,
			  uint64_t value)
{
	set(h, ref, value, h->miprio, settable_of_m(h));
	return 0;
}

static uint64_t rd_siprio(const struct pmu_hart *h, const struct csr_ref *ref)
{
	return get(h, ref, h->siprio, settable_of_s(h));
}

static unsigned wr_siprio(struct pmu_hart *h, const struct csr_ref *ref,
			  uint64_t value)
{
	set(h, ref, value, h->siprio, settable_of_s(h));
	return 0;
}

const struct csr_desc iprio_of_m = {
	.read = rd_miprio,
	.write = wr_miprio,
	.rule = RULE("aia_iprio_m_fields"),
};

const struct csr_desc iprio_of_s = {
	.read = rd_siprio,
	.write = wr_siprio,
	.rule = RULE("aia_iprio_s_fields"),
};
