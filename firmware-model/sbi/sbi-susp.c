/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * SUSP: the whole machine sleeps when its last hart does. It wakes as from a
 * non-retentive hart_suspend, and keeps what that keeps (C197).
 */
#include "sbi-extension.h"

enum {
	SUSPEND_TO_RAM = 0, /* the platform has no sleep types of its own */
};

/* Are all harts but the caller STOPPED? */
static bool alone(const struct fw *fw, unsigned caller)
{
	for (unsigned i = 0; i < fw->n_harts; i++)
		if (i != caller && hsm_state(&fw->hart[i]) != HSM_STOPPED)
			return false;
	return true;
}

/* The order is the reference's: what is asked for, whether now, where to. */
static struct sbi_ret system_suspend(struct fw *fw, struct sbi_call *call)
{
	const struct fw_hart *h = sbi_caller(fw, call);

	if ((uint32_t)call->arg[0] != SUSPEND_TO_RAM)
		return sbi_err(REFUSE(fw, INVALID_PARAM,
				      "there is no sleep type %x",
				      (uint32_t)call->arg[0]));
	if (!alone(fw, call->hart))
		return sbi_err(
			REFUSE(fw, DENIED, "another hart is not stopped"));
	if (!hsm_startable(fw, h, call->arg[1]))
		return sbi_err(REFUSE(
			fw, INVALID_ADDRESS,
			"no hart can resume at %x: no RAM, or not aligned",
			call->arg[1]));
	return hsm_suspend(fw, call, false);
}

static const struct sbi_func funcs[] = {
	[0] = { CALL(system_suspend, SBI_V2) },
};

const struct sbi_ext sbi_ext_susp = {
	.eid = SBI_EID_SUSP,
	.n = sizeof(funcs) / sizeof(*funcs),
	.funcs = funcs,
};
