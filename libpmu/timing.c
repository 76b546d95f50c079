/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What things cost in cycles: instructions, and trap entries. Both ways round,
 * so that whoever plans by cycles and whoever counts them agree. How long a
 * hart waits beside that, its models say (uarch.h).
 */
#include "timing.h"

#include <pmu/hart.h>
#include <pmu/trap.h>

uint64_t pmu_hart_cost(const struct pmu_hart *h, const struct pmu_progress *p)
{
	return p->n[PMU_EV_INSNS] * h->cfg.cpi + p->stalled;
}

uint64_t timing_of_insn(const struct pmu_hart *h)
{
	return h->cfg.cpi;
}

uint64_t timing_of_trap(const struct pmu_hart *h)
{
	return h->cfg.trap_cycles;
}

uint64_t pmu_trap_cost(const struct pmu_hart *h, uint64_t n)
{
	uint64_t each = timing_of_trap(h);

	return n > UINT64_MAX / each ? UINT64_MAX : n * each;
}

uint64_t timing_insns_within(const struct pmu_hart *h, uint64_t cycles)
{
	/* Not asked as == 1, of which compilers make a division always. */
	return h->cfg.cpi > 1 ? cycles / h->cfg.cpi : cycles;
}

uint64_t pmu_hart_insns_until(const struct pmu_hart *h, uint64_t cycles)
{
	return cycles ? timing_insns_within(h, cycles - 1) + 1 : 0;
}
