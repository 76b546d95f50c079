/* SPDX-License-Identifier: BSD-2-Clause */
/* The machine's ends of EBB rings, against a client that does what it likes. */
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "control/ebb-rings.h"
#include "shared/ebb-ring.h"
#include "shared/ring.h"
#include "unit.h"

enum {
	SESSION = 7,
	ENTRIES = EBB_SAID_RING / sizeof(struct ebb_said)
};

static struct ebb_rings *all;
static struct ebb_channel client;
static struct ring wishes, said;
static int pmud[2]; /* its end, and the machine's */

/* pmud makes a ring for @session and keeps the client's side, in @ret. */
static void pass(uint32_t session, struct ebb_channel *ret)
{
	struct ebb_channel machine;

	ck_assert_int_eq(ebb_channel_make(ret, &machine), 0);
	ck_assert_int_eq(ebb_channel_send(pmud[0], session, &machine), 0);
	ebb_channel_close(&machine);
}

static void setup(void)
{
	all = ebb_rings_new();
	ck_assert_int_eq(
		socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, pmud),
		0);
	pass(SESSION, &client);
	ck_assert_int_eq(ebb_rings_attach(all, pmud[1], SESSION), 0);
	ck_assert_int_eq(ring_open(&wishes, client.wishes), 0);
	ck_assert_int_eq(ring_open(&said, client.said), 0);
}

static void teardown(void)
{
	close(pmud[0]);
	close(pmud[1]);
	ring_close(&wishes);
	ring_close(&said);
	ebb_channel_close(&client);
	ebb_rings_free(all);
}

static void wish(uint32_t counter, bool more)
{
	const struct ebb_wish w = {
		.what = EBB_REARM,
		.counter = counter,
		.more = more,
	};

	ck_assert_int_eq(ring_put(&wishes, &w, sizeof(w)), 0);
}

static void takes(enum ebb_wishes want, uint32_t counter)
{
	struct ebb_act act = { .counter = 0 };

	ck_assert_int_eq(ebb_rings_take(all, SESSION, &act), want);
	ck_assert_uint_eq(act.counter, counter);
}

/* However many there are: others have their turn in between. */
TEST(what_depends_on_a_refused_act_is_skipped_one_by_one)
{
	wish(3, true);
	wish(4, true);
	wish(5, false);
	wish(6, false);
	takes(EBB_WISHES_ONE, 3);
	ebb_rings_refuse(all, SESSION, 9, "no");
	takes(EBB_WISHES_SKIPPED, 0);
	ck_assert(ebb_rings_wait(all, SESSION));
	takes(EBB_WISHES_SKIPPED, 0);
	takes(EBB_WISHES_ONE, 6);
	takes(EBB_WISHES_NONE, 0);
	ck_assert(!ebb_rings_wait(all, SESSION));
}

TEST(what_depends_on_nothing_is_done_after_a_refusal)
{
	wish(3, false);
	wish(4, false);
	takes(EBB_WISHES_ONE, 3);
	ebb_rings_refuse(all, SESSION, 9, "no");
	takes(EBB_WISHES_ONE, 4);
}

static bool tell(void)
{
	static const struct record_at at;
	static const struct ebb_told told = { .session = SESSION };

	return ebb_rings_tell(all, &at, &told);
}

/* What the kernel says of the machine's socket is heard. */
static void poll_now(void)
{
	struct pollfd fds[EBB_MAX_SESSIONS];
	nfds_t n = ebb_rings_poll(all, fds);

	ck_assert_uint_eq(n, 1);
	(void)poll(fds, n, 0);
	ebb_rings_polled(all, fds);
}

TEST(a_client_that_does_not_read_is_waited_for_until_it_closes_its_end)
{
	for (unsigned i = 0; i < ENTRIES; i++)
		ck_assert_msg(tell(), "%u", i);
	ck_assert(!tell());
	ck_assert_uint_eq(ebb_rings_flush(all), SESSION);
	poll_now();
	ck_assert_uint_eq(ebb_rings_flush(all), SESSION);
	close(client.wake);
	client.wake = -1;
	poll_now();
	ck_assert_uint_eq(ebb_rings_flush(all), 0);
	ck_assert(tell());
	ck_assert_uint_eq(ebb_rings_flush(all), 0);
	ck_assert_int_eq(ring_waiting(&said), EBB_SAID_RING);
}

TEST(a_client_that_reads_gets_what_waited)
{
	struct ebb_said first;

	for (unsigned i = 0; i < ENTRIES; i++)
		ck_assert(tell());
	ck_assert(!tell());
	ck_assert_int_eq(ring_peek(&said, &first, sizeof(first)),
			 sizeof(first));
	ring_skip(&said, sizeof(first));
	ck_assert(ring_must_wake_producer(&said));
	ck_assert_uint_eq(ebb_rings_flush(all), 0);
	ck_assert_int_eq(ring_waiting(&said), EBB_SAID_RING);
}

/* What the client reads between a look at the ring and the wish to be woken. */
static unsigned reads_before_waiting;

bool __real_ring_wait_space(struct ring *r, size_t len);
bool __wrap_ring_wait_space(struct ring *r, size_t len);

bool __wrap_ring_wait_space(struct ring *r, size_t len)
{
	for (; reads_before_waiting; reads_before_waiting--)
		ring_skip(&said, sizeof(struct ebb_said));
	return __real_ring_wait_space(r, len);
}

/* Nobody would wake the machine for it any more. */
TEST(room_that_comes_before_it_is_waited_for_is_used)
{
	for (unsigned i = 0; i < ENTRIES; i++)
		ck_assert(tell());
	reads_before_waiting = 1;
	ck_assert(tell());
	ck_assert_int_eq(ring_waiting(&said), EBB_SAID_RING);
	ck_assert_uint_eq(ebb_rings_flush(all), 0);
}

TEST(half_an_act_is_the_end)
{
	ck_assert_int_eq(ring_put(&wishes, "half an act", 11), 0);
	takes(EBB_WISHES_BROKEN, 0);
	ck_assert(ebb_rings_wait(all, SESSION));
	takes(EBB_WISHES_BROKEN, 0);
}

TEST(a_session_that_is_over_says_so_and_is_none)
{
	struct ebb_said last;

	ebb_rings_detach(all, SESSION);
	ck_assert(!ebb_rings_has(all, SESSION));
	ck_assert_uint_eq(ebb_rings_after(all, 0), 0);
	ck_assert(tell());
	ck_assert_int_eq(ring_peek(&said, &last, sizeof(last)), sizeof(last));
	ck_assert_uint_eq(last.kind, EBB_SAID_OVER);
	ebb_rings_detach(all, SESSION);
}

static void hear(struct ebb_said *ret)
{
	ck_assert_int_eq(ring_peek(&said, ret, sizeof(*ret)), sizeof(*ret));
	ring_skip(&said, sizeof(*ret));
}

static bool woken(void)
{
	char byte;

	return recv(client.wake, &byte, 1, MSG_DONTWAIT) == 1;
}

TEST(what_is_told_is_told_whole_and_wakes_who_sleeps)
{
	const struct record_at at = {
		.insn = 11, .cycle = 12, .pc = 13, .hart = 1
	};
	const struct ebb_told told = { SESSION, 0x18, 10 };
	struct ebb_said got;

	ck_assert(ebb_rings_tell(all, &at, &told));
	ck_assert(!woken()); /* it does not sleep */
	hear(&got);
	ck_assert_uint_eq(got.kind, EBB_SAID_TOLD);
	ck_assert_uint_eq(got.hart, 1);
	ck_assert_uint_eq(got.counters, 0x18);
	ck_assert_uint_eq(got.pc, 13);
	ck_assert_uint_eq(got.insn, 11);
	ck_assert_uint_eq(got.cycle, 12);
	ck_assert_uint_eq(got.since, 10);
	ck_assert(ring_wait_data(&said, 0));
	ck_assert(ebb_rings_tell(all, &at, &told));
	ck_assert(woken());
	ck_assert(ebb_rings_tell(all, &at, &told));
	ck_assert(!woken());
}

TEST(a_refusal_has_its_status_and_as_much_text_as_there_is_room_for)
{
	struct ebb_said got;
	char text[2 * EBB_TEXT];

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = 0;
	ebb_rings_refuse(all, SESSION, 9, "counter 3 is nobody's");
	ebb_rings_refuse(all, SESSION, 3, text);
	hear(&got);
	ck_assert_uint_eq(got.kind, EBB_SAID_REFUSED);
	ck_assert_uint_eq(got.code, 9);
	ck_assert_str_eq(got.text, "counter 3 is nobody's");
	hear(&got);
	ck_assert_uint_eq(got.code, 3);
	ck_assert_uint_eq(strlen(got.text), EBB_TEXT - 1);
}

/* A client may do these alone; of all else a refusal will be made. */
TEST_RANGE(an_act_is_read_as_it_was_wished, 0, EBB_N_WHATS + 1)
{
	const struct ebb_wish w = {
		.what = (uint32_t)_i, .counter = 4, .period = 1000, .masked = 2
	};
	bool may = _i == EBB_UNMASK || _i == EBB_MASK || _i == EBB_REARM ||
		   _i == EBB_RETURN;
	struct ebb_act act = { .what = EBB_N_WHATS };

	ck_assert_int_eq(ring_put(&wishes, &w, sizeof(w)), 0);
	ck_assert_int_eq(ebb_rings_take(all, SESSION, &act), EBB_WISHES_ONE);
	ck_assert_int_eq(act.what, may ? _i : EBB_UNKNOWN);
	ck_assert_uint_eq(act.session, SESSION);
	ck_assert_uint_eq(act.counter, 4);
	ck_assert_uint_eq(act.period, 1000);
	ck_assert(act.masked);
}

TEST(a_client_that_waits_for_room_is_woken)
{
	for (unsigned i = 0; i < EBB_WISH_RING / sizeof(struct ebb_wish); i++)
		wish(3, false);
	ck_assert(ring_wait_space(&wishes, sizeof(struct ebb_wish)));
	takes(EBB_WISHES_ONE, 3);
	ck_assert(woken());
	takes(EBB_WISHES_ONE, 3);
	ck_assert(!woken());
}

/* What waits for room to be told comes first: refusals have none, either. */
TEST(nothing_is_taken_from_who_does_not_read)
{
	struct ebb_said first;

	for (unsigned i = 0; i <= ENTRIES; i++)
		(void)tell();
	wish(3, false);
	ck_assert(!ebb_rings_wait(all, SESSION));
	takes(EBB_WISHES_NONE, 0);
	hear(&first);
	takes(EBB_WISHES_ONE, 3);
}

TEST_TIMES(an_index_that_cannot_be_is_the_end, 2)
{
	const uint64_t beyond = EBB_WISH_RING + sizeof(struct ebb_wish);

	if (_i) {
		ring_skip(&said, EBB_SAID_RING + 1);
		(void)tell();
	} else {
		/* how much was ever put stands first: docs/EBB-HOST.md */
		memcpy(wishes.shared, &beyond, sizeof(beyond));
	}
	ck_assert(ebb_rings_wait(all, SESSION));
	takes(EBB_WISHES_BROKEN, 0);
	takes(EBB_WISHES_BROKEN, 0);
}

/* Several */

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

static void attach(uint32_t session, struct ebb_channel *ret)
{
	pass(session, ret);
	ck_assert_int_eq(ebb_rings_attach(all, pmud[1], session), 0);
}

TEST(sessions_are_gone_through_by_their_numbers)
{
	static const uint32_t numbers[] = { 9, 3, 12, 5, 8 };
	static const uint32_t sorted[] = { 3, 5, SESSION, 8, 9, 12 };
	struct ebb_channel other[ARRAY_SIZE(numbers)];
	uint32_t at = 0;

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		attach(numbers[i], &other[i]);
	for (size_t i = 0; i < ARRAY_SIZE(sorted); i++) {
		at = ebb_rings_after(all, at);
		ck_assert_uint_eq(at, sorted[i]);
		ck_assert(ebb_rings_has(all, at));
	}
	ck_assert_uint_eq(ebb_rings_after(all, at), 0);
	ck_assert_uint_eq(ebb_rings_after(all, 5), SESSION);
	ck_assert_uint_eq(ebb_rings_after(all, 6), SESSION);
	ck_assert(!ebb_rings_has(all, 6));
	/* in the middle of the list, its end, its beginning */
	ebb_rings_detach(all, 3);
	ebb_rings_detach(all, 8);
	ebb_rings_detach(all, SESSION);
	ck_assert_uint_eq(ebb_rings_after(all, 0), 5);
	ck_assert_uint_eq(ebb_rings_after(all, 5), 9);
	ck_assert_uint_eq(ebb_rings_after(all, 9), 12);
	ck_assert_uint_eq(ebb_rings_after(all, 12), 0);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		ebb_channel_close(&other[i]);
}

/* One that closes its end, and one that takes nothing, are not the others. */
TEST(each_has_its_own_ring)
{
	struct ebb_channel other;
	struct pollfd fds[EBB_MAX_SESSIONS];
	struct ebb_act act;

	attach(8, &other);
	for (unsigned i = 0; i <= ENTRIES; i++)
		(void)tell();
	ck_assert_uint_eq(ebb_rings_flush(all), SESSION);
	wish(3, false);
	ck_assert_int_eq(ebb_rings_take(all, 8, &act), EBB_WISHES_NONE);
	ck_assert(!ebb_rings_wait(all, 8));
	ebb_channel_close(&other);
	ck_assert_uint_eq(ebb_rings_poll(all, fds), 2);
	ck_assert_int_eq(poll(fds, 2, 0), 1);
	ebb_rings_polled(all, fds);
	ck_assert_uint_eq(ebb_rings_flush(all), SESSION);
	ck_assert_uint_eq(ebb_rings_poll(all, fds), 2);
	ck_assert_int_ge(fds[0].fd, 0);
	ck_assert_int_eq(fds[1].fd, -1);
	ck_assert_int_eq(fds[0].events, POLLIN);
}

/* A wish wakes the machine that waits for one. */
TEST(who_is_polled_for_is_to_wake_it)
{
	struct pollfd fds[EBB_MAX_SESSIONS];

	wish(3, false);
	ck_assert(!ring_must_wake_consumer(&wishes));
	takes(EBB_WISHES_ONE, 3);
	(void)ebb_rings_poll(all, fds);
	wish(3, false);
	ck_assert(ring_must_wake_consumer(&wishes));
	ck_assert_int_eq(write(client.wake, "", 1), 1);
	ck_assert_int_eq(poll(fds, 1, 0), 1);
	ebb_rings_polled(all, fds);
	ck_assert_int_eq(poll(fds, 1, 0), 0); /* it was heard */
	takes(EBB_WISHES_ONE, 3);
}

TEST(what_was_sent_for_another_session_is_passed_over)
{
	struct ebb_channel a, b, c;
	unsigned open;

	pass(3, &a);
	pass(4, &b);
	pass(5, &c);
	open = count_open();
	ck_assert_int_eq(ebb_rings_attach(all, pmud[1], 5), 0);
	ck_assert(ebb_rings_has(all, 5));
	ck_assert(!ebb_rings_has(all, 3));
	ck_assert_uint_eq(count_open(), open + 1); /* to wake it */
	ck_assert_int_eq(ebb_rings_attach(all, pmud[1], 3), -EAGAIN);
	ck_assert_uint_eq(count_open(), open + 1);
	ebb_rings_detach(all, 5);
	ck_assert_uint_eq(count_open(), open);
	ebb_channel_close(&a);
	ebb_channel_close(&b);
	ebb_channel_close(&c);
}

TEST(there_are_so_many_at_once)
{
	struct ebb_channel other;
	unsigned open;

	for (uint32_t i = 1; i < EBB_MAX_SESSIONS; i++) {
		attach(100 + i, &other);
		ebb_channel_close(&other);
	}
	pass(99, &other);
	open = count_open();
	ck_assert_int_eq(ebb_rings_attach(all, pmud[1], 99), -ENOSPC);
	ck_assert_uint_eq(count_open(), open);
	ck_assert(!ebb_rings_has(all, 99));
	ebb_rings_detach(all, 101);
	ebb_channel_close(&other);
	attach(99, &other);
	ebb_channel_close(&other);
}

SUITE("ebb-ends", .setup = setup, .teardown = teardown);
