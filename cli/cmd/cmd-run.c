/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * `pmuctl run`: make a machine, load it, follow it to its end, print what it
 * counted. The order matters: streams are open before the first instruction.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd-run.h"
#include "stat-print.h"
#include "command.h"
#include "command-files.h"
#include "session/pmud.h"
#include "text/exit-codes.h"
#include "session/follow.h"
#include "session/image.h"
#include "machine-create.h"
#include "text/out-file.h"
#include "trace/replay.h"
#include "run-explain.h"
#include "text/report.h"
#include "trace/trace-file.h"

enum {
	TRACE_BUFFER = 1 << 20
};

struct run {
	struct pmud *pmud;
	struct args *args;
	struct trace_reader *replay;   /* or NULL */
	Pmu__V1__Recording recording;  /* its samplers */
	char *machine;		       /* its name */
	struct out_file *trace, *stat; /* or NULL */
	struct out_file *serial;       /* or NULL */
	bool traced, counted;	       /* they have all that they shall */
	struct run_explain *explain;   /* or NULL */
};

static const Pmu__V1__Header *replayed(const struct run *r)
{
	return r->replay ? trace_header(r->replay) : NULL;
}

/* Does somebody type and look, rather than a file or a program? */
static bool is_live(const struct run *r)
{
	return !r->replay && !r->args->detach && !r->args->batch &&
	       isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
}

static int create(struct run *r)
{
	Pmu__V1__CreateMachineResponse *res CLEANUP(answer) = NULL;
	struct machine_base base = {
		.replay = replayed(r),
		.rv32 = image_is_rv32(args_image(r->args)),
		.live = is_live(r),
		.passes = !r->args->detach,
	};
	struct machine_options o CLEANUP(machine_options);
	int code;

	if (!machine_options_init(&o, r->args, &base))
		return EXIT_USAGE;
	o.recording.samplers = r->recording.samplers;
	o.recording.n_samplers = r->recording.n_samplers;
	code = machine_create(&o, r->args, r->pmud, &res);
	if (code)
		return code;
	r->machine = strdup(res->machine->id);
	if (r->machine)
		return EXIT_OK;
	return report_no_memory("machine");
}

/* Where --stat and --explain print to. */
static FILE *numbers(const struct run *r)
{
	return r->stat ? out_file_stream(r->stat) : stderr;
}

static int start(struct run *r)
{
	Pmu__V1__StartMachineRequest req = PMU__V1__START_MACHINE_REQUEST__INIT;
	Pmu__V1__StartMachineResponse *res = NULL;
	int code;

	req.machine = r->machine;
	req.paused = r->explain || r->args->hooks;
	code = PMUD_CALL(r->pmud, StartMachine, &req, &res);
	answer_free(res);
	if (code && pmud_machine_is_gone(r->pmud))
		code = EXIT_CRASHED;
	if (!code && r->explain)
		code = run_explain_begin(r->explain, r->pmud, r->machine,
					 numbers(r));
	if (!code && r->args->hooks)
		code = r->args->hooks->begin(r->args->hooks->arg, r->machine,
					     numbers(r));
	return code;
}

/* The numbers are wanted also when the user ended the run. */
static int print_stat(struct run *r, int code)
{
	FILE *out = numbers(r);
	int err = EXIT_OK;

	if (code == EXIT_GONE)
		return code;
	if (r->explain)
		err = run_explain_end(r->explain);
	if (r->args->hooks)
		err = r->args->hooks->end(r->args->hooks->arg);
	if (!err && r->args->stat) {
		if (!r->stat)
			fputc('\n', out);
		err = stat_print(r->pmud, r->machine, r->args->json, out);
	}
	r->counted = !err;
	return code ? code : err;
}

/* Who is told that it paused. */
static void set_on_pause(const struct run *r, struct follow_config *cfg)
{
	const struct run_hooks *hooks = r->args->hooks;

	cfg->on_pause = r->explain ? run_explain_paused : NULL;
	cfg->arg = r->explain;
	if (!hooks)
		return;
	cfg->filter = hooks->filter;
	cfg->tap = hooks->tap;
	cfg->progress = !hooks->tap; /* which writes all the time */
	cfg->on_pause = hooks->paused;
	cfg->arg = hooks->arg;
}

static int follow(struct run *r)
{
	struct follow_config cfg = {
		.pmud = r->pmud,
		.machine = r->machine,
		.trace = out_file_stream(r->trace),
		.trace_path = r->args->trace,
		.serial = out_file_stream(r->serial),
		.progress = true,
		.input = !r->replay && !r->args->batch,
	};
	struct follow *f;
	enum follow_end end = FOLLOW_CUT;
	int code;

	set_on_pause(r, &cfg);
	code = follow_open(&f, &cfg);
	if (code)
		return code;
	code = start(r);
	if (!code)
		code = follow_run(f, &end);
	r->traced = end == FOLLOW_ENDED;
	code = print_stat(r, end == FOLLOW_LEFT ? EXIT_LEFT : code);
	follow_close(f);
	return code;
}

/* Whoever looks has to know what runs. Returns an exit code. */
static int tell_loaded(const struct run *r)
{
	const struct run_hooks *hooks = r->args->hooks;

	return hooks && hooks->loaded
		       ? hooks->loaded(hooks->arg, r->machine, numbers(r))
		       : EXIT_OK;
}

/* An EXIT_... of our own before the run, or that of the run. */
static int run_machine(struct run *r)
{
	int code = create(r);

	if (!code)
		code = image_load(r->pmud, r->machine, r->args, r->args->arg[0],
				  replayed(r));
	if (!code && r->replay)
		code = replay_inputs(r->pmud, r->machine, r->replay);
	if (!code)
		code = tell_loaded(r);
	if (code)
		return code;
	if (!r->args->detach)
		return follow(r);
	code = start(r);
	if (!code)
		puts(r->machine);
	return code;
}

static bool check(const struct args *args)
{
	if (args->n_arg && args->kernel) {
		report_error("--kernel and an IMAGE exclude each other");
		return false;
	}
	if (!args->n_arg && !args->kernel && !args->bios) {
		report_error("an IMAGE, --kernel or --bios is needed");
		return false;
	}
	if (args->detach && args->hooks) {
		report_error("--detach is not for a run under another command, "
			     "which waits for the end");
		return false;
	}
	if (args->detach &&
	    (args->stat || args->trace || args->serial || args->explain.n)) {
		report_error("--detach cannot be combined with --stat, "
			     "--trace, --serial and --explain, which wait for "
			     "the end");
		return false;
	}
	if (args->hooks && (args->explain.n || args->stat)) {
		report_error("--explain and --stat are not for a run under "
			     "another command");
		return false;
	}
	if (args->output && !args->stat && !args->explain.n && !args->hooks) {
		report_error("--output needs --stat or --explain");
		return false;
	}
	return true;
}

/* All that is written, before anything is asked of a daemon. */
static int open_files(struct run *r)
{
	const struct args *args = r->args;
	int code = out_file_open(&r->trace, args->trace);

	if (!code)
		code = out_file_open(&r->stat, args->output);
	if (!code)
		code = out_file_open(&r->serial, args->serial);
	if (r->trace)
		setvbuf(out_file_stream(r->trace), NULL, _IOFBF, TRACE_BUFFER);
	return code;
}

static int open_replay(struct run *r)
{
	int code = trace_open(&r->replay, r->args->replay);

	if (code || !trace_header(r->replay)->samples_only)
		return code;
	report_error("--replay: %s has samples of a run and not its inputs",
		     r->args->replay);
	return EXIT_USAGE;
}

static int run_image(struct pmud *s, struct args *args)
{
	struct run r = { .args = args, .recording = PMU__V1__RECORDING__INIT };
	int code = check(args) ? EXIT_OK : EXIT_USAGE;

	if (!code)
		code = run_explain_new(&r.explain, args);
	if (!code && args->replay)
		code = open_replay(&r);
	if (!code)
		code = open_files(&r);
	if (!code)
		code = pmud_open(&r.pmud, args, !args->detach);
	if (!code && args->hooks)
		code = args->hooks->prepare(args->hooks->arg, r.pmud,
					    &r.recording);
	if (!code)
		code = run_machine(&r);
	pmud_close(r.pmud);
	code = out_file_close(r.trace, r.traced, code);
	code = out_file_close(r.stat, r.counted, code);
	code = out_file_close(r.serial, r.traced, code);
	run_explain_free(r.explain);
	trace_close(r.replay);
	free(r.machine);
	return code;
}

int run_under(const struct args *outer, const struct run_hooks *hooks,
	      struct args *args)
{
	const struct command *c = &run_commands[0];
	char *words[ARGS_MAX + 1];
	char name[] = "pmuctl run";
	int code;

	if (!outer->n_arg || strcmp(outer->arg[0], "run") != 0) {
		report_error("%s: behind -- a run is needed, as in -- run "
			     "IMAGE",
			     outer->command->name);
		return EXIT_USAGE;
	}
	*args = *outer;
	args->n_arg = 0;
	args->given = 0;
	memset(args->arg, 0, sizeof(args->arg));
	args->hooks = hooks;
	memcpy(words, outer->arg, outer->n_arg * sizeof(*words));
	words[0] = name;
	words[outer->n_arg] = NULL;
	args_parse(args, c, (int)outer->n_arg, words);
	if (args_has(args, OPTION_SYSROOT)) {
		report_error("--sysroot is not for a run under another "
			     "command");
		return EXIT_USAGE;
	}
	if (outer->samples && args_has(args, OPTION_TRACE)) {
		report_error("--trace is not for a run under %s, whose "
			     "--output is the trace",
			     outer->command->name);
		return EXIT_USAGE;
	}
	code = command_files_check(args);
	return code ? code : run_image(NULL, args);
}

const struct command run_commands[] = {
	{ "run", "[IMAGE]", "Run a guest, its console on stdin and stdout",
	  WITH(HARTS) | WITH(MEMORY) | WITH(MODE) | WITH(SET) |
		  WITH(MAX_INSNS) | WITH(MAX_CYCLES) | WITH(STOP_ON_TRAP_LOOP) |
		  WITH(DTB) | WITH(FLAT) | WITH(ENTRY) | WITH(BIOS) |
		  WITH(KERNEL) | WITH(INITRD) | WITH(ADD) | WITH(APPEND) |
		  WITH(CONSOLE) | WITH(BATCH) | WITH(NO_REBOOT) | WITH(SERIAL) |
		  WITH(STAT) | WITH(OUTPUT) | WITH(TRACE) | WITH(REPLAY) |
		  WITH(DETACH) | WITH(EXPLAIN) | WITH(AT) | WITH(RECORD) |
		  WITH(WHEN_FULL) | WITH(TRACE_BYTES) | WITH(SYSROOT) |
		  WITH(FORCE),
	  0, 1, NO_DAEMON, run_image, .files = "r", .gives_input = true },
	{ 0 },
};
