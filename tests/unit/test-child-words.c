/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * daemon/server/supervise.c: what a process says is heard behind the records
 * that it made before, some of it in one turn, and nothing of one that talks
 * nonsense.
 */
#include "child-process.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "no-memory.h"
#include "unit.h"

enum {
	PIECE = TURN_BYTES, /* of one user alone */
};

/* The linker sends malloc() of what is tested here. */
void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

TEST(what_is_said_waits_for_what_was_recorded_before)
{
	put(3 * PIECE);
	say("then");
	put(PIECE);
	turns(8);
	/* behind what was there when it was read */
	ck_assert_str_eq(owner.order, "rrrrn");
	say("at once");
	turns(1);
	ck_assert_str_eq(owner.order, "rrrrnn");
}

/* Not for what comes after it. */
TEST(what_is_said_waits_for_no_later_record)
{
	put(2 * PIECE);
	say("then");
	turns(1);
	for (unsigned i = 0; i < 4; i++) {
		put(PIECE);
		turns(1);
	}
	ck_assert_str_eq(owner.order, "rrnrr");
}

TEST(a_machine_that_is_held_is_heard)
{
	owner.takes = full;
	put(10);
	turns(2);
	say("held");
	turns(1);
	ck_assert_str_eq(owner.order, "rn");
	say("again");
	turns(1);
	ck_assert_str_eq(owner.order, "rnn");
}

/* One that talks does not keep the loop. */
TEST(a_turn_hears_so_many_messages)
{
	for (unsigned i = 0; i < 150; i++)
		say("");
	turns(1);
	ck_assert_uint_eq(owner.notices, 64);
	turns(1);
	ck_assert_uint_eq(owner.notices, 128);
	turns(2);
	ck_assert_uint_eq(owner.notices, 150);
	say("");
	turns(1);
	ck_assert_uint_eq(owner.notices, 151);
}

/* More than is read at once. */
TEST(all_that_it_said_before_it_ended_is_heard)
{
	const int room = 200 << 10; /* the kernel doubles it */
	char detail[16000];

	ck_assert_int_eq(setsockopt(theirs.socket, SOL_SOCKET, SO_SNDBUF, &room,
				    sizeof(room)),
			 0);
	memset(detail, 'x', sizeof(detail) - 1);
	detail[sizeof(detail) - 1] = '\0';
	for (unsigned i = 0; i < 20; i++)
		say(detail);
	send_end();
	turns(8);
	ck_assert_uint_eq(owner.notices, 20);
	ck_assert_uint_eq(owner.gone, 1);
}

TEST_TIMES(a_notice_has_a_limit, 2)
{
	static char detail[NOTICE_MAX];
	Pmu__Internal__FromMachine m = PMU__INTERNAL__FROM_MACHINE__INIT;
	Pmu__V1__MachineInfo info = PMU__V1__MACHINE_INFO__INIT;
	size_t n = NOTICE_MAX - 4 - 100;

	m.what_case = PMU__INTERNAL__FROM_MACHINE__WHAT_NOTICE;
	m.notice = &info;
	info.detail = detail;
	memset(detail, 'x', n);
	/* four bytes go ahead of the two parts of a message */
	while (4 + protobuf_c_message_get_packed_size(&m.base) <
	       (size_t)NOTICE_MAX + (size_t)_i)
		detail[n++] = 'x';
	say(detail);
	turns(4);
	ck_assert_uint_eq(owner.notices, !_i);
	ck_assert_uint_eq(theirs.killed, (unsigned)_i);
}

static const struct message_row {
	uint8_t bytes[8];
	size_t len;
	const char *why;
} message_rows[] = {
	{ { 1, 0, 0, 0, 0 }, 5, "it sent a malformed message" },
	{ { 0, 0, 0, 0, 1, 0 }, 6, "it sent a malformed message" },
	{ { 0, 9, 0, 0, 0 }, 5, "it sent a message that is too long" },
};

TEST_ROWS(a_message_that_is_none_ends_it, message_rows)
{
	const struct message_row *row = &message_rows[_i];
	char why[256];

	ck_assert_int_eq(write(theirs.socket, row->bytes, row->len),
			 (ssize_t)row->len);
	turns(2);
	ck_assert_uint_eq(theirs.killed, 1);
	say("it is not heard any more");
	send_end();
	turns(4);
	ck_assert_uint_eq(owner.notices, 0);
	snprintf(why, sizeof(why),
		 "machine process was ended: %s; it was played", row->why);
	ck_assert_str_eq(owner.why, why);
}

TEST(what_cannot_be_read_now_is_read_later)
{
	say("there is no room to read it");
	left = 0;
	turns(1);
	ck_assert(ran_out);
	ck_assert_uint_eq(owner.notices, 0);
	turns(1);
	ck_assert_uint_eq(owner.notices, 1);
}

/* Whichever part of a notice it is that finds no room: no fault of the machine.
 */
TEST_TIMES(a_notice_without_memory_ends_it_and_says_so, 3)
{
	say("there is room to read what it says");
	turns(1);
	say("nobody can hear it");
	left = (unsigned)_i;
	turns(2);
	ck_assert(ran_out);
	ck_assert_uint_eq(theirs.killed, 1);
	send_end();
	turns(4);
	ck_assert_uint_eq(owner.notices, 1);
	ck_assert_str_eq(owner.why,
			 "machine process was ended: pmud has no memory for "
			 "what it sent; it was played");
}

/* Its exit status says more, if it comes. */
TEST_TIMES(one_that_closes_its_socket_is_ended_after_a_while, 2)
{
	shutdown(theirs.socket, SHUT_WR);
	turns(2);
	ck_assert_uint_eq(theirs.killed, 0);
	ck_assert(ev_is_active(&c->exit_late));
	ck_assert(!ev_is_active(&c->socket_in));
	if (_i)
		ev_invoke(loop, &c->exit_late, EV_TIMER);
	ck_assert_uint_eq(theirs.killed, (unsigned)_i);
	send_end();
	turns(3);
	ck_assert(!ev_is_active(&c->exit_late));
	ck_assert_str_eq(owner.why,
			 _i ? "machine process closed its control socket; it "
			      "was played"
			    : "machine process was played");
}

TEST(how_far_it_is_comes_out_of_the_ring)
{
	uint64_t insn, cycle;

	ring_tell(&theirs.ring, 7, 9);
	child_progress(c, &insn, &cycle);
	ck_assert_uint_eq(insn, 7);
	ck_assert_uint_eq(cycle, 9);
}

SUITE("child-words", .setup = child_begin, .teardown = child_fini);
