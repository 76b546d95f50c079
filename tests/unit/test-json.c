/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages as JSON: proto3's rules, for every kind of field the protocol has.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "text/json.h"
#include "pmu/v1/harts.pb-c.h"
#include "pmu/v1/machines.pb-c.h"
#include "pmu/v1/sbi.pb-c.h"
#include "pmu/v1/traces.pb-c.h"
#include "unit.h"

static char line[1024];

static const char *text_of(const ProtobufCMessage *msg)
{
	json_t *object = json_message(msg);
	char *text = json_dumps(object, JSON_COMPACT);

	ck_assert_ptr_nonnull(text);
	snprintf(line, sizeof(line), "%s\n", text);
	free(text);
	json_decref(object);
	return line;
}

TEST(numbers_of_64_bits_are_strings)
{
	Pmu__V1__CallSbiResponse m = PMU__V1__CALL_SBI_RESPONSE__INIT;

	m.error = -3;
	m.value = UINT64_MAX;
	m.error_name = (char *)"INVALID_PARAM";
	ck_assert_str_eq(text_of(&m.base),
			 "{\"error\":\"-3\","
			 "\"value\":\"18446744073709551615\","
			 "\"errorName\":\"INVALID_PARAM\","
			 "\"callName\":\"\",\"reason\":\"\"}\n");
}

TEST(people_get_a_field_a_line)
{
	Pmu__V1__Stop m = PMU__V1__STOP__INIT;
	FILE *out = fmemopen(line, sizeof(line), "w");

	m.cause = PMU__V1__STOP_CAUSE__STOP_CAUSE_HTIF;
	m.exit_code = 7;
	ck_assert_int_eq(json_print(out, &m.base), 0);
	fclose(out);
	ck_assert_str_eq(line, "{\n"
			       "  \"cause\": \"STOP_CAUSE_HTIF\",\n"
			       "  \"exitCode\": 7\n"
			       "}\n");
}

TEST(enums_go_by_name_and_unknown_ones_by_number)
{
	Pmu__V1__Stop m = PMU__V1__STOP__INIT;

	m.cause = PMU__V1__STOP_CAUSE__STOP_CAUSE_HTIF;
	m.exit_code = -7;
	ck_assert_str_eq(text_of(&m.base), "{\"cause\":\"STOP_CAUSE_HTIF\","
					   "\"exitCode\":-7}\n");
	m.cause = (Pmu__V1__StopCause)99;
	ck_assert_str_eq(text_of(&m.base), "{\"cause\":99,\"exitCode\":-7}\n");
}

TEST(only_the_member_that_is_set_is_shown)
{
	Pmu__V1__Input m = PMU__V1__INPUT__INIT;
	Pmu__V1__CsrWrite w = PMU__V1__CSR_WRITE__INIT;

	ck_assert_str_eq(text_of(&m.base),
			 "{\"cycle\":\"0\",\"hart\":0,\"moment\":0}\n");
	w.csr = 0x320;
	m.kind_case = PMU__V1__INPUT__KIND_CSR_WRITE;
	m.csr_write = &w;
	ck_assert_str_eq(text_of(&m.base),
			 "{\"cycle\":\"0\",\"hart\":0,"
			 "\"csrWrite\":{\"csr\":800,\"value\":\"0\"},"
			 "\"moment\":0}\n");
}

TEST(lists_and_flags)
{
	Pmu__V1__SbiCall m = PMU__V1__SBI_CALL__INIT;
	uint64_t args[] = { 1, UINT64_C(1) << 63 };

	m.args = args;
	m.n_args = 2;
	m.returned = true;
	ck_assert_str_eq(text_of(&m.base),
			 "{\"eid\":\"0\",\"fid\":\"0\","
			 "\"args\":[\"1\",\"9223372036854775808\"],"
			 "\"error\":\"0\",\"value\":\"0\","
			 "\"returned\":true,\"reason\":\"\"}\n");
}

static const struct bytes_row {
	const char *bytes, *want;
} bytes_rows[] = {
	{ "", "" },	   { "f", "Zg==" },	   { "fo", "Zm8=" },
	{ "foo", "Zm9v" }, { "foob", "Zm9vYg==" }, { "\377\376\375", "//79" },
};

TEST_ROWS(bytes_are_base64, bytes_rows)
{
	const struct bytes_row *row = &bytes_rows[_i];
	Pmu__V1__ConsoleOutput m = PMU__V1__CONSOLE_OUTPUT__INIT;
	char want[64];

	m.data.data = (uint8_t *)row->bytes;
	m.data.len = strlen(row->bytes);
	snprintf(want, sizeof(want), "{\"data\":\"%s\",\"port\":0}\n",
		 row->want);
	ck_assert_str_eq(text_of(&m.base), want);
}

SUITE("json");
