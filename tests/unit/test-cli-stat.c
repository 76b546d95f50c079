/* SPDX-License-Identifier: BSD-2-Clause */
/* Counting: which events of which harts and modes, and when. */
#include "canned-answers.h"
#include "text/exit-codes.h"
#include "unit.h"

#define EVENTS	 "EventService/ListEvents"
#define TOTALS	 "EventService/ReadTotals"
#define COUNTERS "EventService/ListCounters"
#define UNTIL	 "MachineService/RunUntil"
#define WATCH	 "MachineService/WatchMachine"
#define CATALOGUE                                                              \
	"{'events':[{'name':'cycles','alias':'SBI_PMU_HW_CPU_CYCLES','"        \
	"selector':1,'kind':1},{'name':'instructions','selector':2,'kind':1}," \
	"{'name':'loads','selector':1048576,'kind':1},{'name':'ref-cycles','"  \
	"selector':10,'kind':1,'settings':'ref-hz'},{'name':'fw_set_timer',"   \
	"'alias':'SBI_PMU_FW_SET_TIMER','selector':983045,'kind':2}]}"
#define COUNTED                                                                \
	"{'cycle':250,'clock_hz':1000,'totals':[{'hart':0,'event':'cycles','"  \
	"privilege':1,'value':10},{'hart':0,'event':'cycles','privilege':2,'"  \
	"value':200},{'hart':0,'event':'cycles','privilege':3,'value':3000},{" \
	"'hart':0,'event':'instructions','privilege':2,'value':7},{'hart':1,'" \
	"event':'cycles','privilege':2,'value':40000},{'hart':1,'event':'"     \
	"cycles','privilege':4,'value':500000},{'hart':1,'event':'"            \
	"instructions','privilege':2,'value':9},{'hart':1,'event':'fw_set_"    \
	"timer','value':5}]}"
#define LATER                                                                  \
	"{'cycle':1750,'clock_hz':1000,'totals':[{'hart':0,'event':'cycles','" \
	"privilege':1,'value':11},{'hart':0,'event':'cycles','privilege':2,'"  \
	"value':1200},{'hart':1,'event':'cycles','privilege':2,'value':50000}" \
	",{'hart':1,'event':'fw_set_timer','value':15}]}"
/* before all of these */
#define EARLIER                                                                \
	"{'cycle':150,'clock_hz':1000,'totals':[{'hart':0,'event':'cycles','"  \
	"privilege':2,'value':150},{'hart':1,'event':'cycles','privilege':4,'" \
	"value':500000},{'hart':1,'event':'fw_set_timer','value':2}]}"

static const struct canned_row rows[] = {
	/* what a machine has counted, without and with --event */
	{ "stat -m m1",
	  { { TOTALS, COUNTED },
	    { COUNTERS,
	      "{'counters':[{'hart':0,'index':0,'value':255,'event':'cycles','"
	      "config':16},{'hart':0,'index':3,'value':9223372036854775807,'"
	      "event':'loads','overflow':true,'mapped':true,'started':true},{'"
	      "hart':1,'index':4,'inhibited':true,'value':1},{'hart':1,'index':"
	      "5},{'hart':1,'index':6,'mapped':true}]}" } },
	  EXIT_OK,
	  "cycle 250, time 0\n"
	  "\n"
	  "HART EVENT         TOTAL  M     S    U     VS VU \n"
	  "   0 cycles         3210 10   200 3000      0  0 \n"
	  "   0 instructions      7  0     7    0      0  0 0.002 per cycle\n"
	  "   1 cycles       540000  0 40000    0 500000  0 \n"
	  "   1 instructions      9  0     9    0      0  0 0.000 per cycle\n"
	  "   1 fw_set_timer      5                         \n"
	  "\n"
	  "HART COUNTER              VALUE EVENT  STATE     OF CONFIG\n"
	  "   0       0               0xff cycles counting  -    0x10\n"
	  "   0       3 0x7fffffffffffffff loads  started   OF      0\n"
	  "   1       4                0x1 -      inhibited -       0\n"
	  "   1       6                  0 -      stopped   -       0\n",
	  "",
	  TOTALS " {'machine':'m1'}\n" COUNTERS " {'machine':'m1'}\n" },
	{ "stat -m m1 -j",
	  { { TOTALS, "{'cycle':5}" },
	    { COUNTERS, "{'counters':[{'hart':1}]}" } },
	  EXIT_OK,
	  "{\n"
	  "  \"cycle\": \"5\",\n"
	  "  \"time\": \"0\",\n"
	  "  \"totals\": [],\n"
	  "  \"clockHz\": \"0\",\n"
	  "  \"counters\": [\n"
	  "    {\n"
	  "      \"hart\": 1,\n"
	  "      \"index\": 0,\n"
	  "      \"firmware\": false,\n"
	  "      \"width\": 0,\n"
	  "      \"value\": \"0\",\n"
	  "      \"config\": \"0\",\n"
	  "      \"inhibited\": false,\n"
	  "      \"overflow\": false,\n"
	  "      \"event\": \"\",\n"
	  "      \"mapped\": false,\n"
	  "      \"started\": false,\n"
	  "      \"eventIdx\": 0,\n"
	  "      \"eventData\": \"0\"\n"
	  "    }\n"
	  "  ]\n"
	  "}\n",
	  "",
	  TOTALS " {'machine':'m1'}\n" COUNTERS " {'machine':'m1'}\n" },
	{ "stat -m m1",
	  { { TOTALS, NULL, 5 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: refused\n",
	  TOTALS " {'machine':'m1'}\n" },
	{ "stat -m m1",
	  { { TOTALS, COUNTED }, { COUNTERS, NULL, 5 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: refused\n",
	  TOTALS " {'machine':'m1'}\n" COUNTERS " {'machine':'m1'}\n" },
	{ "stat -m m1 --event cycles",
	  { { EVENTS, CATALOGUE }, { TOTALS, COUNTED } },
	  EXIT_OK,
	  "               COUNT  EVENT\n"
	  "              543210  cycles\n",
	  "",
	  EVENTS " {}\n" TOTALS " {'machine':'m1'}\n" TOTALS
		 " {'machine':'m1'}\n" },
	{ "stat -m m1 -e cycles:u,instructions -e r5",
	  { { EVENTS, CATALOGUE }, { TOTALS, COUNTED } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --event: 'r5' is no event; `pmuctl list' has them all\n",
	  EVENTS " {}\n" },
	{ "stat -m m1 -e cycles:u,SBI_PMU_FW_SET_TIMER -e r2:sm -e 0x1:k",
	  { { EVENTS, CATALOGUE }, { TOTALS, COUNTED } },
	  EXIT_OK,
	  "               COUNT  EVENT\n"
	  "                3000  cycles:u\n"
	  "                   5  fw_set_timer\n"
	  "                  16  instructions:sm\n"
	  "              540200  cycles:k\n",
	  "",
	  EVENTS " {}\n" TOTALS " {'machine':'m1'}\n" TOTALS
		 " {'machine':'m1'}\n" },
	{ "stat -m m1 -e cycles:mskuvG",
	  { { EVENTS, CATALOGUE }, { TOTALS, COUNTED } },
	  EXIT_OK,
	  "               COUNT  EVENT\n"
	  "              500000  cycles:mskuvG\n",
	  "",
	  EVENTS " {}\n" TOTALS " {'machine':'m1'}\n" TOTALS
		 " {'machine':'m1'}\n" },
	{ "stat -m m1 -e cycles:H -e cycles:v",
	  { { EVENTS, CATALOGUE }, { TOTALS, COUNTED } },
	  EXIT_OK,
	  "               COUNT  EVENT\n"
	  "               43210  cycles:H\n"
	  "              500000  cycles:v\n",
	  "",
	  EVENTS " {}\n" TOTALS " {'machine':'m1'}\n" TOTALS
		 " {'machine':'m1'}\n" },
	{ "stat -m m1 -e {cycles,instructions:u}:k,fw_set_timer -j",
	  { { EVENTS, CATALOGUE }, { TOTALS, COUNTED } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --event: ':k' leaves instructions:u no mode\n",
	  EVENTS " {}\n" },
	{ "stat -m m1 -e {cycles:us,instructions}:s,fw_set_timer -j",
	  { { EVENTS, CATALOGUE }, { TOTALS, COUNTED } },
	  EXIT_OK,
	  "{\"time\": \"0.250000000\", \"event\": \"cycles:uss\", \"count\": "
	  "\"540200\", \"group\": 1}\n"
	  "{\"time\": \"0.250000000\", \"event\": \"instructions:s\", "
	  "\"count\": \"16\", \"group\": 1}\n"
	  "{\"time\": \"0.250000000\", \"event\": \"fw_set_timer\", \"count\": "
	  "\"5\"}\n",
	  "",
	  EVENTS " {}\n" TOTALS " {'machine':'m1'}\n" TOTALS
		 " {'machine':'m1'}\n" },
	/* harts and modes by themselves */
	{ "stat -m m1 -e cycles --per-hart --per-mode",
	  { { EVENTS, CATALOGUE }, { TOTALS, COUNTED } },
	  EXIT_OK,
	  "HART MODE                COUNT  EVENT\n"
	  "   0    M                   10  cycles\n"
	  "   0    S                  200  cycles\n"
	  "   0    U                 3000  cycles\n"
	  "   1    S                40000  cycles\n"
	  "   1   VS               500000  cycles\n",
	  "",
	  EVENTS " {}\n" TOTALS " {'machine':'m1'}\n" TOTALS
		 " {'machine':'m1'}\n" },
	{ "stat -m m1 -e cycles,fw_set_timer --hart 1 --per-mode",
	  { { EVENTS, CATALOGUE }, { TOTALS, COUNTED } },
	  EXIT_OK,
	  "MODE                COUNT  EVENT\n"
	  "   S                40000  cycles\n"
	  "  VS               500000  cycles\n"
	  "   -                    5  fw_set_timer\n",
	  "",
	  EVENTS " {}\n" TOTALS " {'machine':'m1'}\n" TOTALS
		 " {'machine':'m1'}\n" },
	{ "stat -m m1 -e cycles:s --per-hart -x ;",
	  { { EVENTS, CATALOGUE }, { TOTALS, COUNTED } },
	  EXIT_OK,
	  "0;200;;cycles:s\n"
	  "1;540000;;cycles:s\n",
	  "",
	  EVENTS " {}\n" TOTALS " {'machine':'m1'}\n" TOTALS
		 " {'machine':'m1'}\n" },
	{ "stat -m m1 -e cycles:s --per-hart --per-mode -x ,",
	  { { EVENTS, CATALOGUE }, { TOTALS, COUNTED } },
	  EXIT_OK,
	  "0,S,200,,cycles:s\n"
	  "1,S,40000,,cycles:s\n"
	  "1,VS,500000,,cycles:s\n",
	  "",
	  EVENTS " {}\n" TOTALS " {'machine':'m1'}\n" TOTALS
		 " {'machine':'m1'}\n" },
	{ "stat -m m1 -e cycles --per-hart --per-mode -j",
	  { { EVENTS, CATALOGUE }, { TOTALS, COUNTED } },
	  EXIT_OK,
	  "{\"time\": \"0.250000000\", \"hart\": 0, \"privilege\": \"M\", "
	  "\"event\": \"cycles\", \"count\": \"10\"}\n"
	  "{\"time\": \"0.250000000\", \"hart\": 0, \"privilege\": \"S\", "
	  "\"event\": \"cycles\", \"count\": \"200\"}\n"
	  "{\"time\": \"0.250000000\", \"hart\": 0, \"privilege\": \"U\", "
	  "\"event\": \"cycles\", \"count\": \"3000\"}\n"
	  "{\"time\": \"0.250000000\", \"hart\": 1, \"privilege\": \"S\", "
	  "\"event\": \"cycles\", \"count\": \"40000\"}\n"
	  "{\"time\": \"0.250000000\", \"hart\": 1, \"privilege\": \"VS\", "
	  "\"event\": \"cycles\", \"count\": \"500000\"}\n",
	  "",
	  EVENTS " {}\n" TOTALS " {'machine':'m1'}\n" TOTALS
		 " {'machine':'m1'}\n" },
	{ "stat -m m1 --hart 0",
	  { { EVENTS, CATALOGUE }, { TOTALS, COUNTED } },
	  EXIT_OK,
	  "               COUNT  EVENT\n"
	  "                3210  cycles\n"
	  "                   7  instructions\n",
	  "",
	  EVENTS " {}\n" TOTALS " {'machine':'m1'}\n" TOTALS
		 " {'machine':'m1'}\n" },
	{ "stat -m m1 --hart 2 -e cycles",
	  { { EVENTS, CATALOGUE }, { TOTALS, COUNTED } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: --hart: there is no hart 2\n",
	  EVENTS " {}\n" TOTALS " {'machine':'m1'}\n" },
	{ "stat -m m1 -e loads",
	  { { EVENTS, CATALOGUE }, { TOTALS, COUNTED } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --event: this machine does not count loads\n",
	  EVENTS " {}\n" TOTALS " {'machine':'m1'}\n" },
	{ "stat -m m1 -e ref-cycles",
	  { { EVENTS, CATALOGUE }, { TOTALS, COUNTED } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --event: this machine does not count ref-cycles "
	  "(settings ref-hz)\n",
	  EVENTS " {}\n" TOTALS " {'machine':'m1'}\n" },
	/* what --event may not say */
	{ "stat -m m1 -e cycle",
	  { { EVENTS, CATALOGUE } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --event: 'cycle' is no event; `pmuctl list' has them all\n"
	  "pmuctl: did you mean 'cycles'?\n",
	  EVENTS " {}\n" },
	{ "stat -m m1 -e cycles:x",
	  { { EVENTS, CATALOGUE } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --event: 'x' is no mode; there are m, s or k, u, and v (G), "
	  "H\n",
	  EVENTS " {}\n" },
	{ "stat -m m1 -e cycles:",
	  { { EVENTS, CATALOGUE } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --event: ':' chooses no mode\n",
	  EVENTS " {}\n" },
	{ "stat -m m1 -e cycles:vH",
	  { { EVENTS, CATALOGUE } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --event: ':vH' chooses no mode\n",
	  EVENTS " {}\n" },
	{ "stat -m m1 -e cycles:mv",
	  { { EVENTS, CATALOGUE } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --event: ':mv' chooses no mode\n",
	  EVENTS " {}\n" },
	{ "stat -m m1 -e fw_set_timer:u",
	  { { EVENTS, CATALOGUE } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --event: fw_set_timer is the firmware's and has no modes\n",
	  EVENTS " {}\n" },
	{ "stat -m m1 -e {cycles,loads",
	  { { EVENTS, CATALOGUE } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --event: '{cycles,loads' has no '}'\n",
	  EVENTS " {}\n" },
	{ "stat -m m1 -e {cycles}loads",
	  { { EVENTS, CATALOGUE } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --event: 'loads' must be parted by ',' from what is "
	  "before\n",
	  EVENTS " {}\n" },
	{ "stat -m m1 -e {cycles}:vH",
	  { { EVENTS, CATALOGUE } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --event: ':vH' chooses no mode\n",
	  EVENTS " {}\n" },
	{ "stat -m m1 -e cycles,",
	  { { EVENTS, CATALOGUE } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --event: '' is no event; `pmuctl list' has them all\n",
	  EVENTS " {}\n" },
	{ "stat -m m1 -e "
	  "a-name-that-is-far-too-long-to-be-that-of-any-event-there-ever-was-"
	  "in-it-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	  { { EVENTS, CATALOGUE } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --event: a name longer than 71 bytes\n",
	  EVENTS " {}\n" },
	{ "stat -m m1 -e cycles",
	  { { EVENTS, NULL, 7 } },
	  EXIT_DENIED,
	  "",
	  "pmuctl: refused\n",
	  EVENTS " {}\n" },
	{ "stat",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: stat needs either --machine or -- run IMAGE\n",
	  "" },
	{ "stat -m m1 run",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: stat needs either --machine or -- run IMAGE\n",
	  "" },
	/* intervals of the machine's time */
	{ "stat -m m1 -e cycles,fw_set_timer -I 1s",
	  { { EVENTS, CATALOGUE },
	    { TOTALS, EARLIER },
	    { TOTALS, COUNTED },
	    { TOTALS, LATER },
	    { UNTIL, "{}" },
	    { WATCH, "{'machine':{'state':3,'cycle':1000}}" },
	    { WATCH, "{'machine':{'state':5,'cycle':2000}}" } },
	  EXIT_OK,
	  "           TIME                COUNT  EVENT\n"
	  "    0.250000000                43060  cycles\n"
	  "    0.250000000                    3  fw_set_timer\n"
	  "    1.750000000 18446744073709059617  cycles\n"
	  "    1.750000000                   10  fw_set_timer\n",
	  "",
	  EVENTS " {}\n" TOTALS " {'machine':'m1'}\n" UNTIL
		 " {'machine':'m1','cycle':'1000'}\n" WATCH
		 " {'machine':'m1'}\n" TOTALS " {'machine':'m1'}\n" UNTIL
		 " {'machine':'m1','cycle':'1000'}\n" WATCH
		 " {'machine':'m1'}\n" TOTALS " {'machine':'m1'}\n" },
	{ "stat -m m1 -e cycles -I 500ms -j",
	  { { EVENTS, CATALOGUE },
	    { TOTALS, EARLIER },
	    { TOTALS, COUNTED },
	    { UNTIL, "{}" },
	    { WATCH, "{'machine':{'state':3,'cycle':499}}" } },
	  EXIT_OK,
	  "{\"time\": \"0.250000000\", \"event\": \"cycles\", \"count\": "
	  "\"43060\"}\n",
	  "",
	  EVENTS " {}\n" TOTALS " {'machine':'m1'}\n" UNTIL
		 " {'machine':'m1','cycle':'500'}\n" WATCH
		 " {'machine':'m1'}\n" TOTALS " {'machine':'m1'}\n" },
	{ "stat -m m1 -e cycles -I 300c -x :",
	  { { EVENTS, CATALOGUE },
	    { TOTALS, EARLIER },
	    { TOTALS, COUNTED },
	    { UNTIL, "{}" },
	    { WATCH, "{'machine':{'state':3,'cycle':299}}" } },
	  EXIT_OK,
	  "0.250000000:43060::cycles\n",
	  "",
	  EVENTS " {}\n" TOTALS " {'machine':'m1'}\n" UNTIL
		 " {'machine':'m1','cycle':'300'}\n" WATCH
		 " {'machine':'m1'}\n" TOTALS " {'machine':'m1'}\n" },
	{ "stat -m m1 -e cycles -I 1ns",
	  { { EVENTS, CATALOGUE }, { TOTALS, COUNTED }, { UNTIL, NULL, 9 } },
	  EXIT_FAILED,
	  "",
	  "pmuctl: refused\n",
	  EVENTS " {}\n" TOTALS " {'machine':'m1'}\n" UNTIL
		 " {'machine':'m1','cycle':'251'}\n" },
	{ "stat -m m1 -I 1us",
	  { { EVENTS, CATALOGUE },
	    { TOTALS, COUNTED },
	    { UNTIL, "{}" },
	    { WATCH, NULL, 14 } },
	  EXIT_FAILED,
	  "",
	  "pmuctl: refused\n",
	  EVENTS " {}\n" TOTALS " {'machine':'m1'}\n" UNTIL
		 " {'machine':'m1','cycle':'251'}\n" WATCH
		 " {'machine':'m1'}\n" },
	{ "stat -m m1 -I 0s",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --interval: '0s' is not a time such as 10ms, 500us, 2s or, "
	  "in cycles, 1000c\n",
	  "" },
	{ "stat -m m1 -I 10",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --interval: '10' is not a time such as 10ms, 500us, 2s or, "
	  "in cycles, 1000c\n",
	  "" },
	{ "stat -m m1 -I 10h",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --interval: '10h' is not a time such as 10ms, 500us, 2s or, "
	  "in cycles, 1000c\n",
	  "" },
	{ "stat -m m1 -I 18446744073709551615s",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --interval: '18446744073709551615s' is not a time such as "
	  "10ms, 500us, 2s or, in cycles, 1000c\n",
	  "" },
};

TEST_ROWS(what_was_counted_is_printed, rows)
{
	canned_check(&rows[_i]);
}

SUITE("cli-stat");
