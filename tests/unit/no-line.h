/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * symbol-places.elf as a compiler might have made it that puts code in no line:
 * its function `last', at 0x20008, is in line 0 of its file. No assembler
 * writes that, so the step from line 20 to 60 before it becomes one to 0.
 */
#ifndef TESTS_UNIT_NO_LINE_H
#define TESTS_UNIT_NO_LINE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

enum {
	NO_LINE_PC = 0x20008
};

/* Its bytes, for free(). */
static inline uint8_t *no_line_bytes(const char *elf, size_t *ret_size)
{
	/* DW_LNS_advance_line 40, DW_LNS_fixed_advance_pc 4, DW_LNS_copy */
	static const uint8_t step[] = { 3, 40, 9, 4, 0, 1 };
	enum {
		MOST = 1 << 20
	};
	uint8_t *bytes = malloc(MOST), *at;
	FILE *in = fopen(elf, "rb");

	PREPARING(ck_assert(bytes && in));
	*ret_size = fread(bytes, 1, MOST, in);
	fclose(in);
	at = memmem(bytes, *ret_size, step, sizeof(step));
	PREPARING(ck_assert_ptr_nonnull(at));
	at[1] = 0x7f & -20;
	return bytes;
}

static inline void no_line_file(const char *elf, const char *path)
{
	size_t size;
	uint8_t *bytes = no_line_bytes(elf, &size);
	FILE *out = fopen(path, "wb");

	PREPARING(ck_assert_ptr_nonnull(out));
	PREPARING(ck_assert_uint_eq(fwrite(bytes, 1, size, out), size));
	PREPARING(ck_assert_int_eq(fclose(out), 0));
	free(bytes);
}

#endif
