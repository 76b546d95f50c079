/* SPDX-License-Identifier: BSD-2-Clause */
/* Samples of a machine: recorded until it ends, or for a time. */
#include <time.h>

#include "canned-answers.h"
#include "canned-samples.h"
#include "text/exit-codes.h"
#include "unit.h"

#define EVENTS "EventService/ListEvents"
#define GET    "MachineService/GetMachine"
#define SAMPLE "TraceService/SampleEvents"
#define END    "TraceService/EndSampling"
#define ONE_EVENT                                                              \
	"{'events':[{'name':'cycles','selector':1,'kind':1},{'name':'fw_set_"  \
	"timer','selector':983045,'kind':2}]}"
#define RUNS "{'machine':{'state':2,'cycle':100}}"
#define BEGUN                                                                  \
	"{'begun':{'session':4,'cycle':100,'header':{'version':1,'clock_hz':"  \
	"1000,'xlen':64,'samples_only':true}}}"
#define COLD                                                                   \
	"{'begun':{'session':4,'cycle':100,'cold':true,'header':{'version':1," \
	"'clock_hz':1000,'xlen':64,'samples_only':true}}}"
#define ONE                                                                    \
	"{'batch':{'records':[{'cycle':150,'privilege':2,'pc':4100,'sample':{" \
	"'event':'cycles','period':100,'periods':1,'last_pc':4096}}]}}"
#define MORE                                                                   \
	"{'batch':{'records':[{'cycle':1100,'hart':1,'privilege':3,'pc':8196," \
	"'sample':{'event':'cycles','period':100,'periods':2,'last_pc':8192}}" \
	",{'cycle':1101,'privilege':2,'pc':4104,'sample':{'event':'cycles','"  \
	"period':100,'periods':1,'last_pc':4100}}]}}"

/* What is recorded, and what `trace show' makes of it. */
static const struct {
	struct canned_row row;
	const char *shown;
} rows[] = {
	/* until it ends, or for a time */
	{ { "record -m m1 -e cycles:u -c 100 -o out",
	    { { EVENTS, ONE_EVENT },
	      { GET, RUNS },
	      { SAMPLE, BEGUN },
	      { SAMPLE, ONE },
	      { SAMPLE, MORE } },
	    EXIT_OK,
	    "",
	    "pmuctl: sampling from cycle 100 on; Ctrl-C ends it\n",
	    EVENTS " {}\n" GET " {'machine':'m1'}\n" SAMPLE
		   " {'machine':'m1','samplers':[{'event':'cycles','privileges'"
		   ":['PRIVILEGE_U','PRIVILEGE_VU'],'period':'100','callers':"
		   "false,'registers':false,'name':'cycles:u','stackBytes':0,'"
		   "summed':false}]}\n" },
	  "       CYCLE HART PRIV PC                 WHAT\n"
	  "         150    0    S 0x0000000000001004 sample cycles period 100\n"
	  "        1100    1    U 0x0000000000002004 sample cycles period 100 "
	  "times 2\n"
	  "        1101    0    S 0x0000000000001008 sample cycles period "
	  "100\n" },
	/* what began cold says so */
	{ { "record -m m1 -e cycles:u -c 100 -o out",
	    { { EVENTS, ONE_EVENT },
	      { GET, RUNS },
	      { SAMPLE, COLD },
	      { SAMPLE, ONE } },
	    EXIT_OK,
	    "",
	    "pmuctl: sampling from cycle 100 on; Ctrl-C ends it\n"
	    "pmuctl: caches, TLBs and predictors are cold there: what ran "
	    "before is not in them\n",
	    EVENTS " {}\n" GET " {'machine':'m1'}\n" SAMPLE
		   " {'machine':'m1','samplers':[{'event':'cycles','privileges'"
		   ":['PRIVILEGE_U','PRIVILEGE_VU'],'period':'100','callers':"
		   "false,'registers':false,'name':'cycles:u','stackBytes':0,'"
		   "summed':false}]}\n" },
	  "       CYCLE HART PRIV PC                 WHAT\n"
	  "         150    0    S 0x0000000000001004 sample cycles period "
	  "100\n" },
	{ { "record -m m1 -e cycles -c 100 -o out --time 1s",
	    { { EVENTS, ONE_EVENT },
	      { GET, "{'machine':{'state':3}}" },
	      { GET, "{'machine':{'cycle':1099}}" },
	      { GET, "{'machine':{'cycle':1100}}" },
	      { SAMPLE, BEGUN },
	      { SAMPLE, "" },
	      { SAMPLE, ONE },
	      { SAMPLE, "" },
	      { SAMPLE, MORE },
	      { END, "{}" } },
	    EXIT_OK,
	    "",
	    "pmuctl: sampling from cycle 100 on; Ctrl-C ends it\n"
	    "pmuctl: m1 does not run now: samples come once it does\n",
	    EVENTS
	    " {}\n" GET " {'machine':'m1'}\n" SAMPLE
	    " {'machine':'m1','samplers':[{'event':'cycles','privileges':['"
	    "PRIVILEGE_M','PRIVILEGE_S','PRIVILEGE_U','PRIVILEGE_VS','"
	    "PRIVILEGE_VU'],'period':'100','callers':false,'registers':false,'"
	    "name':'cycles','stackBytes':0,'summed':false}]}\n" GET
	    " {'machine':'m1'}\n" GET " {'machine':'m1'}\n" END
	    " {'machine':'m1','session':4}\n" },
	  "       CYCLE HART PRIV PC                 WHAT\n"
	  "         150    0    S 0x0000000000001004 sample cycles period 100\n"
	  "        1100    1    U 0x0000000000002004 sample cycles period 100 "
	  "times 2\n" },
	{ { "record -m m1 -e cycles -c 100 -g --registers --stack 64KiB -o out "
	    "--filter pc==0x2000",
	    { { EVENTS, ONE_EVENT },
	      { GET, "{'machine':{'state':1}}" },
	      { SAMPLE, BEGUN },
	      { SAMPLE, ONE },
	      { SAMPLE, MORE } },
	    EXIT_OK,
	    "",
	    "pmuctl: sampling from cycle 100 on; Ctrl-C ends it\n"
	    "pmuctl: m1 does not run now: samples come once it does\n",
	    EVENTS
	    " {}\n" GET " {'machine':'m1'}\n" SAMPLE
	    " {'machine':'m1','samplers':[{'event':'cycles','privileges':['"
	    "PRIVILEGE_M','PRIVILEGE_S','PRIVILEGE_U','PRIVILEGE_VS','"
	    "PRIVILEGE_VU'],'period':'100','callers':true,'registers':true,'"
	    "name':'cycles','stackBytes':65536,'summed':false}]}\n" },
	  "       CYCLE HART PRIV PC                 WHAT\n"
	  "        1100    1    U 0x0000000000002004 sample cycles period 100 "
	  "times 2\n" },
	{ { "record -m m1 -e cycles -o out",
	    { { 0 } },
	    EXIT_USAGE,
	    "",
	    "pmuctl: record needs --event, and --period of at least 1, or "
	    "--exact\n",
	    "" } },
	{ { "record -m m1 -c 100 -o out",
	    { { 0 } },
	    EXIT_USAGE,
	    "",
	    "pmuctl: record needs --event, and --period of at least 1, or "
	    "--exact\n",
	    "" } },
	{ { "record -m m1 -e cycles -c 0 -o out",
	    { { 0 } },
	    EXIT_USAGE,
	    "",
	    "pmuctl: record needs --event, and --period of at least 1, or "
	    "--exact\n",
	    "" } },
	{ { "record -m m1 -e cycles --exact -o out",
	    { { 0 } },
	    EXIT_USAGE,
	    "",
	    "pmuctl: record --exact needs -- run IMAGE\n",
	    "" } },
	{ { "record -m m1 --exact -o out",
	    { { 0 } },
	    EXIT_USAGE,
	    "",
	    "pmuctl: record --exact needs --event\n",
	    "" } },
	{ { "record -e cycles --exact -c 5 -o out -- run image",
	    { { 0 } },
	    EXIT_USAGE,
	    "",
	    "pmuctl: record --exact goes without --period, --call-graph, "
	    "--registers and --stack\n",
	    "" } },
	{ { "record -e cycles --exact -g -o out -- run image",
	    { { 0 } },
	    EXIT_USAGE,
	    "",
	    "pmuctl: record --exact goes without --period, --call-graph, "
	    "--registers and --stack\n",
	    "" } },
	{ { "record -e cycles -c 5 --time 1s -o out -- run image",
	    { { 0 } },
	    EXIT_USAGE,
	    "",
	    "pmuctl: --time is for --machine; a run has --max-cycles\n",
	    "" } },
	{ { "record -e cycles -c 5 -o out",
	    { { 0 } },
	    EXIT_USAGE,
	    "",
	    "pmuctl: record needs either --machine or -- run IMAGE\n",
	    "" } },
	{ { "record -m m1 -e fw_set_timer -c 5 -o out",
	    { { EVENTS, ONE_EVENT } },
	    EXIT_USAGE,
	    "",
	    "pmuctl: --event: fw_set_timer is the firmware's and cannot be "
	    "sampled\n",
	    EVENTS " {}\n" } },
	{ { "record -m m1 -c 5 -o out -e cycles,cycles,cycles,cycles,cycles,"
	    "cycles,cycles,cycles,cycles,cycles,cycles,cycles,cycles,cycles,"
	    "cycles,cycles,cycles",
	    { { EVENTS, ONE_EVENT } },
	    EXIT_USAGE,
	    "",
	    "pmuctl: --event: must be at most 16 events, not 17\n",
	    EVENTS " {}\n" } },
	{ { "record -m m1 -e cycles -c 5 --stack 65537 -o out",
	    { { 0 } },
	    EXIT_USAGE,
	    "",
	    "pmuctl: --stack: must be at most 64KiB, not 65537 bytes\n",
	    "" } },
	{ { "record -m m1 -e cycles -c 5 --time 1 -o out",
	    { { 0 } },
	    EXIT_USAGE,
	    "",
	    "pmuctl: --time: '1' is not a time such as 10ms, 500us, 2s or, in "
	    "cycles, 1000c\n",
	    "" } },
	{ { "record -m m1 -e cycles -c 5 --filter pc -o out",
	    { { 0 } },
	    EXIT_USAGE,
	    "",
	    "pmuctl: --filter: ==, !=, <, <=, > or >= is wanted at 'the end' "
	    "of 'pc'\n",
	    "" } },
	{ { "record -m m1 -e cycles -c 5 -o out",
	    { { EVENTS, ONE_EVENT }, { GET, "{'machine':{'state':5}}" } },
	    EXIT_FAILED,
	    "",
	    "pmuctl: m1: the machine has ended\n",
	    EVENTS " {}\n" GET " {'machine':'m1'}\n" } },
	{ { "record -m m1 -e cycles -c 5 -o out",
	    { { EVENTS, ONE_EVENT }, { GET, "{'machine':{'state':6}}" } },
	    EXIT_FAILED,
	    "",
	    "pmuctl: m1: the machine has crashed\n",
	    EVENTS " {}\n" GET " {'machine':'m1'}\n" } },
	{ { "record -m m1 -e cycles -c 5 -o out",
	    { { EVENTS, ONE_EVENT }, { GET, NULL, 5 } },
	    EXIT_NOT_FOUND,
	    "",
	    "pmuctl: refused\n",
	    EVENTS " {}\n" GET " {'machine':'m1'}\n" } },
	{ { "record -m m1 -e cycles -c 5 -o out",
	    { { EVENTS, ONE_EVENT },
	      { GET, RUNS },
	      { "open TraceService/SampleEvents", NULL, 8 } },
	    EXIT_FAILED,
	    "",
	    "pmuctl: refused\n",
	    EVENTS
	    " {}\n" GET " {'machine':'m1'}\n" SAMPLE
	    " {'machine':'m1','samplers':[{'event':'cycles','privileges':['"
	    "PRIVILEGE_M','PRIVILEGE_S','PRIVILEGE_U','PRIVILEGE_VS','"
	    "PRIVILEGE_VU'],'period':'5','callers':false,'registers':false,'"
	    "name':'cycles','stackBytes':0,'summed':false}]}\n" } },
	{ { "record -e cycles -c 5 -o out --filter hart==0 -- run --batch "
	    "image",
	    { { EVENTS, ONE_EVENT },
	      { "MachineService/CreateMachine", "{'machine':{'id':'m1'}}" },
	      { "load", "{}" },
	      { "MachineService/StartMachine", "{}" },
	      { "MachineService/ResumeMachine", "{'machine':{}}" },
	      { "MachineService/WriteConsole", "{}" },
	      { "TraceService/StreamRecords",
		"{'header':{'version':1,'xlen':64}}" },
	      { "TraceService/StreamRecords",
		"{'batch':{'records':[{'cycle':150,'pc':4100,'privilege':2,'"
		"sample':{'event':'cycles','period':5,'last_pc':4096}},{'cycle'"
		":160,'hart':1,'pc':4100,'privilege':2,'sample':{'event':'"
		"cycles','period':5,'last_pc':4096}},{'cycle':170,'privilege':"
		"2,'stop':{'cause':1}}]}}" },
	      { "MachineService/WatchMachine",
		"{'machine':{'id':'m1','state':5,'cause':1}}" } },
	    EXIT_OK,
	    "",
	    "",
	    EVENTS
	    " {}\n"
	    "MachineService/CreateMachine "
	    "{'config':{'harts':0,'memoryBytes':'0','startMode':'START_MODE_"
	    "UNSPECIFIED','settings':[{'key':'reboot','value':'off'},{'key':'"
	    "uarch-watch','value':'on'}],'bootargs':'','recorded':false},'"
	    "detach':false,'recording':{'traps':false,'sbiCalls':false,'"
	    "endWhenFull':false,'samplers':[{'event':'cycles','privileges':['"
	    "PRIVILEGE_M','PRIVILEGE_S','PRIVILEGE_U','PRIVILEGE_VS','"
	    "PRIVILEGE_VU'],'period':'5','callers':false,'registers':false,'"
	    "name':'cycles','stackBytes':0,'summed':false}],'whenFull':'WHEN_"
	    "FULL_ROTATE','traceBytes':'0','"
	    "processes':false,'deliveries':false,'sbiMemory':false,'"
	    "csrAccesses':false}}\n"
	    "load m1 kind 0 at 0 entry 0: 5\n"
	    "TraceService/StreamRecords "
	    "{'machine':'m1','drop':false,'fromStart':true}\n"
	    "MachineService/ReadConsole "
	    "{'machine':'m1','offset':'0','port':0}\n"
	    "MachineService/WatchMachine {'machine':'m1'}\n"
	    "MachineService/StartMachine {'machine':'m1','paused':true}\n"
	    "MachineService/ResumeMachine {'machine':'m1'}\n"
	    "MachineService/WriteConsole "
	    "{'machine':'m1','data':'','eof':true}\n" },
	  "       CYCLE HART PRIV PC                 WHAT\n"
	  "         150    0    S 0x0000000000001004 sample cycles period 5\n"
	  "         170    0    S 0x0000000000000000 stop shutdown, exit code "
	  "0\n" },
	{ { "record -e cycles --exact -o out -- run --batch image",
	    { { EVENTS, ONE_EVENT },
	      { "MachineService/CreateMachine", NULL, 3 },
	      { "MachineService/ListSettings", "{}" } },
	    EXIT_USAGE,
	    "",
	    "pmuctl: refused\n",
	    EVENTS
	    " {}\n"
	    "MachineService/CreateMachine "
	    "{'config':{'harts':0,'memoryBytes':'0','startMode':'START_MODE_"
	    "UNSPECIFIED','settings':[{'key':'reboot','value':'off'},{'key':'"
	    "uarch-watch','value':'on'}],'bootargs':'','recorded':false},'"
	    "detach':false,'recording':{'traps':false,'sbiCalls':false,'"
	    "endWhenFull':false,'samplers':[{'event':'cycles','privileges':['"
	    "PRIVILEGE_M','PRIVILEGE_S','PRIVILEGE_U','PRIVILEGE_VS','"
	    "PRIVILEGE_VU'],'period':'1','callers':false,'registers':false,'"
	    "name':'cycles','stackBytes':0,'summed':true}],'whenFull':'WHEN_"
	    "FULL_ROTATE','traceBytes':'0','"
	    "processes':false,'deliveries':false,'sbiMemory':false,'"
	    "csrAccesses':false}}\n" } },
};

TEST_ROWS(samples_are_recorded, rows)
{
	canned_check(&rows[_i].row);
	if (!rows[_i].shown)
		return;
	ck_assert_int_eq(canned_run("trace show out"), EXIT_OK);
	ck_assert_str_eq(canned_err(), "");
	ck_assert_str_eq(canned_out(), rows[_i].shown);
}

/* Each look at the clock is a second after the one before. */
static time_t late;

int __real_clock_gettime(clockid_t clock, struct timespec *ret);
int __wrap_clock_gettime(clockid_t clock, struct timespec *ret);

int __wrap_clock_gettime(clockid_t clock, struct timespec *ret)
{
	if (!late)
		return __real_clock_gettime(clock, ret);
	*ret = (struct timespec){ .tv_sec = late++ };
	return 0;
}

/* No record is asked for that could not be kept. */
TEST(a_file_that_takes_nothing_ends_the_recording)
{
	static const struct canned_row row = {
		"record -m m1 -e cycles -c 100 -o /dev/full",
		{ { EVENTS, ONE_EVENT },
		  { GET, RUNS },
		  { SAMPLE, BEGUN },
		  { SAMPLE, "" },
		  { SAMPLE, ONE },
		  { SAMPLE, NULL, 5 } },
		EXIT_FAILED,
		"",
		"pmuctl: sampling from cycle 100 on; Ctrl-C ends it\n"
		"pmuctl: /dev/full: No space left on device\n",
		EVENTS
		" {}\n" GET " {'machine':'m1'}\n" SAMPLE
		" {'machine':'m1','samplers':[{'event':'cycles','privileges':['"
		"PRIVILEGE_M','PRIVILEGE_S','PRIVILEGE_U','PRIVILEGE_VS','"
		"PRIVILEGE_VU'],'period':'100','callers':false,'registers':"
		"false,'name':'cycles','stackBytes':0,'summed':false}]}\n"
	};

	late = 1;
	canned_check(&row);
	late = 0;
}

SUITE("cli-record", .setup = canned_samples_begin,
      .teardown = canned_samples_end);
