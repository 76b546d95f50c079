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

TEST(no_character_is_the_terminals)
{
	static const char text[] = "\33[\177\xc2\x80\xc2\x9b[\xc2\x9f"
				   "\xc2\xa0\xc3\x9b";
	FILE *out = fmemopen(line, sizeof(line), "w");

	ck_assert_int_eq(json_put(out, json_text(text), JSON_ENCODE_ANY), 0);
	fclose(out);
	ck_assert_str_eq(line, "\"\\u001B[\\u007f\\u0080\\u009b[\\u009f"
			       "\xc2\xa0\xc3\x9b\"\n");
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
			 "\"returned\":true,\"reason\":\"\","
			 "\"memory\":[],\"moreAccesses\":\"0\","
			 "\"moreRead\":\"0\",\"moreWritten\":\"0\"}\n");
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

/* Names of files and of processes are any bytes but 0. */
static const struct name_row {
	const char *why, *bytes, *want;
} name_rows[] = {
	{ "nothing", "", "" },
	{ "ASCII", "a\"\\b\n", "a\"\\b\n" },
	{ "UTF-8", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80",
	  "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80" },
	{ "a byte of Latin-1", "\xe4z", "\xee\xbf\xa4z" },
	{ "the first byte", "\x80", "\xee\xbe\x80" },
	{ "the last byte", "\xff", "\xee\xbf\xbf" },
	{ "a character that is cut", "\xe2\x82", "\xee\xbf\xa2\xee\xbe\x82" },
	{ "a surrogate", "\xed\xa0\x80",
	  "\xee\xbf\xad\xee\xbe\xa0\xee\xbe\x80" },
	{ "below those that are bytes", "\xee\xbd\xbf", "\xee\xbd\xbf" },
	{ "above them", "\xef\x80\x80", "\xef\x80\x80" },
	{ "the first of them", "\xee\xbe\x80",
	  "\xee\xbf\xae\xee\xbe\xbe\xee\xbe\x80" },
	{ "the last of them", "\xee\xbf\xbf",
	  "\xee\xbf\xae\xee\xbe\xbf\xee\xbe\xbf" },
};

/* The way back. */
static void bytes_of(const char *text, char *ret)
{
	const uint8_t *b = (const uint8_t *)text;

	while (*b) {
		if (b[0] == 0xee && b[1] >= 0xbe) {
			*ret++ = (char)((b[1] & 1) << 6 | 0x80 | (b[2] & 0x3f));
			b += 3;
		} else {
			*ret++ = (char)*b++;
		}
	}
	*ret = '\0';
}

TEST_ROWS(text_that_is_not_utf8_loses_no_byte, name_rows)
{
	const struct name_row *row = &name_rows[_i];
	Pmu__V1__Process m = PMU__V1__PROCESS__INIT;
	char back[64];
	json_t *object;
	const char *comm;

	m.comm = (char *)row->bytes;
	object = json_message(&m.base);
	comm = json_string_value(json_object_get(object, "comm"));
	ck_assert_pstr_eq(comm, row->want);
	bytes_of(comm, back);
	ck_assert_str_eq(back, row->bytes);
	json_decref(object);
}

TEST(what_is_not_whole_is_not_written)
{
	json_t *object = json_object(), *list = json_array();

	json_append(&list, NULL);
	ck_assert_ptr_null(list);
	json_append(&list, json_null());
	ck_assert_ptr_null(list);
	json_add(&object, "list", list);
	ck_assert_ptr_null(object);
	json_add(&object, "more", json_null());
	json_add_all(&object, json_object());
	ck_assert_ptr_null(object);
	object = json_object();
	json_add_all(&object, NULL);
	ck_assert_ptr_null(object);
	ck_assert_int_eq(json_put(stdout, object, 0), 1);
}

SUITE("json");
