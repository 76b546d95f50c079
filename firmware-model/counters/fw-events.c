/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The firmware events, and counting them: which counters see one. When an event
 * happens is decided where it happens (conformance I).
 */
#include "fw-events.h"

#include <string.h>

#include "ctr-hart.h"
#include "event-number.h"

/* Adds to the running counters of an event: all, or the lowest (C91). */
static void count(struct fw *fw, struct fw_hart *h, uint32_t event_idx,
		  uint64_t event_data, uint64_t n)
{
	for (uint64_t left = h->logical->running; left; left &= left - 1) {
		struct ctr *c = &h->logical->ctr[__builtin_ctzll(left)];

		if (!c->mapped || c->event_idx != event_idx ||
		    (event_idx == FW_EVENT_PLATFORM &&
		     c->event_data != event_data))
			continue;
		c->value += n;
		if (fw->cfg.quirks.lowest_counts)
			return;
	}
}

void fw_event(struct fw *fw, unsigned hart, enum fw_event event)
{
	struct fw_hart *h = &fw->hart[hart];

	h->logical->totals[event]++;
	count(fw, h, FW_EVENT_FIRMWARE | fw_event_desc(event)->code, 0, 1);
}

void fw_platform_event(struct fw *fw, unsigned hart, uint64_t event_data,
		       uint64_t n)
{
	if (hart < fw->n_harts)
		count(fw, &fw->hart[hart], FW_EVENT_PLATFORM, event_data, n);
}

uint64_t fw_event_total(const struct fw *fw, unsigned hart, unsigned event)
{
	if (hart >= fw->n_harts || event >= FW_N_EVENTS)
		return 0;
	return fw->hart[hart].logical->totals[event];
}

void fw_event_totals_take(struct fw *fw, const struct fw *old)
{
	for (unsigned i = 0; i < fw->n_harts && i < old->n_harts; i++)
		memcpy(fw->hart[i].logical->totals,
		       old->hart[i].logical->totals,
		       sizeof(fw->hart[i].logical->totals));
}

void fw_interrupt_taken(struct fw *fw, unsigned hart,
			const struct pmu_trap *trap)
{
	if (hart < fw->n_harts && trap->interrupt &&
	    trap->cause == PMU_IRQ_LCOFI)
		fw_event(fw, hart, FW_EV_LCOFI_TAKEN);
}
