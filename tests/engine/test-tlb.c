/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What TLBs are spared (fast/tlb.h): that it is on, which fences are of one
 * page only, which translations have nothing to look for, and that each thing
 * which is not as expected leaves it off without a difference. What a guest
 * sees of it is what all other tests of the engine look at.
 */
#include <string.h>

#include "../unit/unit.h"
#include "asm.h"
#include "engine/unicorn/adapter.h"
#include "rig.h"

enum {
	DATA = 8,
	MOVED = 30,
	R_DATA = 5,
	R_CODE = 6,
	R_WORD = 7,
	RW = PMU_PERM_R | PMU_PERM_W,
};

TEST_TIMES(it_is_on_where_it_is_made_for, 2)
{
	struct engine_config cfg =
		rig_config(ENGINE_AUTO, FAST_AS_IT_IS, _i ? 64 : 32);
	struct rig *r = rig_new_config(&cfg);

	ck_assert_msg(r->e->pages.off == NULL || !rig_is_made_for(),
		      "pages: %s", r->e->pages.off);
	ck_assert_msg(r->e->clean.off == NULL || !rig_is_made_for(),
		      "clean: %s", r->e->clean.off);
	rig_free(r);
}

static const struct off_row {
	enum engine_mode mode;
	bool step_only;
	const char *why;
} off_rows[] = {
	{ ENGINE_PORTABLE, false, "portable is what is wanted" },
	{ ENGINE_AUTO, true, "each instruction is stepped" },
};

TEST_ROWS(the_references_are_without, off_rows)
{
	struct engine_config cfg =
		rig_config(off_rows[_i].mode, FAST_AS_IT_IS, 64);
	struct rig *r;

	cfg.step_only = off_rows[_i].step_only;
	r = rig_new_config(&cfg);
	ck_assert_str_eq(r->e->pages.off, off_rows[_i].why);
	ck_assert_str_eq(r->e->clean.off, off_rows[_i].why);
	ck_assert_uint_eq(r->e->clean.all, 0);
	rig_free(r);
}

/* Loads, writes code behind itself, runs it: each round another word. */
static void put_all(struct rig *r)
{
	const uint32_t code[] = {
		LW(11, R_DATA, 0),
		ADD(12, 12, 11),
		SW(R_WORD, R_CODE, 0),
		JAL(0, 8),
		EBREAK,
		ADDI(10, 10, 1),
		EBREAK,
	};
	const uint32_t was = 1, is = 2;

	rig_code(r, 0, code, ARRAY_SIZE(code));
	memcpy(r->ram + DATA * RIG_PAGE, &was, sizeof(was));
	memcpy(r->ram + MOVED * RIG_PAGE, &is, sizeof(is));
	r->page[DATA].perms = RW;
	rig_set_x(r, R_DATA, RIG_AT(DATA));
	rig_set_x(r, R_CODE, RIG_BASE + 20);
}

static void run_rounds(struct rig *r)
{
	for (unsigned i = 0; i < 40; i++) {
		r->regime = i % 3 ? ENGINE_USER : ENGINE_KERNEL;
		r->page[DATA].to = i % 4 < 2 ? DATA : MOVED;
		if (i % 5)
			engine_fence_page(r->e, RIG_AT(DATA));
		rig_set_x(r, R_WORD, ADDI(10, 10, (int)i));
		ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
		ck_assert_int_eq(rig_run(r, RIG_BASE + 20), ENGINE_STOP_HOST);
	}
}

static const struct spoil_row {
	const char *what, *why;
	enum fast_spoil spoil;
	bool pages; /* else clean */
} spoil_rows[] = {
	{ "another page is emptied", "a page is not emptied alone",
	  FAST_SPOIL_PAGE, true },
	{ "code that is written is not looked for",
	  "a write to code is not noticed", FAST_SPOIL_CLEAN, false },
};

/* Off, with the reason; and nothing else is different. */
TEST_TIMES(what_is_not_as_expected_is_not_spared,
	   2 * (int)ARRAY_SIZE(spoil_rows))
{
	const struct spoil_row *row = &spoil_rows[_i / 2];
	uint8_t xlen = _i % 2 ? 64 : 32;
	struct engine_config cfg = rig_config(ENGINE_AUTO, row->spoil, xlen);
	struct engine_config plain =
		rig_config(ENGINE_PORTABLE, FAST_AS_IT_IS, xlen);
	struct rig *r = rig_new_config(&cfg), *want = rig_new_config(&plain);
	const char *off = row->pages ? r->e->pages.off : r->e->clean.off;

	ck_assert_msg(off != NULL, "%s", row->what);
	ck_assert_msg(strcmp(off, row->why) == 0 || !rig_is_made_for(),
		      "%s: %s", row->what, off);
	put_all(r);
	run_rounds(r);
	put_all(want);
	run_rounds(want);
	ck_assert_uint_eq(rig_x(r, 10), rig_x(want, 10));
	ck_assert_uint_eq(rig_x(r, 12), rig_x(want, 12));
	rig_free(r);
	rig_free(want);
}

TEST_ROWS(fast_is_not_had_without, spoil_rows)
{
	static const struct engine_host_ops none;
	struct engine_config cfg =
		rig_config(ENGINE_FAST, spoil_rows[_i].spoil, 64);
	struct engine *e;

	ck_assert_int_eq(engine_new(&e, &cfg, &none, NULL), -ENGINE_ESELFTEST);
	ck_assert_msg(strstr(engine_error(e), spoil_rows[_i].why) != NULL ||
			      !rig_is_made_for(),
		      "%s: %s", spoil_rows[_i].what, engine_error(e));
	engine_free(e);
}

/* Which fences there are, and which of them are of one page only. */
static const struct fence_row {
	const char *why;
	uint64_t at; /* from the page of data */
	uint8_t perms, bits;
	uint64_t all, taken;
} fence_rows[] = {
	{ "data", 0, RW, 0, 1, 1 },
	{ "its last byte", RIG_PAGE - 1, RW, 0, 1, 1 },
	{ "data that may be executed", 0, RW | PMU_PERM_X, 0, 1, 0 },
	{ "a page that nobody knows", RIG_PAGE, RW, 0, 0, 0 },
	{ "another page of a superpage", 7 * RIG_PAGE, RW, 16, 1, 0 },
};

TEST_WHERE(a_fence_of_data_is_of_one_page, 0, (int)ARRAY_SIZE(fence_rows),
	   rig_is_made_for())
{
	const struct fence_row *row = &fence_rows[_i];
	struct engine_config cfg = rig_config(ENGINE_AUTO, FAST_AS_IT_IS, 64);
	struct rig *r = rig_new_config(&cfg);
	uint64_t epoch;

	put_all(r);
	r->page[DATA].perms = row->perms;
	r->page[DATA].leaf_bits = row->bits;
	rig_set_x(r, R_WORD, ADDI(10, 10, 1));
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	epoch = r->e->serial;
	engine_fence_page(r->e, RIG_AT(DATA) + row->at);
	ck_assert_msg(r->e->pages.all == row->all, "%s", row->why);
	ck_assert_msg(r->e->pages.taken == row->taken, "%s", row->why);
	ck_assert_msg((r->e->serial == epoch) == (row->all == row->taken),
		      "%s: what was emptied", row->why);
	rig_free(r);
}

/* Behind each a page of code and one of data are filled: two go alone. */
static void fence_nine_times(struct rig *r)
{
	for (unsigned i = 0; i < 9; i++) {
		ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
		engine_fence_page(r->e, RIG_AT(DATA));
	}
	ck_assert_uint_eq(r->e->pages.all, 9);
	ck_assert_uint_eq(r->e->pages.taken, 6);
}

/*
 * No more alone than places were filled, here two of code and data: or
 * Unicorn's count of its entries could fall below 0.
 */
TEST_WHERE(what_goes_alone_was_filled, 0, 2, rig_is_made_for())
{
	struct engine_config cfg =
		rig_config(ENGINE_AUTO, FAST_AS_IT_IS, _i ? 64 : 32);
	const uint32_t code[] = { LW(11, R_DATA, 0), EBREAK };
	struct rig *r = rig_new_config(&cfg);

	put_all(r);
	rig_code(r, 0, code, ARRAY_SIZE(code));
	fence_nine_times(r);
	rig_free(r);
}

/* What another TLB of the slot was filled with is none of it. */
TEST_WHERE(what_goes_alone_was_filled_there, 0, 2, rig_is_made_for())
{
	struct engine_config cfg =
		rig_config(ENGINE_AUTO, FAST_AS_IT_IS, _i ? 64 : 32);
	const uint32_t code[] = { LW(11, R_DATA, 0), EBREAK };
	struct rig *r;

	cfg.engines = 1;
	r = rig_new_config(&cfg);
	put_all(r);
	rig_code(r, 0, code, ARRAY_SIZE(code));
	for (unsigned i = 0; i < 20; i++) {
		rig_set_x(r, R_DATA, RIG_AT(DATA + i));
		ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	}
	rig_set_x(r, R_DATA, RIG_AT(DATA));
	r->regime = ENGINE_USER;
	fence_nine_times(r);
	rig_free(r);
}

/* Code that is written has to be looked for, all other has not. */
TEST_WHERE(code_that_nobody_writes_is_clean, 0, 2, rig_is_made_for())
{
	struct engine_config cfg =
		rig_config(ENGINE_AUTO, FAST_AS_IT_IS, _i ? 64 : 32);
	struct rig *r = rig_new_config(&cfg);
	const struct fast_spared *clean = &r->e->clean;

	put_all(r);
	rig_set_x(r, R_CODE, RIG_AT(DATA + 1));
	run_rounds(r);
	ck_assert_uint_gt(clean->all, 1);
	ck_assert_uint_eq(clean->taken, clean->all);
	rig_set_x(r, R_CODE, RIG_BASE + 20);
	run_rounds(r);
	ck_assert_uint_lt(clean->taken + 20, clean->all);
	rig_free(r);
}

/* Its other page may be dirty. */
TEST_WHERE(a_block_on_two_pages_is_looked_for, 0, 2, rig_is_made_for())
{
	const uint32_t code[] = { ADDI(10, 10, 1), EBREAK };
	struct engine_config cfg =
		rig_config(ENGINE_AUTO, FAST_AS_IT_IS, _i ? 64 : 32);
	struct rig *r = rig_new_config(&cfg);
	uint64_t pc = RIG_AT(1) - 2;

	memcpy(r->ram + RIG_PAGE - 2, code, sizeof(code));
	engine_ram_written(r->e, RIG_RAM, 2 * RIG_PAGE);
	for (unsigned i = 1; i < 3; i++) {
		ck_assert_int_eq(rig_run(r, pc), ENGINE_STOP_HOST);
		ck_assert_uint_eq(rig_x(r, 10), i);
	}
	ck_assert_uint_gt(r->e->clean.all, r->e->clean.taken);
	rig_free(r);
}

SUITE("engine-tlb", .test_case = "tlb", .timeout = 60);
