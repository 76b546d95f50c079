/* SPDX-License-Identifier: BSD-2-Clause */
/* The bytes of a user's file. */
#ifndef CLI_SESSION_IMAGE_FILE_H
#define CLI_SESSION_IMAGE_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* A file's bytes, mapped, or what was made of them. */
struct image_file {
	const void *bytes;
	size_t len;
	unsigned mode; /* permission bits */
	bool heap;     /* of malloc() */
};

/* Returns an exit code after an error was said; an empty file is one. */
int image_map(struct image_file *f, const char *path);
void image_unmap(struct image_file *f);

#endif
