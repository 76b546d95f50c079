/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmud's side of the internal protocol, for tests: a machine's process, calls
 * that wait for their reply, notices, and the records out of the ring.
 */
#ifndef TESTS_MACHINE_PEER_H
#define TESTS_MACHINE_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "buf.h"
#include "control/control.h"
#include "shared/ring.h"
#include "wire/frame.h"
#include "methods/methods.h"

typedef Pmu__Internal__FromMachine from_machine;

enum {
	PEER_CALLS = 4096 /* that wait at once, at most */
};

/* Texts and answer are the peer's, until the next reply is taken. */
struct peer_reply {
	uint64_t id;
	unsigned code;
	const char *text, *field, *reason;
	bool taken;	    /* a part of a stream, whose answer comes later */
	const void *answer; /* the method's response, or NULL */
};

struct peer {
	pid_t pid;
	int socket, data, space, channels;
	struct ring ring;
	struct frame_in in;
	struct frame_out out;
	uint64_t next_id;
	enum method_id asked[PEER_CALLS]; /* by id */
	bool hold;			  /* do not take records */
	bool gathers;	  /* requests are sent with the first that is not */
	struct buf trace; /* records taken so far */
	struct peer_reply last; /* that was waited for */
	from_machine *reply;	/* its message */
	from_machine *notice;	/* the last one that came */
	unsigned n_notices;
};

/*
 * Starts @program, or without one this process's own control_serve(), in a new
 * process. Aborts the test on failure.
 */
void peer_start(struct peer *p, const char *program);
/* Closes the socket and waits. Returns the wait status. */
int peer_end(struct peer *p);
/* Sends and waits for the reply, valid until the next call; never NULL. */
const struct peer_reply *peer_call(struct peer *p, enum method_id method,
				   const ProtobufCMessage *request);
/* Sends and does not wait; for requests that are answered later. */
uint64_t peer_send(struct peer *p, enum method_id method,
		   const ProtobufCMessage *request);
/* Sends a call as it is but for its id; any method, any bytes. */
uint64_t peer_put(struct peer *p, Pmu__Internal__Call *call,
		  const struct frame_body *request);
const struct peer_reply *peer_wait(struct peer *p, uint64_t id);
/* The state in the last answer. */
const Pmu__V1__MachineInfo *peer_machine(const struct peer *p);
/* The trace's header in the last one, that of SetRecording. */
const Pmu__V1__Header *peer_header(const struct peer *p);
/* Waits for a notice that says a state. */
const Pmu__V1__MachineInfo *peer_wait_state(struct peer *p,
					    Pmu__V1__MachineState state);
/* Takes what the ring has now. */
void peer_drain(struct peer *p);
/* Raw bytes on the socket. */
void peer_write(struct peer *p, const void *bytes, size_t len);

/* Requests with one line. Each returns the reply's code. */
unsigned peer_configure(struct peer *p, unsigned harts, bool m_mode,
			const char *settings);
unsigned peer_load(struct peer *p, const void *bytes, size_t len,
		   uint64_t flat_at);
unsigned peer_start_machine(struct peer *p, bool paused);
/* With nothing in it. */
unsigned peer_simple(struct peer *p, enum method_id method);

#endif
