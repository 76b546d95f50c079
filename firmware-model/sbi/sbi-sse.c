/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * SSE: decodes and checks the calls. Event numbers, attribute numbers and
 * counts are 32 bits of their registers, whatever the others hold.
 */
#include "sse/sse-event.h"

#include "sbi-extension.h"

enum {
	ID_GLOBAL = 1 << 15, /* of an event's number */
};

static bool available(const struct fw *fw)
{
	return fw->cfg.sse;
}

/* What read_attrs and write_attrs check but the event. */
static int64_t take_range(const struct fw *fw, const struct sbi_call *call,
			  struct sse_range *ret)
{
	const struct fw_hart *h = &fw->hart[call->hart];
	uint32_t base = (uint32_t)call->arg[1], n = (uint32_t)call->arg[2];
	unsigned size = fw_xlen(h) / 8;

	if (!n)
		return REFUSE(fw, INVALID_PARAM, "no attribute is asked for");
	if (base >= SSE_N_ATTRS || n > SSE_N_ATTRS - base)
		return REFUSE(fw, BAD_RANGE,
			      "%d attributes from %d on are not there", n,
			      base);
	if (!sbi_paddr(fw, h, &call->arg[3], &ret->paddr) ||
	    ret->paddr % size ||
	    !fw->machine.ops->mem_is_ram(fw->machine.host, ret->paddr,
					 (uint64_t)n * size))
		return REFUSE(fw, INVALID_ADDRESS,
			      "%d attributes cannot be at %x: no RAM, or not "
			      "aligned",
			      n, call->arg[3]);
	ret->base = base;
	ret->n = n;
	return SBI_SUCCESS;
}

/* The reference looks at the event last. */
static int64_t take_attrs(const struct fw *fw, const struct sbi_call *call,
			  struct sse_range *ret)
{
	const uint32_t id = (uint32_t)call->arg[0];
	int event = fw->cfg.quirks.sse_event_last
			    ? 0
			    : sse_find(fw, call->hart, id);
	int64_t err = event < 0 ? event : take_range(fw, call, ret);

	if (err)
		return err;
	event = sse_find(fw, call->hart, id);
	if (event < 0)
		return event;
	ret->hart = call->hart;
	ret->event = (enum sse_index)event;
	return SBI_SUCCESS;
}

static struct sbi_ret read_attrs(struct fw *fw, struct sbi_call *call)
{
	struct sse_range range;
	int64_t err = take_attrs(fw, call, &range);

	if (!err)
		sse_read_attrs(fw, &range);
	return sbi_err(err);
}

static struct sbi_ret write_attrs(struct fw *fw, struct sbi_call *call)
{
	struct sse_range range;
	int64_t err = take_attrs(fw, call, &range);

	return sbi_err(err ? err : sse_write_attrs(fw, &range));
}

static struct sbi_ret change(struct fw *fw, struct sbi_call *call,
			     enum sse_op op)
{
	int i = sse_find(fw, call->hart, (uint32_t)call->arg[0]);

	if (i < 0)
		return sbi_err(i);
	return sbi_err(sse_change(fw, call->hart, (enum sse_index)i, op));
}

static struct sbi_ret register_event(struct fw *fw, struct sbi_call *call)
{
	int i = sse_find(fw, call->hart, (uint32_t)call->arg[0]);

	if (i < 0 && !fw->cfg.quirks.sse_handler_first)
		return sbi_err(i);
	if (call->arg[1] % 2)
		return sbi_err(REFUSE(fw, INVALID_PARAM,
				      "a handler cannot be at %x, which is odd",
				      call->arg[1]));
	if (i < 0)
		return sbi_err(i);
	return sbi_err(sse_register(fw, call->hart, (enum sse_index)i,
				    call->arg[1], call->arg[2]));
}

static struct sbi_ret unregister(struct fw *fw, struct sbi_call *call)
{
	return change(fw, call, SSE_UNREGISTER);
}

/* The reference sends another hart, and so wakes it, what that is to look at.
 */
static void tell(struct fw *fw, unsigned from, unsigned to)
{
	if (to == from || !fw->cfg.quirks.sse_by_ipi)
		return;
	ipi_signal(fw, from, to);
	hsm_wake(&fw->hart[to]);
	fw->machine.ops->ipi_sent(fw->machine.host, to);
}

static struct sbi_ret enable(struct fw *fw, struct sbi_call *call)
{
	struct sbi_ret ret = change(fw, call, SSE_ENABLE);
	int i = sse_find(fw, call->hart, (uint32_t)call->arg[0]);

	if (!ret.error && sse_is_global((enum sse_index)i) &&
	    sse_is_pending(fw, call->hart, (enum sse_index)i))
		tell(fw, call->hart,
		     sse_preferred(fw, call->hart, (enum sse_index)i));
	return ret;
}

static struct sbi_ret disable(struct fw *fw, struct sbi_call *call)
{
	return change(fw, call, SSE_DISABLE);
}

/* An instrument's call has no registers that could be given back. */
static struct sbi_ret complete(struct fw *fw, struct sbi_call *call)
{
	if (sse_running(fw, call->hart) < 0)
		return sbi_ok(0);
	if (!call->regs)
		return sbi_err(REFUSE(fw, FAILED,
				      "an instrument has no registers that "
				      "could be given back"));
	sse_complete(fw, call);
	call->resumed = true;
	return sbi_ok(0);
}

/* The hart of an event to inject, as an index; -1: it cannot be reached. */
static int target(const struct fw *fw, const struct sbi_call *call)
{
	unsigned hart;

	if (!sbi_hart_by_id(fw, call->arg[1], &hart) ||
	    hsm_state(&fw->hart[hart]) == HSM_STOPPED)
		return -1;
	return (int)hart;
}

static struct sbi_ret inject(struct fw *fw, struct sbi_call *call)
{
	const struct fw_quirks *quirks = &fw->cfg.quirks;
	uint32_t id = (uint32_t)call->arg[0];
	int hart = (int)call->hart, i = sse_find(fw, call->hart, id);
	unsigned named;
	int64_t err;

	if (quirks->sse_looks_at_hart &&
	    !sbi_hart_by_id(fw, call->arg[1], &named))
		return sbi_err(REFUSE(fw, INVALID_PARAM, "hart %d is not there",
				      call->arg[1]));
	/* Whether it is supported is the target's affair, if it has one. */
	if (i == SBI_ERR_INVALID_PARAM || (i < 0 && quirks->sse_stopped_failed))
		return sbi_err(i);
	if (!(id & ID_GLOBAL))
		hart = target(fw, call);
	if (hart < 0 && quirks->sse_stopped_failed &&
	    sbi_hart_by_id(fw, call->arg[1], &named))
		return sbi_err(
			REFUSE(fw, FAILED, "hart %d is stopped", call->arg[1]));
	if (hart < 0)
		return sbi_err(REFUSE(fw, INVALID_PARAM,
				      "hart %d is not there, or stopped",
				      call->arg[1]));
	i = sse_find(fw, (unsigned)hart, id);
	if (i < 0)
		return sbi_err(i);
	if (!sse_may_inject(fw, (enum sse_index)i))
		return sbi_err(
			REFUSE(fw, FAILED, "overflows cannot be injected"));
	if (id & ID_GLOBAL && quirks->sse_preferred_only &&
	    hsm_state(&fw->hart[sse_preferred(
		    fw, (unsigned)hart, (enum sse_index)i)]) == HSM_STOPPED)
		return sbi_err(REFUSE(fw, FAILED,
				      "the event's preferred hart is stopped"));
	err = sse_signal(fw,
			 &(struct sse_injection){ .from = call->hart,
						  .to = call->arg[1],
						  .hart = (unsigned)hart,
						  .event = (enum sse_index)i });
	if (!err)
		tell(fw, call->hart,
		     sse_preferred(fw, (unsigned)hart, (enum sse_index)i));
	return sbi_err(err);
}

static struct sbi_ret hart_unmask(struct fw *fw, struct sbi_call *call)
{
	if (sse_is_unmasked(sbi_caller(fw, call)))
		return sbi_err(REFUSE(fw, ALREADY_STARTED,
				      "the hart's events are not masked"));
	sse_set_unmasked(fw, call->hart, true);
	return sbi_ok(0);
}

static struct sbi_ret hart_mask(struct fw *fw, struct sbi_call *call)
{
	if (!sse_is_unmasked(sbi_caller(fw, call)))
		return sbi_err(REFUSE(fw, ALREADY_STOPPED,
				      "the hart's events are masked already"));
	sse_set_unmasked(fw, call->hart, false);
	return sbi_ok(0);
}

static const struct sbi_func funcs[] = {
	[0] = { CALL(read_attrs, SBI_V3) },
	[1] = { CALL(write_attrs, SBI_V3) },
	[2] = { CALL(register_event, SBI_V3) },
	[3] = { CALL(unregister, SBI_V3) },
	[4] = { CALL(enable, SBI_V3) },
	[5] = { CALL(disable, SBI_V3) },
	[6] = { CALL(complete, SBI_V3) },
	[7] = { CALL(inject, SBI_V3) },
	[8] = { CALL(hart_unmask, SBI_V3) },
	[9] = { CALL(hart_mask, SBI_V3) },
};

const struct sbi_ext sbi_ext_sse = {
	.eid = SBI_EID_SSE,
	.n = sizeof(funcs) / sizeof(*funcs),
	.funcs = funcs,
	.available = available,
};
