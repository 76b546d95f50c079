/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which SC may succeed: one of the size of its LR, or of another one, behind a
 * change of translations; and that one that fails writes nothing. What moves a
 * reservation is looked at in test-state.c.
 */
#include <string.h>

#include "asm.h"
#include "rows.h"

enum {
	DATA = 8,
	OTHER = 9,
	FAR = 1, /* pages of code */
	FIRST = 2,
	R_DATA = 5,
	R_AGAIN = 6,
	R_STORED = 7,
	R_LOADED = 10,
	R_FAILED = 12,
	MAX_CODE = 16,
};

static const uint64_t STORED = UINT64_C(0x0123456789abcdef);

/* Up to three instructions in front of the SC. */
static const struct size_row {
	const char *why;
	uint8_t xlen;
	uint32_t before[3];
	uint32_t sc;
	uint64_t was, is; /* the doubleword */
} size_rows[] = {
	{ "LR.W, SC.W",
	  0,
	  { LR_W(R_LOADED, R_DATA) },
	  SC_W(R_FAILED, R_DATA, R_STORED),
	  UINT64_C(0x1111111122222222),
	  UINT64_C(0x1111111189abcdef) },
	{ "LR.W, SC.W of a negative word",
	  0,
	  { LR_W(R_LOADED, R_DATA) },
	  SC_W(R_FAILED, R_DATA, R_STORED),
	  UINT64_C(0x1111111182222222),
	  UINT64_C(0x1111111189abcdef) },
	{ "a second SC.W",
	  0,
	  { LR_W(R_LOADED, R_DATA), SC_W(R_LOADED, R_DATA, R_AGAIN) },
	  SC_W(R_FAILED, R_DATA, R_STORED),
	  UINT64_C(0x1111111122222222),
	  UINT64_C(0x1111111100000005) },
	{ "LR.D, SC.D",
	  64,
	  { LR_D(R_LOADED, R_DATA) },
	  SC_D(R_FAILED, R_DATA, R_STORED),
	  UINT64_C(0x1111111122222222),
	  UINT64_C(0x0123456789abcdef) },
	{ "LR.D, SC.W, of which the upper half is something",
	  64,
	  { LR_D(R_LOADED, R_DATA) },
	  SC_W(R_FAILED, R_DATA, R_STORED),
	  UINT64_C(0x1111111122222222),
	  UINT64_C(0x1111111122222222) },
	{ "LR.D, SC.W, of which only the upper half is something",
	  64,
	  { LR_D(R_LOADED, R_DATA) },
	  SC_W(R_FAILED, R_DATA, R_STORED),
	  UINT64_C(0x8000000000000000),
	  UINT64_C(0x8000000000000000) },
	{ "LR.D, SC.W, of which the lower half is negative",
	  64,
	  { LR_D(R_LOADED, R_DATA) },
	  SC_W(R_FAILED, R_DATA, R_STORED),
	  UINT64_C(0x82222222),
	  UINT64_C(0x82222222) },
	{ "LR.D, SC.W of a word's sign extension",
	  64,
	  { LR_D(R_LOADED, R_DATA) },
	  SC_W(R_FAILED, R_DATA, R_STORED),
	  UINT64_C(0xffffffff82222222),
	  UINT64_C(0xffffffff89abcdef) },
	{ "LR.D, LR.W, SC.W",
	  64,
	  { LR_D(R_LOADED, R_DATA), LR_W(R_LOADED, R_DATA) },
	  SC_W(R_FAILED, R_DATA, R_STORED),
	  UINT64_C(0x1111111122222222),
	  UINT64_C(0x1111111189abcdef) },
	{ "LR.W, LR.D, SC.W",
	  64,
	  { LR_W(R_LOADED, R_DATA), LR_D(R_LOADED, R_DATA) },
	  SC_W(R_FAILED, R_DATA, R_STORED),
	  UINT64_C(0x1111111122222222),
	  UINT64_C(0x1111111122222222) },
	{ "LR.D, SC.D, SC.W",
	  64,
	  { LR_D(R_LOADED, R_DATA), SC_D(R_LOADED, R_DATA, R_AGAIN) },
	  SC_W(R_FAILED, R_DATA, R_STORED),
	  UINT64_C(0x1111111122222222),
	  5 },
	{ "LR.D, SC.W, SC.W",
	  64,
	  { LR_D(R_LOADED, R_DATA), SC_W(R_LOADED, R_DATA, R_AGAIN) },
	  SC_W(R_FAILED, R_DATA, R_STORED),
	  UINT64_C(0x1111111122222222),
	  UINT64_C(0x1111111122222222) },
	{ "LR.D, SC.W, SC.D",
	  64,
	  { LR_D(R_LOADED, R_DATA), SC_W(R_LOADED, R_DATA, R_AGAIN) },
	  SC_D(R_FAILED, R_DATA, R_STORED),
	  UINT64_C(0x1111111122222222),
	  UINT64_C(0x1111111122222222) },
	{ "LR.D, SC.W, LR.W, SC.W",
	  64,
	  { LR_D(R_LOADED, R_DATA), SC_W(R_LOADED, R_DATA, R_AGAIN),
	    LR_W(R_LOADED, R_DATA) },
	  SC_W(R_FAILED, R_DATA, R_STORED),
	  UINT64_C(0x1111111122222222),
	  UINT64_C(0x1111111189abcdef) },
	{ "LR.W, SC.D of a word's sign extension",
	  64,
	  { LR_W(R_LOADED, R_DATA) },
	  SC_D(R_FAILED, R_DATA, R_STORED),
	  UINT64_C(0x22222222),
	  UINT64_C(0x0123456789abcdef) },
	{ "LR.W, SC.D, of which the upper half is something else",
	  64,
	  { LR_W(R_LOADED, R_DATA) },
	  SC_D(R_FAILED, R_DATA, R_STORED),
	  UINT64_C(0x1111111122222222),
	  UINT64_C(0x1111111122222222) },
};

static uint64_t doubleword(const struct rig *r, unsigned page)
{
	uint64_t value;

	memcpy(&value, r->ram + page * RIG_PAGE, sizeof(value));
	return value;
}

static void put_doubleword(struct rig *r, unsigned page, uint64_t value)
{
	memcpy(r->ram + page * RIG_PAGE, &value, sizeof(value));
}

/* What comes first at page @at, each a block; and the SC far from it. */
static void put_apart(struct rig *r, unsigned at, const uint32_t before[3])
{
	uint32_t code[MAX_CODE];
	unsigned n = 0;

	for (unsigned i = 0; i < 3 && before[i]; i++) {
		code[n++] = before[i];
		code[n++] = JAL(0, 4);
	}
	code[n] = JAL(0, ((int)FAR - (int)at) * RIG_PAGE - 4 * (int)n);
	rig_code(r, at, code, n + 1u);
}

static void put_together(struct rig *r, const struct size_row *row)
{
	uint32_t code[MAX_CODE];
	unsigned n = 0;

	while (n < 3 && row->before[n]) {
		code[n] = row->before[n];
		n++;
	}
	code[n++] = row->sc;
	code[n++] = EBREAK;
	rig_code(r, 0, code, n);
}

static void check(struct rig *r, const struct size_row *row)
{
	rig_set_x(r, R_DATA, RIG_AT(DATA));
	rig_set_x(r, R_AGAIN, 5);
	rig_set_x(r, R_STORED, STORED);
	rig_set_x(r, R_FAILED, 99);
	put_doubleword(r, DATA, row->was);
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_uint_eq(r->exit[r->n_exits - 1].insn, EBREAK);
	ck_assert_msg(doubleword(r, DATA) == row->is, "%s, %s: %#llx", row->why,
		      rig_name(r), (unsigned long long)doubleword(r, DATA));
	ck_assert_msg(rig_x(r, R_FAILED) ==
			      ((uint32_t)row->is != (uint32_t)STORED),
		      "%s, %s: %llu", row->why, rig_name(r),
		      (unsigned long long)rig_x(r, R_FAILED));
}

TEST_RIGS(one_that_fails_writes_nothing, size_rows)
{
	struct rig *r = rig_pick((unsigned)_i % RIG_KINDS);

	put_together(r, &size_rows[_i / RIG_KINDS]);
	check(r, &size_rows[_i / RIG_KINDS]);
}

/* That one may count by itself: what runs it first suits it. */
TEST_RIGS(nor_does_one_in_a_block_of_its_own, size_rows)
{
	const struct size_row *row = &size_rows[_i / RIG_KINDS];
	const bool wide = (row->sc >> 12 & 7) == 3;
	const uint32_t suits[3] = { wide ? LR_D(R_LOADED, R_DATA)
					 : LR_W(R_LOADED, R_DATA) };
	const uint32_t sc[] = { row->sc, EBREAK };
	struct rig *r = rig_pick((unsigned)_i % RIG_KINDS);

	rig_code(r, FAR, sc, ARRAY_SIZE(sc));
	put_apart(r, FIRST, suits);
	put_apart(r, 0, row->before);
	rig_set_x(r, R_DATA, RIG_AT(OTHER));
	for (unsigned i = 0; i < 3; i++) {
		ck_assert_int_eq(rig_run(r, RIG_AT(FIRST)), ENGINE_STOP_HOST);
		ck_assert_uint_eq(rig_x(r, R_FAILED), 0);
	}
	check(r, row);
	check(r, row);
}

static enum engine_next to_the_sc(struct rig *r, const struct engine_exit *exit)
{
	if (exit->kind == ENGINE_EXIT_INSN)
		return ENGINE_STOP;
	engine_set(r->e, r->ctx[0], ENGINE_PC, RIG_AT(FAR));
	return ENGINE_RESUME;
}

/* A block with an LR.W that ends ahead of it: the LR before is what counts. */
TEST_WHERE(what_did_not_run_reserves_nothing, 0, RIG_KINDS,
	   rig_has((unsigned)_i, 64))
{
	static const uint32_t code[] = { LR_D(R_LOADED, R_DATA), JAL(0, 4),
					 LW(R_LOADED, R_AGAIN, 0),
					 LR_W(R_LOADED, R_AGAIN), EBREAK };
	static const uint32_t sc[] = { SC_W(R_FAILED, R_DATA, R_STORED),
				       EBREAK };
	static const uint64_t was = UINT64_C(0x1111111122222222);
	struct rig *r = rig_pick((unsigned)_i);

	rig_code(r, 0, code, ARRAY_SIZE(code));
	rig_code(r, FAR, sc, ARRAY_SIZE(sc));
	put_doubleword(r, DATA, was);
	r->page[OTHER].perms = 0;
	rig_set_x(r, R_DATA, RIG_AT(DATA));
	rig_set_x(r, R_AGAIN, RIG_AT(OTHER));
	r->script = to_the_sc;
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_uint_eq(r->n_exits, 2);
	ck_assert_uint_eq(rig_x(r, R_FAILED), 1);
	ck_assert_uint_eq(doubleword(r, DATA), was);
}

/* What the host does between LR and SC. */
enum between {
	NOTHING,
	FENCE,
	FENCE_OTHER,
	FENCE_ALL,
	SUM_CLEARED,
};

static const struct fence_row {
	const char *why;
	uint8_t xlen;
	enum between between;
	bool fails;
} fence_rows[] = {
	{ "nothing", 0, NOTHING, false },
	{ "a fence of the page", 0, FENCE, true },
	{ "a fence of another page", 0, FENCE_OTHER, true },
	{ "a fence of all", 0, FENCE_ALL, true },
	{ "what only takes rights away", 0, SUM_CLEARED, false },
};

static enum between between;

static void intervene(struct rig *r)
{
	switch (between) {
	case NOTHING:
		break;
	case FENCE:
		engine_fence_page(r->e, RIG_AT(DATA) + 8);
		break;
	case FENCE_OTHER:
		engine_fence_page(r->e, RIG_AT(OTHER + 1));
		break;
	case FENCE_ALL:
		engine_flush_tlb(r->e);
		break;
	case SUM_CLEARED:
		engine_sum_cleared(r->e);
		break;
	}
}

static enum engine_next script(struct rig *r, const struct engine_exit *exit)
{
	if (exit->insn == EBREAK)
		return ENGINE_STOP;
	r->page[DATA].to = OTHER;
	intervene(r);
	rig_retire(r, exit, 0);
	return ENGINE_RESUME;
}

/* The other page holds the same. */
static void check_fence(struct rig *r, const struct fence_row *row)
{
	bool moved = row->between == FENCE || row->between == FENCE_ALL;

	ck_assert_msg(rig_x(r, R_FAILED) == row->fails, "%s, %s", row->why,
		      rig_name(r));
	ck_assert_uint_eq(rig_word(r, OTHER, 0), 0);
	ck_assert_uint_eq(rig_word(r, DATA, 0), row->fails ? 0 : 5);
	rig_run(r, RIG_BASE + 20);
	ck_assert_uint_eq(rig_word(r, OTHER, 0), moved ? 5 : 0);
}

/* The first makes the page one that may be written. */
static const uint32_t fenced[] = { SW(0, R_DATA, 0),
				   LR_W(R_LOADED, R_DATA),
				   ECALL,
				   SC_W(R_FAILED, R_DATA, R_AGAIN),
				   EBREAK,
				   SW(R_AGAIN, R_DATA, 0),
				   EBREAK };

TEST_RIGS(a_reservation_goes_with_its_translation, fence_rows)
{
	const struct fence_row *row = &fence_rows[_i / RIG_KINDS];
	struct rig *r = rig_pick((unsigned)_i % RIG_KINDS);

	rig_code(r, 0, fenced, ARRAY_SIZE(fenced));
	rig_set_x(r, R_DATA, RIG_AT(DATA));
	rig_set_x(r, R_AGAIN, 5);
	between = row->between;
	r->script = script;
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	check_fence(r, row);
}

TEST_RIGS(so_it_does_between_runs, fence_rows)
{
	const struct fence_row *row = &fence_rows[_i / RIG_KINDS];
	struct rig *r = rig_pick((unsigned)_i % RIG_KINDS);

	rig_code(r, 0, fenced, ARRAY_SIZE(fenced));
	rig_set_x(r, R_DATA, RIG_AT(DATA));
	rig_set_x(r, R_AGAIN, 5);
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	between = row->between;
	r->page[DATA].to = OTHER;
	intervene(r);
	ck_assert_int_eq(rig_run(r, RIG_BASE + 12), ENGINE_STOP_HOST);
	check_fence(r, row);
}

SUITE("engine-reservation", .test_case = "reservation", .timeout = 60,
      .setup_all = rigs_open, .teardown_all = rigs_close);
