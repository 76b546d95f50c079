/* SPDX-License-Identifier: BSD-2-Clause */
/* `stat --explain-misses': why the last misses of an event were misses. */
#ifndef CLI_CMD_STAT_MISSES_H
#define CLI_CMD_STAT_MISSES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct args;
struct event_choice;
struct event_list;
struct guest_files;
struct pmud;

struct stat_misses {
	const char *machine;
	const struct event_choice *event; /* one that is explained */
	int64_t hart;			  /* -1: all */
	uint64_t n;			  /* at most so many */
	bool json;
	struct guest_files *files; /* of --sysroot, or NULL */
};

/*
 * How many of each event of @events @args ask for; 0: they do not. Returns an
 * exit code after an error was said: there is nothing to explain.
 */
int stat_misses_asked(const struct args *args, const struct event_list *events,
		      uint64_t *ret);
/* Has one of them misses that have a reason? */
bool stat_misses_any(const struct event_list *events);
/* Returns an exit code. */
int stat_misses_print(const struct stat_misses *q, struct pmud *s, FILE *out);

#endif
