/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Forwarded calls. The request goes on as the client sent it, and the answer
 * comes back as the process sent it, both unpacked once to be checked; a
 * machine's state is amended in it. Where a request has its field `machine` is
 * read from the descriptors.
 */
#include "rpc-forward.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "daemon-limits.h"

struct waiting_call {
	struct rpc_call *call;
	struct hosted *machine;
	uint64_t id;
};

static void on_cancel(struct rpc_call *call, void *data)
{
	struct waiting_call *w = data;

	child_forget(w->machine->child, w->id);
	free(w);
}

static const struct rpc_call_ops waiting_ops = { .on_cancel = on_cancel };

void forward_refuse(struct rpc_call *call, const struct child_reply *reply)
{
	rpc_refuse(call, reply->code, RPC_AT(reply->field, reply->reason), "%s",
		   reply->text);
}

/* A machine's state: what only pmud knows is filled in. */
static void answer_info(struct rpc_call *call, struct hosted *m,
			const struct child_reply *reply)
{
	Pmu__V1__MachineInfo *said = *reply->machine, info;

	assert(reply->answer->descriptor == rpc_call_method(call)->response);
	hosted_update(m, said);
	hosted_describe(m, said, &info);
	*reply->machine = &info;
	rpc_reply(call, reply->answer);
	*reply->machine = said;
}

/* The bytes as they came, unless there is a machine's state in them. */
static void forward_answer(struct rpc_call *call, struct hosted *m,
			   const struct child_reply *reply)
{
	struct rpc_bytes bytes = { reply->bytes, reply->len };

	if (reply->machine)
		answer_info(call, m, reply);
	else
		rpc_reply_bytes(call, bytes);
}

static void on_reply(void *arg, const struct child_reply *reply)
{
	struct waiting_call *w = arg;
	struct waiting_call got = *w;

	free(w);
	rpc_call_watch(got.call, NULL, NULL);
	if (reply->code != GRPC_OK)
		forward_refuse(got.call, reply);
	else
		forward_answer(got.call, got.machine, reply);
}

static void refuse_unsent(struct rpc_call *call, const struct hosted *m,
			  const struct child_reply *why)
{
	const char *detail = m->info ? m->info->detail : "";

	rpc_refuse(call, why->code, RPC_AT(NULL, why->reason),
		   "machine %s: %s%s%s", m->id, why->text, *detail ? ": " : "",
		   detail);
}

/* Whether requests of this type may be long: lists, or bytes. */
static bool has_bulk(const ProtobufCMessageDescriptor *d)
{
	for (unsigned i = 0; i < d->n_fields; i++) {
		const ProtobufCFieldDescriptor *f = &d->fields[i];

		if (f->label == PROTOBUF_C_LABEL_REPEATED ||
		    f->type == PROTOBUF_C_TYPE_BYTES ||
		    (f->type == PROTOBUF_C_TYPE_MESSAGE &&
		     has_bulk(f->descriptor)))
			return true;
	}
	return false;
}

/* What makes a request long that says little is nothing that it may say. */
static bool admit_size(struct rpc_call *call, enum method_id method, size_t len)
{
	if (len <= FORWARD_MAX || has_bulk(method_descriptor(method)->input))
		return true;
	rpc_refuse(call, GRPC_RESOURCE_EXHAUSTED,
		   RPC_AT(NULL, "REQUEST_TOO_LONG"),
		   "a request of %zu bytes, the limit of this method is %d",
		   len, FORWARD_MAX);
	return false;
}

void forward(struct rpc_call *call, struct hosted *m, enum method_id method)
{
	struct rpc_bytes bytes = rpc_call_message(call);
	const struct child_request request = {
		.method = method,
		.bytes = bytes.data,
		.len = bytes.len,
	};
	struct waiting_call *w;
	struct child_reply why = {
		.code = GRPC_RESOURCE_EXHAUSTED,
		.text = "out of memory",
		.reason = "OUT_OF_MEMORY",
	};

	if (!admit_size(call, method, bytes.len))
		return;
	w = calloc(1, sizeof(*w));
	if (w) {
		w->call = call;
		w->machine = m;
		w->id = child_call(m->child, &request, on_reply, w, &why);
	}
	if (!w || !w->id) {
		free(w);
		refuse_unsent(call, m, &why);
		return;
	}
	rpc_call_watch(call, &waiting_ops, w);
}

void forward_request(struct rpc_call *call, enum method_id method,
		     const ProtobufCMessage *request)
{
	const ProtobufCFieldDescriptor *field =
		protobuf_c_message_descriptor_get_field_by_name(
			request->descriptor, "machine");
	struct hosted *m;
	const char *id;

	memcpy(&id, (const uint8_t *)request + field->offset, sizeof(id));
	m = hosted_find(call, id);
	if (m)
		forward(call, m, method);
}
