/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Held by what is opened the other way round: a command whose output nobody
 * gets must fail, as it does where the descriptor stays closed.
 */
#include "standard-fds.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

bool standard_fds_hold(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		int mode = fd == STDIN_FILENO ? O_WRONLY : O_RDONLY;

		if (fcntl(fd, F_GETFD) >= 0)
			continue;
		/* the lowest number that is free, for those below are held */
		if (errno != EBADF || open("/dev/null", mode | O_NOCTTY) != fd)
			return false;
	}
	return true;
}
