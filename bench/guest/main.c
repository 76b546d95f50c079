/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Work to time, the same on every peer: WORK chooses it, ROUNDS how often. Two
 * counters run, cycles and instructions, each with an overflow armed far away.
 * It prints what it did and shuts down; an empty run measures the rest.
 */
#include <stdio.h>

#include "../../guests/common/guest.h"

#define EMPTY	0
#define COMPUTE 1
#define MEMORY	2
#define BRANCH	3
#define CSR	4
#define ECALL	5

/* Events by event_idx and event_data; stores are a raw one. */
#define CYCLES	 1, 0
#define INSNS	 2, 0
#define BRANCHES 5, 0
#define STORES	 0x20000, 0x100001
#define L1D_MISS 0x10001, 0
#define L1I_MISS 0x10009, 0
#define FAR	 (1ul << 62)

#if defined(ACTIVE) || defined(SHORT)
#define MASK 0xfffffff8 /* hpmcounter3 to 31 */
#else
#define MASK 0x7fff8 /* those that QEMU has, too */
#endif

static volatile uint32_t table[4096];

/* Also entered by itself, in an engine without anything around it. */
__attribute__((noinline)) unsigned long work(unsigned long rounds)
{
	unsigned long sum = 1;

	for (unsigned long i = 0; i < rounds; i++) {
#if WORK == COMPUTE
		for (unsigned k = 0; k < 100; k++)
			sum = sum * 31 + (sum >> 7) + k;
#elif WORK == MEMORY
		for (unsigned k = 0; k < 100; k++) {
			sum += table[(sum + k * 64) & 4095];
			table[(sum ^ k) & 4095] = (uint32_t)sum;
		}
#elif WORK == BRANCH
		for (unsigned k = 0; k < 100; k++) {
			if (sum & 1)
				sum = sum * 3 + 1;
			else
				sum >>= 1;
		}
#elif WORK == CSR
		sum += csr_read(sscratch);
#elif WORK == ECALL
		sum += sbi_call(SBI_BASE, 0, 0, 0, 0, 0, 0, 0).value;
#endif
	}
	return sum;
}

/* A programmable counter of an event that begins at @value. */
static int arm(unsigned long event_idx, unsigned long event_data,
	       unsigned long value)
{
	unsigned long mask = MASK;
	struct sbi_ret got;

	do { /* some firmware refuses a set with counters that are not there */
		got = sbi_call(SBI_PMU, 2, 0, mask, 0, event_idx, event_data,
			       0);
		mask >>= 1;
	} while (got.error && mask > 7);
	if (got.error)
		return 1;
	got = sbi_call(SBI_PMU, 3, got.value, 1, 1, value, 0, 0);
	return got.error != 0;
}

/*
 * Cycles and instructions; or so many as ACTIVE says, with different events; or
 * one that the next store would overflow; or of what models of a core say, far
 * away, or one miss of the code from it.
 */
static int arm_all(void)
{
#ifdef ACTIVE
	int failed = 0;

	for (int i = 0; i < ACTIVE && !failed; i++)
		failed = i % 3 == 0   ? arm(INSNS, FAR)
			 : i % 3 == 1 ? arm(BRANCHES, FAR)
				      : arm(STORES, FAR);
	return failed;
#elif defined(SHORT)
	return arm(STORES, -1ul);
#elif defined(MISS_FAR)
	return arm(L1D_MISS, FAR);
#elif defined(MISS_SHORT)
	return arm(L1I_MISS, -1ul);
#else
	return arm(CYCLES, FAR) || arm(INSNS, FAR);
#endif
}

int main(unsigned long hartid)
{
	(void)hartid;
	csr_set(sie, 1ul << 13);
#ifdef MISS_SHORT
	work(1); /* its lines are there then, and none is missed */
#endif
	if (arm_all())
		puts("no counters");
	printf("sum %#lx\n", work(ROUNDS));
	return 0;
}
