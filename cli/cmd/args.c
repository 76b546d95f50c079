/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The table of options and the one parser behind it. Which options a command
 * takes stands in its row (command.h); what they mean, in its file.
 */
#include "args.h"

#include <argp.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "text/exit-codes.h"
#include "number.h"
#include "text/report.h"

enum type {
	TYPE_FLAG,
	TYPE_TEXT,
	TYPE_NUMBER,
	TYPE_COUNT,
	TYPE_SIZE,
	TYPE_SECONDS,
	TYPE_SET,
	TYPE_LIST,
};

struct option_row {
	char letter; /* or 0 */
	enum type type;
	size_t offset; /* in struct args */
	const char *name, *arg, *help;
};

#define ROW(OPT, key, kind, field, name, arg, help)                            \
	[OPTION_##OPT] = { key,	 TYPE_##kind, offsetof(struct args, field),    \
			   name, arg,	      help }

static const struct option_row rows[N_OPTIONS] = {
	ROW(ADDRESS, 'a', TEXT, address, "address", "[unix://]PATH",
	    "The daemon's socket (default: $PMUD_ADDRESS, then "
	    "$XDG_RUNTIME_DIR/pmud.sock, then /run/pmud/pmud.sock); `private' "
	    "starts one for this command"),
	ROW(JSON, 'j', FLAG, json, "json", NULL, "Print JSON, not tables"),
	ROW(TIMEOUT, 0, SECONDS, timeout, "timeout", "SECONDS",
	    "Give up when a call is not answered in this time"),
	ROW(QUIET, 'q', FLAG, quiet, "quiet", NULL,
	    "No notes on stderr, only errors"),
	ROW(COLOR, 0, TEXT, color, "color", "auto|always|never",
	    "Colours: on a terminal without $NO_COLOR (auto, the default), "
	    "always or never"),
	ROW(NO_PAGER, 0, FLAG, no_pager, "no-pager", NULL,
	    "Long tables go straight to the terminal, not to $PAGER"),
	ROW(NO_HEADINGS, 0, FLAG, no_headings, "no-headings", NULL,
	    "Tables without the line that names their columns"),
	ROW(MACHINE, 'm', TEXT, machine, "machine", "MACHINE",
	    "The machine, as `pmuctl machine list' names it"),
	ROW(HART, 0, NUMBER, hart, "hart", "N", "The hart (default: 0)"),
	ROW(HARTS, 0, NUMBER, harts, "harts", "N", "Number of harts"),
	ROW(MEMORY, 0, SIZE, memory, "memory", "SIZE",
	    "RAM in bytes, or with K, M, G as in 64MiB"),
	ROW(MODE, 0, TEXT, mode, "mode", "s|m",
	    "Start in S-mode on the firmware model, or in M-mode with none"),
	ROW(SET, 's', SET, set, "set", "KEY=VALUE",
	    "Set a machine setting (see `pmuctl list settings'), or one of "
	    "hart N as hartN.KEY=VALUE; repeatable"),
	ROW(MAX_INSNS, 0, COUNT, max_insns, "max-insns", "N",
	    "End the run (124) after N retired instructions of all harts"),
	ROW(MAX_CYCLES, 0, COUNT, max_cycles, "max-cycles", "N",
	    "End the run (124) at cycle N of the machine's clock"),
	ROW(STOP_ON_TRAP_LOOP, 0, FLAG, stop_on_trap_loop, "stop-on-trap-loop",
	    NULL,
	    "End the run (125) when a hart takes one trap again and again, "
	    "with "
	    "no instruction in between"),
	ROW(DTB, 0, TEXT, dtb, "dtb", "FILE",
	    "This device tree instead of the generated one"),
	ROW(FLAT, 0, NUMBER, flat, "flat", "ADDR",
	    "The image is raw bytes for this physical address"),
	ROW(ENTRY, 0, NUMBER, entry, "entry", "ADDR",
	    "Execution begins at this physical address (default: where the "
	    "first image says)"),
	ROW(BIOS, 0, TEXT, bios, "bios", "FILE",
	    "Begin in M-mode with this firmware, such as OpenSBI's fw_dynamic, "
	    "fw_jump or fw_payload; it starts the IMAGE or --kernel"),
	ROW(KERNEL, 0, TEXT, kernel, "kernel", "FILE",
	    "Boot this Linux kernel, an Image or one in gzip: 512MiB of RAM "
	    "and a command line for --console, unless told otherwise"),
	ROW(INITRD, 0, TEXT, initrd, "initrd", "FILE",
	    "The kernel's initial RAM disk"),
	ROW(ADD, 0, LIST, add, "add", "FILE:PATH",
	    "Append FILE to the initrd as PATH, with the directories that "
	    "lead there; repeatable"),
	ROW(APPEND, 0, TEXT, append, "append", "TEXT",
	    "Put this at the end of the kernel's command line"),
	ROW(CONSOLE, 0, TEXT, console, "console", "uart|dbcn",
	    "What the kernel's console is: the UART (the default) or the "
	    "firmware"),
	ROW(BATCH, 0, FLAG, batch, "batch", NULL,
	    "Give the guest no input, and end the run (122) when it reboots, "
	    "as a kernel does that panics"),
	ROW(NO_REBOOT, 0, FLAG, no_reboot, "no-reboot", NULL,
	    "A reboot ends the run (122)"),
	ROW(STAT, 0, FLAG, stat, "stat", NULL,
	    "Print events per hart and privilege and the guest's counters"),
	ROW(OUTPUT, 'o', TEXT, output, "output", "FILE",
	    "Write what --stat and --explain print, or what was read (memory, "
	    "a device tree, symbols) or exported, to FILE"),
	ROW(SERIAL, 0, TEXT, serial, "serial", "FILE",
	    "Give the machine a second UART, and write what it sends to "
	    "FILE"),
	ROW(TRACE, 0, TEXT, trace, "trace", "FILE",
	    "Write the trace of the run to FILE"),
	ROW(REPLAY, 0, TEXT, replay, "replay", "FILE",
	    "Repeat the run that FILE is the trace of: its machine, unless "
	    "options say otherwise, and its inputs"),
	ROW(DETACH, 0, FLAG, detach, "detach", NULL,
	    "Leave the machine running and print its name"),
	ROW(PAUSED, 0, FLAG, paused, "paused", NULL,
	    "Stop before the first instruction"),
	ROW(SYMBOLS, 0, TEXT, symbols, "symbols", "FILE|kallsyms",
	    "Name functions by this ELF file or System.map, or by what the "
	    "Linux kernel of --machine keeps of itself"),
	ROW(USER_SYMBOLS, 0, LIST, user_symbols, "user-symbols",
	    "FILE[@SATP[:BASE]]",
	    "Name functions of users' programs by this ELF file, in the "
	    "address space SATP (default: any), where its address 0 is at "
	    "BASE; repeatable"),
	ROW(KIND, 'k', TEXT, kind, "kind", "KIND[,KIND]",
	    "Only overflow, sample, trap, sbi, console, input, hart, ebb, "
	    "reset, absent or stop records"),
	ROW(COUNTER, 0, NUMBER, counter, "counter", "N",
	    "Only overflows of this counter"),
	ROW(FROM_START, 0, FLAG, from_start, "from-start", NULL,
	    "Begin with the records that are stored"),
	ROW(DROP, 0, FLAG, drop, "drop", NULL,
	    "Lose records rather than make the machine wait"),
	ROW(FIRST_CYCLE, 0, COUNT, first_cycle, "first-cycle", "N",
	    "Only records from this cycle on"),
	ROW(LAST_CYCLE, 0, COUNT, last_cycle, "last-cycle", "N",
	    "Only records up to this cycle"),
	ROW(LIMIT, 'n', COUNT, limit, "limit", "N", "At most N records"),
	ROW(FIRST_RECORD, 0, COUNT, first_record, "first-record", "N",
	    "Only records from this number on, the first being 0"),
	ROW(FUNCTION, 0, LIST, function, "function", "NAME",
	    "Only what happened in this function of --symbols; repeatable, as "
	    "are --line and --range: where one of them holds"),
	ROW(LINE, 0, LIST, line, "line", "FILE:LINE",
	    "Only what happened in this line of the source, by --symbols"),
	ROW(RANGE, 0, LIST, range, "range", "ADDRESS[-ADDRESS]",
	    "Only what happened at these addresses, the last one included"),
	ROW(INSN, 0, COUNT, insn, "insn", "N",
	    "Run until all harts have retired N instructions"),
	ROW(CYCLE, 0, COUNT, cycle, "cycle", "N",
	    "Run until the clock stands at cycle N or later"),
	ROW(PC, 0, TEXT, pc, "pc", "ADDRESS",
	    "Run until a hart is about to execute at ADDRESS, a number or "
	    "NAME+OFFSET of a symbol"),
	ROW(COUNT, 'c', COUNT, count, "count", "N",
	    "Number of instructions (default: 1)"),
	ROW(VIRTUAL, 0, FLAG, virtual, "virtual", NULL,
	    "The address is virtual, as the hart translates it now"),
	ROW(EOF, 0, FLAG, eof, "eof", NULL, "No more input will follow"),
	ROW(FORCE, 0, FLAG, force, "force", NULL,
	    "Take names from --symbols though it is not the file that ran"),
	ROW(RECORD, 0, TEXT, record, "record", "KIND[,KIND]",
	    "Store these records, too: trap, sbi, all or none (default: none; "
	    "with --trace all)"),
	ROW(WHEN_FULL, 0, TEXT, when_full, "when-full", "hold|rotate|end",
	    "Where records cannot be stored (the trace is as long as it may "
	    "be, a full disk), hold the machine until they can, drop the "
	    "oldest but for inputs, or end it (default: hold)"),
	ROW(TRACE_BYTES, 0, SIZE, trace_bytes, "trace-bytes", "SIZE",
	    "Store at most this much of the machine's trace in pmud (default: "
	    "what pmud allows)"),
	ROW(EXPLAIN, 0, LIST, explain, "explain", "HART:COUNTER",
	    "Say why the counter counts or not, at each --at; repeatable"),
	ROW(AT, 0, LIST, at, "at", "POINT",
	    "When to --explain: insn:N, cycle:N, pc:ADDRESS, a symbol of the "
	    "image, or end (the default); repeatable, reached in this order"),
	ROW(LISTEN, 0, TEXT, listen, "listen", "PORT|PATH",
	    "Wait for a debugger at this TCP port of 127.0.0.1 (0: any), or at "
	    "this Unix socket (default: one of its own)"),
	ROW(STDIO, 0, FLAG, stdio, "stdio", NULL,
	    "The debugger is at stdin and stdout: target remote | pmuctl gdb "
	    "--stdio"),
	ROW(EXEC, 0, TEXT, exec, "exec", "GDB",
	    "Run this debugger on it, as in --exec gdb-multiarch"),
	ROW(FORMAT, 0, TEXT, format, "format", "FORMAT",
	    "What to write: folded, json, chrome, cpuprofile, callgrind, "
	    "pprof, ctf, perf or html"),
	ROW(EVENT, 'e', LIST, event, "event", "EVENT[:MODES][,...]",
	    "Count these events, as `pmuctl list' names them or by number, in "
	    "the modes m, s or k, u, of guests (v) or not (H); {} around "
	    "several makes a group; repeatable"),
	ROW(INTERVAL, 'I', TEXT, interval, "interval", "TIME",
	    "Print what was counted in each interval of the guest's time, as "
	    "10ms, 500us, 2s or 1000 cycles as 1000c"),
	ROW(PER_HART, 0, FLAG, per_hart, "per-hart", NULL,
	    "Count each hart by itself"),
	ROW(PER_MODE, 0, FLAG, per_mode, "per-mode", NULL,
	    "Count each privilege mode by itself"),
	ROW(SEPARATOR, 'x', TEXT, separator, "field-separator", "TEXT",
	    "Put TEXT between the fields of a line, for programs"),
	ROW(PERIOD, 'c', COUNT, period, "period", "N",
	    "Record a sample of each N-th event of a hart"),
	ROW(CALLERS, 'g', FLAG, callers, "call-graph", NULL,
	    "With the callers, by frame pointers"),
	ROW(REGISTERS, 0, FLAG, registers, "registers", NULL,
	    "With the registers x0 to x31"),
	ROW(TIME, 0, TEXT, time, "time", "TIME",
	    "Sample the machine for so much of the guest's time, as 10ms, "
	    "500us, 2s or 1000 cycles as 1000c, rather than until Ctrl-C"),
	ROW(EXACT, 0, FLAG, exact, "exact", NULL,
	    "Count every event at its instruction, in one sample for each"),
	ROW(NUMBER, 'n', COUNT, number, "number", "N",
	    "How many events (default: 1)"),
	ROW(AT_INSN, 0, COUNT, at_insn, "at-insn", "N",
	    "Behind the N-th instruction that the hart retires"),
	ROW(AT_PC, 0, TEXT, at_pc, "at-pc", "ADDRESS",
	    "Behind the instruction at ADDRESS, a number or NAME+OFFSET of a "
	    "symbol, when the hart next retires it"),
	ROW(REPEAT, 0, FLAG, repeat, "repeat", NULL,
	    "Behind each N-th instruction, each time at ADDRESS"),
};

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
	a->at_insn = ARGS_UNSET;
	a->count = a->number = 1;
}

const char *args_option_name(enum args_option option)
{
	return rows[option].name;
}

bool args_option_has_value(enum args_option option)
{
	return rows[option].type != TYPE_FLAG;
}

const char *args_option_value(enum args_option option)
{
	return rows[option].arg;
}

enum args_option args_option_find(const char *word)
{
	size_t len = strcspn(word, "=");

	for (int i = 0; i < N_OPTIONS; i++) {
		if (!strncmp(word, "--", 2) &&
		    strlen(rows[i].name) + 2 == len &&
		    !strncmp(word + 2, rows[i].name, len - 2))
			return (enum args_option)i;
		if (word[0] == '-' && rows[i].letter &&
		    word[1] == rows[i].letter && !word[2])
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
		return number_parse(text, field) && *field != ARGS_UNSET;
	case TYPE_COUNT:
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

static void take_option(struct args *a, const struct option_row *row, char *arg,
			struct argp_state *state)
{
	char *field = (char *)a + row->offset;

	a->hart_given |= row == &rows[OPTION_HART];
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
	case TYPE_COUNT:
	case TYPE_SIZE:
	case TYPE_SECONDS:
		if (!take_number(row, arg, (uint64_t *)field))
			argp_error(state, "--%s: '%s' is not a %s", row->name,
				   arg,
				   row->type == TYPE_SIZE      ? "size"
				   : row->type == TYPE_SECONDS ? "time"
							       : "number");
		return;
	}
}

static int key_of(int option)
{
	return rows[option].letter ? rows[option].letter : KEY_FIRST + option;
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
			take_option(p->args, &rows[i], arg, state);
			return 0;
		}
	}
	return ARGP_ERR_UNKNOWN;
}

/* argp's table of @options. */
static void fill_options(struct argp_option *table, args_set options)
{
	size_t n = 0;

	for (int i = 0; i < N_OPTIONS; i++) {
		if (!(options >> i & 1))
			continue;
		table[n++] = (struct argp_option){
			.name = rows[i].name,
			.key = key_of(i),
			.arg = rows[i].arg,
			.doc = rows[i].help,
			.group = WITH_COMMON >> i & 1 ? 2 : 1,
		};
	}
	table[n] = (struct argp_option){ 0 };
}

/* What argp cannot read it has not read: an error that is not the user's. */
static void parse_or_exit(const struct argp *argp, int argc, char **argv,
			  unsigned flags, struct parsing *p)
{
	int err = argp_parse(argp, argc, argv, flags, NULL, p);

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

	fill_options(table, p.options);
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
	fill_options(table, p.options);
	mark_negatives(argv, argc, marked);
	parse_or_exit(&argp, argc, argv, 0, &p);
}
