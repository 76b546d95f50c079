/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perf.data: the processes of Linux that are known, with their commands where
 * these become theirs, and one for each other space; an event for each event.
 * The files of symbols are mapped where they lie, so that perf finds functions
 * and lines by itself. Of a list of symbols it needs to be told: --kallsyms.
 * What processes of Linux map is said where the first sample is in it: by the
 * file of the host, with --sysroot, or else by that of the guest under a name
 * that no file of the host has, for perf would take functions out of that.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "export-maps.h"
#include "export-samples.h"
#include "export-text.h"
#include "export.h"
#include "text/exit-codes.h"
#include "trace/guest-files.h"

enum {
	HEAD = 104,	/* bytes of the file's header */
	ATTR = 64,	/* of an attribute, as of the first version */
	FILE_ATTR = 80, /* and of where its ids stand */
	SAMPLE = 56,
	ID_PART = 32, /* what ends records that are no samples */
	ROUND = 4096, /* samples after which those before may be sorted */
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
	FILE *out;
	struct export_maps maps;
	struct export_index threads; /* count: their last space, and 1 */
	uint64_t samples, named;     /* bytes of what says commands, maps */
	void *mapped;		     /* what was said of mappings, and holds */
	bool processes;		     /* some are known */
};

/* @n bytes of @value, the lowest first. */
static void put(FILE *out, uint64_t value, size_t n)
{
	for (size_t i = 0; i < n; i++)
		putc((int)(value >> 8 * i & 0xff), out);
}

static size_t padded(const char *text)
{
	return (strlen(text) + 8) / 8 * 8;
}

static void put_padded(FILE *out, const char *text)
{
	export_plain(out, text, "");
	put(out, 0, padded(text) - strlen(text));
}

static void put_record(FILE *out, unsigned type, unsigned misc, size_t size)
{
	put(out, type, 4);
	put(out, misc, 2);
	put(out, size, 2);
}

static void put_id_part(FILE *out, uint64_t pid, uint64_t tid, uint64_t ns)
{
	put(out, pid, 4);
	put(out, tid, 4);
	put(out, ns, 8);
	put(out, 0, 8); /* cpu */
	put(out, 1, 8); /* the first event's id */
}

static size_t comm_size(const char *comm)
{
	return 16 + padded(comm) + ID_PART;
}

static void put_comm(FILE *out, const char *comm, uint64_t pid, uint64_t tid,
		     uint64_t ns)
{
	put_record(out, TYPE_COMM, 0, comm_size(comm));
	put(out, pid, 4);
	put(out, tid, 4);
	put_padded(out, comm);
	put_id_part(out, pid, tid, ns);
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
	return 40 + padded(m->path) + ID_PART;
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
	return 72 + padded(name) + ID_PART;
}

static void put_mapping(const struct perf *p, const struct export_item *item)
{
	size_t i = item->sample.at->mapping;
	const struct guest_mapping *m = export_mapping(p->x, i);
	uint64_t tid = tid_of(p, item);
	char name[PATH_MAX];

	name_mapping(p, i, name, sizeof(name));
	put_record(p->out, TYPE_MMAP2, 2, mapping_size(p, i));
	put(p->out, m->pid, 4);
	put(p->out, tid, 4);
	put(p->out, m->start, 8);
	put(p->out, m->end - m->start, 8);
	put(p->out, m->offset, 8);
	put(p->out, 0, 8); /* the device's numbers */
	put(p->out, 0, 8); /* the inode's, and which of that number */
	put(p->out, 0, 8);
	put(p->out, READ_EXECUTE, 4);
	put(p->out, PRIVATE, 4);
	put_padded(p->out, name);
	put_id_part(p->out, m->pid, tid, item->ns);
}

/* Is its mapping to be said? -1: no memory. */
static int is_mapped_anew(struct perf *p, const struct export_item *item)
{
	size_t i = item->sample.at->mapping;

	if (i == EXPORT_NONE || !item->sample.space->is_process)
		return 0;
	return guest_mapping_put(&p->mapped, export_mapping(p->x, i));
}

static uint64_t data_size(const struct perf *p)
{
	uint64_t size = p->samples * SAMPLE + p->samples / ROUND * ROUND_SIZE;

	if (!export_events(p->x))
		return 0;
	size += p->named;
	for (size_t i = 0; i < export_spaces(p->x); i++)
		if (!export_space(p->x, i)->is_process)
			size += comm_size(export_space(p->x, i)->name);
	for (size_t i = 0; i < p->maps.n; i++)
		size += map_size(&p->maps.map[i]);
	return size;
}

static void put_attr(FILE *out, size_t event)
{
	put(out, TYPE_RAW, 4);
	put(out, ATTR, 4);
	put(out, event, 8);
	put(out, 1, 8); /* a sample weighs one */
	put(out,
	    WITH_IP | WITH_TID | WITH_TIME | WITH_CPU | WITH_PERIOD |
		    WITH_IDENTIFIER,
	    8);
	put(out, 0, 8);
	put(out, FLAG_MMAP | FLAG_MMAP2 | FLAG_COMM | FLAG_ID_ALL, 8);
	put(out, 0, 8);
	put(out, 0, 8);
}

static void put_head(const struct perf *p)
{
	uint64_t events = export_events(p->x), bits = 0;
	uint64_t attrs = HEAD + 8 * events, data = attrs + FILE_ATTR * events;

	for (size_t i = 0; i < FEATURES; i++)
		bits |= UINT64_C(1) << feature_bits[i];
	fputs("PERFILE2", p->out);
	put(p->out, HEAD, 8);
	put(p->out, FILE_ATTR, 8);
	put(p->out, attrs, 8);
	put(p->out, FILE_ATTR * events, 8);
	put(p->out, data, 8);
	put(p->out, data_size(p), 8);
	put(p->out, 0, 8); /* types of events, which nobody has any more */
	put(p->out, 0, 8);
	put(p->out, bits, 8);
	for (size_t i = 0; i < 3; i++)
		put(p->out, 0, 8);
	for (size_t i = 0; i < events; i++)
		put(p->out, i + 1, 8);
	for (size_t i = 0; i < events; i++) {
		put_attr(p->out, i);
		put(p->out, HEAD + 8 * i, 8);
		put(p->out, 8, 8);
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

		put_record(p->out, TYPE_MMAP, m->kernel ? 1 : 2, map_size(m));
		put(p->out, m->kernel ? UINT32_MAX : pid, 4);
		put(p->out, m->kernel ? 0 : pid, 4);
		put(p->out, m->start, 8);
		put(p->out, m->len, 8);
		put(p->out, m->offset, 8);
		put_padded(p->out, m->path);
		put_id_part(p->out, pid, pid, 0);
	}
}

static void put_sample(const struct perf *p, const struct export_item *item)
{
	const struct export_sample *s = &item->sample;
	bool kernel = p->maps.kernel && !export_space_is_user(s->space);

	put_record(p->out, TYPE_SAMPLE, kernel ? 1 : 2, SAMPLE);
	put(p->out, s->event + 1, 8);
	put(p->out, s->at->pc, 8);
	put(p->out, pid_of(p, s->function->space), 4);
	put(p->out, tid_of(p, item), 4);
	put(p->out, item->ns, 8);
	put(p->out, item->record->hart, 8);
	put(p->out, s->weight, 8);
}

/* Its command and mapping, if they are new, and it. False: no memory. */
static bool put_named(struct perf *p, const struct export_item *item)
{
	int named = is_named(p, item), mapped = is_mapped_anew(p, item);

	if (named > 0)
		put_comm(p->out, item->sample.space->comm,
			 item->sample.space->pid, tid_of(p, item), item->ns);
	if (mapped > 0)
		put_mapping(p, item);
	put_sample(p, item);
	return named >= 0 && mapped >= 0;
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
		if (!put_named(p, &item))
			return export_no_memory(p->x);
		if (++done % ROUND == 0)
			put_record(p->out, TYPE_FINISHED_ROUND, 0, ROUND_SIZE);
	}
	if (!code && n >= 0 && !ferror(p->out) && done < p->samples)
		return export_changed(p->x);
	return n < 0 ? EXIT_FAILED : code;
}

static void put_string(FILE *out, const char *text)
{
	put(out, padded(text), 4);
	put_padded(out, text);
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
	put(out, events, 4);
	put(out, ATTR, 4);
	for (size_t i = 0; i < events; i++) {
		put_attr(out, i);
		put(out, 1, 4);
		put_string(out, export_event(p->x, i));
		put(out, i + 1, 8);
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
		put(p->out, at + before, 8);
		put(p->out, size - before, 8);
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
	int n, named, mapped;

	while ((n = export_next_sample(p->x, &item)) > 0) {
		named = is_named(p, &item);
		mapped = is_mapped_anew(p, &item);
		if (named < 0 || mapped < 0)
			return export_no_memory(p->x);
		if (named)
			p->named += comm_size(item.sample.space->comm);
		if (mapped)
			p->named += mapping_size(p, item.sample.at->mapping);
		p->processes |= item.sample.space->is_process;
		p->samples++;
	}
	return n < 0 ? EXIT_FAILED : EXIT_OK;
}

int export_perf(struct export_samples *x, FILE *out)
{
	struct perf p = { .x = x, .out = out };
	int code = count(&p);

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
