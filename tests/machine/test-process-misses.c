/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmud-machine asked why caches missed: what answers say of harts, privileges
 * and the last ones. Arguments: the program, then guests.
 */
#include <stdio.h>
#include <string.h>

#include "../unit/unit.h"
#include "guest-image.h"
#include "machine-peer.h"

enum {
	MAX_SUMS = 128,
	MAX_MISSES = 1024,
	N_PRIVILEGES = 5,
};

#define STATE(name) PMU__V1__MACHINE_STATE__MACHINE_STATE_##name
#define EVENT	    "cache-misses"

static const char *program;
static char **paths;
static int n_paths;
static struct guest guest;
static struct peer p;
static unsigned n_harts;

/* An answer that stays. */
struct answer {
	Pmu__V1__MissSum sums[MAX_SUMS];
	Pmu__V1__Miss misses[MAX_MISSES];
	size_t n_sums, n_misses;
};

static struct answer all, some;

/* Which are asked for: bits of harts, and of privileges, from M on. */
struct choice {
	unsigned harts, privileges;
	uint32_t limit;
};

static void setup(void)
{
}

static void teardown(void)
{
	peer_end(&p);
	guest_free(&guest);
}

static void run(const char *path)
{
	char settings[128];
	uint64_t harts = 1;

	guest_read(&guest, path);
	guest_expects(&guest, "harts", &harts);
	n_harts = (unsigned)harts;
	snprintf(settings, sizeof(settings),
		 "xlen=%d max-cycles=300k uarch=small uarch-watch=on "
		 "uarch-explain=1024",
		 guest.rv32 ? 32 : 64);
	peer_start(&p, program);
	ck_assert_uint_eq(peer_configure(&p, n_harts, true, settings), 0);
	ck_assert_uint_eq(peer_load(&p, guest.bytes, guest.size, 0), 0);
	ck_assert_uint_eq(peer_start_machine(&p, false), 0);
	peer_wait_state(&p, STATE(ENDED));
}

static void keep(const Pmu__V1__ExplainMissesResponse *r, struct answer *ret)
{
	ck_assert_uint_le(r->n_sums, MAX_SUMS);
	ck_assert_uint_le(r->n_misses, MAX_MISSES);
	ret->n_sums = r->n_sums;
	ret->n_misses = r->n_misses;
	for (size_t i = 0; i < r->n_sums; i++)
		ret->sums[i] = *r->sums[i];
	for (size_t i = 0; i < r->n_misses; i++)
		ret->misses[i] = *r->misses[i];
}

static void ask(const struct choice *c, struct answer *ret)
{
	Pmu__V1__ExplainMissesRequest q = PMU__V1__EXPLAIN_MISSES_REQUEST__INIT;
	Pmu__V1__Privilege privileges[N_PRIVILEGES];
	uint32_t harts[32];
	const struct peer_reply *r;

	q.event = (char *)EVENT;
	q.harts = harts;
	for (unsigned i = 0; i < n_harts; i++)
		if (c->harts >> i & 1)
			harts[q.n_harts++] = i;
	q.privileges = privileges;
	for (int i = 0; i < N_PRIVILEGES; i++)
		if (c->privileges >> i & 1)
			privileges[q.n_privileges++] =
				(Pmu__V1__Privilege)(PMU__V1__PRIVILEGE__PRIVILEGE_M +
						     i);
	q.limit = c->limit;
	r = peer_call(&p, METHOD_ExplainMisses, &q.base);
	ck_assert_msg(r->code == 0, "%s", r->text);
	keep(r->answer, ret);
}

static bool chosen(const struct choice *c, uint32_t hart,
		   Pmu__V1__Privilege privilege)
{
	return c->harts >> hart & 1 &&
	       c->privileges >> (privilege - PMU__V1__PRIVILEGE__PRIVILEGE_M) &
		       1;
}

static bool same_sum(const Pmu__V1__MissSum *a, const Pmu__V1__MissSum *b)
{
	return a->hart == b->hart && a->privilege == b->privilege &&
	       a->reason == b->reason && a->count == b->count;
}

static bool same_miss(const Pmu__V1__Miss *a, const Pmu__V1__Miss *b)
{
	return a->cycle == b->cycle && a->hart == b->hart &&
	       a->privilege == b->privilege && a->pc == b->pc &&
	       a->access == b->access && a->part == b->part &&
	       a->set == b->set && a->line == b->line &&
	       a->victim == b->victim && a->reason == b->reason;
}

/* Of @all what @c chooses, and of misses the last ones. */
static void check(const struct choice *c)
{
	size_t n = 0, skip = 0;

	ask(c, &some);
	for (size_t i = 0; i < all.n_sums; i++)
		if (chosen(c, all.sums[i].hart, all.sums[i].privilege))
			ck_assert(same_sum(&all.sums[i], &some.sums[n++]));
	ck_assert_uint_eq(n, some.n_sums);
	n = 0;
	for (size_t i = 0; i < all.n_misses; i++)
		n += chosen(c, all.misses[i].hart, all.misses[i].privilege);
	if (c->limit && n > c->limit)
		skip = n - c->limit;
	ck_assert_uint_eq(some.n_misses, n - skip);
	n = 0;
	for (size_t i = 0; i < all.n_misses; i++)
		if (chosen(c, all.misses[i].hart, all.misses[i].privilege) &&
		    n++ >= skip)
			ck_assert(same_miss(&all.misses[i],
					    &some.misses[n - 1 - skip]));
}

TEST_TIMES(answers_are_of_what_was_asked_for, n_paths)
{
	const struct choice everything = { 0, 0, 0 };
	struct choice c;

	run(paths[_i]);
	ask(&everything, &all);
	ck_assert_uint_gt(all.n_misses, 1);
	ck_assert_uint_gt(all.misses[all.n_misses - 1].cycle,
			  all.misses[0].cycle);
	for (c.harts = 1; c.harts < 1u << n_harts; c.harts++)
		for (c.privileges = 1; c.privileges < 32; c.privileges++)
			for (c.limit = 0; c.limit < 5; c.limit += 2)
				check(&c);
}

static uint64_t all_reasons(const Pmu__V1__Total *t)
{
	uint64_t n = 0;

	for (size_t i = 0; i < all.n_sums; i++)
		if (all.sums[i].hart == t->hart &&
		    all.sums[i].privilege == t->privilege)
			n += all.sums[i].count;
	return n;
}

TEST_TIMES(sums_are_those_of_read_totals, n_paths)
{
	const struct choice everything = { 0, 0, 0 };
	Pmu__V1__ReadTotalsRequest q = PMU__V1__READ_TOTALS_REQUEST__INIT;
	const Pmu__V1__ReadTotalsResponse *r;
	unsigned found = 0;

	run(paths[_i]);
	ask(&everything, &all);
	r = peer_call(&p, METHOD_ReadTotals, &q.base)->answer;
	for (size_t i = 0; i < r->n_totals; i++) {
		if (strcmp(r->totals[i]->event, EVENT) != 0)
			continue;
		ck_assert_uint_eq(all_reasons(r->totals[i]),
				  r->totals[i]->value);
		found++;
	}
	ck_assert_uint_ge(found, n_harts);
}

static void begin(int argc, char **argv)
{
	program = argv[1];
	paths = argv + 2;
	n_paths = argc - 2;
}

SUITE("process-misses", .timeout = 120, .begin = begin, .setup = setup,
      .teardown = teardown);
