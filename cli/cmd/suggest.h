/* SPDX-License-Identifier: BSD-2-Clause */
/* "did you mean": the known word that is nearest to one that is not known. */
#ifndef CLI_CMD_SUGGEST_H
#define CLI_CMD_SUGGEST_H

#include <stdbool.h>

#include "candidates.h"

enum {
	SUGGEST_MAX =
		64 /* bytes of a word that is looked at, its end included */
};

struct suggest {
	const char *word;
	char best[SUGGEST_MAX]; /* empty: nothing is near */
	unsigned distance;	/* of the best */
};

/* Looks for what may have been meant by @word, which must live on. */
void suggest_init(struct suggest *s, const char *word);
/* A candidates_fn: @suggest is a struct suggest. */
void suggest_consider(void *suggest, const char *candidate);
/*
 * Says what was found, as a note. Returns whether there was anything: not the
 * word itself, which is known then, and something else is wrong.
 */
bool suggest_say(const struct suggest *s);

/*
 * All of that at once for a @word that is none of @kind. @s is asked where the
 * words are the daemon's; NULL is fine. Says nothing when there is nothing.
 */
void suggest_word(struct pmud *s, const struct args *args, enum candidates kind,
		  const char *word);
/* The same for the keys of all --set of a command that was refused. */
void suggest_settings(struct pmud *s, const struct args *args);

#endif
