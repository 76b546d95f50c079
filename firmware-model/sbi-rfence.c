/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * RFENCE: fences on other harts take effect before those harts run on. Any
 * address range is accepted and fenced as a whole. Harts have no H extension,
 * so the HFENCE functions are not supported and count nothing (C202).
 */
#include "fw-events.h"
#include "sbi.h"

enum {
	RFENCE_EID = 0x52464e43
};

static const struct fence_events {
	enum fw_event sent, received;
} fence_events[] = {
	[FW_FENCE_I] = { FW_EV_FENCE_I_SENT, FW_EV_FENCE_I_RECEIVED },
	[FW_SFENCE_VMA] = { FW_EV_SFENCE_SENT, FW_EV_SFENCE_RECEIVED },
	[FW_SFENCE_VMA_ASID] = { FW_EV_SFENCE_ASID_SENT,
				 FW_EV_SFENCE_ASID_RECEIVED },
};

void rfence_failed(struct fw *fw, unsigned from, enum fw_fence_kind kind)
{
	if (fw_is_opensbi(fw))
		fw_event(fw, from, fence_events[kind].sent);
}

static void receive(struct fw *fw, unsigned from, unsigned to,
		    enum fw_fence_kind kind)
{
	if (to != from && fw_is_opensbi(fw)) {
		ipi_signal(fw, from, to);
		/* The sender waits until it is handled. */
		fw->hart[to].ipi_pending = false;
	}
	if (to != from || fw_is_opensbi(fw))
		fw_event(fw, to, fence_events[kind].received);
	fw->machine.ops->fence(fw->machine.host, to, kind);
}

void rfence_send(struct fw *fw, unsigned from, uint64_t targets,
		 enum fw_fence_kind kind)
{
	bool remote = targets & ~(UINT64_C(1) << from);

	if (remote || fw_is_opensbi(fw))
		fw_event(fw, from, fence_events[kind].sent);
	for (; targets; targets &= targets - 1)
		receive(fw, from, (unsigned)__builtin_ctzll(targets), kind);
}

static struct sbi_ret fence(struct fw *fw, struct sbi_call *call,
			    enum fw_fence_kind kind)
{
	uint64_t targets;
	int64_t err =
		sbi_hart_set(fw, call, call->arg[0], call->arg[1], &targets);

	if (err) {
		rfence_failed(fw, call->hart, kind);
		return sbi_err(err);
	}
	rfence_send(fw, call->hart, targets, kind);
	return sbi_ok(0);
}

static struct sbi_ret fence_i(struct fw *fw, struct sbi_call *call)
{
	return fence(fw, call, FW_FENCE_I);
}

static struct sbi_ret sfence_vma(struct fw *fw, struct sbi_call *call)
{
	return fence(fw, call, FW_SFENCE_VMA);
}

static struct sbi_ret sfence_vma_asid(struct fw *fw, struct sbi_call *call)
{
	return fence(fw, call, FW_SFENCE_VMA_ASID);
}

static const struct sbi_func funcs[] = {
	{ CALL("RFENCE.remote_fence_i", fence_i, SBI_V02) },
	{ CALL("RFENCE.remote_sfence_vma", sfence_vma, SBI_V02) },
	{ CALL("RFENCE.remote_sfence_vma_asid", sfence_vma_asid, SBI_V02) },
	{ CALL("RFENCE.remote_hfence_gvma_vmid", NULL, SBI_V02) },
	{ CALL("RFENCE.remote_hfence_gvma", NULL, SBI_V02) },
	{ CALL("RFENCE.remote_hfence_vvma_asid", NULL, SBI_V02) },
	{ CALL("RFENCE.remote_hfence_vvma", NULL, SBI_V02) },
};

const struct sbi_ext sbi_ext_rfence = {
	.eid = RFENCE_EID,
	.n = sizeof(funcs) / sizeof(*funcs),
	.funcs = funcs,
};
