/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of a device tree and the facts of a counter, as they are printed. */
#include <stdio.h>
#include <string.h>

#include "cmd/explain-counter.h"
#include "text/dt-text.h"
#include "text/exit-codes.h"
#include "unit.h"

static char text[4096];

static FILE *text_open(void)
{
	memset(text, 0, sizeof(text));
	return fmemopen(text, sizeof(text), "w");
}

static const struct fault_row {
	struct fw_dt_fault fault;
	const char *want;
} fault_rows[] = {
	{ { FW_DT_ERROR, "/pmu", "riscv,event-to-mhpmevent", 3, "too short",
	    "C101", "stops" },
	  "error: /pmu: riscv,event-to-mhpmevent row 3: too short [C101]\n"
	  "    the reference stops\n"
	  "f.dts: 1 error, 0 warnings, 0 notes\n" },
	{ { FW_DT_WARNING, "/pmu", "compatible", 0, "odd", "C7", "goes on" },
	  "warning: /pmu: compatible: odd [C7]\n"
	  "    the reference goes on\n"
	  "f.dts: 0 errors, 1 warning, 0 notes\n" },
	{ { FW_DT_NOTE, "/pmu", NULL, 0, "two nodes", "C8", "takes one" },
	  "note: /pmu: two nodes [C8]\n"
	  "    the reference takes one\n"
	  "f.dts: 0 errors, 0 warnings, 1 note\n" },
	/* names are bytes of a file: nothing of them reaches a terminal */
	{ { FW_DT_NOTE, "/p\033[m u\177\xff~!", "\n", 0, "t", "C8", "r" },
	  "note: /p?[m?u??~!: ?: t [C8]\n"
	  "    the reference r\n"
	  "f.dts: 0 errors, 0 warnings, 1 note\n" },
};

TEST_ROWS(a_fault_is_a_line_and_what_the_reference_does, fault_rows)
{
	const struct fault_row *row = &fault_rows[_i];
	struct dt_faults *f = dt_faults_new(false);
	FILE *out = text_open();

	dt_faults_add(f, &row->fault);
	ck_assert_uint_eq(dt_faults_errors(f), row->fault.level == FW_DT_ERROR);
	ck_assert_int_eq(dt_faults_print(f, "f.dts", out), EXIT_OK);
	fclose(out);
	dt_faults_free(f);
	ck_assert_str_eq(text, row->want);
}

TEST(faults_are_counted_by_level)
{
	struct dt_faults *f = dt_faults_new(false);
	FILE *out = text_open();
	const char *last;

	for (unsigned i = 0; i < 6; i++) {
		struct fw_dt_fault fault = fault_rows[i % 3].fault;

		if (i == 5)
			fault.level = FW_DT_ERROR;
		dt_faults_add(f, &fault);
	}
	ck_assert_uint_eq(dt_faults_errors(f), 3);
	ck_assert_int_eq(dt_faults_print(f, "x", out), EXIT_OK);
	fclose(out);
	dt_faults_free(f);
	last = strstr(text, "x: ");
	ck_assert_ptr_nonnull(last);
	ck_assert_str_eq(last, "x: 3 errors, 2 warnings, 1 note\n");
}

TEST_TIMES(json_has_every_fault_and_an_array_for_none, 2)
{
	struct dt_faults *f = dt_faults_new(true);
	FILE *out = text_open();

	if (_i)
		dt_faults_add(f, &fault_rows[0].fault);
	ck_assert_int_eq(dt_faults_print(f, "x", out), EXIT_OK);
	fclose(out);
	ck_assert_uint_eq(dt_faults_errors(f), (unsigned)_i);
	dt_faults_free(f);
	ck_assert_ptr_nonnull(strstr(text, "\"faults\""));
	ck_assert_int_eq(strstr(text, "\"riscv,event-to-mhpmevent\"") != NULL,
			 _i);
	ck_assert_int_eq(strstr(text, "\"C101\"") != NULL, _i);
	ck_assert_ptr_null(strstr(text, "x: "));
}

TEST_TIMES(a_counter_is_explained_with_its_value, 2)
{
	Pmu__V1__ExplainCounterResponse r =
		PMU__V1__EXPLAIN_COUNTER_RESPONSE__INIT;
	Pmu__V1__Counter counter = PMU__V1__COUNTER__INIT;
	Pmu__V1__Fact fact[2], *facts[] = { &fact[0], &fact[1] };
	FILE *out = text_open();

	for (unsigned i = 0; i < 2; i++) {
		pmu__v1__fact__init(&fact[i]);
		fact[i].topic = (char *)(i ? "mode" : "event");
		fact[i].rule = (char *)(i ? "C106" : "");
		fact[i].text = (char *)(i ? "not now" : "loads");
	}
	r.summary = (char *)"it counts";
	r.facts = facts;
	r.n_facts = 2;
	counter.value = 255;
	r.counter = _i ? &counter : NULL;
	ck_assert_int_eq(explain_counter_print(out, &r, NULL), EXIT_OK);
	fclose(out);
	ck_assert_str_eq(text, _i ? "it counts\n"
				    "value 255 (0xff)\n"
				    "\n"
				    "TOPIC RULE FACT\n"
				    "event -    loads\n"
				    "mode  C106 not now\n"
				  : "it counts\n"
				    "\n"
				    "TOPIC RULE FACT\n"
				    "event -    loads\n"
				    "mode  C106 not now\n");
}

SUITE("dt-text");
