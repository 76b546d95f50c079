/* SPDX-License-Identifier: BSD-2-Clause */
/* Traces: show, count, compare. What comes from a machine is cmd-live.c's. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd-live.h"
#include "command.h"
#include "session/pmud.h"
#include "text/exit-codes.h"
#include "text/json.h"
#include "text/pager.h"
#include "trace/guest-files.h"
#include "trace/record-filter.h"
#include "trace/record-print.h"
#include "trace/record-style.h"
#include "trace/record-text.h"
#include "text/report.h"
#include "trace/symbol-file.h"
#include "trace/trace-diff.h"
#include "trace/trace-file.h"
#include "trace/trace-summary.h"
#include "trace/user-symbols.h"
#include "text/tty.h"

CLEANUP_POINTER(trace_summary, struct trace_summary, trace_summary_free)

#define WITH_USERS (WITH_NAMES | WITH(SYSROOT))

/* As records are printed. Returns an exit code. */
static int open_style(const struct args *args, const Pmu__V1__Header *header,
		      struct record_style *ret)
{
	ret->color = tty_in_color(stdout);
	return record_style_open(ret, NULL, args, header);
}

/* What is asked for, with names as @style has them. Returns an exit code. */
static int open_filter(struct record_filter *f, const struct args *args,
		       const struct record_style *style)
{
	return record_filter_init(f, args)
		       ? record_filter_places(f, NULL, args, style)
		       : EXIT_USAGE;
}

static int print_records(struct trace_reader *r, const struct args *args,
			 const struct record_style *style,
			 struct record_filter *filter)
{
	struct trace_item item;
	uint64_t shown = 0;
	int n = 1, code = EXIT_OK;

	pager_begin(SIZE_MAX);
	record_print_heading(stdout, args, style);
	while (!code && !ferror(stdout) &&
	       (!filter->limit || shown < filter->limit) &&
	       (n = trace_next(r, &item)) > 0) {
		if (!record_style_learn(style, item.record))
			return EXIT_FAILED;
		if (!record_filter_match(filter, item.record, item.index))
			continue;
		shown++;
		code = record_print(stdout, args, style, item.record);
	}
	if (n < 0 || code)
		return EXIT_FAILED;
	record_print_end(args, shown);
	if (!n)
		record_filter_note_missing(filter, trace_header(r),
					   args->arg[0]);
	return EXIT_OK;
}

static int show_records(struct trace_reader *r, const struct args *args,
			const struct record_style *style)
{
	struct record_filter filter CLEANUP(record_filter) = { 0 };
	int code = open_filter(&filter, args, style);

	return code ? code : print_records(r, args, style, &filter);
}

static int show_file(const struct args *args)
{
	struct trace_reader *r CLEANUP(trace) = NULL;
	struct record_style style CLEANUP(record_style) = { 0 };
	int code = trace_open(&r, args->arg[0]);

	if (!code)
		code = open_style(args, trace_header(r), &style);
	return code ? code : show_records(r, args, &style);
}

static int show_machine(struct pmud *s, const struct args *args)
{
	struct live_view view CLEANUP(live_view) = { args, stdout };
	int code = live_view_open(&view, s);

	return code ? code : live_show(s, &view);
}

/* Of a file, or with @s of a machine. */
static int show(struct pmud *s, struct args *args)
{
	if (!s == !args->n_arg) {
		report_error("either a FILE or --machine is needed");
		return EXIT_USAGE;
	}
	return s ? show_machine(s, args) : show_file(args);
}

/* The samples alone. */
static int script(struct pmud *s, struct args *args)
{
	args->kind = "sample";
	return show(s, args);
}

static int follow(struct pmud *s, struct args *args)
{
	struct live_view view CLEANUP(live_view) = { args, stdout };
	int code = live_view_open(&view, s);

	return code ? code : live_follow(s, &view);
}

static int save(struct pmud *s, struct args *args)
{
	return live_save(s, args, args->arg[0]);
}

/* False after an error was said. */
static bool count_record(struct trace_summary *s,
			 const struct record_style *style,
			 struct record_filter *filter,
			 const struct trace_item *item)
{
	if (!record_style_learn(style, item->record))
		return false;
	if (!record_filter_match(filter, item->record, item->index) ||
	    trace_summary_add(s, item->record))
		return true;
	report_no_memory("summary");
	return false;
}

static int count_records(struct trace_reader *r, struct trace_summary *s,
			 const struct record_style *style,
			 struct record_filter *filter)
{
	struct trace_item item;
	int n;

	while ((n = trace_next(r, &item)) > 0)
		if (!count_record(s, style, filter, &item))
			return EXIT_FAILED;
	return n < 0 ? EXIT_FAILED : EXIT_OK;
}

static int summary(struct pmud *s, struct args *args)
{
	struct trace_reader *r CLEANUP(trace) = NULL;
	struct record_style style CLEANUP(record_style) = { 0 };
	struct trace_summary *counts CLEANUP(trace_summary) = NULL;
	struct record_filter filter CLEANUP(record_filter) = { 0 };
	int code = trace_open(&r, args->arg[0]);

	if (!code)
		code = open_style(args, trace_header(r), &style);
	if (!code)
		code = open_filter(&filter, args, &style);
	if (code)
		return code;
	counts = trace_summary_new(&style);
	if (!counts)
		return report_no_memory("summary");
	code = count_records(r, counts, &style, &filter);
	if (!code)
		code = trace_summary_print(counts, stdout, args->json);
	if (!code)
		record_filter_note_missing(&filter, trace_header(r),
					   args->arg[0]);
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

/* As a line. NULL: out of memory. */
static char *line_of(const struct record_style *style,
		     const Pmu__V1__Record *record)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	record_line(out, style, record);
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

/* What a line does not show of a record may be all that differs. */
static void print_fields(const struct record_style style[2],
			 const struct trace_diff *d)
{
	char *a CLEANUP(free) = d->a ? line_of(&style[0], d->a) : NULL;
	char *b CLEANUP(free) = d->b ? line_of(&style[1], d->b) : NULL;

	if ((d->a && !a) || (d->b && !b))
		report_no_memory("fields of the records");
	else if (a && b && strcmp(a, b) == 0)
		trace_diff_fields(stdout, d->a, d->b);
}

static void print_headers(const struct trace_reader *a,
			  const struct trace_reader *b,
			  const struct trace_diff *d)
{
	if (!d->headers_differ)
		return;
	puts("the headers differ:");
	trace_diff_headers(stdout, trace_header(a), trace_header(b));
}

/*
 * --symbols names the records of the side that ran it, of both when both did,
 * or, with --force, when nobody knows; the files of guests and users those of
 * both. @names has what @style shows beside its files, and is to be closed in
 * any case. Returns an exit code.
 */
static int open_sides(struct record_style *names, struct record_style style[2],
		      const struct args *args, const Pmu__V1__Header *a,
		      const Pmu__V1__Header *b)
{
	bool of_a = args->symbols && symbol_file_is_of(args, a);
	bool of_b = args->symbols && symbol_file_is_of(args, b);
	int code =
		symbol_file_open(&names->symbols, args, of_b && !of_a ? b : a);

	/* one that crashed before its trace began knows of no image */
	if (!code)
		code = symbol_file_open_guests(&names->guests, args,
					       a->n_images ? a : b);
	if (!code)
		code = user_symbols_open(&names->users, &args->user_symbols,
					 a->xlen ? a->xlen : b->xlen);
	for (size_t i = 0; i < 2; i++) {
		style[i].symbols = names->symbols;
		style[i].guests = names->guests;
		style[i].users = names->users;
		style[i].xlen = i ? b->xlen : a->xlen;
	}
	if (of_a != of_b && !args->force)
		style[of_a].symbols = NULL;
	return code;
}

/* What was found, for people. Returns an exit code. */
static int print_diff(const struct args *args, struct trace_reader *a,
		      struct trace_reader *b, struct record_style style[2],
		      const struct trace_diff *d)
{
	struct record_style names CLEANUP(record_style) = { 0 };
	int code;

	if (d->end == DIFF_SAME || d->end == DIFF_HEADERS) {
		print_headers(a, b, d);
		printf("%" PRIu64 " records, all the same\n", d->index);
		return d->end == DIFF_SAME ? EXIT_OK : EXIT_FAILED;
	}
	code = open_sides(&names, style, args, trace_header(a),
			  trace_header(b));
	if (code)
		return code;
	print_headers(a, b, d);
	printf("record %" PRIu64 " is the first that differs:\n", d->index);
	print_side(args->arg[0], &style[0], d->a);
	print_side(args->arg[1], &style[1], d->b);
	print_fields(style, d);
	return EXIT_FAILED;
}

/* The same as one JSON object; a side that has ended is null. */
static int print_diff_json(const struct trace_diff *d)
{
	bool same = d->end == DIFF_SAME || d->end == DIFF_HEADERS;
	json_t *all = json_object();

	json_add(&all, "recordsSame", json_boolean(same));
	json_add(&all, "headersSame", json_boolean(!d->headers_differ));
	json_add(&all, "index", json_decimal(d->index));
	if (!same) {
		json_add(&all, "a",
			 d->a ? json_message(&d->a->base) : json_null());
		json_add(&all, "b",
			 d->b ? json_message(&d->b->base) : json_null());
	}
	return json_put(stdout, all, JSON_INDENT(2));
}

/* Where the traces part, processes may have other files in each. */
static int open_files(const struct args *args, struct guest_files **of_a,
		      struct guest_files **of_b)
{
	int code = EXIT_OK;

	if (args->sysroot)
		code = guest_files_open(of_a, args, false);
	if (args->sysroot && !code)
		code = guest_files_open(of_b, args, false);
	return code;
}

static int diff(struct pmud *s, struct args *args)
{
	struct trace_reader *a CLEANUP(trace) = NULL;
	struct trace_reader *b CLEANUP(trace) = NULL;
	struct guest_files *of_a CLEANUP(guest_files) = NULL;
	struct guest_files *of_b CLEANUP(guest_files) = NULL;
	struct record_style style[2] = { 0 };
	struct trace_diff d = { .end = DIFF_ERROR };
	int code = trace_open(&a, args->arg[0]);

	if (!code)
		code = trace_open(&b, args->arg[1]);
	if (!code)
		code = open_files(args, &of_a, &of_b);
	if (code)
		return code;
	style[0].files = of_a;
	style[1].files = of_b;
	trace_diff(a, b, style, &d);
	if (d.end != DIFF_ERROR && !args->json)
		return print_diff(args, a, b, style, &d);
	if (d.end != DIFF_ERROR && print_diff_json(&d))
		return EXIT_FAILED;
	return d.end == DIFF_SAME ? EXIT_OK : EXIT_FAILED;
}

static const struct option_help own[] = {
	{ OPTION_HART, "Only this hart (default: all)" },
	{ 0 },
};

const struct command trace_commands[] = {
	{ "script", "FILE", "Print the samples of a record, a line each",
	  WITH(FIRST_CYCLE) | WITH(LAST_CYCLE) | WITH(LIMIT) | WITH_USERS |
		  WITH(MACHINE) | WITH(FILTER),
	  0, 1, FILE_OR_DAEMON, script },
	{ "trace show", "FILE", "Print the records of a trace or of a machine",
	  WITH_FILTER | WITH(FIRST_RECORD) | WITH(LIMIT) | WITH_USERS |
		  WITH(MACHINE),
	  0, 1, FILE_OR_DAEMON, show, .own = own },
	{ "trace summary", "FILE",
	  "Count records by kind, and overflows by counter and function",
	  WITH_FILTER | WITH(FIRST_RECORD) | WITH_USERS, 1, 1, NO_DAEMON,
	  summary, .own = own },
	{ "trace diff", "FILE FILE",
	  "Name the first record in which two traces differ (then exit with 1)",
	  WITH_USERS, 2, 2, NO_DAEMON, diff },
	{ "trace follow", NULL,
	  "Print the records of a machine's trace as it grows; `monitor' is "
	  "for "
	  "all that it does",
	  WITH_FILTER | WITH_USERS | WITH(MACHINE) | WITH(FROM_START) |
		  WITH(DROP),
	  0, 0, NEEDS_DAEMON, follow, .own = own },
	{ "trace save", "FILE", "Write the trace of a machine to a file",
	  WITH(MACHINE), 1, 1, NEEDS_DAEMON, save, .files = "w" },
	{ 0 },
};
