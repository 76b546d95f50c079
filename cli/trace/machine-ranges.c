/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The daemon knows functions by the names of their files; what authors wrote
 * is read here, in those that it proposes.
 */
#include "machine-ranges.h"

#include "function-name.h"
#include "pmu/v1/symbols.pb-c.h"
#include "session/pmud.h"
#include "text/exit-codes.h"
#include "text/report.h"

static int ask(struct pmud *s, Pmu__V1__FindRangesRequest *q,
	       struct machine_ranges *to)
{
	Pmu__V1__FindRangesResponse *r = NULL;
	int code = PMUD_CALL(s, FindRanges, q, &r);

	for (size_t i = 0; !code && i < r->n_ranges; i++, to->n++)
		if (to->n < to->max)
			to->at[to->n] = (struct symbols_range){
				r->ranges[i]->first,
				r->ranges[i]->last,
			};
	answer_free(r);
	return code;
}

static int ask_function(struct pmud *s, const char *machine, const char *name,
			struct machine_ranges *to)
{
	Pmu__V1__FindRangesRequest q = PMU__V1__FIND_RANGES_REQUEST__INIT;

	q.machine = (char *)machine;
	q.of_case = PMU__V1__FIND_RANGES_REQUEST__OF_FUNCTION;
	q.function = (char *)name;
	return ask(s, &q, to);
}

/* Of those that are printed as @name: all overloads of one of C++. */
static int ask_candidates(struct pmud *s, const char *machine, const char *name,
			  const Pmu__V1__FindSymbolResponse *r,
			  struct machine_ranges *to)
{
	int code = EXIT_OK;
	size_t meant = 0;

	for (size_t i = 0; i < r->n_candidates && !code; i++) {
		if (!function_name_is(r->candidates[i]->function, name))
			continue;
		meant++;
		code = ask_function(s, machine, r->candidates[i]->function, to);
	}
	if (meant)
		return code;
	report_error("no file of the machine has the symbol '%s'", name);
	return EXIT_NOT_FOUND;
}

int machine_ranges_function(struct pmud *s, const char *machine,
			    const char *name, struct machine_ranges *to)
{
	Pmu__V1__FindSymbolRequest q = PMU__V1__FIND_SYMBOL_REQUEST__INIT;
	Pmu__V1__FindSymbolResponse *r = NULL;
	char part[FUNCTION_NAME_PART];
	int code;

	q.machine = (char *)machine;
	q.name = (char *)name;
	function_name_part(name, part);
	q.part = part;
	code = PMUD_CALL(s, FindSymbol, &q, &r);
	if (!code)
		code = r->n_candidates ? ask_candidates(s, machine, name, r, to)
				       : ask_function(s, machine, name, to);
	answer_free(r);
	return code;
}

int machine_ranges_line(struct pmud *s, const char *machine, const char *file,
			uint32_t line, struct machine_ranges *to)
{
	Pmu__V1__FindRangesRequest q = PMU__V1__FIND_RANGES_REQUEST__INIT;
	Pmu__V1__SourceLine of = PMU__V1__SOURCE_LINE__INIT;

	of.file = (char *)file;
	of.line = line;
	q.machine = (char *)machine;
	q.of_case = PMU__V1__FIND_RANGES_REQUEST__OF_LINE;
	q.line = &of;
	return ask(s, &q, to);
}
