/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * `top`: the functions, processes or files of a machine that have most samples,
 * interval by interval of the guest's time. An interval ends where the first
 * sample behind it shows that no more of it will come, so what is shown of it
 * is all of it, whatever the host does.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "guest-time.h"
#include "sampler-list.h"
#include "session/pmud.h"
#include "session/sampling.h"
#include "text/exit-codes.h"
#include "text/now.h"
#include "text/json.h"
#include "text/report.h"
#include "text/tty.h"
#include "trace/profile.h"
#include "trace/record-expr.h"
#include "trace/record-style.h"
#include "trace/sample-filter.h"

enum {
	PERIOD = 100003, /* of cycles; a prime, to meet no loop's own */
	REDRAW_MS = 200, /* no screen before */
};

static const char default_interval[] = "100ms";

/* The other screen, without a cursor, and back. */
static const char screen_begin[] = "\033[?1049h\033[?25l";
static const char screen_end[] = "\033[?25h\033[?1049l";
/* Up to the first line; away with a line from here on, with the lines below. */
static const char screen_home[] = "\033[H";
static const char line_rest[] = "\033[K";
static const char screen_rest[] = "\033[J";

struct top {
	const struct args *args;
	struct pmud *pmud;
	bool live; /* a screen, not lines */
	struct guest_time interval;
	struct sample_filter filter;
	struct record_style style;
	struct profile *profile;  /* of the interval under way */
	uint64_t cycles;	  /* of an interval */
	uint64_t begin, end;	  /* of the one under way: behind, up to */
	uint64_t shown, shown_at; /* intervals; ms of the last screen */
};

/* What there is to say of the interval, to be freed; NULL: it was said why. */
static char *text_of(struct top *t, bool json)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	int code = out ? profile_print(t->profile, out, json) : EXIT_FAILED;

	if (!out || fclose(out)) {
		code = report_no_memory("samples");
	}
	if (!code)
		return text;
	free(text);
	return NULL;
}

/* The interval's own numbers beside its rows, all in a line. */
static bool put_json(const struct top *t, const char *text)
{
	json_t *one = json_parse(text);

	json_add(&one, "from", json_decimal(t->begin));
	json_add(&one, "to", json_decimal(t->end));
	json_add(&one, "samples", json_decimal(profile_samples(t->profile)));
	return json_put(stdout, one, JSON_REAL_PRECISION(6)) == EXIT_OK;
}

static void put_heading(const struct top *t)
{
	char text[96];

	snprintf(text, sizeof(text),
		 "cycle %" PRIu64 " to %" PRIu64 ": %" PRIu64 " samples",
		 t->begin, t->end, profile_samples(t->profile));
	tty_write(stdout, text, tty_width(stdout));
}

static void put_text(const struct top *t, const char *text)
{
	if (t->shown)
		putchar('\n');
	put_heading(t);
	printf("\n%s", text);
}

/* As many lines as there are on the screen. */
static void put_screen(struct top *t, char *text)
{
	size_t room = tty_height(stdout);
	char *line = text, *end;

	fputs(screen_home, stdout);
	fputs(line_rest, stdout);
	put_heading(t);
	for (size_t i = 1; i < room; i++, line = end + 1) {
		end = strchr(line, '\n');
		if (!end)
			break;
		*end = '\0';
		printf("\n%s", line_rest);
		tty_write(stdout, line, tty_width(stdout));
	}
	fputs(screen_rest, stdout);
	t->shown_at = now_ms();
}

static int show(struct top *t)
{
	char *text;
	bool good = true;

	if (t->live && now_ms() - t->shown_at < REDRAW_MS)
		return EXIT_OK;
	text = text_of(t, t->args->json);
	if (text && t->live)
		put_screen(t, text);
	else if (text && t->args->json)
		good = put_json(t, text);
	else if (text)
		put_text(t, text);
	good = text && good && !fflush(stdout);
	free(text);
	return good ? EXIT_OK : EXIT_FAILED;
}

/* The interval is over. One without samples is none. */
static int end_interval(struct top *t)
{
	int code = EXIT_OK;

	if (profile_samples(t->profile)) {
		code = show(t);
		t->shown++;
	}
	profile_clear(t->profile);
	if (!code && t->args->limit && t->shown >= t->args->limit)
		code = SAMPLING_ENOUGH;
	return code;
}

/* On to the one that @cycle is in. */
static void go_to(struct top *t, uint64_t cycle)
{
	t->begin += (cycle - t->begin - 1) / t->cycles * t->cycles;
	t->end = t->begin + t->cycles;
}

static int take_sample(struct top *t, const Pmu__V1__Record *r)
{
	int code = EXIT_OK;

	if (!record_style_learn(&t->style, r))
		return EXIT_FAILED;
	if (r->kind_case != PMU__V1__RECORD__KIND_SAMPLE)
		return EXIT_OK;
	if (r->cycle > t->end) {
		code = end_interval(t);
		go_to(t, r->cycle);
	}
	if (!code && record_expr_match(t->filter.expr, &t->style, r) &&
	    !profile_add(t->profile, &t->style, r))
		code = EXIT_FAILED;
	return code;
}

static int begin(struct top *t, const Pmu__V1__SamplingBegun *begun)
{
	t->cycles = guest_time_cycles(&t->interval, begun->header->clock_hz);
	t->begin = begun->cycle;
	t->end = t->begin + t->cycles;
	if (t->live) {
		fputs(screen_begin, stdout);
		fflush(stdout);
	}
	return record_style_open(&t->style, t->pmud, t->args, begun->header);
}

static int take(void *arg, Pmu__V1__SampleEventsResponse *msg)
{
	struct top *t = arg;
	int code = EXIT_OK;

	if (msg->item_case == PMU__V1__SAMPLE_EVENTS_RESPONSE__ITEM_BEGUN)
		return begin(t, msg->begun);
	for (size_t i = 0; i < msg->batch->n_records && !code; i++)
		code = take_sample(t, msg->batch->records[i]);
	return code;
}

static int timeout(void *arg)
{
	return -1;
}

static int work(void *arg)
{
	return EXIT_OK;
}

static int run(struct top *t, struct pmud *s, struct sampler_list *samplers)
{
	const struct sampling_config cfg = {
		.pmud = s,
		.machine = t->args->machine,
		.samplers = samplers->list,
		.n_samplers = samplers->n,
		.take = take,
		.timeout = timeout,
		.work = work,
		.arg = t,
	};
	int code = sampling_run(&cfg);

	if (t->live && t->cycles) {
		fputs(screen_end, stdout);
		fflush(stdout);
	}
	t->live = false; /* what was seen last stays on the terminal */
	if (!code)
		code = end_interval(t);
	return code == SAMPLING_ENOUGH ? EXIT_OK : code;
}

/* --event and --period, where only both or none were said. */
static bool choose(const struct args *args, struct args *ret)
{
	*ret = *args;
	if (args->event.n && args->period != ARGS_UNSET && args->period)
		return true;
	if (args->event.n || args->period != ARGS_UNSET) {
		report_error("--event and --period, which is at least 1, need "
			     "each other");
		return false;
	}
	ret->event.item[ret->event.n++] = "cycles";
	ret->period = PERIOD;
	return true;
}

static int show_top(struct pmud *s, struct args *args)
{
	static struct sampler_list samplers;
	static struct args chosen;
	struct top t = {
		.args = args,
		.pmud = s,
		.live = !args->batch && !args->json && tty_height(stdout),
	};
	enum profile_key key;
	const char *interval =
		args->interval ? args->interval : default_interval;
	int code = EXIT_USAGE;

	if (!profile_key_parse(args->sort, &key))
		return EXIT_USAGE;
	t.profile = profile_new(key);
	if (!t.profile)
		report_no_memory("samples");
	if (t.profile && choose(args, &chosen) &&
	    guest_time_parse(&t.interval, "--interval", interval))
		code = sample_filter_open(&t.filter, args);
	if (!code)
		code = sampler_list_init(&samplers, s, &chosen);
	if (!code)
		code = run(&t, s, &samplers);
	sampler_list_free(&samplers);
	sample_filter_close(&t.filter);
	record_style_close(&t.style);
	profile_free(t.profile);
	return code;
}

static const struct option_help own[] = {
	{ OPTION_INTERVAL,
	  "Look after so much of the guest's time, as 10ms, "
	  "500us, 2s or 1000 cycles as 1000c (default: 100ms)" },
	{ OPTION_LIMIT, "End after N intervals" },
	{ OPTION_BATCH, "Print one interval after the other, rather than a "
			"screen" },
	{ 0 },
};

const struct command top_commands[] = {
	{ "top", NULL,
	  "Show the functions, processes or files of a machine that have most "
	  "samples, while it runs",
	  WITH(MACHINE) | WITH(EVENT) | WITH(PERIOD) | WITH(INTERVAL) |
		  WITH(LIMIT) | WITH(BATCH) | WITH(FILTER) | WITH_NAMES |
		  WITH(SYSROOT) | WITH(SORT),
	  0, 0, NEEDS_DAEMON, show_top, .own = own },
	{ 0 },
};
