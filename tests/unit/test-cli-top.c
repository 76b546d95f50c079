/* SPDX-License-Identifier: BSD-2-Clause */
/* Samples of a machine, interval by interval. */
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
#define ONE                                                                    \
	"{'batch':{'records':[{'cycle':150,'privilege':2,'pc':4100,'sample':{" \
	"'event':'cycles','period':100,'periods':1,'last_pc':4096}}]}}"
#define MORE                                                                   \
	"{'batch':{'records':[{'cycle':1100,'hart':1,'privilege':3,'pc':8196," \
	"'sample':{'event':'cycles','period':100,'periods':2,'last_pc':8192}}" \
	",{'cycle':1101,'privilege':2,'pc':4104,'sample':{'event':'cycles','"  \
	"period':100,'periods':1,'last_pc':4100}}]}}"

static const struct canned_row rows[] = {
	{ "top --batch -m m1 -I 500ms",
	  { { EVENTS, ONE_EVENT },
	    { GET, RUNS },
	    { SAMPLE, BEGUN },
	    { SAMPLE, ONE },
	    { SAMPLE, MORE } },
	  EXIT_OK,
	  "cycle 100 to 600: 1 samples\n"
	  "EVENT  PERCENT SAMPLES FUNCTION\n"
	  "cycles  100.00       1 0x1000\n"
	  "\n"
	  "cycle 600 to 1100: 2 samples\n"
	  "EVENT  PERCENT SAMPLES FUNCTION\n"
	  "cycles  100.00       2 0x2000\n"
	  "\n"
	  "cycle 1100 to 1600: 1 samples\n"
	  "EVENT  PERCENT SAMPLES FUNCTION\n"
	  "cycles  100.00       1 0x1004\n",
	  "pmuctl: sampling from cycle 100 on; Ctrl-C ends it\n",
	  EVENTS " {}\n" GET " {'machine':'m1'}\n" SAMPLE
		 " {'machine':'m1','samplers':[{'event':'cycles','privileges':["
		 "'PRIVILEGE_M','PRIVILEGE_S','PRIVILEGE_U','PRIVILEGE_VS','"
		 "PRIVILEGE_VU'],'period':'100003','callers':false,'registers':"
		 "false,'name':'cycles','stackBytes':0,'summed':false}]}\n" },
	{ "top --batch -m m1 -e cycles -c 7 -j",
	  { { EVENTS, ONE_EVENT },
	    { GET, RUNS },
	    { SAMPLE, BEGUN },
	    { SAMPLE, ONE },
	    { SAMPLE, MORE } },
	  EXIT_OK,
	  "{\"functions\": [{\"event\": \"cycles\", \"percent\": 100.0, "
	  "\"samples\": \"1\", \"function\": \"0x1000\"}], \"from\": \"100\", "
	  "\"to\": \"200\", \"samples\": \"1\"}\n"
	  "{\"functions\": [{\"event\": \"cycles\", \"percent\": 100.0, "
	  "\"samples\": \"2\", \"function\": \"0x2000\"}], \"from\": \"1000\", "
	  "\"to\": \"1100\", \"samples\": \"2\"}\n"
	  "{\"functions\": [{\"event\": \"cycles\", \"percent\": 100.0, "
	  "\"samples\": \"1\", \"function\": \"0x1004\"}], \"from\": \"1100\", "
	  "\"to\": \"1200\", \"samples\": \"1\"}\n",
	  "pmuctl: sampling from cycle 100 on; Ctrl-C ends it\n",
	  EVENTS " {}\n" GET " {'machine':'m1'}\n" SAMPLE
		 " {'machine':'m1','samplers':[{'event':'cycles','privileges':["
		 "'PRIVILEGE_M','PRIVILEGE_S','PRIVILEGE_U','PRIVILEGE_VS','"
		 "PRIVILEGE_VU'],'period':'7','callers':false,'registers':"
		 "false,'name':'cycles','stackBytes':0,'summed':false}]}\n" },
	{ "top --batch -m m1 -n 1",
	  { { EVENTS, ONE_EVENT },
	    { GET, RUNS },
	    { SAMPLE, BEGUN },
	    { SAMPLE, ONE },
	    { SAMPLE, MORE },
	    { END, "{}" } },
	  EXIT_OK,
	  "cycle 100 to 200: 1 samples\n"
	  "EVENT  PERCENT SAMPLES FUNCTION\n"
	  "cycles  100.00       1 0x1000\n",
	  "pmuctl: sampling from cycle 100 on; Ctrl-C ends it\n",
	  EVENTS " {}\n" GET " {'machine':'m1'}\n" SAMPLE
		 " {'machine':'m1','samplers':[{'event':'cycles','privileges':["
		 "'PRIVILEGE_M','PRIVILEGE_S','PRIVILEGE_U','PRIVILEGE_VS','"
		 "PRIVILEGE_VU'],'period':'100003','callers':false,'registers':"
		 "false,'name':'cycles','stackBytes':0,'summed':false}]}\n" },
	{ "top --batch -m m1 -I 5",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --interval: '5' is not a time such as 10ms, 500us, 2s or, "
	  "in cycles, 1000c\n",
	  "" },
	{ "top --batch -m m1 -c 0",
	  { { EVENTS, ONE_EVENT } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --event and --period, which is at least 1, need each "
	  "other\n",
	  "" },
	{ "top --batch -m m1",
	  { { EVENTS, NULL, 5 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: refused\n",
	  EVENTS " {}\n" },
};

TEST_ROWS(intervals_are_printed, rows)
{
	canned_check(&rows[_i]);
}

SUITE("cli-top", .setup = canned_samples_begin, .teardown = canned_samples_end);
