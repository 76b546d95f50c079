/* SPDX-License-Identifier: BSD-2-Clause */
/* Chains of callers that samples have: frames as rows put them into memory. */
#include <string.h>

#include "../unit/unit.h"
#include "board/board.h"
#include "core/sampler.h"
#include "machine-fixture.h"

enum {
	ALL_MODES = (1 << PMU_N_MODES) - 1
};

static struct fixture f;

static void setup(void)
{
}

static void teardown(void)
{
	fixture_fini(&f);
}

/* Callers: frames in memory as a row has them, fp at one of them. */

#define BASE	 BOARD_RAM_BASE
#define AT_FP(n) (BASE + 0x100 + 0x20 * (uint64_t)(n))

static const struct chain_row {
	const char *why;
	uint64_t fp;
	struct {
		uint64_t ra, fp;
	} frame[3]; /* whose fp is AT_FP(0) and so on */
	size_t want;
	Pmu__V1__ChainEnd end;
} chain_rows[] = {
	{ "two callers, and then no frame",
	  AT_FP(0),
	  { { BASE + 4, AT_FP(1) }, { BASE + 8, 0 } },
	  2,
	  PMU__V1__CHAIN_END__CHAIN_END_BOTTOM },
	{ "no return address",
	  AT_FP(0),
	  { { BASE + 4, AT_FP(2) }, { 0 }, { 0, AT_FP(0) } },
	  1,
	  PMU__V1__CHAIN_END__CHAIN_END_BOTTOM },
	{ "no frame at all",
	  0,
	  { { 0 } },
	  0,
	  PMU__V1__CHAIN_END__CHAIN_END_BOTTOM },
	{ "a frame that is not aligned",
	  AT_FP(0) + 4,
	  { { BASE + 4, 0 } },
	  0,
	  PMU__V1__CHAIN_END__CHAIN_END_BAD_FRAME },
	{ "a caller's frame below",
	  AT_FP(1),
	  { { BASE + 4, 0 }, { BASE + 8, AT_FP(0) } },
	  1,
	  PMU__V1__CHAIN_END__CHAIN_END_BAD_FRAME },
	{ "a frame that is its own caller's",
	  AT_FP(0),
	  { { BASE + 4, AT_FP(0) } },
	  1,
	  PMU__V1__CHAIN_END__CHAIN_END_BAD_FRAME },
	{ "a frame in no RAM",
	  0x1000,
	  { { 0 } },
	  0,
	  PMU__V1__CHAIN_END__CHAIN_END_UNREADABLE },
	{ "an odd return address",
	  AT_FP(0),
	  { { BASE + 5, 0 } },
	  0,
	  PMU__V1__CHAIN_END__CHAIN_END_BAD_RETURN },
	{ "a return to no RAM",
	  AT_FP(0),
	  { { 0x1000, 0 } },
	  0,
	  PMU__V1__CHAIN_END__CHAIN_END_BAD_RETURN },
};

static uint64_t image[2080]; /* from BASE on */

enum {
	FP_WORD = 4,
	FRAME_WORDS = 32 /* index of AT_FP(0) */
};

/* A loop that stands with fp at @fp; the first sample of it. */
static Pmu__V1__Trace *sample_chain(uint64_t fp, const Pmu__V1__Sample **ret)
{
	static const uint32_t code[] = {
		0x00000417, /* auipc s0, 0 */
		0x02043403, /* ld s0, 32(s0) */
		0x0000006f, /* j . */
	};
	const struct fixture_config cfg = {
		.m_mode = true,
		.settings = "max-insns=10",
		.image = image,
		.image_size = sizeof(image),
		.address = BASE,
	};
	const struct machine_sampler s = { "x", PMU_EV_INSNS, ALL_MODES,
					   5,	true,	      true };
	Pmu__V1__Trace *t;
	struct error e;

	memcpy(image, code, sizeof(code));
	image[FP_WORD] = fp;
	fixture_init(&f, &cfg);
	ck_assert(machine_set_samplers(f.m, &s, 1, &e));
	fixture_start(&f);
	fixture_run(&f, 1000, UINT32_MAX);
	t = fixture_trace(&f);
	*ret = fixture_record(t, PMU__V1__RECORD__KIND_SAMPLE, 0)->sample;
	return t;
}

TEST_ROWS(a_chain_goes_as_far_as_it_can, chain_rows)
{
	const struct chain_row *row = &chain_rows[_i];
	const Pmu__V1__Sample *s;
	Pmu__V1__Trace *t;

	memset(image, 0, sizeof(image));
	for (unsigned i = 0; i < 3; i++) {
		uint64_t *fp = &image[FRAME_WORDS + 4 * i];

		fp[-1] = row->frame[i].ra;
		fp[-2] = row->frame[i].fp;
	}
	t = sample_chain(row->fp, &s);
	ck_assert_msg(s->n_callers == row->want && s->chain_end == row->end,
		      "%s: %zu callers, end %d", row->why, s->n_callers,
		      (int)s->chain_end);
	ck_assert_uint_eq(s->n_registers, 32);
	ck_assert_uint_eq(s->registers[8], row->fp);
	ck_assert_uint_eq(s->last_pc, BASE + 8);
	for (size_t i = 0; i < row->want && row->fp == AT_FP(0); i++)
		ck_assert_uint_eq(s->callers[i], BASE + 4 * (i + 1));
	fixture_free_trace(t);
}

TEST(a_chain_has_a_limit)
{
	const Pmu__V1__Sample *s;
	Pmu__V1__Trace *t;

	memset(image, 0, sizeof(image));
	for (unsigned i = 0; i < 200; i++) {
		image[FRAME_WORDS + 4 * i + 3] = BASE + 4;
		image[FRAME_WORDS + 4 * i + 2] = AT_FP(i + 2);
	}
	t = sample_chain(AT_FP(1), &s);
	ck_assert_uint_eq(s->n_callers, 127);
	ck_assert_int_eq(s->chain_end, PMU__V1__CHAIN_END__CHAIN_END_LIMIT);
	fixture_free_trace(t);
}

/* The stack: sp near the end of RAM, or in none; a copy of 64 bytes. */

enum {
	STACK = 64,
	RAM = 4 << 20 /* of a fixture */
};

static const struct stack_row {
	const char *why;
	uint64_t sp;
	size_t want;
	Pmu__V1__ChainEnd end;
} stack_rows[] = {
	{ "all of it", BASE + 0x100, STACK,
	  PMU__V1__CHAIN_END__CHAIN_END_UNSPECIFIED },
	{ "over the end of a page", BASE + 0xfe8, STACK,
	  PMU__V1__CHAIN_END__CHAIN_END_UNSPECIFIED },
	{ "up to the end of RAM", BASE + RAM - 24, 24,
	  PMU__V1__CHAIN_END__CHAIN_END_UNSPECIFIED },
	{ "none behind RAM", BASE + RAM, 0,
	  PMU__V1__CHAIN_END__CHAIN_END_UNREADABLE },
	{ "none at 0", 0, 0, PMU__V1__CHAIN_END__CHAIN_END_UNREADABLE },
	{ "none that is not aligned", BASE + 0x104, 0,
	  PMU__V1__CHAIN_END__CHAIN_END_BAD_FRAME },
};

TEST_ROWS(a_stack_is_copied_as_far_as_it_is_there, stack_rows)
{
	static const uint32_t code[] = {
		0x00000417, /* auipc s0, 0 */
		0x02043103, /* ld sp, 32(s0) */
		0x0000006f, /* j . */
	};
	const struct stack_row *row = &stack_rows[_i];
	const struct fixture_config cfg = {
		.m_mode = true,
		.settings = "max-insns=10",
		.image = image,
		.image_size = sizeof(image),
		.address = BASE,
	};
	const struct machine_sampler s = { .name = "x",
					   .event = PMU_EV_INSNS,
					   .modes = ALL_MODES,
					   .period = 5,
					   .registers = true,
					   .stack = STACK };
	const Pmu__V1__Sample *got;
	Pmu__V1__Trace *t;
	struct error e;

	for (size_t i = 0; i < sizeof(image) / sizeof(*image); i++)
		image[i] = i * UINT64_C(0x0101010101010101);
	memcpy(image, code, sizeof(code));
	image[FP_WORD] = row->sp;
	fixture_init(&f, &cfg);
	ck_assert(machine_set_samplers(f.m, &s, 1, &e));
	fixture_start(&f);
	fixture_run(&f, 1000, UINT32_MAX);
	t = fixture_trace(&f);
	got = fixture_record(t, PMU__V1__RECORD__KIND_SAMPLE, 0)->sample;
	ck_assert_msg(got->stack.len == row->want && got->chain_end == row->end,
		      "%s: %zu bytes, end %d", row->why, got->stack.len,
		      (int)got->chain_end);
	if (row->want == STACK)
		ck_assert_mem_eq(got->stack.data,
				 (uint8_t *)image + (row->sp - BASE), STACK);
	fixture_free_trace(t);
}

TEST(a_copy_of_a_stack_has_a_limit)
{
	struct fixture_config cfg = { 0 };
	struct machine_sampler s = { "x",   PMU_EV_INSNS, ALL_MODES, 5,
				     false, true,	  65536 };
	struct error e;

	fixture_init(&f, &cfg);
	ck_assert(machine_set_samplers(f.m, &s, 1, &e));
	s.stack++;
	ck_assert(!machine_set_samplers(f.m, &s, 1, &e));
	ck_assert_str_eq(e.reason, "BAD_VALUE");
}

SUITE("chains", .setup = setup, .teardown = teardown);
