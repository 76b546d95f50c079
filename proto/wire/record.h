/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A trace as bytes: fields of the message pmu.v1.Trace one after the other,
 * each a tag byte, a length and that many bytes. Ring, file and stream carry
 * the same bytes, so whoever copies records never takes them apart.
 */
#ifndef WIRE_RECORD_H
#define WIRE_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include <protobuf-c/protobuf-c.h>

enum {
	RECORD_TRACE_VERSION = 1, /* Header.version: of the format */
	RECORD_TAG_HEADER = 0x0a, /* Trace.header */
	RECORD_TAG_RECORD = 0x12, /* Trace.records */
	RECORD_HEAD_MAX = 1 + 5,  /* tag and length */
	RECORD_MAX = 256 << 10,	  /* bytes of one record, head included */
};

/* One field, pointing into the caller's bytes. */
struct record_view {
	uint8_t tag;
	const uint8_t *field; /* from the tag on */
	size_t field_len;
	const uint8_t *message; /* the packed message alone */
	size_t message_len;
};

/*
 * The first field of @bytes: 1 and @ret; 0 when it is cut short; -EPROTO when
 * the bytes are no trace (unknown tag, bad length, longer than RECORD_MAX).
 */
int record_first(const uint8_t *bytes, size_t len, struct record_view *ret);

/* Bytes that record_pack() writes. */
size_t record_packed_size(const ProtobufCMessage *message);
/* Writes tag, length and message to @buf. Returns the number of bytes. */
size_t record_pack(uint8_t tag, const ProtobufCMessage *message, uint8_t *buf);

#endif
