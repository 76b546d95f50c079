/* SPDX-License-Identifier: BSD-2-Clause */
/* `pmuctl help COMMAND' is `pmuctl COMMAND --help', as people expect it. */
#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "text/exit-codes.h"

/* argp prints it, and does not come back. */
static int print_help_of(const struct command *c, struct args *args)
{
	char name[64], help[] = "--help";
	char *argv[] = { name, help, NULL };

	if (c)
		snprintf(name, sizeof(name), "pmuctl %s", c->name);
	else
		strcpy(name, "pmuctl");
	args_init(args);
	if (c)
		args_parse(args, c, 2, argv);
	else
		args_parse_common(args, 2, argv);
	return EXIT_OK;
}

static int help(struct pmud *s, struct args *args)
{
	const struct command *c;
	int words;

	if (!args->n_arg)
		return print_help_of(NULL, args);
	c = command_find((int)args->n_arg, args->arg, &words);
	if (c && (size_t)words == args->n_arg)
		return print_help_of(c, args);
	if (args->n_arg == 1 && command_print_list(stdout, args->arg[0]))
		return EXIT_OK;
	return command_unknown((int)args->n_arg, args->arg);
}

const struct command help_commands[] = {
	{ "help", "[COMMAND...]", "Help on a command, as COMMAND --help", 0, 0,
	  2, NO_DAEMON, help },
	{ 0 },
};
