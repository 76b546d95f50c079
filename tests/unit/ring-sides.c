/* SPDX-License-Identifier: BSD-2-Clause */
/* See ring-sides.h. */
#include "ring-sides.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "unit.h"

enum {
	START = 7
};

struct ring_sides t;

/* What the library asks the host for */

int __wrap_clock_gettime(clockid_t clock, struct timespec *ret);
int __wrap_poll(struct pollfd *fds, nfds_t n, int timeout);
int __wrap_setsockopt(int fd, int level, int name, const void *value,
		      socklen_t len);
int __real_setsockopt(int fd, int level, int name, const void *value,
		      socklen_t len);
int __wrap_pthread_create(pthread_t *ret, const pthread_attr_t *attr,
			  void *(*fn)(void *), void *arg);

int __wrap_clock_gettime(clockid_t clock, struct timespec *ret)
{
	unsigned i = t.asked < t.n_times ? t.asked : t.n_times - 1;
	int64_t now = t.n_times ? t.times[i] : START * (int64_t)SECOND;

	/* without a script it goes on by itself */
	now += t.n_times ? 0 : (int64_t)t.asked * 1000;
	t.asked++;
	*ret = (struct timespec){ now / SECOND, now % SECOND };
	return 0;
}

int __wrap_poll(struct pollfd *fds, nfds_t n, int timeout)
{
	t.polls++;
	t.timeout = timeout;
	if (t.meanwhile)
		t.meanwhile();
	if (t.sleeps)
		return __real_poll(fds, n, timeout);
	ck_assert_uint_lt(t.polls, 10);
	return __real_poll(fds, n, 0);
}

int __wrap_setsockopt(int fd, int level, int name, const void *value,
		      socklen_t len)
{
	if (name == SO_RCVTIMEO)
		t.patience = (int)((const struct timeval *)value)->tv_sec;
	errno = t.option_error;
	return errno ? -1 : __real_setsockopt(fd, level, name, value, len);
}

int __wrap_pthread_create(pthread_t *ret, const pthread_attr_t *attr,
			  void *(*fn)(void *), void *arg)
{
	return t.no_thread ? t.no_thread
			   : __real_pthread_create(ret, attr, fn, arg);
}

void ring_sides_setup(void)
{
	struct ebb_channel client, machine;

	memset(&t, 0, sizeof(t));
	PREPARING(ck_assert_int_eq(ebb_channel_make(&client, &machine), 0));
	PREPARING(ck_assert_int_eq(
		ring_map(&t.said, machine.said, EBB_SAID_RING), 0));
	PREPARING(ck_assert_int_eq(
		ring_map(&t.wishes, machine.wishes, EBB_WISH_RING), 0));
	t.d = ebb_direct_none();
	PREPARING(ck_assert_int_eq(ring_open(&t.d.said, client.said), 0));
	PREPARING(ck_assert_int_eq(ring_open(&t.d.wishes, client.wishes), 0));
	t.d.wake = client.wake;
	client.wake = -1;
	t.wake = machine.wake;
	machine.wake = -1;
	ebb_channel_close(&client);
	ebb_channel_close(&machine);
}

void machine_goes(void)
{
	if (t.wake >= 0)
		close(t.wake);
	t.wake = -1;
}

void ring_sides_teardown(void)
{
	ebb_direct_close(&t.d);
	ring_close(&t.said);
	ring_close(&t.wishes);
	machine_goes();
}

void say(enum ebb_said_kind kind, uint32_t hart)
{
	const struct ebb_said said = { .kind = kind,
				       .hart = hart,
				       .counters = 8,
				       .code = 9,
				       .pc = 0x80200000,
				       .insn = 5,
				       .cycle = 6,
				       .since = 4,
				       .text = "no such counter" };

	PREPARING(ck_assert_int_eq(ring_put(&t.said, &said, sizeof(said)), 0));
	if (ring_must_wake_consumer(&t.said))
		(void)send(t.wake, "", 1, MSG_NOSIGNAL);
}

bool woken(void)
{
	char byte;

	return recv(t.wake, &byte, 1, MSG_DONTWAIT) == 1;
}
