/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Callgrind's profile data: a cost for each address and line, a column for each
 * event. Where costs are samples, its tools cannot know; a comment says so. If
 * there are sums of a whole run, they alone are costs: nothing that is one of
 * many stands beside what is all.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "export-samples.h"
#include "export-text.h"
#include "export.h"
#include "text/exit-codes.h"

#define NO_FILE "???" /* as callgrind has it */

struct costs {
	struct export_index at;	     /* by place and column */
	struct export_index columns; /* by event */
	bool sampled;		     /* not all that there were */
};

struct callgrind {
	struct export_samples *x;
	FILE *out;
	struct costs counted, summed;
	struct costs *costs; /* those of them that are written */
	size_t *order;	     /* of costs */
};

static bool add(struct costs *costs, const struct export_sample *s)
{
	struct export_key event = { { s->event } };
	size_t column = export_index_add(&costs->columns, event, s->weight);
	struct export_key at = { { s->place, column } };

	costs->sampled |= !s->exact;
	return column != EXPORT_NONE &&
	       export_index_add(&costs->at, at, s->weight) != EXPORT_NONE;
}

static int count(struct callgrind *c)
{
	struct export_item item;
	int n;

	while ((n = export_next_sample(c->x, &item)) > 0) {
		if (!add(item.sample.summed ? &c->summed : &c->counted,
			 &item.sample))
			return export_no_memory(c->x);
	}
	c->costs = c->summed.at.n ? &c->summed : &c->counted;
	return n < 0 ? EXIT_FAILED : EXIT_OK;
}

static const struct export_place *place_of(const struct callgrind *c, size_t i)
{
	return export_place(c->x, c->costs->at.key[i].part[0]);
}

static int order_by(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* By function, in it by address. */
static int compare(const void *a, const void *b, void *arg)
{
	const struct callgrind *c = arg;
	size_t i = *(const size_t *)a, j = *(const size_t *)b;
	const struct export_place *p = place_of(c, i), *q = place_of(c, j);
	int by = order_by(p->function, q->function);

	if (!by)
		by = order_by(p->pc, q->pc);
	return by ? by : order_by(i, j);
}

static int sort(struct callgrind *c)
{
	c->order = calloc(c->costs->at.n + 1, sizeof(*c->order));
	if (!c->order)
		return export_no_memory(c->x);
	for (size_t i = 0; i < c->costs->at.n; i++)
		c->order[i] = i;
	qsort_r(c->order, c->costs->at.n, sizeof(*c->order), compare, c);
	return EXIT_OK;
}

/* Sums are of samples alone, so that no overflows have the name. */
static const char *column_name(const struct callgrind *c, size_t i)
{
	uint64_t event = c->costs->columns.key[i].part[0];

	return c->costs == &c->summed ? export_event_recorded(c->x, event)
				      : export_event_name(c->x, event);
}

/* A word that begins with a letter. */
static void put_event(FILE *out, const char *name)
{
	fputc(' ', out);
	if (!isalpha((unsigned char)*name))
		fputc('e', out);
	for (; *name; name++)
		fputc(isalnum((unsigned char)*name) ? *name : '_', out);
}

static void put_head(const struct callgrind *c)
{
	const struct export_index *columns = &c->costs->columns;

	fprintf(c->out,
		"# callgrind format\nversion: 1\n"
		"creator: pmuctl " PMUD_VERSION "\n"
		"# costs are %s\n"
		"positions: instr line\nevents:",
		c->costs->sampled ? "samples" : "all that happened");
	for (size_t i = 0; i < columns->n; i++)
		put_event(c->out, column_name(c, i));
	if (!columns->n)
		fputs(" none", c->out);
	fputs("\nsummary:", c->out);
	for (size_t i = 0; i < columns->n; i++)
		fprintf(c->out, " %" PRIu64, columns->count[i]);
	fputc('\n', c->out);
}

static void put_file(const struct callgrind *c, const char *key,
		     const char *path)
{
	fprintf(c->out, "%s=", key);
	export_plain(c->out, path ? path : NO_FILE, "");
	fputc('\n', c->out);
}

static void put_function(const struct callgrind *c,
			 const struct export_function *f)
{
	fprintf(c->out, "\nob=%s\n", export_space(c->x, f->space)->name);
	put_file(c, "fl", f->path);
	fputs("fn=", c->out);
	export_plain(c->out, f->name, "");
	fputc('\n', c->out);
}

static bool same_path(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static void put_cost(const struct callgrind *c, size_t i)
{
	const struct export_place *at = place_of(c, i);
	size_t column = c->costs->at.key[i].part[1];

	fprintf(c->out, "0x%" PRIx64 " %d", at->pc, at->line);
	for (size_t e = 0; e < column; e++)
		fputs(" 0", c->out);
	fprintf(c->out, " %" PRIu64 "\n", c->costs->at.count[i]);
}

static void put_costs(const struct callgrind *c)
{
	const struct export_function *f = NULL;
	const char *path = NULL;

	for (size_t k = 0; k < c->costs->at.n; k++) {
		size_t i = c->order[k];
		const struct export_place *at = place_of(c, i);
		const struct export_function *own =
			export_function(c->x, at->function);

		if (k == 0 || f != own) {
			f = own;
			put_function(c, f);
			path = f->path;
		}
		/* what was inlined is of another file */
		if (!same_path(path, at->path)) {
			path = at->path;
			put_file(c, same_path(path, own->path) ? "fe" : "fi",
				 path);
		}
		put_cost(c, i);
	}
}

int export_callgrind(struct export_samples *x, FILE *out)
{
	struct callgrind c = { .x = x, .out = out };
	int code = count(&c);

	if (!code)
		code = sort(&c);
	if (!code) {
		put_head(&c);
		put_costs(&c);
	}
	export_index_fini(&c.counted.at);
	export_index_fini(&c.counted.columns);
	export_index_fini(&c.summed.at);
	export_index_fini(&c.summed.columns);
	free(c.order);
	return code;
}
