/* SPDX-License-Identifier: BSD-2-Clause */
/* proto/wire/standard-fds.c: what a program begins with, whatever is closed. */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wire/standard-fds.h"

enum {
	ALL = 1 << (STDERR_FILENO + 1) /* sets of the three */
};

/* The linker sends this call here. */
static bool may_open = true;

int __real_open64(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...)
{
	if (may_open)
		return __real_open64(path, flags);
	errno = ENOENT;
	return -1;
}

static void close_those(int closed)
{
	for (int fd = 0; fd <= STDERR_FILENO; fd++) {
		if (closed & 1 << fd)
			close(fd);
	}
}

static bool is_dead(int fd)
{
	char byte = 0;
	ssize_t n =
		fd == STDIN_FILENO ? read(fd, &byte, 1) : write(fd, &byte, 1);

	return n < 0 && errno == EBADF;
}

/* In a process of its own. 0: all is as it should be. */
static int held(int closed)
{
	int before[STDERR_FILENO + 1], after;

	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		before[fd] = fcntl(fd, F_GETFL);
	close_those(closed);
	if (!standard_fds_hold())
		return 1;
	for (int fd = 0; fd <= STDERR_FILENO; fd++) {
		if (closed & 1 << fd ? !is_dead(fd)
				     : fcntl(fd, F_GETFL) != before[fd])
			return 2;
	}
	after = open("/dev/null", O_RDONLY);
	return after > STDERR_FILENO ? 0 : 3;
}

/* Where nothing can be opened. */
static int refused(int closed)
{
	may_open = false;
	close_those(closed);
	return standard_fds_hold() ? 2 : errno != ENOENT;
}

static int in_child(int (*what)(int closed), int closed)
{
	pid_t child = fork();
	int status = 0;

	ck_assert_int_ge(child, 0);
	if (child == 0)
		_exit(what(closed));
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status));
	return WEXITSTATUS(status);
}

TEST_TIMES(no_file_gets_the_number_of_a_closed_one, ALL)
{
	ck_assert_int_eq(in_child(held, _i), 0);
}

TEST_RANGE(one_that_cannot_be_held_is_told, 1, ALL)
{
	ck_assert_int_eq(in_child(refused, _i), 0);
}

SUITE("standard-fds");
