/* SPDX-License-Identifier: BSD-2-Clause */
/* Which extensions there are and what each makes no sense without. */
#include <pmu/isa.h>

#include "unit.h"

#define S   PMU_EXT_S
#define U   PMU_EXT_U
#define HPM PMU_EXT_ZIHPM
#define COF PMU_EXT_SSCOFPMF
#define IND (PMU_EXT_SMCSRIND | PMU_EXT_SSCSRIND)

/* @with is all that a hart has which has the extension and no more than that.
 */
static const struct ext_row {
	const char *name;
	uint64_t ext, needs, needs_with_s, with;
} ext_rows[] = {
	{ "m", PMU_EXT_M, 0, 0, 0 },
	{ "a", PMU_EXT_A, 0, 0, 0 },
	{ "f", PMU_EXT_F, 0, 0, 0 },
	{ "d", PMU_EXT_D, PMU_EXT_F, 0, PMU_EXT_F },
	{ "c", PMU_EXT_C, 0, 0, 0 },
	{ "s", PMU_EXT_S, U, 0, U },
	{ "u", PMU_EXT_U, 0, 0, 0 },
	{ "zicntr", PMU_EXT_ZICNTR, 0, 0, 0 },
	{ "zihpm", PMU_EXT_ZIHPM, 0, 0, 0 },
	{ "sscofpmf", PMU_EXT_SSCOFPMF, HPM, 0, HPM },
	{ "smcntrpmf", PMU_EXT_SMCNTRPMF, 0, 0, 0 },
	{ "sstc", PMU_EXT_SSTC, S | PMU_EXT_ZICNTR, 0, S | U | PMU_EXT_ZICNTR },
	{ "svadu", PMU_EXT_SVADU, S, 0, S | U },
	{ "svade", PMU_EXT_SVADE, S, 0, S | U },
	{ "h", PMU_EXT_H, S, 0, S | U },
	{ "smcsrind", PMU_EXT_SMCSRIND, PMU_EXT_SSCSRIND, 0,
	  S | U | PMU_EXT_SSCSRIND },
	{ "sscsrind", PMU_EXT_SSCSRIND, S | PMU_EXT_SMCSRIND, 0,
	  S | U | PMU_EXT_SMCSRIND },
	{ "smcdeleg", PMU_EXT_SMCDELEG, PMU_EXT_SSCCFG | PMU_EXT_SSCSRIND, 0,
	  S | U | IND | PMU_EXT_SSCCFG },
	{ "ssccfg", PMU_EXT_SSCCFG, PMU_EXT_SMCDELEG | PMU_EXT_SSCSRIND, 0,
	  S | U | IND | PMU_EXT_SMCDELEG },
	{ "smstateen", PMU_EXT_SMSTATEEN, 0, 0, 0 },
	{ "smaia", PMU_EXT_SMAIA, 0, PMU_EXT_SSAIA, 0 },
	{ "ssaia", PMU_EXT_SSAIA, S | PMU_EXT_SMAIA, 0, S | U | PMU_EXT_SMAIA },
	{ "sscounterenw", PMU_EXT_SSCOUNTERENW, 0, 0, 0 },
	{ "shcounterenw", PMU_EXT_SHCOUNTERENW, PMU_EXT_H, 0,
	  S | U | PMU_EXT_H },
	{ "shlcofideleg", PMU_EXT_SHLCOFIDELEG, PMU_EXT_H | COF, 0,
	  S | U | PMU_EXT_H | COF | HPM },
	{ "xpmuebb", PMU_EXT_XPMUEBB, U | COF, 0, U | COF | HPM },
};

TEST(there_is_no_other_extension)
{
	size_t n;

	pmu_ext_table(&n);
	ck_assert_uint_eq(n, ARRAY_SIZE(ext_rows));
}

TEST_ROWS(an_extension_has_its_place_in_the_table, ext_rows)
{
	const struct ext_row *row = &ext_rows[_i];
	size_t n;
	const struct pmu_ext_desc *d = &pmu_ext_table(&n)[_i];

	ck_assert_uint_eq(row->ext, UINT64_C(1) << _i);
	ck_assert_uint_eq(d->ext, row->ext);
	ck_assert_str_eq(d->name, row->name);
	ck_assert_uint_eq(d->needs, row->needs);
	ck_assert_uint_eq(d->needs_with_s, row->needs_with_s);
}

TEST_ROWS(with_what_it_needs_it_is_complete, ext_rows)
{
	const struct ext_row *row = &ext_rows[_i];
	const struct pmu_ext_desc *who, *what;

	ck_assert(pmu_ext_check(row->ext | row->with, &who, &what));
	ck_assert_ptr_null(who);
	ck_assert_ptr_null(what);
}

/* One thing that it needs left out, with all that needs that in turn. */
TEST_ROWS(without_it_the_lack_is_named, ext_rows)
{
	const struct ext_row *row = &ext_rows[_i];
	uint64_t left = row->needs;

	ck_assert_uint_eq(left & row->ext, 0);
	for (; left; left &= left - 1) {
		uint64_t lacks = left & -left;
		const struct pmu_ext_desc *who, *what;

		ck_assert(!pmu_ext_check((row->ext | row->with) & ~lacks, &who,
					 &what));
		ck_assert_ptr_nonnull(who);
		ck_assert_ptr_nonnull(what);
		ck_assert_uint_eq(what->ext, lacks);
		ck_assert(!pmu_ext_check((row->ext | row->with) & ~lacks, NULL,
					 NULL));
	}
}

TEST(smaia_needs_ssaia_where_there_is_s_mode)
{
	const struct pmu_ext_desc *who, *what;

	ck_assert(!pmu_ext_check(PMU_EXT_SMAIA | S | U, &who, &what));
	ck_assert_str_eq(who->name, "smaia");
	ck_assert_str_eq(what->name, "ssaia");
	ck_assert(pmu_ext_check(PMU_EXT_SMAIA | PMU_EXT_SSAIA | S | U, &who,
				&what));
}

TEST(a_bit_of_no_extension_is_refused_without_a_name)
{
	const struct pmu_ext_desc *who, *what;

	ck_assert(!pmu_ext_check(UINT64_C(1) << ARRAY_SIZE(ext_rows), &who,
				 &what));
	ck_assert_ptr_null(who);
	ck_assert_ptr_null(what);
	ck_assert(pmu_ext_check(0, &who, &what));
}

SUITE("isa");
