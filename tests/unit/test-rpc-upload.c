/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * daemon/server/rpc-upload.c, with call, machine and process played: one
 * message at a time goes on, and the answer to the last one is the call's.
 */
#include "server/rpc-services.h"

#include <string.h>

#include "server/daemon-limits.h"
#include "server/hosted.h"
#include "unit.h"

static struct played {
	/* what the others say */
	bool found, admits;
	const char *unsent; /* NULL: it is sent */
	/* what was done */
	char found_id[16];
	const struct rpc_call_ops *ops;
	void *data;
	struct watcher *watcher;
	unsigned sent, paused, resumed, replies, refusals;
	enum method_id asked;
	size_t asked_len;
	child_reply_fn *reply;
	void *arg;
	uint64_t forgotten;
	enum grpc_status status;
	char text[128], field[32], reason[32];
	uint8_t answer[64];
	size_t answer_len;
} now;

static struct hosted machine;
static struct rpc_call *const call = (struct rpc_call *)&now;

enum {
	ID = 5
};

struct rpc_bytes rpc_call_message(const struct rpc_call *c)
{
	return (struct rpc_bytes){ &now, 1 + now.sent };
}

void *rpc_call_data(const struct rpc_call *c)
{
	return now.data;
}

void rpc_call_watch(struct rpc_call *c, const struct rpc_call_ops *ops,
		    void *data)
{
	now.ops = ops;
	now.data = data;
}

void rpc_call_pause(struct rpc_call *c)
{
	now.paused++;
}

void rpc_call_resume(struct rpc_call *c)
{
	now.resumed++;
}

void rpc_refuse(struct rpc_call *c, enum grpc_status status, struct rpc_at at,
		const char *text, ...)
{
	va_list ap;

	now.refusals++;
	now.status = status;
	snprintf(now.field, sizeof(now.field), "%s", at.field ? at.field : "");
	snprintf(now.reason, sizeof(now.reason), "%s", at.reason);
	va_start(ap, text);
	vsnprintf(now.text, sizeof(now.text), text, ap);
	va_end(ap);
}

void rpc_reply_bytes(struct rpc_call *c, struct rpc_bytes packed)
{
	now.replies++;
	now.answer_len = packed.len;
	memcpy(now.answer, packed.data, packed.len);
}

struct hosted *hosted_find(struct rpc_call *c, const char *id)
{
	snprintf(now.found_id, sizeof(now.found_id), "%s", id);
	return now.found ? &machine : NULL;
}

bool hosted_admits(struct hosted *m, struct rpc_call *c)
{
	return now.admits;
}

void hosted_watch(struct hosted *m, struct watcher *w)
{
	w->machine = m;
	now.watcher = w;
}

void hosted_unwatch(struct watcher *w)
{
	ck_assert_ptr_eq(w, now.watcher);
	now.watcher = NULL;
}

uint64_t child_call(struct child *c, const struct child_request *request,
		    child_reply_fn *reply, void *arg,
		    struct child_reply *ret_refusal)
{
	ck_assert_ptr_eq(request->bytes, &now);
	now.asked = request->method;
	now.asked_len = request->len;
	now.reply = reply;
	now.arg = arg;
	if (now.unsent)
		*ret_refusal = (struct child_reply){
			.code = GRPC_UNAVAILABLE,
			.text = now.unsent,
			.field = "",
			.reason = "MACHINE_UNAVAILABLE",
		};
	else
		now.sent++;
	return now.unsent ? 0 : ID;
}

void child_forget(struct child *c, uint64_t id)
{
	now.forgotten = id;
}

static void setup(void)
{
	memset(&now, 0, sizeof(now));
	now.found = now.admits = true;
}

static void cancelled(void)
{
	const struct rpc_call_ops *ops = now.ops;

	now.ops = NULL;
	ops->on_cancel(call, now.data);
}

/* What a test has not ended ends with its connection. */
static void teardown(void)
{
	if (now.ops)
		cancelled();
}

static void start(void)
{
	Pmu__V1__LoadImageRequest req = PMU__V1__LOAD_IMAGE_REQUEST__INIT;
	Pmu__V1__ImageStart begin = PMU__V1__IMAGE_START__INIT;

	begin.machine = "m3";
	req.part_case = PMU__V1__LOAD_IMAGE_REQUEST__PART_START;
	req.start = &begin;
	serve_load_image(call, &req);
}

static void chunk(size_t len)
{
	Pmu__V1__LoadImageRequest req = PMU__V1__LOAD_IMAGE_REQUEST__INIT;

	req.part_case = PMU__V1__LOAD_IMAGE_REQUEST__PART_CHUNK;
	req.chunk.len = len;
	serve_load_image(call, &req);
}

/* The process took what was sent last. */
static void taken(void)
{
	now.reply(now.arg, &(struct child_reply){ .code = GRPC_OK });
}

static void answered(const char *bytes)
{
	now.reply(now.arg,
		  &(struct child_reply){ .answer = (ProtobufCMessage *)&now,
					 .bytes = bytes,
					 .len = strlen(bytes) });
}

static void ended_with(enum grpc_status status, const char *reason)
{
	ck_assert_uint_eq(now.refusals, 1);
	ck_assert_uint_eq(now.replies, 0);
	ck_assert_int_eq(now.status, status);
	ck_assert_str_eq(now.reason, reason);
	ck_assert_ptr_null(now.watcher);
	ck_assert_ptr_null(now.ops);
}

TEST(one_message_at_a_time_and_the_last_answer_is_the_calls)
{
	start();
	ck_assert_str_eq(now.found_id, "m3");
	ck_assert_int_eq(now.asked, METHOD_LoadImage);
	ck_assert_uint_eq(now.asked_len, 1);
	ck_assert_uint_eq(now.paused, 1);
	taken();
	ck_assert_uint_eq(now.resumed, 1);
	chunk(8);
	ck_assert_uint_eq(now.asked_len, 2);
	ck_assert_uint_eq(now.paused, 2);
	answered("entry");
	ck_assert_uint_eq(now.resumed, 2);
	ck_assert_uint_eq(now.replies, 0); /* the client may send more */
	serve_end(call);
	ck_assert_uint_eq(now.replies, 1);
	ck_assert_uint_eq(now.answer_len, 5);
	ck_assert_mem_eq(now.answer, "entry", 5);
	ck_assert_ptr_null(now.watcher);
	ck_assert_ptr_null(now.ops);
	ck_assert_uint_eq(now.refusals, 0);
}

TEST(who_has_sent_all_waits_for_the_answer)
{
	start();
	taken();
	chunk(8);
	serve_end(call);
	ck_assert_uint_eq(now.replies + now.refusals, 0);
	answered("late");
	ck_assert_uint_eq(now.replies, 1);
	ck_assert_mem_eq(now.answer, "late", 4);
	ck_assert_uint_eq(now.resumed, 1); /* nothing more is to come */
}

TEST(an_answer_may_be_empty)
{
	start();
	answered("");
	serve_end(call);
	ck_assert_uint_eq(now.replies, 1);
	ck_assert_uint_eq(now.answer_len, 0);
}

TEST(what_ends_before_its_last_byte_is_refused)
{
	start();
	taken();
	chunk(8);
	taken();
	serve_end(call);
	ended_with(GRPC_INVALID_ARGUMENT, "UPLOAD_ENDED");
	ck_assert_str_eq(now.field, "chunk");
}

/* What was answered before is no answer to what was sent since. */
TEST(an_answer_does_not_outlive_the_next_message)
{
	start();
	answered("first");
	chunk(8);
	taken();
	serve_end(call);
	ended_with(GRPC_INVALID_ARGUMENT, "UPLOAD_ENDED");
}

TEST(nothing_at_all_is_refused)
{
	serve_end(call);
	ended_with(GRPC_INVALID_ARGUMENT, "FIELD_MISSING");
	ck_assert_str_eq(now.field, "machine");
}

TEST(an_image_begins_with_its_start)
{
	chunk(8);
	ended_with(GRPC_INVALID_ARGUMENT, "FIELD_MISSING");
	ck_assert_str_eq(now.field, "start");
	ck_assert_uint_eq(now.sent, 0);
}

TEST(a_second_start_is_refused)
{
	start();
	taken();
	start();
	ended_with(GRPC_INVALID_ARGUMENT, "BAD_SIZE");
	ck_assert_uint_eq(now.sent, 1);
}

TEST_TIMES(a_chunk_is_of_1_mib_at_most, 2)
{
	start();
	taken();
	chunk((size_t)IMAGE_CHUNK_MAX + (size_t)_i);
	ck_assert_uint_eq(now.sent, _i ? 1 : 2);
	ck_assert_uint_eq(now.refusals, (unsigned)_i);
}

TEST_TIMES(who_may_not_upload_sends_nothing_on, 2)
{
	now.found = _i;
	now.admits = !_i;
	start();
	ck_assert_uint_eq(now.sent, 0);
	ck_assert_ptr_null(now.ops);
	/* hosted_find() and hosted_admits() have said why */
	ck_assert_uint_eq(now.refusals, 0);
}

TEST(a_refusal_of_the_process_is_the_calls)
{
	start();
	now.reply(now.arg, &(struct child_reply){ .code = GRPC_OUT_OF_RANGE,
						  .text = "too far",
						  .field = "start.address",
						  .reason = "NO_RAM" });
	ended_with(GRPC_OUT_OF_RANGE, "NO_RAM");
	ck_assert_str_eq(now.field, "start.address");
	ck_assert_str_eq(now.text, "too far");
}

TEST(a_process_that_is_gone_ends_the_upload)
{
	start();
	taken();
	now.unsent = "the machine's process is gone";
	chunk(8);
	ended_with(GRPC_UNAVAILABLE, "MACHINE_UNAVAILABLE");
	ck_assert_str_eq(now.text, "the machine's process is gone");
	ck_assert_uint_eq(now.paused, 1);
}

TEST_TIMES(a_client_that_goes_is_forgotten, 2)
{
	start();
	if (_i)
		taken();
	cancelled();
	ck_assert_uint_eq(now.forgotten, _i ? 0 : ID);
	ck_assert_ptr_null(now.watcher);
	ck_assert_uint_eq(now.replies + now.refusals, 0);
}

/* A message that waits is answered for the process, and ends the upload. */
TEST(a_machine_that_is_deleted_ends_the_upload)
{
	start();
	now.watcher->on_deleted(now.watcher);
	ck_assert_uint_eq(now.refusals, 0);
	taken();
	now.watcher->on_change(now.watcher);
	ck_assert_uint_eq(now.refusals, 0);
	now.watcher->on_deleted(now.watcher);
	ended_with(GRPC_NOT_FOUND, "NO_SUCH_MACHINE");
}

TEST(inputs_are_uploaded_as_images_are)
{
	Pmu__V1__QueueInputsRequest req = PMU__V1__QUEUE_INPUTS_REQUEST__INIT;

	req.machine = "m9";
	serve_queue_inputs(call, &req);
	ck_assert_str_eq(now.found_id, "m9");
	ck_assert_int_eq(now.asked, METHOD_QueueInputs);
	answered("1");
	req.machine = ""; /* in the first one */
	serve_queue_inputs(call, &req);
	ck_assert_uint_eq(now.sent, 2);
	answered("2");
	serve_end(call);
	ck_assert_uint_eq(now.replies, 1);
	ck_assert_mem_eq(now.answer, "2", 1);
}

SUITE("rpc-upload", .setup = setup, .teardown = teardown);
