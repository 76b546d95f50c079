/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which floating-point registers an instruction reads and writes, and as what:
 * a register of 64 bits holds a single-precision number with ones above it, and
 * who reads one without them reads the canonical NaN.
 */
#include "insn-encoding.h"

#include <string.h>

enum {
	SINGLE = 0,
	/* funct5 of OP-FP */
	FSQRT = 0x0b,
	FCVT_BETWEEN = 0x08,
	FMINMAX = 0x05,
	FCVT_FROM_INT = 0x1a,
	FMV_F = 0x1e,
};

static uint32_t bit(unsigned reg)
{
	return UINT32_C(1) << reg;
}

static void reads(struct pmu_insn_fp *fp, unsigned format, uint32_t regs)
{
	if (format == SINGLE)
		fp->reads_single |= regs;
	else
		fp->reads_double |= regs;
}

static void writes(struct pmu_insn_fp *fp, unsigned format, unsigned rd)
{
	if (format == SINGLE)
		fp->writes_single |= bit(rd);
	else
		fp->writes_double |= bit(rd);
}

/* A store of 4 bytes takes the low half as it is. */
static void access(struct pmu_insn_fp *fp, const struct pmu_insn *insn,
		   unsigned reg)
{
	if (insn->flags & PMU_INSN_LOAD)
		writes(fp, insn->size == 8, reg);
	else if (insn->size == 8)
		reads(fp, 1, bit(reg));
}

static unsigned compressed_reg(uint32_t half, const struct pmu_insn *insn)
{
	if ((half & 3) != 2)
		return 8 + insn_bits(half, 2, 3);
	return insn->flags & PMU_INSN_LOAD ? pmu_insn_rd(half)
					   : insn_bits(half, 2, 5);
}

static void op_fp(uint32_t word, struct pmu_insn_fp *fp)
{
	unsigned format = pmu_insn_format(word);
	uint32_t rs1 = bit(pmu_insn_rs1(word)), rs2 = bit(pmu_insn_rs2(word));

	switch (word >> 27) {
	case FSQRT:
		reads(fp, format, rs1);
		break;
	case FCVT_BETWEEN:
		reads(fp, pmu_insn_rs2(word), rs1);
		break;
	case FCOMPARE:
		reads(fp, format, rs1 | rs2);
		return;
	case FCVT_TO_INT:
		reads(fp, format, rs1);
		return;
	case FCLASS_FMV_X: /* fmv.x.w takes the low half as it is */
		if (pmu_insn_funct3(word) == 1 || format != SINGLE)
			reads(fp, format, rs1);
		return;
	case FCVT_FROM_INT:
	case FMV_F:
		break;
	default:
		reads(fp, format, rs1 | rs2);
		fp->minmax = word >> 27 == FMINMAX;
		break;
	}
	writes(fp, format, pmu_insn_rd(word));
}

void pmu_insn_decode_fp(uint32_t word, const struct pmu_insn *insn,
			struct pmu_insn_fp *ret)
{
	memset(ret, 0, sizeof(*ret));
	if (!(insn->flags & PMU_INSN_FP) || insn->flags & PMU_INSN_CSR)
		return;
	if (insn->len == 2) {
		access(ret, insn, compressed_reg(word, insn));
		return;
	}
	switch (pmu_insn_opcode(word)) {
	case OP_LOAD_FP:
		access(ret, insn, pmu_insn_rd(word));
		return;
	case OP_STORE_FP:
		access(ret, insn, pmu_insn_rs2(word));
		return;
	case OP_FP:
		op_fp(word, ret);
		return;
	default: /* fmadd and its kind */
		reads(ret, pmu_insn_format(word),
		      bit(pmu_insn_rs1(word)) | bit(pmu_insn_rs2(word)) |
			      bit(word >> 27));
		writes(ret, pmu_insn_format(word), pmu_insn_rd(word));
	}
}
