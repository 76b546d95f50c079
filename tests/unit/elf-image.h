/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Small ELF files made in memory by libelf, for the tests of whoever reads
 * them: a few segments over the same bytes, and a symbol table on demand.
 */
#ifndef TESTS_ELF_IMAGE_H
#define TESTS_ELF_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	ELF_IMAGE_DATA = 0x200,
	ELF_IMAGE_BYTES = 0x100
};

struct elf_segment {
	uint64_t vaddr, paddr, filesz, memsz;
	bool data; /* not executable */
};

/* Segment bytes are 0x01 0x02 ..., all from ELF_IMAGE_DATA. */
struct elf_image {
	int xlen;
	uint64_t entry;
	unsigned n_segments;
	struct elf_segment segments[4];
	unsigned n_symbols;
	struct {
		const char *name;
		uint64_t value;
	} symbols[3];
};

/* The file's bytes, to be freed with free(). */
uint8_t *elf_image_make(const struct elf_image *img, size_t *ret_size);

#endif
