/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * V8's .cpuprofile: a tree of event, space, callers and function, and which
 * node each sample is of. Its times are between samples, so that what its
 * readers call self time is how often a node was met, weighted by the time up
 * to it.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "export-samples.h"
#include "export-text.h"
#include "export-tree.h"
#include "export.h"
#include "text/exit-codes.h"

enum {
	ROOT = 1, /* ids of nodes: of the root, and of number 0 */
	FIRST = 2
};

struct cpuprofile {
	struct export_samples *x;
	FILE *out;
	struct export_tree nodes;
	struct export_index lines; /* by node and line */
	uint64_t first, last;	   /* ns */
};

/* EXPORT_NONE: out of memory. */
static size_t node_of(struct cpuprofile *p, struct export_item *item)
{
	return export_tree_add(&p->nodes, p->x, item, EXPORT_TREE_FUNCTION);
}

/* In microseconds, with the sum of all being right. */
static uint64_t step(struct cpuprofile *p, uint64_t ns)
{
	uint64_t before = p->last;

	if (ns > p->last)
		p->last = ns;
	return p->last / 1000 - before / 1000;
}

static int count(struct cpuprofile *p)
{
	struct export_item item;
	int n;

	while ((n = export_next_sample(p->x, &item)) > 0) {
		size_t node = node_of(p, &item);
		struct export_key line = { { node,
					     (uint64_t)item.sample.at->line } };

		if (node == EXPORT_NONE ||
		    export_index_add(&p->lines, line, item.sample.weight) ==
			    EXPORT_NONE)
			return export_no_memory(p->x);
		if (p->first == UINT64_MAX)
			p->first = item.ns;
		step(p, item.ns);
	}
	return n < 0 ? EXIT_FAILED : EXIT_OK;
}

/* From @child on, which is the first of them. */
static void put_children(const struct cpuprofile *p, size_t child)
{
	bool more = false;

	fputs(",\"children\":[", p->out);
	for (; child != EXPORT_NONE; child = p->nodes.next[child]) {
		fprintf(p->out, "%s%zu", more ? "," : "", child + FIRST);
		more = true;
	}
	fputc(']', p->out);
}

static void put_lines(const struct cpuprofile *p, size_t node)
{
	bool more = false;

	fputs(",\"positionTicks\":[", p->out);
	for (size_t i = 0; i < p->lines.n; i++) {
		const uint64_t *part = p->lines.key[i].part;

		if (part[0] != node || !part[1])
			continue;
		fprintf(p->out,
			"%s{\"line\":%" PRIu64 ",\"ticks\":%" PRIu64 "}",
			more ? "," : "", part[1], p->lines.count[i]);
		more = true;
	}
	fputc(']', p->out);
}

static void put_frame(const struct cpuprofile *p, const char *name,
		      const char *path, int line)
{
	fputs("\"callFrame\":{\"scriptId\":\"0\",\"columnNumber\":-1,", p->out);
	export_json_text(p->out, "functionName", name);
	fputc(',', p->out);
	export_json_text(p->out, "url", path ? path : "");
	/* counted from 0 there */
	fprintf(p->out, ",\"lineNumber\":%d}", line - 1);
}

static void put_node(const struct cpuprofile *p, size_t i)
{
	struct export_tree_node node = export_tree_node(&p->nodes, i);
	const char *name = export_tree_name(&p->nodes, p->x, i);
	const struct export_function *f;

	fprintf(p->out, ",\n{\"id\":%zu,\"hitCount\":%" PRIu64 ",", i + FIRST,
		node.count);
	if (node.kind == EXPORT_TREE_FUNCTION) {
		f = export_function(p->x, node.what);
		put_frame(p, name, f->path, f->line);
		put_lines(p, i);
	} else {
		put_frame(p, name, NULL, 0);
	}
	if (p->nodes.child[i] != EXPORT_NONE)
		put_children(p, p->nodes.child[i]);
	fputc('}', p->out);
}

static void put_nodes(const struct cpuprofile *p)
{
	fprintf(p->out, "{\"nodes\":[{\"id\":%d,\"hitCount\":0,", ROOT);
	put_frame(p, "(root)", NULL, 0);
	put_children(p, p->nodes.first);
	fputc('}', p->out);
	for (size_t i = 0; i < p->nodes.nodes.n; i++)
		put_node(p, i);
	fprintf(p->out, "],\n\"startTime\":%" PRIu64 ",\"endTime\":%" PRIu64,
		p->first / 1000, p->last / 1000);
}

/* A value for each sample: its node, or with @times the time up to it. */
static int put_samples(struct cpuprofile *p, bool times)
{
	struct export_item item;
	bool more = false;
	int n = 0, code = export_again(p->x);

	if (code)
		return code;
	p->last = p->first;
	fprintf(p->out, ",\n\"%s\":[", times ? "timeDeltas" : "samples");
	while (!ferror(p->out) && (n = export_next_sample(p->x, &item)) > 0) {
		fprintf(p->out, "%s%" PRIu64, more ? "," : "",
			times ? step(p, item.ns) : node_of(p, &item) + FIRST);
		more = true;
	}
	fputc(']', p->out);
	return n < 0 ? EXIT_FAILED : EXIT_OK;
}

int export_cpuprofile(struct export_samples *x, FILE *out)
{
	struct cpuprofile p = { .x = x, .out = out, .first = UINT64_MAX };
	int code = count(&p);

	if (p.first == UINT64_MAX)
		p.first = 0;
	if (!code && export_tree_link(&p.nodes))
		code = export_no_memory(x);
	if (!code) {
		put_nodes(&p);
		code = put_samples(&p, false);
	}
	if (!code)
		code = put_samples(&p, true);
	fputs("}\n", out);
	export_tree_fini(&p.nodes);
	export_index_fini(&p.lines);
	return code;
}
