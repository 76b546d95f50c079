/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A mapping is known by all that is said of it, and has a number from then on.
 * Those that are there now overlap nowhere in a process, so that they have an
 * order, and each address has one of them at most.
 */
#include "guest-files.h"

#include <ctype.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "sysroot.h"
#include "text/exit-codes.h"
#include "text/report.h"
#include "user-symbols.h"

enum {
	/* records of users, twice those after which a mapping is told again */
	FORGOTTEN_AFTER = 16384
};

/* A file, by its path and size. */
struct host_file {
	char *name; /* in the guest, without controls */
	uint64_t bytes;
	bool searched;
	char *path; /* on the host; NULL: none was taken */
	struct symbols *symbols;
	size_t mappings; /* of it */
};

struct known_mapping {
	struct guest_mapping is;
	struct host_file *host;
	bool told; /* since the last that were not were forgotten */
};

struct guest_files {
	struct sysroot root;
	bool live;
	unsigned records; /* of users, since some were forgotten */
	struct known_mapping **mappings; /* by number */
	size_t n, room;
	/* of files; of mappings; and of those that are there now */
	void *files, *known, *present;
};

int guest_files_open(struct guest_files **ret, const struct args *args,
		     bool live)
{
	struct guest_files *g = calloc(1, sizeof(*g));
	int code;

	if (!g)
		return report_no_memory("files of the guest");
	g->live = live;
	code = sysroot_open(&g->root, args);
	if (code)
		guest_files_close(g);
	else
		*ret = g;
	return code;
}

static void free_file(void *file)
{
	struct host_file *f = file;

	if (!f)
		return;
	symbols_close(f->symbols);
	free(f->path);
	free(f->name);
	free(f);
}

void guest_files_close(struct guest_files *g)
{
	if (!g)
		return;
	guest_mapping_drop(&g->present);
	tdestroy(g->known, free);
	tdestroy(g->files, free_file);
	free(g->mappings);
	sysroot_close(&g->root);
	free(g);
}

bool guest_files_are_named(const struct guest_files *g)
{
	return g && g->root.path;
}

/* What records say */

static int order(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_files(const void *a, const void *b)
{
	const struct host_file *x = a, *y = b;

	return x->bytes != y->bytes ? order(x->bytes, y->bytes)
				    : strcmp(x->name, y->name);
}

static int compare_mappings(const void *a, const void *b)
{
	const struct known_mapping *x = a, *y = b;

	if (x->is.pid != y->is.pid)
		return order(x->is.pid, y->is.pid);
	if (x->is.start != y->is.start)
		return order(x->is.start, y->is.start);
	if (x->is.end != y->is.end)
		return order(x->is.end, y->is.end);
	if (x->is.offset != y->is.offset)
		return order(x->is.offset, y->is.offset);
	return order((uintptr_t)x->host, (uintptr_t)y->host);
}

/* Those that overlap are the same here. */
static int compare_places(const void *a, const void *b)
{
	const struct guest_mapping *x = a, *y = b;

	if (x->pid != y->pid)
		return order(x->pid, y->pid);
	if (x->end <= y->start)
		return -1;
	return x->start >= y->end;
}

int guest_mapping_put(void **tree, const struct guest_mapping *m)
{
	const struct guest_mapping *const *found;

	while ((found = tfind(m, tree, compare_places)) && *found != m)
		tdelete(*found, tree, compare_places);
	if (found)
		return 0;
	return tsearch(m, tree, compare_places) ? 1 : -1;
}

static void keep(void *mapping)
{
}

void guest_mapping_drop(void **tree)
{
	tdestroy(*tree, keep);
	*tree = NULL;
}

/* NULL: no memory. A trace may be anybody's: a name has no controls. */
static struct host_file *new_file(const Pmu__V1__Mapping *m)
{
	struct host_file *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	f->bytes = m->file_bytes;
	f->name = strdup(m->file);
	if (!f->name) {
		free(f);
		return NULL;
	}
	for (char *c = f->name; *c; c++)
		if (iscntrl((unsigned char)*c))
			*c = '?';
	return f;
}

/* NULL: no memory. */
static struct host_file *file_of(struct guest_files *g,
				 const Pmu__V1__Mapping *m)
{
	struct host_file *new = new_file(m);
	struct host_file **f =
		new ? tsearch(new, &g->files, compare_files) : NULL;

	if (f && *f == new)
		return new;
	free_file(new);
	return f ? *f : NULL;
}

/* NULL: no memory. */
static struct known_mapping *add(struct guest_files *g,
				 const struct known_mapping *key)
{
	struct known_mapping *new;

	if (!ARRAY_ROOM(g->mappings, &g->room, g->n))
		return NULL;
	new = malloc(sizeof(*new));
	if (!new)
		return NULL;
	*new = *key;
	if (!tsearch(new, &g->known, compare_mappings)) {
		free(new);
		return NULL;
	}
	g->mappings[g->n++] = new;
	new->host->mappings++;
	return new;
}

/* It is there from here on, and nothing else where it is. False: no memory. */
static bool learn(struct guest_files *g, uint32_t pid,
		  const Pmu__V1__Mapping *m)
{
	struct known_mapping key = {
		.is = { pid, m->start, m->end, m->offset, m->file_bytes, NULL,
			g->n },
	};
	struct known_mapping **found, *it;

	if (m->start >= m->end)
		return true;
	key.host = file_of(g, m);
	if (!key.host)
		return false;
	key.is.file = key.host->name;
	found = tfind(&key, &g->known, compare_mappings);
	it = found ? *found : add(g, &key);
	if (it)
		it->told = true;
	return it && guest_mapping_put(&g->present, &it->is) >= 0;
}

static void forget(struct guest_files *g, struct known_mapping *m)
{
	const struct guest_mapping *const *found =
		tfind(&m->is, &g->present, compare_places);

	if (found && *found == &m->is)
		tdelete(&m->is, &g->present, compare_places);
	tdelete(m, &g->known, compare_mappings);
	if (!--m->host->mappings) {
		tdelete(m->host, &g->files, compare_files);
		free_file(m->host);
	}
	free(m);
}

/* What of a machine that runs on and on is not told any more. */
static void forget_untold(struct guest_files *g)
{
	size_t n = 0;

	for (size_t i = 0; i < g->n; i++) {
		struct known_mapping *m = g->mappings[i];

		if (!m->told) {
			forget(g, m);
			continue;
		}
		m->told = false;
		m->is.number = n;
		g->mappings[n++] = m;
	}
	g->n = n;
	g->records = 0;
}

static bool is_of_users(const Pmu__V1__Record *r)
{
	return r->process && r->privilege == PMU__V1__PRIVILEGE__PRIVILEGE_U;
}

bool guest_files_learn(struct guest_files *g, const Pmu__V1__Record *r)
{
	const Pmu__V1__Process *p = r->process;

	if (g && g->live && is_of_users(r) && g->records++ == FORGOTTEN_AFTER)
		forget_untold(g);
	for (size_t i = 0; g && p && i < p->n_mappings; i++)
		if (!learn(g, p->pid, p->mappings[i]))
			return false;
	return true;
}

void guest_files_again(struct guest_files *g)
{
	guest_mapping_drop(&g->present);
}

size_t guest_files_find(const struct guest_files *g, const Pmu__V1__Record *r,
			uint64_t pc)
{
	struct guest_mapping key = { .start = pc, .end = pc + 1 };
	const struct guest_mapping *const *found;

	if (!g || !is_of_users(r))
		return GUEST_FILES_NONE;
	key.pid = r->process->pid;
	found = tfind(&key, &g->present, compare_places);
	return found ? (*found)->number : GUEST_FILES_NONE;
}

size_t guest_files_count(const struct guest_files *g)
{
	return g->n;
}

const struct guest_mapping *guest_files_get(const struct guest_files *g,
					    size_t i)
{
	return &g->mappings[i]->is;
}

/* Files of the host */

/* NULL: there is no file. What is no path is none. */
static struct host_file *find_host(struct guest_files *g, size_t i)
{
	struct host_file *f = g->mappings[i]->host;

	if (g->root.path && !f->searched && f->name[0] == '/')
		(void)sysroot_find(&g->root, f->name, f->bytes, &f->path,
				   &f->symbols);
	f->searched = true;
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
	const struct known_mapping *m = g->mappings[i];
	const struct host_file *f = find_host(g, i);
	uint64_t address;

	if (!f || !symbols_at_offset(f->symbols,
				     pc - m->is.start + m->is.offset, &address))
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
