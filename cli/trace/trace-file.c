/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The outer shell of a trace: tags and lengths. What is in a record, protobuf
 * decides. An error names the file and the byte at which it was found.
 */
#include "trace-file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "text/exit-codes.h"
#include "text/report.h"
#include "wire/cleanup.h"
#include "wire/record.h"

enum {
	LENGTH_MAX = RECORD_HEAD_MAX - 1, /* bytes of a length */
};

struct trace_reader {
	FILE *in;
	const char *path;
	uint64_t begin, offset, index; /* begin: of the records */
	bool stopped; /* the last record was a stop, with which traces end */
	bool end_is_told; /* that it is missing */
	Pmu__V1__Header *header;
	Pmu__V1__Record *record;
	uint8_t *buf; /* TRACE_RECORD_MAX bytes */
};

static int report_damage(const struct trace_reader *r, const char *what)
{
	report_error("%s: %s at byte %" PRIu64, r->path, what, r->offset);
	return -1;
}

/*
 * The file has no more bytes, @inside a field or between two. A run whose end
 * was not seen leaves such a trace, and what is in it is good: 0. Without a
 * whole header there is nothing, and what cannot be read may be there: -1.
 */
static int end(struct trace_reader *r, bool inside)
{
	if (ferror(r->in)) {
		report_error("%s: %s", r->path, strerror(errno));
		return -1;
	}
	if (!r->header)
		return report_damage(r, inside ? "the header is cut short"
					       : "the trace is empty");
	if ((inside || (!r->stopped && !r->header->samples_only)) &&
	    !r->end_is_told)
		report_note("%s: the end of the trace is missing: it ends at "
			    "byte %" PRIu64 " %s",
			    r->path, r->offset,
			    inside ? "with a part of a record"
				   : "without a stop");
	r->end_is_told = true;
	return 0;
}

/* A field's length, after its tag. Returns its bytes, 0 at the end, or -1. */
static int read_length(struct trace_reader *r, size_t *ret)
{
	uint64_t n = 0;

	for (int i = 0; i < LENGTH_MAX; i++) {
		int c = getc(r->in);

		if (c == EOF)
			return end(r, true);
		n |= (uint64_t)(c & 0x7f) << (7 * i);
		if (c & 0x80)
			continue;
		if (n > TRACE_RECORD_MAX)
			return report_damage(r,
					     "a record is longer than 1 MiB");
		*ret = n;
		return i + 1;
	}
	return report_damage(r, "a length is malformed");
}

/* The next field with @tag into the buffer: 1, 0 at the end, -1. */
static int read_field(struct trace_reader *r, int tag, size_t *ret_len)
{
	int c = getc(r->in);
	size_t len = 0;
	int n;

	if (c == EOF)
		return end(r, false);
	if (c != tag)
		return report_damage(r, tag == RECORD_TAG_HEADER
						? "not a trace: no header"
						: "not a trace record");
	n = read_length(r, &len);
	if (n <= 0)
		return n;
	if (fread(r->buf, 1, len, r->in) != len)
		return end(r, true);
	r->offset += 1 + (size_t)n + len;
	*ret_len = len;
	return 1;
}

static uint64_t first_index(const struct trace_reader *r)
{
	return r->header->kept_inputs ? 0 : r->header->first_record;
}

static int read_header(struct trace_reader *r)
{
	size_t len;

	if (read_field(r, RECORD_TAG_HEADER, &len) != 1)
		return -1;
	r->header = pmu__v1__header__unpack(NULL, len, r->buf);
	if (!r->header)
		return report_damage(r, "a malformed header ends");
	if (r->header->version != RECORD_TRACE_VERSION) {
		report_error(
			"%s: the trace has version %u, this pmuctl reads %d",
			r->path, r->header->version, RECORD_TRACE_VERSION);
		return -1;
	}
	r->begin = r->offset;
	r->index = first_index(r);
	if (r->header->first_record)
		report_note("%s: of the records before number %" PRIu64
			    " only the inputs are there, %" PRIu64,
			    r->path, r->header->first_record,
			    r->header->kept_inputs);
	return 0;
}

int trace_open(struct trace_reader **ret, const char *path)
{
	struct trace_reader *r CLEANUP(trace) = calloc(1, sizeof(*r));

	if (r)
		r->buf = malloc(TRACE_RECORD_MAX);
	if (!r || !r->buf)
		return report_no_memory(path);
	r->path = strcmp(path, "-") == 0 ? "standard input" : path;
	r->in = r->path == path ? fopen(path, "rbe") : stdin;
	if (!r->in) {
		int code = errno == ENOENT   ? EXIT_NOT_FOUND
			   : errno == EACCES ? EXIT_DENIED
					     : EXIT_FAILED;

		report_error("%s: %s", path, strerror(errno));
		return code;
	}
	if (read_header(r))
		return EXIT_FAILED;
	*ret = pointer_take(&r);
	return EXIT_OK;
}

void trace_close(struct trace_reader *r)
{
	if (!r)
		return;
	if (r->in && r->in != stdin)
		fclose(r->in);
	if (r->header)
		pmu__v1__header__free_unpacked(r->header, NULL);
	if (r->record)
		pmu__v1__record__free_unpacked(r->record, NULL);
	free(r->buf);
	free(r);
}

const Pmu__V1__Header *trace_header(const struct trace_reader *r)
{
	return r->header;
}

/* A rotated trace has no number of the inputs that it begins with. */
static void count(struct trace_reader *r)
{
	r->index++;
	if (r->header->first_record && r->index == r->header->kept_inputs)
		r->index = r->header->first_record;
}

int trace_next(struct trace_reader *r, struct trace_item *ret)
{
	size_t len;
	int n = read_field(r, RECORD_TAG_RECORD, &len);

	if (n <= 0)
		return n;
	if (r->record)
		pmu__v1__record__free_unpacked(r->record, NULL);
	r->record = pmu__v1__record__unpack(NULL, len, r->buf);
	if (!r->record)
		return report_damage(r, "a malformed record ends");
	r->stopped = r->record->kind_case == PMU__V1__RECORD__KIND_STOP;
	*ret = (struct trace_item){ r->record, r->buf, len, r->index };
	count(r);
	return 1;
}

int trace_again(struct trace_reader *r)
{
	if (fseeko(r->in, (off_t)r->begin, SEEK_SET)) {
		report_error("%s: it cannot be read twice: %s", r->path,
			     strerror(errno));
		return EXIT_FAILED;
	}
	r->offset = r->begin;
	r->index = first_index(r);
	r->stopped = false;
	return EXIT_OK;
}

static size_t write_field(FILE *out, uint8_t tag, const ProtobufCMessage *msg)
{
	uint8_t *bytes CLEANUP(free) = malloc(record_packed_size(msg));
	size_t len;

	if (!bytes)
		return 0;
	len = record_pack(tag, msg, bytes);
	return fwrite(bytes, 1, len, out) == len && !ferror(out) ? len : 0;
}

size_t trace_write_header(FILE *out, const Pmu__V1__Header *header)
{
	return write_field(out, RECORD_TAG_HEADER, &header->base);
}

size_t trace_write_record(FILE *out, const Pmu__V1__Record *record)
{
	return write_field(out, RECORD_TAG_RECORD, &record->base);
}
