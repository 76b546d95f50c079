/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rows are kept in a binary tree of the C library and in a list. A sample
 * counts as often as it has periods; shares are of all periods of its event.
 */
#include "profile.h"

#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "cmd/args.h"
#include "guest-files.h"
#include "record-style.h"
#include "record-symbols.h"
#include "sample-filter.h"
#include "text/exit-codes.h"
#include "text/names.h"
#include "text/report.h"
#include "text/table.h"
#include "trace-file.h"

enum {
	NAME_MAX_BYTES = 256 /* of a row's names, the rest is cut */
};

struct profile_row {
	char *event, *name;
	uint64_t n;
	const struct total *all; /* that it is a share of */
	const struct profile_row
		*other; /* of the same name in the other profile */
};

/* All samples of an event. */
struct total {
	char *event;
	uint64_t n;
};

struct profile {
	enum profile_key key;
	void *tree, *totals;
	struct profile_row **rows;
	size_t n, room;
};

static int compare(const void *a, const void *b)
{
	const struct profile_row *x = a, *y = b;
	int c = strcmp(x->event, y->event);

	return c ? c : strcmp(x->name, y->name);
}

static int compare_totals(const void *a, const void *b)
{
	const struct total *x = a, *y = b;

	return strcmp(x->event, y->event);
}

static int compare_printed(const void *a, const void *b)
{
	const struct profile_row *x = *(struct profile_row *const *)a;
	const struct profile_row *y = *(struct profile_row *const *)b;
	int c = strcmp(x->event, y->event);

	if (!c)
		c = (x->n < y->n) - (x->n > y->n);
	return c ? c : strcmp(x->name, y->name);
}

static const struct {
	const char *name;   /* of --sort */
	const char *rows;   /* in JSON */
	const char *column; /* heading */
} keys[] = {
	[PROFILE_FUNCTION] = { "function", "functions", "FUNCTION" },
	[PROFILE_PROCESS] = { "process", "processes", "PROCESS" },
	[PROFILE_FILE] = { "file", "files", "FILE" },
};

bool profile_key_parse(const char *text, enum profile_key *ret)
{
	*ret = PROFILE_FUNCTION;
	for (unsigned i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		if (text && strcmp(text, keys[i].name) != 0)
			continue;
		*ret = text ? (enum profile_key)i : PROFILE_FUNCTION;
		return true;
	}
	report_error("--sort: '%s' is not function, process or file", text);
	return false;
}

struct profile *profile_new(enum profile_key key)
{
	struct profile *p = calloc(1, sizeof(struct profile));

	if (p)
		p->key = key;
	return p;
}

static void keep(void *node)
{
}

static void free_total(void *node)
{
	struct total *t = node;

	free(t->event);
	free(t);
}

static void free_row(struct profile_row *r)
{
	if (!r)
		return;
	free(r->event);
	free(r->name);
	free(r);
}

void profile_clear(struct profile *p)
{
	tdestroy(p->tree, keep);
	tdestroy(p->totals, free_total);
	for (size_t i = 0; i < p->n; i++)
		free_row(p->rows[i]);
	p->tree = p->totals = NULL;
	p->n = 0;
}

void profile_free(struct profile *p)
{
	if (!p)
		return;
	profile_clear(p);
	free(p->rows);
	free(p);
}

uint64_t profile_samples(const struct profile *p)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < p->n; i++)
		sum += p->rows[i]->n;
	return sum;
}

static struct profile_row *find(const struct profile *p,
				const struct profile_row *key)
{
	struct profile_row **found = tfind(key, &p->tree, compare);

	return found ? *found : NULL;
}

/* That of @event, which has none yet perhaps. NULL without memory. */
static struct total *total_of(struct profile *p, char *event)
{
	const struct total key = { .event = event };
	struct total **found = tfind(&key, &p->totals, compare_totals);
	struct total *t;

	if (found)
		return *found;
	t = calloc(1, sizeof(*t));
	if (!t)
		return NULL;
	t->event = strdup(event);
	if (t->event && tsearch(t, &p->totals, compare_totals))
		return t;
	free_total(t);
	return NULL;
}

/* NULL without memory. */
static struct profile_row *add_row(struct profile *p,
				   const struct profile_row *key)
{
	struct profile_row *r;

	if (!ARRAY_ROOM(p->rows, &p->room, p->n))
		return NULL;
	r = calloc(1, sizeof(*r));
	if (!r)
		return NULL;
	r->event = strdup(key->event);
	r->name = strdup(key->name);
	r->all = total_of(p, key->event);
	if (!r->event || !r->name || !r->all ||
	    !tsearch(r, &p->tree, compare)) {
		free_row(r);
		return NULL;
	}
	p->rows[p->n++] = r;
	return r;
}

static void name_function(const struct record_style *style,
			  const Pmu__V1__Record *r, char ret[NAME_MAX_BYTES])
{
	struct symbol sym;

	record_find(style, r, record_pc(r), &sym);
	if (sym.function)
		snprintf(ret, NAME_MAX_BYTES, "%s", sym.function);
	else
		snprintf(ret, NAME_MAX_BYTES, "%#" PRIx64, record_pc(r));
}

static void name_process(const Pmu__V1__Record *r, char ret[NAME_MAX_BYTES])
{
	if (r->process)
		snprintf(ret, NAME_MAX_BYTES, "%s %" PRIu32, r->process->comm,
			 r->process->pid);
	else
		snprintf(ret, NAME_MAX_BYTES, "[unknown]");
}

/* What is no user's of Linux stands by its mode. */
static void name_file(const struct record_style *style,
		      const Pmu__V1__Record *r, char ret[NAME_MAX_BYTES])
{
	size_t i = guest_files_find(style->files, r, record_pc(r));
	const char *file;

	if (r->privilege != PMU__V1__PRIVILEGE__PRIVILEGE_U) {
		snprintf(ret, NAME_MAX_BYTES, "[%s]",
			 name_privilege((int)r->privilege));
		return;
	}
	file = i == GUEST_FILES_NONE ? "[unknown]"
				     : guest_files_get(style->files, i)->file;
	snprintf(ret, NAME_MAX_BYTES, "%s", *file ? file : "[no file]");
}

static void name_row(const struct profile *p, const struct record_style *style,
		     const Pmu__V1__Record *r, char ret[NAME_MAX_BYTES])
{
	switch (p->key) {
	case PROFILE_FUNCTION:
		name_function(style, r, ret);
		break;
	case PROFILE_PROCESS:
		name_process(r, ret);
		break;
	case PROFILE_FILE:
		name_file(style, r, ret);
		break;
	}
}

bool profile_add(struct profile *p, const struct record_style *style,
		 const Pmu__V1__Record *record)
{
	char name[NAME_MAX_BYTES];
	struct profile_row key = { .event = record->sample->event,
				   .name = name };
	struct profile_row *r;

	name_row(p, style, record, name);
	r = find(p, &key);
	if (!r)
		r = add_row(p, &key);
	if (!r) {
		report_no_memory("samples");
		return false;
	}
	r->n += record->sample->periods;
	total_of(p, r->event)->n += record->sample->periods;
	return true;
}

static int read_samples(struct profile *p, struct trace_reader *r,
			const struct record_style *style,
			struct sample_filter *filter)
{
	struct trace_item item;
	int n;

	while ((n = trace_next(r, &item)) > 0) {
		if (!record_style_learn(style, item.record))
			return EXIT_FAILED;
		if (sample_filter_takes(filter, style, item.record) &&
		    !profile_add(p, style, item.record))
			return EXIT_FAILED;
	}
	return n < 0 ? EXIT_FAILED : EXIT_OK;
}

int profile_read(struct profile *p, const char *path, const struct args *args)
{
	struct trace_reader *r CLEANUP(trace) = NULL;
	struct sample_filter filter CLEANUP(sample_filter) = { 0 };
	struct record_style style CLEANUP(record_style) = { 0 };
	int code = sample_filter_open(&filter, args);

	if (!code)
		code = trace_open(&r, path);
	if (!code)
		code = record_style_open(&style, NULL, args, trace_header(r));
	if (!code)
		code = read_samples(p, r, &style, &filter);
	if (!code)
		sample_filter_end(&filter, path);
	return code;
}

/* In percent, to a hundredth: so is what one column has more than another. */
static double share(const struct profile_row *r)
{
	double exact;

	if (!r || !r->all->n)
		return 0;
	exact = 10000.0 * (double)r->n / (double)r->all->n;
	return (double)(uint64_t)(exact + 0.5) / 100;
}

int profile_print(struct profile *p, FILE *out, bool json)
{
	const struct column columns[] = {
		{ "EVENT", COLUMN_TEXT },
		{ "PERCENT", COLUMN_NUMBER },
		{ "SAMPLES", COLUMN_WIDE },
		{ keys[p->key].column, COLUMN_LAST },
	};
	struct table *t = table_new(keys[p->key].rows, columns, 4, json);

	if (p->n)
		qsort(p->rows, p->n, sizeof(*p->rows), compare_printed);
	for (size_t i = 0; i < p->n; i++) {
		const struct profile_row *r = p->rows[i];

		table_row(t);
		table_cell(t, "%s", r->event);
		table_cell(t, "%.2f", share(r));
		table_cell(t, "%" PRIu64, r->n);
		table_cell(t, "%s", r->name);
	}
	return table_print(t, out);
}

/* Each row of @b knows its other in @a; those of @a alone get one of 0. */
static bool join(const struct profile *a, struct profile *b)
{
	for (size_t i = 0; i < a->n; i++)
		if (!find(b, a->rows[i]) && !add_row(b, a->rows[i]))
			return false;
	for (size_t i = 0; i < b->n; i++)
		b->rows[i]->other = find(a, b->rows[i]);
	return true;
}

int profile_print_diff(struct profile *a, struct profile *b, FILE *out,
		       bool json)
{
	static const struct column columns[] = {
		{ "EVENT", COLUMN_TEXT },   { "BEFORE", COLUMN_NUMBER },
		{ "AFTER", COLUMN_NUMBER }, { "CHANGE", COLUMN_NUMBER },
		{ "SAMPLES", COLUMN_WIDE }, { "FUNCTION", COLUMN_LAST },
	};
	struct table *t;

	if (!join(a, b))
		return report_no_memory("samples");
	t = table_new("functions", columns, 6, json);
	if (b->n)
		qsort(b->rows, b->n, sizeof(*b->rows), compare_printed);
	for (size_t i = 0; i < b->n; i++) {
		const struct profile_row *r = b->rows[i];
		double before = share(r->other), after = share(r);

		table_row(t);
		table_cell(t, "%s", r->event);
		table_cell(t, "%.2f", before);
		table_cell(t, "%.2f", after);
		table_cell(t, "%.2f", after - before);
		table_cell(t, "%" PRId64,
			   (int64_t)(r->n - (r->other ? r->other->n : 0)));
		table_cell(t, "%s", r->name);
	}
	return table_print(t, out);
}
