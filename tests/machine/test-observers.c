/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Samplers in whole runs of guests: the guest's own records are those of a run
 * without them; every sample is at the same place on whatever engine, beside
 * whatever other samplers, and where a counter of the guest's with the same
 * period overflows. Arguments: guests.
 */
#include <stdio.h>
#include <string.h>

#include <pmu/counter.h>

#include "../unit/unit.h"
#include "core/machine-read.h"
#include "core/sampler.h"
#include "guest-image.h"
#include "machine-fixture.h"

enum {
	ALL = (1 << PMU_N_MODES) - 1,
	WIDTH = 9, /* of the counter that is compared with */
	COUNTER = 31,
};

#define MODEL(id) (enum pmu_event)(PMU_EV_UARCH + (int)PMU_UA_##id)

static const struct machine_sampler samplers[] = {
	{ "instructions", PMU_EV_INSNS, ALL, 1 << WIDTH, true, true, 200 },
	{ "cycles", PMU_EV_CYCLES, ALL, 1 << WIDTH, false, false },
	{ "branches", PMU_EV_BRANCHES, ALL, 97, true, false },
	{ "loads", PMU_EV_LOADS, ALL & ~1u, 61, false, false },
	{ "stores", PMU_EV_STORES, ALL, 1, false, false },
	{ "exceptions", PMU_EV_EXCEPTIONS, ALL, 1, true, false },
	{ "interrupts", PMU_EV_INTERRUPTS, ALL, 2, true, false },
	/* these for guests with models */
	{ "L1-dcache-loads", MODEL(L1D_LOADS), ALL, 5, true, false },
	{ "L1-dcache-load-misses", MODEL(L1D_LOAD_MISSES), ALL, 1, false,
	  false },
	{ "L1-dcache-store-misses", MODEL(L1D_STORE_MISSES), ALL, 2, false,
	  true },
	{ "L1-icache-loads", MODEL(L1I_LOADS), ALL, 3, false, false },
	{ "branch-misses", MODEL(BRANCH_MISSES), ALL, 1, false, false },
};
enum {
	N_MODEL_SAMPLERS = 5,
	N_SAMPLERS = sizeof(samplers) / sizeof(samplers[0])
};

static const char *const engines[] = {
	"", "engines=2", "step-only=on", "engine=portable", "engine=check",
};

static char **paths;
static int n_paths;
static struct guest guest;
static struct fixture plain, seen;

static void setup(void)
{
}

static void teardown(void)
{
	fixture_fini(&plain);
	fixture_fini(&seen);
	guest_free(&guest);
}

/* How many there are for the guest. */
static unsigned n_samplers(void)
{
	uint64_t model;

	return guest_expects(&guest, "uarch", &model)
		       ? N_SAMPLERS
		       : N_SAMPLERS - N_MODEL_SAMPLERS;
}

static void start(struct fixture *ret, const char *settings)
{
	char all[128], text[GUEST_SETTINGS];
	struct fixture_config cfg;

	snprintf(all, sizeof(all), "max-insns=60000 max-cycles=200000 %s",
		 settings);
	guest_configure(&guest, all, text, &cfg);
	fixture_init(ret, &cfg);
	guest_type(ret);
	fixture_start(ret);
	machine_console_eof(ret->m);
}

/* Runs it with @n of @list. */
static void run(struct fixture *ret, const char *settings,
		const struct machine_sampler *list, size_t n)
{
	struct error e;

	start(ret, settings);
	ck_assert(machine_set_samplers(ret->m, list, n, &e));
	fixture_run(ret, 777, UINT32_MAX);
}

static bool is_sample(const Pmu__V1__Record *r, const char *event)
{
	return r->kind_case == PMU__V1__RECORD__KIND_SAMPLE &&
	       (!event || !strcmp(r->sample->event, event));
}

/* The next record from @i on that is a sample of @event, or with NULL none. */
static const Pmu__V1__Record *next(const Pmu__V1__Trace *t, size_t *i,
				   const char *event)
{
	while (*i < t->n_records) {
		const Pmu__V1__Record *r = t->records[(*i)++];

		if (event ? is_sample(r, event) : !is_sample(r, NULL))
			return r;
	}
	return NULL;
}

/* Sampler numbers are another thing. */
static bool same(const Pmu__V1__Record *a, const Pmu__V1__Record *b)
{
	static uint8_t x[1 << 18], y[1 << 18];
	size_t n;

	if (a->kind_case == PMU__V1__RECORD__KIND_SAMPLE)
		a->sample->sampler = b->sample->sampler = 0;
	n = pmu__v1__record__get_packed_size(a);
	if (n != pmu__v1__record__get_packed_size(b))
		return false;
	ck_assert_uint_le(n, sizeof(x));
	pmu__v1__record__pack(a, x);
	pmu__v1__record__pack(b, y);
	return !memcmp(x, y, n);
}

/* Records without samples are the same; samples of @event, too. */
static void compare(const char *event)
{
	Pmu__V1__Trace *a = fixture_trace(&plain), *b = fixture_trace(&seen);
	const Pmu__V1__Record *x, *y;
	size_t i = 0, j = 0, n = 0;

	do {
		x = next(a, &i, event);
		y = next(b, &j, event);
		ck_assert_msg(!x == !y && (!x || same(x, y)),
			      "%s: %s: record %zu", guest.name,
			      event ? event : "the guest's own", n);
		n++;
	} while (x);
	fixture_free_trace(a);
	fixture_free_trace(b);
}

TEST_TIMES(samplers_change_nothing_of_a_run, n_paths)
{
	guest_read(&guest, paths[_i]);
	run(&plain, "", NULL, 0);
	run(&seen, "", samplers, n_samplers());
	compare(NULL);
	ck_assert_uint_eq(fixture_status(&plain).cycle,
			  fixture_status(&seen).cycle);
}

/* The same when they come while it runs. */
TEST_TIMES(samplers_that_come_later_change_nothing, n_paths)
{
	struct error e;

	guest_read(&guest, paths[_i]);
	run(&plain, "", NULL, 0);
	start(&seen, "");
	fixture_run(&seen, 50, 3);
	ck_assert(machine_set_samplers(seen.m, samplers, n_samplers(), &e));
	fixture_run(&seen, 777, UINT32_MAX);
	compare(NULL);
	ck_assert_uint_eq(fixture_status(&plain).cycle,
			  fixture_status(&seen).cycle);
}

/* Code cannot count by itself where each instruction is told of. */
TEST_TIMES(the_engine_says_that_models_are_fed, n_paths)
{
	struct engine_piece before, after;
	const char *want;

	guest_read(&guest, paths[_i]);
	start(&seen, "");
	machine_engine_piece(seen.m, 0, &before);
	ck_assert(machine_set_samplers(seen.m, samplers, n_samplers(), NULL));
	fixture_run(&seen, 777, UINT32_MAX);
	machine_engine_piece(seen.m, 0, &after);
	want = before.off;
	if (!want && n_samplers() == N_SAMPLERS)
		want = "instructions are stepped, as models are fed";
	ck_assert_pstr_eq(after.off, want);
}

static unsigned n_samples(struct fixture *f)
{
	Pmu__V1__Trace *t = fixture_trace(f);
	unsigned n = 0;

	for (size_t i = 0; i < t->n_records; i++)
		n += is_sample(t->records[i], NULL);
	fixture_free_trace(t);
	return n;
}

/* Those of the machine that are taken away, and a session's that end. */
TEST_TIMES(samplers_that_went_leave_nothing, n_paths)
{
	unsigned own, both;
	struct error e;

	guest_read(&guest, paths[_i]);
	run(&plain, "", NULL, 0);
	start(&seen, "");
	fixture_run(&seen, 1000, 5);
	ck_assert(machine_set_samplers(seen.m, samplers, 7, &e));
	fixture_run(&seen, 1000, 5);
	ck_assert(machine_set_samplers(seen.m, NULL, 0, &e));
	own = n_samples(&seen);
	fixture_run(&seen, 1000, 5);
	ck_assert_uint_eq(n_samples(&seen), own);
	ck_assert(machine_start_sampling(seen.m, 7, samplers, 2, &e));
	ck_assert(machine_start_sampling(seen.m, 8, samplers, 1, &e));
	fixture_run(&seen, 1000, 5);
	both = machine_stop_sampling(seen.m, 7);
	both += machine_stop_sampling(seen.m, 8);
	ck_assert_uint_eq(n_samples(&seen), own + both);
	ck_assert_uint_eq(machine_stop_sampling(seen.m, 7), 0);
	fixture_run(&seen, 777, UINT32_MAX);
	ck_assert_uint_eq(n_samples(&seen), own + both);
	compare(NULL);
	ck_assert_uint_eq(fixture_status(&plain).cycle,
			  fixture_status(&seen).cycle);
}

/*
 * There is one instance of the models for all samplers, so who comes later
 * would make it cold for who is there: it is refused, and takes none away.
 */
TEST(models_are_sampled_for_one_at_a_time)
{
	const struct machine_sampler *const of_model = &samplers[7];
	struct error e;

	for (int i = 0; !guest.name[0] || !guest_is(&guest, "models"); i++) {
		ck_assert_int_lt(i, n_paths);
		guest_free(&guest);
		guest_read(&guest, paths[i]);
	}
	start(&seen, "");
	ck_assert(machine_set_samplers(seen.m, samplers, 2, &e));
	ck_assert(machine_start_sampling(seen.m, 7, of_model, 1, &e));
	ck_assert(!machine_start_sampling(seen.m, 8, of_model, 1, &e));
	ck_assert_str_eq(e.reason, "TOO_MANY");
	ck_assert(!machine_set_samplers(seen.m, of_model, 1, &e));
	ck_assert(machine_start_sampling(seen.m, 8, samplers, 1, &e));
	(void)machine_stop_sampling(seen.m, 7);
	ck_assert(machine_start_sampling(seen.m, 8, of_model, 1, &e));
	/* another of one's own */
	ck_assert(machine_start_sampling(seen.m, 8, of_model + 1, 1, &e));
	fixture_run(&seen, 777, UINT32_MAX);
}

/* When samplers come and go; beside totals, and where harts wait. */
static const struct visit_row {
	const char *settings;
	unsigned come, go; /* behind so many slices; 0: not */
} visit_rows[] = {
	{ "", 0, 3 },
	{ "", 3, 6 },
	{ "uarch-watch=on", 0, 0 },
	{ "uarch-watch=on", 3, 6 },
	{ "uarch-watch=on", 0, 3 },
};

static void visit(struct fixture *ret, const char *settings,
		  const struct visit_row *row)
{
	char all[80];
	struct error e;

	snprintf(all, sizeof(all), "%s %s", settings, row->settings);
	start(ret, all);
	fixture_run(ret, 50, row->come);
	ck_assert(machine_set_samplers(ret->m, samplers, n_samplers(), &e));
	if (row->go) {
		fixture_run(ret, 50, row->go);
		ck_assert(machine_set_samplers(ret->m, NULL, 0, &e));
	}
	fixture_run(ret, 777, UINT32_MAX);
}

TEST_TIMES(a_guest_does_not_see_who_comes_and_goes, (n_paths * 2))
{
	const char *timing = _i % 2 ? "uarch=tiny timing=inorder" : "";

	guest_read(&guest, paths[_i / 2]);
	run(&plain, timing, NULL, 0);
	for (unsigned i = 0; i < ARRAY_SIZE(visit_rows); i++) {
		visit(&seen, timing, &visit_rows[i]);
		compare(NULL);
		ck_assert_uint_eq(fixture_status(&plain).cycle,
				  fixture_status(&seen).cycle);
		fixture_fini(&seen);
		memset(&seen, 0, sizeof(seen));
	}
}

/*
 * They are cold when they come, whatever totals and the guest have seen. By
 * steps, a slice ends at the same instruction with models fed and without.
 */
TEST_TIMES(samples_are_the_same_beside_totals, n_paths)
{
	const struct visit_row with = { "uarch-watch=on", 3, 0 },
			       without = { "", 3, 0 };

	guest_read(&guest, paths[_i]);
	visit(&plain, "step-only=on", &without);
	visit(&seen, "step-only=on", &with);
	ck_assert(fixture_same(&plain, &seen));
}

TEST_TIMES(samples_are_the_same_on_every_engine, n_paths)
{
	guest_read(&guest, paths[_i]);
	run(&plain, engines[0], samplers, n_samplers());
	for (unsigned e = 1; e < ARRAY_SIZE(engines); e++) {
		run(&seen, engines[e], samplers, n_samplers());
		ck_assert_msg(fixture_same(&plain, &seen), "%s, %s", guest.name,
			      engines[e]);
		fixture_fini(&seen);
		memset(&seen, 0, sizeof(seen));
	}
}

TEST_TIMES(samples_are_the_same_beside_others, n_paths)
{
	guest_read(&guest, paths[_i]);
	run(&seen, "quantum=333", samplers, n_samplers());
	for (unsigned i = 0; i < n_samplers(); i++) {
		run(&plain, "quantum=333", &samplers[i], 1);
		compare(samplers[i].name);
		fixture_fini(&plain);
		memset(&plain, 0, sizeof(plain));
	}
}

/* What hart @h has had of the event of @selector, in all modes. */
static uint64_t had(const struct pmu_hart *h, uint64_t selector)
{
	enum pmu_event event = pmu_event_by_selector(selector)->event;
	uint64_t sum = 0;

	for (int mode = 0; mode < PMU_N_MODES; mode++)
		sum += pmu_hart_total(h, event, (enum pmu_mode)mode);
	return sum;
}

/*
 * A guest's counter that runs freely, and whose overflows software misses. It
 * is 0 when its hart has had none of the event, as a sampler's count is. HSM
 * starts a hart as at boot (C197), so a counter that it has cleared goes on
 * from where it would be.
 */
static void count_freely(struct fixture *f, uint64_t event)
{
	unsigned harts = machine_config(f->m)->harts;

	for (unsigned i = 0; i < harts; i++) {
		struct pmu_hart *h = (struct pmu_hart *)machine_pmu(f->m, i);

		if (pmu_counter_event(h, COUNTER) & PMU_EVENT_SELECTOR)
			continue;
		pmu_counter_set(h, COUNTER, had(h, event));
		pmu_counter_set_event(h, COUNTER, event);
		pmu_counter_set_inhibit(h, pmu_counter_inhibit(h) &
						   ~(1u << COUNTER));
		ck_assert_int_eq(pmu_counter_set_delivery(h, COUNTER,
							  PMU_DELIVER_OBSERVER),
				 0);
	}
}

static const struct counted_row {
	const char *event;
	uint64_t selector;
} counted_rows[] = {
	{ "instructions", 2 },
	{ "cycles", 1 },
};

/* Where a counter overflows, the next record of the hart's is its sample. */
static unsigned match(const Pmu__V1__Trace *t, const char *event)
{
	unsigned n = 0;
	size_t i = 0;

	for (size_t o = 0; o < t->n_records; o++) {
		const Pmu__V1__Record *a = t->records[o], *b;

		if (a->kind_case != PMU__V1__RECORD__KIND_OVERFLOW ||
		    a->overflow->counter != COUNTER)
			continue;
		b = next(t, &i, event);
		ck_assert_msg(b && a->cycle == b->cycle && a->insn == b->insn &&
				      a->hart == b->hart && a->pc == b->pc &&
				      a->satp == b->satp &&
				      a->privilege == b->privilege &&
				      a->overflow->last_pc ==
					      b->sample->last_pc,
			      "%s: %s: sample %u", guest.name, event, n);
		n++;
	}
	ck_assert_msg(!next(t, &i, event), "%s: more samples than overflows",
		      guest.name);
	return n;
}

TEST_TIMES(samples_are_where_a_counter_overflows, (n_paths * 2))
{
	const struct counted_row *row = &counted_rows[_i % 2];
	char text[GUEST_SETTINGS];
	struct fixture_config cfg;
	Pmu__V1__Trace *t;
	struct error e;

	guest_read(&guest, paths[_i / 2]);
	guest_configure(&guest,
			"max-insns=60000 max-cycles=200000 hpm-width=9 "
			"quantum=333",
			text, &cfg);
	fixture_init(&seen, &cfg);
	guest_type(&seen);
	ck_assert(machine_set_samplers(seen.m, samplers, n_samplers(), &e));
	fixture_start(&seen);
	machine_console_eof(seen.m);
	/* A slice ends where a hart is started, before that has a turn. */
	do {
		count_freely(&seen, row->selector);
		fixture_run(&seen, 1, 1);
	} while (fixture_state(&seen) == MACHINE_RUNNING);
	t = fixture_trace(&seen);
	match(t, row->event);
	fixture_free_trace(t);
}

TEST(samplers_that_cannot_be_are_refused)
{
	struct machine_sampler list[17];
	struct fixture_config cfg = { 0 };
	struct error e;

	for (unsigned i = 0; i < 17; i++)
		list[i] = samplers[0];
	fixture_init(&plain, &cfg);
	ck_assert(!machine_set_samplers(plain.m, list, 17, &e));
	ck_assert_str_eq(e.reason, "TOO_MANY");
	list[1].period = 0;
	ck_assert(!machine_set_samplers(plain.m, list, 2, &e));
	ck_assert_str_eq(e.reason, "BAD_VALUE");
	list[1] = samplers[0];
	list[1].modes = 0;
	ck_assert(!machine_set_samplers(plain.m, list, 2, &e));
	ck_assert(machine_set_samplers(plain.m, list, 1, &e));
	list[1].modes = ALL;
	ck_assert(!machine_start_sampling(plain.m, 1, list, 16, &e));
	ck_assert_str_eq(e.reason, "TOO_MANY");
	ck_assert(machine_start_sampling(plain.m, 1, list, 15, &e));
	ck_assert(!machine_start_sampling(plain.m, 2, list, 1, &e));
	ck_assert(!machine_set_samplers(plain.m, list, 2, &e));
	machine_stop_sampling(plain.m, 1);
	ck_assert(machine_start_sampling(plain.m, 2, list, 15, &e));
}

static void begin(int argc, char **argv)
{
	paths = argv + 1;
	n_paths = argc - 1;
}

SUITE("observers", .timeout = 120, .begin = begin, .setup = setup,
      .teardown = teardown);
