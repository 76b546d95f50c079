/* SPDX-License-Identifier: BSD-2-Clause */
/* Two streams, opened before the machine starts, read as they come. */
#include "gdb-feed.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "pmu/v1/machines.pb-c.h"
#include "pmu/v1/traces.pb-c.h"
#include "session/pmud.h"
#include "text/exit-codes.h"
#include "text/report.h"
#include "trace/trace-file.h"

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

	*f = (struct gdb_feed){ .cfg = *cfg };
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
	if (n < 0)
		f->code = pmud_fail(f->cfg.pmud, n);
	pmuclient_close(*stream);
	*stream = NULL;
	return false;
}

static bool write_all(struct gdb_feed *f,
		      const Pmu__V1__StreamRecordsResponse *r)
{
	FILE *out = f->cfg.trace;

	if (r->item_case == PMU__V1__STREAM_RECORDS_RESPONSE__ITEM_HEADER)
		return trace_write_header(out, r->header);
	if (r->item_case == PMU__V1__STREAM_RECORDS_RESPONSE__ITEM_LOST) {
		report_error("%s: %" PRIu64 " records are lost",
			     f->cfg.trace_path, r->lost);
		f->code = EXIT_FAILED;
	}
	if (r->item_case != PMU__V1__STREAM_RECORDS_RESPONSE__ITEM_BATCH)
		return true;
	for (size_t i = 0; i < r->batch->n_records; i++)
		if (!trace_write_record(out, r->batch->records[i]))
			return false;
	return true;
}

static void take_records(struct gdb_feed *f)
{
	ProtobufCMessage *msg;
	bool open = f->records;

	while (next(f, &f->records, &msg)) {
		if (!write_all(f, (Pmu__V1__StreamRecordsResponse *)msg)) {
			/* what the stream refused, out_file_close() says */
			if (!ferror(f->cfg.trace))
				report_error("out of memory");
			f->code = EXIT_FAILED;
		}
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

void gdb_feed_close(struct gdb_feed *f)
{
	pmuclient_close(f->console);
	pmuclient_close(f->records);
	f->console = f->records = NULL;
}
