/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is known of a page stays known until it is dropped, whatever becomes of
 * the TLBs, and begins with the access that executes: a guest that owes a fence
 * sees the same in every mode.
 */
#include <string.h>

#include "asm.h"
#include "engine/unicorn/adapter.h"
#include "rig.h"
#include "rows.h"

enum {
	DATA = 8,
	MOVED = 30,
	NEXT = 1,
	R_DATA = 5,
};

static const struct between_row {
	const char *why;
	bool flush, other_space, looks_on, fence_i;
	uint64_t want; /* where it was: 1 */
	uint8_t xlen;
} between_rows[] = {
	{ .why = "nothing", .want = 1 },
	{ .why = "a watchpoint is set", .looks_on = true, .want = 1 },
	{ .why = "another mode runs", .other_space = true, .want = 1 },
	{ .why = "code is removed", .fence_i = true, .want = 1 },
	{ .why = "all is dropped", .flush = true, .want = 2 },
};

static void put_data(struct rig *r)
{
	const uint32_t code[] = { LW(10, R_DATA, 0), SW(10, R_DATA, 4),
				  EBREAK };
	const uint32_t was = 1, is = 2;

	rig_code(r, 0, code, ARRAY_SIZE(code));
	memcpy(r->ram + DATA * RIG_PAGE, &was, sizeof(was));
	memcpy(r->ram + MOVED * RIG_PAGE, &is, sizeof(is));
	rig_set_x(r, R_DATA, RIG_AT(DATA));
}

static void come_between(struct rig *r, const struct between_row *row)
{
	if (row->flush)
		engine_flush_tlb(r->e);
	if (row->looks_on)
		engine_watched_changed(r->e);
	if (row->fence_i) {
		engine_ram_written(r->e, RIG_RAM, 4);
		engine_fence_i(r->e);
	}
	if (!row->other_space)
		return;
	r->regime = ENGINE_USER;
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_uint_eq(rig_x(r, 10), 2);
	r->regime = ENGINE_KERNEL;
}

TEST_RIGS(a_page_is_where_it_was_until_all_is_dropped, between_rows)
{
	const struct between_row *row = &between_rows[_i / RIG_KINDS];
	struct rig *r = rig_pick((unsigned)_i);

	put_data(r);
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_uint_eq(rig_x(r, 10), 1);
	r->page[DATA].to = MOVED;
	r->page[DATA].accessed = r->page[DATA].dirty = false;
	come_between(r, row);
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_msg(rig_x(r, 10) == row->want, "%s", row->why);
	ck_assert_msg(rig_word(r, row->want == 1 ? DATA : MOVED, 4) ==
			      row->want,
		      "%s: stored elsewhere", row->why);
	/* without a walk no bit is set */
	ck_assert(r->page[DATA].accessed == (row->flush || row->other_space));
}

/* Another hart knows nothing of it, and what it knew is gone with it. */
TEST_TIMES(a_hart_walks_anew_when_another_one_ran, RIG_KINDS)
{
	struct engine_leaf leaf;
	struct rig *r = rig_pick((unsigned)_i);
	size_t at = 0;

	put_data(r);
	for (unsigned i = 0; i < 4; i++) {
		r->cur = i % 2;
		r->page[DATA].to = i % 2 ? MOVED : DATA;
		rig_set_x(r, R_DATA, RIG_AT(DATA));
		ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
		ck_assert_uint_eq(rig_x(r, 10), i % 2 + 1);
	}
	/* as the one that ran last says */
	ck_assert(!engine_give_leaf(r->e, r->ctx[0], &at, &leaf));
	ck_assert_uint_eq(at, 0);
	ck_assert(engine_give_leaf(r->e, r->ctx[1], &at, &leaf));
	ck_assert_uint_gt(at, 0);
}

static enum engine_next other_mode(struct rig *r,
				   const struct engine_exit *exit)
{
	if (exit->insn == EBREAK)
		return ENGINE_STOP;
	r->regime = r->regime == ENGINE_KERNEL ? ENGINE_USER : ENGINE_KERNEL;
	engine_set_space(r->e, (uint8_t)r->regime, (uint8_t)r->regime);
	rig_retire(r, exit, 0);
	return ENGINE_RESUME;
}

/* The host changes the mode in an exit, as often as it wants. */
TEST_TIMES(another_mode_begins_inside_a_run, RIG_KINDS)
{
	static const uint32_t code[] = {
		LW(10, R_DATA, 0), CSRRS(0, PMU_CSR_MSTATUS, 0),
		LW(11, R_DATA, 0), CSRRS(0, PMU_CSR_MSTATUS, 0),
		LW(12, R_DATA, 0), EBREAK,
	};
	struct rig *r = rig_pick((unsigned)_i);

	put_data(r);
	rig_code(r, 0, code, ARRAY_SIZE(code));
	r->page[DATA].user = MOVED - DATA;
	r->script = other_mode;
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_uint_eq(rig_x(r, 10), 1);
	ck_assert_uint_eq(rig_x(r, 11), 2);
	ck_assert_uint_eq(rig_x(r, 12), 1);
}

/* When there is no room for one more all are forgotten, and nothing else. */
TEST_TIMES(a_full_table_begins_anew, RIG_KINDS)
{
	struct rig *r = rig_pick((unsigned)_i);

	put_data(r);
	r->e->leaves.n = LEAF_MAX;
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_uint_eq(rig_x(r, 10), 1);
	ck_assert_uint_eq(r->e->leaves.n, 2);
	ck_assert_uint_eq(r->budget.done.n[PMU_EV_INSNS], 2);
	r->page[DATA].to = MOVED;
	r->e->leaves.n = LEAF_MAX;
	/* full, but nothing has to be walked */
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_uint_eq(rig_x(r, 10), 1);
}

/* What it is given it goes by, without a walk. */
TEST_TIMES(a_hart_goes_by_the_leaves_it_was_given, RIG_KINDS)
{
	struct engine_leaf leaf[4];
	struct rig *r = rig_pick((unsigned)_i);
	size_t at = 0, n = 0;

	put_data(r);
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	while (n < 4 && engine_give_leaf(r->e, r->ctx[0], &at, &leaf[n]))
		n++;
	ck_assert_uint_eq(n, 2);
	engine_flush_tlb(r->e);
	r->page[DATA].to = MOVED;
	r->cur = 1;
	rig_set_x(r, R_DATA, RIG_AT(DATA));
	for (size_t i = 0; i < n; i++)
		engine_take_leaf(r->e, r->ctx[1], &leaf[i]);
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_uint_eq(rig_x(r, 10), 1);
}

static const struct fence_row {
	const char *why;
	uint64_t at;  /* fenced, beside the page of data */
	uint8_t bits; /* of the leaf that maps it */
	bool dropped;
	uint8_t xlen;
} fence_rows[] = {
	{ .why = "its first byte", .dropped = true },
	{ .why = "its last byte", .at = RIG_PAGE - 1, .dropped = true },
	{ .why = "the page before", .at = (uint64_t)-1 },
	{ .why = "the page behind", .at = RIG_PAGE },
	{ .why = "another page of 64 KiB",
	  .at = 7 * RIG_PAGE,
	  .bits = 16,
	  .dropped = true },
	{ .why = "another page of 64 KiB, which begin before",
	  .at = -8 * (uint64_t)RIG_PAGE,
	  .bits = 16,
	  .dropped = true },
	{ .why = "behind the 64 KiB", .at = 8 * RIG_PAGE, .bits = 16 },
	{ .why = "before the 64 KiB",
	  .at = -9 * (uint64_t)RIG_PAGE,
	  .bits = 16 },
	{ .why = "another page of 2 MiB",
	  .at = 400 * RIG_PAGE,
	  .bits = 21,
	  .dropped = true },
	{ .why = "a page with the same low bits",
	  .at = UINT64_C(1) << 32,
	  .xlen = 64 },
	{ .why = "the same page, beyond what there is",
	  .at = UINT64_C(1) << 32,
	  .dropped = true,
	  .xlen = 32 },
};

/* In both regimes, and after a miss of the fence as well. */
TEST_RIGS(a_fence_drops_the_pages_of_its_leaf, fence_rows)
{
	const struct fence_row *row = &fence_rows[_i / RIG_KINDS];
	struct rig *r = rig_pick((unsigned)_i);

	put_data(r);
	/* nothing that executes: it may go alone (fast/tlb.h) */
	r->page[DATA].perms = PMU_PERM_R | PMU_PERM_W;
	r->page[DATA].leaf_bits = row->bits;
	for (unsigned i = 0; i < 2; i++) {
		ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
		ck_assert_uint_eq(rig_x(r, 10), 1);
		r->regime = i ? ENGINE_KERNEL : ENGINE_USER;
	}
	r->page[DATA].to = MOVED;
	engine_fence_page(r->e, RIG_AT(DATA) + row->at);
	for (unsigned i = 0; i < 2; i++) {
		ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
		ck_assert_msg(rig_x(r, 10) == (row->dropped ? 2 : 1), "%s",
			      row->why);
		r->regime = i ? ENGINE_KERNEL : ENGINE_USER;
	}
	engine_fence_page(r->e, RIG_AT(DATA));
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_msg(rig_x(r, 10) == 2, "%s: by its own fence", row->why);
}

static const struct sum_row {
	const char *why;
	unsigned pages; /* that hold by SUM, from DATA on */
	uint8_t xlen;	/* 0: both */
} sum_rows[] = {
	{ .why = "none holds by it" },
	{ .why = "one does", .pages = 1 },
	{ .why = "as many as are emptied one by one", .pages = 32 },
	{ .why = "more", .pages = 33 },
};

/* The page that holds by it is walked anew, and no other. */
TEST_RIGS(what_holds_by_sum_goes_with_it, sum_rows)
{
	const uint32_t one = 1;
	const uint32_t code[] = { LW(10, R_DATA, 0), ADD(R_DATA, R_DATA, 11),
				  EBREAK };
	const struct sum_row *row = &sum_rows[_i / RIG_KINDS];
	struct rig *r = rig_pick((unsigned)_i);

	put_data(r);
	rig_code(r, 0, code, ARRAY_SIZE(code));
	rig_set_x(r, 11, RIG_PAGE);
	for (unsigned i = 0; i < 40; i++) {
		memcpy(r->ram + (DATA + i) * RIG_PAGE, &one, sizeof(one));
		r->page[DATA + i].perms = PMU_PERM_R | PMU_PERM_W;
		r->page[DATA + i].by_sum = i < row->pages;
		ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
		ck_assert_uint_eq(rig_x(r, 10), 1);
	}
	for (unsigned i = 0; i < 40; i++)
		r->page[DATA + i].perms = 0;
	engine_sum_cleared(r->e);
	r->n_exits = 0;
	for (unsigned i = 0; i < 40; i++) {
		rig_set_x(r, R_DATA, RIG_AT(DATA + i));
		ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
		ck_assert_msg((r->exit[r->n_exits - 1].kind ==
			       ENGINE_EXIT_FAULT) == (i < row->pages),
			      "%s: page %u", row->why, i);
	}
}

/* What is fetched, too, and by a page of the same leaf as well. */
TEST_TIMES(a_fence_drops_code, RIG_KINDS)
{
	const uint32_t old[] = { ADDI(10, 0, 1), EBREAK };
	const uint32_t new[] = { LW(10, R_DATA, 0), EBREAK };
	const uint32_t two = 2;
	struct rig *r = rig_pick((unsigned)_i);

	rig_code(r, NEXT, old, ARRAY_SIZE(old));
	rig_code(r, MOVED, new, ARRAY_SIZE(new));
	memcpy(r->ram + DATA * RIG_PAGE, &two, sizeof(two));
	rig_set_x(r, R_DATA, RIG_AT(DATA));
	ck_assert_int_eq(rig_run(r, RIG_AT(NEXT)), ENGINE_STOP_HOST);
	ck_assert_uint_eq(rig_x(r, 10), 1);
	r->page[NEXT].to = MOVED;
	engine_fence_page(r->e, RIG_AT(NEXT + 1));
	ck_assert_int_eq(rig_run(r, RIG_AT(NEXT)), ENGINE_STOP_HOST);
	ck_assert_uint_eq(rig_x(r, 10), 1);
	engine_fence_page(r->e, RIG_AT(NEXT));
	rig_open(r);
	ck_assert_int_eq(rig_run(r, RIG_AT(NEXT)), ENGINE_STOP_HOST);
	ck_assert_uint_eq(rig_x(r, 10), 2);
	/* counted as what it is now */
	ck_assert_uint_eq(r->budget.done.n[PMU_EV_LOADS], 1);
}

TEST_TIMES(a_right_that_was_missing_moves_the_whole_page, RIG_KINDS)
{
	struct rig *r = rig_pick((unsigned)_i);

	put_data(r);
	r->page[DATA].perms = PMU_PERM_R;
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_uint_eq(r->exit[0].cause, PMU_CAUSE_STORE_PAGE);
	/* the store walks anew, and loads go where it went */
	r->page[DATA].perms = PMU_PERM_R | PMU_PERM_W;
	r->page[DATA].to = MOVED;
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_uint_eq(rig_x(r, 10), 1);
	ck_assert_uint_eq(rig_word(r, MOVED, 4), 1);
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_uint_eq(rig_x(r, 10), 2);
}

/* The boundary is the page's: nothing is fetched beyond it before its turn. */
TEST_TIMES(a_page_behind_a_limit_is_not_accessed, 2 * RIG_KINDS)
{
	const uint32_t code[] = { NOP, NOP, NOP, EBREAK };
	struct rig *r = rig_pick((unsigned)_i);
	bool soft = _i >= RIG_KINDS;

	memcpy(r->ram + RIG_PAGE - 8, code, sizeof(code));
	engine_ram_written(r->e, RIG_RAM, 2 * RIG_PAGE);
	if (soft)
		r->budget.soft = 2;
	else
		r->budget.limit.n[PMU_EV_INSNS] = 2;
	ck_assert_int_eq(rig_run(r, RIG_AT(NEXT) - 8),
			 soft ? ENGINE_STOP_SOFT : ENGINE_STOP_LIMIT);
	ck_assert_uint_eq(rig_pc(r), RIG_AT(NEXT));
	ck_assert_uint_eq(r->budget.done.n[PMU_EV_INSNS], 2);
	ck_assert(!r->page[NEXT].accessed);
	rig_open(r);
	ck_assert_int_eq(rig_run(r, UINT64_MAX), ENGINE_STOP_HOST);
	ck_assert(r->page[NEXT].accessed);
}

/* The second page of an instruction that lies on two, met while translating. */
TEST_TIMES(a_page_met_ahead_is_not_known, RIG_KINDS)
{
	/* nop; c.nop; addi x10, x10, 1 over the end; ebreak */
	const uint32_t code[] = { NOP, PAIR(C_NOP, ADDI(10, 10, 1)),
				  PAIR(ADDI(10, 10, 1) >> 16, EBREAK),
				  EBREAK >> 16 };
	const uint16_t moved = ADDI(10, 10, 2) >> 16;
	struct rig *r = rig_pick((unsigned)_i);

	memcpy(r->ram + RIG_PAGE - 8, code, sizeof(code));
	memcpy(r->ram + MOVED * RIG_PAGE, r->ram + RIG_PAGE, RIG_PAGE);
	memcpy(r->ram + MOVED * RIG_PAGE, &moved, sizeof(moved));
	engine_ram_written(r->e, RIG_RAM, RIG_PAGES * RIG_PAGE);
	r->page[NEXT].accessed = true;
	r->budget.limit.n[PMU_EV_INSNS] = 2;
	ck_assert_int_eq(rig_run(r, RIG_AT(NEXT) - 8), ENGINE_STOP_LIMIT);
	r->page[NEXT].to = MOVED;
	rig_open(r);
	ck_assert_int_eq(rig_run(r, UINT64_MAX), ENGINE_STOP_HOST);
	ck_assert_uint_eq(rig_x(r, 10), 2);
}

SUITE("engine-leaves", .test_case = "leaves", .timeout = 30,
      .setup_all = rigs_open, .teardown_all = rigs_close);
