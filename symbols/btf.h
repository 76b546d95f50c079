/* SPDX-License-Identifier: BSD-2-Clause */
/* Where a kernel's structures have what, by its own description of them. */
#ifndef SYMBOLS_BTF_H
#define SYMBOLS_BTF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	BTF_REACH = 1 << 28, /* bytes of a memory that are looked through */
};

struct btf_field {
	const char *structure, *name;
	uint32_t offset, size; /* bytes; found; the size of pointers is 0 */
};

/*
 * Looks in the first BTF_REACH of @size bytes at @memory for BTF that describes
 * all of the @n @fields, those of a structure one after the other. Each is a
 * number, a pointer or an array of either, which may stand in members without a
 * name; "a.b" is b of the structure a. Sets where they are. What is found is
 * the guest's word; the search is bounded whatever there is, however many
 * fields are asked for. False: there is none, and @fields may have been written
 * to.
 */
bool btf_find(const uint8_t *memory, size_t size, struct btf_field *fields,
	      size_t n);

#endif
