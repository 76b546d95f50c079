/* SPDX-License-Identifier: BSD-2-Clause */
/* Machines that stay: listed and shown, with what they were made with. */
#include "canned-answers.h"
#include "text/exit-codes.h"
#include "unit.h"

#define GET	 "MachineService/GetMachine"
#define LIST	 "MachineService/ListMachines"
#define SETTINGS "MachineService/ListSettings"
#define HARTS	 "HartService/ListHarts"
#define NAMES	 "SymbolService/DescribeAddresses"
#define BYTES	 "HartService/ReadMemory"
#define DEFAULTS                                                               \
	"{'fields':[{'key':'harts','default_value':'1'},{'key':'memory','"     \
	"default_value':'128MiB'},{'key':'mode','default_value':'s'}]}"

static const struct canned_row rows[] = {
	/* lists of machines */
	{ "machine list",
	  { { LIST, "{'machines':[{'id':'m1','state':2,'insn':123,'cycle':456},"
		    "{'id':'m22','state':5,'cause':3,'exit_code':7,'detail':'"
		    "it failed','notes':['not "
		    "this'],'detached':true,'config':{'harts':4}},{'id':'m3','"
		    "state':6,'cause':14,'notes':['this','not "
		    "this'],'config':{}},{'id':'m4','state':2,'held':'no "
		    "room','detail':'not this'}]}" },
	    { SETTINGS, DEFAULTS } },
	  EXIT_OK,
	  "MACHINE STATE   CAUSE         CODE HARTS INSNS CYCLE LEASE      "
	  "DETAIL\n"
	  "m1      running -                0     1   123   456 connection \n"
	  "m22     ended   finisher-fail    7     4     0     0 detached   it "
	  "failed\n"
	  "m3      crashed crash            0     1     0     0 connection "
	  "this\n"
	  "m4      running -                0     1     0     0 connection no "
	  "room\n",
	  "",
	  LIST " {}\n" SETTINGS " {}\n" },
	{ "machine list",
	  { { LIST, "{'machines':[{'id':'m1','state':3,'cause':16}]}" },
	    { SETTINGS, NULL, 12 } },
	  EXIT_OK,
	  "MACHINE STATE  CAUSE      CODE HARTS INSNS CYCLE LEASE      DETAIL\n"
	  "m1      paused watchpoint    0     -     0     0 connection \n",
	  "",
	  LIST " {}\n" SETTINGS " {}\n" },
	{ "machine list --no-headings",
	  { { LIST, "{'machines':[{'id':'m1','state':1}]}" },
	    { SETTINGS, "{'fields':[{'key':'hart','default_value':'no'}]}" } },
	  EXIT_OK,
	  "m1      new   -        0     -     0     0 connection \n",
	  "",
	  LIST " {}\n" SETTINGS " {}\n" },
	{ "machine list -j",
	  { { LIST, "{'machines':[]}" } },
	  EXIT_OK,
	  "{\n"
	  "  \"machines\": []\n"
	  "}\n",
	  "",
	  LIST " {}\n" },
	{ "machine list",
	  { { LIST, NULL, 14 } },
	  EXIT_FAILED,
	  "",
	  "pmuctl: refused\n",
	  LIST " {}\n" },
	/* one, with where it stands, what it records and how it is executed */
	{ "machine show m1",
	  { { GET,
	      "{'machine':{'id':'m1','state':3,'cause':10,'hart':0,'recording':"
	      "{'traps':true,'sbi_calls':true,'when_full':2}}}" },
	    { SETTINGS, DEFAULTS },
	    { HARTS, "{'harts':[{'privilege':1,'pc':4096,'isa':'rv64i'}]}" },
	    { NAMES, "{'places':[{'function':'main','offset':16}]}" },
	    { BYTES, "{'data':'x:1300'}" },
	    { BYTES, "{'data':'x:0000'}" } },
	  EXIT_OK,
	  "MACHINE STATE  CAUSE CODE HARTS INSNS CYCLE LEASE      DETAIL\n"
	  "m1      paused pause    0     1     0     0 connection \n"
	  "hart 0 M 0x1000 main+0x10: nop\n"
	  "\n"
	  "records: overflow, console, input, hart, stop, trap, sbi\n"
	  "not recorded: csr, delivery\n"
	  "when records cannot be stored: it is ended\n",
	  "",
	  GET " {'machine':'m1'}\n" SETTINGS " {}\n" HARTS
	      " {'machine':'m1'}\n" NAMES
	      " {'machine':'m1','addresses':['4096'],'hart':0}\n" BYTES
	      " {'machine':'m1','hart':0,'address':'4096','size':2,'virtual':"
	      "true}\n" BYTES " {'machine':'m1','hart':0,'address':'4098','"
	      "size':2,'virtual':true}\n" },
	{ "machine show m1",
	  { { GET, "{'machine':{'id':'m1','state':2,'recording':{'traps':true,'"
		   "when_full':3},'engine':[{'name':'blocks','on':true,'taken':"
		   "1,'all':3,'unit':'exits'},{'name':'fast','on':true,'unit':'"
		   "accesses'},{'name':'leaves','why_off':'it is off'}],'code_"
		   "emptied':3}}" },
	    { SETTINGS, DEFAULTS } },
	  EXIT_OK,
	  "MACHINE STATE   CAUSE CODE HARTS INSNS CYCLE LEASE      DETAIL\n"
	  "m1      running -        0     1     0     0 connection \n"
	  "\n"
	  "records: overflow, console, input, hart, stop, trap\n"
	  "not recorded: sbi, csr, delivery\n"
	  "when records cannot be stored: the oldest go but for inputs\n"
	  "\n"
	  "engine: blocks: on, 33.33% of 3 exits\n"
	  "engine: fast: on, no accesses yet\n"
	  "engine: leaves: off: it is off\n"
	  "engine: translated code: emptied 3 times\n",
	  "",
	  GET " {'machine':'m1'}\n" SETTINGS " {}\n" },
	{ "machine show m1",
	  { { GET, "{'machine':{'id':'m1','state':1,'recording':{'sbi_calls':"
		   "true,'end_when_full':true}}}" },
	    { SETTINGS, DEFAULTS } },
	  EXIT_OK,
	  "MACHINE STATE CAUSE CODE HARTS INSNS CYCLE LEASE      DETAIL\n"
	  "m1      new   -        0     1     0     0 connection \n"
	  "\n"
	  "records: overflow, console, input, hart, stop, sbi\n"
	  "not recorded: trap, csr, delivery\n"
	  "when records cannot be stored: it is ended\n",
	  "",
	  GET " {'machine':'m1'}\n" SETTINGS " {}\n" },
	{ "machine show m1",
	  { { GET, "{'machine':{'id':'m1','state':1,'recording':{'when_full':1,"
		   "'end_when_full':true}}}" },
	    { SETTINGS, DEFAULTS } },
	  EXIT_OK,
	  "MACHINE STATE CAUSE CODE HARTS INSNS CYCLE LEASE      DETAIL\n"
	  "m1      new   -        0     1     0     0 connection \n"
	  "\n"
	  "records: overflow, console, input, hart, stop\n"
	  "not recorded: trap, sbi, csr, delivery\n",
	  "",
	  GET " {'machine':'m1'}\n" SETTINGS " {}\n" },
	{ "machine show m1 -j",
	  { { GET, "{'machine':{'id':'m1'}}" } },
	  EXIT_OK,
	  "{\n"
	  "  \"id\": \"m1\",\n"
	  "  \"state\": \"MACHINE_STATE_UNSPECIFIED\",\n"
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
	  GET " {'machine':'m1'}\n" },
	{ "machine show m1",
	  { { GET, NULL, 5 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: refused\n",
	  GET " {'machine':'m1'}\n" },
	/* settings, as they were given or by default */
	{ "machine settings m1",
	  { { GET, "{'machine':{'config':{'harts':2,'memory_bytes':67108864,'"
		   "start_mode':2,'bootargs':'quiet','settings':[{'key':'seed',"
		   "'value':'5'}]}}}" },
	    { SETTINGS, DEFAULTS } },
	  EXIT_OK,
	  "KEY      VALUE\n"
	  "harts    2\n"
	  "memory   64MiB\n"
	  "mode     m\n"
	  "bootargs quiet\n"
	  "seed     5\n",
	  "",
	  GET " {'machine':'m1'}\n" SETTINGS " {}\n" },
	{ "machine settings m1",
	  { { GET, "{'machine':{'config':{'start_mode':1}}}" },
	    { SETTINGS, DEFAULTS } },
	  EXIT_OK,
	  "KEY    VALUE\n"
	  "harts  1\n"
	  "memory 128MiB\n"
	  "mode   s\n",
	  "",
	  GET " {'machine':'m1'}\n" SETTINGS " {}\n" },
	{ "machine settings m1",
	  { { GET,
	      "{'machine':{'config':{'harts':2},'recording':{'sbi_calls':true,"
	      "'processes':true,'when_full':3,'trace_bytes':1048576}}}" },
	    { SETTINGS, DEFAULTS } },
	  EXIT_OK,
	  "KEY         VALUE\n"
	  "harts       2\n"
	  "memory      128MiB\n"
	  "mode        s\n"
	  "record      sbi,process\n"
	  "when-full   rotate\n"
	  "trace-bytes 1048576\n",
	  "",
	  GET " {'machine':'m1'}\n" SETTINGS " {}\n" },
	{ "machine settings m1",
	  { { GET, "{'machine':{'config':{'harts':1},'recording':{'traps':true,"
		   "'sbi_calls':true,'sbi_memory':true,'csr_accesses':true,"
		   "'deliveries':true,'processes':true}}}" },
	    { SETTINGS, DEFAULTS } },
	  EXIT_OK,
	  "KEY       VALUE\n"
	  "harts     1\n"
	  "memory    128MiB\n"
	  "mode      s\n"
	  "record    trap,sbi,sbi-memory,csr,delivery,process\n"
	  "when-full hold\n",
	  "",
	  GET " {'machine':'m1'}\n" SETTINGS " {}\n" },
	{ "machine settings m1",
	  { { GET,
	      "{'machine':{'config':{'harts':1},'recording':{'end_when_full'"
	      ":true}}}" },
	    { SETTINGS, DEFAULTS } },
	  EXIT_OK,
	  "KEY       VALUE\n"
	  "harts     1\n"
	  "memory    128MiB\n"
	  "mode      s\n"
	  "record    none\n"
	  "when-full end\n",
	  "",
	  GET " {'machine':'m1'}\n" SETTINGS " {}\n" },
	{ "machine settings m1",
	  { { GET, "{'machine':{'config':{}}}" }, { SETTINGS, NULL, 14 } },
	  EXIT_OK,
	  "KEY    VALUE\n"
	  "harts  -\n"
	  "memory -\n"
	  "mode   -\n",
	  "",
	  GET " {'machine':'m1'}\n" SETTINGS " {}\n" },
	{ "machine settings m1 -j",
	  { { GET, "{'machine':{'config':{'harts':2}}}" } },
	  EXIT_OK,
	  "{\n"
	  "  \"harts\": 2,\n"
	  "  \"memoryBytes\": \"0\",\n"
	  "  \"startMode\": \"START_MODE_UNSPECIFIED\",\n"
	  "  \"settings\": [],\n"
	  "  \"bootargs\": \"\",\n"
	  "  \"recorded\": false\n"
	  "}\n",
	  "",
	  GET " {'machine':'m1'}\n" },
	/* a broken daemon */
	{ "machine settings m1",
	  { { GET, "{'machine':{'id':'m1'}}" } },
	  EXIT_FAILED,
	  "",
	  "",
	  GET " {'machine':'m1'}\n" },
	{ "machine settings m1",
	  { { GET, NULL, 5 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: refused\n",
	  GET " {'machine':'m1'}\n" },
};

TEST_ROWS(a_machine_is_shown, rows)
{
	canned_check(&rows[_i]);
}

SUITE("cli-machines");
