/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * `monitor`: what a machine or a run does, a line each as it happens. Kinds are
 * asked for by name, so that what the machine's trace does not store comes,
 * too, and only here. `trace follow` is for that trace.
 */
#include <string.h>

#include "cmd-live.h"
#include "cmd-run.h"
#include "command.h"
#include "session/follow.h"
#include "session/pmud.h"
#include "session/wait.h"
#include "text/exit-codes.h"
#include "text/out-file.h"
#include "text/report.h"

/*
 * All but what the guest prints, which of a run is there already, and accesses
 * to CSRs, which are many.
 */
static const char default_kinds[] =
	"overflow,sample,trap,sbi,delivery,input,hart,ebb,reset,absent,stop";

struct monitored {
	struct args args; /* whose machine and kinds are set */
	struct pmud *pmud;
	struct live_view view;
	struct follow_tap tap;
};

/* Of the machine that its args name. Returns an exit code. */
static int open_view(struct monitored *m, FILE *out)
{
	int code;

	m->view.args = &m->args;
	m->view.out = out;
	code = live_view_open(&m->view, m->pmud);
	if (code || record_filter_narrow(&m->view.filter))
		return code;
	report_error("--filter: it holds for no record of the kinds %s",
		     m->args.kind);
	return EXIT_USAGE;
}

/* A run */

static int prepare(void *arg, struct pmud *s, Pmu__V1__Recording *add)
{
	struct monitored *m = arg;

	m->pmud = s;
	return EXIT_OK;
}

static int loaded(void *arg, const char *machine, FILE *out)
{
	struct monitored *m = arg;

	m->args.machine = machine;
	return open_view(m, out);
}

static int begin(void *arg, const char *machine, FILE *out)
{
	struct monitored *m = arg;
	Pmu__V1__RunUntilRequest until = PMU__V1__RUN_UNTIL_REQUEST__INIT;

	until.machine = (char *)machine;
	return pmud_go_on(m->pmud, &until);
}

static int end(void *arg)
{
	return EXIT_OK;
}

static int take(void *arg, const Pmu__V1__StreamRecordsResponse *r)
{
	struct monitored *m = arg;

	return live_view_take(&m->view, r);
}

static int monitor_run(struct monitored *m)
{
	static struct args inner;
	const struct run_hooks hooks = {
		.prepare = prepare,
		.loaded = loaded,
		.begin = begin,
		.end = end,
		.arg = m,
		.tap = &m->tap,
	};

	m->tap = (struct follow_tap){ .filter = &m->view.filter.message,
				      .drop = m->args.drop,
				      .take = take,
				      .arg = m };
	return run_under(&m->args, &hooks, &inner);
}

/* A machine that is there */

static int watch(struct monitored *m, FILE *out)
{
	int code = wait_look(m->pmud, m->args.machine, &m->view.stands);

	if (!code)
		code = open_view(m, out);
	return code ? code : live_follow(m->pmud, &m->view);
}

static int monitor_machine(struct monitored *m)
{
	struct out_file *file = NULL;
	int code = out_file_open(&file, m->args.output);

	if (!code)
		code = watch(m, file ? out_file_stream(file) : stdout);
	/* whoever ends it by a signal has all up to there */
	return out_file_close(file, !code || code > EXIT_SIGNAL, code);
}

static int monitor(struct pmud *s, struct args *args)
{
	static struct monitored m;
	int code;

	if (!s == !args->n_arg) {
		report_error("monitor needs either --machine or -- run IMAGE");
		return EXIT_USAGE;
	}
	memset(&m, 0, sizeof(m));
	m.args = *args;
	if (!m.args.kind)
		m.args.kind = default_kinds;
	m.pmud = s;
	code = s ? monitor_machine(&m) : monitor_run(&m);
	live_view_close(&m.view);
	return code;
}

static const struct option_help own[] = {
	{ OPTION_OUTPUT, "Print to FILE (default: stdout, of a run stderr)" },
	{ OPTION_HART, "Only this hart (default: all)" },
	{ OPTION_KIND,
	  "Only these kinds: overflow, sample, trap, sbi, csr, delivery, "
	  "console, input, hart, ebb, reset, absent or stop (default: all "
	  "but console and csr)" },
	{ 0 },
};

const struct command monitor_commands[] = {
	{ "monitor", "[-- run OPTION... IMAGE]",
	  "Print what a machine or a run does, a line each as it happens: "
	  "overflows, traps, SBI calls and more, stored or not",
	  WITH(MACHINE) | WITH(KIND) | WITH(HART) | WITH(COUNTER) |
		  WITH(FUNCTION) | WITH(LINE) | WITH(RANGE) | WITH(FILTER) |
		  WITH(DROP) | WITH(OUTPUT) | WITH_NAMES,
	  0, ARGS_MAX, FILE_OR_DAEMON, monitor, .own = own },
	{ 0 },
};
