/* SPDX-License-Identifier: BSD-2-Clause */
/* --sysroot: the root of a guest's files, on the host. */
#ifndef CLI_TRACE_SYSROOT_H
#define CLI_TRACE_SYSROOT_H

#include <stdbool.h>
#include <stdint.h>

struct args;
struct symbols;

/* Zeroed at first. */
struct sysroot {
	char *path;	   /* without links; NULL: there is none */
	const char *given; /* what the user calls it */
	bool force;	   /* files of another size are taken, too */
};

/* By @args, if they have one. Returns an exit code after an error was said. */
int sysroot_open(struct sysroot *ret, const struct args *args);
void sysroot_close(struct sysroot *root);
/*
 * The file that the guest calls @name and that has @bytes there, 0: unknown.
 * False after it was noted why there is none.
 */
bool sysroot_find(const struct sysroot *root, const char *name, uint64_t bytes,
		  char **ret_path, struct symbols **ret);

#endif
