/* SPDX-License-Identifier: BSD-2-Clause */
/* Needs no server: who has none of this library's uses it, too. */
#include "listen-beside.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

int rpc_listen_beside(int fd, const struct sockaddr_un *addr, mode_t mode,
		      int backlog, struct sockaddr_un *ret)
{
	int rc;

	*ret = *addr;
	if (strlen(addr->sun_path) + 1 >= sizeof(ret->sun_path))
		return -ENAMETOOLONG;
	strcat(ret->sun_path, "~");
	unlink(ret->sun_path);
	if (bind(fd, (const struct sockaddr *)ret, sizeof(*ret)))
		return -errno;
	if (!chmod(ret->sun_path, mode) && !listen(fd, backlog))
		return 0;
	rc = -errno;
	unlink(ret->sun_path);
	return rc;
}
