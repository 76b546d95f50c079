/* SPDX-License-Identifier: BSD-2-Clause */
/* daemon/ipc/passed.c: what a machine's process is started with. */
#include "unit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ipc/passed.h"
#include "shared/ring.h"

/* The linker sends these calls here: the one that is to fail does. */
int __real_socketpair(int domain, int type, int protocol, int pair[2]);
int __wrap_socketpair(int domain, int type, int protocol, int pair[2]);
int __real_pipe2(int pair[2], int flags);
int __wrap_pipe2(int pair[2], int flags);
int __real_eventfd(unsigned n, int flags);
int __wrap_eventfd(unsigned n, int flags);
/* what fcntl() is with offsets of 64 bits */
int __real_fcntl64(int fd, int command, ...);
int __wrap_fcntl64(int fd, int command, ...);

enum {
	SAFE_PLACE = 16, /* where the first that is passed on was */
};

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

int __wrap_fcntl64(int fd, int command, ...)
{
	va_list ap;
	long argument;

	va_start(ap, command);
	argument = va_arg(ap, long);
	va_end(ap);
	if (command == F_DUPFD_CLOEXEC && fails())
		return -1;
	return __real_fcntl64(fd, command, argument);
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
	ck_assert_int_eq(write(ours.channels, "ef", 2), 2);
	ck_assert_int_eq(write(ours.channels, "g", 1), 1);
	/* a packet is one, however little of it is taken */
	ck_assert_int_eq(read(theirs.channels, &byte, 1), 1);
	ck_assert_int_eq(byte, 'e');
	ck_assert_int_eq(read(theirs.channels, &byte, 1), 1);
	ck_assert_int_eq(byte, 'g');
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
	int all[4], far[6];

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
	ck_assert(fcntl(ours.channels, F_GETFD) & FD_CLOEXEC);
	ck_assert(fcntl(theirs.channels, F_GETFL) & O_NONBLOCK);
	ck_assert(fcntl(theirs.data, F_GETFL) & O_NONBLOCK);
	ck_assert(fcntl(theirs.space, F_GETFL) & O_NONBLOCK);
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

/*
 * Of two pairs, a pipe and two events, their copies, and six that are moved;
 * the others could be had.
 */
TEST_RANGE(without_one_of_them_there_is_none, 1, 14)
{
	unsigned before = count_open();

	calls = 0;
	failing = (unsigned)_i;
	ck_assert_int_eq(passed_make(&ours, &theirs, &ring), -ENFILE);
	ck_assert_uint_ge(calls, failing);
	ck_assert_int_eq(ours.socket, -1);
	ck_assert_uint_eq(count_open(), before);
}

/* What was there before is its owner's, whatever fails. */
TEST(no_other_ring_is_closed)
{
	struct ring other = { 0 };
	int fd;

	ck_assert_int_eq(ring_create(&other, RING_MIN, &fd), 0);
	close(fd);
	ring = other;
	calls = 0;
	failing = 1;
	ck_assert_int_eq(passed_make(&ours, &theirs, &ring), -ENFILE);
	failing = 0;
	ck_assert_ptr_null(ring.shared);
	ck_assert_int_eq(msync(other.shared, 1, MS_ASYNC), 0); /* it is there */
	ring_close(&other);
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

static char *self; /* this program's name */

/* What a process that was started so does: an answer by each of them. */
static void begin(int argc, char **argv)
{
	struct ring other = { 0 };

	self = argv[0];
	if (argc < 2 || strcmp(argv[1], "child") != 0)
		return;
	if (!passed_arrived() || fcntl(PASSED_END, F_GETFD) != -1 ||
	    fcntl(SAFE_PLACE, F_GETFD) != -1)
		_exit(1);
	if (write(PASSED_STDERR, "a", 1) != 1 ||
	    write(PASSED_SOCKET, "b", 1) != 1 ||
	    write(PASSED_CHANNELS, "c", 1) != 1 ||
	    eventfd_write(PASSED_DATA, 2) || eventfd_write(PASSED_SPACE, 3) ||
	    ring_open(&other, PASSED_RING) || ring_put(&other, "d", 1))
		_exit(2);
	_exit(0);
}

TEST(a_process_begins_with_them_and_nothing_else)
{
	static char child[] = "child";
	char *argv[] = { self, child, NULL };
	posix_spawn_file_actions_t actions;
	eventfd_t data = 0, space = 0;
	char got[5] = "";
	int status = -1;
	pid_t pid;

	ck_assert_int_eq(passed_make(&ours, &theirs, &ring), 0);
	ck_assert_int_eq(posix_spawn_file_actions_init(&actions), 0);
	ck_assert_int_eq(passed_on_spawn(&theirs, &actions), 0);
	ck_assert_int_eq(posix_spawn(&pid, self, &actions, NULL, argv, NULL),
			 0);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	ck_assert_int_eq(read(ours.err, got, 1), 1);
	ck_assert_int_eq(read(ours.socket, got + 1, 1), 1);
	ck_assert_int_eq(read(ours.channels, got + 2, 1), 1);
	ck_assert_int_eq(ring_peek(&ring, got + 3, 1), 1);
	ck_assert_str_eq(got, "abcd");
	ck_assert_int_eq(eventfd_read(ours.data, &data), 0);
	ck_assert_int_eq(eventfd_read(ours.space, &space), 0);
	ck_assert(data == 2 && space == 3);
	posix_spawn_file_actions_destroy(&actions);
	drop();
}

/* 0 is a descriptor as any other, as where stdin was closed. */
TEST(the_lowest_descriptor_is_closed_as_well)
{
	struct passed p = { -1, -1, -1, -1, -1, -1 };
	int fd;

	close(STDIN_FILENO);
	fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	ck_assert_int_eq(fd, STDIN_FILENO);
	p.socket = fd;
	passed_close(&p);
	ck_assert_int_eq(p.socket, -1);
	ck_assert_int_eq(fcntl(fd, F_GETFD), -1);
	ck_assert_int_eq(open("/dev/null", O_RDONLY), STDIN_FILENO);
}

SUITE("passed", .begin = begin);
