/* SPDX-License-Identifier: BSD-2-Clause */
/* Two streams, opened before the machine starts, read as they come. */
#include "gdb-feed.h"

#include <inttypes.h>

#include "pmu/v1/machines.pb-c.h"
#include "pmu/v1/traces.pb-c.h"
#include "session/pmud.h"
#include "text/exit-codes.h"
#include "text/report.h"

static int open_stream(struct gdb_feed *f, const char *method,
		       const ProtobufCMessage *req,
		       const ProtobufCMessageDescriptor *response,
		       struct pmuclient_stream **ret)
{
	int err = pmuclient_open(pmud_client(f->cfg.pmud), method, req,
				 response, ret);

	return err ? pmud_fail(f->cfg.pmud, err) : EXIT_OK;
}

int gdb_feed_open(struct gdb_feed *f, const struct gdb_feed_config *cfg)
{
	Pmu__V1__StreamRecordsRequest records =
		PMU__V1__STREAM_RECORDS_REQUEST__INIT;
	Pmu__V1__ReadConsoleRequest console =
		PMU__V1__READ_CONSOLE_REQUEST__INIT;

	*f = (struct gdb_feed){
		.cfg = *cfg,
		.trace = { .file = cfg->trace, .path = cfg->trace_path },
	};
	records.machine = console.machine = (char *)cfg->machine;
	records.from_start = true;
	if (cfg->console)
		f->code =
			open_stream(f, METHOD_PATH(ReadConsole), &console.base,
				    METHOD_ANSWER(ReadConsole), &f->console);
	if (cfg->trace && !f->code)
		f->code = open_stream(
			f, METHOD_PATH(StreamRecords), &records.base,
			METHOD_ANSWER(StreamRecords), &f->records);
	return f->code;
}

/* The next message; false: there is none now, or the stream has ended. */
static bool next(struct gdb_feed *f, struct pmuclient_stream **stream,
		 ProtobufCMessage **ret)
{
	int n;

	if (!*stream || f->code)
		return false;
	n = pmuclient_take(*stream, ret);
	if (n == 1)
		return true;
	if (n == -PMUCLIENT_ETIMEOUT)
		return false;
	if (n < 0) {
		f->code = pmud_fail(f->cfg.pmud, n);
		return false;
	}
	pmuclient_close(*stream);
	*stream = NULL;
	return false;
}

static bool write_all(struct gdb_feed *f,
		      const Pmu__V1__StreamRecordsResponse *r)
{
	if (r->item_case == PMU__V1__STREAM_RECORDS_RESPONSE__ITEM_LOST) {
		report_error("%s: %" PRIu64 " records are lost",
			     f->cfg.trace_path, r->lost);
		f->code = EXIT_FAILED;
	}
	return trace_out_write(&f->trace, r);
}

static void take_records(struct gdb_feed *f)
{
	ProtobufCMessage *msg;
	bool open = f->records;

	while (next(f, &f->records, &msg)) {
		if (!write_all(f, (Pmu__V1__StreamRecordsResponse *)msg))
			f->code = EXIT_FAILED;
		answer_free(msg);
	}
	f->whole |= open && !f->records && !f->code;
}

bool gdb_feed_take(struct gdb_feed *f,
		   void (*print)(void *arg, const char *text, size_t len),
		   void *arg)
{
	const Pmu__V1__ReadConsoleResponse *r;
	ProtobufCMessage *msg;

	while (print && next(f, &f->console, &msg)) {
		r = (const Pmu__V1__ReadConsoleResponse *)msg;
		print(arg, (const char *)r->data.data, r->data.len);
		answer_free(msg);
	}
	take_records(f);
	return !f->code;
}

void gdb_feed_rest(struct gdb_feed *f)
{
	f->code = EXIT_OK;
	take_records(f);
	if (f->records && f->code != EXIT_FAILED)
		(void)trace_out_rest(&f->trace, pmud_stored_trace(f->cfg.pmud),
				     f->cfg.machine);
}

void gdb_feed_close(struct gdb_feed *f)
{
	pmuclient_close(f->console);
	pmuclient_close(f->records);
	f->console = f->records = NULL;
}
