/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * RFENCE: fences on other harts take effect before those harts run on. A range
 * is checked and then fenced as a whole address space, whatever it says. The
 * HFENCE functions are there for harts with the H extension only, which is
 * decided before anything counts (C202).
 */
#include "counters/fw-events.h"
#include "sbi-extension.h"

static const struct fence_events {
	enum fw_event sent, received;
} fence_events[] = {
	[FW_FENCE_I] = { FW_EV_FENCE_I_SENT, FW_EV_FENCE_I_RECEIVED },
	[FW_SFENCE_VMA] = { FW_EV_SFENCE_SENT, FW_EV_SFENCE_RECEIVED },
	[FW_SFENCE_VMA_ASID] = { FW_EV_SFENCE_ASID_SENT,
				 FW_EV_SFENCE_ASID_RECEIVED },
	[FW_HFENCE_GVMA] = { FW_EV_HFENCE_GVMA_SENT,
			     FW_EV_HFENCE_GVMA_RECEIVED },
	[FW_HFENCE_GVMA_VMID] = { FW_EV_HFENCE_GVMA_VMID_SENT,
				  FW_EV_HFENCE_GVMA_VMID_RECEIVED },
	[FW_HFENCE_VVMA] = { FW_EV_HFENCE_VVMA_SENT,
			     FW_EV_HFENCE_VVMA_RECEIVED },
	[FW_HFENCE_VVMA_ASID] = { FW_EV_HFENCE_VVMA_ASID_SENT,
				  FW_EV_HFENCE_VVMA_ASID_RECEIVED },
};

/* What a fence's arguments mean beyond the harts. */
static const struct fence_shape {
	bool hyper; /* needs the H extension */
	bool range; /* a2, a3: start and size */
	uint8_t tag32,
		tag64; /* bits that a4 can have, an ASID or VMID; 0: none */
} shapes[] = {
	[FW_FENCE_I] = { false, false, 0, 0 },
	[FW_SFENCE_VMA] = { false, true, 0, 0 },
	[FW_SFENCE_VMA_ASID] = { false, true, 9, 16 },
	[FW_HFENCE_GVMA] = { true, true, 0, 0 },
	[FW_HFENCE_GVMA_VMID] = { true, true, 7, 14 },
	[FW_HFENCE_VVMA] = { true, true, 0, 0 },
	[FW_HFENCE_VVMA_ASID] = { true, true, 9, 16 },
};

void rfence_refused(struct fw *fw, unsigned from, enum fw_fence_kind kind)
{
	if (fw->cfg.quirks.fence_sent_always)
		fw_event(fw, from, fence_events[kind].sent);
}

static void receive(struct fw *fw, unsigned from, unsigned to,
		    enum fw_fence_kind kind)
{
	if (to != from && fw->cfg.quirks.fence_as_ipi) {
		ipi_signal(fw, from, to);
		/* The sender waits until it is handled. */
		ipi_handled(&fw->hart[to]);
	}
	if (to != from || fw->cfg.quirks.fence_own_received)
		fw_event(fw, to, fence_events[kind].received);
	hsm_wake(&fw->hart[to]);
	fw->machine.ops->fence(fw->machine.host, to, kind);
}

void rfence_send(struct fw *fw, unsigned from, uint64_t targets,
		 enum fw_fence_kind kind)
{
	bool remote = targets & ~(UINT64_C(1) << from);

	if (remote || fw->cfg.quirks.fence_sent_always)
		fw_event(fw, from, fence_events[kind].sent);
	for (; targets; targets &= targets - 1)
		receive(fw, from, (unsigned)__builtin_ctzll(targets), kind);
}

/* Is the H extension on all harts of @set? */
static bool all_hyper(const struct fw *fw, uint64_t set)
{
	for (; set; set &= set - 1)
		if (!fw_has(&fw->hart[__builtin_ctzll(set)], PMU_EXT_H))
			return false;
	return true;
}

/*
 * The address range and the ASID or VMID. Both may be anything for the
 * reference. Size 2^XLEN-1 means all addresses, whatever the start.
 */
static int64_t check_shape(const struct fw *fw, const struct sbi_call *call,
			   const struct fence_shape *shape)
{
	const struct fw_hart *h = &fw->hart[call->hart];
	uint64_t start = call->arg[2], size = call->arg[3];
	unsigned bits = fw_xlen(h) == 32 ? shape->tag32 : shape->tag64;

	if (fw->cfg.quirks.fence_any_range)
		return SBI_SUCCESS;
	if (bits && call->arg[4] >> bits)
		return REFUSE(fw, INVALID_PARAM,
			      "%x has more than the %d bits of an ASID or VMID",
			      call->arg[4], bits);
	if (shape->range && size && size != sbi_xmask(h) &&
	    size - 1 > sbi_xmask(h) - start)
		return REFUSE(fw, INVALID_ADDRESS,
			      "%x bytes from %x on run over the end", size,
			      start);
	return SBI_SUCCESS;
}

/* Hart mask, the targets' extensions, then what the letter leaves open. */
static int64_t check(const struct fw *fw, const struct sbi_call *call,
		     const struct fence_shape *shape, uint64_t *ret_targets)
{
	int64_t err =
		sbi_hart_set(fw, call, call->arg[0], call->arg[1], ret_targets);

	if (!err && shape->hyper && !all_hyper(fw, *ret_targets))
		err = REFUSE(fw, NOT_SUPPORTED,
			     "a hart of the mask %x has no H extension",
			     call->arg[0]);
	return err ? err : check_shape(fw, call, shape);
}

static struct sbi_ret fence(struct fw *fw, struct sbi_call *call)
{
	enum fw_fence_kind kind = (enum fw_fence_kind)call->kind;
	const struct fence_shape *shape = &shapes[kind];
	uint64_t targets;
	int64_t err;

	if (shape->hyper && !fw_has(sbi_caller(fw, call), PMU_EXT_H))
		return sbi_err(REFUSE(fw, NOT_SUPPORTED,
				      "this hart has no H extension"));
	err = check(fw, call, shape, &targets);
	if (!err)
		rfence_send(fw, call->hart, targets, kind);
	else if (err == SBI_ERR_INVALID_PARAM)
		rfence_refused(fw, call->hart, kind);
	return sbi_err(err);
}

static const struct sbi_func funcs[] = {
	[0] = { CALL(fence, SBI_V02), KIND(FW_FENCE_I) },
	[1] = { CALL(fence, SBI_V02), KIND(FW_SFENCE_VMA) },
	[2] = { CALL(fence, SBI_V02), KIND(FW_SFENCE_VMA_ASID) },
	[3] = { CALL(fence, SBI_V02), KIND(FW_HFENCE_GVMA_VMID) },
	[4] = { CALL(fence, SBI_V02), KIND(FW_HFENCE_GVMA) },
	[5] = { CALL(fence, SBI_V02), KIND(FW_HFENCE_VVMA_ASID) },
	[6] = { CALL(fence, SBI_V02), KIND(FW_HFENCE_VVMA) },
};

const struct sbi_ext sbi_ext_rfence = {
	.eid = SBI_EID_RFENCE,
	.n = sizeof(funcs) / sizeof(*funcs),
	.funcs = funcs,
};
