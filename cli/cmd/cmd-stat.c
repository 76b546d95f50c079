/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Events and counters of a machine, now; with --event those events, also of a
 * run that is made for it, and by intervals. Reading changes neither.
 */
#include "stat-print.h"

#include "cmd-run.h"
#include "command.h"
#include "session/pmud.h"
#include "session/wait.h"
#include "stat-count.h"
#include "text/exit-codes.h"
#include "text/out-file.h"
#include "text/report.h"

/* A run that is counted. */
struct counted {
	const struct args *args;
	struct pmud *pmud;
	const char *machine;
	struct stat_count *count;
	FILE *out;
};

static int prepare(void *arg, struct pmud *s, Pmu__V1__Recording *add)
{
	struct counted *c = arg;

	c->pmud = s;
	return stat_count_new(&c->count, s, c->args);
}

static int begin(void *arg, const char *machine, FILE *out)
{
	struct counted *c = arg;
	int code = stat_count_of(c->count, c->pmud, machine);

	if (code)
		return code;
	c->machine = machine;
	c->out = out;
	return stat_count_next(c->count);
}

/* Only at the end of an interval: others may pause a machine, too. */
static int paused(void *arg)
{
	struct counted *c = arg;
	Pmu__V1__GetMachineRequest req = PMU__V1__GET_MACHINE_REQUEST__INIT;
	Pmu__V1__GetMachineResponse *r = NULL;
	int code;

	req.machine = (char *)c->machine;
	code = PMUD_CALL(c->pmud, GetMachine, &req, &r);
	if (!code &&
	    r->machine->state == PMU__V1__MACHINE_STATE__MACHINE_STATE_PAUSED &&
	    stat_count_is_due(c->count, r->machine->cycle)) {
		code = stat_count_print(c->count, c->out);
		if (!code)
			code = stat_count_next(c->count);
	}
	answer_free(r);
	return code;
}

static int end(void *arg)
{
	struct counted *c = arg;
	int code;

	if (!c->machine)
		return EXIT_OK;
	code = stat_count_print(c->count, c->out);
	return code ? code : stat_count_explain(c->count, c->out);
}

static int count_run(const struct args *outer)
{
	static struct args inner;
	struct counted c = { .args = outer };
	const struct run_hooks hooks = { prepare, begin, paused, end, &c };
	int code = run_under(outer, &hooks, &inner);

	stat_count_free(c.count);
	return code;
}

/* Interval by interval, until it stops otherwise. */
static int count_intervals(struct stat_count *x, struct pmud *s,
			   const char *machine, FILE *out)
{
	Pmu__V1__WatchMachineResponse *w = NULL;
	bool due = true;
	int code = EXIT_OK;

	while (due && !code) {
		code = stat_count_next(x);
		if (!code)
			code = wait_for_stop(s, machine, &w);
		if (code)
			break;
		due = w->machine->state ==
			      PMU__V1__MACHINE_STATE__MACHINE_STATE_PAUSED &&
		      stat_count_is_due(x, w->machine->cycle);
		code = stat_count_print(x, out);
		fflush(out);
		answer_free(w);
	}
	return code;
}

/* Those of --event of a machine that is there. */
static int count_machine(struct pmud *s, const struct args *args, FILE *out)
{
	struct stat_count *x = NULL;
	int code = stat_count_new(&x, s, args);

	if (!code)
		code = stat_count_of(x, s, args->machine);
	if (!code && args->interval)
		code = count_intervals(x, s, args->machine, out);
	else if (!code)
		code = stat_count_print(x, out);
	if (!code)
		code = stat_count_explain(x, out);
	stat_count_free(x);
	return code;
}

static int stat_machine(struct pmud *s, const struct args *args)
{
	bool chosen = args->event.n || args->interval || args->separator ||
		      args->per_hart || args->per_mode ||
		      args_has(args, OPTION_HART) ||
		      args->explain_misses != ARGS_UNSET;
	struct out_file *file = NULL;
	int code = out_file_open(&file, args->output);
	FILE *out = file ? out_file_stream(file) : stdout;

	if (!code && chosen)
		code = count_machine(s, args, out);
	else if (!code)
		code = stat_print(s, args->machine, args->json, out);
	return out_file_close(file, !code, code);
}

static int stat(struct pmud *s, struct args *args)
{
	if (s && !args->n_arg)
		return stat_machine(s, args);
	if (!s && args->n_arg)
		return count_run(args);
	report_error("stat needs either --machine or -- run IMAGE");
	return EXIT_USAGE;
}

static const struct option_help own[] = {
	{ OPTION_OUTPUT,
	  "Write the counts to FILE (default: stdout, of a run stderr)" },
	{ OPTION_HART, "Only this hart (default: all)" },
	{ 0 },
};

const struct command stat_commands[] = {
	{ "stat", "[-- run OPTION... IMAGE]",
	  "Print events per hart and privilege and the guest's counters, or "
	  "--event of a machine or of a run, guest counters untouched",
	  WITH(MACHINE) | WITH(EVENT) | WITH(HART) | WITH(INTERVAL) |
		  WITH(PER_HART) | WITH(PER_MODE) | WITH(SEPARATOR) |
		  WITH(EXPLAIN_MISSES) | WITH(SYSROOT) | WITH(FORCE) |
		  WITH(OUTPUT),
	  0, ARGS_MAX, FILE_OR_DAEMON, stat, .own = own },
	{ 0 },
};
