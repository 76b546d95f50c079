/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * SRST: which resets exist. What a reset does is the machine's business.
 */
#include "sbi-extension.h"

enum {
	RESET_LAST = 2,	 /* warm reboot */
	REASON_LAST = 1, /* system failure */
};

static struct sbi_ret system_reset(struct fw *fw, struct sbi_call *call)
{
	struct fw_reset reset = {
		.type = (uint32_t)call->arg[0],
		.reason = (uint32_t)call->arg[1],
	};

	if (reset.type > RESET_LAST || reset.reason > REASON_LAST)
		return sbi_err(REFUSE(fw, INVALID_PARAM,
				      "there is no reset type %x for reason %x",
				      reset.type, reset.reason));
	fw->machine.ops->reset(fw->machine.host, &reset);
	call->outcome = FW_GONE;
	return sbi_ok(0);
}

static const struct sbi_func funcs[] = {
	[0] = { CALL(system_reset, SBI_V03) },
};

const struct sbi_ext sbi_ext_srst = {
	.eid = SBI_EID_SRST,
	.n = sizeof(funcs) / sizeof(*funcs),
	.funcs = funcs,
};
