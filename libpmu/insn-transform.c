/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The transformed instruction of a trap (mtinst, htinst): a load, store or
 * atomic without its addresses, so that who emulates it need not fetch it.
 */
#include "insn-encoding.h"

enum {
	RD_MASK = 0x1f << 7,
	RS1_MASK = 0x1f << 15,
	RS2_MASK = 0x1f << 20,
	FUNCT3_MASK = 7 << 12,
	OPCODE_MASK = 0x7f,
};

/* The register that a compressed access loads or stores, FP or not. */
static uint32_t data_register(uint32_t half, bool store)
{
	if ((half & 3) != 2)
		return 8 + insn_bits(half, 2, 3);
	return store ? insn_bits(half, 2, 5) : insn_bits(half, 7, 5);
}

/* The 32-bit load or store that @half stands for, its addresses 0. */
static uint32_t expand(uint32_t half, const struct pmu_insn *insn)
{
	bool store = insn->flags & PMU_INSN_STORE;
	bool fp = insn->flags & PMU_INSN_FP;
	uint32_t funct3 = insn->size == 8 ? 3 : 2;
	uint32_t reg = data_register(half, store);

	if (store)
		return reg << 20 | funct3 << 12 | (fp ? OP_STORE_FP : OP_STORE);
	return reg << 7 | funct3 << 12 | (fp ? OP_LOAD_FP : OP_LOAD);
}

static uint32_t without_addresses(uint32_t word)
{
	switch (word & OPCODE_MASK) {
	case OP_LOAD:
	case OP_LOAD_FP:
		return word & (RD_MASK | FUNCT3_MASK | OPCODE_MASK);
	case OP_STORE:
	case OP_STORE_FP:
		return word & (RS2_MASK | FUNCT3_MASK | OPCODE_MASK);
	default: /* atomics, HLV, HSV: no immediate */
		return word & ~(uint32_t)RS1_MASK;
	}
}

uint32_t pmu_insn_transform(uint32_t word, unsigned xlen, unsigned offset)
{
	uint32_t at = (uint32_t)(offset & 31) << 15;
	struct pmu_insn insn;

	pmu_insn_decode(word, xlen, &insn);
	if (insn.len == 2)
		return insn.size ? (expand(word, &insn) | at) & ~2u : 0;
	if (insn.size || insn_is_guest_access(word))
		return without_addresses(word) | at;
	return 0;
}
