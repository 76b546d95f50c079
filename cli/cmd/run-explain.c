/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A point is a run-until of the daemon, so that it costs the guest nothing. A
 * pause is looked at anew by a call: what a watcher hears may be old, and
 * others may pause a machine, too.
 */
#include "run-explain.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "session/address.h"
#include "args.h"
#include "session/pmud.h"
#include "text/exit-codes.h"
#include "explain-counter.h"
#include "text/json.h"
#include "number.h"
#include "pmu/v1/machines.pb-c.h"
#include "text/regular-file.h"
#include "text/report.h"
#include "symbols.h"
#include "trace/function-name.h"
#include "trace/guest-files.h"
#include "wire/cleanup.h"

CLEANUP_POINTER(symbols, struct symbols, symbols_close)

enum point_kind {
	POINT_END,
	POINT_INSN,
	POINT_CYCLE,
	POINT_PC,
};

struct point {
	const char *text; /* as it was given */
	enum point_kind kind;
	uint64_t value;
	bool moves; /* with the image, which is position independent */
};

struct run_explain {
	Pmu__V1__ExplainCounterRequest counter[ARGS_LIST];
	struct point point[ARGS_LIST];
	size_t n_counters, n_points;
	size_t next; /* the point that is run to */
	bool json;
	bool failed; /* a call, which was said: no more is asked */
	struct pmud *pmud;
	char *machine;
	FILE *out;
	struct guest_files *files; /* those below --sysroot name functions */
};

/* "main", "main+8", or a number. Returns an exit code, as all of these. */
static int find_pc(const char *text, const char *image, struct point *ret)
{
	struct symbols *s CLEANUP(symbols) = NULL;
	char *name CLEANUP(free) = NULL;
	const char *why;
	uint64_t offset;
	int code;

	if (number_parse(text, &ret->value))
		return EXIT_OK;
	s = symbols_open(&(struct symbols_file){ .path = image,
						 .open = regular_file_find },
			 &why);
	if (!s) {
		report_error("--at: %s: %s", image, why);
		return EXIT_USAGE;
	}
	if (!address_split(text, &name, &offset)) {
		report_error("--at: %s has no symbol '%s'", image, text);
		return EXIT_USAGE;
	}
	code = function_name_find(s, "--at", image, name, &ret->value);
	ret->value += offset;
	ret->moves = symbols_can_move(s);
	return code;
}

static int parse_point(const char *text, const char *image, struct point *ret)
{
	static const char wanted[] =
		"insn:N, cycle:N, pc:ADDRESS, a symbol of the image, or end";
	uint64_t number;

	*ret = (struct point){ .text = text };
	if (strcmp(text, "end") == 0)
		return EXIT_OK;
	if (strncmp(text, "insn:", 5) == 0)
		ret->kind = POINT_INSN;
	else if (strncmp(text, "cycle:", 6) == 0)
		ret->kind = POINT_CYCLE;
	else
		ret->kind = POINT_PC;
	if (ret->kind != POINT_PC) {
		if (number_parse_count(strchr(text, ':') + 1, &ret->value))
			return EXIT_OK;
	} else if (strncmp(text, "pc:", 3) == 0) {
		return find_pc(text + 3, image, ret);
	} else if (!number_parse_count(text, &number)) {
		return find_pc(text, image, ret);
	}
	report_error("--at: '%s' is not a point of a run: %s", text, wanted);
	return EXIT_USAGE;
}

static int parse(struct run_explain *x, const struct args *args)
{
	const char *image = args->arg[0] ? args->arg[0] : args->kernel;

	for (size_t i = 0; i < args->explain.n; i++) {
		Pmu__V1__ExplainCounterRequest *q = &x->counter[i];

		pmu__v1__explain_counter_request__init(q);
		if (!explain_counter_parse(args->explain.item[i], q))
			return EXIT_USAGE;
		x->n_counters++;
	}
	for (size_t i = 0; i < args->at.n; i++) {
		int code = parse_point(args->at.item[i], image, &x->point[i]);

		if (code)
			return code;
		x->n_points++;
	}
	if (!x->n_points)
		x->point[x->n_points++] = (struct point){ .text = "end" };
	return EXIT_OK;
}

int run_explain_new(struct run_explain **ret, const struct args *args)
{
	struct run_explain *x;
	int code;

	*ret = NULL;
	if (!args->explain.n && args->at.n) {
		report_error("--at needs --explain");
		return EXIT_USAGE;
	}
	if (!args->explain.n && args->sysroot && !args->hooks) {
		report_error("--sysroot needs --explain");
		return EXIT_USAGE;
	}
	if (!args->explain.n)
		return EXIT_OK;
	x = calloc(1, sizeof(*x));
	if (!x)
		return report_no_memory("--explain");
	x->json = args->json;
	code = guest_files_open(&x->files, args, false);
	if (!code)
		code = parse(x, args);
	if (code) {
		run_explain_free(x);
		return code;
	}
	*ret = x;
	return EXIT_OK;
}

void run_explain_free(struct run_explain *x)
{
	if (!x)
		return;
	guest_files_close(x->files);
	free(x->machine);
	free(x);
}

/* Lets it run to the next point, or, with none left, to its end. */
static int run_to_next_point(struct run_explain *x)
{
	Pmu__V1__RunUntilRequest until = PMU__V1__RUN_UNTIL_REQUEST__INIT;
	const struct point *p = &x->point[x->next];

	until.machine = x->machine;
	if (x->next < x->n_points && p->kind == POINT_INSN) {
		until.condition_case =
			PMU__V1__RUN_UNTIL_REQUEST__CONDITION_INSN;
		until.insn = p->value;
	} else if (x->next < x->n_points && p->kind == POINT_CYCLE) {
		until.condition_case =
			PMU__V1__RUN_UNTIL_REQUEST__CONDITION_CYCLE;
		until.cycle = p->value;
	} else if (x->next < x->n_points && p->kind == POINT_PC) {
		until.condition_case = PMU__V1__RUN_UNTIL_REQUEST__CONDITION_PC;
		until.pc = p->value;
	}
	return pmud_go_on(x->pmud, &until);
}

static int get(struct run_explain *x, Pmu__V1__GetMachineResponse **ret)
{
	Pmu__V1__GetMachineRequest req = PMU__V1__GET_MACHINE_REQUEST__INIT;

	req.machine = x->machine;
	return PMUD_CALL(x->pmud, GetMachine, &req, ret);
}

/* Symbols are where the image has gone, which is known once it is loaded. */
static int move_points(struct run_explain *x)
{
	Pmu__V1__GetMachineResponse *r = NULL;
	int code = EXIT_OK;

	for (size_t i = 0; i < x->n_points && !code; i++) {
		if (!x->point[i].moves)
			continue;
		if (!r)
			code = get(x, &r);
		if (!code)
			x->point[i].value += r->machine->image_bias;
	}
	answer_free(r);
	return code;
}

/* Those of the end stand behind all others. */
static void order(struct run_explain *x)
{
	struct point sorted[ARGS_LIST];
	size_t n = 0;

	for (int end = 0; end < 2; end++) {
		for (size_t i = 0; i < x->n_points; i++) {
			if ((x->point[i].kind == POINT_END) == end)
				sorted[n++] = x->point[i];
		}
	}
	memcpy(x->point, sorted, n * sizeof(*sorted));
}

static int print_json(struct run_explain *x, const struct point *p,
		      const Pmu__V1__MachineInfo *m,
		      const Pmu__V1__ExplainCounterResponse *r)
{
	json_t *object = explain_counter_json(r, x->files);

	json_add(&object, "at", json_text(p->text));
	json_add(&object, "cycle", json_decimal(m->cycle));
	return json_put(x->out, object, JSON_INDENT(2));
}

/* All counters, as they are now. */
static int explain(struct run_explain *x, const struct point *p,
		   const Pmu__V1__MachineInfo *m, const char *note)
{
	int code = EXIT_OK;

	for (size_t i = 0; i < x->n_counters && !code; i++) {
		Pmu__V1__ExplainCounterResponse *r = NULL;

		code = explain_counter_ask(x->pmud, &x->counter[i], &r);
		if (!code && x->json) {
			code = print_json(x, p, m, r);
		} else if (!code) {
			fprintf(x->out, "\nat %s, cycle %" PRIu64 "%s:\n",
				p->text, m->cycle, note);
			code = explain_counter_print(x->out, r, x->files);
		}
		answer_free(r);
	}
	return code;
}

int run_explain_begin(struct run_explain *x, struct pmud *s,
		      const char *machine, FILE *out)
{
	int code = EXIT_OK;

	x->pmud = s;
	x->out = out;
	x->machine = strdup(machine);
	if (!x->machine)
		return report_no_memory("--explain");
	order(x);
	code = move_points(x);
	for (size_t i = 0; i < x->n_counters && !code; i++) {
		Pmu__V1__ExplainCounterResponse *r = NULL;

		x->counter[i].machine = x->machine;
		code = explain_counter_ask(s, &x->counter[i], &r);
		answer_free(r);
	}
	if (!code)
		code = run_to_next_point(x);
	x->failed = code != EXIT_OK;
	return code;
}

int run_explain_paused(void *arg)
{
	struct run_explain *x = arg;
	Pmu__V1__GetMachineResponse *r = NULL;
	const struct point *p = &x->point[x->next];
	int code = get(x, &r);

	if (!code && x->next < x->n_points && p->kind != POINT_END &&
	    r->machine->state == PMU__V1__MACHINE_STATE__MACHINE_STATE_PAUSED &&
	    r->machine->cause == PMU__V1__STOP_CAUSE__STOP_CAUSE_UNTIL) {
		code = explain(x, p, r->machine, "");
		x->next++;
		if (!code)
			code = run_to_next_point(x);
	}
	answer_free(r);
	x->failed = code != EXIT_OK;
	return code;
}

int run_explain_end(struct run_explain *x)
{
	Pmu__V1__GetMachineResponse *r = NULL;
	int code = x->machine && !x->failed ? get(x, &r) : EXIT_OK;

	/* what it crashed of was said, and nothing can be asked any more */
	if (!r ||
	    r->machine->state == PMU__V1__MACHINE_STATE__MACHINE_STATE_CRASHED)
		x->next = x->n_points;
	for (; x->next < x->n_points && !code; x->next++) {
		const struct point *p = &x->point[x->next];

		code = explain(x, p, r->machine,
			       p->kind == POINT_END ? ""
						    : " (it was not reached)");
	}
	answer_free(r);
	return code;
}
