/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Why a request cannot be done: a gRPC status code, which field of the request
 * is at fault and why for programs, and a text for people. One type from the
 * machine's modules up to the reply. Texts quote what others sent and are cut,
 * so what was UTF-8 need not be any more.
 */
#ifndef CORE_ERROR_H
#define CORE_ERROR_H

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

enum {
	ERROR_FIELD = 96
};

struct error {
	enum status status;
	const char *reason;	 /* a constant; as "NO_SUCH_HART" */
	char field[ERROR_FIELD]; /* path in the request; "": of none */
	char text[512];
};

struct error_at {
	const char *field; /* NULL: no field is at fault */
	const char *reason;
};

#define AT(field_, reason_)                                                    \
	((struct error_at){ .field = (field_), .reason = (reason_) })

/* Fills @e (may be NULL) and returns false, for `return error_set(...)`. */
bool error_set(struct error *e, enum status status, struct error_at at,
	       const char *format, ...) __attribute__((format(printf, 4, 5)));
/* There was no memory for what was asked. Returns false. */
bool error_no_memory(struct error *e);
/*
 * For who passes a part of a request on, whose finder of errors knows that part
 * only: puts what @format says before the field, if there is one. Returns
 * false.
 */
bool error_within(struct error *e, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* The field @part, or one below it, is the request's @whole. Returns false. */
bool error_rename(struct error *e, const char *part, const char *whole);

#endif
