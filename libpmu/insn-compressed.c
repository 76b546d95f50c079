/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Decodes the 16-bit encodings (C with F and D), which differ between RV32 and
 * RV64 in places. Operands come out as those of the instruction they stand for:
 * register numbers 0-31 and a byte offset.
 */
#include "insn-encoding.h"

#include <stddef.h>

typedef void decode_fn(uint32_t half, unsigned xlen, struct pmu_insn *ret);

/* Offsets: the bits of the instruction in the order of the offset's bits. */
static int32_t offset_word(uint32_t half)
{
	return (int32_t)(insn_bits(half, 6, 1) << 2 |
			 insn_bits(half, 10, 3) << 3 |
			 insn_bits(half, 5, 1) << 6);
}

static int32_t offset_double(uint32_t half)
{
	return (int32_t)(insn_bits(half, 10, 3) << 3 | insn_bits(half, 5, 2)
							       << 6);
}

static int32_t offset_lwsp(uint32_t half)
{
	return (int32_t)(insn_bits(half, 4, 3) << 2 |
			 insn_bits(half, 12, 1) << 5 |
			 insn_bits(half, 2, 2) << 6);
}

static int32_t offset_ldsp(uint32_t half)
{
	return (int32_t)(insn_bits(half, 5, 2) << 3 |
			 insn_bits(half, 12, 1) << 5 |
			 insn_bits(half, 2, 3) << 6);
}

static int32_t offset_swsp(uint32_t half)
{
	return (int32_t)(insn_bits(half, 9, 4) << 2 | insn_bits(half, 7, 2)
							      << 6);
}

static int32_t offset_sdsp(uint32_t half)
{
	return (int32_t)(insn_bits(half, 10, 3) << 3 | insn_bits(half, 7, 3)
							       << 6);
}

/* Loads and stores of quadrant 0: base and data in short registers. */
static void access_short(uint32_t half, unsigned flags, unsigned size,
			 struct pmu_insn *ret)
{
	ret->flags = (uint16_t)flags;
	ret->size = (uint8_t)size;
	ret->rs1 = insn_short_reg(half, 7);
	ret->imm = size == 4 ? offset_word(half) : offset_double(half);
	if (flags & PMU_INSN_FP)
		return;
	if (flags & PMU_INSN_LOAD)
		ret->rd = insn_short_reg(half, 2);
	else
		ret->rs2 = insn_short_reg(half, 2);
}

/* Stack-relative loads. x0 as their target is reserved. */
static void load_sp(uint32_t half, unsigned flags, unsigned size,
		    struct pmu_insn *ret)
{
	unsigned rd = pmu_insn_rd(half);

	if (!(flags & PMU_INSN_FP) && rd == 0)
		return;
	ret->flags = (uint16_t)(flags | PMU_INSN_LOAD);
	ret->size = (uint8_t)size;
	ret->rs1 = PMU_X_SP;
	ret->imm = size == 4 ? offset_lwsp(half) : offset_ldsp(half);
	if (!(flags & PMU_INSN_FP))
		ret->rd = (uint8_t)rd;
}

static void store_sp(uint32_t half, unsigned flags, unsigned size,
		     struct pmu_insn *ret)
{
	ret->flags = (uint16_t)(flags | PMU_INSN_STORE);
	ret->size = (uint8_t)size;
	ret->rs1 = PMU_X_SP;
	ret->imm = size == 4 ? offset_swsp(half) : offset_sdsp(half);
	if (!(flags & PMU_INSN_FP))
		ret->rs2 = (uint8_t)insn_bits(half, 2, 5);
}

/* What the encoding of the RV32 FP word access means, by XLEN. */
static unsigned word_or_double_flags(unsigned xlen)
{
	return xlen == 32 ? PMU_INSN_FP : 0;
}

static unsigned word_or_double_size(unsigned xlen)
{
	return xlen == 32 ? 4 : 8;
}

static void c_fld(uint32_t half, unsigned xlen, struct pmu_insn *ret)
{
	access_short(half, PMU_INSN_LOAD | PMU_INSN_FP, 8, ret);
}

static void c_lw(uint32_t half, unsigned xlen, struct pmu_insn *ret)
{
	access_short(half, PMU_INSN_LOAD, 4, ret);
}

static void c_flw_ld(uint32_t half, unsigned xlen, struct pmu_insn *ret)
{
	access_short(half, PMU_INSN_LOAD | word_or_double_flags(xlen),
		     word_or_double_size(xlen), ret);
}

static void c_fsd(uint32_t half, unsigned xlen, struct pmu_insn *ret)
{
	access_short(half, PMU_INSN_STORE | PMU_INSN_FP, 8, ret);
}

static void c_sw(uint32_t half, unsigned xlen, struct pmu_insn *ret)
{
	access_short(half, PMU_INSN_STORE, 4, ret);
}

static void c_fsw_sd(uint32_t half, unsigned xlen, struct pmu_insn *ret)
{
	access_short(half, PMU_INSN_STORE | word_or_double_flags(xlen),
		     word_or_double_size(xlen), ret);
}

static void c_jal_addiw(uint32_t half, unsigned xlen, struct pmu_insn *ret)
{
	if (xlen != 32)
		return;
	ret->flags = PMU_INSN_BRANCH;
	ret->rd = PMU_X_RA;
}

static void c_j(uint32_t half, unsigned xlen, struct pmu_insn *ret)
{
	ret->flags = PMU_INSN_BRANCH;
}

static void c_branch(uint32_t half, unsigned xlen, struct pmu_insn *ret)
{
	ret->flags = PMU_INSN_BRANCH;
	ret->rs1 = insn_short_reg(half, 7);
}

static void c_fldsp(uint32_t half, unsigned xlen, struct pmu_insn *ret)
{
	load_sp(half, PMU_INSN_FP, 8, ret);
}

static void c_lwsp(uint32_t half, unsigned xlen, struct pmu_insn *ret)
{
	load_sp(half, 0, 4, ret);
}

static void c_flwsp_ldsp(uint32_t half, unsigned xlen, struct pmu_insn *ret)
{
	load_sp(half, word_or_double_flags(xlen), word_or_double_size(xlen),
		ret);
}

/* c.jr, c.jalr, c.ebreak share it with moves and additions. */
static void c_jump_register(uint32_t half, unsigned xlen, struct pmu_insn *ret)
{
	unsigned rs1 = pmu_insn_rd(half);

	if (half == INSN_C_EBREAK) {
		ret->flags = PMU_INSN_SYSTEM;
		return;
	}
	if (rs1 == 0 || insn_bits(half, 2, 5) != 0)
		return;
	ret->flags = PMU_INSN_BRANCH;
	ret->rs1 = (uint8_t)rs1;
	ret->rd = insn_bits(half, 12, 1) ? PMU_X_RA : 0;
}

static void c_fsdsp(uint32_t half, unsigned xlen, struct pmu_insn *ret)
{
	store_sp(half, PMU_INSN_FP, 8, ret);
}

static void c_swsp(uint32_t half, unsigned xlen, struct pmu_insn *ret)
{
	store_sp(half, 0, 4, ret);
}

static void c_fswsp_sdsp(uint32_t half, unsigned xlen, struct pmu_insn *ret)
{
	store_sp(half, word_or_double_flags(xlen), word_or_double_size(xlen),
		 ret);
}

/* By quadrant (bits 1:0) and funct3 (bits 15:13). */
static decode_fn *const rows[3][8] = {
	{ NULL, c_fld, c_lw, c_flw_ld, NULL, c_fsd, c_sw, c_fsw_sd },
	{ NULL, c_jal_addiw, NULL, NULL, NULL, c_j, c_branch, c_branch },
	{ NULL, c_fldsp, c_lwsp, c_flwsp_ldsp, c_jump_register, c_fsdsp, c_swsp,
	  c_fswsp_sdsp },
};

void insn_decode_compressed(uint32_t half, unsigned xlen, struct pmu_insn *ret)
{
	decode_fn *decode = rows[half & 3][insn_bits(half, 13, 3)];

	if (decode)
		decode(half, xlen, ret);
}
