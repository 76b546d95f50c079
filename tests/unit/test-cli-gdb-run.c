/* SPDX-License-Identifier: BSD-2-Clause */
/* How a debugger lets a machine go on, and what it hears of its stop. */
#include <string.h>

#include "gdb-talk.h"
#include "session/pmud.h"
#include "text/exit-codes.h"
#include "unit.h"

#define OK	  "$OK"
#define MALFORMED "$E16"
#define REFUSED	  "$E0e"

/* MachineInfo: states and causes by their numbers. */
#define RUNS	 "{'machine':{'state':2}}"
#define WAITS	 "{'machine':{'state':4}}"
#define PAUSED	 "{'machine':{'state':3,'cause':10,'hart':1}}"
#define AT_BREAK "{'machine':{'state':3,'cause':11,'hart':1}}"
#define STEPPED	 "{'machine':{'state':3,'cause':12,'hart':1}}"
#define ENDED	 "{'machine':{'state':5,'cause':3,'exit_code':263}}"
#define CRASHED	 "{'machine':{'state':6,'cause':14}}"
#define AT_WATCH(hart, address, bytes)                                         \
	"{'machine':{'state':3,'cause':16,'hart':0,'watched':{'hart':" hart    \
	",'address':" address ",'bytes':" bytes "}}}"
#define AT(pc)		TALK_REGISTERS(pc, "0")
#define ASKS_REGS(hart) TALK_REGS " {'machine':'m1','hart':" hart "}\n"
#define ASKS_POINTS(pcs, watches)                                              \
	TALK_POINTS " {'machine':'m1','pcs':[" pcs "],'watchpoints':[" watches \
		    "]}\n"
#define WATCHED(address, bytes, loads, stores)                                 \
	"{'address':'" address "','bytes':'" bytes "','loads':" loads          \
	",'stores':" stores "}"
#define ASKS_STEP(hart)                                                        \
	TALK_STEP " {'machine':'m1','insns':'1'" hart ",'trapEnds':true}\n"
#define GOES_ON TALK_RESUME TALK_M1 TALK_WATCH TALK_M1
#define NONE                                                                   \
	{                                                                      \
		TALK_POINTS, "{}"                                              \
	}

static const struct talk_row talks[] = {
	/* what is known of it */
	{ "how it stands",
	  { { "?", "$T05thread:2;" },
	    { "?", "$T05swbreak:;thread:2;" },
	    { "?", "$T05thread:1;" },
	    { "?", "$X06" },
	    { "?", "$X06" },
	    { "qC", "$QC1" } },
	  { { TALK_GET, PAUSED },
	    { TALK_GET, AT_BREAK },
	    { TALK_GET, ENDED },
	    { TALK_GET, CRASHED },
	    { TALK_GET, NULL },
	    { TALK_REGS, AT("4096") } },
	  NULL },
	/* going on */
	{ "what it may be asked for",
	  { { "vCont?", "$vCont;c;C;s;S;t;r" },
	    { "vCont", MALFORMED },
	    { "vCont?x", MALFORMED },
	    { "vCont;q", MALFORMED },
	    { "vCont;s:3", MALFORMED },
	    { "c1000", MALFORMED },
	    { "s1000", MALFORMED },
	    { "C", MALFORMED },
	    { "C05;1000", MALFORMED },
	    { "S", MALFORMED } },
	  { { 0 } },
	  "" },
	{ "it goes on, and stops because of another",
	  { { "vCont;c", "" },
	    { ".", "" },
	    { "g", REFUSED },
	    { ".", "$T05thread:2;" },
	    { "qC", "$QC2" } },
	  { NONE,
	    { TALK_RESUME, RUNS },
	    { TALK_WATCH, RUNS },
	    { TALK_WATCH, WAITS },
	    { TALK_WATCH, "" },
	    { TALK_WATCH, PAUSED } },
	  ASKS_POINTS("", "") GOES_ON },
	{ "the debugger interrupts it",
	  { { "c", "" }, { "!\3", "" }, { ".", "$T02thread:2;" } },
	  { NONE,
	    { TALK_RESUME, RUNS },
	    { TALK_PAUSE, NULL },
	    { TALK_WATCH, PAUSED } },
	  ASKS_POINTS("", "") GOES_ON TALK_PAUSE TALK_M1 },
	{ "interrupted once, it is not the next time",
	  { { "C05", "" },
	    { "!\3", "" },
	    { ".", "$T02thread:2;" },
	    { "c", "" },
	    { ".", "$T05thread:2;" } },
	  { NONE,
	    { TALK_RESUME, RUNS },
	    { TALK_PAUSE, PAUSED },
	    { TALK_WATCH, PAUSED },
	    { TALK_WATCH, PAUSED } },
	  ASKS_POINTS("", "") GOES_ON TALK_PAUSE TALK_M1 GOES_ON },
	{ "nothing interrupts what stands", { { "!\3", "" } }, { { 0 } }, "" },
	{ "it ends",
	  { { "c", "" }, { ".", "$W07" }, { "qC", "" } },
	  { NONE, { TALK_RESUME, RUNS }, { TALK_WATCH, ENDED } },
	  NULL },
	{ "its process dies",
	  { { "c", "" }, { ".", "$X06" }, { "qC", "" } },
	  { NONE, { TALK_RESUME, RUNS }, { TALK_WATCH, CRASHED } },
	  NULL },
	{ "it is deleted",
	  { { "c", "" }, { ".", "$X06" }, { "qC", "" } },
	  { NONE, { TALK_RESUME, RUNS } },
	  NULL },
	{ "what it says is lost",
	  { { "c", "" }, { ".", "$X06" }, { "qC", "" } },
	  { NONE, { TALK_RESUME, RUNS }, { TALK_WATCH, NULL } },
	  NULL },
	{ "an answer without a machine",
	  { { "c", "" }, { ".", "$X06" }, { "qC", "" } },
	  { NONE, { TALK_RESUME, RUNS }, { TALK_WATCH, "{}" } },
	  NULL },
	{ "it cannot go on",
	  { { "c", REFUSED }, { "c", "$W07" } },
	  { NONE,
	    { TALK_RESUME, NULL },
	    { TALK_GET, PAUSED },
	    { TALK_GET, ENDED } },
	  NULL },
	{ "nobody watches it",
	  { { "c", REFUSED } },
	  { NONE,
	    { TALK_RESUME, RUNS },
	    { "open " TALK_WATCH, NULL },
	    { TALK_GET, PAUSED } },
	  NULL },
	{ "to stop is what it does already",
	  { { "vCont;t", "$T05thread:2;" } },
	  { { TALK_GET, PAUSED } },
	  TALK_GET TALK_M1 },
	/* steps */
	{ "a hart steps",
	  { { "vCont;s:1", "" }, { ".", "$T05thread:1;" } },
	  { NONE,
	    { TALK_REGS, AT("4096") },
	    { TALK_REGS, AT("4100") },
	    { TALK_STEP, STEPPED } },
	  ASKS_POINTS("", "") ASKS_REGS("0") ASKS_STEP(",'hart':0")
		  ASKS_REGS("0") },
	{ "the present one",
	  { { "Hg2", OK }, { "s", "" }, { ".", "$T05thread:2;" } },
	  { NONE,
	    { TALK_REGS, AT("4096") },
	    { TALK_REGS, AT("4100") },
	    { TALK_STEP, STEPPED } },
	  ASKS_POINTS("", "") ASKS_REGS("1") ASKS_STEP(",'hart':1")
		  ASKS_REGS("1") },
	{ "with a signal that means nothing",
	  { { "S05", "" }, { ".", "$T05thread:1;" } },
	  { NONE, { TALK_REGS, AT("4096") }, { TALK_STEP, STEPPED } },
	  ASKS_POINTS("", "") ASKS_REGS("0") ASKS_STEP(",'hart':0")
		  ASKS_REGS("0") },
	{ "whichever is next",
	  { { "vCont;s", "" }, { ".", "$T05thread:2;" } },
	  { NONE, { TALK_REGS, AT("4096") }, { TALK_STEP, STEPPED } },
	  ASKS_POINTS("", "") ASKS_STEP("") ASKS_REGS("1") },
	{ "as long as it is in range",
	  { { "vCont;r1000,1008:1", "" }, { ".", "$T05thread:1;" } },
	  { NONE,
	    { TALK_REGS, AT("4096") },
	    { TALK_REGS, AT("4096") },
	    { TALK_REGS, AT("4103") },
	    { TALK_REGS, AT("4104") },
	    { TALK_STEP, STEPPED },
	    { TALK_STEP, STEPPED },
	    { TALK_STEP, STEPPED } },
	  ASKS_POINTS("", "") ASKS_REGS("0") ASKS_STEP(",'hart':0")
		  ASKS_REGS("0") ASKS_STEP(",'hart':0") ASKS_REGS("0")
			  ASKS_STEP(",'hart':0") ASKS_REGS("0") },
	{ "before its range it stops",
	  { { "vCont;r1000,1008:1", "" }, { ".", "$T05thread:1;" } },
	  { NONE,
	    { TALK_REGS, AT("4096") },
	    { TALK_REGS, AT("4095") },
	    { TALK_STEP, STEPPED } },
	  NULL },
	{ "interrupted in range it stops",
	  { { "vCont;r1000,1008:1", "" },
	    { "!\3", "" },
	    { ".", "$T02thread:1;" } },
	  { NONE,
	    { TALK_REGS, AT("4096") },
	    { TALK_PAUSE, PAUSED },
	    { TALK_STEP, STEPPED } },
	  NULL },
	{ "off its own breakpoint",
	  { { "Z0,1000,4", OK },
	    { "Hg2", OK },
	    { "s", "" },
	    { ".", "$T05thread:2;" } },
	  { NONE,
	    { TALK_REGS, AT("4096") },
	    { TALK_REGS, AT("4096") },
	    { TALK_REGS, AT("4096") },
	    { TALK_REGS, AT("4100") },
	    { TALK_STEP, AT_BREAK },
	    { TALK_STEP, STEPPED } },
	  NULL },
	{ "onto another's",
	  { { "Z1,1004,4", OK },
	    { "Hg2", OK },
	    { "s", "" },
	    { ".", "$T05hwbreak:;thread:2;" } },
	  { NONE,
	    { TALK_REGS, AT("4096") },
	    { TALK_REGS, AT("4100") },
	    { TALK_STEP, AT_BREAK } },
	  NULL },
	{ "a step that waits is watched",
	  { { "vCont;s:2", "" }, { ".", "" }, { ".", "$T05thread:2;" } },
	  { NONE,
	    { TALK_REGS, AT("4096") },
	    { TALK_STEP, WAITS },
	    { TALK_WATCH, "" },
	    { TALK_WATCH, WAITS },
	    { TALK_WATCH, PAUSED } },
	  ASKS_POINTS("", "") ASKS_REGS("1") ASKS_STEP(",'hart':1")
		  TALK_WATCH TALK_M1 ASKS_REGS("1") },
	{ "a step is refused",
	  { { "vCont;s:1", "" }, { ".", "$X06" } },
	  { NONE, { TALK_REGS, NULL }, { TALK_STEP, NULL } },
	  NULL },
	/* points */
	{ "breakpoints are sent when it goes on, once and in order",
	  { { "Z0,1004,4", OK },
	    { "Z1,1000,2", OK },
	    { "Z0,1004,4", OK },
	    { "Z1,1004,4", OK },
	    { "c", "" },
	    { ".", "$T05swbreak:;thread:2;" },
	    { "z1,1004,4", OK },
	    { "Z1,1004,4", OK },
	    { "c", "" },
	    { ".", "$T05hwbreak:;thread:2;" } },
	  { NONE,
	    { TALK_RESUME, RUNS },
	    { TALK_WATCH, AT_BREAK },
	    { TALK_WATCH, AT_BREAK },
	    { TALK_REGS, AT("4100") },
	    { TALK_REGS, AT("4096") } },
	  ASKS_POINTS("'4096','4100'", "") GOES_ON ASKS_REGS("1")
		  GOES_ON ASKS_REGS("1") },
	{ "others' stay while one steps off its own",
	  { { "Z0,1000,4", OK },
	    { "Z0,2000,4", OK },
	    { "z0,1000,4", OK },
	    { "vCont;s:1", "" },
	    { ".", "$T05thread:1;" },
	    { "vCont;s:1;c", "" },
	    { ".", "$T05thread:1;" },
	    { "vCont;s:1", "" },
	    { ".", "$T05thread:1;" } },
	  { NONE,
	    { TALK_REGS, AT("4096") },
	    { TALK_STEP, STEPPED },
	    { TALK_STEP, STEPPED },
	    { TALK_STEP, STEPPED } },
	  ASKS_POINTS("'4096','8192'", "") ASKS_REGS("0") ASKS_STEP(",'hart':0")
		  ASKS_REGS("0") ASKS_POINTS("'8192'", "")
			  ASKS_STEP(",'hart':0") ASKS_REGS("0")
				  ASKS_STEP(",'hart':0") ASKS_REGS("0") },
	{ "points that are no points",
	  { { "Z5,1000,4", "$" },
	    { "z5,1000,4", "$" },
	    { "Z0,1000", MALFORMED },
	    { "z0", MALFORMED },
	    { "Z,1000,4", MALFORMED },
	    { "Z2,1000,0", MALFORMED },
	    { "Z2,ffffffffffffffff,2", MALFORMED },
	    { "Z2,ffffffffffffffff,1", OK },
	    { "Z0,1000,0", OK },
	    { "z1,1000,4", OK } },
	  { { 0 } },
	  "" },
	{ "points are refused",
	  { { "Z0,1000,4", OK }, { "c", REFUSED } },
	  { { TALK_POINTS, NULL }, { TALK_GET, PAUSED } },
	  ASKS_POINTS("'4096'", "") TALK_GET TALK_M1 },
	/* watchpoints */
	{ "loads, stores, or both are watched",
	  { { "Z2,1000,4", OK },
	    { "Z3,2000,8", OK },
	    { "Z4,3000,1", OK },
	    { "c", "" },
	    { ".", "$T05watch:1002;thread:2;" },
	    { "z2,1000,4", OK },
	    { "c", "" },
	    { ".", "$T05rwatch:2000;thread:1;" },
	    { "c", "" },
	    { ".", "$T05awatch:3000;thread:1;" } },
	  { NONE,
	    { TALK_RESUME, RUNS },
	    { TALK_WATCH, AT_WATCH("1", "4098", "4") },
	    { TALK_WATCH, AT_WATCH("0", "8190", "8") },
	    { TALK_WATCH, AT_WATCH("2", "12287", "2") } },
	  ASKS_POINTS("", WATCHED("4096", "4", "false", "true") "," WATCHED(
				  "8192", "8", "true",
				  "false") "," WATCHED("12288", "1", "true",
						       "true"))
		  GOES_ON ASKS_POINTS(
			  "", WATCHED("12288", "1", "true", "true") "," WATCHED(
				      "8192", "8", "true", "false"))
			  GOES_ON GOES_ON },
	{ "an access that none is about",
	  { { "Z2,1000,4", OK },
	    { "c", "" },
	    { ".", "$T05thread:2;" },
	    { "c", "" },
	    { ".", "$T05thread:2;" },
	    { "c", "" },
	    { ".", "$T05thread:1;" } },
	  { NONE,
	    { TALK_RESUME, RUNS },
	    { TALK_WATCH, AT_WATCH("1", "4100", "4") },
	    { TALK_WATCH, AT_WATCH("1", "4092", "4") },
	    { TALK_WATCH, "{'machine':{'state':3,'cause':16}}" } },
	  NULL },
	{ "a step behind a watched access is made already",
	  { { "Z2,1000,4", OK },
	    { "c", "" },
	    { ".", "$T05watch:1000;thread:2;" },
	    { "z2,1000,4", OK },
	    { "vCont;s:2", "" },
	    { ".", "$T05thread:2;" },
	    { "vCont;s:2", "" },
	    { ".", "$T05thread:2;" } },
	  { NONE,
	    { TALK_RESUME, RUNS },
	    { TALK_WATCH, AT_WATCH("1", "4096", "4") },
	    { TALK_GET, PAUSED },
	    { TALK_REGS, AT("4096") },
	    { TALK_STEP, STEPPED } },
	  ASKS_POINTS("", WATCHED("4096", "4", "false", "true"))
		  GOES_ON TALK_GET TALK_M1 ASKS_POINTS("", "") ASKS_REGS("1")
			  ASKS_STEP(",'hart':1") ASKS_REGS("1") },
	{ "also where the rest of the access is watched",
	  { { "Z2,1000,4", OK },
	    { "Z2,1004,4", OK },
	    { "c", "" },
	    { ".", "$T05watch:1000;thread:2;" },
	    { "z2,1000,4", OK },
	    { "vCont;s:2", "" },
	    { ".", "$T05thread:2;" } },
	  { NONE,
	    { TALK_RESUME, RUNS },
	    { TALK_WATCH, AT_WATCH("1", "4096", "8") },
	    { TALK_GET, AT_WATCH("1", "4096", "8") } },
	  NULL },
	{ "but not another's, nor one that is watched still",
	  { { "Z2,1000,4", OK },
	    { "c", "" },
	    { ".", "$T05watch:1000;thread:2;" },
	    { "vCont;s:2", "" },
	    { ".", "$T05watch:1000;thread:2;" },
	    { "z2,1000,4", OK },
	    { "vCont;s:1", "" },
	    { ".", "$T05thread:1;" } },
	  { NONE,
	    { TALK_RESUME, RUNS },
	    { TALK_WATCH, AT_WATCH("1", "4096", "4") },
	    { TALK_REGS, AT("4096") },
	    { TALK_STEP, AT_WATCH("1", "4096", "4") },
	    { TALK_STEP, STEPPED } },
	  NULL },
};

TEST_ROWS(a_machine_goes_on_as_it_is_asked, talks)
{
	talk_check(&talks[_i]);
}

/* What is refused is told to the debugger, a connection that broke ends it. */
TEST_TIMES(a_call_may_be_the_last, 2)
{
	const struct canned calls[] = {
		{ TALK_HARTS, NULL, _i ? CANNED_LOST : 5 }, { 0 }
	};

	canned_begin(calls);
	ck_assert(!talk_target.lost);
	talk_say("qThreadExtraInfo,1");
	ck_assert_str_eq(talk_sent(), "$E0e");
	ck_assert_int_eq(talk_target.lost, _i);
	/* once lost it stays so */
	canned_begin((const struct canned[]){ { TALK_HARTS, NULL, 5 }, { 0 } });
	talk_say("qThreadExtraInfo,1");
	ck_assert_int_eq(talk_target.lost, _i);
}

SUITE("cli-gdb-run", .setup = talk_setup, .teardown = talk_teardown);
