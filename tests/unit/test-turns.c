/* SPDX-License-Identifier: BSD-2-Clause */
/* daemon/server/turns.c: pieces of work, fair between users and between
 * workers. */
#include "unit.h"

#include "server/turns.h"

enum {
	WORKERS = 100,
	HOURS = 64 /* turns of the loop */
};

struct worker {
	struct turns_worker turn;
	struct turns *turns;
	bool more;	/* asks again, without end */
	unsigned done;	/* pieces */
	size_t bytes;	/* of all of them */
	unsigned order; /* when its first piece was done */
};

static struct ev_loop *loop;
static struct turns *turns;
static struct worker workers[WORKERS];
static unsigned clock_;

static void work(struct turns_worker *t, size_t bytes)
{
	struct worker *w = (struct worker *)t;

	if (!w->done++)
		w->order = ++clock_;
	w->bytes += bytes;
	if (w->more)
		turns_ask(turns, t);
}

static void setup(void)
{
	loop = ev_loop_new(0);
	clock_ = 0;
	ck_assert_int_eq(turns_new(&turns, loop), 0);
	for (size_t i = 0; i < WORKERS; i++)
		workers[i] = (struct worker){ .turn = { .work = work } };
}

static void teardown(void)
{
	turns_free(turns);
	ev_loop_destroy(loop);
}

static void ask(struct worker *w, uid_t user, bool more)
{
	w->turn.user = user;
	w->more = more;
	turns_ask(turns, &w->turn);
}

static void run(unsigned n)
{
	while (n--)
		ev_run(loop, EVRUN_NOWAIT);
}

TEST(work_is_done_once_and_the_loop_sleeps_again)
{
	ask(&workers[0], 1, false);
	ask(&workers[0], 1, false);
	run(3);
	ck_assert_uint_eq(workers[0].done, 1);
	ck_assert_int_eq(ev_run(loop, 0), 0); /* nothing keeps it */
}

TEST(work_that_is_given_up_keeps_no_loop_awake)
{
	ask(&workers[0], 1, true);
	turns_free(turns);
	turns = NULL;
	ck_assert_int_eq(ev_run(loop, 0), 0);
	ck_assert_uint_eq(workers[0].done, 0);
}

TEST(one_piece_for_each_user_in_a_turn)
{
	for (unsigned i = 0; i < 17; i++)
		ask(&workers[i], i < 16 ? 1 : 2, true);
	run(HOURS);
	ck_assert_uint_eq(workers[16].done, HOURS);
	for (unsigned i = 0; i < 16; i++)
		ck_assert_uint_eq(workers[i].done, HOURS / 16);
}

static const struct share_row {
	unsigned users;
	size_t piece;
} share_rows[] = {
	{ 1, TURN_BYTES },
	{ 2, TURN_BYTES / 2 },
	{ 4, TURN_BYTES / 4 },
	{ TURN_USERS_MAX, TURN_BYTES_MIN },
};

TEST_ROWS(a_turn_has_so_many_bytes_for_all, share_rows)
{
	const struct share_row *row = &share_rows[_i];

	for (unsigned i = 0; i < row->users; i++)
		ask(&workers[i], i, false);
	run(1);
	for (unsigned i = 0; i < row->users; i++)
		ck_assert_uint_eq(workers[i].bytes, row->piece);
}

TEST(more_users_than_a_turn_serves_wait_for_the_next)
{
	for (unsigned i = 0; i < WORKERS; i++)
		ask(&workers[i], i, false);
	run(1);
	ck_assert_uint_eq(clock_, TURN_USERS_MAX);
	run(1);
	ck_assert_uint_eq(clock_, WORKERS);
	for (unsigned i = 0; i < WORKERS; i++)
		ck_assert_uint_eq(workers[i].order, i + 1);
}

/* However little else happens. */
TEST(a_loop_is_awake_until_all_is_done)
{
	for (unsigned i = 0; i < WORKERS; i++)
		ask(&workers[i], i, false);
	ck_assert_int_eq(ev_run(loop, 0), 0);
	ck_assert_uint_eq(clock_, WORKERS);
}

TEST(who_leaves_is_not_asked_and_the_queue_goes_on)
{
	for (unsigned first = 0; first < 3; first++) {
		for (unsigned i = 0; i < 3; i++)
			ask(&workers[i], i, false);
		turns_leave(turns, &workers[first].turn);
		turns_leave(turns, &workers[first].turn);
		ask(&workers[3], 3, false);
		run(1);
		for (unsigned i = 0; i < 4; i++) {
			ck_assert_uint_eq(workers[i].done, i != first);
			workers[i].done = 0;
		}
	}
}

SUITE("turns", .setup = setup, .teardown = teardown);
