/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * `trace unwind`: a trace whose samples have callers instead of the registers
 * and the copy of the stack that they are found in. All other records stay.
 */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "text/exit-codes.h"
#include "text/out-file.h"
#include "text/report.h"
#include "trace/record-style.h"
#include "trace/trace-file.h"
#include "trace/trace-out.h"
#include "trace/unwind-sample.h"

struct unwound {
	struct record_style style;
	struct trace_reader *in;
	struct trace_out out;
	struct unwind_callers callers;
	uint64_t n; /* samples that had a stack */
};

/* Has callers now, if it had a stack; they are @u's, until the next. */
static void unwind(struct unwound *u, Pmu__V1__Record *r)
{
	Pmu__V1__Sample *s = r->sample;

	if (!unwind_sample(&u->style, r, &u->callers))
		return;
	u->n++;
	s->callers = u->callers.pc;
	s->n_callers = u->callers.n;
	s->chain_end = u->callers.end;
	s->stack.len = 0;
	s->n_registers = 0;
}

static bool copy(struct unwound *u, Pmu__V1__Record *r)
{
	bool sample = r->kind_case == PMU__V1__RECORD__KIND_SAMPLE;
	Pmu__V1__RecordBatch batch = PMU__V1__RECORD_BATCH__INIT;
	Pmu__V1__Sample was;
	bool good;

	batch.records = &r;
	batch.n_records = 1;
	if (!sample)
		return trace_out_records(&u->out, &batch);
	was = *r->sample;
	unwind(u, r);
	good = trace_out_records(&u->out, &batch);
	*r->sample = was; /* the reader frees what is its own */
	return good;
}

static int copy_all(struct unwound *u)
{
	struct trace_item item;
	int n = 0;

	if (!trace_out_header(&u->out, trace_header(u->in)))
		return EXIT_FAILED;
	while ((n = trace_next(u->in, &item)) > 0)
		if (!record_style_learn(&u->style, item.record) ||
		    !copy(u, item.record))
			return EXIT_FAILED;
	if (!n && !u->n)
		report_note("no sample has a copy of the stack (record "
			    "--stack)");
	return n < 0 ? EXIT_FAILED : EXIT_OK;
}

static int copy_to(struct unwound *u, const struct args *args)
{
	struct out_file *out = NULL;
	int code = out_file_open(&out, args->arg[1]);

	if (code)
		return code;
	u->out.file = out_file_stream(out);
	u->out.path = args->arg[1];
	code = copy_all(u);
	return out_file_close(out, !code, code);
}

static int unwind_trace(struct pmud *s, struct args *args)
{
	struct unwound *u = calloc(1, sizeof(*u));
	int code;

	if (!u)
		return report_no_memory(args->arg[0]);
	code = trace_open(&u->in, args->arg[0]);
	if (!code)
		code = record_style_open(&u->style, NULL, args,
					 trace_header(u->in));
	if (!code && !u->style.symbols && !u->style.guests && !u->style.users &&
	    !args->sysroot) {
		report_error("trace unwind needs --symbols, --guest-symbols, "
			     "--user-symbols or --sysroot: the tables are in "
			     "the files that "
			     "ran");
		code = EXIT_USAGE;
	}
	if (!code)
		code = copy_to(u, args);
	record_style_close(&u->style);
	trace_close(u->in);
	free(u);
	return code;
}

const struct command trace_unwind_commands[] = {
	{ "trace unwind", "FILE FILE",
	  "Write a trace with callers found by unwind tables in what record "
	  "--stack has kept",
	  WITH_NAMES | WITH(SYSROOT), 2, 2, NO_DAEMON, unwind_trace,
	  .files = "rw" },
	{ 0 },
};
