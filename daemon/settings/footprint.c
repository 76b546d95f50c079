/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Measured with Unicorn 2.1: 30 MB are resident and 68 MB mapped beside the
 * guest's memory and the code buffers, for 1 hart and for 64.
 */
#include "footprint.h"

#include <pmu/miss.h>

#include "settings-fields.h"

#define MIB (UINT64_C(1) << 20)

enum {
	OWN_MIB = 64,	 /* the step engine's buffer, tables, records */
	SLACK_MIB = 192, /* addresses that stay empty */
};

/* Sums stop at the end: who asks for more is refused by any limit. */
static uint64_t sum(uint64_t a, uint64_t b)
{
	uint64_t ret;

	return __builtin_add_overflow(a, b, &ret) ? UINT64_MAX : ret;
}

static uint64_t guest(uint64_t memory)
{
	return memory ? memory : FOOTPRINT_DEFAULT_MEMORY;
}

static uint64_t kept(uint64_t memory, const struct settings *s)
{
	if (!s->reboot)
		return 0;
	return guest(memory) < FOOTPRINT_MAX_KEPT ? guest(memory)
						  : FOOTPRINT_MAX_KEPT;
}

/* Of a hart: lines that were seen, and rings of the last misses. */
static uint64_t explained(const struct pmu_uarch_config *cfg,
			  const struct settings *s)
{
	if (!s->uarch_explain)
		return 0;
	return pmu_misses_bytes(cfg, FOOTPRINT_MISSES_SEEN) +
	       s->uarch_explain * PMU_N_MISS_EVENTS * PMU_N_MODES *
		       FOOTPRINT_MISS;
}

/* Each hart has three instances of a core's models, if there are any. */
static uint64_t models(unsigned harts, const struct settings *s)
{
	struct pmu_uarch_config cfg;

	settings_uarch(s, &cfg);
	if (!pmu_uarch_events(&cfg))
		return 0;
	if (harts == 0)
		harts = SETTINGS_DEFAULT_HARTS;
	if (harts > SETTINGS_HARTS)
		harts = SETTINGS_HARTS;
	return harts *
	       (3 * (uint64_t)pmu_uarch_bytes(&cfg) + explained(&cfg, s));
}

/* At most. */
static uint64_t engines(const struct settings *s)
{
	return s->engines == SETTINGS_ENGINES_ONE ? 1 : 2;
}

uint64_t footprint(uint64_t memory, unsigned harts, const struct settings *s)
{
	return sum(sum(guest(memory), kept(memory, s)),
		   engines(s) * s->code_buffer + OWN_MIB * MIB +
			   models(harts, s));
}

uint64_t footprint_addresses(uint64_t memory, unsigned harts,
			     const struct settings *s)
{
	return sum(footprint(memory, harts, s),
		   sum(guest(memory), SLACK_MIB * MIB));
}
