/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Files whose path a trace, an ELF file or a guest names, and which may thus be
 * anything: a device without an end, or a FIFO that nobody writes to.
 */
#ifndef CLI_TEXT_REGULAR_FILE_H
#define CLI_TEXT_REGULAR_FILE_H

#include <stdbool.h>

/*
 * Opens @path to be read, and never waits for it. -1, with errno, EINVAL for
 * what is no regular file.
 */
int regular_file_open(const char *path);
/* The same, if good() says yes of it; as symbols.h asks. */
int regular_file_find(const char *path, bool (*good)(void *arg, int fd),
		      void *arg);

#endif
