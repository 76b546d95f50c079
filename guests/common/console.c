/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is printed goes to the SBI debug console, a line per call; and the end
 * of a guest.
 */
#include <stdio.h>

#include "guest.h"

static char line[160];
static unsigned used;

/* Firmware older than SBI 2.0 has no debug console, only the legacy call. */
static void flush(void)
{
	struct sbi_ret r = { 0, 0 };

	if (used)
		r = sbi_call(SBI_DBCN, 0, used, (unsigned long)line, 0, 0, 0,
			     0);
	for (unsigned i = 0; r.error && i < used; i++)
		sbi_call(SBI_LEGACY_PUTCHAR, 0, (unsigned char)line[i], 0, 0, 0,
			 0, 0);
	used = 0;
}

void guest_put(char c)
{
	line[used++] = c;
	if (c == '\n' || used == sizeof(line))
		flush();
}

void guest_exit(int failure)
{
	flush();
	sbi_call(SBI_SRST, 0, 0, failure != 0, 0, 0, 0, 0);
	for (;;)
		__asm__ volatile("wfi");
}
