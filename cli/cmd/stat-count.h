/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counting chosen events of a machine: what its totals gained from one reading
 * to the next, printed as lines that come one by one.
 */
#ifndef CLI_CMD_STAT_COUNT_H
#define CLI_CMD_STAT_COUNT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct args;
struct pmud;
struct stat_count;

/*
 * What @args ask to count. Returns an exit code, after an error was said; of
 * @args only strings are used afterwards.
 */
int stat_count_new(struct stat_count **ret, struct pmud *s,
		   const struct args *args);
void stat_count_free(struct stat_count *x); /* NULL is fine */

/*
 * The machine @name, which has started; counts begin with its first cycle,
 * those of intervals with this call.
 */
int stat_count_of(struct stat_count *x, struct pmud *s, const char *name);
/* Prints what was counted since the last time. */
int stat_count_print(struct stat_count *x, FILE *out);
/* Prints why the last of them were misses, if that was asked for. */
int stat_count_explain(struct stat_count *x, FILE *out);

/*
 * Lets a machine that stands go on: to the end of the interval it is in, or
 * without intervals as far as it goes.
 */
int stat_count_next(struct stat_count *x);
/* Has the end of that interval come? */
bool stat_count_is_due(const struct stat_count *x, uint64_t cycle);

#endif
