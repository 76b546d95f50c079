/* SPDX-License-Identifier: BSD-2-Clause */
/* daemon/ipc/passed.c: what a machine's process is started with. */
#include "unit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ipc/passed.h"
#include "wire/ring.h"

/* The linker sends these calls here: the one that is to fail does. */
int __real_socketpair(int domain, int type, int protocol, int pair[2]);
int __wrap_socketpair(int domain, int type, int protocol, int pair[2]);
int __real_pipe2(int pair[2], int flags);
int __wrap_pipe2(int pair[2], int flags);
int __real_eventfd(unsigned n, int flags);
int __wrap_eventfd(unsigned n, int flags);

static unsigned calls, failing; /* 0: none */

static bool fails(void)
{
	if (++calls != failing)
		return false;
	errno = ENFILE;
	return true;
}

int __wrap_socketpair(int domain, int type, int protocol, int pair[2])
{
	return fails() ? -1 : __real_socketpair(domain, type, protocol, pair);
}

int __wrap_pipe2(int pair[2], int flags)
{
	return fails() ? -1 : __real_pipe2(pair, flags);
}

int __wrap_eventfd(unsigned n, int flags)
{
	return fails() ? -1 : __real_eventfd(n, flags);
}

static struct passed ours, theirs;
static struct ring ring;

static unsigned count_open(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned n = 0;

	ck_assert_ptr_nonnull(dir);
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

static void drop(void)
{
	passed_close(&ours);
	passed_close(&theirs);
	ring_close(&ring);
}

TEST(both_sides_are_connected)
{
	struct ring other = { 0 };
	eventfd_t n = 0;
	char byte = 0;

	ck_assert_int_eq(passed_make(&ours, &theirs, &ring), 0);
	ck_assert_int_eq(write(theirs.socket, "a", 1), 1);
	ck_assert_int_eq(read(ours.socket, &byte, 1), 1);
	ck_assert_int_eq(byte, 'a');
	ck_assert_int_eq(write(ours.socket, "b", 1), 1);
	ck_assert_int_eq(read(theirs.socket, &byte, 1), 1);
	ck_assert_int_eq(write(theirs.err, "c", 1), 1);
	ck_assert_int_eq(read(ours.err, &byte, 1), 1);
	ck_assert_int_eq(byte, 'c');
	ck_assert_int_eq(eventfd_write(theirs.data, 3), 0);
	ck_assert_int_eq(eventfd_read(theirs.space, &n), -1);
	ck_assert_int_eq(eventfd_read(ours.data, &n), 0);
	ck_assert_uint_eq(n, 3);
	ck_assert_int_eq(eventfd_write(ours.space, 5), 0);
	ck_assert_int_eq(eventfd_read(theirs.space, &n), 0);
	ck_assert_uint_eq(n, 5);
	ck_assert_int_eq(ring_open(&other, theirs.ring), 0);
	ck_assert_int_eq(ring_put(&other, "d", 1), 0);
	ck_assert_int_eq(ring_peek(&ring, &byte, 1), 1);
	ck_assert_int_eq(byte, 'd');
	ring_close(&other);
	drop();
}

/* A reader that waits would stand still for all machines. */
TEST(ours_never_wait_and_theirs_are_out_of_the_way)
{
	int all[4], far[5];

	ck_assert_int_eq(passed_make(&ours, &theirs, &ring), 0);
	memcpy(all, (int[]){ ours.socket, ours.data, ours.space, ours.err },
	       sizeof(all));
	memcpy(far, &theirs, sizeof(far));
	for (unsigned i = 0; i < ARRAY_SIZE(all); i++) {
		ck_assert_int_ge(all[i], 0);
		ck_assert(fcntl(all[i], F_GETFL) & O_NONBLOCK);
		ck_assert(fcntl(all[i], F_GETFD) & FD_CLOEXEC);
	}
	for (unsigned i = 0; i < ARRAY_SIZE(far); i++) {
		ck_assert_int_ge(far[i], PASSED_END);
		ck_assert(fcntl(far[i], F_GETFD) & FD_CLOEXEC);
	}
	/* the process sets it itself, in what is its own */
	ck_assert(!(fcntl(theirs.socket, F_GETFL) & O_NONBLOCK));
	ck_assert_int_eq(ours.ring, -1);
	drop();
	ck_assert_int_eq(fcntl(all[0], F_GETFD), -1);
	ck_assert_int_eq(ours.socket, -1);
	drop();
}

TEST(without_descriptors_nothing_is_left_open)
{
	struct rlimit limit, low;
	unsigned before = count_open(), failed = 0;
	int err = -EMFILE;

	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
	for (low = limit, low.rlim_cur = 3; err; low.rlim_cur++) {
		ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &low), 0);
		err = passed_make(&ours, &theirs, &ring);
		ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
		if (!err)
			break;
		failed++;
		ck_assert(err == -EMFILE || err == -EINVAL);
		ck_assert_ptr_null(ring.shared);
		ck_assert_uint_eq(count_open(), before);
	}
	ck_assert_uint_gt(failed, 10);
	drop();
	ck_assert_uint_eq(count_open(), before);
}

/* Of two pairs, a pipe and two events; the others could be had. */
TEST_RANGE(without_one_of_them_there_is_none, 1, 6)
{
	unsigned before = count_open();

	calls = 0;
	failing = (unsigned)_i;
	ck_assert_int_eq(passed_make(&ours, &theirs, &ring), -ENFILE);
	ck_assert_uint_ge(calls, failing);
	ck_assert_int_eq(ours.socket, -1);
	ck_assert_uint_eq(count_open(), before);
}

/* Exit status of a process that lacks the descriptor @closed. */
static int arrived_without(int closed)
{
	int status = 0;
	pid_t pid = fork();

	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		for (int fd = PASSED_SOCKET; fd < PASSED_END; fd++)
			dup2(STDERR_FILENO, fd);
		close(closed);
		_exit(passed_arrived());
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	return WEXITSTATUS(status);
}

TEST(a_process_misses_each_of_them)
{
	ck_assert_int_eq(arrived_without(PASSED_END), 1);
	for (int fd = PASSED_SOCKET; fd < PASSED_END; fd++)
		ck_assert_int_eq(arrived_without(fd), 0);
}

SUITE("passed");
