/* SPDX-License-Identifier: BSD-2-Clause */
/* How a socket comes to a path, for this server's and for others. */
#ifndef GRPC_LISTEN_BESIDE_H
#define GRPC_LISTEN_BESIDE_H

#include <sys/types.h>
#include <sys/un.h>

/*
 * Has @fd listen beside @addr, under another name, *@ret, which the caller then
 * changes into the one: that must not be seen before it can be connected to by
 * those who may, and by nobody else. 0, or -errno and there is nothing.
 */
int rpc_listen_beside(int fd, const struct sockaddr_un *addr, mode_t mode,
		      int backlog, struct sockaddr_un *ret);

#endif
