/* SPDX-License-Identifier: BSD-2-Clause */
/* What a machine or a run does, as it happens. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "canned-answers.h"
#include "canned-samples.h"
#include "text/exit-codes.h"
#include "unit.h"

#define GET    "MachineService/GetMachine"
#define STREAM "TraceService/StreamRecords"
#define CREATE "MachineService/CreateMachine"
#define START  "MachineService/StartMachine"
#define RESUME "MachineService/ResumeMachine"
#define WATCH  "MachineService/WatchMachine"
#define READ   "MachineService/ReadConsole"
#define WRITE  "MachineService/WriteConsole"
#define RUNS   "{'machine':{'state':2}}"
#define ENDED  "{'machine':{'id':'m1','state':5,'cause':4,'exit_code':3}}"
#define HEADER "{'header':{'xlen':64}}"

#define KINDS(overflows, traps, sbi, more, harts, addresses)                   \
	"{'machine':'m1','filter':{'overflows':" overflows ",'traps':" traps   \
	",'sbiCalls':" sbi ",'console':false,'inputs':" more                   \
	",'hartChanges':" more ",'stops':" more ",'harts':[" harts             \
	"],'counters':[],'resets':" more ",'absences':" more                   \
	",'ebbDeliveries':" more ",'ebbSession':0,'samples':" more             \
	",'addresses':[" addresses "],'deliveries':" more                      \
	",'csrAccesses':false},"
#define ASKS_HEADER                                                            \
	STREAM                                                                 \
	" {'machine':'m1','filter':{'overflows':false,'traps':false,"          \
	"'sbiCalls':false,'console':false,'inputs':false,'hartChanges':false," \
	"'stops':true,'harts':[],'counters':[],'resets':false,'absences'"      \
	":false,'ebbDeliveries':false,'ebbSession':0,'samples':false,"         \
	"'addresses':[],'deliveries':false,'csrAccesses':false},'drop':true,'" \
	"fromStart':false}\n"
#define ASKS(kinds)                                                            \
	GET " {'machine':'m1'}\n" ASKS_HEADER STREAM " " kinds                 \
	    "'drop':false,'fromStart':false}\n"
#define ASKS_DEFAULT ASKS(KINDS("true", "true", "true", "true", "", ""))
#define ASKS_TRAPS(harts)                                                      \
	ASKS(KINDS("false", "true", "false", "false", harts, ""))

#define TRAPS                                                                  \
	"{'batch':{'records':[{'cycle':10,'privilege':3,'pc':2149580804,"      \
	"'trap':{'cause':8,'target':2,'handler':2149580864}},{'cycle':20,"     \
	"'hart':1,'privilege':2,'pc':2149580868,'trap':{'cause':9}}]}}"
#define TRAP_OF_U                                                              \
	"          10    0    U 0x0000000080200004 trap 8 (ecall from U) to "  \
	"S at 0x80200040\n"
#define TRAP_OF_S                                                              \
	"          20    1    S 0x0000000080200044 trap 9 (ecall from S) to "  \
	"the firmware\n"
#define HEADING "       CYCLE HART PRIV PC                 WHAT\n"

/* A run that lasts for two batches and says hello. */
#define RUN                                                                    \
	{ CREATE, "{'machine':{'id':'m1'}}" }, { "load", "{}" },               \
		{ START, "{}" }, { RESUME, "{'machine':{}}" },                 \
		{ WRITE, "{}" }, { STREAM, HEADER }, { STREAM, HEADER },       \
		{ READ, "{'data':'hello\\n'}" },                               \
	{                                                                      \
		WATCH, ENDED                                                   \
	}
#define ASKS_RUN(stream, drop)                                                 \
	CREATE                                                                 \
	" {'config':{'harts':0,'memoryBytes':'0','startMode':'START_MODE_"     \
	"UNSPECIFIED','settings':[{'key':'reboot','value':'off'}],'bootargs':" \
	"'','recorded':false},'"                                               \
	"detach':false,'recording':{'traps':false,'sbiCalls':false,'"          \
	"endWhenFull':false,'samplers':[],'whenFull':'WHEN_FULL_ROTATE','"     \
	"traceBytes':'0','processes':false,'deliveries':false,'sbiMemory':"    \
	"false,'csrAccesses':"                                                 \
	"false}}\n"                                                            \
	"load m1 kind 0 at 0 entry 0: 5\n" ASKS_HEADER STREAM " " stream       \
	"'drop':" drop ",'fromStart':false}\n" READ                            \
	" {'machine':'m1','offset':'0','port':0}\n" WATCH                      \
	" {'machine':'m1'}\n" START " {'machine':'m1','paused':true}\n" RESUME \
	" {'machine':'m1'}\n" WRITE " {'machine':'m1','data':'','eof':true}\n"

static const struct canned_row rows[] = {
	/* a machine: all kinds but its console, whatever it stores */
	{ "monitor -m m1",
	  { { GET, RUNS },
	    { STREAM, HEADER },
	    { STREAM, HEADER },
	    { STREAM, TRAPS },
	    { STREAM, "{'batch':{'records':[{'cycle':30,'stop':{'cause':1}}]}"
		      "}" } },
	  EXIT_OK,
	  HEADING TRAP_OF_U TRAP_OF_S
	  "          30    0    - 0x0000000000000000 stop shutdown, exit code "
	  "0\n",
	  "",
	  ASKS_DEFAULT },
	{ "monitor -m m1 -j --symbols map --kind trap --hart 1",
	  { { GET, RUNS },
	    { STREAM, HEADER },
	    { STREAM, HEADER },
	    { STREAM, TRAPS } },
	  EXIT_OK,
	  "{\"insn\":\"0\",\"cycle\":\"20\",\"hart\":1,\"privilege\":"
	  "\"PRIVILEGE_S\",\"pc\":\"2149580868\",\"trap\":{\"interrupt\":false,"
	  "\"cause\":9,\"tval\":\"0\",\"target\":\"PRIVILEGE_UNSPECIFIED\","
	  "\"handler\":\"0\"},\"satp\":\"0\",\"function\":\"work\",\"offset\":"
	  "\"4\"}\n",
	  "",
	  ASKS_TRAPS("1") },
	{ "monitor -m m1 --symbols map --function work --kind trap --drop",
	  { { GET, RUNS },
	    { STREAM, HEADER },
	    { STREAM, HEADER },
	    { STREAM, TRAPS },
	    { STREAM, "{'lost':4}" } },
	  EXIT_OK,
	  "       CYCLE HART PRIV PC                 FUNCTION               "
	  "SOURCE             WHAT\n"
	  "          20    1    S 0x0000000080200044 work+0x4               -  "
	  "                trap 9 (ecall from S) to the firmware\n",
	  "pmuctl: 4 records were lost here\n",
	  GET " {'machine':'m1'}\n" ASKS_HEADER STREAM " " KINDS(
		  "false", "true", "false", "false", "",
		  "{'first':'2149580864','last':'2149580927'}") "'drop':true,"
								"'fromStart':"
								"false}\n" },
	/* what an expression says of kinds and harts need not be sent */
	{ "monitor --no-headings -m m1 --filter cause==9",
	  { { GET, RUNS },
	    { STREAM, HEADER },
	    { STREAM, HEADER },
	    { STREAM, TRAPS } },
	  EXIT_OK,
	  TRAP_OF_S,
	  "",
	  ASKS_TRAPS("") },
	{ "monitor --no-headings -m m1 --filter hart==1&&kind==trap",
	  { { GET, RUNS },
	    { STREAM, HEADER },
	    { STREAM, HEADER },
	    { STREAM, TRAPS } },
	  EXIT_OK,
	  TRAP_OF_S,
	  "",
	  ASKS_TRAPS("1") },
	{ "monitor --no-headings -m m1 --filter "
	  "counter==3||error==denied||cause==8",
	  { { GET, RUNS },
	    { STREAM, HEADER },
	    { STREAM, HEADER },
	    { STREAM, TRAPS } },
	  EXIT_OK,
	  TRAP_OF_U,
	  "",
	  ASKS(KINDS("true", "true", "true", "false", "", "")) },
	{ "monitor -m m1 --kind trap,sbi --filter event==x",
	  { { GET, RUNS }, { STREAM, HEADER } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --filter: it holds for no record of the kinds trap,sbi\n",
	  GET " {'machine':'m1'}\n" ASKS_HEADER },
	/* a machine that stands, one that has ended, none */
	{ "monitor --no-headings -m m1 --kind trap",
	  { { GET, "{'machine':{'state':3}}" },
	    { STREAM, HEADER },
	    { STREAM, HEADER } },
	  EXIT_OK,
	  "",
	  "pmuctl: m1 does not run now: records come once it does\n",
	  ASKS_TRAPS("") },
	{ "monitor -m m1",
	  { { GET, "{'machine':{'state':5}}" } },
	  EXIT_FAILED,
	  "",
	  "pmuctl: m1: the machine has ended\n",
	  GET " {'machine':'m1'}\n" },
	{ "monitor -m m1",
	  { { GET, NULL, 5 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: refused\n",
	  GET " {'machine':'m1'}\n" },
	{ "monitor -m m1 --kind trap",
	  { { GET, RUNS }, { "open " STREAM, NULL, 7 } },
	  EXIT_DENIED,
	  "",
	  "pmuctl: refused\n",
	  GET " {'machine':'m1'}\n" ASKS_HEADER },
	/* what is no such command */
	{ "monitor",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: monitor needs either --machine or -- run IMAGE\n",
	  "" },
	{ "monitor -m m1 -- run image",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: monitor needs either --machine or -- run IMAGE\n",
	  "" },
	{ "monitor -- record image",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: monitor: behind -- a run is needed, as in -- run IMAGE\n",
	  "" },
	{ "monitor -m m1 --kind traps",
	  { { GET, RUNS } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --kind: there is no kind 'traps', but overflow, sample, "
	  "trap, sbi, csr, delivery, console, input, hart, ebb, reset, "
	  "absent and stop\n",
	  GET " {'machine':'m1'}\n" },
	/* a run: its code, the records on stderr */
	{ "monitor -- run --batch image",
	  { RUN, { STREAM, TRAPS } },
	  3,
	  "hello\n",
	  HEADING TRAP_OF_U TRAP_OF_S,
	  ASKS_RUN(KINDS("true", "true", "true", "true", "", ""), "false") },
	{ "monitor --no-headings --drop --filter cause==8 -- run --batch image",
	  { RUN, { STREAM, "{'lost':2}" }, { STREAM, TRAPS } },
	  3,
	  "hello\n",
	  "pmuctl: 2 records were lost here\n" TRAP_OF_U,
	  ASKS_RUN(KINDS("false", "true", "false", "false", "", ""), "true") },
	{ "monitor --filter event==x --kind trap -- run --batch image",
	  { RUN },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --filter: it holds for no record of the kinds trap\n",
	  CREATE " {'config':{'harts':0,'memoryBytes':'0','startMode':'START_"
		 "MODE_UNSPECIFIED','settings':[{'key':'reboot','value':'off'}"
		 "],'bootargs':'','"
		 "recorded':false},'detach':false,'recording':{'traps':false,'"
		 "sbiCalls':false,'endWhenFull':false,'samplers':[],'whenFull'"
		 ":'WHEN_FULL_ROTATE','traceBytes':'0','processes':false,'"
		 "deliveries':false,'sbiMemory':false,'csrAccesses':false}}\n"
		 "load m1 kind 0 at 0 entry 0: 5\n" ASKS_HEADER },
};

TEST_ROWS(what_happens_is_printed, rows)
{
	canned_check(&rows[_i]);
}

static void check_file(const char *path, const char *want)
{
	char got[1024] = "";
	FILE *in = fopen(path, "r");

	ck_assert_ptr_nonnull(in);
	got[fread(got, 1, sizeof(got) - 1, in)] = '\0';
	fclose(in);
	ck_assert_str_eq(got, want);
}

/* Of a machine and of a run. */
TEST_TIMES(a_file_can_have_it, 2)
{
	static const struct canned machine[] = { { GET, RUNS },
						 { STREAM, HEADER },
						 { STREAM, HEADER },
						 { STREAM, TRAPS },
						 { 0 } };
	static const struct canned run[] = { RUN, { STREAM, TRAPS }, { 0 } };

	canned_begin(_i ? run : machine);
	ck_assert_int_eq(canned_run(_i ? "monitor -o out -- run --batch image"
				       : "monitor -o out -m m1"),
			 _i ? 3 : EXIT_OK);
	ck_assert_str_eq(canned_out(), _i ? "hello\n" : "");
	ck_assert_str_eq(canned_err(), "");
	check_file("out", HEADING TRAP_OF_U TRAP_OF_S);
}

/* It ends where nobody can be told any more. */
TEST_TIMES(a_full_disk_ends_it, 2)
{
	static const struct canned machine[] = { { GET, RUNS },
						 { STREAM, HEADER },
						 { STREAM, HEADER },
						 { STREAM, TRAPS },
						 { 0 } };
	static const struct canned run[] = { RUN, { STREAM, TRAPS }, { 0 } };

	canned_begin(_i ? run : machine);
	ck_assert_int_eq(
		canned_run(_i ? "monitor -o /dev/full -- run --batch image"
			      : "monitor -o /dev/full -m m1"),
		EXIT_FAILED);
	ck_assert_str_eq(canned_err(),
			 "pmuctl: /dev/full: No space left on device\n");
}

SUITE("cli-monitor", .setup = canned_samples_begin,
      .teardown = canned_samples_end);
