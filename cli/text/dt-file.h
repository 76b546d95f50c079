/* SPDX-License-Identifier: BSD-2-Clause */
/* Device trees of the user: flattened ones, and source, which dtc compiles. */
#ifndef CLI_TEXT_DT_FILE_H
#define CLI_TEXT_DT_FILE_H

#include <stddef.h>

/*
 * Reads @path; what does not begin as a flattened tree goes through `dtc`. Both
 * have a limit of 16 MiB. @ret is to be freed. Returns an exit code after an
 * error was said.
 */
int dt_file_read(const char *path, void **ret, size_t *ret_size);

#endif
