/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * `record`: a run whose trace has a sample of each period-th event. Samplers
 * belong to the machine from its creation on, so every sample is at its exact
 * place and the run is the same with and without.
 */
#include "cmd-run.h"
#include "command.h"
#include "event-list.h"
#include "session/pmud.h"
#include "text/exit-codes.h"
#include "text/report.h"

enum {
	MAX_SAMPLERS = 16, /* that a machine accepts */
	N_MODES = 5
};

static const char default_file[] = "record.trace";

struct recorded {
	const struct args *args;
	struct pmud *pmud;
	struct event_list events;
	Pmu__V1__Sampler sampler[MAX_SAMPLERS], *list[MAX_SAMPLERS];
	Pmu__V1__Privilege modes[MAX_SAMPLERS][N_MODES];
};

static bool add(struct recorded *r, size_t i)
{
	const struct event_choice *c = &r->events.item[i];
	Pmu__V1__Sampler *s = &r->sampler[i];

	if (!c->modes) {
		report_error("--event: %s is the firmware's and cannot be "
			     "sampled",
			     c->event->name);
		return false;
	}
	pmu__v1__sampler__init(s);
	s->event = c->event->name;
	s->name = (char *)c->name;
	s->period = r->args->period;
	s->callers = r->args->callers;
	s->registers = r->args->registers;
	s->privileges = r->modes[i];
	for (unsigned m = 1; m <= N_MODES; m++)
		if (c->modes >> m & 1)
			s->privileges[s->n_privileges++] =
				(Pmu__V1__Privilege)m;
	r->list[i] = s;
	return true;
}

static int prepare(void *arg, struct pmud *s, Pmu__V1__Recording *recording)
{
	struct recorded *r = arg;
	int code;

	r->pmud = s;
	code = event_list_init(&r->events, s, r->args);
	if (!code && r->events.n > MAX_SAMPLERS) {
		report_error("--event: more than %d events", MAX_SAMPLERS);
		code = EXIT_USAGE;
	}
	for (size_t i = 0; i < r->events.n && !code; i++)
		code = add(r, i) ? EXIT_OK : EXIT_USAGE;
	recording->samplers = r->list;
	recording->n_samplers = r->events.n;
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

static int record(struct pmud *s, struct args *args)
{
	static struct args outer, inner;
	static struct recorded r;
	const struct run_hooks hooks = { prepare, begin, NULL, end, &r };
	int code;

	if (!args->event.n || args->period == ARGS_UNSET || !args->period) {
		report_error(
			"record needs --event, and --period of at least 1");
		return EXIT_USAGE;
	}
	/* The run's own --record may still add to that. */
	outer = *args;
	outer.trace = args->output ? args->output : default_file;
	outer.output = NULL;
	outer.record = "none";
	r.args = args;
	code = run_under(&outer, &hooks, &inner);
	event_list_free(&r.events);
	return code;
}

const struct command record_commands[] = {
	{ "record", "-- run OPTION... IMAGE",
	  "Run a guest and write a trace (record.trace) with a sample of each "
	  "N-th event, guest counters untouched",
	  WITH(EVENT) | WITH(PERIOD) | WITH(CALLERS) | WITH(REGISTERS) |
		  WITH(OUTPUT),
	  1, ARGS_MAX, NO_DAEMON, record },
	{ 0 },
};
