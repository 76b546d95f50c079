/* SPDX-License-Identifier: BSD-2-Clause */
/* Where machines stand, by the files of --sysroot. Argument: symbol-places.elf.
 */
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "canned-answers.h"
#include "canned-samples.h"
#include "text/exit-codes.h"
#include "unit.h"

#define GET	 "MachineService/GetMachine"
#define SETTINGS "MachineService/ListSettings"
#define HARTS	 "HartService/ListHarts"
#define NAMES	 "SymbolService/DescribeAddresses"
#define MEMORY	 "HartService/ReadMemory"
#define PROCESS                                                                \
	"'process':{'pid':7,'tid':8,'comm':'sh','mappings':["                  \
	"{'start':196608,'end':200704,'offset':4096,'file':'/bin/prog',"       \
	"'file_bytes':65536}]}"
#define USER	"'privilege':3,'access':2,'part':2,'victim':2,'reason':1"
#define NO_ROOT "pmuctl: --sysroot: none: No such file or directory\n"

static char elf[PATH_MAX];

static void arguments(int argc, char **argv)
{
	if (!argv[1] || !realpath(argv[1], elf))
		elf[0] = '\0';
}

/* Below "root", as large as that in the guest. */
static void setup(void)
{
	static char all[65536];
	FILE *from = fopen(elf, "rb"), *to;
	size_t size = from ? fread(all, 1, sizeof(all), from) : 0;

	PREPARING(ck_assert(size && size < sizeof(all)));
	fclose(from);
	canned_samples_begin();
	PREPARING(ck_assert(!mkdir("root", 0755) && !mkdir("root/bin", 0755)));
	to = fopen("root/bin/prog", "wb");
	PREPARING(ck_assert(to && fwrite(all, 1, sizeof(all), to)));
	fclose(to);
}

static const struct canned_row rows[] = {
	/* what the machine's own files say comes behind it */
	{ "machine show m1 --sysroot root",
	  { { GET, "{'machine':{'id':'m1','state':3,'hart':0}}" },
	    { SETTINGS, "{}" },
	    { HARTS, "{'harts':[{'privilege':3,'pc':196632,'isa':'rv64i'}]}" },
	    { NAMES, "{'places':[{'function':'wrong'}]," PROCESS "}" },
	    { MEMORY, NULL, 5 } },
	  EXIT_OK,
	  "MACHINE STATE  CAUSE CODE HARTS INSNS CYCLE LEASE      DETAIL\n"
	  "m1      paused -        0     -     0     0 connection \n"
	  "hart 0 U 0x30018 outer+0x0 first.c:30 in /bin/prog of sh 7/8\n"
	  "\n"
	  "records: overflow, console, input, hart, stop\n"
	  "not recorded: trap, sbi, csr, delivery\n",
	  "",
	  GET " {'machine':'m1'}\n" SETTINGS " {}\n" HARTS
	      " {'machine':'m1'}\n" NAMES
	      " {'machine':'m1','addresses':['196632'],'hart':0}\n" MEMORY
	      " {'machine':'m1','hart':0,'address':'196632','size':2,"
	      "'virtual':true}\n" },
	/* before anything is done */
	{ "machine until m1 --insn 5 --sysroot none",
	  { { 0 } },
	  EXIT_FAILED,
	  "",
	  NO_ROOT,
	  "" },
	{ "machine step m1 --sysroot none",
	  { { 0 } },
	  EXIT_FAILED,
	  "",
	  NO_ROOT,
	  "" },
	{ "machine wait m1 --sysroot none",
	  { { 0 } },
	  EXIT_FAILED,
	  "",
	  NO_ROOT,
	  "" },
};

TEST_ROWS(what_stands_still_is_named, rows)
{
	canned_check(&rows[_i]);
}

SUITE("cli-stops", .begin = arguments, .setup = setup,
      .teardown = canned_samples_end);
