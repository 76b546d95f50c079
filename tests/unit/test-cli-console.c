/* SPDX-License-Identifier: BSD-2-Clause */
/* Consoles, images and names of machines; versions. */
#include <fcntl.h>
#include <unistd.h>

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

/* Before a byte of it is sent. */
static const struct size_row {
	size_t size;
	struct canned_row row;
} size_rows[] = {
	{ 32 << 20,
	  { "machine symbols m1 vmlinux",
	    { { "load", "{}" } },
	    EXIT_OK,
	    "",
	    "",
	    "load m1 kind 4 at 0 entry 0: 33554432\n" } },
	{ (32 << 20) + 1,
	  { "machine symbols m1 vmlinux",
	    { { 0 } },
	    EXIT_USAGE,
	    "",
	    "pmuctl: vmlinux: must be at most 32 MiB, which is what a machine "
	    "keeps of symbols, not 33 MiB: without debug information (strip "
	    "-g) it may fit, a kernel's System.map does, and for traces "
	    "--symbols takes the whole file\n",
	    "" } },
};

TEST_ROWS(a_file_of_symbols_may_be_too_large, size_rows)
{
	int fd = open("vmlinux", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	PREPARING(
		ck_assert_int_eq(ftruncate(fd, (off_t)size_rows[_i].size), 0));
	close(fd);
	canned_check(&size_rows[_i].row);
	unlink("vmlinux");
}

SUITE("cli-console", .setup = canned_samples_begin,
      .teardown = canned_samples_end);
