/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * daemon/server/recorded-kinds.c: whatever a machine's process can be told to
 * record is a kind that can be stored, watched and named.
 */
#include "server/recorded-kinds.h"

#include <string.h>

#include "unit.h"

#define REQUEST (&pmu__internal__set_recording_request__descriptor)

/* The flag @name of @msg; NULL: it has none. */
static protobuf_c_boolean *flag(ProtobufCMessage *msg, const char *name)
{
	const ProtobufCFieldDescriptor *f =
		protobuf_c_message_descriptor_get_field_by_name(msg->descriptor,
								name);

	if (!f)
		return NULL;
	ck_assert_int_eq(f->type, PROTOBUF_C_TYPE_BOOL);
	return (protobuf_c_boolean *)((char *)msg + f->offset);
}

/* @kinds is one kind, and the one that is asked for by @name alone. */
static void is_of(uint32_t kinds, const char *name)
{
	Pmu__Internal__SetRecordingRequest ask;

	ck_assert_uint_eq(kinds & RECORDED_ALL, kinds);
	ck_assert_uint_ne(kinds, 0);
	ck_assert_uint_eq(kinds & (kinds - 1), 0);
	recorded_ask(&ask, kinds);
	for (unsigned i = 0; i < REQUEST->n_fields; i++) {
		const char *each = REQUEST->fields[i].name;

		ck_assert_int_eq(*flag(&ask.base, each), !strcmp(each, name));
	}
}

TEST(whatever_can_be_asked_for_can_be_stored)
{
	uint32_t all = 0;

	for (unsigned i = 0; i < REQUEST->n_fields; i++) {
		Pmu__V1__Recording r = PMU__V1__RECORDING__INIT;
		const char *name = REQUEST->fields[i].name;
		protobuf_c_boolean *wanted = flag(&r.base, name);

		ck_assert_msg(wanted != NULL, "%s", name);
		ck_assert_uint_eq(recorded_stored(&r), 0);
		*wanted = true;
		is_of(recorded_stored(&r), name);
		all |= recorded_stored(&r);
	}
	ck_assert_uint_eq(all, RECORDED_ALL);
}

/* How many do so is known for each kind. */
TEST(what_somebody_watches_is_watched_until_the_last_one_goes)
{
	struct recorded_watchers w = { 0 };
	const uint32_t trap = RECORDED_BIT(TRAP),
		       csr = RECORDED_BIT(CSR_ACCESS);

	ck_assert_uint_eq(recorded_watched(&w), 0);
	recorded_watch(&w, RECORDED_ALL, true);
	ck_assert_uint_eq(recorded_watched(&w), RECORDED_ALL);
	recorded_watch(&w, trap | csr, true);
	recorded_watch(&w, RECORDED_ALL, false);
	ck_assert_uint_eq(recorded_watched(&w), trap | csr);
	recorded_watch(&w, trap, false);
	ck_assert_uint_eq(recorded_watched(&w), csr);
	recorded_watch(&w, csr, false);
	ck_assert_uint_eq(recorded_watched(&w), 0);
}

/* In the order of the lists that people read. */
TEST(the_first_of_some_kinds_has_a_name)
{
	ck_assert_str_eq(recorded_name(RECORDED_ALL), "trap");
	ck_assert_str_eq(recorded_name(RECORDED_BIT(SBI_CALL)), "sbi");
	ck_assert_str_eq(recorded_name(RECORDED_BIT(CSR_ACCESS) |
				       RECORDED_BIT(DELIVERY)),
			 "csr");
	ck_assert_str_eq(recorded_name(RECORDED_BIT(DELIVERY)), "delivery");
}

SUITE("recorded-kinds");
