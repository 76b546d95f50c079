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

/*
 * The store runs alone, for fmax in its block, so that the Unicorn with the
 * callee has seen nothing of it; and the limit of another event is nearer than
 * that of instructions.
 */
TEST_TIMES(a_fence_i_holds_whatever_limit_is_near, 2 * RIG_KINDS)
{
	static const uint32_t code[] = {
		FMAX_S(3, 1, 2), SW(R_WORD, R_WRITE, 0), JAL(0, 4),
		FENCE_I,	 JALR(1, R_PATCH, 0),	 EBREAK
	};
	struct rig *r = rig_pick((unsigned)_i);
	uint64_t sum = 0;

	put_callee(r);
	rig_code(r, 0, code, ARRAY_SIZE(code));
	for (int i = 1; i < 10; i++) {
		rig_open(r);
		if (_i >= RIG_KINDS)
			r->budget.limit.n[PMU_EV_LOADS] = 100;
		rig_set_x(r, R_WORD, ADDI(10, 10, i));
		sum += (unsigned)i;
		ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
		ck_assert_msg(rig_x(r, 10) == sum, "%s, round %d", rig_name(r),
			      i);
	}
}

/* @insn over the end of a page, and the end; the same again in page 30. */
static void put_crossing(struct rig *r, uint32_t insn)
{
	static const uint32_t end = EBREAK;
	uint8_t *at = r->ram + (PATCH + 1) * RIG_PAGE - 2;

	memcpy(at, &insn, sizeof(insn));
	memcpy(at + 4, &end, sizeof(end));
	memcpy(r->ram + 30 * RIG_PAGE, r->ram + (PATCH + 1) * RIG_PAGE,
	       RIG_PAGE);
	engine_ram_written(r->e, RIG_RAM, RIG_PAGES * RIG_PAGE);
}

static void put_half(struct rig *r, unsigned page, uint32_t insn)
{
	const uint16_t half = (uint16_t)(insn >> 16);

	memcpy(r->ram + page * RIG_PAGE, &half, sizeof(half));
	engine_ram_written(r->e, RIG_RAM + page * RIG_PAGE, sizeof(half));
}

/* Written, and elsewhere, as a block and one by one. */
TEST_TIMES(the_second_half_of_an_instruction_changes, RIG_KINDS)
{
	struct rig *r = rig_pick((unsigned)_i);
	uint64_t sum = 0;

	put_crossing(r, ADDI(10, 10, 1));
	put_half(r, 30, ADDI(10, 10, 500));
	for (int i = 1; i < 20; i++) {
		bool moved = i % 4 == 3;

		put_half(r, PATCH + 1, ADDI(10, 10, i));
		r->page[PATCH + 1].to = moved ? 30 : PATCH + 1;
		engine_fence_page(r->e, RIG_AT(PATCH + 1));
		ck_assert_int_eq(rig_run(r, RIG_AT(PATCH + 1) - 2),
				 ENGINE_STOP_HOST);
		ck_assert_uint_eq(r->exit[r->n_exits - 1].pc,
				  RIG_AT(PATCH + 1) + 2);
		sum += moved ? 500 : (unsigned)i;
		ck_assert_msg(rig_x(r, 10) == sum, "%s, round %d", rig_name(r),
			      i);
	}
}

/* It can make a load of a store. */
TEST_TIMES(the_second_half_of_an_instruction_counts, RIG_KINDS)
{
	static const struct {
		uint32_t insn;
		uint64_t loads, stores;
	} rows[] = {
		{ AMOADD_W(10, R_WRITE, R_WORD), 1, 1 },
		{ LR_W(10, R_WRITE), 1, 0 },
		{ SC_W(10, R_WRITE, R_WORD), 0, 1 },
	};
	struct rig *r = rig_pick((unsigned)_i);

	put_crossing(r, rows[0].insn);
	rig_set_x(r, R_WRITE, RIG_AT(8));
	for (unsigned i = 0; i < 9; i++) {
		rig_open(r);
		put_half(r, PATCH + 1, rows[i % 3].insn);
		ck_assert_int_eq(rig_run(r, RIG_AT(PATCH + 1) - 2),
				 ENGINE_STOP_HOST);
		ck_assert_uint_eq(r->budget.done.n[PMU_EV_INSNS], 1);
		ck_assert_uint_eq(r->budget.done.n[PMU_EV_LOADS],
				  rows[i % 3].loads);
		ck_assert_uint_eq(r->budget.done.n[PMU_EV_STORES],
				  rows[i % 3].stores);
	}
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
