/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of commands: name, arguments, help, what runs it. */
#ifndef CLI_CMD_COMMAND_H
#define CLI_CMD_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "args.h"

struct pmud;

enum command_daemon {
	NO_DAEMON,	  /* or the command connects itself */
	NEEDS_DAEMON,	  /* and --machine, if that is one of its options */
	MAY_START_DAEMON, /* a private one, if there is none */
	FILE_OR_DAEMON,	  /* the daemon only if --machine is given */
};

/* What the help says of an option that means something of its own there. */
struct option_help {
	int option;	  /* OPTION_... */
	const char *help; /* NULL behind the last */
};

struct command {
	const char *name; /* "run", "trace show" */
	const char *args; /* the positional ones; NULL: none */
	const char *help; /* one sentence */
	args_set options; /* WITH(...) beside the common ones */
	size_t min, max;  /* positional arguments */
	enum command_daemon daemon;
	/* Returns an exit code; @s is NULL when no daemon is spoken to. */
	int (*run)(struct pmud *s, struct args *args);
	/* Where one function runs several commands: which of them this is. */
	unsigned action;
	const struct option_help *own; /* NULL: none */
	/* Of the positional arguments that are files: 'r'ead, 'w'ritten. */
	const char *files;
	bool gives_input;   /* standard input, to a guest */
	const char *output; /* --output, where it is not given; NULL: none */
};

/* A file's commands, ended by an empty row. */
extern const struct command run_commands[];
extern const struct command gdb_commands[];
extern const struct command list_commands[];
extern const struct command stat_commands[];
extern const struct command record_commands[];
extern const struct command monitor_commands[];
extern const struct command report_commands[];
extern const struct command top_commands[];
extern const struct command inject_commands[];
extern const struct command trace_commands[];
extern const struct command trace_export_commands[];
extern const struct command trace_unwind_commands[];
extern const struct command machine_commands[];
extern const struct command hart_commands[];
extern const struct command csr_commands[];
extern const struct command reg_commands[];
extern const struct command mem_commands[];
extern const struct command sbi_commands[];
extern const struct command dt_commands[];
extern const struct command explain_commands[];
extern const struct command completion_commands[];
extern const struct command help_commands[];
extern const struct command version_commands[];

/* Verbs of `machine` that are in a file of their own. */
int cmd_load(struct pmud *s, struct args *args);
int cmd_attach(struct pmud *s, struct args *args);
int cmd_console(struct pmud *s, struct args *args);
int cmd_input(struct pmud *s, struct args *args);
int cmd_kallsyms(struct pmud *s, struct args *args);
int cmd_dtb(struct pmud *s, struct args *args);
/* `csr list`, which `list csrs` is, too. */
int csr_list(struct pmud *s, struct args *args);

/* All of them, in the order of the help; NULL after the last. */
const struct command *command_at(size_t i);

/* The command that the first words of @argv name; NULL: none. */
const struct command *command_find(int argc, char **argv, int *ret_words);
/* Is @word the first of the two of @c's name? */
bool command_in_group(const struct command *c, const char *word);
/* Those whose name begins with @word, or all; returns how many. */
int command_print_list(FILE *out, const char *word);
/* Says that there is none of this name, and what is near. */
int command_unknown(int argc, char **argv);

/* Parses a whole command line and runs it. Returns the exit code. */
int command_main(int argc, char **argv);

/* argp's help_filter: appends the list of commands to the help. */
char *command_help(int key, const char *text, void *input);

#endif
