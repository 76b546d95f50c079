/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Small position-independent ELF files made in memory: one segment, linked
 * where the test says, that has a dynamic section and its tables in its bytes.
 */
#ifndef TESTS_UNIT_PIE_IMAGE_H
#define TESTS_UNIT_PIE_IMAGE_H

#include "elf-image.h"

enum { /* from the segment's first byte on, which is ELF_IMAGE_DATA's */
	PIE_RELR = 0x38, /* before it: words to be moved */
	PIE_RELA = 0x48,
	PIE_DYNAMIC = 0x90,
	PIE_BYTES = ELF_IMAGE_BYTES,
	PIE_TOHOST = 0x100,
	PIE_FROMHOST = 0x108,
	PIE_MEMORY = 0x200,
};

struct pie_image {
	int xlen; /* 0: 64 */
	uint64_t link, align;
	struct {
		uint32_t tag;
		uint64_t value; /* of an address: behind @link */
	} dynamic[7];
	struct {
		uint64_t at; /* behind @link */
		uint32_t type;
		int64_t addend;
	} rela[3];
	uint64_t relr[2];	 /* an even one: behind @link */
	const char *interpreter; /* or NULL */
	bool absolute;	     /* its symbols, PIE_TOHOST and PIE_FROMHOST, are */
	uint64_t dynamic_at; /* an offset in the file instead of the real one */
};

/* What says that there are relocations: of the rows that have some. */
#define PIE_HAS_RELA(n)                                                        \
	{ DT_RELA, PIE_RELA }, { DT_RELASZ, (n)*24 },                          \
	{                                                                      \
		DT_RELAENT, 24                                                 \
	}
#define PIE_HAS_RELR(n)                                                        \
	{ DT_RELR, PIE_RELR }, { DT_RELRSZ, (n)*8 },                           \
	{                                                                      \
		DT_RELRENT, 8                                                  \
	}
#define PIE_HAS_RELA_32(n)                                                     \
	{ DT_RELA, PIE_RELA }, { DT_RELASZ, (n)*12 },                          \
	{                                                                      \
		DT_RELAENT, 12                                                 \
	}
#define PIE_HAS_RELR_32(n)                                                     \
	{ DT_RELR, PIE_RELR }, { DT_RELRSZ, (n)*4 },                           \
	{                                                                      \
		DT_RELRENT, 4                                                  \
	}

/* The file's bytes, to be freed with free(). */
uint8_t *pie_image_make(const struct pie_image *img, size_t *ret_size);

#endif
