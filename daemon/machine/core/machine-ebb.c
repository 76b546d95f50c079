/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A claimed counter counts what its session wants and raises no interrupt: its
 * overflow sets OF and alerts the session (C149), which is told at once, or
 * when it can be (C150, C151). A claim is of all counters of a session or of
 * none, and never of one in use (C155); when it ends, each is as it was before.
 *
 * Delivery is at a stop point, after timers and before inputs, so that what a
 * handler does while the machine is held is stamped with the overflow's cycle
 * and finds the same order when it is replayed. A replayed session holds
 * nobody: its acts are in the queue.
 */
#include "machine-ebb.h"

#include <inttypes.h>

#include <fw/fw.h>
#include <fw/logical-counter.h>
#include <pmu/counter.h>
#include <pmu/ebb-unit.h>
#include <pmu/event.h>
#include <pmu/explain.h>

#include "engine/engine.h"
#include "machine-hart.h"
#include "pace.h"
#include "plan.h"

static const struct pmu_hart *hart_pmu(const struct machine *m, unsigned hart)
{
	return hart_of(m, hart)->pmu;
}

/* Checks */

bool machine_ebb_none(uint32_t number, struct error *e)
{
	return error_set(e, ERROR_NOT_FOUND,
			 AT(PART_EBB_SESSION, "NO_SUCH_SESSION"),
			 "EBB session %" PRIu32 ": there is none", number);
}

static bool check_open(struct machine *m, unsigned hart,
		       const struct ebb_act *act, struct error *e)
{
	uint32_t number = ebb_next_number(m->ebb);

	if (!(pmu_hart_config(hart_pmu(m, hart))->ext & PMU_EXT_SSCOFPMF))
		return error_set(e, ERROR_NOT_NOW, AT(PART_HART, "NO_OVERFLOW"),
				 "hart %u: counters that overflow need the "
				 "extension sscofpmf",
				 hart);
	if (!number)
		return error_set(e, ERROR_NO_ROOM,
				 AT(PART_NONE, "SESSIONS_LIMIT"),
				 "EBB: a machine has at most %d sessions",
				 EBB_MAX_SESSIONS);
	if (act->session && act->session != number)
		return machine_ebb_none(act->session, e);
	return true;
}

static bool check_period(const struct machine *m, unsigned hart,
			 const struct ebb_act *act, struct error *e)
{
	unsigned width = pmu_counter_width(hart_pmu(m, hart), act->counter);
	uint64_t most = UINT64_MAX >> (64 - width);

	if (act->period >= 1 && act->period <= most)
		return true;
	return error_set(e, ERROR_INVALID, AT(PART_EBB_PERIOD, "BAD_VALUE"),
			 "EBB: period: must be from 1 to %" PRIu64
			 ", not %" PRIu64,
			 most, act->period);
}

static bool check_event(const struct machine *m, unsigned hart,
			const struct ebb_act *act, struct error *e)
{
	const struct pmu_event_desc *d =
		pmu_event_by_selector(act->event & PMU_EVENT_SELECTOR);

	if (d && !(act->event & PMU_EVENT_OF) &&
	    pmu_counter_can(hart_pmu(m, hart), act->counter, d->event))
		return true;
	return error_set(
		e, ERROR_INVALID, AT(PART_EBB_EVENT, "EVENT_NOT_COUNTED"),
		"EBB: counter %" PRIu32 " cannot count event 0x%" PRIx64,
		act->counter, act->event);
}

static bool check_add(const struct machine *m, const struct ebb_session *s,
		      const struct ebb_act *act, struct error *e)
{
	if (s->scheduled)
		return error_set(
			e, ERROR_NOT_NOW, AT(PART_EBB_SESSION, "WRONG_STATE"),
			"EBB session %" PRIu32 " is enabled", s->number);
	if (act->counter < 3 ||
	    !pmu_counter_width(hart_pmu(m, s->hart), act->counter))
		return error_set(e, ERROR_NOT_FOUND,
				 AT(PART_EBB_COUNTER, "NO_SUCH_COUNTER"),
				 "EBB: hart %" PRIu32 " has no counter %" PRIu32
				 " that overflows",
				 s->hart, act->counter);
	if (s->counters >> act->counter & 1)
		return error_set(e, ERROR_INVALID,
				 AT(PART_EBB_COUNTER, "BAD_VALUE"),
				 "EBB session %" PRIu32 " has counter %" PRIu32
				 " already",
				 s->number, act->counter);
	return check_event(m, s->hart, act, e) &&
	       check_period(m, s->hart, act, e);
}

static bool check_rearm(const struct machine *m, const struct ebb_session *s,
			const struct ebb_act *act, struct error *e)
{
	if (s->scheduled && act->counter < PMU_N_COUNTERS &&
	    s->counters >> act->counter & 1)
		return check_period(m, s->hart, act, e);
	return error_set(
		e, ERROR_NOT_NOW, AT(PART_EBB_COUNTER, "NOT_SCHEDULED"),
		"EBB session %" PRIu32 " does not have counter %" PRIu32,
		s->number, act->counter);
}

bool machine_ebb_check(struct machine *m, unsigned hart,
		       const struct ebb_act *act, struct error *e)
{
	const struct ebb_session *s;

	if (act->what == EBB_OPEN)
		return check_open(m, hart, act, e);
	s = ebb_find(m->ebb, act->session);
	if (!s)
		return machine_ebb_none(act->session, e);
	if (act->what == EBB_ADD)
		return check_add(m, s, act, e);
	if (act->what == EBB_REARM)
		return check_rearm(m, s, act, e);
	if (act->what != EBB_RETURN || s->inside)
		return true;
	return error_set(e, ERROR_NOT_NOW, AT(PART_EBB_SESSION, "WRONG_STATE"),
			 "EBB session %" PRIu32 ": no handler runs", s->number);
}

void machine_ebb_stamp(const struct machine *m, struct ebb_act *act)
{
	if (act->what == EBB_OPEN)
		act->session = ebb_next_number(m->ebb);
}

/* Counters */

static void set_inhibit(struct pmu_hart *h, unsigned n, bool inhibit)
{
	uint32_t bit = UINT32_C(1) << n, all = pmu_counter_inhibit(h);

	pmu_counter_set_inhibit(h, inhibit ? all | bit : all & ~bit);
}

/*
 * It has no owner, nobody counts with it (C23), and the guest's own users
 * cannot claim it, now or when their process is switched to.
 */
static bool is_free(const struct machine *m, unsigned hart, unsigned n)
{
	const struct pmu_hart *h = hart_pmu(m, hart);
	struct fw_counter c = { 0 };

	if (ebb_owner(m->ebb, hart, n) || pmu_ebb_permitted(h) >> n & 1)
		return false;
	if (m->fw && fw_counter_state(m->fw, hart, n, &c) && c.mapped)
		return false;
	return pmu_counter_inhibit(h) >> n & 1 ||
	       !(pmu_counter_event(h, n) & PMU_EVENT_SELECTOR);
}

/* @s's hart, whose counters the session changes now. */
static struct pmu_hart *changed_by(struct machine *m,
				   const struct ebb_session *s)
{
	struct pmu_hart *h = hart_of(m, s->hart)->pmu;

	pmu_hart_author(h, &(struct pmu_origin){ .by = PMU_BY_SESSION,
						 .session = s->number,
						 .cycle = machine_now(m) });
	return h;
}

/* From the next instruction on it counts a whole period. */
static void arm(struct pmu_hart *h, unsigned n, uint64_t event, uint64_t period)
{
	pmu_counter_set(h, n, -period);
	pmu_counter_set_event(h, n, event);
}

static void claim(struct machine *m, struct ebb_session *s, unsigned n)
{
	struct pmu_hart *h = changed_by(m, s);
	struct ebb_claim *c = &s->claim[n];

	c->event_before = pmu_counter_event(h, n);
	c->value_before = pmu_counter_get(h, n);
	c->inhibited_before = pmu_counter_inhibit(h) >> n & 1;
	pmu_counter_set_delivery(h, n, PMU_DELIVER_HELD);
	arm(h, n, c->event, c->period);
	set_inhibit(h, n, false);
}

static void give_back(struct machine *m, const struct ebb_session *s,
		      unsigned n)
{
	struct pmu_hart *h = changed_by(m, s);
	const struct ebb_claim *c = &s->claim[n];

	set_inhibit(h, n, c->inhibited_before);
	pmu_counter_set(h, n, c->value_before);
	pmu_counter_set_event(h, n, c->event_before);
	pmu_counter_set_delivery(h, n, PMU_DELIVER_LCOFI);
}

static void schedule(struct machine *m, struct ebb_session *s)
{
	bool all = s->counters && !s->scheduled;

	for (uint32_t left = s->counters; all && left; left &= left - 1)
		all = is_free(m, s->hart, (unsigned)__builtin_ctz(left));
	if (!all)
		return;
	for (uint32_t left = s->counters; left; left &= left - 1)
		claim(m, s, (unsigned)__builtin_ctz(left));
	s->scheduled = true;
}

/* What it was still to be told of is nothing any more. */
static void leave(struct machine *m, struct ebb_session *s)
{
	s->scheduled = s->inside = false;
	s->alerts = 0;
	if (ebb_holder(m->ebb) == s)
		ebb_hold(m->ebb, NULL);
}

static void unschedule(struct machine *m, struct ebb_session *s)
{
	uint32_t left = s->scheduled ? s->counters : 0;

	for (; left; left &= left - 1)
		give_back(m, s, (unsigned)__builtin_ctz(left));
	leave(m, s);
}

/* Acts */

static void open_session(struct machine *m, unsigned hart,
			 const struct ebb_act *act)
{
	struct ebb_session *s = ebb_open(m->ebb);

	s->hart = hart;
	s->freezes = act->freezes;
	s->reloads = act->reloads;
	s->replayed = act->replayed;
}

static void handler_returned(struct machine *m, struct ebb_session *s,
			     bool masked)
{
	s->inside = false;
	s->unmasked = !masked;
	if (ebb_holder(m->ebb) == s)
		ebb_hold(m->ebb, NULL);
}

static void do_act(struct machine *m, struct ebb_session *s,
		   const struct ebb_act *act)
{
	switch (act->what) {
	case EBB_ADD:
		s->counters |= UINT32_C(1) << act->counter;
		s->claim[act->counter] = (struct ebb_claim){
			.event = act->event,
			.period = act->period,
		};
		break;
	case EBB_ENABLE:
		schedule(m, s);
		break;
	case EBB_DISABLE:
		unschedule(m, s);
		break;
	case EBB_UNMASK:
	case EBB_MASK:
		s->unmasked = act->what == EBB_UNMASK;
		break;
	case EBB_REARM:
		s->alerts &= ~(UINT32_C(1) << act->counter);
		arm(changed_by(m, s), act->counter,
		    s->claim[act->counter].event, act->period);
		break;
	case EBB_RETURN:
		handler_returned(m, s, act->masked);
		break;
	case EBB_CLOSE:
	case EBB_DEATH:
		unschedule(m, s);
		ebb_close(m->ebb, s);
		break;
	case EBB_OPEN:
	case EBB_UNKNOWN:
	case EBB_N_WHATS:
		break;
	}
}

void machine_ebb_act(struct machine *m, unsigned hart,
		     const struct ebb_act *act)
{
	if (act->what == EBB_OPEN)
		open_session(m, hart, act);
	else
		do_act(m, ebb_find(m->ebb, act->session), act);
}

/* Delivery */

/* Armed again by the machine, at the overflow's own cycle. */
static void reload(struct machine *m, const struct ebb_session *s,
		   uint32_t counters)
{
	for (; counters; counters &= counters - 1) {
		unsigned n = (unsigned)__builtin_ctz(counters);
		const struct ebb_claim *c = &s->claim[n];

		arm(changed_by(m, s), n, c->event, c->period);
	}
}

static void tell(struct machine *m, struct ebb_session *s)
{
	const struct hart *h = hart_of(m, s->hart);
	const struct ebb_told told = {
		.session = s->number,
		.counters = s->alerts,
		.cycle = ebb_first_alert(s),
	};
	struct record_at at = hart_at(m, h, hart_pc(m, h));

	m->recorder->ops->ebb(m->recorder->keeper, &at, &told);
	if (s->reloads)
		reload(m, s, s->alerts);
	s->alerts = 0;
	s->inside = s->freezes || !s->reloads;
	if (s->freezes)
		ebb_hold(m->ebb, s);
}

void machine_ebb_deliver(struct machine *m)
{
	struct ebb_session *s;

	while ((s = ebb_due(m->ebb))) {
		plan_stop_wanted(m->plan);
		tell(m, s);
	}
	if (machine_frozen(m))
		pace_end(m->pace);
}

uint32_t machine_ebb_newest(const struct machine *m)
{
	return ebb_newest(m->ebb);
}

const struct ebb_session *machine_ebb_session(const struct machine *m,
					      uint32_t number)
{
	return ebb_find(m->ebb, number);
}

uint64_t machine_ebb_value(const struct machine *m, const struct ebb_session *s,
			   unsigned n)
{
	return pmu_counter_get(hart_pmu(m, s->hart), n);
}

bool machine_frozen(const struct machine *m)
{
	const struct ebb_session *s = ebb_holder(m->ebb);

	return s && !s->replayed;
}

void machine_ebb_hart_reset(struct machine *m, unsigned hart)
{
	uint32_t number = 0;

	for (struct ebb_session *s; (s = ebb_after(m->ebb, number));) {
		if (s->hart == hart)
			leave(m, s);
		number = s->number;
	}
}

void machine_ebb_reset(struct machine *m)
{
	for (unsigned i = 0; i < m->cfg->harts; i++)
		machine_ebb_hart_reset(m, i);
}
