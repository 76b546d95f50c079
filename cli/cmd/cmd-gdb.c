/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * `pmuctl gdb`: a machine for a debugger that speaks GDB's remote protocol,
 * either one that is there or one that is made for it. What the debugger is
 * told is decided in gdb/.
 */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "gdb-exec.h"
#include "gdb-monitor.h"
#include "gdb/gdb-serve.h"
#include "machine-options.h"
#include "session/image.h"
#include "session/pmud.h"
#include "suggest.h"
#include "text/exit-codes.h"
#include "text/out-file.h"
#include "text/report.h"

/* What is run. */
static const char *program(const struct args *args)
{
	return args->n_arg ? args->arg[0] : args->kernel;
}

static int create(struct pmud *pmud, const struct args *args, char **ret)
{
	Pmu__V1__CreateMachineRequest req =
		PMU__V1__CREATE_MACHINE_REQUEST__INIT;
	Pmu__V1__CreateMachineResponse *res = NULL;
	struct machine_base base = { .rv32 = image_is_rv32(program(args)) };
	struct machine_options o;
	int code = EXIT_USAGE;

	if (machine_options_init(&o, args, &base)) {
		req.config = &o.config;
		req.recording = &o.recording;
		req.detach = args->detach;
		code = PMUD_CALL(pmud, CreateMachine, &req, &res);
		if (code == EXIT_USAGE)
			suggest_settings(pmud, args);
	}
	if (!code) {
		*ret = strdup(res->machine->id);
		code = *ret ? EXIT_OK : EXIT_FAILED;
	}
	machine_options_free(&o);
	answer_free(res);
	return code;
}

static int serve(struct pmud *pmud, const struct args *args,
		 const char *machine, struct out_file *trace)
{
	struct gdb_serve_config cfg = {
		.feed = {
			.pmud = pmud,
			.machine = machine,
			.console = !args->machine,
			.trace = out_file_stream(trace),
			.trace_path = args->trace,
		},
		.stdio = args->stdio,
		.listen = args->listen,
		.own = !args->machine,
		.stays_paused = args->paused,
		.monitor = gdb_monitor,
	};
	bool whole = false;
	int code = gdb_serve(&cfg, &whole);

	return out_file_close(trace, whole, code);
}

/* With the image loaded, not yet started. */
static int make(struct pmud *pmud, const struct args *args, char **ret)
{
	int code = create(pmud, args, ret);

	if (!code)
		code = image_load(pmud, *ret, args,
				  args->n_arg ? args->arg[0] : NULL, NULL);
	if (!code && args->detach)
		report_note("the machine is %s", *ret);
	return code;
}

static bool check(const struct args *args)
{
	if (!!args->machine + !!args->n_arg + !!args->kernel != 1) {
		report_error("one of --machine, an IMAGE and --kernel is "
			     "needed");
		return false;
	}
	if (args->machine && (args->trace || args->detach)) {
		report_error("--trace and --detach are for a machine that is "
			     "made; for one that is there: `trace save'");
		return false;
	}
	if (!!args->stdio + !!args->listen + !!args->exec > 1) {
		report_error("only one of --listen, --stdio and --exec");
		return false;
	}
	return true;
}

static int gdb(struct pmud *unused, struct args *args)
{
	const struct out_file_config files = { "--trace",
					       args->trace,
					       { program(args), args->initrd,
						 args->dtb } };
	struct out_file *trace = NULL;
	struct pmud *pmud = NULL;
	char *made = NULL;
	int code = check(args) ? EXIT_OK : EXIT_USAGE;

	if (!code && args->exec)
		return gdb_exec(args);
	if (!code)
		code = pmud_open(&pmud, args, !args->machine && !args->detach);
	if (!code && !args->machine)
		code = make(pmud, args, &made);
	if (!code)
		code = out_file_open(&trace, &files);
	if (!code)
		code = serve(pmud, args, made ? made : args->machine, trace);
	pmud_close(pmud);
	free(made);
	return code;
}

const struct command gdb_commands[] = {
	{ "gdb", "[IMAGE]",
	  "Serve a debugger (target remote): a machine that is there, or one "
	  "that is made for IMAGE",
	  WITH(MACHINE) | WITH(LISTEN) | WITH(STDIO) | WITH(EXEC) |
		  WITH(PAUSED) | WITH(HARTS) | WITH(MEMORY) | WITH(MODE) |
		  WITH(SET) | WITH(MAX_INSNS) | WITH(MAX_CYCLES) |
		  WITH(STOP_ON_TRAP_LOOP) | WITH(DTB) | WITH(FLAT) |
		  WITH(ENTRY) | WITH(KERNEL) | WITH(INITRD) | WITH(ADD) |
		  WITH(APPEND) | WITH(CONSOLE) | WITH(TRACE) | WITH(DETACH) |
		  WITH(RECORD) | WITH(WHEN_FULL) | WITH(TRACE_BYTES),
	  0, 1, NO_DAEMON, gdb },
	{ 0 },
};
