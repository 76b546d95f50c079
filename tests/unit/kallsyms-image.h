/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A kernel's tables of its symbols as the build of Linux 6.12 writes them, of
 * names that kernel_name() makes.
 */
#ifndef TESTS_UNIT_KALLSYMS_IMAGE_H
#define TESTS_UNIT_KALLSYMS_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	KERNEL_SIZE = 1 << 20,
	KERNEL_AT = 0x4010, /* where they lie */
	KERNEL_SPARE = 1,   /* the token of k.spare letters */
};

extern struct kernel {
	uint8_t *memory; /* KERNEL_SIZE bytes; whoever makes one frees it */
	unsigned xlen, n;
	size_t at;    /* where the next byte goes */
	size_t spare; /* letters of a token that no name has */
	bool longest; /* names are of as many tokens as there may be */
	size_t num_syms, names, markers, tokens, index, offsets, base;
} k;

/* The name of symbol @i, and where it is. */
void kernel_name(unsigned i, char *ret);
uint64_t kernel_address(unsigned i);
/* Of @n symbols; @spare and @longest are kept. */
void kernel_make(unsigned xlen, unsigned n);

#endif
