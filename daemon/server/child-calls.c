/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The calls that wait for a machine's process. Each is answered once: by the
 * process, or, when it is gone, for it. What an answer consists of is checked
 * here, against the row of its method; who waits for one finds it whole.
 */
#include "child-inside.h"

#include <errno.h>
#include <stdlib.h>

#include "quota.h"
#include "wire/record.h"
#include "wire/unpack.h"

enum {
	CALL_ROOM = 128, /* bytes that go ahead of a request, at most */
	OWN_SHORT = 4096 /* of one of pmud's own that has nothing of a user's */
};

struct pending {
	SLIST_ENTRY(pending) next;
	uint64_t id;
	enum method_id method;
	child_reply_fn *reply; /* NULL: nobody waits */
	void *arg;
};

/* NULL: it was answered, or never made. */
static struct pending *find(const struct child *c, uint64_t id)
{
	struct pending *p;

	SLIST_FOREACH(p, &c->calls, next)
		if (p->id == id)
			return p;
	return NULL;
}

static void finish(struct child *c, struct pending *p,
		   const struct child_reply *reply)
{
	SLIST_REMOVE(&c->calls, p, pending, next);
	c->n_calls--;
	if (p->reply)
		p->reply(p->arg, reply);
	free(p);
}

/* What can be tried again is UNAVAILABLE, and nothing else is. */
static struct child_reply gone(const char *why)
{
	return (struct child_reply){ .code = GRPC_UNAVAILABLE,
				     .text = why,
				     .field = "",
				     .reason = "MACHINE_UNAVAILABLE" };
}

void child_answer_all(struct child *c, const char *why)
{
	const struct child_reply reply = gone(why);

	while (!SLIST_EMPTY(&c->calls))
		finish(c, SLIST_FIRST(&c->calls), &reply);
}

/* Is there what pmud itself wants of an answer: the state, the header? */
static bool is_whole(const ProtobufCMessage *answer)
{
	const ProtobufCMessageDescriptor *d = answer->descriptor;

	for (unsigned i = 0; i < d->n_fields; i++) {
		const ProtobufCFieldDescriptor *f = &d->fields[i];
		const char *at = (const char *)answer + f->offset;

		if (f->label != PROTOBUF_C_LABEL_REPEATED &&
		    (f->descriptor == &pmu__v1__machine_info__descriptor ||
		     f->descriptor == &pmu__v1__header__descriptor) &&
		    !*(void *const *)at)
			return false;
	}
	return true;
}

/* Where it says the machine's state, or NULL. */
static Pmu__V1__MachineInfo **state_in(ProtobufCMessage *answer)
{
	const ProtobufCFieldDescriptor *f =
		protobuf_c_message_descriptor_get_field_by_name(
			answer->descriptor, "machine");

	if (!f || f->descriptor != &pmu__v1__machine_info__descriptor)
		return NULL;
	return (Pmu__V1__MachineInfo **)((char *)answer + f->offset);
}

/* How long an answer may be of which pmud keeps something. */
static size_t most(const ProtobufCMessageDescriptor *d)
{
	size_t ret = FRAME_MAX;

	for (unsigned i = 0; i < d->n_fields; i++)
		if (d->fields[i].descriptor ==
		    &pmu__v1__machine_info__descriptor)
			ret = NOTICE_MAX;
		else if (d->fields[i].descriptor ==
			 &pmu__v1__header__descriptor)
			ret = RECORD_MAX;
	return ret;
}

/* The answer to a call of @id. NULL: *@ret_err is why. */
static ProtobufCMessage *unpack(enum method_id id,
				const struct frame_body *body, int *ret_err)
{
	struct wire_bytes in = { body->bytes, body->len, MESSAGE_UNPACKED };
	enum grpc_status status;
	const char *why;
	ProtobufCMessage *answer =
		wire_unpack(method_descriptor(id)->output, &in, &status, &why);

	*ret_err = answer ? -EPROTO : wire_unpack_errno(status);
	if (answer && is_whole(answer) && body->len <= most(answer->descriptor))
		return answer;
	wire_unpack_free(answer);
	return NULL;
}

static int take_answer(struct child *c, struct pending *p,
		       const struct frame_body *body)
{
	int err;
	ProtobufCMessage *answer = unpack(p->method, body, &err);
	struct child_reply reply = {
		.answer = answer,
		.bytes = body->bytes,
		.len = body->len,
	};

	if (!answer)
		return err;
	reply.machine = state_in(answer);
	finish(c, p, &reply);
	wire_unpack_free(answer);
	return 0;
}

static void take_error(struct child *c, struct pending *p,
		       const Pmu__Internal__Reply *said)
{
	const struct child_reply reply = {
		.code = said->code > GRPC_STATUS_MAX
				? GRPC_UNKNOWN
				: (enum grpc_status)said->code,
		.text = said->text,
		.field = said->field,
		.reason = said->reason,
	};

	finish(c, p, &reply);
}

int child_take_reply(struct child *c, const Pmu__Internal__Reply *said,
		     const struct frame_body *body)
{
	const struct child_reply taken = { .code = GRPC_OK };
	struct pending *p = find(c, said->id);

	if (!p)
		return 0; /* nobody asked */
	if (said->code != GRPC_OK) {
		take_error(c, p, said);
		return 0;
	}
	if (!said->taken)
		return take_answer(c, p, body);
	if (methods[p->method].kind != METHOD_CLIENT_STREAM)
		return -EPROTO;
	finish(c, p, &taken);
	return 0;
}

void child_settle(struct child *c)
{
	size_t waits = frame_pending(&c->out);

	if (c->charged <= waits)
		return;
	quota_give(c->quota, QUOTA_REQUESTS, c->turn.user, c->charged - waits);
	c->charged = waits;
}

/*
 * Counts the request for its user. What pmud itself asks is short, and counted
 * in any case: it is not to fail for what a user has done. Where it has what a
 * user sent in it, it may be long, and is his. 0, -EDQUOT or -ENOMEM.
 */
static int charge(struct child *c, const struct child_request *request)
{
	const ProtobufCMessage *own = request->message;
	size_t n = CALL_ROOM + (own ? protobuf_c_message_get_packed_size(own)
				    : request->len);
	bool counted = own && n <= OWN_SHORT;
	char why[QUOTA_WHY];

	if (!c->quota)
		return 0;
	if (!counted &&
	    !quota_take(c->quota, QUOTA_REQUESTS, c->turn.user, n, why))
		return -EDQUOT;
	if (counted && !quota_count(c->quota, QUOTA_REQUESTS, c->turn.user, n))
		return -ENOMEM;
	c->charged += n;
	return 0;
}

/* Queues the call. 0 or a negated errno. */
static int send(struct child *c, uint64_t id,
		const struct child_request *request)
{
	Pmu__Internal__Call call = PMU__INTERNAL__CALL__INIT;
	const struct frame_body body = {
		.message = request->message,
		.bytes = request->bytes,
		.len = request->len,
	};

	int err = charge(c, request);

	if (err)
		return err;
	call.id = id;
	call.method = (char *)method_descriptor(request->method)->name;
	err = frame_put(&c->out, &call.base, &body);
	if (err)
		child_settle(c);
	return err;
}

static struct child_reply unsent(int err)
{
	struct child_reply ret = { .code = GRPC_RESOURCE_EXHAUSTED,
				   .field = "" };

	if (err == -EMSGSIZE) {
		ret.text = "the request is too long";
		ret.reason = "REQUEST_TOO_LONG";
	} else if (err == -EDQUOT) {
		ret.text = "too many bytes of requests wait for machines that "
			   "do not read them";
		ret.reason = "USER_BYTES";
	} else if (err == -ENOMEM) {
		ret.text = "out of memory";
		ret.reason = "OUT_OF_MEMORY";
	} else {
		ret = gone("the machine's process takes no requests");
	}
	return ret;
}

/* May it be asked one thing more? */
static bool admits(const struct child *c, struct child_reply *ret_refusal)
{
	if (!child_alive(c))
		*ret_refusal = gone("the machine's process is gone");
	else if (c->n_calls >= MAX_CALLS_PER_MACHINE)
		*ret_refusal = gone("too many calls wait for this machine");
	else
		return true;
	return false;
}

static struct pending *pending_new(struct child *c, enum method_id method,
				   child_reply_fn *reply, void *arg)
{
	struct pending *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->id = ++c->next_id;
	p->method = method;
	p->reply = reply;
	p->arg = arg;
	return p;
}

uint64_t child_call(struct child *c, const struct child_request *request,
		    child_reply_fn *reply, void *arg,
		    struct child_reply *ret_refusal)
{
	struct pending *p;
	int err;

	if (!admits(c, ret_refusal))
		return 0;
	p = pending_new(c, request->method, reply, arg);
	err = p ? send(c, p->id, request) : -ENOMEM;
	if (err) {
		*ret_refusal = unsent(err);
		free(p);
		return 0;
	}
	SLIST_INSERT_HEAD(&c->calls, p, next);
	c->n_calls++;
	child_flush(c);
	return p->id;
}

void child_forget(struct child *c, uint64_t id)
{
	struct pending *p = find(c, id);

	if (p)
		p->reply = NULL;
}
