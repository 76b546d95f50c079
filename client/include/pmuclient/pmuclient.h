/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libpmuclient: a blocking client of pmud. One connection, any number of calls
 * and streams on it, from one thread; several threads take a connection each.
 *
 * Requests and answers are the generated messages of proto/pmu/v1 (protobuf-c);
 * <pmuclient/machine.h> has plain C for the common cases and
 * <pmuclient/overflows.h> callbacks on counter overflow,
 * <pmuclient/ebb-client.h> handlers that own the counter. Functions that can
 * fail return 0 or a negated enum pmuclient_errno; pmuclient_error() then says
 * what, in words.
 *
 * Nothing survives fork(): the child has no copy of the connection, so that it
 * ends with the parent; every call there returns -PMUCLIENT_ESTATE, and
 * pmuclient_free() frees its memory.
 *
 * libpmuclient.so.1 exports what these headers declare, each with the version
 * that brought it (LIBPMUCLIENT_1.0) and keeps it. Of a message that is the
 * descriptor, by which libprotobuf-c packs, unpacks, copies and frees.
 */
#ifndef PMUCLIENT_PMUCLIENT_H
#define PMUCLIENT_PMUCLIENT_H

#include <stddef.h>
#include <stdint.h>

#include <protobuf-c/protobuf-c.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

enum pmuclient_errno {
	PMUCLIENT_EINVAL = 1, /* an argument is wrong */
	PMUCLIENT_ENOMEM,
	PMUCLIENT_ECONNECT, /* pmud cannot be reached */
	PMUCLIENT_ELOST,    /* the connection broke or pmud is leaving */
	PMUCLIENT_ERPC,	    /* pmud refused: see pmuclient_status() */
	PMUCLIENT_EPROTO,   /* what came is not of the protocol, or not whole */
	PMUCLIENT_ETIMEOUT,
	PMUCLIENT_ESTATE, /* not allowed now: after fork, in a callback, ... */
};

struct pmuclient;
struct pmuclient_stream;

/*
 * Connects. @address: "unix:///path/of.sock", "/path/of.sock" or
 * "tcp://127.0.0.1:PORT"; NULL: $PMUD_ADDRESS, else $XDG_RUNTIME_DIR/pmud.sock,
 * else /run/pmud/pmud.sock, whichever is there first. Returns 0,
 * -PMUCLIENT_EINVAL (no such form of address), -PMUCLIENT_ECONNECT or
 * -PMUCLIENT_ENOMEM. On failure *@ret still is a client that can say
 * pmuclient_error() and must be freed, or NULL.
 */
int pmuclient_connect(struct pmuclient **ret, const char *address);
/* The same over a connected socket, which the client then owns. */
int pmuclient_adopt(struct pmuclient **ret, int fd);
/* Closes the connection and what is open on it. NULL is fine. */
void pmuclient_free(struct pmuclient *c);

/* What went wrong last, for people; never NULL, valid until the next call. */
const char *pmuclient_error(const struct pmuclient *c);
/* The gRPC status code of the last -PMUCLIENT_ERPC, else 0. */
unsigned pmuclient_status(const struct pmuclient *c);
/*
 * Of the last -PMUCLIENT_ERPC, for programs: which field of the request is
 * wrong, a path as "config.settings[2].value", and why, as "NO_SUCH_HART"; NULL
 * where pmud named none. Valid until the next call.
 */
const char *pmuclient_error_field(const struct pmuclient *c);
const char *pmuclient_error_reason(const struct pmuclient *c);
/* "NOT_FOUND" for a gRPC status code. */
const char *pmuclient_status_name(unsigned status);
/* For calls and uploads from now on, in milliseconds; -1 (default): none. */
void pmuclient_set_timeout(struct pmuclient *c, int ms);

/*
 * One call. @method: "MachineService/StartMachine"; @response: the answer's
 * descriptor. *@ret (may be NULL) is to be freed by pmuclient_free_message().
 */
int pmuclient_call(struct pmuclient *c, const char *method,
		   const ProtobufCMessage *request,
		   const ProtobufCMessageDescriptor *response,
		   ProtobufCMessage **ret);
void pmuclient_free_message(ProtobufCMessage *msg); /* NULL is fine */

/*
 * A call whose answer is a stream. The connection must live until
 * pmuclient_close(). What is not read is held back at the sender.
 */
int pmuclient_open(struct pmuclient *c, const char *method,
		   const ProtobufCMessage *request,
		   const ProtobufCMessageDescriptor *response,
		   struct pmuclient_stream **ret);
/*
 * The next message: 1 and *@ret; 0 at the stream's good end; else an error,
 * -PMUCLIENT_ETIMEOUT when none came for @timeout_ms (0: do not wait, -1: no
 * limit), after which it can be asked again.
 */
int pmuclient_next(struct pmuclient_stream *s, int timeout_ms,
		   ProtobufCMessage **ret);
void pmuclient_close(struct pmuclient_stream *s); /* cancels; NULL is fine */

/*
 * A call whose request is a stream: begin, send each message (blocks while the
 * daemon takes no more), then finish, which also closes it.
 */
int pmuclient_begin(struct pmuclient *c, const char *method,
		    const ProtobufCMessageDescriptor *response,
		    struct pmuclient_stream **ret);
int pmuclient_send(struct pmuclient_stream *s, const ProtobufCMessage *msg);
int pmuclient_finish(struct pmuclient_stream *s, ProtobufCMessage **ret);

/*
 * For event loops: when the descriptor is ready for pmuclient_events() (POLLIN,
 * and POLLOUT while something waits to be sent), pmuclient_pump() moves what
 * can be, for all streams; it waits at most @timeout_ms. Returns 0 or
 * -PMUCLIENT_ELOST. pmuclient_take() then gives it out: as pmuclient_next(),
 * but it never looks at the descriptor, so what came for another stream is not
 * moved behind the loop's back.
 */
int pmuclient_fd(const struct pmuclient *c);
short pmuclient_events(const struct pmuclient *c);
int pmuclient_pump(struct pmuclient *c, int timeout_ms);
int pmuclient_take(struct pmuclient_stream *s, ProtobufCMessage **ret);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
