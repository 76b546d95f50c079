/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is written takes the place of what was there, so that a file that is an
 * input, too, would be lost. Who opens a file knows that one alone; the options
 * are known here. Files below --sysroot are found later, by what ran, and are
 * not compared; pipes and devices lose nothing.
 */
#include "command-files.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "args.h"
#include "command.h"
#include "session/kernel-symbols.h"
#include "text/exit-codes.h"
#include "text/out-path.h"
#include "text/report.h"

/* The options that have files; those that are written come first. */
static const struct file_option {
	enum args_option option;
	bool written;
	char end; /* the last of these ends the file's name; 0: nothing does */
} roles[] = {
	{ OPTION_TRACE, true, 0 },	     { OPTION_OUTPUT, true, 0 },
	{ OPTION_SERIAL, true, 0 },	     { OPTION_BIOS, false, 0 },
	{ OPTION_KERNEL, false, 0 },	     { OPTION_INITRD, false, 0 },
	{ OPTION_ADD, false, ':' },	     { OPTION_DTB, false, 0 },
	{ OPTION_REPLAY, false, 0 },	     { OPTION_SYMBOLS, false, 0 },
	{ OPTION_USER_SYMBOLS, false, '@' }, { OPTION_GUEST_SYMBOLS, false, 0 },
};

enum {
	N_ROLES = sizeof(roles) / sizeof(*roles),
	NAME_SIZE = 24,
	/* two options are lists; standard input; a command has few arguments */
	FILES_MAX = N_ROLES + 2 * ARGS_LIST + 1 + 4
};

struct file {
	char name[NAME_SIZE]; /* as messages have it: "--trace", "IMAGE" */
	char *path;	      /* owned */
	bool written;
	bool there; /* then it is @st, else it will be @real, or NULL */
	struct stat st;
	char *real; /* owned */
};

struct files {
	size_t n;
	struct file of[FILES_MAX];
};

static int no_memory(void)
{
	return report_no_memory("files of the command line");
}

/* Which file that is. "-" is a stream of this process. */
static void look(struct file *f)
{
	int err = strcmp(f->path, "-") ? stat(f->path, &f->st)
		  : f->written	       ? fstat(STDOUT_FILENO, &f->st)
				       : fstat(STDIN_FILENO, &f->st);

	f->there = !err;
	if (err && errno == ENOENT)
		f->real = out_path_resolve(f->path);
}

/* Two that both go to standard output stand there one after the other. */
static bool are_same(const struct file *a, const struct file *b)
{
	if (a->written && b->written && !strcmp(a->path, "-") &&
	    !strcmp(b->path, "-"))
		return false;
	if (a->there && b->there)
		return S_ISREG(a->st.st_mode) && a->st.st_dev == b->st.st_dev &&
		       a->st.st_ino == b->st.st_ino;
	return a->real && b->real && !strcmp(a->real, b->real);
}

/* The next file, whose path has @len bytes; its name is to be filled in. */
static struct file *add(struct files *files, const char *path, size_t len,
			bool written)
{
	struct file *f = &files->of[files->n];

	assert(files->n < FILES_MAX);
	f->path = strndup(path, len);
	if (!f->path)
		return NULL;
	files->n++;
	f->written = written;
	look(f);
	return f;
}

/* As the user gave it: what `record' writes is a run's trace. */
static enum args_option said_as(const struct file_option *role,
				const struct args *args)
{
	return role->option == OPTION_TRACE && args->samples ? OPTION_OUTPUT
							     : role->option;
}

static int add_option(struct files *files, const struct args *args,
		      const struct file_option *role)
{
	const char *const *value;
	size_t n = args_option_values(args, role->option, &value);

	for (size_t i = 0; i < n; i++) {
		const char *end =
			role->end ? strrchr(value[i], role->end) : NULL;
		struct file *f;

		if (role->option == OPTION_SYMBOLS &&
		    kernel_symbols_are_meant(value[i]))
			continue;
		f = add(files, value[i],
			end ? (size_t)(end - value[i]) : strlen(value[i]),
			role->written);
		if (!f)
			return no_memory();
		snprintf(f->name, sizeof(f->name), "--%s",
			 args_option_name(said_as(role, args)));
	}
	return EXIT_OK;
}

/* Those that stand without an option, in the command's words for them. */
static int add_arguments(struct files *files, const struct args *args)
{
	const char *roles_of = args->command->files;
	const char *word = args->command->args;
	size_t len;

	if (!roles_of)
		return EXIT_OK;
	for (size_t i = 0; roles_of[i] && i < args->n_arg; i++) {
		struct file *f = add(files, args->arg[i], strlen(args->arg[i]),
				     roles_of[i] == 'w');

		if (!f)
			return no_memory();
		word += strspn(word, " [");
		/* the whole structure is 0 */
		len = strcspn(word, " ]");
		memcpy(f->name, word,
		       len < sizeof(f->name) ? len : sizeof(f->name) - 1);
		word += strcspn(word, " ");
	}
	return EXIT_OK;
}

/* What a guest is given to read. */
static int add_input(struct files *files, const struct args *args)
{
	if (!args->command->gives_input || args->batch || args->detach ||
	    args->replay)
		return EXIT_OK;
	return add(files, "-", 1, false) ? EXIT_OK : no_memory();
}

static int collect(struct files *files, const struct args *args)
{
	int code = EXIT_OK;

	for (size_t i = 0; i < N_ROLES && !code; i++)
		code = add_option(files, args, &roles[i]);
	if (!code)
		code = add_arguments(files, args);
	return code ? code : add_input(files, args);
}

static int refuse(const struct file *a, const struct file *b)
{
	bool input = !b->written && !strcmp(b->path, "-");

	report_error("%s: %s is the same file as %s%s%s", a->name, a->path,
		     input ? "standard input" : b->name, input ? "" : " ",
		     input ? "" : b->path);
	return EXIT_USAGE;
}

static int compare(const struct files *files)
{
	for (size_t i = 0; i < files->n; i++) {
		for (size_t j = 0; files->of[i].written && j < files->n; j++) {
			if (i != j && are_same(&files->of[i], &files->of[j]))
				return refuse(&files->of[i], &files->of[j]);
		}
	}
	return EXIT_OK;
}

int command_files_check(const struct args *args)
{
	struct files *files = calloc(1, sizeof(*files));
	int code;

	if (!files)
		return no_memory();
	code = collect(files, args);
	if (!code)
		code = compare(files);
	for (size_t i = 0; i < files->n; i++) {
		free(files->of[i].path);
		free(files->of[i].real);
	}
	free(files);
	return code;
}
