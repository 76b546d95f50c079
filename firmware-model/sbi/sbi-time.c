/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * TIME: a deadline per hart, in ticks, which raises STIP. With Sstc the
 * deadline goes to stimecmp and the hart raises STIP by itself.
 */
#include <pmu/csr.h>

#include "counters/fw-events.h"
#include "sbi-extension.h"

static void set_stimecmp(struct fw_hart *h, uint64_t now, uint64_t deadline)
{
	unsigned effects = 0;

	pmu_csr_poke(h->pmu, PMU_CSR_STIMECMP, now, deadline & sbi_xmask(h),
		     &effects);
	if (fw_xlen(h) == 32)
		pmu_csr_poke(h->pmu, PMU_CSR_STIMECMPH, now, deadline >> 32,
			     &effects);
}

static void expire(struct fw *fw, unsigned hart, uint64_t now)
{
	struct fw_hart *h = &fw->hart[hart];

	if (!h->sbi->timer.armed ||
	    pmu_time(fw->machine.timebase, now) < h->sbi->timer.deadline)
		return;
	h->sbi->timer.armed = false;
	pmu_irq_soft(h->pmu, PMU_IRQ_STI, true);
	hsm_wake(h);
	fw_event(fw, hart, FW_EV_TIMER_EXPIRED);
}

void time_set(struct fw *fw, const struct sbi_call *call, uint64_t deadline)
{
	struct fw_hart *h = sbi_caller(fw, call);

	fw_event(fw, call->hart, FW_EV_SET_TIMER);
	if (fw_has(h, PMU_EXT_SSTC)) {
		set_stimecmp(h, call->now, deadline);
	} else {
		h->sbi->timer.deadline = deadline;
		h->sbi->timer.armed = true;
		pmu_irq_soft(h->pmu, PMU_IRQ_STI, false);
		expire(fw, call->hart, call->now);
	}
	fw->machine.ops->timer_changed(fw->machine.host, call->hart);
}

uint64_t fw_timer_next(const struct fw *fw, unsigned hart)
{
	if (hart >= fw->n_harts || !fw->hart[hart].sbi->timer.armed)
		return UINT64_MAX;
	return pmu_time_cycle(fw->machine.timebase,
			      fw->hart[hart].sbi->timer.deadline);
}

void fw_timer_run(struct fw *fw, uint64_t now)
{
	for (unsigned i = 0; i < fw->n_harts; i++)
		expire(fw, i, now);
}

static struct sbi_ret set_timer(struct fw *fw, struct sbi_call *call)
{
	time_set(fw, call, call->arg[0]);
	return sbi_ok(0);
}

static const struct sbi_func funcs[] = {
	[0] = { CALL(set_timer, SBI_V02), WIDE(0) },
};

const struct sbi_ext sbi_ext_time = {
	.eid = SBI_EID_TIME,
	.n = sizeof(funcs) / sizeof(*funcs),
	.funcs = funcs,
};
