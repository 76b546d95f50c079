/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How calls are made (conformance A), and which exist.
 */
#include "conf.h"

enum {
	PROBE = 3,
	FWFT = 0x46574654,
	FWFT_GET = 1,
	PTE_AD_HW_UPDATING = 4,
	NO_EID = 0x123456
};

/*
 * Which registers num_counters() changes beside a0 and a1, as bits: all that a
 * leaf function may have to itself, and sp, gp, tp.
 */
static struct answer changed_registers(const uint64_t *a)
{
	unsigned long changed;

	(void)a;
	__asm__ volatile("	mv	t0, sp\n"
			 "	li	a7, 0x504d55\n"
			 "	li	a6, 0\n"
			 "	li	a2, 102\n	li	a3, 103\n"
			 "	li	a4, 104\n	li	a5, 105\n"
			 "	li	t1, 106\n	li	t2, 107\n"
			 "	li	t3, 108\n	li	t4, 109\n"
			 "	li	t5, 110\n	mv	t6, gp\n"
			 "	ecall\n"
			 "	xor	t0, t0, sp\n	xor	t6, t6, gp\n"
			 "	or	%0, t0, t6\n"
			 "	li	t0, 0x504d55\n	xor	a7, a7, t0\n"
			 "	or	%0, %0, a7\n	or	%0, %0, a6\n"
			 "	addi	a2, a2, -102\n	or	%0, %0, a2\n"
			 "	addi	a3, a3, -103\n	or	%0, %0, a3\n"
			 "	addi	a4, a4, -104\n	or	%0, %0, a4\n"
			 "	addi	a5, a5, -105\n	or	%0, %0, a5\n"
			 "	addi	t1, t1, -106\n	or	%0, %0, t1\n"
			 "	addi	t2, t2, -107\n	or	%0, %0, t2\n"
			 "	addi	t3, t3, -108\n	or	%0, %0, t3\n"
			 "	addi	t4, t4, -109\n	or	%0, %0, t4\n"
			 "	addi	t5, t5, -110\n	or	%0, %0, t5\n"
			 : "=&r"(changed)
			 :
			 : "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "t0",
			   "t1", "t2", "t3", "t4", "t5", "t6", "memory");
	return (struct answer){ 0, changed };
}

/* num_counters() with registers that it does not have. */
static struct answer junk(const uint64_t *a)
{
	struct sbi_ret r = sbi_call(SBI_PMU, 0, 1, 2, ALL, 3, ALL, ALL);

	(void)a;
	return (struct answer){ r.error, r.value };
}

static const struct step extensions[] = {
	CLAIM("A and D bits of pages come by faults at first", RULE("C204"),
	      BOTH(VAL(0)), any_call, FWFT, FWFT_GET, PTE_AD_HW_UPDATING),
	CLAIM("the version is 3.0", RULE("C199"), BOTH(VAL(0x3000000)),
	      base_call, 0),
	CLAIM("the PMU extension is there, and the answer is 1", RULE("C192"),
	      BOTH(VAL(1)), base_call, PROBE, SBI_PMU),
	CLAIM("an extension that nobody has is not there", RULE("C2"),
	      BOTH(VAL(0)), base_call, PROBE, NO_EID),
	CLAIM("a call of an unknown extension is not supported", RULE("C2"),
	      BOTH(ERR(UNSUPPORTED)), any_call, NO_EID, 0),
	CLAIM("PMU function 9 is not supported", RULE("C2"),
	      BOTH(ERR(UNSUPPORTED)), any_call, SBI_PMU, 9),
	CLAIM("PMU function -1 is not supported", RULE("C2"),
	      BOTH(ERR(UNSUPPORTED)), any_call, SBI_PMU, ALL),
	CLAIM("BASE function -1 is not supported", RULE("C2"),
	      BOTH(ERR(UNSUPPORTED)), any_call, SBI_BASE, ALL),
	CLAIM("registers that a call does not define are ignored", RULE("C3"),
	      BOTH(VAL(N)), junk, 0),
	CLAIM("a call preserves all registers but a0 and a1", RULE("C1"),
	      BOTH(VAL(0)), changed_registers, 0),
};

/* A function or extension number is 32 bits with their sign. */
static const struct step numbers_rv64[] = {
	CLAIM("a function number with bit 32 is not supported", RULE("C198"),
	      BOTH(ERR(UNSUPPORTED)), any_call, SBI_PMU, (1ull << 32)),
	CLAIM("an extension number with bit 32 is not supported", RULE("C198"),
	      BOTH(ERR(UNSUPPORTED)), any_call, SBI_PMU | (1ull << 32), 0),
	CLAIM("a function number 2^32 - 1 is not supported", RULE("C198"),
	      BOTH(ERR(UNSUPPORTED)), any_call, SBI_PMU, (1ull << 32) - 1),
};

void chapter_base(void)
{
	TAP_STEPS("base", extensions);
	if (RV64)
		TAP_STEPS("base", numbers_rv64);
}
