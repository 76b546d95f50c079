/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * daemon/server/child-calls.c: what a call looks like on its way out, and which
 * replies are answers to it. The process is played.
 */
#include "server/child-inside.h"

#include <errno.h>
#include <string.h>

#include "wire/record.h"
#include "no-memory.h"
#include "unit.h"

/* The linker sends malloc() of what is tested here. */
void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

static struct child child;
static unsigned flushed;
static bool alive;

bool child_alive(const struct child *c)
{
	return alive;
}

void child_flush(struct child *c)
{
	flushed++;
}

/* What who asked was told. */
static struct told {
	unsigned times;
	enum grpc_status code;
	char text[64], field[32], reason[32];
	bool answered;
	uint8_t bytes[64];
	size_t len;
	int state; /* of the machine, -1: nothing was said of it */
	uint64_t number;
} told[3];

static void on_reply(void *arg, const struct child_reply *reply)
{
	struct told *t = arg;

	t->times++;
	t->code = reply->code;
	snprintf(t->text, sizeof(t->text), "%s",
		 reply->text ? reply->text : "");
	snprintf(t->field, sizeof(t->field), "%s",
		 reply->field ? reply->field : "");
	snprintf(t->reason, sizeof(t->reason), "%s",
		 reply->reason ? reply->reason : "");
	t->answered = reply->answer != NULL;
	t->len = reply->len;
	if (reply->len && reply->len <= sizeof(t->bytes))
		memcpy(t->bytes, reply->bytes, reply->len);
	t->state = reply->machine ? (int)(*reply->machine)->state : -1;
	if (reply->answer && reply->answer->descriptor ==
				     &pmu__v1__load_image_response__descriptor)
		t->number = ((const Pmu__V1__LoadImageResponse *)reply->answer)
				    ->entry;
}

static const struct frame_body nothing;
static const struct frame_body wrong = { .bytes = "\xff", .len = 1 };

static void setup(void)
{
	memset(&child, 0, sizeof(child));
	memset(told, 0, sizeof(told));
	alive = true;
	flushed = 0;
}

static void teardown(void)
{
	child_answer_all(&child, "the end");
	frame_out_free(&child.out);
}

static uint64_t ask(enum method_id method, struct told *who)
{
	const struct child_request request = { .method = method };
	struct child_reply why;

	return child_call(&child, &request, on_reply, who, &why);
}

/* The only message on its way out; the caller frees it. */
static Pmu__Internal__Call *sent(struct frame_body *ret_request)
{
	struct buf *out = &child.out.bytes;
	Pmu__Internal__Call *call;
	struct frame_body head;
	uint32_t len;

	ck_assert_int_eq(frame_peek(out, FRAME_MAX, &len), FRAME_READY);
	ck_assert_uint_eq(buf_len(out), FRAME_PREFIX + len);
	ck_assert(frame_split(buf_head(out) + FRAME_PREFIX, len, &head,
			      ret_request));
	call = pmu__internal__call__unpack(NULL, head.len, head.bytes);
	ck_assert_ptr_nonnull(call);
	return call;
}

/* No packer would write them so. */
static const uint8_t odd[] = { 0x10, 1, 0x0a, 2, 'm', '1', 0xf8, 7, 1 };

TEST(bytes_are_sent_as_they_are)
{
	const struct child_request request = {
		.method = METHOD_ListHarts,
		.bytes = odd,
		.len = sizeof(odd),
	};
	struct child_reply why = { .text = "nothing" };
	uint64_t id = child_call(&child, &request, on_reply, &told[0], &why);
	struct frame_body sent_request;
	Pmu__Internal__Call *call = sent(&sent_request);

	ck_assert_str_eq(why.text, "nothing"); /* it is no refusal */
	ck_assert_uint_ne(id, 0);
	ck_assert_uint_eq(call->id, id);
	ck_assert_str_eq(call->method, "ListHarts");
	ck_assert_uint_eq(sent_request.len, sizeof(odd));
	ck_assert_mem_eq(sent_request.bytes, odd, sizeof(odd));
	ck_assert_uint_eq(flushed, 1);
	pmu__internal__call__free_unpacked(call, NULL);
}

TEST(a_message_is_packed)
{
	Pmu__Internal__SetRecordingRequest set =
		PMU__INTERNAL__SET_RECORDING_REQUEST__INIT;
	const struct child_request request = {
		.method = METHOD_SetRecording,
		.message = &set.base,
	};
	const uint8_t want[] = { 0x10, 1 };
	struct frame_body sent_request;
	Pmu__Internal__Call *call;
	struct child_reply why;

	set.sbi_calls = true;
	ck_assert(child_call(&child, &request, on_reply, &told[0], &why));
	call = sent(&sent_request);
	ck_assert_str_eq(call->method, "SetRecording");
	ck_assert_uint_eq(sent_request.len, sizeof(want));
	ck_assert_mem_eq(sent_request.bytes, want, sizeof(want));
	pmu__internal__call__free_unpacked(call, NULL);
}

static void refused(const struct child_request *request, const char *want,
		    enum grpc_status code, const char *reason)
{
	size_t before = frame_pending(&child.out);
	unsigned calls = child.n_calls;
	struct child_reply why;

	ck_assert_uint_eq(child_call(&child, request, on_reply, NULL, &why), 0);
	ck_assert_str_eq(why.text, want);
	ck_assert_int_eq(why.code, code);
	ck_assert_str_eq(why.reason, reason);
	ck_assert_str_eq(why.field, "");
	ck_assert_uint_eq(frame_pending(&child.out), before);
	ck_assert_uint_eq(child.n_calls, calls);
}

TEST(what_cannot_be_sent_says_why)
{
	static uint8_t bytes[FRAME_MAX];
	struct child_request request = { .method = METHOD_WriteMemory };

	alive = false;
	refused(&request, "the machine's process is gone", GRPC_UNAVAILABLE,
		"MACHINE_UNAVAILABLE");
	alive = true;
	request.bytes = bytes;
	request.len = sizeof(bytes);
	refused(&request, "the request is too long", GRPC_RESOURCE_EXHAUSTED,
		"REQUEST_TOO_LONG");
	request.len = FRAME_MAX - 64;
	for (int i = 0; i < 4; i++)
		ck_assert_uint_ne(child_call(&child, &request, on_reply,
					     &told[0],
					     &(struct child_reply){ 0 }),
				  0);
	refused(&request, "the machine's process takes no requests",
		GRPC_UNAVAILABLE, "MACHINE_UNAVAILABLE");
}

TEST(so_many_calls_wait_and_no_more)
{
	const struct child_request request = { .method = METHOD_ReadCsr };
	Pmu__Internal__Reply reply = PMU__INTERNAL__REPLY__INIT;
	uint64_t id = 0;

	for (int i = 0; i < MAX_CALLS_PER_MACHINE; i++)
		id = ask(METHOD_ReadCsr, &told[0]);
	ck_assert_uint_ne(id, 0);
	refused(&request, "too many calls wait for this machine",
		GRPC_UNAVAILABLE, "MACHINE_UNAVAILABLE");
	reply.id = id;
	reply.code = GRPC_NOT_FOUND;
	ck_assert_int_eq(child_take_reply(&child, &reply, &nothing), 0);
	ck_assert_uint_ne(ask(METHOD_ReadCsr, &told[0]), 0);
}

/* A reply with an answer of these bytes. What child_take_reply() says. */
static int answer(uint64_t id, const void *bytes, size_t len)
{
	const struct frame_body body = { .bytes = bytes, .len = len };
	Pmu__Internal__Reply reply = PMU__INTERNAL__REPLY__INIT;

	reply.id = id;
	return child_take_reply(&child, &reply, &body);
}

TEST(an_answer_comes_whole_and_as_it_was_sent)
{
	/* an entry, in more bytes than it needs */
	static const uint8_t bytes[] = { 0x08, 0xb9, 0xe0, 0x80, 0 };

	ck_assert_int_eq(
		answer(ask(METHOD_LoadImage, &told[0]), bytes, sizeof(bytes)),
		0);
	ck_assert_uint_eq(told[0].times, 1);
	ck_assert_int_eq(told[0].code, GRPC_OK);
	ck_assert(told[0].answered);
	ck_assert_uint_eq(told[0].len, sizeof(bytes));
	ck_assert_mem_eq(told[0].bytes, bytes, sizeof(bytes));
	ck_assert_uint_eq(told[0].number, 0x3039);
	ck_assert_int_eq(told[0].state, -1);
	ck_assert_uint_eq(child.n_calls, 0);
}

/* { machine { state: PAUSED } } */
static const uint8_t is_paused[] = { 0x0a, 2, 0x10, 3 };

TEST(a_state_in_an_answer_is_pointed_out)
{
	ck_assert_int_eq(answer(ask(METHOD_PauseMachine, &told[0]), is_paused,
				sizeof(is_paused)),
			 0);
	ck_assert_uint_eq(told[0].times, 1);
	ck_assert_int_eq(told[0].state, 3);
}

TEST(each_answer_goes_to_who_asked)
{
	uint64_t ids[3];

	for (int i = 0; i < 3; i++)
		ids[i] = ask(METHOD_LoadImage, &told[i]);
	ck_assert_int_eq(answer(ids[1], "\x08\x02", 2), 0);
	ck_assert_uint_eq(told[0].times + told[2].times, 0);
	ck_assert_int_eq(answer(ids[2], "\x08\x03", 2), 0);
	ck_assert_int_eq(answer(ids[0], "\x08\x01", 2), 0);
	for (int i = 0; i < 3; i++) {
		ck_assert_uint_eq(told[i].times, 1);
		ck_assert_uint_eq(told[i].number, (uint64_t)i + 1);
	}
}

TEST(a_reply_that_nobody_waits_for_is_nothing)
{
	uint64_t id = ask(METHOD_LoadImage, &told[0]);

	ck_assert_int_eq(answer(id + 1, "\xff", 1), 0);
	ck_assert_int_eq(answer(0, NULL, 0), 0);
	ck_assert_uint_eq(told[0].times, 0);
	ck_assert_uint_eq(child.n_calls, 1);
	child_forget(&child, id);
	ck_assert_int_eq(answer(id, "\x08\x01", 2), 0);
	ck_assert_uint_eq(told[0].times, 0);
	ck_assert_uint_eq(child.n_calls, 0);
}

static const struct wrong_row {
	const char *why;
	enum method_id method;
	const char *bytes;
	size_t len;
} wrong_rows[] = {
	{ "no message", METHOD_LoadImage, "\x10", 1 },
	{ "another one's", METHOD_ReadCsr, "\x08\x01", 2 },
	{ "text that is none", METHOD_LoadImage, "\x12\x01\xff", 3 },
	{ "no state", METHOD_GetMachine, "", 0 },
	{ "no state, in other things", METHOD_Configure, "\xf8\x07\x01", 3 },
	{ "no header", METHOD_SetRecording, "", 0 },
};

TEST_ROWS(a_wrong_answer_reaches_nobody, wrong_rows)
{
	const struct wrong_row *row = &wrong_rows[_i];

	ck_assert_msg(answer(ask(row->method, &told[0]), row->bytes,
			     row->len) == -EPROTO,
		      "%s", row->why);
	/* the process is ended, and then they are told */
	ck_assert_uint_eq(told[0].times, 0);
	ck_assert_uint_eq(child.n_calls, 1);
	child_answer_all(&child, "it was ended");
	ck_assert_uint_eq(told[0].times, 1);
	ck_assert_int_eq(told[0].code, GRPC_UNAVAILABLE);
	ck_assert_str_eq(told[0].text, "it was ended");
	ck_assert_str_eq(told[0].field, "");
	ck_assert_str_eq(told[0].reason, "MACHINE_UNAVAILABLE");
	ck_assert(!told[0].answered);
}

/* It is no fault of the answer, and nobody is told of half of one. */
TEST(an_answer_without_memory_reaches_nobody)
{
	uint64_t id = ask(METHOD_PauseMachine, &told[0]);

	for (unsigned n = 0; n < 2; n++) { /* the answer, and the state in it */
		left = n;
		ck_assert_int_eq(answer(id, is_paused, sizeof(is_paused)),
				 -ENOMEM);
		ck_assert_uint_eq(told[0].times, 0);
		ck_assert_uint_eq(child.n_calls, 1);
	}
	ck_assert_int_eq(answer(id, is_paused, sizeof(is_paused)), 0);
	ck_assert_uint_eq(told[0].times, 1);
	ck_assert_int_eq(told[0].state, 3);
}

/* More of itself than every answer about the machine could carry. */
TEST_TIMES(a_state_has_a_limit, 2)
{
	static char detail[NOTICE_MAX + 1];
	static uint8_t bytes[2 * NOTICE_MAX];
	Pmu__V1__GetMachineResponse response =
		PMU__V1__GET_MACHINE_RESPONSE__INIT;
	Pmu__V1__MachineInfo info = PMU__V1__MACHINE_INFO__INIT;
	size_t len = NOTICE_MAX - 16;

	/* as long as may be, or a byte longer */
	response.machine = &info;
	info.detail = detail;
	do
		memset(detail, 'x', len++);
	while (pmu__v1__get_machine_response__get_packed_size(&response) <
	       (size_t)NOTICE_MAX + (size_t)_i);
	len = pmu__v1__get_machine_response__pack(&response, bytes);
	ck_assert_uint_eq(len, NOTICE_MAX + _i);
	ck_assert_int_eq(answer(ask(METHOD_GetMachine, &told[0]), bytes, len),
			 _i ? -EPROTO : 0);
}

/* pmud keeps it, as a record that everybody gets first. */
TEST_TIMES(a_header_has_a_limit, 2)
{
	static char value[RECORD_MAX + 1];
	static uint8_t bytes[2 * RECORD_MAX];
	Pmu__Internal__SetRecordingResponse response =
		PMU__INTERNAL__SET_RECORDING_RESPONSE__INIT;
	Pmu__V1__Header header = PMU__V1__HEADER__INIT;
	Pmu__V1__MachineConfig config = PMU__V1__MACHINE_CONFIG__INIT;
	Pmu__V1__Setting setting = PMU__V1__SETTING__INIT, *list = &setting;
	size_t len = RECORD_MAX - 32;

	response.header = &header;
	header.config = &config;
	config.settings = &list;
	config.n_settings = 1;
	setting.value = value;
	do
		memset(value, 'x', len++);
	while (pmu__internal__set_recording_response__get_packed_size(
		       &response) < (size_t)RECORD_MAX + (size_t)_i);
	len = pmu__internal__set_recording_response__pack(&response, bytes);
	ck_assert_uint_eq(len, RECORD_MAX + _i);
	ck_assert_int_eq(answer(ask(METHOD_SetRecording, &told[0]), bytes, len),
			 _i ? -EPROTO : 0);
}

/* Other answers may be as long as a message. */
TEST(what_is_no_state_has_another_limit)
{
	static uint8_t data[NOTICE_MAX], bytes[2 * NOTICE_MAX];
	Pmu__V1__ReadMemoryResponse response =
		PMU__V1__READ_MEMORY_RESPONSE__INIT;
	size_t len;

	response.data = (ProtobufCBinaryData){ sizeof(data), data };
	len = pmu__v1__read_memory_response__pack(&response, bytes);
	ck_assert_uint_gt(len, NOTICE_MAX);
	ck_assert_int_eq(answer(ask(METHOD_ReadMemory, &told[0]), bytes, len),
			 0);
	ck_assert(told[0].answered);
}

static int taken(uint64_t id)
{
	Pmu__Internal__Reply reply = PMU__INTERNAL__REPLY__INIT;

	reply.id = id;
	reply.taken = true;
	return child_take_reply(&child, &reply, &nothing);
}

TEST(a_part_of_a_stream_is_taken_without_an_answer)
{
	ck_assert_int_eq(taken(ask(METHOD_LoadImage, &told[0])), 0);
	ck_assert_uint_eq(told[0].times, 1);
	ck_assert_int_eq(told[0].code, GRPC_OK);
	ck_assert(!told[0].answered);
	ck_assert_int_eq(taken(ask(METHOD_ReadCsr, &told[1])), -EPROTO);
	ck_assert_uint_eq(told[1].times, 0);
}

static const struct error_row {
	uint32_t code;
	enum grpc_status want;
} error_rows[] = {
	{ 3, GRPC_INVALID_ARGUMENT },
	{ 16, GRPC_UNAUTHENTICATED },
	{ 17, GRPC_UNKNOWN },
	{ UINT32_MAX, GRPC_UNKNOWN },
};

TEST_ROWS(an_error_comes_with_its_details, error_rows)
{
	Pmu__Internal__Reply reply = PMU__INTERNAL__REPLY__INIT;

	reply.id = ask(METHOD_ReadCsr, &told[0]);
	reply.code = error_rows[_i].code;
	reply.text = "no such CSR";
	reply.field = "csr";
	reply.reason = "NO_SUCH_CSR";
	/* an answer beside an error is not looked at */
	ck_assert_int_eq(child_take_reply(&child, &reply, &wrong), 0);
	ck_assert_uint_eq(told[0].times, 1);
	ck_assert_int_eq(told[0].code, error_rows[_i].want);
	ck_assert_str_eq(told[0].text, "no such CSR");
	ck_assert_str_eq(told[0].field, "csr");
	ck_assert_str_eq(told[0].reason, "NO_SUCH_CSR");
	ck_assert(!told[0].answered);
}

SUITE("child-calls", .setup = setup, .teardown = teardown);
