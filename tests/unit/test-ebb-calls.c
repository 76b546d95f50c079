/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A session of event-based branches by calls: what the daemon is asked, what
 * the handler is told, and what goes with its return.
 */
#include <string.h>
#include <unistd.h>

#include <pmuclient/ebb-client.h>

#include "canned-answers.h"
#include "session.h"
#include "unit.h"

#define OPEN	"EbbService/OpenEbb"
#define ACT	"EbbService/ActOnEbb"
#define READ	"EbbService/ReadEbb"
#define RECORDS "TraceService/StreamRecords"
#define OPENED                                                                 \
	{                                                                      \
		OPEN, "{'session':7}"                                          \
	}
#define HEADER                                                                 \
	{                                                                      \
		RECORDS, "{'header':{}}"                                       \
	}
#define TOLD(c)                                                                \
	"{'hart':2,'cycle':90,'insn':80,'pc':4096,'ebb_delivery':{"            \
	"'session':7,'counters':" c ",'cycle':70}}"
#define BATCH(r)                                                               \
	{                                                                      \
		RECORDS, "{'batch':{'records':[" r "]}}"                       \
	}
#define ASKS_OPEN(ring)                                                        \
	OPEN " {'machine':'m1','hart':2,'freezes':false,'reloads':false,"      \
	     "'ring':" ring "}\n"
#define ASKS_RECORDS                                                           \
	RECORDS " {'machine':'m1','filter':{'overflows':false,'traps':false,"  \
		"'sbiCalls':false,'console':false,'inputs':true,"              \
		"'hartChanges':false,'stops':false,'harts':[],'counters':[],"  \
		"'resets':false,'absences':false,'ebbDeliveries':true,"        \
		"'ebbSession':7,'samples':false,'addresses':[]},"              \
		"'drop':false,'fromStart':false}\n"
#define INPUT(what, counter, event, period, masked)                            \
	"{'cycle':'0','hart':0,'moment':0,'ebb':{'what':'WHAT_" what           \
	"','session':7,'counter':" counter ",'event':'" event                  \
	"','period':'" period                                                  \
	"','freezes':false,'reloads':false,'masked':" masked "}}"
#define ASKS_ACT(inputs) ACT " {'machine':'m1','inputs':[" inputs "]}\n"
#define ADDS		 ASKS_ACT(INPUT("ADD", "3", "5", "100", "false"))
#define OPENS		 ASKS_OPEN("false") ASKS_RECORDS ADDS
#define CLOSES		 ASKS_ACT(INPUT("CLOSE", "0", "0", "0", "false"))

static struct pmuclient client;
static struct pmuclient_ebb *ebb;

static struct pmuclient_ebb_config config;
static struct pmuclient_ebb_attr leader;

static void setup(void)
{
	client = (struct pmuclient){ .fd = -1,
				     .pid = getpid(),
				     .timeout_ms = -1 };
	config = (struct pmuclient_ebb_config){
		.size = sizeof(config),
		.machine = "m1",
		.hart = 2,
		.transport = PMUCLIENT_EBB_CALLS,
	};
	leader = (struct pmuclient_ebb_attr){
		.size = sizeof(leader),
		.config = PMUCLIENT_EBB_EVENT | 5,
		.counter = 3,
		.period = 100,
		.pinned = true,
		.exclusive = true,
	};
}

static int open_group(size_t n)
{
	struct pmuclient_ebb_attr second = leader;
	const struct pmuclient_ebb_attr *attrs[] = { &leader, &second };

	second.pinned = second.exclusive = false;
	second.counter = 4;
	return pmuclient_ebb_open(&client, &config, attrs, n, &ebb);
}

/* With the answers @calls, which begin with those of the opening. */
static void opened(const struct canned *calls)
{
	canned_begin(calls);
	PREPARING(ck_assert_int_eq(open_group(1), 0));
}

static void closed(void)
{
	ck_assert_int_eq(pmuclient_ebb_close(ebb), 0);
}

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
	ck_assert_str_eq(client.error, row->error);
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
	ck_assert_str_eq(client.error, values[_i].error);
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
	ck_assert_str_eq(client.error, row->error);
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
	ck_assert_str_eq(client.error, ends[_i].over ? "the session is over"
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
	ck_assert_str_eq(client.error,
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
	ck_assert_str_eq(client.error, "a handler arms at most 63 times");
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

/* A child of fork() may only close, which nobody is told of. */
TEST(a_child_has_no_session)
{
	uint64_t value;

	opened(usual);
	client.pid++;
	ck_assert_int_eq(pmuclient_ebb_dispatch(ebb, 0), -PMUCLIENT_ESTATE);
	ck_assert_str_eq(client.error, "this EBB session is the parent's");
	ck_assert_int_eq(pmuclient_ebb_mask(ebb, true), -PMUCLIENT_ESTATE);
	ck_assert_int_eq(pmuclient_ebb_rearm(ebb, 3, 1), -PMUCLIENT_ESTATE);
	ck_assert_int_eq(pmuclient_ebb_enable(ebb), -PMUCLIENT_ESTATE);
	ck_assert_int_eq(pmuclient_ebb_read(ebb, &value), -PMUCLIENT_ESTATE);
	closed();
	ck_assert_str_eq(canned_asked(), OPENS);
}

SUITE("client-ebb-calls", .setup = setup);
