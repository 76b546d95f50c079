/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a daemon may answer to one call, also what pmud never does: each has one
 * verdict.
 */
#include "unit.h"

#include <string.h>

#include <pmuclient/machine.h>

#include "client-script.h"
#include "wire/details.h"
#include "wire/frame.h"

static struct script script;
static struct pmuclient *client;

static void setup(void)
{
	script_open(&script, &client);
}

static void teardown(void)
{
	pmuclient_free(client);
	script_close(&script);
}

/* Asks, when all that was put has been said. */
static int ask(Pmu__V1__GetMachineResponse **ret)
{
	script_say(&script, client);
	return pmuclient_info(client, "m1", ret);
}

static void put_machine(const char *id)
{
	Pmu__V1__GetMachineResponse answer =
		PMU__V1__GET_MACHINE_RESPONSE__INIT;
	Pmu__V1__MachineInfo info = PMU__V1__MACHINE_INFO__INIT;

	info.id = (char *)id;
	answer.machine = &info;
	script_message(&script, FIRST_CALL, &answer.base);
}

TEST(an_answer_is_taken_when_its_status_is_good)
{
	Pmu__V1__GetMachineResponse *answer;

	script_answer(&script, FIRST_CALL);
	put_machine("m7");
	script_end(&script, FIRST_CALL, "0");
	ck_assert_int_eq(ask(&answer), 0);
	ck_assert_str_eq(answer->machine->id, "m7");
	pmuclient_free_message(&answer->base);
	/* it was over, and needs no cancelling */
	ck_assert_uint_eq(
		script_heard(&script, FRAME_RST_STREAM, FIRST_CALL, NULL), 0);
}

/* Every piece of a message may come alone. */
TEST(an_answer_in_pieces_is_put_together)
{
	Pmu__V1__GetMachineResponse *answer;
	struct buf whole;

	script_answer(&script, FIRST_CALL);
	whole = script.out;
	script.out = (struct buf){ 0 };
	put_machine("in pieces");
	for (size_t i = 9; i < buf_len(&script.out); i++) {
		const uint8_t head[] = { 0, 0, 1, 0, 0, 0, 0, 0, FIRST_CALL };

		buf_append(&whole, head, sizeof(head));
		buf_append(&whole, buf_head(&script.out) + i, 1);
	}
	buf_free(&script.out);
	script.out = whole;
	script_end(&script, FIRST_CALL, "0");
	ck_assert_int_eq(ask(&answer), 0);
	ck_assert_str_eq(answer->machine->id, "in pieces");
	pmuclient_free_message(&answer->base);
}

/* What comes between the headers and the end of the answer. */
static const struct body_row {
	const char *why;
	unsigned machines;
	const char *bytes;
	size_t len;
	int err;
	const char *error;
} body_rows[] = {
	{ "no message", 0, "", 0, -PMUCLIENT_EPROTO,
	  "pmud sent fewer answer than one" },
	{ "two messages", 2, "", 0, -PMUCLIENT_EPROTO,
	  "pmud sent more answer than one" },
	{ "the beginning of a message", 0, "\0\0\0", 3, -PMUCLIENT_EPROTO,
	  "pmud sent fewer answer than one" },
	{ "a message of another form", 0, "\0\0\0\0\2\xff\xff", 7,
	  -PMUCLIENT_EPROTO, "pmud sent a malformed GetMachineResponse" },
	{ "a compressed message", 0, "\1\0\0\0\0", 5, -PMUCLIENT_EPROTO,
	  "pmud sent a frame that is no message" },
	{ "an unknown flag", 0, "\2\0\0\0\0", 5, -PMUCLIENT_EPROTO,
	  "pmud sent a frame that is no message" },
	{ "a message above the limit", 0, "\0\0\x40\0\1", 5, -PMUCLIENT_EPROTO,
	  "pmud sent a frame that is no message" },
	{ "the limit, cut", 0, "\0\0\x40\0\0", 5, -PMUCLIENT_EPROTO,
	  "pmud sent fewer answer than one" },
	{ "an empty message", 0, "\0\0\0\0\0", 5, -PMUCLIENT_EPROTO,
	  "pmud sent a GetMachineResponse without machine" },
	{ "an empty machine", 0, "\0\0\0\0\2\12\0", 7, 0, "" },
};

TEST_ROWS(an_answer_is_one_message, body_rows)
{
	const struct body_row *row = &body_rows[_i];
	Pmu__V1__GetMachineResponse *answer = NULL;
	int err;

	script_answer(&script, FIRST_CALL);
	for (unsigned i = 0; i < row->machines; i++)
		put_machine("m1");
	if (row->len)
		script_frame(&script,
			     (struct script_head){ FRAME_DATA, 0, FIRST_CALL },
			     row->bytes, row->len);
	script_end(&script, FIRST_CALL, "0");
	err = ask(&answer);
	ck_assert_msg(err == row->err, "%s: %d", row->why, err);
	ck_assert_uint_eq(pmuclient_status(client), 0);
	if (err)
		ck_assert_str_eq(pmuclient_error(client), row->error);
	else
		pmuclient_free_message(&answer->base);
}

/* How it ends without an answer. */
static const struct end_row {
	const char *why;
	const char *trailers[6];
	int err;
	unsigned status;
	const char *error;
} end_rows[] = {
	{ "text in UTF-8 and percents",
	  { "grpc-status", "5", "grpc-message", "no%20%c3%a4 100%25" },
	  -PMUCLIENT_ERPC,
	  5,
	  "no \xc3\xa4 100%" },
	{ "no text: the status' name",
	  { "grpc-status", "8" },
	  -PMUCLIENT_ERPC,
	  8,
	  "RESOURCE_EXHAUSTED" },
	{ "a status that nobody knows",
	  { "grpc-status", "99" },
	  -PMUCLIENT_ERPC,
	  99,
	  "UNKNOWN" },
	{ "no status",
	  { "server", "another" },
	  -PMUCLIENT_EPROTO,
	  0,
	  "no answer of a gRPC server" },
	{ "a text without a status",
	  { "grpc-message", "why" },
	  -PMUCLIENT_EPROTO,
	  0,
	  "no answer of a gRPC server: why" },
	{ "a good status, and nothing",
	  { "grpc-status", "0" },
	  -PMUCLIENT_EPROTO,
	  0,
	  "pmud sent fewer answer than one" },
	{ "details that are none",
	  { "grpc-status", "3", "grpc-status-details-bin", "!!!" },
	  -PMUCLIENT_ERPC,
	  3,
	  "INVALID_ARGUMENT" },
};

TEST_ROWS(an_end_has_one_verdict, end_rows)
{
	const struct end_row *row = &end_rows[_i];
	Pmu__V1__GetMachineResponse *answer;
	int err;

	script_answer(&script, FIRST_CALL);
	script_headers(&script, FIRST_CALL, true, row->trailers);
	err = ask(&answer);
	ck_assert_msg(err == row->err &&
			      !strcmp(pmuclient_error(client), row->error),
		      "%s: %d %s", row->why, err, pmuclient_error(client));
	ck_assert_uint_eq(pmuclient_status(client), row->status);
	ck_assert_ptr_null(pmuclient_error_field(client));
	ck_assert_ptr_null(pmuclient_error_reason(client));
}

/* Names that only begin, or are only as long, as those that are looked for. */
TEST(other_headers_say_nothing)
{
	const struct details d = { "config.harts", "OUT_OF_RANGE" };
	const struct details_of of = { 3, "no", "/pmu.v1.X/Y" };
	char value[DETAILS_MAX];
	const char *const trailers[] = {
		"grpc-status",
		"5",
		"grpc-statut",
		"0",
		"grpc-status-too",
		"0",
		"grpc-messagf",
		"other",
		"grpc-message-too",
		"other",
		"grpc-status-details-bim",
		value,
		"grpc-status-details-bin-too",
		value,
		NULL,
	};
	Pmu__V1__GetMachineResponse *answer;

	ck_assert_uint_gt(details_encode(&d, &of, value), 0);
	script_answer(&script, FIRST_CALL);
	script_headers(&script, FIRST_CALL, true, trailers);
	ck_assert_int_eq(ask(&answer), -PMUCLIENT_ERPC);
	ck_assert_uint_eq(pmuclient_status(client), 5);
	ck_assert_str_eq(pmuclient_error(client), "NOT_FOUND");
	ck_assert_ptr_null(pmuclient_error_field(client));
}

/* An error before any message is headers alone. */
TEST(a_refusal_may_be_one_block_of_headers)
{
	const struct details d = { "config.harts", "OUT_OF_RANGE" };
	const struct details_of of = { 3, "no", "/pmu.v1.X/Y" };
	char value[DETAILS_MAX];
	const char *const pairs[] = { ":status",
				      "200",
				      "content-type",
				      "application/grpc",
				      "grpc-status",
				      "3",
				      "grpc-message",
				      "no",
				      "grpc-status-details-bin",
				      value,
				      NULL };
	Pmu__V1__GetMachineResponse *answer;

	ck_assert_uint_gt(details_encode(&d, &of, value), 127);
	script_headers(&script, FIRST_CALL, true, pairs);
	ck_assert_int_eq(ask(&answer), -PMUCLIENT_ERPC);
	ck_assert_str_eq(pmuclient_error(client), "no");
	ck_assert_str_eq(pmuclient_error_field(client), "config.harts");
	ck_assert_str_eq(pmuclient_error_reason(client), "OUT_OF_RANGE");
}

static const struct reset_row {
	unsigned code;
	const char *error;
} reset_rows[] = {
	{ 7, "no answer of a gRPC server: stream reset: REFUSED_STREAM" },
	{ 8, "no answer of a gRPC server: stream reset: CANCEL" },
	{ 11, "no answer of a gRPC server: stream reset: ENHANCE_YOUR_CALM" },
	{ 0, "no answer of a gRPC server" },
};

TEST_ROWS(a_stream_that_is_reset_says_how, reset_rows)
{
	Pmu__V1__GetMachineResponse *answer;

	script_reset(&script, FIRST_CALL, reset_rows[_i].code);
	ck_assert_int_eq(ask(&answer), -PMUCLIENT_EPROTO);
	ck_assert_str_eq(pmuclient_error(client), reset_rows[_i].error);
}

/* A client that goes on sending is told to stop, behind the answer. */
TEST(a_reset_behind_a_status_changes_nothing)
{
	Pmu__V1__GetMachineResponse *answer;
	const char *const trailers[] = { "grpc-status", "5", "grpc-message",
					 "none", NULL };

	script_answer(&script, FIRST_CALL);
	script_headers(&script, FIRST_CALL, true, trailers);
	script_reset(&script, FIRST_CALL, 0);
	ck_assert_int_eq(ask(&answer), -PMUCLIENT_ERPC);
	ck_assert_str_eq(pmuclient_error(client), "none");
}

/* What was cut short by the end of pmud is no refusal of the call. */
static const struct leave_row {
	const char *why, *status;
	int err;
	const char *error;
} leave_rows[] = {
	{ "", "14", -PMUCLIENT_ELOST, "pmud is leaving: going" },
	{ "", "5", -PMUCLIENT_ERPC, "going" },
	{ "", NULL, -PMUCLIENT_ELOST, "pmud is leaving" },
	{ "full", NULL, -PMUCLIENT_ELOST, "pmud refuses the connection: full" },
};

TEST_ROWS(a_daemon_that_leaves_is_told_from_one_that_refuses, leave_rows)
{
	const struct leave_row *row = &leave_rows[_i];
	const char *const trailers[] = { "grpc-status", row->status,
					 "grpc-message", "going", NULL };
	Pmu__V1__GetMachineResponse *answer;

	script_goaway(&script, row->why);
	script_answer(&script, FIRST_CALL);
	if (row->status)
		script_headers(&script, FIRST_CALL, true, trailers);
	else
		script_reset(&script, FIRST_CALL, 8);
	ck_assert_int_eq(ask(&answer), row->err);
	ck_assert_str_eq(pmuclient_error(client), row->error);
	/* and no other call is begun */
	ck_assert_int_eq(pmuclient_info(client, "m1", &answer),
			 -PMUCLIENT_ELOST);
	ck_assert_uint_eq(script_heard(&script, FRAME_HEADERS, 3, NULL), 0);
}

/* Longer than it is kept, and with what is no text. */
static const size_t reason_lengths[] = { 254, 255, 256, 300 };

TEST_ROWS(a_long_reason_is_cut, reason_lengths)
{
	static const char before[] = "pmud refuses the connection: ";
	size_t len = reason_lengths[_i], kept = len < 255 ? len : 255;
	uint8_t bytes[8 + 300] = { [3] = FIRST_CALL };
	Pmu__V1__GetMachineResponse *answer;
	const char *said;

	memset(bytes + 8, 'x', len);
	bytes[8] = ' ';
	bytes[9] = '~';
	bytes[10] = 0x7f;
	script_frame(&script, (struct script_head){ FRAME_GOAWAY, 0, 0 }, bytes,
		     8 + len);
	script_reset(&script, FIRST_CALL, 8);
	ck_assert_int_eq(ask(&answer), -PMUCLIENT_ELOST);
	said = pmuclient_error(client);
	ck_assert_uint_eq(strlen(said), strlen(before) + kept);
	ck_assert_int_eq(strncmp(said, before, strlen(before)), 0);
	ck_assert_int_eq(strncmp(said + strlen(before), " ~?x", 4), 0);
}

/* Its stream is gone: what comes for it is nobody's, and costs no window. */
TEST(what_comes_for_a_call_that_is_over_is_dropped)
{
	Pmu__V1__GetMachineResponse good = PMU__V1__GET_MACHINE_RESPONSE__INIT;
	Pmu__V1__MachineInfo m = PMU__V1__MACHINE_INFO__INIT;
	Pmu__V1__GetMachineResponse *answer;
	uint64_t window;

	pmuclient_set_timeout(client, 0);
	ck_assert_int_eq(pmuclient_info(client, "m1", &answer),
			 -PMUCLIENT_ETIMEOUT);
	ck_assert_uint_eq(
		script_heard(&script, FRAME_RST_STREAM, FIRST_CALL, &window),
		1);
	ck_assert_uint_eq(window, 8); /* CANCEL */
	pmuclient_set_timeout(client, -1);
	script_answer(&script, FIRST_CALL);
	put_machine("late");
	script_answer(&script, 3);
	good.machine = &m;
	script_message(&script, 3, &good.base);
	script_end(&script, 3, "0");
	ck_assert_int_eq(ask(&answer), 0);
	ck_assert_str_eq(answer->machine->id, "");
	pmuclient_free_message(&answer->base);
}

SUITE("client-answers", .setup = setup, .teardown = teardown);
