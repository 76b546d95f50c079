/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Why a request cannot be done: a gRPC status code and a text for people. One
 * type from the machine's modules up to the reply.
 */
#ifndef MACHINE_ERROR_H
#define MACHINE_ERROR_H

#include <stdbool.h>

/* gRPC's numbers; the ones that machines use. */
enum status {
	STATUS_OK = 0,
	STATUS_INVALID_ARGUMENT = 3,
	STATUS_NOT_FOUND = 5,
	STATUS_RESOURCE_EXHAUSTED = 8,
	STATUS_FAILED_PRECONDITION = 9,
	STATUS_ABORTED = 10,
	STATUS_OUT_OF_RANGE = 11,
	STATUS_UNIMPLEMENTED = 12,
	STATUS_INTERNAL = 13,
};

struct error {
	enum status status;
	char text[512];
};

/* Fills @e (may be NULL) and returns false, for `return error_set(...)`. */
bool error_set(struct error *e, enum status status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
