/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a trap, an interrupt or a privileged instruction makes of a hart,
 * written from the privileged specification alone. It works on CSR values as
 * M-mode reads them, and remembers nothing.
 */
#ifndef TESTS_FUZZ_TRAP_ORACLE_H
#define TESTS_FUZZ_TRAP_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/csr.h>
#include <pmu/exec.h>
#include <pmu/hart.h>
#include <pmu/trap.h>

/* The CSRs that take part; a CSR that the hart lacks reads 0. */
enum trap_csr {
	T_MSTATUS,
	T_MEDELEG,
	T_MIDELEG,
	T_MIE,
	T_MIP,
	T_MTVEC,
	T_MEPC,
	T_MCAUSE,
	T_MTVAL,
	T_MTVAL2,
	T_MTINST,
	T_STVEC,
	T_SEPC,
	T_SCAUSE,
	T_STVAL,
	T_HSTATUS,
	T_HEDELEG,
	T_HIDELEG,
	T_HTVAL,
	T_HTINST,
	T_HVIP,
	T_VSSTATUS,
	T_VSTVEC,
	T_VSEPC,
	T_VSCAUSE,
	T_VSTVAL,
	TRAP_N_CSRS,
};

struct trap_state {
	enum pmu_mode mode;
	uint64_t csr[TRAP_N_CSRS]; /* RV32: mstatus and mstatush joined */
};

const char *trap_csr_name(unsigned csr);
uint16_t trap_csr_number(unsigned csr);
/* RV32: where its upper half is, 0 for none. */
uint16_t trap_csr_high(unsigned csr);
void trap_look(const struct pmu_hart *h, struct trap_state *ret);

/* Takes @trap. Returns the handler's pc. */
uint64_t trap_enter(struct trap_state *s, const struct pmu_hart_config *cfg,
		    const struct pmu_trap *trap);
/* Takes an interrupt at @level, which knows it by @trap's number. */
uint64_t trap_enter_as(struct trap_state *s, const struct pmu_hart_config *cfg,
		       const struct pmu_trap *trap, enum pmu_mode level);
/* The number of the interrupt to take now, or -1; without Smaia. */
int trap_next_interrupt(const struct trap_state *s);
/* May @level, M, S or VS, be interrupted to now? */
bool trap_open(const struct trap_state *s, enum pmu_mode level);

struct trap_outcome {
	int kind;      /* enum pmu_exec_kind */
	uint8_t cause; /* of a trap */
	uint64_t pc;   /* where it goes on when it retired */
};
/* xRET, WFI, fences, ecall; state as after it, a trap not yet taken. */
void trap_execute(struct trap_state *s, const struct pmu_hart_config *cfg,
		  const struct pmu_exec_in *in, struct trap_outcome *ret);

#endif
