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

#endif
