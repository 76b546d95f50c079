/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Decodes the 32-bit encodings of RV32/RV64 IMAFD, Zicsr, Zifencei and the
 * privileged instructions. It decides what is a branch, a load, a store and so
 * on; what such an instruction then does is left to exec.c and to the engine.
 * Arithmetic on integers counts nothing and traps never, so it is not told
 * apart from an unknown encoding: neither has flags or operands.
 */
#include "insn-encoding.h"

#include <stddef.h>
#include <string.h>

#include <pmu/fcsr.h>

typedef void decode_fn(uint32_t word, unsigned xlen, struct pmu_insn *ret);

/* Bytes of an access by funct3, 0: reserved. Index: xlen is 64. */
static const uint8_t load_size[2][8] = {
	{ 1, 2, 4, 0, 1, 2, 0, 0 },
	{ 1, 2, 4, 8, 1, 2, 4, 0 },
};
static const uint8_t store_size[2][8] = {
	{ 1, 2, 4, 0, 0, 0, 0, 0 },
	{ 1, 2, 4, 8, 0, 0, 0, 0 },
};
static const uint8_t fp_size[8] = { 0, 0, 4, 8, 0, 0, 0, 0 };
static const uint8_t amo_size[2][8] = {
	{ 0, 0, 4, 0, 0, 0, 0, 0 },
	{ 0, 0, 4, 8, 0, 0, 0, 0 },
};

static int32_t imm_i(uint32_t word)
{
	return (int32_t)word >> 20;
}

static int32_t imm_s(uint32_t word)
{
	return (int32_t)(word & 0xfe000000) >> 20 | (int32_t)pmu_insn_rd(word);
}

static void load(uint32_t word, unsigned xlen, struct pmu_insn *ret)
{
	unsigned size = load_size[xlen == 64][pmu_insn_funct3(word)];

	if (size == 0)
		return;
	ret->flags = PMU_INSN_LOAD;
	ret->size = (uint8_t)size;
	ret->rd = (uint8_t)pmu_insn_rd(word);
	ret->rs1 = (uint8_t)pmu_insn_rs1(word);
	ret->imm = imm_i(word);
}

static void load_fp(uint32_t word, unsigned xlen, struct pmu_insn *ret)
{
	unsigned size = fp_size[pmu_insn_funct3(word)];

	if (size == 0)
		return;
	ret->flags = PMU_INSN_LOAD | PMU_INSN_FP;
	ret->size = (uint8_t)size;
	ret->rs1 = (uint8_t)pmu_insn_rs1(word);
	ret->imm = imm_i(word);
}

static void store(uint32_t word, unsigned xlen, struct pmu_insn *ret)
{
	unsigned size = store_size[xlen == 64][pmu_insn_funct3(word)];

	if (size == 0)
		return;
	ret->flags = PMU_INSN_STORE;
	ret->size = (uint8_t)size;
	ret->rs1 = (uint8_t)pmu_insn_rs1(word);
	ret->rs2 = (uint8_t)pmu_insn_rs2(word);
	ret->imm = imm_s(word);
}

static void store_fp(uint32_t word, unsigned xlen, struct pmu_insn *ret)
{
	unsigned size = fp_size[pmu_insn_funct3(word)];

	if (size == 0)
		return;
	ret->flags = PMU_INSN_STORE | PMU_INSN_FP;
	ret->size = (uint8_t)size;
	ret->rs1 = (uint8_t)pmu_insn_rs1(word);
	ret->imm = imm_s(word);
}

/* By funct5; 0: no such instruction. */
static const uint16_t amo_flags[32] = {
	[0x02] = PMU_INSN_LR | PMU_INSN_LOAD,
	[0x03] = PMU_INSN_SC | PMU_INSN_STORE,
#define AMO (PMU_INSN_AMO | PMU_INSN_LOAD | PMU_INSN_STORE)
	[0x00] = AMO,
	[0x01] = AMO,
	[0x04] = AMO,
	[0x08] = AMO,
	[0x0c] = AMO,
	[0x10] = AMO,
	[0x14] = AMO,
	[0x18] = AMO,
	[0x1c] = AMO,
#undef AMO
};

static void amo(uint32_t word, unsigned xlen, struct pmu_insn *ret)
{
	unsigned size = amo_size[xlen == 64][pmu_insn_funct3(word)];
	unsigned flags = amo_flags[word >> 27];

	if (size == 0 || flags == 0)
		return;
	if (flags & PMU_INSN_LR && pmu_insn_rs2(word) != 0)
		return;
	ret->flags = (uint16_t)flags;
	ret->size = (uint8_t)size;
	ret->rd = (uint8_t)pmu_insn_rd(word);
	ret->rs1 = (uint8_t)pmu_insn_rs1(word);
	ret->rs2 = (uint8_t)pmu_insn_rs2(word);
}

static void misc_mem(uint32_t word, unsigned xlen, struct pmu_insn *ret)
{
	/* the other fields are ignored, as software must expect */
	if (pmu_insn_funct3(word) == 1)
		ret->flags = PMU_INSN_FENCE_I;
}

static void branch(uint32_t word, unsigned xlen, struct pmu_insn *ret)
{
	unsigned funct3 = pmu_insn_funct3(word);

	if (funct3 == 2 || funct3 == 3)
		return;
	ret->flags = PMU_INSN_BRANCH;
	ret->rs1 = (uint8_t)pmu_insn_rs1(word);
	ret->rs2 = (uint8_t)pmu_insn_rs2(word);
}

static void jalr(uint32_t word, unsigned xlen, struct pmu_insn *ret)
{
	if (pmu_insn_funct3(word) != 0)
		return;
	ret->flags = PMU_INSN_BRANCH;
	ret->rd = (uint8_t)pmu_insn_rd(word);
	ret->rs1 = (uint8_t)pmu_insn_rs1(word);
}

static void jal(uint32_t word, unsigned xlen, struct pmu_insn *ret)
{
	ret->flags = PMU_INSN_BRANCH;
	ret->rd = (uint8_t)pmu_insn_rd(word);
}

static void csr_access(uint32_t word, struct pmu_insn *ret)
{
	ret->flags = PMU_INSN_CSR;
	ret->csr = (uint16_t)pmu_insn_csr(word);
	ret->rd = (uint8_t)pmu_insn_rd(word);
	if (pmu_insn_funct3(word) < 4)
		ret->rs1 = (uint8_t)pmu_insn_rs1(word);
	if (pmu_is_fcsr(ret->csr))
		ret->flags |= PMU_INSN_FP;
}

static void privileged(uint32_t word, struct pmu_insn *ret)
{
	if (pmu_insn_is_fence(word, PMU_FUNCT7_SFENCE_VMA)) {
		ret->flags = PMU_INSN_SYSTEM;
		ret->rs1 = (uint8_t)pmu_insn_rs1(word);
		ret->rs2 = (uint8_t)pmu_insn_rs2(word);
	} else if (word == PMU_WORD_ECALL || word == PMU_WORD_EBREAK ||
		   word == PMU_WORD_SRET || word == PMU_WORD_MRET ||
		   word == PMU_WORD_WFI) {
		ret->flags = PMU_INSN_SYSTEM;
	}
}

static void system_op(uint32_t word, unsigned xlen, struct pmu_insn *ret)
{
	if (insn_is_csr(word))
		csr_access(word, ret);
	else if (pmu_insn_funct3(word) == 0)
		privileged(word, ret);
}

/* Rounding modes 5 and 6 are reserved, 7 is frm's. */
static bool rm_valid(uint32_t word)
{
	unsigned rm = pmu_insn_funct3(word);

	return rm != 5 && rm != 6;
}

/* fmadd and its kind: rs3 and a format in the place of funct7. */
static void fused(uint32_t word, unsigned xlen, struct pmu_insn *ret)
{
	if (pmu_insn_format(word) < 2 && rm_valid(word))
		ret->flags = PMU_INSN_FP;
}

enum {
	RM = 8,
	ANY = 32,
	INT_RD = 1,
	INT_RS1 = 2
};

/* The operations of OP-FP: funct5, format, rs2 and funct3 name one. */
static const struct fp_op {
	uint8_t funct5;
	uint8_t formats;  /* bit 0: single, bit 1: double */
	uint8_t rs2;	  /* ANY: a register */
	uint8_t rs2_rv64; /* highest rs2 on RV64, where it is none */
	uint8_t funct3;	  /* RM: a rounding mode; else the highest, from 0 */
	uint8_t first3;	  /* the lowest funct3 */
	uint8_t integer;  /* which operands are integer registers */
} fp_ops[] = {
	{ 0x00, 3, ANY, .funct3 = RM }, /* fadd */
	{ 0x01, 3, ANY, .funct3 = RM }, /* fsub */
	{ 0x02, 3, ANY, .funct3 = RM }, /* fmul */
	{ 0x03, 3, ANY, .funct3 = RM }, /* fdiv */
	{ 0x0b, 3, 0, 0, RM },		/* fsqrt */
	{ 0x04, 3, ANY, .funct3 = 2 },	/* fsgnj, fsgnjn, fsgnjx */
	{ 0x05, 3, ANY, .funct3 = 1 },	/* fmin, fmax */
	{ 0x14, 3, ANY, .funct3 = 2, .integer = INT_RD }, /* fle, flt, feq */
	{ 0x18, 3, 1, 3, RM, .integer = INT_RD },  /* fcvt.{w,wu,l,lu}.{s,d} */
	{ 0x1a, 3, 1, 3, RM, .integer = INT_RS1 }, /* fcvt.{s,d}.{w,wu,l,lu} */
	{ 0x1c, 3, 0, 0, 1, 1, INT_RD },	   /* fclass */
	{ 0x1c, 1, 0, 0, 0, 0, INT_RD },	   /* fmv.x.w */
	{ 0x1e, 1, 0, 0, 0, 0, INT_RS1 },	   /* fmv.w.x */
};

/* What the table's columns cannot say: other limits on one operand. */
static bool fp_special(uint32_t word, unsigned xlen, unsigned *integer)
{
	switch (pmu_insn_funct7(word)) {
	case 0x20: /* fcvt.s.d */
		return pmu_insn_rs2(word) == 1 && rm_valid(word);
	case 0x21: /* fcvt.d.s */
		return pmu_insn_rs2(word) == 0 && rm_valid(word);
	case 0x71: /* fmv.x.d */
		*integer = INT_RD;
		break;
	case 0x79: /* fmv.d.x */
		*integer = INT_RS1;
		break;
	default:
		return false;
	}
	return xlen == 64 && pmu_insn_rs2(word) == 0 &&
	       pmu_insn_funct3(word) == 0;
}

static bool fp_matches(const struct fp_op *op, uint32_t word, unsigned xlen)
{
	unsigned format = pmu_insn_format(word), funct3 = pmu_insn_funct3(word);

	if (op->funct5 != word >> 27 || format > 1 ||
	    !(op->formats & 1u << format))
		return false;
	if (op->rs2 != ANY &&
	    pmu_insn_rs2(word) > (xlen == 64 ? op->rs2_rv64 : op->rs2))
		return false;
	if (op->funct3 == RM)
		return rm_valid(word);
	return funct3 >= op->first3 && funct3 <= op->funct3;
}

static void op_fp(uint32_t word, unsigned xlen, struct pmu_insn *ret)
{
	unsigned integer = 0;
	bool found = fp_special(word, xlen, &integer);

	for (size_t i = 0; !found && i < sizeof(fp_ops) / sizeof(*fp_ops);
	     i++) {
		integer = fp_ops[i].integer;
		found = fp_matches(&fp_ops[i], word, xlen);
	}
	if (!found)
		return;
	ret->flags = PMU_INSN_FP;
	if (integer & INT_RD)
		ret->rd = (uint8_t)pmu_insn_rd(word);
	if (integer & INT_RS1)
		ret->rs1 = (uint8_t)pmu_insn_rs1(word);
}

/* By major opcode, bits 6:2. */
static decode_fn *const majors[32] = {
	[0x00] = load,	[0x01] = load_fp,  [0x03] = misc_mem,
	[0x08] = store, [0x09] = store_fp, [0x0b] = amo,
	[0x10] = fused, [0x11] = fused,	   [0x12] = fused,
	[0x13] = fused, [0x14] = op_fp,	   [0x18] = branch,
	[0x19] = jalr,	[0x1b] = jal,	   [0x1c] = system_op,
};

void pmu_insn_decode(uint32_t word, unsigned xlen, struct pmu_insn *ret)
{
	decode_fn *decode;

	memset(ret, 0, sizeof(*ret));
	ret->len = (uint8_t)pmu_insn_len((uint16_t)word);
	if (ret->len == 2) {
		insn_decode_compressed(word & 0xffff, xlen, ret);
		return;
	}
	decode = majors[insn_bits(word, 2, 5)];
	if (decode)
		decode(word, xlen, ret);
}
