/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The files that a client has given a machine for its names: how many, how
 * large, and what they say of an address together.
 */
#include "symbol-store.h"

#include <stdlib.h>

#include "control-inside.h"
#include "methods/upload-limits.h"
#include "symbol-map.h"
#include "symbols.h"

enum {
	SYMBOLS_MAX_FILES = 32
};

struct symbol_files {
	STAILQ_HEAD(, symbol_file) list;
	unsigned n;
	size_t bytes; /* of all of them */
};

struct symbol_files *symbol_files_new(void)
{
	struct symbol_files *files = calloc(1, sizeof(*files));

	if (files)
		STAILQ_INIT(&files->list);
	return files;
}

static bool has_room(const struct symbol_files *files, size_t size,
		     struct error *e)
{
	if (files->n < SYMBOLS_MAX_FILES &&
	    size <= UPLOAD_MAX_SYMBOLS - files->bytes)
		return true;
	return error_set(e, ERROR_NO_ROOM, AT(PART_NONE, "SYMBOLS_LIMIT"),
			 "symbols: a machine keeps at most %d files of "
			 "%d MiB in all",
			 SYMBOLS_MAX_FILES, UPLOAD_MAX_SYMBOLS >> 20);
}

/* Behind all others. */
static void append(struct symbol_files *files, struct symbol_file *f)
{
	STAILQ_INSERT_TAIL(&files->list, f, next);
	files->n++;
	files->bytes += f->size;
}

bool symbol_files_add(struct symbol_files *files, uint8_t *bytes, size_t size,
		      uint64_t bias, struct error *e)
{
	struct symbol_file *f;
	const char *why;

	if (!has_room(files, size, e))
		return false;
	f = calloc(1, sizeof(*f));
	if (!f)
		return error_no_memory(e);
	f->symbols = symbols_open_memory_at(bytes, size, bias, &why);
	if (!f->symbols) {
		free(f);
		return error_set(e, ERROR_INVALID, AT(PART_IMAGE, "BAD_IMAGE"),
				 "symbols: %s", why);
	}
	f->bytes = bytes;
	f->size = size;
	append(files, f);
	return true;
}

static void drop(struct symbol_files *files, struct symbol_file *f)
{
	STAILQ_REMOVE(&files->list, f, symbol_file, next);
	files->n--;
	files->bytes -= f->size;
	symbols_close(f->symbols);
	free(f->bytes);
	free(f);
}

void symbol_files_free(struct symbol_files *files)
{
	while (files && !STAILQ_EMPTY(&files->list))
		drop(files, STAILQ_FIRST(&files->list));
	free(files);
}

const struct symbol_file *symbol_files_first(const struct symbol_files *files)
{
	return STAILQ_FIRST(&files->list);
}

unsigned symbol_files_count(const struct symbol_files *files)
{
	return files->n;
}

/* The kernel's own */

bool symbol_files_add_kernel(struct symbol_files *files, struct symbol_map *map,
			     struct error *e)
{
	struct symbol_file *f;

	if (!has_room(files, symbol_map_bytes(map), e))
		return false;
	f = calloc(1, sizeof(*f));
	if (f)
		f->symbols = symbols_open_map(map);
	if (!f || !f->symbols) {
		free(f);
		return error_no_memory(e);
	}
	f->kernel = map;
	f->size = symbol_map_bytes(map);
	append(files, f);
	return true;
}

/* NULL: there is none. */
static struct symbol_file *find_kernel(const struct symbol_files *files)
{
	struct symbol_file *f;

	STAILQ_FOREACH(f, &files->list, next)
		if (f->kernel)
			return f;
	return NULL;
}

const struct symbol_map *symbol_files_kernel(const struct symbol_files *files)
{
	const struct symbol_file *f = find_kernel(files);

	return f ? f->kernel : NULL;
}

void symbol_files_forget_kernel(struct symbol_files *files)
{
	struct symbol_file *f = find_kernel(files);

	if (f)
		drop(files, f);
}
