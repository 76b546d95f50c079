/* SPDX-License-Identifier: BSD-2-Clause */
/* What `stat` and `run --stat` share. */
#ifndef CLI_CMD_STAT_PRINT_H
#define CLI_CMD_STAT_PRINT_H

#include <stdbool.h>
#include <stdio.h>

struct pmud;

/* Reads and prints totals and counters. Returns an exit code. */
int stat_print(struct pmud *s, const char *machine, bool json, FILE *out);

#endif
