/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An instruction is shown to an instance when it is over, and what that found
 * is counted at once: the engine then stops behind it if a counter overflowed.
 */
#include "machine-uarch.h"

#include <stdlib.h>
#include <string.h>

#include <pmu/model-events.h>
#include <pmu/translate.h>

#include "machine-sample.h"
#include "plan.h"

struct core {
	struct pmu_uarch *guest, *watch;
	bool fed, watched;
};

struct uarchs {
	struct pmu_space code, data; /* of the hart that runs */
	uint64_t events;	     /* of pmu_event_set() */
	bool inorder;		     /* harts wait for what is missed */
	unsigned n;
	struct core core[PMU_MAX_HARTS];
};

bool uarchs_make(struct machine *m)
{
	struct pmu_uarch_config cfg;
	struct uarchs *all;

	settings_uarch(&m->cfg->settings, &cfg);
	if (!pmu_uarch_events(&cfg))
		return true;
	m->uarchs = all = calloc(1, sizeof(*all));
	if (!all)
		return false;
	all->events = pmu_event_set(&cfg);
	all->inorder = cfg.inorder;
	for (; all->n < m->cfg->harts; all->n++) {
		struct core *c = &all->core[all->n];

		c->guest = pmu_uarch_new(&cfg);
		c->watch = pmu_uarch_new(&cfg);
		if (!c->guest || !c->watch)
			return false;
	}
	return true;
}

void uarchs_free(struct uarchs *all)
{
	for (unsigned i = 0; all && i < PMU_MAX_HARTS; i++) {
		pmu_uarch_free(all->core[i].guest);
		pmu_uarch_free(all->core[i].watch);
	}
	free(all);
}

static bool is_watched(const struct machine *m, const struct hart *h)
{
	return m->cfg->settings.uarch_watch ||
	       (samplers_any(m->samplers) && pmu_hart_observes_model(h->pmu));
}

bool uarch_enter(struct machine *m, const struct hart *h)
{
	struct core *c;

	if (!m->uarchs)
		return false;
	c = &m->uarchs->core[h->index];
	c->fed = m->uarchs->inorder || pmu_hart_chose_model(h->pmu);
	if (is_watched(m, h) && !c->watched)
		pmu_uarch_reset(c->watch);
	c->watched = is_watched(m, h);
	m->uarchs->code = pmu_hart_space(h->pmu, pmu_hart_mode(h->pmu));
	m->uarchs->data = pmu_hart_space(h->pmu, pmu_data_mode(h->pmu));
	return c->fed || c->watched;
}

/* @h waits for what its own instance has found. True: a run ends. */
static bool stall(struct machine *m, const struct hart *h,
		  const struct pmu_uarch_found *found)
{
	uint64_t cycles = 0;

	for (unsigned i = 0; i < PMU_N_STALLS; i++)
		cycles += found->stalled[i];
	if (!cycles)
		return false;
	plan_stall(m->plan, h->pmu, cycles);
	return pmu_hart_stalled(h->pmu, found);
}

bool uarch_executed(void *host, const struct pmu_uarch_insn *insn)
{
	struct machine *m = host;
	const struct hart *h = hart_present(m);
	struct uarchs *all = m->uarchs;
	struct core *c = &all->core[h->index];
	struct pmu_uarch_found found;
	bool stop = false;

	if (c->fed) {
		pmu_uarch_see(c->guest, insn, &all->code, &all->data, &found);
		stop = pmu_hart_happened(h->pmu, &found);
		if (all->inorder)
			stop |= stall(m, h, &found);
	}
	if (c->watched) {
		pmu_uarch_see(c->watch, insn, &all->code, &all->data, &found);
		stop |= pmu_hart_observed(h->pmu, &found);
	}
	return stop;
}

/* SFENCE, SINVAL and their kin of the hypervisor, by funct7. */
static bool is_fence(uint32_t insn)
{
	static const uint8_t fences[] = { 0x09, 0x0b, 0x11, 0x13, 0x31, 0x33 };
	bool found = false;

	for (size_t i = 0; i < sizeof(fences); i++)
		found |= insn >> 25 == fences[i];
	return found && (insn & 0x7fff) == 0x73;
}

void uarch_fence(struct machine *m, unsigned hart)
{
	if (!m->uarchs)
		return;
	pmu_uarch_fence(m->uarchs->core[hart].guest);
	pmu_uarch_fence(m->uarchs->core[hart].watch);
}

void uarch_retired(struct machine *m, const struct hart *h, uint32_t insn)
{
	if (m->uarchs && is_fence(insn))
		uarch_fence(m, h->index);
}

void uarchs_reset(struct machine *m)
{
	for (unsigned i = 0; m->uarchs && i < m->uarchs->n; i++) {
		pmu_uarch_reset(m->uarchs->core[i].guest);
		pmu_uarch_reset(m->uarchs->core[i].watch);
	}
}

bool uarch_has_total(const struct machine *m, unsigned hart,
		     enum pmu_event event)
{
	uint64_t events = m->uarchs ? m->uarchs->events : pmu_event_set(NULL);

	return events >> event & 1 &&
	       (!pmu_event_is_model(event) || is_watched(m, hart_of(m, hart)));
}

/* State */

static void give(struct pmu_uarch *u, struct state *to)
{
	size_t size;
	const void *words = pmu_uarch_state(u, &size);

	state_put(to, "model", words, size);
}

static void take(struct pmu_uarch *u, struct state *from)
{
	size_t size;
	void *words = pmu_uarch_state(u, &size);

	state_get(from, "model", words, size);
}

void uarchs_give(const struct machine *m, struct state *to)
{
	for (unsigned i = 0; m->uarchs && i < m->uarchs->n; i++) {
		const struct core *c = &m->uarchs->core[i];

		give(c->guest, to);
		give(c->watch, to);
		state_put(to, "watched", &c->watched, sizeof(c->watched));
	}
}

void uarchs_take(struct machine *m, struct state *from)
{
	for (unsigned i = 0; m->uarchs && i < m->uarchs->n; i++) {
		struct core *c = &m->uarchs->core[i];

		take(c->guest, from);
		take(c->watch, from);
		state_get(from, "watched", &c->watched, sizeof(c->watched));
	}
}
