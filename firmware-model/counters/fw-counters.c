/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The counters of a machine as a whole: which logical ids there are, who maps
 * events to them, how they stand after a boot, and what instruments see.
 */
#include "fw-counters.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "ctr-hart.h"
#include "ctr.h"

int counters_new(struct fw *fw)
{
	uint64_t firmware = (UINT64_C(1) << fw->cfg.fw_counters) - 1;
	struct counters *c =
		calloc(1, sizeof(*c) + fw->n_harts * sizeof(c->hart[0]));
	uint32_t any = 0;

	if (!c)
		return -FW_ENOMEM;
	fw->counters = c;
	for (unsigned i = 0; i < fw->n_harts; i++)
		any |= pmu_counters(fw->hart[i].pmu);
	for (unsigned i = 0; i < fw->n_harts; i++) {
		struct ctr_hart *l = &c->hart[i];

		l->n_hw = 32 - (unsigned)__builtin_clz(any);
		l->n = l->n_hw + fw->cfg.fw_counters;
		l->valid = pmu_counters(fw->hart[i].pmu) | firmware << l->n_hw;
		fw->hart[i].logical = l;
	}
	return 0;
}

void counters_free(struct fw *fw)
{
	if (fw->counters)
		fw_dt_free(fw->counters->dt);
	free(fw->counters);
}

struct fw_piece counters_state(const struct fw *fw, unsigned hart)
{
	struct ctr_hart *l = fw->hart[hart].logical;

	return (struct fw_piece){
		.at = l->totals,
		.size = sizeof(*l) - offsetof(struct ctr_hart, totals),
	};
}

void counters_set_source(struct fw *fw, struct fw_dt *dt)
{
	const struct fw_platform_ops *p = fw->cfg.platform;
	struct counters *c = fw->counters;

	c->dt = dt;
	if (dt)
		c->source = MAP_DT;
	else if (p && p->map_event)
		c->source = MAP_PLATFORM;
	else
		c->source = fw->cfg.dtb ? MAP_NONE : MAP_IDENTITY;
	for (unsigned i = 0; dt && i < fw->n_harts; i++)
		c->hart[i].map = dt_map_of(dt, fw_hartid(&fw->hart[i]));
	c->usable = ctr_map_usable(fw);
}

bool counters_usable(const struct fw *fw)
{
	return fw->counters->usable;
}

void counters_boot(const struct fw *fw, struct fw_hart *h)
{
	uint64_t event = 0;

	if (fw_has(h, PMU_EXT_SSCOFPMF))
		event = PMU_EVENT_MINH |
			(fw->cfg.quirks.boot_sets_of ? PMU_EVENT_OF : 0);
	pmu_counter_set_inhibit(h->pmu, ~UINT32_C(7));
	for (unsigned n = 0; n < N_HW; n++)
		pmu_counter_set_event(h->pmu, n, n < 3 ? 0 : event);
	memset(h->logical->ctr, 0, sizeof(h->logical->ctr));
	h->logical->running = 0;
	h->logical->page_on = false;
}

unsigned ctr_count(const struct fw_hart *h)
{
	return h->logical->n;
}

uint64_t ctr_ids(const struct fw_hart *h)
{
	return h->logical->valid;
}

unsigned fw_num_counters(const struct fw *fw, unsigned hart)
{
	return hart < fw->n_harts ? ctr_count(&fw->hart[hart]) : 0;
}

bool fw_counter_state(const struct fw *fw, unsigned hart, unsigned idx,
		      struct fw_counter *ret)
{
	const struct fw_hart *h;
	const struct ctr *c;

	if (hart >= fw->n_harts || idx >= ctr_count(&fw->hart[hart]))
		return false;
	h = &fw->hart[hart];
	c = &h->logical->ctr[idx];
	*ret = (struct fw_counter){ .exists = h->logical->valid >> idx & 1,
				    .firmware = ctr_is_firmware(h, idx) };
	if (!ret->exists)
		return true;
	ret->mapped = c->mapped;
	ret->started = ctr_runs(h, idx);
	ret->value = ctr_get(h, idx);
	if (!c->mapped)
		return true;
	ret->event_idx = c->event_idx;
	ret->event_data = c->event_data;
	ret->flags = c->flags;
	return true;
}
