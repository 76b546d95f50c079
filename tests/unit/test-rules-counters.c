/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The rules of the manual on counters in Zicntr, Zihpm and the machine and
 * supervisor chapters, one row or more for each that says something to test.
 */
#include "hart-script.h"
#include "hart-state.h"
#include "unit.h"

#define ONES	   UINT64_MAX
#define ONES32	   UINT64_C(0xffffffff)
#define C(n)	   (MHPMCOUNTER + (n))
#define CH(n)	   (MHPMCOUNTERH + (n))
#define E(n)	   (MHPMEVENT + (n))
#define EH(n)	   (MHPMEVENTH + (n))
#define HPM(n)	   (HPMCOUNTER + (n))
#define HPMH(n)	   (HPMCOUNTERH + (n))
#define INSNS	   UINT64_C(2) /* the selector */
#define OF	   PMU_EVENT_OF
#define LCOFI	   0x2000
#define STI	   0x20
#define BIT(n)	   (UINT64_C(1) << (n))
#define SSTC	   PMU_EXT_SSTC
#define NO_S	   PMU_EXT_S
#define S_AND_U	   (PMU_EXT_S | PMU_EXT_U)
#define STOPPED	   POKE(MCOUNTINHIBIT, ONES)
#define NO_HPM	   (PMU_EXT_ZIHPM | PMU_EXT_SSCOFPMF)
#define OPEN(m, s) POKE(MCOUNTEREN, m), POKE(SCOUNTEREN, s)
#define V64	   UINT64_C(0x0123456789abcdef)
#define LO	   UINT64_C(0x89abcdef)
#define HI	   UINT64_C(0x01234567)

/* Each programmable counter in turn. */
TEST_RANGE(there_are_29_programmable_counters, 3, 32)
{
	uint16_t n = (uint16_t)_i;
	const struct script wide = {
		"64 bits, in one piece", NULL, 64,
		.steps = { POKE(C(n), V64), PEEK(C(n), V64), POKE(E(n), INSNS),
			   PEEK(E(n), INSNS), OPEN(BIT(n), BIT(n)),
			   CSRR(HPM(n), V64 + 0), ILLEGAL_R(HPMH(n)), MODE(S),
			   CSRR(HPM(n), V64 + 1), MODE(U),
			   CSRR(HPM(n), V64 + 2), ILLEGAL_W(HPM(n)) }
	};
	const struct script halves = {
		"64 bits, in two halves", NULL, 32,
		.steps = { POKE(C(n), LO), POKE(CH(n), HI), PEEK(C(n), LO),
			   PEEK(CH(n), HI), OPEN(BIT(n), BIT(n)), MODE(U),
			   CSRR(HPM(n), LO), CSRR(HPMH(n), HI),
			   ILLEGAL_W(HPM(n)), ILLEGAL_W(HPMH(n)) }
	};

	shows(RULE("zihpm_op_sz_mode_acc_count zihpm_op_sz_mode_acc_priv"));
	shows(RULE("zihpm_op_sz_mode_acc_xlen32 hpmcounter_op_sz_mode"));
	shows(RULE("hpm_counter_op_sz_mode_xlen32 mhpmcounter_num"));
	shows(RULE("mhpmcounter_mandatory mhpmcounter_sz"));
	shows(RULE("cycle_instret_hpmcounter_op_rdonly"));
	shows(RULE("cycleh_instreth_hpmcounternh_op_rdonly"));
	script_run(&wide);
	script_run(&halves);
}

/* Each bit of mcounteren, scounteren and mcountinhibit; time: test-time.c. */
TEST_WHERE(a_bit_is_its_counters_and_no_others, 0, 32, _i != 1)
{
	uint16_t n = (uint16_t)_i, other = n == 3 ? 4 : 3;
	const struct script enables = {
		"a bit of the counter enables", NULL, 0,
		.steps = { POKE(MCOUNTEREN, BIT(n)), PEEK(MCOUNTEREN, BIT(n)),
			   MODE(S), CSRR(HPM(n), 0), ILLEGAL_R(HPM(other)),
			   POKE(MCOUNTEREN, ONES), POKE(SCOUNTEREN, BIT(n)),
			   PEEK(SCOUNTEREN, BIT(n)), MODE(U),
			   CSRR(HPM(n), n == 0 || n == 2),
			   ILLEGAL_R(HPM(other)) }
	};
	const struct script inhibit = {
		"a bit of mcountinhibit", NULL, 0,
		.steps = { POKE(E(other), INSNS),
			   POKE(n < 3 ? E(other) : E(n), INSNS), RUN(2),
			   PEEK(C(n), 2), POKE(MCOUNTINHIBIT, BIT(n)),
			   PEEK(MCOUNTINHIBIT, BIT(n)), RUN(5), PEEK(C(n), 2),
			   PEEK(C(other), 7) }
	};

	shows(RULE("mcounteren_enc_img mcounteren_op scounteren_op"));
	shows(RULE("mcountinhibit_enc_img mcountinhibit_op2"));
	script_run(&enables);
	script_run(&inhibit);
}

/* Two harts that did different things have the same time. */
TEST(all_harts_have_the_same_time)
{
	const struct script plain = { "time" };
	struct pmu_hart *a = script_hart(&plain, 64);
	struct pmu_hart *b = script_hart(&plain, 64);
	struct pmu_progress p = { .n = { [PMU_EV_INSNS] = 1000 } };
	uint64_t x, y;

	shows(RULE("zicntr_time_hart_sync C164"));
	pmu_hart_advance(a, &p);
	for (uint64_t now = 0; now < 1000; now += 37) {
		ck_assert_int_eq(pmu_csr_peek(a, TIME, now, &x), 0);
		ck_assert_int_eq(pmu_csr_peek(b, TIME, now, &y), 0);
		ck_assert_uint_eq(x, y);
	}
	pmu_hart_free(a);
	pmu_hart_free(b);
}

static const struct script read_rows[] = {
	{ "without Zihpm cycle, time and instret stay",
	  RULE("hpm_unimplemented_counter_access"), 0, .del = NO_HPM,
	  .steps = { CSRR(CYCLE, 0), CSRR(TIME, 0), CSRR(INSTRET, 2),
		     ILLEGAL_R(HPM(3)), ILLEGAL_R(HPM(31)) } },
	{ "without Zicntr hpmcounters stay",
	  RULE("zihpm_op_sz_mode_acc_partition"), 0, .del = PMU_EXT_ZICNTR,
	  .steps = { ILLEGAL_R(CYCLE), ILLEGAL_R(TIME), ILLEGAL_R(INSTRET),
		     CSRR(HPM(3), 0), CSRR(HPM(31), 0) } },
	{ "rdcycle counts cycles", RULE("zicntr_rdcycle_op"), 0,
	  .steps = { OPEN(1, 1), MODE(U), RUN(5), IDLE(7), CSRR(CYCLE, 12) } },
	{ "rdcycleh is the high half", RULE("zicntr_rdcycleh_op"), 32,
	  .steps = { POKE(MCYCLE, ONES), POKE(MCYCLEH, 7), OPEN(1, 1), MODE(U),
		     RUN(3), CSRR(CYCLE, 2), CSRR(CYCLEH, 8) } },
	{ "rdtime counts real time",
	  RULE("zicntr_rdtime_op time_op_rdonly time_timeh_visibility_mtime"),
	  0,
	  .steps = { OPEN(2, 2), MODE(U), RUN(5), NOW(1234), CSRR(TIME, 12),
		     NOW(1300), CSRR(TIME, 13), ILLEGAL_W(TIME) } },
	{ "time follows the clock", RULE("time_timeh_visibility_mtime"), 0,
	  .steps = { NOW(1299), CSRR(TIME, 12), NOW(1300), CSRR(TIME, 13) } },
	{ "rdtimeh is the high half", RULE("zicntr_rdtimeh_op timeh_op_rdonly"),
	  32,
	  .steps = { OPEN(2, 2), MODE(U), NOW((UINT64_C(7) << 32 | 5) * 100),
		     CSRR(TIME, 5), CSRR(TIMEH, 7), ILLEGAL_W(TIMEH) } },
	{ "rdinstret counts what retired", RULE("zicntr_rdinstret_op"), 0,
	  .steps = { OPEN(4, 4), MODE(U), RUN(5), FAULT(2), IDLE(7), MODE(U),
		     CSRR(INSTRET, 5) } },
	{ "rdinstreth is the high half", RULE("zicntr_rdinstreth_op"), 32,
	  .steps = { POKE(MINSTRET, ONES), POKE(MINSTRETH, 7), OPEN(4, 4),
		     MODE(U), RUN(3), CSRR(INSTRET, 2), CSRR(HPMH(2), 8) } },
	{ "RV64 has none of the high halves",
	  RULE("zicntr_rdcycleh_op zicntr_rdtimeh_op zicntr_rdinstreth_op"), 64,
	  .steps = { ILLEGAL_R(CYCLEH), ILLEGAL_R(TIMEH),
		     ILLEGAL_R(HPMH(2)) } },
	{ "the width is the platform's", RULE("hpm_platform_specific_impl"), 0,
	  .steps = { POKE(C(3), ONES), PEEK(C(3), 0xfffff),
		     PEEK(HPM(3), 0xfffff) },
	  .width = 20 },
	{ "an event that is none", RULE("hpm_misconfigured_event_behavior"), 64,
	  .steps = { POKE(C(3), 77), POKE(E(3), 0x1234), RUN(5),
		     COUNT(LOADS, 5), CSRR(HPM(3), 77) } },
	{ "a read-only number takes no write", RULE("Zicsr_illegal_acc"), 0,
	  .steps = { ILLEGAL_W(CYCLE), ILLEGAL_W(INSTRET), ILLEGAL_W(HPM(3)),
		     ILLEGAL_W(SCOUNTOVF), ILLEGAL_W(MHARTID) } },
};

TEST_ROWS(user_counters_are_as_the_manual_says, read_rows)
{
	script_run(&read_rows[_i]);
}

static const struct script machine_rows[] = {
	{ "minstret counts what retired, in every mode", RULE("minstret_op"), 0,
	  .steps = { RUN(1), MODE(S), RUN(2), MODE(U), RUN(4), FAULT(8),
		     PEEK(MINSTRET, 7) } },
	{ "mcycle and minstret have 64 bits",
	  RULE("mcycle_minstret_sz mcycle_minstret_rst"), 64,
	  .steps = { POKE(MCYCLE, V64), POKE(MINSTRET, ONES), PEEK(MCYCLE, V64),
		     PEEK(MINSTRET, ONES) } },
	{ "mcycle and minstret have 64 bits on RV32",
	  RULE("mcycle_minstret_sz mcycle_minstret_rst"), 32,
	  .steps = { POKE(MCYCLE, LO), POKE(MCYCLEH, HI), POKE(MINSTRET, LO),
		     POKE(MINSTRETH, HI), PEEK(MCYCLE, LO), PEEK(MCYCLEH, HI),
		     PEEK(MINSTRET, LO), PEEK(MINSTRETH, HI) } },
	{ "a write takes effect after its instruction",
	  RULE("mcycle_minstret_wr"), 0,
	  .steps = { RUN(5), CSRW(MINSTRET, 77), CSRR(MINSTRET, 77),
		     CSRW(MCYCLE, 99), CSRR(MCYCLE, 99) } },
	{ "a high half changes alone",
	  RULE("mcycleh_minstreth_mhpmh_op mhpmeventh_presence"), 32,
	  .steps = { STOPPED, POKE(C(3), LO), POKE(CH(3), HI), PEEK(C(3), LO),
		     POKE(C(3), 1), PEEK(CH(3), HI), POKE(E(3), 5),
		     POKE(EH(3), OF >> 32), PEEK(E(3), 5),
		     PEEK(EH(3), OF >> 32), POKE(E(3), 6),
		     PEEK(EH(3), OF >> 32) } },
	{ "no mhpmeventh without Sscofpmf", RULE("mhpmeventh_presence"), 32,
	  .del = PMU_EXT_SSCOFPMF,
	  .steps = { ILLEGAL_R(EH(3)), PEEK(CH(3), 0) } },
	{ "mhpmevent keeps what it has", RULE("mhpmevent_sz_warl_op"), 64,
	  .steps = { POKE(E(3), ONES),
		     PEEK(E(3), ONES & ~(UINT64_C(0xf) << 56)),
		     POKE(E(3), INSNS), RUN(3), PEEK(C(3), 3) } },
	{ "an absent counter and its event are zero",
	  RULE("mhpmcounter_mhpmevent_rdonly0"), 0, .del = NO_HPM,
	  .steps = { POKE(C(3), ONES), POKE(E(3), INSNS), RUN(3), PEEK(C(3), 0),
		     PEEK(E(3), 0) } },
	{ "mhpmcounter keeps the bits that it has", RULE("mhpmcounter_warl"),
	  64, .steps = { POKE(C(3), V64), PEEK(C(3), V64 & 0xffffffffff) },
	  .width = 40 },
	{ "mcounteren has 32 bits",
	  RULE("mcounteren_sz mcounteren_flds_mandatory_warl"), 0,
	  .steps = { POKE(MCOUNTEREN, ONES), PEEK(MCOUNTEREN, ONES32),
		     POKE(MCOUNTEREN, 0), PEEK(MCOUNTEREN, 0) } },
	{ "bits of counters that do not exist are zero",
	  RULE("mcounteren_flds_rdonly0 scounteren_acc"), 0, .del = NO_HPM,
	  .steps = { POKE(MCOUNTEREN, ONES), PEEK(MCOUNTEREN, 7),
		     POKE(SCOUNTEREN, ONES), PEEK(SCOUNTEREN, 7), MODE(S),
		     ILLEGAL_R(HPM(3)) } },
	{ "counting goes on where reading is not allowed",
	  RULE("mcounteren_inc_inaccessible"), 0,
	  .steps = { POKE(E(3), INSNS), POKE(MCOUNTEREN, 0), MODE(S), RUN(5),
		     ILLEGAL_R(CYCLE), ILLEGAL_R(INSTRET), ILLEGAL_R(HPM(3)),
		     PEEK(MCYCLE, 5), PEEK(MINSTRET, 5), PEEK(C(3), 5) } },
	{ "a bit that is clear", RULE("mcounteren_clr_ill_inst_exc"), 0,
	  .steps = { OPEN(0, ONES), MODE(S), ILLEGAL_R(CYCLE), ILLEGAL_R(TIME),
		     ILLEGAL_R(INSTRET), ILLEGAL_R(HPM(31)), MODE(U),
		     ILLEGAL_R(CYCLE), ILLEGAL_R(TIME), ILLEGAL_R(INSTRET),
		     ILLEGAL_R(HPM(31)) } },
	{ "a bit that is set opens to S", RULE("mcounteren_set_nxt_priv"), 0,
	  .steps = { OPEN(ONES, 0), MODE(S), CSRR(CYCLE, 0), CSRR(TIME, 0),
		     CSRR(INSTRET, 2), CSRR(HPM(31), 0), MODE(U),
		     ILLEGAL_R(CYCLE) } },
	{ "and to U where there is no S", RULE("mcounteren_set_nxt_priv"), 0,
	  .del = NO_S,
	  .steps = { POKE(MCOUNTEREN, ONES), MODE(U), CSRR(CYCLE, 0),
		     CSRR(TIME, 0), CSRR(INSTRET, 2), CSRR(HPM(31), 0) } },
	{ "TM opens stimecmp", RULE("mcounteren_tm_set"), 64, .add = SSTC,
	  .steps = { POKE(MENVCFG, BIT(63)), POKE(MCOUNTEREN, 2), MODE(S),
		     CSRW(STIMECMP, 5), CSRR(STIMECMP, 5) } },
	{ "no U, no mcounteren", RULE("mcounteren_presence"), 0, .del = S_AND_U,
	  .steps = { ILLEGAL_R(MCOUNTEREN), ILLEGAL_W(MCOUNTEREN) } },
	{ "mcountinhibit has every bit but time's",
	  RULE("mcountinhibit_sz_warl_op1 mcountinhibit_enc_img"), 0,
	  .steps = { POKE(MCOUNTINHIBIT, ONES),
		     PEEK(MCOUNTINHIBIT, 0xfffffffd) } },
	{ "a timer interrupt needs MTIE and MIE", RULE("mtime_intr_taken"), 0,
	  .steps = { LINE(MTI, 1), POKE(MSTATUS, 8), NO_NEXT(), POKE(MIE, 0x80),
		     NEXT(MTI), POKE(MSTATUS, 0), NO_NEXT() } },
	{ "LCOFIP and LCOFIE make the interrupt",
	  RULE("mip_lcofip_mie_lcofie_op mip_lcofip_op2"), 64,
	  .steps = { POKE(E(3), INSNS), POKE(C(3), ONES), MODE(U), RUN(1),
		     PEEK(MIP, LCOFI), NO_NEXT(), POKE(MIE, LCOFI),
		     PEEK(MIE, LCOFI), NEXT(LCOFI), POKE(MIP, 0), NO_NEXT() } },
};

TEST_ROWS(machine_counters_are_as_the_manual_says, machine_rows)
{
	script_run(&machine_rows[_i]);
}

#define DELEGATED(bits)                                                        \
	POKE(MIDELEG, bits), POKE(MIE, bits), POKE(MIP, bits), MODE(U)

static const struct script supervisor_rows[] = {
	{ "scounteren has 32 bits", RULE("scounteren"), 0,
	  .steps = { POKE(SCOUNTEREN, ONES), PEEK(SCOUNTEREN, ONES32),
		     POKE(SCOUNTEREN, 0), PEEK(SCOUNTEREN, 0) } },
	{ "LCOFIP and LCOFIE of S", RULE("sip_sie_Sscofpmf"), 64,
	  .steps = { POKE(MIDELEG, LCOFI), POKE(E(3), INSNS), POKE(C(3), ONES),
		     MODE(U), RUN(1), PEEK(SIP, LCOFI), NO_NEXT(), MODE(S),
		     CSRS(SIE, LCOFI), CSRR(SIE, LCOFI), MODE(U), NEXT(LCOFI),
		     MODE(S), CSRC(SIP, LCOFI), CSRR(SIP, 0) } },
	{ "without Sscofpmf they are zero",
	  RULE("sip_sie_Sscofpmf std_super_intr_impl"), 0,
	  .del = PMU_EXT_SSCOFPMF,
	  .steps = { POKE(MIDELEG, LCOFI), POKE(MIE, ONES), POKE(MIP, ONES),
		     POKE(SIE, LCOFI), POKE(SIP, LCOFI), PEEK(SIE, 0),
		     PEEK(SIP, 0) } },
	{ "LCOFI comes last", RULE("sip_sie_priority_bit_order C111"), 0,
	  .steps = { DELEGATED(0x2222), NEXT(SEI), POKE(MIP, 0x2022), NEXT(SSI),
		     POKE(MIP, 0x2020), NEXT(STI), POKE(MIP, 0x2000),
		     NEXT(LCOFI) } },
	{ "STIP is not S's to write", RULE("sip_stip_sie_stie"), 0,
	  .steps = { POKE(MIDELEG, STI), MODE(S), CSRS(SIP, STI), CSRR(SIP, 0),
		     POKE(MIP, STI), CSRR(SIP, STI), CSRC(SIP, STI),
		     CSRR(SIP, STI), POKE(MIP, 0), CSRR(SIP, 0) } },
	{ "stimecmp schedules in terms of time",
	  RULE("supervisor_timer_scheduling sip_stip_sie_stie"), 64,
	  .add = SSTC,
	  .steps = { POKE(MENVCFG, BIT(63)), POKE(MIDELEG, STI), POKE(MIE, STI),
		     POKE(STIMECMP, 10), MODE(U), NOW(999), NO_NEXT(),
		     NOW(1000), NEXT(STI), POKE(STIMECMP, 11), NO_NEXT() } },
};

TEST_ROWS(supervisor_counters_are_as_the_manual_says, supervisor_rows)
{
	script_run(&supervisor_rows[_i]);
}

SUITE("rules-counters");
