/* SPDX-License-Identifier: BSD-2-Clause */
/* client/ebb-direct.c: a session's rings from the client's side. */
#include "ebb-direct.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "open-fds.h"
#include "ring-sides.h"
#include "unit.h"

/* Opening */

static const uint8_t ticket[EBB_TICKET] = "fifteen letters";

static struct {
	int listener;
	bool silent, wrong; /* answers nothing, or something else */
	uint8_t ticket[EBB_TICKET];
} pmud;

static void *answer(void *arg)
{
	int fd = accept(pmud.listener, NULL, NULL);
	struct ebb_channel client, machine;

	(void)!recv(fd, pmud.ticket, EBB_TICKET, MSG_WAITALL);
	if (ebb_channel_make(&client, &machine) == 0) {
		if (pmud.wrong)
			dup2(STDOUT_FILENO, client.wishes);
		if (!pmud.silent)
			ebb_channel_send(fd, 1, &client);
		ebb_channel_close(&client);
		ebb_channel_close(&machine);
	}
	close(fd);
	return NULL;
}

/* At a place of its own, the longest that there may be. */
static void serve(struct sockaddr_un *a, pthread_t *thread)
{
	*a = (struct sockaddr_un){ .sun_family = AF_UNIX };
	memset(a->sun_path, '/', sizeof(a->sun_path) - 1);
	memcpy(a->sun_path, "/tmp", 4);
	snprintf(a->sun_path + sizeof(a->sun_path) - 24, 24, "ebb-direct-%011d",
		 (int)getpid());
	unlink(a->sun_path);
	pmud.listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	PREPARING(ck_assert(
		!bind(pmud.listener, (struct sockaddr *)a, sizeof(*a))));
	PREPARING(ck_assert(!listen(pmud.listener, 1)));
	PREPARING(
		ck_assert(!__real_pthread_create(thread, NULL, answer, NULL)));
}

static const struct open_row {
	const char *why;
	bool silent, wrong;
	int option_error, err;
} open_rows[] = {
	{ "rings", false, false, 0, 0 },
	{ "no answer", true, false, 0, -ECONNRESET },
	{ "no ring", false, true, 0, -EINVAL },
	{ "no limit to waiting", false, false, ENOBUFS, -ENOBUFS },
};

TEST_ROWS(a_ticket_is_for_rings, open_rows)
{
	const struct open_row *row = &open_rows[_i];
	struct ebb_direct d = ebb_direct_none();
	int before = open_fds(), err;
	struct sockaddr_un a;
	pthread_t thread;

	pmud.silent = row->silent;
	pmud.wrong = row->wrong;
	t.option_error = row->option_error;
	serve(&a, &thread);
	err = ebb_direct_open(&d, a.sun_path, ticket);
	pthread_join(thread, NULL);
	ck_assert_msg(err == row->err, "%s: %d", row->why, err);
	if (!row->option_error)
		ck_assert_mem_eq(pmud.ticket, ticket, EBB_TICKET);
	ck_assert_int_eq(t.patience, 5);
	ck_assert((d.wake >= 0) == !err);
	if (!err)
		ck_assert_int_eq(fcntl(d.wake, F_GETFD), FD_CLOEXEC);
	ck_assert(!d.said.shared == (err != 0));
	ck_assert_int_eq(d.stop, -1);
	ebb_direct_close(&d);
	ck_assert_int_eq(d.wake, -1);
	close(pmud.listener);
	unlink(a.sun_path);
	ck_assert_int_eq(open_fds(), before);
}

TEST(a_place_may_be_none)
{
	struct ebb_direct d = ebb_direct_none();
	char path[sizeof(((struct sockaddr_un *)NULL)->sun_path) + 1] = { 0 };
	int before = open_fds();
	struct rlimit limit, none;

	ck_assert_int_eq(ebb_direct_open(&d, "/nowhere/at/all", ticket),
			 -ENOENT);
	memset(path, 'x', sizeof(path) - 1);
	ck_assert_int_eq(ebb_direct_open(&d, path, ticket), -ENAMETOOLONG);
	path[sizeof(path) - 2] = '\0';
	ck_assert_int_eq(ebb_direct_open(&d, path, ticket), -ENOENT);
	/* no descriptor is left for the socket */
	getrlimit(RLIMIT_NOFILE, &limit);
	none = limit;
	none.rlim_cur = 0;
	setrlimit(RLIMIT_NOFILE, &none);
	ck_assert_int_eq(ebb_direct_open(&d, path, ticket), -EMFILE);
	setrlimit(RLIMIT_NOFILE, &limit);
	ck_assert_int_eq(open_fds(), before);
}

TEST(what_is_not_open_closes_nothing)
{
	int before = open_fds();
	struct ebb_direct d = ebb_direct_none();

	ebb_direct_close(&d);
	ck_assert_int_eq(open_fds(), before);
	ck_assert_int_ge(fcntl(STDIN_FILENO, F_GETFD), 0);
	ck_assert_int_eq(d.wake, -1);
	ck_assert_int_eq(d.stop, -1);
}

/* What comes */

TEST(what_was_said_comes_in_its_order)
{
	struct ebb_said got = { 0 };

	say(EBB_SAID_TOLD, 1);
	say(EBB_SAID_OVER, 2);
	ck_assert_int_eq(ebb_direct_next(&t.d, 0, &got), 1);
	ck_assert_uint_eq(got.kind, EBB_SAID_TOLD);
	ck_assert_uint_eq(got.hart, 1);
	ck_assert_uint_eq(got.pc, 0x80200000);
	ck_assert_str_eq(got.text, "no such counter");
	ck_assert_int_eq(ebb_direct_next(&t.d, -1, &got), 1);
	ck_assert_uint_eq(got.hart, 2);
	ck_assert_uint_eq(t.polls, 0);
	ck_assert_int_eq(ebb_direct_next(&t.d, 0, &got), 0);
	ck_assert_int_eq(t.timeout, 0);
}

/* Half an entry is no machine's. */
TEST(an_entry_comes_whole)
{
	struct ebb_said got;

	ring_put(&t.said, "half", 5);
	ck_assert_int_eq(ebb_direct_next(&t.d, 0, &got), -EPROTO);
}

static void says_something(void)
{
	say(EBB_SAID_TOLD, 3);
}

static void wakes_in_vain(void)
{
	if (t.polls == 1)
		(void)send(t.wake, "12345", 5, MSG_NOSIGNAL);
	else
		say(EBB_SAID_TOLD, 3);
}

static void says_and_goes(void)
{
	if (t.polls > 1)
		return;
	say(EBB_SAID_TOLD, 3);
	machine_goes();
}

static void stops(void)
{
	eventfd_write(t.d.stop, 1);
}

static const struct wait_row {
	const char *why;
	void (*meanwhile)(void);
	int timeout, got, then; /* of this and the next */
	unsigned polls;
} wait_rows[] = {
	{ "nothing in time", NULL, 7, 0, 0, 2 },
	{ "not waited for", NULL, 0, 0, 0, 2 },
	{ "it comes", says_something, 7, 1, 1, 2 },
	{ "it comes, however late", says_something, -1, 1, 1, 2 },
	{ "somebody has woken us for nothing", wakes_in_vain, 7, 1, 1, 3 },
	{ "the machine is gone", machine_goes, -1, -ECONNRESET, -ECONNRESET,
	  3 },
	{ "what it has said comes before that", says_and_goes, -1, 1,
	  -ECONNRESET, 3 },
	{ "waiting is ended", stops, -1, -ECANCELED, -ECANCELED, 2 },
};

TEST_ROWS(the_next_entry_is_waited_for, wait_rows)
{
	const struct wait_row *row = &wait_rows[_i];
	struct ebb_said got;

	t.d.stop = eventfd(0, EFD_CLOEXEC);
	t.meanwhile = row->meanwhile;
	ck_assert_msg(ebb_direct_next(&t.d, row->timeout, &got) == row->got,
		      "%s", row->why);
	ck_assert_int_eq(t.timeout, row->timeout);
	ck_assert_msg(ebb_direct_next(&t.d, row->timeout, &got) == row->then,
		      "%s: then", row->why);
	ck_assert_msg(t.polls == row->polls, "%s: %u", row->why, t.polls);
	close(t.d.stop);
}

/*
 * How long it sleeps, in whole milliseconds that are enough, when the clock
 * says this: at first, when it begins to look, while it looks, and then.
 */
#define AT(s, ns) ((s) * (int64_t)SECOND + (ns))
static const struct clock_row {
	const char *why;
	int timeout;
	int64_t times[6];
	unsigned asked;
	int ms;
} clock_rows[] = {
	{ "all of it",
	  500,
	  { AT(7, 0), AT(7, 0), AT(7, 20000), AT(7, 20000) },
	  4,
	  500 },
	{ "it looks for 20 us",
	  500,
	  { AT(7, 0), AT(7, 5), AT(7, 20004), AT(7, 20005), AT(7, 20005) },
	  5,
	  500 },
	{ "what is left",
	  500,
	  { AT(7, 0), AT(7, 0), AT(7, 20000), AT(7, 499000000) },
	  4,
	  1 },
	{ "over a second's end, a nanosecond more",
	  1000,
	  { AT(7, 999999999), AT(7, 999999999), AT(8, 20000),
	    AT(8, 994999998) },
	  4,
	  6 },
	{ "over a second's end, in whole ones",
	  1000,
	  { AT(7, 999999999), AT(7, 999999999), AT(8, 20000),
	    AT(8, 994999999) },
	  4,
	  5 },
	{ "over a second's end, a few less",
	  1000,
	  { AT(7, 999999999), AT(7, 999999999), AT(8, 20000),
	    AT(8, 995000003) },
	  4,
	  5 },
	{ "nothing is left",
	  500,
	  { AT(7, 0), AT(7, 0), AT(7, 20000), AT(7, 500000000) },
	  4,
	  0 },
	{ "less than nothing",
	  500,
	  { AT(7, 0), AT(7, 0), AT(7, 20000), AT(9, 0) },
	  4,
	  0 },
	{ "it looks no longer than it may",
	  1,
	  { AT(7, 0), AT(7, 990000), AT(7, 1000000), AT(7, 1000000) },
	  4,
	  0 },
	{ "many days",
	  2147483647,
	  { AT(7, 0), AT(7, 0), AT(7, 20000), AT(1007, 0) },
	  4,
	  2146483647 },
};

TEST_ROWS(a_timeout_is_by_the_clock, clock_rows)
{
	const struct clock_row *row = &clock_rows[_i];
	struct ebb_said got;

	t.asked = 0; /* by Check, too */
	t.times = row->times;
	t.n_times = row->asked;
	ck_assert_int_eq(ebb_direct_next(&t.d, row->timeout, &got), 0);
	ck_assert_msg(t.timeout == row->ms, "%s: %d ms", row->why, t.timeout);
	ck_assert_msg(t.asked == row->asked, "%s: %u times", row->why, t.asked);
}

/* A machine that had no room goes on when an entry is taken. */
TEST(a_machine_that_waits_is_woken)
{
	struct ebb_said got;
	unsigned n = 0;

	for (; ring_put(&t.said, &got, sizeof(got)) == 0; n++)
		;
	ck_assert_uint_ge(n, EBB_SAID_RING / sizeof(got) - 1);
	ck_assert_int_eq(ebb_direct_next(&t.d, 0, &got), 1);
	ck_assert(!woken());
	ring_put(&t.said, &got, sizeof(got));
	ck_assert(ring_wait_space(&t.said, sizeof(got)));
	while (n-- && !woken())
		ck_assert_int_eq(ebb_direct_next(&t.d, 0, &got), 1);
	ck_assert_int_eq(ring_put(&t.said, &got, sizeof(got)), 0);
}

TEST(a_descriptor_is_ready_when_an_entry_comes)
{
	struct pollfd fd = { .fd = t.d.wake, .events = POLLIN };

	ck_assert(ebb_direct_arm(&t.d));
	ck_assert_int_eq(__real_poll(&fd, 1, 0), 0);
	say(EBB_SAID_TOLD, 0);
	ck_assert_int_eq(__real_poll(&fd, 1, 0), 1);
	ck_assert(!ebb_direct_arm(&t.d));
}

/* What is wished */

static const struct ebb_wish wish[2] = { { .what = 3, .counter = 5, .more = 1 },
					 { .what = 4, .period = 7 } };

TEST(wishes_come_together)
{
	struct ebb_wish got[2];

	ck_assert_int_eq(ebb_direct_wish(&t.d, wish, 2), 0);
	ck_assert(!woken()); /* it is not asleep */
	ck_assert_int_eq(ring_peek(&t.wishes, got, sizeof(got)), sizeof(got));
	ck_assert(!memcmp(got, wish, sizeof(wish)));
	ring_skip(&t.wishes, sizeof(got));
	ck_assert(ring_wait_data(&t.wishes, 0));
	ck_assert_int_eq(ebb_direct_wish(&t.d, wish, 1), 0);
	ck_assert(woken());
	ck_assert_uint_eq(t.polls, 0);
}

static void takes_all(void)
{
	char bytes[EBB_WISH_RING];

	ring_skip(&t.wishes,
		  (size_t)ring_peek(&t.wishes, bytes, sizeof(bytes)));
	if (ring_must_wake_producer(&t.wishes))
		(void)send(t.wake, "", 1, MSG_NOSIGNAL);
}

static const struct full_row {
	const char *why;
	void (*meanwhile)(void);
	int err;
	unsigned polls;
} full_rows[] = {
	{ "room is made", takes_all, 0, 1 },
	{ "the machine goes", machine_goes, -ECONNRESET, 1 },
	{ "waiting is ended", stops, -ECANCELED, 1 },
};

TEST_ROWS(room_for_wishes_is_waited_for, full_rows)
{
	const struct full_row *row = &full_rows[_i];
	int n = 0;

	t.d.stop = eventfd(0, EFD_CLOEXEC);
	while (ring_put(&t.d.wishes, wish, sizeof(*wish)) == 0)
		n++;
	ck_assert_int_gt(n, 100);
	t.meanwhile = row->meanwhile;
	ck_assert_msg(ebb_direct_wish(&t.d, wish, 2) == row->err, "%s",
		      row->why);
	ck_assert_uint_eq(t.polls, row->polls);
	ck_assert_int_eq(t.timeout, -1);
	if (!row->err)
		ck_assert_int_eq(ring_waiting(&t.wishes), sizeof(wish));
	close(t.d.stop);
}

TEST(more_than_the_ring_has_never_fits)
{
	static const struct ebb_wish many[EBB_WISH_RING / sizeof(*wish) + 1];

	ck_assert_int_eq(ebb_direct_wish(&t.d, many, ARRAY_SIZE(many)),
			 -EMSGSIZE);
}

SUITE("client-ebb-direct", .setup = ring_sides_setup,
      .teardown = ring_sides_teardown);
