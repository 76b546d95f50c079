/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All commands, and which of them words name: one word, or two where the first
 * names an object.
 */
#include "command.h"

#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "text/tty.h"

static const struct command *const tables[] = {
	run_commands,	  gdb_commands,		 list_commands,
	stat_commands,	  monitor_commands,	 record_commands,
	report_commands,  top_commands,		 inject_commands,
	trace_commands,	  trace_export_commands, trace_unwind_commands,
	machine_commands, hart_commands,	 csr_commands,
	reg_commands,	  mem_commands,		 sbi_commands,
	dt_commands,	  explain_commands,	 completion_commands,
	help_commands,	  version_commands,
};

const struct command *command_at(size_t i)
{
	for (size_t t = 0; t < sizeof(tables) / sizeof(*tables); t++) {
		for (const struct command *c = tables[t]; c->name; c++) {
			if (i-- == 0)
				return c;
		}
	}
	return NULL;
}

/* How many words of @argv name @c: 0, 1 or 2. */
static int words_naming(const struct command *c, int argc, char **argv)
{
	size_t first = strcspn(c->name, " ");

	if (argc < 1 || strlen(argv[0]) != first ||
	    strncmp(c->name, argv[0], first) != 0)
		return 0;
	if (!c->name[first])
		return 1;
	return argc > 1 && strcmp(c->name + first + 1, argv[1]) == 0 ? 2 : 0;
}

const struct command *command_find(int argc, char **argv, int *ret_words)
{
	const struct command *c, *best = NULL;

	*ret_words = 0;
	for (size_t i = 0; (c = command_at(i)); i++) {
		int n = words_naming(c, argc, argv);

		if (n > *ret_words) {
			*ret_words = n;
			best = c;
		}
	}
	return best;
}

enum {
	HELP_COLUMN = 23,
	HELP_LEAST = 10 /* columns of it */
};

/* How many columns the help of a command has. */
static int help_width(void)
{
	size_t width = tty_width(stdout);

	if (!width)
		width = ARGS_HELP_WIDTH;
	return width < HELP_COLUMN + HELP_LEAST + 2
		       ? HELP_LEAST
		       : (int)width - 2 - HELP_COLUMN;
}

/* @text from the help's column on, in as many lines as it needs. */
static void print_help(FILE *out, const char *text)
{
	int most = help_width();

	while (strlen(text) > (size_t)most) {
		int len = most;

		while (len > 0 && text[len] != ' ')
			len--;
		if (!len)
			break;
		fprintf(out, "%.*s\n%*s", len, text, HELP_COLUMN, "");
		text += len + 1;
	}
	fprintf(out, "%s\n", text);
}

/* Is @word the first of the two of @c's name? */
bool command_in_group(const struct command *c, const char *word)
{
	size_t len = strlen(word);

	return !strncmp(c->name, word, len) && c->name[len] == ' ';
}

int command_print_list(FILE *out, const char *word)
{
	const struct command *c;
	int n = 0;

	for (size_t i = 0; (c = command_at(i)); i++) {
		if (word && !command_in_group(c, word))
			continue;
		fprintf(out, "  %-20s ", c->name);
		print_help(out, c->help);
		n++;
	}
	return n;
}

char *command_help(int key, const char *text, void *input)
{
	char *list = NULL;
	size_t size;
	FILE *out;

	if (key != ARGP_KEY_HELP_POST_DOC)
		return (char *)text;
	out = open_memstream(&list, &size);
	if (!out)
		return (char *)text;
	fputs("Commands (pmuctl COMMAND --help tells more):\n", out);
	command_print_list(out, NULL);
	fputs("\nExit codes are in pmuctl(1).", out);
	fclose(out);
	return list;
}
