/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The streams of TraceService. What matches is decided by the daemon, but for
 * --filter; a query has no header, so a stream is asked for it.
 */
#include "cmd-live.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "session/pmud.h"
#include "text/exit-codes.h"
#include "text/out-file.h"
#include "text/pager.h"
#include "trace/record-print.h"
#include "trace/record-style.h"
#include "text/report.h"
#include "trace/trace-out.h"

static int open_live(struct pmud *s, const struct args *args,
		     Pmu__V1__StreamRecordsRequest *req,
		     struct pmuclient_stream **ret)
{
	int err;

	req->machine = (char *)args->machine;
	err = pmuclient_open(pmud_client(s), METHOD_PATH(StreamRecords),
			     &req->base, METHOD_ANSWER(StreamRecords), ret);
	return err ? pmud_fail(s, err) : EXIT_OK;
}

/* Every stream begins with the header; no more is wanted of this one. */
int live_header(struct pmud *s, const struct args *args,
		Pmu__V1__StreamRecordsResponse **ret)
{
	Pmu__V1__StreamRecordsRequest req =
		PMU__V1__STREAM_RECORDS_REQUEST__INIT;
	Pmu__V1__RecordFilter filter = PMU__V1__RECORD_FILTER__INIT;
	struct pmuclient_stream *stream;
	int n;

	filter.stops = true;
	req.filter = &filter;
	req.drop = true;
	n = open_live(s, args, &req, &stream);
	if (n)
		return n;
	n = pmuclient_next(stream, pmud_timeout(s), (ProtobufCMessage **)ret);
	pmuclient_close(stream);
	if (n < 0)
		return pmud_fail(s, n);
	if (n &&
	    (*ret)->item_case == PMU__V1__STREAM_RECORDS_RESPONSE__ITEM_HEADER)
		return EXIT_OK;
	report_error("the trace of %s has no header", args->machine);
	if (n)
		answer_free(*ret);
	return EXIT_FAILED;
}

/* The next of them, if it is wanted. Returns an exit code. */
static int show_one(const struct args *args, const struct record_style *style,
		    const struct record_filter *filter,
		    const Pmu__V1__Record *r)
{
	if (!record_style_learn(style, r))
		return EXIT_FAILED;
	return record_filter_match(filter, r, UINT64_MAX)
		       ? record_print(args, style, r)
		       : EXIT_OK;
}

/* Those of an answer that hold, up to the limit. Returns an exit code. */
static int show_some(const struct args *args, const struct record_filter *f,
		     const Pmu__V1__QueryRecordsResponse *r, uint64_t *shown)
{
	int code = EXIT_OK;

	for (size_t i = 0; i < r->n_records && !code; i++) {
		if (f->limit && *shown == f->limit)
			break;
		if (!record_style_learn(f->style, r->records[i]))
			return EXIT_FAILED;
		if (!record_filter_holds(f, r->records[i]))
			continue;
		code = record_print(args, f->style, r->records[i]);
		++*shown;
	}
	return code;
}

int live_show(struct pmud *s, const struct args *args,
	      struct record_filter *filter, struct record_style *style)
{
	Pmu__V1__QueryRecordsRequest req = PMU__V1__QUERY_RECORDS_REQUEST__INIT;
	struct pmuclient_stream *stream;
	Pmu__V1__QueryRecordsResponse *r;
	uint64_t shown = 0;
	int n, code = EXIT_OK;

	req.machine = (char *)args->machine;
	req.filter = &filter->message;
	req.first_cycle = filter->first_cycle;
	req.last_cycle = filter->last_cycle;
	req.limit = filter->expr ? 0 : filter->limit;
	req.first_record = filter->first_record;
	n = pmuclient_open(pmud_client(s), METHOD_PATH(QueryRecords), &req.base,
			   METHOD_ANSWER(QueryRecords), &stream);
	if (n)
		return pmud_fail(s, n);
	pager_begin(SIZE_MAX);
	record_print_heading(args, style);
	while ((n = pmuclient_next(stream, pmud_timeout(s),
				   (ProtobufCMessage **)&r)) == 1) {
		code = show_some(args, filter, r, &shown);
		answer_free(r);
		if (code || ferror(stdout) ||
		    (filter->limit && shown == filter->limit))
			break;
	}
	pmuclient_close(stream);
	if (n < 0 || code)
		return code ? code : pmud_fail(s, n);
	record_print_end(args, shown);
	return EXIT_OK;
}

static int follow_batch(const struct args *args, struct record_style *style,
			const struct record_filter *filter,
			const Pmu__V1__RecordBatch *b)
{
	int code = EXIT_OK;

	for (size_t i = 0; i < b->n_records && !code; i++)
		code = show_one(args, style, filter, b->records[i]);
	return code;
}

/* One message of a followed trace. Returns an exit code. */
static int follow_one(const struct args *args, struct record_style *style,
		      const struct record_filter *filter,
		      const Pmu__V1__StreamRecordsResponse *r)
{
	int code = EXIT_OK;

	if (r->item_case == PMU__V1__STREAM_RECORDS_RESPONSE__ITEM_HEADER) {
		record_print_heading(args, style);
	} else if (r->item_case ==
		   PMU__V1__STREAM_RECORDS_RESPONSE__ITEM_LOST) {
		report_note("%" PRIu64 " records were lost here", r->lost);
	} else if (r->item_case ==
		   PMU__V1__STREAM_RECORDS_RESPONSE__ITEM_BATCH) {
		code = follow_batch(args, style, filter, r->batch);
	}
	fflush(stdout);
	return code;
}

int live_follow(struct pmud *s, const struct args *args,
		struct record_filter *filter, struct record_style *style)
{
	Pmu__V1__StreamRecordsRequest req =
		PMU__V1__STREAM_RECORDS_REQUEST__INIT;
	struct pmuclient_stream *stream;
	Pmu__V1__StreamRecordsResponse *r;
	int n, code = EXIT_OK;

	req.filter = &filter->message;
	req.from_start = args->from_start;
	req.drop = args->drop;
	n = open_live(s, args, &req, &stream);
	if (n)
		return n;
	while ((n = pmuclient_next(stream, -1, (ProtobufCMessage **)&r)) == 1) {
		code = follow_one(args, style, filter, r);
		answer_free(r);
		if (code || ferror(stdout))
			break;
	}
	pmuclient_close(stream);
	return n < 0 ? pmud_fail(s, n) : code;
}

/* Whoever waits for the file to grow sees it do so. */
static bool save_one(struct trace_out *out,
		     const Pmu__V1__StreamRecordsResponse *r)
{
	if (r->item_case == PMU__V1__STREAM_RECORDS_RESPONSE__ITEM_LOST)
		report_note("the first %" PRIu64 " records are not stored any "
			    "more",
			    r->lost);
	out->flush_at = 1;
	return trace_out_write(out, r) && trace_out_flush(out);
}

/* Returns an exit code. What came before pmud was gone is good. */
static int save_all(struct pmud *s, struct pmuclient_stream *stream,
		    struct trace_out *out)
{
	Pmu__V1__StreamRecordsResponse *r;
	int code = EXIT_OK;
	bool ok = true;
	int n = 0;

	while (ok &&
	       (n = pmuclient_next(stream, -1, (ProtobufCMessage **)&r)) == 1) {
		ok = save_one(out, r);
		answer_free(r);
	}
	if (n < 0)
		code = pmud_fail(s, n);
	while (ok && n < 0 &&
	       pmuclient_take(stream, (ProtobufCMessage **)&r) == 1) {
		ok = save_one(out, r);
		answer_free(r);
	}
	return ok ? code : EXIT_FAILED;
}

int live_save(struct pmud *s, const struct args *args, const char *path)
{
	Pmu__V1__StreamRecordsRequest req =
		PMU__V1__STREAM_RECORDS_REQUEST__INIT;
	const struct out_file_config cfg = { "FILE", path, { NULL } };
	struct trace_out trace = { .path = path };
	struct pmuclient_stream *stream;
	struct out_file *out;
	int code = out_file_open(&out, &cfg);
	bool whole = false;

	if (code)
		return code;
	req.from_start = true;
	code = open_live(s, args, &req, &stream);
	if (!code) {
		trace.file = out_file_stream(out);
		code = save_all(s, stream, &trace);
		whole = !code;
		pmuclient_close(stream);
	}
	return out_file_close(out, whole, code);
}
