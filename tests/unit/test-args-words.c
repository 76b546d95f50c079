/* SPDX-License-Identifier: BSD-2-Clause */
/* The words of options, as completion looks for them: cli/cmd/args.c. */
#include <argp.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cmd/args.h"
#include "unit.h"

/* From main(). */
const char *argp_program_version = "test";

static const struct word_row {
	const char *word;
	int want; /* N_OPTIONS: it is none */
} word_rows[] = {
	{ "--harts", OPTION_HARTS }, { "--harts=4", OPTION_HARTS },
	{ "--hart", OPTION_HART },   { "--hart=", OPTION_HART },
	{ "--har", N_OPTIONS },	     { "--hartsx", N_OPTIONS },
	{ "-harts", N_OPTIONS },     { "harts", N_OPTIONS },
	{ "--", N_OPTIONS },	     { "-", N_OPTIONS },
	{ "", N_OPTIONS },	     { "-m", OPTION_MACHINE },
	{ "-m=", N_OPTIONS },	     { "-mx", N_OPTIONS },
	{ "m", N_OPTIONS },	     { "xm", N_OPTIONS },
};

TEST_ROWS(an_option_is_found_by_its_word, word_rows)
{
	ck_assert_int_eq((int)args_option_find(word_rows[_i].word),
			 word_rows[_i].want);
}

/* Every one, alone and with a value behind it. */
TEST_TIMES(each_option_has_a_word_of_its_own, N_OPTIONS)
{
	const enum args_option option = (enum args_option)_i;
	const char *name = args_option_name(option);
	char word[64];

	ck_assert_uint_gt(strlen(name), 1);
	ck_assert_uint_eq(strspn(name, "abcdefghijklmnopqrstuvwxyz-"),
			  strlen(name));
	snprintf(word, sizeof(word), "--%s", name);
	ck_assert_int_eq((int)args_option_find(word), _i);
	strcat(word, "=1");
	ck_assert_int_eq((int)args_option_find(word), _i);
	ck_assert(!args_option_has_value(option) == !args_option_value(option));
}

TEST_RANGE(options_have_letters_or_none, 1, 256)
{
	const char word[] = { '-', (char)_i, '\0' };

	ck_assert_msg(args_option_find(word) == N_OPTIONS || isalpha(_i),
		      "a letter is %d", _i);
}

SUITE("args-words");
