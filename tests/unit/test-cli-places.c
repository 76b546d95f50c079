/* SPDX-License-Identifier: BSD-2-Clause */
/* --function and --line of a machine's records: its own files are asked. */
#include <stdio.h>
#include <unistd.h>

#include "canned-answers.h"
#include "canned-samples.h"
#include "text/exit-codes.h"
#include "unit.h"

#define QUERY	"TraceService/QueryRecords"
#define STREAM	"TraceService/StreamRecords"
#define SYMBOL	"SymbolService/FindSymbol"
#define RANGES	"SymbolService/FindRanges"
#define HEADER	"{'header':{'xlen':32}}"
#define HEADING "       CYCLE HART PRIV PC         WHAT\n"

/* All kinds, or to ask for the header stops. */
#define FILTER(stops, addresses)                                               \
	"{'machine':'m1','filter':{'overflows':false,'traps':false,'sbiCalls'" \
	":false,'console':false,'inputs':false,'hartChanges':false,'stops'"    \
	":" stops ",'harts':[],'counters':[],'resets':false,'absences':false," \
	"'ebbDeliveries':false,'ebbSession':0,'samples':false,'addresses':"    \
	"[" addresses "],'deliveries':false,'csrAccesses':false},"
#define ASKS_HEADER                                                            \
	STREAM " " FILTER("true", "") "'drop':true,'fromStart':false}\n"
#define ASKS_UP_TO(limit, addresses)                                           \
	QUERY " " FILTER("false", addresses) "'firstCycle':'0','lastCycle':"   \
					     "'0','limit':'" limit             \
					     "','firstRecord':'0'}\n"
#define ASKS(addresses) ASKS_UP_TO("0", addresses)
#define ASKS_SYMBOL(name, part)                                                \
	SYMBOL " {'machine':'m1','name':'" name "','part':'" part "'}\n"
#define ASKS_FUNCTION(name) RANGES " {'machine':'m1','function':'" name "'}\n"
#define ASKS_LINE(file, line)                                                  \
	RANGES " {'machine':'m1','line':{'file':'" file "','line':" line "}}"  \
	       "\n"

enum {
	NOT_FOUND = 5 /* a status of gRPC */
};

static const struct canned_row rows[] = {
	{ "trace show -m m1 --function work",
	  { { STREAM, HEADER },
	    { SYMBOL, "{'address':4096,'size':8}" },
	    { RANGES, "{'ranges':[{'first':4096,'last':4103}]}" } },
	  EXIT_OK,
	  HEADING,
	  "",
	  ASKS_HEADER ASKS_SYMBOL("work", "work") ASKS_FUNCTION("work")
		  ASKS("{'first':'4096','last':'4103'}") },
	{ "trace show -m m1 --line a.c:7 --line b/a.c:8 --range 16",
	  { { STREAM, HEADER },
	    { RANGES, "{'ranges':[{'first':1,'last':2},{'first':5,'last':6}]"
		      "}" },
	    { RANGES, "{'ranges':[{'first':9,'last':10}]}" } },
	  EXIT_OK,
	  HEADING,
	  "",
	  ASKS_HEADER ASKS_LINE("a.c", "7") ASKS_LINE("b/a.c", "8")
		  ASKS("{'first':'1','last':'2'},{'first':'5','last':'6'},"
		       "{'first':'9','last':'10'},{'first':'16','last':"
		       "'16'}") },
	/* what is printed so: all overloads, and no other with the word */
	{ "trace follow -m m1 --function ns::bar",
	  { { STREAM, HEADER },
	    { SYMBOL, "{'candidates':[{'address':1,'function':'_ZN2ns3barEv'}"
		      ",{'address':2,'function':'_ZN2no3barEv'},{'address':3,"
		      "'function':'_ZN2ns3barEi'}]}" },
	    { RANGES, "{'ranges':[{'first':1,'last':1}]}" },
	    { RANGES, "{'ranges':[{'first':3,'last':3}]}" } },
	  EXIT_OK,
	  "",
	  "",
	  ASKS_HEADER ASKS_SYMBOL("ns::bar", "bar") ASKS_FUNCTION(
		  "_ZN2ns3barEv") ASKS_FUNCTION("_ZN2ns3barEi") STREAM
	  " " FILTER("false", "{'first':'1','last':'1'},{'first'"
			      ":'3','last':'3'}") "'drop':false,"
						  "'fromStart':"
						  "false}\n" },
	{ "trace show -m m1 --function ns::bar",
	  { { STREAM, HEADER },
	    { SYMBOL, "{'candidates':[{'address':2,'function':'_ZN2no3barEv'}"
		      "]}" } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: no file of the machine has the symbol 'ns::bar'\n",
	  ASKS_HEADER ASKS_SYMBOL("ns::bar", "bar") },
	/* the file that is given goes before the machine's */
	{ "trace show -m m1 --function work --symbols none",
	  { { STREAM, HEADER } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: none: No such file or directory\n",
	  ASKS_HEADER },
	/* what the daemon refuses */
	{ "trace show -m m1 --function work",
	  { { STREAM, HEADER }, { SYMBOL, NULL, NOT_FOUND } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: refused\n",
	  ASKS_HEADER ASKS_SYMBOL("work", "work") },
	{ "trace show -m m1 --line a.c:7",
	  { { STREAM, HEADER }, { RANGES, NULL, NOT_FOUND } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: refused\n",
	  ASKS_HEADER ASKS_LINE("a.c", "7") },
	/* what is not asked */
	{ "trace show -m m1 --line a.c:0",
	  { { STREAM, HEADER } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --line: 'a.c:0' is not FILE:LINE\n",
	  ASKS_HEADER },
};

/* At the same place, in S and in VS. */
#define BOTH                                                                   \
	"{'cycle':1,'privilege':2,'pc':2149580868,'trap':{'cause':8}},"        \
	"{'cycle':2,'privilege':4,'pc':2149580868,'trap':{'cause':8}}"
#define TRAP(cycle, mode, symbol)                                              \
	"           " cycle "    0 " mode " 0x80200044 " symbol "trap 8 "      \
	"(ecall from U) to the firmware\n"
#define WORK	"work+0x4               -                  "
#define UNNAMED "-                      -                  "
#define NOTHING                                                                \
	{                                                                      \
		{                                                              \
			0                                                      \
		}                                                              \
	}

static const struct canned_row guest_rows[] = {
	/* what it names may be its own or its guests' */
	{ "trace show -m m1 --function work --limit 2 --no-headings",
	  { { STREAM, HEADER },
	    { SYMBOL, "{'address':2149580864,'size':8}" },
	    { RANGES, "{'ranges':[{'first':2149580864,'last':2149580871}]}" },
	    { QUERY, "{'records':[" BOTH "]}" } },
	  EXIT_OK,
	  TRAP("1", "   S", "") TRAP("2", "  VS", ""),
	  "",
	  ASKS_HEADER ASKS_SYMBOL("work", "work") ASKS_FUNCTION("work")
		  ASKS_UP_TO("2", "{'first':'2149580864','last':"
				  "'2149580871'}") },
	/* a file's names are of modes, which no daemon counts by */
	{ "trace show -m m1 --function work --guest-symbols map --limit 2 "
	  "--no-headings",
	  { { STREAM, HEADER },
	    { QUERY, "{'records':[" BOTH "]}" },
	    { QUERY, "{'records':[" BOTH "," BOTH "]}" } },
	  EXIT_OK,
	  TRAP("2", "  VS", WORK) TRAP("2", "  VS", WORK),
	  "",
	  ASKS_HEADER ASKS_UP_TO("0", "{'first':'2149580864','last':"
				      "'2149580927'}") },
};

TEST_ROWS(a_name_has_modes, guest_rows)
{
	canned_check(&guest_rows[_i]);
}

/* One trace has ecalls at a place, the other has page faults there. */
#define DIFFERENT(mode, symbol)                                                \
	"record 0 is the first that differs:\n"                                \
	"one:            1    0 " mode " 0x80200044 " symbol                   \
	"trap 8 (ecall from U) to the firmware\n"                              \
	"other:            1    0 " mode " 0x80200044 " symbol                 \
	"trap 13 (load page fault) to the firmware\n"

static const struct diff_row {
	const char *mode; /* of the protocol */
	struct canned_row row;
} diff_rows[] = {
	{ "4",
	  { "trace diff one other --guest-symbols map", NOTHING, EXIT_FAILED,
	    DIFFERENT("  VS", WORK), "", "" } },
	{ "2",
	  { "trace diff one other --guest-symbols map", NOTHING, EXIT_FAILED,
	    DIFFERENT("   S", UNNAMED), "", "" } },
	{ "2",
	  { "trace diff one other --guest-symbols map --symbols map", NOTHING,
	    EXIT_FAILED, DIFFERENT("   S", WORK), "", "" } },
	{ "4",
	  { "trace diff one other --guest-symbols none", NOTHING,
	    EXIT_NOT_FOUND, "", "pmuctl: none: No such file or directory\n",
	    "" } },
	{ "3",
	  { "trace diff one other --user-symbols map", NOTHING, EXIT_FAILED, "",
	    "pmuctl: map: not a valid ELF file\n", "" } },
};

static void put_trap(const char *file, const char *mode, const char *cause)
{
	char record[200];
	const char *const records[] = { record, NULL };

	snprintf(record, sizeof(record),
		 "{'cycle':1,'privilege':%s,'pc':2149580868,'trap':{'cause':%s}"
		 "}",
		 mode, cause);
	canned_trace(file, "{'version':1,'xlen':32}", records);
}

TEST_ROWS(records_that_differ_have_names, diff_rows)
{
	put_trap("one", diff_rows[_i].mode, "8");
	put_trap("other", diff_rows[_i].mode, "13");
	canned_check(&diff_rows[_i].row);
	unlink("one");
	unlink("other");
}

TEST_ROWS(a_machine_knows_its_functions_and_lines, rows)
{
	canned_check(&rows[_i]);
}

SUITE("cli-places", .setup = canned_samples_begin,
      .teardown = canned_samples_end);
