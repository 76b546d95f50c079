/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What an answer of pmud always has. A message may be well-formed and lack it:
 * then it is no answer, and who reads it need not ask for each part.
 */
#ifndef CLIENT_ANSWER_PARTS_H
#define CLIENT_ANSWER_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include <protobuf-c/protobuf-c.h>

/* A part that is missing, or of which there are too few or too many. */
struct answer_fault {
	const char *message, *part; /* both as the protocol names them */
	size_t n, wanted; /* how many; wanted is 0 for a part that is missing */
};

/*
 * Returns whether @answer has all that its type demands, and else the first
 * fault. A oneof of which a newer pmud has set what is not known here is no
 * fault.
 */
bool answer_is_whole(const ProtobufCMessage *answer, struct answer_fault *ret);

#endif
