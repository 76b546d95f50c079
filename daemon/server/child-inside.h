/* SPDX-License-Identifier: BSD-2-Clause */
/* The inside of a supervised process, for supervise.c and child-*.c alone. */
#ifndef SERVER_CHILD_INSIDE_H
#define SERVER_CHILD_INSIDE_H

#include "supervise.h"

#include "shared/ring.h"
#include "wire/frame.h"
#include "daemon-limits.h"
#include "process.h"
#include "turns.h"
#include "stderr-tail.h"

struct children {
	struct ev_loop *loop;
	struct turns *turns;
	uint8_t piece[CHILD_PIECE_MAX]; /* one copy serves all, one at a time */
};

struct pending;

enum child_state {
	CHILD_ALIVE,
	CHILD_ENDING, /* was killed by us */
	CHILD_GONE    /* is reaped */
};

struct child {
	struct children *all;
	struct ev_loop *loop;
	const struct child_ops *ops;
	void *owner;
	void (*ended)(void *owner); /* child_end() was called */
	struct process proc;
	struct ring ring;
	enum child_state state;
	bool over;	/* has exited, is reaped when all it said is heard */
	bool ring_held; /* the owner takes no more records now */
	bool ring_bad;	/* never look at it again */
	bool told;	/* its owner was told that it is gone */
	bool busy;	/* inside a callback: it is not freed meanwhile */
	char why[STDERR_TAIL + 512]; /* it is gone, for people */
	char wrong[160]; /* why we ended it; "": it ended by itself */
	ev_io socket_in, socket_out, ring_in, exit_in, stderr_in;
	ev_timer exit_late;
	/* taking records, and hearing what was said */
	struct turns_worker turn;
	struct frame_in in;
	struct frame_out out;
	struct quota *quota; /* or NULL */
	size_t charged;	     /* there, for what is in @out */
	uint64_t heard_at;   /* messages wait until the ring is taken so far */
	bool catching_up;    /* the ring was resumed and not taken until: */
	uint64_t resumed_at;
	SLIST_HEAD(, pending) calls;
	unsigned n_calls;
	uint64_t next_id;
	struct stderr_tail tail;
};

/* How taking records ended. */
enum drained {
	DRAIN_EMPTY,
	DRAIN_MORE, /* enough for one turn of the loop */
	DRAIN_HELD, /* the owner takes no more now */
	DRAIN_BAD   /* c->wrong says why */
};

/* child-ring.c: takes about @bytes out of the ring, and hands them on. */
enum drained child_drain(struct child *c, size_t bytes);

/*
 * child-calls.c: a reply came. 0; -EPROTO: it is no answer to its call, or
 * -ENOMEM: it could not be looked at.
 */
int child_take_reply(struct child *c, const Pmu__Internal__Reply *said,
		     const struct frame_body *body);
/* Nobody will answer any more. */
void child_answer_all(struct child *c, const char *why);

/* What is not in c->out any more is its user's again. */
void child_settle(struct child *c);

/* supervise.c: writes what waits for the socket. */
void child_flush(struct child *c);

#endif
