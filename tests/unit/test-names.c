/* SPDX-License-Identifier: BSD-2-Clause */
/* Names: those that the command line shares with harts and firmware, too. */
#include <string.h>

#include <fw/sbi-name.h>
#include <pmu/csr-name.h>

#include "cmd/explain-facts.h"
#include "text/names.h"
#include "pmu/v1/traces.pb-c.h"
#include "unit.h"

TEST(a_call_is_found_by_its_name)
{
	const struct sbi_name *call;
	char got[NAME_MAX_LEN];
	uint64_t eid, fid;
	unsigned n = 0;

	for (; (call = sbi_name_at(n)); n++) {
		ck_assert_str_eq(name_sbi_call(call->eid, call->fid, got),
				 call->name);
		ck_assert(name_find_sbi_call(got, &eid, &fid));
		ck_assert_uint_eq(eid, call->eid);
		ck_assert_uint_eq(fid, call->fid);
	}
	ck_assert_uint_gt(n, 50);
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

static const struct csr_name_row {
	unsigned number;
	const char *want; /* NULL: there is none */
} csr_name_rows[] = {
	{ 0x000, NULL },
	{ 0x001, "fflags" },
	{ 0x10c, "sstateen0" },
	{ 0x10f, "sstateen3" },
	{ 0x110, NULL },
	{ 0x157, "sireg6" },
	{ 0x322, "minstretcfg" },
	{ 0x323, "mhpmevent3" },
	{ 0x33f, "mhpmevent31" },
	{ 0x73f, "mhpmevent31h" },
	{ 0x3ef, "pmpaddr63" },
	{ 0x3f0, NULL },
	{ 0x7a3, "tdata3" },
	{ 0x800, "ebbhr" },
	{ 0xb01, NULL },
	{ 0xb0a, "mhpmcounter10" },
	{ 0xc9f, "hpmcounter31h" },
	{ 0xfff, NULL },
	{ 0x10323, NULL },
};

TEST_ROWS(a_csr_has_a_name_whichever_hart_has_it, csr_name_rows)
{
	const struct csr_name_row *row = &csr_name_rows[_i];
	const char *got = pmu_csr_number_name(row->number);

	ck_assert_msg(!got == !row->want, "%#x", row->number);
	if (got)
		ck_assert_str_eq(got, row->want);
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

static const struct privilege_row {
	int privilege;
	const char *want;
} privilege_rows[] = {
	{ 0, "-" },  { 1, "M" }, { 2, "S" },  { 3, "U" },  { 4, "VS" },
	{ 5, "VU" }, { 6, "?" }, { 77, "?" }, { -1, "?" },
};

TEST_ROWS(a_mode_has_a_letter, privilege_rows)
{
	ck_assert_str_eq(name_privilege(privilege_rows[_i].privilege),
			 privilege_rows[_i].want);
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

/* As the Privileged ISA, H, Sscofpmf and the AIA number them. */
static const struct interrupt_row {
	uint32_t cause;
	const char *name; /* NULL: none */
} interrupt_rows[] = {
	{ 0, NULL },
	{ 1, "S software" },
	{ 2, "VS software" },
	{ 3, "M software" },
	{ 4, NULL },
	{ 5, "S timer" },
	{ 6, "VS timer" },
	{ 7, "M timer" },
	{ 8, NULL },
	{ 9, "S external" },
	{ 10, "VS external" },
	{ 11, "M external" },
	{ 12, "S guest external" },
	{ 13, "counter overflow" },
	{ 14, NULL },
	{ 35, "low-priority RAS" },
	{ 43, "high-priority RAS" },
	{ 44, NULL },
	{ UINT32_MAX, NULL },
};

TEST_ROWS(an_interrupt_has_its_name, interrupt_rows)
{
	const struct interrupt_row *row = &interrupt_rows[_i];

	ck_assert_pstr_eq(name_cause(true, row->cause), row->name);
}

SUITE("names");
