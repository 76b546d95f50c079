/* SPDX-License-Identifier: BSD-2-Clause */
/* Where samples fell: functions, instructions, records. */
#include "canned-answers.h"
#include "canned-samples.h"
#include "text/exit-codes.h"
#include "unit.h"

static const struct canned_row rows[] = {
	{ "report samples --symbols map",
	  { { 0 } },
	  EXIT_OK,
	  "EVENT  PERCENT SAMPLES FUNCTION\n"
	  "cycles  100.00       6 work\n"
	  "loads   100.00       1 0x10000\n",
	  "",
	  "" },
	{ "report samples",
	  { { 0 } },
	  EXIT_OK,
	  "EVENT  PERCENT SAMPLES FUNCTION\n"
	  "cycles   50.00       3 0x80200040\n"
	  "cycles   50.00       3 0x80200044\n"
	  "loads   100.00       1 0x10000\n",
	  "",
	  "" },
	{ "report samples -j --symbols map",
	  { { 0 } },
	  EXIT_OK,
	  "{\n"
	  "  \"functions\": [\n"
	  "    {\n"
	  "      \"event\": \"cycles\",\n"
	  "      \"percent\": 100.0,\n"
	  "      \"samples\": \"6\",\n"
	  "      \"function\": \"work\"\n"
	  "    },\n"
	  "    {\n"
	  "      \"event\": \"loads\",\n"
	  "      \"percent\": 100.0,\n"
	  "      \"samples\": \"1\",\n"
	  "      \"function\": \"0x10000\"\n"
	  "    }\n"
	  "  ]\n"
	  "}\n",
	  "",
	  "" },
	{ "report empty",
	  { { 0 } },
	  EXIT_OK,
	  "",
	  "pmuctl: empty has no samples\n",
	  "" },
	{ "report samples --symbols map --filter privilege==U",
	  { { 0 } },
	  EXIT_OK,
	  "EVENT PERCENT SAMPLES FUNCTION\n"
	  "loads  100.00       1 0x10000\n",
	  "",
	  "" },
	{ "diff samples samples --symbols map",
	  { { 0 } },
	  EXIT_OK,
	  "EVENT  BEFORE  AFTER CHANGE SAMPLES FUNCTION\n"
	  "cycles 100.00 100.00   0.00       0 work\n"
	  "loads  100.00 100.00   0.00       0 0x10000\n",
	  "",
	  "" },
	{ "diff samples empty --symbols map",
	  { { 0 } },
	  EXIT_OK,
	  "EVENT  BEFORE AFTER  CHANGE SAMPLES FUNCTION\n"
	  "cycles 100.00  0.00 -100.00      -6 work\n"
	  "loads  100.00  0.00 -100.00      -1 0x10000\n",
	  "pmuctl: empty has no samples\n",
	  "" },
	{ "diff samples empty --symbols map -j",
	  { { 0 } },
	  EXIT_OK,
	  "{\n"
	  "  \"functions\": [\n"
	  "    {\n"
	  "      \"event\": \"cycles\",\n"
	  "      \"before\": 100.0,\n"
	  "      \"after\": 0.0,\n"
	  "      \"change\": -100.0,\n"
	  "      \"samples\": \"-6\",\n"
	  "      \"function\": \"work\"\n"
	  "    },\n"
	  "    {\n"
	  "      \"event\": \"loads\",\n"
	  "      \"before\": 100.0,\n"
	  "      \"after\": 0.0,\n"
	  "      \"change\": -100.0,\n"
	  "      \"samples\": \"-1\",\n"
	  "      \"function\": \"0x10000\"\n"
	  "    }\n"
	  "  ]\n"
	  "}\n",
	  "pmuctl: empty has no samples\n",
	  "" },
	{ "diff samples none",
	  { { 0 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: none: No such file or directory\n",
	  "" },
	{ "annotate samples",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: annotate needs --symbols, --guest-symbols, --user-symbols "
	  "or --sysroot: the "
	  "file that ran\n",
	  "" },
	{ "annotate samples --symbols map",
	  { { 0 } },
	  EXIT_OK,
	  "cycles: work, 6 of 6 samples (100.00%), map\n"
	  " PERCENT    SAMPLES  ADDRESS            INSTRUCTION\n"
	  "   50.00          3  0x80200040         -\n"
	  "   50.00          3  0x80200044         -\n"
	  "\n"
	  "loads: [unknown], 1 of 1 samples (100.00%)\n"
	  " PERCENT    SAMPLES  ADDRESS            INSTRUCTION\n"
	  "  100.00          1  0x10000            -\n",
	  "pmuctl: map is a list of symbols: it has no instructions and no "
	  "source, as the ELF file has\n",
	  "" },
	{ "trace summary samples --symbols map",
	  { { 0 } },
	  EXIT_OK,
	  "KIND     RECORDS\n"
	  "sample         4\n"
	  "overflow       1\n"
	  "trap           1\n"
	  "sbi            1\n"
	  "console        1\n"
	  "hart           1\n"
	  "absent         1\n"
	  "reset          1\n"
	  "ebb            1\n"
	  "stop           1\n"
	  "\n"
	  "HART COUNTER EVENT        FUNCTION OVERFLOWS PERCENT\n"
	  "   0       3 instructions kernel           1   100.0\n"
	  "\n"
	  "SATP               RECORDS OVERFLOWS\n"
	  "0x8000000000000004       1         0\n",
	  "",
	  "" },
	{ "trace summary samples -j",
	  { { 0 } },
	  EXIT_OK,
	  "{\n"
	  "  \"kinds\": [\n"
	  "    {\n"
	  "      \"kind\": \"sample\",\n"
	  "      \"records\": \"4\"\n"
	  "    },\n"
	  "    {\n"
	  "      \"kind\": \"overflow\",\n"
	  "      \"records\": \"1\"\n"
	  "    },\n"
	  "    {\n"
	  "      \"kind\": \"trap\",\n"
	  "      \"records\": \"1\"\n"
	  "    },\n"
	  "    {\n"
	  "      \"kind\": \"sbi\",\n"
	  "      \"records\": \"1\"\n"
	  "    },\n"
	  "    {\n"
	  "      \"kind\": \"console\",\n"
	  "      \"records\": \"1\"\n"
	  "    },\n"
	  "    {\n"
	  "      \"kind\": \"hart\",\n"
	  "      \"records\": \"1\"\n"
	  "    },\n"
	  "    {\n"
	  "      \"kind\": \"absent\",\n"
	  "      \"records\": \"1\"\n"
	  "    },\n"
	  "    {\n"
	  "      \"kind\": \"reset\",\n"
	  "      \"records\": \"1\"\n"
	  "    },\n"
	  "    {\n"
	  "      \"kind\": \"ebb\",\n"
	  "      \"records\": \"1\"\n"
	  "    },\n"
	  "    {\n"
	  "      \"kind\": \"stop\",\n"
	  "      \"records\": \"1\"\n"
	  "    }\n"
	  "  ],\n"
	  "  \"overflows\": [\n"
	  "    {\n"
	  "      \"hart\": 0,\n"
	  "      \"counter\": 3,\n"
	  "      \"event\": \"instructions\",\n"
	  "      \"function\": \"0xffffffff80000004\",\n"
	  "      \"overflows\": \"1\",\n"
	  "      \"percent\": 100.0\n"
	  "    }\n"
	  "  ],\n"
	  "  \"spaces\": [\n"
	  "    {\n"
	  "      \"satp\": \"0x8000000000000004\",\n"
	  "      \"records\": \"1\",\n"
	  "      \"overflows\": \"0\"\n"
	  "    }\n"
	  "  ]\n"
	  "}\n",
	  "",
	  "" },
	{ "trace show samples --symbols map",
	  { { 0 } },
	  EXIT_OK,
	  "       CYCLE HART PRIV PC                 FUNCTION               "
	  "SOURCE             WHAT\n"
	  "        1000    0    S 0x0000000080200044 work+0                 -  "
	  "                sample cycles period 100 from main+0x4,main+0xc "
	  "chain bottom\n"
	  "        1500    1    S 0x0000000080200048 work+0x4               -  "
	  "                sample cycles period 100 times 3 from main+0x4 "
	  "chain bad-frame\n"
	  "        2250    0    U 0x0000000000010004 -                      -  "
	  "                sample loads period 50\n"
	  "        2500    0    S 0xffffffff80000008 kernel+0x4             -  "
	  "                overflow counter 3 instructions last "
	  "0xffffffff80000004 raised value 0x5\n"
	  "        2600    0    S 0x0000000080200000 main+0                 -  "
	  "                trap 13 (load page fault) tval 0x1000 to S at "
	  "0x80200040\n"
	  "        2700    0    S 0x0000000080200008 main+0x8               -  "
	  "                sbi 0x50414d.3(0x1, 0x2, 0x3, 0x4, 0x5, 0x6) = "
	  "INVALID_PARAM, 0x9: no such counter\n"
	  "        2800    1    S 0x0000000080200008 main+0x8               -  "
	  "                console \"hi \\\"\\\\\\n\"\n"
	  "        2900    1    S 0x0000000080200008 main+0x8               -  "
	  "                hart waiting\n"
	  "        3000    1    S 0x0000000080200008 main+0x8               -  "
	  "                absent uart@10000000 at 0x10000000, 0x100 bytes\n"
	  "        3100    0    S 0x0000000080200008 main+0x8               -  "
	  "                reset warm\n"
	  "        3200    0    S 0x0000000080200008 main+0x8               -  "
	  "                ebb session 2 told of counters 0x8, held since "
	  "cycle 3150\n"
	  "        4000    0    S 0x0000000080200044 work+0                 -  "
	  "                sample cycles period 100 times 2 from "
	  "main+0x4,main+0xc chain bottom\n"
	  "        4100    0    S 0x0000000080200044 work+0x4               -  "
	  "                stop finisher-fail, exit code 7\n",
	  "",
	  "" },
	{ "trace show samples -j --kind absent,reset,ebb",
	  { { 0 } },
	  EXIT_OK,
	  "{\"insn\":\"2005\",\"cycle\":\"3000\",\"hart\":1,\"privilege\":"
	  "\"PRIVILEGE_S\",\"pc\":\"2149580808\",\"absent\":{\"address\":"
	  "\"268435456\",\"size\":\"256\",\"node\":\"uart@10000000\"},\"satp\":"
	  "\"0\"}\n"
	  "{\"insn\":\"2006\",\"cycle\":\"3100\",\"hart\":0,\"privilege\":"
	  "\"PRIVILEGE_S\",\"pc\":\"2149580808\",\"reset\":{\"kind\":\"KIND_"
	  "WARM\"},\"satp\":\"0\"}\n"
	  "{\"insn\":\"2007\",\"cycle\":\"3200\",\"hart\":0,\"privilege\":"
	  "\"PRIVILEGE_S\",\"pc\":\"2149580808\",\"ebbDelivery\":{\"session\":"
	  "2,\"counters\":8,\"cycle\":\"3150\"},\"satp\":\"0\"}\n",
	  "",
	  "" },
	{ "report none",
	  { { 0 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: none: No such file or directory\n",
	  "" },
	{ "report samples --filter hart==1",
	  { { 0 } },
	  EXIT_OK,
	  "EVENT  PERCENT SAMPLES FUNCTION\n"
	  "cycles  100.00       3 0x80200044\n",
	  "",
	  "" },
	{ "report samples --filter hart",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --filter: ==, !=, <, <=, > or >= is wanted at 'the end' of "
	  "'hart'\n",
	  "" },
	{ "diff empty samples",
	  { { 0 } },
	  EXIT_OK,
	  "EVENT  BEFORE  AFTER CHANGE SAMPLES FUNCTION\n"
	  "cycles   0.00  50.00  50.00       3 0x80200040\n"
	  "cycles   0.00  50.00  50.00       3 0x80200044\n"
	  "loads    0.00 100.00 100.00       1 0x10000\n",
	  "pmuctl: empty has no samples\n",
	  "" },
	{ "annotate samples --symbols map -j",
	  { { 0 } },
	  EXIT_OK,
	  "{\n"
	  "  \"functions\": [\n"
	  "    {\n"
	  "      \"event\": \"cycles\",\n"
	  "      \"function\": \"work\",\n"
	  "      \"file\": \"map\",\n"
	  "      \"samples\": \"6\",\n"
	  "      \"percent\": 100.0,\n"
	  "      \"instructions\": [\n"
	  "        {\n"
	  "          \"address\": \"0x80200040\",\n"
	  "          \"text\": null,\n"
	  "          \"samples\": \"3\",\n"
	  "          \"percent\": 50.0\n"
	  "        },\n"
	  "        {\n"
	  "          \"address\": \"0x80200044\",\n"
	  "          \"text\": null,\n"
	  "          \"samples\": \"3\",\n"
	  "          \"percent\": 50.0\n"
	  "        }\n"
	  "      ]\n"
	  "    },\n"
	  "    {\n"
	  "      \"event\": \"loads\",\n"
	  "      \"function\": null,\n"
	  "      \"file\": null,\n"
	  "      \"samples\": \"1\",\n"
	  "      \"percent\": 100.0,\n"
	  "      \"instructions\": [\n"
	  "        {\n"
	  "          \"address\": \"0x10000\",\n"
	  "          \"text\": null,\n"
	  "          \"samples\": \"1\",\n"
	  "          \"percent\": 100.0\n"
	  "        }\n"
	  "      ]\n"
	  "    }\n"
	  "  ]\n"
	  "}\n",
	  "pmuctl: map is a list of symbols: it has no instructions and no "
	  "source, as the ELF file has\n",
	  "" },
	{ "annotate samples --symbols map --function none",
	  { { 0 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: map is a list of symbols: it has no instructions and no "
	  "source, as the ELF file has\n"
	  "pmuctl: --function: no sample is in 'none'\n",
	  "" },
	{ "annotate none --symbols map",
	  { { 0 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: none: No such file or directory\n",
	  "" },
	{ "trace summary samples --hart 1 --symbols map",
	  { { 0 } },
	  EXIT_OK,
	  "KIND    RECORDS\n"
	  "sample        1\n"
	  "console       1\n"
	  "hart          1\n"
	  "absent        1\n"
	  "\n",
	  "",
	  "" },
	{ "trace show samples --range 0x80200040-0x80200043 --symbols map "
	  "--no-headings",
	  { { 0 } },
	  EXIT_OK,
	  "        1000    0    S 0x0000000080200044 work+0                 -  "
	  "                sample cycles period 100 from main+0x4,main+0xc "
	  "chain bottom\n"
	  "        4000    0    S 0x0000000080200044 work+0                 -  "
	  "                sample cycles period 100 times 2 from "
	  "main+0x4,main+0xc chain bottom\n",
	  "",
	  "" },
	{ "trace show samples --function work --symbols map --kind sample "
	  "--no-headings",
	  { { 0 } },
	  EXIT_OK,
	  "        1000    0    S 0x0000000080200044 work+0                 -  "
	  "                sample cycles period 100 from main+0x4,main+0xc "
	  "chain bottom\n"
	  "        1500    1    S 0x0000000080200048 work+0x4               -  "
	  "                sample cycles period 100 times 3 from main+0x4 "
	  "chain bad-frame\n"
	  "        4000    0    S 0x0000000080200044 work+0                 -  "
	  "                sample cycles period 100 times 2 from "
	  "main+0x4,main+0xc chain bottom\n",
	  "",
	  "" },
	{ "trace show samples --function none --symbols map",
	  { { 0 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: --function: 'none' is nowhere in map\n",
	  "" },
	{ "trace show samples --function work",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --function needs --symbols or --guest-symbols\n",
	  "" },
	{ "trace show samples --first-cycle 2600 --last-cycle 2800 "
	  "--no-headings",
	  { { 0 } },
	  EXIT_OK,
	  "        2600    0    S 0x0000000080200000 trap 13 (load page fault) "
	  "tval 0x1000 to S at 0x80200040\n"
	  "        2700    0    S 0x0000000080200008 sbi 0x50414d.3(0x1, 0x2, "
	  "0x3, 0x4, 0x5, 0x6) = INVALID_PARAM, 0x9: no such counter\n"
	  "        2800    1    S 0x0000000080200008 console \"hi "
	  "\\\"\\\\\\n\"\n",
	  "",
	  "" },
	{ "trace show samples --first-record 11 --limit 1 --no-headings",
	  { { 0 } },
	  EXIT_OK,
	  "        4000    0    S 0x0000000080200044 sample cycles period 100 "
	  "times 2 from 0x80200004,0x8020000c chain bottom\n",
	  "",
	  "" },
	{ "trace show samples --kind console,hart --hart 1 --no-headings",
	  { { 0 } },
	  EXIT_OK,
	  "        2800    1    S 0x0000000080200008 console \"hi "
	  "\\\"\\\\\\n\"\n"
	  "        2900    1    S 0x0000000080200008 hart waiting\n",
	  "",
	  "" },
	{ "trace show samples --hart 2",
	  { { 0 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: --hart: there is no hart 2, the trace is of 2\n",
	  "" },
	{ "trace summary samples --hart 7",
	  { { 0 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: --hart: there is no hart 7, the trace is of 2\n",
	  "" },
	{ "trace export samples --format json --hart 2",
	  { { 0 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: --hart: there is no hart 2, the trace is of 2\n",
	  "" },
	{ "trace show samples --counter 3 --kind overflow --no-headings",
	  { { 0 } },
	  EXIT_OK,
	  "        2500    0    S 0xffffffff80000008 overflow counter 3 "
	  "instructions last 0xffffffff80000004 raised value 0x5\n",
	  "",
	  "" },
};

TEST_ROWS(samples_are_told, rows)
{
	canned_check(&rows[_i]);
}

#define OF_THIRDS(times)                                                       \
	"{'privilege':3,'pc':8,'sample':{'event':'cycles','periods':" times    \
	",'last_pc':4}}"
#define OTHERS(times)                                                          \
	"{'privilege':3,'pc':8,'sample':{'event':'cycles','periods':" times    \
	",'last_pc':0}}"

/* What a column says is what it has, and no more than what is counted on. */
TEST(percents_are_hundredths)
{
	static const char *const one[] = { OF_THIRDS("1"), OTHERS("2"), NULL };
	static const char *const two[] = { OF_THIRDS("2"), OTHERS("1"), NULL };
	static const struct canned none = { 0 };

	canned_trace("one", "{'version':1,'xlen':64}", one);
	canned_trace("two", "{'version':1,'xlen':64}", two);
	canned_begin(&none);
	ck_assert_int_eq(canned_run("diff one two --no-headings"), EXIT_OK);
	ck_assert_ptr_nonnull(strstr(canned_out(), "33.33 66.67  33.34 "));
	ck_assert_ptr_nonnull(strstr(canned_out(), "66.67 33.33 -33.34 "));
	ck_assert_int_eq(canned_run("report one -j"), EXIT_OK);
	ck_assert_ptr_nonnull(strstr(canned_out(), "\"percent\": 66.67,"));
	ck_assert_ptr_nonnull(strstr(canned_out(), "\"percent\": 33.33,"));
}

SUITE("cli-report", .setup = canned_samples_begin,
      .teardown = canned_samples_end);
