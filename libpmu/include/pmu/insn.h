/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Instruction decode as far as counting and trapping need it: length, what a
 * retired instruction adds to the events, and which instructions need care.
 * The one place that knows encodings, for the engine's block decode too.
 */
#ifndef PMU_INSN_H
#define PMU_INSN_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(default)

/* Integer registers that have a part in calls. */
enum pmu_register {
	PMU_X_RA = 1,
	PMU_X_SP = 2,
	PMU_X_T0 = 5, /* the other one that links */
	PMU_X_FP = 8,
	PMU_X_A0 = 10,
	PMU_X_A1 = 11,
	PMU_X_A6 = 16,
	PMU_X_A7 = 17,
};

enum pmu_insn_flag {
	PMU_INSN_BRANCH = 1u << 0, /* conditional branch or jump, C included */
	PMU_INSN_LOAD = 1u << 1,   /* integer, FP, LR, AMO */
	PMU_INSN_STORE = 1u << 2,  /* integer, FP, SC, AMO */
	PMU_INSN_LR = 1u << 3,
	PMU_INSN_SC = 1u << 4,
	PMU_INSN_AMO = 1u << 5,
	/* needs mstatus.FS on: FP loads and stores and fcsr's CSRs included */
	PMU_INSN_FP = 1u << 6,
	PMU_INSN_CSR = 1u << 7,	   /* csrrw and its family */
	PMU_INSN_SYSTEM = 1u << 8, /* ecall, ebreak, xRET, WFI, fences of S */
	PMU_INSN_FENCE_I = 1u << 9,
};

/*
 * Operands are given for instructions with flags. FP registers, and immediates
 * in the place of rs1, read 0 like x0.
 */
struct pmu_insn {
	uint8_t len;	      /* 2 or 4 bytes */
	uint8_t size;	      /* bytes of the memory access, 0 if none */
	uint8_t rd, rs1, rs2; /* integer register numbers, decompressed */
	uint16_t flags;	      /* enum pmu_insn_flag */
	uint16_t csr;	      /* when PMU_INSN_CSR */
	int32_t imm;	      /* address offset of a memory access */
};

/* 2 or 4, from the low 16 bits of an instruction. */
static inline unsigned pmu_insn_len(uint16_t low)
{
	return (low & 3) == 3 ? 4 : 2;
}

/*
 * Decodes @word (a compressed instruction in the low 16 bits) for @xlen.
 * Unknown and reserved encodings have no flags, as has integer arithmetic.
 */
void pmu_insn_decode(uint32_t word, unsigned xlen, struct pmu_insn *ret);
/*
 * The transformed instruction of @word for mtinst and htinst; 0 when it is
 * neither a load, a store nor atomic. @offset: from the address it accesses to
 * the one that failed, below 8.
 */
uint32_t pmu_insn_transform(uint32_t word, unsigned xlen, unsigned offset);

/* Floating-point registers as bitmaps: what an instruction does with them. */
struct pmu_insn_fp {
	/* as numbers of 32 bits, which must be boxed; moves and stores of
	 * the low half do not care */
	uint32_t reads_single;
	uint32_t reads_double; /* all 64 bits */
	uint32_t writes_single, writes_double;
	bool minmax; /* fmin, fmax */
};

/* @insn: what @word decodes to. */
void pmu_insn_decode_fp(uint32_t word, const struct pmu_insn *insn,
			struct pmu_insn_fp *ret);

/*
 * What an instruction does to integer registers and where it goes on, as far as
 * it can be said without running it.
 */
enum pmu_insn_effect_kind {
	PMU_EFFECT_END,		/* nothing goes on behind it: ebreak, no insn */
	PMU_EFFECT_NONE,	/* writes no integer register */
	PMU_EFFECT_UNKNOWN,	/* rd is what only a run would tell */
	PMU_EFFECT_ADDI,	/* rd = rs1 + imm; li, lui, mv */
	PMU_EFFECT_ADDIW,	/* the same of 32 bits, extended */
	PMU_EFFECT_ADD,		/* rd = rs1 + rs2 */
	PMU_EFFECT_AUIPC,	/* rd = pc + imm */
	PMU_EFFECT_LOAD,	/* rd = XLEN bits at rs1 + imm */
	PMU_EFFECT_STORE,	/* XLEN bits at rs1 + imm = rs2 */
	PMU_EFFECT_CSR,		/* csr_op of csr, by rs1 + imm; rd = csr */
	PMU_EFFECT_BRANCH,	/* to pc + imm, or behind it */
	PMU_EFFECT_JUMP,	/* to pc + imm; rd = behind it */
	PMU_EFFECT_JUMP_TO,	/* to rs1 + imm; rd = behind it */
	PMU_EFFECT_TRAP_RETURN, /* to what csr has; 0: to nobody knows where */
};

struct pmu_insn_effect {
	enum pmu_insn_effect_kind kind;
	uint8_t len;	      /* 2 or 4 bytes */
	uint8_t rd, rs1, rs2; /* 0 where there is none */
	uint16_t csr;
	int32_t imm;
	uint8_t csr_op; /* enum pmu_csr_op; a read sets what is 0 */
};

void pmu_insn_effect(uint32_t word, unsigned xlen, struct pmu_insn_effect *ret);

#pragma GCC visibility pop

#endif
