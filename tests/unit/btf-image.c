/* SPDX-License-Identifier: BSD-2-Clause */
/* BTF as compilers write it: see btf-image.h. */
#include "btf-image.h"

#include <string.h>

#include "unit.h"

struct btf_image btf;

void btf_put(uint8_t *to, uint32_t value)
{
	for (unsigned i = 0; i < 4; i++)
		to[i] = (uint8_t)(value >> 8 * i);
}

void btf_add(uint32_t value)
{
	PREPARING(ck_assert_uint_le(btf.n_types + 4, sizeof(btf.types)));
	btf_put(btf.types + btf.n_types, value);
	btf.n_types += 4;
}

/* Where it begins; a new one each time. */
static uint32_t string(const char *text)
{
	size_t at = btf.n_strings, bytes = strlen(text) + 1;

	if (!*text)
		return 0;
	PREPARING(ck_assert_uint_le(at + bytes, sizeof(btf.strings)));
	memcpy(btf.strings + at, text, bytes);
	btf.n_strings += bytes;
	return (uint32_t)at;
}

void btf_type(const char *name, unsigned kind, unsigned parts, uint32_t size)
{
	btf_add(string(name));
	btf_add((kind & 0x1fu) << 24 | parts | (kind & BTF_BITFIELDS) << 24);
	btf_add(size);
}

void btf_three(uint32_t a, uint32_t b, uint32_t c)
{
	btf_add(a);
	btf_add(b);
	btf_add(c);
}

void btf_member(const char *name, uint32_t type, uint32_t bit)
{
	btf_three(string(name), type, bit);
}

void btf_number(const char *name, uint32_t size)
{
	btf_type(name, BTF_INT, 0, size);
	btf_add(8 * size);
}

void btf_begin(void)
{
	btf = (struct btf_image){ .n_strings = 1 };
}

void btf_basics(void)
{
	btf_begin();
	btf_number("int", 4);
	btf_number("char", 1);
	btf_type("", BTF_ARRAY, 0, 0);
	btf_three(2, 1, 16);
}

size_t btf_finish(uint8_t *to)
{
	btf_put(to, 0x0001eb9f);
	btf_put(to + 4, BTF_HEADER);
	btf_put(to + 8, 0);
	btf_put(to + 12, (uint32_t)btf.n_types);
	btf_put(to + 16, (uint32_t)btf.n_types);
	btf_put(to + 20, (uint32_t)btf.n_strings);
	memcpy(to + BTF_HEADER, btf.types, btf.n_types);
	memcpy(to + BTF_HEADER + btf.n_types, btf.strings, btf.n_strings);
	return BTF_HEADER + btf.n_types + btf.n_strings;
}
