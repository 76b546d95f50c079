/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Encodings that more than one file of libpmu needs, beside the fields of
 * pmu/insn-field.h. Decoding proper is insn.c's and insn-compressed.c's.
 */
#ifndef LIBPMU_INSN_ENCODING_H
#define LIBPMU_INSN_ENCODING_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/insn-field.h>
#include <pmu/insn-word.h>
#include <pmu/insn.h>

/* Major opcodes, bits 6:0. */
enum {
	OP_LOAD = 0x03,
	OP_LOAD_FP = 0x07,
	OP_MISC_MEM = 0x0f,
	OP_IMM = 0x13,
	OP_AUIPC = 0x17,
	OP_IMM_32 = 0x1b,
	OP_STORE = 0x23,
	OP_STORE_FP = 0x27,
	OP_OP = 0x33,
	OP_LUI = 0x37,
	OP_FMADD = 0x43, /* and the three behind it */
	OP_FNMADD = 0x4f,
	OP_FP = 0x53,
	OP_V = 0x57,
	OP_BRANCH = 0x63,
	OP_JALR = 0x67,
	OP_JAL = 0x6f,
	OP_SYSTEM = PMU_OPCODE_SYSTEM,
};

/* funct5 of those of OP-FP that write an integer register. */
enum {
	FCOMPARE = 0x14,
	FCVT_TO_INT = 0x18,
	FCLASS_FMV_X = 0x1c,
};

enum {
	INSN_C_EBREAK = 0x9002,
};

/* `len` bits of an instruction from bit `low` on. */
static inline uint32_t insn_bits(uint32_t word, unsigned low, unsigned len)
{
	return word >> low & ((1u << len) - 1);
}

/* Of a 16-bit one: one of the registers x8-x15, in three bits from @low on. */
static inline uint8_t insn_short_reg(uint32_t half, unsigned low)
{
	return (uint8_t)(8 + insn_bits(half, low, 3));
}

/* ebbret: of the custom SYSTEM encodings for users. rs2 is 0 or 1. */
#define INSN_EBBRET    UINT32_C(0x8c000073)
#define INSN_EBBRET_ON UINT32_C(0x8c100073)

/* csrrw, csrrs, csrrc and their immediate forms, by funct3. */
static inline bool insn_is_csr(uint32_t word)
{
	return pmu_insn_opcode(word) == OP_SYSTEM &&
	       (pmu_insn_funct3(word) & 3) != 0;
}

/* hlv, hlvx, hsv; reserved ones beside them too. */
static inline bool insn_is_guest_access(uint32_t word)
{
	return pmu_insn_opcode(word) == OP_SYSTEM && pmu_insn_funct3(word) == 4;
}

/* insn-compressed.c: the 16-bit encodings; @ret is zeroed but for len. */
void insn_decode_compressed(uint32_t half, unsigned xlen, struct pmu_insn *ret);

#endif
