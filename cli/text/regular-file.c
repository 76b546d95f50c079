/* SPDX-License-Identifier: BSD-2-Clause */
/* What is opened is looked at, not what the path led to a moment before. */
#include "regular-file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int regular_file_open(const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;

	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode))
		return fd;
	if (fd >= 0) {
		close(fd);
		errno = EINVAL;
	}
	return -1;
}

int regular_file_find(const char *path, bool (*good)(void *arg, int fd),
		      void *arg)
{
	int fd = regular_file_open(path);

	if (fd >= 0 && !good(arg, fd)) {
		close(fd);
		fd = -1;
	}
	return fd;
}
