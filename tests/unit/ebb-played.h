/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A session of event-based branches whose daemon is played: machine m1, session
 * 7, one event on counter 3.
 */
#ifndef TESTS_EBB_PLAYED_H
#define TESTS_EBB_PLAYED_H

#include <sys/socket.h>
#include <unistd.h>

#include <pmuclient/ebb-client.h>

#include "canned-answers.h"
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
		"'ebbSession':7,'samples':false,'addresses':[],'deliveries':"  \
		"false,'csrAccesses':false},"                                  \
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

static struct pmuclient *client;
static int other_end;
static struct pmuclient_ebb *ebb;

static struct pmuclient_ebb_config config;
static struct pmuclient_ebb_attr leader;

static inline void setup(void)
{
	int fds[2];

	PREPARING(ck_assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, fds)));
	PREPARING(ck_assert_int_eq(pmuclient_adopt(&client, fds[0]), 0));
	other_end = fds[1];
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

static inline void teardown(void)
{
	pmuclient_free(client);
	close(other_end);
}

static inline int open_group(size_t n)
{
	struct pmuclient_ebb_attr second = leader;
	const struct pmuclient_ebb_attr *attrs[] = { &leader, &second };

	second.pinned = second.exclusive = false;
	second.counter = 4;
	return pmuclient_ebb_open(client, &config, attrs, n, &ebb);
}

/* With the answers @calls, which begin with those of the opening. */
static inline void opened(const struct canned *calls)
{
	canned_begin(calls);
	PREPARING(ck_assert_int_eq(open_group(1), 0));
}

static inline void closed(void)
{
	ck_assert_int_eq(pmuclient_ebb_close(ebb), 0);
}

#endif
