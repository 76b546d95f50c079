/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The counter CSRs: values, events, inhibition, the chain of enables, and the
 * overflow view. A row's arg is the counter's number. What a counter does is
 * decided in counter.c; the instruction's own count, in csr.c.
 */
#include "csr.h"

#include <string.h>

#include "counter.h"

/* mcounteren opens a counter to the next mode, scounteren to U (C115, C116). */
enum pmu_csr_result csr_counter_enabled(const struct pmu_hart *h,
					const struct csr_ref *ref)
{
	uint32_t open = UINT32_MAX;

	switch (ref->mode) {
	case PMU_MODE_M:
		break;
	case PMU_MODE_S:
	case PMU_MODE_VS:
		open = h->mcounteren;
		break;
	case PMU_MODE_U:
	case PMU_MODE_VU:
		open = h->mcounteren;
		if (has(h, PMU_EXT_S))
			open &= h->scounteren;
		break;
	case PMU_N_MODES:
		break;
	}
	return open >> ref->arg & 1 ? PMU_CSR_OK : PMU_CSR_ILLEGAL;
}

uint64_t csr_rd_counter(const struct pmu_hart *h, const struct csr_ref *ref)
{
	return pmu_counter_get(h, ref->arg);
}

unsigned csr_wr_counter(struct pmu_hart *h, const struct csr_ref *ref,
			uint64_t value)
{
	pmu_counter_set(h, ref->arg, value);
	return PMU_FX_COUNT;
}

uint64_t csr_rd_time(const struct pmu_hart *h, const struct csr_ref *ref)
{
	return pmu_time(h->tb, ref->now);
}

uint64_t csr_rd_event(const struct pmu_hart *h, const struct csr_ref *ref)
{
	return pmu_counter_event(h, ref->arg);
}

unsigned csr_wr_event(struct pmu_hart *h, const struct csr_ref *ref,
		      uint64_t value)
{
	pmu_counter_set_event(h, ref->arg, value);
	return PMU_FX_COUNT;
}

uint64_t csr_rd_inhibit(const struct pmu_hart *h, const struct csr_ref *ref)
{
	return h->mcountinhibit;
}

unsigned csr_wr_inhibit(struct pmu_hart *h, const struct csr_ref *ref,
			uint64_t value)
{
	pmu_counter_set_inhibit(h, (uint32_t)value);
	return PMU_FX_COUNT;
}

/*
 * mcounteren, scounteren: a bit per user counter CSR that exists, whether the
 * counter behind it does or reads zero (C114, C168). TM gates stimecmp too.
 */
unsigned csr_wr_counteren(struct pmu_hart *h, const struct csr_ref *ref,
			  uint64_t value)
{
	uint32_t mask = 0, reg;

	if (has(h, PMU_EXT_ZICNTR))
		mask |= 7;
	if (has(h, PMU_EXT_ZIHPM))
		mask |= ~UINT32_C(7);
	reg = (uint32_t)value & mask;
	memcpy((char *)h + ref->arg, &reg, sizeof(reg));
	return 0;
}

/* OF of every counter; below M only of those that mcounteren opens (C112). */
uint64_t csr_rd_scountovf(const struct pmu_hart *h, const struct csr_ref *ref)
{
	uint32_t ovf = 0;

	for (unsigned n = 3; n < PMU_N_COUNTERS; n++)
		if (counter_of(h, n))
			ovf |= UINT32_C(1) << n;
	return ref->mode == PMU_MODE_M ? ovf : ovf & h->mcounteren;
}
