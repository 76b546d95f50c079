/* SPDX-License-Identifier: BSD-2-Clause */
/* Where chains of callers end: at frames that are none, and at limits. */
#include "chain-fixture.h"

/* Frames of callers that never return, as a row has them in memory. */

static const uint32_t without_frame[MAX_CODE] = {
	0x00000013, /* nop */
	0x00008067, /* ret */
};

static const struct chain_row {
	const char *why;
	uint64_t fp;
	struct {
		uint64_t ra, fp;
	} frame[3]; /* whose fp is AT_FP(0) and so on */
	size_t want;
	Pmu__V1__ChainEnd end;
} chain_rows[] = {
	{ "two more callers, and then no frame",
	  AT_FP(0),
	  { { RETURN(1), AT_FP(1) }, { RETURN(2), 0 } },
	  3,
	  END(BOTTOM) },
	{ "no return address",
	  AT_FP(0),
	  { { RETURN(1), AT_FP(2) }, { 0 }, { 0, AT_FP(0) } },
	  2,
	  END(BOTTOM) },
	{ "no frame at all", 0, { { 0 } }, 1, END(BOTTOM) },
	{ "a frame that is not aligned",
	  AT_FP(0) + 8,
	  { { RETURN(1), 0 } },
	  1,
	  END(BAD_FRAME) },
	{ "a frame below the stack",
	  STACK_TOP - 0x20,
	  { { RETURN(1), 0 } },
	  1,
	  END(BAD_FRAME) },
	{ "a caller's frame below",
	  AT_FP(1),
	  { { RETURN(1), 0 }, { RETURN(1), AT_FP(0) } },
	  2,
	  END(BAD_FRAME) },
	{ "a frame that is its own caller's",
	  AT_FP(0),
	  { { RETURN(1), AT_FP(0) } },
	  2,
	  END(BAD_FRAME) },
	{ "a frame in no RAM",
	  UINT64_C(1) << 40,
	  { { 0 } },
	  1,
	  END(UNREADABLE) },
	{ "an odd return address",
	  AT_FP(0),
	  { { RETURN(1) + 1, 0 } },
	  1,
	  END(BAD_RETURN) },
	{ "a return to no RAM",
	  AT_FP(0),
	  { { 0x1000, 0 } },
	  1,
	  END(BAD_RETURN) },
	{ "a return to the stack",
	  AT_FP(0),
	  { { AT_FP(2), 0 } },
	  1,
	  END(BAD_RETURN) },
	{ "a return to what is no call's",
	  AT_FP(0),
	  { { FUNCTION + 4, 0 } },
	  1,
	  END(BAD_RETURN) },
};

TEST_ROWS(a_chain_goes_as_far_as_it_can, chain_rows)
{
	const struct chain_row *row = &chain_rows[_i];
	const Pmu__V1__Sample *s;
	Pmu__V1__Trace *t;

	put_code(64, without_frame);
	put(BASE + DATA + 8, row->fp, 8);
	for (unsigned i = 0; i < 3; i++)
		put_frame(64, AT_FP(i), row->frame[i].ra, row->frame[i].fp);
	t = sample_all(64);
	s = sample_at(t, 1);
	ck_assert_msg(s->n_callers == row->want && s->chain_end == row->end,
		      "%s: %zu callers, end %d", row->why, s->n_callers,
		      (int)s->chain_end);
	ck_assert_uint_eq(s->n_registers, 32);
	ck_assert_uint_eq(s->registers[8], row->fp);
	ck_assert_uint_eq(s->last_pc, FUNCTION);
	for (size_t i = 0; i < row->want; i++)
		ck_assert_uint_eq(s->callers[i], RETURN(i));
	fixture_free_trace(t);
}

TEST(a_chain_has_a_limit)
{
	const Pmu__V1__Sample *s;
	Pmu__V1__Trace *t;

	put_code(64, without_frame);
	for (unsigned i = 0; i < 200; i++)
		put_frame(64, AT_FP(i), RETURN(1), AT_FP(i + 1));
	t = sample_all(64);
	s = sample_at(t, 1);
	ck_assert_uint_eq(s->n_callers, 127);
	ck_assert_int_eq(s->chain_end, END(LIMIT));
	fixture_free_trace(t);
}

/*
 * Behind each call are so many instructions that a few callers are all that is
 * followed of a sample, and a sample is all that there is in a slice.
 */
enum {
	MANY = 1000, /* and three more */
	FOLLOWED = 16384,
	JUMPS = 1024,  /* that one caller may have */
	SLICE = 50000, /* instructions that a guest may run */
};

static void put_long_callers(void)
{
	static const uint32_t leave[] = { 0x00813083, 0x01010113, 0x00008067 };
	uint64_t at = RETURN(0);

	put_code(64, without_frame);
	for (unsigned i = 0; i < MANY; i++, at += 4)
		put(at, 0x00000013, 4);
	for (unsigned i = 0; i < ARRAY_SIZE(leave); i++, at += 4)
		put(at, leave[i], 4);
	for (uint64_t sp = STACK_TOP; sp < BASE + sizeof(image); sp += 16)
		put(sp + 8, RETURN(0), 8);
}

TEST(what_is_followed_has_a_limit)
{
	const Pmu__V1__Sample *s;
	Pmu__V1__Trace *t;

	put_long_callers();
	t = sample_all(64);
	s = sample_at(t, 1);
	/* the first is the function's, whose instructions are few */
	ck_assert_uint_eq(s->n_callers, 1 + FOLLOWED / (MANY + 5));
	ck_assert_int_eq(s->chain_end, END(LIMIT));
	fixture_free_trace(t);
}

/* Of one caller, with so many jumps on its way that not all are remembered. */
TEST_TIMES(jumps_that_are_remembered_have_a_limit, 2)
{
	static const uint32_t leave[] = { 0x00813083, 0x01010113, 0x00008067,
					  0x000000ef, /* jal ra, . */
					  0x0000006f };
	const unsigned jumps = _i ? JUMPS + 1 : JUMPS;
	uint64_t at = RETURN(0);
	const Pmu__V1__Sample *s;
	Pmu__V1__Trace *t;

	put_code(64, without_frame);
	for (unsigned i = 0; i < jumps; i++, at += 4)
		put(at, 0x0040006f, 4); /* j .+4 */
	for (unsigned i = 0; i < ARRAY_SIZE(leave); i++, at += 4)
		put(at, leave[i], 4);
	put(STACK_TOP + 8, at - 4, 8); /* behind the call */
	t = sample_all(64);
	s = sample_at(t, 1);
	ck_assert_msg(s->n_callers == (_i ? 1 : 2) &&
			      s->chain_end ==
				      (_i ? END(NO_RETURN) : END(BOTTOM)),
		      "%zu callers, end %d", s->n_callers, (int)s->chain_end);
	fixture_free_trace(t);
}

static size_t n_samples(const Pmu__V1__Trace *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n_records; i++)
		n += t->records[i]->kind_case == PMU__V1__RECORD__KIND_SAMPLE;
	return n;
}

TEST(what_is_followed_is_of_the_slice)
{
	Pmu__V1__Trace *t;

	put_long_callers();
	sampled_machine(64);
	fixture_run(&f, SLICE, 1);
	t = fixture_trace(&f);
	/* up to the instruction that loads ra, from which there are callers */
	ck_assert_uint_eq(n_samples(t), PREFACE - 1);
	fixture_free_trace(t);
}

/* sd t0, ld t1: of a word above sp */
static uint32_t store_t0(unsigned at)
{
	return (at >> 5) << 25 | 5u << 20 | 2u << 15 | 3u << 12 |
	       (at & 31) << 7 | 0x23;
}

static uint32_t load_t1(unsigned at)
{
	return at << 20 | 2u << 15 | 3u << 12 | 6u << 7 | 0x03;
}

/*
 * A way remembers so many words that it stores. Of one more, which has an
 * address to return to before, it is not known what is loaded.
 */
TEST(what_is_stored_beyond_the_limit_is_not_known)
{
	enum {
		STORED = 32
	};
	const Pmu__V1__Sample *s;
	uint64_t at = FUNCTION;
	Pmu__V1__Trace *t;

	put_code(64, without_frame);
	/* the first has been executed when it is sampled */
	for (unsigned i = 0; i <= STORED + 1; i++, at += 4)
		put(at, store_t0(8 * i), 4);
	put(at, load_t1(8 * (STORED + 1)), 4);
	put(at + 4, 0x00030067, 4); /* jr t1 */
	put(STACK_TOP + 8 * (STORED + 1), RETURN(0), 8);
	t = sample_all(64);
	s = sample_at(t, 1);
	ck_assert_uint_eq(s->n_callers, 0);
	ck_assert_int_eq(s->chain_end, END(NO_RETURN));
	fixture_free_trace(t);
}

SUITE("chain-limits", .setup = setup, .teardown = teardown);
