/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The counter CSRs: values, events, inhibition, the chain of enables, and the
 * overflow view, also as S-mode sees them through sireg. A row's arg is the
 * counter's number. What a counter does is decided in counter.c; the
 * instruction's own count, in csr.c.
 */
#include "csr-row.h"

#include <stddef.h>
#include <string.h>

#include "counter-state.h"

/*
 * mcounteren opens a counter to the next mode, hcounteren to the guest,
 * scounteren to U and VU. Which exception it is decides mcounteren: without it
 * HS-mode could not read either (C115, C116).
 */
enum pmu_csr_result csr_counter_enabled(const struct pmu_hart *h,
					const struct csr_ref *ref)
{
	bool machine = h->mcounteren >> ref->arg & 1;
	bool hypervisor = h->hcounteren >> ref->arg & 1;
	bool supervisor = h->scounteren >> ref->arg & 1;

	if (ref->mode == PMU_MODE_M)
		return PMU_CSR_OK;
	if (!machine)
		return PMU_CSR_ILLEGAL;
	switch (ref->mode) {
	case PMU_MODE_U:
		return supervisor || !has(h, PMU_EXT_S) ? PMU_CSR_OK
							: PMU_CSR_ILLEGAL;
	case PMU_MODE_VS:
		return hypervisor ? PMU_CSR_OK : PMU_CSR_VIRTUAL;
	case PMU_MODE_VU:
		return hypervisor && supervisor ? PMU_CSR_OK : PMU_CSR_VIRTUAL;
	case PMU_MODE_M:
	case PMU_MODE_S:
	case PMU_N_MODES:
		break;
	}
	return PMU_CSR_OK;
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

/* A guest's time is shifted (C164). */
uint64_t csr_rd_time(const struct pmu_hart *h, const struct csr_ref *ref)
{
	uint64_t delta = pmu_mode_is_guest(ref->mode) ? h->htimedelta : 0;

	return pmu_time(h->tb, ref->now) + delta;
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

/*
 * mhpmevent, mcyclecfg and minstretcfg through sireg2 and sireg5: S-mode has
 * no say in whether M-mode is counted, and no view of it (C130). Without a
 * MINH, bit 62 is one of the event.
 */
static uint64_t delegated_event(const struct pmu_hart *h, unsigned n)
{
	return has(h, n < 3 ? PMU_EXT_SMCNTRPMF : PMU_EXT_SSCOFPMF)
		       ? ~PMU_EVENT_MINH
		       : UINT64_MAX;
}

uint64_t csr_rd_delegated_event(const struct pmu_hart *h,
				const struct csr_ref *ref)
{
	return pmu_counter_event(h, ref->arg) & delegated_event(h, ref->arg);
}

unsigned csr_wr_delegated_event(struct pmu_hart *h, const struct csr_ref *ref,
				uint64_t value)
{
	uint64_t mask = delegated_event(h, ref->arg);
	uint64_t kept = pmu_counter_event(h, ref->arg) & ~mask;

	pmu_counter_set_event(h, ref->arg, (value & mask) | kept);
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
 * mcounteren, scounteren, hcounteren: a bit per user counter CSR that exists,
 * whether the counter behind it does or reads zero (C114). Without Sscounterenw
 * or Shcounterenw nothing promises that a bit can be written, and those of the
 * hpmcounters cannot (C168). TM gates stimecmp too.
 */
unsigned csr_wr_counteren(struct pmu_hart *h, const struct csr_ref *ref,
			  uint64_t value)
{
	uint32_t mask = 0, reg, promise = 0;

	if (ref->arg == offsetof(struct pmu_hart, scounteren))
		promise = PMU_EXT_SSCOUNTERENW;
	if (ref->arg == offsetof(struct pmu_hart, hcounteren))
		promise = PMU_EXT_SHCOUNTERENW;
	if (has(h, PMU_EXT_ZICNTR))
		mask |= 7;
	if (has(h, PMU_EXT_ZIHPM | promise))
		mask |= ~UINT32_C(7);
	reg = (uint32_t)value & mask;
	memcpy((char *)h + ref->arg, &reg, sizeof(reg));
	return 0;
}

/* A hypervisor emulates it for its guests when counters are delegated (C134).
 */
enum pmu_csr_result csr_scountovf_allowed(const struct pmu_hart *h,
					  const struct csr_ref *ref)
{
	return pmu_mode_is_guest(ref->mode) && (h->menvcfg & MENVCFG_CDE)
		       ? PMU_CSR_VIRTUAL
		       : PMU_CSR_OK;
}

/*
 * OF of every counter; below M only of those that mcounteren opens, to a guest
 * hcounteren too. scounteren never matters (C112).
 */
uint64_t csr_rd_scountovf(const struct pmu_hart *h, const struct csr_ref *ref)
{
	uint32_t ovf = 0;

	for (unsigned n = 3; n < PMU_N_COUNTERS; n++)
		if (counter_of(h, n))
			ovf |= UINT32_C(1) << n;
	if (ref->mode != PMU_MODE_M)
		ovf &= h->mcounteren;
	if (pmu_mode_is_guest(ref->mode))
		ovf &= h->hcounteren;
	return ovf;
}
