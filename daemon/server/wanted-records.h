/* SPDX-License-Identifier: BSD-2-Clause */
/* Which records a stream or a query wants. */
#ifndef SERVER_WANTED_RECORDS_H
#define SERVER_WANTED_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "pmu/v1/traces.pb-c.h"

struct wanted {
	uint32_t kinds;	   /* bit k: records with kind_case k */
	uint64_t harts;	   /* bit h */
	uint32_t counters; /* bit c */
	uint64_t first_cycle, last_cycle;
	uint32_t ebb; /* session, 0: all */
};

/* @want may be NULL: everything. Harts above 63 and counters above 31 exist
 * nowhere and match nothing. */
void wanted_init(struct wanted *f, const Pmu__V1__RecordFilter *want);
bool wanted_match(const struct wanted *f, const Pmu__V1__Record *r);

#endif
