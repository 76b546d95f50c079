/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What instructions do with floating-point registers, one row for each kind;
 * words by the assembler.
 */
#include "unit.h"

#include <pmu/insn.h>

#define F(n) (UINT32_C(1) << (n))

static const struct fp_row {
	const char *insn;
	uint32_t word;
	unsigned xlen;
	struct pmu_insn_fp want;
} fp_rows[] = {
	{ "flw f1, 4(x2)", 0x00412087, 64, { 0, 0, F(1), 0, false } },
	{ "fld f31, 4(x2)", 0x00413f87, 64, { 0, 0, 0, F(31), false } },
	{ "fsw f1, 4(x2)", 0x00112227, 64, { 0, 0, 0, 0, false } },
	{ "fsd f30, 4(x2)", 0x01e13227, 64, { 0, F(30), 0, 0, false } },
	{ "c.fld f8, 0(x9)", 0x2080, 64, { 0, 0, 0, F(8), false } },
	{ "c.fsd f15, 0(x9)", 0xa09c, 64, { 0, F(15), 0, 0, false } },
	{ "c.fldsp f31, 8(x2)", 0x2fa2, 64, { 0, 0, 0, F(31), false } },
	{ "c.fsdsp f30, 8(x2)", 0xa47a, 64, { 0, F(30), 0, 0, false } },
	{ "fadd.s f1, f2, f3",
	  0x003170d3,
	  64,
	  { F(2) | F(3), 0, F(1), 0, false } },
	{ "fsub.d f1, f2, f3",
	  0x0a3170d3,
	  64,
	  { 0, F(2) | F(3), 0, F(1), false } },
	{ "fmul.s f31, f30, f29",
	  0x11df7fd3,
	  64,
	  { F(30) | F(29), 0, F(31), 0, false } },
	{ "fdiv.d f1, f1, f1", 0x1a10f0d3, 64, { 0, F(1), 0, F(1), false } },
	{ "fsqrt.s f4, f5", 0x5802f253, 64, { F(5), 0, F(4), 0, false } },
	{ "fsqrt.d f4, f5", 0x5a02f253, 64, { 0, F(5), 0, F(4), false } },
	{ "fmadd.s f1, f2, f3, f4",
	  0x203170c3,
	  64,
	  { F(2) | F(3) | F(4), 0, F(1), 0, false } },
	{ "fmsub.d f1, f2, f3, f31",
	  0xfa3170c7,
	  64,
	  { 0, F(2) | F(3) | F(31), 0, F(1), false } },
	{ "fnmadd.d f1, f2, f3, f4",
	  0x223170cf,
	  64,
	  { 0, F(2) | F(3) | F(4), 0, F(1), false } },
	{ "fnmsub.s f1, f2, f3, f4",
	  0x203170cb,
	  64,
	  { F(2) | F(3) | F(4), 0, F(1), 0, false } },
	{ "fsgnj.s f1, f2, f3",
	  0x203100d3,
	  64,
	  { F(2) | F(3), 0, F(1), 0, false } },
	{ "fsgnjx.d f1, f2, f3",
	  0x223120d3,
	  64,
	  { 0, F(2) | F(3), 0, F(1), false } },
	{ "fmin.s f1, f2, f3",
	  0x283100d3,
	  64,
	  { F(2) | F(3), 0, F(1), 0, true } },
	{ "fmax.d f1, f2, f3",
	  0x2a3110d3,
	  64,
	  { 0, F(2) | F(3), 0, F(1), true } },
	{ "feq.s x1, f2, f3", 0xa03120d3, 64, { F(2) | F(3), 0, 0, 0, false } },
	{ "flt.d x1, f2, f3", 0xa23110d3, 64, { 0, F(2) | F(3), 0, 0, false } },
	{ "fclass.s x1, f2", 0xe00110d3, 64, { F(2), 0, 0, 0, false } },
	{ "fclass.d x1, f2", 0xe20110d3, 64, { 0, F(2), 0, 0, false } },
	{ "fcvt.w.s x1, f2", 0xc00170d3, 64, { F(2), 0, 0, 0, false } },
	{ "fcvt.wu.d x1, f2", 0xc21170d3, 64, { 0, F(2), 0, 0, false } },
	{ "fcvt.s.w f1, x2", 0xd00170d3, 64, { 0, 0, F(1), 0, false } },
	{ "fcvt.d.wu f1, x2", 0xd21100d3, 64, { 0, 0, 0, F(1), false } },
	{ "fcvt.s.d f1, f2", 0x401170d3, 64, { 0, F(2), F(1), 0, false } },
	{ "fcvt.d.s f1, f2", 0x420100d3, 64, { F(2), 0, 0, F(1), false } },
	{ "fmv.x.w x1, f2", 0xe00100d3, 64, { 0, 0, 0, 0, false } },
	{ "fmv.w.x f1, x2", 0xf00100d3, 64, { 0, 0, F(1), 0, false } },
	{ "fmv.x.d x1, f2", 0xe20100d3, 64, { 0, F(2), 0, 0, false } },
	{ "fmv.d.x f1, x2", 0xf20100d3, 64, { 0, 0, 0, F(1), false } },
	{ "frflags x1", 0x001020f3, 64, { 0, 0, 0, 0, false } },
	{ "add x1, x2, x3", 0x003100b3, 64, { 0, 0, 0, 0, false } },
	{ "ld x1, 0(x2)", 0x00013083, 64, { 0, 0, 0, 0, false } },
	{ "c.flw f8, 0(x9)", 0x6080, 32, { 0, 0, F(8), 0, false } },
	{ "c.fsw f8, 0(x9)", 0xe080, 32, { 0, 0, 0, 0, false } },
	{ "c.flwsp f9, 4(x2)", 0x6492, 32, { 0, 0, F(9), 0, false } },
};

TEST_ROWS(an_instruction_tells_its_floating_point_registers, fp_rows)
{
	const struct fp_row *row = &fp_rows[_i];
	const struct pmu_insn_fp *want = &row->want;
	struct pmu_insn_fp got;
	struct pmu_insn insn;

	pmu_insn_decode(row->word, row->xlen, &insn);
	pmu_insn_decode_fp(row->word, &insn, &got);
	ck_assert_msg(got.reads_single == want->reads_single &&
			      got.reads_double == want->reads_double &&
			      got.writes_single == want->writes_single &&
			      got.writes_double == want->writes_double &&
			      got.minmax == want->minmax,
		      "%s: %x %x %x %x", row->insn, got.reads_single,
		      got.reads_double, got.writes_single, got.writes_double);
}

SUITE("insn-fp");
