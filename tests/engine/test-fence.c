/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which code is void, and when: pages that were written and hold code, from the
 * fence.i on, wherever a run ends.
 */
#include <stdlib.h>
#include <string.h>

#include "../unit/unit.h"
#include "asm.h"
#include "engine/unicorn/adapter.h"
#include "rig.h"

enum {
	PATCH = 4,  /* page that is called */
	ALIAS = 40, /* the same page of RAM */
	R_PATCH = 5,
	R_WRITE = 6,
	R_WORD = 7,
};

static const uint32_t callee[] = { ADDI(10, 10, 1), JALR(0, 1, 0) };

static void put_callee(struct rig *r)
{
	rig_code(r, PATCH, callee, ARRAY_SIZE(callee));
	r->page[ALIAS].to = PATCH;
	rig_set_x(r, R_PATCH, RIG_AT(PATCH));
	rig_set_x(r, R_WRITE, RIG_AT(ALIAS));
	rig_set_x(r, R_WORD, ADDI(10, 10, 100));
}

/* A write of the host's beside the one page that holds code. */
static const struct written_row {
	const char *why;
	int64_t at; /* from the page's start */
	uint64_t size;
	bool due;
} written_rows[] = {
	{ "the byte before", -1, 1, false },
	{ "from the byte before into it", -1, 2, true },
	{ "its first byte", 0, 1, true },
	{ "its last byte", RIG_PAGE - 1, 1, true },
	{ "the byte behind", RIG_PAGE, 1, false },
	{ "the page before", -RIG_PAGE, RIG_PAGE, false },
	{ "from a page before to its first byte", -RIG_PAGE, RIG_PAGE + 1,
	  true },
	{ "from two pages before", -RIG_PAGE - 5, RIG_PAGE + 6, true },
	{ "nothing, where it starts", 0, 0, false },
	{ "where no RAM is, up to it", -(PATCH + 1) * RIG_PAGE,
	  (PATCH + 1) * RIG_PAGE, false },
	{ "where no RAM is, and all of it", -(PATCH + 1) * RIG_PAGE,
	  (PATCH + 2) * RIG_PAGE, true },
};

TEST_TIMES(only_code_that_was_written_is_void,
	   ARRAY_SIZE(written_rows) * RIG_KINDS)
{
	static const uint32_t call[] = { EBREAK };
	const struct written_row *row = &written_rows[_i / RIG_KINDS];
	struct rig *r = rig_pick((unsigned)_i);

	rig_code(r, PATCH, call, ARRAY_SIZE(call));
	ck_assert_int_eq(rig_run(r, RIG_AT(PATCH)), ENGINE_STOP_HOST);
	ck_assert(!r->e->fence_due && r->e->n_dirty == 0);
	engine_ram_written(r->e, RIG_RAM + PATCH * RIG_PAGE + (uint64_t)row->at,
			   row->size);
	ck_assert_msg(r->e->fence_due == row->due, "%s", row->why);
	ck_assert_uint_eq(r->e->n_dirty, row->due);
	/* once is enough */
	engine_ram_written(r->e, RIG_RAM + PATCH * RIG_PAGE + (uint64_t)row->at,
			   row->size);
	ck_assert_uint_eq(r->e->n_dirty, row->due);
	ck_assert_int_eq(rig_run(r, RIG_AT(PATCH)), ENGINE_STOP_HOST);
	ck_assert(!r->e->fence_due && r->e->n_dirty == 0);
}

TEST_TIMES(a_fence_i_without_a_page_to_clean_costs_nothing, RIG_KINDS)
{
	static const uint32_t code[] = { SW(0, R_WRITE, 0), FENCE_I, NOP,
					 EBREAK };
	struct rig *r = rig_pick((unsigned)_i);
	uint64_t serial;

	rig_code(r, 0, code, ARRAY_SIZE(code));
	rig_set_x(r, R_WRITE, RIG_AT(ALIAS));
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	serial = r->e->serial;
	engine_fence_i(r->e);
	ck_assert(!r->e->fence_due);
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_uint_eq(r->e->serial, serial);
}

/*
 * Cut by a limit anywhere, the last time right behind the fence, and the next
 * run begins with that code in the other regime, whose Unicorn has seen nothing
 * of the store: a fence at the end of a run is not forgotten.
 */
TEST_TIMES(code_is_void_from_the_fence_on_wherever_a_run_ends, 4 * RIG_KINDS)
{
	static const uint32_t code[] = { SW(R_WORD, R_WRITE, 0), FENCE_I,
					 JALR(1, R_PATCH, 0), EBREAK };
	unsigned cut = (unsigned)_i / RIG_KINDS + 1;
	struct rig *r = rig_pick((unsigned)_i);
	bool there = cut == 4;

	put_callee(r);
	rig_code(r, 0, code, ARRAY_SIZE(code));
	rig_code(r, 1, &code[2], 2);
	ck_assert_int_eq(rig_run(r, RIG_AT(1)), ENGINE_STOP_HOST);
	ck_assert_uint_eq(rig_x(r, 10), 1);
	rig_set_x(r, 10, 0);
	rig_open(r);
	r->budget.limit.n[PMU_EV_INSNS] = there ? 2 : cut;
	r->regime = there ? ENGINE_USER : ENGINE_KERNEL;
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_LIMIT);
	rig_open(r);
	r->regime = ENGINE_KERNEL;
	ck_assert_int_eq(rig_run(r, there ? RIG_AT(PATCH) : UINT64_MAX),
			 ENGINE_STOP_HOST);
	ck_assert_msg(rig_x(r, 10) == 100, "%s, cut behind %u: %llu",
		      rig_name(r), cut, (unsigned long long)rig_x(r, 10));
}

/* More pages of code than are remembered one by one: each is looked at. */
TEST_TIMES(much_code_is_written_at_once, RIG_MODES)
{
	enum {
		MANY = 1100
	};
	const uint64_t at = RIG_RAM + RIG_PAGES * RIG_PAGE;
	struct rig *r = rig_new(&rig_modes[_i], 64);
	uint8_t *ram = aligned_alloc(RIG_PAGE, MANY * RIG_PAGE);

	memset(ram, 0, MANY * RIG_PAGE);
	ck_assert_int_eq(engine_map_ram(r->e, at, MANY * RIG_PAGE, ram), 0);
	for (unsigned round = 0; round < 2; round++) {
		for (unsigned i = 0; i < MANY; i++) {
			const uint32_t code[] = {
				ADDI(10, 0, (int)(i + 100 * round)), EBREAK
			};

			memcpy(ram + i * RIG_PAGE, code, sizeof(code));
		}
		engine_ram_written(r->e, at, MANY * RIG_PAGE);
		for (unsigned i = 0; i < MANY; i++) {
			r->page[0].to = RIG_PAGES + i;
			engine_flush_tlb(r->e);
			ck_assert_int_eq(rig_run(r, RIG_BASE),
					 ENGINE_STOP_HOST);
			ck_assert_uint_eq(rig_x(r, 10), i + 100 * round);
		}
	}
	rig_free(r);
	free(ram);
}

SUITE("engine-fence", .test_case = "fence", .timeout = 60,
      .setup_all = rigs_open, .teardown_all = rigs_close);
