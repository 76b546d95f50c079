/* SPDX-License-Identifier: BSD-2-Clause */
/* All totals and counters of a machine, now. Reading changes neither. */
#include "stat-print.h"

#include "session/pmud.h"
#include "text/machine-text.h"

int stat_print(struct pmud *s, const char *machine, bool json, FILE *out)
{
	Pmu__V1__ReadTotalsRequest ask = PMU__V1__READ_TOTALS_REQUEST__INIT;
	Pmu__V1__ListCountersRequest list =
		PMU__V1__LIST_COUNTERS_REQUEST__INIT;
	Pmu__V1__ReadTotalsResponse *totals CLEANUP(answer) = NULL;
	Pmu__V1__ListCountersResponse *counters CLEANUP(answer) = NULL;
	int code;

	ask.machine = list.machine = (char *)machine;
	code = PMUD_CALL(s, ReadTotals, &ask, &totals);
	if (!code)
		code = PMUD_CALL(s, ListCounters, &list, &counters);
	return code ? code : machine_text_stat(totals, counters, json, out);
}
