/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The M-mode conformance guest: what CSRs, counters and overflows are to real
 * instructions, as TAP. It needs a UART and a finisher and no firmware.
 */
#include "bench.h"

#include <stdio.h>

struct known known;

uint64_t tap_number(uint64_t v)
{
	const uint64_t numbers[N_NAMED] = { known.counters, known.max3 };

	return v - NAMED(0) < N_NAMED ? numbers[v - NAMED(0)] : v;
}

int main(void)
{
	const uint64_t all[] = { MCOUNTINHIBIT, ALL };
	const uint64_t most[] = { 3, ~0ull };

	known.counters = warl(all).value;
	fresh(all);
	known.max3 = counter_warl(most).value;
	fresh(all);
	printf("# RV%d, M-mode, counters %#lx\n", __riscv_xlen,
	       (unsigned long)known.counters);
	chapter_csrs();
	chapter_access();
	chapter_counts();
	chapter_overflow();
	chapter_interrupts();
	tap_done();
	return tap_failed != 0;
}
