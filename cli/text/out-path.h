/* SPDX-License-Identifier: BSD-2-Clause */
/* Which file a path means, whether it is there already or not. */
#ifndef CLI_TEXT_OUT_PATH_H
#define CLI_TEXT_OUT_PATH_H

/*
 * The path without symbolic links, also where the file, or the one that the
 * last link names, is not there yet. To be freed; NULL: errno says why.
 */
char *out_path_resolve(const char *path);
/* The folder of @path; to be freed, NULL: out of memory. */
char *out_path_folder(const char *path);

#endif
