/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which overflows a request stands for is libpmu's to know; here is when each
 * was, and whether it was delivered at once. That is told by instructions of
 * its hart and not by cycles, which also pass while another hart runs.
 */
#include "deliveries.h"

#include <stdlib.h>

/* Before what the hart could be told of something at the soonest. */
struct moment {
	uint64_t cycle;
	uint64_t insn;	 /* retired by the hart then */
	uint64_t passed; /* as in struct hart_told */
};

/* What is known of a hart. */
struct hart_told {
	uint64_t passed;		     /* how often it went elsewhere */
	struct moment last[PMU_N_COUNTERS];  /* overflow of each */
	struct moment asked[PMU_N_COUNTERS]; /* the first not delivered */
	struct moment alert;		     /* the last one */
};

struct deliveries {
	struct hart_told hart[PMU_MAX_HARTS];
};

struct deliveries *deliveries_new(void)
{
	return calloc(1, sizeof(struct deliveries));
}

void deliveries_free(struct deliveries *all)
{
	free(all);
}

void deliveries_found(struct machine *m, const struct hart *h,
		      const struct pmu_overflow *o, uint64_t first)
{
	struct hart_told *t = &m->deliveries->hart[h->index];
	struct moment now = {
		.cycle = machine_now(m),
		.insn = first,
		.passed = t->passed,
	};

	t->last[o->counter] = now;
	if (o->delivery == PMU_DELIVER_LCOFI && !o->again)
		t->asked[o->counter] = now;
	if (o->alerted)
		t->alert = now;
}

void deliveries_passed(struct machine *m, const struct hart *h)
{
	m->deliveries->hart[h->index].passed++;
}

static bool is_past(const struct hart_told *t, const struct hart *h,
		    const struct moment *then)
{
	return then->insn != pmu_hart_insns(h->pmu) ||
	       then->passed != t->passed;
}

struct record_delivery deliveries_of_lcofi(const struct machine *m,
					   const struct hart *h,
					   uint32_t counters)
{
	const struct hart_told *t = &m->deliveries->hart[h->index];
	struct record_delivery d = { .counters = counters };

	for (; counters; counters &= counters - 1) {
		unsigned n = (unsigned)__builtin_ctz(counters);

		d.cycle[n] = t->asked[n].cycle;
		d.held |= is_past(t, h, &t->asked[n]);
	}
	return d;
}

/* An OF that was written, as a kernel does for who runs again, has no cycle. */
struct record_delivery deliveries_of_branch(const struct machine *m,
					    const struct hart *h,
					    uint32_t counters)
{
	const struct hart_told *t = &m->deliveries->hart[h->index];
	struct record_delivery d = { .way = DELIVERY_EBB,
				     .target = pmu_hart_mode(h->pmu),
				     .counters = counters };

	for (uint32_t left = counters; left; left &= left - 1) {
		unsigned n = (unsigned)__builtin_ctz(left);

		if (pmu_counter_overflowed(h->pmu, n))
			d.cycle[n] = t->last[n].cycle;
	}
	d.held = counters && is_past(t, h, &t->alert);
	return d;
}

void deliveries_record(struct machine *m, const struct hart *h,
		       const struct record_at *at,
		       const struct record_delivery *d)
{
	if (m->recorder->deliveries)
		m->recorder->ops->delivery(m->recorder->keeper, at, d);
	deliveries_passed(m, h);
}

void deliveries_give(const struct deliveries *all, struct state *to)
{
	state_put(to, "deliveries", all, sizeof(*all));
}

void deliveries_take(struct deliveries *all, struct state *from)
{
	state_get(from, "deliveries", all, sizeof(*all));
}
