/* SPDX-License-Identifier: BSD-2-Clause */
/* The machine's ends of EBB rings, against a client that does what it likes. */
#include <sys/socket.h>
#include <unistd.h>

#include "control/ebb-rings.h"
#include "unit.h"
#include "wire/ebb-ring.h"
#include "wire/ring.h"

enum {
	SESSION = 7,
	ENTRIES = EBB_SAID_RING / sizeof(struct ebb_said)
};

static struct ebb_rings *all;
static struct ebb_channel client;
static struct ring wishes, said;

static void setup(void)
{
	struct ebb_channel machine;
	int pair[2];

	all = ebb_rings_new();
	ck_assert_int_eq(
		socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, pair),
		0);
	ck_assert_int_eq(ebb_channel_make(&client, &machine), 0);
	ck_assert_int_eq(ebb_channel_send(pair[0], SESSION, &machine), 0);
	ebb_channel_close(&machine);
	ck_assert_int_eq(ebb_rings_attach(all, pair[1], SESSION), 0);
	ck_assert_int_eq(ring_open(&wishes, client.wishes), 0);
	ck_assert_int_eq(ring_open(&said, client.said), 0);
	close(pair[0]);
	close(pair[1]);
}

static void teardown(void)
{
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

SUITE("ebb-ends", .setup = setup, .teardown = teardown);
