/* SPDX-License-Identifier: BSD-2-Clause */
/* Traces, of files and machines: shown, followed, saved, counted, compared. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "canned-answers.h"
#include "text/exit-codes.h"
#include "trace-build.h"
#include "unit.h"

static char dir[sizeof("/tmp/traces-XXXXXX")];

/* 4 records and a stop; 2 and a stop; those of 2 harts; no stop; cut off. */
static void setup(void)
{
	char path[64];
	FILE *out;

	PREPARING(ck_assert(mkdtemp(strcpy(dir, "/tmp/traces-XXXXXX"))));
	PREPARING(ck_assert(!chdir(dir)));
	PREPARING(build_trace(path, 1, 4));
	rename(path, "four");
	PREPARING(build_trace(path, 1, 2));
	rename(path, "two");
	PREPARING(build_trace(path, 2, 4));
	rename(path, "harts");
	PREPARING(out = build_file(path, 1));
	fclose(out);
	rename(path, "none");
	PREPARING(build_trace(path, 1, 4));
	PREPARING(ck_assert(!truncate(path, 60)));
	rename(path, "cut");
	/* of the next record it has only how it begins */
	PREPARING(build_trace(path, 1, 4));
	PREPARING(ck_assert(!truncate(path, 49)));
	rename(path, "begun");
}

static void teardown(void)
{
	static const char *const names[] = { "four", "two",   "harts", "none",
					     "cut",  "begun", "saved" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		unlink(names[i]);
	PREPARING(ck_assert(!chdir("/")));
	rmdir(dir);
}

/* The rest of a row whose file is not there. */
#define MISSING                                                                \
	{ { 0 } }, EXIT_NOT_FOUND, "",                                         \
		"pmuctl: missing: No such file or directory\n", ""
#define BAD_COUNTER(n)                                                         \
	{ { 0 } }, EXIT_USAGE, "",                                             \
		"pmuctl: --counter: must be one of 3 to 31, which can "        \
		"overflow, not " n "\n",                                       \
		""
#define RAISED "overflow counter 3 instructions last 0x801ffffc raised\n"
/* What is said of a trace whose end nobody saw. */
#define NO_END(file, byte, how)                                                \
	"pmuctl: " file                                                        \
	": the end of the trace is missing: it ends at byte " byte " " how     \
	"\n"
#define CUT   NO_END("cut", "48", "with a part of a record")
#define EMPTY NO_END("none", "10", "without a stop")

/* How the header is asked for: by a stream that is to bring little else. */
#define FILTER(sbi, stops, counters)                                           \
	"{'machine':'m1','filter':{'overflows':false,'traps':false,"           \
	"'sbiCalls':" sbi ",'console':false,'inputs':false,"                   \
	"'hartChanges':false,'stops':" stops                                   \
	",'harts':[],'counters':[" counters                                    \
	"],'resets':false,'absences':false,'ebbDeliveries':false,'ebbSession'" \
	":0,'samples':false,'addresses':[],'deliveries':false,'csrAccesses':"  \
	"false},"
#define ASKS_HEADER                                                            \
	"TraceService/StreamRecords " FILTER(                                  \
		"false", "true", "") "'drop':true,'fromStart':false}\n"
/* And then all records. */
#define ASKS_ALL                                                               \
	ASKS_HEADER                                                            \
	"TraceService/QueryRecords " FILTER(                                   \
		"false", "false",                                              \
		"") "'firstCycle':'0','lastCycle':'0','limit':'0',"            \
		    "'firstRecord':'0'}\n"

enum {
	NOT_FOUND = 5 /* a status of gRPC */
};

static const struct canned_row rows[] = {
	/* the records of a file */
	{ "trace show four",
	  { { 0 } },
	  EXIT_OK,
	  "       CYCLE HART PRIV PC                 WHAT\n"
	  "           0    0    S 0x0000000080200000 " RAISED
	  "          10    0    S 0x000000008020000a trap 13 (load page fault) "
	  "tval 0x1000 to S at 0x80200100\n"
	  "          20    0    S 0x0000000080200014 overflow counter 3 "
	  "instructions last 0x80200010 raised\n"
	  "          30    0    S 0x000000008020001e trap 13 (load page fault) "
	  "tval 0x1000 to S at 0x80200100\n"
	  "          40    0    S 0x0000000080200028 stop shutdown, exit code "
	  "0\n",
	  "",
	  "" },
	{ "trace show four --kind trap,stop",
	  { { 0 } },
	  EXIT_OK,
	  "       CYCLE HART PRIV PC                 WHAT\n"
	  "          10    0    S 0x000000008020000a trap 13 (load page fault) "
	  "tval 0x1000 to S at 0x80200100\n"
	  "          30    0    S 0x000000008020001e trap 13 (load page fault) "
	  "tval 0x1000 to S at 0x80200100\n"
	  "          40    0    S 0x0000000080200028 stop shutdown, exit code "
	  "0\n",
	  "",
	  "" },
	{ "trace show four --counter 4",
	  { { 0 } },
	  EXIT_OK,
	  "       CYCLE HART PRIV PC                 WHAT\n"
	  "          10    0    S 0x000000008020000a trap 13 (load page fault) "
	  "tval 0x1000 to S at 0x80200100\n"
	  "          30    0    S 0x000000008020001e trap 13 (load page fault) "
	  "tval 0x1000 to S at 0x80200100\n"
	  "          40    0    S 0x0000000080200028 stop shutdown, exit code "
	  "0\n",
	  "",
	  "" },
	{ "trace show four --counter 3 --kind overflow --limit 1",
	  { { 0 } },
	  EXIT_OK,
	  "       CYCLE HART PRIV PC                 WHAT\n"
	  "           0    0    S 0x0000000080200000 " RAISED,
	  "",
	  "" },
	{ "trace show four --first-cycle 10 --last-cycle 20 --no-headings",
	  { { 0 } },
	  EXIT_OK,
	  "          10    0    S 0x000000008020000a trap 13 (load page fault) "
	  "tval 0x1000 to S at 0x80200100\n"
	  "          20    0    S 0x0000000080200014 overflow counter 3 "
	  "instructions last 0x80200010 raised\n",
	  "",
	  "" },
	{ "trace show four --kind overflow --json --limit 1",
	  { { 0 } },
	  EXIT_OK,
	  "{\"insn\":\"0\",\"cycle\":\"0\",\"hart\":0,\"privilege\":"
	  "\"PRIVILEGE_S\",\"pc\":\"2149580800\",\"overflow\":{\"counter\":3,"
	  "\"value\":\"0\",\"config\":\"0\",\"event\":\"instructions\","
	  "\"raised\":true,\"time\":\"0\",\"lastPc\":\"2149580796\","
	  "\"pending\":8,\"ebb\":0,"
	  "\"nextPrivilege\":\"PRIVILEGE_UNSPECIFIED\"},\"satp\":\"0\"}\n",
	  "",
	  "" },
	{ "trace show none",
	  { { 0 } },
	  EXIT_OK,
	  "       CYCLE HART PRIV PC                 WHAT\n",
	  EMPTY,
	  "" },
	{ "trace show missing", MISSING },
	{ "trace show cut --limit 1",
	  { { 0 } },
	  EXIT_OK,
	  "       CYCLE HART PRIV PC                 WHAT\n"
	  "           0    0    S 0x0000000080200000 " RAISED,
	  "",
	  "" },
	{ "trace show cut",
	  { { 0 } },
	  EXIT_OK,
	  "       CYCLE HART PRIV PC                 WHAT\n"
	  "           0    0    S 0x0000000080200000 " RAISED,
	  CUT,
	  "" },
	{ "trace show begun",
	  { { 0 } },
	  EXIT_OK,
	  "       CYCLE HART PRIV PC                 WHAT\n"
	  "           0    0    S 0x0000000080200000 " RAISED,
	  NO_END("begun", "48", "with a part of a record"),
	  "" },
	{ "trace show",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: either a FILE or --machine is needed\n",
	  "" },
	{ "trace show four --kind traps",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --kind: there is no kind 'traps', but overflow, sample, "
	  "trap, sbi, csr, delivery, console, input, hart, ebb, reset, absent "
	  "and stop\n",
	  "" },
	{ "trace show four --counter 2", BAD_COUNTER("2") },
	{ "trace show four --symbols missing", MISSING },
	{ "trace show four --machine m1",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: either a FILE or --machine is needed\n",
	  "" },
	/* the records of a machine, which selects them */
	{ "trace show --machine m1",
	  { { "TraceService/StreamRecords", "{'header':{'xlen':32}}", 0 },
	    { "TraceService/QueryRecords",
	      "{'records':[{'cycle':10,'privilege':3,'pc':4098,'overflow':{'"
	      "counter':4,'event':'loads','last_pc':4094}},{'cycle':20,'hart':"
	      "1,'privilege':1,'pc':4096,'stop':{'cause':1}}]}",
	      0 },
	    { "TraceService/QueryRecords",
	      "{'records':[{'cycle':20,'hart':1,'privilege':1,'pc':4096,'stop':"
	      "{'cause':1}}]}",
	      0 } },
	  EXIT_OK,
	  "       CYCLE HART PRIV PC         WHAT\n"
	  "          10    0    U 0x00001002 overflow counter 4 loads last "
	  "0xffe\n"
	  "          20    1    M 0x00001000 stop shutdown, exit code 0\n"
	  "          20    1    M 0x00001000 stop shutdown, exit code 0\n",
	  "",
	  ASKS_ALL },
	{ "trace show --machine m1 --kind sbi --first-cycle 5 --last-cycle 9 "
	  "--limit 3 --counter 31",
	  { { "TraceService/StreamRecords", "{'header':{}}", 0 } },
	  EXIT_OK,
	  "       CYCLE HART PRIV PC                 WHAT\n",
	  "",
	  ASKS_HEADER "TraceService/QueryRecords " FILTER(
		  "true", "false",
		  "31") "'firstCycle':'5','lastCycle':'9','limit':'3',"
			"'firstRecord':'0'}\n" },
	{ "trace show --machine m1 --kind traps",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --kind: there is no kind 'traps', but overflow, sample, "
	  "trap, sbi, csr, delivery, console, input, hart, ebb, reset, absent "
	  "and stop\n",
	  "" },
	{ "trace show --machine m1",
	  { { "TraceService/StreamRecords", NULL, NOT_FOUND } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: refused\n",
	  ASKS_HEADER },
	{ "trace show --machine m1",
	  { { "TraceService/StreamRecords", "{'lost':3}", 0 } },
	  EXIT_FAILED,
	  "",
	  "pmuctl: the trace of m1 has no header\n",
	  ASKS_HEADER },
	{ "trace show --machine m1",
	  { { "TraceService/StreamRecords", "{'header':{}}", 0 },
	    { "TraceService/QueryRecords",
	      "{'records':[{'cycle':20,'hart':1,'privilege':1,'pc':4096,'stop':"
	      "{'cause':1}}]}",
	      0 },
	    { "TraceService/QueryRecords", NULL, NOT_FOUND } },
	  EXIT_NOT_FOUND,
	  "       CYCLE HART PRIV PC                 WHAT\n"
	  "          20    1    M 0x0000000000001000 stop shutdown, exit code "
	  "0\n",
	  "pmuctl: refused\n",
	  ASKS_ALL },
	/* a machine's records as they come */
	{ "trace follow --machine m1 --from-start --kind stop",
	  { { "TraceService/StreamRecords", "{'header':{'xlen':32}}", 0 },
	    { "TraceService/StreamRecords", "{'header':{'xlen':32}}", 0 },
	    { "TraceService/StreamRecords", "{'lost':7}", 0 },
	    { "TraceService/StreamRecords",
	      "{'batch':{'records':[{'cycle':10,'privilege':3,'pc':4098,'"
	      "overflow':{'counter':4,'event':'loads','last_pc':4094}},{'cycle'"
	      ":20,'hart':1,'privilege':1,'pc':4096,'stop':{'cause':1}}]}}",
	      0 } },
	  EXIT_OK,
	  "       CYCLE HART PRIV PC         WHAT\n"
	  "          20    1    M 0x00001000 stop shutdown, exit code 0\n",
	  "pmuctl: 7 records were lost here\n",
	  ASKS_HEADER "TraceService/StreamRecords " FILTER(
		  "false", "true", "") "'drop':false,'fromStart':true}\n" },
	{ "trace follow --machine m1 --drop",
	  { { "TraceService/StreamRecords", "{'header':{}}", 0 },
	    { "TraceService/StreamRecords",
	      "{'batch':{'records':[{'cycle':10,'privilege':3,'pc':4098,'"
	      "overflow':{'counter':4,'event':'loads','last_pc':4094}}]}}",
	      0 },
	    { "TraceService/StreamRecords", NULL, NOT_FOUND } },
	  EXIT_NOT_FOUND,
	  "          10    0    U 0x0000000000001002 overflow counter 4 loads "
	  "last 0xffe\n",
	  "pmuctl: refused\n",
	  ASKS_HEADER "TraceService/StreamRecords " FILTER(
		  "false", "false", "") "'drop':true,'fromStart':false}\n" },
	{ "trace follow --machine m1 --counter 1", BAD_COUNTER("1") },
	{ "trace follow",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: trace follow needs --machine\n",
	  "" },
	/* a machine's trace in a file */
	{ "trace save saved --machine m1",
	  { { "TraceService/StreamRecords", "{'header':{'xlen':32}}", 0 },
	    { "TraceService/StreamRecords", "{'lost':7}", 0 },
	    { "TraceService/StreamRecords",
	      "{'batch':{'records':[{'cycle':20,'hart':1,'privilege':1,'pc':"
	      "4096,'stop':{'cause':1}}]}}",
	      0 } },
	  EXIT_OK,
	  "",
	  "pmuctl: the first 7 records are not stored any more\n",
	  "TraceService/StreamRecords "
	  "{'machine':'m1','drop':false,'fromStart':true}\n" },
	{ "trace save saved --machine m1",
	  { { "TraceService/StreamRecords", NULL, NOT_FOUND } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: refused\n",
	  "TraceService/StreamRecords "
	  "{'machine':'m1','drop':false,'fromStart':true}\n" },
	{ "trace save missing/file --machine m1",
	  { { 0 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: missing/file: No such file or directory\n",
	  "" },
	/* counts */
	{ "trace summary four",
	  { { 0 } },
	  EXIT_OK,
	  "KIND     RECORDS\n"
	  "overflow       2\n"
	  "trap           2\n"
	  "stop           1\n"
	  "\n"
	  "HART COUNTER EVENT        FUNCTION   OVERFLOWS PERCENT\n"
	  "   0       3 instructions 0x801ffffc         1    50.0\n"
	  "   0       3 instructions 0x80200010         1    50.0\n",
	  "",
	  "" },
	{ "trace summary four --kind stop",
	  { { 0 } },
	  EXIT_OK,
	  "KIND RECORDS\n"
	  "stop       1\n"
	  "\n",
	  "",
	  "" },
	{ "trace summary none", { { 0 } }, EXIT_OK, "\n", EMPTY, "" },
	{ "trace summary four --counter 2", BAD_COUNTER("2") },
	{ "trace summary missing", MISSING },
	{ "trace summary cut",
	  { { 0 } },
	  EXIT_OK,
	  "KIND     RECORDS\n"
	  "overflow       1\n"
	  "\n"
	  "HART COUNTER EVENT        FUNCTION   OVERFLOWS PERCENT\n"
	  "   0       3 instructions 0x801ffffc         1   100.0\n",
	  CUT,
	  "" },
	/* the first difference, and 1 */
	{ "trace diff four four",
	  { { 0 } },
	  EXIT_OK,
	  "5 records, all the same\n",
	  "",
	  "" },
	{ "trace diff four two",
	  { { 0 } },
	  EXIT_FAILED,
	  "record 2 is the first that differs:\n"
	  "four:           20    0    S 0x0000000080200014 overflow counter 3 "
	  "instructions last 0x80200010 raised\n"
	  "two:           20    0    S 0x0000000080200014 stop shutdown, exit "
	  "code 0\n",
	  "",
	  "" },
	{ "trace diff four harts",
	  { { 0 } },
	  EXIT_FAILED,
	  "the headers differ:\n"
	  "harts: 1 and 2\n"
	  "5 records, all the same\n",
	  "",
	  "" },
	{ "trace diff none two",
	  { { 0 } },
	  EXIT_FAILED,
	  "record 0 is the first that differs:\n"
	  "none: no more records\n"
	  "two:            0    0    S 0x0000000080200000 " RAISED,
	  EMPTY,
	  "" },
	{ "trace diff two none",
	  { { 0 } },
	  EXIT_FAILED,
	  "record 0 is the first that differs:\n"
	  "two:            0    0    S 0x0000000080200000 " RAISED
	  "none: no more records\n",
	  EMPTY,
	  "" },
	{ "trace diff harts two",
	  { { 0 } },
	  EXIT_FAILED,
	  "the headers differ:\n"
	  "harts: 2 and 1\n"
	  "record 2 is the first that differs:\n"
	  "harts:           20    0    S 0x0000000080200014 overflow counter 3 "
	  "instructions last 0x80200010 raised\n"
	  "two:           20    0    S 0x0000000080200014 stop shutdown, exit "
	  "code 0\n",
	  "",
	  "" },
	{ "trace diff four four --json",
	  { { 0 } },
	  EXIT_OK,
	  "{\n"
	  "  \"recordsSame\": true,\n"
	  "  \"headersSame\": true,\n"
	  "  \"index\": \"5\"\n"
	  "}\n",
	  "",
	  "" },
	{ "trace diff four harts --json",
	  { { 0 } },
	  EXIT_FAILED,
	  "{\n"
	  "  \"recordsSame\": true,\n"
	  "  \"headersSame\": false,\n"
	  "  \"index\": \"5\"\n"
	  "}\n",
	  "",
	  "" },
	{ "trace diff none two --json",
	  { { 0 } },
	  EXIT_FAILED,
	  "{\n"
	  "  \"recordsSame\": false,\n"
	  "  \"headersSame\": true,\n"
	  "  \"index\": \"0\",\n"
	  "  \"a\": null,\n"
	  "  \"b\": {\n"
	  "    \"insn\": \"0\",\n"
	  "    \"cycle\": \"0\",\n"
	  "    \"hart\": 0,\n"
	  "    \"privilege\": \"PRIVILEGE_S\",\n"
	  "    \"pc\": \"2149580800\",\n"
	  "    \"overflow\": {\n"
	  "      \"counter\": 3,\n"
	  "      \"value\": \"0\",\n"
	  "      \"config\": \"0\",\n"
	  "      \"event\": \"instructions\",\n"
	  "      \"raised\": true,\n"
	  "      \"time\": \"0\",\n      \"lastPc\": \"2149580796\",\n"
	  "      \"pending\": 8,\n      \"ebb\": 0,\n"
	  "      \"nextPrivilege\": \"PRIVILEGE_UNSPECIFIED\"\n"
	  "    },\n    \"satp\": \"0\"\n"
	  "  }\n"
	  "}\n",
	  EMPTY,
	  "" },
	{ "trace diff four missing", MISSING },
	{ "trace diff missing four", MISSING },
	{ "trace diff four cut",
	  { { 0 } },
	  EXIT_FAILED,
	  "record 1 is the first that differs:\n"
	  "four:           10    0    S 0x000000008020000a trap 13 (load page "
	  "fault) tval 0x1000 to S at 0x80200100\n"
	  "cut: no more records\n",
	  CUT,
	  "" },
};

TEST_ROWS(a_command_of_traces_asks_and_prints, rows)
{
	canned_check(&rows[_i]);
}

SUITE("cli-traces", .setup = setup, .teardown = teardown);
