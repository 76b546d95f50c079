/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Why caches and TLBs missed, in whole runs of guests: a run with it is the run
 * without, its reasons make up the totals, its misses are those that samplers
 * find, and another machine that takes the state goes on with them. Arguments:
 * guests.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <pmu/model-events.h>

#include "../unit/unit.h"
#include "core/machine-read.h"
#include "core/miss-query.h"
#include "core/sampler.h"
#include "guest-image.h"
#include "machine-fixture.h"
#include "view/inspect.h"

enum {
	ALL = (1 << PMU_N_MODES) - 1,
	KEEP = 1024,
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

/* Cores and engines; a guest's own parts come before these. */
static const char *const cores[] = {
	"uarch=small",
	"uarch=large engines=2",
	"uarch=tiny step-only=on",
	"uarch=small l1d=4096:64:2:random:through prefetch=next",
	"uarch=small timing=inorder",
};

static void start(struct fixture *ret, const char *core, const char *more)
{
	char all[160], text[GUEST_SETTINGS];
	struct fixture_config cfg;

	snprintf(all, sizeof(all),
		 "max-insns=60000 max-cycles=200000 %s uarch-watch=on %s", core,
		 more);
	guest_configure(&guest, all, text, &cfg);
	fixture_init(ret, &cfg);
	guest_type(ret);
	fixture_start(ret);
	machine_console_eof(ret->m);
}

static void run(struct fixture *ret, const char *core, const char *more)
{
	start(ret, core, more);
	fixture_run(ret, 777, UINT32_MAX);
}

static unsigned n_harts(void)
{
	return machine_config(seen.m)->harts;
}

static uint64_t total(const struct fixture *f, unsigned hart,
		      enum pmu_event event, int mode)
{
	return inspect_total(f->m, hart, event, (enum pmu_mode)mode);
}

/* The events of misses that the machine has. */
static bool explained(const struct fixture *f, int event)
{
	return pmu_event_is_model((enum pmu_event)event) &&
	       pmu_uarch_is_miss(
		       (enum pmu_uarch_event)(event - PMU_EV_UARCH)) &&
	       inspect_has_total(f->m, (enum pmu_event)event);
}

static uint64_t all_reasons(unsigned hart, enum pmu_event event, int mode)
{
	uint64_t sum = 0;

	for (int r = 0; r < PMU_N_MISS_REASONS; r++)
		sum += machine_miss_sum(seen.m, hart, event,
					(enum pmu_mode)mode,
					(enum pmu_miss_reason)r);
	return sum;
}

/* Reasons of @event are all there is of it. */
static void check_sums(unsigned hart, enum pmu_event event)
{
	for (int m = 0; m < PMU_N_MODES; m++)
		ck_assert_msg(all_reasons(hart, event, m) ==
				      total(&seen, hart, event, m),
			      "%s: %s", guest.name,
			      pmu_event_desc(event)->name);
}

static void check_totals(unsigned hart, enum pmu_event event)
{
	for (int m = 0; m < PMU_N_MODES; m++)
		ck_assert_uint_eq(total(&plain, hart, event, m),
				  total(&seen, hart, event, m));
}

TEST_TIMES(explaining_changes_nothing_and_explains_all, (n_paths * 5))
{
	const char *core = cores[_i % 5];

	guest_read(&guest, paths[_i / 5]);
	run(&plain, core, "");
	run(&seen, core, "uarch-explain=3");
	ck_assert_msg(fixture_same(&plain, &seen), "%s, %s", guest.name, core);
	for (unsigned hart = 0; hart < n_harts(); hart++)
		for (int e = 0; e < PMU_N_EVENTS; e++) {
			check_totals(hart, (enum pmu_event)e);
			if (explained(&seen, e))
				check_sums(hart, (enum pmu_event)e);
		}
	ck_assert_uint_eq(fixture_status(&plain).cycle,
			  fixture_status(&seen).cycle);
}

/* Against samples */

static struct miss_query query_of(int event)
{
	return (struct miss_query){
		.event = (enum pmu_event)event,
		.modes = ALL,
		.harts = UINT64_MAX >> (64 - n_harts()),
	};
}

/* The next sample of @event from @i on; NULL: there is none. */
static const Pmu__V1__Record *next(const Pmu__V1__Trace *t, size_t *i,
				   const char *event)
{
	while (*i < t->n_records) {
		const Pmu__V1__Record *r = t->records[(*i)++];

		if (r->kind_case == PMU__V1__RECORD__KIND_SAMPLE &&
		    !strcmp(r->sample->event, event))
			return r;
	}
	return NULL;
}

/* How many events its samples stand for: two lines of one instruction are 2. */
static uint64_t sampled(const Pmu__V1__Trace *t, const char *event)
{
	const Pmu__V1__Record *r;
	uint64_t n = 0;
	size_t i = 0;

	while ((r = next(t, &i, event)))
		n += r->sample->periods;
	return n;
}

/* What leaves the engine is fetched before its cycle has passed. */
static bool is_then(const struct machine_miss *m, uint64_t cycle)
{
	return m->cycle == cycle ||
	       (m->what.access == PMU_MISS_FETCH && m->cycle + 1 == cycle);
}

/* The last of them, or @keep, are those that are kept. */
static void match(const Pmu__V1__Trace *t, int event, size_t keep)
{
	const char *name = pmu_event_desc((enum pmu_event)event)->name;
	static struct machine_miss kept[KEEP];
	struct miss_query q = query_of(event);
	size_t n = machine_misses(seen.m, &q, kept), i = 0;
	uint64_t before = sampled(t, name) - n, left = 0;
	const Pmu__V1__Record *r = NULL;

	ck_assert_uint_eq(n, sampled(t, name) < keep ? sampled(t, name) : keep);
	for (size_t k = 0; k < before + n; k++) {
		const struct machine_miss *m = kept + (k - before);

		if (!left) {
			r = next(t, &i, name);
			left = r->sample->periods;
		}
		left--;
		if (k < before)
			continue;
		ck_assert_msg(
			m->pc == r->sample->last_pc && m->hart == r->hart &&
				m->satp == r->satp && is_then(m, r->cycle),
			"%s: %s %zu: pc %" PRIx64 ", cycle %" PRIu64
			", and a sample at %" PRIx64 ", %" PRIu64,
			guest.name, name, k, m->pc, m->cycle,
			r->sample->last_pc, r->cycle);
	}
}

TEST_TIMES(misses_are_those_that_are_sampled, n_paths)
{
	struct machine_sampler list[PMU_N_MISS_EVENTS] = { 0 };
	const bool few = _i % 2;
	Pmu__V1__Trace *t;
	size_t n = 0;

	guest_read(&guest, paths[_i]);
	start(&seen, cores[_i % 5],
	      few ? "uarch-explain=3" : "uarch-explain=1024");
	for (int e = 0; e < PMU_N_EVENTS; e++) {
		if (!explained(&seen, e))
			continue;
		list[n] = (struct machine_sampler){ .event = (enum pmu_event)e,
						    .modes = ALL,
						    .period = 1 };
		snprintf(list[n].name, sizeof(list[n].name), "%s",
			 pmu_event_desc((enum pmu_event)e)->name);
		n++;
	}
	ck_assert(machine_set_samplers(seen.m, list, n, NULL));
	fixture_run(&seen, 777, UINT32_MAX);
	t = fixture_trace(&seen);
	for (size_t i = 0; i < n; i++)
		match(t, list[i].event, few ? 3 : KEEP);
	fixture_free_trace(t);
}

/* Which of them */

static bool same(const struct machine_miss *a, const struct machine_miss *b)
{
	return a->number == b->number && a->cycle == b->cycle &&
	       a->pc == b->pc && a->hart == b->hart && a->mode == b->mode &&
	       a->what.event == b->what.event &&
	       a->what.reason == b->what.reason &&
	       a->what.vaddr == b->what.vaddr &&
	       a->what.victim_line == b->what.victim_line;
}

/* All that @q chooses of the @n of one event; the last @q->limit. */
static size_t choose(const struct miss_query *q, const struct machine_miss *of,
		     size_t n, struct machine_miss *ret)
{
	size_t chosen = 0;

	for (size_t i = 0; i < n; i++)
		if (q->harts >> of[i].hart & 1 && q->modes >> of[i].mode & 1)
			ret[chosen++] = of[i];
	if (q->limit && chosen > q->limit) {
		memmove(ret, ret + chosen - q->limit, q->limit * sizeof(*ret));
		chosen = q->limit;
	}
	return chosen;
}

static void check_choice(const struct miss_query *q,
			 const struct machine_miss *all, size_t n)
{
	static struct machine_miss want[KEEP], got[KEEP];
	size_t wanted = choose(q, all, n, want);
	size_t found = machine_misses(seen.m, q, got);

	ck_assert_uint_eq(found, wanted);
	ck_assert_uint_le(found, machine_misses_most(seen.m, q));
	for (size_t i = 0; i < found; i++)
		ck_assert_msg(same(&got[i], &want[i]), "%s: %zu", guest.name,
			      i);
}

/* Where all of them are kept, each choice is of these. */
TEST_TIMES(a_query_chooses_harts_modes_and_the_last, n_paths)
{
	static struct machine_miss all[KEEP];

	guest_read(&guest, paths[_i]);
	run(&seen, cores[0], "uarch-explain=1024");
	for (int e = 0; e < PMU_N_EVENTS; e++) {
		struct miss_query q = query_of(e);
		size_t n = explained(&seen, e) ? machine_misses(seen.m, &q, all)
					       : KEEP;

		if (n == KEEP)
			continue;
		for (q.modes = 1; q.modes <= ALL; q.modes += 3)
			for (q.harts = 1; q.harts < 1u << n_harts(); q.harts++)
				for (q.limit = 0; q.limit < 4; q.limit++)
					check_choice(&q, all, n);
	}
}

/* Another machine */

TEST_TIMES(a_machine_that_takes_the_state_goes_on_explaining, (n_paths * 2))
{
	static struct machine_miss a[KEEP], b[KEEP];
	const char *core = cores[_i % 2 ? 4 : 0];

	guest_read(&guest, paths[_i / 2]);
	start(&plain, core, "uarch-explain=7");
	fixture_run(&plain, 50, 15);
	fixture_run(&plain, 777, UINT32_MAX);
	start(&seen, core, "uarch-explain=7");
	fixture_run(&seen, 50, 15);
	if (fixture_state(&seen) == MACHINE_RUNNING)
		fixture_move(&seen);
	fixture_run(&seen, 777, UINT32_MAX);
	for (int e = 0; e < PMU_N_EVENTS; e++) {
		struct miss_query q = query_of(e);
		size_t n;

		if (!explained(&seen, e))
			continue;
		n = machine_misses(seen.m, &q, a);
		ck_assert_uint_eq(machine_misses(plain.m, &q, b), n);
		for (size_t i = 0; i < n; i++)
			ck_assert_msg(same(&a[i], &b[i]), "%s: %zu", guest.name,
				      i);
		for (int r = 0; r < PMU_N_MISS_REASONS; r++)
			ck_assert_uint_eq(
				machine_miss_sum(plain.m, 0, q.event,
						 PMU_MODE_M,
						 (enum pmu_miss_reason)r),
				machine_miss_sum(seen.m, 0, q.event, PMU_MODE_M,
						 (enum pmu_miss_reason)r));
	}
}

/*
 * A reset leaves the caches cold, so nothing was ever held: each life of this
 * guest has the same misses, for the same reason.
 */
TEST(behind_a_reset_all_is_cold)
{
	static const uint32_t image[32] = {
		0x00000297, /* auipc t0, 0 */
		0x0402a303, /* lw t1, 64(t0) */
		0x001002b7, /* lui t0, 0x100: the finisher */
		0x00007337, /* lui t1, 0x7 */
		0x77730313, /* addi t1, t1, 0x777 */
		0x0062a023, /* sw t1, 0(t0) */
	};
	const struct fixture_config cfg = {
		.m_mode = true,
		.settings = "uarch=small uarch-watch=on uarch-explain=9 "
			    "reboot=on max-insns=20",
		.image = image,
		.image_size = sizeof(image),
		.address = 0x80000000,
	};
	const enum pmu_event event = pmu_event_of_model(PMU_UA_L1D_LOAD_MISSES);

	fixture_play(&seen, &cfg, 777);
	ck_assert_uint_ge(total(&seen, 0, event, PMU_MODE_M), 3);
	for (int e = 0; e < PMU_N_EVENTS; e++)
		if (explained(&seen, e))
			ck_assert_uint_eq(
				machine_miss_sum(seen.m, 0, (enum pmu_event)e,
						 PMU_MODE_M, PMU_MISS_COLD),
				total(&seen, 0, (enum pmu_event)e, PMU_MODE_M));
}

static void begin(int argc, char **argv)
{
	paths = argv + 1;
	n_paths = argc - 1;
}

SUITE("explained", .timeout = 120, .begin = begin, .setup = setup,
      .teardown = teardown);
