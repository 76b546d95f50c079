/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One page that needs nothing else: a flame graph, a timeline of each hart and
 * a table. Frames and bars are laid out by the browser from how many samples
 * they have, so that all is there without scripts; the script only zooms.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "export-html.h"
#include "export-samples.h"
#include "export-text.h"
#include "export-tree.h"
#include "export.h"
#include "text/exit-codes.h"
#include "text/names.h"

enum {
	BINS = 240, /* of a timeline */
	BAR = 40    /* height of a full one */
};

struct html_page {
	struct export_samples *x;
	FILE *out;
	struct export_index functions; /* by event, space and function */
	struct export_tree stacks;
	struct export_index bins; /* by hart, event and bin */
	struct export_index rows; /* of the timeline: by hart and event */
	size_t *order;		  /* of functions */
	uint64_t samples, timed;  /* those that have a time */
	uint64_t first, last;	  /* ns */
};

static int count(struct html_page *p)
{
	struct export_item item;
	int n;

	while ((n = export_next_sample(p->x, &item)) > 0) {
		const uint64_t event = item.sample.event;
		const uint64_t space = item.sample.function->space;
		const uint64_t n_samples = item.sample.weight;
		struct export_key function = { { event, space,
						 item.sample.at->function } };

		if (export_index_add(&p->functions, function, n_samples) ==
			    EXPORT_NONE ||
		    export_tree_add(&p->stacks, p->x, &item,
				    EXPORT_TREE_FUNCTION) == EXPORT_NONE)
			return export_no_memory(p->x);
		p->samples += n_samples;
		if (item.sample.summed)
			continue;
		if (!p->timed++)
			p->first = p->last = item.ns;
		if (item.ns > p->last)
			p->last = item.ns;
	}
	return n < 0 ? EXIT_FAILED : EXIT_OK;
}

static uint64_t bin_of(const struct html_page *p, uint64_t ns)
{
	uint64_t width = (p->last - p->first) / BINS + 1;

	return ns > p->first ? (ns - p->first) / width : 0;
}

static int count_bins(struct html_page *p)
{
	struct export_item item;
	int n = 0, code = export_again(p->x);

	while (!code && (n = export_next_sample(p->x, &item)) > 0) {
		const uint64_t hart = item.record->hart;
		struct export_key bin = { { hart, item.sample.event,
					    bin_of(p, item.ns) } };
		struct export_key row = { { hart, item.sample.event } };

		if (item.sample.summed)
			continue;
		if (export_index_add(&p->bins, bin, item.sample.weight) ==
			    EXPORT_NONE ||
		    export_index_add(&p->rows, row, item.sample.weight) ==
			    EXPORT_NONE)
			code = export_no_memory(p->x);
	}
	return n < 0 ? EXIT_FAILED : code;
}

static int order_by(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* By event and space, there those with the most samples first. */
static int compare(const void *a, const void *b, void *arg)
{
	const struct export_index *x = arg;
	size_t i = *(const size_t *)a, j = *(const size_t *)b;
	int by = order_by(x->key[i].part[0], x->key[j].part[0]);

	if (!by)
		by = order_by(x->key[i].part[1], x->key[j].part[1]);
	if (!by)
		by = order_by(x->count[j], x->count[i]);
	return by ? by : order_by(i, j);
}

static int sort(struct html_page *p)
{
	size_t n = p->functions.n;

	p->order = calloc(n + 1, sizeof(*p->order));
	if (!p->order)
		return export_no_memory(p->x);
	for (size_t i = 0; i < n; i++)
		p->order[i] = i;
	qsort_r(p->order, n, sizeof(*p->order), compare, &p->functions);
	return EXIT_OK;
}

static double percent(uint64_t part, uint64_t all)
{
	return all ? 100.0 * (double)part / (double)all : 0;
}

/* Opens a frame; what stands on it follows. */
static void put_frame(const struct html_page *p, const char *name, uint64_t n,
		      uint64_t all)
{
	fprintf(p->out,
		"<div class=\"frame\" style=\"flex-grow:%" PRIu64
		"\"><span title=\"",
		n);
	export_html_text(p->out, name);
	fprintf(p->out, ": %" PRIu64 " of %" PRIu64 " samples, %.1f %%\">", n,
		all, percent(n, all));
	export_html_text(p->out, name);
	fputs("</span><div class=\"on\">", p->out);
}

/* What stands on a frame is not as wide as it, if it has samples of its own. */
static void put_end(const struct html_page *p, size_t i)
{
	uint64_t own = export_tree_node(&p->stacks, i).count;

	if (own && p->stacks.child[i] != EXPORT_NONE)
		fprintf(p->out, "<div style=\"flex-grow:%" PRIu64 "\"></div>",
			own);
	fputs("</div></div>\n", p->out);
}

/* Closes @i, and those above it that have nothing more. The next, if any. */
static size_t put_ends(const struct html_page *p, size_t i)
{
	const struct export_tree *t = &p->stacks;

	while (i != EXPORT_NONE) {
		put_end(p, i);
		if (t->next[i] != EXPORT_NONE)
			return t->next[i];
		i = export_tree_node(t, i).parent;
	}
	return EXPORT_NONE;
}

static void put_graph(const struct html_page *p)
{
	const struct export_tree *t = &p->stacks;
	size_t i = t->first;
	uint64_t all = 0;

	fputs("<h2>Flame graph</h2>\n<div class=\"flames\">\n", p->out);
	while (i != EXPORT_NONE) {
		if (export_tree_node(t, i).kind == EXPORT_TREE_EVENT)
			all = t->total[i];
		put_frame(p, export_tree_name(t, p->x, i), t->total[i], all);
		i = t->child[i] != EXPORT_NONE ? t->child[i] : put_ends(p, i);
	}
	fputs("</div>\n", p->out);
}

/* The most samples of a bin in a row. */
static uint64_t highest(const struct html_page *p, const struct export_key *row)
{
	uint64_t most = 1;

	for (size_t i = 0; i < p->bins.n; i++) {
		const uint64_t *part = p->bins.key[i].part;

		if (part[0] == row->part[0] && part[1] == row->part[1] &&
		    p->bins.count[i] > most)
			most = p->bins.count[i];
	}
	return most;
}

static void put_bar(const struct html_page *p, size_t i, uint64_t most)
{
	double height = (double)p->bins.count[i] * BAR / (double)most;
	uint64_t width = (p->last - p->first) / BINS + 1;

	fprintf(p->out,
		"<rect x=\"%" PRIu64 "\" y=\"%.2f\" width=\"1\" "
		"height=\"%.2f\"><title>%" PRIu64 " from %" PRIu64
		" ns on</title></rect>",
		p->bins.key[i].part[2], BAR - height, height, p->bins.count[i],
		p->first + p->bins.key[i].part[2] * width);
}

static void put_row(const struct html_page *p, size_t r)
{
	const struct export_key *row = &p->rows.key[r];
	uint64_t most = highest(p, row);

	fprintf(p->out, "<tr><th>hart %" PRIu64 "</th><th>", row->part[0]);
	export_html_text(p->out, export_event_name(p->x, row->part[1]));
	fprintf(p->out,
		"</th><td>%" PRIu64 "</td><td class=\"bars\"><svg "
		"viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\">",
		p->rows.count[r], BINS, BAR);
	for (size_t i = 0; i < p->bins.n; i++) {
		const uint64_t *part = p->bins.key[i].part;

		if (part[0] == row->part[0] && part[1] == row->part[1])
			put_bar(p, i, most);
	}
	fputs("</svg></td></tr>\n", p->out);
}

static void put_timeline(const struct html_page *p)
{
	fprintf(p->out,
		"<h2>Timeline</h2>\n<p>From %" PRIu64 " ns to %" PRIu64
		" ns, each row as high as its fullest part.</p>\n"
		"<table class=\"time\">\n",
		p->first, p->last);
	for (size_t i = 0; i < p->rows.n; i++)
		put_row(p, i);
	fputs("</table>\n", p->out);
}

static void put_line(const struct html_page *p, size_t i)
{
	const uint64_t *part = p->functions.key[i].part;
	const struct export_function *f = export_function(p->x, part[2]);
	uint64_t n = p->functions.count[i];
	char line[NAME_MAX_LEN];

	fputs("<tr><td>", p->out);
	export_html_text(p->out, export_event_name(p->x, part[0]));
	fputs("</td><td>", p->out);
	export_html_text(p->out, export_space(p->x, part[1])->name);
	fputs("</td><td>", p->out);
	export_html_text(p->out, f->name);
	fputs("</td><td>", p->out);
	if (f->path) {
		export_html_text(p->out, f->path);
		fprintf(p->out, ":%s", name_line((uint32_t)f->line, line));
	}
	fprintf(p->out, "</td><td>%" PRIu64 "</td><td>%.1f</td></tr>\n", n,
		percent(n, export_event_samples(p->x, part[0])));
}

static void put_table(const struct html_page *p)
{
	fputs("<h2>Functions</h2>\n<table class=\"functions\">\n<tr>"
	      "<th>Event</th><th>Space</th><th>Function</th><th>Source</th>"
	      "<th>Samples</th><th>Percent</th></tr>\n",
	      p->out);
	for (size_t k = 0; k < p->functions.n; k++)
		put_line(p, p->order[k]);
	fputs("</table>\n", p->out);
}

static void put_page(const struct html_page *p)
{
	size_t events = export_events(p->x);

	fputs(export_html_head, p->out);
	fprintf(p->out, "<p>%" PRIu64 " sample%s of %zu event%s</p>\n",
		p->samples, p->samples == 1 ? "" : "s", events,
		events == 1 ? "" : "s");
	put_graph(p);
	put_timeline(p);
	put_table(p);
	fputs(export_html_tail, p->out);
}

int export_html(struct export_samples *x, FILE *out)
{
	struct html_page p = { .x = x, .out = out };
	int code = count(&p);

	if (!code)
		code = count_bins(&p);
	if (!code)
		code = sort(&p);
	if (!code && export_tree_link(&p.stacks))
		code = export_no_memory(x);
	if (!code)
		put_page(&p);
	export_index_fini(&p.functions);
	export_tree_fini(&p.stacks);
	export_index_fini(&p.bins);
	export_index_fini(&p.rows);
	free(p.order);
	return code;
}
