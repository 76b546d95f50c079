/* SPDX-License-Identifier: BSD-2-Clause */
/* ISA strings: what is read, what is refused at which position, what is told.
 */
#include <string.h>

#include <pmu/isa.h>

#include "settings/isa-string.h"
#include "unit.h"

#define G (PMU_EXT_M | PMU_EXT_A | PMU_EXT_F | PMU_EXT_D)

static const struct good_row {
	const char *text;
	unsigned xlen;
	uint64_t ext;
} good_rows[] = {
	{ "rv64i", 64, 0 },
	{ "rv32i", 32, 0 },
	{ "rv64g", 64, G },
	{ "rv64gc", 64, G | PMU_EXT_C },
	{ "rv64imafdc", 64, G | PMU_EXT_C },
	{ "RV32IMAC_Zicntr", 32,
	  PMU_EXT_M | PMU_EXT_A | PMU_EXT_C | PMU_EXT_ZICNTR },
	{ "rv64i_m_a", 64, PMU_EXT_M | PMU_EXT_A },
	{ "rv64imzicntr_zihpm", 64,
	  PMU_EXT_M | PMU_EXT_ZICNTR | PMU_EXT_ZIHPM },
	{ "rv64i_zicsr_zifencei", 64, 0 },
	{ "rv64i_smcntrpmf_zihpm_sscofpmf", 64,
	  PMU_EXT_SMCNTRPMF | PMU_EXT_ZIHPM | PMU_EXT_SSCOFPMF },
	{ "rv64gc_zihpm_zihpm", 64, G | PMU_EXT_C | PMU_EXT_ZIHPM },
};

TEST_ROWS(a_string_states_its_extensions, good_rows)
{
	const struct good_row *row = &good_rows[_i];
	char error[200];
	struct isa isa;

	ck_assert_msg(isa_parse(row->text, &isa, error, sizeof(error)),
		      "%s: %s", row->text, error);
	ck_assert_uint_eq(isa.xlen, row->xlen);
	ck_assert_uint_eq(isa.ext, row->ext);
}

static const struct bad_row {
	const char *text, *want;
} bad_rows[] = {
	{ "", "rv32i" },
	{ "rv", "rv32i" },
	{ "rv64", "position 5" },
	{ "rv128i", "'rv128i' at position 1" },
	{ "rv64e", "'e' at position 5" },
	{ "rv64ix", "'x' at position 6" },
	{ "rv64imz", "'z' at position 7" },
	{ "rv64imq", "'q' at position 7" },
	{ "rv64i_", "position 7" },
	{ "rv64i__m", "position 7" },
	{ "rv64i_zicntr_", "position 14" },
	{ "rv64i_foo_m", "'foo' at position 7" },
	{ "rv64i_bzicsr", "'b' at position 7" },
	{ "rv64i_maq", "'q' at position 9" },
	{ "rv64i_zfoo_m", "'zfoo' at position 7" },
	{ "rv64i_sscof", "'sscof' at position 7" },
	{ "rv64i_zicntrm", "'zicntrm' at position 7" },
	{ "rv64i2p1", "'2' at position 6" },
	{ "rv64gc_s", "'s' at position 8" },
	{ "rv64gc_u", "'u' at position 8" },
	{ "rv64gc_zicntr ", "'zicntr ' at position 8" },
	{ "rv64gc_xsmaialcofi", "'xsmaialcofi' at position 8" },
	{ "rv64gc_xsmaialcofi", "as smaia" },
	{ "rv64gc_h_xssaialcofi_zicntr", "as ssaia" },
};

TEST_ROWS(what_is_not_understood_is_named_with_its_position, bad_rows)
{
	const struct bad_row *row = &bad_rows[_i];
	struct isa isa = { 1, 2 };
	char error[200] = "";

	ck_assert_msg(!isa_parse(row->text, &isa, error, sizeof(error)), "%s",
		      row->text);
	ck_assert_msg(strstr(error, row->want), "%s: %s", row->text, error);
	ck_assert_uint_eq(isa.xlen, 1);
	ck_assert_uint_eq(isa.ext, 2);
}

static size_t n_extensions(void)
{
	size_t n;

	pmu_ext_table(&n);
	return n;
}

TEST_TIMES(each_extension_reads_back_as_it_prints, n_extensions())
{
	size_t n;
	const struct pmu_ext_desc *d = &pmu_ext_table(&n)[_i];
	uint32_t want = d->ext & ~(uint32_t)(PMU_EXT_S | PMU_EXT_U);
	char text[ISA_TEXT], error[200];
	struct isa isa;

	isa_print(64, d->ext, text);
	ck_assert_msg(isa_parse(text, &isa, error, sizeof(error)), "%s: %s",
		      text, error);
	ck_assert_uint_eq(isa.ext, want);
}

/* Single letters, then those with z, the supervisor's by alphabet, those of the
 * hypervisor, the machine's, and what is nobody's. */
static const char *const in_order[] = {
	"i",
	"m",
	"a",
	"f",
	"d",
	"c",
	"h",
	"zicntr",
	"zicsr",
	"zifencei",
	"zihpm",
	"ssaia",
	"ssccfg",
	"sscofpmf",
	"sscounterenw",
	"sscsrind",
	"sstc",
	"svade",
	"svadu",
	"shcounterenw",
	"shlcofideleg",
	"smaia",
	"smcdeleg",
	"smcntrpmf",
	"smcsrind",
	"smstateen",
	"xpmuebb",
};

TEST(all_names_are_in_this_order)
{
	struct isa_name names[ISA_NAMES];
	size_t n = isa_names(names);

	for (size_t i = 0; i < n && i < ARRAY_SIZE(in_order); i++)
		ck_assert_str_eq(names[i].name, in_order[i]);
	ck_assert_uint_eq(n, ARRAY_SIZE(in_order));
}

TEST(names_stand_in_canonical_order)
{
	static const char order[] = "imafdcvhzsx";
	struct isa_name names[ISA_NAMES];
	size_t n = isa_names(names);

	for (size_t i = 1; i < n; i++) {
		const char *a = names[i - 1].name, *b = names[i].name;
		const char *x = strchr(order, a[0]), *y = strchr(order, b[0]);

		ck_assert_msg(x && y && x <= y, "%s %s", a, b);
		/* the machine's behind the supervisor's */
		if (!strncmp(a, "sm", 2) && b[0] != 'x')
			ck_assert_msg(!strncmp(b, "sm", 2), "%s %s", a, b);
		if (!strncmp(a, b, 2))
			ck_assert_msg(strcmp(a, b) < 0, "%s %s", a, b);
	}
}

TEST(everything_fits_the_room)
{
	char text[ISA_TEXT];

	ck_assert_uint_lt(strlen(isa_print(64, UINT32_MAX, text)),
			  ISA_TEXT - 1);
}

SUITE("isa");
