/* SPDX-License-Identifier: BSD-2-Clause */
/* Machines that stay: made, let go, stopped, waited for, forgotten. */
#include "canned-answers.h"
#include "text/exit-codes.h"
#include "unit.h"

#define GET	 "MachineService/GetMachine"
#define CREATE	 "MachineService/CreateMachine"
#define STEP	 "MachineService/StepMachine"
#define UNTIL	 "MachineService/RunUntil"
#define WATCH	 "MachineService/WatchMachine"
#define POINTS	 "MachineService/SetBreakpoints"
#define SETTINGS "MachineService/ListSettings"
#define FIND	 "SymbolService/FindSymbol"
#define EBB	 "EbbService/ActOnEbb"
#define TREE	 "MachineService/GetDeviceTree"
#define DEFAULTS                                                               \
	"{'fields':[{'key':'harts','default_value':'1'},{'key':'memory','"     \
	"default_value':'128MiB'},{'key':'mode','default_value':'s'}]}"

static const struct canned_row rows[] = {
	/* what is done to them */
	{ "machine start m1",
	  { { "MachineService/StartMachine",
	      "{'machine':{'id':'m1','state':2}}" },
	    { SETTINGS, DEFAULTS } },
	  EXIT_OK,
	  "MACHINE STATE   CAUSE CODE HARTS INSNS CYCLE LEASE      DETAIL\n"
	  "m1      running -        0     1     0     0 connection \n",
	  "",
	  "MachineService/StartMachine "
	  "{'machine':'m1','paused':false}\n" SETTINGS " {}\n" },
	{ "machine start m1 --paused -j",
	  { { "MachineService/StartMachine",
	      "{'machine':{'id':'m1','state':3}}" } },
	  EXIT_OK,
	  "{\n"
	  "  \"id\": \"m1\",\n"
	  "  \"state\": \"MACHINE_STATE_PAUSED\",\n"
	  "  \"cause\": \"STOP_CAUSE_UNSPECIFIED\",\n"
	  "  \"exitCode\": 0,\n"
	  "  \"detail\": \"\",\n"
	  "  \"cycle\": \"0\",\n"
	  "  \"insn\": \"0\",\n"
	  "  \"ownerUid\": 0,\n"
	  "  \"detached\": false,\n"
	  "  \"hart\": 0,\n"
	  "  \"held\": \"\",\n"
	  "  \"notes\": [],\n"
	  "  \"ebbSession\": 0,\n"
	  "  \"engine\": [],\n"
	  "  \"steppedHarts\": [],\n"
	  "  \"codeEmptied\": \"0\",\n"
	  "  \"imageBias\": \"0\"\n"
	  "}\n",
	  "",
	  "MachineService/StartMachine {'machine':'m1','paused':true}\n" },
	{ "machine pause m1",
	  { { "MachineService/PauseMachine", NULL, 9 } },
	  EXIT_FAILED,
	  "",
	  "pmuctl: refused\n",
	  "MachineService/PauseMachine {'machine':'m1'}\n" },
	{ "machine resume m1",
	  { { "MachineService/ResumeMachine",
	      "{'machine':{'id':'m1','state':2}}" },
	    { SETTINGS, DEFAULTS } },
	  EXIT_OK,
	  "MACHINE STATE   CAUSE CODE HARTS INSNS CYCLE LEASE      DETAIL\n"
	  "m1      running -        0     1     0     0 connection \n",
	  "",
	  "MachineService/ResumeMachine {'machine':'m1'}\n" SETTINGS " {}\n" },
	{ "machine detach m1",
	  { { "MachineService/DetachMachine", "{}" } },
	  EXIT_OK,
	  "",
	  "",
	  "MachineService/DetachMachine {'machine':'m1'}\n" },
	{ "machine delete m1",
	  { { "MachineService/DeleteMachine", "{}" } },
	  EXIT_OK,
	  "",
	  "",
	  "MachineService/DeleteMachine {'machine':'m1'}\n" },
	{ "machine delete m1",
	  { { "MachineService/DeleteMachine", NULL, 5 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: refused\n",
	  "MachineService/DeleteMachine {'machine':'m1'}\n" },
	{ "machine step m1",
	  { { STEP, "{'machine':{'id':'m1','state':5,'cause':12}}" },
	    { SETTINGS, DEFAULTS } },
	  EXIT_OK,
	  "MACHINE STATE CAUSE CODE HARTS INSNS CYCLE LEASE      DETAIL\n"
	  "m1      ended step     0     1     0     0 connection \n",
	  "",
	  STEP " {'machine':'m1','insns':'1','trapEnds':false}\n" SETTINGS
	       " {}\n" },
	{ "machine step m1 -c 20",
	  { { STEP, "{'machine':{'id':'m1','state':5,'cause':12,'detail':'only "
		    "7 were made'}}" },
	    { SETTINGS, DEFAULTS } },
	  EXIT_FAILED,
	  "MACHINE STATE CAUSE CODE HARTS INSNS CYCLE LEASE      DETAIL\n"
	  "m1      ended step     0     1     0     0 connection only 7 were "
	  "made\n",
	  "pmuctl: only 7 were made\n",
	  STEP " {'machine':'m1','insns':'20','trapEnds':false}\n" SETTINGS
	       " {}\n" },
	{ "machine step m1",
	  { { STEP, "{'machine':{'id':'m1','state':5,'cause':1,'detail':'"
		    "shutdown'}}" },
	    { SETTINGS, DEFAULTS } },
	  EXIT_OK,
	  "MACHINE STATE CAUSE    CODE HARTS INSNS CYCLE LEASE      DETAIL\n"
	  "m1      ended shutdown    0     1     0     0 connection shutdown\n",
	  "",
	  STEP " {'machine':'m1','insns':'1','trapEnds':false}\n" SETTINGS
	       " {}\n" },
	{ "machine step m1 -c 0",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --count: must be at least 1\n",
	  "" },
	{ "machine until m1 --insn 10",
	  { { UNTIL, "{}" },
	    { WATCH, "{'machine':{'id':'m1','state':5,'cause':13}}" },
	    { SETTINGS, DEFAULTS } },
	  EXIT_OK,
	  "MACHINE STATE CAUSE CODE HARTS INSNS CYCLE LEASE      DETAIL\n"
	  "m1      ended until    0     1     0     0 connection \n",
	  "",
	  UNTIL " {'machine':'m1','insn':'10'}\n" WATCH
		" {'machine':'m1'}\n" SETTINGS " {}\n" },
	{ "machine until m1 --cycle 10 -j",
	  { { UNTIL, "{}" },
	    { WATCH, "{'machine':{'id':'m1','state':5,'cause':13}}" } },
	  EXIT_OK,
	  "{\n"
	  "  \"id\": \"m1\",\n"
	  "  \"state\": \"MACHINE_STATE_ENDED\",\n"
	  "  \"cause\": \"STOP_CAUSE_UNTIL\",\n"
	  "  \"exitCode\": 0,\n"
	  "  \"detail\": \"\",\n"
	  "  \"cycle\": \"0\",\n"
	  "  \"insn\": \"0\",\n"
	  "  \"ownerUid\": 0,\n"
	  "  \"detached\": false,\n"
	  "  \"hart\": 0,\n"
	  "  \"held\": \"\",\n"
	  "  \"notes\": [],\n"
	  "  \"ebbSession\": 0,\n"
	  "  \"engine\": [],\n"
	  "  \"steppedHarts\": [],\n"
	  "  \"codeEmptied\": \"0\",\n"
	  "  \"imageBias\": \"0\"\n"
	  "}\n",
	  "",
	  UNTIL " {'machine':'m1','cycle':'10'}\n" WATCH
		" {'machine':'m1'}\n" },
	{ "machine until m1 --pc main+0x10",
	  { { FIND, "{'address':4096}" },
	    { UNTIL, "{}" },
	    { WATCH, "{'machine':{'id':'m1','state':5,'cause':13}}" },
	    { SETTINGS, DEFAULTS } },
	  EXIT_OK,
	  "MACHINE STATE CAUSE CODE HARTS INSNS CYCLE LEASE      DETAIL\n"
	  "m1      ended until    0     1     0     0 connection \n",
	  "",
	  FIND " {'machine':'m1','name':'main','part':'main'}\n" UNTIL
	       " {'machine':'m1','pc':'4112'}\n" WATCH
	       " {'machine':'m1'}\n" SETTINGS " {}\n" },
	{ "machine until m1 --cycle 20",
	  { { UNTIL, "{}" },
	    { WATCH, "{'machine':{'id':'m1','state':5,'cause':1}}" },
	    { SETTINGS, DEFAULTS } },
	  EXIT_OK,
	  "MACHINE STATE CAUSE    CODE HARTS INSNS CYCLE LEASE      DETAIL\n"
	  "m1      ended shutdown    0     1     0     0 connection \n",
	  "pmuctl: it stopped before that was reached\n",
	  UNTIL " {'machine':'m1','cycle':'20'}\n" WATCH
		" {'machine':'m1'}\n" SETTINGS " {}\n" },
	{ "machine until m1 --pc 0x1001",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --pc: 0x1001 is odd: no instruction is there\n",
	  "" },
	{ "machine break m1 0x1000 main+1",
	  { { FIND, "{'address':4096}" } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: ADDRESS: 0x1001 is odd: no instruction is there\n",
	  FIND " {'machine':'m1','name':'main','part':'main'}\n" },
	{ "machine until m1 --pc 0x1000",
	  { { UNTIL, NULL, 9 } },
	  EXIT_FAILED,
	  "",
	  "pmuctl: refused\n",
	  UNTIL " {'machine':'m1','pc':'4096'}\n" },
	{ "machine until m1 --pc nothing",
	  { { FIND, NULL, 5 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: refused\n",
	  FIND " {'machine':'m1','name':'nothing','part':'nothing'}\n" },
	{ "machine until m1",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: exactly one of --insn, --cycle and --pc is needed\n",
	  "" },
	{ "machine until m1 --pc 1 --cycle 1",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: exactly one of --insn, --cycle and --pc is needed\n",
	  "" },
	{ "machine until m1 --insn 1 --cycle 1",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: exactly one of --insn, --cycle and --pc is needed\n",
	  "" },
	{ "machine break m1",
	  { { POINTS, "{}" } },
	  EXIT_OK,
	  "",
	  "",
	  POINTS " {'machine':'m1','pcs':[],'watchpoints':[]}\n" },
	{ "machine break m1 0x1000 main",
	  { { FIND, "{'address':8192}" }, { POINTS, "{}" } },
	  EXIT_OK,
	  "",
	  "",
	  FIND " {'machine':'m1','name':'main','part':'main'}\n" POINTS
	       " {'machine':'m1','pcs':['4096','8192'],'watchpoints':[]}\n" },
	{ "machine break m1 0x1000 nothing",
	  { { FIND, NULL, 5 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: refused\n",
	  FIND " {'machine':'m1','name':'nothing','part':'nothing'}\n" },
	{ "machine wait m1",
	  { { WATCH, "{'machine':{'id':'m1','state':2}}" },
	    { WATCH,
	      "{'machine':{'id':'m1','state':5,'cause':3,'exit_code':7}}" },
	    { SETTINGS, DEFAULTS } },
	  EXIT_SBI_ERROR,
	  "MACHINE STATE CAUSE         CODE HARTS INSNS CYCLE LEASE      "
	  "DETAIL\n"
	  "m1      ended finisher-fail    7     1     0     0 connection \n",
	  "",
	  WATCH " {'machine':'m1'}\n" SETTINGS " {}\n" },
	{ "machine wait m1",
	  { { WATCH, "{'machine':{'id':'m1','state':5,'cause':9,'exit_code':"
		     "256,'detail':'all wait'}}" },
	    { SETTINGS, DEFAULTS } },
	  EXIT_FAILED,
	  "MACHINE STATE CAUSE    CODE HARTS INSNS CYCLE LEASE      DETAIL\n"
	  "m1      ended deadlock  256     1     0     0 connection all wait\n",
	  "pmuctl: the run ended: deadlock: all wait\n",
	  WATCH " {'machine':'m1'}\n" SETTINGS " {}\n" },
	{ "machine wait m1",
	  { { WATCH, "{'machine':{'id':'m1','state':6,'cause':14,'detail':'"
		     "signal 9'}}" },
	    { SETTINGS, DEFAULTS } },
	  EXIT_FAILED,
	  "MACHINE STATE   CAUSE CODE HARTS INSNS CYCLE LEASE      DETAIL\n"
	  "m1      crashed crash    0     1     0     0 connection signal 9\n",
	  "pmuctl: machine m1: signal 9\n",
	  WATCH " {'machine':'m1'}\n" SETTINGS " {}\n" },
	{ "machine wait m1",
	  { { WATCH, NULL, 1000 } },
	  EXIT_GONE,
	  "",
	  "pmuctl: refused\n",
	  WATCH " {'machine':'m1'}\n" },
	{ "machine release m1",
	  { { GET, "{'machine':{'id':'m1','ebb_session':5}}" }, { EBB, "{}" } },
	  EXIT_OK,
	  "",
	  "",
	  GET
	  " {'machine':'m1'}\n" EBB
	  " {'machine':'m1','inputs':[{'cycle':'0','hart':0,'moment':0,'ebb':{'"
	  "what':'WHAT_CLOSE','session':5,'counter':0,'event':'0','period':'0',"
	  "'freezes':false,'reloads':false,'masked':false}}]}\n" },
	{ "machine release m1",
	  { { GET, "{'machine':{'id':'m1'}}" } },
	  EXIT_FAILED,
	  "",
	  "pmuctl: no handler holds machine m1\n",
	  GET " {'machine':'m1'}\n" },
	{ "machine release m1",
	  { { GET, NULL, 5 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: refused\n",
	  GET " {'machine':'m1'}\n" },
	{ "machine release m1 4294967296",
	  { { EBB, NULL, 5 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: refused\n",
	  EBB
	  " {'machine':'m1','inputs':[{'cycle':'0','hart':0,'moment':0,'ebb':{'"
	  "what':'WHAT_CLOSE','session':4294967295,'counter':0,'event':'0','"
	  "period':'0','freezes':false,'reloads':false,'masked':false}}]}\n" },
	{ "machine release m1 6",
	  { { EBB, "{}" } },
	  EXIT_OK,
	  "",
	  "",
	  EBB
	  " {'machine':'m1','inputs':[{'cycle':'0','hart':0,'moment':0,'ebb':{'"
	  "what':'WHAT_CLOSE','session':6,'counter':0,'event':'0','period':'0',"
	  "'freezes':false,'reloads':false,'masked':false}}]}\n" },
	{ "machine release m1 x",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: SESSION: 'x' is not a number\n",
	  "" },
	{ "machine create --harts 2 --set seed=3 --record trap",
	  { { CREATE, "{'machine':{'id':'m7'}}" } },
	  EXIT_OK,
	  "m7\n",
	  "",
	  CREATE " {'config':{'harts':2,'memoryBytes':'0','startMode':'START_"
		 "MODE_UNSPECIFIED','settings':[{'key':'seed','value':'3'}],'"
		 "bootargs':'','recorded':false},'detach':true,'recording':{'"
		 "traps':true,'sbiCalls':false,'endWhenFull':false,'samplers':["
		 "],'whenFull':'WHEN_FULL_HOLD','traceBytes':'0','"
		 "processes':false,'deliveries':false,'sbiMemory':false,'"
		 "csrAccesses':false}}\n" },
	{ "machine create -j",
	  { { CREATE, "{'machine':{'id':'m7','state':1}}" } },
	  EXIT_OK,
	  "{\n"
	  "  \"id\": \"m7\",\n"
	  "  \"state\": \"MACHINE_STATE_NEW\",\n"
	  "  \"cause\": \"STOP_CAUSE_UNSPECIFIED\",\n"
	  "  \"exitCode\": 0,\n"
	  "  \"detail\": \"\",\n"
	  "  \"cycle\": \"0\",\n"
	  "  \"insn\": \"0\",\n"
	  "  \"ownerUid\": 0,\n"
	  "  \"detached\": false,\n"
	  "  \"hart\": 0,\n"
	  "  \"held\": \"\",\n"
	  "  \"notes\": [],\n"
	  "  \"ebbSession\": 0,\n"
	  "  \"engine\": [],\n"
	  "  \"steppedHarts\": [],\n"
	  "  \"codeEmptied\": \"0\",\n"
	  "  \"imageBias\": \"0\"\n"
	  "}\n",
	  "",
	  CREATE " {'config':{'harts':0,'memoryBytes':'0','startMode':'START_"
		 "MODE_UNSPECIFIED','settings':[],'bootargs':'','recorded':"
		 "false},'detach':true,'recording':{'traps':false,'sbiCalls':"
		 "false,'endWhenFull':false,'samplers':[],'whenFull':'WHEN_"
		 "FULL_HOLD','traceBytes':'0','"
		 "processes':false,'deliveries':false,'sbiMemory':false,'"
		 "csrAccesses':false}}\n" },
	{ "machine create --mode q",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --mode: 'q' is not s or m\n",
	  "" },
	{ "machine create --set sed=3",
	  { { CREATE, NULL, 3 },
	    { SETTINGS, "{'settings':[{'key':'seed'}]}" } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: refused\n"
	  "pmuctl: did you mean 'seed'?\n",
	  CREATE " {'config':{'harts':0,'memoryBytes':'0','startMode':'START_"
		 "MODE_UNSPECIFIED','settings':[{'key':'sed','value':'3'}],'"
		 "bootargs':'','recorded':false},'detach':true,'recording':{'"
		 "traps':false,'sbiCalls':false,'endWhenFull':false,'samplers':"
		 "[],'whenFull':'WHEN_FULL_HOLD','traceBytes':'0','"
		 "processes':false,'deliveries':false,'sbiMemory':false,'"
		 "csrAccesses':false}}\n" SETTINGS " {}\n" },
	{ "machine dtb m1",
	  { { TREE, "{'dtb':'a tree'}" } },
	  EXIT_OK,
	  "a tree",
	  "",
	  TREE " {'machine':'m1','guest':true}\n" },
	{ "machine dtb m1",
	  { { TREE, NULL, 5 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: refused\n",
	  TREE " {'machine':'m1','guest':true}\n" },
};

TEST_ROWS(a_machine_does_what_it_is_told, rows)
{
	canned_check(&rows[_i]);
}

SUITE("cli-machine-verbs");
