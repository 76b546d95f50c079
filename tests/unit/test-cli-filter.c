/* SPDX-License-Identifier: BSD-2-Clause */
/* --filter of what reads traces: records of all kinds, of files and machines.
 */
#include "canned-answers.h"
#include "canned-samples.h"
#include "text/exit-codes.h"
#include "unit.h"

#define SHOW   "trace show --no-headings samples --filter "
#define QUERY  "TraceService/QueryRecords"
#define STREAM "TraceService/StreamRecords"
#define HEADER "{'header':{'xlen':32}}"
#define NOTHING                                                                \
	{                                                                      \
		{                                                              \
			0                                                      \
		}                                                              \
	}

/* Its kinds are all, or stops to ask for the header. */
#define FILTER(stops, harts)                                                   \
	"{'machine':'m1','filter':{'overflows':false,'traps':false,'sbiCalls'" \
	":false,'console':false,'inputs':false,'hartChanges':false,'stops'"    \
	":" stops ",'harts':[" harts "],'counters':[],'resets':false,"         \
	"'absences':false,'ebbDeliveries':false,'ebbSession':0,'samples'"      \
	":false,'addresses':[],'deliveries':false,'csrAccesses':false},"
#define ASKS_HEADER                                                            \
	STREAM " " FILTER("true", "") "'drop':true,'fromStart':false}\n"
#define ASKS(harts, first)                                                     \
	ASKS_HEADER QUERY " " FILTER("false", harts) "'firstCycle':'0',"       \
						     "'lastCycle':'0',"        \
						     "'limit':'0',"            \
						     "'firstRecord':" first    \
						     "}\n"
#define FOLLOWS(harts)                                                         \
	ASKS_HEADER STREAM                                                     \
		" " FILTER("false", harts) "'drop':false,'fromStart':true}\n"

#define TRAP                                                                   \
	"        2600    0    S 0x0000000080200000 trap 13 (load page fault) " \
	"tval 0x1000 to S at 0x80200040\n"
#define SBI                                                                    \
	"        2700    0    S 0x0000000080200008 sbi 0x50414d.3(0x1, 0x2, "  \
	"0x3, 0x4, 0x5, 0x6) = INVALID_PARAM, 0x9: no such counter\n"
#define OVERFLOW                                                               \
	"        2500    0    S 0xffffffff80000008 overflow counter 3 "        \
	"instructions last 0xffffffff80000004 raised value 0x5\n"
#define STOP                                                                   \
	"        4100    0    S 0x0000000080200044 stop finisher-fail, exit "  \
	"code 7\n"

/* Records of a machine of 32 bits: a trap of hart 1, one of 0, an overflow. */
#define OF_1 "{'cycle':1,'hart':1,'privilege':2,'pc':16,'trap':{'cause':8}}"
#define OF_0                                                                   \
	"{'cycle':2,'privilege':2,'pc':20,'trap':{'cause':5,'interrupt':true}" \
	"}"
#define OF_2                                                                   \
	"{'cycle':3,'privilege':2,'pc':24,'overflow':{'counter':3,'event':'"   \
	"loads'}}"
#define SAYS_1                                                                 \
	"           1    1    S 0x00000010 trap 8 (ecall from U) to the "      \
	"firmware\n"
#define SAYS_0                                                                 \
	"           2    0    S 0x00000014 interrupt 5 (S timer) to the "      \
	"firmware\n"
#define SAYS_2                                                                 \
	"           3    0    S 0x00000018 overflow counter 3 loads last "     \
	"0\n"

static const struct canned_row rows[] = {
	/* every kind by what it has */
	{ SHOW "cause==13", NOTHING, EXIT_OK, TRAP, "", "" },
	{ SHOW "cause!=13&&event!=cycles&&event!=loads&&cycle<2700", NOTHING,
	  EXIT_OK, OVERFLOW, "", "" },
	{ SHOW "counter==3||error==invalid_param", NOTHING, EXIT_OK,
	  OVERFLOW SBI, "", "" },
	{ SHOW "kind==stop", NOTHING, EXIT_OK, STOP, "", "" },
	{ SHOW "change==waiting", NOTHING, EXIT_OK,
	  "        2900    1    S 0x0000000080200008 hart waiting\n", "", "" },
	{ SHOW "session==2", NOTHING, EXIT_OK,
	  "        3200    0    S 0x0000000080200008 ebb session 2 told of "
	  "counters 0x8, held since cycle 3150\n",
	  "", "" },
	{ SHOW "event==instructions", NOTHING, EXIT_OK, OVERFLOW, "", "" },
	/* with the other options */
	{ SHOW "hart==0 --kind trap,stop", NOTHING, EXIT_OK, TRAP STOP, "",
	  "" },
	{ SHOW "cycle>2500 --limit 1", NOTHING, EXIT_OK, TRAP, "", "" },
	{ SHOW "cycle>2500 --first-record 5 --limit 1", NOTHING, EXIT_OK, SBI,
	  "", "" },
	{ SHOW "hart==1 --hart 0", NOTHING, EXIT_OK, "", "", "" },
	{ SHOW "hart==99", NOTHING, EXIT_OK, "", "", "" },
	{ SHOW "function==kernel --symbols map --kind overflow", NOTHING,
	  EXIT_OK,
	  "        2500    0    S 0xffffffff80000008 kernel+0x4             -  "
	  "                overflow counter 3 instructions last "
	  "0xffffffff80000004 raised value 0x5\n",
	  "", "" },
	/* what is wrong is told before anything is read */
	{ SHOW "function==main", NOTHING, EXIT_USAGE, "",
	  "pmuctl: --filter: functions have names only by --symbols, "
	  "--guest-symbols or --user-symbols, or --sysroot\n",
	  "" },
	{ "trace follow -m m1 --filter kind==nothing", NOTHING, EXIT_USAGE, "",
	  "pmuctl: --filter: a kind of records is wanted, as --kind has them, "
	  "at 'nothing' of 'kind==nothing'\n",
	  "" },
	{ "trace export samples --format folded --filter (", NOTHING,
	  EXIT_USAGE, "",
	  "pmuctl: --filter: pc, function, hart, privilege, kind, cycle, insn, "
	  "satp, pid, tid, comm, event, counter, period, cause, interrupt, "
	  "tval, target, handler, call, eid, fid, error, memory_read, "
	  "memory_written, csr, reached, closed_by, read, written, refusal, "
	  "old_value, new_value, select, way, counters, held, sse, change or "
	  "session is wanted at 'the end' of '('\n",
	  "" },
	/* the other verbs */
	{ "script --no-headings samples --filter event==loads", NOTHING,
	  EXIT_OK,
	  "        2250    0    U 0x0000000000010004 sample loads period 50\n",
	  "", "" },
	{ "script --no-headings samples --filter cause==13", NOTHING, EXIT_OK,
	  "", "pmuctl: samples has no such samples\n", "" },
	{ "trace summary samples --filter cause==13||counter==3", NOTHING,
	  EXIT_OK,
	  "KIND     RECORDS\n"
	  "overflow       1\n"
	  "trap           1\n"
	  "\n"
	  "HART COUNTER EVENT        FUNCTION           OVERFLOWS PERCENT\n"
	  "   0       3 instructions 0xffffffff80000004         1   100.0\n",
	  "", "" },
	{ "trace export samples --format folded --symbols map --filter "
	  "function==kernel||privilege==u",
	  NOTHING, EXIT_OK,
	  "loads;U satp 0x8000000000000004;[unknown] 1\n"
	  "instructions;S;kernel 1\n",
	  "", "" },
	/* of machines: harts are for pmud, and the limit for what it cannot */
	{ "trace show --no-headings -m m1 --filter cause<9",
	  { { STREAM, HEADER },
	    { QUERY, "{'records':[" OF_1 "," OF_2 "]}" },
	    { QUERY, "{'records':[" OF_2 "," OF_0 "]}" } },
	  EXIT_OK,
	  SAYS_1 SAYS_0,
	  "",
	  ASKS("", "'0'") },
	{ "trace show --no-headings -m m1 --filter cause<9&&hart==1 "
	  "--first-record 7",
	  { { STREAM, HEADER }, { QUERY, "{'records':[" OF_1 "]}" } },
	  EXIT_OK,
	  SAYS_1,
	  "",
	  ASKS("1", "'7'") },
	{ "trace show --no-headings -m m1 --filter hart<3&&cause>=0 --limit 1",
	  { { STREAM, HEADER },
	    { QUERY, "{'records':[" OF_2 "," OF_0 "," OF_1 "]}" },
	    { QUERY, "{'records':[" OF_1 "]}" } },
	  EXIT_OK,
	  SAYS_0,
	  "",
	  ASKS("0,1,2", "'0'") },
	{ "script -m m1 --filter hart==99",
	  { { STREAM, HEADER }, { QUERY, "{}" } },
	  EXIT_OK,
	  "       CYCLE HART PRIV PC         WHAT\n",
	  "pmuctl: m1 has no such samples\n",
	  ASKS_HEADER QUERY
	  " {'machine':'m1','filter':{'overflows':false,'traps':false,"
	  "'sbiCalls':false,'console':false,'inputs':false,'hartChanges'"
	  ":false,'stops':false,'harts':[],'counters':[],'resets':false,"
	  "'absences':false,'ebbDeliveries':false,'ebbSession':0,'samples'"
	  ":true,'addresses':[],'deliveries':false,'csrAccesses':false},'"
	  "firstCycle':'0','lastCycle':'0','limit':'0',"
	  "'firstRecord':'0'}\n" },
	{ "trace follow --no-headings -m m1 --from-start --filter "
	  "event==loads||interrupt==1",
	  { { STREAM, HEADER },
	    { STREAM, HEADER },
	    { STREAM, "{'batch':{'records':[" OF_1 "," OF_0 "," OF_2 "]}}" } },
	  EXIT_OK,
	  SAYS_0 SAYS_2,
	  "",
	  FOLLOWS("") },
	{ "trace follow --no-headings -m m1 --from-start --filter "
	  "hart==1&&kind!=stop",
	  { { STREAM, HEADER },
	    { STREAM, HEADER },
	    { STREAM, "{'batch':{'records':[" OF_1 "]}}" } },
	  EXIT_OK,
	  SAYS_1,
	  "",
	  FOLLOWS("1") },
};

TEST_ROWS(an_expression_chooses_records, rows)
{
	canned_check(&rows[_i]);
}

SUITE("cli-filter", .setup = canned_samples_begin,
      .teardown = canned_samples_end);
