/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What records, overflows and sessions ask for. client/record-stream.c,
 * overflows.c, ebb-client.c.
 */
#include <pmuclient/ebb-client.h>
#include <pmuclient/overflows.h>
#include <pmuclient/records.h>

#include "request-rows.h"

static int pass_record(void *data, const Pmu__V1__Record *r)
{
	return tell(3, r->insn);
}

static int records(void)
{
	static const struct pmuclient_record_ops ops = { .size = sizeof(ops),
							 .record =
								 pass_record };
	Pmu__V1__StreamRecordsRequest req =
		PMU__V1__STREAM_RECORDS_REQUEST__INIT;

	req.machine = (char *)"m1";
	return pmuclient_records(client, &req, -1, &ops, NULL);
}

static int overflows(void)
{
	struct pmuclient_overflows *o;
	int err = pmuclient_overflows_open(client, "m1", 2, 3, &o);

	if (!err)
		pmuclient_overflows_close(o);
	return err;
}

static int ebb(bool freezes, bool reloads)
{
	const struct pmuclient_ebb_config cfg = {
		.size = sizeof(cfg),
		.machine = "m1",
		.hart = 2,
		.freezes = freezes,
		.reloads = reloads,
		.transport = PMUCLIENT_EBB_CALLS,
	};
	static const struct pmuclient_ebb_attr leader = {
		.size = sizeof(leader),
		.config = PMUCLIENT_EBB_EVENT | 5,
		.counter = 3,
		.period = 100,
		.pinned = true,
		.exclusive = true,
	};
	const struct pmuclient_ebb_attr *attrs[] = { &leader };
	struct pmuclient_ebb *e;
	int err = pmuclient_ebb_open(client, &cfg, attrs, 1, &e);

	return err ? err : pmuclient_ebb_close(e);
}

static int ebb_freezes(void)
{
	return ebb(true, false);
}

static int ebb_reloads(void)
{
	return ebb(false, true);
}

#define RECORDS "TraceService/StreamRecords"
#define FILTER(overflows, inputs, harts, counters, session)                    \
	"'filter':{'overflows':" overflows ",'traps':false,'sbiCalls':false,'" \
	"console':false,'inputs':" inputs ",'hartChanges':false,'stops':"      \
	"false,'harts':[" harts "],'counters':[" counters "],'resets':false,'" \
	"absences':false,'ebbDeliveries':" inputs ",'ebbSession':" session     \
	",'samples':false,'addresses':[],'deliveries':false,'csrAccesses':"    \
	"false},"
#define EBB_ACT(what, counter, event, period)                                  \
	"EbbService/ActOnEbb {'machine':'m1','inputs':[{'cycle':'0','hart':0," \
	"'moment':0,'ebb':{'what':'WHAT_" what                                 \
	"','session':7,'counter':" counter ",'event':'" event                  \
	"','period':'" period                                                  \
	"','freezes':false,'reloads':false,'masked':false}}]}\n"
#define SESSION                                                                \
	{                                                                      \
		{ "EbbService/OpenEbb", "{'session':7}" },                     \
			{ RECORDS, "{'header':{}}" },                          \
		{                                                              \
			"EbbService/ActOnEbb", "{}"                            \
		}                                                              \
	}
#define ASKS_SESSION(freezes, reloads)                                         \
	"EbbService/OpenEbb {'machine':'m1','hart':2,'freezes':" freezes       \
	",'reloads':" reloads ",'ring':false}\n" RECORDS                       \
	" {'machine':'m1'," FILTER(                                            \
		"false", "true", "", "",                                       \
		"7") "'drop':false,'fromStart':false}\n" EBB_ACT("ADD", "3",   \
								 "5", "100")   \
		EBB_ACT("CLOSE", "0", "0", "0")

static const struct request_row rows[] = {
	{ "records until one is enough",
	  records,
	  { { RECORDS, "{'header':{}}" },
	    { RECORDS, "{'batch':{'records':[{'insn':5},{'insn':6}]}}" } },
	  3,
	  "5",
	  "",
	  RECORDS " {'machine':'m1','drop':false,'fromStart':false}\n" },
	{ "records that are refused",
	  records,
	  { { RECORDS, NULL, 5 } },
	  -PMUCLIENT_ERPC,
	  "",
	  "",
	  RECORDS " {'machine':'m1','drop':false,'fromStart':false}\n" },
	{ "records of which no stream is had",
	  records,
	  { { "open " RECORDS, NULL, 5 } },
	  -PMUCLIENT_ERPC,
	  "",
	  "",
	  RECORDS " {'machine':'m1','drop':false,'fromStart':false}\n" },
	{ "overflows",
	  overflows,
	  { { RECORDS, "{'header':{}}" } },
	  0,
	  "",
	  "",
	  RECORDS
	  " {'machine':'m1'," FILTER("true", "false", "2", "3",
				     "0") "'drop':false,'fromStart':false}\n" },
	{ "a session that freezes", ebb_freezes, SESSION, 0, "", "",
	  ASKS_SESSION("true", "false") },
	{ "a session that reloads", ebb_reloads, SESSION, 0, "", "",
	  ASKS_SESSION("false", "true") },
};

TEST_ROWS(a_call_asks_for_what_it_is_given, rows)
{
	check_request(&rows[_i]);
}

TEST_ROWS(a_call_without_memory_says_so, rows)
{
	check_without_memory(&rows[_i]);
}

SUITE("client-subscriptions", .setup = setup, .teardown = teardown);
