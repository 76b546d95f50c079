/* SPDX-License-Identifier: BSD-2-Clause */
/* The sentences are the machine's; here they are asked for and laid out. */
#include "explain-counter.h"

#include <inttypes.h>
#include <string.h>

#include "session/place.h"
#include "session/pmud.h"
#include "number.h"
#include "text/json.h"
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

/* What stands at the code that @f names: @below, or what the machine says. */
static const Pmu__V1__Place *place_of(const Pmu__V1__Fact *f,
				      struct guest_files *files,
				      Pmu__V1__Place *below)
{
	return f->place && f->process &&
			       place_below(files, f->process, f->place->address,
					   below)
		       ? below
		       : f->place;
}

/* Of a user's that is not known that is said: any file would have guessed. */
static void add_fact(struct table *t, const Pmu__V1__Fact *f,
		     struct guest_files *files)
{
	char name[PLACE_TEXT] = "", whose[PLACE_TEXT] = "";
	const Pmu__V1__Place *place;
	Pmu__V1__Place below;

	place = place_of(f, files, &below);
	if (place && !*place_name(place, name) && f->satp)
		snprintf(name, sizeof(name), "[unknown]");
	if (place && f->process)
		place_whose(f->process, place->address, whose);
	table_row(t);
	table_cell(t, "%s", f->topic);
	table_cell(t, "%s", *f->rule ? f->rule : "-");
	table_cell(t, "%s%s%s%s", f->text, *name ? ", in " : "", name, whose);
}

static int print_facts(FILE *out, const Pmu__V1__ExplainCounterResponse *r,
		       struct guest_files *files)
{
	static const struct column columns[] = {
		{ "TOPIC", COLUMN_TEXT },
		{ "RULE", COLUMN_TEXT },
		{ "FACT", COLUMN_LAST },
	};
	struct table *t = table_new("facts", columns, 3, false);

	for (size_t i = 0; i < r->n_facts; i++)
		add_fact(t, r->facts[i], files);
	return table_print(t, out);
}

int explain_counter_ask(struct pmud *s,
			const Pmu__V1__ExplainCounterRequest *req,
			Pmu__V1__ExplainCounterResponse **ret)
{
	return PMUD_CALL(s, ExplainCounter, req, ret);
}

int explain_counter_print(FILE *out, const Pmu__V1__ExplainCounterResponse *r,
			  struct guest_files *files)
{
	plain_printf(out, "%s\n", r->summary);
	if (r->counter)
		fprintf(out, "value %" PRIu64 " (%#" PRIx64 ")\n",
			r->counter->value, r->counter->value);
	fputc('\n', out);
	return print_facts(out, r, files);
}

json_t *explain_counter_json(const Pmu__V1__ExplainCounterResponse *r,
			     struct guest_files *files)
{
	json_t *object = json_message(&r->base);
	json_t *facts = json_object_get(object, "facts");

	for (size_t i = 0; object && i < r->n_facts; i++) {
		json_t *fact = json_array_get(facts, i);
		Pmu__V1__Place below;

		if (place_of(r->facts[i], files, &below) == &below &&
		    json_object_set_new(fact, "place",
					json_message(&below.base))) {
			json_decref(object);
			object = NULL;
		}
	}
	return object;
}
