/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where machines stand, where users of Linux missed and what code of theirs has
 * written counters, named by the files that --sysroot has. Argument:
 * symbol-places.elf.
 */
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "canned-answers.h"
#include "canned-samples.h"
#include "text/exit-codes.h"
#include "unit.h"

#define GET	 "MachineService/GetMachine"
#define SETTINGS "MachineService/ListSettings"
#define HARTS	 "HartService/ListHarts"
#define NAMES	 "SymbolService/DescribeAddresses"
#define MEMORY	 "HartService/ReadMemory"
#define EVENTS	 "EventService/ListEvents"
#define TOTALS	 "EventService/ReadTotals"
#define WHY	 "EventService/ExplainMisses"
#define PROCESS                                                                \
	"'satp':5,'process':{'pid':7,'tid':8,'comm':'sh','mappings':["         \
	"{'start':196608,'end':200704,'offset':4096,'file':'/bin/prog',"       \
	"'file_bytes':65536}]}"
#define EXPLAIN "EventService/ExplainCounter"
#define EXPLAINED                                                              \
	"{'summary':'it counts','facts':[{'topic':'origin','text':'value',"    \
	"'place':{'address':196632,'function':'wrong'}," PROCESS               \
	"},{'topic':'origin','text':'event','place':{'address':196632},"       \
	"'satp':6,'process':{'pid':9,'tid':9,'comm':'sh'}},"                   \
	"{'topic':'origin','text':'inhibit','place':{'address':196632},"       \
	"'satp':7},{'topic':'origin','text':'kernel','place':{'address':4,"    \
	"'function':'main','offset':4}},{'topic':'origin','text':'no file',"   \
	"'place':{'address':4}}]}"
#define USER	"'privilege':3,'access':2,'part':2,'victim':2,'reason':1"
#define NO_ROOT "pmuctl: --sysroot: none: No such file or directory\n"

static char elf[PATH_MAX];

static void arguments(int argc, char **argv)
{
	if (!argv[1] || !realpath(argv[1], elf))
		elf[0] = '\0';
}

/* Below "root", as large as that in the guest. */
static void setup(void)
{
	static char all[65536];
	FILE *from = fopen(elf, "rb"), *to;
	size_t size = from ? fread(all, 1, sizeof(all), from) : 0;

	PREPARING(ck_assert(size && size < sizeof(all)));
	fclose(from);
	canned_samples_begin();
	PREPARING(ck_assert(!mkdir("root", 0755) && !mkdir("root/bin", 0755)));
	to = fopen("root/bin/prog", "wb");
	PREPARING(ck_assert(to && fwrite(all, 1, sizeof(all), to)));
	fclose(to);
}

static const struct canned_row rows[] = {
	/* what the machine's own files say comes behind it */
	{ "machine show m1 --sysroot root",
	  { { GET, "{'machine':{'id':'m1','state':3,'hart':0}}" },
	    { SETTINGS, "{}" },
	    { HARTS, "{'harts':[{'privilege':3,'pc':196632,'isa':'rv64i'}]}" },
	    { NAMES, "{'places':[{'function':'wrong'}]," PROCESS "}" },
	    { MEMORY, NULL, 5 } },
	  EXIT_OK,
	  "MACHINE STATE  CAUSE CODE HARTS INSNS CYCLE LEASE      DETAIL\n"
	  "m1      paused -        0     -     0     0 connection \n"
	  "hart 0 U 0x30018 outer+0x0 first.c:30 in /bin/prog of sh 7/8\n"
	  "\n"
	  "records: overflow, console, input, hart, stop\n"
	  "not recorded: trap, sbi, csr, delivery\n",
	  "",
	  GET " {'machine':'m1'}\n" SETTINGS " {}\n" HARTS
	      " {'machine':'m1'}\n" NAMES
	      " {'machine':'m1','addresses':['196632'],'hart':0}\n" MEMORY
	      " {'machine':'m1','hart':0,'address':'196632','size':2,"
	      "'virtual':true}\n" },
	{ "stat -m m1 -e misses --explain-misses 2 --sysroot root",
	  { { EVENTS, "{'events':[{'name':'misses','selector':65537,'kind':1,"
		      "'explained':true}]}" },
	    { TOTALS, "{'cycle':250,'clock_hz':1000,'totals':[{'event':"
		      "'misses','privilege':3,'value':2}]}" },
	    { WHY, "{'misses':[{'pc':196632,'satp':5," USER "},"
		   "{'pc':196634,'satp':5," USER "}]}" },
	    { NAMES, "{'places':[{'function':'a'},{'function':'b'}]}" },
	    { NAMES, "{'places':[{},{}]," PROCESS "}" } },
	  EXIT_OK,
	  "               COUNT  EVENT\n"
	  "                   2  misses\n"
	  "\n"
	  "misses: 0 misses since the start\n"
	  "CYCLE HART MODE ACCESS ADDRESS PART SET LINE VICTIM REASON      PC "
	  "PLACE\n"
	  "    0    0 U    load       0x0 l1d    0  0x0 -      cold   0x30018 "
	  "outer+0x0 first.c:30\n"
	  "    0    0 U    load       0x0 l1d    0  0x0 -      cold   0x3001a "
	  "outer+0x2 first.c:30\n",
	  "",
	  EVENTS " {}\n" TOTALS " {'machine':'m1'}\n" TOTALS
		 " {'machine':'m1'}\n" WHY
		 " {'machine':'m1','event':'misses','harts':[],"
		 "'privileges':[],'limit':2}\n" NAMES
		 " {'machine':'m1','addresses':['196632','196634']}\n" NAMES
		 " {'machine':'m1','addresses':['196632','196634'],'hart':0}"
		 "\n" },
	/* code of users; what the machine says of another's, or of a kernel's
	 */
	{ "explain counter 0:3 -m m1 --sysroot root",
	  { { EXPLAIN, EXPLAINED } },
	  EXIT_OK,
	  "it counts\n"
	  "\n"
	  "TOPIC  RULE FACT\n"
	  "origin -    value, in outer+0x0 first.c:30 in /bin/prog of sh 7/8\n"
	  "origin -    event, in [unknown] of sh 9/9\n"
	  "origin -    inhibit, in [unknown]\n"
	  "origin -    kernel, in main+0x4\n"
	  "origin -    no file\n",
	  "",
	  EXPLAIN " {'machine':'m1','hart':0,'index':3}\n" },
	{ "explain counter 0:3 -m m1",
	  { { EXPLAIN, EXPLAINED } },
	  EXIT_OK,
	  "it counts\n"
	  "\n"
	  "TOPIC  RULE FACT\n"
	  "origin -    value, in wrong+0x0 in /bin/prog of sh 7/8\n"
	  "origin -    event, in [unknown] of sh 9/9\n"
	  "origin -    inhibit, in [unknown]\n"
	  "origin -    kernel, in main+0x4\n"
	  "origin -    no file\n",
	  "",
	  EXPLAIN " {'machine':'m1','hart':0,'index':3}\n" },
	{ "explain counter 0:3 -m m1 -j --sysroot root",
	  { { EXPLAIN, "{'summary':'it counts','facts':[{'topic':'origin',"
		       "'text':'value','place':{'address':196632,'function':"
		       "'wrong'}," PROCESS "}]}" } },
	  EXIT_OK,
	  "{\n"
	  "  \"counts\": false,\n"
	  "  \"summary\": \"it counts\",\n"
	  "  \"facts\": [\n"
	  "    {\n"
	  "      \"topic\": \"origin\",\n"
	  "      \"text\": \"value\",\n"
	  "      \"rule\": \"\",\n"
	  "      \"hinders\": false,\n"
	  "      \"place\": {\n"
	  "        \"address\": \"196632\",\n"
	  "        \"function\": \"outer\",\n"
	  "        \"offset\": \"0\",\n"
	  "        \"file\": \"/src/first.c\",\n"
	  "        \"line\": 30\n"
	  "      },\n"
	  "      \"process\": {\n"
	  "        \"pid\": 7,\n"
	  "        \"tid\": 8,\n"
	  "        \"comm\": \"sh\",\n"
	  "        \"mappings\": [\n"
	  "          {\n"
	  "            \"start\": \"196608\",\n"
	  "            \"end\": \"200704\",\n"
	  "            \"offset\": \"4096\",\n"
	  "            \"file\": \"/bin/prog\",\n"
	  "            \"fileBytes\": \"65536\"\n"
	  "          }\n"
	  "        ]\n"
	  "      },\n"
	  "      \"satp\": \"5\"\n"
	  "    }\n"
	  "  ]\n"
	  "}\n",
	  "",
	  EXPLAIN " {'machine':'m1','hart':0,'index':3}\n" },
	/* before anything is done */
	{ "explain counter 0:3 -m m1 --sysroot none",
	  { { 0 } },
	  EXIT_FAILED,
	  "",
	  NO_ROOT,
	  "" },
	{ "run --explain 0:3 --sysroot none image",
	  { { 0 } },
	  EXIT_FAILED,
	  "",
	  NO_ROOT,
	  "" },
	{ "run --sysroot root image",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --sysroot needs --explain\n",
	  "" },
	{ "monitor -- run --sysroot root image",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --sysroot is not for a run under another command\n",
	  "" },
	/* the command that it runs under has it */
	{ "stat -e misses --explain-misses 2 --sysroot root -- run",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: an IMAGE, --kernel or --bios is needed\n",
	  "" },
	{ "machine until m1 --insn 5 --sysroot none",
	  { { 0 } },
	  EXIT_FAILED,
	  "",
	  NO_ROOT,
	  "" },
	{ "machine step m1 --sysroot none",
	  { { 0 } },
	  EXIT_FAILED,
	  "",
	  NO_ROOT,
	  "" },
	{ "machine wait m1 --sysroot none",
	  { { 0 } },
	  EXIT_FAILED,
	  "",
	  NO_ROOT,
	  "" },
};

TEST_ROWS(what_stands_still_is_named, rows)
{
	canned_check(&rows[_i]);
}

SUITE("cli-stops", .begin = arguments, .setup = setup,
      .teardown = canned_samples_end);
