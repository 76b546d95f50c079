/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of commands: which one words name, and what is said of others. */
#include <string.h>

#include "captured.h"
#include "cmd/command.h"
#include "text/exit-codes.h"

static const struct find_row {
	const char *argv[3];
	const char *want; /* NULL: none */
	int words;
} find_rows[] = {
	{ { "run" }, "run", 1 },
	{ { "run", "list" }, "run", 1 },
	{ { "list" }, "list", 1 },
	{ { "list", "events" }, "list events", 2 },
	{ { "list", "event" }, "list", 1 },
	{ { "machine", "list" }, "machine list", 2 },
	{ { "machine", "list", "x" }, "machine list", 2 },
	{ { "machine" }, NULL, 0 },
	{ { "machine", "lis" }, NULL, 0 },
	{ { "machine list" }, NULL, 0 },
	{ { "mach", "list" }, NULL, 0 },
	{ { "ru" }, NULL, 0 },
	{ { "runs" }, NULL, 0 },
	{ { "" }, NULL, 0 },
	{ { "", "list" }, NULL, 0 },
};

static int count(const char *const argv[3])
{
	int n = 0;

	while (n < 3 && argv[n])
		n++;
	return n;
}

TEST_ROWS(one_word_or_two_name_a_command, find_rows)
{
	const struct find_row *row = &find_rows[_i];
	int words = -1;
	const struct command *c =
		command_find(count(row->argv), (char **)row->argv, &words);

	ck_assert_msg(!c == !row->want, "%s", row->argv[0]);
	if (c)
		ck_assert_str_eq(c->name, row->want);
	ck_assert_int_eq(words, row->words);
}

TEST(every_row_of_the_table_is_whole)
{
	const struct command *c;
	size_t n = 0;

	for (; (c = command_at(n)); n++) {
		char copy[64], *argv[] = { copy, NULL, NULL };
		int words;

		snprintf(copy, sizeof(copy), "%s", c->name);
		argv[1] = strchr(copy, ' ');
		if (argv[1])
			*argv[1]++ = '\0';
		ck_assert_ptr_eq(command_find(argv[1] ? 2 : 1, argv, &words),
				 c);
		ck_assert(c->run);
		ck_assert_ptr_nonnull(c->help);
		ck_assert_msg(c->min <= c->max, "%s", c->name);
		ck_assert_msg((c->max > 0) == (c->args != NULL), "%s", c->name);
	}
	ck_assert_uint_gt(n, 40);
}

/* Of its arguments as help names them: how many there are at least, at most. */
static void count_named(const char *args, size_t *ret_min, size_t *ret_max)
{
	*ret_min = *ret_max = 0;
	while (args && *args) {
		size_t n = strcspn(args, " ");
		bool more = memmem(args, n, "...", 3) || *args == '-';

		*ret_min += *args != '[' && !more;
		*ret_max = more ? SIZE_MAX : *ret_max + (*ret_max < SIZE_MAX);
		if (!strncmp(args, "[--", 3)) /* another command */
			*ret_max = SIZE_MAX, n = strlen(args);
		args += n + strspn(args + n, " ");
	}
}

/* Of a file or of a machine; a call's name, or two numbers and six values; a
 * command's words. */
static const struct {
	const char *name;
	size_t min, max;
} other_counts[] = {
	{ "script", 0, 1 },
	{ "trace show", 0, 1 },
	{ "sbi call", 1, 8 },
	{ "help", 0, 2 },
};

TEST(as_many_arguments_are_taken_as_help_names)
{
	const struct command *c;

	for (size_t n = 0; (c = command_at(n)); n++) {
		size_t min, max;

		count_named(c->args, &min, &max);
		for (size_t i = 0; i < ARRAY_SIZE(other_counts); i++) {
			if (strcmp(other_counts[i].name, c->name) != 0)
				continue;
			min = other_counts[i].min;
			max = other_counts[i].max;
		}
		ck_assert_msg(c->min == min, "%s: %zu", c->name, c->min);
		ck_assert_msg(max == SIZE_MAX ? c->max > 8 : c->max == max,
			      "%s: %zu", c->name, c->max);
	}
}

static const struct unknown_row {
	const char *argv[3];
	const char *first, *note; /* of what is said; NULL: no such note */
	bool lists;		  /* the commands of the group */
} unknown_rows[] = {
	{ { "rnu" },
	  "there is no command 'rnu'",
	  "did you mean 'run'?",
	  false },
	{ { "machine" }, "'machine' needs one more word:", NULL, true },
	{ { "machine", "lsit" },
	  "there is no command 'machine lsit'",
	  "did you mean 'machine list'?",
	  true },
	{ { "machin", "list" },
	  "there is no command 'machin'",
	  "did you mean 'machine list'?",
	  false },
	{ { "xyzzy", "plugh" }, "there is no command 'xyzzy'", NULL, false },
};

TEST_ROWS(a_command_that_is_not_there_is_told, unknown_rows)
{
	const struct unknown_row *row = &unknown_rows[_i];
	char first[100];
	const char *said;
	int code;

	capture();
	code = command_unknown(count(row->argv), (char **)row->argv);
	said = capture_end();
	ck_assert_int_eq(code, EXIT_USAGE);
	snprintf(first, sizeof(first), "pmuctl: %s\n", row->first);
	ck_assert_msg(!strncmp(said, first, strlen(first)), "%s", said);
	if (row->note)
		ck_assert_msg(strstr(said, row->note), "%s", said);
	else
		ck_assert_msg(!strstr(said, "did you mean"), "%s", said);
	ck_assert_msg(!strstr(said, "  machine list ") == !row->lists, "%s",
		      said);
	ck_assert_msg(!strstr(said, "Try `pmuctl --help'") == row->lists, "%s",
		      said);
}

static const struct list_row {
	const char *word; /* NULL: all */
	int least, most;
	const char *line;
} list_rows[] = {
	{ NULL, 41, 99, "  run                  Run a guest" },
	{ "hart", 1, 1,
	  "  hart list            List the harts of a machine\n" },
	{ "reg", 2, 2, "  reg list             " },
	{ "machine", 15, 30,
	  "  machine pause        Stop a running machine\n" },
	{ "mach", 0, 0, "" },
	{ "run", 0, 0, "" },
	{ "", 0, 0, "" },
};

TEST_ROWS(commands_are_listed_by_their_first_word, list_rows)
{
	const struct list_row *row = &list_rows[_i];
	static char text[16384];
	FILE *out = fmemopen(text, sizeof(text), "w");
	int n = command_print_list(out, row->word);

	fclose(out);
	ck_assert_msg(n >= row->least && n <= row->most, "%d", n);
	ck_assert_msg(strstr(text, row->line), "%s", text);
	for (const char *p = text; *p; p = strchr(p, '\n') + 1)
		ck_assert_uint_le(strcspn(p, "\n"), 78);
}

SUITE("command");
