/* SPDX-License-Identifier: BSD-2-Clause */
/* The user's files on their way into a machine. */
#ifndef CLI_SESSION_IMAGE_H
#define CLI_SESSION_IMAGE_H

#include <stdbool.h>

#include "image-file.h"
#include "pmu/v1/traces.pb-c.h"

struct args;
struct pmud;

/* Sends an ELF file's symbols and lines to @machine. Returns an exit code. */
int image_send_symbols(struct pmud *s, const char *machine, const char *path);

/* Is it an ELF file of 32 bits? */
bool image_is_rv32(const char *path);

/*
 * Loads what a command line names: @path (NULL: none), as --flat and --entry
 * say, the files of --kernel, of --initrd and --add, and of --dtb. Notes what
 * is not as it may be meant, and where it is not one ELF file alone, what lies
 * where. With the header of a trace that is replayed, notes an image that is
 * another than the traced one; NULL otherwise. Returns an exit code.
 */
int image_load(struct pmud *s, const char *machine, const struct args *args,
	       const char *path, const Pmu__V1__Header *replay);

#endif
