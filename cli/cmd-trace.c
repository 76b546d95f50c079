/* SPDX-License-Identifier: BSD-2-Clause */
/* Traces: show, count, compare. What comes from a machine is cmd-live.c's. */
#include <inttypes.h>
#include <stdio.h>

#include "cmd-live.h"
#include "command.h"
#include "exit-codes.h"
#include "json.h"
#include "record-filter.h"
#include "record-text.h"
#include "say.h"
#include "trace-diff.h"
#include "trace-file.h"
#include "trace-summary.h"

#define WITH_FILTER                                                            \
	(WITH(KIND) | WITH(COUNTER) | WITH(FIRST_CYCLE) | WITH(LAST_CYCLE))

/* --symbols, if it was given. False after an error was said. */
static bool open_symbols(const struct args *args, struct symbols **ret)
{
	const char *why;

	*ret = NULL;
	if (!args->symbols)
		return true;
	*ret = symbols_open(args->symbols, &why);
	if (!*ret)
		say_error("%s: %s", args->symbols, why);
	return *ret != NULL;
}

static int show_records(struct trace_reader *r, const struct args *args,
			const struct record_style *style)
{
	struct record_filter filter;
	struct trace_item item;
	uint64_t shown = 0;
	int n = 0;

	if (!record_filter_init(&filter, args))
		return EXIT_USAGE;
	if (!args->json)
		record_heading(stdout, style);
	while ((!filter.limit || shown < filter.limit) &&
	       (n = trace_next(r, &item)) > 0) {
		if (!record_filter_match(&filter, item.record))
			continue;
		shown++;
		if (args->json)
			record_json(stdout, style, item.record);
		else
			record_line(stdout, style, item.record);
	}
	return n < 0 ? EXIT_FAILED : EXIT_OK;
}

static int show_file(const struct args *args, struct record_style *style)
{
	struct trace_reader *r;
	int code = trace_open(&r, args->arg[0]);

	if (code)
		return code;
	style->xlen = trace_header(r)->xlen;
	code = show_records(r, args, style);
	trace_close(r);
	return code;
}

/* Of a file, or with @s of a machine. */
static int show(struct conn *s, struct args *args)
{
	struct record_style style = { 0 };
	struct record_filter filter;
	int code = EXIT_USAGE;

	if (!s == !args->n_arg) {
		say_error("a FILE or a --machine is wanted, one of them");
		return EXIT_USAGE;
	}
	if (!open_symbols(args, &style.symbols))
		return EXIT_FAILED;
	if (!s)
		code = show_file(args, &style);
	else if (record_filter_init(&filter, args))
		code = live_show(s, args, &filter, &style);
	symbols_close(style.symbols);
	return code;
}

static int follow(struct conn *s, struct args *args)
{
	struct record_style style = { 0 };
	struct record_filter filter;
	int code;

	if (!record_filter_init(&filter, args))
		return EXIT_USAGE;
	if (!open_symbols(args, &style.symbols))
		return EXIT_FAILED;
	code = live_follow(s, args, &filter, &style);
	symbols_close(style.symbols);
	return code;
}

static int save(struct conn *s, struct args *args)
{
	return live_save(s, args, args->arg[0]);
}

static int count_records(struct trace_reader *r, struct trace_summary *s,
			 const struct args *args)
{
	struct record_filter filter;
	struct trace_item item;
	int n;

	if (!record_filter_init(&filter, args))
		return EXIT_USAGE;
	while ((n = trace_next(r, &item)) > 0) {
		if (record_filter_match(&filter, item.record) &&
		    !trace_summary_add(s, item.record)) {
			say_error("out of memory");
			return EXIT_FAILED;
		}
	}
	if (n < 0)
		return EXIT_FAILED;
	return trace_summary_print(s, stdout, args->json);
}

static int summary(struct conn *s, struct args *args)
{
	struct symbols *symbols;
	struct trace_summary *counts;
	struct trace_reader *r;
	int code;

	if (!open_symbols(args, &symbols))
		return EXIT_FAILED;
	counts = trace_summary_new(symbols);
	code = counts ? trace_open(&r, args->arg[0]) : EXIT_FAILED;
	if (!code) {
		code = count_records(r, counts, args);
		trace_close(r);
	}
	trace_summary_free(counts);
	symbols_close(symbols);
	return code;
}

static void print_side(const char *path, const struct record_style *style,
		       const Pmu__V1__Record *record)
{
	printf("%s: ", path);
	if (record)
		record_line(stdout, style, record);
	else
		puts("no more records");
}

/* What was found, for people. */
static void print_diff(const struct args *args, struct trace_reader *a,
		       struct trace_reader *b, const struct trace_diff *d)
{
	struct record_style style = { .xlen = trace_header(a)->xlen };

	if (d->headers_differ) {
		puts("the headers differ:");
		trace_diff_headers(stdout, trace_header(a), trace_header(b));
	}
	if (d->end == DIFF_SAME || d->end == DIFF_HEADERS) {
		printf("%" PRIu64 " records, all the same\n", d->index);
		return;
	}
	if (!open_symbols(args, &style.symbols))
		return;
	printf("record %" PRIu64 " is the first that differs:\n", d->index);
	print_side(args->arg[0], &style, d->a);
	print_side(args->arg[1], &style, d->b);
	symbols_close(style.symbols);
}

/* The same as one JSON object; a side that has ended is null. */
static void print_diff_json(const struct trace_diff *d)
{
	bool same = d->end == DIFF_SAME || d->end == DIFF_HEADERS;
	json_t *all = json_pack("{s:b, s:b, s:o}", "recordsSame", (int)same,
				"headersSame", (int)!d->headers_differ, "index",
				json_sprintf("%" PRIu64, d->index));

	if (!same) {
		json_object_set_new(all, "a",
				    d->a ? json_message(&d->a->base)
					 : json_null());
		json_object_set_new(all, "b",
				    d->b ? json_message(&d->b->base)
					 : json_null());
	}
	json_dumpf(all, stdout, JSON_INDENT(2));
	putchar('\n');
	json_decref(all);
}

static int diff(struct conn *s, struct args *args)
{
	struct trace_reader *a = NULL, *b = NULL;
	struct trace_diff d = { .end = DIFF_ERROR };
	int code = trace_open(&a, args->arg[0]);

	if (!code)
		code = trace_open(&b, args->arg[1]);
	if (!code) {
		trace_diff(a, b, &d);
		if (d.end != DIFF_SAME)
			code = EXIT_FAILED;
		if (d.end != DIFF_ERROR && args->json)
			print_diff_json(&d);
		else if (d.end != DIFF_ERROR)
			print_diff(args, a, b, &d);
	}
	trace_close(a);
	trace_close(b);
	return code;
}

const struct command trace_commands[] = {
	{ "trace show", "FILE", "Print the records of a trace or of a machine",
	  WITH_FILTER | WITH(LIMIT) | WITH(SYMBOLS) | WITH(MACHINE), 0, 1,
	  FILE_OR_DAEMON, show },
	{ "trace summary", "FILE",
	  "Count records by kind, and overflows by counter and function",
	  WITH_FILTER | WITH(SYMBOLS), 1, 1, NO_DAEMON, summary },
	{ "trace diff", "FILE FILE",
	  "Name the first record in which two traces differ (then exit with 1)",
	  WITH(SYMBOLS), 2, 2, NO_DAEMON, diff },
	{ "trace follow", NULL, "Print records of a machine as they happen",
	  WITH_FILTER | WITH(SYMBOLS) | WITH(MACHINE) | WITH(FROM_START) |
		  WITH(DROP),
	  0, 0, NEEDS_DAEMON, follow },
	{ "trace save", "FILE", "Write the trace of a machine to a file",
	  WITH(MACHINE), 1, 1, NEEDS_DAEMON, save },
	{ 0 },
};
