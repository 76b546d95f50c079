/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Messages out of bytes that somebody else wrote, within limits: the memory
 * they take, how deep their types nest, and that their text is UTF-8.
 */
#ifndef WIRE_UNPACK_H
#define WIRE_UNPACK_H

#include <stdbool.h>
#include <stddef.h>

#include <protobuf-c/protobuf-c.h>

#include "wire/cleanup.h"
#include "wire/wire.h"

#define WIRE_MAX_DEPTH 16 /* nested message types */

/* Whether @desc's types nest no deeper than WIRE_MAX_DEPTH. */
bool wire_depth_ok(const ProtobufCMessageDescriptor *desc);

struct wire_bytes {
	const void *data;
	size_t len;
	size_t limit; /* memory of the message, unpacked */
};

/*
 * The message, or NULL with *@ret_status and *@ret_text (a constant) saying
 * why; UNAVAILABLE: it is not the message's fault, there is no memory. Free it
 * by wire_unpack_free().
 */
ProtobufCMessage *wire_unpack(const ProtobufCMessageDescriptor *desc,
			      const struct wire_bytes *in,
			      enum grpc_status *ret_status,
			      const char **ret_text);
/* -ENOMEM or -EPROTO: what the status of one that is NULL comes down to. */
int wire_unpack_errno(enum grpc_status status);
void wire_unpack_free(ProtobufCMessage *msg); /* NULL is fine */
CLEANUP_POINTER(unpacked, ProtobufCMessage, wire_unpack_free)

#endif
