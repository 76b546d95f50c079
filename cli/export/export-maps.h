/* SPDX-License-Identifier: BSD-2-Clause */
/* Which part of which file lies where in each space: code of ELF files. */
#ifndef CLI_EXPORT_EXPORT_MAPS_H
#define CLI_EXPORT_EXPORT_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct export_samples;

struct export_map {
	char *path; /* absolute */
	uint64_t start, len, offset;
	size_t space;
	bool kernel; /* of a list: all addresses, and all spaces but users' */
};

struct export_maps {
	struct export_map *map;
	size_t n, room;
	bool kernel; /* one of them is such */
};

/* Of all spaces so far. Returns an exit code after an error was said. */
int export_maps_make(struct export_maps *m, const struct export_samples *x);
void export_maps_fini(struct export_maps *m);

#endif
