/* SPDX-License-Identifier: BSD-2-Clause */
/* What can be done with a message of any type that is in memory already. */
#ifndef WIRE_MESSAGE_H
#define WIRE_MESSAGE_H

#include <protobuf-c/protobuf-c.h>

/*
 * A copy with memory of its own, of @msg's type, to be freed as what was
 * unpacked; NULL without memory.
 */
void *message_copy(const ProtobufCMessage *msg);
/*
 * Takes out of a message that was unpacked, at any depth, what this build has
 * no name for: it is never looked at, and is much larger than it was as bytes.
 */
void message_forget_unknown(ProtobufCMessage *msg);
/* 1: both, of one type, say the same; 0: they do not; -1: no memory. */
int message_equal(const ProtobufCMessage *a, const ProtobufCMessage *b);

#endif
