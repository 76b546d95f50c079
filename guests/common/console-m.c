/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is printed goes to the UART; and the end of an M-mode guest by the
 * finisher: the devices of QEMU's virt machine.
 */
#include <stdio.h>

#include "guest.h"

#define UART	 ((volatile unsigned char *)0x10000000)
#define FINISHER ((volatile uint32_t *)0x100000)

enum {
	LINE_STATUS = 5,
	ROOM = 0x20,
	PASS = 0x5555,
	FAIL = 0x13333
};

void guest_put(char c)
{
	while (!(UART[LINE_STATUS] & ROOM))
		;
	*UART = (unsigned char)c;
}

void guest_exit(int failure)
{
	*FINISHER = failure ? FAIL : PASS;
	for (;;)
		__asm__ volatile("wfi");
}
