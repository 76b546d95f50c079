/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whose work is done next. What could go on without end is done in pieces: in
 * one turn of the loop every user who has work gets one piece of it, and a
 * user's workers come one after the other. So nobody waits longer for having a
 * neighbour with many busy machines, and calls come in between.
 */
#ifndef SERVER_TURNS_H
#define SERVER_TURNS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/queue.h>
#include <sys/types.h>

#include <ev.h>

enum {
	TURN_BYTES = 32 << 10,	  /* of all pieces of a turn, shared evenly */
	TURN_BYTES_MIN = 8 << 10, /* of one piece, however many users */
	TURN_USERS_MAX = 64,	  /* served in one turn, others in the next */
};

struct turns;

/* A worker; its user and work are the owner's, set before. */
struct turns_worker {
	STAILQ_ENTRY(turns_worker) next;
	bool queued;
	uid_t user;
	/* Does about @bytes of it, and asks again if there is more. */
	void (*work)(struct turns_worker *t, size_t bytes);
};

/* Returns 0 or -ENOMEM. */
int turns_new(struct turns **ret, struct ev_loop *loop);
void turns_free(struct turns *ts); /* NULL is fine */
/* @t has work: queued behind the others, once. Not done before the next turn */
void turns_ask(struct turns *ts, struct turns_worker *t);
/* It has none any more, or goes away. Harmless when it is not queued. */
void turns_leave(struct turns *ts, struct turns_worker *t);

#endif
