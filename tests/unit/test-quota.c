/* SPDX-License-Identifier: BSD-2-Clause */
/* daemon/server/quota.c: who has what, who asks, what is answered. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "server/quota.h"

#define MIB (UINT64_C(1) << 20)

static struct quota *q;
static char why[QUOTA_WHY];

/* 64 of all, 16 of one; 16 are kept, one for each. In bytes: 1 for each. */
static const struct quota_limit limits[N_QUOTAS] = {
	[QUOTA_MACHINES] = { 64, 16, 1 },
	[QUOTA_MEMORY] = { 4096 * MIB, 2048 * MIB, 320 * MIB },
	[QUOTA_STORE] = { QUOTA_NONE, 100, 1 },
	[QUOTA_CONNECTIONS] = { 256, 64, 1 },
	[QUOTA_REQUESTS] = { 64 * MIB, 16 * MIB, 4 * MIB },
};

static void setup(void)
{
	ck_assert_int_eq(quota_new(&q, limits), 0);
}

static void teardown(void)
{
	quota_free(q);
}

struct holding {
	uid_t uid;
	uint64_t has;
};

static const struct row {
	const char *name;
	enum quota_kind kind;
	struct holding before[8];
	struct holding asks;
	const char *why; /* part of the refusal; NULL: it is given */
} rows[] = {
	{ "the first gets one", QUOTA_MACHINES, { { 0 } }, { 1, 1 }, NULL },
	{ "root is a user like others",
	  QUOTA_MACHINES,
	  { { 0, 16 } },
	  { 0, 1 },
	  "you have 16 machines, and one user may have 16 machines" },
	{ "one user may have all of his limit",
	  QUOTA_MACHINES,
	  { { 1, 15 } },
	  { 1, 1 },
	  NULL },
	{ "but no more",
	  QUOTA_MACHINES,
	  { { 1, 16 } },
	  { 1, 1 },
	  "(pmud --machines-per-user)" },
	{ "and not at once",
	  QUOTA_MACHINES,
	  { { 0 } },
	  { 1, 17 },
	  "you have 0 machines" },
	{ "the limit of one is not that of another",
	  QUOTA_MACHINES,
	  { { 1, 16 } },
	  { 2, 16 },
	  NULL },
	{ "the last of what is for all",
	  QUOTA_MACHINES,
	  { { 1, 16 }, { 2, 16 }, { 3, 15 } },
	  { 3, 1 },
	  NULL },
	{ "the last quarter is not for one who has something",
	  QUOTA_MACHINES,
	  { { 1, 16 }, { 2, 16 }, { 3, 15 }, { 4, 1 } },
	  { 3, 1 },
	  "you have 15 machines, and what is left is kept for users who have "
	  "none, 1 machine for each (pmud --machines)" },
	{ "not even for one who has little",
	  QUOTA_MACHINES,
	  { { 1, 16 }, { 2, 16 }, { 3, 15 }, { 4, 1 } },
	  { 4, 1 },
	  "you have 1 machine, " },
	{ "who has nothing gets of it",
	  QUOTA_MACHINES,
	  { { 1, 16 }, { 2, 16 }, { 3, 16 } },
	  { 4, 1 },
	  NULL },
	{ "a share and no more",
	  QUOTA_MACHINES,
	  { { 1, 16 }, { 2, 16 }, { 3, 16 } },
	  { 4, 2 },
	  "you have 0 machines" },
	{ "what reaches into it is of it",
	  QUOTA_MACHINES,
	  { { 1, 16 }, { 2, 16 }, { 3, 14 } },
	  { 4, 3 },
	  "kept for users" },
	{ "when all is gone it is gone",
	  QUOTA_MACHINES,
	  { { 1, 16 }, { 2, 16 }, { 3, 16 }, { 4, 0 } },
	  { 5, 65 },
	  "one user may have" },
	{ "sixty-fourths of connections are four",
	  QUOTA_CONNECTIONS,
	  { { 1, 64 }, { 2, 64 }, { 3, 64 }, { 4, 3 } },
	  { 4, 1 },
	  NULL },
	{ "and not five",
	  QUOTA_CONNECTIONS,
	  { { 1, 64 }, { 2, 64 }, { 3, 64 }, { 4, 4 } },
	  { 4, 1 },
	  "kept for users who have none, 4 connections for each" },
	{ "a share is at least of use",
	  QUOTA_MEMORY,
	  { { 1, 2048 * MIB }, { 2, 1024 * MIB } },
	  { 3, 320 * MIB },
	  NULL },
	{ "and no more than that",
	  QUOTA_MEMORY,
	  { { 1, 2048 * MIB }, { 2, 1024 * MIB } },
	  { 3, 321 * MIB },
	  "320 MiB of machines' memory for each" },
	{ "bytes are told as people read them",
	  QUOTA_MEMORY,
	  { { 1, 1536 * MIB } },
	  { 1, 513 * MIB },
	  "you have 1.5 GiB of machines' memory, and one user may have 2 GiB" },
	{ "in the unit of which there is one at least",
	  QUOTA_MEMORY,
	  { { 1, MIB } },
	  { 1, 2048 * MIB },
	  "you have 1 MiB of machines' memory, and one user may have 2 GiB" },
	{ "and else in the one below",
	  QUOTA_MEMORY,
	  { { 1, MIB - 1024 } },
	  { 1, 2048 * MIB },
	  "you have 1023 KiB of machines' memory" },
	{ "a number near the end does not wrap",
	  QUOTA_MEMORY,
	  { { 1, 1 } },
	  { 1, UINT64_MAX },
	  "one user may have" },
	{ "no total: the user's own limit stands",
	  QUOTA_STORE,
	  { { 1, 100 }, { 2, 100 }, { 3, 50 } },
	  { 3, 51 },
	  "(pmud --store-per-user)" },
	{ "no total: nothing is kept",
	  QUOTA_STORE,
	  { { 1, 100 }, { 2, 100 }, { 3, 50 } },
	  { 3, 50 },
	  NULL },
	{ "another kind is another account",
	  QUOTA_CONNECTIONS,
	  { { 1, 64 } },
	  { 2, 1 },
	  NULL },
};

TEST_ROWS(who_has_what_decides_who_gets_more, rows)
{
	const struct row *row = &rows[_i];
	uint64_t had;
	bool given;

	for (size_t i = 0; i < ARRAY_SIZE(row->before); i++) {
		if (row->before[i].has)
			ck_assert_msg(quota_take(q, row->kind,
						 row->before[i].uid,
						 row->before[i].has, why),
				      "%s: %s", row->name, why);
	}
	had = quota_held(q, row->kind, row->asks.uid);
	given = quota_take(q, row->kind, row->asks.uid, row->asks.has, why);
	ck_assert_msg(given == !row->why, "%s: %s", row->name, why);
	if (row->why)
		ck_assert_msg(strstr(why, row->why), "%s: %s", row->name, why);
	ck_assert_uint_eq(quota_held(q, row->kind, row->asks.uid),
			  had + (given ? row->asks.has : 0));
}

/* With all that each may have, sixteen more users still find a machine. */
TEST(users_who_have_nothing_are_never_locked_out_by_few)
{
	for (uid_t uid = 1; uid <= 15; uid++) {
		while (quota_take(q, QUOTA_MACHINES, uid, 1, why))
			;
	}
	for (uid_t uid = 100; uid < 104; uid++)
		ck_assert_msg(quota_take(q, QUOTA_MACHINES, uid, 1, why),
			      "%u: %s", uid, why);
	ck_assert(!quota_take(q, QUOTA_MACHINES, 104, 1, why));
	ck_assert_ptr_nonnull(strstr(why, "given away 64 machines of 64"));
}

TEST(what_is_given_back_is_there_again)
{
	ck_assert(quota_take(q, QUOTA_MACHINES, 1, 16, why));
	ck_assert(quota_take(q, QUOTA_CONNECTIONS, 1, 2, why));
	quota_give(q, QUOTA_MACHINES, 1, 16);
	ck_assert_uint_eq(quota_held(q, QUOTA_MACHINES, 1), 0);
	ck_assert_uint_eq(quota_held(q, QUOTA_CONNECTIONS, 1), 2);
	ck_assert(quota_take(q, QUOTA_MACHINES, 1, 16, why));
	quota_give(q, QUOTA_CONNECTIONS, 1, 2);
	ck_assert_uint_eq(quota_held(q, QUOTA_MACHINES, 1), 16);
	quota_give(q, QUOTA_MACHINES, 1, 15);
	ck_assert_uint_eq(quota_held(q, QUOTA_MACHINES, 1), 1);
}

/* Whichever goes first, the others stay, until there is nothing. */
TEST_TIMES(each_kind_is_given_back_by_itself, N_QUOTAS)
{
	for (int i = 0; i < N_QUOTAS; i++)
		ck_assert(quota_take(q, (enum quota_kind)i, 1, 1, why));
	for (int n = 0; n < N_QUOTAS; n++) {
		quota_give(q, (enum quota_kind)((_i + n) % N_QUOTAS), 1, 1);
		for (int i = 0; i < N_QUOTAS; i++)
			ck_assert_uint_eq(quota_held(q, (enum quota_kind)i, 1),
					  (i - _i + N_QUOTAS) % N_QUOTAS > n);
	}
}

/* What no option says is a number alone. */
TEST(a_limit_without_an_option_names_none)
{
	ck_assert(quota_take(q, QUOTA_REQUESTS, 1, 16 * MIB, why));
	ck_assert(!quota_take(q, QUOTA_REQUESTS, 1, 1, why));
	ck_assert_str_eq(why, "you have 16 MiB of waiting requests, and one "
			      "user may have 16 MiB of waiting requests");
}

TEST(nothing_costs_nothing)
{
	ck_assert(quota_take(q, QUOTA_MACHINES, 1, 0, why));
	quota_give(q, QUOTA_MACHINES, 1, 0);
	ck_assert_uint_eq(quota_held(q, QUOTA_MACHINES, 1), 0);
}

static const struct share_row {
	struct quota_limit limit;
	uint64_t share;
} share_rows[] = {
	{ { 64, 16, 1 }, 1 }, { { 640, 64, 1 }, 10 }, { { 256, 64, 8 }, 8 },
	{ { 8, 8, 1 }, 1 },   { { 3, 3, 1 }, 0 },     { { 100, 100, 50 }, 25 },
};

/* The others have all that is not kept: what is left is given out in shares. */
TEST_ROWS(a_share_is_a_sixty_fourth_of_use_and_no_more_than_is_kept, share_rows)
{
	const struct share_row *row = &share_rows[_i];
	struct quota_limit of_all[N_QUOTAS] = { 0 };
	uint64_t others = row->limit.total - row->limit.total / 4;
	struct quota *of;

	of_all[QUOTA_MACHINES] = row->limit;
	of_all[QUOTA_MACHINES].per_user = QUOTA_NONE;
	ck_assert_int_eq(quota_new(&of, of_all), 0);
	ck_assert_msg(quota_take(of, QUOTA_MACHINES, 1, others, why), "%s",
		      why);
	ck_assert(!quota_take(of, QUOTA_MACHINES, 2, row->share + 1, why));
	ck_assert_msg(quota_take(of, QUOTA_MACHINES, 2, row->share, why), "%s",
		      why);
	quota_free(of);
}

TEST(the_greatest_unit_is_the_last)
{
	struct quota_limit of_all[N_QUOTAS] = { 0 };
	struct quota *of;

	of_all[QUOTA_STORE].per_user = (uint64_t)2048 << 40;
	of_all[QUOTA_STORE].total = QUOTA_NONE;
	ck_assert_int_eq(quota_new(&of, of_all), 0);
	ck_assert(!quota_take(of, QUOTA_STORE, 1, UINT64_MAX, why));
	ck_assert_msg(strstr(why, "2048 TiB"), "%s", why);
	quota_free(of);
}

SUITE("quota", .setup = setup, .teardown = teardown);
