/* SPDX-License-Identifier: BSD-2-Clause */
/* `run --explain`: its points, the order in which they are run to, its end. */
#include <string.h>

#include "canned-answers.h"
#include "cmd/args.h"
#include "cmd/run-explain.h"
#include "session/pmud.h"
#include "text/exit-codes.h"
#include "unit.h"

static struct args args;
static struct pmud *pmud;

static void setup(void)
{
	args_init(&args);
	args.arg[0] = (char *)"/nowhere/image";
	PREPARING(ck_assert_int_eq(pmud_open(&pmud, &args, false), EXIT_OK));
}

static void teardown(void)
{
	pmud_close(pmud);
}

static void take_list(struct args_list *list, const char *const *items)
{
	for (; *items; items++)
		list->item[list->n++] = *items;
}

#define NOT_A_POINT(text)                                                      \
	"pmuctl: --at: '" text "' is not a point of a run: insn:N, cycle:N, "  \
	"pc:ADDRESS, a symbol of the image, or end\n"
#define NO_IMAGE "pmuctl: --at: /nowhere/image: No such file or directory\n"

static const struct parse_row {
	const char *explain[3], *at[3];
	int code;
	bool made;
	const char *err;
} parse_rows[] = {
	{ { NULL }, { NULL }, EXIT_OK, false, "" },
	{ { NULL },
	  { "end" },
	  EXIT_USAGE,
	  false,
	  "pmuctl: --at needs --explain\n" },
	{ { "3", "1:4" }, { NULL }, EXIT_OK, true, "" },
	{ { "3" }, { "insn:100", "cycle:0x10" }, EXIT_OK, true, "" },
	{ { "3" }, { "pc:0x1000", "end" }, EXIT_OK, true, "" },
	{ { "x" },
	  { NULL },
	  EXIT_USAGE,
	  false,
	  "pmuctl: 'x' is not HART:COUNTER, as in 0:3\n" },
	{ { "3", ":3" },
	  { NULL },
	  EXIT_USAGE,
	  false,
	  "pmuctl: ':3' is not HART:COUNTER, as in 0:3\n" },
	{ { "3" }, { "insn:x" }, EXIT_USAGE, false, NOT_A_POINT("insn:x") },
	{ { "3" }, { "cycle:" }, EXIT_USAGE, false, NOT_A_POINT("cycle:") },
	{ { "3" }, { "end", "100" }, EXIT_USAGE, false, NOT_A_POINT("100") },
	/* names are those of the image */
	{ { "3" }, { "main" }, EXIT_USAGE, false, NO_IMAGE },
	{ { "3" }, { "pc:main+4" }, EXIT_USAGE, false, NO_IMAGE },
};

TEST_ROWS(counters_and_points_are_read, parse_rows)
{
	const struct parse_row *row = &parse_rows[_i];
	struct run_explain *x = NULL;
	int code;

	take_list(&args.explain, row->explain);
	take_list(&args.at, row->at);
	canned_capture();
	code = run_explain_new(&x, &args);
	canned_release();
	ck_assert_str_eq(canned_err(), row->err);
	ck_assert_int_eq(code, row->code);
	ck_assert_int_eq(x != NULL, row->made);
	run_explain_free(x);
}

#define EXPLAIN "EventService/ExplainCounter"
#define GET	"MachineService/GetMachine"
#define UNTIL	"MachineService/RunUntil"
#define RESUME	"MachineService/ResumeMachine"
#define IT_IS	"{'summary':'it counts'}"
#define AT_POINT                                                               \
	{                                                                      \
		GET, "{'machine':{'state':3,'cause':13,'cycle':10}}", 0        \
	}
#define AT_END                                                                 \
	{                                                                      \
		GET, "{'machine':{'state':5,'cause':1,'cycle':99}}", 0         \
	}
#define FACTS "it counts\n\n"
#define ASKS(hart, index)                                                      \
	EXPLAIN " {'machine':'m1','hart':" #hart ",'index':" #index "}\n"
#define ASKS_STATE GET " {'machine':'m1'}\n"
#define GOES_ON	   RESUME " {'machine':'m1'}\n"

enum {
	PRECONDITION = 9 /* a status of gRPC */
};

static const struct run_row {
	const char *explain[3], *at[4];
	bool json;
	unsigned pauses;
	struct canned calls[8];
	int code;
	const char *out, *err, *asked;
} run_rows[] = {
	/* without a point: at the end */
	{ { "3", "1:4" },
	  { NULL },
	  false,
	  0,
	  { { EXPLAIN, IT_IS }, { RESUME, "{}" }, AT_END },
	  EXIT_OK,
	  "\nat end, cycle 99:\n" FACTS "\nat end, cycle 99:\n" FACTS,
	  "",
	  ASKS(0, 3) ASKS(1, 4) GOES_ON ASKS_STATE ASKS(0, 3) ASKS(1, 4) },
	/* the end is behind all other points, which keep their order */
	{ { "3" },
	  { "end", "insn:7", "cycle:8" },
	  false,
	  2,
	  { { EXPLAIN, IT_IS },
	    { UNTIL, "{}" },
	    AT_POINT,
	    AT_POINT,
	    { RESUME, "{}" },
	    AT_END },
	  EXIT_OK,
	  "\nat insn:7, cycle 10:\n" FACTS "\nat cycle:8, cycle 10:\n" FACTS
	  "\nat end, cycle 99:\n" FACTS,
	  "",
	  ASKS(0, 3) UNTIL
	  " {'machine':'m1','insn':'7'}\n" ASKS_STATE ASKS(0, 3) UNTIL
	  " {'machine':'m1','cycle':'8'}\n" ASKS_STATE ASKS(0, 3)
		  GOES_ON ASKS_STATE ASKS(0, 3) },
	/* what was not reached says it */
	{ { "3" },
	  { "pc:0x1000" },
	  false,
	  0,
	  { { EXPLAIN, IT_IS }, { UNTIL, "{}" }, AT_END },
	  EXIT_OK,
	  "\nat pc:0x1000, cycle 99 (it was not reached):\n" FACTS,
	  "",
	  ASKS(0, 3) UNTIL
	  " {'machine':'m1','pc':'4096'}\n" ASKS_STATE ASKS(0, 3) },
	/* a pause of somebody else is no point */
	{ { "3" },
	  { "insn:7" },
	  false,
	  1,
	  { { EXPLAIN, IT_IS },
	    { UNTIL, "{}" },
	    { GET, "{'machine':{'state':3,'cause':10,'cycle':5}}" },
	    AT_END },
	  EXIT_OK,
	  "\nat insn:7, cycle 99 (it was not reached):\n" FACTS,
	  "",
	  ASKS(0, 3) UNTIL
	  " {'machine':'m1','insn':'7'}\n" ASKS_STATE ASKS_STATE ASKS(0, 3) },
	/* and nor is one that is over */
	{ { "3" },
	  { "insn:7" },
	  false,
	  1,
	  { { EXPLAIN, IT_IS },
	    { UNTIL, "{}" },
	    { GET, "{'machine':{'state':2,'cause':13,'cycle':5}}" },
	    AT_END },
	  EXIT_OK,
	  "\nat insn:7, cycle 99 (it was not reached):\n" FACTS,
	  "",
	  ASKS(0, 3) UNTIL
	  " {'machine':'m1','insn':'7'}\n" ASKS_STATE ASKS_STATE ASKS(0, 3) },
	/* of a crash nothing is asked */
	{ { "3" },
	  { "insn:7", "end" },
	  false,
	  0,
	  { { EXPLAIN, IT_IS },
	    { UNTIL, "{}" },
	    { GET, "{'machine':{'state':6}}" } },
	  EXIT_OK,
	  "",
	  "",
	  ASKS(0, 3) UNTIL " {'machine':'m1','insn':'7'}\n" ASKS_STATE },
	/* a counter that is refused ends it, and is told once */
	{ { "3" },
	  { NULL },
	  false,
	  0,
	  { { EXPLAIN, NULL, PRECONDITION }, AT_END },
	  EXIT_FAILED,
	  "",
	  "pmuctl: refused\n",
	  ASKS(0, 3) },
	/* also at a point */
	{ { "3" },
	  { "insn:7" },
	  false,
	  1,
	  { { EXPLAIN, IT_IS },
	    { EXPLAIN, NULL, PRECONDITION },
	    { UNTIL, "{}" },
	    AT_POINT },
	  EXIT_FAILED,
	  "",
	  "pmuctl: refused\n",
	  ASKS(0, 3) UNTIL
	  " {'machine':'m1','insn':'7'}\n" ASKS_STATE ASKS(0, 3) },
	/* of which others follow */
	{ { "3" },
	  { "insn:7", "insn:8", "end" },
	  false,
	  1,
	  { { EXPLAIN, IT_IS },
	    { EXPLAIN, NULL, PRECONDITION },
	    { EXPLAIN, NULL, PRECONDITION },
	    { UNTIL, "{}" },
	    AT_POINT,
	    AT_END },
	  EXIT_FAILED,
	  "",
	  "pmuctl: refused\n",
	  ASKS(0, 3) UNTIL
	  " {'machine':'m1','insn':'7'}\n" ASKS_STATE ASKS(0, 3) },
	/* and of what else is asked there */
	{ { "3" },
	  { "insn:7", "end" },
	  false,
	  1,
	  { { EXPLAIN, IT_IS },
	    { UNTIL, "{}" },
	    { GET, NULL, PRECONDITION },
	    { GET, NULL, PRECONDITION } },
	  EXIT_FAILED,
	  "",
	  "pmuctl: refused\n",
	  ASKS(0, 3) UNTIL " {'machine':'m1','insn':'7'}\n" ASKS_STATE },
	{ { "3" },
	  { "end" },
	  true,
	  0,
	  { { EXPLAIN, IT_IS }, { RESUME, "{}" }, AT_END },
	  EXIT_OK,
	  "{\n  \"counts\": false,\n  \"summary\": \"it counts\",\n"
	  "  \"facts\": [],\n  \"at\": \"end\",\n  \"cycle\": \"99\"\n}\n",
	  "",
	  ASKS(0, 3) GOES_ON ASKS_STATE ASKS(0, 3) },
};

TEST_ROWS(a_run_is_explained_at_its_points, run_rows)
{
	const struct run_row *row = &run_rows[_i];
	struct run_explain *x = NULL;
	int code, end;

	take_list(&args.explain, row->explain);
	take_list(&args.at, row->at);
	args.json = row->json;
	canned_begin(row->calls);
	ck_assert_int_eq(run_explain_new(&x, &args), EXIT_OK);
	canned_capture();
	code = run_explain_begin(x, pmud, "m1", stdout);
	for (unsigned i = 0; i < row->pauses && !code; i++)
		code = run_explain_paused(x);
	end = run_explain_end(x);
	canned_release();
	run_explain_free(x);
	ck_assert_str_eq(canned_err(), row->err);
	ck_assert_str_eq(canned_asked(), row->asked);
	ck_assert_str_eq(canned_out(), row->out);
	ck_assert_int_eq(code ? code : end, row->code);
}

SUITE("cli-run-explain", .setup = setup, .teardown = teardown);
