/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A running machine followed to its end: its console on stdout, stdin on its
 * console, its records and its second UART into files. One loop, one thread.
 */
#ifndef CLI_SESSION_FOLLOW_H
#define CLI_SESSION_FOLLOW_H

#include <stdbool.h>
#include <stdio.h>

#include "pmu/v1/traces.pb-c.h"
#include "wire/cleanup.h"

struct follow;
struct pmud;

/* Records that somebody looks at as they come; they are of no file. */
struct follow_tap {
	const Pmu__V1__RecordFilter *filter;
	bool drop; /* lose some rather than hold the machine */
	/* The messages of the stream, one by one; an exit code ends the run. */
	int (*take)(void *arg, const Pmu__V1__StreamRecordsResponse *r);
	void *arg;
};

struct follow_config {
	struct pmud *pmud;
	const char *machine;
	FILE *trace; /* or NULL; written, not closed */
	const char *trace_path;
	struct sample_filter *filter; /* of its samples; NULL: all */
	FILE *serial; /* or NULL: what the second UART sends, likewise */
	const struct follow_tap *tap; /* or NULL */
	/* Called when it pauses, NULL: nobody; an exit code ends the run. */
	int (*on_pause)(void *arg);
	void *arg;
	bool progress; /* show how far it is, on a terminal */
	bool input;    /* read stdin; else the guest has no input to come */
};

enum follow_end {
	FOLLOW_CUT,   /* a failure or a signal: not all of it was seen */
	FOLLOW_LEFT,  /* the user left by Ctrl-A x */
	FOLLOW_ENDED, /* and all was printed and written */
};

/* Opens the streams, before the start. Returns an exit code. */
int follow_open(struct follow **ret, const struct follow_config *cfg);
/*
 * Until the machine has ended and all was printed, the user leaves or a signal
 * comes. Returns the exit code of the run, or of a failure; 0 when the user
 * left. The terminal is restored.
 */
int follow_run(struct follow *f, enum follow_end *ret_end);
void follow_close(struct follow *f); /* NULL is fine */
CLEANUP_POINTER(follow, struct follow, follow_close)

#endif
