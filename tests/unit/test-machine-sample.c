/* SPDX-License-Identifier: BSD-2-Clause */
/* Samplers over the scripted engine: when a session may begin and end. */
#include "core/sampler.h"
#include "machine-script.h"

static const struct fake_op loop_ops[] = { LOAD, NOP, STORE, JUMP(0) };

static const struct machine_sampler insns = { .name = "instructions",
					      .event = PMU_EV_INSNS,
					      .modes = 1 << PMU_MODE_M,
					      .period = 10 };

/* In the midst of what was planned without it. */
TEST_TIMES(a_session_is_exact_from_its_first_instruction, 9)
{
	const Pmu__V1__Record *r;
	Pmu__V1__Trace *t;
	uint64_t at;

	SCRIPT(loop_ops);
	fixture_init(&f, &(struct fixture_config){ .m_mode = true });
	fixture_start(&f);
	fixture_run(&f, 1, (unsigned)_i + 1);
	ck_assert_int_eq(fixture_state(&f), MACHINE_RUNNING);
	at = fixture_status(&f).insn;
	ck_assert(machine_start_sampling(f.m, 1, &insns, 1, NULL));
	fixture_run(&f, 1000, 1);
	t = fixture_trace(&f);
	for (unsigned n = 0; n < 3; n++) {
		r = fixture_record(t, PMU__V1__RECORD__KIND_SAMPLE, n);
		ck_assert_ptr_nonnull(r);
		ck_assert_uint_eq(r->insn, at + 10 * (n + 1));
	}
	fixture_free_trace(t);
	(void)machine_stop_sampling(f.m, 1);
}

SUITE("machine-sample", .teardown = teardown);
