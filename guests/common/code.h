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
#define CSRR(rd, csr) ((csr) << 20 | 2 << 12 | (rd) << 7 | 0x73)
#define CSRRW(rd, csr, rs)                                                     \
	((csr) << 20 | (rs) << 15 | 1 << 12 | (rd) << 7 | 0x73)
#define CSRRS(rd, csr, rs)                                                     \
	((csr) << 20 | (rs) << 15 | 2 << 12 | (rd) << 7 | 0x73)
#define CSRRSI(rd, csr, i)                                                     \
	((csr) << 20 | (i) << 15 | 6 << 12 | (rd) << 7 | 0x73)
#define SUB(rd, a, b) (0x40000033 | (b) << 20 | (a) << 15 | (rd) << 7)
#define NOP	      0x13
enum {
	A0 = 10,
	A1 = 11
};

#endif
