/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The fields of a 32-bit instruction, and which fences they make. Of libpmu it
 * needs insn-word.h alone.
 */
#ifndef PMU_INSN_FIELD_H
#define PMU_INSN_FIELD_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/insn-word.h>

/*
 * Of fences of address translation: SYSTEM, with funct3 and rd 0. Those of
 * Svinval (sinval, hinval) no hart here has.
 */
enum pmu_funct7 {
	PMU_FUNCT7_SFENCE_VMA = 0x09,
	PMU_FUNCT7_SINVAL_VMA = 0x0b,
	PMU_FUNCT7_HFENCE_VVMA = 0x11,
	PMU_FUNCT7_HINVAL_VVMA = 0x13,
	PMU_FUNCT7_HFENCE_GVMA = 0x31,
	PMU_FUNCT7_HINVAL_GVMA = 0x33,
};

static inline unsigned pmu_insn_opcode(uint32_t word)
{
	return word & 0x7f;
}

/* Of most 16-bit instructions, too. */
static inline unsigned pmu_insn_rd(uint32_t word)
{
	return word >> 7 & 31;
}

static inline unsigned pmu_insn_funct3(uint32_t word)
{
	return word >> 12 & 7;
}

/* Where funct3 says so, an immediate. */
static inline unsigned pmu_insn_rs1(uint32_t word)
{
	return word >> 15 & 31;
}

static inline unsigned pmu_insn_rs2(uint32_t word)
{
	return word >> 20 & 31;
}

static inline unsigned pmu_insn_funct7(uint32_t word)
{
	return word >> 25;
}

/* Of OP-FP: whether it is single, double or another one; funct7's low bits. */
static inline unsigned pmu_insn_format(uint32_t word)
{
	return word >> 25 & 3;
}

static inline unsigned pmu_insn_csr(uint32_t word)
{
	return word >> 20;
}

/* Is it the fence of translations that @funct7 names? */
static inline bool pmu_insn_is_fence(uint32_t word, enum pmu_funct7 funct7)
{
	return pmu_insn_funct7(word) == funct7 &&
	       (word & 0x7fff) == PMU_OPCODE_SYSTEM;
}

/* Is it any of them? */
static inline bool pmu_insn_is_tlb_fence(uint32_t word)
{
	return pmu_insn_is_fence(word, PMU_FUNCT7_SFENCE_VMA) ||
	       pmu_insn_is_fence(word, PMU_FUNCT7_SINVAL_VMA) ||
	       pmu_insn_is_fence(word, PMU_FUNCT7_HFENCE_VVMA) ||
	       pmu_insn_is_fence(word, PMU_FUNCT7_HINVAL_VVMA) ||
	       pmu_insn_is_fence(word, PMU_FUNCT7_HFENCE_GVMA) ||
	       pmu_insn_is_fence(word, PMU_FUNCT7_HINVAL_GVMA);
}

#endif
