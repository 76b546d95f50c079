/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The M-mode conformance guest: what CSRs, counters and overflows are to real
 * instructions, as TAP. It needs a UART and a finisher and no firmware.
 */
#include "protection.h"

#include <stdio.h>

struct known known;

uint64_t tap_number(uint64_t v)
{
	const uint64_t numbers[N_NAMED] = {
		known.counters,
		known.max3,
		known.event_bits,
		(known.event_bits & 0x7cull << 56) >> BY_XLEN(0, 32),
	};

	return v - NAMED(0) < N_NAMED ? numbers[v - NAMED(0)] : v;
}

/* What the hart has, asked without leaving anything changed. */
static void discover(void)
{
	const uint64_t inhibit[] = { MCOUNTINHIBIT, ALL }, misa[] = { MISA };
	const uint64_t most[] = { 3, ~0ull }, on[] = { 1 };
	const uint64_t state[] = { MSTATEEN0 }, pmpaddr[] = { PMPADDR0 };

	known.hypervisor = rd(misa).value >> ('H' - 'A') & 1;
	known.delegation = set_cde(on).value != 0;
	known.stateen = !rd(state).error;
	known.protection = rd(pmpaddr).value != 0; /* as start-m.S set it */
	known.counters = warl(inhibit).value;
	known.max3 = counter_warl(most).value;
	known.event_bits = OF | MINH | SINH | UINH | ~0ull >> 8;
	if (known.hypervisor)
		known.event_bits |= VSINH | VUINH;
	fresh(inhibit);
}

int main(void)
{
	discover();
	printf("# RV%d, M-mode, counters %#lx%s%s%s%s\n", __riscv_xlen,
	       (unsigned long)known.counters,
	       known.delegation ? ", delegation" : "",
	       known.stateen ? ", state-enables" : "",
	       known.hypervisor ? ", hypervisor" : "",
	       known.protection ? ", PMP" : "");
	chapter_csrs();
	chapter_access();
	chapter_counts();
	chapter_overflow();
	chapter_interrupts();
	if (known.delegation)
		chapter_delegation();
	if (known.hypervisor)
		chapter_guests();
	if (known.protection)
		chapter_protection();
	tap_done();
	return tap_failed != 0;
}
