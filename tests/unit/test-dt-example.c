/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The documentation's example of riscv,pmu, compiled by dtc: every cell is read
 * as it stands, and the firmware maps events by it.
 */
#include "fw-fixture.h"

#include <stdio.h>

#include "dt-faults.h"
#include "dt/dt-reader.h"

#define EXAMPLE_WARNING "/pmu: " SELECTS " row 1: SBI defines no such event "
#define ALL		UINT64_C(0xfffffffffffd)

static void *example(void)
{
	void *dtb = calloc(1, DT_SIZE);
	FILE *f = fopen(EXAMPLE_DTB, "rb");

	ck_assert(f && fread(dtb, 1, DT_SIZE, f) > 0);
	fclose(f);
	return dtb;
}

static const struct dt_range ranges[] = {
	{ 0x1, 0x1, 0x1 },
	{ 0x2, 0x2, 0x4 },
	{ 0x3, 0xa, 0xff8 },
	{ 0x10000, 0x10033, 0xff000 },
};

static const struct dt_raw raws[] = {
	{ 0x2, UINT64_MAX, 0xf8 },
	{ UINT64_C(0xfffffffffffffff0), UINT64_C(0xfffffffffffffff0), 0xff0 },
};

/* Accepted by both, with one warning. */
TEST_TIMES(every_cell_is_read, 2)
{
	void *dtb = example();
	struct faults faults;
	struct fw_dt *dt;
	const struct dt_map *map;

	shows(RULE("C100"));
	ck_assert_int_eq(faults_read(&dt, dtb, _i, &faults), 0);
	map = dt->map;
	ck_assert_uint_eq(map->n_selects, 1);
	ck_assert_uint_eq(map->selects[0].event_idx, 0xb);
	ck_assert_uint_eq(map->selects[0].select, 1);
	ck_assert_uint_eq(map->n_ranges, ARRAY_SIZE(ranges));
	for (unsigned i = 0; i < ARRAY_SIZE(ranges); i++)
		ck_assert(ranges[i].first == map->ranges[i].first &&
			  ranges[i].last == map->ranges[i].last &&
			  ranges[i].counters == map->ranges[i].counters);
	ck_assert_uint_eq(map->n_raws, ARRAY_SIZE(raws));
	for (unsigned i = 0; i < ARRAY_SIZE(raws); i++)
		ck_assert(raws[i].select == map->raws[i].select &&
			  raws[i].mask == map->raws[i].mask &&
			  raws[i].counters == map->raws[i].counters);
	ck_assert_str_eq(faults.text, "warning " EXAMPLE_WARNING "C100\n");
	fw_dt_free(dt);
	free(dtb);
}

static const struct example_row {
	const char *why;
	uint32_t idx;
	uint64_t data;
	int spec, opensbi; /* counter, or error */
} example_rows[] = {
	{ "cycles", 1, 0, 0, 0 },
	{ "instructions", 2, 0, 2, 2 },
	{ "branches, first of 0xff8", 5, 0, 3, 3 },
	{ "no hardware counts cache misses", 4, 0, -2, -2 },
	{ "nor L1D reads", 0x10000, 0, -2, -2 },
	{ "a general event that SBI lacks", 0xb, 0, -2, -3 },
	{ "raw 2, first of 0xf8", 0x20000, 2, 3, 3 },
	{ "raw 5 has no row", 0x20000, 5, -2, -2 },
	{ "raw bitmap that nothing counts", 0x30000,
	  UINT64_C(0xfffffffffffffff3), -2, -2 },
};

TEST_TIMES(events_get_the_counters_of_the_example, 2 * ARRAY_SIZE(example_rows))
{
	const struct example_row *row = &example_rows[_i / 2];
	void *dtb = example();
	struct opts o = { .profile = _i & 1, .dtb = dtb };
	int want = _i & 1 ? row->opensbi : row->spec;
	struct sbi_ret ret;
	struct bench b;

	bench_init(&b, &o);
	ret = PMU(&b, CFG, 0, ALL, 0, row->idx, row->data);
	ck_assert_msg(want < 0 ? ret.error == want
			       : !ret.error && (int)ret.value == want,
		      "%s", row->why);
	ck_assert_str_eq(fw_dt_warnings(b.fw), EXAMPLE_WARNING "(C100)\n");
	bench_fini(&b);
	free(dtb);
}

/* Counter that event @idx gets on @hart, or the error. */
static int counter_of(struct bench *b, unsigned hart, uint32_t idx)
{
	const uint64_t args[6] = { 0, ALL, 0, idx };
	struct sbi_ret ret = bench_call(b, hart, PMU_EID, CFG, args);

	return ret.error ? (int)ret.error : (int)ret.value;
}

static const struct hart_row {
	const char *why;
	unsigned hart;
	uint32_t idx;
	int spec, opensbi; /* counter, or error */
} hart_rows[] = {
	{ "its own node", 0, 5, 4, 4 },
	{ "another's", 1, 5, 6, 4 },
	{ "no node: no branches", 2, 5, -2, 4 },
	{ "no node: cycles on the fixed counter", 2, 1, 0, 0 },
	{ "no node: firmware events", 2, FW_TIMER, 32, 32 },
};

TEST_TIMES(each_hart_counts_by_its_own_node, 2 * ARRAY_SIZE(hart_rows))
{
	const struct hart_row *row = &hart_rows[_i / 2];
	static const struct dt_cpu cpus[] = {
		{ 0, "rv64i" },
		{ 1, "rv64i" },
		{ 2, "rv64i" },
	};
	static const struct dt_prop props[2][2] = {
		{ PROP("interrupts-extended", DT_INTC, 13),
		  PROP(RANGES, 5, 5, 0x30) },
		{ PROP("interrupts-extended", DT_INTC + 1, 13),
		  PROP(RANGES, 5, 5, 0xc0) },
	};
	void *dtb = dt_begin();
	struct opts o = { .profile = _i & 1, .n_harts = 3, .dtb = dtb };
	struct bench b;

	dt_cpus(dtb, cpus, 3);
	dt_pmu(dtb, "pmu-0", props[0], 2);
	dt_pmu(dtb, "pmu-1", props[1], 2);
	dt_end(dtb);
	shows(RULE("C100 C192"));
	bench_init(&b, &o);
	for (unsigned i = 1; i < 3; i++)
		fw_hart_boot(b.fw, i);
	ck_assert_msg(counter_of(&b, row->hart, row->idx) ==
			      (_i & 1 ? row->opensbi : row->spec),
		      "%s: %d", row->why, counter_of(&b, row->hart, row->idx));
	bench_fini(&b);
	free(dtb);
}

SUITE("dt-example");
