/* SPDX-License-Identifier: BSD-2-Clause */
/* Where a kernel's structures have what, by its own description of them. */
#ifndef SYMBOLS_BTF_H
#define SYMBOLS_BTF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct btf_field {
	const char *name;
	uint32_t offset, size; /* bytes; found; the size of pointers is 0 */
};

/*
 * Looks in @size bytes at @memory for BTF that describes a structure @name with
 * all of the @n @fields, each a number, a pointer or an array of either, which
 * may stand in members without a name; "a.b" is b of the structure a. Sets
 * where they are. What is found is the guest's word; the search is bounded
 * whatever there is. False: there is none, and @fields may have been written
 * to.
 */
bool btf_find(const uint8_t *memory, size_t size, const char *name,
	      struct btf_field *fields, size_t n);

#endif
