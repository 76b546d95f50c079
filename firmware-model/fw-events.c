/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counting firmware events: which counters see one. When an event happens is
 * decided where it happens (conformance I).
 */
#include "fw-events.h"

#include "event.h"
#include "state.h"

static const char *const event_names[FW_N_EVENTS] = {
	"fw_misaligned_load",
	"fw_misaligned_store",
	"fw_access_load",
	"fw_access_store",
	"fw_illegal_insn",
	"fw_set_timer",
	"fw_ipi_sent",
	"fw_ipi_received",
	"fw_fence_i_sent",
	"fw_fence_i_received",
	"fw_sfence_vma_sent",
	"fw_sfence_vma_received",
	"fw_sfence_vma_asid_sent",
	"fw_sfence_vma_asid_received",
	"fw_hfence_gvma_sent",
	"fw_hfence_gvma_received",
	"fw_hfence_gvma_vmid_sent",
	"fw_hfence_gvma_vmid_received",
	"fw_hfence_vvma_sent",
	"fw_hfence_vvma_received",
	"fw_hfence_vvma_asid_sent",
	"fw_hfence_vvma_asid_received",
};

/* Adds to the running counters of an event: all, or the lowest (C91). */
static void count(struct fw *fw, struct fw_hart *h, uint32_t event_idx,
		  uint64_t event_data, uint64_t n)
{
	for (unsigned i = h->n_hw; i < h->n_counters; i++) {
		struct ctr *c = &h->ctr[i];

		if (!c->mapped || !c->running || c->event_idx != event_idx ||
		    (event_idx == EVENT_PLATFORM &&
		     c->event_data != event_data))
			continue;
		c->value += n;
		if (fw_is_opensbi(fw))
			return;
	}
}

void fw_event(struct fw *fw, unsigned hart, enum fw_event event)
{
	struct fw_hart *h = &fw->hart[hart];

	h->totals[event]++;
	count(fw, h, EVENT_FIRMWARE | event, 0, 1);
}

void fw_platform_event(struct fw *fw, unsigned hart, uint64_t event_data,
		       uint64_t n)
{
	if (hart < fw->n_harts)
		count(fw, &fw->hart[hart], EVENT_PLATFORM, event_data, n);
}

uint64_t fw_event_total(const struct fw *fw, unsigned hart, unsigned event)
{
	if (hart >= fw->n_harts || event >= FW_N_EVENTS)
		return 0;
	return fw->hart[hart].totals[event];
}

const char *fw_event_name(unsigned event)
{
	return event < FW_N_EVENTS ? event_names[event] : NULL;
}
