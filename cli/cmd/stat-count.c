/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A count is a difference of totals, which no observer moves. An interval ends
 * at a cycle of the machine's clock: a run-until of the daemon, so that its
 * numbers are the same whatever the host does.
 */
#include "stat-count.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "event-list.h"
#include "guest-time.h"
#include "session/pmud.h"
#include "stat-misses.h"
#include "text/exit-codes.h"
#include "text/names.h"
#include "text/json.h"
#include "text/plain-text.h"
#include "text/report.h"
#include "trace/guest-files.h"
#include "pmu/v1/machines.pb-c.h"
#include "wire/cleanup.h"

enum {
	NS_PER_S = 1000000000,
	TIME_TEXT = 40
};

__extension__ typedef unsigned __int128 u128; /* ns times a clock's Hz */

struct stat_count {
	struct event_list events;
	bool json, per_hart, per_mode, headed;
	bool named;		   /* the events, by --event */
	const char *separator;	   /* or NULL */
	int64_t hart;		   /* -1: all */
	uint64_t explain;	   /* so many misses of each; 0: none */
	struct guest_files *files; /* those below --sysroot name functions */
	struct guest_time interval;
	uint64_t period, next; /* in cycles */
	struct pmud *pmud;
	char *machine;
	Pmu__V1__ReadTotalsResponse *last; /* NULL: since cycle 0 */
};

int stat_count_new(struct stat_count **ret, struct pmud *s,
		   const struct args *args)
{
	struct stat_count *x = calloc(1, sizeof(*x));
	int code;

	if (!x)
		return report_no_memory("counts");
	x->json = args->json;
	x->named = args->event.n;
	x->per_hart = args->per_hart;
	x->per_mode = args->per_mode;
	x->separator = args->separator;
	x->hart = args_has(args, OPTION_HART) ? (int64_t)args->hart : -1;
	code = args->interval && !guest_time_parse(&x->interval, "--interval",
						   args->interval)
		       ? EXIT_USAGE
		       : event_list_init(&x->events, s, args);
	if (!code)
		code = stat_misses_asked(args, &x->events, &x->explain);
	if (!code)
		code = guest_files_open(&x->files, args, false);
	if (code) {
		stat_count_free(x);
		return code;
	}
	*ret = x;
	return EXIT_OK;
}

void stat_count_free(struct stat_count *x)
{
	if (!x)
		return;
	event_list_free(&x->events);
	guest_files_close(x->files);
	answer_free(x->last);
	free(x->machine);
	free(x);
}

static int read_totals(struct stat_count *x, Pmu__V1__ReadTotalsResponse **ret)
{
	Pmu__V1__ReadTotalsRequest req = PMU__V1__READ_TOTALS_REQUEST__INIT;

	req.machine = x->machine;
	return PMUD_CALL(x->pmud, ReadTotals, &req, ret);
}

static bool has_hart(const Pmu__V1__ReadTotalsResponse *r, int64_t hart)
{
	for (size_t i = 0; i < r->n_totals; i++)
		if (r->totals[i]->hart == hart)
			return true;
	return false;
}

static bool has_event(const Pmu__V1__ReadTotalsResponse *r,
		      const struct event_choice *e)
{
	if (!e->modes) /* the firmware's */
		return true;
	for (size_t i = 0; i < r->n_totals; i++)
		if (!strcmp(r->totals[i]->event, e->event->name))
			return true;
	return false;
}

static int refuse(const Pmu__V1__Event *e)
{
	bool known = e->settings[0];

	report_error("--event: this machine does not count %s%s%s%s%s", e->name,
		     known ? " (settings " : "", e->settings,
		     e->watched ? ", uarch-watch" : "", known ? ")" : "");
	return EXIT_USAGE;
}

/* Only what the machine counts; what was named has to be. */
static int keep_counted(struct stat_count *x,
			const Pmu__V1__ReadTotalsResponse *r)
{
	struct event_list *list = &x->events;
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++) {
		if (has_event(r, &list->item[i])) {
			list->item[n++] = list->item[i];
		} else if (x->named) {
			return refuse(list->item[i].event);
		}
	}
	list->n = n;
	return EXIT_OK;
}

int stat_count_of(struct stat_count *x, struct pmud *s, const char *name)
{
	Pmu__V1__ReadTotalsResponse *r = NULL;
	int code;

	x->pmud = s;
	x->machine = strdup(name);
	if (!x->machine)
		return report_no_memory("counts");
	code = read_totals(x, &r);
	if (!code && x->hart >= 0 && !has_hart(r, x->hart)) {
		report_error("--hart: there is no hart %" PRId64, x->hart);
		code = EXIT_NOT_FOUND;
	}
	if (!code)
		code = keep_counted(x, r);
	if (!code && x->explain && !stat_misses_any(&x->events)) {
		report_error("--explain-misses: the machine has no model of a "
			     "cache or TLB that is observed (settings uarch, "
			     "uarch-watch)");
		code = EXIT_USAGE;
	}
	if (!code) {
		x->period = guest_time_cycles(&x->interval, r->clock_hz);
		x->next = (r->cycle / x->period + 1) * x->period;
		/* the first interval begins here, not with the machine */
		if (x->interval.n)
			x->last = pointer_take(&r);
	}
	answer_free(r);
	return code;
}

int stat_count_next(struct stat_count *x)
{
	Pmu__V1__RunUntilRequest until = PMU__V1__RUN_UNTIL_REQUEST__INIT;

	until.machine = x->machine;
	if (x->interval.n)
		until.condition_case =
			PMU__V1__RUN_UNTIL_REQUEST__CONDITION_CYCLE;
	until.cycle = x->next;
	return pmud_go_on(x->pmud, &until);
}

bool stat_count_is_due(const struct stat_count *x, uint64_t cycle)
{
	return x->interval.n && cycle >= x->next;
}

/* Lines */

/* What one line is of. */
struct count_line {
	const struct event_choice *event;
	int64_t hart;  /* -1: all */
	unsigned mode; /* a Privilege; 0: all that were chosen */
	uint64_t count;
};

static bool counts(const struct count_line *l, const Pmu__V1__Total *t)
{
	unsigned modes = l->mode ? 1u << l->mode : l->event->modes;

	return (l->hart < 0 || t->hart == l->hart) &&
	       !strcmp(t->event, l->event->event->name) &&
	       (!l->event->modes || modes >> t->privilege & 1);
}

static uint64_t sum(const Pmu__V1__ReadTotalsResponse *r,
		    const struct count_line *l, bool *ret_any)
{
	uint64_t n = 0;

	*ret_any = false;
	for (size_t i = 0; r && i < r->n_totals; i++) {
		if (!counts(l, r->totals[i]))
			continue;
		n += r->totals[i]->value;
		*ret_any = true;
	}
	return n;
}

/* "0.001000000": the clock in seconds. */
static void time_text(const Pmu__V1__ReadTotalsResponse *r, char *ret)
{
	u128 ns = (u128)(r->cycle % r->clock_hz) * NS_PER_S;

	snprintf(ret, TIME_TEXT, "%" PRIu64 ".%09" PRIu64,
		 r->cycle / r->clock_hz, (uint64_t)(ns / r->clock_hz));
}

static void print_heading(struct stat_count *x, FILE *out)
{
	if (x->headed || x->separator || x->json)
		return;
	x->headed = true;
	if (x->interval.n)
		fprintf(out, "%15s ", "TIME");
	if (x->per_hart)
		fprintf(out, "%4s ", "HART");
	if (x->per_mode)
		fprintf(out, "%4s ", "MODE");
	fprintf(out, "%20s  %s\n", "COUNT", "EVENT");
}

static void print_text(const struct stat_count *x, const struct count_line *l,
		       const char *time, FILE *out)
{
	const char *sep = x->separator;

	if (x->interval.n)
		fprintf(out, sep ? "%s%s" : "%15s%s", time, sep ? sep : " ");
	if (x->per_hart)
		fprintf(out, sep ? "%" PRId64 "%s" : "%4" PRId64 "%s", l->hart,
			sep ? sep : " ");
	if (x->per_mode)
		fprintf(out, sep ? "%s%s" : "%4s%s",
			name_privilege((int)l->mode), sep ? sep : " ");
	fprintf(out, sep ? "%" PRIu64 "%s%s" : "%20" PRIu64 "%s%s", l->count,
		sep ? sep : "  ", sep ? sep : "");
	plain_printf(out, "%s\n", l->event->name);
}

static int print_json(const struct stat_count *x, const struct count_line *l,
		      const char *time, FILE *out)
{
	json_t *o = json_object();

	json_add(&o, "time", json_text(time));
	if (l->hart >= 0)
		json_add(&o, "hart", json_integer(l->hart));
	if (l->mode)
		json_add(&o, "privilege",
			 json_text(name_privilege((int)l->mode)));
	json_add(&o, "event", json_text(l->event->name));
	json_add(&o, "count", json_decimal(l->count));
	if (l->event->group)
		json_add(&o, "group", json_integer(l->event->group));
	return json_put(out, o, JSON_PRESERVE_ORDER);
}

/* One line, but none of a mode that no hart has. */
static int print_line(struct stat_count *x, struct count_line *l,
		      const Pmu__V1__ReadTotalsResponse *now, FILE *out)
{
	char time[TIME_TEXT];
	bool any, before;

	l->count = sum(now, l, &any) - sum(x->last, l, &before);
	if (l->mode && !any)
		return EXIT_OK;
	time_text(now, time);
	if (x->json)
		return print_json(x, l, time, out);
	print_text(x, l, time, out);
	return EXIT_OK;
}

static int print_modes(struct stat_count *x, struct count_line *l,
		       const Pmu__V1__ReadTotalsResponse *now, FILE *out)
{
	int code = EXIT_OK;

	l->mode = 0;
	if (!x->per_mode || !l->event->modes)
		return print_line(x, l, now, out);
	for (unsigned m = 1; l->event->modes >> m && !code; m++) {
		l->mode = m;
		if (l->event->modes >> m & 1)
			code = print_line(x, l, now, out);
	}
	return code;
}

static int print_event(struct stat_count *x, const struct event_choice *event,
		       const Pmu__V1__ReadTotalsResponse *now, FILE *out)
{
	struct count_line l = { .event = event, .hart = x->hart };
	int code = EXIT_OK;

	if (!x->per_hart || x->hart >= 0)
		return print_modes(x, &l, now, out);
	for (l.hart = 0; has_hart(now, l.hart) && !code; l.hart++)
		code = print_modes(x, &l, now, out);
	return code;
}

int stat_count_print(struct stat_count *x, FILE *out)
{
	Pmu__V1__ReadTotalsResponse *now = NULL;
	int code = read_totals(x, &now);

	if (code)
		return code;
	print_heading(x, out);
	for (size_t i = 0; i < x->events.n && !code; i++)
		code = print_event(x, &x->events.item[i], now, out);
	x->next = (now->cycle / x->period + 1) * x->period;
	answer_free(x->last);
	x->last = now;
	return code;
}

int stat_count_explain(struct stat_count *x, FILE *out)
{
	struct stat_misses q = { .machine = x->machine,
				 .hart = x->hart,
				 .n = x->explain,
				 .json = x->json,
				 .files = x->files };
	int code = EXIT_OK;

	for (size_t i = 0; x->explain && i < x->events.n && !code; i++) {
		q.event = &x->events.item[i];
		if (q.event->event->explained)
			code = stat_misses_print(&q, x->pmud, out);
	}
	return code;
}
