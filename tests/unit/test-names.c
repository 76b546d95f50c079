/* SPDX-License-Identifier: BSD-2-Clause */
/* Names: the command line's tables against those of the firmware model. */
#include <string.h>

#include <fw/fw.h>
#include <pmu/csr.h>
#include <pmu/hart.h>

#include "cmd/explain-facts.h"
#include "text/names.h"
#include "pmu/v1/traces.pb-c.h"
#include "unit.h"

static const uint64_t eids[] = {
	0,	    1,		2,	    3,	      4,	  5,
	6,	    7,		8,	    0x10,     0x54494d45, 0x735049,
	0x52464e43, 0x48534d,	0x53525354, 0x504d55, 0x4442434e, 0x53555350,
	0x535345,   0x46574654, 0x08454242,
};

TEST_ROWS(a_call_is_named_as_the_firmware_names_it, eids)
{
	for (uint64_t fid = 0; fid < 12; fid++) {
		const char *want = fw_call_name(eids[_i], fid);
		char got[NAME_MAX_LEN];
		uint64_t eid, number;

		if (!want)
			continue;
		ck_assert_str_eq(name_sbi_call(eids[_i], fid, got), want);
		ck_assert(name_find_sbi_call(got, &eid, &number));
		ck_assert_uint_eq(eid, eids[_i]);
		if (eid > 8)
			ck_assert_uint_eq(number, fid);
	}
}

static const struct param_row {
	uint64_t eid, fid;
	int n;
	const char *last; /* parameter; NULL: none */
	bool wide;	  /* that one */
} param_rows[] = {
	{ 0x54494d45, 0, 1, "stime_value", true },
	{ 0x504d55, 0, 0, NULL, false },
	{ 0x504d55, 2, 5, "event_data", true },
	{ 0x504d55, 3, 4, "initial_value", true },
	{ 0x504d55, 4, 3, "stop_flags", false },
	{ 0x504d55, 8, 4, "flags", false },
	{ 0x52464e43, 3, 5, "vmid", false },
	{ 0x52464e43, 5, 5, "asid", false },
	{ 0x535345, 0, 5, "output_phys_hi", false },
	{ 0x535345, 6, 0, NULL, false },
	{ 0x46574654, 0, 3, "flags", false },
	{ 0, 0, 1, "stime_value", true },
	{ 7, 0, 4, "asid", false },
	{ 8, 0, 0, NULL, false },
	{ 0x504d55, 9, -1, NULL, false },
	{ 0x504d55, 77, -1, NULL, false },
	{ 9, 0, -1, NULL, false },
};

TEST_ROWS(a_call_has_the_parameters_of_the_specification, param_rows)
{
	const struct param_row *row = &param_rows[_i];
	struct name_sbi_param got[NAME_SBI_PARAMS];
	int n = name_sbi_params(row->eid, row->fid, got);

	ck_assert_int_eq(n, row->n);
	if (!row->last)
		return;
	ck_assert_int_eq(got[n - 1].len, (int)strlen(row->last));
	ck_assert_int_eq(strncmp(got[n - 1].name, row->last, strlen(row->last)),
			 0);
	ck_assert_int_eq(got[n - 1].wide, row->wide);
}

TEST_TIMES(a_csr_is_named_as_libpmu_names_it, 2)
{
	static const struct pmu_timebase tb = { 1000000000, 10000000, 0 };
	struct pmu_hart_config cfg;
	struct pmu_hart *h;
	unsigned named = 0;

	pmu_hart_config_init(&cfg, _i ? 32 : 64);
	cfg.ext = (PMU_EXT_SHLCOFIDELEG << 1) - 1; /* all */
	ck_assert_int_eq(pmu_hart_new(&h, &cfg, &tb), 0);
	for (uint16_t n = 0; n < 0x1000; n++) {
		const char *want = pmu_csr_name(h, n);
		char buf[NAME_MAX_LEN];
		const char *got = name_csr(n, buf);

		if (!want)
			continue;
		named++;
		ck_assert_msg(got && !strcmp(got, want), "%#x is %s, not %s", n,
			      want, got ? got : "nothing");
	}
	ck_assert_uint_gt(named, 200);
	ck_assert_ptr_null(name_csr(0xfff, NULL));
	pmu_hart_free(h);
}

TEST(the_fields_of_a_csr_have_an_end)
{
	unsigned known = 0, most = 0;

	for (unsigned n = 0; n < 0x1000; n++) {
		const struct csr_info *info;
		char text[8];
		uint16_t number;
		unsigned fields = 0;

		snprintf(text, sizeof(text), "0x%x", n);
		info = csr_info_find(text, &number);
		if (!info)
			continue;
		known++;
		ck_assert_uint_eq(number, n);
		ck_assert_ptr_null(info->field[CSR_MAX_FIELDS].name);
		while (info->field[fields].name)
			fields++;
		most = fields > most ? fields : most;
	}
	ck_assert_uint_gt(known, 100);
	ck_assert_uint_eq(most, CSR_MAX_FIELDS);
}

/* By its number, its name and the name in the specification. */
TEST(an_error_is_explained_by_the_name_of_the_firmware)
{
	for (int code = -20; code <= 2; code++) {
		const char *want = sbi_error_name(code);
		const struct error_info *info;
		char text[64];

		snprintf(text, sizeof(text), "%d", code);
		info = error_info_find(text);
		if (!want) {
			ck_assert_ptr_null(info);
			continue;
		}
		ck_assert_ptr_nonnull(info);
		ck_assert_int_eq(info->code, code);
		ck_assert_ptr_eq(error_info_find(want), info);
		snprintf(text, sizeof(text), "SBI_ERR_%s", want);
		if (code)
			ck_assert_ptr_eq(error_info_find(text), info);
	}
}

TEST(an_unknown_call_is_shown_by_numbers)
{
	char got[NAME_MAX_LEN];
	uint64_t eid, fid;

	ck_assert_str_eq(name_sbi_call(0x504d55, 42, got), "PMU.42");
	ck_assert_str_eq(name_sbi_call(0x1234567, 1, got), "0x1234567.1");
	ck_assert(!name_find_sbi_call("PMU.", &eid, &fid));
	ck_assert(!name_find_sbi_call("PMU", &eid, &fid));
	ck_assert(!name_find_sbi_call("PMUX.num_counters", &eid, &fid));
	ck_assert(name_find_sbi_call("pmu.NUM_COUNTERS", &eid, &fid));
}

TEST(an_enum_is_shown_without_its_prefix)
{
	char got[NAME_MAX_LEN];

	ck_assert_str_eq(name_enum(&pmu__v1__stop_cause__descriptor, 7, got),
			 "max-insns");
	ck_assert_str_eq(name_enum(&pmu__v1__machine_state__descriptor, 2, got),
			 "running");
	ck_assert_str_eq(
		name_enum(&pmu__v1__hart_change__what__descriptor, 3, got),
		"waiting");
	ck_assert_str_eq(name_enum(&pmu__v1__stop_cause__descriptor, 0, got),
			 "-");
	ck_assert_str_eq(name_enum(&pmu__v1__stop_cause__descriptor, 77, got),
			 "77");
}

static const struct register_row {
	const char *name;
	int want;
} register_rows[] = {
	{ "x0", 0 },	   { "zero", 0 }, { "x31", 31 },  { "t6", 31 },
	{ "sp", 2 },	   { "fp", 8 },	  { "s0", 8 },	  { "a0", 10 },
	{ "s11", 27 },	   { "pc", 32 },  { "f0", 33 },	  { "ft0", 33 },
	{ "fs0", 41 },	   { "fa0", 43 }, { "fs2", 51 },  { "ft8", 61 },
	{ "ft11", 64 },	   { "f31", 64 }, { "fcsr", 65 }, { "x32", -1 },
	{ "f32", -1 },	   { "x", -1 },	  { "x1a", -1 },  { "", -1 },
	{ "mstatus", -1 },
};

TEST_ROWS(a_register_has_its_names, register_rows)
{
	const struct register_row *row = &register_rows[_i];
	int got = name_find_register(row->name);

	ck_assert_msg(got == row->want, "%s is %d", row->name, got);
	if (got >= 0)
		ck_assert_int_eq(
			name_find_register(name_register((unsigned)got)), got);
}

SUITE("names");
