/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A call: its method's row, its request as the row's type, its handler, and
 * what that makes of it.
 */
#include "control-inside.h"
#include "wire/frame.h"

/* Bytes of records that inputs may leave waiting while nobody reads them. */
enum {
	CONTROL_MAX_BACKLOG = 16 << 20
};

typedef enum handled handler(struct control *c, const ProtobufCMessage *q,
			     ProtobufCMessage *answer, struct error *e);

/* Its messages are of the row's types: take_request() sees to it. */
#define HANDLER(package, method, name)                                         \
	static enum handled handle_##name(                                     \
		struct control *c, const ProtobufCMessage *q,                  \
		ProtobufCMessage *answer, struct error *e)                     \
	{                                                                      \
		return control_##name(                                         \
			c, (const METHOD_REQUEST(package, method) *)q,         \
			(METHOD_RESPONSE(package, method) *)answer, e);        \
	}
METHODS_OF_MACHINE(HANDLER)
#undef HANDLER

static handler *const handlers[N_METHODS] = {
#define HANDLER(package, method, name) [METHOD_##method] = handle_##name,
	METHODS_OF_MACHINE(HANDLER)
#undef HANDLER
};

/* Is there what a method needs? False: @e says what is not. */
static bool may_be_asked(struct control *c, enum method_id id, struct error *e)
{
	enum method_needs needs = methods[id].needs;

	if (!c->machine && needs >= METHOD_CONFIGURED)
		return error_set(e, ERROR_NOT_NOW,
				 AT(PART_NONE, "NOT_CONFIGURED"),
				 "the machine is not configured");
	if (needs >= METHOD_ROOM &&
	    trace_backlog(&c->trace) > CONTROL_MAX_BACKLOG)
		return error_set(e, ERROR_NO_ROOM,
				 AT(PART_NONE, "RECORDS_WAIT"),
				 "too many records wait to be read");
	return true;
}

/* What the handler of a call's method makes of its request. */
static void handle(struct control *c, enum method_id id,
		   const ProtobufCMessage *request)
{
	ProtobufCMessage *answer =
		control_message(c, method_descriptor(id)->output);
	enum handled how = HANDLED_FAILED;
	struct error e = { 0 };

	if (c->machine)
		machine_look(c->machine);
	if (may_be_asked(c, id, &e))
		how = handlers[id](c, request, answer, &e);
	switch (how) {
	case HANDLED_DONE:
		control_send_answer(c, c->call_id, answer);
		break;
	case HANDLED_TAKEN:
		control_send_taken(c, c->call_id);
		break;
	case HANDLED_LATER:
		break;
	case HANDLED_FAILED:
		control_send_error(c, c->call_id, &e);
		break;
	}
	control_free_replies(c);
}

/* The request of a call for a method of ours. False: it is malformed. */
static bool take_request(struct control *c, enum method_id id,
			 const struct frame_body *body)
{
	ProtobufCMessage *request = protobuf_c_message_unpack(
		method_descriptor(id)->input, NULL, body->len, body->bytes);

	if (!request)
		return false;
	handle(c, id, request);
	protobuf_c_message_free_unpacked(request, NULL);
	return true;
}

bool control_take_call(struct control *c, const uint8_t *bytes, size_t len)
{
	Pmu__Internal__Call *call = NULL;
	struct frame_body head, body;
	enum method_id id;
	bool good = true;
	struct error e;

	if (frame_split(bytes, len, &head, &body))
		call = pmu__internal__call__unpack(NULL, head.len, head.bytes);
	if (!call)
		return false;
	id = method_find(call->method);
	c->call_id = call->id;
	if (id < N_METHODS && handlers[id]) {
		good = take_request(c, id, &body);
	} else {
		error_set(&e, ERROR_UNKNOWN, AT(PART_NONE, "NO_SUCH_METHOD"),
			  "request '%.64s' is unknown", call->method);
		control_send_error(c, call->id, &e);
	}
	pmu__internal__call__free_unpacked(call, NULL);
	return good;
}
