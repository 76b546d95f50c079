/* SPDX-License-Identifier: BSD-2-Clause */
/* Device trees of files and of machines: checked and shown. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "canned-answers.h"
#include "dt-fixture.h"
#include "text/exit-codes.h"
#include "unit.h"

static char dir[sizeof("/tmp/trees-XXXXXX")];

static void put_file(const char *name, const void *bytes, size_t n)
{
	int fd = open(name, O_CREAT | O_WRONLY, 0600);

	PREPARING(ck_assert_int_eq(write(fd, bytes, n), (ssize_t)n));
	close(fd);
}

/* A tree with one node, or none, and harts. */
static void put_tree(const char *name, const struct dt_prop *props,
		     unsigned n_props, unsigned n_harts)
{
	static const struct dt_cpu cpus[] = { { 0, "rv64i" },
					      { 1, "rv64i" },
					      { 2, "rv64i" } };
	void *dtb;

	PREPARING(dtb = dt_begin());
	if (n_harts)
		PREPARING(dt_cpus(dtb, cpus, n_harts));
	if (props)
		PREPARING(dt_pmu(dtb, "pmu", props, n_props));
	PREPARING(dt_end(dtb));
	put_file(name, dtb, fdt_totalsize(dtb));
	free(dtb);
}

static void setup(void)
{
	static const struct dt_prop good[] = {
		PROP(SELECTS, 2, 0, 0x22, 0x10001, 1, 2),
		PROP(RANGES, 1, 2, 0x58, 0x10001, 0x10001, 0x8),
		PROP(RAWS, 0, 0x10, 0xffffffff, 0xfffffff0, 0xff0),
	};
	static const struct dt_prop one[] = {
		PROP(SELECTS, 2, 0, 0x22),
		PROP(RANGES, 1, 2, 0x58),
		PROP("interrupts-extended", DT_INTC + 1, 13),
	};
	static const struct dt_prop bad[] = { PROP(RANGES, 2, 1, 8) };

	strcpy(dir, "/tmp/trees-XXXXXX");
	PREPARING(ck_assert_ptr_nonnull(mkdtemp(dir)));
	PREPARING(ck_assert(!chdir(dir)));
	put_tree("good", good, 3, 0);
	put_tree("harts", good, 3, 3);
	put_tree("one", one, 3, 3);
	put_tree("empty", good, 0, 0);
	put_tree("bad", bad, 1, 0);
	put_tree("no-node", NULL, 0, 2);
	put_file("cut", "\xd0\x0d\xfe\xed", 4);
	put_file("text", "no source", 9);
	put_file("source.dts", "/dts-v1/; / { };", 16);
}

static void teardown(void)
{
	static const char *const names[] = { "good", "harts", "empty",
					     "bad",  "cut",   "no-node",
					     "text", "one",   "source.dts" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		unlink(names[i]);
	PREPARING(ck_assert(!chdir("/")));
	rmdir(dir);
}

enum {
	NOT_FOUND = 5 /* a status of gRPC */
};

static const struct canned_row rows[] = {
	/* every fault, and 1 if one is an error */
	{ "dt check good",
	  { { 0 } },
	  EXIT_OK,
	  "good: 0 errors, 0 warnings, 0 notes\n",
	  "",
	  "" },
	{ "dt check harts",
	  { { 0 } },
	  EXIT_OK,
	  "harts: 0 errors, 0 warnings, 0 notes\n",
	  "",
	  "" },
	{ "dt check empty",
	  { { 0 } },
	  EXIT_OK,
	  "warning: /pmu: the node has no table [C192]\n"
	  "    the reference offers the PMU extension, with the fixed and the "
	  "firmware counters\n"
	  "empty: 0 errors, 1 warning, 0 notes\n",
	  "",
	  "" },
	{ "dt check bad",
	  { { 0 } },
	  EXIT_FAILED,
	  "error: /pmu: riscv,event-to-mhpmcounters row 1: the first event is "
	  "above the last [C101]\n"
	  "    the reference drops this row, those behind it and what it reads "
	  "later: the counters' table, then selectors, then raw events\n"
	  "bad: 1 error, 0 warnings, 0 notes\n",
	  "",
	  "" },
	{ "dt check bad --json",
	  { { 0 } },
	  EXIT_FAILED,
	  "{\n"
	  "  \"faults\": [\n"
	  "    {\n"
	  "      \"level\": \"error\",\n"
	  "      \"path\": \"/pmu\",\n"
	  "      \"property\": \"riscv,event-to-mhpmcounters\",\n"
	  "      \"row\": 1,\n"
	  "      \"rule\": \"C101\",\n"
	  "      \"text\": \"the first event is above the last\",\n"
	  "      \"reference\": \"drops this row, those behind it and what it "
	  "reads later: the counters' table, then selectors, then raw "
	  "events\"\n"
	  "    }\n"
	  "  ]\n"
	  "}\n",
	  "",
	  "" },
	{ "dt check no-node",
	  { { 0 } },
	  EXIT_OK,
	  "warning: /: there is no riscv,pmu node: SBI offers no PMU [C192]\n"
	  "    the reference offers the PMU extension, with the fixed and the "
	  "firmware counters\n"
	  "no-node: 0 errors, 1 warning, 0 notes\n",
	  "",
	  "" },
	{ "dt check cut",
	  { { 0 } },
	  EXIT_FAILED,
	  "",
	  "pmuctl: cut: not a valid flattened device tree\n",
	  "" },
	{ "dt check missing",
	  { { 0 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: missing: No such file or directory\n",
	  "" },
	{ "dt check source.dts",
	  { { 0 } },
	  EXIT_OK,
	  "warning: /: there is no riscv,pmu node: SBI offers no PMU [C192]\n"
	  "    the reference offers the PMU extension, with the fixed and the "
	  "firmware counters\n"
	  "source.dts: 0 errors, 1 warning, 0 notes\n",
	  "",
	  "" },
	/* what can be counted, by a file */
	{ "dt show good",
	  { { 0 } },
	  EXIT_OK,
	  "HARTS EVENT      SELECTOR               MASK COUNTERS NAME\n"
	  "all   0x1             0x1                  - 3-4,6    general "
	  "event: CPU_CYCLES\n"
	  "all   0x2            0x22                  - 3-4,6    general "
	  "event: INSTRUCTIONS\n"
	  "all   0x10001 0x100000002                  - 3        cache event: "
	  "L1D, read, miss\n"
	  "all   raw            0x10 0xfffffffffffffff0 4-11     event_data & "
	  "mask = selector\n",
	  "",
	  "" },
	{ "dt show harts",
	  { { 0 } },
	  EXIT_OK,
	  "HARTS EVENT      SELECTOR               MASK COUNTERS NAME\n"
	  "0-2   0x1             0x1                  - 3-4,6    general "
	  "event: CPU_CYCLES\n"
	  "0-2   0x2            0x22                  - 3-4,6    general "
	  "event: INSTRUCTIONS\n"
	  "0-2   0x10001 0x100000002                  - 3        cache event: "
	  "L1D, read, miss\n"
	  "0-2   raw            0x10 0xfffffffffffffff0 4-11     event_data & "
	  "mask = selector\n",
	  "",
	  "" },
	{ "dt show one",
	  { { 0 } },
	  EXIT_OK,
	  "HARTS EVENT SELECTOR MASK COUNTERS NAME\n"
	  "0,2   none         0    - none     no riscv,pmu node is for these "
	  "harts\n"
	  "1     0x1        0x1    - 3-4,6    general event: CPU_CYCLES\n"
	  "1     0x2       0x22    - 3-4,6    general event: INSTRUCTIONS\n",
	  "",
	  "" },
	{ "dt check one",
	  { { 0 } },
	  EXIT_OK,
	  "warning: /cpus/cpu@0: no riscv,pmu node is for this hart [C192]\n"
	  "    the reference takes the first node, for all harts\n"
	  "warning: /cpus/cpu@2: no riscv,pmu node is for this hart [C192]\n"
	  "    the reference takes the first node, for all harts\n"
	  "one: 0 errors, 2 warnings, 0 notes\n",
	  "",
	  "" },
	{ "dt show empty",
	  { { 0 } },
	  EXIT_OK,
	  "HARTS EVENT SELECTOR MASK COUNTERS NAME\n"
	  "all   none         0    - none     no row of the node gives any "
	  "event a counter\n",
	  "",
	  "" },
	{ "dt show bad",
	  { { 0 } },
	  EXIT_FAILED,
	  "",
	  "pmuctl: bad: its riscv,pmu nodes have errors, which `pmuctl dt "
	  "check' tells\n",
	  "" },
	{ "dt show cut",
	  { { 0 } },
	  EXIT_FAILED,
	  "",
	  "pmuctl: cut: not a valid flattened device tree\n",
	  "" },
	{ "dt show no-node",
	  { { 0 } },
	  EXIT_OK,
	  "",
	  "pmuctl: there is no riscv,pmu node: SBI offers no PMU\n",
	  "" },
	{ "dt show missing",
	  { { 0 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: missing: No such file or directory\n",
	  "" },
	{ "dt show empty --json",
	  { { 0 } },
	  EXIT_OK,
	  "{\n"
	  "  \"counters\": [\n"
	  "    {\n"
	  "      \"harts\": \"all\",\n"
	  "      \"event\": \"none\",\n"
	  "      \"selector\": \"0\",\n"
	  "      \"mask\": \"-\",\n"
	  "      \"counters\": \"none\",\n"
	  "      \"name\": \"no row of the node gives any event a counter\"\n"
	  "    }\n"
	  "  ]\n"
	  "}\n",
	  "",
	  "" },
	{ "dt show good --set profile=opensbi --no-headings",
	  { { 0 } },
	  EXIT_OK,
	  "all   0x1             0x1                  - 3-4,6    general "
	  "event: CPU_CYCLES\n"
	  "all   0x2            0x22                  - 3-4,6    general "
	  "event: INSTRUCTIONS\n"
	  "all   0x10001 0x100000002                  - 3        cache event: "
	  "L1D, read, miss\n"
	  "all   raw            0x10 0xfffffffffffffff0 4-11     event_data & "
	  "mask = selector\n",
	  "",
	  "" },
	{ "dt show good --set profil=x",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: with a FILE, --set profile=... is the only option of a "
	  "machine that can be given\n",
	  "" },
	{ "dt show good --harts 1",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: with a FILE, --set profile=... is the only option of a "
	  "machine that can be given\n",
	  "" },
	{ "dt show good --memory 1M",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: with a FILE, --set profile=... is the only option of a "
	  "machine that can be given\n",
	  "" },
	{ "dt show good --mode m",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: with a FILE, --set profile=... is the only option of a "
	  "machine that can be given\n",
	  "" },
	{ "dt show good --machine m1",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: with a FILE, --set profile=... is the only option of a "
	  "machine that can be given\n",
	  "" },
	/* by a machine */
	{ "dt show --machine m1",
	  { { "MachineService/GetMachine",
	      "{'machine':{'config':{'settings':[{'key':'profile','value':'"
	      "opensbi'}]}}}",
	      0 },
	    { "MachineService/GetDeviceTree", "{'dtb':'@harts'}", 0 } },
	  EXIT_OK,
	  "HARTS EVENT      SELECTOR               MASK COUNTERS NAME\n"
	  "0-2   0x1             0x1                  - 3-4,6    general "
	  "event: CPU_CYCLES\n"
	  "0-2   0x2            0x22                  - 3-4,6    general "
	  "event: INSTRUCTIONS\n"
	  "0-2   0x10001 0x100000002                  - 3        cache event: "
	  "L1D, read, miss\n"
	  "0-2   raw            0x10 0xfffffffffffffff0 4-11     event_data & "
	  "mask = selector\n",
	  "",
	  "MachineService/GetMachine {'machine':'m1'}\n"
	  "MachineService/GetDeviceTree {'machine':'m1','guest':false}\n" },
	{ "dt show --machine m1",
	  { { "MachineService/GetMachine", "{'machine':{}}", 0 },
	    { "MachineService/GetDeviceTree", "{'dtb':'@bad'}", 0 } },
	  EXIT_FAILED,
	  "",
	  "pmuctl: the machine's tree: its riscv,pmu nodes have errors, which "
	  "`pmuctl dt check' tells\n",
	  "MachineService/GetMachine {'machine':'m1'}\n"
	  "MachineService/GetDeviceTree {'machine':'m1','guest':false}\n" },
	{ "dt show --machine m1",
	  { { "MachineService/GetMachine", "{'machine':{}}", 0 },
	    { "MachineService/GetDeviceTree", "{'dtb':'@cut'}", 0 } },
	  EXIT_FAILED,
	  "",
	  "pmuctl: the machine's tree: not a valid flattened device tree\n",
	  "MachineService/GetMachine {'machine':'m1'}\n"
	  "MachineService/GetDeviceTree {'machine':'m1','guest':false}\n" },
	{ "dt show --machine m1",
	  { { "MachineService/GetMachine", NULL, NOT_FOUND } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: refused\n",
	  "MachineService/GetMachine {'machine':'m1'}\n" },
	{ "dt show --machine m1",
	  { { "MachineService/GetMachine", "{'machine':{}}", 0 },
	    { "MachineService/GetDeviceTree", NULL, NOT_FOUND } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: refused\n",
	  "MachineService/GetMachine {'machine':'m1'}\n"
	  "MachineService/GetDeviceTree {'machine':'m1','guest':false}\n" },
	/* by one that is made for it */
	{ "dt show --harts 2 --set cpi=2",
	  { { "MachineService/CreateMachine", "{'machine':{'id':'m7'}}", 0 },
	    { "MachineService/GetDeviceTree", "{'dtb':'@empty'}", 0 } },
	  EXIT_OK,
	  "HARTS EVENT SELECTOR MASK COUNTERS NAME\n"
	  "all   none         0    - none     no row of the node gives any "
	  "event a counter\n",
	  "",
	  "MachineService/CreateMachine "
	  "{'config':{'harts':2,'memoryBytes':'0','startMode':'START_MODE_"
	  "UNSPECIFIED','settings':[{'key':'cpi','value':'2'}],'bootargs':'','"
	  "recorded':false},'"
	  "detach':false}"
	  "\n"
	  "MachineService/GetDeviceTree {'machine':'m7','guest':false}\n" },
	{ "dt show --mode x",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --mode: 'x' is not s or m\n",
	  "" },
	/* the profile of the reference reads what is left of a bad tree */
	{ "dt show bad --set profile=opensbi",
	  { { 0 } },
	  EXIT_OK,
	  "HARTS EVENT SELECTOR MASK COUNTERS NAME\n"
	  "all   none         0    - none     no row of the node gives any "
	  "event a counter\n",
	  "",
	  "" },
	{ "dt show --set profile=opensbi",
	  { { "MachineService/CreateMachine", "{'machine':{'id':'m7'}}", 0 },
	    { "MachineService/GetDeviceTree", "{'dtb':'@bad'}", 0 } },
	  EXIT_OK,
	  "HARTS EVENT SELECTOR MASK COUNTERS NAME\n"
	  "all   none         0    - none     no row of the node gives any "
	  "event a counter\n",
	  "",
	  "MachineService/CreateMachine "
	  "{'config':{'harts':0,'memoryBytes':'0','startMode':'START_MODE_"
	  "UNSPECIFIED','settings':[{'key':'profile','value':'opensbi'}],'"
	  "bootargs':'','recorded':false},'"
	  "detach':false}\n"
	  "MachineService/GetDeviceTree {'machine':'m7','guest':false}\n" },
	{ "dt show --machine m1",
	  { { "MachineService/GetMachine",
	      "{'machine':{'config':{'settings':[{'key':'profile','value':'"
	      "opensbi'}]}}}",
	      0 },
	    { "MachineService/GetDeviceTree", "{'dtb':'@bad'}", 0 } },
	  EXIT_OK,
	  "HARTS EVENT SELECTOR MASK COUNTERS NAME\n"
	  "all   none         0    - none     no row of the node gives any "
	  "event a counter\n",
	  "",
	  "MachineService/GetMachine {'machine':'m1'}\n"
	  "MachineService/GetDeviceTree {'machine':'m1','guest':false}\n" },
	{ "dt show",
	  { { "MachineService/CreateMachine", NULL, NOT_FOUND } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: refused\n",
	  "MachineService/CreateMachine "
	  "{'config':{'harts':0,'memoryBytes':'0','startMode':'START_MODE_"
	  "UNSPECIFIED','settings':[],'bootargs':'','recorded':false},'"
	  "detach':false}\n" },
};

TEST_ROWS(a_command_of_trees_asks_and_prints, rows)
{
	/* what dtc says is its own */
	PREPARING(ck_assert(!setenv("PATH", "/usr/bin:/bin", 1)));
	canned_check(&rows[_i]);
}

SUITE("cli-trees", .setup = setup, .teardown = teardown);
