/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The one parser behind the table of options (args-rows.c). Which options a
 * command takes stands in its row (command.h); what they mean, in its file.
 */
#include "args.h"

#include <argp.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "args-rows.h"
#include "command.h"
#include "text/exit-codes.h"
#include "number.h"
#include "text/report.h"
#include "text/tty.h"

enum {
	KEY_FIRST = 256
};

struct parsing {
	struct args *args;
	const struct command *command; /* NULL: only the common options */
	args_set options;
	int next; /* where the common ones ended */
};

void args_init(struct args *a)
{
	memset(a, 0, sizeof(*a));
	a->harts = a->memory = a->max_insns = a->max_cycles = ARGS_UNSET;
	a->flat = a->entry = a->counter = a->insn = a->cycle = ARGS_UNSET;
	a->period = a->trace_bytes = ARGS_UNSET;
	a->at_insn = a->explain_misses = ARGS_UNSET;
	a->count = a->number = 1;
}

const char *args_option_name(enum args_option option)
{
	return args_rows[option].name;
}

bool args_option_has_value(enum args_option option)
{
	return args_rows[option].type != TYPE_FLAG;
}

const char *args_option_value(enum args_option option)
{
	return args_rows[option].arg;
}

size_t args_option_values(const struct args *a, enum args_option option,
			  const char *const **ret)
{
	const struct option_row *row = &args_rows[option];
	const char *field = (const char *)a + row->offset;

	if (row->type == TYPE_LIST) {
		*ret = ((const struct args_list *)field)->item;
		return ((const struct args_list *)field)->n;
	}
	*ret = (const char *const *)field;
	return row->type == TYPE_TEXT && **ret;
}

enum args_option args_option_find(const char *word)
{
	size_t len = strcspn(word, "=");

	for (int i = 0; i < N_OPTIONS; i++) {
		if (!strncmp(word, "--", 2) &&
		    strlen(args_rows[i].name) + 2 == len &&
		    !strncmp(word + 2, args_rows[i].name, len - 2))
			return (enum args_option)i;
		if (word[0] == '-' && args_rows[i].letter &&
		    word[1] == args_rows[i].letter && !word[2])
			return (enum args_option)i;
	}
	return N_OPTIONS;
}

/* A number into its field; false: it is none. */
static bool take_number(const struct option_row *row, const char *text,
			uint64_t *field)
{
	switch (row->type) {
	case TYPE_NUMBER:
	case TYPE_NONZERO:
		return number_parse(text, field) && *field != ARGS_UNSET;
	case TYPE_COUNT:
	case TYPE_POSITIVE:
		return number_parse_count(text, field) && *field != ARGS_UNSET;
	case TYPE_SIZE:
		return number_parse_size(text, field) && *field != ARGS_UNSET;
	case TYPE_SECONDS:
		return number_parse_seconds(text, field) && *field != 0;
	case TYPE_FLAG:
	case TYPE_TEXT:
	case TYPE_SET:
	case TYPE_LIST:
		break;
	}
	return false;
}

static void refuse_number(const struct option_row *row, const char *arg,
			  struct argp_state *state)
{
	const char *what = row->type == TYPE_SIZE      ? "size"
			   : row->type == TYPE_SECONDS ? "time"
						       : "number";

	if (row->type != TYPE_SECONDS && number_is_too_large(arg))
		argp_error(state, "--%s: '%s' is too large", row->name, arg);
	argp_error(state, "--%s: '%s' is not a %s", row->name, arg, what);
}

/* The protocol has it as what was not asked for. */
static void check_zero(const struct option_row *row, uint64_t value,
		       struct argp_state *state)
{
	if (!value && row->type == TYPE_POSITIVE)
		argp_error(state, "--%s: must be at least 1", row->name);
	if (!value && row->type == TYPE_NONZERO)
		argp_error(state, "--%s: must not be 0", row->name);
}

static void take_set(struct args *a, char *arg, struct argp_state *state)
{
	const char *equals = strchr(arg, '=');

	if (!equals || equals == arg)
		argp_error(state, "--set: '%s' is not KEY=VALUE", arg);
	if (a->n_set == ARGS_MAX)
		argp_error(state, "--set: more than %d settings", ARGS_MAX);
	a->set[a->n_set++] = arg;
}

static void take_item(struct args_list *list, const struct option_row *row,
		      const char *arg, struct argp_state *state)
{
	if (list->n == ARGS_LIST)
		argp_error(state, "--%s: more than %d times", row->name,
			   ARGS_LIST);
	list->item[list->n++] = arg;
}

static void take_option(struct args *a, int option, char *arg,
			struct argp_state *state)
{
	const struct option_row *row = &args_rows[option];
	char *field = (char *)a + row->offset;

	a->given |= (args_set)1 << option;
	switch (row->type) {
	case TYPE_FLAG:
		*(bool *)field = true;
		return;
	case TYPE_TEXT:
		*(const char **)field = arg;
		return;
	case TYPE_SET:
		take_set(a, arg, state);
		return;
	case TYPE_LIST:
		take_item((struct args_list *)field, row, arg, state);
		return;
	case TYPE_NUMBER:
	case TYPE_NONZERO:
	case TYPE_COUNT:
	case TYPE_POSITIVE:
	case TYPE_SIZE:
	case TYPE_SECONDS:
		if (!take_number(row, arg, (uint64_t *)field))
			refuse_number(row, arg, state);
		check_zero(row, *(uint64_t *)field, state);
		return;
	}
}

static int key_of(int option)
{
	return args_rows[option].letter ? args_rows[option].letter
					: KEY_FIRST + option;
}

static void take_positional(struct parsing *p, char *arg,
			    struct argp_state *state)
{
	struct args *a = p->args;

	if (!p->command) {
		p->next = state->next - 1;
		state->next = state->argc;
		return;
	}
	if (a->n_arg == ARGS_MAX || a->n_arg >= p->command->max)
		argp_error(state, "too many arguments: '%s'", arg);
	a->arg[a->n_arg++] = arg;
}

static void check_end(const struct parsing *p, struct argp_state *state)
{
	if (p->command && p->args->n_arg < p->command->min)
		argp_error(state, "missing argument: %s", p->command->args);
}

/*
 * "-1" is a number and no option, but getopt() cannot know: such words get a
 * mark in front, which is taken off here. They are short.
 */
enum {
	NEGATIVE = '\1',
	MARKED_MAX = 32
};

static char *unmarked(char *arg)
{
	return arg && *arg == NEGATIVE ? arg + 1 : arg;
}

static void mark_negatives(char **argv, int argc,
			   char marked[ARGS_MAX][MARKED_MAX])
{
	for (int i = 1, n = 0; i < argc && n < ARGS_MAX; i++) {
		if (argv[i][0] != '-' || !isdigit((unsigned char)argv[i][1]) ||
		    strlen(argv[i]) > MARKED_MAX - 2)
			continue;
		marked[n][0] = NEGATIVE;
		strcpy(marked[n] + 1, argv[i]);
		argv[i] = marked[n++];
	}
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct parsing *p = state->input;

	arg = unmarked(arg);

	if (key == ARGP_KEY_ARG) {
		take_positional(p, arg, state);
		return 0;
	}
	if (key == ARGP_KEY_END)
		check_end(p, state);
	for (int i = 0; i < N_OPTIONS; i++) {
		if (key == key_of(i) && p->options >> i & 1) {
			take_option(p->args, i, arg, state);
			return 0;
		}
	}
	return ARGP_ERR_UNKNOWN;
}

static const char *help_of(int option, const struct command *command)
{
	const struct option_help *own = command ? command->own : NULL;

	for (; own && own->help; own++)
		if (own->option == option)
			return own->help;
	return args_rows[option].help;
}

/* argp's table of @options, as they are for @command, which may be NULL. */
static void fill_options(struct argp_option *table, args_set options,
			 const struct command *command)
{
	size_t n = 0;

	for (int i = 0; i < N_OPTIONS; i++) {
		if (!(options >> i & 1))
			continue;
		table[n++] = (struct argp_option){
			.name = args_rows[i].name,
			.key = key_of(i),
			.arg = args_rows[i].arg,
			.doc = help_of(i, command),
			.group = WITH_COMMON >> i & 1 ? 2 : 1,
		};
	}
	table[n] = (struct argp_option){ 0 };
}

/* The columns of help: the terminal's, if it is not too narrow for two of it.
 */
static size_t help_width(void)
{
	size_t width = tty_width(stdout);

	if (!width)
		return ARGS_HELP_WIDTH;
	return width < ARGS_HELP_LEAST ? ARGS_HELP_LEAST : width;
}

/*
 * argp puts the text of an option that is too long for the first column beside
 * the second: none is (test-args.c).
 */
static void fit_help(const struct args *a)
{
	char format[64];

	(void)tty_setup(a); /* that its option is wrong is said later */
	snprintf(format, sizeof(format), "opt-doc-col=%d,rmargin=%zu",
		 ARGS_HELP_COLUMN, help_width() - 1);
	setenv("ARGP_HELP_FMT", format, false);
}

/* What argp cannot read it has not read: an error that is not the user's. */
static void parse_or_exit(const struct argp *argp, int argc, char **argv,
			  unsigned flags, struct parsing *p)
{
	bool own = getenv("ARGP_HELP_FMT") == NULL;
	int err;

	fit_help(p->args);
	err = argp_parse(argp, argc, argv, flags, NULL, p);
	if (own)
		unsetenv("ARGP_HELP_FMT");
	if (!err)
		return;
	report_error("the command line cannot be read: %s", strerror(err));
	exit(EXIT_FAILED);
}

int args_parse_common(struct args *a, int argc, char **argv)
{
	struct argp_option table[N_OPTIONS + 1];
	struct parsing p = { a, NULL, WITH_COMMON, argc };
	const struct argp argp = {
		.options = table,
		.parser = parse,
		.args_doc = "COMMAND [ARGUMENT...]",
		.doc = "Runs guests, and looks at machines, counters and "
		       "traces.\v",
		.help_filter = command_help,
	};

	fill_options(table, p.options, NULL);
	parse_or_exit(&argp, argc, argv, ARGP_IN_ORDER, &p);
	return p.next;
}

void args_parse(struct args *a, const struct command *command, int argc,
		char **argv)
{
	static char marked[ARGS_MAX][MARKED_MAX]; /* what @a points to */
	struct argp_option table[N_OPTIONS + 1];
	struct parsing p = { a, command, command->options | WITH_COMMON, 0 };
	const struct argp argp = {
		.options = table,
		.parser = parse,
		.args_doc = command->args,
		.doc = command->help,
	};

	a->command = command;
	fill_options(table, p.options, command);
	mark_negatives(argv, argc, marked);
	parse_or_exit(&argp, argc, argv, 0, &p);
}
