/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Completion for bash, from the same tables that parse: the script asks pmuctl
 * itself, so it cannot go stale.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "exit-codes.h"

static const char bash[] =
	"_pmuctl()\n"
	"{\n"
	"\tlocal IFS=$'\\n' word=${COMP_WORDS[COMP_CWORD]}\n"
	"\tlocal names\n"
	"\tnames=$(pmuctl completion words -- "
	"\"${COMP_WORDS[@]:1:COMP_CWORD-1}\""
	" 2>/dev/null)\n"
	"\tCOMPREPLY=($(compgen -W \"$names\" -- \"$word\"))\n"
	"\t[ ${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "
	"\"$word\"))\n"
	"}\n"
	"complete -o filenames -F _pmuctl pmuctl\n";

static int print_bash(struct conn *s, struct args *args)
{
	fputs(bash, stdout);
	return EXIT_OK;
}

/* Does the beginning of @c's name consist of the first @n words of @args? */
static bool begins(const struct command *c, const struct args *args, size_t n)
{
	const char *at = c->name;

	for (size_t i = 0; i < n; i++) {
		size_t len = strcspn(at, " ");

		if (strlen(args->arg[i]) != len ||
		    strncmp(at, args->arg[i], len) != 0)
			return false;
		at += len;
		at += *at == ' ';
	}
	return *at || n == 0 || c->name[strlen(c->name) - 1] != ' ';
}

static void print_options(uint64_t options)
{
	for (int i = 0; i < N_OPTIONS; i++) {
		if (options >> i & 1)
			printf("--%s\n", args_option_name((enum args_option)i));
	}
}

/* The command that the words already name, if they name one. */
static const struct command *named(const struct args *args)
{
	const struct command *c, *best = NULL;

	for (size_t i = 0; (c = command_at(i)); i++) {
		size_t words = strchr(c->name, ' ') ? 2 : 1;

		if (words <= args->n_arg && begins(c, args, words) &&
		    (!best || words == 2))
			best = c;
	}
	return best;
}

/* What may follow the words given: names of commands, or options. */
static int print_words(struct conn *s, struct args *args)
{
	const struct command *c = named(args);
	const char *last = NULL;

	if (c)
		print_options(c->options | WITH_COMMON);
	for (size_t i = 0; args->n_arg < 2 && (c = command_at(i)); i++) {
		size_t skip = args->n_arg ? strcspn(c->name, " ") : 0;
		const char *word = c->name + skip + (c->name[skip] == ' ');
		size_t len = strcspn(word, " ");

		if (!*word || !begins(c, args, args->n_arg))
			continue;
		if (!last || strncmp(last, word, len) || last[len] != word[len])
			printf("%.*s\n", (int)len, word);
		last = word;
	}
	return EXIT_OK;
}

const struct command completion_commands[] = {
	{ "completion bash", NULL, "Print a completion script for bash", 0, 0,
	  0, NO_DAEMON, print_bash },
	{ "completion words", "[WORD...]",
	  "Print what may follow these words of a command line", 0, 0, ARGS_MAX,
	  NO_DAEMON, print_words },
	{ 0 },
};
