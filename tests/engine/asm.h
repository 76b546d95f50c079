/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Encodings of the instructions that the engine's tests are made of. Registers
 * are numbers, offsets are bytes.
 */
#ifndef TESTS_ENGINE_ASM_H
#define TESTS_ENGINE_ASM_H

#include <stdint.h>

#include <pmu/csr-number.h>
#include <pmu/insn-word.h>

#define ASM_BITS(v, at, n, to)                                                 \
	(((uint32_t)(v) >> (at) & ((1u << (n)) - 1)) << (to))
#define ASM_REGS(op, f3, rs1)                                                  \
	((uint32_t)(op) | (uint32_t)(f3) << 12 | (uint32_t)(rs1) << 15)
#define ASM_I(op, f3, rd, rs1, imm)                                            \
	(ASM_REGS(op, f3, rs1) | (uint32_t)(rd) << 7 | (uint32_t)(imm) << 20)
/* @funct is funct7 << 3 | funct3 */
#define ASM_R(op, funct, rd, rs1, rs2)                                         \
	(ASM_REGS(op, (funct) % 8, rs1) | (uint32_t)(rd) << 7 |                \
	 (uint32_t)(rs2) << 20 | (uint32_t)(funct) >> 3 << 25)
#define ASM_S(op, f3, rs1, rs2, imm)                                           \
	(ASM_REGS(op, f3, rs1) | (uint32_t)(rs2) << 20 |                       \
	 ASM_BITS(imm, 0, 5, 7) | ASM_BITS(imm, 5, 7, 25))
#define ASM_B(f3, rs1, rs2, off)                                               \
	(ASM_REGS(0x63, f3, rs1) | (uint32_t)(rs2) << 20 |                     \
	 ASM_BITS(off, 11, 1, 7) | ASM_BITS(off, 1, 4, 8) |                    \
	 ASM_BITS(off, 5, 6, 25) | ASM_BITS(off, 12, 1, 31))
#define ASM_J(rd, off)                                                         \
	(0x6fu | (uint32_t)(rd) << 7 | ((uint32_t)(off)&0xff000) |             \
	 ASM_BITS(off, 11, 1, 20) | ASM_BITS(off, 1, 10, 21) |                 \
	 ASM_BITS(off, 20, 1, 31))
#define ASM_AMO(f5, f3, rd, rs1, rs2)                                          \
	ASM_R(0x2f, (f5) << 5 | (f3), rd, rs1, rs2)

#define ADDI(rd, rs1, imm)     ASM_I(0x13, 0, rd, rs1, imm)
#define ADD(rd, rs1, rs2)      ASM_R(0x33, 0, rd, rs1, rs2)
#define MUL(rd, rs1, rs2)      ASM_R(0x33, 8, rd, rs1, rs2)
#define LUI(rd, imm)	       (0x37u | (unsigned)(rd) << 7 | (uint32_t)(imm) << 12)
#define LB(rd, rs1, imm)       ASM_I(0x03, 0, rd, rs1, imm)
#define LH(rd, rs1, imm)       ASM_I(0x03, 1, rd, rs1, imm)
#define LW(rd, rs1, imm)       ASM_I(0x03, 2, rd, rs1, imm)
#define LD(rd, rs1, imm)       ASM_I(0x03, 3, rd, rs1, imm)
#define LBU(rd, rs1, imm)      ASM_I(0x03, 4, rd, rs1, imm)
#define LHU(rd, rs1, imm)      ASM_I(0x03, 5, rd, rs1, imm)
#define LWU(rd, rs1, imm)      ASM_I(0x03, 6, rd, rs1, imm)
#define SB(rs2, rs1, imm)      ASM_S(0x23, 0, rs1, rs2, imm)
#define SH(rs2, rs1, imm)      ASM_S(0x23, 1, rs1, rs2, imm)
#define SW(rs2, rs1, imm)      ASM_S(0x23, 2, rs1, rs2, imm)
#define SD(rs2, rs1, imm)      ASM_S(0x23, 3, rs1, rs2, imm)
#define FLW(rd, rs1, imm)      ASM_I(0x07, 2, rd, rs1, imm)
#define FLD(rd, rs1, imm)      ASM_I(0x07, 3, rd, rs1, imm)
#define FSW(rs2, rs1, imm)     ASM_S(0x27, 2, rs1, rs2, imm)
#define FSD(rs2, rs1, imm)     ASM_S(0x27, 3, rs1, rs2, imm)
#define BEQ(rs1, rs2, off)     ASM_B(0, rs1, rs2, off)
#define BNE(rs1, rs2, off)     ASM_B(1, rs1, rs2, off)
#define BLTU(rs1, rs2, off)    ASM_B(6, rs1, rs2, off)
#define JAL(rd, off)	       ASM_J(rd, off)
#define JALR(rd, rs1, imm)     ASM_I(0x67, 0, rd, rs1, imm)
#define LR_W(rd, rs1)	       ASM_AMO(2, 2, rd, rs1, 0)
#define SC_W(rd, rs1, rs2)     ASM_AMO(3, 2, rd, rs1, rs2)
#define LR_D(rd, rs1)	       ASM_AMO(2, 3, rd, rs1, 0)
#define SC_D(rd, rs1, rs2)     ASM_AMO(3, 3, rd, rs1, rs2)
#define AMOADD_W(rd, rs1, rs2) ASM_AMO(0, 2, rd, rs1, rs2)
#define CSRRS(rd, csr, rs1)    ASM_I(0x73, 2, rd, rs1, csr)
#define CSRRW(rd, csr, rs1)    ASM_I(0x73, 1, rd, rs1, csr)
#define FADD_S(rd, rs1, rs2)   ASM_R(0x53, 0, rd, rs1, rs2)
#define FMUL_S(rd, rs1, rs2)   ASM_R(0x53, 0x08 << 3, rd, rs1, rs2)
#define FMAX_S(rd, rs1, rs2)   ASM_R(0x53, 0x14 << 3 | 1, rd, rs1, rs2)
#define FADD_D(rd, rs1, rs2)   ASM_R(0x53, 0x01 << 3, rd, rs1, rs2)
#define FMUL_D(rd, rs1, rs2)   ASM_R(0x53, 0x09 << 3, rd, rs1, rs2)
#define FDIV_S(rd, rs1, rs2)   ASM_R(0x53, 0x0c << 3, rd, rs1, rs2)
#define FMV_W_X(rd, rs1)       ASM_R(0x53, 0x78 << 3, rd, rs1, 0)
#define FENCE_I		       0x0000100fu
#define ECALL		       PMU_WORD_ECALL
#define SRET		       PMU_WORD_SRET
#define MRET		       PMU_WORD_MRET
#define EBREAK		       PMU_WORD_EBREAK
#define NOP		       ADDI(0, 0, 0)
/* two compressed instructions in one word */
#define PAIR(low, high)	       ((uint32_t)(low) | (uint32_t)(high) << 16)
#define C_NOP		       0x0001u
#define C_ILLEGAL	       0x0000u
#define C_EBREAK	       0x9002u
/* c.j and c.beqz x8+rs1 to 4 bytes on */
#define C_J4		       0xa011u
#define C_BEQZ4(rs1)	       (0xc011u | (unsigned)(rs1) << 7)
#define C_JR(rs1)	       (0x8002u | (unsigned)(rs1) << 7)
/* c.addi rd, 1 */
#define C_INC(rd)	       (0x0005u | (unsigned)(rd) << 7)
/* c.lw, c.sw x8+rd, 0(x8+rs1) */
#define C_LW(rd, rs1)	       (0x4000u | (unsigned)(rd) << 2 | (unsigned)(rs1) << 7)
#define C_SW(rs2, rs1)	       (0xc000u | (unsigned)(rs2) << 2 | (unsigned)(rs1) << 7)
/* loads and stores of floating point at sp; those of a single are RV32's */
#define C_FLDSP(rd)	       (0x2002u | (unsigned)(rd) << 7)
#define C_FLWSP(rd)	       (0x6002u | (unsigned)(rd) << 7)
#define C_FSDSP(rs2)	       (0xa002u | (unsigned)(rs2) << 2)
#define C_FSWSP(rs2)	       (0xe002u | (unsigned)(rs2) << 2)
/* c.fsw x8+rs2, 0(x8+rs1), of RV32 */
#define C_FSW(rs2, rs1)	       (0xe000u | (unsigned)(rs2) << 2 | (unsigned)(rs1) << 7)

#define C_ADDI(rd, imm)                                                        \
	(0x0001u | (uint32_t)(rd) << 7 | ASM_BITS(imm, 0, 5, 2) |              \
	 ASM_BITS(imm, 5, 1, 12))

#endif
