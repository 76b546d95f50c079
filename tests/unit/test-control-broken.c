/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The internal protocol, broken by pmud's side: bytes that are no request, a
 * request that no machine knows, and a ring that is not read by its rules.
 */
#include "captured.h"
#include "control-peer.h"

/* Bytes that are no request end the process, with status 1. */
static const struct raw_row {
	const char *why;
	uint8_t bytes[16];
	size_t len;
	const char *said;
} raw_rows[] = {
	{ "a frame that is too long",
	  { 0, 0xff, 0xff, 0xff, 0xff },
	  5,
	  "a request's frame is malformed: Message too long\n" },
	{ "a frame that is no message",
	  { [4] = 3, 0xff, 0xff, 0xff },
	  8,
	  "a request is malformed\n" },
	{ "a frame that says compressed",
	  { 1, 0, 0, 0, 0 },
	  5,
	  "a request's frame is malformed: Protocol error\n" },
};

TEST_ROWS(bytes_that_are_no_request_end_the_process, raw_rows)
{
	const struct raw_row *row = &raw_rows[_i];
	int status;

	const char *said;

	capture();
	peer_start(&p, NULL);
	peer_write(&p, row->bytes, row->len);
	waitpid(p.pid, &status, 0);
	said = capture_end();
	ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 1, "%s",
		      row->why);
	ck_assert_str_eq(said, row->said);
}

TEST(an_unknown_request_is_refused)
{
	Pmu__Internal__Call call = PMU__INTERNAL__CALL__INIT;

	peer_start(&p, NULL);
	call.method = "ReadCsrs";
	ck_assert_uint_eq(
		peer_wait(&p, peer_put(&p, &call, &(struct frame_body){ 0 }))
			->code,
		UNIMPLEMENTED);
	ck_assert_str_eq(p.last.text, "request 'ReadCsrs' is unknown");
	ck_assert_str_eq(p.last.reason, "NO_SUCH_METHOD");
}

/* In a call that is one, which pmud would not have sent on. */
TEST(a_request_that_is_none_ends_the_process)
{
	const struct frame_body body = { .bytes = "\x12\x7f", .len = 2 };
	Pmu__Internal__Call call = PMU__INTERNAL__CALL__INIT;
	int status;

	peer_start(&p, NULL);
	call.method = "Configure";
	peer_put(&p, &call, &body);
	waitpid(p.pid, &status, 0);
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 1);
}

/* It has taken more than was ever put. */
TEST(a_reader_that_breaks_its_rules_ends_the_process)
{
	Pmu__V1__WriteMemoryRequest q = PMU__V1__WRITE_MEMORY_REQUEST__INIT;
	int status;

	capture();
	paused("");
	p.hold = true;
	ring_skip(&p.ring, 1 << 20);
	q.address = BASE;
	q.data = (ProtobufCBinaryData){ 1, (uint8_t *)"x" };
	(void)peer_send(&p, CALL(WriteMemory), &q.base); /* a record */
	waitpid(p.pid, &status, 0);
	ck_assert_str_eq(capture_end(), "the ring's reader broke its rules\n");
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 1);
}

SUITE("control-broken", .timeout = 60, .teardown = teardown);
