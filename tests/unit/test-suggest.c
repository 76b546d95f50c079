/* SPDX-License-Identifier: BSD-2-Clause */
/* "did you mean": which of several words is near enough, and what is said. */
#include <string.h>

#include "captured.h"
#include "cmd/args.h"
#include "cmd/suggest.h"

static const struct near_row {
	const char *word, *candidates[4], *want; /* NULL: nothing */
} near_rows[] = {
	{ "cycles", { "instructions", "cyclez" }, "cyclez" },
	{ "cylces", { "cycles" }, "cycles" }, /* two swapped: one step */
	{ "cyclse", { "cycles" }, "cycles" },
	{ "ccyles", { "cycles" }, "cycles" },
	{ "cycle", { "cycles" }, "cycles" },	       /* one is missing */
	{ "cycless", { "cycles" }, "cycles" },	       /* one too many */
	{ "Cycles", { "cycles" }, "cycles" },	       /* no step at all */
	{ "cxcxes", { "cycles" }, "cycles" },	       /* two of six */
	{ "cxcxxs", { "cycles" }, NULL },	       /* three of six */
	{ "abcdefghi", { "abcdefxyz" }, "abcdefxyz" }, /* three of nine */
	{ "xx", { "xy" }, NULL }, /* too short for a step */
	{ "xyz", { "xya" }, "xya" },
	{ "ins", { "instructions" }, "instructions" }, /* cut short */
	{ "INS", { "instructions" }, "instructions" },
	{ "in", { "instructions" }, NULL },
	{ "xxxins", { "instructions" }, NULL },
	/* cut short is one step, which a nearer word beats */
	{ "ins", { "instructions", "int" }, "instructions" },
	{ "Ins", { "instructions", "ins" }, "ins" },
	{ "nst", { "instructions" }, NULL },
	{ "quantun", { "quantum", "quantux" }, "quantum" }, /* the first */
	{ "loads", { "loafs", "load", "loads" }, NULL },    /* it is known */
	{ "", { "a" }, NULL },
	{ "abc", { "" }, NULL },
};

TEST_ROWS(the_nearest_word_is_suggested, near_rows)
{
	const struct near_row *row = &near_rows[_i];
	char want[80] = "";
	struct suggest s;
	bool said;

	suggest_init(&s, row->word);
	for (size_t i = 0; i < 4 && row->candidates[i]; i++)
		suggest_consider(&s, row->candidates[i]);
	capture();
	said = suggest_say(&s);
	if (row->want)
		snprintf(want, sizeof(want), "pmuctl: did you mean '%s'?\n",
			 row->want);
	ck_assert_str_eq(capture_end(), want);
	ck_assert_int_eq(said, row->want != NULL);
}

TEST(words_without_end_are_far)
{
	char word[3 * SUGGEST_MAX];
	struct suggest s;

	memset(word, 'a', sizeof(word));
	word[sizeof(word) - 1] = '\0';
	suggest_init(&s, "aaaaaa");
	suggest_consider(&s, word + SUGGEST_MAX - 1);
	suggest_init(&s, word);
	suggest_consider(&s, "aaaaaa");
	ck_assert_str_eq(s.best, "");
	/* the longest that is looked at */
	suggest_init(&s, word + sizeof(word) - SUGGEST_MAX);
	word[sizeof(word) - 2] = 'b';
	suggest_consider(&s, word + sizeof(word) - SUGGEST_MAX);
	ck_assert_uint_eq(strlen(s.best), SUGGEST_MAX - 1);
	/* with one letter more, of either, it is not */
	word[sizeof(word) - 2] = 'a';
	word[sizeof(word) - 1 - SUGGEST_MAX] = 'b';
	suggest_init(&s, word + sizeof(word) - 1 - SUGGEST_MAX);
	suggest_consider(&s, word + sizeof(word) - SUGGEST_MAX);
	ck_assert_str_eq(s.best, "");
	suggest_init(&s, word + sizeof(word) - SUGGEST_MAX);
	suggest_consider(&s, word + sizeof(word) - 1 - SUGGEST_MAX);
	ck_assert_str_eq(s.best, "");
}

/* One for each three letters; of a word without end, none. */
TEST(a_longer_word_may_be_further_off)
{
	static const unsigned lengths[] = { 0, 2, 3, 5, 6, 191, 192, 300 };
	static const unsigned allowed[] = { 0, 0, 1, 1, 2, 63, 0, 0 };
	char word[301];
	struct suggest s;

	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		memset(word, 'a', lengths[i]);
		word[lengths[i]] = '\0';
		suggest_init(&s, word);
		ck_assert_uint_eq(s.distance, allowed[i] + 1);
	}
}

static const struct word_row {
	enum candidates kind;
	const char *word, *want;
} word_rows[] = {
	{ CANDIDATES_REGISTER, "s12", "s1" },
	{ CANDIDATES_SBI_CALL, "PMU.num_counter", "PMU.num_counters" },
	{ CANDIDATES_SBI_ERROR, "INVALID_PARM", "INVALID_PARAM" },
	{ CANDIDATES_CSR, "mhpmevent33", "mhpmevent3" },
	{ CANDIDATES_COLOR, "alway", "always" },
	{ CANDIDATES_RECORD_KIND, "overflov", "overflow" },
	{ CANDIDATES_COMMAND, "machin", "machine" },
	{ CANDIDATES_MACHINE, "m1", NULL }, /* no daemon, no words */
	{ CANDIDATES_SETTING, "quantun", NULL },
	{ CANDIDATES_EVENT, "cyles", NULL },
	{ CANDIDATES_NONE, "anything", NULL },
};

TEST_ROWS(words_of_a_kind_are_near, word_rows)
{
	const struct word_row *row = &word_rows[_i];
	char want[80] = "";
	struct args args;

	args_init(&args);
	capture();
	suggest_word(NULL, &args, row->kind, row->word);
	if (row->want)
		snprintf(want, sizeof(want), "pmuctl: did you mean '%s'?\n",
			 row->want);
	ck_assert_str_eq(capture_end(), want);
}

static const struct place_row {
	const char *place;
	enum candidates kind;
	enum candidates_source source;
} place_rows[] = {
	{ "MACHINE", CANDIDATES_MACHINE, FROM_RUNNING_PMUD },
	{ "[MACHINE]", CANDIDATES_MACHINE, FROM_RUNNING_PMUD },
	{ "MACHINES", CANDIDATES_NONE, FROM_PMUCTL },
	{ "[COMMAND]", CANDIDATES_COMMAND, FROM_PMUCTL },
	{ "KEY=VALUE", CANDIDATES_SETTING, FROM_ANY_PMUD },
	{ "CSR|NUMBER", CANDIDATES_CSR, FROM_RUNNING_PMUD },
	{ "EVENT", CANDIDATES_EVENT, FROM_ANY_PMUD },
	{ "[RULE...]", CANDIDATES_RULE, FROM_PMUCTL },
	{ "CALL [ARG...]", CANDIDATES_SBI_CALL, FROM_PMUCTL },
	{ "ERROR", CANDIDATES_SBI_ERROR, FROM_PMUCTL },
	{ "REGISTER VALUE", CANDIDATES_REGISTER, FROM_PMUCTL },
	{ "s|m", CANDIDATES_START_MODE, FROM_PMUCTL },
	{ "KIND[,KIND]", CANDIDATES_RECORD_KIND, FROM_PMUCTL },
	{ "auto|always|never", CANDIDATES_COLOR, FROM_PMUCTL },
	{ "EXPRESSION", CANDIDATES_FIELD, FROM_PMUCTL },
	{ "FILE", CANDIDATES_NONE, FROM_PMUCTL },
	{ "N", CANDIDATES_NONE, FROM_PMUCTL },
	{ "", CANDIDATES_NONE, FROM_PMUCTL },
};

TEST_ROWS(a_place_of_the_help_says_what_can_stand_there, place_rows)
{
	const struct place_row *row = &place_rows[_i];

	ck_assert_msg(candidates_at(row->place) == row->kind, "%s", row->place);
	ck_assert_msg(candidates_source(row->kind) == row->source, "%s",
		      row->place);
}

static void count(void *n, const char *word)
{
	ck_assert(*word);
	++*(unsigned *)n;
}

static const struct count_row {
	enum candidates kind;
	unsigned least, most;
} count_rows[] = {
	{ CANDIDATES_NONE, 0, 0 },	  { CANDIDATES_START_MODE, 2, 2 },
	{ CANDIDATES_COLOR, 3, 3 },	  { CANDIDATES_RECORD_KIND, 13, 13 },
	{ CANDIDATES_SBI_ERROR, 15, 15 }, { CANDIDATES_REGISTER, 66, 66 },
	{ CANDIDATES_COMMAND, 24, 24 },	  { CANDIDATES_RULE, 200, 9999 },
	{ CANDIDATES_SBI_CALL, 50, 999 }, { CANDIDATES_CSR, 100, 999 },
	{ CANDIDATES_CONSOLE, 2, 2 },	  { CANDIDATES_WHEN_FULL, 3, 3 },
	{ CANDIDATES_FIELD, 40, 40 },
};

TEST_ROWS(all_words_of_a_kind_come_and_no_more, count_rows)
{
	const struct count_row *row = &count_rows[_i];
	struct args args;
	unsigned n = 0;

	args_init(&args);
	candidates_each(NULL, &args, row->kind, count, &n);
	ck_assert_msg(n >= row->least && n <= row->most, "row %d: %u", _i, n);
	n = 0;
	candidates_each_value(NULL, "sv", count, &n);
	ck_assert_uint_eq(n, 0);
}

SUITE("suggest");
