/* SPDX-License-Identifier: BSD-2-Clause */
/* What can be counted and set. */
#include "canned-answers.h"
#include "text/exit-codes.h"
#include "unit.h"

#define EVENTS "EventService/ListEvents"
#define CATALOGUE                                                              \
	"{'events':[{'name':'cycles','alias':'SBI_PMU_HW_CPU_CYCLES','"        \
	"selector':1,'kind':1,'counts':'cycles of the "                        \
	"clock'},{'name':'fw_set_timer','selector':983045,'kind':2}]}"

static const struct canned_row rows[] = {
	/* what is listed */
	{ "list",
	  { { EVENTS, CATALOGUE } },
	  EXIT_OK,
	  "EVENT        SELECTOR KIND     SBI NAME              COUNTS\n"
	  "cycles            0x1 hardware SBI_PMU_HW_CPU_CYCLES cycles of the "
	  "clock\n"
	  "fw_set_timer  0xf0005 firmware -                     \n",
	  "",
	  EVENTS " {}\n" },
	{ "list events -j",
	  { { EVENTS, "{'events':[{'name':'a','alias':'b','selector':7,'kind':"
		      "2,'counts':'c','rule':'d'}]}" } },
	  EXIT_OK,
	  "{\n"
	  "  \"events\": [\n"
	  "    {\n"
	  "      \"name\": \"a\",\n"
	  "      \"alias\": \"b\",\n"
	  "      \"selector\": 7,\n"
	  "      \"kind\": \"EVENT_KIND_FIRMWARE\",\n"
	  "      \"counts\": \"c\",\n"
	  "      \"rule\": \"d\",\n"
	  "      \"explained\": false,\n"
	  "      \"settings\": \"\",\n"
	  "      \"watched\": false\n"
	  "    }\n"
	  "  ]\n"
	  "}\n",
	  "",
	  EVENTS " {}\n" },
	{ "list events",
	  { { EVENTS, NULL, 14 } },
	  EXIT_FAILED,
	  "",
	  "pmuctl: refused\n",
	  EVENTS " {}\n" },
	{ "list settings",
	  { { "MachineService/ListSettings",
	      "{'fields':[{'key':'harts','default_value':'1','values':'1 to "
	      "64','help':'Number'}],'settings':[{'key':'seed','default_value':"
	      "'0','values':'number','host_only':true,'help':'A seed'}]}" } },
	  EXIT_OK,
	  "KEY     DEFAULT VALUES  GUEST SEES IT HELP\n"
	  "--harts 1       1 to 64 yes           Number\n"
	  "seed    0       number  no            A seed\n",
	  "",
	  "MachineService/ListSettings {}\n" },
	{ "list settings -j",
	  { { "MachineService/ListSettings",
	      "{'settings':[{'key':'seed'}]}" } },
	  EXIT_OK,
	  "{\n"
	  "  \"settings\": [\n"
	  "    {\n"
	  "      \"key\": \"seed\",\n"
	  "      \"help\": \"\",\n"
	  "      \"defaultValue\": \"\",\n"
	  "      \"values\": \"\",\n"
	  "      \"hostOnly\": false\n"
	  "    }\n"
	  "  ],\n"
	  "  \"fields\": []\n"
	  "}\n",
	  "",
	  "MachineService/ListSettings {}\n" },
	{ "list settings",
	  { { "MachineService/ListSettings", NULL, 14 } },
	  EXIT_FAILED,
	  "",
	  "pmuctl: refused\n",
	  "MachineService/ListSettings {}\n" },
	/* words that are no command */
	{ "hart --help",
	  { { 0 } },
	  EXIT_OK,
	  "  hart list            List the harts of a machine\n",
	  "",
	  "" },
	{ "hart -?",
	  { { 0 } },
	  EXIT_OK,
	  "  hart list            List the harts of a machine\n",
	  "",
	  "" },
	{ "help hart",
	  { { 0 } },
	  EXIT_OK,
	  "  hart list            List the harts of a machine\n",
	  "",
	  "" },
	{ "hart",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: 'hart' needs one more word:\n"
	  "  hart list            List the harts of a machine\n",
	  "" },
	{ "hart --harts",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: there is no command 'hart --harts'\n"
	  "  hart list            List the harts of a machine\n",
	  "" },
	{ "reg",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: 'reg' needs one more word:\n"
	  "  reg list             Print the registers of a hart\n"
	  "  reg write            Write a register of a paused machine\n",
	  "" },
	{ "hart lis",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: there is no command 'hart lis'\n"
	  "pmuctl: did you mean 'hart list'?\n"
	  "  hart list            List the harts of a machine\n",
	  "" },
	{ "nothing",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: there is no command 'nothing'\n"
	  "Try `pmuctl --help'.\n",
	  "" },
	{ "nothing --help",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: there is no command 'nothing'\n"
	  "Try `pmuctl --help'.\n",
	  "" },
	{ "",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: no command given; try `pmuctl --help'\n",
	  "" },
	{ "--quiet",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: no command given; try `pmuctl --help'\n",
	  "" },
	{ "--color maybe list",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --color: 'maybe' is not auto, always or never\n",
	  "" },
	{ "list --color maybe",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --color: 'maybe' is not auto, always or never\n",
	  "" },
};

TEST_ROWS(what_there_is_is_listed, rows)
{
	canned_check(&rows[_i]);
}

SUITE("cli-lists");
