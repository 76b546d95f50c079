/* SPDX-License-Identifier: BSD-2-Clause */
/* Guests that are run: what they print and end with, and what is told of them.
 */
#include "canned-answers.h"
#include "canned-samples.h"
#include "text/exit-codes.h"
#include "unit.h"

#define CREATE	  "MachineService/CreateMachine"
#define START	  "MachineService/StartMachine"
#define WATCH	  "MachineService/WatchMachine"
#define CONSOLE	  "MachineService/ReadConsole"
#define INPUT	  "MachineService/WriteConsole"
#define RECORDS	  "TraceService/StreamRecords"
#define SETTINGS  "MachineService/ListSettings"
#define TOTALS	  "EventService/ReadTotals"
#define COUNTERS  "EventService/ListCounters"
#define EVENTS	  "EventService/ListEvents"
#define GET	  "MachineService/GetMachine"
#define RESUME	  "MachineService/ResumeMachine"
#define UNTIL	  "MachineService/RunUntil"
#define ENDED	  "{'machine':{'id':'m1','state':5,'cause':3,'exit_code':7}}"
#define MADE	  "{'machine':{'id':'m1'}}"
#define ONE_EVENT "{'events':[{'name':'cycles','selector':1,'kind':1}]}"
#define NOW                                                                    \
	"{'cycle':250,'clock_hz':1000,'totals':[{'event':'cycles','privilege'" \
	":1,'value':10}]}"

static const struct canned_row rows[] = {
	/* a guest that prints, and ends as it likes */
	{ "run image",
	  { { CREATE, MADE },
	    { "load", "{}" },
	    { START, "{}" },
	    { INPUT, "{}" },
	    { CONSOLE, "{'data':'hello\\n'}" },
	    { WATCH, ENDED } },
	  EXIT_SBI_ERROR,
	  "hello\n",
	  "",
	  CREATE " {'config':{'harts':0,'memoryBytes':'0','startMode':'START_"
		 "MODE_UNSPECIFIED','settings':[],'bootargs':'','recorded':"
		 "false},'detach':false,'recording':{'traps':false,'sbiCalls':"
		 "false,'endWhenFull':false,'samplers':[],'whenFull':'WHEN_"
		 "FULL_ROTATE','traceBytes':'0','"
		 "processes':false,'deliveries':false,'sbiMemory':false,'"
		 "csrAccesses':false}}\n"
		 "load m1 kind 0 at 0 entry 0: 5\n" CONSOLE
		 " {'machine':'m1','offset':'0','port':0}\n" WATCH
		 " {'machine':'m1'}\n" START
		 " {'machine':'m1','paused':false}\n" },
	{ "run --batch image",
	  { { CREATE, MADE },
	    { "load", "{}" },
	    { START, "{}" },
	    { INPUT, "{}" },
	    { WATCH, "{'machine':{'id':'m1','state':5,'cause':7,'exit_code':"
		     "124,'detail':'5 instructions'}}" } },
	  124,
	  "",
	  "pmuctl: the run ended: max-insns: 5 instructions\n",
	  CREATE " {'config':{'harts':0,'memoryBytes':'0','startMode':'START_"
		 "MODE_UNSPECIFIED','settings':[{'key':'reboot','value':'off'}]"
		 ",'bootargs':'','recorded':false},'detach':false,'recording':{"
		 "'traps':false,'sbiCalls':false,'endWhenFull':false,'samplers'"
		 ":[],'whenFull':'WHEN_FULL_ROTATE','traceBytes':'0','"
		 "processes':false,'deliveries':false,'sbiMemory':false,'"
		 "csrAccesses':false}}\n"
		 "load m1 kind 0 at 0 entry 0: 5\n" CONSOLE
		 " {'machine':'m1','offset':'0','port':0}\n" WATCH
		 " {'machine':'m1'}\n" START
		 " {'machine':'m1','paused':false}\n" INPUT
		 " {'machine':'m1','data':'','eof':true}\n" },
	{ "run --detach image",
	  { { CREATE, MADE }, { "load", "{}" }, { START, "{}" } },
	  EXIT_OK,
	  "m1\n",
	  "",
	  CREATE
	  " {'config':{'harts':0,'memoryBytes':'0','startMode':'START_MODE_"
	  "UNSPECIFIED','settings':[],'bootargs':'','recorded':false},'detach':"
	  "true,'recording':{'traps':false,'sbiCalls':false,'endWhenFull':"
	  "false,'samplers':[],'whenFull':'WHEN_FULL_HOLD','traceBytes':'0','"
	  "processes':false,'deliveries':false,'sbiMemory':false,'csrAccesses':"
	  "false}}\n"
	  "load m1 kind 0 at 0 entry 0: 5\n" START
	  " {'machine':'m1','paused':false}\n" },
	{ "run --batch --serial uart image",
	  { { CREATE, MADE },
	    { "load", "{}" },
	    { START, "{}" },
	    { INPUT, "{}" },
	    { CONSOLE, "{'data':'one'}" },
	    { CONSOLE, "{'data':'two'}" },
	    { WATCH, ENDED } },
	  EXIT_SBI_ERROR,
	  "onetwo",
	  "",
	  CREATE " {'config':{'harts':0,'memoryBytes':'0','startMode':'START_"
		 "MODE_UNSPECIFIED','settings':[{'key':'reboot','value':'off'},"
		 "{'key':'serial','value':'on'}],'bootargs':'','recorded':"
		 "false},'detach':false,'recording':{'traps':false,'sbiCalls':"
		 "false,'endWhenFull':false,'samplers':[],'whenFull':'WHEN_"
		 "FULL_ROTATE','traceBytes':'0','"
		 "processes':false,'deliveries':false,'sbiMemory':false,'"
		 "csrAccesses':false}}\n"
		 "load m1 kind 0 at 0 entry 0: 5\n" CONSOLE
		 " {'machine':'m1','offset':'0','port':0}\n" CONSOLE
		 " {'machine':'m1','offset':'0','port':1}\n" WATCH
		 " {'machine':'m1'}\n" START
		 " {'machine':'m1','paused':false}\n" INPUT
		 " {'machine':'m1','data':'','eof':true}\n" },
	{ "run --batch --trace out --set seed=5 --harts 2 --memory 64MiB "
	  "--max-insns 9 image",
	  { { CREATE, MADE },
	    { "load", "{}" },
	    { START, "{}" },
	    { INPUT, "{}" },
	    { RECORDS, "{'header':{'version':1}}" },
	    { RECORDS, "{'batch':{'records':[{'stop':{'cause':1}}]}}" },
	    { WATCH, ENDED } },
	  EXIT_SBI_ERROR,
	  "",
	  "",
	  CREATE
	  " {'config':{'harts':2,'memoryBytes':'67108864','startMode':'START_"
	  "MODE_UNSPECIFIED','settings':[{'key':'reboot','value':'off'},{'key':"
	  "'seed','value':'5'},{'key':'max-insns','value':'9'}],'bootargs':'','"
	  "recorded':false},'detach':false,'recording':{'traps':true,'sbiCalls'"
	  ":true,'endWhenFull':false,'samplers':[],'whenFull':'WHEN_FULL_"
	  "ROTATE','traceBytes':'0','"
	  "processes':true,'deliveries':false,'sbiMemory':false,'csrAccesses':"
	  "false}}\n"
	  "load m1 kind 0 at 0 entry 0: 5\n" RECORDS
	  " {'machine':'m1','drop':false,'fromStart':true}\n" CONSOLE
	  " {'machine':'m1','offset':'0','port':0}\n" WATCH
	  " {'machine':'m1'}\n" START " {'machine':'m1','paused':false}\n" INPUT
	  " {'machine':'m1','data':'','eof':true}\n" },
	/* numbers behind it */
	{ "run --batch --stat image",
	  { { CREATE, MADE },
	    { "load", "{}" },
	    { START, "{}" },
	    { INPUT, "{}" },
	    { WATCH, ENDED },
	    { TOTALS, NOW },
	    { COUNTERS, "{}" } },
	  EXIT_SBI_ERROR,
	  "",
	  "\n"
	  "cycle 250, time 0\n"
	  "\n"
	  "HART EVENT  TOTAL  M S U \n"
	  "   0 cycles    10 10 0 0 \n"
	  "\n",
	  CREATE " {'config':{'harts':0,'memoryBytes':'0','startMode':'START_"
		 "MODE_UNSPECIFIED','settings':[{'key':'reboot','value':'off'},"
		 "{'key':'uarch-watch','value':'on'}],'bootargs':'','recorded':"
		 "false},'detach':false,'recording':{'traps':false,'sbiCalls':"
		 "false,'endWhenFull':false,'samplers':[],'whenFull':'WHEN_"
		 "FULL_ROTATE','traceBytes':'0','"
		 "processes':false,'deliveries':false,'sbiMemory':false,'"
		 "csrAccesses':false}}\n"
		 "load m1 kind 0 at 0 entry 0: 5\n" CONSOLE
		 " {'machine':'m1','offset':'0','port':0}\n" WATCH
		 " {'machine':'m1'}\n" START
		 " {'machine':'m1','paused':false}\n" INPUT
		 " {'machine':'m1','data':'','eof':true}\n" TOTALS
		 " {'machine':'m1'}\n" COUNTERS " {'machine':'m1'}\n" },
	{ "stat -e cycles -- run --batch image",
	  { { EVENTS, ONE_EVENT },
	    { CREATE, MADE },
	    { "load", "{}" },
	    { START, "{}" },
	    { TOTALS, NOW },
	    { RESUME, "{'machine':{}}" },
	    { INPUT, "{}" },
	    { WATCH, ENDED } },
	  EXIT_SBI_ERROR,
	  "",
	  "               COUNT  EVENT\n"
	  "                  10  cycles\n",
	  EVENTS " {}\n" CREATE
		 " {'config':{'harts':0,'memoryBytes':'0','startMode':'START_"
		 "MODE_UNSPECIFIED','settings':[{'key':'reboot','value':'off'},"
		 "{'key':'uarch-watch','value':'on'}],'bootargs':'','recorded':"
		 "false},'detach':false,'recording':{'traps':false,'sbiCalls':"
		 "false,'endWhenFull':false,'samplers':[],'whenFull':'WHEN_"
		 "FULL_ROTATE','traceBytes':'0','"
		 "processes':false,'deliveries':false,'sbiMemory':false,'"
		 "csrAccesses':false}}\n"
		 "load m1 kind 0 at 0 entry 0: 5\n" CONSOLE
		 " {'machine':'m1','offset':'0','port':0}\n" WATCH
		 " {'machine':'m1'}\n" START
		 " {'machine':'m1','paused':true}\n" TOTALS
		 " {'machine':'m1'}\n" RESUME " {'machine':'m1'}\n" INPUT
		 " {'machine':'m1','data':'','eof':true}\n" TOTALS
		 " {'machine':'m1'}\n" },
	{ "stat -e cycles -I 1s -- run --batch image",
	  { { EVENTS, ONE_EVENT },
	    { CREATE, MADE },
	    { "load", "{}" },
	    { START, "{}" },
	    { TOTALS, "{'clock_hz':1000,'totals':[{'hart':0,'event':'cycles','"
		      "privilege':2,'value':0}]}" },
	    { TOTALS, NOW },
	    { UNTIL, "{}" },
	    { INPUT, "{}" },
	    { GET, "{'machine':{'state':3,'cycle':1000}}" },
	    { WATCH, "{'machine':{'id':'m1','state':3,'cycle':1000}}" },
	    { WATCH, "" },
	    { WATCH, ENDED } },
	  EXIT_SBI_ERROR,
	  "",
	  "           TIME                COUNT  EVENT\n"
	  "    0.250000000                   10  cycles\n"
	  "    0.250000000                    0  cycles\n",
	  EVENTS
	  " {}\n" CREATE
	  " {'config':{'harts':0,'memoryBytes':'0','startMode':'START_MODE_"
	  "UNSPECIFIED','settings':[{'key':'reboot','value':'off'},{'key':'"
	  "uarch-watch','value':'on'}],'bootargs':'','recorded':false},'detach'"
	  ":false,'recording':{'traps':false,'sbiCalls':false,'endWhenFull':"
	  "false,'samplers':[],'whenFull':'WHEN_FULL_ROTATE','traceBytes':'0','"
	  "processes':false,'deliveries':false,'sbiMemory':false,'csrAccesses':"
	  "false}}"
	  "\n"
	  "load m1 kind 0 at 0 entry 0: 5\n" CONSOLE
	  " {'machine':'m1','offset':'0','port':0}\n" WATCH
	  " {'machine':'m1'}\n" START " {'machine':'m1','paused':true}\n" TOTALS
	  " {'machine':'m1'}\n" UNTIL " {'machine':'m1','cycle':'1000'}\n" INPUT
	  " {'machine':'m1','data':'','eof':true}\n" GET
	  " {'machine':'m1'}\n" TOTALS " {'machine':'m1'}\n" UNTIL
	  " {'machine':'m1','cycle':'1000'}\n" TOTALS " {'machine':'m1'}\n" },
	{ "stat -e cycles -- walk image",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: stat: behind -- a run is needed, as in -- run IMAGE\n",
	  "" },
	/* what is refused, before and behind it */
	{ "run",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: an IMAGE, --kernel or --bios is needed\n",
	  "" },
	{ "run --kernel image image",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --kernel and an IMAGE exclude each other\n",
	  "" },
	{ "run --detach --stat image",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --detach cannot be combined with --stat, --trace, --serial "
	  "and --explain, which wait for the end\n",
	  "" },
	{ "run --output x image",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --output needs --stat or --explain\n",
	  "" },
	{ "stat -e cycles -- run --stat image",
	  { { EVENTS, ONE_EVENT } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --explain and --stat are not for a run under "
	  "another command\n",
	  "" },
	{ "run none",
	  { { CREATE, MADE } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: none: No such file or directory\n",
	  CREATE " {'config':{'harts':0,'memoryBytes':'0','startMode':'START_"
		 "MODE_UNSPECIFIED','settings':[],'bootargs':'','recorded':"
		 "false},'detach':false,'recording':{'traps':false,'sbiCalls':"
		 "false,'endWhenFull':false,'samplers':[],'whenFull':'WHEN_"
		 "FULL_ROTATE','traceBytes':'0','"
		 "processes':false,'deliveries':false,'sbiMemory':false,'"
		 "csrAccesses':false}}\n" },
	{ "run image",
	  { { CREATE, NULL, 3 }, { SETTINGS, "{}" } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: refused\n",
	  CREATE " {'config':{'harts':0,'memoryBytes':'0','startMode':'START_"
		 "MODE_UNSPECIFIED','settings':[],'bootargs':'','recorded':"
		 "false},'detach':false,'recording':{'traps':false,'sbiCalls':"
		 "false,'endWhenFull':false,'samplers':[],'whenFull':'WHEN_"
		 "FULL_ROTATE','traceBytes':'0','"
		 "processes':false,'deliveries':false,'sbiMemory':false,'"
		 "csrAccesses':false}}\n" },
	{ "run image",
	  { { CREATE, MADE }, { "load", NULL, 3 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: refused\n"
	  "pmuctl: image was not loaded\n",
	  CREATE " {'config':{'harts':0,'memoryBytes':'0','startMode':'START_"
		 "MODE_UNSPECIFIED','settings':[],'bootargs':'','recorded':"
		 "false},'detach':false,'recording':{'traps':false,'sbiCalls':"
		 "false,'endWhenFull':false,'samplers':[],'whenFull':'WHEN_"
		 "FULL_ROTATE','traceBytes':'0','"
		 "processes':false,'deliveries':false,'sbiMemory':false,'"
		 "csrAccesses':false}}\n"
		 "load m1 kind 0 at 0 entry 0: 5\n" },
	{ "run --batch image",
	  { { CREATE, MADE }, { "load", "{}" }, { START, NULL, 9 } },
	  EXIT_FAILED,
	  "",
	  "pmuctl: refused\n",
	  CREATE " {'config':{'harts':0,'memoryBytes':'0','startMode':'START_"
		 "MODE_UNSPECIFIED','settings':[{'key':'reboot','value':'off'}]"
		 ",'bootargs':'','recorded':false},'detach':false,'recording':{"
		 "'traps':false,'sbiCalls':false,'endWhenFull':false,'samplers'"
		 ":[],'whenFull':'WHEN_FULL_ROTATE','traceBytes':'0','"
		 "processes':false,'deliveries':false,'sbiMemory':false,'"
		 "csrAccesses':false}}\n"
		 "load m1 kind 0 at 0 entry 0: 5\n" CONSOLE
		 " {'machine':'m1','offset':'0','port':0}\n" WATCH
		 " {'machine':'m1'}\n" START
		 " {'machine':'m1','paused':false}\n" },
	/* its process ended before that was answered */
	{ "run --batch image",
	  { { CREATE, MADE }, { "load", "{}" }, { START, NULL, 14 } },
	  EXIT_CRASHED,
	  "",
	  "pmuctl: refused\n",
	  CREATE " {'config':{'harts':0,'memoryBytes':'0','startMode':'START_"
		 "MODE_UNSPECIFIED','settings':[{'key':'reboot','value':'off'}]"
		 ",'bootargs':'','recorded':false},'detach':false,'recording':{"
		 "'traps':false,'sbiCalls':false,'endWhenFull':false,'samplers'"
		 ":[],'whenFull':'WHEN_FULL_ROTATE','traceBytes':'0','"
		 "processes':false,'deliveries':false,'sbiMemory':false,'"
		 "csrAccesses':false}}\n"
		 "load m1 kind 0 at 0 entry 0: 5\n" CONSOLE
		 " {'machine':'m1','offset':'0','port':0}\n" WATCH
		 " {'machine':'m1'}\n" START
		 " {'machine':'m1','paused':false}\n" },
	{ "run --batch image",
	  { { CREATE, MADE },
	    { "load", "{}" },
	    { START, "{}" },
	    { "open MachineService/WatchMachine", NULL, 14 } },
	  EXIT_FAILED,
	  "",
	  "pmuctl: refused\n",
	  CREATE " {'config':{'harts':0,'memoryBytes':'0','startMode':'START_"
		 "MODE_UNSPECIFIED','settings':[{'key':'reboot','value':'off'}]"
		 ",'bootargs':'','recorded':false},'detach':false,'recording':{"
		 "'traps':false,'sbiCalls':false,'endWhenFull':false,'samplers'"
		 ":[],'whenFull':'WHEN_FULL_ROTATE','traceBytes':'0','"
		 "processes':false,'deliveries':false,'sbiMemory':false,'"
		 "csrAccesses':false}}\n"
		 "load m1 kind 0 at 0 entry 0: 5\n" CONSOLE
		 " {'machine':'m1','offset':'0','port':0}\n" WATCH
		 " {'machine':'m1'}\n" },
	{ "run --batch image",
	  { { CREATE, MADE },
	    { "load", "{}" },
	    { START, "{}" },
	    { INPUT, NULL, 1000 } },
	  EXIT_GONE,
	  "",
	  "pmuctl: refused\n",
	  CREATE " {'config':{'harts':0,'memoryBytes':'0','startMode':'START_"
		 "MODE_UNSPECIFIED','settings':[{'key':'reboot','value':'off'}]"
		 ",'bootargs':'','recorded':false},'detach':false,'recording':{"
		 "'traps':false,'sbiCalls':false,'endWhenFull':false,'samplers'"
		 ":[],'whenFull':'WHEN_FULL_ROTATE','traceBytes':'0','"
		 "processes':false,'deliveries':false,'sbiMemory':false,'"
		 "csrAccesses':false}}\n"
		 "load m1 kind 0 at 0 entry 0: 5\n" CONSOLE
		 " {'machine':'m1','offset':'0','port':0}\n" WATCH
		 " {'machine':'m1'}\n" START
		 " {'machine':'m1','paused':false}\n" INPUT
		 " {'machine':'m1','data':'','eof':true}\n" },
	{ "run --batch image",
	  { { CREATE, MADE },
	    { "load", "{}" },
	    { START, "{}" },
	    { INPUT, "{}" },
	    { WATCH, NULL, 1000 } },
	  EXIT_GONE,
	  "",
	  "pmuctl: refused\n",
	  CREATE " {'config':{'harts':0,'memoryBytes':'0','startMode':'START_"
		 "MODE_UNSPECIFIED','settings':[{'key':'reboot','value':'off'}]"
		 ",'bootargs':'','recorded':false},'detach':false,'recording':{"
		 "'traps':false,'sbiCalls':false,'endWhenFull':false,'samplers'"
		 ":[],'whenFull':'WHEN_FULL_ROTATE','traceBytes':'0','"
		 "processes':false,'deliveries':false,'sbiMemory':false,'"
		 "csrAccesses':false}}\n"
		 "load m1 kind 0 at 0 entry 0: 5\n" CONSOLE
		 " {'machine':'m1','offset':'0','port':0}\n" WATCH
		 " {'machine':'m1'}\n" START
		 " {'machine':'m1','paused':false}\n" INPUT
		 " {'machine':'m1','data':'','eof':true}\n" },
	{ "run --batch image",
	  { { CREATE, MADE },
	    { "load", "{}" },
	    { START, "{}" },
	    { INPUT, NULL, 9 },
	    { WATCH, "" },
	    { WATCH, ENDED } },
	  EXIT_SBI_ERROR,
	  "",
	  "",
	  CREATE " {'config':{'harts':0,'memoryBytes':'0','startMode':'START_"
		 "MODE_UNSPECIFIED','settings':[{'key':'reboot','value':'off'}]"
		 ",'bootargs':'','recorded':false},'detach':false,'recording':{"
		 "'traps':false,'sbiCalls':false,'endWhenFull':false,'samplers'"
		 ":[],'whenFull':'WHEN_FULL_ROTATE','traceBytes':'0','"
		 "processes':false,'deliveries':false,'sbiMemory':false,'"
		 "csrAccesses':false}}\n"
		 "load m1 kind 0 at 0 entry 0: 5\n" CONSOLE
		 " {'machine':'m1','offset':'0','port':0}\n" WATCH
		 " {'machine':'m1'}\n" START
		 " {'machine':'m1','paused':false}\n" INPUT
		 " {'machine':'m1','data':'','eof':true}\n" },
	{ "run image",
	  { { CREATE, MADE },
	    { "load", "{}" },
	    { START, "{}" },
	    { INPUT, NULL, 8 },
	    { INPUT, "{}" },
	    { WATCH, "" },
	    { WATCH, "" },
	    { WATCH, "" },
	    { WATCH, "" },
	    { WATCH, "" },
	    { WATCH, ENDED } },
	  EXIT_SBI_ERROR,
	  "",
	  "",
	  CREATE
	  " {'config':{'harts':0,'memoryBytes':'0','startMode':'START_MODE_"
	  "UNSPECIFIED','settings':[],'bootargs':'','recorded':false},'detach':"
	  "false,'recording':{'traps':false,'sbiCalls':false,'endWhenFull':"
	  "false,'samplers':[],'whenFull':'WHEN_FULL_ROTATE','traceBytes':'0','"
	  "processes':false,'deliveries':false,'sbiMemory':false,'csrAccesses':"
	  "false}}"
	  "\n"
	  "load m1 kind 0 at 0 entry 0: 5\n" CONSOLE
	  " {'machine':'m1','offset':'0','port':0}\n" WATCH
	  " {'machine':'m1'}\n" START " {'machine':'m1','paused':false}\n" INPUT
	  " {'machine':'m1','data':'c29tZSBpbnB1dAo=','eof':false}\n" INPUT
	  " {'machine':'m1','data':'c29tZSBpbnB1dAo=','eof':false}\n" INPUT
	  " {'machine':'m1','data':'','eof':true}\n" },
	{ "run --replay none image",
	  { { 0 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: none: No such file or directory\n",
	  "" },
};

TEST_ROWS(a_guest_is_run, rows)
{
	canned_check(&rows[_i]);
}

SUITE("cli-run", .setup = canned_samples_begin, .teardown = canned_samples_end);
