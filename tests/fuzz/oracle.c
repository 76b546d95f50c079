/* SPDX-License-Identifier: BSD-2-Clause */
/* Counting, one event at a time. CSRs are oracle-csr.c's. */
#include "oracle.h"

#include <string.h>

#define OF_BIT	 (UINT64_C(1) << 63)
#define EVENT_56 ((UINT64_C(1) << 56) - 1)

enum {
	MINH_AT = 62 /* SINH 61, UINH 60, VSINH 59, VUINH 58: as the modes */
};

void oracle_init(struct oracle *o, const struct pmu_hart_config *cfg)
{
	memset(o, 0, sizeof(*o));
	o->cfg = *cfg;
	o->mode = PMU_MODE_M;
}

bool oracle_has(const struct oracle *o, uint64_t ext)
{
	return (o->cfg.ext & ext) == ext;
}

uint64_t oracle_mask(const struct oracle *o, unsigned n)
{
	unsigned width = 64;

	if (n == 1 || n >= PMU_N_COUNTERS)
		return 0;
	if (n >= 3)
		width = o->cfg.hpm_mask >> n & 1 ? o->cfg.hpm_width[n] : 0;
	if (width == 0)
		return 0;
	return width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

uint32_t oracle_of(const struct oracle *o)
{
	uint32_t of = 0;

	for (unsigned n = 3; n < PMU_N_COUNTERS; n++)
		if (oracle_has(o, PMU_EXT_SSCOFPMF) && o->event[n] & OF_BIT)
			of |= UINT32_C(1) << n;
	return of;
}

/* Which event does the selector name, if this counter can count it? */
static bool selects(const struct oracle *o, unsigned n, enum pmu_event event)
{
	static const uint64_t selectors[PMU_N_EVENTS] = {
		[PMU_EV_CYCLES] = 1,
		[PMU_EV_INSNS] = 2,
		[PMU_EV_BRANCHES] = 5,
		[PMU_EV_LOADS] = 0x100000,
		[PMU_EV_STORES] = 0x100001,
		[PMU_EV_EXCEPTIONS] = 0x100002,
		[PMU_EV_INTERRUPTS] = 0x100003,
	};
	uint64_t selector = o->event[n];

	if (!oracle_mask(o, n))
		return false;
	if (n == 0)
		return event == PMU_EV_CYCLES;
	if (n == 2)
		return event == PMU_EV_INSNS;
	if (oracle_has(o, PMU_EXT_SSCOFPMF))
		selector &= EVENT_56;
	return selector == selectors[event] &&
	       o->cfg.hpm_events[n] >> event & 1;
}

static bool filtered(const struct oracle *o, unsigned n, enum pmu_mode mode)
{
	uint64_t ext = n < 3 ? PMU_EXT_SMCNTRPMF : PMU_EXT_SSCOFPMF;

	return oracle_has(o, ext) && o->event[n] >> (MINH_AT - mode) & 1;
}

static bool counts(const struct oracle *o, unsigned n, enum pmu_event event)
{
	return selects(o, n, event) && !(o->inhibit >> n & 1) &&
	       !filtered(o, n, o->mode);
}

static void add(struct oracle *o, unsigned n, uint64_t step)
{
	uint64_t mask = oracle_mask(o, n);
	bool wraps = step > mask - o->value[n];

	o->value[n] = (o->value[n] + step) & mask;
	if (!wraps || n < 3 || !oracle_has(o, PMU_EXT_SSCOFPMF) ||
	    o->event[n] & OF_BIT)
		return;
	o->event[n] |= OF_BIT;
	o->lcofip = true;
	o->overflows |= UINT32_C(1) << n;
}

void oracle_count(struct oracle *o, enum pmu_event event, uint64_t times,
		  uint64_t step)
{
	for (; times; times--)
		for (unsigned n = 0; n < PMU_N_COUNTERS; n++)
			if (counts(o, n, event))
				add(o, n, step);
}

void oracle_cycles(struct oracle *o, uint64_t times, uint64_t step)
{
	oracle_count(o, PMU_EV_CYCLES, times, step);
}

void oracle_retire(struct oracle *o)
{
	oracle_count(o, PMU_EV_INSNS, 1, 1);
	oracle_cycles(o, 1, o->cfg.cpi);
}

void oracle_emulated(struct oracle *o)
{
	for (unsigned n = 0; n < PMU_N_COUNTERS; n++)
		if (counts(o, n, PMU_EV_INSNS) && filtered(o, n, PMU_MODE_M))
			add(o, n, 1);
}
