/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How long an interrupt from another hart is under way, in ticks of time: hart
 * 0 sends ROUNDS of them, at irregular distances, in turn to each of the other
 * harts, which spin, or wait, until they see it. All are busy in the meantime.
 */
#include <stdio.h>

#include "../../guests/common/guest.h"

enum {
	ROUNDS = 999,
	MAX_HARTS = 32,
	SSI = 1 << 1,
};

extern void _start(void);

static volatile unsigned long seen[MAX_HARTS];
static volatile int waits;

void hart_main(unsigned long hartid, unsigned long opaque)
{
	unsigned long now;

	(void)opaque;
	csr_set(sie, SSI);
	for (;;) {
		while (!(csr_read(sip) & SSI))
			if (waits)
				__asm__ volatile("wfi");
		now = csr_read(time);
		csr_clear(sip, SSI);
		seen[hartid] = now;
	}
}

/* How many follow hart 0. */
static unsigned long start_others(void)
{
	unsigned long n = 0;

	while (n + 1 < MAX_HARTS &&
	       !sbi_call(SBI_HSM, 0, n + 1, (unsigned long)_start, 0, 0, 0, 0)
			.error)
		n++;
	return n;
}

static unsigned long one(unsigned long to)
{
	unsigned long sent = csr_read(time);

	seen[to] = 0;
	sbi_call(SBI_IPI, 0, 1, to, 0, 0, 0, 0);
	while (!seen[to])
		;
	return seen[to] - sent;
}

/* Keeps @all sorted. */
static void insert(unsigned long *all, unsigned n, unsigned long value)
{
	for (; n && all[n - 1] > value; n--)
		all[n] = all[n - 1];
	all[n] = value;
}

static void measure(const char *name, unsigned long others)
{
	static unsigned long all[ROUNDS];
	unsigned long dice = 1;

	for (unsigned i = 0; i < ROUNDS; i++) {
		dice = dice * 1103515245 + 12345;
		for (volatile unsigned long k = dice >> 8 & 0x3fff; k; k--)
			;
		insert(all, i, one(1 + i % others));
	}
	printf("%s median %lu worst %lu\n", name, all[ROUNDS / 2],
	       all[ROUNDS - 1]);
}

int main(unsigned long hartid)
{
	unsigned long others = start_others();

	if (hartid || !others)
		return 1;
	measure("busy", others);
	waits = 1;
	measure("waiting", others);
	return 0;
}
