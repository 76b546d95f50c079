/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perf.data: the processes of Linux that are known, with their commands where
 * these become theirs, and one for each other space; an event for each event.
 * The files of symbols are mapped where they lie, so that perf finds functions
 * and lines by itself. Of a list of symbols it needs to be told: --kallsyms.
 * What processes of Linux map is said where the first sample is in it: by the
 * file of the host, with --sysroot, or else by that of the guest under a name
 * that no file of the host has, for perf would take functions out of that; so
 * it is where the first caller is in it. All is read twice, for sizes stand
 * first.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "export-maps.h"
#include "export-perf-bytes.h"
#include "export-samples.h"
#include "export.h"
#include "text/exit-codes.h"
#include "trace/guest-files.h"

enum {
	HEAD = 104,	/* bytes of the file's header */
	ATTR = 64,	/* of an attribute, as of the first version */
	FILE_ATTR = 80, /* and of where its ids stand */
	SAMPLE = 56,	/* without its chain */
	ROUND = 4096,	/* samples after which those before may be sorted */
	ROUND_SIZE = 8,
	/* of the kernel's interface, and of perf itself */
	TYPE_MMAP = 1,
	TYPE_COMM = 3,
	TYPE_SAMPLE = 9,
	TYPE_MMAP2 = 10,
	TYPE_FINISHED_ROUND = 68,
	TYPE_RAW = 4, /* of events */
	WITH_IP = 1 << 0,
	WITH_TID = 1 << 1,
	WITH_TIME = 1 << 2,
	WITH_CALLCHAIN = 1 << 5,
	WITH_CPU = 1 << 7,
	WITH_PERIOD = 1 << 8,
	WITH_IDENTIFIER = 1 << 16,
	FLAG_MMAP = 1 << 8,
	FLAG_COMM = 1 << 9,
	FLAG_ID_ALL = 1 << 18,
	FLAG_MMAP2 = 1 << 23,
	READ_EXECUTE = 5, /* what is mapped */
	PRIVATE = 2,
	FEATURES = 4,
	NO_PROCESS = 1 << 30 /* beyond those that Linux has */
};

/* HOSTNAME, VERSION, ARCH, EVENT_DESC; they follow in this order */
static const unsigned feature_bits[FEATURES] = { 3, 5, 6, 12 };

struct perf {
	struct export_samples *x;
	FILE *out; /* NULL: what will be written is counted */
	struct export_maps maps;
	struct export_index threads; /* count: their last space, and 1 */
	uint64_t samples, named;     /* bytes of what says commands, maps */
	uint64_t chained;	     /* and of the chains */
	void *mapped;		     /* what was said of mappings, and holds */
	bool processes;		     /* some are known */
	bool chains;		     /* they were asked for */
};

static size_t comm_size(const char *comm)
{
	return 16 + export_perf_padded(comm) + EXPORT_PERF_ID;
}

static void put_comm(FILE *out, const char *comm, uint64_t pid, uint64_t tid,
		     uint64_t ns)
{
	export_perf_record(out, TYPE_COMM, 0, comm_size(comm));
	export_perf_put(out, pid, 4);
	export_perf_put(out, tid, 4);
	export_perf_text(out, comm);
	export_perf_id(out, pid, tid, ns);
}

static uint64_t pid_of(const struct perf *p, size_t space)
{
	const struct export_space *s = export_space(p->x, space);

	if (s->is_process)
		return s->pid;
	return space + 1 + (p->processes ? NO_PROCESS : 0);
}

static uint64_t tid_of(const struct perf *p, const struct export_item *item)
{
	return item->sample.space->is_process
		       ? item->record->process->tid
		       : pid_of(p, item->sample.function->space);
}

/* Has its thread another command from here on, or its first? -1: no memory. */
static int is_named(struct perf *p, const struct export_item *item)
{
	const struct export_space *s = item->sample.space;
	struct export_key key = { { s->pid, tid_of(p, item) } };
	uint64_t last;
	size_t i;

	if (!s->is_process)
		return 0;
	i = export_index_add(&p->threads, key, 0);
	if (i == EXPORT_NONE)
		return -1;
	last = p->threads.count[i];
	p->threads.count[i] = item->sample.function->space + 1;
	return !last ||
	       strcmp(export_space(p->x, last - 1)->comm, s->comm) != 0;
}

static size_t map_size(const struct export_map *m)
{
	return 40 + export_perf_padded(m->path) + EXPORT_PERF_ID;
}

/* As it stands in the file; "" is known by nobody. */
static void name_mapping(const struct perf *p, size_t i, char *ret, size_t room)
{
	const char *path = export_mapping_path(p->x, i);
	const char *file = export_mapping(p->x, i)->file;

	if (path)
		snprintf(ret, room, "%s", path);
	else if (*file)
		snprintf(ret, room, "guest:%s", file);
	else
		snprintf(ret, room, "//anon");
}

static size_t mapping_size(const struct perf *p, size_t i)
{
	char name[PATH_MAX];

	name_mapping(p, i, name, sizeof(name));
	return 72 + export_perf_padded(name) + EXPORT_PERF_ID;
}

static void put_mapping(const struct perf *p, const struct export_item *item,
			size_t i)
{
	const struct guest_mapping *m = export_mapping(p->x, i);
	uint64_t tid = tid_of(p, item);
	char name[PATH_MAX];

	name_mapping(p, i, name, sizeof(name));
	export_perf_record(p->out, TYPE_MMAP2, 2, mapping_size(p, i));
	export_perf_put(p->out, m->pid, 4);
	export_perf_put(p->out, tid, 4);
	export_perf_put(p->out, m->start, 8);
	export_perf_put(p->out, m->end - m->start, 8);
	export_perf_put(p->out, m->offset, 8);
	export_perf_put(p->out, 0, 8); /* the device's numbers */
	export_perf_put(p->out, 0,
			8); /* the inode's, and which of that number */
	export_perf_put(p->out, 0, 8);
	export_perf_put(p->out, READ_EXECUTE, 4);
	export_perf_put(p->out, PRIVATE, 4);
	export_perf_text(p->out, name);
	export_perf_id(p->out, m->pid, tid, item->ns);
}

/* The mapping that @place is in, if it is to be said. False: no memory. */
static bool tell_mapping(struct perf *p, const struct export_item *item,
			 size_t place)
{
	size_t i = export_place(p->x, place)->mapping;
	int anew;

	if (i == EXPORT_NONE || !item->sample.space->is_process)
		return true;
	anew = guest_mapping_put(&p->mapped, export_mapping(p->x, i));
	if (anew > 0 && p->out)
		put_mapping(p, item, i);
	else if (anew > 0)
		p->named += mapping_size(p, i);
	return anew >= 0;
}

/* Those of the callers: their places may be new, and all of them may move. */
static bool tell_callers(struct perf *p, struct export_item *item,
			 const uint64_t *chain, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		size_t place = export_place_at(p->x, item->record, chain[i]);

		export_point(p->x, &item->sample);
		if (place == EXPORT_NONE || !tell_mapping(p, item, place))
			return false;
	}
	return true;
}

/* Its thread's command, if that is another now. False: no memory. */
static bool tell_name(struct perf *p, const struct export_item *item)
{
	const struct export_space *s = item->sample.space;
	int named = is_named(p, item);

	if (named > 0 && p->out)
		put_comm(p->out, s->comm, s->pid, tid_of(p, item), item->ns);
	else if (named > 0)
		p->named += comm_size(s->comm);
	return named >= 0;
}

static uint64_t data_size(const struct perf *p)
{
	uint64_t size = p->samples * SAMPLE + p->samples / ROUND * ROUND_SIZE;

	if (!export_events(p->x))
		return 0;
	size += p->named;
	if (p->chains)
		size += p->chained;
	for (size_t i = 0; i < export_spaces(p->x); i++)
		if (!export_space(p->x, i)->is_process)
			size += comm_size(export_space(p->x, i)->name);
	for (size_t i = 0; i < p->maps.n; i++)
		size += map_size(&p->maps.map[i]);
	return size;
}

static void put_attr(const struct perf *p, FILE *out, size_t event)
{
	export_perf_put(out, TYPE_RAW, 4);
	export_perf_put(out, ATTR, 4);
	export_perf_put(out, event, 8);
	export_perf_put(out, 1, 8); /* a sample weighs one */
	export_perf_put(out,
			WITH_IP | WITH_TID | WITH_TIME | WITH_CPU |
				WITH_PERIOD | WITH_IDENTIFIER |
				(p->chains ? WITH_CALLCHAIN : 0),
			8);
	export_perf_put(out, 0, 8);
	export_perf_put(out, FLAG_MMAP | FLAG_MMAP2 | FLAG_COMM | FLAG_ID_ALL,
			8);
	export_perf_put(out, 0, 8);
	export_perf_put(out, 0, 8);
}

static void put_head(const struct perf *p)
{
	uint64_t events = export_events(p->x), bits = 0;
	uint64_t attrs = HEAD + 8 * events, data = attrs + FILE_ATTR * events;

	for (size_t i = 0; i < FEATURES; i++)
		bits |= UINT64_C(1) << feature_bits[i];
	fputs("PERFILE2", p->out);
	export_perf_put(p->out, HEAD, 8);
	export_perf_put(p->out, FILE_ATTR, 8);
	export_perf_put(p->out, attrs, 8);
	export_perf_put(p->out, FILE_ATTR * events, 8);
	export_perf_put(p->out, data, 8);
	export_perf_put(p->out, data_size(p), 8);
	export_perf_put(p->out, 0,
			8); /* types of events, which nobody has any more */
	export_perf_put(p->out, 0, 8);
	export_perf_put(p->out, bits, 8);
	for (size_t i = 0; i < 3; i++)
		export_perf_put(p->out, 0, 8);
	for (size_t i = 0; i < events; i++)
		export_perf_put(p->out, i + 1, 8);
	for (size_t i = 0; i < events; i++) {
		put_attr(p, p->out, i);
		export_perf_put(p->out, HEAD + 8 * i, 8);
		export_perf_put(p->out, 8, 8);
	}
}

static void put_spaces(const struct perf *p)
{
	for (size_t i = 0; i < export_spaces(p->x); i++) {
		const struct export_space *s = export_space(p->x, i);

		if (!s->is_process)
			put_comm(p->out, s->name, pid_of(p, i), pid_of(p, i),
				 0);
	}
	for (size_t i = 0; i < p->maps.n; i++) {
		const struct export_map *m = &p->maps.map[i];
		uint64_t pid = pid_of(p, m->space);

		export_perf_record(p->out, TYPE_MMAP, m->kernel ? 1 : 2,
				   map_size(m));
		export_perf_put(p->out, m->kernel ? UINT32_MAX : pid, 4);
		export_perf_put(p->out, m->kernel ? 0 : pid, 4);
		export_perf_put(p->out, m->start, 8);
		export_perf_put(p->out, m->len, 8);
		export_perf_put(p->out, m->offset, 8);
		export_perf_text(p->out, m->path);
		export_perf_id(p->out, pid, pid, 0);
	}
}

static void put_sample(const struct perf *p, const struct export_item *item,
		       const uint64_t *chain, size_t n)
{
	const struct export_sample *s = &item->sample;
	bool kernel = p->maps.kernel && export_space_is_kernel(s->space);

	export_perf_record(p->out, TYPE_SAMPLE, kernel ? 1 : 2,
			   SAMPLE +
				   (p->chains ? export_perf_chain_size(n) : 0));
	export_perf_put(p->out, s->event + 1, 8);
	export_perf_put(p->out, s->at->pc, 8);
	export_perf_put(p->out, pid_of(p, s->function->space), 4);
	export_perf_put(p->out, tid_of(p, item), 4);
	export_perf_put(p->out, item->ns, 8);
	export_perf_put(p->out, item->record->hart, 8);
	export_perf_put(p->out, s->weight, 8);
	if (p->chains)
		export_perf_put_chain(p->out, kernel, chain, n);
}

/* A sample behind what is to be said before it. False: no memory. */
static bool tell(struct perf *p, struct export_item *item)
{
	uint64_t chain[EXPORT_PERF_CHAIN];
	size_t n = export_perf_chain(item->record, chain);

	if (!tell_name(p, item) || !tell_mapping(p, item, item->sample.place) ||
	    !tell_callers(p, item, chain, n))
		return false;
	if (p->out)
		put_sample(p, item, chain, n);
	else
		p->chained += export_perf_chain_size(n);
	return true;
}

static int put_samples(struct perf *p)
{
	struct export_item item;
	uint64_t done = 0;
	int n = 0, code = export_again(p->x);

	export_index_fini(&p->threads);
	guest_mapping_drop(&p->mapped);
	while (!code && !ferror(p->out) && done < p->samples &&
	       (n = export_next_sample(p->x, &item)) > 0) {
		if (!tell(p, &item))
			return export_no_memory(p->x);
		if (++done % ROUND == 0)
			export_perf_record(p->out, TYPE_FINISHED_ROUND, 0,
					   ROUND_SIZE);
	}
	if (!code && n >= 0 && !ferror(p->out) && done < p->samples)
		return export_changed(p->x);
	return n < 0 ? EXIT_FAILED : code;
}

static void put_string(FILE *out, const char *text)
{
	export_perf_put(out, export_perf_padded(text), 4);
	export_perf_text(out, text);
}

static void put_feature(FILE *out, const struct perf *p, unsigned bit)
{
	static const char *const strings[] = {
		[3] = "pmud", [5] = PMUD_VERSION
	};
	size_t events = export_events(p->x);

	if (bit == 6) {
		put_string(out,
			   export_xlen(p->x) == 32 ? "riscv32" : "riscv64");
		return;
	}
	if (bit != 12) {
		put_string(out, strings[bit]);
		return;
	}
	export_perf_put(out, events, 4);
	export_perf_put(out, ATTR, 4);
	for (size_t i = 0; i < events; i++) {
		put_attr(p, out, i);
		export_perf_put(out, 1, 4);
		put_string(out, export_event_name(p->x, i));
		export_perf_put(out, i + 1, 8);
	}
}

/* Where each stands, then all of them. */
static int put_features(const struct perf *p)
{
	uint64_t at = HEAD + (8 + FILE_ATTR) * export_events(p->x) +
		      data_size(p) + 16 * FEATURES;
	char *text = NULL;
	size_t size, before = 0;
	FILE *f = open_memstream(&text, &size);
	int code = EXIT_OK;

	if (!f)
		return export_no_memory(p->x);
	for (size_t i = 0; i < FEATURES; i++) {
		put_feature(f, p, feature_bits[i]);
		fflush(f);
		export_perf_put(p->out, at + before, 8);
		export_perf_put(p->out, size - before, 8);
		before = size;
	}
	if (ferror(f) || fclose(f))
		code = export_no_memory(p->x);
	else
		fwrite(text, 1, size, p->out);
	free(text);
	return code;
}

/* How many samples there are, and of what. */
static int count(struct perf *p)
{
	struct export_item item;
	int n;

	while ((n = export_next_sample(p->x, &item)) > 0) {
		if (!tell(p, &item))
			return export_no_memory(p->x);
		p->processes |= item.sample.space->is_process;
		p->chains |= export_perf_has_chain(item.record);
		p->samples++;
	}
	return n < 0 ? EXIT_FAILED : EXIT_OK;
}

int export_perf(struct export_samples *x, FILE *out)
{
	struct perf p = { .x = x };
	int code = count(&p);

	p.out = out;
	if (!code)
		code = export_maps_make(&p.maps, x);
	if (!code) {
		put_head(&p);
		if (p.samples)
			put_spaces(&p);
		code = put_samples(&p);
	}
	if (!code)
		code = put_features(&p);
	export_maps_fini(&p.maps);
	export_index_fini(&p.threads);
	guest_mapping_drop(&p.mapped);
	return code;
}
