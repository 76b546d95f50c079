/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * `record`: a trace with a sample of each period-th event, of a run, whose
 * machine has its samplers from its creation on, or of a machine that is there
 * already. Every sample is at its exact place, and the guest is the same with
 * and without.
 */
#include "cmd-run.h"
#include "command.h"
#include "guest-time.h"
#include "sampler-list.h"
#include "session/pmud.h"
#include "session/sampling.h"
#include "text/exit-codes.h"
#include "text/out-file.h"
#include "text/report.h"
#include "trace/sample-filter.h"
#include "trace/trace-out.h"

/* Of a run */

struct recorded {
	const struct args *args;
	struct pmud *pmud;
	struct sampler_list samplers;
	struct sample_filter filter;
};

static int prepare(void *arg, struct pmud *s, Pmu__V1__Recording *recording)
{
	struct recorded *r = arg;
	int code;

	r->pmud = s;
	code = sampler_list_init(&r->samplers, s, r->args);
	recording->samplers = r->samplers.list;
	recording->n_samplers = r->samplers.n;
	return code;
}

static int begin(void *arg, const char *machine, FILE *out)
{
	struct recorded *r = arg;
	Pmu__V1__ResumeMachineRequest resume =
		PMU__V1__RESUME_MACHINE_REQUEST__INIT;
	Pmu__V1__ResumeMachineResponse *answer = NULL;
	int code;

	resume.machine = (char *)machine;
	code = PMUD_CALL(r->pmud, ResumeMachine, &resume, &answer);
	answer_free(answer);
	return code;
}

static int end(void *arg)
{
	return EXIT_OK;
}

/* Either samples, or all there is. */
static bool check(const struct args *args)
{
	if (!args->exact &&
	    (!args->event.n || args->period == ARGS_UNSET || !args->period))
		report_error("record needs --event, and --period of at least "
			     "1, or --exact");
	else if (!args->event.n)
		report_error("record --exact needs --event");
	else if (args->exact && !args->n_arg)
		report_error("record --exact needs -- run IMAGE");
	else if (args->exact && (args->period != ARGS_UNSET || args->callers ||
				 args->registers || args->stack))
		report_error("record --exact goes without --period, "
			     "--call-graph, --registers and --stack");
	else
		return true;
	return false;
}

static int record_run(struct args *args)
{
	static struct args outer, inner;
	static struct recorded r;
	const struct run_hooks hooks = { prepare, begin, NULL,
					 end,	  &r,	 &r.filter };
	int code = sample_filter_open(&r.filter, args);

	outer = *args;
	outer.trace = args->output;
	outer.output = NULL;
	outer.samples = true;
	r.args = args;
	if (!code)
		code = run_under(&outer, &hooks, &inner);
	sampler_list_free(&r.samplers);
	sample_filter_close(&r.filter);
	return code;
}

/* Of a machine */

static int take(void *arg, Pmu__V1__SampleEventsResponse *msg)
{
	struct trace_out *out = arg;

	if (msg->item_case == PMU__V1__SAMPLE_EVENTS_RESPONSE__ITEM_BATCH)
		return trace_out_records(out, msg->batch) ? EXIT_OK
							  : EXIT_FAILED;
	return trace_out_header(out, msg->begun->header) ? EXIT_OK
							 : EXIT_FAILED;
}

static int timeout(void *arg)
{
	return trace_out_timeout(arg);
}

static int flush(void *arg)
{
	return trace_out_flush(arg) ? EXIT_OK : EXIT_FAILED;
}

static int record_to(struct pmud *s, const struct args *args,
		     struct trace_out *out)
{
	static struct sampler_list samplers;
	struct guest_time time = { 0 };
	struct sampling_config cfg = {
		.pmud = s,
		.machine = args->machine,
		.samplers = samplers.list,
		.time = &time,
		.take = take,
		.timeout = timeout,
		.work = flush,
		.arg = out,
	};
	int code = args->time && !guest_time_parse(&time, "--time", args->time)
			   ? EXIT_USAGE
			   : sampler_list_init(&samplers, s, args);

	cfg.n_samplers = samplers.n;
	if (!code)
		code = sampling_run(&cfg);
	sampler_list_free(&samplers);
	return code;
}

static int record_machine(struct pmud *s, const struct args *args)
{
	struct sample_filter filter;
	struct trace_out trace = { .path = args->output, .filter = &filter };
	struct out_file *out = NULL;
	int code = sample_filter_open(&filter, args);

	if (!code)
		code = out_file_open(&out, args->output);
	if (!code) {
		trace.file = out_file_stream(out);
		filter.pmud = s;
		code = record_to(s, args, &trace);
	}
	sample_filter_close(&filter);
	return out_file_close(out, !code, code);
}

static int record(struct pmud *s, struct args *args)
{
	if (!check(args))
		return EXIT_USAGE;
	if (s && !args->n_arg)
		return record_machine(s, args);
	if (!s && args->n_arg && !args->time)
		return record_run(args);
	report_error(args->time && args->n_arg
			     ? "--time is for --machine; a run has --max-cycles"
			     : "record needs either --machine or -- run IMAGE");
	return EXIT_USAGE;
}

static const struct option_help own[] = {
	{ OPTION_OUTPUT, "The trace (default: record.trace)" },
	{ 0 },
};

const struct command record_commands[] = {
	{ "record", "[-- run OPTION... IMAGE]",
	  "Write a trace (record.trace) with a sample of each N-th event of a "
	  "machine, until Ctrl-C, or of a run, guest counters untouched",
	  WITH(EVENT) | WITH(PERIOD) | WITH(CALLERS) | WITH(REGISTERS) |
		  WITH(EXACT) | WITH(OUTPUT) | WITH(MACHINE) | WITH(TIME) |
		  WITH(FILTER) | WITH(STACK) | WITH_NAMES,
	  0, ARGS_MAX, FILE_OR_DAEMON, record, .own = own,
	  .output = "record.trace" },
	{ 0 },
};
