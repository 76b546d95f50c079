/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * daemon/server without memory: what cannot be made says so and leaves nothing,
 * whichever of its parts it was that found none.
 */
#include <errno.h>
#include <stdlib.h>

#include "server/quota.h"
#include "server/record-intake.h"
#include "server/store.h"
#include "server/supervise.h"
#include "server/turns.h"
#include "unit.h"

/* The how manieth block fails, 0: none. */
static unsigned blocks, fail_block;
static struct ev_loop *loop;

void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);

void *__wrap_calloc(size_t n, size_t size)
{
	return ++blocks == fail_block ? NULL : __real_calloc(n, size);
}

static int make_turns(void)
{
	struct turns *ts = NULL;
	int err = turns_new(&ts, loop);

	turns_free(ts);
	return err;
}

static int make_children(void)
{
	struct children *all = NULL;
	int err = children_new(&all, loop);

	children_free(all);
	return err;
}

static int make_quota(void)
{
	static const struct quota_limit limits[N_QUOTAS];
	struct quota *q = NULL;
	int err = quota_new(&q, limits);

	quota_free(q);
	return err;
}

static int make_intake(void)
{
	struct intake *rs = NULL;
	int err = intake_new(&rs);

	intake_free(rs);
	return err;
}

static int make_store(void)
{
	struct store *s = NULL;
	int err = store_new(&s, P_tmpdir, 1 << 20, NULL);

	store_free(s);
	return err;
}

static const struct maker_row {
	const char *what;
	int (*make)(void);
	unsigned blocks; /* that it has at least */
} maker_rows[] = {
	{ "turns", make_turns, 1 },	   { "a quota", make_quota, 1 },
	{ "processes", make_children, 2 }, { "intake", make_intake, 1 },
	{ "a store", make_store, 1 },
};

TEST_ROWS(what_cannot_be_made_says_so, maker_rows)
{
	const struct maker_row *row = &maker_rows[_i];
	unsigned most = row->blocks;

	loop = ev_loop_new(0);
	for (unsigned n = 0; n <= most; n++) {
		int err;

		blocks = 0;
		fail_block = n;
		err = row->make();
		fail_block = 0;
		ck_assert_msg(err == (n ? -ENOMEM : 0), "%s, block %u: %d",
			      row->what, n, err);
		if (!n)
			most = blocks;
		ck_assert_uint_ge(most, row->blocks);
	}
	ev_loop_destroy(loop);
}

SUITE("server-memory");
