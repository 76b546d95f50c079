/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Decodes words for insn-sweep.py: reads 32-bit words in host order from
 * standard input, prints per word its length, flags (as letters), size,
 * rd, rs1, rs2, csr and offset. The argument is XLEN.
 */
#include <stdio.h>
#include <stdlib.h>

#include <pmu/insn.h>

static const char letters[] = "bslrcafzpi"; /* by bit of enum pmu_insn_flag */

static void flags_string(unsigned flags, char *ret)
{
	for (unsigned i = 0; letters[i]; i++)
		if (flags & 1u << i)
			*ret++ = letters[i];
	*ret = '\0';
}

int main(int argc, char **argv)
{
	unsigned xlen = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 64;
	struct pmu_insn insn;
	char flags[sizeof(letters)];
	uint32_t word;

	while (fread(&word, sizeof(word), 1, stdin) == 1) {
		pmu_insn_decode(word, xlen, &insn);
		flags_string(insn.flags, flags);
		printf("%u %s. %u %u %u %u %u %d\n", insn.len, flags, insn.size,
		       insn.rd, insn.rs1, insn.rs2, insn.csr, insn.imm);
	}
	return 0;
}
