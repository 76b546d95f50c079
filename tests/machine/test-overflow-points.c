/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where the n-th of every event is, and where it is told of: a guest is stepped
 * instruction by instruction, its totals are read behind each, and that list
 * says where each overflow of a counter and each sample must be, in whatever
 * mode of the engine and beside whoever else looks. Nothing of the list is by
 * limits or by overflows. Arguments: guests of one hart that take no interrupt
 * and have no use for counters from 7 on.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <pmu/counter.h>
#include <pmu/model-events.h>
#include <pmu/rule.h>

#include "../unit/unit.h"
#include "core/machine-read.h"
#include "core/sampler.h"
#include "guest-image.h"

enum {
	FIRST = 7,   /* of the counters that are used here */
	AT_ONCE = 5, /* events that are counted in one run */
	EACH = (PMU_N_COUNTERS - FIRST) / AT_ONCE, /* counters of each */
	GROUPS = (PMU_N_EVENTS + AT_ONCE - 1) / AT_ONCE,
	ENGINE_EVENTS = PMU_N_ENGINE_EVENTS + 1, /* of blocks, and cycles */
	MAX_STEPS = 20000,
	ALL = (1 << PMU_N_MODES) - 1,
};

/* Where the machine is behind a step, and what there was up to there. */
struct step {
	uint64_t pc, cycle, insn, last_pc;
	uint64_t total[PMU_N_EVENTS]; /* of all modes */
	uint64_t
		counted[PMU_N_EVENTS]; /* while the counters were not stopped */
};

static char **paths;
static int n_paths;
static struct guest guest;
static struct fixture f;
static struct step *steps;
static size_t n_steps;

static void setup(void)
{
	steps = calloc(MAX_STEPS + 1, sizeof(*steps));
	n_steps = 0;
}

static void teardown(void)
{
	fixture_fini(&f);
	guest_free(&guest);
	free(steps);
}

static struct pmu_hart *hart(void)
{
	return (struct pmu_hart *)machine_pmu(f.m, 0);
}

static bool is_counted(unsigned event)
{
	return event < PMU_N_EVENTS &&
	       pmu_counter_can(hart(), FIRST, (enum pmu_event)event);
}

/* A core with all parts, so small that they miss; a guest's own are instead. */
static const char parts[] =
	"l1i=64:16:1 l1d=128:64:1 llc=1024:64:2 itlb=1:1 dtlb=2:2 stlb=4:1 "
	"predictor=bimodal:8:2:1 prefetch=next";

/* A machine that stands before its first instruction. */
static void make(const char *settings)
{
	char all[256], text[GUEST_SETTINGS];
	struct fixture_config cfg;
	struct error e;

	snprintf(all, sizeof(all), "max-insns=%d max-cycles=200000 %s %s",
		 MAX_STEPS / 2, parts, settings);
	guest_configure(&guest, all, text, &cfg);
	fixture_init(&f, &cfg);
	ck_assert_msg(machine_start(f.m, true, &e), "%s", e.text);
}

/* One of a model: the guest's instance is fed from here on, for good. */
static void choose(unsigned counter, unsigned event, uint64_t value)
{
	pmu_counter_set_event(hart(), counter,
			      pmu_event_desc((enum pmu_event)event)->selector);
	pmu_counter_set(hart(), counter, value);
	PREPARING(ck_assert_int_eq(
		pmu_counter_set_delivery(hart(), counter, PMU_DELIVER_OBSERVER),
		0));
}

/* The list */

static void note_totals(struct step *to, const struct step *before,
			bool stopped)
{
	for (unsigned e = 0; e < PMU_N_EVENTS; e++) {
		for (unsigned m = 0; m < PMU_N_MODES; m++)
			to->total[e] += pmu_hart_total(
				hart(), (enum pmu_event)e, (enum pmu_mode)m);
		to->counted[e] = before->counted[e];
		if (!stopped)
			to->counted[e] += to->total[e] - before->total[e];
	}
}

/* One instruction, or the trap of one. */
static void take_step(void)
{
	const struct machine_step one = { .hart = 0, .trap_ends = true };
	bool stopped = pmu_counter_inhibit(hart()) >> FIRST & 1;
	uint64_t pc = machine_register(f.m, 0, ENGINE_PC);
	struct machine_status s;
	struct step *to = &steps[n_steps + 1];
	struct error e;

	ck_assert_msg(machine_step(f.m, &one, &e), "%s", e.text);
	fixture_run(&f, 1000000, UINT32_MAX);
	s = fixture_status(&f);
	*to = (struct step){ .pc = machine_register(f.m, 0, ENGINE_PC),
			     .cycle = s.cycle,
			     .insn = s.insn,
			     .last_pc = pc };
	note_totals(to, &steps[n_steps], stopped);
	n_steps++;
}

/* Of a run in which counters are told to count @events. */
static void list_steps(const unsigned *events, unsigned n)
{
	make("step-only=on");
	for (unsigned i = 0; i < n; i++)
		choose(FIRST, events[i], 0);
	do
		take_step();
	while (fixture_state(&f) == MACHINE_PAUSED && n_steps < MAX_STEPS);
	ck_assert_uint_lt(n_steps, MAX_STEPS);
	fixture_fini(&f);
}

/* By which step there were @n of @event, the counters' or all; NULL: none. */
static const struct step *step_of(unsigned event, uint64_t n, bool all)
{
	size_t low = 1, high = n_steps + 1;

	while (low < high) {
		size_t mid = (low + high) / 2;
		const struct step *s = &steps[mid];

		if ((all ? s->total[event] : s->counted[event]) < n)
			low = mid + 1;
		else
			high = mid;
	}
	return low <= n_steps ? &steps[low] : NULL;
}

/* Runs */

static const struct mode_row {
	const char *settings;
	uint64_t soft;
} mode_rows[] = {
	{ "", 1000000 },
	{ "engines=2", 997 },
	{ "engine=portable", 997 },
	{ "engine=check", 1000000 },
	{ "step-only=on", 1000000 },
};

/* Which of @event counter @i of its EACH overflows at: first and last ones. */
static uint64_t sought(unsigned event, unsigned i)
{
	const struct step *end = &steps[n_steps];
	uint64_t n = end->counted[event];

	switch (i) {
	case 0:
		return 1 + n / 7;
	case 1:
		return n ? n : 1;
	case 2:
		return n + 1; /* never */
	case 3:
		return 1 + n / 2;
	default:
		return 1 + n * (i - 3) / 5;
	}
}

static void same_place(const Pmu__V1__Record *r, const struct step *want,
		       uint64_t last_pc, const char *what, uint64_t n)
{
	ck_assert_msg(
		want && r->cycle == want->cycle && r->insn == want->insn &&
			r->pc == want->pc && last_pc == want->last_pc,
		"%s: %s, number %" PRIu64 ": at %#" PRIx64 " behind %#" PRIx64
		", cycle %" PRIu64 ", instead of %#" PRIx64 " behind %#" PRIx64
		", cycle %" PRIu64,
		guest.name, what, n, r->pc, last_pc, r->cycle,
		want ? want->pc : 0, want ? want->last_pc : 0,
		want ? want->cycle : 0);
}

/* The records of one counter: the one at its @n-th, if there is such a one. */
static void check_counter(const Pmu__V1__Trace *t, unsigned counter,
			  unsigned event, uint64_t n)
{
	const struct step *want = step_of(event, n, false);
	const char *name = pmu_event_desc((enum pmu_event)event)->name;
	unsigned found = 0;

	for (size_t i = 0; i < t->n_records; i++) {
		const Pmu__V1__Record *r = t->records[i];

		if (r->kind_case != PMU__V1__RECORD__KIND_OVERFLOW ||
		    r->overflow->counter != counter)
			continue;
		same_place(r, want, r->overflow->last_pc, name, n);
		found++;
	}
	ck_assert_msg(found == !!want, "%s: %s, number %" PRIu64 ": %u",
		      guest.name, name, n, found);
}

/* Those of sampler @sampler: one where each @period-th is. */
static void check_samples(const Pmu__V1__Trace *t, unsigned sampler,
			  unsigned event, uint64_t period)
{
	const char *name = pmu_event_desc((enum pmu_event)event)->name;
	uint64_t n = 0;

	for (size_t i = 0; i < t->n_records; i++) {
		const Pmu__V1__Record *r = t->records[i];

		if (r->kind_case != PMU__V1__RECORD__KIND_SAMPLE ||
		    r->sample->sampler != sampler)
			continue;
		same_place(r, step_of(event, n + period, true),
			   r->sample->last_pc, name, n + period);
		n += period * r->sample->periods;
	}
	ck_assert_msg(!step_of(event, n + period, true),
		      "%s: %s: no sample of number %" PRIu64, guest.name, name,
		      n + period);
}

static struct machine_sampler sampler_of(unsigned event, uint64_t period)
{
	return (struct machine_sampler){ .name = "one",
					 .event = (enum pmu_event)event,
					 .modes = ALL,
					 .period = period };
}

/* As many of @n events, with a prime as the period of each, and others. */
static void observe(const unsigned *events, unsigned n)
{
	static const uint64_t periods[AT_ONCE] = { 1, 3, 2, 7, 5 };
	struct machine_sampler list[AT_ONCE + 3];
	struct error e;

	for (unsigned i = 0; i < n; i++)
		list[i] = sampler_of(events[i], periods[i]);
	list[n] = sampler_of(PMU_EV_INSNS, 13);
	list[n + 1] = sampler_of(PMU_EV_CYCLES, 17);
	list[n + 2] = sampler_of(PMU_EV_LOADS, 1);
	ck_assert_msg(machine_set_samplers(f.m, list, n + 3, &e), "%s", e.text);
}

static void check_run(const unsigned *events, unsigned n, bool observed)
{
	static const uint64_t periods[AT_ONCE] = { 1, 3, 2, 7, 5 };
	Pmu__V1__Trace *t = fixture_trace(&f);

	ck_assert_uint_eq(fixture_status(&f).cycle, steps[n_steps].cycle);
	for (unsigned i = 0; i < n * EACH; i++)
		check_counter(t, FIRST + i, events[i / EACH],
			      sought(events[i / EACH], i % EACH));
	for (unsigned i = 0; observed && i < n; i++)
		check_samples(t, i, events[i], periods[i]);
	fixture_free_trace(t);
}

/* In mode @row: EACH counters of each of the @n events, which are counted. */
static void count(const unsigned *events, unsigned n,
		  const struct mode_row *row, bool observed)
{
	struct error e;

	make(row->settings);
	for (unsigned i = 0; i < n * EACH; i++)
		choose(FIRST + i, events[i / EACH],
		       -sought(events[i / EACH], i % EACH));
	if (observed)
		observe(events, n);
	ck_assert_msg(machine_resume(f.m, &e), "%s", e.text);
	fixture_run(&f, row->soft, UINT32_MAX);
	check_run(events, n, observed);
	fixture_fini(&f);
}

static void count_everywhere(const unsigned *events, unsigned n)
{
	for (unsigned i = 0; i < ARRAY_SIZE(mode_rows); i++) {
		count(events, n, &mode_rows[i], false);
		count(events, n, &mode_rows[i], true);
	}
}

/* What blocks count, and cycles: by themselves, as each has limits of its own.
 */
TEST_TIMES(an_event_of_the_engine_overflows_where_it_happens,
	   n_paths *ENGINE_EVENTS)
{
	unsigned event = (unsigned)_i % ENGINE_EVENTS;

	shows(RULE("C107 C176"));
	guest_read(&guest, paths[_i / ENGINE_EVENTS]);
	list_steps(&event, 1);
	count_everywhere(&event, 1);
}

/* Of the models that the guest has: all of them. */
TEST_TIMES(an_event_of_any_kind_overflows_where_it_happens, n_paths *GROUPS)
{
	unsigned first = (unsigned)_i % GROUPS * AT_ONCE, n = 0;
	unsigned events[AT_ONCE];

	shows(RULE("C107 C176"));
	guest_read(&guest, paths[_i / GROUPS]);
	make("");
	for (unsigned e = first; e < first + AT_ONCE; e++)
		if (is_counted(e))
			events[n++] = e;
	fixture_fini(&f);
	list_steps(events, n);
	count_everywhere(events, n);
}

static void begin(int argc, char **argv)
{
	n_paths = guest_paths(argc, argv, &paths);
}

SUITE("overflow-points", .timeout = 120, .begin = begin, .setup = setup,
      .teardown = teardown);
