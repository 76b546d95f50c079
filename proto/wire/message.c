/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Copies by way of the packed bytes: protobuf-c knows no other, and what a
 * message points to is nobody's to share.
 */
#include "wire/message.h"

#include <stdlib.h>

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
