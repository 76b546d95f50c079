/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The facts about a counter as sentences: libpmu says what is so
 * (pmu/explain.h), the firmware model how it was configured; the words are
 * here.
 */
#include "explain-sentences.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include <fw/sbi-name.h>
#include <fw/sbi.h>
#include <pmu/csr-number.h>
#include <pmu/explain.h>
#include <pmu/rule.h>

#include "explain-lcofi.h"
#include "inspect.h"
#include "core/machine-read.h"

/* One explanation on its way. */
struct telling {
	const struct machine *m;
	const struct pmu_hart *pmu;
	const struct fw *fw; /* NULL: there is none */
	unsigned hart, index;
	struct explain *ret;
};

static struct explain_fact *add(struct telling *t, const char *topic,
				const char *rule, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

static struct explain_fact *add(struct telling *t, const char *topic,
				const char *rule, const char *format, ...)
{
	struct explain_fact *f = &t->ret->fact[t->ret->n];
	va_list args;

	if (t->ret->n < EXPLAIN_FACTS - 1)
		t->ret->n++;
	f->topic = topic;
	f->rule = rule;
	f->hinders = false;
	f->has_pc = false;
	va_start(args, format);
	vsnprintf(f->text, sizeof(f->text), format, args);
	va_end(args);
	return f;
}

static void tell_existence(struct telling *t, const struct pmu_why *why)
{
	if (t->index == 1)
		add(t, "existence", RULE("C8"),
		    "1 is the place of time, which is no counter");
	else if (!why->exists)
		add(t, "existence", RULE("C114"),
		    "hart %u has no counter %u: its CSRs read zero", t->hart,
		    t->index);
	else
		add(t, "existence", RULE("mhpmcounter_warl"),
		    "hart %u has counter %u, %u bits wide", t->hart, t->index,
		    why->width);
	t->ret->fact[0].hinders = !why->exists;
}

static void tell_event(struct telling *t, const struct pmu_why *why)
{
	const struct pmu_event_desc *d = NULL;

	if (why->known)
		d = pmu_event_desc(why->event);
	if (d && t->index < 3)
		add(t, "event", d->rule, "it is fixed to %s: %s", d->name,
		    d->counts);
	else if (!d && !why->selector)
		add(t, "event", RULE("C120"), "mhpmevent%u selects 0: no event",
		    t->index)
			->hinders = true;
	else if (!d)
		add(t, "event", RULE("C178"),
		    "mhpmevent%u selects 0x%" PRIx64
		    ", which is no event here: nothing is counted",
		    t->index, why->selector)
			->hinders = true;
	else if (!why->can)
		add(t, "event", RULE("C178"),
		    "mhpmevent%u selects 0x%" PRIx64 " (%s), which this "
		    "counter cannot count: see hpm-events",
		    t->index, why->selector, d->name)
			->hinders = true;
	else
		add(t, "event", d->rule,
		    "mhpmevent%u selects 0x%" PRIx64 " (%s): %s", t->index,
		    why->selector, d->name, d->counts);
}

static void tell_inhibit(struct telling *t, const struct pmu_why *why)
{
	add(t, "inhibit", RULE("C177"), "mcountinhibit[%u] = %d: it %s",
	    t->index, why->inhibited,
	    why->inhibited ? "is stopped" : "may count")
		->hinders = why->inhibited;
}

/* Claimed by a user of the guest: does a freeze make it stand? */
static void tell_claim(struct telling *t, const struct pmu_why *why)
{
	char bit[16];

	if (!why->claimed)
		return;
	snprintf(bit, sizeof(bit), "[%u]", t->index);
	if (!why->frozen_by)
		add(t, "claim", RULE("ebb_freeze"),
		    "a user has claimed it: nothing freezes it");
	else
		add(t, "claim",
		    why->frozen_field ? RULE("ebb_freeze")
				      : RULE("ebb_user_freeze"),
		    "a user has claimed it: %s%s%s = 1 freezes it",
		    why->frozen_by, why->frozen_field ? "." : bit,
		    why->frozen_field ? why->frozen_field : "")
			->hinders = true;
}

static bool is_over(const struct machine *m)
{
	return machine_state(m) == MACHINE_ENDED ||
	       machine_state(m) == MACHINE_CRASHED;
}

/* What counts only if something happens on the hart. */
static void tell_standstill(struct telling *t)
{
	const char *then = t->ret->counts ? "counted" : "did not count";

	if (is_over(t->m))
		add(t, "machine", NULL,
		    "the machine has %s: nothing happens in it any more; it "
		    "%s at the end",
		    machine_state(t->m) == MACHINE_ENDED ? "ended" : "crashed",
		    then)
			->hinders = true;
	else if (machine_hart_status(t->m, t->hart) == HART_STOPPED)
		add(t, "machine", NULL,
		    "hart %u is stopped: nothing happens on it", t->hart)
			->hinders = true;
	else
		return;
	t->ret->counts = false;
}

/* The filter and the past of one mode. */
static void tell_mode(struct telling *t, const struct pmu_why *why,
		      enum pmu_mode mode)
{
	static const char *const bits[PMU_N_MODES] = {
		[PMU_MODE_M] = "MINH",	 [PMU_MODE_S] = "SINH",
		[PMU_MODE_U] = "UINH",	 [PMU_MODE_VS] = "VSINH",
		[PMU_MODE_VU] = "VUINH",
	};
	const struct pmu_why_mode *w = &why->mode[mode];
	bool here = pmu_hart_mode(t->pmu) == mode;
	const char *now = is_over(t->m) ? " (at the end)" : " (now)";
	char filter[24] = "no filter";
	char happened[48] = "";

	if (!w->exists)
		return;
	if (why->filters)
		snprintf(filter, sizeof(filter), "%s = %d", bits[mode],
			 w->filtered);
	if (why->known)
		snprintf(happened, sizeof(happened),
			 "; %" PRIu64 " of its event there since the boot",
			 w->happened);
	add(t, "mode", t->index < 3 ? RULE("C125") : RULE("C106"),
	    "%s%s: %s, %s%s", pmu_mode_name(mode), here ? now : "", filter,
	    w->filtered ? "not counted" : "counted", happened)
		->hinders = here && w->filtered;
}

/* What the next overflow does is its delivery's. */
static void tell_delivery(struct telling *t, const struct pmu_why *why)
{
	static const struct {
		const char *rule, *does;
	} by[PMU_N_DELIVERIES] = {
		[PMU_DELIVER_LCOFI] = { RULE("C107"),
					"sets OF and raises LCOFI" },
		[PMU_DELIVER_EBB] = { RULE("C159"),
				      "sets OF and alerts the user who claimed "
				      "it, no interrupt" },
		[PMU_DELIVER_HELD] = { RULE("C159"),
				       "sets OF and is told to the client that "
				       "claimed it, no interrupt" },
		[PMU_DELIVER_OBSERVER] = { RULE("C159"),
					   "is told to an observer alone" },
	};
	enum pmu_delivery d = pmu_counter_delivery(t->pmu, t->index);
	bool quiet = d == PMU_DELIVER_EBB && !why->alerts;

	add(t, "overflow", by[d].rule,
	    "OF = 0: overflows after %" PRIu64 " more counts, which %s",
	    why->to_overflow,
	    quiet ? "sets OF and alerts nobody, for ebbctl.AE = 0"
		  : by[d].does);
}

static void tell_overflow(struct telling *t, const struct pmu_why *why)
{
	if (t->index < 3)
		add(t, "overflow", RULE("C127"),
		    "cycle and instret have no OF and raise no interrupt");
	else if (!(pmu_hart_config(t->pmu)->ext & PMU_EXT_SSCOFPMF))
		add(t, "overflow", RULE("C110"),
		    "without Sscofpmf there is no OF and no interrupt");
	else if (why->of)
		add(t, "overflow", RULE("C107"),
		    "OF = 1, set by %s: further overflows raise nothing",
		    why->hw_of ? "an overflow" : "software");
	else if (!why->to_overflow)
		add(t, "overflow", RULE("C107"),
		    "OF = 0: overflows after 2^64 more counts");
	else
		tell_delivery(t, why);
}

/* An interrupt of the same number that no counter has raised. */
static void tell_given(struct telling *t, const char *mode, const char *by,
		       bool hidden)
{
	add(t, "interrupt", RULE("C174"),
	    "software gives %s an LCOFI of its own, by %s%s", mode, by,
	    hidden ? "; hvictl.VTI = 1 hides VS-mode's" : "");
}

static void tell_lcofi(struct telling *t)
{
	struct pmu_why_lcofi why;
	char text[EXPLAIN_TEXT];

	pmu_lcofi_explain(t->pmu, &why);
	if (t->index < 3 || !why.exists)
		return;
	explain_lcofi(&why, t->fw, text);
	add(t, "interrupt", RULE("C111"), "%s", text);
	if (why.given_s)
		tell_given(t, "S", "mvip", false);
	if (why.passed)
		tell_given(t, "VS", "mvip and hideleg", why.vti);
	if (why.given_vs)
		tell_given(t, "VS", "hvip", why.vti);
}

/* May S-mode configure it by itself? */
static void tell_delegation(struct telling *t)
{
	struct pmu_why_delegation why;
	char bit[16];

	pmu_delegation_explain(t->pmu, t->index, &why);
	if (!why.exists)
		return;
	snprintf(bit, sizeof(bit), "[%u]", t->index);
	if (why.allowed)
		add(t, "delegation", why.rule,
		    "S-mode may configure it: siselect 0x%x", why.select);
	else
		add(t, "delegation", why.rule,
		    "S-mode may not configure it: %s%s%s = 0", why.closed_by,
		    why.field ? "." : bit, why.field ? why.field : "");
}

static const char *outcome(enum pmu_csr_result result)
{
	return result == PMU_CSR_VIRTUAL ? "a virtual-instruction"
					 : "an illegal-instruction";
}

/* Who may read the user CSR, and what keeps the others from it. */
static void tell_reads(struct telling *t, const struct pmu_why *why)
{
	for (int m = PMU_MODE_S; m < PMU_N_MODES; m++) {
		const struct pmu_why_mode *w = &why->mode[m];
		const char *name = pmu_mode_name((enum pmu_mode)m);

		if (!w->exists)
			continue;
		if (w->reads == PMU_CSR_OK)
			add(t, "read", RULE("C115"), "%s may read it", name);
		else if (w->denied_by)
			add(t, "read", RULE("C115"),
			    "a read from %s is %s exception: %s[%u] = 0", name,
			    outcome(w->reads), w->denied_by, t->index);
		else
			add(t, "read", RULE("C167"),
			    "a read from %s is %s exception: no such CSR", name,
			    outcome(w->reads));
	}
}

static void tell_mapping(struct telling *t, const struct fw_counter *fw)
{
	if (!fw->mapped) {
		add(t, "SBI", RULE("C54"), "no SBI call has configured it");
		return;
	}
	add(t, "SBI", RULE("C26"),
	    "configured for event_idx 0x%" PRIx32 " (event_data 0x%" PRIx64
	    ", flags 0x%" PRIx64 "), %s",
	    fw->event_idx, fw->event_data, fw->flags,
	    fw->started ? "started" : "stopped");
}

static void tell_row(struct telling *t)
{
	struct fw_counter_row row;

	if (fw_counter_row(t->fw, t->hart, t->index, &row))
		add(t, "map", RULE("C101"),
		    "row %u of %s in %s of the device tree gives it the event",
		    row.row, row.property, row.path);
}

static void tell_origin(struct telling *t, enum pmu_change change)
{
	static const char *const what[PMU_N_CHANGES] = {
		[PMU_CHANGE_VALUE] = "value",
		[PMU_CHANGE_EVENT] = "event and filters",
		[PMU_CHANGE_INHIBIT] = "mcountinhibit",
	};
	struct pmu_origin by = pmu_counter_origin(t->pmu, t->index, change);
	const char *csr = pmu_csr_name(t->pmu, by.csr), *call;
	struct explain_fact *f;

	switch (by.by) {
	case PMU_BY_RESET:
		add(t, "origin", NULL, "%s: as at reset", what[change]);
		break;
	case PMU_BY_GUEST:
		f = add(t, "origin", NULL,
			"%s: written by %s at pc 0x%" PRIx64 " through %s, "
			"cycle %" PRIu64,
			what[change], pmu_mode_name(by.mode), by.pc,
			csr ? csr : "?", by.cycle);
		f->has_pc = true;
		f->by = by;
		break;
	case PMU_BY_FIRMWARE:
		call = by.eid ? sbi_call_name(by.eid, by.fid) : NULL;
		add(t, "origin", NULL,
		    "%s: set by the firmware's %s, cycle "
		    "%" PRIu64,
		    what[change], call ? call : "boot", by.cycle);
		break;
	case PMU_BY_INSTRUMENT:
		add(t, "origin", NULL,
		    "%s: written by a client through %s, "
		    "cycle %" PRIu64,
		    what[change], csr ? csr : "?", by.cycle);
		break;
	case PMU_BY_SESSION:
		add(t, "origin", NULL,
		    "%s: set for EBB session %" PRIu32 ", cycle %" PRIu64,
		    what[change], by.session, by.cycle);
		break;
	}
}

static void tell_hardware(struct telling *t)
{
	struct fw_counter fw;
	struct pmu_why why;

	pmu_counter_explain(t->pmu, t->index, &why);
	t->ret->counts = why.counts;
	tell_existence(t, &why);
	if (!why.exists)
		return;
	tell_event(t, &why);
	tell_inhibit(t, &why);
	tell_claim(t, &why);
	for (int m = 0; m < PMU_N_MODES; m++)
		tell_mode(t, &why, (enum pmu_mode)m);
	tell_overflow(t, &why);
	tell_lcofi(t);
	tell_delegation(t);
	tell_reads(t, &why);
	if (t->fw && fw_counter_state(t->fw, t->hart, t->index, &fw)) {
		tell_mapping(t, &fw);
		tell_row(t);
	}
	for (int c = 0; c < PMU_N_CHANGES; c++)
		tell_origin(t, (enum pmu_change)c);
}

static void tell_firmware(struct telling *t, const struct fw_counter *fw)
{
	const struct fw_event_desc *event =
		fw_event_by_code(fw->event_idx & 0xffff);

	add(t, "existence", RULE("C7"),
	    "%u is a firmware counter of hart %u: read by SBI calls, no CSR",
	    t->index, t->hart);
	tell_mapping(t, fw);
	if (fw->mapped)
		add(t, "event", event ? event->rule : RULE("C44"),
		    "it counts %s while it is started: %s",
		    event ? event->name : "a platform's event",
		    event ? event->counts : "what its event_data names");
	t->ret->counts = fw->mapped && fw->started;
	t->ret->fact[1].hinders = !t->ret->counts;
	add(t, "overflow", RULE("C82"),
	    "it wraps after 2^64 and raises nothing");
}

/* "counts now", or the topics that keep it from that. */
static void summarise(struct telling *t)
{
	struct explain *x = t->ret;
	const char *before = ": ";
	size_t len;

	len = (size_t)snprintf(x->summary, sizeof(x->summary),
			       "counter %u of hart %u %s", t->index, t->hart,
			       x->counts ? "counts now" : "does not count now");
	for (unsigned i = 0; !x->counts && i < x->n; i++) {
		if (!x->fact[i].hinders || len >= sizeof(x->summary))
			continue;
		len += (size_t)snprintf(x->summary + len,
					sizeof(x->summary) - len, "%s%s",
					before, x->fact[i].text);
		before = "; and ";
	}
}

bool explain_counter(const struct machine *m, unsigned hart, unsigned index,
		     struct explain *ret, struct error *e)
{
	struct telling t = { .m = m, .hart = hart, .index = index, .ret = ret };
	struct fw_counter fw;
	uint32_t none = 0;

	*ret = (struct explain){ 0 };
	if (!inspect_csr_number(m, hart, NULL, &none, e))
		return false;
	if (index >= inspect_counters(m, hart))
		return error_set(e, ERROR_NOT_FOUND,
				 AT(PART_COUNTER, "NO_SUCH_COUNTER"),
				 "counter %u: hart %u has 0 to %u", index, hart,
				 inspect_counters(m, hart) - 1);
	t.pmu = machine_pmu(m, hart);
	t.fw = machine_firmware(m);
	if (t.fw && fw_counter_state(t.fw, hart, index, &fw) && fw.exists &&
	    fw.firmware)
		tell_firmware(&t, &fw);
	else
		tell_hardware(&t);
	tell_standstill(&t);
	summarise(&t);
	return true;
}
