/* SPDX-License-Identifier: BSD-2-Clause */
/* Machines and what they counted, as tables or JSON. */
#ifndef CLI_TEXT_MACHINE_TEXT_H
#define CLI_TEXT_MACHINE_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include "pmu/v1/events.pb-c.h"
#include "pmu/v1/machines.pb-c.h"

/*
 * A row for each. @harts: how many a machine has whose configuration does not
 * say. Returns an exit code.
 */
int machine_text_list(Pmu__V1__MachineInfo *const *machines, size_t n,
		      const char *harts, FILE *out);
/* Which pieces of the engine are used, and how much goes through them. */
int machine_text_engine(const Pmu__V1__MachineInfo *m, FILE *out);
/* As --when-full has it. */
const char *machine_text_when_full(const Pmu__V1__Recording *r);
/* What is stored of its run, in a sentence. */
int machine_text_recording(const Pmu__V1__MachineInfo *m, FILE *out);
/*
 * Events per hart and privilege, then the guest's counters. Counters that never
 * counted anything are left out of the tables, not of the JSON.
 */
int machine_text_stat(const Pmu__V1__ReadTotalsResponse *totals,
		      const Pmu__V1__ListCountersResponse *counters, bool json,
		      FILE *out);

#endif
