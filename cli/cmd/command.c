/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds the command that a command line means: one word, or two where the first
 * names an object. Options of its own are parsed by args.c.
 */
#include "command.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/pmud.h"
#include "text/exit-codes.h"
#include "text/pager.h"
#include "text/report.h"
#include "suggest.h"
#include "text/table.h"
#include "text/tty.h"

static const struct command *const tables[] = {
	run_commands,	     list_commands, stat_commands,    trace_commands,
	machine_commands,    hart_commands, csr_commands,     reg_commands,
	mem_commands,	     sbi_commands,  dt_commands,      explain_commands,
	completion_commands, help_commands, version_commands,
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
	HELP_WIDTH = 78 - HELP_COLUMN
};

/* @text from the help's column on, in as many lines as it needs. */
static void print_help(FILE *out, const char *text)
{
	while (strlen(text) > HELP_WIDTH) {
		int len = HELP_WIDTH;

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
static bool in_group(const struct command *c, const char *word)
{
	size_t len = strlen(word);

	return !strncmp(c->name, word, len) && c->name[len] == ' ';
}

int command_print_list(FILE *out, const char *word)
{
	const struct command *c;
	int n = 0;

	for (size_t i = 0; (c = command_at(i)); i++) {
		if (word && !in_group(c, word))
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

/* The command that was meant: one word of @argv or two are wrong. */
static void suggest_command(int argc, char **argv)
{
	const struct command *c;
	struct suggest one, two;
	char words[2 * SUGGEST_MAX] = "";

	if (argc > 1)
		snprintf(words, sizeof(words), "%s %s", argv[0], argv[1]);
	suggest_init(&one, argv[0]);
	suggest_init(&two, words);
	for (size_t i = 0; (c = command_at(i)); i++) {
		suggest_consider(&one, c->name);
		suggest_consider(&two, c->name);
	}
	candidates_each(NULL, NULL, CANDIDATES_COMMAND, suggest_consider, &one);
	if (!suggest_say(&two) && one.distance)
		suggest_say(&one);
}

int command_unknown(int argc, char **argv)
{
	const struct command *c;
	bool group = false;

	for (size_t i = 0; (c = command_at(i)); i++)
		group |= in_group(c, argv[0]);
	if (argc > 1 && group)
		report_error("there is no command '%s %s'", argv[0], argv[1]);
	else if (group)
		report_error("'%s' needs one more word:", argv[0]);
	else
		report_error("there is no command '%s'", argv[0]);
	suggest_command(argc, argv);
	if (!command_print_list(stderr, argv[0]))
		fputs("Try `pmuctl --help'.\n", stderr);
	return EXIT_USAGE;
}

/* No command, but perhaps a name of several, of which help is wanted. */
static int unknown(int argc, char **argv)
{
	bool asked = argc > 1 &&
		     (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-?"));

	if (asked && command_print_list(stdout, argv[0]))
		return EXIT_OK;
	return command_unknown(argc, argv);
}

/* stdout may have failed late: a full disk is an error, too. */
static int finish(int code)
{
	if (pager_end())
		return code;
	report_error("cannot write to standard output");
	return code ? code : EXIT_FAILED;
}

static int run(const struct command *c, struct args *args)
{
	struct pmud *s = NULL;
	int code = EXIT_OK;

	if (c->daemon == NEEDS_DAEMON && (c->options & WITH(MACHINE)) &&
	    !args->machine) {
		report_error("%s needs --machine", c->name);
		return EXIT_USAGE;
	}
	if (c->daemon == NEEDS_DAEMON || c->daemon == MAY_START_DAEMON ||
	    (c->daemon == FILE_OR_DAEMON && args->machine))
		code = pmud_open(&s, args, c->daemon == MAY_START_DAEMON);
	if (!code)
		code = c->run(s, args);
	pmud_close(s);
	return code;
}

/* The options of how things are said. False: one is wrong. */
static bool set_manners(const struct args *args)
{
	if (args->quiet)
		report_no_notes();
	if (args->no_pager)
		pager_refuse();
	if (args->no_headings)
		table_no_headings();
	return tty_setup(args);
}

int command_main(int argc, char **argv)
{
	static struct args args;
	char name[64];
	const struct command *c;
	int words, at;

	args_init(&args);
	at = args_parse_common(&args, argc, argv);
	if (at == argc) {
		report_error("no command given; try `pmuctl --help'");
		return EXIT_USAGE;
	}
	if (!set_manners(&args))
		return EXIT_USAGE;
	c = command_find(argc - at, argv + at, &words);
	if (!c)
		return unknown(argc - at, argv + at);
	snprintf(name, sizeof(name), "pmuctl %s", c->name);
	at += words - 1;
	argv[at] = name;
	args_parse(&args, c, argc - at, argv + at);
	if (!set_manners(&args))
		return EXIT_USAGE;
	return finish(run(c, &args));
}
