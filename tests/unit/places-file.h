/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * symbol-places.elf as a file or in memory, as it was linked or changed: all of
 * these say the same of its addresses.
 */
#ifndef TESTS_UNIT_PLACES_FILE_H
#define TESTS_UNIT_PLACES_FILE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbols;

enum {
	FIRST = 0x10000,
	OTHER = 0x20000,
	MOVED = 0x7ffe0000,
	N_KINDS = 12
};

/* The file's bytes, which a test may change. */
struct places_file {
	uint8_t *bytes;
	size_t size;
};
extern struct places_file elf;
/* How far it was moved, 0 or MOVED: where it is looked for. */
extern uint64_t places_file_bias;

/* Of a suite. */
void places_file_arguments(int argc, char **argv);
void places_file_setup(void);
void places_file_teardown(void);

Elf64_Ehdr *places_file_header(void);
Elf64_Phdr *places_file_segment(unsigned i);
/* Its sections, and with them its names, are not told. */
void places_file_strip(void);
/* It can be moved, and was. False: nothing. */
void places_file_move(bool moves);
struct symbols *places_file_from_memory(void);

struct places_file_kind {
	const char *why;
	void (*make)(void);
	struct symbols *(*open)(void);
};
extern const struct places_file_kind places_file_kinds[N_KINDS];

/* The first segment begins at FIRST + 4; the highest is the first. */
void places_file_not_by_pages(void);
void places_file_not_by_address(void);

#endif
