/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * control/control-ebb.c: how long a machine that stands for a handler looks for
 * what its client wishes before its process sleeps. Time is the test's, and so
 * are the session and its ring.
 */
#include <string.h>

#include "control/control-inside.h"
#include "control/ebb-rings.h"
#include "unit.h"

enum {
	NOW = 1000000, /* where each row begins */
	AWAKE = 20000, /* ns */
	NEVER = 1000000
};

static struct {
	uint64_t clock[4]; /* what the host's clock says, the last one on */
	unsigned n_clock;
	unsigned wish_at; /* the look that finds a wish, from 1 on */
	unsigned looks, acts;
	bool stands, has_ring, goes_on; /* the session; once it has acted */
	struct ebb_session session;
} s;

uint64_t __wrap_host_now(void);
void __wrap_machine_status(const struct machine *m, struct machine_status *ret);
bool __wrap_ebb_rings_has(const struct ebb_rings *all, uint32_t session);
bool __wrap_ebb_rings_wait(const struct ebb_rings *all, uint32_t session);
uint32_t __wrap_ebb_rings_flush(struct ebb_rings *all);
uint32_t __wrap_ebb_rings_after(const struct ebb_rings *all, uint32_t after);

uint64_t __wrap_host_now(void)
{
	unsigned n = s.n_clock;

	s.n_clock += n + 1 < ARRAY_SIZE(s.clock);
	return s.clock[n];
}

void __wrap_machine_status(const struct machine *m, struct machine_status *ret)
{
	*ret = (struct machine_status){ .ebb = s.stands ? &s.session : NULL };
}

bool __wrap_ebb_rings_has(const struct ebb_rings *all, uint32_t session)
{
	ck_assert_uint_eq(session, s.session.number);
	return s.has_ring;
}

bool __wrap_ebb_rings_wait(const struct ebb_rings *all, uint32_t session)
{
	ck_assert_uint_eq(session, s.session.number);
	return ++s.looks >= s.wish_at;
}

/* The client has not read all: nobody is told that the trace goes on. */
uint32_t __wrap_ebb_rings_flush(struct ebb_rings *all)
{
	s.acts++;
	s.stands = !s.goes_on;
	return s.session.number;
}

uint32_t __wrap_ebb_rings_after(const struct ebb_rings *all, uint32_t after)
{
	return 0;
}

static const struct await_row {
	const char *why;
	unsigned wish_at; /* NEVER: no wish comes */
	uint64_t until;	  /* the slice is over */
	uint64_t clock[4];
	bool has_ring, goes_on;
	unsigned looks, acts;
} await_rows[] = {
	{ "a wish that is there", 1, NOW + 1, { NOW, NOW }, true, true, 1, 1 },
	{ "one that is not the handler's end",
	  1,
	  NOW + 1,
	  { NOW, NOW },
	  true,
	  false,
	  1,
	  1 },
	{ "one that comes",
	  100,
	  NOW + 9,
	  { NOW, NOW + 8 },
	  true,
	  true,
	  100,
	  1 },
	{ "requests have their turn", 1, NOW, { NOW, NOW }, true, true, 0, 0 },
	{ "and had to wait", 1, NOW - 1, { NOW, NOW }, true, true, 0, 0 },
	{ "until the slice is over",
	  NEVER,
	  NOW + 9,
	  { NOW, NOW + 8, NOW + 9 },
	  true,
	  true,
	  1,
	  0 },
	{ "for as long as sleeping costs",
	  NEVER,
	  NOW + 9 * AWAKE,
	  { NOW, NOW + AWAKE - 1, NOW + AWAKE },
	  true,
	  true,
	  1,
	  0 },
	{ "a session without a ring",
	  1,
	  NOW + 9,
	  { NOW, NOW },
	  false,
	  true,
	  0,
	  0 },
};

TEST_ROWS(who_is_awake_is_waited_for_a_little, await_rows)
{
	const struct await_row *row = &await_rows[_i];
	struct control c = { .cfg = NULL };

	memset(&s, 0, sizeof(s));
	memcpy(s.clock, row->clock, sizeof(s.clock));
	s.wish_at = row->wish_at;
	s.stands = true;
	s.has_ring = row->has_ring;
	s.goes_on = row->goes_on;
	s.session.number = 7;
	ck_assert_msg(control_ebb_released(&c, row->until) ==
			      (row->acts && row->goes_on),
		      "%s", row->why);
	ck_assert_msg(s.looks == row->looks, "%s: %u looks", row->why, s.looks);
	ck_assert_msg(s.acts == row->acts, "%s: %u", row->why, s.acts);
}

TEST(a_machine_that_stands_for_nobody_waits_for_nobody)
{
	struct control c = { .cfg = NULL };

	memset(&s, 0, sizeof(s));
	s.has_ring = s.goes_on = true;
	ck_assert(!control_ebb_released(&c, NOW));
	ck_assert_uint_eq(s.looks + s.acts + s.n_clock, 0);
}

SUITE("control-await");
