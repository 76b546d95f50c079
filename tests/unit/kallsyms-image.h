/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A kernel's tables of its symbols as the build of Linux 6.12 or 7.0 writes
 * them, of names that kernel_name() makes. The kernel begins where the memory
 * does; half of its symbols lie before the tables, and half behind.
 */
#ifndef TESTS_UNIT_KALLSYMS_IMAGE_H
#define TESTS_UNIT_KALLSYMS_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	KERNEL_SIZE = 1 << 20,
	KERNEL_AT = 0x4010, /* where they lie */
	KERNEL_BEHIND = 1 << 19,
	KERNEL_SPARE = 1,     /* the token of k.spare letters */
	KERNEL_HEADS_AT = 32, /* where heads of lists are that are empty */
	KERNEL_HEADS = 8,     /* so many */
};

enum kernel_layout {
	LAYOUT_BASE,  /* 6.12 */
	LAYOUT_PLACE, /* 7.0 */
	LAYOUT_VALUE, /* 7.0 of 32 bits that cannot be moved */
};

extern struct kernel {
	uint8_t *memory; /* KERNEL_SIZE bytes; whoever makes one frees it */
	unsigned xlen, n;
	enum kernel_layout layout;
	size_t start; /* of the tables; 0: KERNEL_AT */
	size_t at;    /* where the next byte goes */
	size_t spare; /* letters of a token that no name has */
	bool longest; /* names are of as many tokens as there may be */
	size_t num_syms, names, markers, tokens, index, offsets, base;
} k;

/* The name of symbol @i, and where it is. */
void kernel_name(unsigned i, char *ret);
uint64_t kernel_address(unsigned i);
/* Of @n symbols; layout, start, spare and longest are kept. */
void kernel_make(unsigned xlen, unsigned n);
/* A head of a list at @at that points to what is at @to. */
void kernel_head(size_t at, size_t to);

#endif
