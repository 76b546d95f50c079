/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The rings of EBB sessions to their clients. Nothing is believed that stands
 * in them: an index that cannot be ends the session as its client's death
 * would, and what a client does not take waits here, with the machine. Nobody
 * waits for one that has closed its end.
 */
#ifndef CONTROL_EBB_RINGS_H
#define CONTROL_EBB_RINGS_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/ebb-session.h"
#include "core/record-said.h"

struct ebb_rings;

struct ebb_rings *ebb_rings_new(void);	    /* NULL without memory */
void ebb_rings_free(struct ebb_rings *all); /* NULL is fine */

/*
 * Takes the descriptors that were sent for @session over @socket. Returns 0 or
 * a negated errno; the session then has no ring.
 */
int ebb_rings_attach(struct ebb_rings *all, int socket, uint32_t session);
bool ebb_rings_has(const struct ebb_rings *all, uint32_t session);
/* Says that the session is over, and takes its ring away. */
void ebb_rings_detach(struct ebb_rings *all, uint32_t session);
/* The first attached session after @after, 0: none. */
uint32_t ebb_rings_after(const struct ebb_rings *all, uint32_t after);

/*
 * Tells the client, if it has a ring. False: there is no room, and the machine
 * is to stand until ebb_rings_flush().
 */
bool ebb_rings_tell(struct ebb_rings *all, const struct record_at *at,
		    const struct ebb_told *told);
/* Whose client takes too little; 0: nothing waits any more. */
uint32_t ebb_rings_flush(struct ebb_rings *all);

enum ebb_wishes {
	EBB_WISHES_NONE, /* none now, or there is no room for its refusal */
	EBB_WISHES_ONE,
	EBB_WISHES_SKIPPED, /* one that depends on what was refused */
	EBB_WISHES_BROKEN   /* it is no client: the session is to end */
};
/* Takes one act that a client wishes; @ret is set of EBB_WISHES_ONE. */
enum ebb_wishes ebb_rings_take(struct ebb_rings *all, uint32_t session,
			       struct ebb_act *ret);
/*
 * It is not done: a gRPC status, and a text for people. What depends on it is
 * skipped by ebb_rings_take().
 */
void ebb_rings_refuse(struct ebb_rings *all, uint32_t session, uint32_t status,
		      const char *text);
/* Would ebb_rings_take() find something of @session? For who looks often. */
bool ebb_rings_wait(const struct ebb_rings *all, uint32_t session);

/*
 * Sets up to EBB_MAX_SESSIONS of @fds to what is to be waited for, and has the
 * clients wake it; returns how many. What is there already wakes nobody.
 */
nfds_t ebb_rings_poll(struct ebb_rings *all, struct pollfd *fds);
/* Behind that poll(), with what it has found. */
void ebb_rings_polled(struct ebb_rings *all, const struct pollfd *fds);

#endif
