/* SPDX-License-Identifier: BSD-2-Clause */
/* pmuctl sbi call: what is asked, what is told, and what is refused before. */
#include "canned-answers.h"
#include "text/exit-codes.h"
#include "unit.h"

#define CALL(answer)                                                           \
	{                                                                      \
		{                                                              \
			"SbiService/CallSbi", answer, 0                        \
		}                                                              \
	}
#define ASKED(text) "SbiService/CallSbi {'machine':'m1'," text "}\n"

static const struct canned_row rows[] = {
	{ "sbi call -m m1 PMU.num_counters",
	  CALL("{'call_name':'PMU.num_counters','error_name':'SUCCESS','value':"
	       "35}"),
	  EXIT_OK, "PMU.num_counters: SUCCESS (0) value 0x23\n", "",
	  ASKED("'hart':0,'eid':'5262677','fid':'0','args':[]") },
	{ "sbi call -m m1 --hart 2 pmu.COUNTER_STOP 3 0x1f 0",
	  CALL("{'call_name':'PMU.counter_stop','error_name':'ALREADY_STOPPED',"
	       "'error':-8,'reason':'counter 3 is stopped already'}"),
	  EXIT_SBI_ERROR,
	  "PMU.counter_stop: ALREADY_STOPPED (-8) value 0: counter 3 is "
	  "stopped already\n",
	  "",
	  ASKED("'hart':2,'eid':'5262677','fid':'4','args':['3','31','0']") },
	/* legacy calls have an EID each */
	{ "sbi call -m m1 LEGACY.shutdown", CALL("{}"), EXIT_OK,
	  " (0) value 0\n", "",
	  ASKED("'hart':0,'eid':'8','fid':'0','args':[]") },
	{ "sbi call -m m1 0x9000000 7 1 2 3 4 5 6",
	  CALL("{'error_name':'NOT_SUPPORTED','error':-2}"), EXIT_SBI_ERROR,
	  "NOT_SUPPORTED (-2) value 0\n", "",
	  ASKED("'hart':0,'eid':'150994944','fid':'7','args':['1','2','3','4',"
		"'5','6']") },
	{ "sbi call -m m1 0x10 0 --json",
	  CALL("{'error_name':'SUCCESS','value':1}"), EXIT_OK,
	  "{\n"
	  "  \"error\": \"0\",\n"
	  "  \"value\": \"1\",\n"
	  "  \"errorName\": \"SUCCESS\",\n"
	  "  \"callName\": \"\",\n"
	  "  \"reason\": \"\"\n"
	  "}\n",
	  "", ASKED("'hart':0,'eid':'16','fid':'0','args':[]") },
	{ "sbi call -m m1 0x10 0",
	  { { "SbiService/CallSbi", NULL, 9 } },
	  EXIT_FAILED,
	  "",
	  "pmuctl: refused\n",
	  ASKED("'hart':0,'eid':'16','fid':'0','args':[]") },

	/* nothing is asked */
	{ "sbi call -m m1 PMU.num_counter",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: there is no SBI call 'PMU.num_counter'\n"
	  "pmuctl: did you mean 'PMU.num_counters'?\n",
	  "" },
	{ "sbi call -m m1 16",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: FID is missing\n",
	  "" },
	{ "sbi call -m m1 x 0",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: EID: 'x' is not a number\n",
	  "" },
	{ "sbi call -m m1 16 x",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: FID: 'x' is not a number\n",
	  "" },
	{ "sbi call -m m1 PMU.num_counters 1 x",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: ARG: 'x' is not a number\n",
	  "" },
	{ "sbi call -m m1 PMU.num_counters 1 2 3 4 5 6 7",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: ARG: must be at most 6, not 7\n",
	  "" },
	{ "sbi call -m m1 --hart 4294967296 16 0",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --hart: there is no hart 4294967296\n",
	  "" },
};

TEST_ROWS(a_call_is_made_and_its_answer_told, rows)
{
	canned_check(&rows[_i]);
}

/* Keys of --set that pmud refused, against its own list. */

#define SETTINGS                                                               \
	{                                                                      \
		"MachineService/ListSettings",                                 \
			"{'settings':[{'key':'quantum'},{'key':'sv'},"         \
			"{'key':'hpm-counters'}]}",                            \
			0                                                      \
	}
#define REFUSED(status)                                                        \
	{                                                                      \
		"MachineService/CreateMachine", NULL, status                   \
	}

static const struct set_row {
	const char *line;
	unsigned status;
	int code;
	const char *err;
} set_rows[] = {
	{ "machine create --set quantun=1", 3, EXIT_USAGE,
	  "pmuctl: refused\npmuctl: did you mean 'quantum'?\n" },
	{ "machine create --set hart1.hpm-counter=all", 3, EXIT_USAGE,
	  "pmuctl: refused\npmuctl: did you mean 'hpm-counters'?\n" },
	{ "machine create --set hart0-3.quantem=1 --set hpm-coutners=3", 3,
	  EXIT_USAGE,
	  "pmuctl: refused\npmuctl: did you mean 'quantum'?\n"
	  "pmuctl: did you mean 'hpm-counters'?\n" },
	/* a dot of the value parts no key; the key is known, so it is its value
	 */
	{ "machine create --set hartless=1.quantun", 3, EXIT_USAGE,
	  "pmuctl: refused\n" },
	{ "machine create --set quantum=x.quantun", 3, EXIT_USAGE,
	  "pmuctl: refused\n" },
	{ "machine create --set hart3.quantun=100000000", 3, EXIT_USAGE,
	  "pmuctl: refused\npmuctl: did you mean 'quantum'?\n" },
	{ "machine create --set hart3.quantum=100000000", 3, EXIT_USAGE,
	  "pmuctl: refused\n" },
	{ "machine create --set quantun=100000000", 3, EXIT_USAGE,
	  "pmuctl: refused\npmuctl: did you mean 'quantum'?\n" },
	{ "machine create --set harx.quantun=1", 3, EXIT_USAGE,
	  "pmuctl: refused\n" },
	/* only words that are no keys are looked at */
	{ "machine create --set quantun=1", 9, EXIT_FAILED,
	  "pmuctl: refused\n" },
};

TEST_ROWS(a_key_that_is_none_has_its_neighbour, set_rows)
{
	const struct set_row *row = &set_rows[_i];
	const struct canned list[] = { REFUSED(row->status), SETTINGS, { 0 } };

	canned_begin(list);
	ck_assert_int_eq(canned_run(row->line), row->code);
	ck_assert_str_eq(canned_err(), row->err);
	ck_assert_str_eq(canned_out(), "");
}

SUITE("cli-sbi");
