/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A machine's process, played for daemon/server/supervise.c and child-*.c, and
 * the owner who is told what it does.
 */
#ifndef TESTS_UNIT_CHILD_PROCESS_H
#define TESTS_UNIT_CHILD_PROCESS_H

#include "server/child-inside.h"

enum {
	USER = 1234, /* whose work it is */
	RING_BYTES = 512 << 10,
};

/* The process' side of all that pmud has. */
extern struct theirs {
	struct ring ring;
	int socket, data, space, err, end;
	unsigned killed, reaped, closed;
} theirs;

/* The owner, and what he was told: r(ecords), n(otice), f(lows), g(one). */
extern struct owner {
	ssize_t (*takes)(size_t len, bool *ret_full);
	char order[256];
	size_t offered[64], taken;
	char ends_at; /* as above: when he is told this he ends it */
	unsigned n_offers, notices, flows, gone, ended;
	char why[STDERR_TAIL + 600];
} owner;

extern struct quota *child_quota; /* of the next one, or NULL */
extern struct ev_loop *loop;
extern struct child *c;

/* Of each test: a process that has said nothing, and its end. */
void child_begin(void);
void child_fini(void);
/* So many turns of the loop, which waits for nothing. */
void turns(unsigned n);
/* The process ends. */
void send_end(void);
/* Puts @n bytes, and wakes who waits. Returns whether somebody did. */
bool put(size_t n);
/* Says that its state is @detail. */
void say(const char *detail);
/* The owner ends it. */
void owner_ends(void);

/* What an owner may do with what he is offered. */
ssize_t whole(size_t len, bool *ret_full);
ssize_t full(size_t len, bool *ret_full);

#endif
