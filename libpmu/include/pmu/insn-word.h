/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The privileged instructions that have one encoding only. Needs nothing else
 * of libpmu.
 */
#ifndef PMU_INSN_WORD_H
#define PMU_INSN_WORD_H

enum pmu_insn_word {
	PMU_WORD_ECALL = 0x00000073,
	PMU_WORD_EBREAK = 0x00100073,
	PMU_WORD_SRET = 0x10200073,
	PMU_WORD_WFI = 0x10500073,
	PMU_WORD_MRET = 0x30200073,
	PMU_OPCODE_SYSTEM = 0x73, /* bits 6:0 of these, and of CSR accesses */
};

#endif
