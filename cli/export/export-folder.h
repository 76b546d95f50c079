/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A folder that a command writes: made beside, under the name FOLDER.part-PID,
 * and given its name when it is whole. It replaces none that has something.
 */
#ifndef CLI_EXPORT_EXPORT_FOLDER_H
#define CLI_EXPORT_EXPORT_FOLDER_H

#include <stdbool.h>
#include <stdio.h>

struct export_folder;

/* Returns an exit code after an error was said. */
int export_folder_make(struct export_folder **ret, const char *path);
/* A new file in it. NULL after an error was said. */
FILE *export_folder_open(const struct export_folder *f, const char *name);
/* Returns an exit code after an error was said. */
int export_folder_close(const struct export_folder *f, FILE *file);
/*
 * Gives it its name, if @code is none of a failure, or else takes away what
 * there is of it. Returns @code, or its own failure's.
 */
int export_folder_end(struct export_folder *f, int code);

#endif
