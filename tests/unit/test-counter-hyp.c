/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counters, time and overflow where there are guests: who may read what by all
 * combinations of the three enables, what is counted in VS and VU with which
 * filters, what time it is for a guest and when its timer rises.
 */
#include "hart-script.h"
#include "unit.h"

#define ONES   UINT64_MAX
#define ONES32 UINT64_C(0xffffffff)
#define H(n)   (UINT64_C(1) << (n))
#define HYP    PMU_EXT_H
#define SSTC   PMU_EXT_SSTC
#define INSNS  0x2
#define MINH   H(62)
#define SINH   H(61)
#define UINH   H(60)
#define VSINH  H(59)
#define VUINH  H(58)

/* The answer to a read, by the text of the rules: each mode on its own. */
static enum pmu_csr_result model_read(enum pmu_mode mode, bool m, bool h,
				      bool s)
{
	switch (mode) {
	case PMU_MODE_M:
		return PMU_CSR_OK;
	case PMU_MODE_S:
		return m ? PMU_CSR_OK : PMU_CSR_ILLEGAL;
	case PMU_MODE_U:
		return m && s ? PMU_CSR_OK : PMU_CSR_ILLEGAL;
	case PMU_MODE_VS:
		if (!m)
			return PMU_CSR_ILLEGAL;
		return h ? PMU_CSR_OK : PMU_CSR_VIRTUAL;
	case PMU_MODE_VU:
		if (!m)
			return PMU_CSR_ILLEGAL;
		return h && s ? PMU_CSR_OK : PMU_CSR_VIRTUAL;
	case PMU_N_MODES:
		break;
	}
	return PMU_CSR_ILLEGAL;
}

static void check_read(struct pmu_hart *hart, uint16_t num, unsigned enables)
{
	bool m = enables & 1, h = enables & 2, s = enables & 4;
	struct pmu_csr_req read = { .num = num, .read = true };
	struct pmu_csr_req write = { .num = num, .write = true };
	uint64_t old;
	unsigned fx = 0;

	for (int i = 0; i < PMU_N_MODES; i++) {
		enum pmu_mode mode = (enum pmu_mode)i;
		enum pmu_csr_result want = model_read(mode, m, h, s);

		pmu_hart_set_mode(hart, mode);
		ck_assert_msg(pmu_csr(hart, &read, &old, &fx) == want,
			      "%#x from %s, enables %u", num,
			      pmu_mode_name(mode), enables);
		ck_assert_msg(pmu_csr(hart, &write, &old, &fx) ==
				      PMU_CSR_ILLEGAL,
			      "%#x written from %s", num, pmu_mode_name(mode));
	}
}

/* Bit @n alone is what differs: the others are the reverse. */
static void check_counter(struct pmu_hart *h, unsigned n, bool high)
{
	static const uint16_t nums[] = { MCOUNTEREN, HCOUNTEREN, SCOUNTEREN };

	for (unsigned enables = 0; enables < 8; enables++) {
		unsigned fx = 0;

		for (unsigned i = 0; i < 3; i++)
			pmu_csr_poke(h, nums[i], 0,
				     enables >> i & 1 ? H(n) : ~H(n), &fx);
		check_read(h, (uint16_t)((high ? CYCLEH : CYCLE) + n), enables);
	}
}

TEST(all_enables_from_all_modes_on_rv64)
{
	const struct script s = { .add = HYP };
	struct pmu_hart *h = script_hart(&s, 64);

	shows(RULE("C115 C116 hcounteren_op mcounteren_set_nxt_priv"));
	shows(RULE("H_virtinst_vs_nonhighctr_h0_m1"));
	shows(RULE("H_virtinst_vu_nonhighctr_h0_s0_m1"));
	for (unsigned n = 0; n < PMU_N_COUNTERS; n++)
		check_counter(h, n, false);
	pmu_hart_free(h);
}

TEST(all_enables_from_all_modes_on_rv32)
{
	const struct script s = { .add = HYP };
	struct pmu_hart *h = script_hart(&s, 32);

	shows(RULE("C115 C116 hcounteren_op"));
	shows(RULE("H_virtinst_vs32_highctr_h0_m1"));
	shows(RULE("H_virtinst_vu32_highctr_h0_s0_m1"));
	for (unsigned n = 0; n < PMU_N_COUNTERS; n++) {
		check_counter(h, n, false);
		check_counter(h, n, true);
	}
	pmu_hart_free(h);
}

static const struct script rows[] = {
	/* filters */
	{ "mhpmevent has VSINH and VUINH", RULE("C106"), 64, HYP, 0,
	  .steps = { POKE(MHPMEVENT + 3, ONES),
		     PEEK(MHPMEVENT + 3, 0xfcffffffffffffff) } },
	{ "mhpmeventh has them on RV32", RULE("C106"), 32, HYP, 0,
	  .steps = { POKE(MHPMEVENTH + 3, ONES32),
		     PEEK(MHPMEVENTH + 3, 0xfcffffff) } },
	{ "mcyclecfg and minstretcfg have them", RULE("C125 C137"), 64, HYP, 0,
	  .steps = { POKE(MCYCLECFG, ONES), PEEK(MCYCLECFG, 0x7c00000000000000),
		     POKE(MINSTRETCFG, ONES),
		     PEEK(MINSTRETCFG, 0x7c00000000000000) } },
	{ "without H they are read-only zero", RULE("C106 C137"), 64, 0, 0,
	  .steps = { POKE(MHPMEVENT + 3, VSINH | VUINH | INSNS),
		     PEEK(MHPMEVENT + 3, INSNS), POKE(MCYCLECFG, ONES),
		     PEEK(MCYCLECFG, 0x7000000000000000) } },
	{ "an unfiltered counter counts in VS and VU", RULE("C177"), 0, HYP, 0,
	  .steps = { POKE(MHPMEVENT + 3, INSNS), MODE(VS), RUN(5), MODE(VU),
		     RUN(7), PEEK(MHPMCOUNTER + 3, 12), PEEK(MINSTRET, 12),
		     PEEK(MCYCLE, 12) } },
	{ "VSINH is for VS alone", RULE("C137"), 64, HYP, 0,
	  .steps = { POKE(MHPMEVENT + 3, INSNS | VSINH), MODE(VS), RUN(100),
		     MODE(VU), RUN(7), MODE(S), RUN(20), MODE(U), RUN(3),
		     PEEK(MHPMCOUNTER + 3, 30) } },
	{ "VUINH is for VU alone", RULE("C137"), 64, HYP, 0,
	  .steps = { POKE(MHPMEVENT + 3, INSNS | VUINH), MODE(VU), RUN(100),
		     MODE(VS), RUN(7), MODE(S), RUN(20), MODE(U), RUN(3),
		     PEEK(MHPMCOUNTER + 3, 30) } },
	{ "SINH and UINH are for V = 0 only", RULE("C137"), 64, HYP, 0,
	  .steps = { POKE(MHPMEVENT + 3, INSNS | SINH | UINH), MODE(S),
		     RUN(100), MODE(U), RUN(100), MODE(VS), RUN(5), MODE(VU),
		     RUN(6), PEEK(MHPMCOUNTER + 3, 11) } },
	{ "a guest alone is counted", RULE("C137"), 64, HYP, 0,
	  .steps = { POKE(MCYCLECFG, MINH | SINH | UINH),
		     POKE(MINSTRETCFG, MINH | SINH | UINH | VSINH), RUN(9),
		     MODE(S), RUN(9), MODE(U), RUN(9), MODE(VS), RUN(4),
		     MODE(VU), RUN(3), PEEK(MCYCLE, 7), PEEK(MINSTRET, 3) } },
	{ "a filter changed in between acts from there on", RULE("C123"), 64,
	  HYP, 0,
	  .steps = { POKE(MHPMEVENT + 3, INSNS), MODE(VS), RUN(10),
		     POKE(MHPMEVENT + 3, INSNS | VSINH), RUN(10),
		     PEEK(MHPMCOUNTER + 3, 10), POKE(MHPMEVENT + 3, INSNS),
		     RUN(1), PEEK(MHPMCOUNTER + 3, 11) } },
	{ "an overflow in VS sets OF and LCOFIP", RULE("C107"), 64, HYP, 0,
	  .steps = { POKE(MHPMEVENT + 3, INSNS | VUINH),
		     POKE(MHPMCOUNTER + 3, ONES - 1), MODE(VU),
		     LIMIT(INSNS, ONES), RUN(50), PEEK(MIP, 0), MODE(VS),
		     LIMIT(INSNS, 2), RUN(2), PEEK(MIP, 0x2000),
		     PEEK(MHPMEVENT + 3, H(63) | INSNS | VUINH) } },
	{ "an instruction of a guest that changes nothing else is counted",
	  RULE("C118 C160"), 0, HYP, 0,
	  .steps = { POKE(MCOUNTEREN, 4), POKE(HCOUNTEREN, 4), MODE(VS),
		     CSRR(INSTRET, 0), CSRR(INSTRET, 1), TOTAL(INSNS, 2) } },

	/* scountovf */
	{ "scountovf from VS: mcounteren and hcounteren",
	  RULE("C112 C134 scountovf_op"), 32, HYP, 0,
	  .steps = { POKE(MHPMEVENTH + 3, H(31)), POKE(MHPMEVENTH + 4, H(31)),
		     POKE(MHPMEVENTH + 5, H(31)), POKE(MCOUNTEREN, 0x18),
		     POKE(HCOUNTEREN, 0x30), CSRR(SCOUNTOVF, 0x38), MODE(S),
		     CSRR(SCOUNTOVF, 0x18), MODE(VS), CSRR(SCOUNTOVF, 0x10),
		     ILLEGAL_W(SCOUNTOVF), MODE(VU), VIRTUAL_R(SCOUNTOVF),
		     ILLEGAL_W(SCOUNTOVF), MODE(U), ILLEGAL_R(SCOUNTOVF) } },
	{ "scountovf from VS on RV64, scounteren aside", RULE("C112"), 64, HYP,
	  0,
	  .steps = { POKE(MHPMEVENT + 3, H(63)), POKE(MHPMEVENT + 4, H(63)),
		     POKE(MCOUNTEREN, 0x18), POKE(HCOUNTEREN, 8),
		     POKE(SCOUNTEREN, 0), MODE(VS), CSRR(SCOUNTOVF, 8),
		     POKE(SCOUNTEREN, ONES), CSRR(SCOUNTOVF, 8) } },

	/* time; 100 cycles are a tick */
	{ "a guest's time is shifted, M's and HS's is not",
	  RULE("C164 htimedelta_sz_acc_op time_htimedelta_req"), 64, HYP, 0,
	  .steps = { POKE(MCOUNTEREN, 2), POKE(SCOUNTEREN, 2),
		     POKE(HCOUNTEREN, 2), POKE(HTIMEDELTA, 1000), NOW(500),
		     CSRR(TIME, 5), MODE(S), CSRR(TIME, 5), MODE(U),
		     CSRR(TIME, 5), MODE(VS), CSRR(TIME, 1005), MODE(VU),
		     CSRR(TIME, 1005), POKE(HTIMEDELTA, ONES - 1),
		     CSRR(TIME, 3) } },
	{ "timeh is the upper half of the 64-bit sum",
	  RULE("C164 htimedeltah_sz_acc_op"), 32, HYP, 0,
	  .steps = { POKE(MCOUNTEREN, 2), POKE(HCOUNTEREN, 2),
		     POKE(HTIMEDELTA, 0xffffffff), POKE(HTIMEDELTAH, 6),
		     NOW(500), MODE(VS), CSRR(TIMEH, 7), CSRR(TIME, 4), MODE(S),
		     CSRR(TIMEH, 0) } },

	/* vstimecmp */
	{ "VSTIP follows time + htimedelta, whatever V is",
	  RULE("hip_vstip_op hip_vstip_clear C164"), 64, HYP | SSTC, 0,
	  .steps = { POKE(MENVCFG, H(63)), POKE(HENVCFG, H(63)),
		     POKE(VSTIMECMP, 1005), POKE(HTIMEDELTA, 1000), NOW(499),
		     PEEK(HIP, 0), NOW(500), PEEK(HIP, 0x40), PEEK(MIP, 0x60),
		     TIMER(UINT64_MAX), MODE(VS), PEEK(HIP, 0x40),
		     POKE(VSTIMECMP, 1006), PEEK(HIP, 0), TIMER(600),
		     POKE(HTIMEDELTA, ONES), TIMER(100700) } },
	{ "VSTIP is hvip's or the timer's", RULE("hip_vstip_vstie_acc_op"), 64,
	  HYP | SSTC, 0,
	  .steps = { POKE(MENVCFG, H(63)), POKE(HENVCFG, H(63)),
		     POKE(VSTIMECMP, ONES), PEEK(HIP, 0), POKE(HVIP, 0x40),
		     PEEK(HIP, 0x40), POKE(HIP, 0), PEEK(HIP, 0x40),
		     POKE(HVIP, 0), PEEK(HIP, 0), POKE(VSTIMECMP, 0),
		     PEEK(HIP, 0x40), POKE(HVIP, 0), PEEK(HIP, 0x40) } },
	{ "without STCE of both there is no timer for guests",
	  RULE("henvcfg_stce menvcfg_stce_op2"), 64, HYP | SSTC, 0,
	  .steps = { POKE(MENVCFG, H(63)), PEEK(HIP, 0), TIMER(UINT64_MAX),
		     POKE(HENVCFG, H(63)), PEEK(HIP, 0x40), POKE(MENVCFG, 0),
		     PEEK(HIP, 0) } },
	{ "the first of stimecmp and vstimecmp comes next", RULE("C164"), 64,
	  HYP | SSTC, 0,
	  .steps = { POKE(MENVCFG, H(63)), POKE(HENVCFG, H(63)),
		     POKE(STIMECMP, 8), POKE(VSTIMECMP, 9), TIMER(800),
		     POKE(STIMECMP, 10), TIMER(900), NOW(900), TIMER(1000) } },
	{ "behind the wrap of their time they come once more", RULE("C164"), 64,
	  HYP | SSTC, 0,
	  .steps = { POKE(MENVCFG, H(63)), POKE(HENVCFG, H(63)),
		     POKE(STIMECMP, ONES), POKE(VSTIMECMP, 50),
		     POKE(HTIMEDELTA, ONES - 49), PEEK(HIP, 0x40), TIMER(10000),
		     NOW(5000), PEEK(HIP, 0), TIMER(10000), NOW(10000),
		     PEEK(HIP, 0x40) } },
	{ "stimecmp of a guest is vstimecmp",
	  RULE("hcounteren_acc mcounteren_tm_set"), 64, HYP | SSTC, 0,
	  .steps = { POKE(MCOUNTEREN, 2), POKE(HCOUNTEREN, 2),
		     POKE(MENVCFG, H(63)), POKE(HENVCFG, H(63)), MODE(VS),
		     CSRW(STIMECMP, 77), EFFECTS(PMU_FX_TIMER | PMU_FX_IRQ),
		     CSRR(STIMECMP, 77), PEEK(VSTIMECMP, 77),
		     PEEK(STIMECMP, 0) } },
	{ "TM of hcounteren closes stimecmp to the guest, virtually",
	  RULE("hcounteren_acc C116"), 64, HYP | SSTC, 0,
	  .steps = { POKE(MCOUNTEREN, 2), POKE(HCOUNTEREN, ~UINT64_C(2)),
		     POKE(MENVCFG, H(63)), POKE(HENVCFG, H(63)), MODE(VS),
		     VIRTUAL_R(STIMECMP), VIRTUAL_W(STIMECMP), MODE(S),
		     CSRR(VSTIMECMP, 0) } },
	{ "STCE of henvcfg closes stimecmp to the guest, virtually",
	  RULE("henvcfg_stce"), 64, HYP | SSTC, 0,
	  .steps = { POKE(MCOUNTEREN, 2), POKE(HCOUNTEREN, 2),
		     POKE(MENVCFG, H(63)), MODE(VS), VIRTUAL_R(STIMECMP),
		     MODE(S), CSRR(STIMECMP, 0), CSRR(VSTIMECMP, 0) } },
	{ "TM of mcounteren closes both to every mode below M",
	  RULE("mcounteren_tm_clr C116"), 64, HYP | SSTC, 0,
	  .steps = { POKE(MCOUNTEREN, ~UINT64_C(2)), POKE(HCOUNTEREN, 2),
		     POKE(MENVCFG, H(63)), POKE(HENVCFG, H(63)), MODE(S),
		     ILLEGAL_R(STIMECMP), ILLEGAL_R(VSTIMECMP), MODE(VS),
		     ILLEGAL_R(STIMECMP), ILLEGAL_R(VSTIMECMP), MODE(VU),
		     ILLEGAL_R(STIMECMP), MODE(M), CSRR(VSTIMECMP, 0) } },
	{ "STCE of menvcfg closes both to every mode below M",
	  RULE("menvcfg_stce_op2 C116"), 64, HYP | SSTC, 0,
	  .steps = { POKE(MCOUNTEREN, 2), POKE(HCOUNTEREN, 2), MODE(S),
		     ILLEGAL_R(STIMECMP), ILLEGAL_R(VSTIMECMP), MODE(VS),
		     ILLEGAL_R(STIMECMP), MODE(M), CSRR(STIMECMP, 0) } },
	{ "scounteren.TM does not gate stimecmp", RULE("C116"), 64, HYP | SSTC,
	  0,
	  .steps = { POKE(MCOUNTEREN, 2), POKE(HCOUNTEREN, 2),
		     POKE(SCOUNTEREN, 0), POKE(MENVCFG, H(63)),
		     POKE(HENVCFG, H(63)), MODE(S), CSRR(STIMECMP, 0), MODE(VS),
		     CSRR(STIMECMP, 0) } },
};

TEST_ROWS(a_guest_counts_and_reads_as_the_rule_says, rows)
{
	script_run(&rows[_i]);
}

SUITE("counter-hyp");
