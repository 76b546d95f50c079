/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * `run --explain COUNTER --at POINT`: the run is held at each point, in the
 * order in which they were given, for the counters to be explained. A point
 * that is not reached is explained at the end of the run, and so says it.
 */
#ifndef CLI_CMD_RUN_EXPLAIN_H
#define CLI_CMD_RUN_EXPLAIN_H

#include <stdbool.h>
#include <stdio.h>

struct args;
struct pmud;
struct run_explain;

/*
 * Reads --explain and --at; without --explain *@ret is NULL. The symbols of
 * points are those of the image. Returns an exit code after an error was said.
 */
int run_explain_new(struct run_explain **ret, const struct args *args);
void run_explain_free(struct run_explain *x); /* NULL is fine */

/*
 * The machine was made and stands before its first instruction: checks that
 * the counters are there and lets it go to the first point. Explanations go to
 * @out. Returns an exit code.
 */
int run_explain_begin(struct run_explain *x, struct pmud *s,
		      const char *machine, FILE *out);
/*
 * The machine paused: if that was at a point, explains and lets it go on.
 * Returns an exit code; @arg is the struct run_explain.
 */
int run_explain_paused(void *arg);
/* The run is over, or the user left: what is left to explain. Exit code. */
int run_explain_end(struct run_explain *x);

#endif
