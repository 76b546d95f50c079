/* SPDX-License-Identifier: BSD-2-Clause */
/* No file is written that a command reads or writes elsewhere. */
#include <argp.h>
#include <ftw.h>
#include <string.h>
#include <sys/stat.h>

#include "captured.h"
#include "cmd/command-files.h"
#include "cmd/command.h"
#include "text/exit-codes.h"

/* From main(). */
const char *argp_program_version = "test";

static char folder[] = "/tmp/test-command-files-XXXXXX";
static int stdio_was[2];

static void store(const char *path)
{
	FILE *out = fopen(path, "w");

	ck_assert_ptr_nonnull(out);
	fputs("old", out);
	fclose(out);
}

/*
 * "t" with a second name and a link, a folder with a link, a link to what is
 * not there; standard input is "in", standard output "out".
 */
static void build(void)
{
	ck_assert_ptr_nonnull(mkdtemp(folder));
	ck_assert_int_eq(chdir(folder), 0);
	store("t");
	store("in");
	store("out");
	store("away");
	ck_assert_int_eq(link("t", "twin"), 0);
	ck_assert_int_eq(symlink("t", "link"), 0);
	ck_assert_int_eq(mkdir("sub", 0755), 0);
	ck_assert_int_eq(symlink("sub", "to-sub"), 0);
	ck_assert_int_eq(symlink("new", "to-new"), 0);
	fflush(stdout);
	for (int i = 0; i < 2; i++)
		stdio_was[i] = dup(i);
	dup2(open("in", O_RDONLY | O_CLOEXEC), 0);
	dup2(open("out", O_WRONLY | O_CLOEXEC), 1);
}

static int take_away(const char *path, const struct stat *st, int type,
		     struct FTW *at)
{
	return remove(path);
}

static void drop(void)
{
	for (int i = 0; i < 2; i++) {
		dup2(stdio_was[i], i);
		close(stdio_was[i]);
	}
	ck_assert_int_eq(chdir("/"), 0);
	ck_assert_int_eq(nftw(folder, take_away, 16, FTW_PHYS | FTW_DEPTH), 0);
	memset(folder + sizeof(folder) - 7, 'X', 6);
}

/* The exit code for the words of @line, of @command. */
static int check(const struct command *command, const char *line)
{
	static struct args args;
	static char words[512];
	char *argv[32] = { "pmuctl" }, *word, *rest = words;
	int argc = 1, code;

	snprintf(words, sizeof(words), "%s", line);
	while ((word = strtok_r(rest, " ", &rest)))
		argv[argc++] = word;
	args_init(&args);
	args_parse(&args, command, argc, argv);
	if (!args.output)
		args.output = command->output;
	capture();
	code = command_files_check(&args);
	capture_end();
	return code;
}

static const struct command *find(const char *name)
{
	const struct command *c;

	for (size_t i = 0; (c = command_at(i)); i++) {
		if (strcmp(c->name, name) == 0)
			return c;
	}
	ck_abort_msg("no command %s", name);
}

static const struct row {
	const char *command, *line;
	const char *says; /* NULL: it may be */
} rows[] = {
	/* which file that is */
	{ "run", "t --trace t", "--trace: t is the same file as IMAGE t" },
	{ "run", "t --trace ./t", "--trace: ./t is the same file as IMAGE t" },
	{ "run", "t --trace link",
	  "--trace: link is the same file as IMAGE t" },
	{ "run", "link --trace t",
	  "--trace: t is the same file as IMAGE link" },
	{ "run", "t --trace twin",
	  "--trace: twin is the same file as IMAGE t" },
	{ "run", "t --trace away", NULL },
	{ "run", "t --trace new", NULL },
	/* neither is there yet */
	{ "run", "t --trace new --serial ./new",
	  "--trace: new is the same file as --serial ./new" },
	{ "run", "t --trace new --serial to-new",
	  "--trace: new is the same file as --serial to-new" },
	{ "run", "t --trace sub/new --serial to-sub/new",
	  "--trace: sub/new is the same file as --serial to-sub/new" },
	{ "run", "t --trace new --serial newer", NULL },
	{ "run", "t --trace new --serial sub/new", NULL },
	{ "run", "t --trace none/new --serial none/new", NULL },
	{ "run", "new --trace new",
	  "--trace: new is the same file as IMAGE new" },
	/* nothing is lost there */
	{ "run", "t --trace /dev/null --serial /dev/null", NULL },
	{ "run", "/dev/null --trace /dev/null", NULL },
	/* streams */
	{ "run", "t --trace in",
	  "--trace: in is the same file as standard input" },
	{ "run", "t --trace in --batch", NULL },
	{ "run", "t --trace in --detach", NULL },
	{ "run", "t --trace in --replay t", NULL },
	{ "run", "t --trace out --replay -", NULL },
	{ "run", "t --trace in --replay -",
	  "--trace: in is the same file as standard input" },
	{ "gdb", "t --trace in", NULL },
	{ "trace export", "- -o in",
	  "--output: in is the same file as standard input" },
	{ "trace export", "t -o in", NULL },
	{ "trace export", "out -o -",
	  "--output: - is the same file as FILE out" },
	{ "run", "t --trace - --serial out",
	  "--trace: - is the same file as --serial out" },
	{ "run", "t --trace - --serial - --stat -o -", NULL },
	/* of options that have more than a file */
	{ "run", "--kernel away --add t:etc/x --trace t",
	  "--trace: t is the same file as --add t" },
	{ "run", "--kernel away --add away:t --add t:y --trace t",
	  "--trace: t is the same file as --add t" },
	{ "run", "--kernel away --add away:t --trace t", NULL },
	{ "monitor", "-m 1 --user-symbols t@0x80 -o t",
	  "--output: t is the same file as --user-symbols t" },
	{ "monitor", "-m 1 --user-symbols away@any:t -o t", NULL },
	{ "monitor", "-m 1 --symbols kallsyms -o kallsyms", NULL },
	{ "monitor", "-m 1 --symbols t -o t",
	  "--output: t is the same file as --symbols t" },
	/* arguments */
	{ "trace unwind", "t new --symbols away", NULL },
	{ "trace unwind", "t link", "FILE: link is the same file as FILE t" },
	{ "trace unwind", "away new --symbols t --user-symbols new",
	  "FILE: new is the same file as --user-symbols new" },
	{ "trace save", "-m 1 t", NULL },
	{ "dt show", "t -o t", "--output: t is the same file as FILE t" },
	{ "record", "-m 1 --symbols record.trace",
	  "--output: record.trace is the same file as --symbols record.trace" },
	{ "record", "-m 1 --symbols record.trace -o t", NULL },
	/* of a run behind "--" its own check knows */
	{ "record", "-o t -- run t", NULL },
};

TEST_ROWS(a_file_of_the_command_is_refused, rows)
{
	const struct row *row = &rows[_i];
	int code = check(find(row->command), row->line);
	char want[128] = "";

	if (row->says)
		snprintf(want, sizeof(want), "pmuctl: %s\n", row->says);
	ck_assert_msg(!strcmp(captured, want), "%s %s: %s", row->command,
		      row->line, captured);
	ck_assert_int_eq(code, row->says ? EXIT_USAGE : EXIT_OK);
}

/* A command that takes every option. */
static const struct command all = {
	.name = "all",
	.options = ~(args_set)0,
};

/* Has it a file as its value? Of --line that is one of a program's source. */
static bool has_file(enum args_option option)
{
	const char *value = args_option_value(option);

	return value && !strncmp(value, "FILE", 4) && option != OPTION_LINE;
}

TEST(every_option_of_a_file_is_compared)
{
	unsigned n = 0;

	for (int i = 0; i < N_OPTIONS; i++) {
		const char *other = i == OPTION_OUTPUT ? "trace" : "output";
		const char *name = args_option_name((enum args_option)i);
		char line[64];

		if (!has_file((enum args_option)i))
			continue;
		snprintf(line, sizeof(line), "--batch --%s=t --%s=t%s", other,
			 name, i == OPTION_ADD ? ":x" : "");
		ck_assert_msg(check(&all, line) == EXIT_USAGE, "%s", line);
		ck_assert_ptr_nonnull(strstr(captured, name));
		ck_assert_ptr_nonnull(strstr(captured, other));
		n++;
	}
	ck_assert_uint_ge(n, 11);
}

/* How many of the words of @args are files. */
static size_t count_files(const char *args)
{
	char text[64] = "", *word, *rest = text;
	size_t n = 0;

	snprintf(text, sizeof(text), "%s", args ? args : "");
	while ((word = strtok_r(rest, " []", &rest)))
		n += !strcmp(word, "FILE") || !strcmp(word, "IMAGE");
	return n;
}

/* Those of a run behind "--" are the run's. */
TEST(every_argument_of_a_command_that_writes_is_compared)
{
	static const args_set writes =
		WITH(OUTPUT) | WITH(SERIAL) | WITH(TRACE);
	const struct command *c;
	size_t n = 0;

	for (size_t i = 0; (c = command_at(i)); i++) {
		size_t files = c->files ? strlen(c->files) : 0;

		if ((!(c->options & writes) && !c->files) ||
		    (c->args && !strncmp(c->args, "[--", 3)))
			continue;
		ck_assert_msg(files == count_files(c->args), "%s: %zu", c->name,
			      files);
		n += files;
	}
	ck_assert_uint_ge(n, 7);
}

SUITE("command-files", .setup = build, .teardown = drop);
