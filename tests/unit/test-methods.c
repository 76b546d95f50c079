/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * proto/methods: what the compiler cannot see of the rows. That names, types
 * and numbers of methods agree with the protocol, it sees.
 */
#include "unit.h"

#include <string.h>

#include "method-places.h"

static const ProtobufCFieldDescriptor *
field_of(const ProtobufCMessageDescriptor *d, const char *name)
{
	return protobuf_c_message_descriptor_get_field_by_name(d, name);
}

TEST_RANGE(a_method_is_found_by_its_name, 0, N_METHODS)
{
	const char *name = method_descriptor((enum method_id)_i)->name;

	ck_assert_int_eq(method_find(name), _i);
}

static const char *const strangers[] = { "",	     "readcsr",
					 "ReadCsrs", "ReadCs",
					 "read_csr", "pmu.v1.ReadCsr",
					 "ReadCsr ", "Machine" };

TEST_ROWS(other_names_are_of_no_method, strangers)
{
	ck_assert_int_eq(method_find(strangers[_i]), N_METHODS);
}

TEST(a_row_is_its_services_method)
{
	const ProtobufCMethodDescriptor *d = method_descriptor(METHOD_WriteCsr);

	ck_assert_str_eq(d->name, "WriteCsr");
	ck_assert_ptr_eq(d->input, &pmu__v1__write_csr_request__descriptor);
	ck_assert_ptr_eq(d->output, &pmu__v1__write_csr_response__descriptor);
}

/* pmud reads from the request for which machine it is. */
TEST_RANGE(what_is_forwarded_names_its_machine, 0, N_METHODS)
{
	const ProtobufCMessageDescriptor *request =
		method_descriptor((enum method_id)_i)->input;
	const ProtobufCFieldDescriptor *f = field_of(request, "machine");

	ck_assert(method_places[_i] != PLACE_MACHINE ||
		  (f && f->type == PROTOBUF_C_TYPE_STRING &&
		   f->label == PROTOBUF_C_LABEL_NONE));
}

/* Without knowing who asks there is no machine of the caller's. */
TEST_RANGE(strangers_are_answered_by_pmud_alone, 0, N_METHODS)
{
	const struct method *m = &methods[_i];

	ck_assert(m->needs != METHOD_ANYBODY ||
		  method_places[_i] == PLACE_PMUD);
	ck_assert(m->needs < METHOD_CONFIGURED ||
		  method_places[_i] != PLACE_PMUD);
}

/* Nobody but pmud asks for what is internal, and it begins with the machine. */
TEST_RANGE(the_internal_ones_are_the_last, 0, N_METHODS)
{
	bool internal = method_places[_i] == PLACE_INTERNAL;
	const char *package =
		method_descriptor((enum method_id)_i)->input->package_name;

	ck_assert(internal == (_i >= N_PUBLIC_METHODS));
	ck_assert_str_eq(package, internal ? "pmu.internal" : "pmu.v1");
	ck_assert(!internal || methods[_i].kind == METHOD_UNARY);
}

TEST(only_the_first_call_needs_no_machine_in_the_process)
{
	for (int i = 0; i < N_METHODS; i++)
		if (method_places[i] != PLACE_PMUD &&
		    methods[i].needs < METHOD_CONFIGURED)
			ck_assert_int_eq(i, METHOD_Configure);
}

/* Whatever leaves a record, so that asking for it fills nobody's memory. */
TEST(inputs_need_room_for_their_record)
{
	static const enum method_id inputs[] = {
		METHOD_WriteConsole, METHOD_WriteCsr,	  METHOD_WriteRegister,
		METHOD_WriteMemory,  METHOD_CallSbi,	  METHOD_OpenEbb,
		METHOD_ActOnEbb,     METHOD_InjectEvents,
	};
	unsigned n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(inputs); i++)
		ck_assert_int_eq(methods[inputs[i]].needs, METHOD_ROOM);
	for (int i = 0; i < N_METHODS; i++)
		n += methods[i].needs == METHOD_ROOM;
	ck_assert_uint_eq(n, ARRAY_SIZE(inputs));
}

/* Where pmud finds who is asked; of a stream, in the first message. */
static bool is_forwarded(int id)
{
	return method_places[id] == PLACE_MACHINE &&
	       methods[id].kind == METHOD_UNARY;
}

TEST_WHERE(a_forwarded_request_names_its_machine, 0, N_PUBLIC_METHODS,
	   is_forwarded(_i))
{
	const ProtobufCFieldDescriptor *f = field_of(
		method_descriptor((enum method_id)_i)->input, "machine");

	ck_assert_ptr_nonnull(f);
	ck_assert_int_eq(f->type, PROTOBUF_C_TYPE_STRING);
	ck_assert_int_ne(f->label, PROTOBUF_C_LABEL_REPEATED);
}

static const ProtobufCFieldDescriptor *state_in(int id)
{
	const ProtobufCMessageDescriptor *d =
		method_descriptor((enum method_id)id)->output;

	for (unsigned i = 0; i < d->n_fields; i++)
		if (d->fields[i].descriptor ==
		    &pmu__v1__machine_info__descriptor)
			return &d->fields[i];
	return NULL;
}

/* pmud amends what the machine says of itself, and only there. */
TEST_WHERE(a_state_in_an_answer_is_its_field_machine, 0, N_METHODS,
	   method_places[_i] != PLACE_PMUD && state_in(_i))
{
	const ProtobufCFieldDescriptor *f = state_in(_i);

	ck_assert_str_eq(f->name, "machine");
	ck_assert_int_ne(f->label, PROTOBUF_C_LABEL_REPEATED);
}

SUITE("methods");
