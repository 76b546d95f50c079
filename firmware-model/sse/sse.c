/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Supervisor software events: the state machine, what is pending, who gets it.
 * How one is delivered and left again is sse-run.c's.
 */
#include "sse-event.h"

#include <stdlib.h>
#include <string.h>

#include <pmu/csr.h>

#include "sbi/sbi-call.h"
#include "sse-hart.h"

enum {
	STATUS_PENDING = 1 << 2,
	STATUS_INJECT = 1 << 3,
	NOBODY = -1,
};
#define LCOFI (UINT64_C(1) << PMU_IRQ_LCOFI)

#define GO(next)                                                               \
	{                                                                      \
		true, SSE_##next                                               \
	}

/* What is not here is refused. */
static const struct edge {
	bool allowed;
	enum sse_state next;
} edges[SSE_N_STATES][SSE_N_OPS] = {
	[SSE_UNUSED] = { [SSE_REGISTER] = GO(REGISTERED) },
	[SSE_REGISTERED] = { [SSE_UNREGISTER] = GO(UNUSED),
			     [SSE_ENABLE] = GO(ENABLED) },
	[SSE_ENABLED] = { [SSE_DISABLE] = GO(REGISTERED),
			  [SSE_RUN] = GO(RUNNING) },
	[SSE_RUNNING] = { [SSE_COMPLETE] = GO(ENABLED),
			  [SSE_COMPLETE_ONCE] = GO(REGISTERED) },
};

/* Where @op leads from @state; false: it is refused (INVALID_STATE). */
static bool take_edge(enum sse_state state, enum sse_op op,
		      enum sse_state *ret_next)
{
	const struct edge *e = &edges[state][op];

	if (e->allowed)
		*ret_next = e->next;
	return e->allowed;
}

/*
 * The standard events. Those that nothing here signals exist and are not
 * supported; every other number is reserved, or a platform's that has none.
 */
static const struct source {
	uint32_t id;
	int index; /* NOBODY: nothing signals it */
	uint64_t needs;
} sources[] = {
	{ 0xffff0000, SSE_LOCAL, 0 },
	{ 0xffff8000, SSE_GLOBAL, 0 },
	{ 0x00010000, SSE_PMU, PMU_EXT_SSCOFPMF },
	{ 0x00000000, NOBODY, 0 }, /* local RAS, high priority */
	{ 0x00000001, NOBODY, 0 }, /* double trap: Ssdbltrp */
	{ 0x00008000, NOBODY, 0 }, /* global RAS, high priority */
	{ 0x00100000, NOBODY, 0 }, /* local RAS, low priority */
	{ 0x00108000, NOBODY, 0 }, /* global RAS, low priority */
};
enum {
	N_SOURCES = sizeof(sources) / sizeof(*sources)
};

int sse_find(const struct fw *fw, unsigned hart, uint32_t id)
{
	for (size_t i = 0; i < N_SOURCES; i++) {
		const struct source *s = &sources[i];

		if (sources[i].id != id)
			continue;
		if (s->index == NOBODY || !fw_has(&fw->hart[hart], s->needs))
			return (int)REFUSE(
				fw, NOT_SUPPORTED,
				"nothing signals software event %x here", id);
		return s->index;
	}
	return (int)REFUSE(fw, INVALID_PARAM, "there is no software event %x",
			   id);
}

uint32_t sse_id(enum sse_index i)
{
	for (size_t k = 0; k < N_SOURCES; k++)
		if (sources[k].index == (int)i)
			return sources[k].id;
	return 0;
}

bool sse_is_global(enum sse_index i)
{
	return i >= SSE_N_LOCAL;
}

/* An overflow that never was shows no OF (C145); the reference allows it. */
bool sse_may_inject(const struct fw *fw, enum sse_index i)
{
	return i != SSE_PMU || fw->cfg.quirks.sse_injects_overflow;
}

static const struct sse_event *at(const struct fw *fw, unsigned hart,
				  enum sse_index i)
{
	return sse_is_global(i) ? &fw->sse->global[i - SSE_N_LOCAL]
				: &fw->hart[hart].sse->event[i];
}

struct sse_event *sse_at(struct fw *fw, unsigned hart, enum sse_index i)
{
	return (struct sse_event *)at(fw, hart, i);
}

/* LCOFI */

/* Is LCOFIP of @h the request of its event of overflows? */
static bool is_request(const struct fw_hart *h)
{
	return h->sse->owns_lcofi &&
	       h->sse->event[SSE_PMU].state >= SSE_ENABLED;
}

static bool lcofip(const struct fw_hart *h)
{
	return pmu_irq_pending(h->pmu, 0) & LCOFI;
}

static void set_csr(struct fw_hart *h, uint16_t csr, bool on)
{
	unsigned effects = 0;
	uint64_t value = 0;

	pmu_csr_peek(h->pmu, csr, 0, &value);
	pmu_csr_poke(h->pmu, csr, 0, on ? value | LCOFI : value & ~LCOFI,
		     &effects);
}

/*
 * LCOFI changes hands. Its enable is off afterwards, for sie.13 and mie.13 are
 * one bit (C174). A request that stands is not lost.
 */
static void hand_over(struct fw_hart *h, bool ours)
{
	if (h->sse->owns_lcofi == ours)
		return;
	h->sse->owns_lcofi = ours;
	set_csr(h, PMU_CSR_MIE, false);
	set_csr(h, PMU_CSR_MIDELEG, !ours);
}

/*
 * LCOFIP is cleared. What the event of overflows waits for (@kept) the
 * reference has noted when the interrupt came.
 */
static void take_lcofip(struct fw_hart *h, bool kept)
{
	h->sse->event[SSE_PMU].signalled |=
		kept && h->sse->owns_lcofi && lcofip(h);
	pmu_irq_soft(h->pmu, PMU_IRQ_LCOFI, false);
}

/* What @op did to the event of overflows, once @enabled, it does to LCOFI. */
static void follow(const struct fw *fw, struct fw_hart *h, enum sse_op op,
		   bool enabled)
{
	bool enabled_now = h->sse->event[SSE_PMU].state >= SSE_ENABLED;

	if (op == SSE_RUN && !fw->cfg.quirks.sse_until_stop)
		pmu_irq_soft(h->pmu, PMU_IRQ_LCOFI, false);
	if (enabled && !enabled_now && fw->cfg.quirks.sse_disable_clears)
		take_lcofip(h, op == SSE_DISABLE);
	if (!fw->cfg.quirks.sse_owns_registered)
		hand_over(h, enabled_now);
	else if (op == SSE_REGISTER || op == SSE_UNREGISTER)
		hand_over(h, op == SSE_REGISTER);
}

/* Events */

bool sse_is_pending(const struct fw *fw, unsigned hart, enum sse_index i)
{
	const struct sse_event *e = at(fw, hart, i);

	if (e->signalled)
		return true;
	if (i != SSE_PMU || !is_request(&fw->hart[hart]) ||
	    !lcofip(&fw->hart[hart]))
		return false;
	/* The reference leaves LCOFIP to the handler's stop. */
	return e->state != SSE_RUNNING || !fw->cfg.quirks.sse_until_stop;
}

uint64_t sse_status(const struct fw *fw, unsigned hart, enum sse_index i)
{
	return (uint64_t)at(fw, hart, i)->state |
	       (sse_is_pending(fw, hart, i) ? STATUS_PENDING : 0) |
	       (sse_may_inject(fw, i) ? STATUS_INJECT : 0);
}

static bool ready(const struct fw_hart *h)
{
	return hsm_state(h) != HSM_STOPPED && h->sse->unmasked;
}

/*
 * Does the global event @e go to @hart? The preferred one is waited for unless
 * it is stopped (C205); with the reference nobody else is asked.
 */
static bool goes_to(const struct fw *fw, const struct sse_event *e,
		    unsigned hart)
{
	int first = NOBODY;

	for (unsigned i = 0; i < fw->n_harts; i++) {
		if (hsm_state(&fw->hart[i]) == HSM_STOPPED)
			continue;
		if (fw_hartid(&fw->hart[i]) == e->attr[SSE_PREFERRED_HART])
			return i == hart;
		if (first == NOBODY && fw->hart[i].sse->unmasked)
			first = (int)i;
	}
	return first == (int)hart && !fw->cfg.quirks.sse_preferred_only;
}

unsigned sse_preferred(const struct fw *fw, unsigned hart, enum sse_index i)
{
	unsigned n = 0;

	sbi_hart_by_id(fw, at(fw, hart, i)->attr[SSE_PREFERRED_HART], &n);
	return n;
}

/* Is @a before @b? Numbers decide between equals. */
static bool before(const struct fw *fw, unsigned hart, int a, int b)
{
	uint64_t pa = at(fw, hart, (enum sse_index)a)->attr[SSE_PRIORITY];
	uint64_t pb = at(fw, hart, (enum sse_index)b)->attr[SSE_PRIORITY];

	if (pa != pb)
		return pa < pb;
	return sse_id((enum sse_index)a) < sse_id((enum sse_index)b);
}

int sse_running(const struct fw *fw, unsigned hart)
{
	int best = NOBODY;

	for (int i = 0; i < SSE_N_EVENTS; i++) {
		const struct sse_event *e = at(fw, hart, (enum sse_index)i);

		if (e->state == SSE_RUNNING && e->hart == hart &&
		    (best == NOBODY || before(fw, hart, i, best)))
			best = i;
	}
	return best;
}

static bool wanted(const struct fw *fw, unsigned hart, enum sse_index i)
{
	const struct sse_event *e = at(fw, hart, i);

	return e->state == SSE_ENABLED && sse_is_pending(fw, hart, i) &&
	       (!sse_is_global(i) || goes_to(fw, e, hart));
}

int sse_due(const struct fw *fw, unsigned hart)
{
	int best = NOBODY, running;

	if (!ready(&fw->hart[hart]))
		return NOBODY;
	for (int i = 0; i < SSE_N_EVENTS; i++)
		if (wanted(fw, hart, (enum sse_index)i) &&
		    (best == NOBODY || before(fw, hart, i, best)))
			best = i;
	if (best == NOBODY)
		return NOBODY;
	running = sse_running(fw, hart);
	return running == NOBODY || before(fw, hart, best, running) ? best
								    : NOBODY;
}

bool sse_by_lcofi(const struct fw *fw, unsigned hart, int due)
{
	return due == SSE_PMU && !fw->hart[hart].sse->event[SSE_PMU].signalled;
}

/* The firmware takes LCOFI only when it can deliver the event at once. */
static void update_enable(struct fw *fw, unsigned hart)
{
	struct fw_hart *h = &fw->hart[hart];
	int running = sse_running(fw, hart);

	if (h->sse->owns_lcofi)
		set_csr(h, PMU_CSR_MIE,
			h->sse->event[SSE_PMU].state == SSE_ENABLED &&
				h->sse->unmasked &&
				(running == NOBODY ||
				 before(fw, hart, SSE_PMU, running)));
}

/* Why an operation is refused in a state. */
static const char *const state_texts[SSE_N_STATES] = {
	[SSE_UNUSED] = "software event %x is not registered",
	[SSE_REGISTERED] = "software event %x is registered, not enabled",
	[SSE_ENABLED] = "software event %x is enabled",
	[SSE_RUNNING] = "software event %x is running",
};

int64_t sse_change(struct fw *fw, unsigned hart, enum sse_index i,
		   enum sse_op op)
{
	struct sse_event *e = sse_at(fw, hart, i);
	struct fw_hart *h = &fw->hart[hart];
	bool enabled = e->state >= SSE_ENABLED;

	if (!take_edge(e->state, op, &e->state))
		return REFUSE(fw, INVALID_STATE, state_texts[e->state],
			      sse_id(i));
	if (op == SSE_RUN) {
		e->hart = hart;
		e->signalled = false;
	}
	if (i == SSE_PMU)
		follow(fw, h, op, enabled);
	update_enable(fw, hart);
	return SBI_SUCCESS;
}

int64_t sse_register(struct fw *fw, unsigned hart, enum sse_index i,
		     uint64_t pc, uint64_t arg)
{
	struct sse_event *e = sse_at(fw, hart, i);
	int64_t err = sse_change(fw, hart, i, SSE_REGISTER);

	if (err)
		return err;
	e->attr[SSE_ENTRY_PC] = pc;
	e->attr[SSE_ENTRY_ARG] = arg;
	return SBI_SUCCESS;
}

/*
 * The reference signals nothing that is not enabled, and says so if it would
 * have been signalled here.
 */
int64_t sse_signal(struct fw *fw, const struct sse_injection *call)
{
	struct sse_event *e = sse_at(fw, call->hart, call->event);
	uint64_t to = sse_is_global(call->event) ? e->attr[SSE_PREFERRED_HART]
						 : call->to;
	bool here = to == fw_hartid(&fw->hart[call->from]);

	if (!fw->cfg.quirks.sse_signals_enabled || e->state >= SSE_ENABLED) {
		e->signalled = true;
		return SBI_SUCCESS;
	}
	return here ? REFUSE(fw, INVALID_STATE,
			     "software event %x is not enabled",
			     sse_id(call->event))
		    : SBI_SUCCESS;
}

bool sse_is_unmasked(const struct fw_hart *h)
{
	return h->sse->unmasked;
}

void sse_set_unmasked(struct fw *fw, unsigned hart, bool unmasked)
{
	fw->hart[hart].sse->unmasked = unmasked;
	update_enable(fw, hart);
}

void sse_counters_stopped(const struct fw *fw, struct fw_hart *h,
			  uint64_t counters)
{
	enum sse_state state = h->sse->event[SSE_PMU].state;

	if (!h->sse->owns_lcofi)
		return;
	if (fw->cfg.quirks.sse_stop_always)
		take_lcofip(h, state == SSE_ENABLED);
	else if (state == SSE_RUNNING)
		pmu_lcofi_withdraw(h->pmu, (uint32_t)counters);
}

/* The events of a hart, and that it is masked, as at first. */
static void begin(struct fw_hart *h)
{
	h->sse->unmasked = false;
	memset(h->sse->event, 0, sizeof(h->sse->event));
	for (int i = 0; i < SSE_N_LOCAL; i++)
		h->sse->event[i].attr[SSE_PREFERRED_HART] = fw_hartid(h);
}

static void complete_global(struct fw *fw, unsigned hart)
{
	for (int i = SSE_N_LOCAL; i < SSE_N_EVENTS; i++) {
		const struct sse_event *e = at(fw, hart, (enum sse_index)i);
		bool once = e->attr[SSE_CONFIG] & SSE_CONFIG_ONESHOT;

		if (e->state == SSE_RUNNING && e->hart == hart)
			sse_change(fw, hart, (enum sse_index)i,
				   once ? SSE_COMPLETE_ONCE : SSE_COMPLETE);
	}
}

/* The rest stays as it is, what waits for the hart to be unmasked included. */
static void drop_enabled(struct fw *fw, unsigned hart)
{
	for (int i = 0; i < SSE_N_EVENTS; i++) {
		struct sse_event *e = sse_at(fw, hart, (enum sse_index)i);

		if (e->state >= SSE_ENABLED &&
		    e->attr[SSE_PREFERRED_HART] == fw_hartid(&fw->hart[hart]))
			e->state = SSE_UNUSED;
	}
}

void sse_hart_stops(struct fw *fw, unsigned hart)
{
	struct fw_hart *h = &fw->hart[hart];

	if (fw->cfg.quirks.sse_survives_stop) {
		take_lcofip(h, h->sse->event[SSE_PMU].state == SSE_ENABLED);
		drop_enabled(fw, hart);
	}
	complete_global(fw, hart);
	if (!fw->cfg.quirks.sse_survives_stop)
		begin(h);
	hand_over(h, false);
}

int sse_new(struct fw *fw)
{
	struct sse *sse =
		calloc(1, sizeof(*sse) + fw->n_harts * sizeof(sse->hart[0]));

	if (!sse)
		return -FW_ENOMEM;
	fw->sse = sse;
	for (unsigned i = 0; i < fw->n_harts; i++) {
		fw->hart[i].sse = &sse->hart[i];
		begin(&fw->hart[i]);
	}
	for (int i = 0; i < SSE_N_GLOBAL; i++)
		sse->global[i].attr[SSE_PREFERRED_HART] =
			fw_hartid(&fw->hart[0]);
	return 0;
}

struct fw_piece sse_state(const struct fw *fw)
{
	return (struct fw_piece){
		.at = fw->sse,
		.size = sizeof(*fw->sse) +
			fw->n_harts * sizeof(fw->sse->hart[0]),
	};
}

void sse_free(struct fw *fw)
{
	free(fw->sse);
}
