/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Copies by way of the packed bytes: protobuf-c knows no other, and what a
 * message points to is nobody's to share.
 */
#include "wire/message.h"

#include <stdlib.h>
#include <string.h>

#include "wire/cleanup.h"

void *message_copy(const ProtobufCMessage *msg)
{
	size_t len = protobuf_c_message_get_packed_size(msg);
	uint8_t *bytes CLEANUP(free) = malloc(len ? len : 1);

	if (!bytes)
		return NULL;
	protobuf_c_message_pack(msg, bytes);
	return protobuf_c_message_unpack(msg->descriptor, NULL, len, bytes);
}

/* How many messages there are of a field, and where. */
static size_t items_of(ProtobufCMessage *msg, const ProtobufCFieldDescriptor *f,
		       ProtobufCMessage ***ret)
{
	char *base = (char *)msg;
	const void *n = base + f->quantifier_offset;

	*ret = (ProtobufCMessage **)(base + f->offset);
	if (f->label == PROTOBUF_C_LABEL_REPEATED) {
		*ret = *(ProtobufCMessage ***)*ret;
		return *(const size_t *)n;
	}
	return !(f->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) ||
	       *(const uint32_t *)n == f->id;
}

void message_forget_unknown(ProtobufCMessage *msg)
{
	ProtobufCMessage **at;

	for (unsigned i = 0; i < msg->n_unknown_fields; i++)
		free(msg->unknown_fields[i].data);
	free(msg->unknown_fields);
	msg->n_unknown_fields = 0;
	msg->unknown_fields = NULL;
	for (unsigned i = 0; i < msg->descriptor->n_fields; i++) {
		const ProtobufCFieldDescriptor *f = &msg->descriptor->fields[i];

		if (f->type != PROTOBUF_C_TYPE_MESSAGE)
			continue;
		for (size_t n = items_of(msg, f, &at); n; n--)
			if (at[n - 1])
				message_forget_unknown(at[n - 1]);
	}
}

int message_equal(const ProtobufCMessage *a, const ProtobufCMessage *b)
{
	size_t len = protobuf_c_message_get_packed_size(a);
	uint8_t *bytes CLEANUP(free) = NULL;

	if (len != protobuf_c_message_get_packed_size(b))
		return 0;
	bytes = malloc(2 * len + 1);
	if (!bytes)
		return -1;
	protobuf_c_message_pack(a, bytes);
	protobuf_c_message_pack(b, bytes + len);
	return !memcmp(bytes, bytes + len, len);
}
