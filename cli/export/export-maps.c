/* SPDX-License-Identifier: BSD-2-Clause */
/* An ELF file's segments that can be executed, moved to where its base is. */
#include "export-maps.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "export-index.h"
#include "export-samples.h"
#include "text/exit-codes.h"
#include "trace/user-symbols.h"

#define KERNEL	    "[kernel.kallsyms]_text" /* as perf names it */
#define KERNEL_TEXT "_text"

static int add(struct export_maps *m, const struct export_map *map)
{
	if (!ARRAY_ROOM(m->map, &m->room, m->n))
		return -1;
	m->map[m->n] = *map;
	m->map[m->n].path = strdup(map->path);
	if (!m->map[m->n].path)
		return -1;
	m->n++;
	return 0;
}

static int add_file(struct export_maps *m, const struct symbols_at *file,
		    size_t space)
{
	struct symbols_segment segment;
	char path[PATH_MAX];

	/* what has gone meanwhile perf could not read either */
	if (!realpath(file->path, path))
		return 0;
	for (size_t i = 0; symbols_segment(file->symbols, i, &segment); i++) {
		struct export_map map = { path, segment.start + file->base,
					  segment.len, segment.offset, space };

		if (add(m, &map))
			return -1;
	}
	return 0;
}

/* What a list says is of the kernel, once. */
static int add_list(struct export_maps *m, const struct export_samples *x,
		    size_t space)
{
	struct export_map map = { .path = (char *)KERNEL, .space = space };

	map.kernel = true;
	if (m->kernel || !export_address(x, KERNEL_TEXT, &map.start))
		return 0;
	m->kernel = true;
	map.len = UINT64_MAX - map.start;
	map.offset = map.start;
	return add(m, &map);
}

static int add_symbols(struct export_maps *m, const struct export_samples *x,
		       const struct symbols_at *file, size_t space)
{
	if (!file->path)
		return 0;
	if (!symbols_are_listed(file->symbols))
		return add_file(m, file, space);
	return export_space_is_kernel(export_space(x, space))
		       ? add_list(m, x, space)
		       : 0;
}

int export_maps_make(struct export_maps *m, const struct export_samples *x)
{
	for (size_t space = 0; space < export_spaces(x); space++) {
		const struct export_space *s = export_space(x, space);
		struct symbols_at file;

		for (size_t i = 0; export_file(x, s, i, &file); i++) {
			if (add_symbols(m, x, &file, space))
				return export_no_memory(x);
		}
	}
	return EXIT_OK;
}

void export_maps_fini(struct export_maps *m)
{
	for (size_t i = 0; i < m->n; i++)
		free(m->map[i].path);
	free(m->map);
	*m = (struct export_maps){ 0 };
}
