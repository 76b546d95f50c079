/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Both sides of a session's rings in one process. The clock, poll(), options of
 * sockets and new threads are the test's own (--wrap, tests/unit/meson.build),
 * so that nothing depends on time.
 */
#ifndef TESTS_UNIT_RING_SIDES_H
#define TESTS_UNIT_RING_SIDES_H

#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "ebb-direct.h"

enum {
	SECOND = 1000000000
};

extern struct ring_sides {
	struct ebb_direct d;
	struct ring said, wishes; /* the machine's side */
	int wake;
	/* of the clock: what it says, the last again and again */
	const int64_t *times;
	unsigned n_times, asked;
	/* of poll() */
	unsigned polls;
	int timeout;
	void (*meanwhile)(void); /* or NULL: nobody wakes us */
	bool sleeps;		 /* somebody will, from another thread */
	int patience;		 /* seconds; of setsockopt() */
	int no_thread;		 /* an errno, of pthread_create() */
	int option_error;	 /* an errno, of that, too */
} t;

int __real_poll(struct pollfd *fds, nfds_t n, int timeout);
int __real_pthread_create(pthread_t *ret, const pthread_attr_t *attr,
			  void *(*fn)(void *), void *arg);

/* Of a suite. */
void ring_sides_setup(void);
void ring_sides_teardown(void);

/* An entry of the machine's, and a byte if it is waited for. */
void say(enum ebb_said_kind kind, uint32_t hart);
/* Was the machine woken? */
bool woken(void);
void machine_goes(void);

#endif
