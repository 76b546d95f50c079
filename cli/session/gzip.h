/* SPDX-License-Identifier: BSD-2-Clause */
/* Kernels as distributions have them: compressed with gzip. */
#ifndef CLI_SESSION_GZIP_H
#define CLI_SESSION_GZIP_H

#include <stddef.h>
#include <stdint.h>

struct image_file;

enum {
	GZIP_MAX = 1 << 30 /* bytes when decompressed */
};

/*
 * Decompresses what @f has, if that is of gzip: @f then has the bytes inside.
 * Returns an exit code after an error was said of @path; @f is as it was.
 */
int gzip_expand(struct image_file *f, const char *path);

#endif
