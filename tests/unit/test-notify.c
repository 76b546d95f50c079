/* SPDX-License-Identifier: BSD-2-Clause */
/* daemon/server/notify.c: what systemd hands to a process, and is told. */
#include "unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "server/notify.h"

enum {
	OWN,
	ANOTHER,
	NONE
};

/* The environment says that it is for this process, for another, or nothing. */
static void set_pid(const char *name, int whose)
{
	char text[24];

	snprintf(text, sizeof(text), "%d", getpid() + (whose == ANOTHER));
	if (whose == NONE)
		unsetenv(name);
	else
		setenv(name, text, 1);
}

static const struct listen_row {
	const char *why;
	int whose;
	const char *n; /* NULL: it is not there */
	int want;
} listen_rows[] = {
	{ "one", OWN, "1", 1 },
	{ "as many as there may be", OWN, "16", 16 },
	{ "more", OWN, "17", 0 },
	{ "less than none", OWN, "-1", 0 },
	{ "none", OWN, "0", 0 },
	{ "of the parent", ANOTHER, "1", 0 },
	{ "of nobody", NONE, "1", 0 },
	{ "no number", OWN, NULL, 0 },
};

TEST_ROWS(sockets_are_counted_where_they_are_ours, listen_rows)
{
	const struct listen_row *row = &listen_rows[_i];

	set_pid("LISTEN_PID", row->whose);
	setenv("LISTEN_FDNAMES", "pmud", 1);
	unsetenv("LISTEN_FDS");
	if (row->n)
		setenv("LISTEN_FDS", row->n, 1);
	ck_assert_msg(notify_listen_fds() == row->want, "%s", row->why);
	/* no child takes them for its own */
	ck_assert_ptr_null(getenv("LISTEN_PID"));
	ck_assert_ptr_null(getenv("LISTEN_FDS"));
	ck_assert_ptr_null(getenv("LISTEN_FDNAMES"));
}

/* Descriptor @fd is /dev/null's from now on; a copy of what it was, or -1. */
static int replace(int fd)
{
	int was = fcntl(fd, F_DUPFD_CLOEXEC, 10);
	int null = open("/dev/null", O_RDWR);

	ck_assert_int_ge(null, 0);
	if (null != fd) {
		ck_assert_int_eq(dup2(null, fd), fd);
		close(null);
	}
	return was;
}

static void put_back(int fd, int was)
{
	if (was < 0) {
		close(fd);
	} else {
		dup2(was, fd);
		close(was);
	}
}

TEST(sockets_are_not_handed_on)
{
	int three = replace(3), four = replace(4), flags[2], n;

	set_pid("LISTEN_PID", OWN);
	setenv("LISTEN_FDS", "1", 1);
	n = notify_listen_fds();
	flags[0] = fcntl(3, F_GETFD);
	flags[1] = fcntl(4, F_GETFD);
	put_back(3, three);
	put_back(4, four);
	ck_assert_int_eq(n, 1);
	ck_assert_int_eq(flags[0], FD_CLOEXEC);
	ck_assert_int_eq(flags[1], 0);
}

static const struct watchdog_row {
	const char *why;
	int whose;
	const char *usec;
	double want;
} watchdog_rows[] = {
	{ "half of the time", OWN, "30000000", 15 },
	{ "for whoever asks", NONE, "3000000", 1.5 },
	{ "for another", ANOTHER, "30000000", 0 },
	{ "nobody waits", OWN, NULL, 0 },
};

TEST_ROWS(a_watchdog_is_told_twice_in_its_time, watchdog_rows)
{
	const struct watchdog_row *row = &watchdog_rows[_i];

	set_pid("WATCHDOG_PID", row->whose);
	unsetenv("WATCHDOG_USEC");
	if (row->usec)
		setenv("WATCHDOG_USEC", row->usec, 1);
	ck_assert_msg(notify_watchdog() == row->want, "%s", row->why);
}

/* By a path, and by a name that is no file. */
TEST_TIMES(what_is_said_comes_whole, 2)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);
	char name[64], got[32] = "";
	size_t len;

	snprintf(name, sizeof(name), "%s/pmud-notify-%d", _i ? "@" : "/tmp",
		 getpid());
	len = strlen(name);
	memcpy(addr.sun_path, name, len);
	if (_i)
		addr.sun_path[0] = '\0';
	ck_assert_int_eq(
		bind(fd, (struct sockaddr *)&addr,
		     (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len)),
		0);
	setenv("NOTIFY_SOCKET", name, 1);
	notify("READY=1");
	if (!_i)
		unlink(name);
	ck_assert_int_eq(recv(fd, got, sizeof(got), 0), 7);
	ck_assert_str_eq(got, "READY=1");
	ck_assert_int_eq(recv(fd, got, sizeof(got), 0), -1);
	unsetenv("NOTIFY_SOCKET");
	notify("READY=1");
	ck_assert_int_eq(recv(fd, got, sizeof(got), 0), -1);
	close(fd);
}

SUITE("notify");
