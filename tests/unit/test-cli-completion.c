/* SPDX-License-Identifier: BSD-2-Clause */
/* Words that a command line may go on with. */
#include "canned-answers.h"
#include "text/exit-codes.h"
#include "unit.h"

#define MACHINES "MachineService/ListMachines"
#define EVENTS	 "EventService/ListEvents"
#define SETTINGS "MachineService/ListSettings"
#define CSRS	 "HartService/ListCsrs"
#define TWO	 "{'machines':[{'id':'m1'},{'id':'m22'}]}"
#define KEYS                                                                   \
	"{'settings':[{'key':'seed','values':'a number, or "                   \
	"off'},{'key':'reboot','values':'on|off'},{'key':'profile','values':'" \
	"spec|opensbi'}]}"
#define NAMED                                                                  \
	"{'events':[{'name':'cycles','alias':'SBI_PMU_HW_CPU_CYCLES','"        \
	"selector':1,'kind':1},{'name':'cache-misses','selector':4,'kind':1}]" \
	"}"

static const struct canned_row rows[] = {
	/* commands */
	{ "completion words -- mach", { { 0 } }, EXIT_OK, "machine\n", "", "" },
	{ "completion words -- machine s",
	  { { 0 } },
	  EXIT_OK,
	  "symbols\n"
	  "start\n"
	  "step\n"
	  "show\n"
	  "settings\n",
	  "",
	  "" },
	{ "completion words -- machine ''",
	  { { 0 } },
	  EXIT_OK,
	  "list\n"
	  "create\n"
	  "load\n"
	  "dtb\n"
	  "symbols\n"
	  "kallsyms\n"
	  "start\n"
	  "pause\n"
	  "resume\n"
	  "step\n"
	  "until\n"
	  "break\n"
	  "wait\n"
	  "show\n"
	  "settings\n"
	  "attach\n"
	  "console\n"
	  "input\n"
	  "detach\n"
	  "release\n"
	  "delete\n",
	  "",
	  "" },
	{ "completion words -- help tr",
	  { { 0 } },
	  EXIT_OK,
	  "trace\n",
	  "",
	  "" },
	{ "completion words -- help trace s",
	  { { 0 } },
	  EXIT_OK,
	  "show\n"
	  "summary\n"
	  "save\n",
	  "",
	  "" },
	{ "completion words -- help trace show s",
	  { { 0 } },
	  EXIT_OK,
	  "",
	  "",
	  "" },
	{ "completion words -- nothing ''", { { 0 } }, EXIT_OK, "", "", "" },
	/* names that begin as a group's does, and one without more words */
	{ "completion words -- traces ''", { { 0 } }, EXIT_OK, "", "", "" },
	{ "completion words -- version ''", { { 0 } }, EXIT_OK, "", "", "" },
	{ "completion words -- -q --timeout 5 vers",
	  { { 0 } },
	  EXIT_OK,
	  "version\n",
	  "",
	  "" },
	{ "completion words -- -m m1 expl",
	  { { 0 } },
	  EXIT_OK,
	  "explain\n",
	  "",
	  "" },
	/* options */
	{ "completion words -- version --",
	  { { 0 } },
	  EXIT_OK,
	  "--address\n"
	  "--json\n"
	  "--timeout\n"
	  "--quiet\n"
	  "--color\n"
	  "--no-pager\n"
	  "--no-headings\n"
	  "--help\n",
	  "",
	  "" },
	{ "completion words -- trace diff --f",
	  { { 0 } },
	  EXIT_OK,
	  "--force\n",
	  "",
	  "" },
	{ "completion words -- --ti",
	  { { 0 } },
	  EXIT_OK,
	  "--timeout\n",
	  "",
	  "" },
	{ "completion words -- nothing --h",
	  { { 0 } },
	  EXIT_OK,
	  "--help\n",
	  "",
	  "" },
	/* machines, asked of the daemon */
	{ "completion words -- machine show ''",
	  { { MACHINES, TWO } },
	  EXIT_OK,
	  "m1\n"
	  "m22\n",
	  "",
	  MACHINES " {}\n" },
	{ "completion words -- machine show m2",
	  { { MACHINES, TWO } },
	  EXIT_OK,
	  "m22\n",
	  "",
	  MACHINES " {}\n" },
	{ "completion words -- machine show m1 ''",
	  { { 0 } },
	  EXIT_OK,
	  "",
	  "",
	  "" },
	{ "completion words -- stat -m m",
	  { { MACHINES, TWO } },
	  EXIT_OK,
	  "m1\n"
	  "m22\n",
	  "",
	  MACHINES " {}\n" },
	{ "completion words -- stat --machine=m2",
	  { { MACHINES, TWO } },
	  EXIT_OK,
	  "--machine=m22\n",
	  "",
	  MACHINES " {}\n" },
	{ "completion words -- machine show m",
	  { { MACHINES, NULL, 14 } },
	  EXIT_OK,
	  "",
	  "",
	  MACHINES " {}\n" },
	/* events, the last of a list */
	{ "completion words -- stat -e c",
	  { { EVENTS, NAMED } },
	  EXIT_OK,
	  "cycles\n"
	  "cache-misses\n",
	  "",
	  EVENTS " {}\n" },
	{ "completion words -- stat --event=cycles,ca",
	  { { EVENTS, NAMED } },
	  EXIT_OK,
	  "--event=cycles,cache-misses\n",
	  "",
	  EVENTS " {}\n" },
	{ "completion words -- explain event S",
	  { { EVENTS, NAMED } },
	  EXIT_OK,
	  "",
	  "",
	  EVENTS " {}\n" },
	/* settings and their values */
	{ "completion words -- run --set s",
	  { { SETTINGS, KEYS } },
	  EXIT_OK,
	  "seed=\n",
	  "",
	  SETTINGS " {}\n" },
	{ "completion words -- run --set=re",
	  { { SETTINGS, KEYS } },
	  EXIT_OK,
	  "--set=reboot=\n",
	  "",
	  SETTINGS " {}\n" },
	{ "completion words -- run -s reboot=",
	  { { SETTINGS, KEYS } },
	  EXIT_OK,
	  "reboot=on\n"
	  "reboot=off\n",
	  "",
	  SETTINGS " {}\n" },
	{ "completion words -- run -s hart0.profile=o",
	  { { SETTINGS, KEYS } },
	  EXIT_OK,
	  "hart0.profile=opensbi\n",
	  "",
	  SETTINGS " {}\n" },
	{ "completion words -- run -s hart0.s",
	  { { SETTINGS, KEYS } },
	  EXIT_OK,
	  "hart0.seed=\n",
	  "",
	  SETTINGS " {}\n" },
	{ "completion words -- run -s seed=",
	  { { SETTINGS, KEYS } },
	  EXIT_OK,
	  "",
	  "",
	  SETTINGS " {}\n" },
	{ "completion words -- run -s hart0=",
	  { { SETTINGS, KEYS } },
	  EXIT_OK,
	  "",
	  "",
	  SETTINGS " {}\n" },
	{ "completion words -- machine break m1 0x10 ma",
	  { { 0 } },
	  EXIT_OK,
	  "",
	  "",
	  "" },
	/* words that pmuctl knows by itself */
	{ "completion words -- run --mode ''",
	  { { 0 } },
	  EXIT_OK,
	  "s\n"
	  "m\n",
	  "",
	  "" },
	{ "completion words -- trace show --kind trap,s",
	  { { 0 } },
	  EXIT_OK,
	  "trap,sample\n"
	  "trap,sbi\n"
	  "trap,stop\n",
	  "",
	  "" },
	{ "completion words -- run --record process,",
	  { { 0 } },
	  EXIT_OK,
	  "process,trap\n"
	  "process,sbi\n"
	  "process,sbi-memory\n"
	  "process,csr\n"
	  "process,delivery\n"
	  "process,process\n"
	  "process,all\n"
	  "process,none\n",
	  "",
	  "" },
	/* fields, also behind others */
	{ "completion words -- trace show x --filter c",
	  { { 0 } },
	  EXIT_OK,
	  "cycle\n"
	  "comm\n"
	  "counter\n"
	  "cause\n"
	  "call\n"
	  "csr\n"
	  "closed_by\n"
	  "counters\n"
	  "change\n",
	  "",
	  "" },
	{ "completion words -- monitor --filter=(kind==trap&&!in",
	  { { 0 } },
	  EXIT_OK,
	  "--filter=(kind==trap&&!insn\n"
	  "--filter=(kind==trap&&!interrupt\n",
	  "",
	  "" },
	{ "completion words -- mon", { { 0 } }, EXIT_OK, "monitor\n", "", "" },
	{ "completion words -- monitor --dr",
	  { { 0 } },
	  EXIT_OK,
	  "--drop\n",
	  "",
	  "" },
	{ "completion words -- trace export x --format c",
	  { { 0 } },
	  EXIT_OK,
	  "chrome\n"
	  "cpuprofile\n"
	  "callgrind\n"
	  "ctf\n",
	  "",
	  "" },
	{ "completion words -- --color a",
	  { { 0 } },
	  EXIT_OK,
	  "auto\n"
	  "always\n",
	  "",
	  "" },
	{ "completion words -- run --when-full=",
	  { { 0 } },
	  EXIT_OK,
	  "--when-full=hold\n"
	  "--when-full=rotate\n"
	  "--when-full=end\n",
	  "",
	  "" },
	{ "completion words -- run --console=u",
	  { { 0 } },
	  EXIT_OK,
	  "--console=uart\n",
	  "",
	  "" },
	{ "completion words -- run --batch=x", { { 0 } }, EXIT_OK, "", "", "" },
	{ "completion words -- explain csr scounto",
	  { { 0 } },
	  EXIT_OK,
	  "scountovf\n",
	  "",
	  "" },
	{ "completion words -- explain error DEN",
	  { { 0 } },
	  EXIT_OK,
	  "DENIED\n"
	  "DENIED_LOCKED\n",
	  "",
	  "" },
	{ "completion words -- explain rule scountovf_s",
	  { { 0 } },
	  EXIT_OK,
	  "scountovf_smode_read_access\n"
	  "scountovf_smode_read_access_control\n",
	  "",
	  "" },
	{ "completion words -- csr read -m m1 m",
	  { { CSRS, "{'csrs':[{'name':'mcycle'},{'name':'scause'}]}" } },
	  EXIT_OK,
	  "mcycle\n",
	  "",
	  CSRS " {'machine':'m1','hart':0}\n" },
	{ "completion words -- csr read mcy",
	  { { 0 } },
	  EXIT_OK,
	  "mcyclecfg\n"
	  "mcyclecfgh\n"
	  "mcycle\n"
	  "mcycleh\n",
	  "",
	  "" },
	{ "help nothing",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: there is no command 'nothing'\n"
	  "Try `pmuctl --help'.\n",
	  "" },
};

TEST_ROWS(words_are_offered, rows)
{
	canned_check(&rows[_i]);
}

SUITE("cli-completion");
