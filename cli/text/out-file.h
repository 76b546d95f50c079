/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A file that a command writes. A regular one is made beside, under the name
 * FILE.part-PID, and takes its name when it is whole: until then, what stood
 * there is untouched. Pipes and devices are written in place.
 */
#ifndef CLI_TEXT_OUT_FILE_H
#define CLI_TEXT_OUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

struct out_file;

/*
 * Opens @path, "-" for standard output; NULL: *@ret is NULL. Returns an exit
 * code after an error was said. While it is open, a signal that ends pmuctl
 * leaves the part that was written, says its name, and then ends it.
 */
int out_file_open(struct out_file **ret, const char *path);
/* For writing; not to be closed. NULL for NULL. */
FILE *out_file_stream(const struct out_file *f);
/*
 * Closes and frees it. @whole: all was written, so that it takes its name.
 * Otherwise the part that there is stays under a name that is said: that of
 * the file if there was none before. Returns @code, the exit code so far, or
 * the first failure's. NULL is fine.
 */
int out_file_close(struct out_file *f, bool whole, int code);

#endif
