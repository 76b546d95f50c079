/* SPDX-License-Identifier: BSD-2-Clause */
/* What counters, events, CSRs, errors and rules mean. */
#include "canned-answers.h"
#include "text/exit-codes.h"
#include "unit.h"

#define EVENTS	"EventService/ListEvents"
#define COUNTER "EventService/ExplainCounter"
#define CATALOGUE                                                              \
	"{'events':[{'name':'cycles','alias':'SBI_PMU_HW_CPU_CYCLES','"        \
	"selector':1,'kind':1,'counts':'cycles of the "                        \
	"clock','rule':'C5'},{'name':'loads','selector':1048576,'kind':1,'"    \
	"counts':'loads that retire'}]}"

static const struct canned_row rows[] = {
	/* a counter: the facts, and their rules */
	{ "explain counter 1:3 -m m1",
	  { { COUNTER,
	      "{'summary':'it "
	      "counts','counter':{'value':255},'facts':[{'topic':'event','rule'"
	      ":'C5','text':'cycles'},{'topic':'mode','text':'all'}]}" } },
	  EXIT_OK,
	  "it counts\n"
	  "value 255 (0xff)\n"
	  "\n"
	  "TOPIC RULE FACT\n"
	  "event C5   cycles\n"
	  "mode  -    all\n",
	  "",
	  COUNTER " {'machine':'m1','hart':1,'index':3}\n" },
	{ "explain counter 3 -m m1",
	  { { COUNTER, "{'summary':'there is none'}" } },
	  EXIT_OK,
	  "there is none\n"
	  "\n",
	  "",
	  COUNTER " {'machine':'m1','hart':0,'index':3}\n" },
	{ "explain counter 0:3 -m m1 -j",
	  { { COUNTER, "{'summary':'it counts'}" } },
	  EXIT_OK,
	  "{\n"
	  "  \"counts\": false,\n"
	  "  \"summary\": \"it counts\",\n"
	  "  \"facts\": []\n"
	  "}\n",
	  "",
	  COUNTER " {'machine':'m1','hart':0,'index':3}\n" },
	{ "explain counter 4294967295:4294967295 -m m1",
	  { { COUNTER, NULL, 5 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: refused\n",
	  COUNTER " {'machine':'m1','hart':4294967295,'index':4294967295}\n" },
	{ "explain counter 4294967296:3 -m m1",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: '4294967296:3' is not HART:COUNTER, as in 0:3\n",
	  "" },
	{ "explain counter 0:4294967296 -m m1",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: '0:4294967296' is not HART:COUNTER, as in 0:3\n",
	  "" },
	{ "explain counter 0: -m m1",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: '0:' is not HART:COUNTER, as in 0:3\n",
	  "" },
	{ "explain counter :3 -m m1",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: ':3' is not HART:COUNTER, as in 0:3\n",
	  "" },
	{ "explain counter 0:3:1 -m m1",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: '0:3:1' is not HART:COUNTER, as in 0:3\n",
	  "" },
	{ "explain counter 00000000000000000000000000000000000000000:3 -m m1",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: '00000000000000000000000000000000000000000:3' is not "
	  "HART:COUNTER, as in 0:3\n",
	  "" },
	/* events: counted, known to the SBI alone, or neither */
	{ "explain event cycles",
	  { { EVENTS, CATALOGUE } },
	  EXIT_OK,
	  "event      cycles\n"
	  "SBI name   SBI_PMU_HW_CPU_CYCLES\n"
	  "selector   0x1\n"
	  "event_idx  general event: CPU_CYCLES\n"
	  "counts     cycles of the clock\n"
	  "rule       C5\n",
	  "",
	  EVENTS " {}\n" },
	{ "explain event loads -j",
	  { { EVENTS, CATALOGUE } },
	  EXIT_OK,
	  "{\n"
	  "  \"event\": \"loads\",\n"
	  "  \"selector\": \"0x100000\",\n"
	  "  \"counts\": \"loads that retire\"\n"
	  "}\n",
	  "",
	  EVENTS " {}\n" },
	{ "explain event sbi_pmu_hw_cpu_cycles",
	  { { EVENTS, CATALOGUE } },
	  EXIT_OK,
	  "event      cycles\n"
	  "SBI name   SBI_PMU_HW_CPU_CYCLES\n"
	  "selector   0x1\n"
	  "event_idx  general event: CPU_CYCLES\n"
	  "counts     cycles of the clock\n"
	  "rule       C5\n",
	  "",
	  EVENTS " {}\n" },
	{ "explain event cpu_cycles",
	  { { EVENTS, CATALOGUE } },
	  EXIT_OK,
	  "event      cycles\n"
	  "SBI name   SBI_PMU_HW_CPU_CYCLES\n"
	  "selector   0x1\n"
	  "event_idx  general event: CPU_CYCLES\n"
	  "counts     cycles of the clock\n"
	  "rule       C5\n",
	  "",
	  EVENTS " {}\n" },
	{ "explain event 0x100000",
	  { { EVENTS, CATALOGUE } },
	  EXIT_OK,
	  "event      loads\n"
	  "selector   0x100000\n"
	  "counts     loads that retire\n",
	  "",
	  EVENTS " {}\n" },
	{ "explain event BUS_CYCLES",
	  { { EVENTS, CATALOGUE } },
	  EXIT_OK,
	  "selector   0x7\n"
	  "event_idx  general event: BUS_CYCLES\n"
	  "counts     nothing here: the SBI knows this event, but no counter "
	  "of this machine counts it; counter_config_matching answers "
	  "NOT_SUPPORTED\n",
	  "",
	  EVENTS " {}\n" },
	{ "explain event 0xfffff",
	  { { EVENTS, CATALOGUE } },
	  EXIT_OK,
	  "selector   0xfffff\n"
	  "event_idx  platform firmware event: event_data says which\n"
	  "counts     nothing here: the SBI knows this event, but no counter "
	  "of this machine counts it; counter_config_matching answers "
	  "NOT_SUPPORTED\n",
	  "",
	  EVENTS " {}\n" },
	{ "explain event 0x100000000",
	  { { EVENTS, CATALOGUE } },
	  EXIT_OK,
	  "selector   0x100000000\n"
	  "counts     nothing here: not supported\n",
	  "",
	  EVENTS " {}\n" },
	{ "explain event dtlb-read-miss",
	  { { EVENTS, CATALOGUE } },
	  EXIT_OK,
	  "selector   0x10019\n"
	  "event_idx  cache event: DTLB, read, miss\n"
	  "counts     nothing here: the SBI knows this event, but no counter "
	  "of this machine counts it; counter_config_matching answers "
	  "NOT_SUPPORTED\n",
	  "",
	  EVENTS " {}\n" },
	{ "explain event cycle",
	  { { EVENTS, CATALOGUE } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: there is no event 'cycle'; pmuctl list has all\n"
	  "pmuctl: did you mean 'cycles'?\n",
	  EVENTS " {}\n" EVENTS " {}\n" },
	{ "explain event cycles",
	  { { EVENTS, NULL, 14 } },
	  EXIT_FAILED,
	  "",
	  "pmuctl: refused\n",
	  EVENTS " {}\n" },
	/* CSRs */
	{ "explain csr mhpmevent4",
	  { { 0 } },
	  EXIT_OK,
	  "csr        mhpmevent4\n"
	  "number     0x324\n"
	  "chapter    Sscofpmf\n"
	  "meaning    what mhpmcounter n counts, in which modes, and its "
	  "overflow\n"
	  "        63 OF           overflowed; while it is 1, no interrupt\n"
	  "        62 MINH         do not count in M-mode\n"
	  "        61 SINH         do not count in S- or HS-mode\n"
	  "        60 UINH         do not count in U-mode\n"
	  "        59 VSINH        do not count in VS-mode\n"
	  "        58 VUINH        do not count in VU-mode\n"
	  "      55:0 event        selects the event; see pmuctl list\n"
	  "rules      mhpmcounter_mhpmevent_rdonly0: counter and selector may "
	  "be read-only zero\n"
	  "           mhpmevent_enc: event 0 is no event\n"
	  "           mhpmevent_inh_op: a set bit stops counting in its mode\n"
	  "           mhpmevent_of_bit_set: a request sets OF\n"
	  "           mhpmevent_of_op: an overflow sets OF, software clears "
	  "it\n"
	  "           mhpmevent_sz_warl_op: selectors of 64 bits say what is "
	  "counted\n",
	  "",
	  "" },
	{ "explain csr 0xda0 -j",
	  { { 0 } },
	  EXIT_OK,
	  "{\n"
	  "  \"csr\": \"scountovf\",\n"
	  "  \"number\": \"0xda0\",\n"
	  "  \"chapter\": \"Sscofpmf\",\n"
	  "  \"meaning\": \"OF of every counter that mcounteren opens, "
	  "read-only\",\n"
	  "  \"fields\": [\n"
	  "    {\n"
	  "      \"bits\": \"31:3\",\n"
	  "      \"name\": \"OF31-OF3\",\n"
	  "      \"meaning\": \"counter n has overflowed\"\n"
	  "    }\n"
	  "  ],\n"
	  "  \"rules\": [\n"
	  "    {\n"
	  "      \"rule\": \"scountovf_mmode_read_access\",\n"
	  "      \"meaning\": \"M sees all\"\n"
	  "    },\n"
	  "    {\n"
	  "      \"rule\": \"scountovf_op\",\n"
	  "      \"meaning\": \"the OF bits in one register\"\n"
	  "    },\n"
	  "    {\n"
	  "      \"rule\": \"scountovf_smode_read_access\",\n"
	  "      \"meaning\": \"S sees what mcounteren opens\"\n"
	  "    },\n"
	  "    {\n"
	  "      \"rule\": \"scountovf_smode_read_access_control\",\n"
	  "      \"meaning\": \"who reads a counter reads its bit\"\n"
	  "    },\n"
	  "    {\n"
	  "      \"rule\": \"scountovf_vsmode_read_access\",\n"
	  "      \"meaning\": \"VS sees what mcounteren and hcounteren open\"\n"
	  "    },\n"
	  "    {\n"
	  "      \"rule\": \"ssccfg_virtual_scountovf_vs_vu\",\n"
	  "      \"meaning\": \"scountovf of guests under CDE\"\n"
	  "    }\n"
	  "  ]\n"
	  "}\n",
	  "",
	  "" },
	{ "explain csr ebbhr",
	  { { 0 } },
	  EXIT_OK,
	  "csr        ebbhr\n"
	  "number     0x800\n"
	  "chapter    Xpmuebb (docs/EBB.md)\n"
	  "meaning    address of the user's handler\n"
	  "rules      ebb_addresses: ebbhr and ebbrr hold addresses of "
	  "instructions\n",
	  "",
	  "" },
	{ "explain csr hgeip",
	  { { 0 } },
	  EXIT_OK,
	  "csr        hgeip\n"
	  "number     0xe12\n"
	  "chapter    H extension\n"
	  "meaning    guest external interrupts pending\n",
	  "",
	  "" },
	{ "explain csr mhpmevent",
	  { { 0 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: there is no CSR of counters and traps 'mhpmevent'; pmuctl "
	  "list csrs has all of a hart\n"
	  "pmuctl: did you mean 'mhpmevent3'?\n",
	  "" },
	{ "explain csr nothing-like-it",
	  { { 0 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: there is no CSR of counters and traps 'nothing-like-it'; "
	  "pmuctl list csrs has all of a hart\n",
	  "" },
	/* errors of the SBI */
	{ "explain error -3",
	  { { 0 } },
	  EXIT_OK,
	  "error      INVALID_PARAM\n"
	  "code       -3\n"
	  "meaning    an argument is invalid\n"
	  "PMU        a set beyond num_counters or with an absent counter; "
	  "reserved flags; a counter that nobody has configured\n",
	  "",
	  "" },
	{ "explain error SBI_ERR_NO_SHMEM",
	  { { 0 } },
	  EXIT_OK,
	  "error      NO_SHMEM\n"
	  "code       -9\n"
	  "meaning    no shared memory has been set\n"
	  "PMU        a snapshot flag without snapshot_set_shmem\n",
	  "",
	  "" },
	{ "explain error DENIED -j",
	  { { 0 } },
	  EXIT_OK,
	  "{\n"
	  "  \"error\": \"DENIED\",\n"
	  "  \"code\": \"-4\",\n"
	  "  \"meaning\": \"the call is not allowed\"\n"
	  "}\n",
	  "",
	  "" },
	{ "explain error 0",
	  { { 0 } },
	  EXIT_OK,
	  "error      SUCCESS\n"
	  "code       0\n"
	  "meaning    the call was done\n"
	  "PMU        a1 has the value, 0 if none\n",
	  "",
	  "" },
	{ "explain error -99",
	  { { 0 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: there is no SBI error '-99'\n",
	  "" },
	{ "explain error DENIE",
	  { { 0 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: there is no SBI error 'DENIE'\n"
	  "pmuctl: did you mean 'DENIED'?\n",
	  "" },
	/* rules */
	{ "explain rule c4",
	  { { 0 } },
	  EXIT_OK,
	  "rule       C4\n"
	  "chapter    Items of the conformance list\n"
	  "meaning    counter_idx fills the whole register\n"
	  "decision   A counter_idx fills the whole register, so 1<<32 is "
	  "INVALID_PARAM on\n"
	  "           RV64. Only counter_get_info of the opensbi profile takes "
	  "the lower\n"
	  "           32 bits of it (C206).\n"
	  "decided by the specification\n"
	  "section    SBI 3.0, Get details of a counter (FID #1)\n",
	  "",
	  "" },
	{ "explain rule norm:scountovf_op",
	  { { 0 } },
	  EXIT_OK,
	  "rule       scountovf_op\n"
	  "chapter    Sscofpmf\n"
	  "meaning    the OF bits in one register\n"
	  "section    norm:scountovf_op of the RISC-V Instruction Set Manual\n",
	  "",
	  "" },
	{ "explain rule C4 -j",
	  { { 0 } },
	  EXIT_OK,
	  "{\n"
	  "  \"rule\": \"C4\",\n"
	  "  \"chapter\": \"Items of the conformance list\",\n"
	  "  \"meaning\": \"counter_idx fills the whole register\",\n"
	  "  \"decision\": \"A counter_idx fills the whole register, so 1<<32 "
	  "is INVALID_PARAM on RV64. Only counter_get_info of the opensbi "
	  "profile takes the lower 32 bits of it (C206).\",\n"
	  "  \"decided by\": \"the specification\",\n"
	  "  \"section\": \"SBI 3.0, Get details of a counter (FID #1)\"\n"
	  "}\n",
	  "",
	  "" },
	{ "explain rule ebb_reservation",
	  { { 0 } },
	  EXIT_OK,
	  "rule       ebb_reservation\n"
	  "chapter    Xpmuebb\n"
	  "meaning    a branch voids an LR reservation\n"
	  "decision   A branch voids the hart's LR reservation, as a trap "
	  "does.\n"
	  "decided by this project, whose extension it is\n"
	  "section    docs/EBB.md, The branch\n",
	  "",
	  "" },
	{ "explain rule aia_iprio_ties",
	  { { 0 } },
	  EXIT_OK,
	  "rule       aia_iprio_ties\n"
	  "chapter    Smaia, Ssaia\n"
	  "meaning    between equal numbers the default order decides\n"
	  "decision   Between interrupts with equal priority numbers the "
	  "default "
	  "order\n"
	  "           decides.\n"
	  "decided by the specification\n"
	  "section    AIA, Defined major interrupts and default priorities; "
	  "AIA,\n"
	  "           Interrupts at machine level; AIA, Interrupts at "
	  "supervisor "
	  "level\n",
	  "",
	  "" },
	{ "explain rule C99999",
	  { { 0 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: there is no rule 'C99999'\n",
	  "" },
};

TEST_ROWS(it_is_explained, rows)
{
	canned_check(&rows[_i]);
}

SUITE("cli-explain");
