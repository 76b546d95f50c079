/* SPDX-License-Identifier: BSD-2-Clause */
/* Which records a stream or a query wants. */
#ifndef SERVER_WANTED_RECORDS_H
#define SERVER_WANTED_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "pmu/v1/traces.pb-c.h"

struct filter {
	uint32_t kinds;	   /* bit k: records with kind_case k */
	uint64_t harts;	   /* bit h */
	uint32_t counters; /* bit c */
	uint64_t first_cycle, last_cycle;
};

/* @want may be NULL: everything. Harts above 63 and counters above 31 exist
 * nowhere and match nothing. */
void filter_init(struct filter *f, const Pmu__V1__RecordFilter *want);
bool filter_match(const struct filter *f, const Pmu__V1__Record *r);

#endif
