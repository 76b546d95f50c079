/* SPDX-License-Identifier: BSD-2-Clause */
/* The addresses of a kernel's symbols, as its memory has them. */
#ifndef SYMBOLS_KALLSYMS_ADDRESSES_H
#define SYMBOLS_KALLSYMS_ADDRESSES_H

#include "kallsyms-memory.h"

struct kallsyms_addresses {
	size_t at, n; /* words */
	bool placed;  /* each counts from where it lies */
	uint64_t base;
};

/*
 * Which addresses the ret->n words at ret->at are, behind tables that are
 * aligned to @align bytes. False: none; *@ret_why, a constant text, says what
 * they lack.
 */
bool kallsyms_find_addresses(struct kallsyms_memory *m, size_t align,
			     struct kallsyms_addresses *ret,
			     const char **ret_why);
/* Of number @i, which is below a->n. */
uint64_t kallsyms_address(const struct kallsyms_memory *m,
			  const struct kallsyms_addresses *a, size_t i);

#endif
