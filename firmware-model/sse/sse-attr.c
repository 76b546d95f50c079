/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The attributes of software events: which may be written, when and with what.
 */
#include "sbi/sbi-call.h"
#include "sse-hart.h"

enum {
	MAX_BYTES = SSE_N_ATTRS * 8,
	FLAGS_DEFINED = 0x3f,
};

enum attr_when {
	NEVER,
	IDLE,	 /* UNUSED or REGISTERED */
	HANDLED, /* RUNNING, by the hart that runs it */
};

static const struct rule {
	enum attr_when when;
	uint64_t legal;	  /* bits of a value */
	bool global_only; /* read-only for local events */
	bool hart;	  /* a hart's id */
} rules[SSE_N_ATTRS] = {
	[SSE_STATUS] = { NEVER, 0, false, false },
	[SSE_PRIORITY] = { IDLE, UINT32_MAX, false, false },
	[SSE_CONFIG] = { IDLE, SSE_CONFIG_ONESHOT, false, false },
	[SSE_PREFERRED_HART] = { IDLE, UINT64_MAX, true, true },
	[SSE_ENTRY_PC] = { NEVER, 0, false, false },
	[SSE_ENTRY_ARG] = { NEVER, 0, false, false },
	[SSE_SEPC] = { HANDLED, UINT64_MAX, false, false },
	[SSE_FLAGS] = { HANDLED, FLAGS_DEFINED, false, false },
	[SSE_A6] = { HANDLED, UINT64_MAX, false, false },
	[SSE_A7] = { HANDLED, UINT64_MAX, false, false },
};

static unsigned size_of(const struct fw *fw, unsigned hart)
{
	return fw_xlen(&fw->hart[hart]) / 8;
}

static void store(uint8_t *to, uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		to[i] = (uint8_t)(value >> 8 * i);
}

static uint64_t load(const uint8_t *from, unsigned size)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < size; i++)
		value |= (uint64_t)from[i] << 8 * i;
	return value;
}

void sse_read_attrs(struct fw *fw, const struct sse_range *r)
{
	const struct sse_event *e = sse_at(fw, r->hart, r->event);
	unsigned size = size_of(fw, r->hart);
	uint8_t buf[MAX_BYTES];

	for (unsigned i = 0; i < r->n; i++) {
		uint64_t value = e->attr[r->base + i];

		if (r->base + i == SSE_STATUS)
			value = sse_status(fw, r->hart, r->event);
		store(buf + i * size, value, size);
	}
	fw->machine.ops->mem_write(fw->machine.host, r->paddr, buf,
				   r->n * size);
}

static bool state_allows(const struct sse_event *e, enum attr_when when,
			 unsigned hart)
{
	if (when == IDLE)
		return e->state <= SSE_REGISTERED;
	return e->state == SSE_RUNNING && e->hart == hart;
}

/* The reference wants a hart that is started, too. */
static bool hart_allowed(const struct fw *fw, uint64_t id)
{
	unsigned i;

	if (!sbi_hart_by_id(fw, id, &i))
		return false;
	return hsm_state(&fw->hart[i]) == HSM_STARTED ||
	       !fw->cfg.quirks.sse_started_only;
}

/* Access, then state, then value. */
static int64_t check(struct fw *fw, const struct sse_range *r, unsigned id,
		     uint64_t value)
{
	const struct sse_event *e = sse_at(fw, r->hart, r->event);
	const struct rule *rule = &rules[id];

	if (rule->when == NEVER ||
	    (rule->global_only && !sse_is_global(r->event)))
		return REFUSE(fw, DENIED, "attribute %d cannot be written", id);
	if (!state_allows(e, rule->when, r->hart))
		return REFUSE(fw, INVALID_STATE,
			      "attribute %d cannot be written in state %d of "
			      "the event",
			      id, e->state);
	if (value & ~rule->legal || (rule->hart && !hart_allowed(fw, value)))
		return REFUSE(fw, INVALID_PARAM, "attribute %d cannot be %x",
			      id, value);
	return SBI_SUCCESS;
}

int64_t sse_write_attrs(struct fw *fw, const struct sse_range *r)
{
	struct sse_event *e = sse_at(fw, r->hart, r->event);
	unsigned size = size_of(fw, r->hart);
	uint8_t buf[MAX_BYTES];
	int64_t err;

	if (!fw->machine.ops->mem_read(fw->machine.host, r->paddr, buf,
				       r->n * size))
		return REFUSE(fw, INVALID_ADDRESS,
			      "attributes at %x cannot be read", r->paddr);
	for (unsigned i = 0; i < r->n; i++) {
		err = check(fw, r, r->base + i, load(buf + i * size, size));
		if (err)
			return err;
	}
	for (unsigned i = 0; i < r->n; i++)
		e->attr[r->base + i] = load(buf + i * size, size);
	return SBI_SUCCESS;
}
