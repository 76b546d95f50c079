/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which records a stream, a query or a reader of a file wants: the one place
 * where a record is matched.
 */
#ifndef WANTED_WANTED_RECORDS_H
#define WANTED_WANTED_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pmu/v1/traces.pb-c.h"

struct wanted {
	uint32_t kinds;	   /* bit k: records with kind_case k */
	uint64_t harts;	   /* bit h */
	uint32_t counters; /* bit c */
	uint64_t first_cycle, last_cycle;
	uint32_t ebb;		     /* session, 0: all */
	uint32_t session;	     /* of samples; WANTED_ANY: all */
	struct wanted_range *ranges; /* apart from each other, by address */
	size_t n_ranges;
};

enum {
	WANTED_HARTS_MAX = 64,	 /* that there can be, PMU_MAX_HARTS */
	WANTED_RANGES_MAX = 4096 /* that are asked for */
};

#define WANTED_ANY UINT32_MAX

struct wanted_range {
	uint64_t first, last;
};

/*
 * @want may be NULL: everything. Harts above 63 and counters above 31 exist
 * nowhere and match nothing. Returns 0; -E2BIG: more ranges than there may be;
 * -ENOMEM. To be freed by wanted_fini() in every case.
 */
int wanted_init(struct wanted *f, const Pmu__V1__RecordFilter *want);
void wanted_fini(struct wanted *f);
bool wanted_match(const struct wanted *f, const Pmu__V1__Record *r);
/* Where it happened; of an overflow, the instruction that overflowed. */
uint64_t wanted_place(const Pmu__V1__Record *r);

#endif
