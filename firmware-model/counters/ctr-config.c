/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * counter_config_matching once its set is known: what SKIP_MATCH may do, why no
 * counter is found, and in which order a counter gets its event, its value and
 * its start (C15). Which counters can count an event is decided by ctr-map.c,
 * what configuring does by ctr.c.
 */
#include "ctr-hart.h"
#include "ctr.h"
#include "event-number.h"

/* May SKIP_MATCH configure counter @cfg->n, which it names (C30)? */
static int64_t skip_match_spec(const struct fw *fw, const struct fw_hart *h,
			       struct ctr_config *cfg)
{
	struct ctr_want only = *cfg->want;
	int64_t running = ctr_edge(ctr_state(h, cfg->n), CTR_CONFIG)->error;

	only.set = UINT64_C(1) << cfg->n;
	only.taken_too = true;
	if (ctr_map_find(fw, h, &only, &cfg->select) < 0)
		return REFUSE(fw, NOT_SUPPORTED,
			      "counter %d cannot count event %x", cfg->n,
			      only.event.idx);
	/* Nobody has configured a counter that runs since the boot (C26). */
	if (!running || !h->logical->ctr[cfg->n].mapped ||
	    ctr_is_configured(h, cfg))
		return SBI_SUCCESS;
	return sbi_refuse(fw, running,
			  (struct fw_refusal){ "counter %d runs with another "
					       "event or filter",
					       cfg->n });
}

/* The first counter of the set, if it is configured: 0 or an error. */
static int64_t skip_match(const struct fw *fw, const struct fw_hart *h,
			  struct ctr_config *cfg)
{
	unsigned n = cfg->n;

	if (!ctr_mapped(h, UINT64_C(1) << n))
		return REFUSE(fw, INVALID_PARAM,
			      "SKIP_MATCH: counter %d has no event", n);
	/* The reference keeps the old mapping, whatever the event (C31). */
	if (ctr_is_firmware(h, n) != event_is_firmware(cfg->want->event.idx))
		return REFUSE(fw, NOT_SUPPORTED,
			      ctr_is_firmware(h, n)
				      ? "counter %d is the firmware's, event "
					"%x the hardware's"
				      : "counter %d is the hardware's, event "
					"%x the firmware's",
			      n, cfg->want->event.idx);
	return fw->cfg.quirks.skip_match_keeps ? SBI_SUCCESS
					       : skip_match_spec(fw, h, cfg);
}

/* No counter was found: for want of one that can, or of one that is free? */
static int64_t refuse_match(const struct fw *fw, const struct fw_hart *h,
			    const struct ctr_want *want)
{
	struct ctr_want any = *want;
	uint64_t select;

	any.taken_too = true;
	if (ctr_map_find(fw, h, &any, &select) >= 0)
		return REFUSE(fw, NOT_SUPPORTED,
			      "every counter of the set that can count event "
			      "%x is taken",
			      want->event.idx);
	if (event_is_raw(want->event.idx))
		return REFUSE(fw, NOT_SUPPORTED,
			      "no counter of the set can count event %x of "
			      "data %x",
			      want->event.idx, want->event.data);
	return REFUSE(fw, NOT_SUPPORTED,
		      "no counter of the set can count event %x",
		      want->event.idx);
}

/*
 * Finds the counter of a config_matching: 0 with cfg->n and cfg->select set, or
 * an error. @first: of the set.
 */
static int64_t find_counter(const struct fw *fw, const struct fw_hart *h,
			    unsigned first, struct ctr_config *cfg)
{
	int n;

	cfg->n = first;
	if (cfg->want->flags & CFG_SKIP_MATCH)
		return skip_match(fw, h, cfg);
	n = ctr_map_find(fw, h, cfg->want, &cfg->select);
	if (n < 0)
		return refuse_match(fw, h, cfg->want);
	cfg->n = (unsigned)n;
	return SBI_SUCCESS;
}

/* A counter that keeps its configuration: SKIP_MATCH only (C30). */
static bool keeps(const struct fw *fw, const struct fw_hart *h,
		  const struct ctr_want *want, unsigned n)
{
	if (!(want->flags & CFG_SKIP_MATCH))
		return false;
	return fw->cfg.quirks.skip_match_keeps ||
	       (h->logical->ctr[n].mapped && ctr_state(h, n) == CTR_RUNNING);
}

static int64_t take_event(const struct fw *fw, const struct fw_hart *h,
			  const struct ctr_request *req, struct event *ret)
{
	if (fw->cfg.quirks.skip_match_skims && req->flags & CFG_SKIP_MATCH)
		return event_exists(fw, req->event_idx, req->event_data, ret);
	return event_decode(fw, h, req->event_idx, req->event_data, ret);
}

int64_t ctr_config_matching(const struct fw *fw, struct fw_hart *h,
			    const struct ctr_request *req, uint64_t now,
			    unsigned *ret_n)
{
	struct ctr_want want = { .flags = req->flags,
				 .base = req->base,
				 .set = req->set };
	struct ctr_config cfg = { .want = &want };
	int64_t err = take_event(fw, h, req, &want.event);

	if (!err)
		err = find_counter(fw, h, req->first, &cfg);
	if (err)
		return err;
	if (!keeps(fw, h, &want, cfg.n))
		ctr_configure(fw, h, &cfg);
	if (want.flags & CFG_CLEAR_VALUE)
		ctr_set(h, cfg.n, 0);
	if (want.flags & CFG_AUTO_START)
		ctr_start(fw, h, cfg.n, NULL, now);
	*ret_n = cfg.n;
	return SBI_SUCCESS;
}
