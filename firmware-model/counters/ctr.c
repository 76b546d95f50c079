/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The state machine of logical counters, and what its operations do to the
 * hart: in which order, with which filters, what becomes of OF. Which counter
 * an event gets is decided by ctr-map.c, sets of counters by sbi-pmu.c.
 */
#include "ctr.h"

#include <assert.h>

#include <pmu/ebb-unit.h>

#include "ctr-hart.h"

#define GO(state)                                                              \
	{                                                                      \
		CTR_##state, SBI_SUCCESS                                       \
	}
#define NO(state, error)                                                       \
	{                                                                      \
		CTR_##state, SBI_ERR_##error                                   \
	}

/*
 * CONFIG of a running counter is SKIP_MATCH with another event (C30). RESET is
 * what a stop with that flag does after the stop, whatever the stop answered
 * (C62). A FREE counter is never asked: calls for one are refused as calls for
 * no counter are, before they come here (C29, C54).
 */
static const struct ctr_edge edges[CTR_N_STATES][CTR_N_OPS] = {
	[CTR_STOPPED] = {
		[CTR_CONFIG] = GO(STOPPED),
		[CTR_START] = GO(RUNNING),
		[CTR_STOP] = NO(STOPPED, ALREADY_STOPPED),
		[CTR_RESET] = GO(FREE),
	},
	[CTR_RUNNING] = {
		[CTR_CONFIG] = NO(RUNNING, NOT_SUPPORTED),
		[CTR_START] = NO(RUNNING, ALREADY_STARTED),
		[CTR_STOP] = GO(STOPPED),
		[CTR_RESET] = NO(RUNNING, INVALID_PARAM),
	},
};

const struct ctr_edge *ctr_edge(enum ctr_state state, enum ctr_op op)
{
	assert(state != CTR_FREE);
	return &edges[state][op];
}

static bool fixed(unsigned n)
{
	return n == FIXED_CYCLE || n == FIXED_INSTRET;
}

bool ctr_is_firmware(const struct fw_hart *h, unsigned n)
{
	return n >= h->logical->n_hw;
}

bool ctr_runs(const struct fw_hart *h, unsigned n)
{
	if (ctr_is_firmware(h, n))
		return h->logical->running >> n & 1;
	return !(pmu_counter_inhibit(h->pmu) >> n & 1);
}

static void set_running(struct fw_hart *h, unsigned n, bool run)
{
	uint32_t inhibit = pmu_counter_inhibit(h->pmu);
	uint64_t bit = UINT64_C(1) << n;

	if (ctr_is_firmware(h, n)) {
		h->logical->running &= ~bit;
		h->logical->running |= run ? bit : 0;
		return;
	}
	inhibit &= ~(UINT32_C(1) << n);
	if (!run)
		inhibit |= UINT32_C(1) << n;
	pmu_counter_set_inhibit(h->pmu, inhibit);
}

enum ctr_state ctr_state(const struct fw_hart *h, unsigned n)
{
	if (!h->logical->ctr[n].mapped && !fixed(n))
		return CTR_FREE;
	return ctr_runs(h, n) ? CTR_RUNNING : CTR_STOPPED;
}

/* S-mode can inhibit what is not its own: that it stands says nothing. */
static bool is_somebodys(const struct pmu_hart *h, unsigned n)
{
	return pmu_ebb_permitted(h) >> n & 1 ||
	       pmu_counter_delivery(h, n) == PMU_DELIVER_HELD;
}

bool ctr_is_free(const struct fw_hart *h, unsigned n)
{
	if (!ctr_is_firmware(h, n) && is_somebodys(h->pmu, n))
		return false;
	return !h->logical->ctr[n].mapped && !ctr_runs(h, n);
}

bool ctr_is_owned(const struct fw_hart *h, unsigned n)
{
	return h->logical->ctr[n].mapped;
}

uint64_t ctr_mapped(const struct fw_hart *h, uint64_t set)
{
	uint64_t ret = 0;

	for (; set; set &= set - 1) {
		unsigned n = (unsigned)__builtin_ctzll(set);

		if (h->logical->valid >> n & 1 && ctr_state(h, n) != CTR_FREE)
			ret |= UINT64_C(1) << n;
	}
	return ret;
}

uint64_t ctr_get(const struct fw_hart *h, unsigned n)
{
	return ctr_is_firmware(h, n) ? h->logical->ctr[n].value
				     : pmu_counter_get(h->pmu, n);
}

void ctr_set(struct fw_hart *h, unsigned n, uint64_t value)
{
	if (ctr_is_firmware(h, n))
		h->logical->ctr[n].value = value;
	else
		pmu_counter_set(h->pmu, n, value);
}

bool ctr_overflown(const struct fw_hart *h, unsigned n)
{
	return !ctr_is_firmware(h, n) && pmu_counter_overflowed(h->pmu, n);
}

/* The filters of a call as mhpmevent has them: M-mode never counts (C37). */
static uint64_t filters(uint64_t flags)
{
	/* VUINH..MINH stand in the same order in both. */
	uint64_t all = (flags & CFG_INHIBIT) >> CFG_INHIBIT_SHIFT;

	return all * PMU_EVENT_VUINH | PMU_EVENT_MINH;
}

static bool has_filters(const struct fw_hart *h, unsigned n)
{
	return fw_has(h, fixed(n) ? PMU_EXT_SMCNTRPMF : PMU_EXT_SSCOFPMF);
}

/* What goes to the event register of a hardware counter, OF apart. */
static uint64_t event_of(const struct fw_hart *h, const struct ctr_config *cfg)
{
	uint64_t event = fixed(cfg->n) ? 0 : cfg->select & PMU_EVENT_SELECTOR;

	return has_filters(h, cfg->n) ? event | filters(cfg->want->flags)
				      : event;
}

/* The bits of an event register that a hart with H, or without, can hold. */
static uint64_t event_mask(const struct fw_hart *h, unsigned n)
{
	/* A fixed counter's selector is 0. */
	return has_filters(h, n)
		       ? PMU_EVENT_SELECTOR | filters(ctr_map_filters(h))
		       : PMU_EVENT_SELECTOR;
}

bool ctr_is_configured(const struct fw_hart *h, const struct ctr_config *cfg)
{
	const struct ctr *c = &h->logical->ctr[cfg->n];

	if (c->event_idx != cfg->want->event.idx ||
	    c->event_data != cfg->want->event.data ||
	    (c->flags ^ cfg->want->flags) & CFG_INHIBIT)
		return false;
	if (ctr_is_firmware(h, cfg->n))
		return true;
	return !((pmu_counter_event(h->pmu, cfg->n) ^ event_of(h, cfg)) &
		 event_mask(h, cfg->n));
}

static bool has_overflow(const struct fw_hart *h, unsigned n)
{
	return !ctr_is_firmware(h, n) && !fixed(n) &&
	       fw_has(h, PMU_EXT_SSCOFPMF);
}

/* OF that no overflow has set; the bitmap of a snapshot tells them apart. */
static void keep_off(struct fw_hart *h, unsigned n, uint64_t event)
{
	pmu_counter_set_event(h->pmu, n, event | PMU_EVENT_OF);
}

/*
 * @event has no OF. Who takes OF away takes back what it has asked for: with an
 * LCOFI that shows no OF Linux stops all counters and starts none of them again
 * (C145). The reference leaves it.
 */
static void set_without_of(const struct fw *fw, struct fw_hart *h, unsigned n,
			   uint64_t event)
{
	bool taken = pmu_counter_event(h->pmu, n) & PMU_EVENT_OF &&
		     pmu_lcofi_asked(h->pmu, n);

	if (taken && !fw->cfg.quirks.request_outlives_of)
		pmu_lcofi_withdraw(h->pmu, UINT32_C(1) << n);
	pmu_counter_set_event(h->pmu, n, event);
}

static void program(const struct fw *fw, struct fw_hart *h,
		    const struct ctr_config *cfg)
{
	uint64_t event = event_of(h, cfg);

	set_without_of(fw, h, cfg->n, event);
	/* The reference keeps the interrupt off until the start. */
	if (fw->cfg.quirks.config_sets_of && has_overflow(h, cfg->n))
		keep_off(h, cfg->n, event);
}

void ctr_configure(const struct fw *fw, struct fw_hart *h,
		   const struct ctr_config *cfg)
{
	struct ctr *c = &h->logical->ctr[cfg->n];

	/* The reference hands the fixed counters to everybody (C26). */
	if (!fixed(cfg->n) || !fw->cfg.quirks.fixed_unowned) {
		set_running(h, cfg->n, false);
		c->mapped = true;
	}
	c->event_idx = cfg->want->event.idx;
	c->event_data = cfg->want->event.data;
	c->flags = cfg->want->flags;
	if (!ctr_is_firmware(h, cfg->n))
		program(fw, h, cfg);
}

/*
 * OF of a counter that starts (C55). It stays set where LCOFI is pending by it:
 * the interrupt has yet to come, and must find it. The request of another
 * counter says nothing about this one, whose next overflow would be silent. The
 * reference keeps the interrupt off while any request is pending.
 */
static void start_overflow(const struct fw *fw, struct fw_hart *h, unsigned n,
			   uint64_t now)
{
	uint64_t event = pmu_counter_event(h->pmu, n) & ~PMU_EVENT_OF;
	bool pending = pmu_irq_pending(h->pmu, now) >> PMU_IRQ_LCOFI & 1;

	if (!pmu_lcofi_asked(h->pmu, n) || !ctr_overflown(h, n))
		set_without_of(fw, h, n, event);
	if (fw->cfg.quirks.start_sets_of && pending)
		keep_off(h, n, event);
}

int64_t ctr_start(const struct fw *fw, struct fw_hart *h, unsigned n,
		  const uint64_t *value, uint64_t now)
{
	const struct ctr_edge *e = ctr_edge(ctr_state(h, n), CTR_START);

	if (e->error)
		return e->error;
	/* OF, then the value, the inhibit bit last (C56). */
	if (has_overflow(h, n))
		start_overflow(fw, h, n, now);
	if (value)
		ctr_set(h, n, *value);
	set_running(h, n, e->next == CTR_RUNNING);
	return SBI_SUCCESS;
}

void ctr_started_already(const struct fw *fw, struct fw_hart *h, unsigned n)
{
	if (fw->cfg.quirks.restart_sets_of && has_overflow(h, n))
		pmu_counter_set_event(
			h->pmu, n, pmu_counter_event(h->pmu, n) | PMU_EVENT_OF);
}

int64_t ctr_stop(struct fw_hart *h, unsigned n)
{
	const struct ctr_edge *e = ctr_edge(ctr_state(h, n), CTR_STOP);

	if (!e->error)
		set_running(h, n, e->next == CTR_RUNNING);
	return e->error;
}

/*
 * No event, as at the boot. M-mode stays filtered: who runs the counter without
 * the firmware, by Smcdeleg, cannot set MINH (C121).
 */
static void clear_event(const struct fw *fw, struct fw_hart *h, unsigned n)
{
	bool keep = !fixed(n) && has_filters(h, n) &&
		    !fw->cfg.quirks.reset_clears_minh;

	set_without_of(fw, h, n, keep ? PMU_EVENT_MINH : 0);
}

void ctr_reset(const struct fw *fw, struct fw_hart *h, unsigned n)
{
	const struct ctr_edge *e = ctr_edge(ctr_state(h, n), CTR_RESET);

	assert(!e->error);
	/* Nobody asks for the event of a counter that has none. */
	h->logical->ctr[n].mapped = e->next != CTR_FREE;
	/* The reference leaves the filters of cycle and instret (C58). */
	if (!ctr_is_firmware(h, n) &&
	    !(fixed(n) && fw->cfg.quirks.fixed_keeps_filters))
		clear_event(fw, h, n);
}

void ctr_give_away(struct fw_hart *h, uint32_t set)
{
	for (; set; set &= set - 1) {
		unsigned n = (unsigned)__builtin_ctz(set);

		h->logical->ctr[n].mapped = false;
		pmu_counter_set_event(h->pmu, n,
				      pmu_counter_event(h->pmu, n) &
					      ~PMU_EVENT_OF);
		set_running(h, n, true);
	}
}

void ctr_take_back(const struct fw *fw, struct fw_hart *h, uint32_t set)
{
	for (; set; set &= set - 1) {
		unsigned n = (unsigned)__builtin_ctz(set);

		set_running(h, n, false);
		clear_event(fw, h, n);
	}
}
