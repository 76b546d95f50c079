/* SPDX-License-Identifier: BSD-2-Clause */
/* Command lines: each option lands in its field, mistakes exit with 2. */
#include <argp.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/args.h"
#include "cmd/command.h"
#include "text/exit-codes.h"
#include "cmd/machine-options.h"
#include "unit.h"

/* From main(). */
const char *argp_program_version = "test";

static struct args args;

static const struct command *command(const char *name)
{
	const struct command *c;

	for (size_t i = 0; (c = command_at(i)); i++) {
		if (strcmp(c->name, name) == 0)
			return c;
	}
	ck_abort_msg("no command %s", name);
}

/* Parses the words of @line, which must live on, for command @name. */
static void parse(const char *name, char *line)
{
	char *argv[32] = { line }, *word, *rest = line;
	int argc = 1;

	while ((word = strtok_r(rest, " ", &rest)))
		argv[argc++] = word;
	args_init(&args);
	args_parse(&args, command(name), argc, argv);
}

/*
 * What the help says of a command's arguments is what it takes. A file is not
 * needed where --machine can stand for it.
 */
TEST(a_command_takes_as_many_arguments_as_its_help_says)
{
	const struct command *c;
	unsigned n = 0;

	for (size_t i = 0; (c = command_at(i)); i++) {
		char text[128], *word, *rest = text;
		size_t all = 0, needed = 0;

		snprintf(text, sizeof(text), "%s", c->args ? c->args : "");
		if (strstr(text, "..."))
			continue;
		for (; (word = strtok_r(rest, " ", &rest)); all++)
			needed += *word != '[';
		if (c->daemon == FILE_OR_DAEMON)
			needed = 0;
		ck_assert_msg(c->min == needed && c->max == all,
			      "%s: %zu to %zu, not '%s'", c->name, c->min,
			      c->max, c->args);
		n++;
	}
	ck_assert_uint_gt(n, 50);
}

TEST(options_land_in_their_fields)
{
	char line[] = "--harts 4 --memory=64MiB -s a=b --set c= --max-insns 2k "
		      "image --stat --flat 0x80000000 -j --timeout 1.5";

	parse("run", line);
	ck_assert_uint_eq(args.harts, 4);
	ck_assert_uint_eq(args.memory, 64 << 20);
	ck_assert_uint_eq(args.n_set, 2);
	ck_assert_str_eq(args.set[0], "a=b");
	ck_assert_str_eq(args.set[1], "c=");
	ck_assert_uint_eq(args.max_insns, 2000);
	ck_assert_uint_eq(args.max_cycles, ARGS_UNSET);
	ck_assert(args.stat && args.json && !args.quiet);
	ck_assert_uint_eq(args.flat, 0x80000000);
	ck_assert_uint_eq(args.timeout, 1500);
	ck_assert_uint_eq(args.n_arg, 1);
	ck_assert_str_eq(args.arg[0], "image");
}

/* Also where it says what the default is, and whatever form it has. */
TEST(what_the_line_has_is_known_from_what_it_has_not)
{
	char line[] = "-m m1 --hart 0 --kind trap --json";
	char bare[] = "-m m1";

	parse("trace follow", line);
	for (int i = 0; i < N_OPTIONS; i++)
		ck_assert_int_eq(args_has(&args, (enum args_option)i),
				 i == OPTION_MACHINE || i == OPTION_HART ||
					 i == OPTION_KIND || i == OPTION_JSON);
	parse("trace follow", bare);
	ck_assert(args.given == WITH(MACHINE));
}

TEST(a_negative_number_is_an_argument)
{
	char line[] = "-m m1 a0 -1";

	parse("reg write", line);
	ck_assert_uint_eq(args.n_arg, 2);
	ck_assert_str_eq(args.arg[1], "-1");
}

static const struct wrong_row {
	const char *command, *line;
} wrong_rows[] = {
	{ "machine show", "" },
	{ "run", "one two" },
	{ "run", "--stat=1 image" },
	{ "run", "--harts image" },
	{ "run", "--harts -1 image" },
	{ "run", "--memory 1X image" },
	{ "run", "--set =x image" },
	{ "run", "--virtual image" },
	{ "run", "--timeout 0 image" },
	{ "run", "--max-insns 18446744073709551615 image" },
	{ "trace diff", "one" },
	{ "machine step", "m1 --count 1.5" },
	{ "run", "--entry 0 image" },
	{ "run", "--entry 0x0 image" },
	{ "machine load", "m1 image --entry 0" },
	{ "trace show", "trace -n 0" },
	{ "trace export", "trace --limit 0k" },
	{ "script", "-n0 trace" },
	{ "top", "-m m1 -n 0" },
};

TEST_ROWS(a_mistake_exits_with_2, wrong_rows)
{
	const struct wrong_row *row = &wrong_rows[_i];
	char line[128];
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr));
		argp_err_exit_status = EXIT_USAGE;
		strcpy(line, row->line);
		parse(row->command, line);
		_exit(EXIT_OK);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_USAGE,
		      "%s %s", row->command, row->line);
}

TEST(every_row_of_the_table_is_whole)
{
	const struct command *c;
	size_t n = 0;

	for (; (c = command_at(n)); n++) {
		ck_assert_ptr_nonnull(c->help);
		ck_assert(c->run != NULL);
		ck_assert_msg(c->min <= c->max, "%s", c->name);
		ck_assert_msg(!c->max == !c->args, "%s", c->name);
		ck_assert_msg(!(c->options & WITH_COMMON), "%s", c->name);
	}
	ck_assert_uint_gt(n, 30);
	for (int i = 0; i < N_OPTIONS; i++)
		ck_assert_ptr_nonnull(args_option_name((enum args_option)i));
}

static const char *setting(const struct machine_options *o, const char *key)
{
	for (size_t i = 0; i < o->config.n_settings; i++) {
		if (strcmp(o->config.settings[i]->key, key) == 0)
			return o->config.settings[i]->value;
	}
	return NULL;
}

TEST(options_go_over_the_trace_that_is_replayed)
{
	char line[] = "--memory 2M --set cpi=3 --max-cycles 9 image";
	Pmu__V1__Header header = PMU__V1__HEADER__INIT;
	Pmu__V1__MachineConfig config = PMU__V1__MACHINE_CONFIG__INIT;
	Pmu__V1__Setting a = PMU__V1__SETTING__INIT, b = a,
			 *list[] = { &a, &b };
	struct machine_base base = { .replay = &header, .rv32 = true };
	struct machine_options o;

	a.key = (char *)"cpi";
	a.value = (char *)"2";
	b.key = (char *)"xlen";
	b.value = (char *)"64";
	config.harts = 4;
	config.memory_bytes = 1 << 20;
	config.settings = list;
	config.n_settings = 2;
	header.config = &config;
	parse("run", line);
	ck_assert(machine_options_init(&o, &args, &base));
	ck_assert_uint_eq(o.config.harts, 4);
	ck_assert_uint_eq(o.config.memory_bytes, 2 << 20);
	ck_assert(o.config.recorded);
	ck_assert_str_eq(setting(&o, "cpi"), "3");
	ck_assert_str_eq(setting(&o, "xlen"), "64");
	ck_assert_str_eq(setting(&o, "max-cycles"), "9");
	machine_options_free(&o);
}

/* Else argp would put its text beside the column of all others. */
TEST_TIMES(an_option_ends_before_its_help_begins, N_OPTIONS)
{
	const char *value = args_option_value((enum args_option)_i);
	size_t end = strlen("  -x, --") +
		     strlen(args_option_name((enum args_option)_i)) +
		     (value ? strlen("=") + strlen(value) : 0);

	ck_assert_msg(end + 2 <= ARGS_HELP_COLUMN, "--%s ends at column %zu",
		      args_option_name((enum args_option)_i), end);
}

SUITE("args");
