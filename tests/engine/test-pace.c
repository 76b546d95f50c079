/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What costs time and changes no result: how often Unicorn is started, counted
 * and not measured.
 */
#include <string.h>
#include <unicorn/unicorn.h>

#include "../../guests/common/csr-short.h"
#include "../unit/unit.h"
#include "asm.h"
#include "engine/unicorn/adapter.h"
#include "rig.h"

enum {
	ROUNDS = 100,
	R_LEFT = 10,
	R_DATA = 5,
};

static unsigned n_starts, left_out;
static uc_err instead; /* what the start that is left out says */

uc_err __real_uc_emu_start(uc_engine *uc, uint64_t begin, uint64_t until,
			   uint64_t timeout, size_t count);
uc_err __wrap_uc_emu_start(uc_engine *uc, uint64_t begin, uint64_t until,
			   uint64_t timeout, size_t count);

uc_err __wrap_uc_emu_start(uc_engine *uc, uint64_t begin, uint64_t until,
			   uint64_t timeout, size_t count)
{
	n_starts++;
	if (n_starts == left_out)
		return instead;
	return __real_uc_emu_start(uc, begin, until, timeout, count);
}

static enum engine_next answer(struct rig *r, const struct engine_exit *exit)
{
	if (exit->insn == EBREAK)
		return ENGINE_STOP;
	rig_retire(r, exit, 0);
	return ENGINE_RESUME;
}

/* How often Unicorn starts for a loop that reads a counter. */
static const struct pace_row {
	const char *why;
	bool stops;
	unsigned least, most;
} pace_rows[] = {
	{ "the read traps", false, 1, 9 },
	{ "each is stopped at", true, ROUNDS, 9 * ROUNDS },
};

TEST_ROWS(a_counter_is_read_without_a_stop, pace_rows)
{
	static const uint32_t code[] = { NOP, CSRRS(11, CYCLE, 0),
					 ADDI(R_LEFT, R_LEFT, -1),
					 BNE(R_LEFT, 0, -12), EBREAK };
	const struct pace_row *row = &pace_rows[_i];
	const struct engine_config cfg = { .xlen = 64,
					   .engines = 2,
					   .stop_at_counters = row->stops };
	struct rig *r = rig_new_config(&cfg);

	rig_code(r, 0, code, ARRAY_SIZE(code));
	rig_set_x(r, R_LEFT, ROUNDS);
	r->script = answer;
	n_starts = 0;
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_uint_eq(r->budget.done.n[PMU_EV_INSNS], 4 * ROUNDS);
	ck_assert_msg(n_starts >= row->least && n_starts <= row->most,
		      "%s: %u starts", row->why, n_starts);
	rig_free(r);
}

/* Of two blocks, so that none is left alone in the step slot. */
static const struct float_row {
	const char *why;
	uint32_t first, second;
} float_rows[] = {
	{ "no floating point", NOP, NOP },
	{ "singles", FADD_S(3, 1, 2), FADD_S(4, 3, 1) },
	{ "doubles", FADD_D(3, 1, 2), FADD_D(4, 3, 1) },
	{ "both, apart", FADD_S(3, 1, 2), FADD_D(6, 4, 5) },
	{ "the other way round", FADD_D(6, 4, 5), FADD_S(3, 1, 2) },
	{ "a boxed single, loaded as a double", FLD(1, R_DATA, 0),
	  FADD_S(3, 1, 1) },
};

TEST_ROWS(a_loop_runs_without_a_stop, float_rows)
{
	const struct float_row *row = &float_rows[_i];
	const uint32_t code[] = { row->first,	       JAL(0, 4),
				  row->second,	       ADDI(R_LEFT, R_LEFT, -1),
				  BNE(R_LEFT, 0, -16), EBREAK };
	static const uint32_t one[] = { 0x3f800000, UINT32_MAX };
	struct rig *r = rig_new(&rig_modes[0], 64);

	rig_code(r, 0, code, ARRAY_SIZE(code));
	rig_code(r, 1, one, ARRAY_SIZE(one));
	rig_set_x(r, R_DATA, RIG_AT(1));
	for (unsigned i = 0; i < 7; i++)
		engine_set(r->e, r->ctx[0], ENGINE_F0 + i,
			   UINT64_C(0xffffffff3f800000));
	rig_set_x(r, R_LEFT, ROUNDS);
	r->script = answer;
	n_starts = 0;
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_uint_eq(r->budget.done.n[PMU_EV_INSNS], 5 * ROUNDS);
	ck_assert_msg(n_starts <= 9, "%s: %u starts", row->why, n_starts);
	rig_free(r);
}

/* What a slot has of translations and blocks stays from run to run. */
TEST_TIMES(a_flush_is_made_once, RIG_MODES)
{
	static const uint32_t code[] = { NOP, EBREAK };
	struct rig *r = rig_new(&rig_modes[_i], 64);
	const struct slot *s =
		r->e->slots[rig_modes[_i].step_only ? 2 : ENGINE_KERNEL];
	uint64_t before;

	rig_code(r, 0, code, ARRAY_SIZE(code));
	engine_flush_tlb(r->e);
	before = s->epoch;
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_uint_gt(s->epoch, before);
	before = s->epoch;
	for (unsigned i = 0; i < 3; i++)
		ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_uint_eq(s->epoch, before);
	rig_free(r);
}

/* One block has to be, the loop behind it has not. */
TEST_WHERE(what_needs_no_steps_is_not_stepped, 0, RIG_MODES,
	   !rig_modes[_i].step_only)
{
	static const uint32_t code[] = {
		FMAX_S(3, 1, 2),    JAL(0, 4), ADDI(R_LEFT, R_LEFT, -1),
		BNE(R_LEFT, 0, -4), EBREAK,
	};
	struct rig *r = rig_new(&rig_modes[_i], 64);

	rig_code(r, 0, code, ARRAY_SIZE(code));
	rig_set_x(r, R_LEFT, ROUNDS);
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_uint_eq(r->budget.done.n[PMU_EV_INSNS], 2 + 2 * ROUNDS);
	ck_assert_uint_ge(r->e->slots[2]->insns, 1);
	ck_assert_uint_le(r->e->slots[2]->insns, 4);
	rig_free(r);
}

static const struct broken_row {
	uc_err err;
	const char *says;
} broken_rows[] = {
	{ UC_ERR_OK, "Unicorn stopped without a reason at 0x10000004" },
	{ UC_ERR_HOOK, "Unicorn at 0x10000004: " },
};

TEST_ROWS(a_unicorn_that_breaks_down_ends_the_run, broken_rows)
{
	static const uint32_t code[] = { NOP, EBREAK };
	const struct broken_row *row = &broken_rows[_i];
	struct rig *r = rig_new(&rig_modes[2], 64);

	rig_code(r, 0, code, ARRAY_SIZE(code));
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	n_starts = 0;
	left_out = 1;
	instead = row->err;
	ck_assert_int_eq(rig_run(r, RIG_BASE), -ENGINE_EBROKEN);
	left_out = 0;
	instead = UC_ERR_OK;
	ck_assert_msg(strstr(engine_error(r->e), row->says) != NULL, "%s",
		      engine_error(r->e));
	ck_assert_uint_eq(r->n_exits, 1);
	rig_free(r);
}

/* What is relied on; each needs a run of its own, or some. */
static const char *const reliances[] = {
	"no way to U-mode",
	"reservation not found",
	"a CSR of M-mode traps at its pc",
	"a compressed illegal instruction traps at its pc",
	"ecall traps",
	"ebreak ends the run at its pc",
	"wfi traps",
	"a hypervisor load traps",
	"a fence of the second stage traps",
	"a load that is not translated faults at its pc",
	"a misaligned AMO is a store's fault",
	"a misaligned LR is a load's fault",
	"floating point traps while it is off",
	"floating point runs while it is on",
	"a counter read reaches the host",
	"SC succeeds after LR",
	"SC fails after the reservation is dropped",
	"fence.i sees code written through another address",
};

/* The one run whose failure is no refusal finds that counter reads trap. */
TEST(an_engine_that_leaves_out_a_run_is_found_out)
{
	static const struct engine_config cfg = { .xlen = 64,
						  .engines = 1,
						  .mode = ENGINE_PORTABLE };
	static const struct engine_host_ops none;
	bool seen[ARRAY_SIZE(reliances)] = { false };
	unsigned all, taken = 0;
	struct engine *e;

	n_starts = 0;
	ck_assert_int_eq(engine_new(&e, &cfg, &none, NULL), 0);
	engine_free(e);
	all = n_starts;
	for (left_out = 1; left_out <= all; left_out++) {
		n_starts = 0;
		if (engine_new(&e, &cfg, &none, NULL) == -ENGINE_ESELFTEST)
			for (size_t i = 0; i < ARRAY_SIZE(seen); i++)
				seen[i] |= strstr(engine_error(e),
						  reliances[i]) != NULL;
		else
			taken++;
		engine_free(e);
	}
	left_out = 0;
	for (size_t i = 0; i < ARRAY_SIZE(seen); i++)
		ck_assert_msg(seen[i], "not tested: %s", reliances[i]);
	ck_assert_uint_eq(taken, 1);
}

/* The last runs are those of exits inside generated code, before them counting.
 */
TEST(a_run_that_is_left_out_turns_what_it_tries_off)
{
	static const struct engine_config cfg = { .xlen = 64, .engines = 1 };
	static const struct engine_host_ops none;
	unsigned slow = 0, raise = 0;
	struct engine *e;
	int all, err;

	n_starts = 0;
	ck_assert_int_eq(engine_new(&e, &cfg, &none, NULL), 0);
	ck_assert_msg(fast_exits_linked() == (e->raise_why == NULL), "%s",
		      e->raise_why);
	engine_free(e);
	all = n_starts;
	for (left_out = all; left_out > 0 && slow == 0; left_out--) {
		n_starts = 0;
		err = engine_new(&e, &cfg, &none, NULL);
		ck_assert_int_eq(err, 0);
		slow += e->slow_why != NULL;
		raise += e->raise_why != NULL;
		engine_free(e);
	}
	left_out = 0;
	ck_assert_uint_eq(slow, 1);
	ck_assert_uint_ge(raise, 1);
}

SUITE("engine-pace", .test_case = "pace", .timeout = 30);
