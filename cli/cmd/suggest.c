/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How near two words are is the number of letters to change, add, leave out or
 * swap with the next; a suggestion may need one for each three of the word. A
 * word whose beginning was given is near, too.
 */
#include "suggest.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "args.h"
#include "text/report.h"

static unsigned smaller(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static bool same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Optimal string alignment; words of SUGGEST_MAX or more are far. */
static unsigned distance(const char *a, const char *b)
{
	unsigned rows[3][SUGGEST_MAX], *before = rows[0], *last = rows[1];
	unsigned *row = rows[2], *swap;
	size_t n = strlen(b);

	if (strlen(a) >= SUGGEST_MAX || n >= SUGGEST_MAX)
		return SUGGEST_MAX;
	for (unsigned j = 0; j <= n; j++)
		before[j] = last[j] = j;
	for (unsigned i = 1; a[i - 1]; i++) {
		row[0] = i;
		for (unsigned j = 1; j <= n; j++) {
			row[j] = last[j - 1] + !same(a[i - 1], b[j - 1]);
			row[j] = smaller(row[j], last[j] + 1);
			row[j] = smaller(row[j], row[j - 1] + 1);
			if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) &&
			    same(a[i - 2], b[j - 1]))
				row[j] = smaller(row[j], before[j - 2] + 1);
		}
		swap = before;
		before = last;
		last = row;
		row = swap;
	}
	return last[n];
}

void suggest_init(struct suggest *s, const char *word)
{
	size_t allowed = strlen(word) / 3;

	s->word = word;
	s->best[0] = '\0';
	s->distance = (unsigned)(allowed < SUGGEST_MAX ? allowed : 0) + 1;
}

void suggest_consider(void *suggest, const char *candidate)
{
	struct suggest *s = suggest;
	size_t len = strlen(s->word);
	unsigned d = distance(s->word, candidate);

	if (len > 2 && d > 1 && !strncasecmp(candidate, s->word, len))
		d = 1; /* cut short, not misspelt */
	if (d >= s->distance)
		return;
	s->distance = d;
	snprintf(s->best, sizeof(s->best), "%s", candidate);
}

bool suggest_say(const struct suggest *s)
{
	if (!s->best[0] || !strcmp(s->best, s->word))
		return false;
	report_note("did you mean '%s'?", s->best);
	return true;
}

void suggest_word(struct pmud *s, const struct args *args, enum candidates kind,
		  const char *word)
{
	struct suggest found;

	suggest_init(&found, word);
	candidates_each(s, args, kind, suggest_consider, &found);
	suggest_say(&found);
}

/* Of "hart1.key=value" and "key=value" the key. */
static void key_of(const char *set, char key[SUGGEST_MAX])
{
	const char *dot = strchr(set, '.');
	size_t len = strcspn(set, "=");

	if (!strncmp(set, "hart", 4) && dot && dot < set + len) {
		len -= (size_t)(dot + 1 - set);
		set = dot + 1;
	}
	snprintf(key, SUGGEST_MAX, "%.*s",
		 (int)(len < SUGGEST_MAX ? len : SUGGEST_MAX), set);
}

void suggest_settings(struct pmud *s, const struct args *args)
{
	for (size_t i = 0; i < args->n_set; i++) {
		struct suggest found;
		char key[SUGGEST_MAX];

		key_of(args->set[i], key);
		suggest_init(&found, key);
		candidates_each(s, args, CANDIDATES_SETTING, suggest_consider,
				&found);
		if (found.distance)
			suggest_say(&found);
	}
}
