/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The parts of the gRPC wire protocol that server and client share: status
 * codes, the grpc-timeout header, the percent encoding of grpc-message, UTF-8.
 * Pure functions; sessions live elsewhere, messages in frame.h.
 */
#ifndef WIRE_WIRE_H
#define WIRE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GRPC_STATUSES(X)                                                       \
	X(0, OK)                                                               \
	X(1, CANCELLED)                                                        \
	X(2, UNKNOWN)                                                          \
	X(3, INVALID_ARGUMENT)                                                 \
	X(4, DEADLINE_EXCEEDED)                                                \
	X(5, NOT_FOUND)                                                        \
	X(6, ALREADY_EXISTS)                                                   \
	X(7, PERMISSION_DENIED)                                                \
	X(8, RESOURCE_EXHAUSTED)                                               \
	X(9, FAILED_PRECONDITION)                                              \
	X(10, ABORTED)                                                         \
	X(11, OUT_OF_RANGE)                                                    \
	X(12, UNIMPLEMENTED)                                                   \
	X(13, INTERNAL)                                                        \
	X(14, UNAVAILABLE)                                                     \
	X(15, DATA_LOSS)                                                       \
	X(16, UNAUTHENTICATED)

enum grpc_status {
#define X(num, id) GRPC_##id = num,
	GRPC_STATUSES(X)
#undef X
};

#define GRPC_STATUS_MAX	 16  /* largest code of the protocol */
#define GRPC_MESSAGE_MAX 512 /* bytes of a status text, with its end */
#define GRPC_TIMEOUT_MAX 16  /* bytes of a formatted timeout, with its end */

/* "NOT_FOUND" and so on; "UNKNOWN" for a number that is no status. */
const char *grpc_status_name(unsigned int status);

/*
 * Reads a grpc-timeout value: one to eight digits and one of H M S m u n.
 * False: malformed (@ret_ns is untouched). Values beyond 100 years are cut.
 */
bool timeout_parse(const char *text, size_t len, uint64_t *ret_ns);

/* Writes @ns in the finest unit that fits eight digits, rounded up. */
void timeout_format(uint64_t ns, char ret_text[GRPC_TIMEOUT_MAX]);

/*
 * Percent-encodes status text for a header: everything outside printable
 * ASCII, '%', and a space at either end. Cut, never inside an escape, to what
 * fits in @cap.
 * Returns the length written; the text ends with a zero byte.
 */
size_t percent_encode(const char *text, char *ret, size_t cap);

/* The reverse; a broken escape stays as it is. Cut to what fits in @cap. */
size_t percent_decode(const char *text, size_t len, char *ret, size_t cap);

/* Whether @len bytes at @s are well-formed UTF-8. */
bool utf8_valid(const void *s, size_t len);
/* Puts '?' in the place of each byte of @text that is no well-formed UTF-8. */
void utf8_mend(char *text);

#endif
