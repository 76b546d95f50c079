/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Accesses that an engine offers to be executed as if they were its own, over
 * the scripted engine, which offers all: which are, and that nothing but the
 * number of exits is another for it.
 */
#include "core/machine-hold.h"
#include "machine-script.h"
#include "view/inspect.h"

enum {
	ROUND = 5, /* instructions of the loop */
	QUIET = 3, /* of these are */
	INSNS = 1000,
};

/* One of the five is no access, one counts. */
static const struct fake_op loop_ops[] = {
	LI(1, 7),	 CSRW(MSCRATCH, 1), CSRR(2, MSCRATCH),
	CSRR(0, MCAUSE), CSRR(3, MINSTRET), JUMP(1),
};

static void begin(bool offers, const char *settings, bool recorded)
{
	SCRIPT(loop_ops);
	fake.block = 1 << 20; /* no end of a slice but the host's own */
	fake.offers = offers;
	fixture_init(&f, &(struct fixture_config){ .m_mode = true,
						   .settings = settings,
						   .csr_accesses = recorded });
	fixture_start(&f);
}

static bool same_registers(struct fixture *other)
{
	struct hart_state a, b;

	ck_assert(inspect_registers(f.m, 0, &a, NULL));
	ck_assert(inspect_registers(other->m, 0, &b, NULL));
	return a.pc == b.pc && !memcmp(a.x, b.x, sizeof(a.x));
}

TEST(what_is_quiet_is_no_exit_and_the_same)
{
	struct fixture plain;

	begin(false, "max-insns=1000", false);
	fixture_run(&f, 1000000, UINT32_MAX);
	ended(CAUSE_MAX_INSNS, EXIT_LIMIT);
	ck_assert_uint_eq(fake.quiet, 0);
	plain = f;
	begin(true, "max-insns=1000", false);
	fixture_run(&f, 1000000, UINT32_MAX);
	ended(CAUSE_MAX_INSNS, EXIT_LIMIT);
	ck_assert_uint_eq(fake.quiet, (INSNS - 1) / ROUND * QUIET + QUIET);
	ck_assert(fixture_same(&plain, &f));
	ck_assert(same_registers(&plain));
	fixture_fini(&plain);
}

/* Each is to be told. */
TEST(a_recorded_access_is_an_exit)
{
	begin(true, "max-insns=1000", true);
	fixture_run(&f, 1000000, UINT32_MAX);
	ck_assert_uint_eq(fake.quiet, 0);
}

/* The host asks at each of them what comes next. */
TEST(where_breakpoints_are_it_is_an_exit)
{
	const uint64_t elsewhere = PC(99);

	begin(true, "max-insns=1000", false);
	PREPARING(ck_assert(machine_pause(f.m, NULL)));
	PREPARING(ck_assert(machine_set_breakpoints(f.m, &elsewhere, 1, NULL)));
	PREPARING(ck_assert(machine_resume(f.m, NULL)));
	fixture_run(&f, 1000000, UINT32_MAX);
	ended(CAUSE_MAX_INSNS, EXIT_LIMIT);
	ck_assert_uint_eq(fake.quiet, 0);
}

/* A hart that does nothing else does not keep its host. */
TEST(a_slice_comes_to_its_end)
{
	static const struct fake_op quiet_ops[] = { CSRR(2, MSCRATCH),
						    JUMP(0) };

	begin(true, "max-insns=100000", false);
	SCRIPT(quiet_ops);
	fake.block = 1 << 20;
	fake.offers = true;
	fixture_run(&f, INSNS, 1);
	/* one is as much work as some instructions */
	ck_assert_uint_gt(fake.quiet, 0);
	ck_assert_uint_le(fake.quiet, INSNS / 10);
	ck_assert_int_eq(fixture_state(&f), MACHINE_RUNNING);
}

SUITE("machine-quiet", .teardown = teardown);
