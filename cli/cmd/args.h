/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a command line said. All options of all commands are rows of one table
 * (args.c); a command names those it takes, and argp does the rest, so that
 * parsing, --help and completion cannot disagree.
 */
#ifndef CLI_CMD_ARGS_H
#define CLI_CMD_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "args-option.h"

#define ARGS_UNSET UINT64_MAX /* a number that was not given */
#define ARGS_LIST  64	      /* of one option that may be repeated */
#define ARGS_MAX   128	      /* positional arguments, and --set options */

enum {
	ARGS_HELP_WIDTH = 80,  /* of help, where no terminal says another */
	ARGS_HELP_COLUMN = 37, /* where the help of an option begins */
	ARGS_HELP_LEAST = 66   /* its width in a narrower terminal, too */
};

/* What was given with an option that may be repeated. */
struct args_list {
	const char *item[ARGS_LIST];
	size_t n;
};

struct command;
struct run_hooks;

struct args {
	const struct command *command; /* the one that they are of */
	args_set given;		       /* options that the line has */
	const char *address;
	bool json, quiet, no_pager, no_headings;
	const char *color; /* or NULL */
	uint64_t timeout;  /* ms, 0: none */
	const char *machine;
	uint64_t hart;
	uint64_t harts, memory, max_insns, max_cycles; /* or ARGS_UNSET */
	uint64_t trace_bytes;			       /* likewise */
	const char *mode;
	bool stop_on_trap_loop;
	char *set[ARGS_MAX]; /* KEY=VALUE */
	size_t n_set;
	const char *dtb;
	uint64_t flat, entry; /* or ARGS_UNSET */
	const char *bios, *kernel, *initrd, *append, *console;
	struct args_list add;
	bool batch, no_reboot, stat;
	const char *output;
	const char *trace, *replay, *serial;
	bool detach, paused;
	const char *symbols, *guest_symbols, *kind;
	uint64_t counter; /* or ARGS_UNSET */
	bool from_start, drop;
	uint64_t first_cycle, last_cycle, limit, first_record;
	struct args_list function, line, range;
	uint64_t insn, cycle, count; /* or ARGS_UNSET */
	const char *pc;
	bool virtual, eof, force, stdio;
	const char *record, *when_full, *listen, *exec, *format;
	struct args_list explain, at, user_symbols, event;
	const char *interval, *separator, *time, *filter;
	uint64_t period; /* or ARGS_UNSET */
	bool per_hart, per_mode, callers, registers, exact;
	uint64_t stack;		  /* 0: none */
	uint64_t number, at_insn; /* or ARGS_UNSET */
	const char *at_pc;
	bool repeat;
	uint64_t explain_misses; /* or ARGS_UNSET */
	bool no_processes;
	const char *sysroot, *sort;
	bool samples; /* of a run's records only those are asked for */
	const struct run_hooks
		*hooks;	     /* of `run' under another verb, or NULL */
	char *arg[ARGS_MAX]; /* positional */
	size_t n_arg;
};

void args_init(struct args *a);

/*
 * Parses argv[1..] as the common options, up to the first word that is none.
 * Returns its index, @argc when there is none. Does not return on an error or
 * on --help.
 */
int args_parse_common(struct args *a, int argc, char **argv);

/*
 * Parses argv[1..] for @command; argv[0] is how messages name it. Does not
 * return on an error (exit code 2) or on --help.
 */
void args_parse(struct args *a, const struct command *command, int argc,
		char **argv);

/* Was it on the command line? Else its field has the default. */
static inline bool args_has(const struct args *a, enum args_option option)
{
	return a->given >> option & 1;
}

/* "--hart" and so on; for completion and for the tests. */
const char *args_option_name(enum args_option option);
/* Does it take a value? */
bool args_option_has_value(enum args_option option);
/* What was given with it, *@ret[0..]; how many. None of options of numbers. */
size_t args_option_values(const struct args *a, enum args_option option,
			  const char *const **ret);
/* What the help calls its value, "KEY=VALUE"; NULL: it takes none. */
const char *args_option_value(enum args_option option);
/* The option that @word names: "--set", "--set=a=b", "-s"; N_OPTIONS: none. */
enum args_option args_option_find(const char *word);

#endif
