/* SPDX-License-Identifier: BSD-2-Clause */
/* What happened to a hart, as records of the trace. */
#include "machine-hart.h"

#include <pmu/counter.h>
#include <pmu/csr-number.h>
#include <pmu/csr.h>

#include "ebb-session.h"
#include "machine-address.h"
#include "machine-sample.h"
#include "plan.h"

struct record_at hart_at(const struct machine *m, const struct hart *h,
			 uint64_t pc)
{
	return (struct record_at){
		.insn = pmu_hart_insns(h->pmu),
		.cycle = machine_now(m),
		.pc = pc,
		.hart = h->index,
		.mode = pmu_hart_mode(h->pmu),
		.satp = address_space(h->pmu, pmu_hart_mode(h->pmu),
				      machine_now(m)),
	};
}

void hart_record_change(struct machine *m, const struct hart *h,
			enum hart_change what)
{
	struct record_at at = hart_at(m, h, hart_pc(m, h));

	record_hart(m->recorder, &at, what, 0);
}

static const char *event_name(const struct pmu_overflow *o)
{
	const struct pmu_event_desc *desc =
		pmu_event_by_selector(o->event & PMU_EVENT_SELECTOR);

	return desc ? desc->name : NULL;
}

static void record_found(struct machine *m, const struct hart *h,
			 const struct pmu_overflow *found, unsigned n,
			 uint64_t last_pc)
{
	struct record_at at = hart_at(m, h, hart_next_pc(m, h));
	uint64_t pending = 0;

	pmu_csr_peek(h->pmu, PMU_CSR_SCOUNTOVF, at.cycle, &pending);
	for (unsigned i = 0; i < n; i++) {
		struct record_overflow o = {
			.overflow = &found[i],
			.event = event_name(&found[i]),
			.raised = found[i].raised,
			.time = pmu_time(m->timebase, at.cycle),
			.last_pc = last_pc,
			.pending = (uint32_t)pending,
			.ebb = ebb_alert(m->ebb, h->index, found[i].counter,
					 at.cycle),
		};

		if (o.ebb) /* it is told at a stop point */
			plan_mark(m->plan, PLAN_VOID);
		at.satp = address_space(h->pmu, found[i].mode, at.cycle);
		record_overflow(m->recorder, &at, &o);
	}
}

static void record_samples(struct machine *m, const struct hart *h,
			   uint64_t last_pc)
{
	struct record_at at = hart_at(m, h, hart_next_pc(m, h));

	if (samplers_record(m, h, &at, last_pc))
		plan_mark(m->plan, PLAN_COUNT);
}

void hart_record_overflows(struct machine *m, const struct hart *h,
			   uint64_t last_pc)
{
	struct pmu_overflow found[PMU_N_COUNTERS];
	unsigned n = pmu_hart_take_overflows(h->pmu, found);

	if (n) {
		plan_mark(m->plan, PLAN_IRQ | PLAN_COUNT);
		record_found(m, h, found, n, last_pc);
	}
	if (samplers_any(m->samplers))
		record_samples(m, h, last_pc);
}
