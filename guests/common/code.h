/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Instructions made at run time: any CSR can be reached by its number, and a
 * stretch of code is counted as it stands, whatever the compiler does.
 */
#ifndef CODE_H
#define CODE_H

#include "tap.h"

/*
 * Runs up to 100 instructions of 32 bits with a0 = @a0; the answer is a0
 * afterwards. An instruction that traps is passed over.
 */
struct code {
	unsigned n;
	uint32_t insn[100];
};
struct answer run_code(const struct code *c, unsigned long a0);
struct answer run_code_in_user(const struct code *c, unsigned long a0);
#define CSR_INSN(op, rd, csr, rs)                                              \
	(((csr) + 0u) << 20 | (rs) << 15 | (op) << 12 | (rd) << 7 | 0x73)
#define CSRRW(rd, csr, rs) CSR_INSN(1, rd, csr, rs)
#define CSRRS(rd, csr, rs) CSR_INSN(2, rd, csr, rs)
#define CSRRC(rd, csr, rs) CSR_INSN(3, rd, csr, rs)
#define CSRRWI(rd, csr, i) CSR_INSN(5, rd, csr, i)
#define CSRRSI(rd, csr, i) CSR_INSN(6, rd, csr, i)
#define CSRRCI(rd, csr, i) CSR_INSN(7, rd, csr, i)
#define CSRR(rd, csr)	   CSRRS(rd, csr, 0)
#define SUB(rd, a, b)	   (0x40000033 | (b) << 20 | (a) << 15 | (rd) << 7)
#define AND(rd, a, b)	   (0x7033 | (b) << 20 | (a) << 15 | (rd) << 7)
#define LI(rd, i)	   ((i) << 20 | (rd) << 7 | 0x13) /* 0 to 2047 */
#define NOP		   0x13
enum {
	A0 = 10,
	A1 = 11,
	A2 = 12
};

#endif
