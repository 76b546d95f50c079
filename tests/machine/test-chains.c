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

/*
 * A function of a row runs from FUNCTION on, called as it were from before
 * RETURN(0), with the frame of that caller at fp. The caller never returns and
 * was called from before RETURN(1), the next from before RETURN(2) ...
 */

#define BASE	  BOARD_RAM_BASE
#define FUNCTION  (BASE + 0x40)
#define CALLS	  (BASE + 0x100)
#define RETURN(n) (CALLS + 8 * (uint64_t)(n) + 4)
#define STACK_TOP (BASE + 0x2000) /* sp at the function */
#define AT_FP(n)  (STACK_TOP + 0x40 + 0x20 * (uint64_t)(n))
#define END(x)	  PMU__V1__CHAIN_END__CHAIN_END_##x

static uint64_t image[2080]; /* from BASE on */

enum {
	DATA = 0x20, /* sp, fp and ra in words of 8 */
	N_CALLS = 4,
	MAX_CODE = 16,
	PREFACE = 5 /* instructions before the function's */
};

static void put(uint64_t at, uint64_t value, size_t size)
{
	memcpy((uint8_t *)image + (at - BASE), &value, size);
}

static uint32_t load_data(bool narrow, unsigned rd, unsigned n)
{
	return (uint32_t)(DATA + 8 * n) << 20 | 31u << 15 |
	       (narrow ? 2u : 3u) << 12 | rd << 7 | 0x03;
}

static void put_code(unsigned xlen, const uint32_t *function)
{
	const uint32_t preface[PREFACE] = {
		0x00000f97, /* auipc t6, 0 */
		load_data(xlen == 32, 2, 0),
		load_data(xlen == 32, 8, 1),
		load_data(xlen == 32, 1, 2),
		0x0300006f, /* j FUNCTION */
	};

	memset(image, 0, sizeof(image));
	memcpy(image, preface, sizeof(preface));
	memcpy((uint8_t *)image + (FUNCTION - BASE), function,
	       MAX_CODE * sizeof(*function));
	for (unsigned i = 0; i < N_CALLS; i++) {
		put(RETURN(i) - 4, 0x000000ef, 4); /* jal ra, . */
		put(RETURN(i), 0x0000006f, 4);	   /* j . */
	}
	put(BASE + DATA, STACK_TOP, 8);
	put(BASE + DATA + 8, AT_FP(0), 8);
	put(BASE + DATA + 16, RETURN(0), 8);
}

static void put_frame(unsigned xlen, uint64_t at, uint64_t ra, uint64_t fp)
{
	put(at - xlen / 8, ra, xlen / 8);
	put(at - xlen / 4, fp, xlen / 8);
}

/* A sample of every instruction. */
static Pmu__V1__Trace *sample_all(unsigned xlen)
{
	const struct fixture_config cfg = {
		.m_mode = true,
		.settings =
			xlen == 32 ? "max-insns=40 xlen=32" : "max-insns=40",
		.image = image,
		.image_size = sizeof(image),
		.address = BASE,
	};
	const struct machine_sampler s = { "x", PMU_EV_INSNS, ALL_MODES,
					   1,	true,	      true };
	struct error e;

	fixture_init(&f, &cfg);
	ck_assert(machine_set_samplers(f.m, &s, 1, &e));
	fixture_start(&f);
	/* some go on to where nothing can be executed */
	fixture_run(&f, 1000, 8);
	return fixture_trace(&f);
}

/* Of the @step-th instruction of the function, from 1 on. */
static const Pmu__V1__Sample *sample_at(const Pmu__V1__Trace *t, unsigned step)
{
	return fixture_record(t, PMU__V1__RECORD__KIND_SAMPLE,
			      PREFACE + step - 1)
		->sample;
}

/* Whole chains: at each instruction of a function, whatever its shape. */

struct between { /* instructions that have another caller as well */
	unsigned first, last, at; /* it: an offset in the code */
};

static const struct shape_row {
	const char *why;
	unsigned xlen;
	uint32_t code[MAX_CODE];
	unsigned steps;
	struct between called, trapped;
} shape_rows[] = {
	{ "a leaf that saves fp alone",
	  64,
	  { 0xff010113, 0x00813423, 0x01010413, 0x00000013, 0x00813403,
	    0x01010113, 0x00008067 },
	  7,
	  { 0 },
	  { 0 } },
	{ "a leaf, compressed",
	  64,
	  { 0xe4221141, 0x00010800, 0x01416422, 0x00008082 },
	  7,
	  { 0 },
	  { 0 } },
	{ "a leaf on RV32",
	  32,
	  { 0xff010113, 0x00812623, 0x01010413, 0x00000013, 0x00c12403,
	    0x01010113, 0x00008067 },
	  7,
	  { 0 },
	  { 0 } },
	{ "a leaf on RV32, compressed",
	  32,
	  { 0xc6221141, 0x00010800, 0x01414432, 0x00008082 },
	  7,
	  { 0 },
	  { 0 } },
	{ "a function that calls",
	  64,
	  { 0xff010113, 0x00113423, 0x00813023, 0x01010413, 0x014000ef,
	    0x00813083, 0x00013403, 0x01010113, 0x00008067, 0x00000013,
	    0x00008067 },
	  11,
	  { 6, 7, 20 },
	  { 0 } },
	{ "a function that calls, compressed",
	  64,
	  { 0xe4061141, 0x0800e022, 0x00c000ef, 0x640260a2, 0x80820141,
	    0x80820001 },
	  11,
	  { 6, 7, 12 },
	  { 0 } },
	{ "a function that calls on RV32",
	  32,
	  { 0xff010113, 0x00112623, 0x00812423, 0x01010413, 0x014000ef,
	    0x00c12083, 0x00812403, 0x01010113, 0x00008067, 0x00000013,
	    0x00008067 },
	  11,
	  { 6, 7, 20 },
	  { 0 } },
	{ "a function that calls on RV32, compressed",
	  32,
	  { 0xc6061141, 0x0800c422, 0x40b22029, 0x01414422, 0x00018082,
	    0x00008082 },
	  11,
	  { 6, 7, 10 },
	  { 0 } },
	{ "a function without a frame",
	  64,
	  { 0x00000013, 0x00008067 },
	  2,
	  { 0 },
	  { 0 } },
	{ "a function for which fp is any register",
	  64,
	  { 0xff010113, 0x00113423, 0x00813023, 0x00100413, 0x014000ef,
	    0x00813083, 0x00013403, 0x01010113, 0x00008067, 0x00000013,
	    0x00008067 },
	  11,
	  { 6, 7, 20 },
	  { 0 } },
	{ "a frame of more than an immediate",
	  64,
	  { 0x81010113, 0x7e113423, 0x7e813023, 0x7f010413, 0xffffe2b7,
	    0x00510133, 0x00000013, 0x000022b7, 0x00510133, 0x7e813083,
	    0x7e013403, 0x7f010113, 0x00008067 },
	  13,
	  { 0 },
	  { 0 } },
	{ "a stack pointer that nobody knows",
	  64,
	  { 0xff010113, 0x00113423, 0x00813023, 0x01010413, 0x41110133,
	    0x00000013, 0xff040113, 0x00813083, 0x00013403, 0x01010113,
	    0x00008067 },
	  10,
	  { 0 },
	  { 0 } },
	{ "a way out before the frame, behind a call that never returns",
	  64,
	  { 0x00000a63, 0xff010113, 0x00113423, 0x008000ef, 0x00100073,
	    0x00000013, 0x00008067 },
	  3,
	  { 0 },
	  { 0 } },
	{ "a call that never returns, before another function's return",
	  64,
	  { 0xff010113, 0x00113423, 0x00813023, 0x01010413, 0x020000ef,
	    0x00000663, 0x000000ef, 0x00008067, 0x00813083, 0x00013403,
	    0x01010113, 0x00008067, 0x00000013, 0x00008067 },
	  12,
	  { 6, 7, 20 },
	  { 0 } },
	{ "a return address that was moved",
	  64,
	  { 0x00008313, 0x00000013, 0x00030067 },
	  2,
	  { 0 },
	  { 0 } },
	{ "a loop",
	  64,
	  { 0xff010113, 0x00813423, 0x01010413, 0x00200513, 0xfff50513,
	    0xfe051ee3, 0x00813403, 0x01010113, 0x00008067 },
	  11,
	  { 0 },
	  { 0 } },
	{ "registers saved by a routine that is called with t0",
	  64,
	  { 0x010002ef, 0x00030413, 0x00000013, 0x0180006f, 0x00010313,
	    0xff010113, 0x00113423, 0x00813023, 0x00028067, 0x00813083,
	    0x00013403, 0x01010113, 0x00008067 },
	  13,
	  { 2, 6, 4 },
	  { 0 } },
	{ "a jump to another function",
	  64,
	  { 0xff010113, 0x00113423, 0x00813023, 0x01010413, 0x00000317,
	    0x01830313, 0x00813083, 0x00013403, 0x01010113, 0x00030067,
	    0x00000013, 0x00008067 },
	  12,
	  { 0 },
	  { 0 } },
	{ "a trap handler",
	  64,
	  { 0x00000297, 0x01428293, 0x30529073, 0x00000073, 0x00008067,
	    0xff010113, 0x00113423, 0x010000ef, 0x00813083, 0x01010113,
	    0x30200073, 0x00000013, 0x00008067 },
	  11,
	  { 7, 8, 32 },
	  { 4, 11, 12 } },
};

static bool is_in(const struct between *b, unsigned step)
{
	return step >= b->first && step <= b->last;
}

TEST_ROWS(each_instruction_has_all_callers, shape_rows)
{
	const struct shape_row *row = &shape_rows[_i];
	Pmu__V1__Trace *t;

	put_code(row->xlen, row->code);
	put_frame(row->xlen, AT_FP(0), RETURN(1), 0);
	t = sample_all(row->xlen);
	for (unsigned step = 1; step <= row->steps; step++) {
		const Pmu__V1__Sample *s = sample_at(t, step);
		uint64_t want[4];
		size_t n = 0;

		if (is_in(&row->called, step))
			want[n++] = FUNCTION + row->called.at;
		if (is_in(&row->trapped, step))
			want[n++] = FUNCTION + row->trapped.at;
		want[n++] = RETURN(0);
		want[n++] = RETURN(1);
		ck_assert_msg(s->n_callers == n && s->chain_end == END(BOTTOM),
			      "%s: %u: %zu callers, end %d", row->why, step,
			      s->n_callers, (int)s->chain_end);
		for (size_t i = 0; i < n; i++)
			ck_assert_msg(s->callers[i] == want[i],
				      "%s: %u: caller %zu is %#jx", row->why,
				      step, i, (uintmax_t)s->callers[i]);
	}
	fixture_free_trace(t);
}

/* Chains that end at the sampled function, and say so. */

static const struct end_row {
	const char *why;
	uint32_t code[MAX_CODE];
	unsigned step;
	Pmu__V1__ChainEnd end;
} end_rows[] = {
	{ "a stack address where a return address was",
	  { 0xff010113, 0x00213423, 0x00000013, 0x00813083, 0x01010113,
	    0x00008067 },
	  3,
	  END(BAD_RETURN) },
	{ "a return address behind no call",
	  { 0xff010113, 0x00000097, 0x00113423, 0x00000013, 0x00813083,
	    0x01010113, 0x00008067 },
	  4,
	  END(BAD_RETURN) },
	{ "a return address of 0",
	  { 0x00000093, 0x00000013, 0x00008067 },
	  2,
	  END(BOTTOM) },
	{ "a jump that nobody knows",
	  { 0x00014783, 0x00000013, 0x00078067 },
	  2,
	  END(NO_RETURN) },
	{ "code that never returns, and may have no frame",
	  { 0x00000013, 0x0000006f },
	  1,
	  END(NO_RETURN) },
	{ "the same without a frame below",
	  { 0x00000413, 0x0000006f },
	  1,
	  END(NO_RETURN) },
	{ "the first function, in neither a frame nor a call",
	  { 0x00000413, 0x00000093, 0x0000006f },
	  3,
	  END(BOTTOM) },
};

TEST_ROWS(nothing_is_made_up, end_rows)
{
	const struct end_row *row = &end_rows[_i];
	const Pmu__V1__Sample *s;
	Pmu__V1__Trace *t;

	put_code(64, row->code);
	put_frame(64, AT_FP(0), RETURN(1), 0);
	t = sample_all(64);
	s = sample_at(t, row->step);
	ck_assert_msg(!s->n_callers && s->chain_end == row->end,
		      "%s: %zu callers, end %d", row->why, s->n_callers,
		      (int)s->chain_end);
	fixture_free_trace(t);
}

/* Frames of callers that never return, as a row has them in memory. */

static const uint32_t without_frame[MAX_CODE] = {
	0x00000013, /* nop */
	0x00008067, /* ret */
};

static const struct chain_row {
	const char *why;
	uint64_t fp;
	struct {
		uint64_t ra, fp;
	} frame[3]; /* whose fp is AT_FP(0) and so on */
	size_t want;
	Pmu__V1__ChainEnd end;
} chain_rows[] = {
	{ "two more callers, and then no frame",
	  AT_FP(0),
	  { { RETURN(1), AT_FP(1) }, { RETURN(2), 0 } },
	  3,
	  END(BOTTOM) },
	{ "no return address",
	  AT_FP(0),
	  { { RETURN(1), AT_FP(2) }, { 0 }, { 0, AT_FP(0) } },
	  2,
	  END(BOTTOM) },
	{ "no frame at all", 0, { { 0 } }, 1, END(BOTTOM) },
	{ "a frame that is not aligned",
	  AT_FP(0) + 8,
	  { { RETURN(1), 0 } },
	  1,
	  END(BAD_FRAME) },
	{ "a frame below the stack",
	  STACK_TOP - 0x20,
	  { { RETURN(1), 0 } },
	  1,
	  END(BAD_FRAME) },
	{ "a caller's frame below",
	  AT_FP(1),
	  { { RETURN(1), 0 }, { RETURN(1), AT_FP(0) } },
	  2,
	  END(BAD_FRAME) },
	{ "a frame that is its own caller's",
	  AT_FP(0),
	  { { RETURN(1), AT_FP(0) } },
	  2,
	  END(BAD_FRAME) },
	{ "a frame in no RAM",
	  UINT64_C(1) << 40,
	  { { 0 } },
	  1,
	  END(UNREADABLE) },
	{ "an odd return address",
	  AT_FP(0),
	  { { RETURN(1) + 1, 0 } },
	  1,
	  END(BAD_RETURN) },
	{ "a return to no RAM",
	  AT_FP(0),
	  { { 0x1000, 0 } },
	  1,
	  END(BAD_RETURN) },
	{ "a return to the stack",
	  AT_FP(0),
	  { { AT_FP(2), 0 } },
	  1,
	  END(BAD_RETURN) },
	{ "a return to what is no call's",
	  AT_FP(0),
	  { { FUNCTION + 4, 0 } },
	  1,
	  END(BAD_RETURN) },
};

TEST_ROWS(a_chain_goes_as_far_as_it_can, chain_rows)
{
	const struct chain_row *row = &chain_rows[_i];
	const Pmu__V1__Sample *s;
	Pmu__V1__Trace *t;

	put_code(64, without_frame);
	put(BASE + DATA + 8, row->fp, 8);
	for (unsigned i = 0; i < 3; i++)
		put_frame(64, AT_FP(i), row->frame[i].ra, row->frame[i].fp);
	t = sample_all(64);
	s = sample_at(t, 1);
	ck_assert_msg(s->n_callers == row->want && s->chain_end == row->end,
		      "%s: %zu callers, end %d", row->why, s->n_callers,
		      (int)s->chain_end);
	ck_assert_uint_eq(s->n_registers, 32);
	ck_assert_uint_eq(s->registers[8], row->fp);
	ck_assert_uint_eq(s->last_pc, FUNCTION);
	for (size_t i = 0; i < row->want; i++)
		ck_assert_uint_eq(s->callers[i], RETURN(i));
	fixture_free_trace(t);
}

TEST(a_chain_has_a_limit)
{
	const Pmu__V1__Sample *s;
	Pmu__V1__Trace *t;

	put_code(64, without_frame);
	for (unsigned i = 0; i < 200; i++)
		put_frame(64, AT_FP(i), RETURN(1), AT_FP(i + 1));
	t = sample_all(64);
	s = sample_at(t, 1);
	ck_assert_uint_eq(s->n_callers, 127);
	ck_assert_int_eq(s->chain_end, END(LIMIT));
	fixture_free_trace(t);
}

SUITE("chains", .setup = setup, .teardown = teardown);
