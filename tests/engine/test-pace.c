/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What costs time and changes no result: how often Unicorn is started, counted
 * and not measured.
 */
#include <unicorn/unicorn.h>

#include "../unit/unit.h"
#include "asm.h"
#include "rig.h"

enum {
	ROUNDS = 100,
	CYCLE = 0xc00,
	R_LEFT = 10,
};

static unsigned n_starts;

uc_err __real_uc_emu_start(uc_engine *uc, uint64_t begin, uint64_t until,
			   uint64_t timeout, size_t count);
uc_err __wrap_uc_emu_start(uc_engine *uc, uint64_t begin, uint64_t until,
			   uint64_t timeout, size_t count);

uc_err __wrap_uc_emu_start(uc_engine *uc, uint64_t begin, uint64_t until,
			   uint64_t timeout, size_t count)
{
	n_starts++;
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

SUITE("engine-pace", .test_case = "pace", .timeout = 30);
