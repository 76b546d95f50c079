/* SPDX-License-Identifier: BSD-2-Clause */
/* A kernel's description of its structures (BTF), made type by type. */
#ifndef TESTS_UNIT_BTF_IMAGE_H
#define TESTS_UNIT_BTF_IMAGE_H

#include <stddef.h>
#include <stdint.h>

enum btf_kind {
	BTF_INT = 1,
	BTF_PTR,
	BTF_ARRAY,
	BTF_STRUCT,
	BTF_UNION,
	BTF_ENUM,
	BTF_FWD,
	BTF_TYPEDEF,
	BTF_VOLATILE,
	BTF_CONST,
	BTF_RESTRICT,
	BTF_FUNC,
	BTF_PROTO,
	BTF_VAR,
	BTF_DATASEC,
	BTF_FLOAT,
	BTF_DECL_TAG,
	BTF_TYPE_TAG,
	BTF_ENUM64,
	BTF_BITFIELDS = 0x80, /* of a structure's members, beside its kind */
};

enum {
	BTF_HEADER = 24,
	BTF_IMAGE_MAX = 0x600, /* bytes of types */
	BTF_STRINGS_MAX = 512,
};

extern struct btf_image {
	uint8_t types[BTF_IMAGE_MAX];
	char strings[BTF_STRINGS_MAX];
	size_t n_types, n_strings; /* bytes */
} btf;

void btf_put(uint8_t *to, uint32_t value);
void btf_begin(void);
/* What kinds add to a type: words, three of them, members. */
void btf_add(uint32_t value);
void btf_three(uint32_t a, uint32_t b, uint32_t c);
void btf_member(const char *name, uint32_t type, uint32_t bit);
void btf_type(const char *name, unsigned kind, unsigned parts, uint32_t size);
void btf_number(const char *name, uint32_t size);
/* A beginning with types 1-3: int, char, char[16]. */
void btf_basics(void);
/* All of it; @to has room. Returns its bytes. */
size_t btf_finish(uint8_t *to);

#endif
