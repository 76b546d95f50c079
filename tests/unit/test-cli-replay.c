/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs that are repeated: what the machine is made of and fed. */
#include "canned-answers.h"
#include "canned-samples.h"
#include "text/exit-codes.h"
#include "unit.h"

#define CREATE	 "MachineService/CreateMachine"
#define QUEUE	 "MachineService/QueueInputs"
#define START	 "MachineService/StartMachine"
#define WATCH	 "MachineService/WatchMachine"
#define CONSOLE	 "MachineService/ReadConsole"
#define INPUT	 "MachineService/WriteConsole"
#define SETTINGS "MachineService/ListSettings"
#define MADE	 "{'machine':{'id':'m1'}}"
#define ENDED	 "{'machine':{'id':'m1','state':5,'cause':1}}"

static const struct canned_row rows[] = {
	/* inputs, as they were given */
	{ "run --replay inputs image",
	  { { CREATE, MADE },
	    { "load", "{}" },
	    { QUEUE, "{}" },
	    { START, "{}" },
	    { INPUT, "{}" },
	    { CONSOLE, "{'data':'ls -l'}" },
	    { WATCH, ENDED } },
	  EXIT_OK,
	  "ls -l",
	  "pmuctl: image is not an image of the traced run (sha256 ): this run "
	  "may be another\n"
	  "pmuctl: inputs: the end of the trace is missing: it ends at byte 59 "
	  "without a stop\n",
	  CREATE " {'config':{'harts':2,'memoryBytes':'0','startMode':'START_"
		 "MODE_UNSPECIFIED','settings':[{'key':'seed','value':'5'}],'"
		 "bootargs':'','recorded':true},'detach':false,'recording':{'"
		 "traps':false,'sbiCalls':false,'endWhenFull':false,'samplers':"
		 "[],'whenFull':'WHEN_FULL_ROTATE','traceBytes':'0','"
		 "processes':false,'deliveries':false,'sbiMemory':false,'"
		 "csrAccesses':false}}\n"
		 "load m1 kind 0 at 0 entry 0: 5\n" QUEUE
		 " {'machine':'m1','inputs':[]}\n" QUEUE
		 " {'machine':'m1','inputs':[{'cycle':'10','hart':0,'console':'"
		 "bHM=','moment':0}]}\n" QUEUE
		 " {'machine':'m1','inputs':[{'cycle':'20','hart':0,'console':'"
		 "LWw=','moment':0}]}\n" CONSOLE
		 " {'machine':'m1','offset':'0','port':0}\n" WATCH
		 " {'machine':'m1'}\n" START
		 " {'machine':'m1','paused':false}\n" INPUT
		 " {'machine':'m1','data':'','eof':true}\n" },
	{ "run --replay inputs --harts 1 --set seed=6 image",
	  { { CREATE, MADE },
	    { "load", "{}" },
	    { QUEUE, "{}" },
	    { START, "{}" },
	    { INPUT, "{}" },
	    { WATCH, ENDED } },
	  EXIT_OK,
	  "",
	  "pmuctl: image is not an image of the traced run (sha256 ): this run "
	  "may be another\n"
	  "pmuctl: inputs: the end of the trace is missing: it ends at byte 59 "
	  "without a stop\n",
	  CREATE " {'config':{'harts':1,'memoryBytes':'0','startMode':'START_"
		 "MODE_UNSPECIFIED','settings':[{'key':'seed','value':'6'}],'"
		 "bootargs':'','recorded':true},'detach':false,'recording':{'"
		 "traps':false,'sbiCalls':false,'endWhenFull':false,'samplers':"
		 "[],'whenFull':'WHEN_FULL_ROTATE','traceBytes':'0','"
		 "processes':false,'deliveries':false,'sbiMemory':false,'"
		 "csrAccesses':false}}\n"
		 "load m1 kind 0 at 0 entry 0: 5\n" QUEUE
		 " {'machine':'m1','inputs':[]}\n" QUEUE
		 " {'machine':'m1','inputs':[{'cycle':'10','hart':0,'console':'"
		 "bHM=','moment':0}]}\n" QUEUE
		 " {'machine':'m1','inputs':[{'cycle':'20','hart':0,'console':'"
		 "LWw=','moment':0}]}\n" CONSOLE
		 " {'machine':'m1','offset':'0','port':0}\n" WATCH
		 " {'machine':'m1'}\n" START
		 " {'machine':'m1','paused':false}\n" INPUT
		 " {'machine':'m1','data':'','eof':true}\n" },
	{ "run --replay empty image",
	  { { CREATE, MADE },
	    { "load", "{}" },
	    { QUEUE, "{}" },
	    { START, "{}" },
	    { INPUT, "{}" },
	    { WATCH, ENDED } },
	  EXIT_OK,
	  "",
	  "pmuctl: image is not an image of the traced run (sha256 ): this run "
	  "may be another\n",
	  CREATE " {'config':{'harts':0,'memoryBytes':'0','startMode':'START_"
		 "MODE_UNSPECIFIED','settings':[],'bootargs':'','recorded':"
		 "false},'detach':false,'recording':{'traps':false,'sbiCalls':"
		 "false,'endWhenFull':false,'samplers':[],'whenFull':'WHEN_"
		 "FULL_ROTATE','traceBytes':'0','"
		 "processes':false,'deliveries':false,'sbiMemory':false,'"
		 "csrAccesses':false}}\n"
		 "load m1 kind 0 at 0 entry 0: 5\n" QUEUE
		 " {'machine':'m1','inputs':[]}\n" CONSOLE
		 " {'machine':'m1','offset':'0','port':0}\n" WATCH
		 " {'machine':'m1'}\n" START
		 " {'machine':'m1','paused':false}\n" INPUT
		 " {'machine':'m1','data':'','eof':true}\n" },
	/* what is refused */
	{ "run --replay inputs image",
	  { { CREATE, MADE }, { "load", "{}" }, { QUEUE, NULL, 9 } },
	  EXIT_FAILED,
	  "",
	  "pmuctl: image is not an image of the traced run (sha256 ): this run "
	  "may be another\n"
	  "pmuctl: inputs: the end of the trace is missing: it ends at byte 59 "
	  "without a stop\n"
	  "pmuctl: refused\n",
	  CREATE " {'config':{'harts':2,'memoryBytes':'0','startMode':'START_"
		 "MODE_UNSPECIFIED','settings':[{'key':'seed','value':'5'}],'"
		 "bootargs':'','recorded':true},'detach':false,'recording':{'"
		 "traps':false,'sbiCalls':false,'endWhenFull':false,'samplers':"
		 "[],'whenFull':'WHEN_FULL_ROTATE','traceBytes':'0','"
		 "processes':false,'deliveries':false,'sbiMemory':false,'"
		 "csrAccesses':false}}\n"
		 "load m1 kind 0 at 0 entry 0: 5\n" QUEUE
		 " {'machine':'m1','inputs':[]}\n" QUEUE
		 " {'machine':'m1','inputs':[{'cycle':'10','hart':0,'console':'"
		 "bHM=','moment':0}]}\n" QUEUE
		 " {'machine':'m1','inputs':[{'cycle':'20','hart':0,'console':'"
		 "LWw=','moment':0}]}\n" },
	{ "run --replay inputs image",
	  { { CREATE, MADE },
	    { "load", "{}" },
	    { "open MachineService/QueueInputs", NULL, 14 } },
	  EXIT_FAILED,
	  "",
	  "pmuctl: image is not an image of the traced run (sha256 ): this run "
	  "may be another\n"
	  "pmuctl: refused\n",
	  CREATE " {'config':{'harts':2,'memoryBytes':'0','startMode':'START_"
		 "MODE_UNSPECIFIED','settings':[{'key':'seed','value':'5'}],'"
		 "bootargs':'','recorded':true},'detach':false,'recording':{'"
		 "traps':false,'sbiCalls':false,'endWhenFull':false,'samplers':"
		 "[],'whenFull':'WHEN_FULL_ROTATE','traceBytes':'0','"
		 "processes':false,'deliveries':false,'sbiMemory':false,'"
		 "csrAccesses':false}}\n"
		 "load m1 kind 0 at 0 entry 0: 5\n" },
	{ "run --replay sampled image",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --replay: sampled has samples of a run and not its inputs\n",
	  "" },
	{ "run --replay map image",
	  { { 0 } },
	  EXIT_FAILED,
	  "",
	  "pmuctl: map: not a trace: no header at byte 0\n",
	  "" },
};

TEST_ROWS(a_run_is_repeated, rows)
{
	canned_check(&rows[_i]);
}

SUITE("cli-replay", .setup = canned_samples_begin,
      .teardown = canned_samples_end);
