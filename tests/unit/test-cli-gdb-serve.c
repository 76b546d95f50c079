/* SPDX-License-Identifier: BSD-2-Clause */
/* Debuggers at standard input: whole sessions, and what becomes of the machine.
 */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "canned-answers.h"
#include "canned-samples.h"
#include "text/exit-codes.h"
#include "unit.h"

#define GET	"MachineService/GetMachine"
#define HARTS	"HartService/ListHarts"
#define CSRS	"HartService/ListCsrs"
#define REGS	"HartService/ReadRegisters"
#define POINTS	"MachineService/SetBreakpoints"
#define RESUME	"MachineService/ResumeMachine"
#define PAUSE	"MachineService/PauseMachine"
#define WATCH	"MachineService/WatchMachine"
#define CREATE	"MachineService/CreateMachine"
#define START	"MachineService/StartMachine"
#define CONSOLE "MachineService/ReadConsole"
#define RECORDS "TraceService/StreamRecords"
#define DELETE	"MachineService/DeleteMachine"
#define MADE	"{'machine':{'id':'m1','state':1}}"
#define STANDS	"{'machine':{'id':'m1','state':3,'cause':10}}"
#define ENDED	"{'machine':{'id':'m1','state':5,'cause':3,'exit_code':7}}"
/* Of an image of 32 bits; @all: of all that is recorded only if asked for. */
#define CREATED(all)                                                           \
	CREATE " {'config':{'harts':0,'memoryBytes':'0','startMode':"          \
	       "'START_MODE_UNSPECIFIED','settings':[{'key':'xlen','value':"   \
	       "'32'}],'bootargs':'','recorded':false},'detach':false,"        \
	       "'recording':{'traps':" all ",'sbiCalls':" all                  \
	       ",'endWhenFull':false,'samplers':[],'whenFull':"                \
	       "'WHEN_FULL_HOLD','traceBytes':'0','processes':" all            \
	       ",'deliveries':false,'sbiMemory':false,'csrAccesses':false}}\n"
#define ONE_HART "{'harts':[{'isa':'rv32i','privilege':1,'status':1}]}"

/* What the debugger says, and all that comes of it. */
static const struct {
	const char *in;
	struct canned_row row;
} rows[] = {
	/* a machine that is there: it goes on when the debugger leaves */
	{ "$qAttached#8f$D#44",
	  { "gdb --stdio -m m1",
	    { { GET, STANDS },
	      { HARTS, ONE_HART },
	      { CSRS, "{}" },
	      { POINTS, "{}" },
	      { RESUME, STANDS } },
	    EXIT_OK,
	    "+$1#31+$OK#9a",
	    "",
	    GET " {'machine':'m1'}\n" HARTS " {'machine':'m1'}\n" CSRS
		" {'machine':'m1','hart':0}\n" POINTS
		" {'machine':'m1','pcs':[],'watchpoints':[]}\n" RESUME
		" {'machine':'m1'}\n" } },
	{ "$D#44",
	  { "gdb --stdio -m m1 --paused",
	    { { GET, STANDS },
	      { HARTS, ONE_HART },
	      { CSRS, "{}" },
	      { POINTS, "{}" } },
	    EXIT_OK,
	    "+$OK#9a",
	    "",
	    GET " {'machine':'m1'}\n" HARTS " {'machine':'m1'}\n" CSRS
		" {'machine':'m1','hart':0}\n" POINTS
		" {'machine':'m1','pcs':[],'watchpoints':[]}\n" } },
	{ "$?#3f",
	  { "gdb --stdio -m m1",
	    { { GET, STANDS },
	      { HARTS, ONE_HART },
	      { CSRS, "{}" },
	      { POINTS, "{}" },
	      { RESUME, NULL, 9 } },
	    EXIT_OK,
	    "+$T05thread:1;#d7",
	    "",
	    GET " {'machine':'m1'}\n" HARTS " {'machine':'m1'}\n" CSRS
		" {'machine':'m1','hart':0}\n" GET " {'machine':'m1'}\n" POINTS
		" {'machine':'m1','pcs':[],'watchpoints':[]}\n" RESUME
		" {'machine':'m1'}\n" } },
	{ "$?#3",
	  { "gdb --stdio -m m1 --paused",
	    { { GET, STANDS },
	      { HARTS, ONE_HART },
	      { CSRS, "{}" },
	      { POINTS, NULL, 9 } },
	    EXIT_OK,
	    "",
	    "",
	    GET " {'machine':'m1'}\n" HARTS " {'machine':'m1'}\n" CSRS
		" {'machine':'m1','hart':0}\n" POINTS
		" {'machine':'m1','pcs':[],'watchpoints':[]}\n" } },
	{ "$k#6b",
	  { "gdb --stdio -m m1",
	    { { GET, STANDS },
	      { HARTS, ONE_HART },
	      { CSRS, "{}" },
	      { DELETE, "{}" } },
	    EXIT_OK,
	    "+",
	    "",
	    GET " {'machine':'m1'}\n" HARTS " {'machine':'m1'}\n" CSRS
		" {'machine':'m1','hart':0}\n" DELETE " {'machine':'m1'}\n" } },
	{ "$vKill;1#6e",
	  { "gdb --stdio -m m1",
	    { { GET, STANDS },
	      { HARTS, ONE_HART },
	      { CSRS, "{}" },
	      { DELETE, NULL, 5 } },
	    EXIT_NOT_FOUND,
	    "+$OK#9a",
	    "pmuctl: refused\n",
	    GET " {'machine':'m1'}\n" HARTS " {'machine':'m1'}\n" CSRS
		" {'machine':'m1','hart':0}\n" DELETE " {'machine':'m1'}\n" } },
	{ "$vCont;c#a8",
	  { "gdb --stdio -m m1",
	    { { GET, STANDS },
	      { HARTS, ONE_HART },
	      { CSRS, "{}" },
	      { POINTS, "{}" },
	      { RESUME, STANDS },
	      { WATCH, "{'machine':{'state':3,'cause':11,'detail':'a note'}}" },
	      { REGS, NULL, 5 } },
	    EXIT_OK,
	    "+$T05swbreak:;thread:1;#3b",
	    "pmuctl: a note\n",
	    GET " {'machine':'m1'}\n" HARTS " {'machine':'m1'}\n" CSRS
		" {'machine':'m1','hart':0}\n" POINTS
		" {'machine':'m1','pcs':[],'watchpoints':[]}\n" RESUME
		" {'machine':'m1'}\n" WATCH " {'machine':'m1'}\n" REGS
		" {'machine':'m1','hart':0}\n" RESUME " {'machine':'m1'}\n" } },
	{ "$vCont;c#a8",
	  { "gdb --stdio -m m1",
	    { { GET, STANDS },
	      { HARTS, ONE_HART },
	      { CSRS, "{}" },
	      { POINTS, "{}" },
	      { RESUME, STANDS },
	      { WATCH, ENDED } },
	    EXIT_OK,
	    "+$W07#be",
	    "",
	    GET " {'machine':'m1'}\n" HARTS " {'machine':'m1'}\n" CSRS
		" {'machine':'m1','hart':0}\n" POINTS
		" {'machine':'m1','pcs':[],'watchpoints':[]}\n" RESUME
		" {'machine':'m1'}\n" WATCH " {'machine':'m1'}\n" } },
	{ "$vCont;c#a8",
	  { "gdb --stdio -m m1",
	    { { GET, STANDS },
	      { HARTS, ONE_HART },
	      { CSRS, "{}" },
	      { POINTS, "{}" },
	      { RESUME, STANDS },
	      { WATCH, NULL, 1000 } },
	    EXIT_GONE,
	    "+$X06#be",
	    "pmuctl: refused\n",
	    GET " {'machine':'m1'}\n" HARTS " {'machine':'m1'}\n" CSRS
		" {'machine':'m1','hart':0}\n" POINTS
		" {'machine':'m1','pcs':[],'watchpoints':[]}\n" RESUME
		" {'machine':'m1'}\n" WATCH " {'machine':'m1'}\n" } },
	{ "",
	  { "gdb --stdio -m m1",
	    { { GET, NULL, 5 } },
	    EXIT_NOT_FOUND,
	    "",
	    "pmuctl: refused\n",
	    GET " {'machine':'m1'}\n" } },
	{ "",
	  { "gdb --stdio -m m1",
	    { { GET,
		"{'machine':{'id':'m1','state':6,'detail':'signal 9'}}" } },
	    EXIT_FAILED,
	    "",
	    "pmuctl: machine m1: signal 9\n",
	    GET " {'machine':'m1'}\n" } },
	{ "$D#44",
	  { "gdb --stdio -m m1 --paused",
	    { { GET, "{'machine':{'state':2}}" },
	      { PAUSE, NULL, 9 },
	      { HARTS, ONE_HART },
	      { CSRS, "{}" },
	      { POINTS, "{}" } },
	    EXIT_OK,
	    "+$OK#9a",
	    "",
	    GET " {'machine':'m1'}\n" PAUSE " {'machine':'m1'}\n" HARTS
		" {'machine':'m1'}\n" CSRS " {'machine':'m1','hart':0}\n" POINTS
		" {'machine':'m1','pcs':[],'watchpoints':[]}\n" } },
	{ "$D#44",
	  { "gdb --stdio -m m1 --paused",
	    { { GET, "{'machine':{'state':4}}" },
	      { PAUSE, "{'machine':{}}" },
	      { HARTS, ONE_HART },
	      { CSRS, "{}" },
	      { POINTS, "{}" } },
	    EXIT_OK,
	    "+$OK#9a",
	    "",
	    GET " {'machine':'m1'}\n" PAUSE " {'machine':'m1'}\n" HARTS
		" {'machine':'m1'}\n" CSRS " {'machine':'m1','hart':0}\n" POINTS
		" {'machine':'m1','pcs':[],'watchpoints':[]}\n" } },
	{ "",
	  { "gdb --stdio -m m1",
	    { { GET, STANDS }, { HARTS, NULL, 5 } },
	    EXIT_NOT_FOUND,
	    "",
	    "pmuctl: refused\n",
	    GET " {'machine':'m1'}\n" HARTS " {'machine':'m1'}\n" } },
	{ "",
	  { "gdb --stdio -m m1",
	    { { GET, STANDS }, { HARTS, ONE_HART }, { CSRS, NULL, 5 } },
	    EXIT_NOT_FOUND,
	    "",
	    "pmuctl: refused\n",
	    GET " {'machine':'m1'}\n" HARTS " {'machine':'m1'}\n" CSRS
		" {'machine':'m1','hart':0}\n" } },
	/* one that is made: it ends with the debugger, and as it ended the
	   command does */
	{ "$qAttached#8f$k#6b",
	  { "gdb --stdio image32",
	    { { CREATE, MADE },
	      { "load", "{}" },
	      { GET, MADE },
	      { START, "{}" },
	      { HARTS, ONE_HART },
	      { CSRS, "{}" },
	      { CONSOLE, "" },
	      { DELETE, "{}" } },
	    EXIT_OK,
	    "+$0#30+",
	    "",
	    CREATED("false") "load m1 kind 0 at 0 entry 0: 5\n" CONSOLE
			     " {'machine':'m1','offset':'0','port':0}\n" GET
			     " {'machine':'m1'}\n" START
			     " {'machine':'m1','paused':true}\n" HARTS
			     " {'machine':'m1'}\n" CSRS
			     " {'machine':'m1','hart':0}\n" DELETE
			     " {'machine':'m1'}\n" } },
	{ "$vCont;c#a8",
	  { "gdb --stdio image32",
	    { { CREATE, MADE },
	      { "load", "{}" },
	      { GET, MADE },
	      { START, "{}" },
	      { HARTS, ONE_HART },
	      { CSRS, "{}" },
	      { CONSOLE, "{'data':'hello'}" },
	      { POINTS, "{}" },
	      { RESUME, STANDS },
	      { WATCH, ENDED },
	      { GET, ENDED } },
	    EXIT_SBI_ERROR,
	    "+$O68656c6c6f#f6$W07#be",
	    "",
	    CREATED("false") "load m1 kind 0 at 0 entry 0: 5\n" CONSOLE
			     " {'machine':'m1','offset':'0','port':0}\n" GET
			     " {'machine':'m1'}\n" START
			     " {'machine':'m1','paused':true}\n" HARTS
			     " {'machine':'m1'}\n" CSRS
			     " {'machine':'m1','hart':0}\n" POINTS
			     " {'machine':'m1','pcs':[],'watchpoints':[]}"
			     "\n" RESUME " {'machine':'m1'}\n" WATCH
			     " {'machine':'m1'}\n" GET
			     " {'machine':'m1'}\n" } },
	{ "$vCont;c#a8",
	  { "gdb --stdio --trace out image32",
	    { { CREATE, MADE },
	      { "load", "{}" },
	      { GET, MADE },
	      { START, "{}" },
	      { HARTS, ONE_HART },
	      { CSRS, "{}" },
	      { RECORDS, "{'header':{'version':1}}" },
	      { RECORDS, "{'batch':{'records':[{'stop':{'cause':1}}]}}" },
	      { POINTS, "{}" },
	      { RESUME, STANDS },
	      { WATCH, ENDED },
	      { GET, ENDED } },
	    EXIT_SBI_ERROR,
	    "+$W07#be",
	    "",
	    CREATED("true") "load m1 kind 0 at 0 entry 0: 5\n" CONSOLE
			    " {'machine':'m1','offset':'0','port':0}\n" RECORDS
			    " {'machine':'m1','drop':false,'fromStart':true}"
			    "\n" GET " {'machine':'m1'}\n" START
			    " {'machine':'m1','paused':true}\n" HARTS
			    " {'machine':'m1'}\n" CSRS
			    " {'machine':'m1','hart':0}\n" POINTS
			    " {'machine':'m1','pcs':[],'watchpoints':[]}"
			    "\n" RESUME " {'machine':'m1'}\n" WATCH
			    " {'machine':'m1'}\n" GET " {'machine':'m1'}\n" } },
	{ "$D#44",
	  { "gdb --stdio image32",
	    { { CREATE, MADE },
	      { "load", "{}" },
	      { GET, MADE },
	      { START, "{}" },
	      { HARTS, ONE_HART },
	      { CSRS, "{}" },
	      { CONSOLE, "" },
	      { POINTS, "{}" },
	      { RESUME, STANDS } },
	    EXIT_OK,
	    "+$OK#9a",
	    "",
	    CREATED("false") "load m1 kind 0 at 0 entry 0: 5\n" CONSOLE
			     " {'machine':'m1','offset':'0','port':0}\n" GET
			     " {'machine':'m1'}\n" START
			     " {'machine':'m1','paused':true}\n" HARTS
			     " {'machine':'m1'}\n" CSRS
			     " {'machine':'m1','hart':0}\n" POINTS
			     " {'machine':'m1','pcs':[],'watchpoints':[]}"
			     "\n" RESUME " {'machine':'m1'}\n" } },
	{ "",
	  { "gdb --stdio image32",
	    { { CREATE, NULL, 3 }, { "MachineService/ListSettings", "{}" } },
	    EXIT_USAGE,
	    "",
	    "pmuctl: refused\n",
	    CREATED("false") } },
	{ "",
	  { "gdb --stdio image32",
	    { { CREATE, MADE },
	      { "load", "{}" },
	      { "open MachineService/ReadConsole", NULL, 5 } },
	    EXIT_NOT_FOUND,
	    "",
	    "pmuctl: refused\n",
	    CREATED("false") "load m1 kind 0 at 0 entry 0: 5\n" CONSOLE
			     " {'machine':'m1','offset':'0','port':0}\n" } },
	{ "",
	  { "gdb --stdio image32",
	    { { CREATE, MADE },
	      { "load", "{}" },
	      { GET, MADE },
	      { START, NULL, 9 } },
	    EXIT_FAILED,
	    "",
	    "pmuctl: refused\n",
	    CREATED("false") "load m1 kind 0 at 0 entry 0: 5\n" CONSOLE
			     " {'machine':'m1','offset':'0','port':0}\n" GET
			     " {'machine':'m1'}\n" START
			     " {'machine':'m1','paused':true}\n" } },
};

static void put_input(const char *text)
{
	FILE *in = fopen("typed", "w");

	PREPARING(ck_assert_ptr_nonnull(in));
	fputs(text, in);
	fclose(in);
	PREPARING(ck_assert_ptr_nonnull(freopen("typed", "r", stdin)));
}

TEST_ROWS(a_debugger_is_served, rows)
{
	put_input(rows[_i].in);
	canned_check(&rows[_i].row);
	/* and a shell's terminal is as it was */
	ck_assert_int_eq(fcntl(STDIN_FILENO, F_GETFL) & O_NONBLOCK, 0);
}

/* A machine that is made for the debugger, until it is asked for its trace. */
#define BEGUN                                                                  \
	{ CREATE, MADE }, { "load", "{}" }, { GET, MADE }, { START, "{}" },    \
		{ HARTS, ONE_HART },                                           \
	{                                                                      \
		CSRS, "{}"                                                     \
	}

/* A trace that lacks records is said not to be whole. */
TEST(records_that_are_lost_are_told)
{
	static const struct canned calls[] = {
		BEGUN,
		{ RECORDS, "{'header':{'version':1}}" },
		{ RECORDS, "{'lost':3}" },
		{ 0 },
	};

	put_input("");
	canned_begin(calls);
	ck_assert_int_eq(canned_run("gdb --stdio --trace out image"),
			 EXIT_FAILED);
	ck_assert_str_eq(canned_err(), "pmuctl: out: 3 records are lost\n"
				       "pmuctl: out is not complete\n");
}

/* More than is written at the end. */
TEST(records_may_have_no_room)
{
	static const struct canned calls[] = {
		BEGUN,
		{ RECORDS,
		  "{'batch':{'records':[{'console_output':{'data':'@much'}},{'"
		  "console_output':{'data':'@much'}}]}}" },
		{ 0 },
	};
	FILE *out = fopen("much", "w");

	PREPARING(ck_assert_ptr_nonnull(out));
	fprintf(out, "%9000s", "");
	fclose(out);
	put_input("");
	canned_begin(calls);
	ck_assert_int_eq(canned_run("gdb --stdio --trace /dev/full image"),
			 EXIT_FAILED);
	ck_assert_str_eq(canned_err(), "pmuctl: /dev/full: No space left on "
				       "device\n");
}

TEST(a_machine_may_stay)
{
	static const struct canned calls[] = { { CREATE, MADE },
					       { "load", NULL, 3 },
					       { 0 } };

	put_input("");
	canned_begin(calls);
	ck_assert_int_eq(canned_run("gdb --stdio --detach image"), EXIT_USAGE);
	ck_assert_ptr_nonnull(strstr(canned_asked(), "'detach':true"));
}

SUITE("cli-gdb-serve", .setup = canned_samples_begin,
      .teardown = canned_samples_end);
