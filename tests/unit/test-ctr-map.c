/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which counter an event gets: from rows of the tree, from platform hooks, and
 * without either. Selectors are those of libpmu: 1 cycles, 2 instructions, 5
 * branches.
 */
#include "fw-fixture.h"

#include "dt-fixture.h"

#define ALL UINT64_C(0xfffffffffffd)
#define NOT -2

#define ROW(item, text, props, idx, data, a, b, selected)                      \
	{                                                                      \
		item, text, props, idx, data, a, b, selected                   \
	}
#define USABLE(text, props, hpm, none, ok)                                     \
	{                                                                      \
		text, props, hpm, none, ok                                     \
	}

/* One call on a fresh machine: the counter it gets and what is selected. */
static const struct map_row {
	const char *rule, *why;
	struct dt_prop props[3];
	uint32_t idx;
	uint64_t data;
	int spec, opensbi;
	uint64_t select; /* low 56 bits of its mhpmevent */
} map_rows[] = {
	ROW(RULE("C99"), "no row: the event itself",
	    PROPS(PROP(RANGES, 5, 5, 0x20)), 5, 0, 5, 5, 5),
	ROW(RULE("C99"), "a row",
	    PROPS(PROP(SELECTS, 0x10000, 0, 5),
		  PROP(RANGES, 0x10000, 0x10001, 0x40)),
	    0x10000, 0, 6, 6, 5),
	ROW(RULE("C99"), "the second of two rows",
	    PROPS(PROP(SELECTS, 5, 0, 2, 0x10000, 0, 5),
		  PROP(RANGES, 0x10000, 0x10001, 0x40)),
	    0x10000, 0, 6, 6, 5),
	ROW(RULE("C99"), "a row of 0: the event itself",
	    PROPS(PROP(SELECTS, 5, 0, 0), PROP(RANGES, 5, 5, 0x40)), 5, 0, 6, 6,
	    5),
	ROW(RULE("C99"), "64 bits",
	    PROPS(PROP(SELECTS, 5, 1, 2), PROP(RANGES, 5, 5, 0x40)), 5, 0, NOT,
	    NOT, 0),
	ROW(RULE("C194"), "DTLB read misses",
	    PROPS(PROP(SELECTS, 0x10019, 0, 5),
		  PROP(RANGES, 0x10019, 0x10019, 0x40)),
	    0x10019, 0, 6, 6, 5),
	ROW(RULE("C194"), "DTLB read accesses, no row",
	    PROPS(PROP(SELECTS, 0x10019, 0, 5),
		  PROP(RANGES, 0x10019, 0x10019, 0x40)),
	    0x10018, 0, NOT, NOT, 0),
	ROW(RULE("C20"), "no event, with a row",
	    PROPS(PROP(SELECTS, 0, 0, 5), PROP(RANGES, 0, 5, 0x20)), 0, 0, NOT,
	    NOT, 0),
	ROW(RULE("C102"), "no such row", PROPS(PROP(RANGES, 5, 5, 0x20)), 4, 0,
	    NOT, NOT, 0),
	ROW(RULE("C178"), "nothing counts the selector",
	    PROPS(PROP(RANGES, 3, 10, 0xff8)), 3, 0, NOT, NOT, 0),
	ROW(RULE("C102"), "bit 1", PROPS(PROP(RANGES, 1, 5, 0x82)), 5, 0, 7, 7,
	    5),
	ROW(RULE("C27"), "bits 0 and 2", PROPS(PROP(RANGES, 1, 5, 0x85)), 5, 0,
	    7, 7, 5),
	ROW(RULE("C24"), "cycles in the row", PROPS(PROP(RANGES, 1, 1, 0x81)),
	    1, 0, 7, 7, 1),
	ROW(RULE("C102"), "cycles on 0 alone", PROPS(PROP(RANGES, 1, 1, 1)), 1,
	    0, 0, 0, 0),
	ROW(RULE("C86"), "cycles without a row", PROPS(PROP(RANGES, 5, 5, 8)),
	    1, 0, 0, 0, 0),
	ROW(RULE("C42"), "raw, the row",
	    PROPS(PROP(RAWS, 0, 2, ~0u, ~0u, 0x30)), 0x20000, 2, 4, 4, 2),
	ROW(RULE("C42"), "raw, another",
	    PROPS(PROP(RAWS, 0, 2, ~0u, ~0u, 0x30)), 0x20000, 1, NOT, NOT, 0),
	ROW(RULE("C42"), "raw, masked",
	    PROPS(PROP(RAWS, 0, 0, ~0u, 0xfffffff8, 0x30)), 0x30000, 5, 4, 4,
	    5),
	ROW(RULE("C42"), "raw, two rows, the first",
	    PROPS(PROP(RAWS, 0, 2, ~0u, ~0u, 0x30, 0, 0, ~0u, ~15u, 0xf8)),
	    0x20000, 2, 4, 4, 2),
	ROW(RULE("C42"), "raw, two rows, the second",
	    PROPS(PROP(RAWS, 0, 2, ~0u, ~0u, 0x30, 0, 0, ~0u, ~15u, 0xf8)),
	    0x20000, 1, 3, 3, 1),
	ROW(RULE("C40"), "raw, bits that are ignored",
	    PROPS(PROP(RAWS, 0xffff0000, 2, ~0u, ~0u, 0x30)), 0x20000, 2, 4, 4,
	    2),
	ROW(RULE("C192"), "raw in ranges only", PROPS(PROP(RANGES, 1, 5, 8)),
	    0x20000, 2, NOT, NOT, 0),
};

static struct sbi_ret configure(struct bench *b, uint32_t idx, uint64_t data)
{
	return PMU(b, CFG, 0, ALL, 0, idx, data);
}

TEST_TIMES(rows_decide, 2 * ARRAY_SIZE(map_rows))
{
	const struct map_row *row = &map_rows[_i / 2];
	int want = _i & 1 ? row->opensbi : row->spec;
	void *dtb = dt_make(row->props, ARRAY_SIZE(row->props));
	struct opts o = { .profile = _i & 1, .dtb = dtb };
	struct sbi_ret ret;
	struct bench b;

	shows(row->rule);
	bench_init(&b, &o);
	ret = configure(&b, row->idx, row->data);
	ck_assert_msg(want < 0 ? ret.error == want
			       : !ret.error && (int)ret.value == want,
		      "%s, %s: %d %d", row->why, _i & 1 ? "opensbi" : "spec",
		      (int)ret.error, (int)ret.value);
	if (want >= 3)
		ck_assert_uint_eq(
			pmu_counter_event(b.harts[0], (unsigned)want) &
				UINT64_MAX >> 8,
			row->select);
	bench_fini(&b);
	free(dtb);
}

/* Example 1 of the bindings, filters on cycle missing. */
TEST_TIMES(cycles_on_0_alone_without_filters, 2)
{
	const struct dt_prop props[] = { { RANGES, CELLS(1, 1, 1) } };
	void *dtb = dt_make(props, 1);
	struct opts o = { .profile = _i,
			  .dtb = dtb,
			  .without = PMU_EXT_SMCNTRPMF };
	struct bench b;

	shows(RULE("C102"));
	bench_init(&b, &o);
	ck_assert_int_eq(configure(&b, 1, 0).error, _i ? NOT : 0);
	bench_fini(&b);
	free(dtb);
}

/* A row whose counters are busy makes way for the next. */
TEST(a_busy_row_makes_way)
{
	const struct dt_prop props[] = { { RAWS, CELLS(0, 2, ~0u, ~0u, 0x30, 0,
						       0, ~0u, ~15u, 0xf8) } };
	static const unsigned want[] = { 4, 5, 3, 6, 7 };
	void *dtb = dt_make(props, 1);
	struct opts o = { .dtb = dtb };
	struct bench b;

	shows(RULE("C42"));
	bench_init(&b, &o);
	for (unsigned i = 0; i < ARRAY_SIZE(want); i++)
		ck_assert_uint_eq(configure(&b, 0x20000, 2).value, want[i]);
	ck_assert_int_eq(configure(&b, 0x20000, 2).error, NOT);
	bench_fini(&b);
	free(dtb);
}

/* Of several rows that match, the one that has the counter. */
TEST(a_counter_knows_its_row)
{
	const struct dt_prop props[] = {
		{ RANGES, CELLS(1, 2, 0x85, 5, 5, 0x100) },
		{ RAWS, CELLS(0, 2, ~0u, ~0u, 0x30, 0, 0, ~0u, ~15u, 0xf8) },
	};
	static const struct {
		uint32_t idx, data;
		unsigned counter, row;
		const char *property;
	} want[] = {
		{ 5, 0, 8, 2, RANGES },	    { 0x20000, 2, 4, 1, RAWS },
		{ 0x20000, 2, 5, 1, RAWS }, { 0x20000, 2, 3, 2, RAWS },
		{ 0x20000, 2, 6, 2, RAWS },
	};
	void *dtb = dt_make(props, ARRAY_SIZE(props));
	struct opts o = { .dtb = dtb };
	struct bench b;

	shows(RULE("C42 C102"));
	bench_init(&b, &o);
	for (unsigned i = 0; i < ARRAY_SIZE(want); i++) {
		struct fw_counter_row row = { 0 };

		ck_assert(!fw_counter_row(b.fw, 0, want[i].counter, &row));
		ck_assert_uint_eq(
			configure(&b, want[i].idx, want[i].data).value,
			want[i].counter);
		ck_assert(fw_counter_row(b.fw, 0, want[i].counter, &row));
		ck_assert_str_eq(row.path, "/pmu");
		ck_assert_str_eq(row.property, want[i].property);
		ck_assert_uint_eq(row.row, want[i].row);
	}
	ck_assert(!fw_counter_row(b.fw, 1, 4, &(struct fw_counter_row){ 0 }));
	/* cycle and instret need no row, and have none where one would do */
	for (unsigned n = 0; n <= 2; n += 2) {
		const uint32_t event = n ? 2 : 1;

		ck_assert_uint_eq(PMU(&b, CFG, n, 1, 0, event).value, n);
		ck_assert(!fw_counter_row(b.fw, 0, n,
					  &(struct fw_counter_row){ 0 }));
	}
	bench_fini(&b);
	free(dtb);
}

/* Counters that a hart lacks are in no row. */
TEST(absent_counters_are_left_out)
{
	const struct dt_prop props[] = { { RANGES, CELLS(2, 2, 0xfff8) } };
	void *dtb = dt_make(props, 1);
	struct opts o = { .dtb = dtb, .hpm_mask = 0x2100 };
	struct sbi_ret ret;
	struct bench b;

	shows(RULE("C10 C102"));
	bench_init(&b, &o);
	ret = PMU(&b, CFG, 8, 0x21, 0, 2);
	ck_assert_uint_eq(ret.value, 8);
	ret = PMU(&b, CFG, 8, 0x21, 0, 2);
	ck_assert_uint_eq(ret.value, 13);
	ck_assert_int_eq(PMU_ERR(&b, CFG, 8, 0x21, 0, 2), NOT);
	bench_fini(&b);
	free(dtb);
}

static const struct usable_row {
	const char *why;
	struct dt_prop props[2];
	uint32_t hpm_mask;
	bool no_node, usable;
} usable_rows[] = {
	USABLE("a range", PROPS(PROP(RANGES, 5, 5, 8)), 0, false, true),
	USABLE("cycles on 0", PROPS(PROP(RANGES, 1, 1, 1)), 0, false, true),
	USABLE("instructions on 2", PROPS(PROP(RANGES, 1, 9, 4)), 0, false,
	       true),
	USABLE("instructions alone on 2", PROPS(PROP(RANGES, 2, 2, 4)), 0,
	       false, true),
	USABLE("instructions on 0", PROPS(PROP(RANGES, 2, 2, 1)), 0, false,
	       false),
	USABLE("cycles on 2", PROPS(PROP(RANGES, 1, 1, 4)), 0, false, false),
	USABLE("time", PROPS(PROP(RANGES, 1, 9, 2)), 0, false, false),
	USABLE("branches on 0", PROPS(PROP(RANGES, 5, 5, 1)), 0, false, false),
	USABLE("absent counters", PROPS(PROP(RANGES, 5, 5, 8)), 0x10, false,
	       false),
	USABLE("a raw row", PROPS(PROP(RAWS, 0, 1, ~0u, ~0u, 8)), 0, false,
	       true),
	USABLE("an empty node", PROPS(NO_PROP), 0, false, false),
	USABLE("no node", PROPS(NO_PROP), 0, true, false),
};

/* Without a usable row spec has no PMU; opensbi always has. */
TEST_TIMES(a_pmu_needs_a_usable_row, 2 * ARRAY_SIZE(usable_rows))
{
	const struct usable_row *row = &usable_rows[_i / 2];
	void *dtb = dt_make(row->no_node ? NULL : row->props,
			    ARRAY_SIZE(row->props));
	bool want = row->usable || _i & 1;
	struct opts o = { .profile = _i & 1,
			  .dtb = dtb,
			  .hpm_mask = row->hpm_mask };
	struct bench b;

	shows(RULE("C192"));
	bench_init(&b, &o);
	ck_assert_msg(CALL(&b, BASE_EID, 3, PMU_EID).value == want, "%s",
		      row->why);
	for (unsigned fid = 0; fid < N_PMU_FIDS; fid++)
		ck_assert((PMU(&b, fid, 0).error == NOT) == !want);
	/* Firmware counters need no row. */
	ck_assert_int_eq(
		PMU_ERR(&b, CFG, fw_num_counters(b.fw, 0) - 16, 1, 0, FW_TIMER),
		want ? 0 : NOT);
	bench_fini(&b);
	free(dtb);
}

/* A node that is for other harts maps nothing here. */
TEST(a_pmu_needs_a_node_of_some_hart)
{
	const struct dt_cpu cpus[] = { { 7, "rv64i" } };
	const struct dt_prop props[] = { PROP(RANGES, 1, 9, 8),
					 PROP("interrupts-extended",
					      DT_INTC + 7, 13) };
	void *dtb = dt_begin();
	struct opts o = { .dtb = dtb };
	struct bench b;

	shows(RULE("C192"));
	dt_cpus(dtb, cpus, 1);
	dt_pmu(dtb, "pmu", props, 2);
	dt_end(dtb);
	bench_init(&b, &o);
	ck_assert_uint_eq(CALL(&b, BASE_EID, 3, PMU_EID).value, 0);
	bench_fini(&b);
	free(dtb);
}

static bool map_all(void *platform, uint32_t idx, uint64_t data,
		    uint32_t *ret_counters, uint64_t *ret_select)
{
	*ret_counters = 8;
	*ret_select = 2;
	return true;
}

/* Hooks are asked for what they may map, and for nothing else. */
static const struct hook_row {
	const char *rule, *why;
	unsigned base;
	uint32_t idx;
	uint64_t data;
	int want;
} hook_rows[] = {
	{ RULE("C41"), "raw data that is no selector", 3, 0x20000, 0x12345, 3 },
	{ RULE("C41"), "raw data 0", 3, 0x20000, 0, NOT },
	{ RULE("C21"), "a cache event", 3, 0x10000, 0, 3 },
	{ RULE("C21"), "data of a cache event", 3, 0x10000, 1, NOT },
	{ RULE("C21"), "data of a general event", 3, 1, 1, NOT },
	{ RULE("C25"), "a counter that is not in the set", 4, 0x10000, 0, NOT },
};

TEST_ROWS(hooks_map_what_is_an_event, hook_rows)
{
	static const struct fw_platform_ops ops = { .map_event = map_all };
	const struct hook_row *row = &hook_rows[_i];
	struct opts o = { .platform = &ops };
	struct sbi_ret ret;
	struct bench b;

	shows(row->rule);
	bench_init(&b, &o);
	ret = PMU(&b, CFG, row->base, 1, 0, row->idx, row->data);
	ck_assert_msg((ret.error ? ret.error : (int64_t)ret.value) == row->want,
		      "%s", row->why);
	bench_fini(&b);
}

static bool map_event(void *platform, uint32_t idx, uint64_t data,
		      uint32_t *ret_counters, uint64_t *ret_select)
{
	*ret_counters = idx == 0x20000 ? 0xff : 0x60;
	*ret_select = idx == 0x20000 ? data : 2;
	return idx != 5;
}

/* Hooks map instead of a tree, and lose to its node. */
TEST_TIMES(hooks_map_events, 3)
{
	static const struct fw_platform_ops ops = { .map_event = map_event };
	const struct dt_prop props[] = { { RANGES, CELLS(5, 5, 8) } };
	void *dtb = dt_make(_i == 1 ? NULL : props, 1);
	struct opts o = { .platform = &ops, .dtb = _i ? dtb : NULL };
	bool hooks = _i < 2;
	struct bench b;

	bench_init(&b, &o);
	ck_assert_int_eq(configure(&b, 5, 0).error, hooks ? NOT : 0);
	ck_assert_int_eq(configure(&b, 9, 0).error, hooks ? 0 : NOT);
	ck_assert_int_eq(configure(&b, 0x20000, 5).error, hooks ? 0 : NOT);
	if (hooks) {
		ck_assert_uint_eq(pmu_counter_event(b.harts[0], 5) & 0xff, 2);
		ck_assert_uint_eq(pmu_counter_event(b.harts[0], 3) & 0xff, 5);
	}
	bench_fini(&b);
	free(dtb);
}

TEST_TIMES(identity_asks_the_counters, 2)
{
	struct opts o = { .profile = _i };
	struct bench b;

	bench_init(&b, &o);
	ck_assert_uint_eq(configure(&b, 5, 0).value, 3);
	ck_assert_uint_eq(configure(&b, 0x20000, 5).value, 4);
	ck_assert_uint_eq(configure(&b, 0x30000, 0x100000).error == 0,
			  pmu_event_by_selector(0x100000) != NULL);
	ck_assert_int_eq(configure(&b, 3, 0).error, NOT);
	bench_fini(&b);
}

SUITE("ctr-map");
