/* SPDX-License-Identifier: BSD-2-Clause */
/* A session's handler, by calls: when it is called, and what its return says.
 */
#include <string.h>

#include "ebb-played.h"

/* Handlers */

static struct seen {
	unsigned calls;
	struct pmuclient_ebb_call last;
	int in_handler[4];
} seen;

static void look(void *data, struct pmuclient_ebb *e,
		 const struct pmuclient_ebb_call *call)
{
	struct seen *s = data;

	s->calls++;
	s->last = *call;
}

static void rearm(void *data, struct pmuclient_ebb *e,
		  const struct pmuclient_ebb_call *call)
{
	look(data, e, call);
	seen.in_handler[0] = pmuclient_ebb_mask(e, false);
	seen.in_handler[1] = pmuclient_ebb_rearm(e, 3, 200);
	seen.in_handler[2] = pmuclient_ebb_dispatch(e, 0);
	seen.in_handler[3] = pmuclient_ebb_close(e);
}

static const struct dispatch_row {
	const char *why;
	struct canned calls[8];
	unsigned calls_made;
	int got, next; /* of two dispatches */
	const char *error;
} dispatch_rows[] = {
	{ "nothing has come",
	  { OPENED, HEADER, { ACT, "{}" }, { RECORDS, "" }, { RECORDS, "" } },
	  0,
	  0,
	  0,
	  "" },
	{ "all that has come, in one go",
	  { OPENED,
	    HEADER,
	    { ACT, "{}" },
	    BATCH(TOLD("8") "," TOLD("16")),
	    BATCH(TOLD("24")),
	    { RECORDS, "" },
	    { RECORDS, "" } },
	  3,
	  3,
	  0,
	  "" },
	{ "what is no delivery calls nobody",
	  { OPENED,
	    HEADER,
	    { ACT, "{}" },
	    BATCH("{'input':{'ebb':{'what':1}}},{'stop':{}}"),
	    { RECORDS, "{'lost':3}" },
	    { RECORDS, "" },
	    { RECORDS, "" } },
	  0,
	  0,
	  0,
	  "" },
	{ "the end is told behind what came before",
	  { OPENED, HEADER, { ACT, "{}" }, BATCH(TOLD("8")) },
	  1,
	  1,
	  -PMUCLIENT_ELOST,
	  "the machine is gone" },
	{ "so is an error of the stream",
	  { OPENED, HEADER, { ACT, "{}" }, { RECORDS, NULL }, { RECORDS, "" } },
	  0,
	  -PMUCLIENT_ERPC,
	  0,
	  "" },
	{ "a return that is refused is told at once",
	  { OPENED,
	    HEADER,
	    { ACT, "{}" },
	    { ACT, NULL },
	    BATCH(TOLD("8") "," TOLD("16")),
	    { RECORDS, "" } },
	  2,
	  -PMUCLIENT_ERPC,
	  -PMUCLIENT_ERPC,
	  "" },
};

TEST_ROWS(a_handler_is_called, dispatch_rows)
{
	const struct dispatch_row *row = &dispatch_rows[_i];

	opened(row->calls);
	seen.calls = 0;
	pmuclient_ebb_set_callback(ebb, look, &seen);
	ck_assert_msg(pmuclient_ebb_dispatch(ebb, 0) == row->got, "%s",
		      row->why);
	ck_assert_msg(pmuclient_ebb_dispatch(ebb, 0) == row->next, "%s",
		      row->why);
	ck_assert_uint_eq(seen.calls, row->calls_made);
	ck_assert_str_eq(pmuclient_error(client), row->error);
	closed();
}

/* By CLOSE or DEATH: no more is asked of it, nor is it closed. */
static const struct {
	const char *input;
	bool over;
} ends[] = {
	{ "{'input':{'ebb':{'what':8}}}", false },
	{ "{'input':{'ebb':{'what':9}}}", true },
	{ "{'input':{'ebb':{'what':10}}}", true },
	{ "{'input':{}}", false },
	/* of another kind, whose number stands where the act would */
	{ "{'input':{'csr_write':{'csr':9}}}", false },
};

TEST_ROWS(an_end_is_known, ends)
{
	const struct canned calls[] = {
		OPENED,		 HEADER,
		{ ACT, "{}" },	 BATCH(TOLD("8")),
		{ RECORDS, "" }, { RECORDS, "{'batch':{'records':[{}]}}" },
		{ RECORDS, "" }, { 0 },
	};
	char batch[128];
	struct canned own[ARRAY_SIZE(calls)];

	memcpy(own, calls, sizeof(own));
	snprintf(batch, sizeof(batch), "{'batch':{'records':[%s]}}",
		 ends[_i].input);
	own[5].answer = batch;
	opened(own);
	ck_assert_int_eq(pmuclient_ebb_dispatch(ebb, 0), 1);
	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(pmuclient_ebb_dispatch(ebb, 0),
				 ends[_i].over ? -PMUCLIENT_ELOST
				 : i	       ? -PMUCLIENT_ELOST
					       : 0);
	ck_assert_str_eq(pmuclient_error(client),
			 ends[_i].over ? "the session is over"
				       : "the machine is gone");
	closed();
	ck_assert_int_eq(!strstr(canned_asked(), "WHAT_CLOSE"), ends[_i].over);
}

TEST(a_handler_knows_what_overflowed)
{
	static const struct canned calls[] = {
		OPENED,		  HEADER,	   { ACT, "{}" }, { ACT, "{}" },
		BATCH(TOLD("8")), { RECORDS, "" }, { 0 }
	};

	opened(calls);
	pmuclient_ebb_set_callback(ebb, look, &seen);
	ck_assert_int_eq(pmuclient_ebb_dispatch(ebb, 0), 1);
	ck_assert_uint_eq(seen.last.size, sizeof(seen.last));
	ck_assert_uint_eq(seen.last.hart, 2);
	ck_assert_uint_eq(seen.last.counters, 8);
	ck_assert_uint_eq(seen.last.pc, 4096);
	ck_assert_uint_eq(seen.last.insn, 80);
	ck_assert_uint_eq(seen.last.cycle, 90);
	ck_assert_uint_eq(seen.last.since, 70);
	closed();
	ck_assert_str_eq(canned_asked(),
			 OPENS ASKS_ACT(INPUT("RETURN", "0", "0", "0", "true"))
				 CLOSES);
}

TEST(what_a_handler_asks_goes_with_its_return)
{
	static const struct canned calls[] = {
		OPENED,		  HEADER,	   { ACT, "{}" }, { ACT, "{}" },
		BATCH(TOLD("8")), { RECORDS, "" }, { 0 }
	};

	opened(calls);
	pmuclient_ebb_set_callback(ebb, rearm, &seen);
	ck_assert_int_eq(pmuclient_ebb_dispatch(ebb, 0), 1);
	ck_assert_int_eq(seen.in_handler[0], 0);
	ck_assert_int_eq(seen.in_handler[1], 0);
	ck_assert_int_eq(seen.in_handler[2], -PMUCLIENT_ESTATE);
	ck_assert_int_eq(seen.in_handler[3], -PMUCLIENT_ESTATE);
	ck_assert_str_eq(pmuclient_error(client),
			 "a session is not closed by its handler");
	closed();
	ck_assert_str_eq(
		canned_asked(),
		OPENS ASKS_ACT(INPUT("REARM", "3", "0", "200",
				     "false") "," INPUT("RETURN", "0", "0", "0",
							"false")) CLOSES);
}

/* A machine that arms by itself waits for no return. */
TEST(what_a_machine_reloads_has_no_return)
{
	static const struct canned calls[] = {
		OPENED,		  HEADER,	   { ACT, "{}" }, { ACT, "{}" },
		BATCH(TOLD("8")), { RECORDS, "" }, { 0 }
	};

	config.reloads = true;
	opened(calls);
	pmuclient_ebb_set_callback(ebb, rearm, &seen);
	ck_assert_int_eq(pmuclient_ebb_dispatch(ebb, 0), 1);
	closed();
	ck_assert_ptr_null(strstr(canned_asked(), "WHAT_RETURN"));
	ck_assert_ptr_nonnull(strstr(canned_asked(), "WHAT_UNMASK"));
	ck_assert_ptr_nonnull(strstr(canned_asked(), "WHAT_REARM"));
}

static void rearm_often(void *data, struct pmuclient_ebb *e,
			const struct pmuclient_ebb_call *call)
{
	for (int i = 0; i < 64; i++)
		seen.in_handler[i < 63] = pmuclient_ebb_rearm(e, 3, 200);
}

TEST(a_handler_arms_so_often_and_no_more)
{
	static const struct canned calls[] = {
		OPENED,		  HEADER,	   { ACT, "{}" }, { ACT, "{}" },
		BATCH(TOLD("8")), { RECORDS, "" }, { 0 }
	};

	opened(calls);
	pmuclient_ebb_set_callback(ebb, rearm_often, NULL);
	ck_assert_int_eq(pmuclient_ebb_dispatch(ebb, 0), 1);
	ck_assert_int_eq(seen.in_handler[1], 0);
	ck_assert_int_eq(seen.in_handler[0], -PMUCLIENT_EINVAL);
	ck_assert_str_eq(pmuclient_error(client),
			 "rearm: must be at most 63 times in one call of the "
			 "handler, not 64");
	closed();
}

SUITE("client-ebb-handler", .setup = setup, .teardown = teardown);
