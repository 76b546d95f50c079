/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The machine's files of symbols: those that were loaded or sent for this, as
 * far as there is room, and the table that a kernel has of itself. elfutils
 * reads ELF files here, in the machine's own process, when they are first
 * asked. They are hostile: what elfutils makes of them harms this machine
 * alone.
 */
#ifndef CONTROL_SYMBOL_STORE_H
#define CONTROL_SYMBOL_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

struct error;
struct symbol_files;
struct symbol_map;
struct symbols;

struct symbol_file {
	STAILQ_ENTRY(symbol_file) next;
	uint8_t *bytes; /* NULL: the kernel's own */
	size_t size;
	struct symbols *symbols;
	const struct symbol_map *kernel; /* of @symbols, or NULL */
};

struct symbol_files *symbol_files_new(void); /* NULL without memory */
void symbol_files_free(struct symbol_files *files);
/* In the order in which they came, by STAILQ_NEXT(); NULL: there is none. */
const struct symbol_file *symbol_files_first(const struct symbol_files *files);
unsigned symbol_files_count(const struct symbol_files *files);
/*
 * Takes over @bytes, of malloc(), as a file to ask. Of a
 * position-independent one @bias is added to all addresses. False: @e says why,
 * and the bytes are the caller's still.
 */
bool symbol_files_add(struct symbol_files *files, uint8_t *bytes, size_t size,
		      uint64_t bias, struct error *e);

/* The kernel's own is one at most. Likewise. */
bool symbol_files_add_kernel(struct symbol_files *files, struct symbol_map *map,
			     struct error *e);
/* NULL: there is none. */
const struct symbol_map *symbol_files_kernel(const struct symbol_files *files);
void symbol_files_forget_kernel(struct symbol_files *files);

#endif
