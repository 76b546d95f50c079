/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/text/json.c: each type that a protocol can have, alone and in a list,
 * also those that ours has not; and names.
 */
#include <string.h>

#include "text/exit-codes.h"
#include "text/json.h"
#include "unit.h"

union value {
	int32_t i32;
	uint32_t u32;
	int64_t i64;
	uint64_t u64;
	float f;
	double d;
	protobuf_c_boolean b;
	const char *s;
	ProtobufCBinaryData bytes;
	ProtobufCMessage *message;
};

struct sample {
	ProtobufCMessage base;
	size_t n;
	union value one;
	void *list;
};

static const ProtobufCEnumValue enum_values[] = { { "NONE", "NONE", 0 },
						  { "SOME", "SOME", 7 } };
static const ProtobufCEnumValueIndex enum_names[] = { { "NONE", 0 },
						      { "SOME", 1 } };
static const ProtobufCIntRange enum_ranges[] = { { 0, 0 }, { 7, 1 }, { 0, 2 } };
static const ProtobufCEnumDescriptor enum_descriptor = {
	.magic = PROTOBUF_C__ENUM_DESCRIPTOR_MAGIC,
	.name = "E",
	.n_values = 2,
	.values = enum_values,
	.n_value_names = 2,
	.values_by_name = enum_names,
	.n_value_ranges = 2,
	.value_ranges = enum_ranges,
};

static const ProtobufCMessageDescriptor empty_descriptor = { .name = "Empty" };
static ProtobufCMessage empty = { .descriptor = &empty_descriptor };

/* A message with the one field, as JSON without blanks. */
static char *json_of(const char *name, ProtobufCType type, bool repeated,
		     struct sample *sample)
{
	const ProtobufCFieldDescriptor field = {
		.name = name,
		.id = 1,
		.label = repeated ? PROTOBUF_C_LABEL_REPEATED
				  : PROTOBUF_C_LABEL_NONE,
		.type = type,
		.quantifier_offset = offsetof(struct sample, n),
		.offset = repeated ? offsetof(struct sample, list)
				   : offsetof(struct sample, one),
		.descriptor =
			type == PROTOBUF_C_TYPE_ENUM ? &enum_descriptor : NULL,
	};
	const ProtobufCMessageDescriptor d = { .name = "Sample",
					       .n_fields = 1,
					       .fields = &field };
	json_t *json;
	char *text;

	sample->base.descriptor = &d;
	json = json_message(&sample->base);
	text = json_dumps(json, JSON_COMPACT | JSON_ENCODE_ANY);
	json_decref(json);
	sample->base.descriptor = NULL;
	ck_assert_ptr_nonnull(text);
	return text;
}

#define MESSAGE(x)                                                             \
	{                                                                      \
		.message = (x)                                                 \
	}
static uint8_t some_bytes[] = { 0xff, 0, 1, 2 };

static const struct type_row {
	ProtobufCType type;
	size_t size; /* of one in a list */
	union value value;
	const char *want;
} type_rows[] = {
	{ PROTOBUF_C_TYPE_INT32, 4, { .i32 = -5 }, "-5" },
	{ PROTOBUF_C_TYPE_SINT32, 4, { .i32 = INT32_MIN }, "-2147483648" },
	{ PROTOBUF_C_TYPE_SFIXED32, 4, { .i32 = -1 }, "-1" },
	{ PROTOBUF_C_TYPE_UINT32, 4, { .u32 = UINT32_MAX }, "4294967295" },
	{ PROTOBUF_C_TYPE_FIXED32, 4, { .u32 = UINT32_MAX }, "4294967295" },
	{ PROTOBUF_C_TYPE_INT64, 8, { .i64 = -5 }, "\"-5\"" },
	{ PROTOBUF_C_TYPE_SINT64, 8, { .i64 = -1 }, "\"-1\"" },
	{ PROTOBUF_C_TYPE_SFIXED64,
	  8,
	  { .i64 = INT64_MIN },
	  "\"-9223372036854775808\"" },
	{ PROTOBUF_C_TYPE_UINT64,
	  8,
	  { .u64 = UINT64_MAX },
	  "\"18446744073709551615\"" },
	{ PROTOBUF_C_TYPE_FIXED64, 8, { .u64 = 1 }, "\"1\"" },
	{ PROTOBUF_C_TYPE_FLOAT, 4, { .f = 1.5f }, "1.5" },
	{ PROTOBUF_C_TYPE_DOUBLE, 8, { .d = -2.25 }, "-2.25" },
	{ PROTOBUF_C_TYPE_BOOL,
	  sizeof(protobuf_c_boolean),
	  { .b = 1 },
	  "true" },
	{ PROTOBUF_C_TYPE_ENUM, 4, { .i32 = 7 }, "\"SOME\"" },
	{ PROTOBUF_C_TYPE_ENUM, 4, { .i32 = 8 }, "8" },
	{ PROTOBUF_C_TYPE_STRING, sizeof(char *), { .s = "text" }, "\"text\"" },
	{ PROTOBUF_C_TYPE_BYTES,
	  sizeof(ProtobufCBinaryData),
	  { .bytes = { 4, some_bytes } },
	  "\"/wABAg==\"" },
	{ PROTOBUF_C_TYPE_MESSAGE, sizeof(void *), MESSAGE(&empty), "{}" },
};

TEST_ROWS(a_value_of_each_type_has_its_form, type_rows)
{
	const struct type_row *row = &type_rows[_i];
	struct sample sample = { .one = row->value };
	char want[64], *text = json_of("x", row->type, false, &sample);

	snprintf(want, sizeof(want), "{\"x\":%s}", row->want);
	ck_assert_str_eq(text, want);
	free(text);
}

/* What follows the first one is where the next begins. */
TEST_ROWS(a_list_of_each_type_has_all_its_values, type_rows)
{
	const struct type_row *row = &type_rows[_i];
	_Alignas(16) uint8_t list[3 * sizeof(union value)] = { 0 };
	struct sample sample = { .n = 3, .list = list };
	char want[128], *text;

	for (unsigned i = 0; i < 3; i++)
		memcpy(list + i * row->size, &row->value, row->size);
	text = json_of("x", row->type, true, &sample);
	snprintf(want, sizeof(want), "{\"x\":[%s,%s,%s]}", row->want, row->want,
		 row->want);
	ck_assert_str_eq(text, want);
	free(text);
}

TEST(an_empty_list_is_shown_and_no_message_is_not)
{
	struct sample sample = { .n = 0 };
	char *text = json_of("x", PROTOBUF_C_TYPE_UINT32, true, &sample);

	ck_assert_str_eq(text, "{\"x\":[]}");
	free(text);
	text = json_of("x", PROTOBUF_C_TYPE_MESSAGE, false, &sample);
	ck_assert_str_eq(text, "{}");
	free(text);
}

#define TEN "abcdefghij"
static const struct name_row {
	const char *name, *want;
} name_rows[] = {
	{ "one", "one" },
	{ "a_b_c", "aBC" },
	{ "counter_2", "counter2" },
	{ "ends_with_", "endsWith_" },
	{ "_begins", "Begins" },
	{ "two__of", "two_of" },
	{ TEN TEN TEN TEN TEN TEN "123", TEN TEN TEN TEN TEN TEN "123" },
	{ TEN TEN TEN TEN TEN TEN "1234", TEN TEN TEN TEN TEN TEN "123" },
};

TEST_ROWS(names_are_as_json_has_them, name_rows)
{
	const struct name_row *row = &name_rows[_i];
	struct sample sample = { .one = { .u32 = 1 } };
	char want[96], *text = json_of(row->name, PROTOBUF_C_TYPE_UINT32, false,
				       &sample);

	snprintf(want, sizeof(want), "{\"%s\":1}", row->want);
	ck_assert_str_eq(text, want);
	free(text);
}

/* Also where only the last line break finds no room. */
TEST_TIMES(a_full_file_is_told, 2)
{
	char room[4];
	FILE *out = _i ? fmemopen(room, sizeof(room), "w")
		       : fopen("/dev/full", "w");

	ck_assert_ptr_nonnull(out);
	setvbuf(out, NULL, _IONBF, 0);
	empty.descriptor = &empty_descriptor;
	ck_assert_int_eq(json_print(out, &empty), _i ? EXIT_OK : EXIT_FAILED);
	fclose(out);
	if (_i)
		ck_assert_mem_eq(room, "{}\n", 3);
}

SUITE("json-types");
