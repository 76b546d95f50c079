/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libsmartcols lays out; this file says how a column is and remembers that
 * memory ran out until the table is printed. Only a terminal has a width: what
 * is piped is never broken or cut.
 */
#include "table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <libsmartcols/libsmartcols.h>

#include "exit-codes.h"
#include "json.h"
#include "pager.h"
#include "report.h"
#include "table-fit.h"
#include "tty.h"

struct table {
	struct libscols_table *scols;
	struct libscols_line *line;
	size_t cell;
	bool broken;
};

static bool no_headings;

void table_headings(bool wanted)
{
	no_headings = !wanted;
}

static void add_column(struct table *t, const struct column *c)
{
	struct libscols_column *col;
	int flags = 0;

	if (c->kind == COLUMN_NUMBER || c->kind == COLUMN_WIDE)
		flags = SCOLS_FL_RIGHT;
	col = scols_table_new_column(t->scols, c->name,
				     table_column_width(c->name), flags);
	if (!col) {
		t->broken = true;
		return;
	}
	if (c->kind == COLUMN_NUMBER)
		scols_column_set_json_type(col, SCOLS_JSON_NUMBER);
}

struct table *table_new(const char *name, const struct column *columns,
			size_t n, bool json)
{
	struct table *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->scols = scols_new_table();
	if (!t->scols) {
		free(t);
		return NULL;
	}
	scols_table_set_name(t->scols, name);
	scols_table_enable_json(t->scols, json);
	scols_table_enable_noheadings(t->scols, !json && no_headings);
	/* it would cut where table-fit.c breaks */
	scols_table_set_termforce(t->scols, SCOLS_TERMFORCE_NEVER);
	for (size_t i = 0; i < n; i++)
		add_column(t, &columns[i]);
	return t;
}

void table_row(struct table *t)
{
	if (!t)
		return;
	t->line = scols_table_new_line(t->scols, NULL); /* NULL takes no cell */
	t->cell = 0;
}

void table_cell(struct table *t, const char *format, ...)
{
	char *text = NULL;
	va_list args;

	if (!t || t->broken)
		return;
	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	if (text && scols_line_refer_data(t->line, t->cell++, text) == 0)
		return;
	free(text);
	t->broken = true;
}

void table_mark_overflow(struct table *t)
{
	struct libscols_cell *cell;

	if (!t || t->broken)
		return;
	cell = scols_line_get_cell(t->line, t->cell - 1);
	if (!cell || scols_cell_set_color(cell, tty_sequence(TTY_OVERFLOW)) < 0)
		t->broken = true;
}

/* What is printed to @out: the table, or one of @out's width in its place. */
static bool make_fit(struct table *t, FILE *out)
{
	struct libscols_table *narrow;

	if (scols_table_is_json(t->scols))
		return true;
	if (tty_width(out)) {
		narrow = table_fit(t->scols, tty_width(out));
		if (!narrow)
			return false;
		scols_unref_table(t->scols);
		t->scols = narrow;
	}
	scols_table_enable_colors(t->scols, tty_in_color(out));
	return true;
}

/* A table for @to as text in memory, to be freed. NULL: out of memory. */
static char *render(struct table *t, FILE *to)
{
	char *text = NULL;
	size_t size;
	FILE *out;
	int err;

	if (!t || t->broken || !make_fit(t, to))
		return NULL;
	out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	scols_table_set_stream(t->scols, out);
	err = scols_print_table(t->scols);
	if (fclose(out) || err) {
		free(text);
		return NULL;
	}
	return text;
}

/* Puts the one member of a table's JSON into @all. */
static bool add_json_text(json_t *all, const char *text)
{
	json_t *one = json_parse(text);
	bool ok = one && json_object_update(all, one) == 0;

	json_decref(one);
	return ok;
}

static bool print_json(struct table *const *tables, size_t n, FILE *out)
{
	json_t *all = json_object();
	bool ok = all != NULL;

	for (size_t i = 0; i < n && ok; i++) {
		char *text = render(tables[i], out);

		ok = text && add_json_text(all, text);
		free(text);
	}
	/* as it was written: two more digits would be the binary's rest */
	ok = ok && json_write(out, all,
			      JSON_INDENT(2) | JSON_REAL_PRECISION(15)) == 0;
	fputc('\n', out);
	json_decref(all);
	return ok;
}

static size_t lines_of(const char *text)
{
	size_t n = 0;

	while ((text = strchr(text, '\n'))) {
		n++;
		text++;
	}
	return n;
}

static bool print_text(struct table *const *tables, size_t n, FILE *out)
{
	bool ok = true;

	for (size_t i = 0; i < n && ok; i++) {
		char *text = render(tables[i], out);

		ok = text != NULL;
		if (ok && out == stdout)
			pager_begin(lines_of(text));
		if (ok && i)
			fputc('\n', out);
		if (ok)
			tty_write(out, text, tty_width(out));
		free(text);
	}
	return ok;
}

int tables_print(struct table *const *tables, size_t n, FILE *out)
{
	bool json = n && tables[0] && scols_table_is_json(tables[0]->scols);
	bool ok =
		json ? print_json(tables, n, out) : print_text(tables, n, out);

	if (!ok)
		report_no_memory("table");
	for (size_t i = 0; i < n; i++) {
		if (tables[i])
			scols_unref_table(tables[i]->scols);
		free(tables[i]);
	}
	return ok ? EXIT_OK : EXIT_FAILED;
}

int table_print(struct table *t, FILE *out)
{
	return tables_print(&t, 1, out);
}
