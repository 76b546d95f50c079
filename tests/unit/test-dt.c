/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rows of a riscv,pmu node: which are good, what is said of those that are not
 * and where, and what each profile keeps.
 */
#include <string.h>

#include <pmu/rule.h>

#include "dt-faults.h"
#include "dt/dt-reader.h"

#define S SELECTS
#define G RANGES
#define W RAWS

static struct faults faults;
static struct fw_dt *dt;

static void teardown(void)
{
	fw_dt_free(dt);
	dt = NULL;
}

static int read_tree(void *dtb, enum fw_profile profile)
{
	int err = faults_read(&dt, dtb, profile, &faults);

	if (!err && dt)
		ck_assert_uint_eq(dt->n_maps, 1);
	return err;
}

static const struct fault_row {
	const char *rule;
	struct dt_prop props[3];
	const char *want; /* each "LEVEL /pmu: " left out */
	unsigned spec[3]; /* selects, ranges, raws; 99: refused */
	unsigned opensbi[3];
} fault_rows[] = {
#define KEPT(s, g, w)                                                          \
	{                                                                      \
		s, g, w                                                        \
	}
#define NOTHING KEPT(99, 99, 99)
	{ RULE("C101"), PROPS(PROP(G, 5, 3, 8)),
	  G " row 1: the first event is above the last C101\n", NOTHING,
	  KEPT(0, 0, 0) },
	{ RULE("C101"), PROPS(PROP(G, 4, 4, 8, 6, 5, 8)),
	  G " row 2: the first event is above the last C101\n", NOTHING,
	  KEPT(0, 1, 0) },
	{ RULE("C101"), PROPS(PROP(G, 1, 1, 1, 0x20000, 0x20000, 8)),
	  G " row 2: a raw event has no place here C101\n", NOTHING,
	  KEPT(0, 1, 0) },
	{ RULE("C101"), PROPS(PROP(G, 1, 0xf0000, 8)),
	  G " row 1: a raw event has no place here C101\n", NOTHING,
	  KEPT(0, 0, 0) },
	{ RULE("C101"),
	  PROPS(PROP(G, 1, 2, 8, 5, 9, 8, 9, 10, 8), PROP(S, 1, 0, 1),
		PROP(W, 0, 2, ~0u, ~0u, 8)),
	  G " row 3: the events overlap those of an earlier row C101\n",
	  NOTHING, KEPT(0, 2, 0) },
	{ RULE("C101"), PROPS(PROP(G, 5, 9, 8, 4, 10, 8)),
	  G " row 2: the events overlap those of an earlier row C101\n",
	  NOTHING, KEPT(0, 1, 0) },
	{ RULE("C101"), PROPS(PROP(G, 5, 9, 8, 9, 9, 8)),
	  G " row 2: the events overlap those of an earlier row C101\n",
	  NOTHING, KEPT(0, 1, 0) },
	{ RULE("C101"), PROPS(PROP(S, 0x20000, 0, 1), PROP(G, 1, 1, 8)),
	  S " row 1: a raw event has no place here C101\n", NOTHING,
	  KEPT(1, 1, 0) },
	{ RULE("C101"), PROPS(PROP(W, 0, 2, ~0u, ~0u, 8, 0, 2, ~0u, ~0u, 16)),
	  W " row 2: select and mask are those of an earlier row C101\n",
	  NOTHING, KEPT(0, 0, 1) },
	{ RULE("C105"), PROPS(PROP(S, 3, 0, 1)), S ": needs " G " C105\n",
	  NOTHING, KEPT(0, 0, 0) },
	/* The borders of what there is: 1-10, and the caches' from 0x10000 on.
	 */
	{ RULE("C100 C194"),
	  PROPS(PROP(S, 10, 0, 1, 0x10000, 0, 1, 0x10035, 0, 1),
		PROP(G, 10, 10, 8, 0x10000, 0x10000, 8, 0x10035, 0x10035, 8)),
	  "", KEPT(3, 3, 0), KEPT(3, 3, 0) },
	{ RULE("C100 C194"),
	  PROPS(PROP(G, 11, 0xffff, 8, 0x10006, 0x10007, 8, 0x10036, 0x1ffff,
		     8)),
	  G " row 1: SBI defines no event of this row C100\n" G
	    " row 2: SBI defines no event of this row C100\n" G
	    " row 3: SBI defines no event of this row C100\n",
	  KEPT(0, 3, 0), KEPT(0, 3, 0) },
	{ RULE("C100"), PROPS(PROP(S, 11, 0, 1), PROP(G, 1, 1, 8)),
	  S " row 1: SBI defines no such event C100\n", KEPT(1, 1, 0),
	  KEPT(1, 1, 0) },
	{ RULE("C105"), PROPS(PROP(G, 1, 1, 8), PROP("x", 1)),
	  "x: not a property of this node C105\n", KEPT(0, 1, 0),
	  KEPT(0, 1, 0) },
	{ RULE("C103"), PROPS(PROP(G, 1, 1, 8, 2, 2)),
	  G ": the cells after the last row are dropped C103\n", KEPT(0, 1, 0),
	  KEPT(0, 1, 0) },
	{ RULE("C103"), PROPS(PROP(W, 0, 2, ~0u, ~0u, 8, 1)),
	  W ": the cells after the last row are dropped C103\n", KEPT(0, 0, 1),
	  KEPT(0, 0, 1) },
	{ RULE("C103"), PROPS(PROP(W, 0, 2, ~0u, ~0u), PROP(G, 1, 1, 8)),
	  W ": has no row C103\n", KEPT(0, 1, 0), KEPT(0, 1, 0) },
	{ RULE("C99"), PROPS(PROP(S, 3, 0, 1, 3, 0, 2), PROP(G, 3, 3, 8)),
	  S " row 2: the event has an earlier row, which stands C99\n",
	  KEPT(1, 1, 0), KEPT(1, 1, 0) },
	/* Any earlier row, not the first alone. */
	{ RULE("C99"),
	  PROPS(PROP(S, 1, 0, 1, 2, 0, 2, 2, 0, 3), PROP(G, 1, 2, 8)),
	  S " row 3: the event has an earlier row, which stands C99\n",
	  KEPT(2, 1, 0), KEPT(2, 1, 0) },
	{ RULE("C105"), PROPS(PROP(S, 4, 0, 1), PROP(G, 3, 3, 8, 4, 4, 8)), "",
	  KEPT(1, 2, 0), KEPT(1, 2, 0) },
	{ RULE("C101"),
	  PROPS(PROP(W, 0, 2, ~0u, ~0u, 8, 0, 4, ~0u, ~0u, 8, 0, 4, ~0u, ~0u,
		     8)),
	  W " row 3: select and mask are those of an earlier row C101\n",
	  NOTHING, KEPT(0, 0, 2) },
	{ RULE("C42"),
	  PROPS(PROP(W, 0, 2, ~0u, ~0u, 8, 0, 4, ~0u, ~0u, 8, 0, 4, ~0u, 0xc,
		     8)),
	  W " row 3: an event may match an earlier row, too C42\n",
	  KEPT(0, 0, 3), KEPT(0, 0, 3) },
	{ RULE("C40"), PROPS(PROP(S, 3, 0x40000000, 1), PROP(G, 3, 3, 8)),
	  S " row 1: bits 63-56 of the selector are not the event's C40\n",
	  KEPT(1, 1, 0), KEPT(1, 1, 0) },
	{ RULE("C105"), PROPS(PROP(S, 4, 0, 1), PROP(G, 3, 3, 8)),
	  S " row 1: no row of " G " has this event C105\n", KEPT(1, 1, 0),
	  KEPT(1, 1, 0) },
	{ RULE("C27"), PROPS(PROP(G, 5, 5, 0xf, 6, 6, 8)),
	  G " row 1: counters 0-2 count cycles and instructions only C27\n",
	  KEPT(0, 2, 0), KEPT(0, 0, 0) },
	{ RULE("C20"), PROPS(PROP(G, 1, 1, 8, 0, 0, 8)),
	  G " row 2: event 0 is no event C20\n", KEPT(0, 2, 0), KEPT(0, 2, 0) },
	{ RULE("C100"), PROPS(PROP(G, 1, 1, 8, 11, 0xffff, 8)),
	  G " row 2: SBI defines no event of this row C100\n", KEPT(0, 2, 0),
	  KEPT(0, 2, 0) },
	{ RULE("C102"), PROPS(PROP(G, 1, 1, 8, 2, 2, 3)),
	  G " row 2: no counter of this row can count its events C102\n",
	  KEPT(0, 2, 0), KEPT(0, 2, 0) },
	{ RULE("C102"), PROPS(PROP(G, 1, 9, 0xffffffff)), "", KEPT(0, 1, 0),
	  KEPT(0, 1, 0) },
	{ RULE("C102"), PROPS(PROP(G, 1, 1, 1, 2, 2, 4)), "", KEPT(0, 2, 0),
	  KEPT(0, 2, 0) },
	{ RULE("C42"), PROPS(PROP(W, 0, 3, ~0u, 0xfffffffe, 8)),
	  W " row 1: select has bits outside its mask, nothing matches "
	    "C42\n",
	  KEPT(0, 0, 1), KEPT(0, 0, 1) },
	{ RULE("C42"), PROPS(PROP(W, 0, 2, ~0u, ~0u, 8, 0, 2, ~0u, 0xf, 8)),
	  W " row 2: an event may match an earlier row, too C42\n",
	  KEPT(0, 0, 2), KEPT(0, 0, 2) },
	{ RULE("C42"), PROPS(PROP(W, 0, 0, ~0u, ~0xfu, 8, 0, 2, ~0u, ~0u, 8)),
	  W " row 2: an event may match an earlier row, too C42\n",
	  KEPT(0, 0, 2), KEPT(0, 0, 2) },
	{ RULE("C42"), PROPS(PROP(W, 0, 2, ~0u, ~0u, 8, 0, 4, ~0u, ~0u, 8)), "",
	  KEPT(0, 0, 2), KEPT(0, 0, 2) },
	{ RULE("C42"), PROPS(PROP(G, 1, 1, 8), PROP(W, 0, 0, 0, 0, 8)),
	  W " row 1: select and mask are 0: matches every raw event, behind "
	    "a table of events C42\n",
	  KEPT(0, 1, 1), KEPT(0, 1, 0) },
	{ RULE("C42"), PROPS(PROP(W, 0, 0, 0, 0, 8)), "", KEPT(0, 0, 1),
	  KEPT(0, 0, 1) },
	{ RULE("C27"), PROPS(PROP(W, 0, 2, ~0u, ~0u, 0xc, 0, 3, ~0u, ~0u, 8)),
	  W " row 1: counters 0-2 count no raw event C27\n", KEPT(0, 0, 2),
	  KEPT(0, 0, 0) },
	{ RULE("C102"), PROPS(PROP(G, 1, 1, 8), PROP(W, 0, 2, ~0u, ~0u, 0)),
	  W " row 1: no counter of this row can count raw events C102\n",
	  KEPT(0, 1, 1), KEPT(0, 1, 1) },
	{ RULE("C192"), PROPS(PROP(G, 2, 9, 0)),
	  G " row 1: no counter of this row can count its events C102\n"
	    "no row of the node gives any event a counter C192\n",
	  KEPT(0, 1, 0), KEPT(0, 1, 0) },
	/* One row that counts is enough, wherever it is. */
	{ RULE("C192"), PROPS(PROP(G, 3, 4, 0, 5, 5, 8)),
	  G " row 1: no counter of this row can count its events C102\n",
	  KEPT(0, 2, 0), KEPT(0, 2, 0) },
	{ RULE("C192"), PROPS(PROP(W, 0, 1, ~0u, ~0u, 0, 0, 2, ~0u, ~0u, 8)),
	  W " row 1: no counter of this row can count raw events C102\n",
	  KEPT(0, 0, 2), KEPT(0, 0, 2) },
	{ RULE("C192"), PROPS(PROP("interrupts", 1)),
	  "the node has no table C192\n", KEPT(0, 0, 0), KEPT(0, 0, 0) },
	/* All of them, not only the first. */
	{ RULE("C101"),
	  PROPS(PROP(G, 5, 3, 8, 1, 0x20000, 8, 3, 3, 8, 3, 3, 8),
		PROP(S, 0x20000, 0, 0, 3, 0, 3)),
	  G " row 1: the first event is above the last C101\n" G
	    " row 2: a raw event has no place here C101\n" G
	    " row 4: the events overlap those of an earlier row C101\n" S
	    " row 1: a raw event has no place here C101\n",
	  NOTHING, KEPT(0, 0, 0) },
};

/* Compares what was reported, but for levels and the path. */
static void said(const char *want)
{
	char got[sizeof(faults.text)] = "", line[512];
	const char *p = faults.text, *end;

	for (; *p; p = end + 1) {
		end = strchr(p, '\n');
		p = strstr(p, " /pmu: ");
		ck_assert(p && p < end);
		snprintf(line, sizeof(line), "%.*s\n", (int)(end - p - 7),
			 p + 7);
		strcat(got, line);
	}
	ck_assert_str_eq(got, want);
}

static void kept(const unsigned want[3])
{
	ck_assert_ptr_nonnull(dt);
	ck_assert_uint_eq(dt->map[0].n_selects, want[0]);
	ck_assert_uint_eq(dt->map[0].n_ranges, want[1]);
	ck_assert_uint_eq(dt->map[0].n_raws, want[2]);
}

TEST_ROWS(a_row_is_judged_and_its_place_told, fault_rows)
{
	const struct fault_row *row = &fault_rows[_i];
	void *dtb = dt_make(row->props, ARRAY_SIZE(row->props));
	int err;

	shows(row->rule);
	err = read_tree(dtb, FW_PROFILE_SPEC);
	said(row->want);
	ck_assert_int_eq(err, row->spec[0] == 99 ? -FW_EDT : 0);
	ck_assert_int_eq(!!faults.n[FW_DT_ERROR], !!err);
	if (!err)
		kept(row->spec);
	else
		ck_assert_ptr_null(dt);
	free(dtb);
}

TEST_ROWS(the_reference_keeps_what_comes_before, fault_rows)
{
	const struct fault_row *row = &fault_rows[_i];
	void *dtb = dt_make(row->props, ARRAY_SIZE(row->props));

	shows(RULE("C100"));
	ck_assert_int_eq(read_tree(dtb, FW_PROFILE_OPENSBI), 0);
	kept(row->opensbi);
	free(dtb);
}

/* A tree whose node has @n rows of @cells cells, by @make. */
static void *many_rows(const char *name, unsigned n, unsigned cells,
		       void (*make)(fdt32_t *cell, unsigned row))
{
	static fdt32_t rows[5 * (FW_DT_MAX_ROWS + 1)];
	void *dtb = dt_begin();

	for (unsigned i = 0; i < n; i++)
		make(rows + cells * i, i);
	dt_begin_pmu(dtb, "pmu");
	ck_assert(!fdt_property(dtb, name, rows, (int)(n * cells * 4)) &&
		  !fdt_end_node(dtb));
	return dt_end(dtb);
}

static void a_range(fdt32_t *cell, unsigned row)
{
	cell[0] = cell[1] = cpu_to_fdt32(row + 1);
	cell[2] = cpu_to_fdt32(8);
}

static void a_raw(fdt32_t *cell, unsigned row)
{
	cell[0] = 0;
	cell[1] = cpu_to_fdt32(row + 1);
	cell[2] = cell[3] = ~0u;
	cell[4] = cpu_to_fdt32(8);
}

TEST_TIMES(too_many_rows_are_refused, 2)
{
	void *dtb = _i ? many_rows(W, FW_DT_MAX_ROWS + 1, 5, a_raw)
		       : many_rows(G, FW_DT_MAX_ROWS + 1, 3, a_range);

	shows(RULE("C100"));
	ck_assert_int_eq(read_tree(dtb, FW_PROFILE_SPEC), -FW_EDT);
	ck_assert_uint_eq(faults.n[FW_DT_ERROR], 1);
	ck_assert_ptr_nonnull(
		strstr(faults.text, " row 257: too many rows C100\n"));
	ck_assert_int_eq(read_tree(dtb, FW_PROFILE_OPENSBI), 0);
	ck_assert_uint_eq(dt->map[0].n_ranges + dt->map[0].n_raws, 255);
	free(dtb);
}

/* Every cut of a tree is refused, nothing beyond it is read (ASan). */
TEST_TIMES(a_broken_tree_is_refused, 2)
{
	const struct dt_prop props[] = { { G, CELLS(1, 1, 8) } };
	uint8_t *dtb = dt_make(props, 1);
	size_t size = fdt_totalsize(dtb);

	for (size_t n = 1; n < size; n++) {
		uint8_t *cut = malloc(n);
		struct fw_dt_source src = { .dtb = cut,
					    .size = n,
					    .quirks = fw_profile_quirks(_i) };

		memcpy(cut, dtb, n);
		ck_assert_int_eq(fw_dt_new(&dt, &src), -FW_EDT);
		free(cut);
	}
	dtb[0] ^= 1;
	ck_assert_int_eq(read_tree(dtb, _i), -FW_EDT);
	ck_assert_uint_eq(faults.len, 0);
	free(dtb);
}

static const struct way_row {
	const char *why;
	uint32_t event_idx, counters; /* 0: none */
	uint64_t select;
} way_rows[] = {
	{ "fixed and programmable", 1, 0xfffffff9, 1 },
	{ "instructions", 2, 0xfffffffc, 0x1122344556677 },
	{ "not the fixed ones", 3, 0xfffffff8, 3 },
	{ "selector 0 is the event itself", 4, 0xfffffff8, 4 },
	{ "behind the first row", 5, 0, 0 },
	{ "the first of a range", 0x10000, 0x30, 0x10000 },
	{ "the last of a range", 0x10033, 0x30, 0x10033 },
	{ "behind the last row", 0x10034, 0, 0 },
};

TEST_ROWS(an_event_has_the_counters_of_its_row, way_rows)
{
	const struct way_row *row = &way_rows[_i];
	const struct dt_prop props[] = {
		{ G, CELLS(1, 4, ~0u, 0x10000, 0x10033, 0x30) },
		{ S, CELLS(2, 0x11223, 0x44556677, 4, 0, 0) },
	};
	void *dtb = dt_make(props, 2);
	struct fw_dt_way way;

	shows(RULE("C99 C102"));
	ck_assert_int_eq(read_tree(dtb, FW_PROFILE_SPEC), 0);
	free(dtb);
	ck_assert_msg(fw_dt_event(dt, 0, row->event_idx, &way) ==
			      !!row->counters,
		      "%s", row->why);
	if (!row->counters)
		return;
	ck_assert_msg(way.counters == row->counters, "%s: %x", row->why,
		      way.counters);
	ck_assert_uint_eq(way.select, row->select);
}

TEST(raw_rows_are_told_one_by_one)
{
	const struct dt_prop props[] = { { W, CELLS(1, 2, ~0u, ~1u, 0xff, 0, 4,
						    ~0u, ~0u, 8) } };
	void *dtb = dt_make(props, 1);
	struct fw_dt_way way;

	ck_assert_int_eq(read_tree(dtb, FW_PROFILE_SPEC), 0);
	free(dtb);
	ck_assert(fw_dt_raw(dt, 0, 0, &way));
	ck_assert_uint_eq(way.select, 0x100000002);
	ck_assert_uint_eq(way.mask, ~UINT64_C(1));
	ck_assert_uint_eq(way.counters, 0xf8);
	ck_assert(fw_dt_raw(dt, 0, 1, &way));
	ck_assert_uint_eq(way.select, 4);
	ck_assert(!fw_dt_raw(dt, 0, 2, &way));
}

SUITE("dt", .teardown = teardown);
