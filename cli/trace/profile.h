/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The samples of a trace, counted by event and function, process of Linux, or
 * file that the code is from. A function that is not known stands by its pc.
 */
#ifndef CLI_TRACE_PROFILE_H
#define CLI_TRACE_PROFILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "record-text.h"
#include "wire/cleanup.h"

struct args;
struct profile;

/* What samples are counted by. */
enum profile_key {
	PROFILE_FUNCTION,
	PROFILE_PROCESS,
	PROFILE_FILE
};

/* NULL is the function. False after an error was said. */
bool profile_key_parse(const char *text, enum profile_key *ret);
struct profile *profile_new(enum profile_key key); /* NULL without memory */
void profile_free(struct profile *p);		   /* NULL is fine */
CLEANUP_POINTER(profile, struct profile, profile_free)
/* Adds those of the file @path. Returns an exit code, after an error was said.
 */
int profile_read(struct profile *p, const char *path, const struct args *args);
/* Adds one, which is a sample. False after an error was said. */
bool profile_add(struct profile *p, const struct record_style *style,
		 const Pmu__V1__Record *record);
void profile_clear(struct profile *p); /* as it was when it was new */
uint64_t profile_samples(const struct profile *p); /* their periods */
/* A row for each event and what is counted by, most first. Returns an exit
 * code. */
int profile_print(struct profile *p, FILE *out, bool json);
/* The shares before and after, by function. Returns an exit code. */
int profile_print_diff(struct profile *a, struct profile *b, FILE *out,
		       bool json);

#endif
