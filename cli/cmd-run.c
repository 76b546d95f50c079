/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * `pmuctl run`: make a machine, load it, follow it to its end, print what it
 * counted. The order matters: streams are open before the first instruction.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd-stat.h"
#include "command.h"
#include "conn.h"
#include "exit-codes.h"
#include "follow.h"
#include "image.h"
#include "machine-options.h"
#include "replay.h"
#include "say.h"
#include "trace-file.h"

enum {
	TRACE_BUFFER = 1 << 20
};

struct run {
	struct conn *conn;
	struct args *args;
	struct trace_reader *replay; /* or NULL */
	char *machine;		     /* its name */
	FILE *trace, *stat;	     /* or NULL */
};

static const Pmu__V1__Header *replayed(const struct run *r)
{
	return r->replay ? trace_header(r->replay) : NULL;
}

static int create(struct run *r)
{
	Pmu__V1__CreateMachineRequest req =
		PMU__V1__CREATE_MACHINE_REQUEST__INIT;
	Pmu__V1__CreateMachineResponse *res = NULL;
	struct machine_base base = {
		.replay = replayed(r),
		.rv32 = image_is_rv32(r->args->arg[0]),
	};
	struct machine_options o;
	int code = EXIT_USAGE;

	if (machine_options_init(&o, r->args, &base)) {
		req.config = &o.config;
		req.detach = r->args->detach;
		code = CONN_CALL(r->conn, MachineService, CreateMachine,
				 create_machine, &req, &res);
	}
	if (!code) {
		r->machine = strdup(res->machine->id);
		code = r->machine ? EXIT_OK : EXIT_FAILED;
	}
	machine_options_free(&o);
	conn_free(res);
	return code;
}

static int start(struct run *r)
{
	Pmu__V1__StartMachineRequest req = PMU__V1__START_MACHINE_REQUEST__INIT;
	Pmu__V1__StartMachineResponse *res = NULL;
	int code;

	req.machine = r->machine;
	code = CONN_CALL(r->conn, MachineService, StartMachine, start_machine,
			 &req, &res);
	conn_free(res);
	return code;
}

static int open_file(const char *path, FILE **ret)
{
	if (!path)
		return EXIT_OK;
	*ret = fopen(path, "wbe");
	if (*ret)
		return EXIT_OK;
	say_error("%s: %s", path, strerror(errno));
	return errno == EACCES ? EXIT_DENIED : EXIT_FAILED;
}

/* Also where the data of a full disk is noticed last. */
static int close_file(const char *path, FILE *file, int code)
{
	if (!file || fclose(file) == 0)
		return code;
	say_error("%s: %s", path, strerror(errno));
	return code ? code : EXIT_FAILED;
}

/* The numbers are wanted also when the user ended the run. */
static int print_stat(struct run *r, int code)
{
	FILE *out = r->stat ? r->stat : stderr;
	int err;

	if (!r->args->stat || code == EXIT_UNREACHABLE)
		return code;
	if (!r->stat)
		fputc('\n', out);
	err = stat_print(r->conn, r->machine, r->args->json, out);
	return code ? code : err;
}

static int follow(struct run *r)
{
	struct follow_config cfg = {
		.conn = r->conn,
		.machine = r->machine,
		.trace = r->trace,
		.trace_path = r->args->trace,
		.input = !r->replay,
	};
	struct follow *f;
	bool left = false;
	int code = follow_open(&f, &cfg);

	if (code)
		return code;
	code = start(r);
	if (!code)
		code = follow_run(f, &left);
	code = print_stat(r, left && !code ? EXIT_LEFT : code);
	follow_close(f);
	return code;
}

/* An EXIT_... of our own before the run, or that of the run. */
static int run_machine(struct run *r)
{
	int code = create(r);

	if (!code)
		code = image_load(r->conn, r->machine, r->args, r->args->arg[0],
				  replayed(r));
	if (!code && r->replay)
		code = replay_inputs(r->conn, r->machine, r->replay);
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
	if (args->detach && (args->stat || args->trace)) {
		say_error("--detach leaves nothing to wait for: --stat and "
			  "--trace do not go with it");
		return false;
	}
	if (args->output && !args->stat) {
		say_error("--output is for --stat, which is missing");
		return false;
	}
	return true;
}

static int run(struct conn *s, struct args *args)
{
	struct run r = { .args = args };
	int code = check(args) ? EXIT_OK : EXIT_USAGE;

	if (!code && args->replay)
		code = trace_open(&r.replay, args->replay);
	if (!code)
		code = open_file(args->trace, &r.trace);
	if (!code)
		code = open_file(args->output, &r.stat);
	if (r.trace)
		setvbuf(r.trace, NULL, _IOFBF, TRACE_BUFFER);
	if (!code)
		code = conn_open(&r.conn, args, !args->detach);
	if (!code)
		code = run_machine(&r);
	conn_close(r.conn);
	code = close_file(args->trace, r.trace, code);
	code = close_file(args->output, r.stat, code);
	trace_close(r.replay);
	free(r.machine);
	return code;
}

const struct command run_commands[] = {
	{ "run", "IMAGE", "Run a guest, its console on stdin and stdout",
	  WITH(HARTS) | WITH(MEMORY) | WITH(MODE) | WITH(SET) |
		  WITH(MAX_INSNS) | WITH(MAX_CYCLES) | WITH(DTB) | WITH(FLAT) |
		  WITH(STAT) | WITH(OUTPUT) | WITH(TRACE) | WITH(REPLAY) |
		  WITH(DETACH),
	  1, 1, NO_DAEMON, run },
	{ 0 },
};
