/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A session of event-based branches by calls: what the daemon is asked, what
 * the handler is told, and what goes with its return.
 */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ebb-played.h"

/* Opening */

static const struct open_row {
	const char *why;
	unsigned transport;
	size_t size;
	const char *machine;
	struct canned calls[6];
	int err;
	const char *error, *asked;
} open_rows[] = {
	{ "by calls, because it is wanted so",
	  PMUCLIENT_EBB_CALLS,
	  sizeof(config),
	  "m1",
	  { OPENED, HEADER, { ACT, "{}" } },
	  0,
	  "",
	  OPENS CLOSES },
	{ "by calls, because there is no ring",
	  PMUCLIENT_EBB_ANY,
	  sizeof(config),
	  "m1",
	  { OPENED, HEADER, { ACT, "{}" } },
	  0,
	  "",
	  ASKS_OPEN("true") ASKS_RECORDS ADDS CLOSES },
	{ "by calls, because the ring cannot be had: another session",
	  PMUCLIENT_EBB_ANY,
	  sizeof(config),
	  "m1",
	  { { OPEN, "{'session':6,'ticket':'too short'}" },
	    OPENED,
	    HEADER,
	    { ACT, "{}" } },
	  0,
	  "",
	  ASKS_OPEN("true") OPENS CLOSES },
	{ "by calls, because an older program knows nothing else",
	  PMUCLIENT_EBB_ANY,
	  offsetof(struct pmuclient_ebb_config, transport),
	  "m1",
	  { OPENED, HEADER, { ACT, "{}" } },
	  0,
	  "",
	  OPENS CLOSES },
	{ "a ring that is not offered, but must be",
	  PMUCLIENT_EBB_RING,
	  sizeof(config),
	  "m1",
	  { OPENED },
	  -PMUCLIENT_ECONNECT,
	  "no ring for EBB session 7: pmud offers none here",
	  ASKS_OPEN("true") },
	{ "a ring that cannot be had, but must be",
	  PMUCLIENT_EBB_RING,
	  sizeof(config),
	  "m1",
	  { { OPEN, "{'session':7,'ticket':'too short'}" } },
	  -PMUCLIENT_ECONNECT,
	  "no ring for EBB session 7: No such file or directory",
	  ASKS_OPEN("true") },
	{ "no session",
	  PMUCLIENT_EBB_CALLS,
	  sizeof(config),
	  "m1",
	  { { OPEN, NULL } },
	  -PMUCLIENT_ERPC,
	  "",
	  ASKS_OPEN("false") },
	{ "a session that ends at once",
	  PMUCLIENT_EBB_CALLS,
	  sizeof(config),
	  "m1",
	  { { RECORDS, "{}" } },
	  -PMUCLIENT_EPROTO,
	  "the session ended before it began",
	  ASKS_OPEN("false") },
	{ "it cannot be asked for",
	  PMUCLIENT_EBB_CALLS,
	  sizeof(config),
	  "m1",
	  { { "open " OPEN, NULL } },
	  -PMUCLIENT_ERPC,
	  "",
	  ASKS_OPEN("false") },
	{ "no records",
	  PMUCLIENT_EBB_CALLS,
	  sizeof(config),
	  "m1",
	  { OPENED },
	  -PMUCLIENT_EPROTO,
	  "the stream ended before it began",
	  ASKS_OPEN("false") ASKS_RECORDS },
	{ "records are refused",
	  PMUCLIENT_EBB_CALLS,
	  sizeof(config),
	  "m1",
	  { OPENED, { RECORDS, NULL } },
	  -PMUCLIENT_ERPC,
	  "",
	  ASKS_OPEN("false") ASKS_RECORDS },
	{ "the counter is another's",
	  PMUCLIENT_EBB_CALLS,
	  sizeof(config),
	  "m1",
	  { OPENED, HEADER, { ACT, NULL } },
	  -PMUCLIENT_ERPC,
	  "",
	  OPENS },
	{ "no machine",
	  PMUCLIENT_EBB_CALLS,
	  sizeof(config),
	  NULL,
	  { { 0 } },
	  -PMUCLIENT_EINVAL,
	  "config: no machine is named",
	  "" },
	{ "no such transport",
	  PMUCLIENT_EBB_RING + 1,
	  sizeof(config),
	  "m1",
	  { { 0 } },
	  -PMUCLIENT_EINVAL,
	  "config: there is no transport 3",
	  "" },
	{ "no size",
	  PMUCLIENT_EBB_CALLS,
	  0,
	  "m1",
	  { { 0 } },
	  -PMUCLIENT_EINVAL,
	  "config: its size is not set",
	  "" },
};

TEST_ROWS(a_group_is_opened, open_rows)
{
	const struct open_row *row = &open_rows[_i];

	config.transport = row->transport;
	config.size = row->size;
	config.machine = row->machine;
	canned_begin(row->calls);
	ck_assert_msg(open_group(1) == row->err, "%s", row->why);
	ck_assert_str_eq(pmuclient_error(client), row->error);
	if (!row->err)
		closed();
	ck_assert_str_eq(canned_asked(), row->asked);
}

TEST(all_events_of_a_group_are_added_at_once)
{
	static const struct canned calls[] = {
		OPENED, HEADER, { ACT, "{}" }, { 0 }
	};

	canned_begin(calls);
	ck_assert_int_eq(open_group(2), 0);
	closed();
	ck_assert_str_eq(
		canned_asked(),
		ASKS_OPEN("false") ASKS_RECORDS ASKS_ACT(
			INPUT("ADD", "3", "5", "100", "false") "," INPUT(
				"ADD", "4", "5", "100", "false")) CLOSES);
}

/* Calls */

static const struct canned usual[] = {
	OPENED, HEADER, { ACT, "{}" }, { ACT, "{}" }, { 0 },
};

TEST(what_is_asked_outside_of_the_handler_is_done_at_once)
{
	opened(usual);
	ck_assert_int_eq(pmuclient_ebb_enable(ebb), 0);
	ck_assert_int_eq(pmuclient_ebb_disable(ebb), 0);
	ck_assert_int_eq(pmuclient_ebb_mask(ebb, false), 0);
	ck_assert_int_eq(pmuclient_ebb_mask(ebb, true), 0);
	ck_assert_int_eq(pmuclient_ebb_rearm(ebb, 4, 500), 0);
	closed();
	ck_assert_str_eq(
		canned_asked(),
		OPENS ASKS_ACT(INPUT("ENABLE", "0", "0", "0", "false"))
			ASKS_ACT(INPUT("DISABLE", "0", "0", "0",
				       "false")) ASKS_ACT(INPUT("UNMASK", "0",
								"0", "0",
								"false"))
				ASKS_ACT(INPUT("MASK", "0", "0", "0", "false"))
					ASKS_ACT(INPUT("REARM", "4", "0", "500",
						       "false")) CLOSES);
}

static const struct {
	const char *answer;
	int got;
	uint64_t value;
} reads[] = {
	{ "{'scheduled':true}", 8, 0 },
	{ "{}", 0, 77 },
	{ NULL, -PMUCLIENT_ERPC, 77 },
};

TEST_ROWS(a_read_says_whether_it_counts, reads)
{
	const struct canned calls[] = {
		OPENED, HEADER, { ACT, "{}" }, { READ, reads[_i].answer }, { 0 }
	};
	uint64_t value = 77;

	opened(calls);
	ck_assert_int_eq(pmuclient_ebb_read(ebb, &value), reads[_i].got);
	ck_assert_uint_eq(value, reads[_i].value);
	closed();
	ck_assert_str_eq(canned_asked(),
			 OPENS READ " {'machine':'m1','session':7}\n" CLOSES);
}

static const struct {
	unsigned counter;
	int err;
	uint64_t value;
	const char *error;
} values[] = {
	{ 3, 0, 33, "" },
	{ 4, 0, 44, "" },
	{ 5, -PMUCLIENT_EINVAL, 77, "counter 5 is not of the group" },
};

TEST_ROWS(a_counter_has_its_value, values)
{
	static const struct canned calls[] = {
		OPENED,
		HEADER,
		{ ACT, "{}" },
		{ READ, "{'counters':[{'counter':3,'value':33},"
			"{'counter':4,'value':44}]}" },
		{ 0 }
	};
	uint64_t value = 77;

	opened(calls);
	ck_assert_int_eq(pmuclient_ebb_value(ebb, values[_i].counter, &value),
			 values[_i].err);
	ck_assert_uint_eq(value, values[_i].value);
	ck_assert_str_eq(pmuclient_error(client), values[_i].error);
	closed();
}

TEST(a_value_that_is_refused_is_none)
{
	static const struct canned calls[] = {
		OPENED, HEADER, { ACT, "{}" }, { READ, NULL }, { 0 }
	};
	uint64_t value = 77;

	opened(calls);
	ck_assert_int_eq(pmuclient_ebb_value(ebb, 3, &value), -PMUCLIENT_ERPC);
	ck_assert_uint_eq(value, 77);
	closed();
}

TEST(closing_what_is_closed_is_fine)
{
	static const struct canned calls[] = {
		OPENED, HEADER, { ACT, "{}" }, { ACT, NULL }, { 0 }
	};
	static const struct canned lost[] = {
		OPENED, HEADER, { ACT, "{}" }, { ACT, NULL, CANNED_LOST }, { 0 }
	};

	ck_assert_int_eq(pmuclient_ebb_close(NULL), 0);
	opened(calls);
	closed();
	opened(lost);
	ck_assert_int_eq(pmuclient_ebb_close(ebb), -PMUCLIENT_ELOST);
}

/* What of it a child of fork() finds; 0: as it must be. */
static int in_child(void)
{
	uint64_t value;
	int wrong = 0;

	wrong |= pmuclient_ebb_dispatch(ebb, 0) != -PMUCLIENT_ESTATE;
	wrong |= strcmp(pmuclient_error(client),
			"this EBB session is the parent's")
		 << 1;
	wrong |= (pmuclient_ebb_mask(ebb, true) != -PMUCLIENT_ESTATE) << 2;
	wrong |= (pmuclient_ebb_rearm(ebb, 3, 1) != -PMUCLIENT_ESTATE) << 3;
	wrong |= (pmuclient_ebb_enable(ebb) != -PMUCLIENT_ESTATE) << 4;
	wrong |= (pmuclient_ebb_read(ebb, &value) != -PMUCLIENT_ESTATE) << 5;
	wrong |= (pmuclient_ebb_close(ebb) != 0) << 6;
	wrong |= (strcmp(canned_asked(), OPENS) != 0) << 7;
	return wrong & 0xff;
}

/* It may only close, which nobody is told of. */
TEST(a_child_has_no_session)
{
	pid_t pid;
	int status;

	opened(usual);
	pid = fork();
	if (!pid)
		_exit(in_child());
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	closed();
}

SUITE("client-ebb-calls", .setup = setup, .teardown = teardown);
