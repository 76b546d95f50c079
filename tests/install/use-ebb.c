/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a program in a guest makes of the installed <guest/ebb.h>: M-mode claims
 * three counters and goes to U-mode, where they overflow at one instruction,
 * ten times, and are where they must be then.
 */
#include <guest/ebb.h>

#include <stdint.h>

enum {
	PERIOD = 1000,
	BRANCHES = 10,
	BEYOND = 100,
	TURNS = (PERIOD + (BRANCHES - 1) * (PERIOD - EBB_TAIL) + BEYOND) / 2,
};
#define COUNTERS (1ul << 3 | 1ul << 20 | 1ul << 31)

void loop(unsigned long set, unsigned long turns);
void user(void);

/* All memory is everybody's; the counters count instructions. */
__asm__(".section .text.start, \"ax\"\n"
	".globl _start\n"
	"_start:	la sp, stack_end\n"
	"	li t0, -1\n"
	"	csrw pmpaddr0, t0\n"
	"	li t0, 0x1f\n"
	"	csrw pmpcfg0, t0\n"
	"	li t0, 2\n"
	"	csrw mhpmevent3, t0\n"
	"	csrw mhpmevent20, t0\n"
	"	csrw mhpmevent31, t0\n"
	"	li t0, -1\n"
	"	csrw 0x7c0, t0\n" /* mebben */
	"	li t0, 0x80100008\n"
	"	csrw 0x5c2, t0\n" /* sebbclaim */
	"	csrwi 0x5c0, 1\n" /* sebbcs: UE */
	"	li t0, 0x1800\n"
	"	csrc mstatus, t0\n"
	"	la t0, user\n"
	"	csrw mepc, t0\n"
	"	mret\n"
	"loop:	csrc 0x805, a0\n" /* ebbfrz */
	"1:	addi a1, a1, -1\n"
	"	bnez a1, 1b\n"
	"	csrs 0x805, a0\n"
	"	ret\n"
	".bss\n"
	".balign 16\n"
	".space 4096\n"
	"stack_end:\n"
	".text\n");

static unsigned others;

static void again(unsigned long overflown)
{
	others += overflown != COUNTERS;
	for (unsigned n = 3; n < 32; n++)
		if (COUNTERS >> n & 1)
			ebb_load(n, PERIOD);
}

static int run(void)
{
	int bad = 0;

	if (ebb_open(COUNTERS) || !ebb_open(COUNTERS | 1 << 4) || !ebb_open(0))
		return 1;
	EBB_SET(EBB_CSR_FRZ, COUNTERS);
	ebb_handler(again, EBB_AE | EBB_FA);
	again(COUNTERS);
	ebb_enable();
	loop(COUNTERS, TURNS);
	ebb_disable();
	if (EBB_READ(EBB_CSR_CS) & EBB_GE)
		return 5;
	if (ebb_self()->branches != BRANCHES || others)
		return 2;
	for (unsigned n = 3; n < 32; n++)
		if (COUNTERS >> n & 1)
			bad |= ebb_value(n) !=
			       (uint64_t)EBB_TAIL + BEYOND + 1 - PERIOD;
	if (bad || ebb_value(32) || ebb_value(2))
		return 3;
	EBB_CLEAR(EBB_CSR_FRZ, COUNTERS);
	ebb_close(COUNTERS);
	if ((EBB_READ(EBB_CSR_FRZ) & COUNTERS) != COUNTERS)
		return 6;
	ebb_set_value(31, 0x123456789abcdef);
	return ebb_value(31) == 0x123456789abcdef ? 0 : 4;
}

void user(void)
{
	int code = run();

	*(volatile uint32_t *)0x100000 =
		code ? (uint32_t)code << 16 | 0x3333 : 0x5555;
	for (;;)
		;
}
