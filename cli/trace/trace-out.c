/* SPDX-License-Identifier: BSD-2-Clause */
/* What comes of a stream of records, and when it is written at the latest. */
#include "trace-out.h"

#include <errno.h>
#include <string.h>

#include "text/now.h"
#include "text/report.h"
#include "sample-filter.h"
#include "trace-file.h"

enum {
	FLUSH_MS = 500 /* that records wait for others */
};

/* What its stream has refused, out_file_close() says, once. */
static bool fail(const struct trace_out *o)
{
	if (!ferror(o->file))
		report_error("%s: %s", o->path, strerror(errno));
	return false;
}

static bool write_batch(const struct trace_out *o,
			const Pmu__V1__RecordBatch *batch)
{
	for (size_t i = 0; i < batch->n_records; i++) {
		if (sample_filter_keeps(o->filter, batch->records[i]) &&
		    !trace_write_record(o->file, batch->records[i]))
			return false;
	}
	return true;
}

static bool wrote(struct trace_out *o, bool ok)
{
	if (!o->flush_at)
		o->flush_at = now_ms() + FLUSH_MS;
	return ok || fail(o);
}

bool trace_out_header(struct trace_out *o, const Pmu__V1__Header *header)
{
	if (o->filter && sample_filter_begin(o->filter, header))
		return false;
	return wrote(o, trace_write_header(o->file, header));
}

bool trace_out_records(struct trace_out *o, const Pmu__V1__RecordBatch *batch)
{
	return wrote(o, write_batch(o, batch));
}

bool trace_out_write(struct trace_out *o,
		     const Pmu__V1__StreamRecordsResponse *r)
{
	if (r->item_case == PMU__V1__STREAM_RECORDS_RESPONSE__ITEM_HEADER)
		return trace_out_header(o, r->header);
	if (r->item_case == PMU__V1__STREAM_RECORDS_RESPONSE__ITEM_BATCH)
		return trace_out_records(o, r->batch);
	return true;
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
