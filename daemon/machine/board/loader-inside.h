/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files of the loader share. */
#ifndef BOARD_LOADER_INSIDE_H
#define BOARD_LOADER_INSIDE_H

#include "loader.h"

enum { /* of the header of a Linux Image */
	LINUX_HEADER_SIZE = 64,
	LINUX_IMAGE_SIZE = 16,
	LINUX_MAGIC = 48, /* before version 0.2 the only one */
	LINUX_MAGIC_2 = 56,
};

/* Keeps the text for loader_error(); returns -@why. */
__attribute__((format(printf, 3, 4))) int
loader_fail(struct loader *l, enum loader_errno why, const char *format, ...);
/* Takes [start, start + size), size > 0, or says why it cannot. */
int loader_claim(struct loader *l, const struct loader_range *want);
/* The first range that has a byte of [start, start + size); NULL: none. */
const struct loader_range *loader_find_range(const struct loader *l,
					     uint64_t start, uint64_t size);
/* The highest free place below 4 GiB, or says that there is none. */
int loader_find_high(struct loader *l, uint64_t size, uint64_t align,
		     uint64_t *ret);
/*
 * Takes @want and writes @size bytes there, at most as many as it has: an image
 * more, which begins with its first byte unless @l says otherwise.
 */
int loader_put(struct loader *l, const struct loader_range *want,
	       const void *bytes, size_t size, struct loader_image *ret);
/* Does it begin with the header of a Linux Image? */
bool loader_is_linux(const uint8_t *bytes, size_t size);
/* May execution begin at @entry, in what is loaded? */
int loader_check_entry(struct loader *l, uint64_t entry);

#endif
