/* SPDX-License-Identifier: BSD-2-Clause */
/* Why the caches and TLBs of the observers' models missed (pmu/miss.h). */
#ifndef CORE_MISS_QUERY_H
#define CORE_MISS_QUERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pmu/hart.h>
#include <pmu/miss.h>

struct error;
struct machine;

/* One of those that are kept: the last ones of a hart, an event and a mode. */
struct machine_miss {
	struct pmu_miss what;
	uint64_t number; /* grows, over all harts */
	uint64_t cycle;	 /* the clock, when what happened was told */
	uint64_t pc;	 /* of the instruction */
	uint64_t satp;	 /* as struct record_at has it */
	uint16_t hart;
	uint8_t mode; /* enum pmu_mode */
};

struct miss_query {
	enum pmu_event event;
	unsigned modes; /* bit m: enum pmu_mode m */
	uint64_t harts; /* bits alike; none: one that there is not */
	size_t limit;	/* only the last so many; 0: as the setting says */
};

/* False: there can be no answer, says @e. */
bool machine_misses_check(const struct machine *m, const struct miss_query *q,
			  struct error *e);
/* How many machine_misses() may return; q->limit or less. */
size_t machine_misses_most(const struct machine *m, const struct miss_query *q);
/* Those of @q, in the order in which they happened. Returns how many. */
size_t machine_misses(const struct machine *m, const struct miss_query *q,
		      struct machine_miss *ret);
/* How many there were for this reason since the start. */
uint64_t machine_miss_sum(const struct machine *m, unsigned hart,
			  enum pmu_event event, enum pmu_mode mode,
			  enum pmu_miss_reason reason);

#endif
