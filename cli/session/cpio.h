/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An archive of files for an initrd, in the format that Linux reads: cpio's
 * "newc", of which several may follow each other, each at a multiple of 4
 * bytes.
 */
#ifndef CLI_SESSION_CPIO_H
#define CLI_SESSION_CPIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
	CPIO_MAX_PATH = 1024, /* bytes of a path in it */
};
#define CPIO_MAX_FILE UINT32_MAX /* bytes of a file in it */

struct cpio;

/* Writes to @out. NULL without memory. */
struct cpio *cpio_new(FILE *out);
void cpio_free(struct cpio *a); /* NULL is fine */

/*
 * Can @path be one in an archive: relative or from the root, without ".",
 * ".." or an empty part, not too long?
 */
bool cpio_path_is_good(const char *path);

/*
 * Adds a file with its permission bits @mode, and before it the directories
 * that lead there and were not yet, with 755. All belongs to root and is of the
 * beginning of time, so that the same files make the same bytes. @path is good,
 * @len at most CPIO_MAX_FILE. False: the output fails, or there is no memory.
 */
bool cpio_add(struct cpio *a, const char *path, unsigned mode,
	      const void *bytes, size_t len);
/* Ends the archive; nothing may be added any more. */
bool cpio_end(struct cpio *a);

#endif
