/* SPDX-License-Identifier: BSD-2-Clause */
/* The last words to a connection that is refused. */
#ifndef GRPC_FAREWELL_H
#define GRPC_FAREWELL_H

struct rpc_server;

/* Says @why to whoever is behind @fd (non-blocking) and takes the socket. */
void rpc_farewell(struct rpc_server *srv, int fd, const char *why);
/* Hangs up on all that are still being seen off. */
void rpc_farewell_all(struct rpc_server *srv);

#endif
