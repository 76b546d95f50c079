/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages from JSON with ' for ", as struct canned has them. */
#ifndef TESTS_CANNED_MESSAGE_H
#define TESTS_CANNED_MESSAGE_H

#include <protobuf-c/protobuf-c.h>

/* To be freed; it is a failure if @text is no message of @type. */
ProtobufCMessage *canned_message(const char *text,
				 const ProtobufCMessageDescriptor *type);

#endif
