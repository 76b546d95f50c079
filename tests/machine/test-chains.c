/* SPDX-License-Identifier: BSD-2-Clause */
/* Chains of callers that samples have: code as rows put it into memory. */
#include "chain-fixture.h"

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
	{ "a trap handler that turns floating point on",
	  64,
	  { 0x00000297, 0x01428293, 0x30529073, 0x00000073, 0x00008067,
	    0x000062b7, 0x3002a073, 0x00000013, 0x30200073 },
	  7,
	  { 0 },
	  { 4, 7, 12 } },
	{ "a trap handler that reads mepc, and clears a bit of mstatus",
	  64,
	  { 0x00000297, 0x01428293, 0x30529073, 0x00000073, 0x00008067,
	    0x34102373, 0x30047073, 0x00000013, 0x30200073 },
	  7,
	  { 0 },
	  { 4, 7, 12 } },
	{ "a trap handler that takes MPP away, and sets it again",
	  64,
	  { 0x00000297, 0x01428293, 0x30529073, 0x00000073, 0x00008067,
	    0x000022b7, 0x80028293, 0x3002b073, 0x3002a073, 0x30200073 },
	  8,
	  { 0 },
	  { 4, 8, 12 } },
	{ "a trap handler that returns behind the instruction",
	  64,
	  { 0x00000297, 0x01428293, 0x30529073, 0x00000073, 0x00008067,
	    0x341022f3, 0x00428293, 0x34129073, 0x30200073 },
	  8,
	  { 0 },
	  { 4, 7, 16 } },
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
	{ "the same with a return address of 0 beside a frame",
	  { 0x00000093, 0x0000006f },
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

SUITE("chains", .setup = setup, .teardown = teardown);
