/* SPDX-License-Identifier: BSD-2-Clause */
/* Consoles, images and names of machines; versions. */
#include "canned-answers.h"
#include "canned-samples.h"
#include "text/exit-codes.h"
#include "unit.h"

#define WATCH	"MachineService/WatchMachine"
#define CONSOLE "MachineService/ReadConsole"
#define INPUT	"MachineService/WriteConsole"
#define KERNEL	"SymbolService/ReadKernelSymbols"
#define VERSION "SystemService/GetVersion"
#define ENDED	"{'machine':{'id':'m1','state':5,'cause':3,'exit_code':7}}"

static const struct canned_row rows[] = {
	/* consoles */
	{ "machine console m1",
	  { { CONSOLE, "{'data':'one '}" }, { CONSOLE, "{'data':'two'}" } },
	  EXIT_OK,
	  "one two",
	  "",
	  CONSOLE " {'machine':'m1','offset':'0','port':0}\n" },
	{ "machine console m1",
	  { { CONSOLE, "{'data':'one'}" }, { CONSOLE, NULL, 5 } },
	  EXIT_NOT_FOUND,
	  "one",
	  "pmuctl: refused\n",
	  CONSOLE " {'machine':'m1','offset':'0','port':0}\n" },
	{ "machine console m1",
	  { { "open MachineService/ReadConsole", NULL, 5 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: refused\n",
	  CONSOLE " {'machine':'m1','offset':'0','port':0}\n" },
	{ "machine input m1",
	  { { INPUT, "{}" } },
	  EXIT_OK,
	  "",
	  "",
	  INPUT " {'machine':'m1','data':'','eof':false}\n" INPUT
		" {'machine':'m1','data':'c29tZSBpbnB1dAo=','eof':false}\n" },
	{ "machine input m1 --eof",
	  { { INPUT, "{}" } },
	  EXIT_OK,
	  "",
	  "",
	  INPUT
	  " {'machine':'m1','data':'','eof':false}\n" INPUT
	  " {'machine':'m1','data':'c29tZSBpbnB1dAo=','eof':false}\n" INPUT
	  " {'machine':'m1','data':'','eof':true}\n" },
	{ "machine input m1",
	  { { INPUT, NULL, 5 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: refused\n",
	  INPUT " {'machine':'m1','data':'','eof':false}\n" },
	{ "machine input m1",
	  { { INPUT, "{}" }, { INPUT, NULL, 8 } },
	  EXIT_FAILED,
	  "",
	  "pmuctl: refused\n",
	  INPUT " {'machine':'m1','data':'','eof':false}\n" INPUT
		" {'machine':'m1','data':'c29tZSBpbnB1dAo=','eof':false}\n" },
	{ "machine attach m1",
	  { { INPUT, "{}" }, { CONSOLE, "{'data':'out'}" }, { WATCH, ENDED } },
	  EXIT_SBI_ERROR,
	  "out",
	  "",
	  CONSOLE " {'machine':'m1','offset':'0','port':0}\n" WATCH
		  " {'machine':'m1'}\n" },
	{ "machine attach m1",
	  { { "open MachineService/ReadConsole", NULL, 5 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: refused\n",
	  CONSOLE " {'machine':'m1','offset':'0','port':0}\n" },
	/* images and names */
	{ "machine load m1",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: an IMAGE, --kernel, --bios, --initrd, --add or --dtb is "
	  "needed\n",
	  "" },
	{ "machine load m1 image",
	  { { "load", "{}" } },
	  EXIT_OK,
	  "",
	  "",
	  "load m1 kind 0 at 0 entry 0: 5\n" },
	{ "machine load m1 none",
	  { { 0 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: none: No such file or directory\n",
	  "" },
	{ "machine symbols m1 none",
	  { { 0 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: none: No such file or directory\n",
	  "" },
	{ "machine kallsyms m1",
	  { { KERNEL, NULL, 5 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: refused\n",
	  KERNEL " {'machine':'m1','first':0}\n" },
	/* versions */
	{ "version",
	  { { VERSION, "{'version':'9.9.9'}" } },
	  EXIT_OK,
	  "pmuctl " PMUD_VERSION "\n"
	  "pmud 9.9.9, protocol , traces of version 0\n",
	  "",
	  VERSION " {}\n" },
	{ "version",
	  { { VERSION, "{'version':'9\xc2\x9b','protocol':'\x7f'}" } },
	  EXIT_OK,
	  "pmuctl " PMUD_VERSION "\n"
	  "pmud 9??, protocol ?, traces of version 0\n",
	  "",
	  VERSION " {}\n" },
	{ "version -j",
	  { { VERSION, "{'version':'9.9.9'}" } },
	  EXIT_OK,
	  "{\n"
	  "  \"version\": \"9.9.9\",\n"
	  "  \"protocol\": \"\",\n"
	  "  \"traceVersion\": 0\n"
	  "}\n",
	  "",
	  VERSION " {}\n" },
	{ "version",
	  { { VERSION, NULL, 14 } },
	  EXIT_FAILED,
	  "",
	  "pmuctl: refused\n",
	  VERSION " {}\n" },
	/* a kernel's own names, piece by piece */
	{ "machine kallsyms m1",
	  { { KERNEL, "{'symbols':[{'address':4096,'type':'T','name':'start'},{"
		      "'address':4100,'type':'t','name':'inner'}],'total':3}" },
	    { KERNEL, "{'symbols':[{'address':256,'type':'A','name':'first'}],'"
		      "total':3}" } },
	  EXIT_OK,
	  "0000000000000100 A first\n"
	  "0000000000001000 T start\n"
	  "0000000000001004 t inner\n",
	  "",
	  KERNEL " {'machine':'m1','first':0}\n" KERNEL
		 " {'machine':'m1','first':2}\n" },
	{ "machine kallsyms m1",
	  { { KERNEL, "{'symbols':[{'address':4096,'type':'T','name':'start'}],"
		      "'total':3}" },
	    { KERNEL, NULL, 5 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: refused\n",
	  KERNEL " {'machine':'m1','first':0}\n" KERNEL
		 " {'machine':'m1','first':1}\n" },
	{ "machine kallsyms m1",
	  { { KERNEL, "{'total':3}" } },
	  EXIT_OK,
	  "",
	  "",
	  KERNEL " {'machine':'m1','first':0}\n" },
};

TEST_ROWS(a_machine_is_spoken_to, rows)
{
	canned_check(&rows[_i]);
}

SUITE("cli-console", .setup = canned_samples_begin,
      .teardown = canned_samples_end);
