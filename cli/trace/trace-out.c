/* SPDX-License-Identifier: BSD-2-Clause */
/* What comes of a stream of records, and when it is written at the latest. */
#include "trace-out.h"

#include <errno.h>
#include <string.h>

#include "text/now.h"
#include "text/report.h"
#include "trace-file.h"

enum {
	FLUSH_MS = 500 /* that records wait for others */
};

static bool fail(const struct trace_out *o)
{
	report_error("%s: %s", o->path, strerror(errno));
	return false;
}

static bool write_batch(const struct trace_out *o,
			const Pmu__V1__RecordBatch *batch)
{
	for (size_t i = 0; i < batch->n_records; i++) {
		if (!trace_write_record(o->file, batch->records[i]))
			return false;
	}
	return true;
}

bool trace_out_write(struct trace_out *o,
		     const Pmu__V1__StreamRecordsResponse *r)
{
	bool ok = true;

	if (r->item_case == PMU__V1__STREAM_RECORDS_RESPONSE__ITEM_HEADER)
		ok = trace_write_header(o->file, r->header);
	else if (r->item_case == PMU__V1__STREAM_RECORDS_RESPONSE__ITEM_BATCH)
		ok = write_batch(o, r->batch);
	if (!o->flush_at)
		o->flush_at = now_ms() + FLUSH_MS;
	return ok || fail(o);
}

int trace_out_timeout(const struct trace_out *o)
{
	uint64_t now = now_ms();

	if (!o->flush_at)
		return -1;
	return now < o->flush_at ? (int)(o->flush_at - now) : 0;
}

bool trace_out_flush(struct trace_out *o)
{
	if (trace_out_timeout(o))
		return true;
	o->flush_at = 0;
	return !fflush(o->file) || fail(o);
}
