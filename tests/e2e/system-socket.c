/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Preloaded: whoever connects to the system's pmud comes to $SYSTEM_SOCKET, be
 * there a pmud of the machine's own or not.
 */
#undef _GNU_SOURCE /* whose connect() takes a union */
#define _DEFAULT_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

int connect(int fd, const struct sockaddr *addr, socklen_t len)
{
	static const char system_socket[] = "/run/pmud/pmud.sock";
	struct sockaddr_un there = { .sun_family = AF_UNIX };
	const char *path = getenv("SYSTEM_SOCKET");

	if (path && strlen(path) < sizeof(there.sun_path) &&
	    addr->sa_family == AF_UNIX &&
	    !strcmp(((const struct sockaddr_un *)addr)->sun_path,
		    system_socket)) {
		strcpy(there.sun_path, path);
		addr = (struct sockaddr *)&there;
		len = sizeof(there);
	}
	return (int)syscall(SYS_connect, fd, addr, len);
}
