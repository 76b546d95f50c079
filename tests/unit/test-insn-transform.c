/* SPDX-License-Identifier: BSD-2-Clause */
/* Transformed instructions; encodings as the assembler gives them. */
#include "unit.h"

#include <pmu/insn.h>
#include <pmu/rule.h>

static const struct row {
	const char *rule, *insn;
	uint32_t word;
	unsigned offset;
	uint32_t want;
} rows[] = {
#define LIST RULE("H_trap_xtinst_exception_list")
	{ LIST, "lb a5, 17(s1)", 0x01148783, 0, 0x00000783 },
	{ LIST, "lbu a5, -1(s1)", 0xfff4c783, 0, 0x00004783 },
	{ LIST, "lw t6, 2047(ra)", 0x7ff0af83, 0, 0x00002f83 },
	{ LIST, "ld t6, 8(ra)", 0x0080bf83, 0, 0x00003f83 },
	{ LIST, "flw fa5, 4(a0)", 0x00452787, 0, 0x00002787 },
	{ LIST, "fld fs11, -8(a0)", 0xff853d87, 0, 0x00003d87 },
	{ LIST, "sb a5, 17(s1)", 0x00f488a3, 0, 0x00f00023 },
	{ LIST, "sw t6, -2048(ra)", 0x81f0a023, 0, 0x01f02023 },
	{ LIST, "sd t6, 8(ra)", 0x01f0b423, 0, 0x01f03023 },
	{ LIST, "fsw fa5, 4(a0)", 0x00f52227, 0, 0x00f02027 },
	{ LIST, "fsd fs11, -8(a0)", 0xffb53c27, 0, 0x01b03027 },
	{ LIST, "lr.w.aq a1, (a2)", 0x140625af, 0, 0x140025af },
	{ LIST, "sc.d.rl a1, a3, (a2)", 0x1ad635af, 0, 0x1ad035af },
	{ LIST, "amoadd.w.aqrl a1, a3, (a2)", 0x06d625af, 0, 0x06d025af },
	{ LIST, "c.lw a2, 4(a3)", 0x42d0, 0, 0x00002601 },
	{ LIST, "c.ld a2, 8(a3)", 0x6690, 0, 0x00003601 },
	{ LIST, "c.sw a2, 4(a3)", 0xc2d0, 0, 0x00c02021 },
	{ LIST, "c.sd a2, 8(a3)", 0xe690, 0, 0x00c03021 },
	{ LIST, "c.fld fa2, 8(a3)", 0x2690, 0, 0x00003605 },
	{ LIST, "c.fsd fa2, 8(a3)", 0xa690, 0, 0x00c03025 },
	{ LIST, "c.lwsp t1, 4(sp)", 0x4312, 0, 0x00002301 },
	{ LIST, "c.ldsp t1, 8(sp)", 0x6322, 0, 0x00003301 },
	{ LIST, "c.swsp t1, 4(sp)", 0xc21a, 0, 0x00602021 },
	{ LIST, "c.sdsp t1, 8(sp)", 0xe41a, 0, 0x00603021 },
	{ LIST, "c.fldsp ft1, 8(sp)", 0x20a2, 0, 0x00003085 },
	{ LIST, "c.fsdsp ft1, 8(sp)", 0xa406, 0, 0x00103025 },
	{ LIST, "hlv.w a1, (a2)", 0x680645f3, 0, 0x680045f3 },
	{ LIST, "hlvx.hu a1, (a2)", 0x643645f3, 0, 0x643045f3 },
	{ LIST, "hsv.d a1, (a2)", 0x6eb64073, 0, 0x6eb04073 },
#define OFFSET RULE("H_tinst_addr_offset")
	{ OFFSET, "lw t6, 2047(ra), 3 on", 0x7ff0af83, 3, 0x0001af83 },
	{ OFFSET, "sd t6, 8(ra), 7 on", 0x01f0b423, 7, 0x01f3b023 },
	{ OFFSET, "c.lw a2, 4(a3), 2 on", 0x42d0, 2, 0x00012601 },
	{ OFFSET, "hlv.w a1, (a2), 1 on", 0x680645f3, 1, 0x6800c5f3 },
#define NONE RULE("H_trap_xtinst_val")
	{ NONE, "addi a0, a0, 1", 0x00150513, 0, 0 },
	{ NONE, "c.addi a0, 1", 0x0505, 0, 0 },
	{ NONE, "ecall", 0x00000073, 0, 0 },
	{ NONE, "csrrw a0, sscratch, a0", 0x14051573, 0, 0 },
	{ NONE, "all zeros", 0, 0, 0 },
};

TEST_ROWS(an_access_loses_its_address, rows)
{
	const struct row *row = &rows[_i];
	uint32_t got = pmu_insn_transform(row->word, 64, row->offset);

	shows(row->rule);
	ck_assert_msg(got == row->want, "%s: %#x", row->insn, got);
}

/* The same encoding is c.fldsp or c.ldsp, by XLEN. */
TEST(compressed_ones_differ_by_xlen)
{
	ck_assert_uint_eq(pmu_insn_transform(0x6322, 64, 0), 0x00003301);
	ck_assert_uint_eq(pmu_insn_transform(0x6322, 32, 0), 0x00002305);
	ck_assert_uint_eq(pmu_insn_transform(0xe41a, 32, 0), 0x00602025);
}

SUITE("insn-transform", .test_case = "transform");
