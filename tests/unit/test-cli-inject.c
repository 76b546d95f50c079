/* SPDX-License-Identifier: BSD-2-Clause */
/* Events as if they had happened. */
#include "canned-answers.h"
#include "text/exit-codes.h"
#include "unit.h"

#define EVENTS	   "EventService/ListEvents"
#define INJECT	   "EventService/InjectEvents"
#define INJECTIONS "EventService/ListInjections"
#define CANCEL	   "EventService/CancelInjection"
#define FIND	   "SymbolService/FindSymbol"
#define CATALOGUE                                                              \
	"{'events':[{'name':'cycles','selector':1,'kind':1},{'name':'loads','" \
	"selector':1048576,'kind':1},{'name':'fw_set_timer','selector':"       \
	"983045,'kind':2}]}"

static const struct canned_row rows[] = {
	/* at once */
	{ "inject -m m1 -e loads",
	  { { EVENTS, CATALOGUE },
	    { INJECT, "{'injection':{'hart':0,'event':'loads','count':1}}" } },
	  EXIT_OK,
	  "1 loads on hart 0, done\n",
	  "",
	  EVENTS " {}\n" INJECT " {'machine':'m1','hart':0,'event':'loads','"
		 "count':'1','repeat':false}\n" },
	{ "inject -m m1 -e loads",
	  { { EVENTS, CATALOGUE },
	    { INJECT, "{'injection':{'event':'l\xc2\x9b','count':1}}" } },
	  EXIT_OK,
	  "1 l?? on hart 0, done\n",
	  "",
	  EVENTS " {}\n" INJECT " {'machine':'m1','hart':0,'event':'loads','"
		 "count':'1','repeat':false}\n" },
	{ "inject -m m1 -e loads -n 12 --hart 3 -j",
	  { { EVENTS, CATALOGUE },
	    { INJECT, "{'injection':{'hart':3,'event':'loads','count':12}}" } },
	  EXIT_OK,
	  "{\n"
	  "  \"injection\": {\n"
	  "    \"number\": 0,\n"
	  "    \"hart\": 3,\n"
	  "    \"event\": \"loads\",\n"
	  "    \"count\": \"12\",\n"
	  "    \"repeat\": false,\n"
	  "    \"times\": \"0\"\n"
	  "  },\n"
	  "  \"noCodeNow\": false\n"
	  "}\n",
	  "",
	  EVENTS " {}\n" INJECT " {'machine':'m1','hart':3,'event':'loads','"
		 "count':'12','repeat':false}\n" },
	/* behind an instruction */
	{ "inject -m m1 -e loads --at-insn 500",
	  { { EVENTS, CATALOGUE },
	    { INJECT, "{'injection':{'number':7,'hart':0,'event':'loads','"
		      "count':2,'insn':500}}" } },
	  EXIT_OK,
	  "7: 2 loads on hart 0 behind instruction 500\n",
	  "",
	  EVENTS " {}\n" INJECT " {'machine':'m1','hart':0,'event':'loads','"
		 "count':'1','insn':'500','repeat':false}\n" },
	{ "inject -m m1 -e loads --at-insn 500 --repeat",
	  { { EVENTS, CATALOGUE },
	    { INJECT, "{'injection':{'number':7,'hart':0,'event':'loads','"
		      "count':2,'insn':500,'repeat':true}}" } },
	  EXIT_OK,
	  "7: 2 loads on hart 0 behind each multiple of instruction 500\n",
	  "",
	  EVENTS " {}\n" INJECT " {'machine':'m1','hart':0,'event':'loads','"
		 "count':'1','insn':'500','repeat':true}\n" },
	{ "inject -m m1 -e loads --at-pc 0x1000",
	  { { EVENTS, CATALOGUE },
	    { INJECT, "{'injection':{'number':7,'hart':1,'event':'loads','"
		      "count':2,'pc':4096}}" } },
	  EXIT_OK,
	  "7: 2 loads on hart 1 behind 0x1000\n",
	  "",
	  EVENTS " {}\n" INJECT " {'machine':'m1','hart':0,'event':'loads','"
		 "count':'1','pc':'4096','repeat':false}\n" },
	{ "inject -m m1 -e loads --at-pc main+4 --repeat",
	  { { EVENTS, CATALOGUE },
	    { FIND, "{'address':4096}" },
	    { INJECT,
	      "{'injection':{'number':8,'hart':1,'event':'loads','count':2,'pc'"
	      ":4100,'repeat':true},'no_code_now':true}" } },
	  EXIT_OK,
	  "8: 2 loads on hart 1 behind 0x1004, each time\n",
	  "pmuctl: hart 1 could execute nothing at 0x1004 now; the injection "
	  "waits until it does\n",
	  EVENTS " {}\n" FIND
		 " {'machine':'m1','name':'main','part':'main'}\n" INJECT
		 " {'machine':'m1','hart':0,'event':'loads','count':'1','pc':'"
		 "4100','repeat':true}\n" },
	{ "inject -m m1 -e loads --at-pc none",
	  { { EVENTS, CATALOGUE }, { FIND, NULL, 5 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: refused\n",
	  EVENTS " {}\n" FIND
		 " {'machine':'m1','name':'none','part':'none'}\n" },
	/* what cannot be */
	{ "inject -m m1",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: inject needs --event\n",
	  "" },
	{ "inject -m m1 -e loads,cycles",
	  { { EVENTS, CATALOGUE } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --event: one event is injected at a time\n",
	  EVENTS " {}\n" },
	{ "inject -m m1 -e fw_set_timer",
	  { { EVENTS, CATALOGUE } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --event: fw_set_timer is the firmware's, which counts what "
	  "it does; only harts' events are injected\n",
	  EVENTS " {}\n" },
	{ "inject -m m1 -e cycles:u",
	  { { EVENTS, CATALOGUE } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --event: events happen in the privilege that the hart is "
	  "in; no modifier can say another\n",
	  EVENTS " {}\n" },
	{ "inject -m m1 -e cycles --repeat",
	  { { EVENTS, CATALOGUE } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --repeat needs --at-insn or --at-pc\n",
	  EVENTS " {}\n" },
	{ "inject -m m1 -e cycles --at-insn 1 --at-pc 2",
	  { { EVENTS, CATALOGUE } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --at-insn and --at-pc exclude each other\n",
	  EVENTS " {}\n" },
	{ "inject -m m1 -e cycles --hart 4294967296",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --hart: there is no hart 4294967296\n",
	  "" },
	{ "inject -m m1 -e cycles",
	  { { EVENTS, CATALOGUE }, { INJECT, NULL, 3 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: refused\n",
	  EVENTS " {}\n" INJECT " {'machine':'m1','hart':0,'event':'cycles','"
		 "count':'1','repeat':false}\n" },
	{ "inject -m m1 -e cycles",
	  { { EVENTS, NULL, 5 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: refused\n",
	  EVENTS " {}\n" },
	/* what waits, and waits no more */
	{ "inject list -m m1",
	  { { INJECTIONS,
	      "{'injections':[{'number':7,'hart':1,'event':'loads','count':2,'"
	      "pc':4096,'repeat':true,'times':4},{'number':18,'event':'cycles',"
	      "'count':300,'insn':500}]}" } },
	  EXIT_OK,
	  "NUMBER HART COUNT EVENT  BEHIND          REPEAT TIMES\n"
	  "     7    1     2 loads  0x1000          yes    4\n"
	  "    18    0   300 cycles instruction 500 no     0\n",
	  "",
	  INJECTIONS " {'machine':'m1'}\n" },
	{ "inject list -m m1 -j",
	  { { INJECTIONS, "{'injections':[{'number':7,'event':'loads','count':"
			  "2,'insn':9}]}" } },
	  EXIT_OK,
	  "{\n"
	  "  \"injections\": [\n"
	  "    {\n"
	  "      \"number\": 7,\n"
	  "      \"hart\": 0,\n"
	  "      \"event\": \"loads\",\n"
	  "      \"count\": \"2\",\n"
	  "      \"insn\": \"9\",\n"
	  "      \"repeat\": false,\n"
	  "      \"times\": \"0\"\n"
	  "    }\n"
	  "  ]\n"
	  "}\n",
	  "",
	  INJECTIONS " {'machine':'m1'}\n" },
	{ "inject list -m m1",
	  { { INJECTIONS, NULL, 5 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: refused\n",
	  INJECTIONS " {'machine':'m1'}\n" },
	{ "inject cancel -m m1 7",
	  { { CANCEL, "{}" } },
	  EXIT_OK,
	  "",
	  "",
	  CANCEL " {'machine':'m1','injection':7}\n" },
	{ "inject cancel -m m1 7",
	  { { CANCEL, NULL, 5 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: refused\n",
	  CANCEL " {'machine':'m1','injection':7}\n" },
	{ "inject cancel -m m1 0",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: NUMBER: must be from 1 to 4294967295, not 0\n",
	  "" },
	{ "inject cancel -m m1 4294967296",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: NUMBER: must be from 1 to 4294967295, not 4294967296\n",
	  "" },
	{ "inject cancel -m m1 4294967295",
	  { { CANCEL, "{}" } },
	  EXIT_OK,
	  "",
	  "",
	  CANCEL " {'machine':'m1','injection':4294967295}\n" },
	{ "inject cancel -m m1 x",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: NUMBER: 'x' is not a number\n",
	  "" },
};

TEST_ROWS(events_are_injected, rows)
{
	canned_check(&rows[_i]);
}

SUITE("cli-inject");
