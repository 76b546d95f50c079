/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The streams of TraceService. What matches is decided by the daemon, but for
 * --filter; a query has no header, so a stream is asked for it.
 */
#include "cmd-live.h"

#include <inttypes.h>
#include <poll.h>

#include "session/end-signals.h"
#include "session/pmud.h"
#include "text/exit-codes.h"
#include "text/out-file.h"
#include "text/pager.h"
#include "trace/record-print.h"
#include "trace/record-style.h"
#include "text/report.h"
#include "text/tty.h"
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

/*
 * The header that its trace has now: it lacks what is loaded later. Every
 * stream begins with it; no more is wanted of this one.
 */
static int read_header(struct pmud *s, const struct args *args,
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

int live_view_open(struct live_view *v, struct pmud *s)
{
	Pmu__V1__StreamRecordsResponse *first;
	int code;

	if (!record_filter_init(&v->filter, v->args))
		return EXIT_USAGE;
	code = read_header(s, v->args, &first);
	if (code)
		return code;
	v->style.color = tty_in_color(v->out);
	code = record_style_open(&v->style, s, v->args, first->header);
	answer_free(first);
	return code ? code
		    : record_filter_places(&v->filter, s, v->args, &v->style);
}

void live_view_close(struct live_view *v)
{
	record_filter_fini(&v->filter);
	record_style_close(&v->style);
}

/* The next of them, if it is wanted. Returns an exit code. */
static int show_one(struct live_view *v, const Pmu__V1__Record *r)
{
	if (!record_style_learn(&v->style, r))
		return EXIT_FAILED;
	return record_filter_match(&v->filter, r, UINT64_MAX)
		       ? record_print(v->out, v->args, &v->style, r)
		       : EXIT_OK;
}

/* Those of an answer that hold, up to the limit. Returns an exit code. */
static int show_some(struct live_view *v,
		     const Pmu__V1__QueryRecordsResponse *r, uint64_t *shown)
{
	int code = EXIT_OK;

	for (size_t i = 0; i < r->n_records && !code; i++) {
		if (v->filter.limit && *shown == v->filter.limit)
			break;
		if (!record_style_learn(&v->style, r->records[i]))
			return EXIT_FAILED;
		if (!record_filter_holds(&v->filter, r->records[i]))
			continue;
		code = record_print(v->out, v->args, &v->style, r->records[i]);
		++*shown;
	}
	return code;
}

int live_show(struct pmud *s, struct live_view *v)
{
	Pmu__V1__QueryRecordsRequest req = PMU__V1__QUERY_RECORDS_REQUEST__INIT;
	struct record_filter *filter = &v->filter;
	struct pmuclient_stream *stream;
	Pmu__V1__QueryRecordsResponse *r;
	uint64_t shown = 0;
	int n, code = EXIT_OK;

	req.machine = (char *)v->args->machine;
	req.filter = &filter->message;
	req.first_cycle = filter->first_cycle;
	req.last_cycle = filter->last_cycle;
	req.limit = record_filter_daemon_limit(filter);
	req.first_record = filter->first_record;
	n = pmuclient_open(pmud_client(s), METHOD_PATH(QueryRecords), &req.base,
			   METHOD_ANSWER(QueryRecords), &stream);
	if (n)
		return pmud_fail(s, n);
	pager_begin(SIZE_MAX);
	record_print_heading(v->out, v->args, &v->style);
	while ((n = pmuclient_next(stream, pmud_timeout(s),
				   (ProtobufCMessage **)&r)) == 1) {
		code = show_some(v, r, &shown);
		answer_free(r);
		if (code || ferror(v->out) ||
		    (filter->limit && shown == filter->limit))
			break;
	}
	pmuclient_close(stream);
	if (n < 0 || code)
		return code ? code : pmud_fail(s, n);
	record_print_end(v->args, shown);
	return EXIT_OK;
}

static void take_header(struct live_view *v)
{
	if (v->stands)
		report_note("%s does not run now: records come once it does",
			    v->args->machine);
	record_print_heading(v->out, v->args, &v->style);
}

static int take_batch(struct live_view *v, const Pmu__V1__RecordBatch *b)
{
	int code = EXIT_OK;

	for (size_t i = 0; i < b->n_records && !code; i++)
		code = show_one(v, b->records[i]);
	return code;
}

int live_view_take(struct live_view *v, const Pmu__V1__StreamRecordsResponse *r)
{
	int code = EXIT_OK;

	if (ferror(v->out)) /* that was said */
		return EXIT_FAILED;
	if (r->item_case == PMU__V1__STREAM_RECORDS_RESPONSE__ITEM_HEADER)
		take_header(v);
	else if (r->item_case == PMU__V1__STREAM_RECORDS_RESPONSE__ITEM_LOST)
		report_note("%" PRIu64 " records were lost here", r->lost);
	else if (r->item_case == PMU__V1__STREAM_RECORDS_RESPONSE__ITEM_BATCH)
		code = take_batch(v, r->batch);
	if (code)
		return code;
	/* who closes it says why */
	return fflush(v->out) || ferror(v->out) ? EXIT_FAILED : EXIT_OK;
}

/* All that has come. *@ret_more: the stream goes on. */
static int take_all(struct pmud *s, struct pmuclient_stream *stream,
		    struct live_view *v, bool *ret_more)
{
	ProtobufCMessage *msg;
	int n = 0, code = EXIT_OK;

	while (!code && (n = pmuclient_take(stream, &msg)) == 1) {
		code = live_view_take(v, (Pmu__V1__StreamRecordsResponse *)msg);
		answer_free(msg);
	}
	*ret_more = !code && n == -PMUCLIENT_ETIMEOUT;
	return code || n >= 0 || *ret_more ? code : pmud_fail(s, n);
}

/* Until something may have come, or an exit code. */
static int wait_more(struct pmud *s, struct end_signals *signals)
{
	struct pmuclient *c = pmud_client(s);
	struct pollfd fds[] = {
		{ .fd = pmuclient_fd(c), .events = pmuclient_events(c) },
		{ .fd = signals->fd, .events = POLLIN },
	};
	int err = poll(fds, 2, -1) < 0 ? 0 : fds[0].revents;

	if (err)
		err = pmuclient_pump(c, 0);
	return err ? pmud_fail(s, err) : end_signals_take(signals);
}

static int watch(struct pmud *s, struct pmuclient_stream *stream,
		 struct live_view *v)
{
	struct end_signals signals;
	bool more = true;
	int code = end_signals_open(&signals, false);

	while (!code && more) {
		code = take_all(s, stream, v, &more);
		if (code || !more)
			break;
		code = wait_more(s, &signals);
		if (code) /* what came before is good */
			(void)take_all(s, stream, v, &more);
	}
	end_signals_close(&signals);
	return code;
}

int live_follow(struct pmud *s, struct live_view *v)
{
	Pmu__V1__StreamRecordsRequest req =
		PMU__V1__STREAM_RECORDS_REQUEST__INIT;
	struct pmuclient_stream *stream;
	int code;

	req.filter = &v->filter.message;
	req.from_start = v->args->from_start;
	req.drop = v->args->drop;
	code = open_live(s, v->args, &req, &stream);
	if (code)
		return code;
	code = watch(s, stream, v);
	pmuclient_close(stream);
	return code;
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
	struct trace_out trace = { .path = path };
	struct pmuclient_stream *stream;
	struct out_file *out;
	int code = out_file_open(&out, path);
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
