/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The policy of counter_config_matching: rows of the device tree, platform
 * hooks or identity say which counters an event may use; this file says which
 * of them it gets (C23-C27, C42, C43). A counter whose hardware cannot count
 * the selector is never given out, whatever a row says: it would stay 0.
 */
#include "ctr-map.h"

#include <pmu/event.h>

#include "ctr-hart.h"
#include "ctr.h"

enum {
	FIXED = 1u << FIXED_CYCLE | 1u << TIME_HOLE | 1u << FIXED_INSTRET
};
/* One way to count an event. */
struct counting_way {
	uint32_t counters;
	uint64_t select;
	unsigned row; /* of its table, from 1; without tables there is one */
};

/* The first row from @from on, of the hart's node, that matches. */
static bool dt_way(const struct dt_map *map, const struct event *e,
		   unsigned from, struct counting_way *ret)
{
	uint64_t bits =
		e->idx == FW_EVENT_RAW ? RAW_SELECTOR : PMU_EVENT_SELECTOR;

	for (unsigned i = from; map && event_is_raw(e->idx) && i < map->n_raws;
	     i++) {
		const struct dt_raw *r = &map->raws[i];

		if ((r->select ^ (e->data & r->mask)) & bits)
			continue;
		*ret = (struct counting_way){ r->counters, e->data, i + 1 };
		return true;
	}
	for (unsigned i = from;
	     map && !event_is_raw(e->idx) && i < map->n_ranges; i++) {
		const struct dt_range *r = &map->ranges[i];

		if (e->idx < r->first || e->idx > r->last)
			continue;
		*ret = (struct counting_way){ r->counters,
					      dt_select_of(map, e->idx),
					      i + 1 };
		return true;
	}
	return false;
}

/*
 * The way to count a hardware event that follows row @ret->row, 0 to begin;
 * false beyond the last. The rows are walked once, however many match.
 */
static bool next_way(const struct fw *fw, const struct fw_hart *h,
		     const struct event *e, struct counting_way *ret)
{
	const struct fw_platform_ops *p = fw->cfg.platform;
	unsigned from = ret->row;

	switch (fw->counters->source) {
	case MAP_NONE:
		return false;
	case MAP_IDENTITY:
		*ret = (struct counting_way){
			UINT32_MAX, event_is_raw(e->idx) ? e->data : e->idx, 1
		};
		return from == 0;
	case MAP_PLATFORM:
		ret->row = 1;
		return from == 0 && p->map_event(p->platform, e->idx, e->data,
						 &ret->counters, &ret->select);
	case MAP_DT:
		return dt_way(h->logical->map, e, from, ret);
	}
	return false;
}

/* Counters of @h that can count what a way selects. */
static uint32_t able(const struct fw_hart *h, const struct counting_way *w)
{
	const struct pmu_event_desc *desc =
		pmu_event_by_selector(w->select & PMU_EVENT_SELECTOR);
	uint32_t set = w->counters & pmu_counters(h->pmu) & ~(uint32_t)FIXED;
	uint32_t ret = 0;

	for (; desc && set; set &= set - 1)
		if (pmu_counter_can(h->pmu, (unsigned)__builtin_ctz(set),
				    desc->event))
			ret |= set & -set;
	return ret;
}

/*
 * Can a raw event of @data select something? 0 is no event (C41), and where
 * @data is the selector itself rows need not be asked about an unknown one.
 */
static bool selects(const struct fw *fw, uint64_t data)
{
	return data && (fw->counters->source == MAP_PLATFORM ||
			pmu_event_by_selector(data & PMU_EVENT_SELECTOR));
}

static int find_programmable(const struct fw *fw, const struct fw_hart *h,
			     const struct ctr_want *want, uint64_t *ret_select)
{
	struct counting_way w = { 0 };

	if (event_is_raw(want->event.idx) && !selects(fw, want->event.data))
		return -1;
	while (next_way(fw, h, &want->event, &w)) {
		uint32_t set = able(h, &w) & (uint32_t)want->set;

		for (; set; set &= set - 1) {
			unsigned n = (unsigned)__builtin_ctz(set);

			if (!want->taken_too && !ctr_is_free(h, n))
				continue;
			*ret_select = w.select;
			return (int)n;
		}
	}
	return -1;
}

uint64_t ctr_map_filters(const struct fw_hart *h)
{
	/* All harts have S and U; V = 1 comes with H. */
	const uint64_t guest = 3u << CFG_INHIBIT_SHIFT; /* VUINH, VSINH */

	return fw_has(h, PMU_EXT_H) ? CFG_INHIBIT : CFG_INHIBIT & ~guest;
}

/* Can a fixed counter do what is asked: has it filters, or needs it none? */
static bool fixed_fits(const struct fw *fw, const struct fw_hart *h,
		       const struct ctr_want *want)
{
	if (fw_has(h, PMU_EXT_SMCNTRPMF) || !fw_has(h, PMU_EXT_SSCOFPMF))
		return true;
	/* A filter for a mode that is not there is no wish (C24). */
	return !fw->cfg.quirks.fixed_needs_filters &&
	       !(want->flags & ctr_map_filters(h));
}

/*
 * May fixed counter @n be the answer: is it in the set (C25)? The reference
 * wants no more than a set that does not begin behind hardware's (C206).
 */
static bool offered(const struct fw *fw, const struct fw_hart *h,
		    const struct ctr_want *want, unsigned n)
{
	return fw->cfg.quirks.fixed_outside_set ? want->base < h->logical->n_hw
						: want->set >> n & 1;
}

static int find_fixed(const struct fw *fw, const struct fw_hart *h,
		      const struct ctr_want *want)
{
	unsigned n = want->event.idx == FW_EVENT_CYCLES ? FIXED_CYCLE
							: FIXED_INSTRET;

	if (want->event.idx != FW_EVENT_CYCLES &&
	    want->event.idx != FW_EVENT_INSTRUCTIONS)
		return -1;
	if (!offered(fw, h, want, n) || !fixed_fits(fw, h, want))
		return -1;
	/* In the opensbi profile it has no owner (C26). */
	if (h->logical->ctr[n].mapped && !want->taken_too)
		return -1;
	return (int)n;
}

static int find_hardware(const struct fw *fw, const struct fw_hart *h,
			 const struct ctr_want *want, uint64_t *ret_select)
{
	bool counts_fixed = want->event.idx == FW_EVENT_CYCLES ||
			    want->event.idx == FW_EVENT_INSTRUCTIONS;
	int n;

	/* The reference without Sscofpmf has nothing but the fixed ones
	 * (C24).*/
	if (counts_fixed && fw->cfg.quirks.fixed_only &&
	    !fw_has(h, PMU_EXT_SSCOFPMF))
		return find_fixed(fw, h, want);
	n = find_programmable(fw, h, want, ret_select);
	return n >= 0 ? n : find_fixed(fw, h, want);
}

static int find_firmware(const struct fw_hart *h, const struct ctr_want *want)
{
	for (unsigned n = h->logical->n_hw; n < h->logical->n; n++)
		if (want->set >> n & 1 &&
		    (want->taken_too || !h->logical->ctr[n].mapped))
			return (int)n;
	return -1;
}

int ctr_map_find(const struct fw *fw, const struct fw_hart *h,
		 const struct ctr_want *want, uint64_t *ret_select)
{
	*ret_select = 0;
	if (event_is_firmware(want->event.idx))
		return find_firmware(h, want);
	return find_hardware(fw, h, want, ret_select);
}

static bool reaches(const struct fw_hart *h, uint32_t counters)
{
	return counters & pmu_counters(h->pmu) & ~(uint32_t)FIXED;
}

static bool range_usable(const struct fw_hart *h, const struct dt_range *r)
{
	if (r->first <= FW_EVENT_CYCLES && r->last >= FW_EVENT_CYCLES &&
	    r->counters >> FIXED_CYCLE & 1)
		return true;
	if (r->first <= FW_EVENT_INSTRUCTIONS &&
	    r->last >= FW_EVENT_INSTRUCTIONS &&
	    r->counters >> FIXED_INSTRET & 1)
		return true;
	return reaches(h, r->counters);
}

static bool map_usable(const struct dt_map *map, const struct fw_hart *h)
{
	if (!map)
		return false;
	for (unsigned i = 0; i < map->n_ranges; i++)
		if (range_usable(h, &map->ranges[i]))
			return true;
	for (unsigned i = 0; i < map->n_raws; i++)
		if (reaches(h, map->raws[i].counters))
			return true;
	return false;
}

bool ctr_map_usable(const struct fw *fw)
{
	if (fw->counters->source != MAP_DT)
		return fw->counters->source != MAP_NONE;
	for (unsigned i = 0; i < fw->n_harts; i++)
		if (map_usable(fw->hart[i].logical->map, &fw->hart[i]))
			return true;
	return false;
}

/*
 * The row of the tree that lets counter @n (< 32) of @h count what it is mapped
 * to; cycle and instret need none.
 */
static bool row_of(const struct fw *fw, const struct fw_hart *h, unsigned n,
		   unsigned *ret_row)
{
	struct event e = { .idx = h->logical->ctr[n].event_idx,
			   .data = h->logical->ctr[n].event_data };
	struct counting_way w = { 0 };

	while (next_way(fw, h, &e, &w)) {
		*ret_row = w.row;
		if (able(h, &w) >> n & 1)
			return true;
	}
	return false;
}

bool fw_counter_row(const struct fw *fw, unsigned hart, unsigned idx,
		    struct fw_counter_row *ret)
{
	const struct fw_hart *h;

	if (hart >= fw->n_harts || fw->counters->source != MAP_DT)
		return false;
	h = &fw->hart[hart];
	if (ctr_is_firmware(h, idx) || !h->logical->map ||
	    !h->logical->ctr[idx].mapped || !row_of(fw, h, idx, &ret->row))
		return false;
	ret->path = h->logical->map->path;
	ret->property = event_is_raw(h->logical->ctr[idx].event_idx)
				? DT_PROP_RAWS
				: DT_PROP_RANGES;
	return true;
}
