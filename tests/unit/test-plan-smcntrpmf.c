/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The cases of the Smcntrpmf test plan, one or more rows each, but those of
 * delegation, which are test-csr-ind.c's. At one cycle per instruction and
 * per trap; a trap's cycle is the mode's that it leaves.
 */
#include <pmu/insn-word.h>

#include "hart-script.h"
#include "hart-state.h"
#include "unit.h"

#define ONES	UINT64_MAX
#define MINH	PMU_EVENT_MINH
#define SINH	PMU_EVENT_SINH
#define UINH	PMU_EVENT_UINH
#define LCOFI	0x2000
#define CY	1
#define IR	4
#define MRET	PMU_WORD_MRET
#define SRET	PMU_WORD_SRET
#define H	PMU_EXT_H
#define S_AND_U (PMU_EXT_S | PMU_EXT_U)
#define ECALL_U 8

#define LEAVES(csr, bits) POKE(csr, ONES), PEEK(csr, bits)

static const struct script csr_rows[] = {
	{ "mcyclecfg: each field, and nothing below", RULE("PMF-CSR-01"), 64,
	  .steps = { POKE(MCYCLECFG, MINH), PEEK(MCYCLECFG, MINH),
		     POKE(MCYCLECFG, SINH), PEEK(MCYCLECFG, SINH),
		     POKE(MCYCLECFG, UINH), PEEK(MCYCLECFG, UINH) } },
	{ "mcyclecfg: all five fields with H", RULE("PMF-CSR-01 mcyclecfg_sz"),
	  64, .add = H, .steps = { LEAVES(MCYCLECFG, PMU_EVENT_INH_ALL) } },
	{ "minstretcfg: each field, and nothing below", RULE("PMF-CSR-02"), 64,
	  .steps = { POKE(MINSTRETCFG, MINH), PEEK(MINSTRETCFG, MINH),
		     POKE(MINSTRETCFG, SINH), PEEK(MINSTRETCFG, SINH),
		     POKE(MINSTRETCFG, UINH), PEEK(MINSTRETCFG, UINH) } },
	{ "minstretcfg: all five fields with H",
	  RULE("PMF-CSR-02 mcyclecfg_sz"), 64, .add = H,
	  .steps = { LEAVES(MINSTRETCFG, PMU_EVENT_INH_ALL) } },
	{ "mcyclecfg has no OF and no event", RULE("PMF-CSR-03 PMF-CSR-08"), 64,
	  .steps = { LEAVES(MCYCLECFG, MINH | SINH | UINH) } },
	{ "minstretcfg has no OF and no event", RULE("PMF-CSR-04 PMF-CSR-09"),
	  64, .steps = { LEAVES(MINSTRETCFG, MINH | SINH | UINH) } },
	{ "no S, no SINH", RULE("PMF-CSR-06 unimplemented_mode_bits"), 64,
	  .del = PMU_EXT_S,
	  .steps = { LEAVES(MCYCLECFG, MINH | UINH),
		     LEAVES(MINSTRETCFG, MINH | UINH) } },
	{ "no U, no UINH", RULE("PMF-CSR-07 unimplemented_mode_bits"), 64,
	  .del = S_AND_U,
	  .steps = { LEAVES(MCYCLECFG, MINH), LEAVES(MINSTRETCFG, MINH) } },
	{ "S may not", RULE("PMF-CSR-10 PMF-DELEG-03"), 64,
	  .steps = { MODE(S), ILLEGAL_R(MCYCLECFG), ILLEGAL_R(MINSTRETCFG) } },
	{ "U may not", RULE("PMF-CSR-11"), 64,
	  .steps = { MODE(U), ILLEGAL_R(MCYCLECFG), ILLEGAL_R(MINSTRETCFG) } },
	{ "RV32: the fields of mcyclecfg are in the high half",
	  RULE("PMF-CSR-12 rv32_high_access"), 32,
	  .steps = { LEAVES(MCYCLECFGH, (MINH | SINH | UINH) >> 32),
		     LEAVES(MCYCLECFG, 0), MODE(S), ILLEGAL_R(MCYCLECFGH) } },
	{ "RV32: the fields of minstretcfg are in the high half",
	  RULE("PMF-CSR-13 rv32_high_access"), 32,
	  .steps = { LEAVES(MINSTRETCFGH, (MINH | SINH | UINH) >> 32),
		     LEAVES(MINSTRETCFG, 0), MODE(S),
		     ILLEGAL_R(MINSTRETCFGH) } },
};

TEST_ROWS(registers_are_as_the_plan_says, csr_rows)
{
	script_run(&csr_rows[_i]);
}

/* 1 instruction in M, 10 in S and 100 in U, and what is counted of them. */
#define EACH_MODE(ctr, n)                                                      \
	RUN(1), MODE(S), RUN(10), MODE(U), RUN(100), PEEK(ctr, n)
#define CYCLES(bits, n) POKE(MCYCLECFG, bits), EACH_MODE(MCYCLE, n)
#define INSNS(bits, n)	POKE(MINSTRETCFG, bits), EACH_MODE(MINSTRET, n)

static const struct script filter_rows[] = {
	{ "cycle: every mode", RULE("PMF-CYC-01 all_xinh_zero"), 64,
	  .steps = { CYCLES(0, 111) } },
	{ "cycle: all but M",
	  RULE("PMF-CYC-02 PMF-CYC-03 counter_inhibited_behavior"), 64,
	  .steps = { CYCLES(MINH, 110) } },
	{ "cycle: all but S",
	  RULE("PMF-CYC-04 PMF-CYC-05 counter_inhibited_behavior"), 64,
	  .steps = { CYCLES(SINH, 101) } },
	{ "cycle: all but U",
	  RULE("PMF-CYC-06 PMF-CYC-07 counter_inhibited_behavior"), 64,
	  .steps = { CYCLES(UINH, 11) } },
	{ "cycle: U alone", RULE("PMF-CYC-10 cycle_counting"), 64,
	  .steps = { CYCLES(MINH | SINH, 100) } },
	{ "instret: every mode", RULE("PMF-INS-01 all_xinh_zero"), 64,
	  .steps = { INSNS(0, 111) } },
	{ "instret: all but M",
	  RULE("PMF-INS-02 PMF-INS-03 instret_non_inhibited"), 64,
	  .steps = { INSNS(MINH, 110) } },
	{ "instret: all but S", RULE("PMF-INS-04 instret_non_inhibited"), 64,
	  .steps = { INSNS(SINH, 101) } },
	{ "instret: all but U", RULE("PMF-INS-05 instret_non_inhibited"), 64,
	  .steps = { INSNS(UINH, 11) } },
	{ "mcountinhibit stops cycle in every mode", RULE("PMF-INH-01"), 64,
	  .steps = { POKE(MCOUNTINHIBIT, CY), CYCLES(0, 0) } },
	{ "a filter acts where mcountinhibit does not", RULE("PMF-INH-02"), 64,
	  .steps = { POKE(MCOUNTINHIBIT, IR), CYCLES(MINH, 110) } },
	{ "mcountinhibit stops instret in every mode", RULE("PMF-INH-03"), 64,
	  .steps = { POKE(MCOUNTINHIBIT, IR), INSNS(0, 0) } },
	{ "the filter of instret, too", RULE("PMF-INH-04"), 64,
	  .steps = { POKE(MCOUNTINHIBIT, CY), INSNS(SINH, 101) } },
	{ "cycle is S's by mcounteren", RULE("PMF-CTR-01"), 64,
	  .steps = { POKE(MCOUNTEREN, ~UINT64_C(1)), MODE(S),
		     ILLEGAL_R(CYCLE) } },
	{ "a filtered counter is readable and stands still", RULE("PMF-CTR-02"),
	  64,
	  .steps = { POKE(MCOUNTEREN, CY), POKE(MCYCLECFG, SINH), RUN(3),
		     MODE(S), CSRR(CYCLE, 3), RUN(5), CSRR(CYCLE, 3) } },
	{ "cycle is U's by scounteren", RULE("PMF-CTR-03"), 64,
	  .steps = { POKE(MCOUNTEREN, CY), POKE(SCOUNTEREN, 0), MODE(U),
		     ILLEGAL_R(CYCLE) } },
	{ "access and filter are apart", RULE("PMF-CTR-05"), 64,
	  .steps = { POKE(MCOUNTEREN, CY), POKE(SCOUNTEREN, CY),
		     POKE(MCYCLECFG, UINH), RUN(3), MODE(U), CSRR(CYCLE, 3),
		     RUN(5), CSRR(CYCLE, 3) } },
};

TEST_ROWS(modes_count_as_the_plan_says, filter_rows)
{
	script_run(&filter_rows[_i]);
}

static const struct script move_rows[] = {
	{ "cycle: to M, which does not count, and back",
	  RULE("PMF-CYC-11 PMF-TR-01 cycle_counting"), 64,
	  .steps = { POKE(MCYCLECFG, MINH), MODE(U), RUN(5), FAULT(ECALL_U),
		     IN(M), PEEK(MCYCLE, 6), RUN(30), EXEC(MRET),
		     PEEK(MCYCLE, 6), IN(U), RUN(5), PEEK(MCYCLE, 11) } },
	{ "cycle: to S, which counts", RULE("PMF-TR-02"), 64,
	  .steps = { POKE(MCYCLECFG, MINH), POKE(MEDELEG, 1 << ECALL_U),
		     MODE(U), RUN(1), FAULT(ECALL_U), IN(S), RUN(3),
		     PEEK(MCYCLE, 5) } },
	{ "instret: to M, which does not count",
	  RULE("PMF-TR-03 PMF-TR-05 instret_xret"), 64,
	  .steps = { POKE(MINSTRETCFG, MINH), MODE(U), RUN(1), FAULT(ECALL_U),
		     IN(M), RUN(4), EXEC(MRET), IN(U), PEEK(MINSTRET, 1),
		     RUN(1), PEEK(MINSTRET, 2) } },
	{ "instret: to S, which counts", RULE("PMF-TR-04"), 64,
	  .steps = { POKE(MINSTRETCFG, MINH), POKE(MEDELEG, 1 << ECALL_U),
		     MODE(U), RUN(1), FAULT(ECALL_U), IN(S), RUN(4),
		     PEEK(MINSTRET, 5) } },
	{ "mret counts where M does", RULE("PMF-INS-10 PMF-TR-06 instret_xret"),
	  64, .steps = { EXEC(MRET), IN(U), PEEK(MINSTRET, 1) } },
	{ "mret does not count where M does not",
	  RULE("PMF-INS-11 instret_xret"), 64,
	  .steps = { POKE(MINSTRETCFG, MINH), EXEC(MRET), IN(U),
		     PEEK(MINSTRET, 0) } },
	{ "sret does not count where S does not",
	  RULE("PMF-INS-12 instret_xret"), 64,
	  .steps = { POKE(MINSTRETCFG, SINH), MODE(S), EXEC(SRET), IN(U),
		     PEEK(MINSTRET, 0) } },
	{ "sret counts where S does", RULE("PMF-INS-13 instret_xret"), 64,
	  .steps = { MODE(S), EXEC(SRET), IN(U), PEEK(MINSTRET, 1) } },
	{ "an ecall does not retire", RULE("PMF-INS-08 instret_exception"), 64,
	  .steps = { MODE(U), RUN(2), FAULT(ECALL_U), PEEK(MINSTRET, 2) } },
	{ "nor does an illegal instruction in a mode that does not count",
	  RULE("PMF-INS-09 instret_exception"), 64,
	  .steps = { POKE(MINSTRETCFG, MINH), FAULT(2), PEEK(MINSTRET, 0) } },
	{ "a load that faults counts once, when it is done again",
	  RULE("PMF-INS-14 instret_exception"), 64,
	  .steps = { POKE(MINSTRETCFG, MINH | SINH), MODE(U), FAULT(13), RUN(9),
		     EXEC(MRET), IN(U), PEEK(MINSTRET, 0), RUN(1),
		     PEEK(MINSTRET, 1) } },
	{ "an interrupt to M, which does not count", RULE("PMF-TR-07"), 64,
	  .steps = { POKE(MIE, LCOFI), POKE(MIP, LCOFI), POKE(MCYCLECFG, MINH),
		     MODE(U), RUN(2), ENTER(LCOFI), IN(M), RUN(3),
		     PEEK(MCYCLE, 3) } },
	{ "an interrupt to S, which counts", RULE("PMF-TR-08"), 64,
	  .steps = { POKE(MIDELEG, LCOFI), POKE(MIE, LCOFI), POKE(MIP, LCOFI),
		     POKE(MCYCLECFG, MINH), MODE(U), RUN(2), ENTER(LCOFI),
		     IN(S), RUN(3), PEEK(MCYCLE, 6) } },
	{ "cycle: to and fro", RULE("PMF-TR-09 transition_counting_defined"),
	  64,
	  .steps = { POKE(MCYCLECFG, MINH), MODE(U), RUN(2), FAULT(ECALL_U),
		     RUN(3), EXEC(MRET), RUN(2), FAULT(ECALL_U), RUN(3),
		     EXEC(MRET), RUN(2), PEEK(MCYCLE, 8) } },
	{ "instret: to and fro", RULE("PMF-TR-10 transition_counting_defined"),
	  64,
	  .steps = { POKE(MINSTRETCFG, MINH), MODE(U), RUN(2), FAULT(ECALL_U),
		     RUN(3), EXEC(MRET), RUN(2), FAULT(ECALL_U), RUN(3),
		     EXEC(MRET), RUN(2), PEEK(MINSTRET, 6) } },
};

TEST_ROWS(changes_of_mode_count_as_the_plan_says, move_rows)
{
	script_run(&move_rows[_i]);
}

SUITE("plan-smcntrpmf");
