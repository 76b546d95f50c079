/* SPDX-License-Identifier: BSD-2-Clause */
/* stat --explain-misses: what is asked, and how reasons are told. */
#include "canned-answers.h"
#include "canned-samples.h"
#include "text/exit-codes.h"
#include "unit.h"

#define EVENTS "EventService/ListEvents"
#define TOTALS "EventService/ReadTotals"
#define WHY    "EventService/ExplainMisses"
#define PLACES "SymbolService/DescribeAddresses"
#define CREATE "MachineService/CreateMachine"
#define START  "MachineService/StartMachine"
#define RESUME "MachineService/ResumeMachine"
#define INPUT  "MachineService/WriteConsole"
#define UNTIL  "MachineService/RunUntil"
#define WATCH  "MachineService/WatchMachine"
#define CATALOGUE                                                              \
	"{'events':[{'name':'cycles','selector':1,'kind':1},{'name':'misses'," \
	"'selector':65537,'kind':1,'explained':true},{'name':'lost',"          \
	"'selector':65553,'kind':1,'explained':true,'settings':'uarch','"      \
	"watched':true}]}"
#define COUNTED                                                                \
	"{'cycle':250,'clock_hz':1000,'totals':[{'hart':0,'event':'cycles','"  \
	"privilege':1,'value':10},{'hart':0,'event':'misses','privilege':1,'"  \
	"value':9},{'hart':1,'event':'misses','privilege':2,'value':5}]}"
#define EARLIER                                                                \
	"{'cycle':250,'clock_hz':1000,'totals':[{'hart':0,'event':'misses','"  \
	"privilege':1,'value':3}]}"
/* of a cache, of each kind of access and victim; the last of more */
#define FOUND                                                                  \
	"{'cycle':250,'sums':[{'hart':0,'privilege':1,'reason':1,'count':4},"  \
	"{'hart':0,'privilege':1,'reason':3,'count':5},{'hart':1,'privilege'"  \
	":2,'reason':1,'count':3},{'hart':1,'privilege':2,'reason':5,'count'"  \
	":2}],'misses':[{'cycle':7,'hart':0,'privilege':1,'pc':4096,'access':" \
	"1,'virtual_address':4096,'physical_address':4096,'part':1,'set':0,'"  \
	"line':4096,'victim':2,'reason':1},{'cycle':100,'hart':1,'privilege'"  \
	":2,'pc':4100,'access':2,'virtual_address':65543,'physical_address':"  \
	"131079,'part':2,'set':63,'line':131072,'victim':3,'victim_line':"     \
	"196608,'reason':3},{'cycle':101,'hart':1,'privilege':2,'pc':4104,'"   \
	"access':3,'virtual_address':65536,'part':3,'set':1,'line':131072,'"   \
	"victim':4,'victim_line':192,'reason':2},{'cycle':101,'hart':1,'"      \
	"privilege':2,'pc':4104,'access':3,'virtual_address':64,'part':2,'"    \
	"set':2,'line':64,'victim':1,'reason':5},{'cycle':102,'hart':1,'"      \
	"privilege':3,'pc':4106,'access':4,'virtual_address':128,'part':3,'"   \
	"set':3,'line':128,'victim':5,'victim_line':256,'reason':2},{'cycle'"  \
	":9007199254740991,'hart':63,'privilege':5,'pc':4108,'access':2,'"     \
	"virtual_address':8192,'part':6,'set':0,'line':8192,'victim':3,'"      \
	"victim_line':12288,'victim_elsewhere':true,'reason':4}]}"
#define NAMED                                                                  \
	"{'places':[{'address':4096,'function':'begin','file':'/src/a.c',"     \
	"'line':3},{'address':4100,'function':'work','offset':4},{'address':"  \
	"4104,'file':'b.c','line':9},{'address':4104},{'address':4106},"       \
	"{'address':4108}],'files':1}"
#define ONE                                                                    \
	"{'cycle':250,'sums':[{'hart':0,'privilege':1,'reason':1,'count':1}]," \
	"'misses':[{'cycle':7,'privilege':1,'pc':16,'access':2,'"              \
	"virtual_address':32,'part':2,'victim':2,'reason':1}]}"
/* of two address spaces, and the kernel's */
#define USERS                                                                  \
	"{'sums':[{'privilege':3,'reason':1,'count':3}],'misses':["            \
	"{'cycle':7,'privilege':3,'pc':16,'satp':5," COLD "},"                 \
	"{'cycle':8,'privilege':3,'pc':20,'satp':6," COLD "},"                 \
	"{'cycle':9,'privilege':2,'pc':24," COLD "}]}"
#define COLD "'access':2,'part':2,'victim':2,'reason':1"
#define ANY  "{'places':[{'function':'a'},{'function':'b'},{'function':'c'}]}"
#define ASKED(which)                                                           \
	EVENTS " {}\n" TOTALS " {'machine':'m1'}\n" TOTALS                     \
	       " {'machine':'m1'}\n" WHY " {'machine':'m1','event':" which     \
	       "}\n"

static const struct canned_row rows[] = {
	/* the table */
	{ "stat -m m1 -e misses --explain-misses 6",
	  { { EVENTS, CATALOGUE },
	    { TOTALS, COUNTED },
	    { WHY, FOUND },
	    { PLACES, NAMED } },
	  EXIT_OK,
	  "               COUNT  EVENT\n"
	  "                  14  misses\n"
	  "\n"
	  "misses: 14 misses since the start, 7 cold, 5 conflict, 2 unknown; "
	  "the last 6:\n"
	  "           CYCLE HART MODE ACCESS   ADDRESS PART SET    LINE VICTIM "
	  "                 REASON       PC PLACE\n"
	  "               7    0 M    fetch     0x1000 l1i    0  0x1000 -      "
	  "                 cold     0x1000 begin+0x0 a.c:3\n"
	  "             100    1 S    load     0x10007 l1d   63 0x20000 "
	  "0x30000                 conflict 0x1004 work+0x4\n"
	  "             101    1 S    store    0x10000 ll     1 0x20000 0xc0 "
	  "dirty              capacity 0x1008 b.c:9\n"
	  "             101    1 S    store       0x40 l1d    2    0x40 not "
	  "put                 unknown  0x1008 \n"
	  "             102    1 U    prefetch    0x80 ll     3    0x80 0x100 "
	  "forgotten         capacity 0x100a \n"
	  "9007199254740991   63 VU   load      0x2000 stlb   0  0x2000 0x3000 "
	  "of another space fence    0x100c \n",
	  "",
	  ASKED("'misses','harts':[],'privileges':[],'limit':6") PLACES
	  " {'machine':'m1','addresses':['4096','4100','4104','4104','4106','"
	  "4108']}\n" },
	/* nobody knows the addresses; of one hart and mode; all are told */
	{ "stat -m m1 -e misses:u --hart 1 --explain-misses 1024",
	  { { EVENTS, CATALOGUE },
	    { TOTALS, COUNTED },
	    { WHY, ONE },
	    { PLACES, NULL, 5 } },
	  EXIT_OK,
	  "               COUNT  EVENT\n"
	  "                   0  misses:u\n"
	  "\n"
	  "misses:u: 1 miss since the start, 1 cold\n"
	  "CYCLE HART MODE ACCESS ADDRESS PART SET LINE VICTIM REASON   PC "
	  "PLACE\n"
	  "    7    0 M    load      0x20 l1d    0  0x0 -      cold   0x10 \n",
	  "",
	  "EventService/ListEvents {}\n"
	  "EventService/ReadTotals {'machine':'m1'}\n"
	  "EventService/ReadTotals {'machine':'m1'}\n"
	  "EventService/ExplainMisses "
	  "{'machine':'m1','event':'misses','harts':[1],'privileges':['"
	  "PRIVILEGE_U','PRIVILEGE_VU'],'limit':1024}\n"
	  "SymbolService/DescribeAddresses "
	  "{'machine':'m1','addresses':['16']}\n" },
	/* other numbers of places than were asked for */
	{ "stat -m m1 -e misses --explain 1",
	  { { EVENTS, CATALOGUE },
	    { TOTALS, COUNTED },
	    { WHY, ONE },
	    { PLACES, NAMED } },
	  EXIT_OK,
	  "               COUNT  EVENT\n"
	  "                  14  misses\n"
	  "\n"
	  "misses: 1 miss since the start, 1 cold\n"
	  "CYCLE HART MODE ACCESS ADDRESS PART SET LINE VICTIM REASON   PC "
	  "PLACE\n"
	  "    7    0 M    load      0x20 l1d    0  0x0 -      cold   0x10 \n",
	  "",
	  "EventService/ListEvents {}\n"
	  "EventService/ReadTotals {'machine':'m1'}\n"
	  "EventService/ReadTotals {'machine':'m1'}\n"
	  "EventService/ExplainMisses "
	  "{'machine':'m1','event':'misses','harts':[],'privileges':[],'limit':"
	  "1}\n"
	  "SymbolService/DescribeAddresses "
	  "{'machine':'m1','addresses':['16']}\n" },
	/* users' of Linux: of the process that runs, those of its space alone
	 */
	{ "stat -m m1 -e misses --explain 3",
	  { { EVENTS, CATALOGUE },
	    { TOTALS, COUNTED },
	    { WHY, USERS },
	    { PLACES, ANY },
	    { PLACES, "{'places':[{'function':'mine'},{'function':'not'}],"
		      "'satp':5,'process':{'pid':7}}" } },
	  EXIT_OK,
	  "               COUNT  EVENT\n"
	  "                  14  misses\n"
	  "\n"
	  "misses: 3 misses since the start, 3 cold\n"
	  "CYCLE HART MODE ACCESS ADDRESS PART SET LINE VICTIM REASON   PC "
	  "PLACE\n"
	  "    7    0 U    load       0x0 l1d    0  0x0 -      cold   0x10 "
	  "mine+0x0\n"
	  "    8    0 U    load       0x0 l1d    0  0x0 -      cold   0x14 \n"
	  "    9    0 S    load       0x0 l1d    0  0x0 -      cold   0x18 "
	  "c+0x0\n",
	  "",
	  ASKED("'misses','harts':[],'privileges':[],'limit':3") PLACES
	  " {'machine':'m1','addresses':['16','20','24']}\n" PLACES
	  " {'machine':'m1','addresses':['16','20'],'hart':0}\n" },
	/* where there is no Linux there is one program */
	{ "stat -m m1 -e misses --explain 3",
	  { { EVENTS, CATALOGUE },
	    { TOTALS, COUNTED },
	    { WHY, USERS },
	    { PLACES, ANY },
	    { PLACES, "{'places':[{'function':'x'},{'function':'y'}]}" } },
	  EXIT_OK,
	  "               COUNT  EVENT\n"
	  "                  14  misses\n"
	  "\n"
	  "misses: 3 misses since the start, 3 cold\n"
	  "CYCLE HART MODE ACCESS ADDRESS PART SET LINE VICTIM REASON   PC "
	  "PLACE\n"
	  "    7    0 U    load       0x0 l1d    0  0x0 -      cold   0x10 "
	  "a+0x0\n"
	  "    8    0 U    load       0x0 l1d    0  0x0 -      cold   0x14 "
	  "b+0x0\n"
	  "    9    0 S    load       0x0 l1d    0  0x0 -      cold   0x18 "
	  "c+0x0\n",
	  "",
	  ASKED("'misses','harts':[],'privileges':[],'limit':3") PLACES
	  " {'machine':'m1','addresses':['16','20','24']}\n" PLACES
	  " {'machine':'m1','addresses':['16','20'],'hart':0}\n" },
	/* none: no question what stands there */
	{ "stat -m m1 -e misses,cycles,lost --explain-misses 6",
	  { { EVENTS, CATALOGUE },
	    { TOTALS,
	      "{'cycle':250,'clock_hz':1000,'totals':[{'event':'cycles'},{'"
	      "event':'misses'},{'event':'lost'}]}" },
	    { WHY, "{'cycle':250}" } },
	  EXIT_OK,
	  "               COUNT  EVENT\n"
	  "                   0  misses\n"
	  "                   0  cycles\n"
	  "                   0  lost\n"
	  "\n"
	  "misses: 0 misses since the start\n"
	  "\n"
	  "lost: 0 misses since the start\n",
	  "",
	  "EventService/ListEvents {}\n"
	  "EventService/ReadTotals {'machine':'m1'}\n"
	  "EventService/ReadTotals {'machine':'m1'}\n"
	  "EventService/ExplainMisses "
	  "{'machine':'m1','event':'misses','harts':[],'privileges':[],'limit':"
	  "6}\n"
	  "EventService/ExplainMisses "
	  "{'machine':'m1','event':'lost','harts':[],'privileges':[],'limit':6}"
	  "\n" },
	/* without --event: of those that the machine has */
	{ "stat -m m1 --explain-misses 6",
	  { { EVENTS, CATALOGUE },
	    { TOTALS, COUNTED },
	    { WHY, "{'cycle':250}" } },
	  EXIT_OK,
	  "               COUNT  EVENT\n"
	  "                  10  cycles\n"
	  "                  14  misses\n"
	  "\n"
	  "misses: 0 misses since the start\n",
	  "",
	  "EventService/ListEvents {}\n"
	  "EventService/ReadTotals {'machine':'m1'}\n"
	  "EventService/ReadTotals {'machine':'m1'}\n"
	  "EventService/ExplainMisses "
	  "{'machine':'m1','event':'misses','harts':[],'privileges':[],'limit':"
	  "6}\n" },
	/* an object for each event */
	{ "stat -m m1 -e misses --explain-misses 6 -j",
	  { { EVENTS, CATALOGUE },
	    { TOTALS, COUNTED },
	    { WHY, ONE },
	    { PLACES,
	      "{'places':[{'address':16,'function':'f','offset':2,'file':'a.c"
	      "','line':7}]}" } },
	  EXIT_OK,
	  "{\"time\": \"0.250000000\", \"event\": \"misses\", \"count\": "
	  "\"14\"}\n"
	  "{\"event\": \"misses\", \"cycle\": \"250\", \"sums\": [{\"hart\": "
	  "0, \"privilege\": \"PRIVILEGE_M\", \"reason\": "
	  "\"MISS_REASON_COLD\", \"count\": \"1\"}], \"misses\": [{\"cycle\": "
	  "\"7\", \"hart\": 0, \"privilege\": \"PRIVILEGE_M\", \"pc\": \"16\", "
	  "\"access\": \"MISS_ACCESS_LOAD\", \"virtualAddress\": \"32\", "
	  "\"physicalAddress\": \"0\", \"part\": \"CORE_PART_L1D\", \"set\": "
	  "0, \"line\": \"0\", \"victim\": \"MISS_VICTIM_EMPTY\", "
	  "\"victimLine\": \"0\", \"victimElsewhere\": false, \"reason\": "
	  "\"MISS_REASON_COLD\", \"satp\": \"0\", \"place\": {\"address\": "
	  "\"16\", "
	  "\"function\": \"f\", \"offset\": \"2\", \"file\": \"a.c\", "
	  "\"line\": 7}}]}\n",
	  "",
	  "EventService/ListEvents {}\n"
	  "EventService/ReadTotals {'machine':'m1'}\n"
	  "EventService/ReadTotals {'machine':'m1'}\n"
	  "EventService/ExplainMisses "
	  "{'machine':'m1','event':'misses','harts':[],'privileges':[],'limit':"
	  "6}\n"
	  "SymbolService/DescribeAddresses "
	  "{'machine':'m1','addresses':['16']}\n" },
	{ "stat -m m1 -e misses --explain-misses 6 -j",
	  { { EVENTS, CATALOGUE },
	    { TOTALS, COUNTED },
	    { WHY, ONE },
	    { PLACES, NULL, 5 } },
	  EXIT_OK,
	  "{\"time\": \"0.250000000\", \"event\": \"misses\", \"count\": "
	  "\"14\"}\n"
	  "{\"event\": \"misses\", \"cycle\": \"250\", \"sums\": [{\"hart\": "
	  "0, \"privilege\": \"PRIVILEGE_M\", \"reason\": "
	  "\"MISS_REASON_COLD\", \"count\": \"1\"}], \"misses\": [{\"cycle\": "
	  "\"7\", \"hart\": 0, \"privilege\": \"PRIVILEGE_M\", \"pc\": \"16\", "
	  "\"access\": \"MISS_ACCESS_LOAD\", \"virtualAddress\": \"32\", "
	  "\"physicalAddress\": \"0\", \"part\": \"CORE_PART_L1D\", \"set\": "
	  "0, \"line\": \"0\", \"victim\": \"MISS_VICTIM_EMPTY\", "
	  "\"victimLine\": \"0\", \"victimElsewhere\": false, \"reason\": "
	  "\"MISS_REASON_COLD\", \"satp\": \"0\"}]}\n",
	  "",
	  "EventService/ListEvents {}\n"
	  "EventService/ReadTotals {'machine':'m1'}\n"
	  "EventService/ReadTotals {'machine':'m1'}\n"
	  "EventService/ExplainMisses "
	  "{'machine':'m1','event':'misses','harts':[],'privileges':[],'limit':"
	  "6}\n"
	  "SymbolService/DescribeAddresses "
	  "{'machine':'m1','addresses':['16']}\n" },
	/* behind the last interval */
	{ "stat -m m1 -e misses -I 50c --explain-misses 6",
	  { { EVENTS, CATALOGUE },
	    { TOTALS, EARLIER },
	    { TOTALS, COUNTED },
	    { UNTIL, "{}" },
	    { WATCH, "{'machine':{'state':5,'cycle':1750}}" },
	    { WHY, "{}" } },
	  EXIT_OK,
	  "           TIME                COUNT  EVENT\n"
	  "    0.250000000                   11  misses\n"
	  "\n"
	  "misses: 0 misses since the start\n",
	  "",
	  "EventService/ListEvents {}\n"
	  "EventService/ReadTotals {'machine':'m1'}\n"
	  "MachineService/RunUntil {'machine':'m1','cycle':'300'}\n"
	  "MachineService/WatchMachine {'machine':'m1'}\n"
	  "EventService/ReadTotals {'machine':'m1'}\n"
	  "EventService/ExplainMisses "
	  "{'machine':'m1','event':'misses','harts':[],'privileges':[],'limit':"
	  "6}\n" },
	/* of a run: it is told to keep as many */
	{ "stat -e misses --explain-misses 6 -- run --batch image",
	  { { EVENTS, CATALOGUE },
	    { CREATE, "{'machine':{'id':'m1'}}" },
	    { "load", "{}" },
	    { START, "{}" },
	    { TOTALS, COUNTED },
	    { RESUME, "{'machine':{}}" },
	    { INPUT, "{}" },
	    { WATCH, "{'machine':{'id':'m1','state':5,'cause':3}}" },
	    { WHY, "{}" } },
	  EXIT_OK,
	  "",
	  "               COUNT  EVENT\n"
	  "                  14  misses\n"
	  "\n"
	  "misses: 0 misses since the start\n",
	  "EventService/ListEvents {}\n"
	  "MachineService/CreateMachine "
	  "{'config':{'harts':0,'memoryBytes':'0','startMode':'START_MODE_"
	  "UNSPECIFIED','settings':[{'key':'reboot','value':'off'},{'key':'"
	  "uarch-watch','value':'on'},{'key':'uarch-explain','value':'6'}],'"
	  "bootargs':'','recorded':false},'detach':false,'recording':{'traps':"
	  "false,'sbiCalls':false,'endWhenFull':false,'samplers':[],'whenFull':"
	  "'WHEN_FULL_ROTATE','traceBytes':'0','"
	  "processes':false,'deliveries':false,'sbiMemory':false,'csrAccesses':"
	  "false}}\n"
	  "load m1 kind 0 at 0 entry 0: 5\n"
	  "MachineService/ReadConsole {'machine':'m1','offset':'0','port':0}\n"
	  "MachineService/WatchMachine {'machine':'m1'}\n"
	  "MachineService/StartMachine {'machine':'m1','paused':true}\n"
	  "EventService/ReadTotals {'machine':'m1'}\n"
	  "MachineService/ResumeMachine {'machine':'m1'}\n"
	  "MachineService/WriteConsole {'machine':'m1','data':'','eof':true}\n"
	  "EventService/ReadTotals {'machine':'m1'}\n"
	  "EventService/ExplainMisses "
	  "{'machine':'m1','event':'misses','harts':[],'privileges':[],'limit':"
	  "6}\n" },
	/* refusals */
	{ "stat -m m1 -e misses --explain-misses 6",
	  { { EVENTS, CATALOGUE }, { TOTALS, COUNTED }, { WHY, NULL, 9 } },
	  EXIT_FAILED,
	  "               COUNT  EVENT\n"
	  "                  14  misses\n",
	  "pmuctl: refused\n",
	  ASKED("'misses','harts':[],'privileges':[],'limit':6") },
	{ "stat -m m1 -e misses --explain-misses 0",
	  { { EVENTS, CATALOGUE } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --explain-misses: 1 to 1024 of them are kept\n",
	  EVENTS " {}\n" },
	{ "stat -m m1 -e misses --explain-misses 1025",
	  { { EVENTS, CATALOGUE } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --explain-misses: 1 to 1024 of them are kept\n",
	  EVENTS " {}\n" },
	{ "stat -m m1 -e cycles --explain-misses 1",
	  { { EVENTS, CATALOGUE } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --explain-misses: none of these events counts misses of a "
	  "cache or TLB\n",
	  EVENTS " {}\n" },
	{ "stat -m m1 -e misses -x, --explain-misses 1",
	  { { EVENTS, CATALOGUE } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --explain-misses: not with --field-separator; for programs "
	  "there is --json\n",
	  EVENTS " {}\n" },
	{ "stat -m m1 --explain-misses 1",
	  { { EVENTS, CATALOGUE },
	    { TOTALS, "{'clock_hz':1,'totals':[{'event':'cycles'}]}" } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --explain-misses: the machine has no model of a cache or "
	  "TLB that is observed (settings uarch, uarch-watch)\n",
	  EVENTS " {}\n" TOTALS " {'machine':'m1'}\n" },
	{ "stat -m m1 -e lost --explain-misses 1",
	  { { EVENTS, CATALOGUE }, { TOTALS, COUNTED } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --event: this machine does not count lost "
	  "(settings uarch, uarch-watch)\n",
	  EVENTS " {}\n" TOTALS " {'machine':'m1'}\n" },
};

TEST_ROWS(misses_are_told_with_their_reasons, rows)
{
	canned_check(&rows[_i]);
}

SUITE("cli-misses", .setup = canned_samples_begin,
      .teardown = canned_samples_end);
