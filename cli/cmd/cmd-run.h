/* SPDX-License-Identifier: BSD-2-Clause */
/* `run' under another verb: stat, record. It says what is done meanwhile. */
#ifndef CLI_CMD_CMD_RUN_H
#define CLI_CMD_CMD_RUN_H

#include <stdio.h>

#include "pmu/v1/common.pb-c.h"

struct args;
struct follow_tap;
struct pmud;

/* Each returns an exit code, after an error was said. */
struct run_hooks {
	/* There is a pmud, but no machine yet; what of it is to be stored. */
	int (*prepare)(void *arg, struct pmud *s, Pmu__V1__Recording *add);
	/*
	 * It is made and stands before its first instruction: let it go.
	 * Numbers go to @out.
	 */
	int (*begin)(void *arg, const char *machine, FILE *out);
	int (*paused)(void *arg); /* or NULL */
	int (*end)(void *arg);	  /* it is over, or the user left */
	void *arg;
	struct sample_filter *filter; /* of the trace; NULL: none */
	/* Its images are loaded; or NULL. The records of @tap go to @out. */
	int (*loaded)(void *arg, const char *machine, FILE *out);
	const struct follow_tap *tap; /* complete by then; or NULL */
};

/*
 * Runs the words behind "--" of @outer, which are "run" and its options, with
 * @hooks. @args is room for what they say, of which @outer is the default.
 * Returns the exit code of the run.
 */
int run_under(const struct args *outer, const struct run_hooks *hooks,
	      struct args *args);

#endif
