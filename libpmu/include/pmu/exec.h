/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One intercepted instruction: CSR accesses, xRET, WFI, fences, ecall, ebreak,
 * the hypervisor's loads and stores, and everything that is illegal.
 * pmu_exec() decides legality, does what the instruction does to the hart and
 * counts it (under the configuration before it, C160; without the counter it
 * writes, C117). It enters no trap and reaches no memory.
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
	PMU_EXEC_TRAP,	  /* a trap must be taken; nothing changed */
	PMU_EXEC_ACCESS,  /* an access must be made, see pmu_exec_accessed() */
};

/* What a hypervisor load or store (HLV, HLVX, HSV) wants of memory. */
struct pmu_exec_access {
	uint64_t vaddr; /* guest virtual, as wide as the registers */
	uint64_t value; /* to store: the low @size bytes */
	/*
	 * PMU_MODE_VS or PMU_MODE_VU, by hstatus.SPVP: whose translation and
	 * protection it follows, MPRV or not.
	 */
	enum pmu_mode mode;
	uint8_t size; /* bytes: 1, 2, 4, 8 */
	bool store;
	bool execute; /* HLVX: execute permission in the place of read */
	bool sign;    /* a load that sign-extends */
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
	struct pmu_trap trap;	       /* valid with PMU_EXEC_TRAP */
	struct pmu_exec_access access; /* valid with PMU_EXEC_ACCESS */
};

void pmu_exec(struct pmu_hart *h, const struct pmu_exec_in *in,
	      struct pmu_exec_out *ret);
/*
 * The access of @out (PMU_EXEC_ACCESS) was made: its instruction retires, as
 * one load or store too. @loaded: what a load found, its low bytes; 0 for a
 * store. Turns @out into PMU_EXEC_RETIRED, with rd, rd_value and effects. When
 * the access faults instead, nothing retires and the caller takes the trap: at
 * the instruction's pc, with vaddr as tval and gva set.
 */
void pmu_exec_accessed(struct pmu_hart *h, uint64_t loaded,
		       struct pmu_exec_out *out);
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
 * May the current mode use the floating-point registers: FS of mstatus, and in
 * a guest that of vsstatus too, is not Off. Changes with PMU_FX_FS, and with
 * the mode where there is an H extension.
 */
bool pmu_fp_on(const struct pmu_hart *h);

#pragma GCC visibility pop

#endif
