/* SPDX-License-Identifier: BSD-2-Clause */
/* What comes of a stream of records, and when it is written at the latest. */
#include "trace-out.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text/now.h"
#include "text/report.h"
#include "sample-filter.h"
#include "trace-file.h"
#include "wire/cleanup.h"
#include "wire/record.h"
#include "wire/unpack.h"

enum {
	FLUSH_MS = 500,		 /* that records wait for others */
	REST_BYTES = 1 << 20,	 /* that are read at once: the greatest fits */
	REST_UNPACKED = 16 << 20 /* memory of a record, unpacked */
};

/* What its stream has refused, out_file_close() says, once. */
static bool fail(const struct trace_out *o)
{
	if (!ferror(o->file))
		report_error("%s: %s", o->path, strerror(errno));
	return false;
}

static bool write_one(struct trace_out *o, const Pmu__V1__Record *record)
{
	size_t bytes = sample_filter_keeps(o->filter, record)
			       ? trace_write_record(o->file, record)
			       : record_packed_size(&record->base);

	o->taken += bytes;
	return bytes;
}

static bool write_batch(struct trace_out *o, const Pmu__V1__RecordBatch *batch)
{
	for (size_t i = 0; i < batch->n_records; i++) {
		if (!write_one(o, batch->records[i]))
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

/* What is no record is where the file has been cut, or is damaged. */
static bool damaged(const struct trace_out *o, const char *why)
{
	report_error("%s: what pmud had stored behind this cannot be read: %s",
		     o->path, why);
	return false;
}

/* The whole records of @bytes. */
static bool write_whole(struct trace_out *o, const uint8_t *bytes, size_t len)
{
	struct record_view v;
	int n = 0;

	while (len && (n = record_first(bytes, len, &v)) > 0) {
		struct wire_bytes in = { v.message, v.message_len,
					 REST_UNPACKED };
		enum grpc_status status;
		const char *why;
		ProtobufCMessage *record CLEANUP(unpacked) = wire_unpack(
			&pmu__v1__record__descriptor, &in, &status, &why);

		if (!record)
			return damaged(o, why);
		if (!write_one(o, (const Pmu__V1__Record *)record))
			return fail(o);
		bytes += v.field_len;
		len -= v.field_len;
	}
	return n >= 0 || damaged(o, "it is no record");
}

static bool append(struct trace_out *o, int stored)
{
	uint8_t *buf CLEANUP(free) = malloc(REST_BYTES);
	uint64_t before = UINT64_MAX;

	if (!buf)
		return damaged(o, "out of memory");
	while (o->taken != before) {
		ssize_t n = pread(stored, buf, REST_BYTES, (off_t)o->taken);

		before = o->taken;
		if (n < 0)
			return damaged(o, strerror(errno));
		if (!write_whole(o, buf, (size_t)n))
			return false;
	}
	return true;
}

bool trace_out_rest(struct trace_out *o, int stored, const char *machine)
{
	if (stored >= 0)
		return append(o, stored);
	report_note("%s has what had come by then; a pmud that keeps its runs "
		    "(--keep) has all that it had stored when it is back: "
		    "pmuctl trace save -m %s FILE",
		    o->path, machine);
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
