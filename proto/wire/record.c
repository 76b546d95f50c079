/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The outer shell of trace records: tags and lengths, taken apart with every
 * byte regarded as hostile. What is in a record, protobuf decides.
 */
#include "record.h"

#include <errno.h>

int record_first(const uint8_t *bytes, size_t len, struct record_view *ret)
{
	uint64_t n = 0;
	size_t i = 1;

	if (len == 0)
		return 0;
	if (bytes[0] != RECORD_TAG_HEADER && bytes[0] != RECORD_TAG_RECORD)
		return -EPROTO;
	for (;; i++) {
		if (i == RECORD_HEAD_MAX)
			return -EPROTO;
		if (i == len)
			return 0;
		n |= (uint64_t)(bytes[i] & 0x7f) << (7 * (i - 1));
		if (!(bytes[i] & 0x80))
			break;
	}
	i++;
	if (n > RECORD_MAX - i)
		return -EPROTO;
	if (n > len - i)
		return 0;
	*ret = (struct record_view){ .tag = bytes[0],
				     .field = bytes,
				     .field_len = i + n,
				     .message = bytes + i,
				     .message_len = n };
	return 1;
}

static size_t length_size(size_t n)
{
	size_t size = 1;

	while (n >>= 7)
		size++;
	return size;
}

size_t record_packed_size(const ProtobufCMessage *message)
{
	size_t n = protobuf_c_message_get_packed_size(message);

	return 1 + length_size(n) + n;
}

size_t record_pack(uint8_t tag, const ProtobufCMessage *message, uint8_t *buf)
{
	size_t n = protobuf_c_message_get_packed_size(message);
	size_t at = 0, rest = n;

	buf[at++] = tag;
	while (rest >= 0x80) {
		buf[at++] = (uint8_t)(rest | 0x80);
		rest >>= 7;
	}
	buf[at++] = (uint8_t)rest;
	return at + protobuf_c_message_pack(message, buf + at);
}
