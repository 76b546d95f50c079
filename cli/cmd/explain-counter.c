/* SPDX-License-Identifier: BSD-2-Clause */
/* The sentences are the machine's; here they are asked for and laid out. */
#include "explain-counter.h"

#include <inttypes.h>
#include <string.h>

#include "session/place.h"
#include "session/pmud.h"
#include "number.h"
#include "text/plain-text.h"
#include "text/report.h"
#include "text/table.h"

bool explain_counter_parse(const char *text,
			   Pmu__V1__ExplainCounterRequest *ret)
{
	const char *colon = strchr(text, ':');
	size_t len = colon ? (size_t)(colon - text) : 0;
	char hart[24] = "0";
	uint64_t h, n;

	if (colon)
		snprintf(hart, sizeof(hart), "%.*s", (int)len, text);
	if (len >= sizeof(hart) || !number_parse(hart, &h) || h > UINT32_MAX ||
	    !number_parse(colon ? colon + 1 : text, &n) || n > UINT32_MAX) {
		report_error("'%s' is not HART:COUNTER, as in 0:3", text);
		return false;
	}
	ret->hart = (uint32_t)h;
	ret->index = (uint32_t)n;
	return true;
}

static int print_facts(FILE *out, const Pmu__V1__ExplainCounterResponse *r)
{
	static const struct column columns[] = {
		{ "TOPIC", COLUMN_TEXT },
		{ "RULE", COLUMN_TEXT },
		{ "FACT", COLUMN_LAST },
	};
	struct table *t = table_new("facts", columns, 3, false);

	for (size_t i = 0; i < r->n_facts; i++) {
		const Pmu__V1__Fact *f = r->facts[i];
		char place[PLACE_TEXT] = "";

		if (f->place)
			place_name(f->place, place);
		table_row(t);
		table_cell(t, "%s", f->topic);
		table_cell(t, "%s", *f->rule ? f->rule : "-");
		table_cell(t, *place ? "%s, in %s" : "%s", f->text, place);
	}
	return table_print(t, out);
}

int explain_counter_ask(struct pmud *s,
			const Pmu__V1__ExplainCounterRequest *req,
			Pmu__V1__ExplainCounterResponse **ret)
{
	return PMUD_CALL(s, ExplainCounter, req, ret);
}

int explain_counter_print(FILE *out, const Pmu__V1__ExplainCounterResponse *r)
{
	plain_printf(out, "%s\n", r->summary);
	if (r->counter)
		fprintf(out, "value %" PRIu64 " (%#" PRIx64 ")\n",
			r->counter->value, r->counter->value);
	fputc('\n', out);
	return print_facts(out, r);
}
