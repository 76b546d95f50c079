/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The words that can stand in a place of a command line. A place is known by
 * what the help calls it: "MACHINE", "KEY=VALUE". Completion offers them, and
 * suggest.h finds the one that was meant.
 */
#ifndef CLI_CMD_CANDIDATES_H
#define CLI_CMD_CANDIDATES_H

#include <stdbool.h>

struct args;
struct pmud;

enum candidates {
	CANDIDATES_NONE, /* numbers, files: nothing to choose from */
	CANDIDATES_COMMAND,
	CANDIDATES_MACHINE,
	CANDIDATES_SETTING,
	CANDIDATES_CSR,
	CANDIDATES_EVENT,
	CANDIDATES_RULE,
	CANDIDATES_SBI_CALL,
	CANDIDATES_SBI_ERROR,
	CANDIDATES_REGISTER,
	CANDIDATES_START_MODE,
	CANDIDATES_CONSOLE,
	CANDIDATES_WHEN_FULL,
	CANDIDATES_RECORD_KIND,
	CANDIDATES_STORED,
	CANDIDATES_COLOR,
	CANDIDATES_EXPORT,
	CANDIDATES_FIELD,
};

/* What stands where the help says @place, one of "[MACHINE]", "CSR|NUMBER". */
enum candidates candidates_at(const char *place);

/* How the daemon must be reached for them. */
enum candidates_source {
	FROM_PMUCTL,	   /* not at all */
	FROM_ANY_PMUD,	   /* any pmud knows, a private one, too */
	FROM_RUNNING_PMUD, /* only one that is there */
};
enum candidates_source candidates_source(enum candidates kind);

typedef void candidates_fn(void *arg, const char *word);

/*
 * Calls @fn for each word of @kind. @s may be NULL: then the words of a daemon
 * are none, as they are when it does not answer, about which nothing is said.
 * CANDIDATES_CSR are those of @args' machine and hart, without a machine that
 * has started those that `explain csr' knows.
 */
void candidates_each(struct pmud *s, const struct args *args,
		     enum candidates kind, candidates_fn *fn, void *arg);

/* The values of setting @key, where they are names: "on", "off". */
void candidates_each_value(struct pmud *s, const char *key, candidates_fn *fn,
			   void *arg);

#endif
