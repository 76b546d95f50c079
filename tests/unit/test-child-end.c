/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * daemon/server/supervise.c: how a process ends, whoever ends it and whenever,
 * what its owner is told, and that nothing of it is left.
 */
#include "child-process.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"

static unsigned answers;
static char answer[128];

static void on_reply(void *arg, const struct child_reply *reply)
{
	answers++;
	ck_assert_int_eq(reply->code, GRPC_UNAVAILABLE);
	snprintf(answer, sizeof(answer), "%s", reply->text);
}

static uint64_t call(size_t len)
{
	static uint8_t bytes[FRAME_MAX];
	const struct child_request request = { .method = METHOD_ReadCsr,
					       .bytes = bytes,
					       .len = len };
	struct child_reply why;

	return child_call(c, &request, on_reply, NULL, &why);
}

static void begin(void)
{
	answers = 0;
	child_begin();
	PREPARING(ck_assert_uint_eq(c->turn.user, USER));
}

/* Who waits for an answer has it at once, also where the end takes long. */
TEST(its_owner_ends_it)
{
	ck_assert(call(0));
	owner_ends();
	ck_assert_uint_eq(theirs.killed, 1);
	ck_assert_uint_eq(answers, 1);
	ck_assert_str_eq(answer, "the machine was deleted");
	ck_assert_uint_eq(theirs.reaped, 0);
	turns(3);
	ck_assert_uint_eq(owner.ended, 0);
	send_end();
	turns(2);
	ck_assert_uint_eq(owner.ended, 1);
	ck_assert_uint_eq(theirs.killed, 1);
	ck_assert_uint_eq(theirs.reaped, 1);
	ck_assert_uint_eq(theirs.closed, 1);
	ck_assert_str_eq(owner.order, ""); /* he knows */
	ev_run(loop, 0);		   /* nothing is watched any more */
}

/* Nor is he told what it still records and says. */
TEST(one_that_was_ended_is_not_heard)
{
	put(10);
	say("late");
	owner_ends();
	turns(3);
	send_end();
	turns(3);
	ck_assert_str_eq(owner.order, "");
	ck_assert_uint_eq(owner.ended, 1);
}

TEST(it_ends_by_itself_and_is_told_once)
{
	ck_assert(call(0));
	send_end();
	turns(2);
	ck_assert_uint_eq(owner.gone, 1);
	ck_assert_uint_eq(answers, 1);
	ck_assert_str_eq(answer, "machine process was played");
	ck_assert_uint_eq(theirs.reaped, 1);
	ck_assert(!child_alive(c));
	ck_assert(!call(0));
	put(10); /* by whoever has its ring, too: it is not watched */
	turns(3);
	ck_assert_uint_eq(owner.gone, 1);
	ck_assert_uint_eq(owner.n_offers, 0);
	owner_ends(); /* at once */
	ck_assert_uint_eq(owner.ended, 1);
	ck_assert_uint_eq(theirs.killed, 0);
	ck_assert_uint_eq(theirs.closed, 1);
}

/* Between its exit and the turn in which that would be told. */
TEST(its_owner_ends_what_has_just_ended)
{
	owner.takes = full;
	put(10);
	turns(2);
	send_end();
	turns(2);
	ck_assert(c->over);
	turns_leave(c->all->turns, &c->turn);
	owner_ends();
	ck_assert_uint_eq(owner.ended, 1);
	ck_assert_uint_eq(theirs.killed, 0);
	ck_assert_uint_ge(theirs.reaped, 1);
}

/* One of ours was on its way; the process is killed once. */
TEST(its_owner_ends_what_is_being_ended)
{
	ck_assert_int_eq(write(theirs.socket, "\x01\0\0\0\0", 5), 5);
	turns(2);
	ck_assert_uint_eq(theirs.killed, 1);
	owner_ends();
	ck_assert_uint_eq(theirs.killed, 1);
	ck_assert_uint_eq(owner.ended, 0);
	send_end();
	turns(2);
	ck_assert_uint_eq(owner.ended, 1);
	ck_assert_uint_eq(owner.gone, 0);
}

TEST(without_a_loop_it_is_waited_for)
{
	owner_ends();
	child_wait(c);
	ck_assert_uint_eq(owner.ended, 1);
	ck_assert_uint_eq(theirs.reaped, 1);
	ck_assert_uint_eq(theirs.closed, 1);
	ev_run(loop, 0); /* nothing is watched any more */
}

/* From inside what it is told, before its end and behind it. */
static const struct inside_row {
	char at;
	bool held, over; /* before */
	const char *order;
} inside_rows[] = {
	{ 'r', false, false, "r" },  { 'n', false, false, "rn" },
	{ 'f', true, false, "rrf" }, { 'g', false, true, "rng" },
	{ 'n', false, true, "rn" },  { 'r', false, true, "r" },
};

TEST_ROWS(its_owner_may_end_it_when_he_is_told, inside_rows)
{
	const struct inside_row *row = &inside_rows[_i];

	if (row->held)
		owner.takes = full;
	else
		owner.ends_at = row->at;
	put(10);
	if (!row->held)
		say("");
	if (row->over)
		send_end();
	turns(3);
	if (row->held) {
		owner.takes = whole;
		owner.ends_at = row->at;
		child_resume_ring(c);
		turns(2);
	}
	ck_assert_str_eq(owner.order, row->order);
	if (!row->over) {
		ck_assert_uint_eq(owner.ended, 0);
		ck_assert_uint_eq(theirs.killed, 1);
		send_end();
		turns(2);
	}
	ck_assert_uint_eq(owner.ended, 1);
	ck_assert_uint_eq(theirs.closed, 1);
	ck_assert_str_eq(owner.order, row->order);
}

/* What does not fit into the socket waits until it is read. */
TEST(requests_wait_for_their_reader)
{
	static uint8_t bytes[1 << 16];
	const size_t len = 1 << 20;
	size_t n = 0;

	ck_assert(call(len));
	ck_assert(ev_is_active(&c->socket_out));
	for (unsigned i = 0; i < 10000 && ev_is_active(&c->socket_out); i++) {
		ssize_t more = read(theirs.socket, bytes, sizeof(bytes));

		n += more > 0 ? (size_t)more : 0;
		turns(1);
	}
	ck_assert(!ev_is_active(&c->socket_out));
	for (ssize_t more;
	     (more = read(theirs.socket, bytes, sizeof(bytes))) > 0;)
		n += (size_t)more;
	ck_assert_uint_gt(n, len);
	ck_assert(call(1)); /* it fits */
	ck_assert(!ev_is_active(&c->socket_out));
}

/* Which nobody reads: a loop that tried to would have no other work. */
TEST_TIMES(one_that_is_being_ended_is_sent_nothing, 2)
{
	ck_assert(call(1 << 20));
	ck_assert(ev_is_active(&c->socket_out));
	if (_i) {
		ck_assert_int_eq(write(theirs.socket, "\x01\0\0\0\0", 5), 5);
		turns(2);
	} else {
		owner_ends();
	}
	ck_assert_uint_eq(theirs.killed, 1);
	ck_assert(!ev_is_active(&c->socket_out));
	ck_assert(!ev_is_active(&c->socket_in));
}

/* The end of it, of which a part came while it lived. */
TEST(its_last_words_are_told)
{
	ck_assert_int_eq(write(theirs.err, "first ", 6), 6);
	turns(2);
	ck_assert_int_eq(write(theirs.err, "last\n", 5), 5);
	ck_assert_str_eq(stderr_tail_text(&c->tail), "first ");
	send_end();
	ev_io_stop(loop, &c->stderr_in); /* it is not heard in time */
	turns(3);
	ck_assert_str_eq(owner.why, "machine process was played: first last");
}

/* One that has closed it is not asked in each turn. */
TEST(its_stderr_may_end_before_it)
{
	close(theirs.err);
	theirs.err = -1;
	turns(2);
	ck_assert(!ev_is_active(&c->stderr_in));
	ck_assert(child_alive(c));
}

SUITE("child-end", .setup = begin, .teardown = child_fini);
