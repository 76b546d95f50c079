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

static unsigned samples(void)
{
	Pmu__V1__Trace *t = fixture_trace(&f);
	unsigned n = 0;

	while (fixture_record(t, PMU__V1__RECORD__KIND_SAMPLE, n))
		n++;
	fixture_free_trace(t);
	return n;
}

/* What its own samplers had summed is told before others take their place. */
TEST(sums_are_told_when_the_machines_samplers_change)
{
	struct machine_sampler sampler = insns;
	unsigned summed;

	sampler.summed = true;
	SCRIPT(loop_ops);
	fixture_init(&f, &(struct fixture_config){ .m_mode = true });
	fixture_start(&f);
	ck_assert(machine_set_samplers(f.m, &sampler, 1, NULL));
	fixture_run(&f, 1000, 3);
	ck_assert_uint_eq(samples(), 0);
	/* another's session leaves them alone */
	ck_assert(machine_start_sampling(f.m, 1, &insns, 1, NULL));
	ck_assert_uint_eq(samples(), 0);
	(void)machine_stop_sampling(f.m, 1);
	ck_assert_uint_eq(samples(), 0);
	ck_assert(machine_set_samplers(f.m, NULL, 0, NULL));
	summed = samples();
	ck_assert_uint_gt(summed, 0);
	fixture_run(&f, 1000, 3);
	ck_assert_uint_eq(samples(), summed);
}

/*
 * Copies of the stack: what is asked for, as far as there is memory, of whole
 * words; nothing behind what was asked for is touched (with sanitizers).
 */
#define STACK	(BASE + (1 << 20)) /* at a page's begin */
#define FILLED	(2u << 12)	   /* bytes from there on that are not 0 */
#define RAM_END (BASE + (4 << 20)) /* of the fixture */

static const struct stack_row {
	const char *why;
	uint64_t sp;
	uint32_t wanted, got;
	Pmu__V1__ChainEnd end;
} stack_rows[] = {
	{ "within a page", STACK + 16, 64, 64, 0 },
	{ "a page", STACK, 4096, 4096, 0 },
	{ "up to the page's end", STACK + 4096 - 64, 64, 64, 0 },
	{ "over it", STACK + 4096 - 8, 64, 64, 0 },
	{ "over two", STACK + 4096 - 8, 4096 + 16, 4096 + 16, 0 },
	{ "words alone", STACK + 8, 15, 8, 0 },
	{ "less than a word", STACK, 7, 0,
	  PMU__V1__CHAIN_END__CHAIN_END_UNREADABLE },
	{ "to the memory's end", RAM_END - 24, 64, 24, 0 },
	{ "where there is no memory", RAM_END, 64, 0,
	  PMU__V1__CHAIN_END__CHAIN_END_UNREADABLE },
	{ "not aligned", STACK + 4, 64, 0,
	  PMU__V1__CHAIN_END__CHAIN_END_BAD_FRAME },
};

static uint8_t filled(uint64_t at)
{
	return at - STACK < FILLED ? (uint8_t)(1 + at % 251) : 0;
}

static void fill(void)
{
	static uint8_t bytes[FILLED];
	const struct input in = { .kind = INPUT_MEMORY_WRITE,
				  .memory_write = { .address = STACK,
						    .bytes = bytes,
						    .len = FILLED } };
	struct error e;

	for (unsigned i = 0; i < FILLED; i++)
		bytes[i] = filled(STACK + i);
	PREPARING(
		ck_assert_msg(machine_input(f.m, &in, NULL, &e), "%s", e.text));
}

TEST_ROWS(a_stack_is_copied_as_far_as_it_is_there, stack_rows)
{
	const struct stack_row *row = &stack_rows[_i];
	const struct fake_op ops[] = { LI(2, row->sp), NOP, NOP, JUMP(1) };
	struct machine_sampler sampler = insns;
	const Pmu__V1__Record *r;
	Pmu__V1__Trace *t;

	sampler.stack = row->wanted;
	SCRIPT(ops);
	fixture_init(&f, &(struct fixture_config){ .m_mode = true });
	fixture_start(&f);
	PREPARING(ck_assert(machine_pause(f.m, NULL)));
	fill();
	PREPARING(ck_assert(machine_resume(f.m, NULL)));
	ck_assert(machine_start_sampling(f.m, 1, &sampler, 1, NULL));
	fixture_run(&f, 1000, 1);
	t = fixture_trace(&f);
	r = fixture_record(t, PMU__V1__RECORD__KIND_SAMPLE, 0);
	ck_assert_ptr_nonnull(r);
	ck_assert_msg(r->sample->stack.len == row->got, "%s: %zu", row->why,
		      r->sample->stack.len);
	for (unsigned i = 0; i < row->got; i++)
		ck_assert_msg(r->sample->stack.data[i] == filled(row->sp + i),
			      "%s: byte %u", row->why, i);
	ck_assert_msg(r->sample->chain_end == row->end, "%s: %d", row->why,
		      (int)r->sample->chain_end);
	fixture_free_trace(t);
	(void)machine_stop_sampling(f.m, 1);
}

SUITE("machine-sample", .teardown = teardown);
