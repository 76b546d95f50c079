/* SPDX-License-Identifier: BSD-2-Clause */
/* daemon/server/wanted-records.c: which records a RecordFilter lets through. */
#include "unit.h"

#include <string.h>

#include "server/wanted-records.h"

static Pmu__V1__Overflow overflow;
static Pmu__V1__Trap trap;
static uint32_t some[4];

enum {
	OVERFLOW,
	TRAP,
	NOTHING
};

static const struct row {
	const char *why;
	int record;
	uint32_t hart, counter;
	bool want_overflows, want_traps;
	uint32_t harts, counters; /* how many of `some` */
	bool match;
} rows[] = {
	{ "no kind asked for means all", OVERFLOW, 0, 3, 0, 0, 0, 0, true },
	{ "and traps are among them", TRAP, 0, 0, 0, 0, 0, 0, true },
	{ "a kind asked for", OVERFLOW, 0, 3, 1, 0, 0, 0, true },
	{ "excludes the others", TRAP, 0, 0, 1, 0, 0, 0, false },
	{ "a hart of the list", TRAP, 2, 0, 0, 1, 2, 0, true },
	{ "a hart not in the list", TRAP, 3, 0, 0, 1, 2, 0, false },
	{ "a counter of the list", OVERFLOW, 0, 2, 1, 0, 0, 2, true },
	{ "a counter not in the list", OVERFLOW, 0, 3, 1, 0, 0, 2, false },
	{ "counters are no matter of traps", TRAP, 0, 0, 0, 0, 0, 2, true },
	{ "a hart that cannot be", TRAP, 64, 0, 0, 0, 0, 0, false },
	{ "a counter that cannot be", OVERFLOW, 0, 32, 0, 0, 0, 0, false },
	{ "the last hart that can be", TRAP, 63, 0, 0, 0, 0, 0, true },
	{ "the last counter that can be", OVERFLOW, 0, 31, 0, 0, 0, 0, true },
	{ "the last counter, in the list", OVERFLOW, 0, 31, 0, 0, 0, 3, true },
	{ "the last counter, not in it", OVERFLOW, 0, 31, 0, 0, 0, 2, false },
	{ "a record of no known kind", NOTHING, 0, 0, 0, 0, 0, 0, false },
};

static void fill(Pmu__V1__Record *r, const struct row *row)
{
	pmu__v1__record__init(r);
	r->hart = row->hart;
	r->cycle = 100;
	if (row->record == OVERFLOW) {
		pmu__v1__overflow__init(&overflow);
		overflow.counter = row->counter;
		r->kind_case = PMU__V1__RECORD__KIND_OVERFLOW;
		r->overflow = &overflow;
	} else if (row->record == TRAP) {
		r->kind_case = PMU__V1__RECORD__KIND_TRAP;
		r->trap = &trap;
	}
}

TEST_ROWS(a_filter_matches_what_it_names, rows)
{
	const struct row *row = &rows[_i];
	Pmu__V1__RecordFilter want = PMU__V1__RECORD_FILTER__INIT;
	Pmu__V1__Record r;
	struct wanted f;

	some[0] = 1;
	some[1] = 2;
	some[2] = 31;
	want.overflows = row->want_overflows;
	want.traps = row->want_traps;
	want.harts = want.counters = some;
	want.n_harts = row->harts;
	want.n_counters = row->counters;
	fill(&r, row);
	wanted_init(&f, &want);
	ck_assert_msg(wanted_match(&f, &r) == row->match, "%s", row->why);
}

TEST(a_session_is_told_of_what_concerns_it)
{
	Pmu__V1__RecordFilter want = PMU__V1__RECORD_FILTER__INIT;
	Pmu__V1__EbbDelivery told = PMU__V1__EBB_DELIVERY__INIT;
	Pmu__V1__Input input = PMU__V1__INPUT__INIT;
	Pmu__V1__EbbInput act = PMU__V1__EBB_INPUT__INIT;
	Pmu__V1__Record r[4];
	struct wanted f;

	fill(&r[0], &rows[0]);
	fill(&r[1], &rows[1]);
	r[3] = r[2] = r[1];
	r[2].kind_case = PMU__V1__RECORD__KIND_EBB_DELIVERY;
	r[2].ebb_delivery = &told;
	r[3].kind_case = PMU__V1__RECORD__KIND_INPUT;
	r[3].input = &input;
	for (uint32_t session = 1; session < 4; session++) {
		overflow.ebb = told.session = act.session = session;
		input.kind_case = PMU__V1__INPUT__KIND_EBB;
		input.ebb = &act;
		want.ebb_session = 2;
		wanted_init(&f, &want);
		for (int i = 0; i < 4; i++)
			ck_assert(wanted_match(&f, &r[i]) ==
				  (i != 1 && session == 2));
		input.kind_case = PMU__V1__INPUT__KIND__NOT_SET;
		ck_assert(!wanted_match(&f, &r[3]));
	}
	want.ebb_session = 0;
	want.ebb_deliveries = true;
	wanted_init(&f, &want);
	for (int i = 0; i < 4; i++)
		ck_assert(wanted_match(&f, &r[i]) == (i == 2));
}

TEST(a_filter_has_bounds_of_cycles)
{
	Pmu__V1__Record r;
	struct wanted f;

	fill(&r, &rows[0]);
	wanted_init(&f, NULL);
	ck_assert(wanted_match(&f, &r));
	f.first_cycle = f.last_cycle = 100;
	ck_assert(wanted_match(&f, &r));
	f.first_cycle = f.last_cycle = 101;
	ck_assert(!wanted_match(&f, &r));
	f.first_cycle = f.last_cycle = 99;
	ck_assert(!wanted_match(&f, &r));
}

SUITE("filter");
