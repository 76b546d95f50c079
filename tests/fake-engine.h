/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The scripted engine: it implements daemon/machine/engine/engine.h without
 * executing RISC-V code. Its script is a program of operations, one every four
 * bytes of address space; what leaves an engine (instructions of the host's,
 * faults, device accesses) leaves it through engine_host_ops as from the real
 * one.
 */
#ifndef TESTS_FAKE_ENGINE_H
#define TESTS_FAKE_ENGINE_H

#include <stddef.h>
#include <stdint.h>

#include <pmu/insn-word.h>

enum fake_kind {
	FAKE_NOP,
	FAKE_LOAD,   /* counts as one; touches nothing */
	FAKE_STORE,  /* the same */
	FAKE_JUMP,   /* to @value */
	FAKE_LOOP,   /* decrements x[@reg], branches to @value unless 0 */
	FAKE_LI,     /* x[@reg] = @value */
	FAKE_READ,   /* x[@reg] = 4 or @size bytes of the device at @value */
	FAKE_WRITE,  /* x[@reg] to the device at @value */
	FAKE_INSN,   /* the host's: @value are its bits */
	FAKE_FAULT,  /* @cause, tval @value */
	FAKE_NATIVE, /* reads x[@reg] through translate(): load from @value */
};

struct fake_op {
	enum fake_kind kind;
	uint8_t reg, size, cause;
	uint64_t value;
};

/* The script, shared by all engines of the process, and what they saw. */
struct fake_script {
	const struct fake_op *ops;
	size_t n;
	uint64_t base;
	unsigned block; /* soft stops happen every so many operations, >= 1 */
	bool fail;	/* engine_run() fails */
	bool offers;	/* instructions of the host's to its quiet(), first */

	unsigned quiet; /* of these it executed so many */
	unsigned runs, tlb_flushes, fences, drops, switches;
	unsigned runs_of[2]; /* by regime */
	unsigned watched_changes;
	uint8_t space[2]; /* of fetches and of data, last set */
	unsigned leaves;  /* that a hart goes by, from 0 on */
	unsigned taken;	  /* a bit for each that was given to another */
};
extern struct fake_script fake;

/* Encodings for FAKE_INSN. */
#define FAKE_CSR(f3, rd, csr, rs1)                                             \
	((uint32_t)(csr) << 20 | (uint32_t)(rs1) << 15 | (f3) << 12 |          \
	 (rd) << 7 | 0x73)
#define FAKE_CSRRW(rd, csr, rs1) FAKE_CSR(1, rd, csr, rs1)
#define FAKE_CSRRS(rd, csr, rs1) FAKE_CSR(2, rd, csr, rs1)
#define FAKE_CSRRC(rd, csr, rs1) FAKE_CSR(3, rd, csr, rs1)
#define FAKE_CSRWI(csr, imm)	 FAKE_CSR(5, 0, csr, imm)
#define FAKE_ECALL		 PMU_WORD_ECALL
#define FAKE_WFI		 PMU_WORD_WFI
#define FAKE_MRET		 PMU_WORD_MRET
#define FAKE_SRET		 PMU_WORD_SRET

#endif
