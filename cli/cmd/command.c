/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A whole command line: the command that it means is found in the table
 * (command-table.c), its options are parsed (args.c), and it is run.
 */
#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command-files.h"
#include "session/pmud.h"
#include "text/exit-codes.h"
#include "text/pager.h"
#include "text/report.h"
#include "suggest.h"
#include "text/table.h"
#include "text/tty.h"

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
		group |= command_in_group(c, argv[0]);
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
	int code;

	if (c->daemon == NEEDS_DAEMON && (c->options & WITH(MACHINE)) &&
	    !args->machine) {
		report_error("%s needs --machine", c->name);
		return EXIT_USAGE;
	}
	code = command_files_check(args);
	if (code)
		return code;
	if (c->daemon == NEEDS_DAEMON || c->daemon == MAY_START_DAEMON ||
	    (c->daemon == FILE_OR_DAEMON && args->machine))
		code = pmud_open(&s, args, c->daemon == MAY_START_DAEMON);
	if (!code)
		code = c->run(s, args);
	pmud_close(s);
	return code;
}

/* The options of how things are said. False: one is wrong. */
static bool apply_output_options(const struct args *args)
{
	report_notes(!args->quiet);
	pager_allow(!args->no_pager);
	table_headings(!args->no_headings);
	if (tty_setup(args))
		return true;
	report_error("--color: '%s' is not auto, always or never", args->color);
	return false;
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
	if (!apply_output_options(&args))
		return EXIT_USAGE;
	c = command_find(argc - at, argv + at, &words);
	if (!c)
		return finish(unknown(argc - at, argv + at));
	snprintf(name, sizeof(name), "pmuctl %s", c->name);
	at += words - 1;
	argv[at] = name;
	args_parse(&args, c, argc - at, argv + at);
	if (!apply_output_options(&args))
		return EXIT_USAGE;
	if (!args.output)
		args.output = c->output;
	return finish(run(c, &args));
}
