/* SPDX-License-Identifier: BSD-2-Clause */
/* What is made for a debugger, and command lines that make nothing. */
#include "canned-answers.h"
#include "canned-samples.h"
#include "text/exit-codes.h"
#include "unit.h"

#define CREATE "MachineService/CreateMachine"
#define MADE   "{'machine':{'id':'m1','state':1}}"
#define NEEDED                                                                 \
	"pmuctl: one of --machine, an IMAGE, --kernel and --bios is needed\n"
#define NOT_THERE                                                              \
	"pmuctl: --trace and --detach are for a machine that is made; for "    \
	"one "                                                                 \
	"that is there: `trace save'\n"
#define ONLY_ONE "pmuctl: only one of --listen, --stdio and --exec\n"
/* Of an image of 32 bits. */
#define CREATED(mode)                                                          \
	CREATE " {'config':{'harts':0,'memoryBytes':'0','startMode':"          \
	       "'START_MODE_" mode "','settings':[{'key':'xlen','value':'32'}" \
	       "],'bootargs':'','recorded':false},'detach':false,'recording':" \
	       "{'traps':false,'sbiCalls':false,'endWhenFull':false,"          \
	       "'samplers':[],'whenFull':'WHEN_FULL_HOLD','traceBytes':'0',"   \
	       "'processes':false,'deliveries':false,'sbiMemory':false,'"      \
	       "csrAccesses':false}}\n"
#define LOADED(kind) "load m1 kind " kind " at 0 entry 0: 5\n"
#define REFUSED                                                                \
	"pmuctl: refused\n"                                                    \
	"pmuctl: image32 was not loaded\n"

static const struct canned_row rows[] = {
	/* each image in turn: the last one is refused */
	{ "gdb --stdio image32",
	  { { CREATE, MADE }, { "load", NULL, 3 } },
	  EXIT_USAGE,
	  "",
	  REFUSED,
	  CREATED("UNSPECIFIED") LOADED("0") },
	{ "gdb --stdio --bios image32",
	  { { CREATE, MADE }, { "load", NULL, 3 } },
	  EXIT_USAGE,
	  "",
	  REFUSED,
	  CREATED("M") LOADED("7") },
	{ "gdb --stdio --bios image32 image32",
	  { { CREATE, MADE }, { "load", "{}" }, { "load", NULL, 3 } },
	  EXIT_USAGE,
	  "",
	  REFUSED,
	  CREATED("M") LOADED("7") LOADED("0") },
	/* what cannot be */
	{ "gdb", { { 0 } }, EXIT_USAGE, "", NEEDED, "" },
	{ "gdb image32 -m m1", { { 0 } }, EXIT_USAGE, "", NEEDED, "" },
	{ "gdb --kernel image32 image32",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  NEEDED,
	  "" },
	{ "gdb -m m1 --bios image32",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --bios is for a machine that is made\n",
	  "" },
	{ "gdb --stdio --bios image32 --mode s",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --mode s has the firmware model, --bios begins in M-mode "
	  "with another firmware\n",
	  "" },
	{ "gdb -m m1 --trace out", { { 0 } }, EXIT_USAGE, "", NOT_THERE, "" },
	{ "gdb -m m1 --detach", { { 0 } }, EXIT_USAGE, "", NOT_THERE, "" },
	{ "gdb image32 --stdio --listen 0",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  ONLY_ONE,
	  "" },
	{ "gdb image32 --append x --console dbcn --exec none --stdio",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  ONLY_ONE,
	  "" },
	{ "gdb image32 --exec ./none",
	  { { 0 } },
	  EXIT_FAILED,
	  "",
	  "pmuctl: --exec: ./none: No such file or directory\n",
	  "" },
};

TEST_ROWS(a_machine_is_made_or_why_not_is_said, rows)
{
	canned_check(&rows[_i]);
}

SUITE("cli-gdb-made", .setup = canned_samples_begin,
      .teardown = canned_samples_end);
