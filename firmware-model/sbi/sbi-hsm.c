/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * HSM: starts, stops and suspends harts. A start is a reset followed by the
 * firmware's boot, so nothing of an earlier life is left (C197); a suspend of
 * either kind keeps everything but satp and sstatus.SIE of the non-retentive.
 */
#include <pmu/csr-field.h>
#include <pmu/csr.h>

#include "sse/sse-event.h"
#include "sbi-extension.h"

enum {
	SUSPEND_RETENTIVE = 0,
};
#define SUSPEND_NON_RETENTIVE UINT32_C(0x80000000)
/* A platform's own types, of either kind, begin here. */
#define SUSPEND_PLATFORM      UINT32_C(0x10000000)

bool hsm_startable(const struct fw *fw, const struct fw_hart *h, uint64_t pc)
{
	uint64_t align = fw_has(h, PMU_EXT_C) ? 2 : 4;

	return pc % align == 0 &&
	       fw->machine.ops->mem_is_ram(fw->machine.host, pc, align);
}

/* Why @h, which is not stopped, cannot be started. */
static int64_t refuse_start(const struct fw *fw, const struct fw_hart *h)
{
	uint64_t id = fw_hartid(h);

	if (hsm_state(h) == HSM_SUSPENDED && fw->cfg.quirks.start_stopped_only)
		return REFUSE(fw, INVALID_PARAM,
			      "hart %d is suspended, not stopped", id);
	return REFUSE(fw, ALREADY_AVAILABLE, "hart %d is not stopped", id);
}

static struct sbi_ret start_hart(struct fw *fw, struct sbi_call *call)
{
	struct fw_hart *h;
	unsigned index;

	if (!sbi_hart_by_id(fw, call->arg[0], &index))
		return sbi_err(REFUSE(fw, INVALID_PARAM, "there is no hart %d",
				      call->arg[0]));
	h = &fw->hart[index];
	if (!hsm_startable(fw, h, call->arg[1]))
		return sbi_err(REFUSE(
			fw, INVALID_ADDRESS,
			"hart %d cannot begin at %x: no RAM, or not aligned",
			call->arg[0], call->arg[1]));
	if (hsm_state(h) != HSM_STOPPED)
		return sbi_err(refuse_start(fw, h));
	pmu_hart_reset(h->pmu);
	fw_hart_boot(fw, index);
	fw->machine.ops->hart_start(fw->machine.host, index, call->arg[1],
				    call->arg[2]);
	return sbi_ok(0);
}

static struct sbi_ret stop_hart(struct fw *fw, struct sbi_call *call)
{
	struct fw_hart *h = sbi_caller(fw, call);

	h->sbi->hsm.state = HSM_STOPPED;
	sse_hart_stops(fw, call->hart);
	sbi_hart_forget(h);
	pmu_hart_set_mode(h->pmu, PMU_MODE_M);
	fw->machine.ops->timer_changed(fw->machine.host, call->hart);
	fw->machine.ops->hart_stop(fw->machine.host, call->hart);
	call->outcome = FW_GONE;
	return sbi_ok(0);
}

static struct sbi_ret hart_status(struct fw *fw, struct sbi_call *call)
{
	unsigned index;

	if (!sbi_hart_by_id(fw, call->arg[0], &index))
		return sbi_err(REFUSE(fw, INVALID_PARAM, "there is no hart %d",
				      call->arg[0]));
	return sbi_ok(hsm_state(&fw->hart[index]));
}

/* What S-mode finds when it comes back at its resume address. */
static void drop_context(struct fw_hart *h, uint64_t now)
{
	unsigned effects = 0;
	uint64_t sstatus = 0;

	pmu_csr_peek(h->pmu, PMU_CSR_SSTATUS, now, &sstatus);
	pmu_csr_poke(h->pmu, PMU_CSR_SSTATUS, now, sstatus & ~PMU_MSTATUS_SIE,
		     &effects);
	pmu_csr_poke(h->pmu, PMU_CSR_SATP, now, 0, &effects);
}

struct sbi_ret hsm_suspend(struct fw *fw, struct sbi_call *call, bool retentive)
{
	struct fw_hart *h = sbi_caller(fw, call);

	if (hsm_state(h) != HSM_STARTED)
		return sbi_err(
			REFUSE(fw, FAILED,
			       "a hart that does not run cannot be suspended"));
	h->sbi->hsm.state = HSM_SUSPENDED;
	h->sbi->hsm.resume_mode =
		retentive ? pmu_hart_mode(h->pmu) : PMU_MODE_S;
	if (!retentive)
		drop_context(h, call->now);
	pmu_hart_set_mode(h->pmu, PMU_MODE_M);
	fw->machine.ops->hart_suspend(fw->machine.host, call->hart, retentive,
				      call->arg[1], call->arg[2]);
	if (!retentive)
		call->outcome = FW_GONE;
	return sbi_ok(0);
}

/* No platform has types of its own here; the reference knows what they are. */
static int64_t refuse_type(const struct fw *fw, uint32_t type)
{
	bool platform = (type & ~SUSPEND_NON_RETENTIVE) >= SUSPEND_PLATFORM;

	return sbi_refuse(
		fw,
		platform && fw->cfg.quirks.suspend_types_known
			? SBI_ERR_NOT_SUPPORTED
			: SBI_ERR_INVALID_PARAM,
		(struct fw_refusal){ "there is no suspend type %x", type });
}

static struct sbi_ret hart_suspend(struct fw *fw, struct sbi_call *call)
{
	uint32_t type = (uint32_t)call->arg[0];
	bool retentive = type == SUSPEND_RETENTIVE;

	if (!retentive && type != SUSPEND_NON_RETENTIVE)
		return sbi_err(refuse_type(fw, type));
	if (!retentive &&
	    !hsm_startable(fw, sbi_caller(fw, call), call->arg[1]))
		return sbi_err(REFUSE(
			fw, INVALID_ADDRESS,
			"no hart can resume at %x: no RAM, or not aligned",
			call->arg[1]));
	return hsm_suspend(fw, call, retentive);
}

void hsm_wake(struct fw_hart *h)
{
	h->sbi->hsm.woken = hsm_state(h) == HSM_SUSPENDED;
}

bool fw_hart_woken(const struct fw *fw, unsigned hart)
{
	return hart < fw->n_harts && fw->hart[hart].sbi->hsm.woken;
}

void fw_hart_resumed(struct fw *fw, unsigned hart)
{
	struct fw_hart *h;

	if (hart >= fw->n_harts || hsm_state(&fw->hart[hart]) != HSM_SUSPENDED)
		return;
	h = &fw->hart[hart];
	h->sbi->hsm.state = HSM_STARTED;
	h->sbi->hsm.woken = false;
	pmu_hart_set_mode(h->pmu, h->sbi->hsm.resume_mode);
}

static const struct sbi_func funcs[] = {
	[0] = { CALL(start_hart, SBI_V02) },
	[1] = { CALL(stop_hart, SBI_V02) },
	[2] = { CALL(hart_status, SBI_V02) },
	[3] = { CALL(hart_suspend, SBI_V03) },
};

const struct sbi_ext sbi_ext_hsm = {
	.eid = SBI_EID_HSM,
	.n = sizeof(funcs) / sizeof(*funcs),
	.funcs = funcs,
};
