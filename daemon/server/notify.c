/* SPDX-License-Identifier: BSD-2-Clause */
/* Datagrams to $NOTIFY_SOCKET, descriptors from $LISTEN_FDS. */
#include "notify.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

void notify(const char *state)
{
	const char *path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	size_t len = path ? strlen(path) : 0;
	int fd;

	if (!len || len >= sizeof(addr.sun_path))
		return;
	memcpy(addr.sun_path, path, len);
	if (path[0] == '@')
		addr.sun_path[0] = '\0'; /* the abstract name space */
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;
	(void)sendto(fd, state, strlen(state), MSG_NOSIGNAL,
		     (struct sockaddr *)&addr,
		     (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len));
	close(fd);
}

double notify_watchdog(void)
{
	const char *usec = getenv("WATCHDOG_USEC");
	const char *pid = getenv("WATCHDOG_PID");

	if (!usec || (pid && strtol(pid, NULL, 10) != getpid()))
		return 0;
	return (double)strtoull(usec, NULL, 10) / 2e6;
}

int notify_listen_fds(void)
{
	const char *pid = getenv("LISTEN_PID");
	const char *n = getenv("LISTEN_FDS");
	int count = 0;

	if (pid && n && strtol(pid, NULL, 10) == getpid())
		count = (int)strtol(n, NULL, 10);
	if (count < 0 || count > 16)
		count = 0;
	for (int i = 0; i < count; i++)
		fcntl(NOTIFY_FD + i, F_SETFD, FD_CLOEXEC);
	unsetenv("LISTEN_PID");
	unsetenv("LISTEN_FDS");
	unsetenv("LISTEN_FDNAMES");
	return count;
}
