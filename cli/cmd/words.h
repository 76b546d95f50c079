/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The words that can stand in a place of a command line. A place is known by
 * what the help calls it: "MACHINE", "KEY=VALUE". Completion offers them, and
 * suggest.h finds the one that was meant.
 */
#ifndef CLI_CMD_WORDS_H
#define CLI_CMD_WORDS_H

#include <stdbool.h>

struct args;
struct conn;

enum words {
	WORDS_NONE, /* numbers, files: nothing to choose from */
	WORDS_COMMAND,
	WORDS_MACHINE,
	WORDS_SETTING,
	WORDS_CSR,
	WORDS_EVENT,
	WORDS_RULE,
	WORDS_SBI_CALL,
	WORDS_SBI_ERROR,
	WORDS_REGISTER,
	WORDS_START_MODE,
	WORDS_RECORD_KIND,
	WORDS_COLOR,
};

/* What stands where the help says @place, one of "[MACHINE]", "CSR|NUMBER". */
enum words words_of(const char *place);

/* How the daemon must be reached for them. */
enum words_from {
	WORDS_OURS,	  /* not at all */
	WORDS_OF_ANY,	  /* any pmud knows, a private one, too */
	WORDS_OF_RUNNING, /* only one that is there */
};
enum words_from words_from(enum words kind);

typedef void words_fn(void *arg, const char *word);

/*
 * Calls @fn for each word of @kind. @s may be NULL: then the words of a daemon
 * are none, as they are when it does not answer, about which nothing is said.
 * WORDS_CSR are those of @args' machine and hart, without a machine that has
 * started those that `explain csr' knows.
 */
void words_each(struct conn *s, const struct args *args, enum words kind,
		words_fn *fn, void *arg);

/* The values of setting @key, where they are names: "on", "off". */
void words_each_value(struct conn *s, const char *key, words_fn *fn, void *arg);

#endif
