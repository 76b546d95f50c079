/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Completion for bash, zsh and fish, from the same tables that parse: the
 * scripts ask pmuctl itself, so they cannot go stale. Where pmuctl knows no
 * words, a file is meant.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "session/pmud.h"
#include "text/exit-codes.h"
#include "candidates.h"

/* bash cuts words at = and :, so the line is taken and what it cut removed. */
static const char bash[] =
	"_pmuctl()\n"
	"{\n"
	"\tlocal IFS=$' \\t\\n' line=${COMP_LINE:0:COMP_POINT} words cut\n"
	"\tread -ra words <<<\"$line\"\n"
	"\t[[ $line != *[[:space:]] ]] || words+=(\"\")\n"
	"\tlocal word=${words[-1]}\n"
	"\tcut=${word%\"${word##*[=:]}\"}\n"
	"\tIFS=$'\\n'\n"
	"\tCOMPREPLY=($(pmuctl completion words -- \"${words[@]:1}\" "
	"2>/dev/null))\n"
	"\tCOMPREPLY=(\"${COMPREPLY[@]#\"$cut\"}\")\n"
	"\t[[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace\n"
	"\t[ -n \"${COMPREPLY[0]-}\" ] || {\n"
	"\t\tcompopt -o filenames\n"
	"\t\tCOMPREPLY=($(compgen -f -- \"${word#\"$cut\"}\"))\n"
	"\t}\n"
	"}\n"
	"complete -F _pmuctl pmuctl\n";

static const char zsh[] = "#compdef pmuctl\n"
			  "_pmuctl()\n"
			  "{\n"
			  "\tlocal -a found open\n"
			  "\tfound=(${(f)\"$(pmuctl completion words -- "
			  "\"${(@)words[2,CURRENT]}\" 2>/dev/null)\"})\n"
			  "\topen=(${(M)found:#*=})\n"
			  "\tfound=(${found:#*=})\n"
			  "\t(( $#found + $#open )) || { _files; return }\n"
			  "\t(( $#open == 0 )) || compadd -S '' -a open\n"
			  "\t(( $#found == 0 )) || compadd -a found\n"
			  "}\n"
			  "if [ \"$funcstack[1]\" = _pmuctl ]; then _pmuctl; "
			  "else compdef _pmuctl pmuctl; fi\n";

static const char fish[] =
	"function __pmuctl_words\n"
	"\tset -l found (pmuctl completion words -- (commandline -opc)[2..-1] "
	"(commandline -ct) 2>/dev/null)\n"
	"\tif test (count $found) -gt 0\n"
	"\t\tprintf '%s\\n' $found\n"
	"\telse\n"
	"\t\t__fish_complete_path (commandline -ct)\n"
	"\tend\n"
	"end\n"
	"complete -c pmuctl -f -a '(__pmuctl_words)'\n";

static int print_bash(struct pmud *s, struct args *args)
{
	fputs(bash, stdout);
	return EXIT_OK;
}

static int print_zsh(struct pmud *s, struct args *args)
{
	fputs(zsh, stdout);
	return EXIT_OK;
}

static int print_fish(struct pmud *s, struct args *args)
{
	fputs(fish, stdout);
	return EXIT_OK;
}

/* What is known of the line up to the word that is being written. */
struct typed_line {
	char *names[ARGS_MAX]; /* words that are no options, nor their values */
	size_t n;
	enum args_option pending; /* its value is being written, or N_OPTIONS */
	const char *word;	  /* being written */
	struct args args;	  /* --address and --machine, if given */
	const struct command *command;
	int words; /* of its name */
};

/* Takes the value of option @o, which is needed to ask a daemon. */
static void note_value(struct typed_line *l, enum args_option o,
		       const char *value)
{
	if (o == OPTION_ADDRESS)
		l->args.address = value;
	else if (o == OPTION_MACHINE)
		l->args.machine = value;
}

static void read_line(struct typed_line *l, const struct args *args)
{
	memset(l, 0, sizeof(*l));
	args_init(&l->args);
	l->pending = N_OPTIONS;
	l->word = args->n_arg ? args->arg[args->n_arg - 1] : "";
	for (size_t i = 0; i + 1 < args->n_arg; i++) {
		char *word = args->arg[i];
		enum args_option o = args_option_find(word);

		if (l->pending != N_OPTIONS) {
			note_value(l, l->pending, word);
			l->pending = N_OPTIONS;
		} else if (o != N_OPTIONS && strchr(word, '=')) {
			note_value(l, o, strchr(word, '=') + 1);
		} else if (o != N_OPTIONS) {
			if (args_option_has_value(o))
				l->pending = o;
		} else if (word[0] != '-') {
			l->names[l->n++] = word;
		}
	}
	l->command = command_find((int)l->n, l->names, &l->words);
}

/* Words are printed with what stands before them in the word being written. */
struct offer {
	const char *begin; /* the word being written, from its own part on */
	const char *head;  /* "--set=": printed before each */
	int head_len;
	const char *tail; /* "=": printed behind */
};

static void offer_word(void *arg, const char *word)
{
	const struct offer *o = arg;

	if (strncmp(word, o->begin, strlen(o->begin)) == 0)
		printf("%.*s%s%s\n", o->head_len, o->head, word, o->tail);
}

/* The daemon that has words of @kind; NULL: none is needed, or none there. */
static struct pmud *connect_for(struct typed_line *l, enum candidates kind)
{
	struct pmud *s = NULL;
	enum candidates_source from = candidates_source(kind);

	if (kind == CANDIDATES_CSR && !l->args.machine)
		return NULL;
	if (from != FROM_PMUCTL)
		pmud_open(&s, &l->args, from == FROM_ANY_PMUD);
	return s;
}

/* KEY=VALUE: keys, then the values of one; a hart's own by hartN.KEY. */
static void offer_setting(struct pmud *s, struct typed_line *l, struct offer *o)
{
	const char *equals = strchr(o->begin, '=');
	const char *dot = strchr(o->begin, '.');
	char key[64];

	if (!strncmp(o->begin, "hart", 4) && dot && (!equals || dot < equals)) {
		o->head_len += (int)(dot + 1 - o->begin);
		o->begin = dot + 1;
	}
	if (!equals) {
		o->tail = "=";
		candidates_each(s, &l->args, CANDIDATES_SETTING, offer_word, o);
		return;
	}
	snprintf(key, sizeof(key), "%.*s", (int)(equals - o->begin), o->begin);
	o->head_len += (int)(equals + 1 - o->begin);
	o->begin = equals + 1;
	candidates_each_value(s, key, offer_word, o);
}

/* Of several words only the one behind the last of @between is being written.
 */
static void offer_last(struct offer *o, const char *between)
{
	const char *at = o->begin;

	for (const char *c = at; *c; c++)
		if (strchr(between, *c))
			at = c + 1;
	o->head_len += (int)(at - o->begin);
	o->begin = at;
}

/* @begin is the part of the word being written that stands in @place. */
static void offer_place(struct typed_line *l, const char *place,
			const char *begin)
{
	enum candidates kind = candidates_at(place);
	struct offer o = { begin, l->word, (int)(begin - l->word), "" };
	struct pmud *s = connect_for(l, kind);

	if (kind == CANDIDATES_RECORD_KIND || kind == CANDIDATES_STORED ||
	    kind == CANDIDATES_EVENT)
		offer_last(&o, ",");
	if (kind == CANDIDATES_FIELD)
		offer_last(&o, " !(&|'\"");
	if (kind == CANDIDATES_SETTING)
		offer_setting(s, l, &o);
	else
		candidates_each(s, &l->args, kind, offer_word, &o);
	pmud_close(s);
}

static void offer_options(const struct typed_line *l)
{
	args_set options = WITH_COMMON | (l->command ? l->command->options : 0);
	struct offer o = { l->word, "", 0, "" };
	char name[64];

	for (int i = 0; i < N_OPTIONS; i++) {
		if (!(options >> i & 1))
			continue;
		snprintf(name, sizeof(name), "--%s",
			 args_option_name((enum args_option)i));
		offer_word(&o, name);
	}
	offer_word(&o, "--help");
}

/* The next word of the commands whose name begins with those given. */
static void offer_commands(const struct typed_line *l, size_t first)
{
	struct offer o = { l->word, "", 0, "" };
	char last[64] = "", word[64];
	const struct command *c;

	for (size_t i = 0; (c = command_at(i)); i++) {
		size_t len = strcspn(c->name, " ");
		const char *at = c->name;

		if (l->n == first + 1) {
			if (strlen(l->names[first]) != len || !c->name[len] ||
			    strncmp(c->name, l->names[first], len) != 0)
				continue;
			at += len + 1;
		}
		snprintf(word, sizeof(word), "%.*s", (int)strcspn(at, " "), at);
		if (strcmp(word, last) != 0)
			offer_word(&o, word);
		strcpy(last, word);
	}
}

/* What the help calls the @n-th positional argument; the last may repeat. */
static const char *place_at(const char *args, size_t n)
{
	while (args && n-- > 0) {
		const char *space = strchr(args, ' ');

		if (!space)
			return strstr(args, "...") ? args : "";
		args = space + 1;
	}
	return args ? args : "";
}

static int print_words(struct pmud *s, struct args *args)
{
	struct typed_line l;
	enum args_option o;

	read_line(&l, args);
	o = args_option_find(l.word);
	if (l.pending != N_OPTIONS) {
		offer_place(&l, args_option_value(l.pending), l.word);
	} else if (o != N_OPTIONS && strchr(l.word, '=')) {
		if (args_option_has_value(o))
			offer_place(&l, args_option_value(o),
				    strchr(l.word, '=') + 1);
	} else if (l.word[0] == '-') {
		offer_options(&l);
	} else if (l.n && !strcmp(l.names[0], "help")) {
		if (l.n <= 2) /* of a command, two words at most */
			offer_commands(&l, 1);
	} else {
		if (l.n < 2)
			offer_commands(&l, 0);
		if (l.command)
			offer_place(&l,
				    place_at(l.command->args,
					     l.n - (size_t)l.words),
				    l.word);
	}
	return EXIT_OK;
}

const struct command completion_commands[] = {
	{ "completion bash", NULL, "Print a completion script for bash", 0, 0,
	  0, NO_DAEMON, print_bash },
	{ "completion zsh", NULL, "Print a completion script for zsh", 0, 0, 0,
	  NO_DAEMON, print_zsh },
	{ "completion fish", NULL, "Print a completion script for fish", 0, 0,
	  0, NO_DAEMON, print_fish },
	{ "completion words", "[WORD...]",
	  "Print what the last of these words of a command line may be", 0, 0,
	  ARGS_MAX, NO_DAEMON, print_words },
	{ 0 },
};
