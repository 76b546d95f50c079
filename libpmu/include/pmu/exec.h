/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One intercepted instruction: CSR accesses, xRET, WFI, SFENCE.VMA, ecall,
 * ebreak, and everything that is illegal. pmu_exec() decides legality, does
 * what the instruction does to the hart and counts it (under the configuration
 * before it, C160; without the counter it writes, C117). It enters no trap.
 */
#ifndef PMU_EXEC_H
#define PMU_EXEC_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/csr.h>
#include <pmu/trap.h>

#pragma GCC visibility push(default)

enum pmu_exec_kind {
	PMU_EXEC_RETIRED, /* goes on at next_pc */
	PMU_EXEC_WAIT,	  /* WFI: not retired yet, see pmu_exec_wake() */
	PMU_EXEC_TRAP,	  /* @trap must be taken; nothing changed */
};

struct pmu_exec_in {
	uint64_t pc;
	uint32_t insn; /* compressed: upper half 0 */
	/* Values of the integer registers it names; RV32: the lower halves. */
	uint64_t rs1, rs2;
	uint64_t now;  /* clock at the start of the instruction */
	uint32_t fcsr; /* current fcsr, for fflags, frm, fcsr */
};

struct pmu_exec_out {
	enum pmu_exec_kind kind;
	unsigned effects;  /* enum pmu_effect */
	uint8_t rd;	   /* 0: no register written */
	uint64_t rd_value; /* sign-extended to 64 bits on RV32 */
	uint64_t next_pc; /* where it goes on, after the wait too; not with TRAP
			   */
	uint32_t fcsr;	  /* valid with PMU_FX_FCSR */
	struct pmu_trap trap; /* valid with PMU_EXEC_TRAP */
};

void pmu_exec(struct pmu_hart *h, const struct pmu_exec_in *in,
	      struct pmu_exec_out *ret);
/*
 * WFI ends: it retires once, in the mode that executed it (C165). Returns
 * effects (enum pmu_effect): it may have been the one that overflows a counter.
 */
unsigned pmu_exec_wake(struct pmu_hart *h);
/*
 * An instruction that firmware emulated for the guest retires once, for the
 * counters that inhibit M-mode only (C126). Returns effects, as above.
 */
unsigned pmu_exec_emulated(struct pmu_hart *h);
/*
 * May the current mode read user counter CSR @num (0xc00-0xc1f, 0xc80-0xc9f)?
 * For engines that do not trap those reads.
 */
bool pmu_counter_readable(const struct pmu_hart *h, uint16_t num);

#pragma GCC visibility pop

#endif
