/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A mapping is known by all that is said of it, and has a number from then on.
 * Those of a process that are there now are told from those that others took
 * the place of. Paths are the guest's word: a file is looked for below
 * --sysroot and nowhere else, wherever links lead, and is taken if it has the
 * size that it had in the guest.
 */
#include "guest-files.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "text/report.h"
#include "user-symbols.h"

enum {
	CHAINS = 1024 /* of mappings, by pid */
};

struct mapping {
	struct guest_mapping is;
	size_t host;  /* its file there */
	size_t next;  /* in the chain, + 1; 0: the last */
	bool present; /* by the records so far */
};

/* A file, by its path and size. */
struct host_file {
	char *name; /* in the guest */
	uint64_t bytes;
	bool searched;
	char *path; /* on the host; NULL: none was taken */
	struct symbols *symbols;
};

struct guest_files {
	char *sysroot;	   /* without links; NULL: nowhere */
	const char *given; /* what the user calls it */
	bool force;
	struct mapping *mappings;
	struct host_file *files;
	size_t n, room, n_files, files_room;
	size_t chain[CHAINS]; /* number + 1 */
};

struct guest_files *guest_files_new(const char *sysroot, bool force)
{
	struct guest_files *g = calloc(1, sizeof(*g));

	if (!g)
		return NULL;
	g->force = force;
	g->given = sysroot;
	if (sysroot) {
		g->sysroot = realpath(sysroot, NULL);
		if (!g->sysroot)
			report_note("--sysroot: %s is not there: functions of "
				    "users are not known by it",
				    sysroot);
	}
	return g;
}

void guest_files_free(struct guest_files *g)
{
	if (!g)
		return;
	for (size_t i = 0; i < g->n_files; i++) {
		symbols_close(g->files[i].symbols);
		free(g->files[i].path);
		free(g->files[i].name);
	}
	free(g->files);
	free(g->mappings);
	free(g->sysroot);
	free(g);
}

/* One more of @size bytes each. False: no memory. */
static bool make_room(void **array, size_t n, size_t *room, size_t size)
{
	size_t more = *room ? 2 * *room : 64;
	void *moved;

	if (n < *room)
		return true;
	moved = reallocarray(*array, more, size);
	if (!moved)
		return false;
	*array = moved;
	*room = more;
	return true;
}

/* What records say */

/* GUEST_FILES_NONE: no memory. Programs are few. */
static size_t file_of(struct guest_files *g, const Pmu__V1__Mapping *m)
{
	struct host_file *f;

	for (size_t i = 0; i < g->n_files; i++)
		if (g->files[i].bytes == m->file_bytes &&
		    !strcmp(g->files[i].name, m->file))
			return i;
	if (!make_room((void **)&g->files, g->n_files, &g->files_room,
		       sizeof(*f)))
		return GUEST_FILES_NONE;
	f = &g->files[g->n_files];
	*f = (struct host_file){ strdup(m->file), .bytes = m->file_bytes };
	return f->name ? g->n_files++ : GUEST_FILES_NONE;
}

static bool is_same(const struct guest_mapping *a, uint32_t pid,
		    const Pmu__V1__Mapping *m)
{
	return a->pid == pid && a->start == m->start && a->end == m->end &&
	       a->offset == m->offset && a->bytes == m->file_bytes &&
	       !strcmp(a->file, m->file);
}

static struct mapping *add(struct guest_files *g, uint32_t pid,
			   const Pmu__V1__Mapping *m)
{
	size_t file = file_of(g, m), *chain = &g->chain[pid % CHAINS];
	struct mapping *new;

	if (file == GUEST_FILES_NONE ||
	    !make_room((void **)&g->mappings, g->n, &g->room, sizeof(*new)))
		return NULL;
	new = &g->mappings[g->n++];
	*new = (struct mapping){
		.is = { pid, m->start, m->end, m->offset, m->file_bytes,
			g->files[file].name },
		.host = file,
		.next = *chain,
	};
	*chain = g->n;
	return new;
}

/* It is there from here on, and nothing else where it is. */
static bool learn(struct guest_files *g, uint32_t pid,
		  const Pmu__V1__Mapping *m)
{
	struct mapping *it = NULL;

	for (size_t i = g->chain[pid % CHAINS]; i;
	     i = g->mappings[i - 1].next) {
		struct mapping *old = &g->mappings[i - 1];

		if (is_same(&old->is, pid, m))
			it = old;
		else if (old->is.pid == pid && old->is.start < m->end &&
			 m->start < old->is.end)
			old->present = false;
	}
	if (!it)
		it = add(g, pid, m);
	if (it)
		it->present = true;
	return it;
}

bool guest_files_learn(struct guest_files *g, const Pmu__V1__Record *r)
{
	const Pmu__V1__Process *p = r->process;

	for (size_t i = 0; g && p && i < p->n_mappings; i++)
		if (!learn(g, p->pid, p->mappings[i]))
			return false;
	return true;
}

void guest_files_again(struct guest_files *g)
{
	for (size_t i = 0; i < g->n; i++)
		g->mappings[i].present = false;
}

size_t guest_files_find(const struct guest_files *g, const Pmu__V1__Record *r,
			uint64_t pc)
{
	uint32_t pid;

	if (!g || !r->process ||
	    r->privilege != PMU__V1__PRIVILEGE__PRIVILEGE_U)
		return GUEST_FILES_NONE;
	pid = r->process->pid;
	for (size_t i = g->chain[pid % CHAINS]; i;
	     i = g->mappings[i - 1].next) {
		const struct mapping *m = &g->mappings[i - 1];

		if (m->present && m->is.pid == pid && pc >= m->is.start &&
		    pc < m->is.end)
			return i - 1;
	}
	return GUEST_FILES_NONE;
}

size_t guest_files_count(const struct guest_files *g)
{
	return g->n;
}

const struct guest_mapping *guest_files_get(const struct guest_files *g,
					    size_t i)
{
	return &g->mappings[i].is;
}

/* Files of the host */

/* To be freed; NULL: nothing is there, or it is not below --sysroot. */
static char *path_below(const struct guest_files *g, const char *name)
{
	char path[PATH_MAX], *real;
	size_t len = strlen(g->sysroot);
	int n = snprintf(path, sizeof(path), "%s/%s", g->sysroot, name);

	if (n < 0 || (size_t)n >= sizeof(path))
		return NULL;
	real = realpath(path, NULL);
	/* "/" ends in what the path goes on with */
	if (real && !strncmp(real, g->sysroot, len) &&
	    (real[len] == '/' || len == 1))
		return real;
	free(real);
	return NULL;
}

/* Is it what the guest had? Says if not. */
static bool fits(const struct guest_files *g, const struct host_file *f,
		 const char *path)
{
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode)) {
		report_note("%s is no file: its functions are not known", path);
		return false;
	}
	if (g->force || !f->bytes || (uint64_t)st.st_size == f->bytes)
		return true;
	report_note("%s is not the file that ran: it has %jd bytes, that one "
		    "had %" PRIu64 ": its functions are not known; --force "
		    "takes it",
		    path, (intmax_t)st.st_size, f->bytes);
	return false;
}

static void search(struct guest_files *g, struct host_file *f)
{
	char *path = f->name[0] == '/' ? path_below(g, f->name) : NULL;
	const char *why;

	f->searched = true;
	if (!path) {
		if (f->name[0] == '/')
			report_note("%s is not below %s: its functions are not "
				    "known",
				    f->name, g->given);
		return;
	}
	if (fits(g, f, path)) {
		f->symbols = symbols_open(path, &why);
		if (!f->symbols)
			report_note("%s: %s: its functions are not known", path,
				    why);
	}
	if (f->symbols)
		f->path = path;
	else
		free(path);
}

/* The address that the file has for @at, which counts from its beginning. */
static bool address_of(struct symbols *symbols, uint64_t at, uint64_t *ret)
{
	struct symbols_segment s;

	for (size_t i = 0; symbols_segment(symbols, i, &s); i++) {
		if (at < s.offset || at - s.offset >= s.len)
			continue;
		*ret = s.start + (at - s.offset);
		return true;
	}
	return false;
}

/* NULL: there is no file. */
static struct host_file *find_host(struct guest_files *g, size_t i)
{
	struct host_file *f = &g->files[g->mappings[i].host];

	if (g->sysroot && !f->searched)
		search(g, f);
	return f->symbols ? f : NULL;
}

const char *guest_files_path(struct guest_files *g, size_t i)
{
	const struct host_file *f = find_host(g, i);

	return f ? f->path : NULL;
}

bool guest_files_symbols(struct guest_files *g, size_t i, uint64_t pc,
			 struct symbols_at *ret)
{
	const struct mapping *m = &g->mappings[i];
	const struct host_file *f = find_host(g, i);
	uint64_t address;

	if (!f ||
	    !address_of(f->symbols, pc - m->is.start + m->is.offset, &address))
		return false;
	*ret = (struct symbols_at){ f->path, f->symbols, pc - address };
	return true;
}

bool guest_files_name(struct guest_files *g, const Pmu__V1__Record *r,
		      uint64_t pc, struct symbol *ret)
{
	size_t i = guest_files_find(g, r, pc);
	struct symbols_at at;

	if (i == GUEST_FILES_NONE || !guest_files_symbols(g, i, pc, &at))
		return false;
	symbols_find(at.symbols, pc - at.base, ret);
	return ret->function != NULL;
}
