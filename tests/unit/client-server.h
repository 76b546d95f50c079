/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A daemon for the client's tests: the real RPC server in a process of its own,
 * with handlers that answer by the machine's id.
 */
#ifndef TESTS_CLIENT_SERVER_H
#define TESTS_CLIENT_SERVER_H

#include <sys/types.h>

enum {
	SERVER_OVERFLOWS = 1000
}; /* records of a stream */

struct client_server {
	pid_t pid;
	int fd; /* a connected socket, for pmuclient_adopt() */
};

void client_server_start(struct client_server *s);
void client_server_stop(struct client_server *s);

#endif
