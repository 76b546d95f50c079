/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counts records. Overflows are kept by counter, event and function, that of
 * the instruction that overflowed, in a binary tree of the C library; a
 * function that is not known stands by its pc.
 */
#include "trace-summary.h"

#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "text/exit-codes.h"
#include "record-symbols.h"
#include "record-text.h"
#include "text/table.h"
#include "user-symbols.h"
#include "wire/record-kinds.h"

enum {
	N_SPACES = 256
};

struct group {
	uint32_t hart, counter;
	char *event;
	const char *function; /* the symbols'; NULL: not known */
	uint64_t pc;	      /* then: which one, else 0 */
	uint64_t overflows;
};

struct trace_summary {
	struct record_style style;
	struct {
		const char *name;
		uint64_t n;
	} kinds[RECORD_N_KINDS];
	struct {
		uint64_t satp, records, overflows;
	} spaces[N_SPACES]; /* the last one: all that come later */
	size_t n_spaces;
	void *tree;
	struct group **groups; /* the same, in a list */
	size_t n_groups, room;
};

static int compare(const void *a, const void *b)
{
	const struct group *x = a, *y = b;
	int c = (x->hart > y->hart) - (x->hart < y->hart);

	if (!c)
		c = (x->counter > y->counter) - (x->counter < y->counter);
	if (!c)
		c = strcmp(x->event, y->event);
	if (!c)
		c = strcmp(x->function ? x->function : "",
			   y->function ? y->function : "");
	return c ? c : (x->pc > y->pc) - (x->pc < y->pc);
}

/* As they are printed: a counter's functions by how often they were hit. */
static int compare_printed(const void *a, const void *b)
{
	const struct group *x = *(struct group *const *)a;
	const struct group *y = *(struct group *const *)b;
	int c = (x->hart > y->hart) - (x->hart < y->hart);

	if (!c)
		c = (x->counter > y->counter) - (x->counter < y->counter);
	if (!c)
		c = strcmp(x->event, y->event);
	if (!c)
		c = (x->overflows < y->overflows) -
		    (x->overflows > y->overflows);
	return c ? c : compare(x, y);
}

struct trace_summary *trace_summary_new(const struct record_style *style)
{
	struct trace_summary *s = calloc(1, sizeof(*s));

	if (s)
		s->style = style ? *style : (struct record_style){ 0 };
	return s;
}

static void keep(void *node)
{
}

void trace_summary_free(struct trace_summary *s)
{
	if (!s)
		return;
	tdestroy(s->tree, keep);
	for (size_t i = 0; i < s->n_groups; i++) {
		free(s->groups[i]->event);
		free(s->groups[i]);
	}
	free(s->groups);
	free(s);
}

/* Adds a copy of @key to list and tree. */
static struct group *add_group(struct trace_summary *s, const struct group *key)
{
	struct group *g;

	if (!ARRAY_ROOM(s->groups, &s->room, s->n_groups))
		return NULL;
	g = malloc(sizeof(*g));
	if (!g)
		return NULL;
	*g = *key;
	g->event = strdup(key->event);
	if (!g->event || !tsearch(g, &s->tree, compare)) {
		free(g->event);
		free(g);
		return NULL;
	}
	s->groups[s->n_groups++] = g;
	return g;
}

static bool add_overflow(struct trace_summary *s, const Pmu__V1__Record *r)
{
	struct group key = {
		.hart = r->hart,
		.counter = r->overflow->counter,
		.event = r->overflow->event,
		.pc = record_pc(r),
	};
	struct group **found, *g;
	struct symbol sym;

	record_find(&s->style, r, record_pc(r), &sym);
	key.function = sym.function;
	if (key.function)
		key.pc = 0;
	found = tfind(&key, &s->tree, compare);
	g = found ? *found : add_group(s, &key);
	if (!g)
		return false;
	g->overflows++;
	return true;
}

/* By root page table: a process keeps it, not its ASID. */
static void add_space(struct trace_summary *s, const Pmu__V1__Record *r)
{
	size_t i = 0;

	while (i < s->n_spaces && i < N_SPACES - 1 &&
	       !user_space_is(s->spaces[i].satp, r->satp, s->style.xlen))
		i++;
	if (i == s->n_spaces) {
		s->spaces[i].satp = r->satp;
		s->n_spaces++;
	}
	s->spaces[i].records++;
	s->spaces[i].overflows +=
		r->kind_case == PMU__V1__RECORD__KIND_OVERFLOW;
}

bool trace_summary_add(struct trace_summary *s, const Pmu__V1__Record *r)
{
	const char *kind = record_kind(r);

	for (unsigned i = 0; i < RECORD_N_KINDS; i++) {
		if (s->kinds[i].name && strcmp(s->kinds[i].name, kind) != 0)
			continue;
		s->kinds[i].name = kind;
		s->kinds[i].n++;
		break;
	}
	if (r->satp)
		add_space(s, r);
	return r->kind_case != PMU__V1__RECORD__KIND_OVERFLOW ||
	       add_overflow(s, r);
}

static struct table *kinds_table(const struct trace_summary *s, bool json)
{
	static const struct column columns[] = {
		{ "KIND", COLUMN_TEXT },
		{ "RECORDS", COLUMN_WIDE },
	};
	struct table *t = table_new("kinds", columns, 2, json);

	for (unsigned i = 0; i < RECORD_N_KINDS && s->kinds[i].name; i++) {
		table_row(t);
		table_cell(t, "%s", s->kinds[i].name);
		table_cell(t, "%" PRIu64, s->kinds[i].n);
	}
	return t;
}

static bool same_counter(const struct group *a, const struct group *b)
{
	return a->hart == b->hart && a->counter == b->counter &&
	       strcmp(a->event, b->event) == 0;
}

/* All overflows of the counter and event that sorted group @i begins. */
static uint64_t overflows_from(const struct trace_summary *s, size_t i)
{
	const struct group *first = s->groups[i];
	uint64_t sum = 0;

	for (; i < s->n_groups && same_counter(first, s->groups[i]); i++)
		sum += s->groups[i]->overflows;
	return sum;
}

static void overflow_row(struct table *t, const struct group *g, uint64_t all)
{
	table_row(t);
	table_cell(t, "%u", g->hart);
	table_cell(t, "%u", g->counter);
	table_cell(t, "%s", *g->event ? g->event : "-");
	if (g->function)
		table_cell(t, "%s", g->function);
	else
		table_cell(t, "%#" PRIx64, g->pc);
	table_cell(t, "%" PRIu64, g->overflows);
	table_cell(t, "%.1f", 100.0 * (double)g->overflows / (double)all);
}

static struct table *spaces_table(const struct trace_summary *s, bool json)
{
	static const struct column columns[] = {
		{ "SATP", COLUMN_TEXT },
		{ "RECORDS", COLUMN_WIDE },
		{ "OVERFLOWS", COLUMN_WIDE },
	};
	struct table *t = table_new("spaces", columns, 3, json);

	for (size_t i = 0; i < s->n_spaces; i++) {
		table_row(t);
		if (i < N_SPACES - 1)
			table_cell(t, "%#" PRIx64, s->spaces[i].satp);
		else
			table_cell(t, "others");
		table_cell(t, "%" PRIu64, s->spaces[i].records);
		table_cell(t, "%" PRIu64, s->spaces[i].overflows);
	}
	return t;
}

int trace_summary_print(struct trace_summary *s, FILE *out, bool json)
{
	static const struct column columns[] = {
		{ "HART", COLUMN_NUMBER },    { "COUNTER", COLUMN_NUMBER },
		{ "EVENT", COLUMN_TEXT },     { "FUNCTION", COLUMN_TEXT },
		{ "OVERFLOWS", COLUMN_WIDE }, { "PERCENT", COLUMN_NUMBER },
	};
	struct table *tables[] = {
		kinds_table(s, json),
		table_new("overflows", columns, 6, json),
		s->n_spaces ? spaces_table(s, json) : NULL,
	};
	uint64_t all = 0;

	if (s->n_groups)
		qsort(s->groups, s->n_groups, sizeof(*s->groups),
		      compare_printed);
	for (size_t i = 0; i < s->n_groups; i++) {
		if (!i || !same_counter(s->groups[i - 1], s->groups[i]))
			all = overflows_from(s, i);
		overflow_row(tables[1], s->groups[i], all);
	}
	return tables_print(tables, s->n_spaces ? 3 : 2, out);
}
