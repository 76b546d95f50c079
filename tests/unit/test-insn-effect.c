/* SPDX-License-Identifier: BSD-2-Clause */
/* What instructions do, for who follows code; encodings are the assembler's. */
#include "unit.h"

#include <pmu/csr-number.h>
#include <pmu/csr.h>
#include <pmu/insn.h>

static const struct row {
	const char *insn;
	unsigned xlen;
	uint32_t word;
	struct pmu_insn_effect want;
} rows[] = {
#define EFFECT(kind, rd, rs1, rs2, csr, imm)                                   \
	{                                                                      \
		PMU_EFFECT_##kind, 0, rd, rs1, rs2, csr, imm                   \
	}
	{ "addi s0, sp, 32", 64, 0x2010413, EFFECT(ADDI, 8, 2, 0, 0, 32) },
	{ "addi sp, sp, -48", 64, 0xfd010113, EFFECT(ADDI, 2, 2, 0, 0, -48) },
	{ "xori a0, a1, 1", 64, 0x15c513, EFFECT(UNKNOWN, 10, 0, 0, 0, 0) },
	{ "addiw a0, a1, -7", 64, 0xff95851b, EFFECT(ADDIW, 10, 11, 0, 0, -7) },
	{ "add s0, sp, t0", 64, 0x510433, EFFECT(ADD, 8, 2, 5, 0, 0) },
	{ "sub a0, a1, a2", 64, 0x40c58533, EFFECT(UNKNOWN, 10, 0, 0, 0, 0) },
	{ "mul a0, a1, a2", 64, 0x2c58533, EFFECT(UNKNOWN, 10, 0, 0, 0, 0) },
	{ "lui t0, 0xfffff", 64, 0xfffff2b7, EFFECT(ADDI, 5, 0, 0, 0, -4096) },
	{ "auipc ra, 0x80000", 64, 0x80000097,
	  EFFECT(AUIPC, 1, 0, 0, 0, INT32_MIN) },
	{ "jal ra, 2048 on", 64, 0x1000ef, EFFECT(JUMP, 1, 0, 0, 0, 2048) },
	{ "j, 1 MiB back", 64, 0x8000006f, EFFECT(JUMP, 0, 0, 0, 0, -1048576) },
	{ "jalr ra, -4(t1)", 64, 0xffc300e7, EFFECT(JUMP_TO, 1, 6, 0, 0, -4) },
	{ "ret", 64, 0x8067, EFFECT(JUMP_TO, 0, 1, 0, 0, 0) },
	{ "beq, 4096 back", 64, 0x80b50063, EFFECT(BRANCH, 0, 0, 0, 0, -4096) },
	{ "bgeu, 4094 on", 64, 0x7eb57fe3, EFFECT(BRANCH, 0, 0, 0, 0, 4094) },
	{ "fadd.d fs0, fs1, fs2", 64, 0x324f453, EFFECT(NONE, 0, 0, 0, 0, 0) },
	{ "feq.d s0, fs1, fs2", 64, 0xa324a453,
	  EFFECT(UNKNOWN, 8, 0, 0, 0, 0) },
	{ "fmv.x.d s0, fs1", 64, 0xe2048453, EFFECT(UNKNOWN, 8, 0, 0, 0, 0) },
	{ "fcvt.w.d s0, fs1", 64, 0xc204f453, EFFECT(UNKNOWN, 8, 0, 0, 0, 0) },
	{ "fmadd.d fs0, fs0, fs0, fs0", 64, 0x42847443,
	  EFFECT(NONE, 0, 0, 0, 0, 0) },
	{ "ld ra, 40(sp)", 64, 0x2813083, EFFECT(LOAD, 1, 2, 0, 0, 40) },
	{ "ld s0, -16(s0)", 64, 0xff043403, EFFECT(LOAD, 8, 8, 0, 0, -16) },
	{ "lw a0, 4(sp)", 64, 0x412503, EFFECT(UNKNOWN, 10, 2, 0, 0, 4) },
	{ "fld fs0, 8(sp)", 64, 0x813407, EFFECT(UNKNOWN, 0, 2, 0, 0, 8) },
	{ "sd ra, 40(sp)", 64, 0x2113423, EFFECT(STORE, 0, 2, 1, 0, 40) },
	{ "sw ra, 40(sp)", 64, 0x2112423, EFFECT(NONE, 0, 2, 1, 0, 40) },
	{ "fsd fs0, 8(sp)", 64, 0x813427, EFFECT(UNKNOWN, 0, 2, 0, 0, 8) },
	{ "amoadd.d a0, a1, (a2)", 64, 0xb6352f,
	  EFFECT(UNKNOWN, 10, 12, 11, 0, 0) },
#define CSR_EFFECT(op, rd, rs1, csr, imm)                                      \
	{                                                                      \
		PMU_EFFECT_CSR, 0, rd, rs1, 0, csr, imm, PMU_CSR_##op          \
	}
	{ "csrw sepc, a2", 64, 0x14161073,
	  CSR_EFFECT(WRITE, 0, 12, PMU_CSR_SEPC, 0) },
	{ "csrr a0, sstatus", 64, 0x10002573,
	  CSR_EFFECT(SET, 10, 0, PMU_CSR_SSTATUS, 0) },
	{ "csrs mstatus, t0", 64, 0x3002a073,
	  CSR_EFFECT(SET, 0, 5, PMU_CSR_MSTATUS, 0) },
	{ "csrrc a0, mstatus, t0", 64, 0x3002b573,
	  CSR_EFFECT(CLEAR, 10, 5, PMU_CSR_MSTATUS, 0) },
	{ "csrwi mepc, 31", 64, 0x341fd073,
	  CSR_EFFECT(WRITE, 0, 0, PMU_CSR_MEPC, 31) },
	{ "csrsi mstatus, 8", 64, 0x30046073,
	  CSR_EFFECT(SET, 0, 0, PMU_CSR_MSTATUS, 8) },
	{ "csrci mstatus, 8", 64, 0x30047073,
	  CSR_EFFECT(CLEAR, 0, 0, PMU_CSR_MSTATUS, 8) },
	{ "sret", 64, 0x10200073,
	  EFFECT(TRAP_RETURN, 0, 0, 0, PMU_CSR_SEPC, 0) },
	{ "mret", 64, 0x30200073,
	  EFFECT(TRAP_RETURN, 0, 0, 0, PMU_CSR_MEPC, 0) },
	{ "ebbret", 64, 0x8c000073, EFFECT(TRAP_RETURN, 0, 0, 0, 0, 0) },
	{ "ecall", 64, 0x73, EFFECT(UNKNOWN, 10, 0, 0, 0, 0) },
	{ "ebreak", 64, 0x100073, EFFECT(END, 0, 0, 0, 0, 0) },
	{ "wfi", 64, 0x10500073, EFFECT(NONE, 0, 0, 0, 0, 0) },
	{ "fence", 64, 0xff0000f, EFFECT(NONE, 0, 0, 0, 0, 0) },
	{ "sfence.vma", 64, 0x12000073, EFFECT(NONE, 0, 0, 0, 0, 0) },
	{ "vsetvli a0, a1, e8, m1, ta, ma", 64, 0xc05f557,
	  EFFECT(UNKNOWN, 10, 0, 0, 0, 0) },
	{ "vadd.vv v1, v2, v3", 64, 0x22180d7, EFFECT(NONE, 0, 0, 0, 0, 0) },
	{ "vmv.x.s a0, v2", 64, 0x42202557, EFFECT(UNKNOWN, 10, 0, 0, 0, 0) },
	{ "c.addi s0, -1", 64, 0x147d, EFFECT(ADDI, 8, 8, 0, 0, -1) },
	{ "c.addiw s0, 5", 64, 0x2415, EFFECT(ADDIW, 8, 8, 0, 0, 5) },
	{ "c.li ra, -32", 64, 0x5081, EFFECT(ADDI, 1, 0, 0, 0, -32) },
	{ "c.lui t0, 31", 64, 0x62fd, EFFECT(ADDI, 5, 0, 0, 0, 126976) },
	{ "c.lui t0, 0xfffff", 64, 0x72fd, EFFECT(ADDI, 5, 0, 0, 0, -4096) },
	{ "c.addi16sp -496", 64, 0x7141, EFFECT(ADDI, 2, 2, 0, 0, -496) },
	{ "c.addi16sp 496", 64, 0x617d, EFFECT(ADDI, 2, 2, 0, 0, 496) },
	{ "c.addi4spn s0, 1020", 64, 0x1fe0, EFFECT(ADDI, 8, 2, 0, 0, 1020) },
	{ "c.addi4spn s0, 4", 64, 0x40, EFFECT(ADDI, 8, 2, 0, 0, 4) },
	{ "c.mv a0, a1", 64, 0x852e, EFFECT(ADD, 10, 0, 11, 0, 0) },
	{ "c.add a0, a1", 64, 0x952e, EFFECT(ADD, 10, 10, 11, 0, 0) },
	{ "c.jr ra", 64, 0x8082, EFFECT(JUMP_TO, 0, 1, 0, 0, 0) },
	{ "c.jalr t0", 64, 0x9282, EFFECT(JUMP_TO, 1, 5, 0, 0, 0) },
	{ "c.j, 2046 on", 64, 0xaffd, EFFECT(JUMP, 0, 0, 0, 0, 2046) },
	{ "c.j, 2048 back", 64, 0xb001, EFFECT(JUMP, 0, 0, 0, 0, -2048) },
	{ "c.beqz, 256 back", 64, 0xd101, EFFECT(BRANCH, 0, 0, 0, 0, -256) },
	{ "c.bnez, 254 on", 64, 0xed7d, EFFECT(BRANCH, 0, 0, 0, 0, 254) },
	{ "c.srli a0, 3", 64, 0x810d, EFFECT(UNKNOWN, 10, 0, 0, 0, 0) },
	{ "c.sub a0, a1", 64, 0x8d0d, EFFECT(UNKNOWN, 10, 0, 0, 0, 0) },
	{ "c.slli a0, 3", 64, 0x50e, EFFECT(UNKNOWN, 10, 0, 0, 0, 0) },
	{ "c.ldsp ra, 40", 64, 0x70a2, EFFECT(LOAD, 1, 2, 0, 0, 40) },
	{ "c.sdsp s0, 32", 64, 0xf022, EFFECT(STORE, 0, 2, 8, 0, 32) },
	{ "c.ld a0, 8(s0)", 64, 0x6408, EFFECT(LOAD, 10, 8, 0, 0, 8) },
	{ "c.ebreak", 64, 0x9002, EFFECT(END, 0, 0, 0, 0, 0) },
	{ "all zeros", 64, 0x0, EFFECT(END, 0, 0, 0, 0, 0) },
	{ "c.jal, 2 back", 32, 0x3ffd, EFFECT(JUMP, 1, 0, 0, 0, -2) },
	{ "c.lwsp ra, 4", 32, 0x4092, EFFECT(LOAD, 1, 2, 0, 0, 4) },
	{ "c.swsp s0, 8", 32, 0xc422, EFFECT(STORE, 0, 2, 8, 0, 8) },
	{ "lw ra, 4(sp)", 32, 0x412083, EFFECT(LOAD, 1, 2, 0, 0, 4) },
	{ "sw ra, 4(sp)", 32, 0x112223, EFFECT(STORE, 0, 2, 1, 0, 4) },
};

TEST_ROWS(an_instruction_has_an_effect, rows)
{
	const struct row *row = &rows[_i];
	struct pmu_insn_effect got;

	pmu_insn_effect(row->word, row->xlen, &got);
	ck_assert_msg(
		got.kind == row->want.kind && got.rd == row->want.rd &&
			got.rs1 == row->want.rs1 && got.rs2 == row->want.rs2 &&
			got.csr == row->want.csr && got.imm == row->want.imm &&
			got.csr_op == row->want.csr_op,
		"%s: kind %d, rd %d, rs1 %d, rs2 %d, csr %#x, imm %d",
		row->insn, (int)got.kind, got.rd, got.rs1, got.rs2, got.csr,
		got.imm);
	ck_assert_uint_eq(got.len, (row->word & 3) == 3 ? 4 : 2);
}

SUITE("insn-effect");
