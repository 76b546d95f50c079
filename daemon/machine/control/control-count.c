/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests that look at what was counted: totals of events, and the guest's
 * own counters. One answer is read at one clock.
 */
#include "codec-answer.h"
#include "control-inside.h"
#include "control-process.h"
#include "control-symbols.h"
#include "core/machine-read.h"
#include "view/explain-sentences.h"
#include "view/inspect.h"

/* VS and VU only where there are guests. */
static int shown_modes(struct control *c, unsigned hart)
{
	const struct settings *s = &machine_config(c->machine)->settings;

	return s->hart[hart].ext & PMU_EXT_H ? PMU_N_MODES : PMU_MODE_U + 1;
}

static Pmu__V1__Total *new_total(struct control *c, unsigned hart,
				 const char *event, uint64_t value)
{
	Pmu__V1__Total *t = control_message(c, &pmu__v1__total__descriptor);

	t->hart = hart;
	t->event = (char *)event;
	t->value = value;
	return t;
}

static void hart_totals(struct control *c, unsigned hart,
			Pmu__V1__ReadTotalsResponse *answer)
{
	for (int e = 0; e < PMU_N_EVENTS; e++) {
		if (!inspect_has_total(c->machine, (enum pmu_event)e))
			continue;
		for (int mode = 0; mode < shown_modes(c, hart); mode++) {
			enum pmu_event event = (enum pmu_event)e;
			Pmu__V1__Total *t =
				new_total(c, hart, pmu_event_desc(event)->name,
					  inspect_total(c->machine, hart, event,
							(enum pmu_mode)mode));

			t->privilege = encode_mode((enum pmu_mode)mode);
			answer->totals[answer->n_totals++] = t;
		}
	}
	if (machine_config(c->machine)->m_mode)
		return;
	for (unsigned e = 0; e < FW_N_EVENTS; e++)
		answer->totals[answer->n_totals++] =
			new_total(c, hart, fw_event_desc(e)->name,
				  inspect_fw_total(c->machine, hart, e));
}

static bool has_started(struct control *c, struct error *e)
{
	uint32_t none = 0;

	return inspect_csr_number(c->machine, 0, NULL, &none, e);
}

enum handled control_read_totals(struct control *c,
				 const Pmu__V1__ReadTotalsRequest *q,
				 Pmu__V1__ReadTotalsResponse *answer,
				 struct error *e)
{
	unsigned n = machine_config(c->machine)->harts;
	struct machine_status s;

	if (!has_started(c, e))
		return HANDLED_FAILED;
	machine_status(c->machine, &s);
	answer->cycle = s.cycle;
	answer->time = inspect_time(c->machine);
	answer->clock_hz = machine_config(c->machine)->settings.clock_hz;
	answer->totals = control_alloc(
		c, n * (PMU_N_EVENTS * PMU_N_MODES + FW_N_EVENTS) *
			   sizeof(*answer->totals));
	for (unsigned hart = 0; hart < n; hart++)
		hart_totals(c, hart, answer);
	return HANDLED_DONE;
}

static Pmu__V1__Counter *new_counter(struct control *c, unsigned hart,
				     unsigned index)
{
	Pmu__V1__Counter *m = control_message(c, &pmu__v1__counter__descriptor);
	struct inspect_counter got;

	inspect_counter(c->machine, hart, index, &got);
	if (!got.exists)
		return NULL;
	encode_counter(hart, index, &got, m);
	return m;
}

enum handled control_list_counters(struct control *c,
				   const Pmu__V1__ListCountersRequest *q,
				   Pmu__V1__ListCountersResponse *answer,
				   struct error *e)
{
	unsigned harts = machine_config(c->machine)->harts;
	size_t room = 0;

	if (!has_started(c, e))
		return HANDLED_FAILED;
	for (unsigned h = 0; h < harts; h++)
		room += inspect_counters(c->machine, h);
	answer->counters = control_alloc(c, room * sizeof(*answer->counters));
	for (unsigned h = 0; h < harts; h++) {
		for (unsigned i = 0; i < inspect_counters(c->machine, h); i++) {
			Pmu__V1__Counter *m = new_counter(c, h, i);

			if (m)
				answer->counters[answer->n_counters++] = m;
		}
	}
	return HANDLED_DONE;
}

/* Whose code it was, and what that has there. */
static void name_code(struct control *c, struct control_recall *all,
		      unsigned hart, const struct pmu_origin *by,
		      Pmu__V1__Fact *m)
{
	const struct process_note note = {
		.hart = hart,
		.mode = by->mode,
		.satp = by->satp,
		.sscratch = by->sscratch,
	};
	const struct machine_space space = { .hart = hart,
					     .mode = by->mode,
					     .satp = by->satp };

	m->satp = by->satp;
	if (control_recall_code(all, &note, by->pc, &m->process) !=
	    PROCESS_NO_LINUX)
		m->place = control_users_place(c, m->process, by->pc);
	else if (by->satp)
		m->place = control_code_place(c, &space, by->pc);
	else if (pmu_mode_is_guest(by->mode))
		m->place = control_guests_place(c, hart, by->pc);
	else
		m->place = control_place(c, by->pc);
}

static Pmu__V1__Fact *new_fact(struct control *c, const struct explain_fact *f)
{
	Pmu__V1__Fact *m = control_message(c, &pmu__v1__fact__descriptor);

	encode_fact(f, m);
	m->text = control_text(c, m->text);
	return m;
}

enum handled control_explain_counter(struct control *c,
				     const Pmu__V1__ExplainCounterRequest *q,
				     Pmu__V1__ExplainCounterResponse *answer,
				     struct error *e)
{
	struct explain *got = control_alloc(c, sizeof(*got));
	struct control_recall *all = control_recall_new(c);

	if (!explain_counter(c->machine, q->hart, q->index, got, e))
		return HANDLED_FAILED;
	answer->counter = new_counter(c, q->hart, q->index);
	answer->counts = got->counts;
	answer->summary = got->summary;
	answer->facts = control_alloc(c, got->n * sizeof(*answer->facts));
	for (unsigned i = 0; i < got->n; i++) {
		const struct explain_fact *f = &got->fact[i];
		Pmu__V1__Fact *m = new_fact(c, f);

		if (f->has_pc)
			name_code(c, all, q->hart, &f->by, m);
		answer->facts[answer->n_facts++] = m;
	}
	return HANDLED_DONE;
}
