/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A counter's conditions, gathered for people. Nothing is decided here: what
 * counts is counter.c's, what an overflow does overflow.c's, whose interrupt it
 * is and whether that is taken topi.c's, who may read is the CSR's row.
 */
#include <pmu/csr-number.h>
#include <pmu/explain.h>

#include "counter-state.h"
#include "csr-row.h"
#include "interrupt.h"
#include "topi.h"

void pmu_hart_author(struct pmu_hart *h, const struct pmu_origin *by)
{
	struct pmu_origin *to = &h->author;

	/* field by field: as a whole it would be built in memory first */
	to->by = by->by;
	to->mode = by->mode;
	to->csr = by->csr;
	to->eid = by->eid;
	to->fid = by->fid;
	to->session = by->session;
	to->pc = by->pc;
	to->satp = by->satp;
	to->sscratch = by->sscratch;
	to->cycle = by->cycle;
}

struct pmu_origin pmu_counter_origin(const struct pmu_hart *h, unsigned n,
				     enum pmu_change change)
{
	if (n >= PMU_N_COUNTERS)
		return (struct pmu_origin){ .by = PMU_BY_RESET };
	return h->origin[n][change];
}

static void explain_mode(const struct pmu_hart *h, unsigned n,
			 enum pmu_mode mode, struct pmu_why *why)
{
	struct pmu_why_mode *m = &why->mode[mode];
	const struct counter *c = &h->counters[n];

	*m = (struct pmu_why_mode){ .exists = hart_modes(h) >> mode & 1 };
	if (!m->exists)
		return;
	m->filtered = counter_filtered(h, n, mode);
	m->counts = c->source != PMU_N_EVENTS && c->modes >> mode & 1;
	if (why->known)
		m->happened = h->totals[why->event][mode];
	m->reads = csr_may_read(h, (uint16_t)(PMU_CSR_CYCLE + n), mode);
	if (m->reads != PMU_CSR_OK)
		m->denied_by =
			pmu_csr_name(h, csr_counter_denied_by(h, mode, n));
}

static void explain_event(const struct pmu_hart *h, unsigned n,
			  struct pmu_why *why)
{
	struct counter_choice choice = counter_choice(h, n);

	why->selector = choice.selector;
	why->known = choice.event != NULL;
	why->can = choice.can;
	if (choice.event)
		why->event = choice.event->event;
}

static void explain_claim(const struct pmu_hart *h, unsigned n,
			  struct pmu_why *why)
{
	uint16_t by = counter_frozen_by(h, n);

	why->claimed = h->ebb.claimed >> n & 1;
	why->alerts = h->ebb.unit.control & PMU_EBBCTL_AE;
	if (!by)
		return;
	why->frozen_by = pmu_csr_name(h, by);
	if (by == PMU_CSR_EBBCTL)
		why->frozen_field = "FC";
	else if (by == PMU_CSR_SEBBCS)
		why->frozen_field = "FZ";
}

void pmu_counter_explain(const struct pmu_hart *h, unsigned n,
			 struct pmu_why *ret)
{
	const struct counter *c;

	*ret = (struct pmu_why){ 0 };
	if (!pmu_counter_width(h, n))
		return;
	c = &h->counters[n];
	ret->exists = true;
	ret->width = pmu_counter_width(h, n);
	ret->value = pmu_counter_get(h, n);
	ret->config = c->event;
	ret->inhibited = h->mcountinhibit >> n & 1;
	ret->filters = counter_has_filters(h, n);
	ret->of = counter_of(h, n);
	ret->hw_of = c->hw_overflow;
	ret->to_overflow = (c->mask - ret->value) + 1;
	explain_event(h, n, ret);
	explain_claim(h, n, ret);
	for (unsigned m = 0; m < PMU_N_MODES; m++)
		explain_mode(h, n, (enum pmu_mode)m, ret);
	ret->counts = ret->mode[h->mode].counts;
	ret->raises = overflow_raises(h, n);
}

void pmu_lcofi_explain(const struct pmu_hart *h, struct pmu_why_lcofi *ret)
{
	uint64_t by_mvip = irq_given_to_s(h), passed = irq_hideleg(h);

	*ret = (struct pmu_why_lcofi){
		.exists = has(h, PMU_EXT_SSCOFPMF),
		.pending = h->mip_soft & IRQ_LCOFI,
		.enabled = h->mie & IRQ_LCOFI,
		.mideleg = h->mideleg & IRQ_LCOFI,
		.given_s = by_mvip & ~passed & IRQ_LCOFI,
		.passed = by_mvip & passed & IRQ_LCOFI,
		.given_vs = irq_given_to_vs(h) & IRQ_LCOFI,
		.vti = h->hvictl & HVICTL_VTI,
	};
	ret->target = irq_target(h, PMU_IRQ_LCOFI);
	ret->hideleg = ret->target == PMU_MODE_VS;
	ret->waits = !irq_reaches(h, ret->target);
	ret->asked = h->mode == ret->target;
	ret->open = irq_open_in(h, ret->target);
	ret->taken = irq_is_taken(h, PMU_IRQ_LCOFI);
}
