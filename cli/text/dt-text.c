/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How faults and counters of a device tree look. Harts for which the same node
 * is share their rows.
 */
#include "dt-text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <fw/event-name.h>

#include "exit-codes.h"
#include "cmd/explain-facts.h"
#include "report.h"
#include "table.h"

enum {
	NAME_TEXT = 256,
	LIST_TEXT = 1024,
	NUMBER_TEXT = 11, /* 10 digits and a comma or a dash */
};

_Static_assert(FW_DT_MAX_HARTS *NUMBER_TEXT < LIST_TEXT, "a list of all harts");

struct dt_faults {
	bool json;
	unsigned n[3]; /* by level */
	struct table *table;
	FILE *text;
	char *buf;
	size_t size;
};

static const char *const levels[] = { "note", "warning", "error" };

struct dt_faults *dt_faults_new(bool json)
{
	struct dt_faults *f = calloc(1, sizeof(*f));

	if (f && !json)
		f->text = open_memstream(&f->buf, &f->size);
	if (!f || (!json && !f->text))
		abort();
	f->json = json;
	return f;
}

/* Owned by who prints it: made when it is sure to be printed. */
static struct table *faults_table(struct dt_faults *f)
{
	static const struct column columns[] = {
		{ "LEVEL", COLUMN_TEXT },     { "PATH", COLUMN_TEXT },
		{ "PROPERTY", COLUMN_TEXT },  { "ROW", COLUMN_NUMBER },
		{ "RULE", COLUMN_TEXT },      { "TEXT", COLUMN_TEXT },
		{ "REFERENCE", COLUMN_LAST },
	};

	if (!f->table)
		f->table = table_new("faults", columns, 7, true);
	return f->table;
}

void dt_faults_free(struct dt_faults *f)
{
	if (f->text)
		fclose(f->text);
	free(f->buf);
	free(f);
}

/* A name of the tree: what a terminal or JSON would not take becomes "?". */
static const char *name_of(const char *name, char *buf)
{
	size_t n = 0;

	for (; name && name[n] && n < NAME_TEXT - 1; n++)
		buf[n] = name[n] > ' ' && name[n] <= '~' ? name[n] : '?';
	buf[n] = '\0';
	return buf;
}

static void add_text(FILE *out, const struct fw_dt_fault *fault)
{
	char name[NAME_TEXT];

	fprintf(out, "%s: %s", levels[fault->level],
		name_of(fault->path, name));
	if (fault->property)
		fprintf(out, ": %s", name_of(fault->property, name));
	if (fault->row)
		fprintf(out, " row %u", fault->row);
	fprintf(out, ": %s [%s]\n    the reference %s\n", fault->text,
		fault->rule, fault->reference);
}

static void add_row(struct table *t, const struct fw_dt_fault *fault)
{
	char name[NAME_TEXT];

	table_row(t);
	table_cell(t, "%s", levels[fault->level]);
	table_cell(t, "%s", name_of(fault->path, name));
	table_cell(t, "%s", name_of(fault->property, name));
	table_cell(t, "%u", fault->row);
	table_cell(t, "%s", fault->rule);
	table_cell(t, "%s", fault->text);
	table_cell(t, "%s", fault->reference);
}

void dt_faults_add(void *faults, const struct fw_dt_fault *fault)
{
	struct dt_faults *f = faults;

	f->n[fault->level]++;
	if (f->json)
		add_row(faults_table(f), fault);
	else
		add_text(f->text, fault);
}

unsigned dt_faults_errors(const struct dt_faults *f)
{
	return f->n[FW_DT_ERROR];
}

static const char *plural(unsigned n)
{
	return n == 1 ? "" : "s";
}

int dt_faults_print(struct dt_faults *f, const char *file, FILE *out)
{
	if (f->json)
		return table_print(faults_table(f), out);
	fflush(f->text);
	fwrite(f->buf, 1, f->size, out);
	fprintf(out, "%s: %u error%s, %u warning%s, %u note%s\n", file,
		f->n[FW_DT_ERROR], plural(f->n[FW_DT_ERROR]),
		f->n[FW_DT_WARNING], plural(f->n[FW_DT_WARNING]),
		f->n[FW_DT_NOTE], plural(f->n[FW_DT_NOTE]));
	return EXIT_OK;
}

/* Numbers as a list with ranges, under construction. */
struct number_list {
	char text[LIST_TEXT];
	size_t len;
	uint32_t first, last;
	bool open;
};

static void end_range(struct number_list *l)
{
	if (!l->open)
		return;
	l->len += (size_t)snprintf(l->text + l->len, sizeof(l->text) - l->len,
				   l->first < l->last ? "%s%u-%u" : "%s%u",
				   l->len ? "," : "", l->first, l->last);
	l->open = false;
}

static void add_number(struct number_list *l, uint32_t n)
{
	if (l->open && n == l->last + 1) {
		l->last = n;
		return;
	}
	end_range(l);
	l->first = l->last = n;
	l->open = true;
}

/* Harts that share a node. */
struct hart_group {
	const struct fw_dt *dt;
	const char *path; /* NULL: no node */
	uint32_t hartid;  /* of one of them */
	struct number_list harts;
	struct table *table;
	bool any; /* row was added */
};

static void add_way(struct hart_group *g, const char *event, const char *name,
		    const struct fw_dt_way *way)
{
	struct number_list counters = { .len = 0 };

	for (unsigned n = 0; n < 32; n++)
		if (way->counters >> n & 1)
			add_number(&counters, n);
	end_range(&counters);
	g->any = true;
	table_row(g->table);
	table_cell(g->table, "%s", g->harts.text);
	table_cell(g->table, "%s", event);
	table_cell(g->table, "%#" PRIx64, way->select);
	if (way->mask)
		table_cell(g->table, "%#" PRIx64, way->mask);
	else
		table_cell(g->table, "-");
	table_cell(g->table, "%s", way->counters ? counters.text : "none");
	table_cell(g->table, "%s", name);
}

static void add_events(struct hart_group *g, uint32_t first, uint32_t last)
{
	char event[16], text[EVENT_TEXT];
	struct fw_dt_way way;

	for (uint32_t e = first; e <= last; e++) {
		if (!fw_event_is_defined(e) ||
		    !fw_dt_event(g->dt, g->hartid, e, &way))
			continue;
		snprintf(event, sizeof(event), "%#" PRIx32, e);
		add_way(g, event, event_idx_text(e, text), &way);
	}
}

static void add_group(struct hart_group *g)
{
	static const struct fw_dt_way nothing = { 0 };
	struct fw_dt_way way;

	if (!g->path) {
		add_way(g, "none", "no riscv,pmu node is for these harts",
			&nothing);
		return;
	}
	add_events(g, FW_EVENT_CYCLES, FW_EVENT_GENERAL_LAST);
	add_events(g, FW_EVENT_CACHE, FW_EVENT_CACHE_LAST);
	for (unsigned row = 0; fw_dt_raw(g->dt, g->hartid, row, &way); row++)
		add_way(g, "raw", "event_data & mask = selector", &way);
	if (!g->any)
		add_way(g, "none",
			"no row of the node gives any event a counter",
			&nothing);
}

static bool same_node(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* All harts whose node is that of hart @first, if none before it has it. */
static void add_harts(const struct fw_dt *dt, unsigned first,
		      struct table *table)
{
	struct hart_group g = { .dt = dt,
				.hartid = fw_dt_hartid(dt, first),
				.table = table };

	g.path = fw_dt_path(dt, g.hartid);
	for (unsigned i = 0; i < fw_dt_n_harts(dt); i++) {
		uint32_t id = fw_dt_hartid(dt, i);

		if (!same_node(fw_dt_path(dt, id), g.path))
			continue;
		if (i < first)
			return;
		add_number(&g.harts, id);
	}
	end_range(&g.harts);
	add_group(&g);
}

int dt_print(const struct fw_dt *dt, bool json, FILE *out)
{
	static const struct column columns[] = {
		{ "HARTS", COLUMN_TEXT },    { "EVENT", COLUMN_TEXT },
		{ "SELECTOR", COLUMN_WIDE }, { "MASK", COLUMN_WIDE },
		{ "COUNTERS", COLUMN_TEXT }, { "NAME", COLUMN_LAST },
	};
	struct table *table = table_new("counters", columns, 6, json);
	struct hart_group all = { .dt = dt, .table = table };

	if (!dt) {
		report_note("there is no riscv,pmu node: SBI offers no PMU");
	} else if (!fw_dt_n_harts(dt)) {
		/* A tree without cpus: what it says of any hart. */
		strcpy(all.harts.text, "all");
		all.path = fw_dt_path(dt, 0);
		add_group(&all);
	} else {
		for (unsigned i = 0; i < fw_dt_n_harts(dt); i++)
			add_harts(dt, i, table);
	}
	return table_print(table, out);
}
