/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What an instruction does to integer registers and to the pc, for those who
 * follow code without running it: moves of addresses, jumps, words loaded and
 * stored. All else leaves something unknown in its rd.
 */
#include "insn-encoding.h"

#include <pmu/csr-number.h>
#include <pmu/csr.h>

/* @n bits of @value, the highest of which is the sign. */
static int32_t extend(uint32_t value, unsigned n)
{
	return (int32_t)(value << (32 - n)) >> (32 - n);
}

static int32_t imm_b(uint32_t w)
{
	return extend(insn_bits(w, 8, 4) << 1 | insn_bits(w, 25, 6) << 5 |
			      insn_bits(w, 7, 1) << 11 | w >> 31 << 12,
		      13);
}

static int32_t imm_j(uint32_t w)
{
	return extend(insn_bits(w, 21, 10) << 1 | insn_bits(w, 20, 1) << 11 |
			      insn_bits(w, 12, 8) << 12 | w >> 31 << 20,
		      21);
}

static int32_t imm_cj(uint32_t h)
{
	return extend(
		insn_bits(h, 3, 3) << 1 | insn_bits(h, 11, 1) << 4 |
			insn_bits(h, 2, 1) << 5 | insn_bits(h, 7, 1) << 6 |
			insn_bits(h, 6, 1) << 7 | insn_bits(h, 9, 2) << 8 |
			insn_bits(h, 8, 1) << 10 | insn_bits(h, 12, 1) << 11,
		12);
}

static int32_t imm_cb(uint32_t h)
{
	return extend(insn_bits(h, 3, 2) << 1 | insn_bits(h, 10, 2) << 3 |
			      insn_bits(h, 2, 1) << 5 |
			      insn_bits(h, 5, 2) << 6 |
			      insn_bits(h, 12, 1) << 8,
		      9);
}

/* The six bits of c.addi and its kind. */
static int32_t imm_ci(uint32_t h)
{
	return extend(insn_bits(h, 2, 5) | insn_bits(h, 12, 1) << 5, 6);
}

static int32_t imm_addi16sp(uint32_t h)
{
	return extend(insn_bits(h, 6, 1) << 4 | insn_bits(h, 2, 1) << 5 |
			      insn_bits(h, 5, 1) << 6 |
			      insn_bits(h, 3, 2) << 7 |
			      insn_bits(h, 12, 1) << 9,
		      10);
}

static int32_t imm_addi4spn(uint32_t h)
{
	return (int32_t)(insn_bits(h, 6, 1) << 2 | insn_bits(h, 5, 1) << 3 |
			 insn_bits(h, 11, 2) << 4 | insn_bits(h, 7, 4) << 6);
}

static void is(struct pmu_insn_effect *e, enum pmu_insn_effect_kind kind,
	       unsigned rd, unsigned rs1, int32_t imm)
{
	e->kind = kind;
	e->rd = (uint8_t)rd;
	e->rs1 = (uint8_t)rs1;
	e->imm = imm;
}

/* c.jr, c.mv, c.jalr, c.add */
static void moves_or_jumps(uint32_t half, struct pmu_insn_effect *e)
{
	unsigned r = pmu_insn_rd(half), rs2 = insn_bits(half, 2, 5);
	bool links = insn_bits(half, 12, 1);

	if (rs2) {
		is(e, PMU_EFFECT_ADD, r, links ? r : 0, 0);
		e->rs2 = (uint8_t)rs2;
	} else if (r) {
		is(e, PMU_EFFECT_JUMP_TO, links ? PMU_X_RA : 0, r, 0);
	}
}

static void quadrant_1(uint32_t half, unsigned xlen, struct pmu_insn_effect *e)
{
	unsigned r = pmu_insn_rd(half);

	switch (insn_bits(half, 13, 3)) {
	case 0: /* c.addi, c.nop */
		is(e, PMU_EFFECT_ADDI, r, r, imm_ci(half));
		break;
	case 1: /* c.jal, on RV64 c.addiw */
		if (xlen == 32)
			is(e, PMU_EFFECT_JUMP, PMU_X_RA, 0, imm_cj(half));
		else
			is(e, PMU_EFFECT_ADDIW, r, r, imm_ci(half));
		break;
	case 2: /* c.li */
		is(e, PMU_EFFECT_ADDI, r, 0, imm_ci(half));
		break;
	case 3: /* c.lui, of sp c.addi16sp */
		if (r == PMU_X_SP)
			is(e, PMU_EFFECT_ADDI, PMU_X_SP, PMU_X_SP,
			   imm_addi16sp(half));
		else
			is(e, PMU_EFFECT_ADDI, r, 0, imm_ci(half) * 4096);
		break;
	case 4:
		is(e, PMU_EFFECT_UNKNOWN, insn_short_reg(half, 7), 0, 0);
		break;
	case 5: /* c.j */
		is(e, PMU_EFFECT_JUMP, 0, 0, imm_cj(half));
		break;
	default: /* c.beqz, c.bnez */
		is(e, PMU_EFFECT_BRANCH, 0, 0, imm_cb(half));
		break;
	}
}

static void compressed(uint32_t half, unsigned xlen, struct pmu_insn_effect *e)
{
	unsigned funct3 = insn_bits(half, 13, 3);

	if ((half & 3) == 1)
		quadrant_1(half, xlen, e);
	else if ((half & 3) == 0 && funct3 == 0 && half)
		is(e, PMU_EFFECT_ADDI, insn_short_reg(half, 2), PMU_X_SP,
		   imm_addi4spn(half));
	else if ((half & 3) == 2 && funct3 == 0) /* c.slli */
		is(e, PMU_EFFECT_UNKNOWN, pmu_insn_rd(half), 0, 0);
	else if ((half & 3) == 2 && funct3 == 4 && half != INSN_C_EBREAK)
		moves_or_jumps(half, e);
}

static void privileged(uint32_t word, struct pmu_insn_effect *e)
{
	if (word == PMU_WORD_SRET || word == PMU_WORD_MRET ||
	    word == INSN_EBBRET || word == INSN_EBBRET_ON) {
		e->kind = PMU_EFFECT_TRAP_RETURN;
		e->csr = word == PMU_WORD_SRET	 ? PMU_CSR_SEPC
			 : word == PMU_WORD_MRET ? PMU_CSR_MEPC
						 : 0;
	} else if (word == PMU_WORD_ECALL) {
		is(e, PMU_EFFECT_UNKNOWN, PMU_X_A0, 0, 0);
	} else if (word != PMU_WORD_EBREAK) {
		e->kind = PMU_EFFECT_NONE;
	}
}

/* Does an instruction of floating point or vectors write an integer register?
 */
static bool writes_integer(uint32_t word)
{
	unsigned funct5 = word >> 27, funct3 = pmu_insn_funct3(word);

	if (pmu_insn_opcode(word) == OP_FP)
		return funct5 == FCOMPARE || funct5 == FCVT_TO_INT ||
		       funct5 == FCLASS_FMV_X;
	if (pmu_insn_opcode(word) == OP_V) /* vset*, and moves to one */
		return funct3 == 7 || (funct3 == 2 && word >> 26 == 0x10);
	return false;
}

static void arithmetic(uint32_t word, struct pmu_insn_effect *e)
{
	unsigned rd = pmu_insn_rd(word), rs1 = pmu_insn_rs1(word);
	int32_t imm = (int32_t)word >> 20;
	bool adds = pmu_insn_funct3(word) == 0;

	is(e, PMU_EFFECT_UNKNOWN, rd, 0, 0);
	switch (pmu_insn_opcode(word)) {
	case OP_IMM:
		if (adds)
			is(e, PMU_EFFECT_ADDI, rd, rs1, imm);
		break;
	case OP_IMM_32:
		if (adds)
			is(e, PMU_EFFECT_ADDIW, rd, rs1, imm);
		break;
	case OP_OP:
		if (adds && !pmu_insn_funct7(word)) {
			is(e, PMU_EFFECT_ADD, rd, rs1, 0);
			e->rs2 = (uint8_t)pmu_insn_rs2(word);
		}
		break;
	case OP_LUI:
		is(e, PMU_EFFECT_ADDI, rd, 0, (int32_t)(word & 0xfffff000));
		break;
	case OP_AUIPC:
		is(e, PMU_EFFECT_AUIPC, rd, 0, (int32_t)(word & 0xfffff000));
		break;
	default:
		break;
	}
}

static void whole_word(uint32_t word, struct pmu_insn_effect *e)
{
	unsigned opcode = pmu_insn_opcode(word);

	if (opcode == OP_BRANCH)
		is(e, PMU_EFFECT_BRANCH, 0, 0, imm_b(word));
	else if (opcode == OP_JAL)
		is(e, PMU_EFFECT_JUMP, pmu_insn_rd(word), 0, imm_j(word));
	else if (opcode == OP_JALR)
		is(e, PMU_EFFECT_JUMP_TO, pmu_insn_rd(word), pmu_insn_rs1(word),
		   (int32_t)word >> 20);
	else if (opcode == OP_SYSTEM && pmu_insn_funct3(word) == 0)
		privileged(word, e);
	else if (opcode == OP_MISC_MEM || opcode == OP_LOAD_FP ||
		 opcode == OP_STORE_FP ||
		 (opcode >= OP_FMADD && opcode <= OP_FNMADD) ||
		 ((opcode == OP_FP || opcode == OP_V) && !writes_integer(word)))
		e->kind = PMU_EFFECT_NONE;
	else
		arithmetic(word, e);
}

/* The operand is a register, or what stands in its place. */
static void csr_access(uint32_t word, struct pmu_insn_effect *e)
{
	static const uint8_t ops[4] = {
		[1] = PMU_CSR_WRITE, [2] = PMU_CSR_SET, [3] = PMU_CSR_CLEAR
	};

	e->kind = PMU_EFFECT_CSR;
	e->csr_op = ops[pmu_insn_funct3(word) & 3];
	if (pmu_insn_funct3(word) & 4)
		e->imm = (int32_t)pmu_insn_rs1(word);
}

/* What insn.c has decoded: memory and CSRs. False: it is neither. */
static bool memory_or_csr(uint32_t word, const struct pmu_insn *insn,
			  unsigned xlen, struct pmu_insn_effect *e)
{
	const unsigned atomic = PMU_INSN_LR | PMU_INSN_SC | PMU_INSN_AMO;
	const unsigned memory = PMU_INSN_LOAD | PMU_INSN_STORE;
	bool whole = insn->size * 8u == xlen;

	if (!(insn->flags & (memory | PMU_INSN_CSR)))
		return false;
	is(e, PMU_EFFECT_UNKNOWN, insn->rd, insn->rs1, insn->imm);
	e->rs2 = insn->rs2;
	e->csr = insn->csr;
	if (insn->flags & PMU_INSN_CSR)
		csr_access(word, e);
	else if (insn->flags & (atomic | PMU_INSN_FP))
		return true;
	else if (insn->flags & PMU_INSN_STORE)
		e->kind = whole ? PMU_EFFECT_STORE : PMU_EFFECT_NONE;
	else if (whole)
		e->kind = PMU_EFFECT_LOAD;
	return true;
}

void pmu_insn_effect(uint32_t word, unsigned xlen, struct pmu_insn_effect *ret)
{
	struct pmu_insn insn;

	pmu_insn_decode(word, xlen, &insn);
	*ret = (struct pmu_insn_effect){ .kind = PMU_EFFECT_END,
					 .len = insn.len };
	if (memory_or_csr(word, &insn, xlen, ret))
		return;
	if (insn.len == 2)
		compressed(word & 0xffff, xlen, ret);
	else
		whole_word(word, ret);
}
