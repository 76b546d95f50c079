/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the harts of a tree have, as their nodes say it: as a list of
 * extensions, or in one ISA string, which may be damaged.
 */
#include <pmu/rule.h>

#include "dt-faults.h"

#define LIST "riscv,isa-extensions"
#define ISA  "riscv,isa"
#define OF   "Sscofpmf that has no Smcntrpmf"

/* A property's bytes, and whether they promise Sscofpmf. */
static const struct isa_row {
	const char *why, *name, *bytes;
	int len;
	bool has;
} isa_rows[] = {
	{ "in the middle", ISA, "rv64imac_sscofpmf_zihpm", 24, true },
	{ "at the end", ISA, "rv64imac_sscofpmf", 18, true },
	{ "part of a longer name", ISA, "rv64imac_sscofpmfx", 19, false },
	{ "a longer name's end", ISA, "rv64imac_xsscofpmf", 19, false },
	{ "without a separator", ISA, "rv64imacsscofpmf", 17, false },
	{ "of another's string", ISA, "rv64imac\0_sscofpmf", 19, false },
	{ "does not end", ISA, "rv64imac_sscofpmf", 17, false },
	{ "empty", ISA, "", 0, false },
	{ "absent", NULL, NULL, 0, false },
	{ "a list", LIST, "i\0m\0sscofpmf", 13, true },
	{ "a list without", LIST, "i\0m\0zihpm", 10, false },
	{ "an empty list", LIST, "", 0, false },
	{ "a list that does not end", LIST, "i\0m\0sscofpmf", 12, false },
};

/* A machine of one hart, whose node has cycle alone and a counter for both. */
static void *make(const struct isa_row *row)
{
	static const struct dt_prop props[] = {
		PROP(RANGES, 1, 1, 1, 2, 2, 8),
	};
	void *dtb = dt_begin();

	ck_assert(!fdt_begin_node(dtb, "cpus") &&
		  !fdt_property_u32(dtb, "#address-cells", 1) &&
		  !fdt_property_u32(dtb, "#size-cells", 0) &&
		  !fdt_begin_node(dtb, "cpu@0") &&
		  !fdt_property_string(dtb, "device_type", "cpu") &&
		  !fdt_property_u32(dtb, "reg", 0));
	if (row->name)
		ck_assert(!fdt_property(dtb, row->name, row->bytes, row->len));
	ck_assert(!fdt_end_node(dtb) && !fdt_end_node(dtb));
	dt_pmu(dtb, "pmu", props, 1);
	return dt_end(dtb);
}

TEST_ROWS(an_extension_is_whole_and_in_a_string_that_ends, isa_rows)
{
	const struct isa_row *row = &isa_rows[_i];
	void *dtb = make(row);
	struct faults faults;
	struct fw_dt *dt;

	shows(RULE("C102"));
	ck_assert_int_eq(faults_read(&dt, dtb, FW_PROFILE_SPEC, &faults), 0);
	ck_assert_msg(!!strstr(faults.text, OF) == row->has, "%s: %s", row->why,
		      faults.text);
	ck_assert_uint_eq(fw_dt_n_harts(dt), 1);
	fw_dt_free(dt);
	free(dtb);
}

SUITE("dt-harts");
