/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * SSE on several harts: the way of global events, harts that stop, start and
 * sleep, an event that one hart injects on another.
 */
#include "fw-cpu.h"

enum {
	N_HARTS = 3,
	HSM_START = 0,
	HSM_STOP = 1,
	HSM_SUSPEND = 3,
	NOBODY = -1,
};
enum hart {
	UP, /* started, unmasked */
	MASKED,
	STOPPED,
	ASLEEP,
	DEAF, /* asleep and masked */
};

static struct bench b;
static struct cpu c[N_HARTS];

static void begin(const struct opts *o)
{
	struct opts several = *o;

	several.n_harts = N_HARTS;
	bench_init(&b, &several);
	for (unsigned i = 0; i < N_HARTS; i++)
		cpu_init(&c[i], &b, i);
}

static void hsm(unsigned hart, uint32_t fid, uint64_t a0, uint64_t a1)
{
	const uint64_t args[8] = { a0, a1, [6] = fid, [7] = HSM_EID };
	struct sbi_ret ret;

	fw_sbi_call(b.fw, hart, 0, args, &ret);
}

static void bring(unsigned hart, enum hart state)
{
	if (state != MASKED && state != DEAF)
		SSE(&c[hart], UNMASK, 0);
	if (state == STOPPED)
		hsm(hart, HSM_STOP, 0, 0);
	if (state == ASLEEP || state == DEAF)
		hsm(hart, HSM_SUSPEND, 0, 0);
}

/* Who gets a global event that prefers a hart, by what the harts do. */
static const struct route_row {
	const char *why;
	enum hart harts[N_HARTS];
	unsigned preferred;
	int spec, opensbi;
} route_rows[] = {
	{ "the preferred one", { UP, UP, UP }, 2, 2, 2 },
	{ "the first", { UP, UP, UP }, 0, 0, 0 },
	{ "preferred is masked", { MASKED, UP, UP }, 0, NOBODY, NOBODY },
	{ "a later one is masked", { UP, UP, MASKED }, 2, NOBODY, NOBODY },
	{ "preferred is stopped", { UP, UP, STOPPED }, 2, 0, NOBODY },
	{ "nor is the first ready", { MASKED, UP, STOPPED }, 2, 1, NOBODY },
	{ "preferred sleeps", { UP, ASLEEP, UP }, 1, 1, 1 },
	{ "preferred sleeps, masked", { UP, DEAF, UP }, 1, NOBODY, NOBODY },
	{ "nobody is ready", { MASKED, MASKED, MASKED }, 1, NOBODY, NOBODY },
	{ "nobody is left", { MASKED, MASKED, STOPPED }, 2, NOBODY, NOBODY },
};

TEST_TIMES(a_global_event_goes_to_one_hart, 2 * ARRAY_SIZE(route_rows))
{
	const struct route_row *row = &route_rows[_i / 2];
	int want = _i & 1 ? row->opensbi : row->spec;
	bool stopped = row->harts[row->preferred] == STOPPED;
	struct opts o = { .profile = _i & 1 };
	unsigned by = 0;

	shows(RULE("C205"));
	begin(&o);
	cpu_set_attr(&c[0], GLOBAL, PREFERRED_HART, row->preferred);
	cpu_want(&c[0], GLOBAL);
	for (unsigned i = 0; i < N_HARTS; i++) {
		bring(i, row->harts[i]);
		by = row->harts[i] != STOPPED ? i : by;
	}
	/* the reference looks at a hart that says nothing, and at this one */
	ck_assert_int_eq(TRY(&c[by], INJECT, GLOBAL, 99), _i & 1 ? -3 : 0);
	if (_i & 1)
		ck_assert_int_eq(TRY(&c[by], INJECT, GLOBAL, 0),
				 stopped ? -1 : 0);
	for (unsigned i = 0; i < N_HARTS; i++)
		ck_assert_msg(fw_sse_due(b.fw, i) == ((int)i == want),
			      "%s: hart %u", row->why, i);
	bench_fini(&b);
}

/* A handler's stack is the preferred hart's, masked or not. */
TEST(a_hart_that_is_masked_is_waited_for)
{
	struct opts o = { 0 };

	shows(RULE("C205"));
	begin(&o);
	cpu_want(&c[0], GLOBAL);
	TRY(&c[2], INJECT, GLOBAL, 0);
	SSE(&c[2], UNMASK, 0);
	ck_assert(!cpu_boundary(&c[2]));
	ck_assert(cpu_attr(&c[0], GLOBAL, STATUS) & PENDING);
	SSE(&c[0], UNMASK, 0);
	ck_assert_uint_eq(c[0].pc, handler_of(GLOBAL));
	bench_fini(&b);
}

TEST(a_hart_that_gets_ready_gets_what_waits)
{
	struct opts o = { 0 };

	shows(RULE("C205"));
	begin(&o);
	cpu_want(&c[0], GLOBAL);
	hsm(0, HSM_STOP, 0, 0);
	TRY(&c[2], INJECT, GLOBAL, 0);
	SSE(&c[2], UNMASK, 0);
	ck_assert_uint_eq(c[2].pc, handler_of(GLOBAL));
	ck_assert_uint_eq(c[2].x[A6], 2);
	hsm(1, HSM_START, 0, RAM_BASE);
	/* It runs there: nobody else can complete it, or get it. */
	ck_assert_int_eq(SSE(&c[0], UNMASK, 0), 0);
	ck_assert_int_eq(SSE(&c[0], COMPLETE, 0), 0);
	ck_assert_uint_eq(cpu_attr(&c[0], GLOBAL, STATUS) & 3, RUNNING);
	SSE(&c[0], INJECT, GLOBAL, 0);
	ck_assert(!cpu_boundary(&c[0]));
	/* Completed it goes to the hart it prefers. */
	SSE(&c[2], COMPLETE, 0);
	ck_assert_uint_ne(c[2].pc, handler_of(GLOBAL));
	ck_assert(cpu_boundary(&c[0]));
	ck_assert_uint_eq(c[0].pc, handler_of(GLOBAL));
	bench_fini(&b);
}

TEST(a_local_event_is_injected_on_its_hart)
{
	struct opts o = { 0 };

	begin(&o);
	for (unsigned i = 0; i < N_HARTS; i++) {
		cpu_want(&c[i], LOCAL);
		SSE(&c[i], UNMASK, 0);
	}
	SSE(&c[0], INJECT, LOCAL, 1);
	ck_assert(!fw_sse_due(b.fw, 0));
	ck_assert(!fw_sse_due(b.fw, 2));
	ck_assert(cpu_boundary(&c[1]));
	ck_assert_uint_eq(c[1].pc, handler_of(LOCAL));
	ck_assert_uint_eq(c[1].x[A6], 1);
	bench_fini(&b);
}

/* A start is as the boot, for the events of the hart too (C197). */
TEST(a_stopped_hart_forgets_its_events)
{
	static const uint64_t events[] = { OVERFLOW, LOCAL };
	struct opts o = { 0 };

	shows(RULE("C197"));
	begin(&o);
	for (unsigned e = 0; e < ARRAY_SIZE(events); e++) {
		cpu_set_attr(&c[1], events[e], PRIORITY, 4);
		cpu_want(&c[1], events[e]);
	}
	SSE(&c[1], UNMASK, 0);
	SSE(&c[1], INJECT, LOCAL, 1);
	hsm(1, HSM_STOP, 0, 0);
	ck_assert(!fw_sse_due(b.fw, 1));
	hsm(0, HSM_START, 1, RAM_BASE);
	for (unsigned e = 0; e < ARRAY_SIZE(events); e++)
		for (unsigned i = 0; i < N_ATTRS; i++)
			ck_assert_uint_eq(cpu_attr(&c[1], events[e], i) &
						  ~(uint64_t)INJECTABLE,
					  i == PREFERRED_HART);
	ck_assert_int_eq(SSE(&c[1], MASK, 0), SBI_ERR_ALREADY_STOPPED);
	ck_assert(bench_csr(&b, 1, 0x303) >> PMU_IRQ_LCOFI & 1);
	bench_fini(&b);
}

/* The reference's keeps what is not enabled, and that it is unmasked. */
TEST_TIMES(a_stopped_hart_keeps_what_is_registered, 2)
{
	const uint64_t event = _i ? OVERFLOW : LOCAL;
	struct opts o = { .profile = FW_PROFILE_OPENSBI };

	begin(&o);
	cpu_set_attr(&c[1], event, PRIORITY, 4);
	cpu_want(&c[1], event);
	SSE(&c[1], DISABLE, event);
	cpu_set_attr(&c[0], GLOBAL, PREFERRED_HART, 1);
	cpu_want(&c[0], GLOBAL);
	SSE(&c[1], UNMASK, 0);
	hsm(1, HSM_STOP, 0, 0);
	ck_assert_uint_eq(cpu_attr(&c[0], GLOBAL, STATUS) & 3, UNUSED);
	hsm(0, HSM_START, 1, RAM_BASE);
	ck_assert(bench_csr(&b, 1, 0x303) >> PMU_IRQ_LCOFI & 1);
	ck_assert_uint_eq(cpu_attr(&c[1], event, STATUS) & 3, REGISTERED);
	ck_assert_uint_eq(cpu_attr(&c[1], event, PRIORITY), 4);
	ck_assert_int_eq(SSE(&c[1], ENABLE, event), 0);
	/* A start gives it to S-mode, whatever is registered. */
	ck_assert(bench_csr(&b, 1, 0x303) >> PMU_IRQ_LCOFI & 1);
	ck_assert_int_eq(SSE(&c[1], MASK, 0), 0);
	hsm(1, HSM_STOP, 0, 0);
	hsm(0, HSM_START, 1, RAM_BASE);
	ck_assert_uint_eq(cpu_attr(&c[1], event, STATUS) & 3, UNUSED);
	ck_assert_uint_eq(cpu_attr(&c[1], event, PRIORITY), 4);
	ck_assert_int_eq(SSE(&c[1], MASK, 0), SBI_ERR_ALREADY_STOPPED);
	bench_fini(&b);
}

/* What waited for the reference's hart to be unmasked waits behind a start. */
TEST(a_stopped_hart_keeps_what_waits)
{
	struct opts o = { .profile = FW_PROFILE_OPENSBI };

	begin(&o);
	cpu_want(&c[1], OVERFLOW);
	pmu_irq_soft(b.harts[1], PMU_IRQ_LCOFI, true);
	ck_assert(cpu_attr(&c[1], OVERFLOW, STATUS) & PENDING);
	hsm(1, HSM_STOP, 0, 0);
	hsm(0, HSM_START, 1, RAM_BASE);
	ck_assert_uint_eq(cpu_attr(&c[1], OVERFLOW, STATUS),
			  UNUSED | PENDING | INJECTABLE);
	cpu_want(&c[1], OVERFLOW);
	SSE(&c[1], UNMASK, 0);
	ck_assert_uint_eq(c[1].pc, handler_of(OVERFLOW));
	bench_fini(&b);
}

/* A handler that will never end is over; the event stays everybody's. */
TEST_TIMES(a_global_event_outlives_the_hart_that_runs_it, 2)
{
	struct opts o = { 0 };

	begin(&o);
	cpu_set_attr(&c[0], GLOBAL, PREFERRED_HART, 1);
	cpu_set_attr(&c[0], GLOBAL, CONFIG, (uint64_t)_i);
	cpu_want(&c[0], GLOBAL);
	SSE(&c[1], UNMASK, 0);
	SSE(&c[1], INJECT, GLOBAL, 0);
	ck_assert_uint_eq(c[1].pc, handler_of(GLOBAL));
	hsm(1, HSM_STOP, 0, 0);
	ck_assert_uint_eq(cpu_attr(&c[0], GLOBAL, STATUS) & 3,
			  _i ? REGISTERED : ENABLED);
	bench_fini(&b);
}

/*
 * Both kinds of suspension keep events; one that comes ends them, its own or
 * a global one that prefers it.
 */
TEST_TIMES(a_sleeping_hart_is_woken, 4)
{
	const uint64_t kind = _i & 1 ? 0x80000000 : 0;
	const uint32_t id = _i & 2 ? GLOBAL : LOCAL;
	struct opts o = { 0 };

	shows(RULE("C205"));
	begin(&o);
	cpu_set_attr(&c[0], GLOBAL, PREFERRED_HART, 1);
	cpu_want(&c[1], id);
	SSE(&c[1], UNMASK, 0);
	hsm(1, HSM_SUSPEND, kind, RAM_BASE + 0x100);
	ck_assert(!fw_sse_due(b.fw, 1));
	SSE(&c[0], INJECT, id, 1);
	ck_assert(fw_sse_due(b.fw, 1));
	/* Not before it is awake. */
	cpu_boundary(&c[1]);
	ck_assert_uint_ne(c[1].pc, handler_of(id));
	ck_assert(cpu_attr(&c[1], id, STATUS) & PENDING);
	fw_hart_resumed(b.fw, 1);
	c[1].pc = RAM_BASE + 0x100;
	ck_assert(cpu_boundary(&c[1]));
	ck_assert_uint_eq(c[1].pc, handler_of(id));
	ck_assert_uint_eq(bench_csr(&b, 1, 0x141), RAM_BASE + 0x100);
	bench_fini(&b);
}

/* A suspend with an event pending behind a mask sleeps on. */
TEST(a_masked_hart_sleeps_on)
{
	struct opts o = { 0 };

	begin(&o);
	cpu_want(&c[1], LOCAL);
	hsm(1, HSM_SUSPEND, 0, 0);
	SSE(&c[0], INJECT, LOCAL, 1);
	ck_assert(!fw_sse_due(b.fw, 1));
	bench_fini(&b);
}

SUITE("sse-harts");
