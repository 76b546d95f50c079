/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Blocks that count by themselves: that they do, that each thing which is not
 * as expected leaves counting to the hook without a difference, and that they
 * are given back when their code goes. What they count is what all other tests
 * of the engine look at, as these run with them and without.
 */
#include <string.h>

#include "../unit/unit.h"
#include "asm.h"
#include "engine/unicorn/adapter.h"
#include "engine/unicorn/fast/hook-call.h"
#include "rig.h"

enum {
	DATA = 8,
	ROUNDS = 5000,
	JIT_ROUNDS = 300,
};

static const uint32_t loop[] = {
	ADDI(10, 10, 1), SW(10, 5, 0),	  BEQ(10, 0, 8),
	LW(11, 5, 0),	 ADD(12, 12, 11), JAL(0, -20),
};

/* This host and this Unicorn are those for which it is made. */
static bool made_for(void)
{
#if defined(__x86_64__)
	return strcmp(engine_version(), "unicorn 2.1.1") == 0;
#else
	return false;
#endif
}

static uint32_t sites(const struct rig *r)
{
	return fast_sites(r->e->slots[ENGINE_KERNEL]->fast) +
	       fast_sites(r->e->slots[ENGINE_USER]->fast);
}

static int run_loop_in(struct rig *r, enum engine_regime regime,
		       enum pmu_event event, uint64_t limit)
{
	rig_reset(r);
	r->regime = regime;
	rig_code(r, 0, loop, ARRAY_SIZE(loop));
	rig_set_x(r, 5, RIG_AT(DATA));
	r->budget.limit.n[event] = limit;
	return rig_run(r, RIG_BASE);
}

static int run_loop(struct rig *r, enum pmu_event event, uint64_t limit)
{
	return run_loop_in(r, ENGINE_KERNEL, event, limit);
}

TEST(it_is_on_where_it_is_made_for)
{
	struct engine_config cfg = rig_config(ENGINE_AUTO, FAST_AS_IT_IS, 64);
	struct rig *r = rig_new_config(&cfg);

	if (made_for())
		ck_assert_msg(r->e->slow_why == NULL, "off: %s",
			      r->e->slow_why);
	ck_assert_int_eq(run_loop(r, PMU_EV_INSNS, 6 * ROUNDS),
			 ENGINE_STOP_LIMIT);
	ck_assert_uint_eq(sites(r) != 0, r->e->slow_why == NULL);
	rig_free(r);
}

TEST(portable_is_without)
{
	struct engine_config cfg =
		rig_config(ENGINE_PORTABLE, FAST_AS_IT_IS, 64);
	struct rig *r = rig_new_config(&cfg);

	ck_assert_ptr_nonnull(r->e->slow_why);
	ck_assert_int_eq(run_loop(r, PMU_EV_INSNS, 6 * ROUNDS),
			 ENGINE_STOP_LIMIT);
	ck_assert_uint_eq(sites(r), 0);
	rig_free(r);
}

static const struct spoil_row {
	const char *what;
	enum fast_spoil spoil;
} spoil_rows[] = {
	{ "another argument", FAST_SPOIL_ARGS },
	{ "another check behind the call", FAST_SPOIL_CHECK },
	{ "a word out of reach", FAST_SPOIL_REACH },
	{ "no site left", FAST_SPOIL_FULL },
};

/* Off, with the reason, and nothing else is different. */
TEST_ROWS(what_is_not_as_expected_is_left_to_the_hook, spoil_rows)
{
	struct engine_config cfg =
		rig_config(ENGINE_AUTO, spoil_rows[_i].spoil, 64);
	struct engine_config plain = rig_config(ENGINE_AUTO, FAST_AS_IT_IS, 64);
	struct rig *r = rig_new_config(&cfg), *want = rig_new_config(&plain);

	ck_assert_msg(r->e->slow_why != NULL, "%s", spoil_rows[_i].what);
	for (unsigned i = 0; i < 4 * PMU_N_ENGINE_EVENTS; i++) {
		enum pmu_event event =
			(enum pmu_event)(i % PMU_N_ENGINE_EVENTS);

		ck_assert_int_eq(run_loop(r, event, ROUNDS + i),
				 run_loop(want, event, ROUNDS + i));
		ck_assert_mem_eq(&r->budget.done, &want->budget.done,
				 sizeof(r->budget.done));
		ck_assert_uint_eq(r->budget.last_pc, want->budget.last_pc);
		ck_assert_uint_eq(rig_pc(r), rig_pc(want));
		ck_assert_uint_eq(rig_x(r, 12), rig_x(want, 12));
	}
	ck_assert_uint_eq(sites(r), 0);
	ck_assert_ptr_null(r->e->slots[ENGINE_KERNEL]->fast);
	ck_assert_ptr_null(r->e->slots[ENGINE_USER]->fast);
	rig_free(r);
	rig_free(want);
}

/* Steps are counted one by one, and the portable engine is that everywhere. */
TEST_TIMES(no_site_is_for_steps_or_portable, 2)
{
	struct engine_config cfg = rig_config(
		_i ? ENGINE_PORTABLE : ENGINE_AUTO, FAST_AS_IT_IS, 64);
	struct rig *r = rig_new_config(&cfg);

	ck_assert_ptr_null(r->e->step->fast);
	if (_i) {
		ck_assert_ptr_null(r->e->slots[ENGINE_KERNEL]->fast);
		ck_assert_ptr_null(r->e->slots[ENGINE_USER]->fast);
	}
	rig_free(r);
}

TEST_ROWS(fast_is_not_had_where_it_does_not_check_out, spoil_rows)
{
	static const struct engine_host_ops none;
	struct engine_config cfg =
		rig_config(ENGINE_FAST, spoil_rows[_i].spoil, 64);
	struct engine *e;

	ck_assert_int_eq(engine_new(&e, &cfg, &none, NULL), -ENGINE_ESELFTEST);
	ck_assert_msg(strstr(engine_error(e), "generated code") != NULL, "%s",
		      engine_error(e));
	engine_free(e);
}

/* In either regime. */
TEST_WHERE(check_sees_a_byte_that_changed, 0, 2, made_for())
{
	struct engine_config cfg =
		rig_config(ENGINE_CHECK, FAST_SPOIL_LATER, 64);
	struct rig *r = rig_new_config(&cfg);

	ck_assert_int_eq(run_loop_in(r, (enum engine_regime)_i, PMU_EV_INSNS,
				     6 * ROUNDS),
			 -ENGINE_EBROKEN);
	ck_assert_str_eq(engine_error(r->e), "code that counts was altered");
	rig_free(r);
}

/* The sites that were written last. */
static struct {
	uint8_t *at, len;
} composed[2];

bool __real_code_compose(uint8_t *ret, const uint8_t *at, uint8_t len,
			 const struct code_count *c, const uint8_t *back);
bool __wrap_code_compose(uint8_t *ret, const uint8_t *at, uint8_t len,
			 const struct code_count *c, const uint8_t *back);

static uint64_t too_much; /* that each site counts */

bool __wrap_code_compose(uint8_t *ret, const uint8_t *at, uint8_t len,
			 const struct code_count *c, const uint8_t *back)
{
	struct code_count wrong = *c;

	wrong.counts += too_much;
	composed[0] = composed[1];
	composed[1].at = (uint8_t *)(uintptr_t)at;
	composed[1].len = len;
	return __real_code_compose(ret, at, len, &wrong, back);
}

/* One event too much, or too little, of each kind. */
TEST_WHERE(what_miscounts_is_not_had, 0, 8, made_for())
{
	struct engine_config cfg = rig_config(ENGINE_AUTO, FAST_AS_IT_IS, 64);
	static const struct engine_host_ops none;
	uint64_t one = UINT64_C(1) << lane_at((unsigned)_i / 2);
	struct engine *e;
	int err;

	too_much = _i % 2 ? one : -one;
	err = engine_new(&e, &cfg, &none, NULL);
	too_much = 0;
	ck_assert_int_eq(err, 0);
	ck_assert_ptr_nonnull(e->slow_why);
	ck_assert_str_eq(e->slow_why,
			 "a loop is not counted as it is by the hook");
	engine_free(e);
}

static int run_with(struct rig *r, uint8_t *altered)
{
	int stop;

	*altered ^= 0x10;
	r->budget.limit.n[PMU_EV_INSNS] = r->budget.done.n[PMU_EV_INSNS];
	stop = rig_run(r, UINT64_MAX);
	*altered ^= 0x10;
	return stop;
}

TEST_WHERE(check_sees_each_byte_of_a_site_and_no_other, 0, 2, made_for())
{
	struct engine_config cfg = rig_config(ENGINE_CHECK, FAST_AS_IT_IS, 64);
	struct rig *r = rig_new_config(&cfg);
	uint8_t *at, len;

	ck_assert_int_eq(run_loop(r, PMU_EV_INSNS, 600), ENGINE_STOP_LIMIT);
	at = composed[_i].at;
	len = composed[_i].len;
	for (unsigned i = 0; i < len; i++)
		ck_assert_msg(run_with(r, at + i) == -ENGINE_EBROKEN,
			      "byte %u of %u", i, len);
	ck_assert_int_eq(run_with(r, at - 1), ENGINE_STOP_LIMIT);
	ck_assert_int_eq(run_with(r, at + len), ENGINE_STOP_LIMIT);
	rig_free(r);
}

/* New code at the same place, again and again. */
TEST_WHERE(sites_of_code_that_went_are_used_again, 0, 1, made_for())
{
	struct engine_config cfg = rig_config(ENGINE_CHECK, FAST_AS_IT_IS, 64);
	struct rig *r = rig_new_config(&cfg);
	uint32_t first = 0;

	for (unsigned i = 0; i < JIT_ROUNDS; i++) {
		const uint32_t code[] = { ADDI(10, 10, i), JAL(0, 4),
					  JAL(0, -8) };

		rig_open(r);
		rig_code(r, 0, code, ARRAY_SIZE(code));
		rig_set_x(r, 10, 0);
		r->budget.limit.n[PMU_EV_INSNS] = 300;
		ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_LIMIT);
		ck_assert_uint_eq(rig_x(r, 10), 100 * i);
		first = i == 0 ? sites(r) : first;
		ck_assert_uint_eq(sites(r), first);
	}
	ck_assert_uint_gt(first, 0);
	rig_free(r);
}

TEST_WHERE(breakpoints_give_all_sites_back, 0, 1, made_for())
{
	struct engine_config cfg = rig_config(ENGINE_CHECK, FAST_AS_IT_IS, 64);
	struct rig *r = rig_new_config(&cfg);
	uint64_t pc = RIG_BASE + 16;

	ck_assert_int_eq(run_loop(r, PMU_EV_INSNS, 600), ENGINE_STOP_LIMIT);
	ck_assert_uint_gt(sites(r), 0);
	engine_set_breakpoints(r->e, &pc, 1);
	ck_assert_uint_eq(sites(r), 0);
	rig_open(r);
	for (unsigned i = 0; i < 3; i++) {
		ck_assert_int_eq(rig_run(r, UINT64_MAX), ENGINE_STOP_BREAK);
		ck_assert_uint_eq(rig_pc(r), pc);
	}
	rig_free(r);
}

SUITE("engine-sites", .test_case = "sites", .timeout = 60);
