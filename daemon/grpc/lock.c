/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whose a socket's path is: a lock file beside it, "PATH.lock", held for as
 * long as the path is served, names the process. So of several servers that
 * start on one path, one has it, whatever was left there by those before. Other
 * users cannot open it: who can open a file can lock it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"
#include "wire/cleanup.h"

static char *lock_name(const char *socket_path)
{
	size_t size = strlen(socket_path) + sizeof(".lock");
	char *path = malloc(size);

	if (path)
		snprintf(path, size, "%s.lock", socket_path);
	return path;
}

/* Its last owner removes the file: what was locked may be no more there. */
static bool is_still(int fd, const char *path)
{
	struct stat a, b;

	return !fstat(fd, &a) && !lstat(path, &b) && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

static void say_owner(int fd)
{
	char text[32];
	int n = snprintf(text, sizeof(text), "%ld\n", (long)getpid());

	/* only for people to read: the lock is what counts */
	if (ftruncate(fd, 0) || pwrite(fd, text, (size_t)n, 0) != n)
		return;
}

static int try_lock(const char *path, int *ret_fd)
{
	int fd CLEANUP(close) =
		open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (fd < 0)
		return -errno;
	if (flock(fd, LOCK_EX | LOCK_NB))
		return errno == EWOULDBLOCK ? -EADDRINUSE : -errno;
	if (!is_still(fd, path))
		return -EAGAIN;
	*ret_fd = fd_take(&fd);
	return 0;
}

int rpc_lock_take(const char *socket_path, char **ret_path)
{
	char *path CLEANUP(free) = lock_name(socket_path);
	int fd = -1, rc;

	if (!path)
		return -ENOMEM;
	do
		rc = try_lock(path, &fd);
	while (rc == -EAGAIN);
	if (rc)
		return rc;
	say_owner(fd);
	*ret_path = pointer_take(&path);
	return fd;
}

void rpc_lock_drop(int fd, char *path)
{
	if (fd < 0)
		return;
	unlink(path);
	close(fd);
	free(path);
}

pid_t rpc_socket_owner(const char *socket_path)
{
	char *path CLEANUP(free) = lock_name(socket_path), text[32] = "";
	int fd CLEANUP(close) =
		path ? open(path,
			    O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
		     : -1;

	return fd >= 0 && read(fd, text, sizeof(text) - 1) > 0
		       ? (pid_t)strtol(text, NULL, 10)
		       : 0;
}
