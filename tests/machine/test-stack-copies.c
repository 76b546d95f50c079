/* SPDX-License-Identifier: BSD-2-Clause */
/* Copies of the stack that samples have. */
#include <string.h>

#include "../unit/unit.h"
#include "board/board.h"
#include "core/sampler.h"
#include "machine-fixture.h"

#define BASE   BOARD_RAM_BASE
#define END(x) PMU__V1__CHAIN_END__CHAIN_END_##x

enum {
	ALL_MODES = (1 << PMU_N_MODES) - 1
};

static struct fixture f;
static uint64_t image[2080]; /* from BASE on */

static void setup(void)
{
}

static void teardown(void)
{
	fixture_fini(&f);
}

/* The stack: sp near the end of RAM, or in none; a copy of 64 bytes. */

enum {
	FP_WORD = 4, /* of the image */
	STACK = 64,
	RAM = 4 << 20 /* of a fixture */
};

static const struct stack_row {
	const char *why;
	uint64_t sp;
	size_t want;
	Pmu__V1__ChainEnd end;
} stack_rows[] = {
	{ "all of it", BASE + 0x100, STACK, END(UNSPECIFIED) },
	{ "over the end of a page", BASE + 0xfe8, STACK, END(UNSPECIFIED) },
	{ "up to the end of RAM", BASE + RAM - 24, 24, END(UNSPECIFIED) },
	{ "none behind RAM", BASE + RAM, 0, END(UNREADABLE) },
	{ "none at 0", 0, 0, END(UNREADABLE) },
	{ "none that is not aligned", BASE + 0x104, 0, END(BAD_FRAME) },
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

SUITE("stack-copies", .setup = setup, .teardown = teardown);
