/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A connection to the daemon that the command line means, and calls on it whose
 * errors are said here and become exit codes.
 */
#ifndef CLI_SESSION_CONN_H
#define CLI_SESSION_CONN_H

#include <stdbool.h>

#include <pmuclient/pmuclient.h>

#include "cmd/args.h"

struct conn;

/*
 * Connects to --address, else $PMUD_ADDRESS, else the daemon of the user or the
 * system. If none of these was named and none answers, @may_start starts a
 * private one, which lives as long as the connection; an address "private" asks
 * for just that. Returns an exit code.
 */
int conn_open(struct conn **ret, const struct args *args, bool may_start);
void conn_close(struct conn *s); /* NULL is fine */

struct pmuclient *conn_client(struct conn *s);
/* Milliseconds of --timeout, or -1. */
int conn_timeout(const struct conn *s);
/* Says what the client's last error was. Returns its exit code. */
int conn_fail(struct conn *s, int err);

/* The method of @service, whose messages are called @name. */
#define CONN_CALL(s, service, method, name, req, res)                          \
	conn_call(s, #service "/" #method, &(req)->base,                       \
		  &pmu__v1__##name##_response__descriptor,                     \
		  (ProtobufCMessage **)(res))

/*
 * The same of a question whose failure only means that less is known: nothing
 * is said. @s may be NULL. True: @res was answered.
 */
#define CONN_ASK(s, service, method, name, req, res)                           \
	((s) &&                                                                \
	 !pmuclient_call(conn_client(s), #service "/" #method, &(req)->base,   \
			 &pmu__v1__##name##_response__descriptor,              \
			 (ProtobufCMessage **)(res)))

/*
 * One call and its answer, which the caller frees with conn_free(). Returns
 * an exit code; on failure the error was said and @ret is untouched.
 */
int conn_call(struct conn *s, const char *method, const ProtobufCMessage *req,
	      const ProtobufCMessageDescriptor *response,
	      ProtobufCMessage **ret);
void conn_free(void *message); /* NULL is fine */

#endif
