/* SPDX-License-Identifier: BSD-2-Clause */
/* proto/wanted/wanted-records.c: which records a RecordFilter lets through. */
#include "unit.h"

#include <errno.h>
#include <string.h>

#include "wanted/wanted-records.h"

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
	{ "the first of the list", TRAP, 1, 0, 0, 1, 2, 0, true },
	{ "a hart not in the list", TRAP, 3, 0, 0, 1, 2, 0, false },
	{ "hart 0, not in the list", TRAP, 0, 0, 0, 1, 2, 0, false },
	{ "hart 0, beside one that cannot be", TRAP, 0, 0, 0, 1, 4, 0, false },
	{ "a counter of the list", OVERFLOW, 0, 2, 1, 0, 0, 2, true },
	{ "a counter not in the list", OVERFLOW, 0, 3, 1, 0, 0, 2, false },
	{ "counters are no matter of traps", TRAP, 0, 0, 0, 0, 0, 2, true },
	{ "a hart that cannot be", TRAP, 64, 0, 0, 0, 0, 0, false },
	{ "a counter that cannot be", OVERFLOW, 0, 32, 0, 0, 0, 0, false },
	{ "the last hart that can be", TRAP, 63, 0, 0, 0, 0, 0, true },
	{ "the last counter that can be", OVERFLOW, 0, 31, 0, 0, 0, 0, true },
	{ "the last counter, in the list", OVERFLOW, 0, 31, 0, 0, 0, 3, true },
	{ "the last counter, not in it", OVERFLOW, 0, 31, 0, 0, 0, 2, false },
	{ "a kind not known is among all", NOTHING, 0, 0, 0, 0, 0, 0, true },
	{ "and among no others", NOTHING, 0, 0, 1, 1, 0, 0, false },
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
	some[3] = WANTED_HARTS_MAX;
	want.overflows = row->want_overflows;
	want.traps = row->want_traps;
	want.harts = want.counters = some;
	want.n_harts = row->harts;
	want.n_counters = row->counters;
	fill(&r, row);
	ck_assert_int_eq(wanted_init(&f, &want), 0);
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
		ck_assert_int_eq(wanted_init(&f, &want), 0);
		for (int i = 0; i < 4; i++)
			ck_assert(wanted_match(&f, &r[i]) ==
				  (i != 1 && session == 2));
		input.kind_case = PMU__V1__INPUT__KIND__NOT_SET;
		ck_assert(!wanted_match(&f, &r[3]));
		want.ebb_session = session;
		ck_assert_int_eq(wanted_init(&f, &want), 0);
		ck_assert(!wanted_match(&f, &r[1]));
	}
	want.ebb_session = 0;
	want.ebb_deliveries = true;
	ck_assert_int_eq(wanted_init(&f, &want), 0);
	for (int i = 0; i < 4; i++)
		ck_assert(wanted_match(&f, &r[i]) == (i == 2));
}

/* Those of counters 1, 2 and 31, or all. */
static const struct delivery_row {
	const char *why;
	uint32_t counters;
	bool all, match;
} delivery_rows[] = {
	{ "one of those asked for is among them", 0x80000008, false, true },
	{ "none is", 0x18, false, false },
	{ "nothing overflowed", 0, false, false },
	{ "nothing overflowed, and nothing is asked for", 0, true, true },
	{ "any counter will do", 8, true, true },
};

TEST_ROWS(a_delivery_is_of_its_counters, delivery_rows)
{
	const struct delivery_row *row = &delivery_rows[_i];
	Pmu__V1__RecordFilter want = PMU__V1__RECORD_FILTER__INIT;
	Pmu__V1__Delivery delivery = PMU__V1__DELIVERY__INIT;
	Pmu__V1__Record r;
	struct wanted f;

	some[0] = 1;
	some[1] = 2;
	some[2] = 31;
	want.deliveries = true;
	want.counters = some;
	want.n_counters = row->all ? 0 : 3;
	fill(&r, &rows[0]);
	ck_assert_int_eq(wanted_init(&f, &want), 0);
	ck_assert(!wanted_match(&f, &r));
	r.kind_case = PMU__V1__RECORD__KIND_DELIVERY;
	r.delivery = &delivery;
	delivery.counters = row->counters;
	ck_assert_msg(wanted_match(&f, &r) == row->match, "%s", row->why);
}

TEST(a_filter_has_bounds_of_cycles)
{
	Pmu__V1__Record r;
	struct wanted f;

	fill(&r, &rows[0]);
	ck_assert_int_eq(wanted_init(&f, NULL), 0);
	ck_assert(wanted_match(&f, &r));
	f.first_cycle = f.last_cycle = 100;
	ck_assert(wanted_match(&f, &r));
	f.first_cycle = f.last_cycle = 101;
	ck_assert(!wanted_match(&f, &r));
	f.first_cycle = f.last_cycle = 99;
	ck_assert(!wanted_match(&f, &r));
}

/* Ranges that are asked for, and the addresses 0 to 12 that are in one. */
static const struct range_row {
	const char *why;
	struct wanted_range ranges[4];
	size_t n;
	uint32_t in;
} range_rows[] = {
	{ "none: anywhere", { { 0 } }, 0, 0x1fff },
	{ "one address", { { 5, 5 } }, 1, 0x0020 },
	{ "both ends are in it", { { 2, 4 } }, 1, 0x001c },
	{ "in any order", { { 9, 10 }, { 1, 2 } }, 2, 0x0606 },
	{ "that overlap", { { 4, 8 }, { 2, 5 } }, 2, 0x01fc },
	{ "one in another", { { 1, 11 }, { 3, 4 }, { 6, 7 } }, 3, 0x0ffe },
	{ "that meet", { { 3, 4 }, { 5, 6 }, { 1, 2 } }, 3, 0x007e },
	{ "to the last address", { { 12, UINT64_MAX } }, 1, 0x1000 },
	{ "backwards: nowhere", { { 7, 6 } }, 1, 0 },
	{ "backwards where one ends", { { 2, 9 }, { 9, 3 } }, 2, 0x03fc },
	{ "four", { { 0, 0 }, { 4, 4 }, { 2, 2 }, { 6, 6 } }, 4, 0x0055 },
};

TEST_ROWS(a_record_is_where_its_instruction_is, range_rows)
{
	const struct range_row *row = &range_rows[_i];
	Pmu__V1__RecordFilter want = PMU__V1__RECORD_FILTER__INIT;
	Pmu__V1__AddressRange ranges[4], *list[4];
	Pmu__V1__Record r;
	struct wanted f;

	for (size_t i = 0; i < row->n; i++) {
		pmu__v1__address_range__init(list[i] = &ranges[i]);
		ranges[i].first = row->ranges[i].first;
		ranges[i].last = row->ranges[i].last;
	}
	want.addresses = list;
	want.n_addresses = row->n;
	ck_assert_int_eq(wanted_init(&f, &want), 0);
	for (unsigned at = 0; at < 13; at++) {
		fill(&r, &rows[TRAP]);
		r.pc = at;
		ck_assert_msg(wanted_match(&f, &r) == (row->in >> at & 1),
			      "%s: %u", row->why, at);
		/* of an overflow, the instruction that overflowed */
		fill(&r, &rows[0]);
		r.pc = 99;
		overflow.last_pc = at;
		if (at)
			ck_assert(wanted_match(&f, &r) == (row->in >> at & 1));
	}
	wanted_fini(&f);
	ck_assert_uint_eq(f.n_ranges, 0);
	wanted_fini(&f);
}

/* Of sampling session 2, by the instruction that a sample is of. */
TEST(samples_are_of_their_session_and_of_their_instruction)
{
	Pmu__V1__Sample sample = PMU__V1__SAMPLE__INIT;
	Pmu__V1__Record r;
	struct wanted f;

	fill(&r, &rows[TRAP]);
	ck_assert_int_eq(wanted_init(&f, NULL), 0);
	f.session = 2;
	ck_assert(wanted_match(&f, &r));
	r.kind_case = PMU__V1__RECORD__KIND_SAMPLE;
	r.sample = &sample;
	for (uint32_t session = 1; session < 4; session++) {
		sample.session = session;
		f.session = 2;
		ck_assert(wanted_match(&f, &r) == (session == 2));
		f.session = WANTED_ANY;
		ck_assert(wanted_match(&f, &r));
	}
	r.pc = 8;
	ck_assert_uint_eq(wanted_place(&r), 8);
	sample.last_pc = 4;
	ck_assert_uint_eq(wanted_place(&r), 4);
}

static bool no_memory;
void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size)
{
	return no_memory ? NULL : __real_calloc(n, size);
}

TEST(a_filter_without_memory_is_none)
{
	Pmu__V1__RecordFilter want = PMU__V1__RECORD_FILTER__INIT;
	Pmu__V1__AddressRange one = PMU__V1__ADDRESS_RANGE__INIT;
	Pmu__V1__AddressRange *list[] = { &one };
	struct wanted f;
	int err;

	want.addresses = list;
	want.n_addresses = 1;
	no_memory = true;
	err = wanted_init(&f, &want);
	no_memory = false;
	ck_assert_int_eq(err, -ENOMEM);
	wanted_fini(&f);
}

TEST(there_are_so_many_ranges_and_no_more)
{
	Pmu__V1__RecordFilter want = PMU__V1__RECORD_FILTER__INIT;
	Pmu__V1__AddressRange one = PMU__V1__ADDRESS_RANGE__INIT;
	Pmu__V1__AddressRange *list[WANTED_RANGES_MAX + 1];
	struct wanted f;

	for (size_t i = 0; i <= WANTED_RANGES_MAX; i++)
		list[i] = &one;
	want.addresses = list;
	want.n_addresses = WANTED_RANGES_MAX;
	ck_assert_int_eq(wanted_init(&f, &want), 0);
	wanted_fini(&f);
	want.n_addresses++;
	ck_assert_int_eq(wanted_init(&f, &want), -E2BIG);
	wanted_fini(&f);
}

SUITE("filter");
