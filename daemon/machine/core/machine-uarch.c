/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An instruction is shown to an instance when it is over, and what that found
 * is counted at once: the engine then stops behind it if a counter overflowed.
 */
#include "machine-uarch.h"

#include <stdlib.h>
#include <string.h>

#include <pmu/insn-field.h>
#include <pmu/model-events.h>
#include <pmu/translate.h>

#include "machine-misses.h"
#include "machine-sample.h"
#include "plan.h"

/* Whose an instance is; neither knows of the others. */
enum uarch_role {
	GUEST,
	TOTALS,	  /* of observers, see settings.uarch_watch */
	SAMPLERS, /* all of them came at once */
	N_ROLES
};

/*
 * Instances that were cold at the same instruction and are fed since are alike,
 * so one of them is fed for all: model[as[role]] is what role's would be.
 */
struct core {
	struct pmu_uarch *model[N_ROLES];
	uint8_t as[N_ROLES];
	bool fed[N_ROLES], warm[N_ROLES];
	uint8_t serves[N_ROLES]; /* whom model[role] is fed for, a bit each */
	struct pmu_misses *why;	 /* those of totals are; NULL: nobody asks */
};

struct uarchs {
	struct pmu_space code, data; /* of the hart that runs */
	unsigned looks;		     /* PMU_LOOK_..., of each instance */
	bool inorder;		     /* harts wait for what is missed */
	unsigned n;
	struct core core[PMU_MAX_HARTS];
};

static bool make(struct core *c, const struct pmu_uarch_config *cfg)
{
	for (unsigned r = 0; r < N_ROLES; r++) {
		c->as[r] = (uint8_t)r;
		c->model[r] = pmu_uarch_new(cfg);
		if (!c->model[r])
			return false;
	}
	return true;
}

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
	all->looks = pmu_uarch_looks(&cfg);
	all->inorder = cfg.inorder;
	for (; all->n < m->cfg->harts; all->n++) {
		all->core[all->n].why = misses_of(m->misses, all->n);
		if (!make(&all->core[all->n], &cfg))
			return false;
	}
	return true;
}

void uarchs_free(struct uarchs *all)
{
	for (unsigned i = 0; all && i < PMU_MAX_HARTS; i++)
		for (unsigned r = 0; r < N_ROLES; r++)
			pmu_uarch_free(all->core[i].model[r]);
	free(all);
}

/* What @to remembers is what @from does. */
static void copy(struct pmu_uarch *to, struct pmu_uarch *from)
{
	size_t size;
	const void *words = pmu_uarch_state(from, &size);

	memcpy(pmu_uarch_state(to, &size), words, size);
}

/* The one that is fed for totals is explained, and no other. */
static void explain(struct core *c)
{
	for (unsigned r = 0; r < N_ROLES; r++)
		pmu_uarch_explain(c->model[r],
				  c->fed[TOTALS] && c->as[TOTALS] == r ? c->why
								       : NULL);
}

/* Who is fed, or by whose model, has changed. */
static void connect_roles(struct core *c)
{
	memset(c->serves, 0, sizeof(c->serves));
	for (unsigned r = 0; r < N_ROLES; r++)
		if (c->fed[r])
			c->serves[c->as[r]] |= (uint8_t)(1u << r);
	explain(c);
}

/* @r is fed from here on, cold; like another one that is. */
static void begin(struct core *c, unsigned r)
{
	pmu_uarch_reset(c->model[r]);
	c->as[r] = (uint8_t)r;
	c->warm[r] = false;
	c->fed[r] = true;
	for (unsigned q = 0; q < N_ROLES; q++)
		if (q != r && c->fed[q] && c->as[q] == q && !c->warm[q])
			c->as[r] = (uint8_t)q;
	if (r == TOTALS && c->why)
		pmu_misses_reset(c->why);
	connect_roles(c);
}

/* @r is not; who is like it goes on with one of them. */
static void end(struct core *c, unsigned r)
{
	unsigned heir = N_ROLES;

	c->fed[r] = false;
	for (unsigned q = 0; q < N_ROLES; q++) {
		if (q == r || !c->fed[q] || c->as[q] != r)
			continue;
		if (heir == N_ROLES) {
			heir = q;
			copy(c->model[q], c->model[r]);
			c->warm[q] = c->warm[r];
		}
		c->as[q] = (uint8_t)heir;
	}
	c->as[r] = (uint8_t)r;
	connect_roles(c);
}

static bool wants(const struct machine *m, const struct hart *h, unsigned r)
{
	switch ((enum uarch_role)r) {
	case GUEST:
		return m->uarchs->inorder || pmu_hart_chose_model(h->pmu);
	case TOTALS:
		return m->cfg->settings.uarch_watch;
	case SAMPLERS:
		return samplers_any(m->samplers) &&
		       pmu_hart_observes_model(h->pmu);
	case N_ROLES:
		break;
	}
	return false;
}

unsigned uarch_enter(struct machine *m, const struct hart *h)
{
	struct core *c;
	bool any = false;

	if (!m->uarchs)
		return 0;
	c = &m->uarchs->core[h->index];
	for (unsigned r = 0; r < N_ROLES; r++) {
		bool want = wants(m, h, r);

		if (want && !c->fed[r])
			begin(c, r);
		else if (!want && c->fed[r])
			end(c, r);
		any |= want;
	}
	m->uarchs->code = pmu_hart_space(h->pmu, pmu_hart_mode(h->pmu));
	m->uarchs->data = pmu_hart_space(h->pmu, pmu_data_mode(h->pmu));
	return any ? m->uarchs->looks : 0;
}

bool uarch_steps(const struct machine *m, unsigned hart)
{
	for (unsigned r = 0; m->uarchs && r < N_ROLES; r++)
		if (wants(m, hart_of(m, hart), r))
			return true;
	return false;
}

void uarchs_samplers_changed(struct machine *m)
{
	for (unsigned i = 0; m->uarchs && i < m->uarchs->n; i++)
		if (m->uarchs->core[i].fed[SAMPLERS])
			end(&m->uarchs->core[i], SAMPLERS);
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

/* @found is what @r's instance has found. True: a run ends. */
static bool tell(struct machine *m, const struct hart *h, unsigned r,
		 const struct pmu_uarch_found *found)
{
	bool stop = false;

	switch ((enum uarch_role)r) {
	case GUEST:
		stop = pmu_hart_happened(h->pmu, found);
		if (m->uarchs->inorder)
			stop |= stall(m, h, found);
		break;
	case TOTALS:
		pmu_hart_observed(h->pmu, found);
		break;
	case SAMPLERS:
		stop = pmu_hart_sampled(h->pmu, found);
		break;
	case N_ROLES:
		break;
	}
	return stop;
}

bool uarch_executed(void *host, const struct pmu_uarch_insn *insn, bool over)
{
	struct machine *m = host;
	const struct hart *h = hart_present(m);
	struct uarchs *all = m->uarchs;
	struct core *c = &all->core[h->index];
	struct pmu_uarch_found found;
	bool stop = false;

	if (!over && c->fed[GUEST])
		pmu_hart_fetched(h->pmu);
	for (unsigned r = 0; r < N_ROLES; r++) {
		if (!c->serves[r])
			continue;
		pmu_uarch_see(c->model[r], insn, &all->code, &all->data,
			      &found);
		c->warm[r] = true;
		for (unsigned to = c->serves[r]; to; to &= to - 1)
			stop |= tell(m, h, (unsigned)__builtin_ctz(to), &found);
	}
	if (c->why)
		misses_keep(m, h, insn->code.vaddr);
	return stop;
}

void uarch_fence(struct machine *m, unsigned hart)
{
	if (!m->uarchs)
		return;
	for (unsigned r = 0; r < N_ROLES; r++)
		pmu_uarch_fence(m->uarchs->core[hart].model[r]);
}

void uarch_retired(struct machine *m, const struct hart *h, uint32_t insn)
{
	if (m->uarchs && pmu_insn_is_tlb_fence(insn))
		uarch_fence(m, h->index);
}

void uarchs_reset(struct machine *m)
{
	/* Whoever is fed is so from its next instruction on. */
	for (unsigned i = 0; m->uarchs && i < m->uarchs->n; i++) {
		struct core *c = &m->uarchs->core[i];

		memset(c->fed, 0, sizeof(c->fed));
		connect_roles(c);
	}
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

		for (unsigned r = 0; r < N_ROLES; r++)
			give(c->model[r], to);
		state_put(to, "fed", c->fed, sizeof(c->fed));
		state_put(to, "warm", c->warm, sizeof(c->warm));
		state_put(to, "as", c->as, sizeof(c->as));
	}
}

void uarchs_take(struct machine *m, struct state *from)
{
	for (unsigned i = 0; m->uarchs && i < m->uarchs->n; i++) {
		struct core *c = &m->uarchs->core[i];

		for (unsigned r = 0; r < N_ROLES; r++)
			take(c->model[r], from);
		state_get(from, "fed", c->fed, sizeof(c->fed));
		state_get(from, "warm", c->warm, sizeof(c->warm));
		state_get(from, "as", c->as, sizeof(c->as));
		connect_roles(c);
	}
}
