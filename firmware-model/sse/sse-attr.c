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

/* A write of one attribute. */
struct write {
	const struct sse_range *range;
	unsigned id;
	uint64_t value;
};

static int64_t check_access(struct fw *fw, const struct write *w)
{
	const struct rule *rule = &rules[w->id];

	if (rule->when == NEVER ||
	    (rule->global_only && !sse_is_global(w->range->event)))
		return REFUSE(fw, DENIED, "attribute %d cannot be written",
			      w->id);
	return SBI_SUCCESS;
}

static int64_t check_state(struct fw *fw, const struct write *w)
{
	const struct sse_event *e = sse_at(fw, w->range->hart, w->range->event);
	enum attr_when when = rules[w->id].when;

	/* Who looks at the state first has not denied it yet. */
	if (when != NEVER && !state_allows(e, when, w->range->hart))
		return REFUSE(fw, INVALID_STATE,
			      "attribute %d cannot be written in state %d of "
			      "the event",
			      w->id, e->state);
	return SBI_SUCCESS;
}

static int64_t check_value(struct fw *fw, const struct write *w)
{
	const struct rule *rule = &rules[w->id];

	if (w->value & ~rule->legal ||
	    (rule->hart && !hart_allowed(fw, w->value)))
		return REFUSE(fw, INVALID_PARAM, "attribute %d cannot be %x",
			      w->id, w->value);
	return SBI_SUCCESS;
}

enum {
	N_CHECKS = 3
};
typedef int64_t check_fn(struct fw *fw, const struct write *w);

/* The order in which an attribute is looked at. */
static check_fn *const *order_of(const struct fw *fw, unsigned id)
{
	static check_fn *const ours[N_CHECKS] = { check_access, check_state,
						  check_value };
	static check_fn *const reference[N_CHECKS] = { check_state,
						       check_access,
						       check_value };
	static check_fn *const flags[N_CHECKS] = { check_access, check_value,
						   check_state };

	if (!fw->cfg.quirks.sse_attr_order)
		return ours;
	return id == SSE_FLAGS ? flags : reference;
}

static int64_t check(struct fw *fw, const struct write *w)
{
	check_fn *const *order = order_of(fw, w->id);
	int64_t err = SBI_SUCCESS;

	for (unsigned i = 0; i < N_CHECKS && !err; i++)
		err = order[i](fw, w);
	return err;
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
		const struct write w = { r, r->base + i,
					 load(buf + i * size, size) };

		err = check(fw, &w);
		if (err)
			return err;
	}
	for (unsigned i = 0; i < r->n; i++)
		e->attr[r->base + i] = load(buf + i * size, size);
	return SBI_SUCCESS;
}
