/* SPDX-License-Identifier: BSD-2-Clause */
/* What `monitor COMMAND` of a debugger does on `pmuctl gdb`. */
#ifndef CLI_CMD_GDB_MONITOR_H
#define CLI_CMD_GDB_MONITOR_H

#include <stdbool.h>

struct gdb_stub;

/* Runs @line and prints to the debugger. False: it has failed, and why. */
bool gdb_monitor(struct gdb_stub *s, char *line);

#endif
