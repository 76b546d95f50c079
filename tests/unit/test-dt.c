/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reading the riscv,pmu bindings: rows that are good, rows that are bad and
 * where the error says they are, and what each profile keeps.
 */
#include "dt-fixture.h"

#include <string.h>

#include <pmu/rule.h>

#include "dt.h"

static int parse(const void *dtb, enum fw_profile profile, struct dt_map *map,
		 char *error, char *warnings)
{
	struct text e, w;
	struct dt_source src = {
		.dtb = dtb, .profile = profile, .error = &e, .warnings = &w
	};
	bool found = true;

	text_init(&e, error, 256);
	text_init(&w, warnings, 1024);
	return dt_parse(&src, map, &found);
}

#define BAD(item, props, text, selects, ranges, raws)                          \
	{                                                                      \
		item, props, text, selects, ranges, raws                       \
	}
#define ODD(item, props, text, selects, ranges, raws, opensbi)                 \
	{                                                                      \
		item, props, text, selects, ranges, raws, opensbi              \
	}

static const struct bad_row {
	const char *rule;
	struct dt_prop props[3];
	const char *error;		/* after "riscv,pmu: ", spec */
	unsigned selects, ranges, raws; /* that opensbi keeps */
} bad_rows[] = {
	BAD(RULE("C101"), PROPS(PROP(RANGES, 5, 3, 8)),
	    RANGES " row 1: the first event is above the last", 0, 0, 0),
	BAD(RULE("C101"), PROPS(PROP(RANGES, 1, 1, 1, 0x20000, 0x20000, 8)),
	    RANGES " row 2: a raw event has no place here", 0, 1, 0),
	BAD(RULE("C101"), PROPS(PROP(RANGES, 1, 0xf0000, 8)),
	    RANGES " row 1: a raw event has no place here", 0, 0, 0),
	BAD(RULE("C101"),
	    PROPS(PROP(RANGES, 1, 2, 8, 5, 9, 8, 9, 10, 8),
		  PROP(RAWS, 0, 2, ~0u, ~0u, 8)),
	    RANGES " row 3: the events overlap those of an earlier row", 0, 2,
	    0),
	BAD(RULE("C101"), PROPS(PROP(RANGES, 5, 9, 8, 4, 10, 8)),
	    RANGES " row 2: the events overlap those of an earlier row", 0, 1,
	    0),
	BAD(RULE("C101"),
	    PROPS(PROP(SELECTS, 0x20000, 0, 1), PROP(RANGES, 1, 1, 8)),
	    SELECTS " row 1: a raw event has no place here", 1, 1, 0),
	BAD(RULE("C101"),
	    PROPS(PROP(RAWS, 0, 2, ~0u, ~0u, 8, 0, 2, ~0u, ~0u, 16)),
	    RAWS " row 2: select and mask are those of an earlier row", 0, 0,
	    1),
	BAD(RULE("C105"), PROPS(PROP(SELECTS, 3, 0, 1)),
	    SELECTS ": needs " RANGES, 0, 0, 0),
};

START_TEST(a_bad_row_is_refused_where_it_is)
{
	const struct bad_row *row = &bad_rows[_i];
	void *dtb = dt_make(row->props, ARRAY_SIZE(row->props));
	char error[256], warnings[1024];
	static struct dt_map map;

	shows(row->rule);
	ck_assert_int_eq(parse(dtb, FW_PROFILE_SPEC, &map, error, warnings),
			 -FW_EDT);
	ck_assert_int_eq(strncmp(error, "riscv,pmu: ", 11), 0);
	ck_assert_str_eq(error + 11, row->error);
	shows(RULE("C100"));
	ck_assert_int_eq(parse(dtb, FW_PROFILE_OPENSBI, &map, error, warnings),
			 0);
	ck_assert_str_eq(error, "");
	ck_assert_uint_eq(map.n_selects, row->selects);
	ck_assert_uint_eq(map.n_ranges, row->ranges);
	ck_assert_uint_eq(map.n_raws, row->raws);
	free(dtb);
}
END_TEST

static const struct odd_row {
	const char *rule;
	struct dt_prop props[3];
	const char *warning; /* after "riscv,pmu: " */
	unsigned selects, ranges, raws;
	unsigned opensbi_ranges;
} odd_rows[] = {
	ODD(RULE("C100"), PROPS(PROP(SELECTS, 11, 0, 1), PROP(RANGES, 1, 1, 8)),
	    SELECTS " row 1: SBI defines no such event\n", 1, 1, 0, 1),
	ODD(RULE("C100"), PROPS(PROP(RANGES, 1, 1, 8), PROP("x", 1)),
	    "x: not a property of this node\n", 0, 1, 0, 1),
	ODD(RULE("C103"), PROPS(PROP(RANGES, 1, 1, 8, 2, 2)),
	    RANGES ": the cells after the last row are dropped\n", 0, 1, 0, 1),
	ODD(RULE("C99"),
	    PROPS(PROP(SELECTS, 3, 0, 1, 3, 0, 2), PROP(RANGES, 3, 3, 8)),
	    SELECTS " row 2: the event has an earlier row, which stands\n", 1,
	    1, 0, 1),
	ODD(RULE("C27"), PROPS(PROP(RANGES, 5, 5, 0xf, 6, 6, 8)),
	    RANGES " row 1: counters 0-2 count cycles and instructions only\n",
	    0, 2, 0, 0),
	ODD(RULE("C102"), PROPS(PROP(RANGES, 1, 9, 0xffffffff)), "", 0, 1, 0,
	    1),
	ODD(RULE("C42"), PROPS(PROP(RAWS, 0, 3, ~0u, 0xfffffffe, 8)),
	    RAWS " row 1: select has bits outside its mask, nothing matches\n",
	    0, 0, 1, 0),
	ODD(RULE("C101"),
	    PROPS(PROP(RAWS, 0, 2, ~0u, ~0u, 8, 0, 2, ~0u, 0xf, 8)), "", 0, 0,
	    2, 0),
};

START_TEST(an_odd_row_is_a_warning)
{
	const struct odd_row *row = &odd_rows[_i];
	void *dtb = dt_make(row->props, ARRAY_SIZE(row->props));
	char error[256], warnings[1024];
	static struct dt_map map;

	shows(row->rule);
	ck_assert_int_eq(parse(dtb, FW_PROFILE_SPEC, &map, error, warnings), 0);
	ck_assert_str_eq(warnings + (*row->warning ? 11 : 0), row->warning);
	ck_assert_uint_eq(map.n_selects, row->selects);
	ck_assert_uint_eq(map.n_ranges, row->ranges);
	ck_assert_uint_eq(map.n_raws, row->raws);
	ck_assert_int_eq(parse(dtb, FW_PROFILE_OPENSBI, &map, error, warnings),
			 0);
	ck_assert_uint_eq(map.n_ranges, row->opensbi_ranges);
	free(dtb);
}
END_TEST

/* A match-all row is a duplicate to the reference once there is a range. */
START_TEST(opensbi_refuses_a_row_that_matches_all)
{
	const struct dt_prop props[] = { { RANGES, CELLS(1, 1, 8) },
					 { RAWS, CELLS(0, 0, 0, 0, 8) } };
	void *dtb = dt_make(props, 2);
	char error[256], warnings[1024];
	static struct dt_map map;

	parse(dtb, FW_PROFILE_OPENSBI, &map, error, warnings);
	ck_assert_uint_eq(map.n_raws, 0);
	parse(dtb, FW_PROFILE_SPEC, &map, error, warnings);
	ck_assert_uint_eq(map.n_raws, 1);
	free(dtb);
}
END_TEST

START_TEST(too_many_rows_are_refused)
{
	static fdt32_t rows[3 * (DT_MAX_ROWS + 1)];
	void *dtb = malloc(DT_SIZE);
	char error[256], warnings[1024];
	static struct dt_map map;

	for (unsigned i = 0; i <= DT_MAX_ROWS; i++) {
		rows[3 * i] = rows[3 * i + 1] = cpu_to_fdt32(i + 1);
		rows[3 * i + 2] = cpu_to_fdt32(8);
	}
	ck_assert(!fdt_create(dtb, DT_SIZE) && !fdt_finish_reservemap(dtb) &&
		  !fdt_begin_node(dtb, "") &&
		  !fdt_property_string(dtb, "compatible", "riscv,pmu") &&
		  !fdt_property(dtb, RANGES, rows, sizeof(rows)) &&
		  !fdt_end_node(dtb) && !fdt_finish(dtb));
	ck_assert_int_eq(parse(dtb, FW_PROFILE_SPEC, &map, error, warnings),
			 -FW_EDT);
	ck_assert_str_eq(error, "riscv,pmu: " RANGES " row 257: too many rows");
	ck_assert_int_eq(parse(dtb, FW_PROFILE_OPENSBI, &map, error, warnings),
			 0);
	ck_assert_uint_eq(map.n_ranges, DT_MAX_ROWS);
	free(dtb);
}
END_TEST

/* Every cut of a tree is refused, nothing beyond it is read (ASan). */
START_TEST(a_broken_tree_is_refused)
{
	const struct dt_prop props[] = { { RANGES, CELLS(1, 1, 8) } };
	uint8_t *dtb = dt_make(props, 1);
	size_t size = fdt_totalsize(dtb);
	char error[256], warnings[64];
	static struct dt_map map;

	for (size_t n = 1; n < size; n++) {
		struct text e, w;
		uint8_t *cut = malloc(n);
		struct dt_source src = { .dtb = cut,
					 .size = n,
					 .profile = _i,
					 .error = &e,
					 .warnings = &w };
		bool found;

		memcpy(cut, dtb, n);
		text_init(&e, error, sizeof(error));
		text_init(&w, warnings, sizeof(warnings));
		ck_assert_int_eq(dt_parse(&src, &map, &found), -FW_EDT);
		ck_assert_str_eq(error, "not a valid flattened device tree");
		free(cut);
	}
	dtb[0] ^= 1;
	ck_assert_int_eq(parse(dtb, _i, &map, error, warnings), -FW_EDT);
	free(dtb);
}
END_TEST

START_TEST(the_guest_sees_no_private_property)
{
	const struct dt_prop props[] = {
		{ SELECTS, CELLS(3, 0, 1) },
		{ "interrupts-extended", CELLS(1, 13) },
		{ RANGES, CELLS(1, 1, 8) },
		{ "interrupts", CELLS(13) },
		{ RAWS, CELLS(0, 2, ~0u, ~0u, 8) },
		{ "interrupt-parent", CELLS(1) },
	};
	static const char *const kept[] = { "compatible", "interrupts",
					    "interrupt-parent" };
	void *dtb = dt_make(props, ARRAY_SIZE(props));
	int node, n = 0, prop;

	shows(RULE("C104"));
	ck_assert_int_eq(fw_dt_fixup(dtb, _i), 0);
	node = fdt_node_offset_by_compatible(dtb, -1, "riscv,pmu");
	ck_assert_int_ge(node, 0);
	for (unsigned i = 0; i < ARRAY_SIZE(kept); i++)
		ck_assert_ptr_nonnull(fdt_getprop(dtb, node, kept[i], NULL));
	fdt_for_each_property_offset(prop, dtb, node) n++;
	ck_assert_int_eq(n, 3 + _i);
	ck_assert(!fdt_getprop(dtb, node, "interrupts-extended", NULL) == !_i);
	ck_assert_int_eq(fdt_check_full(dtb, fdt_totalsize(dtb)), 0);
	free(dtb);
}
END_TEST

START_TEST(a_tree_without_a_node_needs_no_fix)
{
	char garbage[64] = "not a tree";
	void *dtb = dt_make(NULL, 0);

	ck_assert_int_eq(fw_dt_fixup(dtb, true), 0);
	ck_assert_int_eq(fw_dt_fixup(garbage, true), -FW_EDT);
	free(dtb);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("dt");
	TCase *tc = tcase_create("dt");

	tcase_add_loop_test(tc, a_bad_row_is_refused_where_it_is, 0,
			    ARRAY_SIZE(bad_rows));
	tcase_add_loop_test(tc, an_odd_row_is_a_warning, 0,
			    ARRAY_SIZE(odd_rows));
	tcase_add_test(tc, opensbi_refuses_a_row_that_matches_all);
	tcase_add_test(tc, too_many_rows_are_refused);
	tcase_add_loop_test(tc, a_broken_tree_is_refused, 0, 2);
	tcase_add_loop_test(tc, the_guest_sees_no_private_property, 0, 2);
	tcase_add_test(tc, a_tree_without_a_node_needs_no_fix);
	suite_add_tcase(s, tc);
	return unit_main(s);
}
