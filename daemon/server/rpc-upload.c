/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The client-streaming calls: images and recorded inputs. Each message goes on
 * to the machine's process as it comes; the next one is taken once that one is
 * answered, so nothing piles up here. The last answer is the call's.
 */
#include <stdlib.h>
#include <string.h>

#include "daemon-limits.h"
#include "rpc-forward.h"
#include "rpc-services.h"
#include "wire/message.h"

struct upload {
	struct watcher watcher; /* first: found again from it */
	struct rpc_call *call;
	uint64_t id;	 /* of the forwarded message, 0: none waits */
	bool ended;	 /* the client has sent all */
	uint8_t *answer; /* to the last message, as it came, or NULL */
	size_t len;
};

static void upload_end(struct upload *u)
{
	hosted_unwatch(&u->watcher);
	free(u->answer);
	free(u);
}

static void on_cancel(struct rpc_call *call, void *data)
{
	struct upload *u = data;

	if (u->id)
		child_forget(u->watcher.machine->child, u->id);
	upload_end(u);
}

static const struct rpc_call_ops upload_ops = { .on_cancel = on_cancel };

static void nothing(struct watcher *w)
{
}

static void fail(struct upload *u, enum grpc_status status, struct rpc_at at,
		 const char *why)
{
	struct rpc_call *call = u->call;

	upload_end(u);
	rpc_call_watch(call, NULL, NULL);
	rpc_refuse(call, status, at, "%s", why);
}

static void on_deleted(struct watcher *w)
{
	struct upload *u = (struct upload *)w;

	if (!u->id) /* else the pending answer ends it */
		fail(u, GRPC_NOT_FOUND, RPC_AT("machine", "NO_SUCH_MACHINE"),
		     "the machine was deleted");
}

/* All was sent and answered: the last answer is the call's. */
static void finish(struct upload *u)
{
	struct rpc_bytes answer = { u->answer, u->len };
	struct rpc_call *call = u->call;

	/* the process answers once it has the last byte */
	if (!u->answer) {
		fail(u, GRPC_INVALID_ARGUMENT, RPC_AT("chunk", "UPLOAD_ENDED"),
		     "the upload ended before its last byte");
		return;
	}
	rpc_call_watch(call, NULL, NULL);
	rpc_reply_bytes(call, answer);
	upload_end(u);
}

/* False: there is no memory for it. */
static bool keep(struct upload *u, const struct child_reply *reply)
{
	free(u->answer);
	u->answer = NULL;
	u->len = reply->len;
	if (!reply->answer)
		return true;
	u->answer = malloc(u->len + 1);
	if (u->answer && u->len)
		memcpy(u->answer, reply->bytes, u->len);
	return u->answer != NULL;
}

static void on_reply(void *arg, const struct child_reply *reply)
{
	struct upload *u = arg;

	u->id = 0;
	if (reply->code != GRPC_OK)
		fail(u, reply->code, RPC_AT(reply->field, reply->reason),
		     reply->text);
	else if (!keep(u, reply))
		fail(u, GRPC_RESOURCE_EXHAUSTED, RPC_AT(NULL, "OUT_OF_MEMORY"),
		     "out of memory");
	else if (u->ended)
		finish(u);
	else
		rpc_call_resume(u->call);
}

/* The first message names the machine. NULL: the call is finished. */
static struct upload *begin(struct rpc_call *call, const char *id)
{
	struct hosted *m = hosted_find(call, id);
	struct upload *u;

	if (!m || !hosted_admits(m, call))
		return NULL;
	u = calloc(1, sizeof(*u));
	if (!u) {
		rpc_refuse(call, GRPC_RESOURCE_EXHAUSTED,
			   RPC_AT(NULL, "OUT_OF_MEMORY"), "out of memory");
		return NULL;
	}
	u->call = call;
	u->watcher.on_change = nothing;
	u->watcher.on_deleted = on_deleted;
	hosted_watch(m, &u->watcher);
	rpc_call_watch(call, &upload_ops, u);
	return u;
}

static void pass_on(struct upload *u, enum method_id method)
{
	struct rpc_bytes bytes = rpc_call_message(u->call);
	const struct child_request request = {
		.method = method,
		.bytes = bytes.data,
		.len = bytes.len,
	};
	struct child_reply unsent;

	u->id = child_call(u->watcher.machine->child, &request, on_reply, u,
			   &unsent);
	if (!u->id)
		fail(u, unsent.code, RPC_AT(NULL, unsent.reason), unsent.text);
	else
		rpc_call_pause(u->call);
}

void serve_load_image(struct rpc_call *call,
		      const Pmu__V1__LoadImageRequest *req)
{
	struct upload *u = rpc_call_data(call);

	if (!u) {
		if (req->part_case != PMU__V1__LOAD_IMAGE_REQUEST__PART_START) {
			rpc_refuse(call, GRPC_INVALID_ARGUMENT,
				   RPC_AT("start", "FIELD_MISSING"),
				   "LoadImage begins with `start`");
			return;
		}
		u = begin(call, req->start->machine);
		if (!u)
			return;
	} else if (req->part_case != PMU__V1__LOAD_IMAGE_REQUEST__PART_CHUNK ||
		   req->chunk.len > IMAGE_CHUNK_MAX) {
		fail(u, GRPC_INVALID_ARGUMENT, RPC_AT("chunk", "BAD_SIZE"),
		     "after `start`, LoadImage takes chunks of at most 1 MiB");
		return;
	}
	pass_on(u, METHOD_LoadImage);
}

void serve_queue_inputs(struct rpc_call *call,
			const Pmu__V1__QueueInputsRequest *req)
{
	struct upload *u = rpc_call_data(call);

	if (!u)
		u = begin(call, req->machine);
	if (!u)
		return;
	pass_on(u, METHOD_QueueInputs);
}

void serve_end(struct rpc_call *call)
{
	struct upload *u = rpc_call_data(call);

	if (!u) {
		rpc_refuse(call, GRPC_INVALID_ARGUMENT,
			   RPC_AT("machine", "FIELD_MISSING"),
			   "nothing was sent");
		return;
	}
	u->ended = true;
	if (!u->id)
		finish(u);
}
