/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * `inject`: events as if they had happened, at once or behind an instruction,
 * and what waits of them.
 */
#include <inttypes.h>

#include "command.h"
#include "event-list.h"
#include "number.h"
#include "pmu/v1/events.pb-c.h"
#include "session/address.h"
#include "session/pmud.h"
#include "show-answer.h"
#include "text/exit-codes.h"
#include "text/json.h"
#include "text/parse.h"
#include "text/plain-text.h"
#include "text/report.h"
#include "text/table.h"

/* "behind instruction 500 of hart 0"; nothing where it is done at once. */
static void print_place(const Pmu__V1__Injection *i)
{
	if (i->behind_case == PMU__V1__INJECTION__BEHIND_INSN)
		printf(" behind %sinstruction %" PRIu64,
		       i->repeat ? "each multiple of " : "", i->insn);
	else if (i->behind_case == PMU__V1__INJECTION__BEHIND_PC)
		printf(" behind %#" PRIx64 "%s", i->pc,
		       i->repeat ? ", each time" : "");
}

static int print_injection(const Pmu__V1__InjectEventsResponse *r,
			   const struct args *args)
{
	const Pmu__V1__Injection *i = r->injection;

	if (r->no_code_now)
		report_note("hart %u could execute nothing at %#" PRIx64
			    " now; the injection waits until it does",
			    i->hart, i->pc);
	if (args->json)
		return json_print(stdout, &r->base);
	if (i->number)
		printf("%" PRIu32 ": ", i->number);
	plain_printf(stdout, "%" PRIu64 " %s on hart %u", i->count, i->event,
		     i->hart);
	print_place(i);
	fputs(i->number ? "\n" : ", done\n", stdout);
	return EXIT_OK;
}

/* The one event of --event, without modifiers. Returns an exit code. */
static int event_of(const struct event_list *list, const char **ret)
{
	const struct event_choice *c = &list->item[0];

	if (list->n != 1) {
		report_error("--event: one event is injected at a time");
		return EXIT_USAGE;
	}
	if (!c->modes) {
		report_error("--event: %s is the firmware's, which counts what "
			     "it does; only harts' events are injected",
			     c->event->name);
		return EXIT_USAGE;
	}
	if (c->modes != EVENT_ALL_MODES) {
		report_error("--event: events happen in the privilege that the "
			     "hart is in; no modifier can say another");
		return EXIT_USAGE;
	}
	*ret = c->event->name;
	return EXIT_OK;
}

static int place_of(struct pmud *s, const struct args *args,
		    Pmu__V1__InjectEventsRequest *req)
{
	if (args->at_pc && args->at_insn != ARGS_UNSET) {
		report_error("--at-insn and --at-pc exclude each other");
		return EXIT_USAGE;
	}
	if (args->at_insn != ARGS_UNSET) {
		req->behind_case = PMU__V1__INJECT_EVENTS_REQUEST__BEHIND_INSN;
		req->insn = args->at_insn;
	} else if (args->at_pc) {
		req->behind_case = PMU__V1__INJECT_EVENTS_REQUEST__BEHIND_PC;
		return address_parse(s, args->machine, "--at-pc", args->at_pc,
				     &req->pc);
	} else if (args->repeat) {
		report_error("--repeat needs --at-insn or --at-pc");
		return EXIT_USAGE;
	}
	return EXIT_OK;
}

static int inject(struct pmud *s, struct args *args)
{
	Pmu__V1__InjectEventsRequest req = PMU__V1__INJECT_EVENTS_REQUEST__INIT;
	Pmu__V1__InjectEventsResponse *r = NULL;
	static struct event_list events;
	const char *event = NULL;
	int code;

	if (!args->event.n) {
		report_error("inject needs --event");
		return EXIT_USAGE;
	}
	req.machine = (char *)args->machine;
	req.count = args->number;
	req.repeat = args->repeat;
	if (!parse_hart(args, &req.hart))
		return EXIT_USAGE;
	code = event_list_init(&events, s, args);
	if (!code)
		code = event_of(&events, &event);
	if (!code)
		code = place_of(s, args, &req);
	req.event = (char *)event;
	if (!code)
		code = PMUD_CALL(s, InjectEvents, &req, &r);
	if (!code)
		code = print_injection(r, args);
	answer_free(r);
	event_list_free(&events);
	return code;
}

static int print_list(const void *answer)
{
	const Pmu__V1__ListInjectionsResponse *r = answer;
	static const struct column columns[] = {
		{ "NUMBER", COLUMN_NUMBER }, { "HART", COLUMN_NUMBER },
		{ "COUNT", COLUMN_WIDE },    { "EVENT", COLUMN_TEXT },
		{ "BEHIND", COLUMN_TEXT },   { "REPEAT", COLUMN_TEXT },
		{ "TIMES", COLUMN_LAST },
	};
	struct table *t = table_new("injections", columns, 7, false);

	for (size_t i = 0; i < r->n_injections; i++) {
		const Pmu__V1__Injection *j = r->injections[i];

		table_row(t);
		table_cell(t, "%" PRIu32, j->number);
		table_cell(t, "%" PRIu32, j->hart);
		table_cell(t, "%" PRIu64, j->count);
		table_cell(t, "%s", j->event);
		if (j->behind_case == PMU__V1__INJECTION__BEHIND_PC)
			table_cell(t, "%#" PRIx64, j->pc);
		else
			table_cell(t, "instruction %" PRIu64, j->insn);
		table_cell(t, "%s", j->repeat ? "yes" : "no");
		table_cell(t, "%" PRIu64, j->times);
	}
	return table_print(t, stdout);
}

static int list(struct pmud *s, struct args *args)
{
	Pmu__V1__ListInjectionsRequest req =
		PMU__V1__LIST_INJECTIONS_REQUEST__INIT;

	req.machine = (char *)args->machine;
	return SHOW_ANSWER(s, args, ListInjections, &req, print_list);
}

static int cancel(struct pmud *s, struct args *args)
{
	Pmu__V1__CancelInjectionRequest req =
		PMU__V1__CANCEL_INJECTION_REQUEST__INIT;
	Pmu__V1__CancelInjectionResponse *r = NULL;
	uint64_t number;
	int code;

	if (!parse_value("NUMBER", args->arg[0], &number))
		return EXIT_USAGE;
	if (!number || number > UINT32_MAX) {
		report_error("NUMBER: must be from 1 to %" PRIu32 ", not %s",
			     UINT32_MAX, args->arg[0]);
		return EXIT_USAGE;
	}
	req.machine = (char *)args->machine;
	req.injection = (uint32_t)number;
	code = PMUD_CALL(s, CancelInjection, &req, &r);
	answer_free(r);
	return code;
}

static const struct option_help own[] = {
	{ OPTION_EVENT, "The event, as `pmuctl list' names it or by number" },
	{ 0 },
};

const struct command inject_commands[] = {
	{ "inject", NULL,
	  "Count events of a hart as if they had happened, now or behind an "
	  "instruction",
	  WITH(MACHINE) | WITH(HART) | WITH(EVENT) | WITH(NUMBER) |
		  WITH(AT_INSN) | WITH(AT_PC) | WITH(REPEAT),
	  0, 0, NEEDS_DAEMON, inject, .own = own },
	{ "inject list", NULL,
	  "List the injections that wait for their instruction", WITH(MACHINE),
	  0, 0, NEEDS_DAEMON, list },
	{ "inject cancel", "NUMBER", "Let an injection wait no more",
	  WITH(MACHINE), 1, 1, NEEDS_DAEMON, cancel },
	{ 0 },
};
