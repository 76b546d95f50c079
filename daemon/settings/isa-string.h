/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ISA strings as the unprivileged manual's naming chapter has them, for the
 * extensions of libpmu's table and the few that every hart has. Settings read
 * and print them, the device tree names a hart's extensions with them.
 */
#ifndef SETTINGS_ISA_STRING_H
#define SETTINGS_ISA_STRING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	ISA_TEXT = 512, /* bytes of a string with every extension, its end */
	ISA_NAMES = 48, /* at most so many names */
};

struct isa_name {
	const char *name;
	uint64_t ext; /* PMU_EXT_..., 0: every hart has it */
};

/*
 * All names in canonical order: single letters, then Z by the second letter's
 * place and alphabet, then Ss and Sv, Sh, Sm. S and U are modes, which ISA
 * strings do not name. Returns how many; @ret has room for ISA_NAMES.
 */
size_t isa_names(struct isa_name *ret);
/* Does @ext have it? */
bool isa_has(uint64_t ext, const struct isa_name *name);

/* "rv64imafdc_zicntr_...". @buf has ISA_TEXT bytes. Returns @buf. */
const char *isa_print(unsigned xlen, uint64_t ext, char *buf);

struct isa {
	unsigned xlen;
	uint64_t ext; /* what the string states; never S nor U */
};
/*
 * Reads a string: rv32 or rv64, i or g, letters, names separated by "_"; case
 * does not matter, and what every hart has may be left out. False: @ret_error
 * (@size bytes) says what is wrong at which position, counted from 1.
 */
bool isa_parse(const char *text, struct isa *ret, char *ret_error, size_t size);

/*
 * What has come in the place of a name of old, which no string and no setting
 * has any more; NULL: it never was one.
 */
const char *isa_gone(const char *name, size_t len);

#endif
