/* SPDX-License-Identifier: BSD-2-Clause */
/* The initrd that --initrd and --add make together. */
#ifndef CLI_SESSION_INITRD_H
#define CLI_SESSION_INITRD_H

#include <stdbool.h>

struct args;
struct image_file;

#define INITRD_MAX (UINT64_C(2) << 30) /* bytes of all files together */

/* Are there any of these options? */
bool initrd_wanted(const struct args *args);
/* Its bytes; image_unmap() them. Returns an exit code after an error was said.
 */
int initrd_make(const struct args *args, struct image_file *ret);

#endif
