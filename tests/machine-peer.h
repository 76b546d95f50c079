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

#include "control/control.h"
#include "wire/frame.h"
#include "ipc/ring.h"
#include "pmu/internal/machine.pb-c.h"

typedef Pmu__Internal__ToMachine to_machine;
typedef Pmu__Internal__FromMachine from_machine;

struct peer {
	pid_t pid;
	int socket, data, space;
	struct ring ring;
	struct frame_in in;
	struct frame_out out;
	uint64_t next_id;
	bool hold;	/* do not take records */
	uint8_t *trace; /* records taken so far */
	size_t n_trace, cap;
	from_machine *last;   /* reply to the last call */
	from_machine *notice; /* the last one that came */
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
const Pmu__Internal__Reply *peer_call(struct peer *p, to_machine *msg);
/* Sends and does not wait; for requests that are answered later. */
uint64_t peer_send(struct peer *p, to_machine *msg);
const Pmu__Internal__Reply *peer_wait(struct peer *p, uint64_t id);
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
unsigned peer_simple(struct peer *p, Pmu__Internal__ToMachine__CallCase call);

#endif
