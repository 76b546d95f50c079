/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The widest column of text gives way until all fit. libsmartcols would cut
 * instead, and of a list of extensions or a sentence the end counts, too.
 */
#include "table-fit.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <libsmartcols/libsmartcols.h>

enum {
	TEXT_MIN = 12 /* narrower than this no text is made */
};

struct fit {
	struct libscols_table *from, *to;
	size_t n, width[TABLE_COLUMNS]; /* of the columns */
	bool text[TABLE_COLUMNS];	/* else a number, never broken */
};

double table_column_width(const char *title)
{
	return (double)strlen(title);
}

static const char *title_of(const struct fit *f, size_t column)
{
	return scols_column_get_name(scols_table_get_column(f->from, column));
}

static const char *text_of(struct libscols_line *line, size_t column)
{
	struct libscols_cell *cell = scols_line_get_cell(line, column);
	const char *text = cell ? scols_cell_get_data(cell) : NULL;

	return text ? text : "";
}

static void measure(struct fit *f)
{
	size_t rows = scols_table_get_nlines(f->from);

	for (size_t c = 0; c < f->n; c++) {
		f->width[c] = strlen(title_of(f, c));
		for (size_t i = 0; i < rows; i++) {
			size_t len = strlen(
				text_of(scols_table_get_line(f->from, i), c));

			if (len > f->width[c])
				f->width[c] = len;
		}
	}
}

static void shrink(struct fit *f, size_t width)
{
	size_t total = f->n - 1;

	for (size_t c = 0; c < f->n; c++)
		total += f->width[c];
	for (; total > width; total--) {
		size_t widest = f->n;

		for (size_t c = 0; c < f->n; c++) {
			if (f->text[c] && f->width[c] > TEXT_MIN &&
			    f->width[c] > strlen(title_of(f, c)) &&
			    (widest == f->n || f->width[c] >= f->width[widest]))
				widest = c;
		}
		if (widest == f->n)
			return;
		f->width[widest]--;
	}
}

/* How much of @text goes into @width columns: words, if one is short enough. */
static size_t line_length(const char *text, size_t width)
{
	size_t end = 0;

	if (strlen(text) <= width)
		return strlen(text);
	for (size_t i = 0; i <= width; i++) {
		if (text[i] == ' ')
			end = i;
		else if (i < width && strchr("_|,", text[i]))
			end = i + 1;
	}
	return end ? end : width;
}

/* @len bytes into a cell; false: out of memory. */
static bool put_text(struct libscols_line *to, size_t c, const char *from,
		     size_t len)
{
	char *text = strndup(from, len);
	bool good = text && scols_line_set_data(to, c, text) == 0;

	free(text);
	return good;
}

/* The first part of each text in a line; false: out of memory. */
static bool put_line(struct fit *f, struct libscols_line *from,
		     const char *rest[TABLE_COLUMNS])
{
	struct libscols_line *to = scols_table_new_line(f->to, NULL);

	for (size_t c = 0; to && c < f->n; c++) {
		struct libscols_cell *cell = scols_line_get_cell(from, c);
		const char *color = cell ? scols_cell_get_color(cell) : NULL;
		size_t len = f->text[c] ? line_length(rest[c], f->width[c])
					: strlen(rest[c]);

		if (!put_text(to, c, rest[c], len) ||
		    (color &&
		     scols_cell_set_color(scols_line_get_cell(to, c), color)))
			return false;
		rest[c] += len;
		rest[c] += strspn(rest[c], " ");
	}
	return to != NULL;
}

static bool put_row(struct fit *f, struct libscols_line *from)
{
	const char *rest[TABLE_COLUMNS];
	bool more;

	for (size_t c = 0; c < f->n; c++)
		rest[c] = text_of(from, c);
	do {
		if (!put_line(f, from, rest))
			return false;
		more = false;
		for (size_t c = 0; c < f->n; c++)
			more |= *rest[c] != '\0';
	} while (more);
	return true;
}

static bool put_all(struct fit *f)
{
	size_t rows = scols_table_get_nlines(f->from);

	for (size_t c = 0; c < f->n; c++) {
		struct libscols_column *from =
			scols_table_get_column(f->from, c);

		if (!scols_table_new_column(f->to, title_of(f, c),
					    table_column_width(title_of(f, c)),
					    scols_column_get_flags(from)))
			return false;
	}
	scols_table_enable_noheadings(f->to,
				      scols_table_is_noheadings(f->from));
	scols_table_set_termforce(f->to, SCOLS_TERMFORCE_NEVER);
	for (size_t i = 0; i < rows; i++) {
		if (!put_row(f, scols_table_get_line(f->from, i)))
			return false;
	}
	return true;
}

struct libscols_table *table_fit(struct libscols_table *from, size_t width)
{
	struct fit f = { .from = from, .to = scols_new_table() };

	f.n = scols_table_get_ncols(from);
	assert(f.n && f.n <= TABLE_COLUMNS);
	if (!f.to)
		return NULL;
	for (size_t c = 0; c < f.n; c++)
		f.text[c] =
			!scols_column_is_right(scols_table_get_column(from, c));
	measure(&f);
	shrink(&f, width);
	if (put_all(&f))
		return f.to;
	scols_unref_table(f.to);
	return NULL;
}
