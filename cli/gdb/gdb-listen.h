/* SPDX-License-Identifier: BSD-2-Clause */
/* Where a debugger connects: a Unix socket, or a TCP port of this host. */
#ifndef CLI_GDB_GDB_LISTEN_H
#define CLI_GDB_GDB_LISTEN_H

#include <stdbool.h>

struct gdb_listener {
	int fd;
	char place[108]; /* what follows `target remote' */
	bool is_path;
};

/*
 * Listens at @where: a port, 0 for any, else a path; NULL: a path of its own.
 * Returns an exit code after an error was said.
 */
int gdb_listen(struct gdb_listener *l, const char *where);
/* The next debugger, non-blocking, or -1: none, or another user's. */
int gdb_accept(const struct gdb_listener *l);
void gdb_listen_end(struct gdb_listener *l);

#endif
