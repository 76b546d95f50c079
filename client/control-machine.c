/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What can be done to a machine by its id: one table, and one function that
 * fills the request and takes the machine out of the answer by the fields'
 * names, as every action has messages of its own.
 */
#include <pmuclient/machine.h>

#include <stdlib.h>
#include <string.h>

#include "session.h"

struct action_row {
	const char *method;
	const ProtobufCMessageDescriptor *request, *response;
	const char *value; /* the request's other field, or NULL */
};

#define ROW(method)                                                            \
	METHOD_PATH(method), METHOD_QUESTION(method), METHOD_ANSWER(method)

static const struct action_row rows[] = {
	[PMUCLIENT_GET] = { ROW(GetMachine) },
	[PMUCLIENT_START] = { ROW(StartMachine), "paused" },
	[PMUCLIENT_PAUSE] = { ROW(PauseMachine) },
	[PMUCLIENT_RESUME] = { ROW(ResumeMachine) },
	[PMUCLIENT_STEP] = { ROW(StepMachine), "insns" },
	[PMUCLIENT_DETACH] = { ROW(DetachMachine) },
	[PMUCLIENT_DELETE] = { ROW(DeleteMachine) },
};

/* Where the field @name of @msg is; NULL: it has none. */
static void *field(ProtobufCMessage *msg, const char *name)
{
	const ProtobufCFieldDescriptor *f =
		protobuf_c_message_descriptor_get_field_by_name(msg->descriptor,
								name);

	return f ? (char *)msg + f->offset : NULL;
}

static void set_value(ProtobufCMessage *req, const char *name, uint64_t value)
{
	const ProtobufCFieldDescriptor *f =
		protobuf_c_message_descriptor_get_field_by_name(req->descriptor,
								name);

	if (f->type == PROTOBUF_C_TYPE_BOOL)
		*(protobuf_c_boolean *)field(req, name) = value != 0;
	else
		*(uint64_t *)field(req, name) = value;
}

/* The answer's machine, if it has one, is the caller's from now on. */
static Pmu__V1__MachineInfo *take_machine(ProtobufCMessage *answer)
{
	Pmu__V1__MachineInfo **at = field(answer, "machine");
	Pmu__V1__MachineInfo *machine = at ? *at : NULL;

	if (at)
		*at = NULL;
	return machine;
}

int pmuclient_control(struct pmuclient *c, const char *id,
		      enum pmuclient_action action, uint64_t value,
		      Pmu__V1__MachineInfo **ret)
{
	const struct action_row *row;
	ProtobufCMessage *req, *answer;
	int err;

	if ((size_t)action >= sizeof(rows) / sizeof(rows[0]))
		return session_fail(
			c, PMUCLIENT_EINVAL,
			"action: must be one of enum pmuclient_action, not %d",
			(int)action);
	row = &rows[action];
	req = malloc(row->request->sizeof_message);
	if (!req)
		return session_no_memory(c, "request");
	protobuf_c_message_init(row->request, req);
	*(const char **)field(req, "machine") = id;
	if (row->value)
		set_value(req, row->value, value);
	err = pmuclient_call(c, row->method, req, row->response,
			     ret ? &answer : NULL);
	free(req); /* its strings are the caller's */
	if (err || !ret)
		return err;
	*ret = take_machine(answer);
	pmuclient_free_message(answer);
	return 0;
}

int pmuclient_start(struct pmuclient *c, const char *id, bool paused)
{
	return pmuclient_control(c, id, PMUCLIENT_START, paused, NULL);
}

int pmuclient_pause(struct pmuclient *c, const char *id)
{
	return pmuclient_control(c, id, PMUCLIENT_PAUSE, 0, NULL);
}

int pmuclient_resume(struct pmuclient *c, const char *id)
{
	return pmuclient_control(c, id, PMUCLIENT_RESUME, 0, NULL);
}

int pmuclient_step(struct pmuclient *c, const char *id, uint64_t insns)
{
	return pmuclient_control(c, id, PMUCLIENT_STEP, insns, NULL);
}

int pmuclient_delete(struct pmuclient *c, const char *id)
{
	return pmuclient_control(c, id, PMUCLIENT_DELETE, 0, NULL);
}
