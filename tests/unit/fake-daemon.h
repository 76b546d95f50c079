/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A program that answers pmuctl as a daemon may: what it has taken, and how it
 * answers, is in memory that it shares with the test.
 */
#ifndef TESTS_FAKE_DAEMON_H
#define TESTS_FAKE_DAEMON_H

#include <stddef.h>

/* Its descriptors. */
enum {
	FAKE_SOCKET = 3,
	FAKE_MEMORY = 4
};

struct fake_daemon {
	unsigned full; /* calls for which there is no room yet */
	unsigned eofs;
	size_t n;
	char input[64];
};

#endif
