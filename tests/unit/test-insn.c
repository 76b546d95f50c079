/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Decode: one row per kind of instruction, and what its operands become. The
 * sweep over all encodings is insn-sweep.py's, which asks the disassembler.
 */
#include "unit.h"

#include <pmu/insn.h>
#include <pmu/rule.h>

enum {
	LD = PMU_INSN_LOAD,
	ST = PMU_INSN_STORE,
	BR = PMU_INSN_BRANCH,
	FP = PMU_INSN_FP,
	AMO = PMU_INSN_AMO | PMU_INSN_LOAD | PMU_INSN_STORE,
	LR = PMU_INSN_LR | PMU_INSN_LOAD,
	SC = PMU_INSN_SC | PMU_INSN_STORE,
	SYS = PMU_INSN_SYSTEM,
	CSR = PMU_INSN_CSR,
	FENCE_I = PMU_INSN_FENCE_I,
};

static const struct decode_row {
	const char *insn;
	uint32_t word;
	struct pmu_insn rv32, rv64; /* len aside */
} rows[] = {
#define SAME(...)                                                              \
	{ __VA_ARGS__ },                                                       \
	{                                                                      \
		__VA_ARGS__                                                    \
	}
#define NONE                                                                   \
	{                                                                      \
		.flags = 0                                                     \
	}
	{ "lb x1, -1(x2)", 0xfff10083,
	  SAME(.flags = LD, .size = 1, .rd = 1, .rs1 = 2, .imm = -1) },
	{ "lhu x31, 2047(x30)", 0x7fff5f83,
	  SAME(.flags = LD, .size = 2, .rd = 31, .rs1 = 30, .imm = 2047) },
	{ "lwu x1, 0(x2): RV64",
	  0x00016083,
	  NONE,
	  { .flags = LD, .size = 4, .rd = 1, .rs1 = 2 } },
	{ "ld x1, 8(x2): RV64",
	  0x00813083,
	  NONE,
	  { .flags = LD, .size = 8, .rd = 1, .rs1 = 2, .imm = 8 } },
	{ "load with funct3 7", 0x00817083, NONE, NONE },
	{ "sb x3, -2048(x4)", 0x80320023,
	  SAME(.flags = ST, .size = 1, .rs1 = 4, .rs2 = 3, .imm = -2048) },
	{ "sw x3, 2047(x4)", 0x7e322fa3,
	  SAME(.flags = ST, .size = 4, .rs1 = 4, .rs2 = 3, .imm = 2047) },
	{ "sd x3, 16(x4): RV64",
	  0x00323823,
	  NONE,
	  { .flags = ST, .size = 8, .rs1 = 4, .rs2 = 3, .imm = 16 } },
	{ "flw f1, 4(x2)", 0x00412087,
	  SAME(.flags = LD | FP, .size = 4, .rs1 = 2, .imm = 4) },
	{ "fsd f1, -8(x2)", 0xfe113c27,
	  SAME(.flags = ST | FP, .size = 8, .rs1 = 2, .imm = -8) },
	{ "flq", 0x00414087, NONE, NONE },
	{ "beq x1, x2", 0x00208063, SAME(.flags = BR, .rs1 = 1, .rs2 = 2) },
	{ "branch with funct3 2", 0x0020a063, NONE, NONE },
	{ "jal x1", 0x000000ef, SAME(.flags = BR, .rd = 1) },
	{ "jalr x0, 0(x1)", 0x00008067, SAME(.flags = BR, .rs1 = 1) },
	{ "jalr with funct3 1", 0x00009067, NONE, NONE },
	{ "lr.w x1, (x2)", 0x100120af,
	  SAME(.flags = LR, .size = 4, .rd = 1, .rs1 = 2) },
	{ "lr.w with rs2", 0x101120af, NONE, NONE },
	{ "lr.d.aqrl x1, (x2): RV64",
	  0x160130af,
	  NONE,
	  { .flags = LR, .size = 8, .rd = 1, .rs1 = 2 } },
	{ "sc.w x1, x3, (x2)", 0x183120af,
	  SAME(.flags = SC, .size = 4, .rd = 1, .rs1 = 2, .rs2 = 3) },
	{ "amoadd.w x1, x3, (x2)", 0x003120af,
	  SAME(.flags = AMO, .size = 4, .rd = 1, .rs1 = 2, .rs2 = 3) },
	{ "amomaxu.d: RV64",
	  0xe03130af,
	  NONE,
	  { .flags = AMO, .size = 8, .rd = 1, .rs1 = 2, .rs2 = 3 } },
	{ "amo with funct5 5", 0x283120af, NONE, NONE },
	{ "amo of a byte", 0x003100af, NONE, NONE },
	{ "fence", 0x0ff0000f, NONE, NONE },
	{ "fence.i", 0x0000100f, SAME(.flags = FENCE_I) },
	{ "fence.i, fields ignored", 0xfff1908f, SAME(.flags = FENCE_I) },
	{ "ecall", 0x00000073, SAME(.flags = SYS) },
	{ "ebreak", 0x00100073, SAME(.flags = SYS) },
	{ "mret", 0x30200073, SAME(.flags = SYS) },
	{ "sret", 0x10200073, SAME(.flags = SYS) },
	{ "wfi", 0x10500073, SAME(.flags = SYS) },
	{ "sfence.vma x1, x2", 0x12208073,
	  SAME(.flags = SYS, .rs1 = 1, .rs2 = 2) },
	{ "sfence.vma with rd", 0x122080f3, NONE, NONE },
	{ "ecall with rd", 0x000000f3, NONE, NONE },
	{ "mnret", 0x70200073, NONE, NONE },
	{ "dret", 0x7b200073, NONE, NONE },
	{ "hfence.vvma", 0x22000073, NONE, NONE },
	{ "hlv.b", 0x60014073, NONE, NONE },
	{ "csrrw x1, mscratch, x2", 0x340110f3,
	  SAME(.flags = CSR, .csr = 0x340, .rd = 1, .rs1 = 2) },
	{ "csrrci x1, cycle, 31: no register", 0xc00ff0f3,
	  SAME(.flags = CSR, .csr = 0xc00, .rd = 1) },
	{ "ustatus, the number below fflags", 0x000020f3,
	  SAME(.flags = CSR, .csr = 0, .rd = 1) },
	{ "frflags x1 needs FS", 0x001020f3,
	  SAME(.flags = CSR | FP, .csr = 1, .rd = 1) },
	{ "uie, the number above fcsr", 0x004020f3,
	  SAME(.flags = CSR, .csr = 4, .rd = 1) },
	{ "frcsr x1 needs FS", 0x003020f3,
	  SAME(.flags = CSR | FP, .csr = 3, .rd = 1) },
	{ "fmadd.d", 0x0a3170c3, SAME(.flags = FP) },
	{ "fmadd.q", 0x0e3170c3, NONE, NONE },
	{ "fadd.s, dynamic rounding", 0x003170d3, SAME(.flags = FP) },
	{ "fadd.s, rounding mode 5", 0x003150d3, NONE, NONE },
	{ "fadd.h", 0x043170d3, NONE, NONE },
	{ "fsqrt.s", 0x580170d3, SAME(.flags = FP) },
	{ "fsqrt.s with rs2", 0x581170d3, NONE, NONE },
	{ "fcvt.w.s x1, f2", 0xc00170d3, SAME(.flags = FP, .rd = 1) },
	{ "fcvt.l.s x1, f2: RV64", 0xc02170d3, NONE, { .flags = FP, .rd = 1 } },
	{ "fcvt.d.wu f1, x2", 0xd21100d3, SAME(.flags = FP, .rs1 = 2) },
	{ "fcvt.s.d", 0x401170d3, SAME(.flags = FP) },
	{ "fcvt.d.s", 0x420100d3, SAME(.flags = FP) },
	{ "fcvt.s.s", 0x400170d3, NONE, NONE },
	{ "feq.s x1", 0xa03120d3, SAME(.flags = FP, .rd = 1) },
	{ "fclass.d x1", 0xe20110d3, SAME(.flags = FP, .rd = 1) },
	{ "fmv.x.w x1", 0xe00100d3, SAME(.flags = FP, .rd = 1) },
	{ "fmv.x.d x1: RV64", 0xe20100d3, NONE, { .flags = FP, .rd = 1 } },
	{ "fmv.w.x f1, x2", 0xf00100d3, SAME(.flags = FP, .rs1 = 2) },
	{ "fmv.d.x f1, x2: RV64", 0xf20100d3, NONE, { .flags = FP, .rs1 = 2 } },
	{ "add", 0x003100b3, NONE, NONE },
	{ "all ones", 0xffffffff, NONE, NONE },
	{ "c.illegal", 0x0000, NONE, NONE },
	{ "c.lw x8, 124(x15)", 0x5fe0,
	  SAME(.flags = LD, .size = 4, .rd = 8, .rs1 = 15, .imm = 124) },
	{ "c.flw f8, 0(x10), c.ld x8, 0(x10)",
	  0x6100,
	  { .flags = LD | FP, .size = 4, .rs1 = 10 },
	  { .flags = LD, .size = 8, .rd = 8, .rs1 = 10 } },
	{ "c.fsw, c.sd x9, 248(x8)",
	  0xfc64,
	  { .flags = ST | FP, .size = 4, .rs1 = 8, .imm = 124 },
	  { .flags = ST, .size = 8, .rs1 = 8, .rs2 = 9, .imm = 248 } },
	{ "c.fld f8, 8(x8)", 0x2400,
	  SAME(.flags = LD | FP, .size = 8, .rs1 = 8, .imm = 8) },
	{ "c.jal, c.addiw x0 (reserved)",
	  0x2001,
	  { .flags = BR, .rd = 1 },
	  NONE },
	{ "c.j", 0xa001, SAME(.flags = BR) },
	{ "c.bnez x9", 0xe481, SAME(.flags = BR, .rs1 = 9) },
	{ "c.lwsp x0: reserved", 0x4002, NONE, NONE },
	{ "c.lwsp x1, 252(sp)", 0x50fe,
	  SAME(.flags = LD, .size = 4, .rd = 1, .rs1 = 2, .imm = 252) },
	{ "c.flwsp f0, c.ldsp x0 (reserved)",
	  0x6002,
	  { .flags = LD | FP, .size = 4, .rs1 = 2 },
	  NONE },
	{ "c.swsp x31, 252(sp)", 0xdffe,
	  SAME(.flags = ST, .size = 4, .rs1 = 2, .rs2 = 31, .imm = 252) },
	{ "c.jr x1", 0x8082, SAME(.flags = BR, .rs1 = 1) },
	{ "c.jr x0: reserved", 0x8002, NONE, NONE },
	{ "c.jalr x5", 0x9282, SAME(.flags = BR, .rd = 1, .rs1 = 5) },
	{ "c.ebreak", 0x9002, SAME(.flags = SYS) },
	{ "c.mv", 0x8086, NONE, NONE },
#undef SAME
#undef NONE
};

static void assert_decodes(const struct decode_row *row, unsigned xlen)
{
	const struct pmu_insn *want = xlen == 32 ? &row->rv32 : &row->rv64;
	struct pmu_insn got;

	pmu_insn_decode(row->word, xlen, &got);
	ck_assert_msg(got.flags == want->flags, "%s, rv%u: flags %#x",
		      row->insn, xlen, got.flags);
	ck_assert_msg(got.size == want->size && got.imm == want->imm &&
			      got.csr == want->csr,
		      "%s, rv%u: size %u imm %d csr %#x", row->insn, xlen,
		      got.size, got.imm, got.csr);
	ck_assert_msg(got.rd == want->rd && got.rs1 == want->rs1 &&
			      got.rs2 == want->rs2,
		      "%s, rv%u: rd %u rs1 %u rs2 %u", row->insn, xlen, got.rd,
		      got.rs1, got.rs2);
	ck_assert_uint_eq(got.len, (row->word & 3) == 3 ? 4 : 2);
}

TEST_ROWS(instructions_decode, rows)
{
	assert_decodes(&rows[_i], 32);
	assert_decodes(&rows[_i], 64);
}

/* Junk above a compressed instruction is not looked at. */
TEST(the_upper_half_of_a_compressed_word_is_ignored)
{
	struct pmu_insn clean, junk;

	for (uint32_t half = 0; half < 0x10000; half++) {
		if ((half & 3) == 3)
			continue;
		pmu_insn_decode(half, 64, &clean);
		pmu_insn_decode(half | 0xdead0000, 64, &junk);
		ck_assert_mem_eq(&clean, &junk, sizeof(clean));
	}
}

SUITE("insn", .test_case = "decode");
