/* SPDX-License-Identifier: BSD-2-Clause */
/* proto/wire/unpack.c: what becomes a message, and at what price. */
#include "unit.h"

#include <string.h>

#include "pmu/internal/machine.pb-c.h"
#include "wire/unpack.h"

enum {
	LIMIT = 4096
};

/* The linker sends malloc() of what is tested here. */
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);

static unsigned left = UINT32_MAX;

/* The one that fails, and only that. */
void *__wrap_malloc(size_t size)
{
	if (left == UINT32_MAX || left-- > 0)
		return __real_malloc(size);
	left = UINT32_MAX;
	return NULL;
}

static const struct row {
	const char *why, *bytes;
	size_t len;
	bool good;
	enum grpc_status status;
} rows[] = {
	{ "nothing is a message", "", 0, true, GRPC_OK },
	{ "an unknown field is kept", "\xf8\x07\x01", 3, true, GRPC_OK },
	{ "a tag alone", "\x12", 1, false, GRPC_INVALID_ARGUMENT },
	{ "a length beyond the end", "\x12\x05\x0a", 3, false,
	  GRPC_INVALID_ARGUMENT },
	{ "UTF-8 in a message in a message", "\x12\x04\x0a\x02\xc3\xa9", 6,
	  true, GRPC_OK },
	{ "text that is not UTF-8", "\x12\x03\x0a\x01\xff", 5, false,
	  GRPC_INVALID_ARGUMENT },
	{ "half a character", "\x12\x03\x0a\x01\xc3", 5, false,
	  GRPC_INVALID_ARGUMENT },
	{ "the other member of the oneof, bad text", "\x0a\x03\x1a\x01\xff", 5,
	  false, GRPC_INVALID_ARGUMENT },
};

TEST_ROWS(bytes_are_a_message_or_say_why_not, rows)
{
	const struct row *row = &rows[_i];
	struct wire_bytes in = { row->bytes, row->len, LIMIT };
	enum grpc_status status = GRPC_OK;
	const char *text = NULL;
	ProtobufCMessage *m = wire_unpack(
		&pmu__internal__from_machine__descriptor, &in, &status, &text);

	ck_assert_msg(!m == !row->good, "%s", row->why);
	ck_assert_msg(status == row->status, "%s", row->why);
	ck_assert_msg(!text == row->good, "%s", row->why);
	wire_unpack_free(m);
}

/* Empty settings: two bytes each on the wire, far more in memory. */
TEST(memory_is_limited_not_only_bytes)
{
	uint8_t bytes[4 + 2 * 100];
	struct wire_bytes in = { bytes, 0, LIMIT };
	enum grpc_status status = GRPC_OK;
	const char *text;
	ProtobufCMessage *m;

	for (size_t i = 0; i < 100; i++)
		memcpy(bytes + 2 * i, "\x22\x00", 2);
	in.len = 10;
	m = wire_unpack(&pmu__v1__machine_config__descriptor, &in, &status,
			&text);
	ck_assert_ptr_nonnull(m);
	wire_unpack_free(m);
	in.len = 200;
	m = wire_unpack(&pmu__v1__machine_config__descriptor, &in, &status,
			&text);
	ck_assert_ptr_null(m);
	ck_assert_int_eq(status, GRPC_RESOURCE_EXHAUSTED);
	ck_assert_str_eq(text, "the message has too many parts");
}

/* Whichever part it is that finds no room. */
TEST(without_memory_that_is_what_is_said)
{
	struct wire_bytes in = { "\x12\x04\x0a\x02\xc3\xa9", 6, LIMIT };
	enum grpc_status status;
	ProtobufCMessage *m;
	const char *text;
	unsigned n = 0;

	for (;; n++) {
		status = GRPC_OK;
		left = n;
		m = wire_unpack(&pmu__internal__from_machine__descriptor, &in,
				&status, &text);
		if (m)
			break;
		ck_assert_int_eq(status, GRPC_UNAVAILABLE);
		ck_assert_str_eq(text, "out of memory");
	}
	left = UINT32_MAX;
	ck_assert_uint_ge(n, 2);
	ck_assert_int_eq(status, GRPC_OK);
	wire_unpack_free(m);
}

TEST(what_machines_say_nests_no_deeper_than_allowed)
{
	ck_assert(wire_depth_ok(&pmu__internal__from_machine__descriptor));
	ck_assert(wire_depth_ok(&pmu__v1__record__descriptor));
}

SUITE("unpack");
