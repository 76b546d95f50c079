/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * IPI: raises SSIP on other harts at once. What counts as sent and received is
 * decided here (C92, C93).
 */
#include "counters/fw-events.h"
#include "sbi-extension.h"

/*
 * The reference counts interrupts handled: several signals before the target
 * runs again are one.
 */
static bool coalesced(struct fw_hart *to)
{
	uint64_t cycles = pmu_hart_cycles(to->pmu);
	bool same = to->sbi->ipi.pending && to->sbi->ipi.cycles == cycles;

	to->sbi->ipi.pending = true;
	to->sbi->ipi.cycles = cycles;
	return same;
}

void ipi_signal(struct fw *fw, unsigned from, unsigned to)
{
	bool same = coalesced(&fw->hart[to]);

	fw_event(fw, from, FW_EV_IPI_SENT);
	if (!same || !fw->cfg.quirks.ipi_coalesced)
		fw_event(fw, to, FW_EV_IPI_RECEIVED);
}

void ipi_handled(struct fw_hart *h)
{
	h->sbi->ipi.pending = false;
}

void ipi_send(struct fw *fw, unsigned from, uint64_t targets)
{
	for (; targets; targets &= targets - 1) {
		unsigned to = (unsigned)__builtin_ctzll(targets);

		if (to != from)
			ipi_signal(fw, from, to);
		pmu_irq_soft(fw->hart[to].pmu, PMU_IRQ_SSI, true);
		hsm_wake(&fw->hart[to]);
		fw->machine.ops->ipi_sent(fw->machine.host, to);
	}
}

static struct sbi_ret send_ipi(struct fw *fw, struct sbi_call *call)
{
	uint64_t targets;
	int64_t err =
		sbi_hart_set(fw, call, call->arg[0], call->arg[1], &targets);

	if (err)
		return sbi_err(err);
	ipi_send(fw, call->hart, targets);
	return sbi_ok(0);
}

static const struct sbi_func funcs[] = {
	[0] = { CALL(send_ipi, SBI_V02) },
};

const struct sbi_ext sbi_ext_ipi = {
	.eid = SBI_EID_IPI,
	.n = sizeof(funcs) / sizeof(*funcs),
	.funcs = funcs,
};
