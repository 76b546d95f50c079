/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory that is read and written: what is asked, printed and refused. */
#include "canned-answers.h"
#include "text/exit-codes.h"
#include "unit.h"

/* Status codes of gRPC. */
enum {
	INVALID = 3,
	NOT_FOUND = 5,
	PRECONDITION = 9
};

static const struct canned_row rows[] = {
	/* memory: 16 bytes a line, what is no character is a dot */
	{ "mem read 0x80000000 20 --machine m1",
	  { { "HartService/ReadMemory",
	      "{'data':'ABCDEFGHIJKLMNOP~\\u007f \\u001f'}", 0 } },
	  EXIT_OK,
	  "0000000080000000  41 42 43 44 45 46 47 48 49 4a 4b 4c 4d 4e 4f 50  "
	  "|ABCDEFGHIJKLMNOP|\n"
	  "0000000080000010  7e 7f 20 1f                                      "
	  "|~. .|\n",
	  "",
	  "HartService/ReadMemory "
	  "{'machine':'m1','hart':0,'address':'2147483648','size':20,'virtual':"
	  "false}\n" },
	{ "mem read 0x80000000 16 --machine m1 --hart 2 --virtual",
	  { { "HartService/ReadMemory", "{'data':'0123456789abcdef'}", 0 } },
	  EXIT_OK,
	  "0000000080000000  30 31 32 33 34 35 36 37 38 39 61 62 63 64 65 66  "
	  "|0123456789abcdef|\n",
	  "",
	  "HartService/ReadMemory "
	  "{'machine':'m1','hart':2,'address':'2147483648','size':16,'virtual':"
	  "true}\n" },
	{ "mem read 0xfffffffffffffff0 1 --machine m1",
	  { { "HartService/ReadMemory", "{'data':'|'}", 0 } },
	  EXIT_OK,
	  "fffffffffffffff0  7c                                               "
	  "|||\n",
	  "",
	  "HartService/ReadMemory "
	  "{'machine':'m1','hart':0,'address':'18446744073709551600','size':1,'"
	  "virtual':false}\n" },
	/* no call is for more than 1 MiB */
	{ "mem read 0 1M --machine m1",
	  { { "HartService/ReadMemory", "{'data':'x'}", 0 } },
	  EXIT_OK,
	  "0000000000000000  78                                               "
	  "|x|\n",
	  "",
	  "HartService/ReadMemory "
	  "{'machine':'m1','hart':0,'address':'0','size':1048576,'virtual':"
	  "false}\n" },
	{ "mem read 0x1000 2097153 --machine m1",
	  { { "HartService/ReadMemory", "{'data':'x'}", 0 } },
	  EXIT_OK,
	  "0000000000001000  78                                               "
	  "|x|\n"
	  "0000000000101000  78                                               "
	  "|x|\n"
	  "0000000000201000  78                                               "
	  "|x|\n",
	  "",
	  "HartService/ReadMemory "
	  "{'machine':'m1','hart':0,'address':'4096','size':1048576,'virtual':"
	  "false}\n"
	  "HartService/ReadMemory "
	  "{'machine':'m1','hart':0,'address':'1052672','size':1048576,'"
	  "virtual':false}\n"
	  "HartService/ReadMemory "
	  "{'machine':'m1','hart':0,'address':'2101248','size':1,'virtual':"
	  "false}\n" },
	/* what was read stands */
	{ "mem read 0 2M --machine m1",
	  { { "HartService/ReadMemory", "{'data':'x'}", 0 },
	    { "HartService/ReadMemory", NULL, NOT_FOUND } },
	  EXIT_NOT_FOUND,
	  "0000000000000000  78                                               "
	  "|x|\n",
	  "pmuctl: refused\n",
	  "HartService/ReadMemory "
	  "{'machine':'m1','hart':0,'address':'0','size':1048576,'virtual':"
	  "false}\n"
	  "HartService/ReadMemory "
	  "{'machine':'m1','hart':0,'address':'1048576','size':1048576,'"
	  "virtual':false}\n" },
	{ "mem read 0 0 --machine m1", { { 0 } }, EXIT_OK, "", "", "" },
	{ "mem read 0 2 --machine m1 --json",
	  { { "HartService/ReadMemory", "{'data':'hi'}", 0 } },
	  EXIT_OK,
	  "{\n"
	  "  \"data\": \"aGk=\"\n"
	  "}\n",
	  "",
	  "HartService/ReadMemory "
	  "{'machine':'m1','hart':0,'address':'0','size':2,'virtual':false}"
	  "\n" },
	{ "mem read 0 many --machine m1",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: SIZE: 'many' is not a size\n",
	  "" },
	{ "mem read 0 1 --machine m1 --hart 4294967296",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --hart: there is no hart 4294967296\n",
	  "" },
	/* an address by a symbol */
	{ "mem read main+4 2 --machine m1",
	  { { "SymbolService/FindSymbol", "{'address':4096}", 0 },
	    { "HartService/ReadMemory", "{'data':'hi'}", 0 } },
	  EXIT_OK,
	  "0000000000001004  68 69                                            "
	  "|hi|\n",
	  "",
	  "SymbolService/FindSymbol "
	  "{'machine':'m1','name':'main','part':'main'}\n"
	  "HartService/ReadMemory "
	  "{'machine':'m1','hart':0,'address':'4100','size':2,'virtual':false}"
	  "\n" },
	{ "mem read mian 2 --machine m1",
	  { { "SymbolService/FindSymbol", NULL, NOT_FOUND } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: refused\n",
	  "SymbolService/FindSymbol "
	  "{'machine':'m1','name':'mian','part':'mian'}\n" },
	/* by one that is printed so */
	{ "mem read foo::bar+4 2 --machine m1",
	  { { "SymbolService/FindSymbol",
	      "{'candidates':[{'address':4096,'function':'_ZN3foo3barEv'},"
	      "{'address':8192,'function':'_ZN3foo3barEv'},"
	      "{'address':12288,'function':'_ZN4mine3barEv'}]}",
	      0 },
	    { "HartService/ReadMemory", "{'data':'hi'}", 0 } },
	  EXIT_OK,
	  "0000000000001004  68 69                                            "
	  "|hi|\n",
	  "",
	  "SymbolService/FindSymbol "
	  "{'machine':'m1','name':'foo::bar','part':'bar'}\n"
	  "HartService/ReadMemory "
	  "{'machine':'m1','hart':0,'address':'4100','size':2,'virtual':false}"
	  "\n" },
	{ "mem read foo::bar 2 --machine m1",
	  { { "SymbolService/FindSymbol",
	      "{'candidates':[{'address':4096,'function':'_ZN3foo3barEi'},"
	      "{'address':8192,'function':'_ZN3foo3barEc'}]}",
	      0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: ADDRESS: 'foo::bar' may be any of _ZN3foo3barEi, "
	  "_ZN3foo3barEc\n",
	  "SymbolService/FindSymbol "
	  "{'machine':'m1','name':'foo::bar','part':'bar'}\n" },
	{ "mem read foo::operator+=+2 2 --machine m1",
	  { { "SymbolService/FindSymbol",
	      "{'candidates':[{'address':4096,'function':'_ZN3foo3barEi'}]}",
	      0 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: ADDRESS: no file of the machine has the symbol "
	  "'foo::operator+='\n",
	  "SymbolService/FindSymbol "
	  "{'machine':'m1','name':'foo::operator+=','part':'foo'}\n" },
	{ "mem read foo::operator++ 2 --machine m1",
	  { { "SymbolService/FindSymbol",
	      "{'candidates':[{'address':4096,'function':'_ZN3fooppEv'}]}", 0 },
	    { "HartService/ReadMemory", "{'data':'hi'}", 0 } },
	  EXIT_OK,
	  "0000000000001000  68 69                                            "
	  "|hi|\n",
	  "",
	  "SymbolService/FindSymbol "
	  "{'machine':'m1','name':'foo::operator++','part':'foo'}\n"
	  "HartService/ReadMemory "
	  "{'machine':'m1','hart':0,'address':'4096','size':2,'virtual':false}"
	  "\n" },
	{ "mem read main+ 2 --machine m1",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: ADDRESS: 'main+' is not a number, NAME or NAME+OFFSET\n",
	  "" },
	{ "mem read 0 1 --machine m1 --output /nowhere/file",
	  { { 0 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: /nowhere/file: No such file or directory\n",
	  "" },
	/* bytes */
	{ "mem write 0x80000000 dEaDbEeF09 --machine m1",
	  { { "HartService/WriteMemory", "{}", 0 } },
	  EXIT_OK,
	  "",
	  "",
	  "HartService/WriteMemory "
	  "{'machine':'m1','hart':0,'address':'2147483648','data':'3q2+7wk=','"
	  "virtual':false}\n" },
	{ "mem write 16 00 --machine m1 --hart 1 --virtual",
	  { { "HartService/WriteMemory", "{}", 0 } },
	  EXIT_OK,
	  "",
	  "",
	  "HartService/WriteMemory "
	  "{'machine':'m1','hart':1,'address':'16','data':'AA==','virtual':"
	  "true}\n" },
	{ "mem write 0 abc --machine m1",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: BYTES: must be pairs of hexadecimal digits\n",
	  "" },
	{ "mem write 0 0g --machine m1",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: BYTES: must be pairs of hexadecimal digits\n",
	  "" },
	{ "mem write 0 g0 --machine m1",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: BYTES: must be pairs of hexadecimal digits\n",
	  "" },
	{ "mem write 0 00 --machine m1 --hart 4294967296",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --hart: there is no hart 4294967296\n",
	  "" },
	{ "mem write 0 00 --machine m1",
	  { { "HartService/WriteMemory", NULL, PRECONDITION } },
	  EXIT_FAILED,
	  "",
	  "pmuctl: refused\n",
	  "HartService/WriteMemory "
	  "{'machine':'m1','hart':0,'address':'0','data':'AA==','virtual':"
	  "false}\n" },
	{ "mem write start 00 --machine m1",
	  { { "SymbolService/FindSymbol", NULL, INVALID } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: refused\n",
	  "SymbolService/FindSymbol "
	  "{'machine':'m1','name':'start','part':'start'}\n" },
};

TEST_ROWS(a_command_asks_and_prints, rows)
{
	canned_check(&rows[_i]);
}

SUITE("cli-memory");
