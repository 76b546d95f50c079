/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the machine keeps of misses, as a table or as an object of JSON for each
 * event, each with what the machine's files say of its instruction.
 */
#include "stat-misses.h"

#include <inttypes.h>
#include <stdlib.h>

#include "args.h"
#include "event-list.h"
#include "session/place.h"
#include "session/pmud.h"
#include "text/exit-codes.h"
#include "text/json.h"
#include "text/names.h"
#include "text/plain-text.h"
#include "text/report.h"
#include "text/table.h"
#include "trace/guest-files.h"
#include "wanted/wanted-records.h"
#include "wire/cleanup.h"

enum {
	N_PRIVILEGES = 8,
	VICTIM_TEXT = 48,
	MISSES_MAX = 1024 /* docs/LIMITS.md */
};

bool stat_misses_any(const struct event_list *events)
{
	for (size_t i = 0; i < events->n; i++)
		if (events->item[i].event->explained)
			return true;
	return false;
}

int stat_misses_asked(const struct args *args, const struct event_list *events,
		      uint64_t *ret)
{
	const char *why = NULL;

	if (args->explain_misses == ARGS_UNSET)
		return EXIT_OK;
	if (!args->explain_misses || args->explain_misses > MISSES_MAX)
		why = "1 to 1024 of them are kept";
	else if (args->separator)
		why = "not with --field-separator; for programs there is "
		      "--json";
	else if (!stat_misses_any(events))
		why = "none of these events counts misses of a cache or TLB";
	if (why) {
		report_error("--explain-misses: %s", why);
		return EXIT_USAGE;
	}
	*ret = args->explain_misses;
	return EXIT_OK;
}

static int ask(const struct stat_misses *q, struct pmud *s,
	       Pmu__V1__ExplainMissesResponse **ret)
{
	Pmu__V1__ExplainMissesRequest req =
		PMU__V1__EXPLAIN_MISSES_REQUEST__INIT;
	Pmu__V1__Privilege modes[N_PRIVILEGES];
	uint32_t hart = (uint32_t)q->hart;

	req.machine = (char *)q->machine;
	req.event = q->event->event->name;
	req.limit = q->n > UINT32_MAX ? UINT32_MAX : (uint32_t)q->n;
	req.harts = &hart;
	req.n_harts = q->hart >= 0;
	req.privileges = modes;
	for (unsigned m = 1; m < N_PRIVILEGES; m++)
		if (q->event->modes != EVENT_ALL_MODES &&
		    q->event->modes >> m & 1)
			modes[req.n_privileges++] = (Pmu__V1__Privilege)m;
	return PMUD_CALL(s, ExplainMisses, &req, ret);
}

/* What stands at the instructions of misses, which are in answers. */
struct named {
	const Pmu__V1__Place **of; /* of each; NULL: nothing is known */
	Pmu__V1__DescribeAddressesResponse **answers;
	size_t n;
	struct guest_files *files; /* those below --sysroot */
	Pmu__V1__Place *below;	   /* what they say of each */
};

static void named_free(struct named *to)
{
	while (to->n)
		answer_free(to->answers[--to->n]);
	free(to->answers);
	free(to->below);
	free(to->of);
}

CLEANUP_VALUE(named, struct named, named_free)

/* Is one of @m's kind of @hart's; -1: of any? */
static bool is_asked(const Pmu__V1__Miss *m, int64_t hart)
{
	return hart < 0 || (m->hart == hart &&
			    m->privilege == PMU__V1__PRIVILEGE__PRIVILEGE_U);
}

/*
 * Of users' on @hart, or -1: of all. NULL: nobody answers so. It is kept until
 * the end.
 */
static const Pmu__V1__DescribeAddressesResponse *
describe(const struct stat_misses *q, struct pmud *s,
	 const Pmu__V1__ExplainMissesResponse *r, int64_t hart,
	 struct named *to)
{
	Pmu__V1__DescribeAddressesRequest req =
		PMU__V1__DESCRIBE_ADDRESSES_REQUEST__INIT;
	Pmu__V1__DescribeAddressesResponse *ret = NULL;

	req.machine = (char *)q->machine;
	if (hart >= 0)
		req.of_case = PMU__V1__DESCRIBE_ADDRESSES_REQUEST__OF_HART;
	req.hart = hart < 0 ? 0 : (uint32_t)hart;
	req.addresses = calloc(r->n_misses, sizeof(*req.addresses));
	for (size_t i = 0; req.addresses && i < r->n_misses; i++)
		if (is_asked(r->misses[i], hart))
			req.addresses[req.n_addresses++] = r->misses[i]->pc;
	if (!req.n_addresses || !PMUD_ASK(s, DescribeAddresses, &req, &ret))
		ret = NULL;
	free(req.addresses);
	if (ret)
		to->answers[to->n++] = ret;
	return ret && ret->n_places == req.n_addresses ? ret : NULL;
}

/*
 * Of users' of Linux on @hart: what is there in the process that runs now, if
 * it is theirs, else nothing, for all have code at the same addresses.
 */
static void name_users(const struct stat_misses *q, struct pmud *s,
		       const Pmu__V1__ExplainMissesResponse *r, uint32_t hart,
		       struct named *to)
{
	const Pmu__V1__DescribeAddressesResponse *of =
		describe(q, s, r, hart, to);
	size_t k = 0;

	if (!of || !of->process)
		return;
	for (size_t i = 0; i < r->n_misses; i++) {
		const Pmu__V1__Miss *m = r->misses[i];

		if (!is_asked(m, hart))
			continue;
		to->of[i] = m->satp == of->satp ? of->places[k] : NULL;
		k++;
		if (to->of[i] &&
		    place_below(to->files, of->process, m->pc, &to->below[i]))
			to->of[i] = &to->below[i];
	}
}

static void name_all(const struct stat_misses *q, struct pmud *s,
		     const Pmu__V1__ExplainMissesResponse *r, struct named *to)
{
	const Pmu__V1__DescribeAddressesResponse *all;
	uint64_t harts = 0; /* whose users were asked about */

	to->files = q->files;
	to->of = calloc(r->n_misses, sizeof(*to->of));
	to->below = calloc(r->n_misses, sizeof(*to->below));
	to->answers = calloc(r->n_misses + 1, sizeof(*to->answers));
	if (!to->of || !to->below || !to->answers)
		return;
	all = describe(q, s, r, -1, to);
	for (size_t i = 0; all && i < r->n_misses; i++)
		to->of[i] = all->places[i];
	for (size_t i = 0; i < r->n_misses; i++) {
		uint32_t hart = r->misses[i]->hart;

		if (!r->misses[i]->satp || !is_asked(r->misses[i], hart) ||
		    hart >= WANTED_HARTS_MAX || harts >> hart & 1)
			continue;
		harts |= UINT64_C(1) << hart;
		name_users(q, s, r, hart, to);
	}
}

/* JSON */

static int print_json(const struct stat_misses *q,
		      const Pmu__V1__ExplainMissesResponse *r,
		      const struct named *named, FILE *out)
{
	json_t *o = json_object(), *miss;

	json_add(&o, "event", json_text(q->event->name));
	json_add_all(&o, json_message(&r->base));
	for (size_t i = 0; o && named->of && i < r->n_misses; i++) {
		miss = json_array_get(json_object_get(o, "misses"), i);
		if (named->of[i] &&
		    json_object_set_new(miss, "place",
					json_message(&named->of[i]->base))) {
			json_decref(o);
			o = NULL;
		}
	}
	return json_put(out, o, JSON_PRESERVE_ORDER);
}

/* Text */

static uint64_t count_of(const Pmu__V1__ExplainMissesResponse *r,
			 Pmu__V1__MissReason reason)
{
	uint64_t n = 0;

	for (size_t i = 0; i < r->n_sums; i++)
		if (r->sums[i]->reason == reason)
			n += r->sums[i]->count;
	return n;
}

/* "L1-dcache-load-misses: 9 misses since the start, 1 cold, 8 conflict" */
static void print_sums(const struct stat_misses *q,
		       const Pmu__V1__ExplainMissesResponse *r, FILE *out)
{
	const ProtobufCEnumDescriptor *reasons =
		&pmu__v1__miss_reason__descriptor;
	uint64_t all = 0;
	char name[NAME_MAX_LEN];

	for (size_t i = 0; i < r->n_sums; i++)
		all += r->sums[i]->count;
	fputc('\n', out);
	plain_printf(out, "%s: %" PRIu64 " miss%s since the start",
		     q->event->name, all, all == 1 ? "" : "es");
	for (unsigned i = 0; i < reasons->n_values; i++) {
		int reason = reasons->values[i].value;
		uint64_t n = count_of(r, (Pmu__V1__MissReason)reason);

		if (n)
			fprintf(out, ", %" PRIu64 " %s", n,
				name_enum(reasons, reason, name));
	}
	if (r->n_misses < all)
		fprintf(out, "; the last %zu:", r->n_misses);
	fputc('\n', out);
}

/* What was in the place; of a newer pmud's, that it is not known here. */
static const char *victim_text(const Pmu__V1__Miss *m, char buf[VICTIM_TEXT])
{
	static const struct {
		bool has_line;
		const char *text;
	} victims[] = {
#define VICTIM(name) [PMU__V1__MISS_VICTIM__MISS_VICTIM_##name]
		VICTIM(UNSPECIFIED) = { false, "-" },
		VICTIM(NOT_PUT) = { false, "not put" },
		VICTIM(EMPTY) = { false, "-" },
		VICTIM(CLEAN) = { true, "" },
		VICTIM(DIRTY) = { true, " dirty" },
		VICTIM(UNKNOWN) = { true, " forgotten" },
#undef VICTIM
	};
	unsigned victim = (unsigned)m->victim;

	if (victim >= sizeof(victims) / sizeof(victims[0]))
		return "?";
	if (!victims[victim].has_line)
		return victims[victim].text;
	snprintf(buf, VICTIM_TEXT, "0x%" PRIx64 "%s%s", m->victim_line,
		 victims[victim].text,
		 m->victim_elsewhere ? " of another space" : "");
	return buf;
}

static void add_row(struct table *t, const Pmu__V1__Miss *m,
		    const Pmu__V1__Place *place)
{
	char text[PLACE_TEXT], victim[VICTIM_TEXT];
	char access[NAME_MAX_LEN], part[NAME_MAX_LEN], reason[NAME_MAX_LEN];

	table_row(t);
	table_cell(t, "%" PRIu64, m->cycle);
	table_cell(t, "%u", m->hart);
	table_cell(t, "%s", name_privilege((int)m->privilege));
	table_cell(t, "%s",
		   name_enum(&pmu__v1__miss_access__descriptor, (int)m->access,
			     access));
	table_cell(t, "0x%" PRIx64, m->virtual_address);
	table_cell(
		t, "%s",
		name_enum(&pmu__v1__core_part__descriptor, (int)m->part, part));
	table_cell(t, "%u", m->set);
	table_cell(t, "0x%" PRIx64, m->line);
	table_cell(t, "%s", victim_text(m, victim));
	table_cell(t, "%s",
		   name_enum(&pmu__v1__miss_reason__descriptor, (int)m->reason,
			     reason));
	table_cell(t, "0x%" PRIx64, m->pc);
	table_cell(t, "%s", place ? place_name(place, text) : "");
}

static int print_table(const Pmu__V1__ExplainMissesResponse *r,
		       const struct named *named, FILE *out)
{
	static const struct column columns[] = {
		{ "CYCLE", COLUMN_WIDE },   { "HART", COLUMN_NUMBER },
		{ "MODE", COLUMN_TEXT },    { "ACCESS", COLUMN_TEXT },
		{ "ADDRESS", COLUMN_WIDE }, { "PART", COLUMN_TEXT },
		{ "SET", COLUMN_NUMBER },   { "LINE", COLUMN_WIDE },
		{ "VICTIM", COLUMN_TEXT },  { "REASON", COLUMN_TEXT },
		{ "PC", COLUMN_WIDE },	    { "PLACE", COLUMN_LAST },
	};
	struct table *t = table_new(
		"misses", columns, sizeof(columns) / sizeof(columns[0]), false);

	if (!t)
		return EXIT_FAILED;
	for (size_t i = 0; i < r->n_misses; i++)
		add_row(t, r->misses[i], named->of ? named->of[i] : NULL);
	return table_print(t, out);
}

int stat_misses_print(const struct stat_misses *q, struct pmud *s, FILE *out)
{
	Pmu__V1__ExplainMissesResponse *r CLEANUP(answer) = NULL;
	struct named named CLEANUP(named) = { 0 };
	int code = ask(q, s, &r);

	if (code)
		return code;
	if (r->n_misses)
		name_all(q, s, r, &named);
	if (q->json)
		return print_json(q, r, &named, out);
	print_sums(q, r, out);
	return r->n_misses ? print_table(r, &named, out) : EXIT_OK;
}
