/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The debugger gets our place, terminal and Ctrl-C included. Its `target
 * remote |' runs this very command line with --stdio instead of --exec, so
 * that nothing is left behind when it ends.
 */
#include "gdb-exec.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "args.h"
#include "text/exit-codes.h"
#include "text/report.h"

enum {
	COMMAND_LINE_MAX = 64 << 10
};

/* One word of a shell's command line. */
static void put_word(FILE *out, const char *word)
{
	fputs(" '", out);
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\''", out);
		else
			fputc(*word, out);
	}
	fputc('\'', out);
}

/* Is @word the option, alone (*@ret_more: its value follows) or with one? */
static bool is_exec(const char *word, bool *ret_more)
{
	*ret_more = strcmp(word, "--exec") == 0;
	return *ret_more || strncmp(word, "--exec=", 7) == 0;
}

/* Our own words, from argv[1] on, each with its zero; options end at a "--". */
static void put_words(FILE *out, const char *words, size_t len)
{
	bool skip = false, options = true;
	size_t at = strnlen(words, len) + 1;

	for (; at < len; at += strlen(words + at) + 1) {
		const char *word = words + at;

		if (skip) {
			skip = false;
			continue;
		}
		if (options && is_exec(word, &skip))
			continue;
		if (options && strcmp(word, "--") == 0) {
			fputs(" --stdio", out);
			options = false;
		}
		put_word(out, word);
	}
	if (options)
		fputs(" --stdio", out);
}

/* The command, to be freed; NULL after an error was said. */
static char *target_command(void)
{
	char self[PATH_MAX], words[COMMAND_LINE_MAX];
	FILE *line = fopen("/proc/self/cmdline", "re");
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	size_t len = line ? fread(words, 1, sizeof(words) - 1, line) : 0;
	char *text = NULL;
	size_t size;
	FILE *out;

	if (line)
		fclose(line);
	if (n <= 0 || !len || len == sizeof(words) - 1) {
		report_error("--exec: cannot repeat the command line");
		return NULL;
	}
	self[n] = words[len] = '\0';
	out = open_memstream(&text, &size);
	if (!out) {
		report_no_memory("--exec");
		return NULL;
	}
	fputs("target remote |", out);
	put_word(out, self);
	put_words(out, words, len);
	fclose(out);
	return text;
}

int gdb_exec(const struct args *args)
{
	char *command = target_command();
	const char *image = args->n_arg ? args->arg[0] : NULL;
	char ex[] = "-ex";
	/* its 2 s are short for a machine that starts on a busy host */
	char patience[] = "set remotetimeout 60";
	char *argv[7] = { (char *)args->exec };
	int n = 1;

	if (!command)
		return EXIT_FAILED;
	if (image)
		argv[n++] = (char *)image;
	argv[n++] = ex;
	argv[n++] = patience;
	argv[n++] = ex;
	argv[n++] = command;
	execvp(args->exec, argv);
	report_error("--exec: %s: %s", args->exec, strerror(errno));
	free(command);
	return EXIT_FAILED;
}
