/* SPDX-License-Identifier: BSD-2-Clause */
/* `pmuctl gdb --exec`: the debugger runs, and starts the same command. */
#ifndef CLI_CMD_GDB_EXEC_H
#define CLI_CMD_GDB_EXEC_H

struct args;

/* Becomes the debugger. Returns, with an exit code, only after an error. */
int gdb_exec(const struct args *args);

#endif
