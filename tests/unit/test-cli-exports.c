/* SPDX-License-Identifier: BSD-2-Clause */
/* A trace as text for other tools: stacks, JSON, Chrome's, callgrind's. */
#include "canned-answers.h"
#include "canned-samples.h"
#include "text/exit-codes.h"
#include "unit.h"

static const struct canned_row rows[] = {
	/* stacks */
	{ "trace export samples --format folded --symbols map",
	  { { 0 } },
	  EXIT_OK,
	  "cycles;S;main;main;work 3\n"
	  "cycles;S;main;work 3\n"
	  "loads;U satp 0x8000000000000004;[unknown] 1\n"
	  "instructions;S;kernel 1\n",
	  "",
	  "" },
	{ "trace export samples --format folded --symbols map --hart 1",
	  { { 0 } },
	  EXIT_OK,
	  "cycles;S;main;work 3\n",
	  "",
	  "" },
	{ "trace export samples --format folded",
	  { { 0 } },
	  EXIT_OK,
	  "cycles;S;[unknown];[unknown] 3\n"
	  "cycles;S;[unknown];[unknown];[unknown] 3\n"
	  "loads;U satp 0x8000000000000004;[unknown] 1\n"
	  "instructions;S;[unknown] 1\n",
	  "",
	  "" },
	{ "trace export empty --format folded",
	  { { 0 } },
	  EXIT_OK,
	  "",
	  "",
	  "" },
	{ "trace export processes --format folded --symbols map",
	  { { 0 } },
	  EXIT_OK,
	  "cycles (sample);S swap 0;work 1\n"
	  "cycles (sample);U sh 7;[unknown] 1\n"
	  "cycles (sample);S sh 7;work 1\n"
	  "cycles (sample);U a?? b 7;[unknown] 1\n"
	  "cycles;U a?? b 7;[unknown] 1\n"
	  "cycles (sample);S;work 1\n"
	  "cycles (sample);S 0123456789abcdef0123456789abcde 9;work 2\n",
	  "",
	  "" },
	{ "trace export processes --format folded --symbols map --no-processes",
	  { { 0 } },
	  EXIT_OK,
	  "cycles (sample);S;work 5\n"
	  "cycles (sample);U satp 0x8000000000000004;[unknown] 2\n"
	  "cycles;U satp 0x8000000000000004;[unknown] 1\n",
	  "",
	  "" },
	/* each record */
	{ "trace export samples --format json --kind trap,sbi",
	  { { 0 } },
	  EXIT_OK,
	  "",
	  "",
	  "" },
	{ "trace export samples --format json --symbols map --kind sample "
	  "--limit 1",
	  { { 0 } },
	  EXIT_OK,
	  "{\"event\":\"cycles\",\"sampler\":0,\"periods\":\"1\",\"summed\":"
	  "false,\"hart\":0,\"record\":\"0\",\"insn\":\"900\",\"cycle\":"
	  "\"1000\",\"ns\":\"1000\",\"mode\":\"S\",\"pc\":\"0x80200040\","
	  "\"nextPc\":\"0x80200044\",\"function\":\"work\",\"offset\":0}\n",
	  "",
	  "" },
	{ "trace export processes --format json --limit 2",
	  { { 0 } },
	  EXIT_OK,
	  "{\"event\":\"cycles\",\"sampler\":0,\"periods\":\"1\",\"summed\":"
	  "false,\"hart\":0,\"record\":\"0\",\"insn\":\"0\",\"cycle\":\"1000\","
	  "\"ns\":\"1000\",\"mode\":\"S\",\"pid\":0,\"tid\":0,\"comm\":"
	  "\"swap\",\"pc\":\"0x80200040\",\"nextPc\":\"0x80200044\","
	  "\"function\":\"[unknown]\"}\n"
	  "{\"event\":\"cycles\",\"sampler\":0,\"periods\":\"1\",\"summed\":"
	  "false,\"hart\":0,\"record\":\"1\",\"insn\":\"0\",\"cycle\":\"1500\","
	  "\"ns\":\"1500\",\"mode\":\"U\",\"satp\":\"0x8000000000000004\","
	  "\"pid\":7,\"tid\":7,\"comm\":\"sh\",\"pc\":\"0x10000\","
	  "\"nextPc\":\"0x10004\",\"function\":\"[unknown]\"}\n",
	  "",
	  "" },
	{ "trace export mapped --format json --first-cycle 1500 --last-cycle "
	  "2000",
	  { { 0 } },
	  EXIT_OK,
	  "{\"event\":\"cycles\",\"sampler\":0,\"periods\":\"1\",\"summed\":"
	  "false,\"hart\":0,\"record\":\"1\",\"insn\":\"0\",\"cycle\":\"1500\","
	  "\"ns\":\"1500\",\"mode\":\"U\",\"pid\":7,\"tid\":7,\"comm\":\"sh\","
	  "\"pc\":\"0x30004\",\"nextPc\":\"0x30004\",\"object\":"
	  "\"/bin/prog\",\"objectOffset\":\"0x1004\","
	  "\"function\":\"[unknown]\"}\n"
	  "{\"event\":\"cycles\",\"sampler\":0,\"periods\":\"1\",\"summed\":"
	  "false,\"hart\":0,\"record\":\"2\",\"insn\":\"0\",\"cycle\":\"2000\","
	  "\"ns\":\"2000\",\"mode\":\"U\",\"pid\":7,\"tid\":7,\"comm\":\"sh\","
	  "\"pc\":\"0x50000\",\"nextPc\":\"0x50000\","
	  "\"function\":\"[unknown]\"}\n",
	  "",
	  "" },
	/* what tracing tools read */
	{ "trace export processes --format chrome --limit 1",
	  { { 0 } },
	  EXIT_OK,
	  "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
	  "{\"ph\":\"M\",\"pid\":1,\"tid\":0,\"ts\":1.000,\"name\":\"thread_"
	  "name\",\"args\":{\"name\":\"hart 0\"}},\n"
	  "{\"ph\":\"i\",\"pid\":1,\"tid\":0,\"ts\":1.000,\"s\":\"t\",\"cat\":"
	  "\"sample\",\"name\":\"cycles\",\"args\":{\"periods\":\"1\","
	  "\"space\":\"S swap 0\",\"pid\":0,\"tid\":0,\"comm\":\"swap\","
	  "\"pc\":\"0x80200040\",\"function\":\"[unknown]\"}},\n"
	  "{\"ph\":\"C\",\"pid\":1,\"tid\":0,\"ts\":1.000,\"id\":\"sample\","
	  "\"name\":\"cycles\",\"args\":{\"samples\":1}}\n"
	  "]}\n",
	  "",
	  "" },
	{ "trace export processes --format callgrind --first-cycle 2000 "
	  "--last-cycle 2000",
	  { { 0 } },
	  EXIT_OK,
	  "# callgrind format\n"
	  "version: 1\n"
	  "creator: pmuctl " PMUD_VERSION "\n"
	  "# costs are samples\n"
	  "positions: instr line\n"
	  "events: cycles\n"
	  "summary: 1\n"
	  "\n"
	  "ob=U a;? b 7\n"
	  "fl=???\n"
	  "fn=[unknown]\n"
	  "0x10000 0 1\n",
	  "",
	  "" },
	{ "trace export samples --format chrome --symbols map",
	  { { 0 } },
	  EXIT_OK,
	  "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
	  "{\"ph\":\"M\",\"pid\":1,\"tid\":0,\"ts\":1.000,\"name\":\"thread_"
	  "name\",\"args\":{\"name\":\"hart 0\"}},\n"
	  "{\"ph\":\"i\",\"pid\":1,\"tid\":0,\"ts\":1.000,\"s\":\"t\",\"cat\":"
	  "\"sample\",\"name\":\"cycles\",\"args\":{\"periods\":\"1\","
	  "\"space\":\"S\",\"pc\":\"0x80200040\",\"function\":\"work\"}},\n"
	  "{\"ph\":\"C\",\"pid\":1,\"tid\":0,\"ts\":1.000,\"id\":\"sample\","
	  "\"name\":\"cycles\",\"args\":{\"samples\":1}},\n"
	  "{\"ph\":\"M\",\"pid\":1,\"tid\":1,\"ts\":1.500,\"name\":\"thread_"
	  "name\",\"args\":{\"name\":\"hart 1\"}},\n"
	  "{\"ph\":\"i\",\"pid\":1,\"tid\":1,\"ts\":1.500,\"s\":\"t\",\"cat\":"
	  "\"sample\",\"name\":\"cycles\",\"args\":{\"periods\":\"3\","
	  "\"space\":\"S\",\"pc\":\"0x80200044\",\"function\":\"work\"}},\n"
	  "{\"ph\":\"C\",\"pid\":1,\"tid\":1,\"ts\":1.500,\"id\":\"sample\","
	  "\"name\":\"cycles\",\"args\":{\"samples\":4}},\n"
	  "{\"ph\":\"i\",\"pid\":1,\"tid\":0,\"ts\":2.250,\"s\":\"t\",\"cat\":"
	  "\"sample\",\"name\":\"loads\",\"args\":{\"periods\":\"1\",\"space\":"
	  "\"U satp "
	  "0x8000000000000004\",\"pc\":\"0x10000\",\"function\":\"[unknown]\"}}"
	  ",\n"
	  "{\"ph\":\"C\",\"pid\":1,\"tid\":0,\"ts\":2.250,\"id\":\"sample\","
	  "\"name\":\"loads\",\"args\":{\"samples\":1}},\n"
	  "{\"ph\":\"i\",\"pid\":1,\"tid\":0,\"ts\":2.500,\"s\":\"t\",\"cat\":"
	  "\"overflow\",\"name\":\"instructions\",\"args\":{\"counter\":3,"
	  "\"space\":\"S\",\"pc\":\"0xffffffff80000004\",\"function\":"
	  "\"kernel\"}},\n"
	  "{\"ph\":\"C\",\"pid\":1,\"tid\":0,\"ts\":2.500,\"id\":\"overflow\","
	  "\"name\":\"instructions\",\"args\":{\"overflows\":1}},\n"
	  "{\"ph\":\"i\",\"pid\":1,\"tid\":0,\"ts\":2.600,\"s\":\"t\",\"cat\":"
	  "\"trap\",\"name\":\"load page "
	  "fault\",\"args\":{\"mode\":\"S\",\"pc\":\"0x80200000\"}},\n"
	  "{\"ph\":\"i\",\"pid\":1,\"tid\":0,\"ts\":2.700,\"s\":\"t\",\"cat\":"
	  "\"sbi\",\"name\":\"0x50414d.3\",\"args\":{\"mode\":\"S\",\"pc\":"
	  "\"0x80200008\"}},\n"
	  "{\"ph\":\"i\",\"pid\":1,\"tid\":1,\"ts\":2.800,\"s\":\"t\",\"cat\":"
	  "\"console\",\"name\":\"console\",\"args\":{\"mode\":\"S\",\"pc\":"
	  "\"0x80200008\"}},\n"
	  "{\"ph\":\"i\",\"pid\":1,\"tid\":1,\"ts\":2.900,\"s\":\"t\",\"cat\":"
	  "\"hart\",\"name\":\"waiting\",\"args\":{\"mode\":\"S\",\"pc\":"
	  "\"0x80200008\"}},\n"
	  "{\"ph\":\"B\",\"pid\":1,\"tid\":1,\"ts\":2.900,\"cat\":\"hart\","
	  "\"name\":\"waiting\"},\n"
	  "{\"ph\":\"i\",\"pid\":1,\"tid\":1,\"ts\":3.000,\"s\":\"t\",\"cat\":"
	  "\"absent\",\"name\":\"absent\",\"args\":{\"mode\":\"S\",\"pc\":"
	  "\"0x80200008\"}},\n"
	  "{\"ph\":\"i\",\"pid\":1,\"tid\":0,\"ts\":3.100,\"s\":\"t\",\"cat\":"
	  "\"reset\",\"name\":\"reset\",\"args\":{\"mode\":\"S\",\"pc\":"
	  "\"0x80200008\"}},\n"
	  "{\"ph\":\"E\",\"pid\":1,\"tid\":1,\"ts\":3.100,\"cat\":\"hart\","
	  "\"name\":\"waiting\"},\n"
	  "{\"ph\":\"i\",\"pid\":1,\"tid\":0,\"ts\":3.200,\"s\":\"t\",\"cat\":"
	  "\"ebb\",\"name\":\"ebb\",\"args\":{\"mode\":\"S\",\"pc\":"
	  "\"0x80200008\"}},\n"
	  "{\"ph\":\"i\",\"pid\":1,\"tid\":0,\"ts\":4.000,\"s\":\"t\",\"cat\":"
	  "\"sample\",\"name\":\"cycles\",\"args\":{\"periods\":\"2\","
	  "\"space\":\"S\",\"pc\":\"0x80200040\",\"function\":\"work\"}},\n"
	  "{\"ph\":\"C\",\"pid\":1,\"tid\":0,\"ts\":4.000,\"id\":\"sample\","
	  "\"name\":\"cycles\",\"args\":{\"samples\":6}},\n"
	  "{\"ph\":\"i\",\"pid\":1,\"tid\":0,\"ts\":4.100,\"s\":\"t\",\"cat\":"
	  "\"stop\",\"name\":\"stop\",\"args\":{\"mode\":\"S\",\"pc\":"
	  "\"0x80200044\"}}\n"
	  "]}\n",
	  "",
	  "" },
	{ "trace export empty --format chrome",
	  { { 0 } },
	  EXIT_OK,
	  "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
	  "{\"ph\":\"M\",\"pid\":1,\"tid\":0,\"ts\":4.100,\"name\":\"thread_"
	  "name\",\"args\":{\"name\":\"hart 0\"}},\n"
	  "{\"ph\":\"i\",\"pid\":1,\"tid\":0,\"ts\":4.100,\"s\":\"t\",\"cat\":"
	  "\"stop\",\"name\":\"stop\",\"args\":{\"mode\":\"S\",\"pc\":\"0x0\"}}"
	  "\n"
	  "]}\n",
	  "",
	  "" },
	{ "trace export samples --format cpuprofile --symbols map",
	  { { 0 } },
	  EXIT_OK,
	  "{\"nodes\":[{\"id\":1,\"hitCount\":0,\"callFrame\":{\"scriptId\":"
	  "\"0\",\"columnNumber\":-1,\"functionName\":\"(root)\",\"url\":\"\","
	  "\"lineNumber\":-1},\"children\":[2,8,11]},\n"
	  "{\"id\":2,\"hitCount\":0,\"callFrame\":{\"scriptId\":\"0\","
	  "\"columnNumber\":-1,\"functionName\":\"cycles\",\"url\":\"\","
	  "\"lineNumber\":-1},\"children\":[3]},\n"
	  "{\"id\":3,\"hitCount\":0,\"callFrame\":{\"scriptId\":\"0\","
	  "\"columnNumber\":-1,\"functionName\":\"S\",\"url\":\"\","
	  "\"lineNumber\":-1},\"children\":[4]},\n"
	  "{\"id\":4,\"hitCount\":0,\"callFrame\":{\"scriptId\":\"0\","
	  "\"columnNumber\":-1,\"functionName\":\"main\",\"url\":\"\","
	  "\"lineNumber\":-1},\"positionTicks\":[],\"children\":[5,7]},\n"
	  "{\"id\":5,\"hitCount\":0,\"callFrame\":{\"scriptId\":\"0\","
	  "\"columnNumber\":-1,\"functionName\":\"main\",\"url\":\"\","
	  "\"lineNumber\":-1},\"positionTicks\":[],\"children\":[6]},\n"
	  "{\"id\":6,\"hitCount\":3,\"callFrame\":{\"scriptId\":\"0\","
	  "\"columnNumber\":-1,\"functionName\":\"work\",\"url\":\"\","
	  "\"lineNumber\":-1},\"positionTicks\":[]},\n"
	  "{\"id\":7,\"hitCount\":3,\"callFrame\":{\"scriptId\":\"0\","
	  "\"columnNumber\":-1,\"functionName\":\"work\",\"url\":\"\","
	  "\"lineNumber\":-1},\"positionTicks\":[]},\n"
	  "{\"id\":8,\"hitCount\":0,\"callFrame\":{\"scriptId\":\"0\","
	  "\"columnNumber\":-1,\"functionName\":\"loads\",\"url\":\"\","
	  "\"lineNumber\":-1},\"children\":[9]},\n"
	  "{\"id\":9,\"hitCount\":0,\"callFrame\":{\"scriptId\":\"0\","
	  "\"columnNumber\":-1,\"functionName\":\"U satp "
	  "0x8000000000000004\",\"url\":\"\",\"lineNumber\":-1},\"children\":["
	  "10]},\n"
	  "{\"id\":10,\"hitCount\":1,\"callFrame\":{\"scriptId\":\"0\","
	  "\"columnNumber\":-1,\"functionName\":\"[unknown]\",\"url\":\"\","
	  "\"lineNumber\":-1},\"positionTicks\":[]},\n"
	  "{\"id\":11,\"hitCount\":0,\"callFrame\":{\"scriptId\":\"0\","
	  "\"columnNumber\":-1,\"functionName\":\"instructions\",\"url\":\"\","
	  "\"lineNumber\":-1},\"children\":[12]},\n"
	  "{\"id\":12,\"hitCount\":0,\"callFrame\":{\"scriptId\":\"0\","
	  "\"columnNumber\":-1,\"functionName\":\"S\",\"url\":\"\","
	  "\"lineNumber\":-1},\"children\":[13]},\n"
	  "{\"id\":13,\"hitCount\":1,\"callFrame\":{\"scriptId\":\"0\","
	  "\"columnNumber\":-1,\"functionName\":\"kernel\",\"url\":\"\","
	  "\"lineNumber\":-1},\"positionTicks\":[]}],\n"
	  "\"startTime\":1,\"endTime\":4,\n"
	  "\"samples\":[6,7,10,13,6],\n"
	  "\"timeDeltas\":[0,0,1,0,2]}\n",
	  "",
	  "" },
	{ "trace export empty --format cpuprofile",
	  { { 0 } },
	  EXIT_OK,
	  "{\"nodes\":[{\"id\":1,\"hitCount\":0,\"callFrame\":{\"scriptId\":"
	  "\"0\",\"columnNumber\":-1,\"functionName\":\"(root)\",\"url\":\"\","
	  "\"lineNumber\":-1},\"children\":[]}],\n"
	  "\"startTime\":0,\"endTime\":0,\n"
	  "\"samples\":[],\n"
	  "\"timeDeltas\":[]}\n",
	  "",
	  "" },
	{ "trace export samples --format callgrind --symbols map",
	  { { 0 } },
	  EXIT_OK,
	  "# callgrind format\n"
	  "version: 1\n"
	  "creator: pmuctl " PMUD_VERSION "\n"
	  "# costs are samples\n"
	  "positions: instr line\n"
	  "events: cycles loads instructions\n"
	  "summary: 6 1 1\n"
	  "\n"
	  "ob=S\n"
	  "fl=???\n"
	  "fn=work\n"
	  "0x80200040 0 3\n"
	  "0x80200044 0 3\n"
	  "\n"
	  "ob=U satp 0x8000000000000004\n"
	  "fl=???\n"
	  "fn=[unknown]\n"
	  "0x10000 0 0 1\n"
	  "\n"
	  "ob=S\n"
	  "fl=???\n"
	  "fn=kernel\n"
	  "0xffffffff80000004 0 0 0 1\n",
	  "",
	  "" },
	{ "trace export empty --format callgrind",
	  { { 0 } },
	  EXIT_OK,
	  "# callgrind format\n"
	  "version: 1\n"
	  "creator: pmuctl " PMUD_VERSION "\n"
	  "# costs are all that happened\n"
	  "positions: instr line\n"
	  "events: none\n"
	  "summary:\n",
	  "",
	  "" },
	/* what cannot be */
	{ "trace export samples",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --format is needed, one of folded, json, chrome, "
	  "cpuprofile, callgrind, pprof, ctf, perf, html\n",
	  "" },
	{ "trace export samples --format flamegraph",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --format: 'flamegraph' is none of folded, json, chrome, "
	  "cpuprofile, callgrind, pprof, ctf, perf, html\n",
	  "" },
	{ "trace export samples --format ctf",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --format ctf is a folder: give --output\n",
	  "" },
	{ "trace export none --format folded",
	  { { 0 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: none: No such file or directory\n",
	  "" },
	{ "trace export - --format html",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --format html reads the trace more than once: it must be a "
	  "file\n",
	  "" },
	{ "trace export samples --format folded --symbols none",
	  { { 0 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: none: No such file or directory\n",
	  "" },
	{ "trace export samples --format folded --kind nothing",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --kind: there is no kind 'nothing', but overflow, sample, "
	  "trap, sbi, csr, delivery, console, input, hart, ebb, reset, absent "
	  "and stop\n",
	  "" },
	/* folders that are there */
	{ "trace export samples --format ctf -o map",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --output: map exists and is not an empty folder\n",
	  "" },
	{ "trace export samples --format folded -o samples",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --output: samples is the same file as FILE samples\n",
	  "" },
	{ "trace export samples --format ctf -o .",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --output: . exists and is not an empty folder\n",
	  "" },
	/* samples, a line each */
	{ "script samples --symbols map",
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
	  "        4000    0    S 0x0000000080200044 work+0                 -  "
	  "                sample cycles period 100 times 2 from "
	  "main+0x4,main+0xc chain bottom\n",
	  "",
	  "" },
	{ "script empty",
	  { { 0 } },
	  EXIT_OK,
	  "       CYCLE HART PRIV PC         WHAT\n",
	  "pmuctl: empty has no samples\n",
	  "" },
	{ "script none",
	  { { 0 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: none: No such file or directory\n",
	  "" },
};

TEST_ROWS(a_trace_is_exported, rows)
{
	canned_check(&rows[_i]);
}

SUITE("cli-exports", .setup = canned_samples_begin,
      .teardown = canned_samples_end);
