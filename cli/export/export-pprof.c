/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A profile for pprof, in gzip: samples by place and callers, hart and event, a
 * value for each event. As fields of a message may come one after the other, it
 * is written piece by piece. Harts are labels of text, for a number 0 is no
 * label.
 */
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "export-samples.h"
#include "export-text.h"
#include "export-tree.h"
#include "export.h"
#include "pprof.pb-c.h"
#include "text/exit-codes.h"
#include "trace/guest-files.h"
#include "wire/cleanup.h"

enum {
	GZIP = 15 + 16, /* zlib's window, and a head of gzip */
	CHUNK = 1 << 14,
	LEVEL = 6,
	MEMORY = 8
};

struct pprof {
	struct export_samples *x;
	FILE *out;
	z_stream zip;
	struct export_tree stacks;  /* of places */
	struct export_index counts; /* by node of stacks, and hart */
	struct export_index harts;
	int64_t strings;		    /* how many were written */
	int64_t events, spaces, hart_names; /* the first string of each */
	uint64_t first, last;		    /* ns */
	bool failed;
};

/* @how is deflate()'s. */
static void put_bytes(struct pprof *p, uint8_t *bytes, size_t n, int how)
{
	uint8_t buf[CHUNK];

	p->zip.next_in = bytes;
	p->zip.avail_in = (uInt)n;
	do {
		p->zip.next_out = buf;
		p->zip.avail_out = sizeof(buf);
		if (deflate(&p->zip, how) == Z_STREAM_ERROR)
			p->failed = true;
		fwrite(buf, 1, sizeof(buf) - p->zip.avail_out, p->out);
	} while (!p->failed && !p->zip.avail_out);
}

/* A part of the profile: what is set in @part. */
static void put(struct pprof *p, const Pmu__Pprof__Profile *part)
{
	size_t n = pmu__pprof__profile__get_packed_size(part);
	uint8_t *bytes = malloc(n + 1);

	if (bytes) {
		pmu__pprof__profile__pack(part, bytes);
		put_bytes(p, bytes, n, Z_NO_FLUSH);
	} else {
		p->failed = true;
	}
	free(bytes);
}

/* Its index. What is no UTF-8 would be refused by readers: a '?' there. */
static int64_t put_string(struct pprof *p, const char *text)
{
	Pmu__Pprof__Profile part = PMU__PPROF__PROFILE__INIT;
	char *copy = strdup(text);

	if (!copy) {
		p->failed = true;
		return 0;
	}
	export_to_utf8(copy);
	part.n_string_table = 1;
	part.string_table = &copy;
	put(p, &part);
	free(copy);
	return p->strings++;
}

static int count(struct pprof *p)
{
	struct export_item item;
	bool any = false;
	int n;

	while ((n = export_next_sample(p->x, &item)) > 0) {
		uint64_t hart = item.record->hart;
		size_t node = export_tree_add(&p->stacks, p->x, &item,
					      EXPORT_TREE_PLACE);
		struct export_key key = { { node, hart } };

		if (node == EXPORT_NONE ||
		    export_index_add(&p->counts, key, item.sample.weight) ==
			    EXPORT_NONE ||
		    export_index_add(&p->harts, (struct export_key){ { hart } },
				     1) == EXPORT_NONE)
			return export_no_memory(p->x);
		if (!any)
			p->first = item.ns;
		any = true;
		p->last = item.ns;
	}
	return n < 0 ? EXIT_FAILED : EXIT_OK;
}

static void put_types(struct pprof *p)
{
	Pmu__Pprof__Profile part = PMU__PPROF__PROFILE__INIT;
	Pmu__Pprof__ValueType type = PMU__PPROF__VALUE_TYPE__INIT;
	Pmu__Pprof__ValueType *types = &type;

	size_t n = export_events(p->x);

	put_string(p, "");
	type.unit = put_string(p, "count");
	p->events = p->strings;
	/* readers refuse a profile without types */
	if (!n)
		put_string(p, "samples");
	for (size_t i = 0; i < n; i++)
		put_string(p, export_event_name(p->x, i));
	part.n_sample_type = 1;
	part.sample_type = &types;
	for (size_t i = 0; i < (n ? n : 1); i++) {
		type.type = p->events + (int64_t)i;
		put(p, &part);
	}
}

static void put_spaces(struct pprof *p)
{
	Pmu__Pprof__Profile part = PMU__PPROF__PROFILE__INIT;
	Pmu__Pprof__Mapping mapping = PMU__PPROF__MAPPING__INIT;
	Pmu__Pprof__Mapping *mappings = &mapping;

	/* nothing is left to be looked up */
	mapping.has_functions = mapping.has_filenames = true;
	mapping.has_line_numbers = true;
	part.n_mapping = 1;
	part.mapping = &mappings;
	p->spaces = p->strings;
	for (size_t i = 0; i < export_spaces(p->x); i++) {
		mapping.id = i + 1;
		mapping.filename = put_string(p, export_space(p->x, i)->name);
		put(p, &part);
	}
}

/* Behind those of spaces. What is no file has no name. */
static void put_mappings(struct pprof *p)
{
	Pmu__Pprof__Profile part = PMU__PPROF__PROFILE__INIT;
	Pmu__Pprof__Mapping mapping = PMU__PPROF__MAPPING__INIT;
	Pmu__Pprof__Mapping *mappings = &mapping;

	mapping.has_functions = mapping.has_filenames = true;
	mapping.has_line_numbers = true;
	part.n_mapping = 1;
	part.mapping = &mappings;
	for (size_t i = 0; i < export_mappings(p->x); i++) {
		const struct guest_mapping *m = export_mapping(p->x, i);

		mapping.id = export_spaces(p->x) + i + 1;
		mapping.memory_start = m->start;
		mapping.memory_limit = m->end;
		mapping.file_offset = m->offset;
		mapping.filename = put_string(p, m->file);
		put(p, &part);
	}
}

/* That of the file, if it is known, else of the space. */
static uint64_t mapping_of(const struct pprof *p, const struct export_place *at)
{
	if (at->mapping != EXPORT_NONE &&
	    *export_mapping(p->x, at->mapping)->file)
		return export_spaces(p->x) + at->mapping + 1;
	return export_function(p->x, at->function)->space + 1;
}

static void put_functions(struct pprof *p)
{
	Pmu__Pprof__Profile part = PMU__PPROF__PROFILE__INIT;
	Pmu__Pprof__Function function = PMU__PPROF__FUNCTION__INIT;
	Pmu__Pprof__Function *functions = &function;

	part.n_function = 1;
	part.function = &functions;
	for (size_t i = 0; i < export_functions(p->x); i++) {
		const struct export_function *f = export_function(p->x, i);

		function.id = i + 1;
		function.name = put_string(p, f->name);
		function.system_name = function.name;
		function.filename = f->path ? put_string(p, f->path) : 0;
		function.start_line = f->line;
		put(p, &part);
	}
}

static void put_places(struct pprof *p)
{
	Pmu__Pprof__Profile part = PMU__PPROF__PROFILE__INIT;
	Pmu__Pprof__Location location = PMU__PPROF__LOCATION__INIT;
	Pmu__Pprof__Location *locations = &location;
	Pmu__Pprof__Line line = PMU__PPROF__LINE__INIT;
	Pmu__Pprof__Line *lines = &line;

	part.n_location = location.n_line = 1;
	part.location = &locations;
	location.line = &lines;
	for (size_t i = 0; i < export_places(p->x); i++) {
		const struct export_place *at = export_place(p->x, i);

		location.id = i + 1;
		location.mapping_id = mapping_of(p, at);
		location.address = at->pc;
		line.function_id = at->function + 1;
		line.line = at->line;
		put(p, &part);
	}
}

static void put_label(Pmu__Pprof__Label *label, int64_t key, int64_t text)
{
	*label = (Pmu__Pprof__Label)PMU__PPROF__LABEL__INIT;
	label->key = key;
	label->str = text;
}

static size_t hart_number(struct pprof *p, uint64_t hart)
{
	return export_index_add(&p->harts, (struct export_key){ { hart } }, 0);
}

/*
 * The places of @ret, whose room is for all nodes, from node @i outwards.
 * Returns the node of the space.
 */
static struct export_tree_node stack_of(const struct pprof *p, size_t i,
					Pmu__Pprof__Sample *ret)
{
	struct export_tree_node node = export_tree_node(&p->stacks, i);

	ret->n_location_id = 0;
	while (node.kind == EXPORT_TREE_PLACE) {
		ret->location_id[ret->n_location_id++] = node.what + 1;
		node = export_tree_node(&p->stacks, node.parent);
	}
	return node;
}

static void put_samples(struct pprof *p, int64_t *values, uint64_t *locations)
{
	Pmu__Pprof__Profile part = PMU__PPROF__PROFILE__INIT;
	Pmu__Pprof__Sample sample = PMU__PPROF__SAMPLE__INIT;
	Pmu__Pprof__Sample *samples = &sample;
	Pmu__Pprof__Label label[2], *labels[] = { &label[0], &label[1] };
	int64_t hart_key = put_string(p, "hart");
	int64_t space_key = put_string(p, "space");

	part.n_sample = 1;
	part.sample = &samples;
	sample.location_id = locations;
	sample.n_label = 2;
	sample.label = labels;
	sample.n_value = export_events(p->x);
	sample.value = values;
	for (size_t i = 0; i < p->counts.n && !p->failed; i++) {
		const uint64_t *key = p->counts.key[i].part;
		struct export_tree_node space = stack_of(p, key[0], &sample);
		size_t event = export_tree_node(&p->stacks, space.parent).what;

		put_label(&label[0], hart_key,
			  p->hart_names + (int64_t)hart_number(p, key[1]));
		put_label(&label[1], space_key,
			  p->spaces + (int64_t)space.what);
		values[event] = (int64_t)p->counts.count[i];
		put(p, &part);
		values[event] = 0;
	}
}

static void put_harts(struct pprof *p)
{
	char name[24];

	p->hart_names = p->strings;
	for (size_t i = 0; i < p->harts.n; i++) {
		snprintf(name, sizeof(name), "%u",
			 (unsigned)p->harts.key[i].part[0]);
		put_string(p, name);
	}
}

static int put_all(struct pprof *p)
{
	Pmu__Pprof__Profile part = PMU__PPROF__PROFILE__INIT;
	int64_t *values CLEANUP(free) =
		calloc(export_events(p->x) + 1, sizeof(*values));
	uint64_t *locations CLEANUP(free) =
		calloc(p->stacks.nodes.n + 1, sizeof(*locations));

	if (!values || !locations)
		return export_no_memory(p->x);
	put_types(p);
	put_spaces(p);
	put_mappings(p);
	put_functions(p);
	put_places(p);
	put_harts(p);
	put_samples(p, values, locations);
	part.duration_nanos =
		p->last > p->first ? (int64_t)(p->last - p->first) : 0;
	part.default_sample_type = p->events;
	put(p, &part);
	put_bytes(p, NULL, 0, Z_FINISH);
	return p->failed ? export_no_memory(p->x) : EXIT_OK;
}

int export_pprof(struct export_samples *x, FILE *out)
{
	struct pprof p = { .x = x, .out = out };
	int code;

	if (deflateInit2(&p.zip, LEVEL, Z_DEFLATED, GZIP, MEMORY,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		return export_no_memory(x);
	code = count(&p);
	if (!code)
		code = put_all(&p);
	deflateEnd(&p.zip);
	export_tree_fini(&p.stacks);
	export_index_fini(&p.counts);
	export_index_fini(&p.harts);
	return code;
}
