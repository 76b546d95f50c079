/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * daemon/server/child-ring.c, and the turns of supervise.c: records are taken
 * in pieces, and an owner who has no room is asked again.
 */
#include "child-process.h"

#include <errno.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "unit.h"
#include "wire/record.h"

enum {
	PIECE = TURN_BYTES, /* of one user alone */
};

static ssize_t half_then_full(size_t len, bool *ret_full)
{
	*ret_full = true;
	return (ssize_t)len / 2;
}

static ssize_t but_one(size_t len, bool *ret_full)
{
	return (ssize_t)len - 1;
}

static ssize_t too_much(size_t len, bool *ret_full)
{
	return (ssize_t)len + 1;
}

static ssize_t bad(size_t len, bool *ret_full)
{
	return -EPROTO;
}

static ssize_t broken(size_t len, bool *ret_full)
{
	return -EIO;
}

static size_t long_one;

static ssize_t whole_if_long(size_t len, bool *ret_full)
{
	return len < long_one ? 0 : (ssize_t)long_one;
}

static bool wakes(int fd)
{
	eventfd_t n;

	return eventfd_read(fd, &n) == 0 && n == 1;
}

/* Taking */

TEST(a_turn_takes_a_piece)
{
	put(3 * PIECE);
	turns(2);
	ck_assert_uint_eq(owner.taken, PIECE);
	ck_assert(!put(5)); /* a busy ring wakes nobody */
	turns(1);
	ck_assert_uint_eq(owner.taken, 2 * PIECE);
	turns(5);
	ck_assert_uint_eq(owner.taken, 3 * PIECE + 5);
	ck_assert_uint_eq(owner.n_offers, 4);
	ck_assert_uint_eq(owner.offered[3], 5);
	ck_assert_uint_eq(c->ring.own, 3 * PIECE + 5);
}

/* Whoever asks for more gets what a piece has room for. */
TEST(no_piece_is_longer_than_its_room)
{
	put(CHILD_PIECE_MAX + 9);
	ck_assert_int_eq(child_drain(c, CHILD_PIECE_MAX + 1), DRAIN_MORE);
	ck_assert_uint_eq(owner.taken, CHILD_PIECE_MAX);
	ck_assert_int_eq(child_drain(c, CHILD_PIECE_MAX + 1), DRAIN_EMPTY);
	ck_assert_uint_eq(owner.taken, CHILD_PIECE_MAX + 9);
}

TEST(an_empty_ring_is_waited_for)
{
	ck_assert(put(10));
	turns(3);
	ck_assert_uint_eq(owner.taken, 10);
	ck_assert(put(1)); /* it had to be woken again */
	turns(3);
	ck_assert_uint_eq(owner.taken, 11);
	ck_assert_uint_eq(owner.n_offers, 2);
}

TEST(one_that_is_woken_for_nothing_waits_again)
{
	eventfd_write(theirs.data, 1);
	turns(2);
	ck_assert(!c->turn.queued);
	ck_assert_uint_eq(owner.n_offers, 0);
	ck_assert(put(1));
}

static ssize_t none(size_t len, bool *ret_full)
{
	return 0;
}

/* Whether the loop goes on with it, byte by byte of one that is not whole. */
TEST(nothing_new_is_nothing_to_do)
{
	owner.takes = none;
	for (unsigned n = 0; n < 3; n++) {
		ck_assert_int_eq(child_drain(c, PIECE), DRAIN_EMPTY);
		put(1);
	}
	ck_assert_uint_eq(owner.n_offers, 2);
	ck_assert_uint_eq(owner.offered[0], 1);
	ck_assert_uint_eq(owner.offered[1], 2);
}

/* The rest is of a record that is not whole, and is waited for, too. */
TEST(what_is_left_is_offered_with_what_follows)
{
	owner.takes = but_one;
	put(10);
	turns(9);
	ck_assert_uint_eq(owner.n_offers, 1);
	ck_assert(put(5));
	turns(9);
	ck_assert_uint_eq(owner.n_offers, 2);
	ck_assert_uint_eq(owner.offered[1], 6);
	ck_assert_uint_eq(owner.taken, 14);
}

/* The most that a record has is looked at where a piece is none. */
static const struct long_row {
	const char *why;
	size_t len, there;
	unsigned offers;
	bool malformed;
} long_rows[] = {
	{ "as long as a piece", PIECE, PIECE, 1, false },
	{ "a little longer", PIECE + 1, PIECE + 1, 2, false },
	{ "the longest", RECORD_MAX, RECORD_MAX, 2, false },
	{ "not yet whole, shorter than a piece", PIECE, PIECE - 1, 1, false },
	{ "not yet whole, longer", RECORD_MAX, RECORD_MAX - 1, 2, false },
	{ "one that would be too long", RECORD_MAX + 1, RECORD_MAX + 1, 2,
	  true },
	{ "and is not yet whole", RECORD_MAX + 1, RECORD_MAX, 2, true },
};

TEST_ROWS(a_record_may_be_longer_than_a_piece, long_rows)
{
	const struct long_row *row = &long_rows[_i];

	owner.takes = whole_if_long;
	long_one = row->len;
	put(row->there);
	turns(2);
	ck_assert_msg(owner.n_offers == row->offers, "%s: %u", row->why,
		      owner.n_offers);
	ck_assert_uint_eq(owner.taken, row->there < row->len || row->malformed
					       ? 0
					       : row->len);
	ck_assert_msg(theirs.killed == row->malformed, "%s", row->why);
}

TEST_TIMES(who_waits_for_room_is_woken, 2)
{
	put(RING_BYTES);
	if (_i)
		ck_assert(ring_wait_space(&theirs.ring, 1));
	turns(2);
	ck_assert(wakes(theirs.space) == _i);
	ck_assert_int_eq(ring_put(&theirs.ring, "x", 1), 0);
	turns(1);
	ck_assert(!wakes(theirs.space)); /* once */
}

/* What is wrong */

static const struct wrong_row {
	ssize_t (*takes)(size_t len, bool *ret_full);
	const char *why;
} wrong_rows[] = {
	{ bad, "its trace records are malformed" },
	{ too_much, "its trace records are malformed" },
	{ broken, "its trace cannot be stored (Input/output error)" },
	{ NULL, "its trace ring is corrupt" },
};

TEST_ROWS(what_is_wrong_ends_the_process_and_is_told, wrong_rows)
{
	const struct wrong_row *row = &wrong_rows[_i];
	unsigned offers = row->takes != NULL;
	char why[256];

	if (row->takes)
		owner.takes = row->takes;
	else /* more than fits was put */
		ring_skip(&theirs.ring, RING_BYTES);
	put(10);
	turns(3);
	ck_assert_uint_eq(theirs.killed, 1);
	ck_assert(!child_alive(c));
	ck_assert_uint_eq(owner.gone, 0); /* it has not ended yet */
	ck_assert_int_eq(child_drain(c, 10), DRAIN_BAD);
	ck_assert_uint_eq(owner.n_offers, offers);
	send_end();
	turns(3);
	ck_assert_uint_eq(owner.n_offers, offers); /* never looked at again */
	ck_assert_uint_eq(owner.gone, 1);
	snprintf(why, sizeof(why),
		 "machine process was ended: %s; it was played", row->why);
	ck_assert_str_eq(owner.why, why);
	ck_assert_uint_eq(theirs.killed, 1);
}

/* Nobody ended it. */
TEST(what_is_wrong_in_the_last_records_is_told)
{
	owner.takes = bad;
	send_end();
	put(10);
	turns(3);
	ck_assert_uint_eq(theirs.killed, 0);
	ck_assert_str_eq(owner.why, "machine process ended; its trace records "
				    "are malformed; it was played");
}

/* Why it was ended first is why. */
TEST(a_second_reason_is_none)
{
	owner.takes = bad;
	ck_assert_int_eq(write(theirs.socket, "\x01\0\0\0\0", 5), 5);
	turns(2);
	ck_assert_uint_eq(theirs.killed, 1);
	put(10);
	ck_assert_int_eq(child_drain(c, PIECE), DRAIN_BAD);
	send_end();
	turns(3);
	ck_assert_uint_eq(theirs.killed, 1);
	ck_assert_str_eq(owner.why, "machine process was ended: it sent a "
				    "malformed message; it was played");
}

TEST(records_are_taken_to_the_end_and_then_it_is_told)
{
	put(3 * PIECE + 5);
	say("last");
	ck_assert_int_eq(write(theirs.err, "oh\n\n", 4), 4);
	send_end();
	turns(8);
	ck_assert_uint_eq(owner.taken, 3 * PIECE + 5);
	ck_assert_str_eq(owner.order, "rrrrng");
	ck_assert_str_eq(owner.why, "machine process was played: oh");
	ck_assert(!child_alive(c));
}

/* More than one look at the socket takes. */
TEST(all_that_it_said_is_heard_before_it_is_told_to_be_gone)
{
	static char detail[NOTICE_MAX - 1000];

	memset(detail, 'x', sizeof(detail) - 1);
	for (unsigned i = 0; i < 3; i++)
		say(detail);
	send_end();
	turns(6);
	ck_assert_str_eq(owner.order, "nnng");
}

/* Full */

TEST(who_has_no_room_is_not_asked_until_he_says)
{
	owner.takes = half_then_full;
	put(1000);
	turns(2);
	ck_assert_uint_eq(owner.taken, 500);
	ck_assert_uint_eq(owner.n_offers, 1);
	put(10);
	eventfd_write(theirs.data, 1);
	turns(5);
	ck_assert_uint_eq(owner.n_offers, 1);
	owner.takes = whole;
	child_resume_ring(c);
	ck_assert_uint_eq(owner.n_offers, 1); /* from the loop */
	turns(1);
	ck_assert_uint_eq(owner.n_offers, 2);
	ck_assert_uint_eq(owner.offered[1], 510);
	ck_assert_uint_eq(owner.taken, 1010);
}

/* It is no piece that is too short. */
TEST(who_has_no_room_is_offered_no_more)
{
	owner.takes = full;
	put(RECORD_MAX);
	turns(3);
	ck_assert_uint_eq(owner.n_offers, 1);
	ck_assert_uint_eq(theirs.killed, 0);
	ck_assert(c->ring_held);
}

/* Also while more and more comes. */
TEST(it_flows_once_all_that_waited_is_taken)
{
	owner.takes = full;
	put(3 * PIECE);
	turns(2);
	owner.takes = whole;
	child_resume_ring(c);
	for (unsigned i = 1; i <= 5; i++) {
		put(PIECE);
		turns(1);
		ck_assert_uint_eq(owner.taken, i * PIECE);
		ck_assert_uint_eq(owner.flows, i >= 3);
	}
	ck_assert_str_eq(owner.order, "rrrrfrr");
}

TEST(it_flows_when_nothing_is_left)
{
	owner.takes = full;
	put(10);
	turns(2);
	owner.takes = but_one;
	child_resume_ring(c);
	turns(2);
	ck_assert_str_eq(owner.order, "rrf");
	put(10);
	turns(3);
	ck_assert_uint_eq(owner.flows, 1);
}

TEST(it_does_not_flow_where_it_is_held_again)
{
	owner.takes = full;
	put(10);
	turns(2);
	child_resume_ring(c);
	turns(3);
	ck_assert_str_eq(owner.order, "rr");
	owner.takes = whole;
	child_resume_ring(c);
	turns(3);
	ck_assert_str_eq(owner.order, "rrrf");
}

TEST(what_was_not_held_is_not_resumed)
{
	put(10);
	turns(3);
	child_resume_ring(c);
	turns(3);
	ck_assert_str_eq(owner.order, "r");
}

TEST(one_that_is_being_ended_is_not_resumed)
{
	owner.takes = full;
	put(10);
	turns(2);
	owner_ends();
	child_resume_ring(c);
	turns(3);
	ck_assert_str_eq(owner.order, "r");
}

/* It is told to be gone when its records are stored, not before. */
TEST(one_that_has_died_while_it_was_held_is_told_later)
{
	owner.takes = full;
	put(10);
	turns(2);
	send_end();
	turns(3);
	ck_assert_uint_eq(owner.gone, 0);
	ck_assert(!child_alive(c));
	owner.takes = whole;
	child_resume_ring(c);
	turns(3);
	ck_assert_str_eq(owner.order, "rrfg");
	turns(3);
	ck_assert_uint_eq(owner.gone, 1);
}

SUITE("child-ring", .setup = child_begin, .teardown = child_fini);
