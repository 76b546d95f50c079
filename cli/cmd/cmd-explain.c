/* SPDX-License-Identifier: BSD-2-Clause */
/* Why a counter counts, and what rules, events, CSRs and errors mean. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <pmu/csr-name.h>

#include "command.h"
#include "session/pmud.h"
#include "text/exit-codes.h"
#include "explain-counter.h"
#include "explain-facts.h"
#include "text/json.h"
#include "text/plain-text.h"
#include "number.h"
#include "pmu/v1/events.pb-c.h"
#include "text/report.h"
#include "suggest.h"
#include "trace/guest-files.h"

static int counter_explained(struct pmud *s, struct args *args)
{
	Pmu__V1__ExplainCounterRequest req =
		PMU__V1__EXPLAIN_COUNTER_REQUEST__INIT;
	Pmu__V1__ExplainCounterResponse *r = NULL;
	struct guest_files *files CLEANUP(guest_files) = NULL;
	int code;

	req.machine = (char *)args->machine;
	if (!explain_counter_parse(args->arg[0], &req))
		return EXIT_USAGE;
	code = guest_files_open(&files, args, false);
	if (!code)
		code = explain_counter_ask(s, &req, &r);
	if (!code && args->json)
		code = json_put(stdout, explain_counter_json(r, files),
				JSON_INDENT(2));
	else if (!code)
		code = explain_counter_print(stdout, r, files);
	answer_free(r);
	return code;
}

/* A line, or a member of the JSON object that all of them make. */
struct explain_answer {
	bool json; /* else as text */
	json_t *object;
};

static void put_line(struct explain_answer *a, const char *name,
		     const char *value)
{
	if (!value || !*value)
		return;
	if (a->json)
		json_add(&a->object, name, json_text(value));
	else
		plain_printf(stdout, "%-10s %s\n", name, value);
}

enum {
	TEXT_COLUMN = 11, /* where a value begins */
	TEXT_END = 80
};

/* The same of whole sentences: as text in lines that fit a terminal. */
static void say_text(struct explain_answer *a, const char *name,
		     const char *value)
{
	size_t column = TEXT_COLUMN;

	if (!value || a->json) {
		put_line(a, name, value);
		return;
	}
	printf("%-10s", name);
	for (const char *word = value; *word;) {
		size_t len = strcspn(word, " ");

		if (column + len >= TEXT_END) {
			printf("\n%10s", "");
			column = TEXT_COLUMN;
		}
		printf(" %.*s", (int)len, word);
		column += len + 1;
		word += len + (word[len] == ' ');
	}
	putchar('\n');
}

static struct explain_answer begin(const struct args *args)
{
	return (struct explain_answer){ args->json,
					args->json ? json_object() : NULL };
}

static int end(struct explain_answer *a)
{
	return a->json ? json_put(stdout, a->object,
				  JSON_INDENT(2) | JSON_PRESERVE_ORDER)
		       : EXIT_OK;
}

static const char *rule_meaning(const struct rule_info *r)
{
	return r->title ? r->title
			: "the sentence that the chapter marks with this name";
}

static int explain_rule(struct pmud *s, struct args *args)
{
	const char *name = args->arg[0];
	struct explain_answer a;

	if (!strncmp(name, "norm:", 5))
		name += 5;
	for (unsigned i = 0; i < rule_infos_len; i++) {
		const struct rule_info *r = &rule_infos[i];

		if (strcasecmp(r->name, name) != 0)
			continue;
		a = begin(args);
		put_line(&a, "rule", r->name);
		put_line(&a, "chapter", r->chapter);
		put_line(&a, "meaning", rule_meaning(r));
		say_text(&a, "decision", r->decision);
		say_text(&a, "decided by", r->by);
		say_text(&a, "section", r->section);
		return end(&a);
	}
	report_error("there is no rule '%s'", name);
	suggest_word(NULL, args, CANDIDATES_RULE, name);
	return EXIT_NOT_FOUND;
}

static int explain_error(struct pmud *s, struct args *args)
{
	const struct error_info *e = error_info_find(args->arg[0]);
	struct explain_answer a;
	char code[16];

	if (!e) {
		report_error("there is no SBI error '%s'", args->arg[0]);
		suggest_word(NULL, args, CANDIDATES_SBI_ERROR, args->arg[0]);
		return EXIT_NOT_FOUND;
	}
	snprintf(code, sizeof(code), "%d", (int)e->code);
	a = begin(args);
	put_line(&a, "error", sbi_error_name(e->code));
	put_line(&a, "code", code);
	put_line(&a, "meaning", e->what);
	put_line(&a, "PMU", e->pmu);
	return end(&a);
}

/* "63", or "55:0". */
static const char *bits(const struct csr_field *f, char *buf, size_t size)
{
	if (f->high == f->low)
		snprintf(buf, size, "%u", f->high);
	else
		snprintf(buf, size, "%u:%u", f->high, f->low);
	return buf;
}

static void add_fields(struct explain_answer *a, const struct csr_info *info)
{
	json_t *list = a->json ? json_array() : NULL, *one;
	char place[8];

	for (const struct csr_field *f = info->field; f->name; f++) {
		bits(f, place, sizeof(place));
		if (!a->json) {
			printf("%10s %-12s %s\n", place, f->name, f->what);
			continue;
		}
		one = json_object();
		json_add(&one, "bits", json_text(place));
		json_add(&one, "name", json_text(f->name));
		json_add(&one, "meaning", json_text(f->what));
		json_append(&list, one);
	}
	if (a->json)
		json_add(&a->object, "fields", list);
}

struct rule_list {
	struct explain_answer *answer;
	json_t *json;
	bool begun;
};

static void add_rule(void *arg, const struct rule_info *r)
{
	struct rule_list *list = arg;
	char text[RULE_TEXT];
	json_t *one;

	if (list->answer->json) {
		one = json_object();
		json_add(&one, "rule", json_text(r->name));
		json_add(&one, "meaning", json_text(rule_meaning(r)));
		json_append(&list->json, one);
		return;
	}
	snprintf(text, sizeof(text), "%s: %s", r->name, rule_meaning(r));
	put_line(list->answer, list->begun ? "" : "rules", text);
	list->begun = true;
}

/* `explain rule' has more of each. */
static void add_rules(struct explain_answer *a, const char *csr)
{
	struct rule_list list = { a, a->json ? json_array() : NULL, false };

	csr_rules_each(csr, add_rule, &list);
	if (a->json)
		json_add(&a->object, "rules", list.json);
}

static int explain_csr(struct pmud *s, struct args *args)
{
	uint16_t number;
	const struct csr_info *info = csr_info_find(args->arg[0], &number);
	char num[8];
	struct explain_answer a;

	if (!info) {
		report_error("there is no CSR of counters and traps '%s'; "
			     "pmuctl list csrs has all of a hart",
			     args->arg[0]);
		suggest_word(NULL, args, CANDIDATES_CSR, args->arg[0]);
		return EXIT_NOT_FOUND;
	}
	snprintf(num, sizeof(num), "0x%03x", number);
	a = begin(args);
	put_line(&a, "csr", pmu_csr_number_name(number));
	put_line(&a, "number", num);
	put_line(&a, "chapter", info->section);
	put_line(&a, "meaning", info->what);
	add_fields(&a, info);
	add_rules(&a, pmu_csr_number_name(number));
	return end(&a);
}

static const Pmu__V1__Event *find_event(const Pmu__V1__ListEventsResponse *r,
					const char *text)
{
	uint64_t selector;
	bool number = number_parse(text, &selector);

	for (size_t i = 0; i < r->n_events; i++) {
		const Pmu__V1__Event *e = r->events[i];

		if (!strcmp(e->name, text) ||
		    (*e->alias && !strcasecmp(e->alias, text)) ||
		    (number && e->selector == selector))
			return e;
	}
	return NULL;
}

static int print_event(const struct args *args, const Pmu__V1__Event *e,
		       uint64_t idx)
{
	char number[24], text[EVENT_TEXT];
	struct explain_answer a = begin(args);

	snprintf(number, sizeof(number), "%#" PRIx64, idx);
	if (e) {
		put_line(&a, "event", e->name);
		put_line(&a, "SBI name", e->alias);
	}
	put_line(&a, "selector", number);
	if (idx <= UINT32_MAX && idx < 0x100000)
		put_line(&a, "event_idx", event_idx_text((uint32_t)idx, text));
	put_line(&a, "counts",
		 e		    ? e->counts
		 : idx > UINT32_MAX ? "nothing here: not supported"
				    : event_idx_uncounted((uint32_t)idx, text));
	put_line(&a, "rule", e ? e->rule : NULL);
	return end(&a);
}

static int explain_event(struct pmud *s, struct args *args)
{
	Pmu__V1__ListEventsRequest req = PMU__V1__LIST_EVENTS_REQUEST__INIT;
	Pmu__V1__ListEventsResponse *r = NULL;
	const Pmu__V1__Event *e;
	char number[16];
	uint32_t named;
	bool known;
	uint64_t idx = 0;
	int code = PMUD_CALL(s, ListEvents, &req, &r);

	if (code)
		return code;
	e = find_event(r, args->arg[0]);
	known = e || number_parse(args->arg[0], &idx);
	if (!known && event_idx_find(args->arg[0], &named)) {
		/* an event that is counted may have another name here */
		snprintf(number, sizeof(number), "%" PRIu32, named);
		e = find_event(r, number);
		idx = named;
		known = true;
	}
	if (e)
		idx = e->selector;
	if (known) {
		code = print_event(args, e, idx);
	} else {
		report_error("there is no event '%s'; pmuctl list has all",
			     args->arg[0]);
		suggest_word(s, args, CANDIDATES_EVENT, args->arg[0]);
		code = EXIT_NOT_FOUND;
	}
	answer_free(r);
	return code;
}

const struct command explain_commands[] = {
	{ "explain counter", "HART:COUNTER",
	  "Why a counter has its value and whether it counts",
	  WITH(MACHINE) | WITH(SYSROOT) | WITH(FORCE), 1, 1, NEEDS_DAEMON,
	  counter_explained },
	{ "explain event", "EVENT|EVENT_IDX", "What an event counts", 0, 1, 1,
	  MAY_START_DAEMON, explain_event },
	{ "explain csr", "CSR|NUMBER",
	  "What a CSR and its fields mean, and its rules", 0, 1, 1, NO_DAEMON,
	  explain_csr },
	{ "explain rule", "RULE",
	  "What a rule's name stands for, and what was decided", 0, 1, 1,
	  NO_DAEMON, explain_rule },
	{ "explain error", "ERROR|CODE", "What an SBI error means", 0, 1, 1,
	  NO_DAEMON, explain_error },
	{ 0 },
};
