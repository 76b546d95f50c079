/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * `pmuctl gdb`: a machine for a debugger that speaks GDB's remote protocol,
 * either one that is there or one that is made for it. What the debugger is
 * told is decided in gdb/.
 */
#include "command.h"
#include "gdb-exec.h"
#include "gdb-monitor.h"
#include "gdb/gdb-serve.h"
#include "machine-create.h"
#include "session/image.h"
#include "session/pmud.h"
#include "text/exit-codes.h"
#include "text/out-file.h"
#include "text/report.h"

static int create(struct pmud *pmud, const struct args *args,
		  Pmu__V1__CreateMachineResponse **ret)
{
	struct machine_base base = {
		.rv32 = image_is_rv32(args_image(args)),
	};
	struct machine_options o CLEANUP(machine_options);

	if (!machine_options_init(&o, args, &base))
		return EXIT_USAGE;
	return machine_create(&o, args, pmud, ret);
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
static int make(struct pmud *pmud, const struct args *args,
		Pmu__V1__CreateMachineResponse **ret)
{
	const char *image = args->n_arg ? args->arg[0] : NULL;
	int code = create(pmud, args, ret);

	if (!code)
		code = image_load(pmud, (*ret)->machine->id, args, image, NULL);
	if (!code && args->detach)
		report_note("the machine is %s", (*ret)->machine->id);
	return code;
}

static bool check(const struct args *args)
{
	if (!!args->machine + !!args->n_arg + !!args->kernel > 1 ||
	    (!args->machine && !args_image(args))) {
		report_error("one of --machine, an IMAGE, --kernel and --bios "
			     "is needed");
		return false;
	}
	if (args->machine && args->bios) {
		report_error("--bios is for a machine that is made");
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
	struct out_file *trace = NULL;
	Pmu__V1__CreateMachineResponse *made CLEANUP(answer) = NULL;
	struct pmud *pmud CLEANUP(pmud) = NULL;
	int code;

	if (!check(args))
		return EXIT_USAGE;
	if (args->exec)
		return gdb_exec(args);
	code = pmud_open(&pmud, args, !args->machine && !args->detach);
	if (!code && !args->machine)
		code = make(pmud, args, &made);
	if (!code)
		code = out_file_open(&trace, args->trace);
	return code ? code
		    : serve(pmud, args,
			    made ? made->machine->id : args->machine, trace);
}

const struct command gdb_commands[] = {
	{ "gdb", "[IMAGE]",
	  "Serve a debugger (target remote): a machine that is there, or one "
	  "that is made for IMAGE",
	  WITH(MACHINE) | WITH(LISTEN) | WITH(STDIO) | WITH(EXEC) |
		  WITH(PAUSED) | WITH(HARTS) | WITH(MEMORY) | WITH(MODE) |
		  WITH(SET) | WITH(MAX_INSNS) | WITH(MAX_CYCLES) |
		  WITH(STOP_ON_TRAP_LOOP) | WITH(DTB) | WITH(FLAT) |
		  WITH(ENTRY) | WITH(BIOS) | WITH(KERNEL) | WITH(INITRD) |
		  WITH(ADD) | WITH(APPEND) | WITH(CONSOLE) | WITH(TRACE) |
		  WITH(DETACH) | WITH(RECORD) | WITH(WHEN_FULL) |
		  WITH(TRACE_BYTES),
	  0, 1, NO_DAEMON, gdb, .files = "r" },
	{ 0 },
};
