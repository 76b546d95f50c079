/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Summed samples in whole runs of guests: what a run of the same samplers says
 * one by one, added up for each instruction, hart, mode and space, and nothing
 * else of the trace is other than without them. Arguments: guests.
 */
#include <stdio.h>
#include <string.h>

#include "../unit/unit.h"
#include "core/machine-read.h"
#include "core/sampler.h"
#include "guest-image.h"
#include "machine-fixture.h"

enum {
	ALL = (1 << PMU_N_MODES) - 1,
	N_SAMPLERS = 4,
	MAX_SAMPLES = 1 << 17,
};

static const struct machine_sampler samplers[N_SAMPLERS] = {
	{ .name = "instructions",
	  .event = PMU_EV_INSNS,
	  .modes = ALL,
	  .period = 1 },
	{ .name = "cycles", .event = PMU_EV_CYCLES, .modes = ALL, .period = 7 },
	{ .name = "stores", .event = PMU_EV_STORES, .modes = ALL, .period = 1 },
	{ .name = "exceptions",
	  .event = PMU_EV_EXCEPTIONS,
	  .modes = ALL & ~1u,
	  .period = 1 },
};

static char **paths;
static int n_paths;
static struct guest guest;
static struct fixture one_by_one, summed;

static void setup(void)
{
	memset(&one_by_one, 0, sizeof(one_by_one));
	memset(&summed, 0, sizeof(summed));
}

static void teardown(void)
{
	fixture_fini(&one_by_one);
	fixture_fini(&summed);
	guest_free(&guest);
}

static void run(struct fixture *ret, bool sum, uint64_t slice, bool moves)
{
	char text[GUEST_SETTINGS];
	struct machine_sampler list[N_SAMPLERS];
	struct fixture_config cfg;
	struct error e;

	guest_configure(&guest, "max-insns=8000 max-cycles=30000", text, &cfg);
	fixture_init(ret, &cfg);
	guest_type(ret);
	fixture_start(ret);
	machine_console_eof(ret->m);
	memcpy(list, samplers, sizeof(list));
	for (unsigned i = 0; i < N_SAMPLERS; i++)
		list[i].summed = sum;
	ck_assert(machine_set_samplers(ret->m, list, N_SAMPLERS, &e));
	if (moves) {
		fixture_run(ret, 500, 4);
		fixture_move(ret);
	}
	fixture_run(ret, slice, UINT32_MAX);
}

/* What samples are added up by, and their sum. */
struct place {
	uint64_t pc, satp, periods;
	uint32_t sampler, hart;
	int privilege;
	uint32_t zero;
};

static int by_place(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	struct place p = *x, q = *y;

	p.periods = q.periods = 0;
	return memcmp(&p, &q, sizeof(p));
}

/* Those of a trace, added up, by place. Returns how many. */
static size_t add_up(const Pmu__V1__Trace *t, struct place *ret)
{
	size_t n = 0, kept = 0;

	for (size_t i = 0; i < t->n_records; i++) {
		const Pmu__V1__Record *r = t->records[i];

		if (r->kind_case != PMU__V1__RECORD__KIND_SAMPLE)
			continue;
		ck_assert_uint_lt(n, MAX_SAMPLES);
		ret[n++] = (struct place){
			.pc = r->sample->last_pc,
			.satp = r->satp,
			.periods = r->sample->periods,
			.sampler = r->sample->sampler,
			.hart = r->hart,
			.privilege = r->privilege,
		};
	}
	qsort(ret, n, sizeof(*ret), by_place);
	for (size_t i = 0; i < n; i++) {
		if (kept && !by_place(&ret[kept - 1], &ret[i]))
			ret[kept - 1].periods += ret[i].periods;
		else
			ret[kept++] = ret[i];
	}
	return kept;
}

static struct place *room(void)
{
	struct place *p = calloc(MAX_SAMPLES, sizeof(*p));

	ck_assert_ptr_nonnull(p);
	return p;
}

TEST_TIMES(sums_are_what_samples_add_up_to, n_paths)
{
	struct place *x = room(), *y = room();
	Pmu__V1__Trace *a, *b;
	uint64_t counted = 0;
	size_t n;

	guest_read(&guest, paths[_i]);
	run(&one_by_one, false, 1000, false);
	run(&summed, true, 333, false);
	a = fixture_trace(&one_by_one);
	b = fixture_trace(&summed);
	n = add_up(a, x);
	ck_assert_uint_gt(n, 10);
	ck_assert_uint_eq(n, add_up(b, y));
	for (size_t i = 0; i < n; i++) {
		ck_assert_msg(!memcmp(&x[i], &y[i], sizeof(*x)),
			      "%s: sampler %u at %#lx", guest.name,
			      x[i].sampler, (unsigned long)x[i].pc);
		if (!x[i].sampler)
			counted += x[i].periods;
	}
	ck_assert_uint_eq(counted, fixture_status(&summed).insn);
	fixture_free_trace(a);
	fixture_free_trace(b);
	free(x);
	free(y);
}

static bool is_sum(const Pmu__V1__Record *r)
{
	return r->kind_case == PMU__V1__RECORD__KIND_SAMPLE;
}

/* The next that is no sample, NULL: none. */
static const Pmu__V1__Record *next(const Pmu__V1__Trace *t, size_t *i)
{
	while (*i < t->n_records && is_sum(t->records[*i]))
		++*i;
	return *i < t->n_records ? t->records[(*i)++] : NULL;
}

TEST_TIMES(sums_come_before_the_stop_and_say_what_they_are, n_paths)
{
	Pmu__V1__Trace *a, *b;
	const Pmu__V1__Record *x, *y;
	size_t i = 0, j = 0;

	guest_read(&guest, paths[_i]);
	run(&one_by_one, false, 1000, false);
	run(&summed, true, 1000, false);
	a = fixture_trace(&one_by_one);
	b = fixture_trace(&summed);
	do {
		x = next(a, &i);
		y = next(b, &j);
		ck_assert(!x == !y);
		ck_assert(!x || (x->kind_case == y->kind_case &&
				 x->cycle == y->cycle && x->pc == y->pc));
	} while (x);
	for (i = 0; i < b->n_records && !is_sum(b->records[i]);)
		i++;
	for (; i + 1 < b->n_records; i++) {
		const Pmu__V1__Sample *s = b->records[i]->sample;

		ck_assert(is_sum(b->records[i]) && s->summed);
		ck_assert_uint_eq(b->records[i]->pc, s->last_pc);
		ck_assert_uint_eq(b->records[i]->cycle,
				  b->records[b->n_records - 1]->cycle);
		ck_assert_uint_eq(s->n_callers + s->n_registers, 0);
	}
	ck_assert_int_eq(b->records[i]->kind_case, PMU__V1__RECORD__KIND_STOP);
	fixture_free_trace(a);
	fixture_free_trace(b);
}

TEST_TIMES(sums_are_the_same_in_any_slices_and_after_a_move, n_paths)
{
	guest_read(&guest, paths[_i]);
	run(&one_by_one, true, 77, false);
	run(&summed, true, 5000, true);
	ck_assert(fixture_same(&one_by_one, &summed));
}

TEST(callers_are_not_summed)
{
	struct machine_sampler s = samplers[0];
	struct fixture_config cfg = { 0 };
	struct error e;

	fixture_init(&summed, &cfg);
	s.summed = s.callers = true;
	ck_assert(!machine_set_samplers(summed.m, &s, 1, &e));
	ck_assert_str_eq(e.reason, "BAD_VALUE");
	s.callers = false;
	s.registers = true;
	ck_assert(!machine_set_samplers(summed.m, &s, 1, &e));
	s.registers = false;
	ck_assert(machine_set_samplers(summed.m, &s, 1, &e));
}

static void begin(int argc, char **argv)
{
	paths = argv + 1;
	n_paths = argc - 1;
}

SUITE("sums", .timeout = 120, .begin = begin, .setup = setup,
      .teardown = teardown);
