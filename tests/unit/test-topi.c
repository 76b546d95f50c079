/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Smaia and Ssaia: which interrupt goes first by the priorities that software
 * has set, in mtopi, stopi and vstopi and when it is taken; what ends WFI.
 */
#include "hart-script.h"
#include "unit.h"

#define ONES		  UINT64_MAX
#define H(n)		  (UINT64_C(1) << (n))
#define BOTH		  (PMU_EXT_SMAIA | PMU_EXT_SSAIA)
#define HYP		  (BOTH | PMU_EXT_H)
/* What mtopi and its like read. */
#define TOPI(irq, iprio)  ((uint64_t)(irq) << 16 | (iprio))
/* Byte of interrupt @irq in the register of eight that has it. */
#define PRIO(irq, number) ((uint64_t)(number) << 8 * ((irq) % 8))
/* hvictl */
#define VTI		  H(30)
#define IID(n)		  ((uint64_t)(n) << 16)
#define LOWER		  H(9)
#define IPRIOM		  H(8)
/* interrupts that have no name */
/* clang-format off */
#define NEXT_IS(n) { STEP_NEXT, 0, n }
#define ENTER_AS(n) { STEP_ENTER, 0, n }
/* clang-format on */
#define SIE_ON		  2 /* sstatus, vsstatus */
#define MIE_ON		  8 /* mstatus */

/* Default order, and what mtopi shows with no number set. */
static const struct script m_rows[] = {
	{ "mtopi is 0 while nothing pends for M-mode", RULE("aia_mtopi_zero"),
	  0, BOTH, 0,
	  .steps = { CSRR(MTOPI, 0), POKE(MIE, ONES), CSRR(MTOPI, 0),
		     POKE(MIE, 0), POKE(MIP, 0x2222), CSRR(MTOPI, 0),
		     POKE(MIE, ONES), POKE(MIDELEG, 0x2222), CSRR(MTOPI, 0),
		     POKE(MIDELEG, 0x2220), CSRR(MTOPI, TOPI(1, 255)) } },
	{ "it is read-only, and M-mode's", RULE("aia_mtopi_zero"), 0, BOTH, 0,
	  .steps = { ILLEGAL_W(MTOPI), MODE(S), ILLEGAL_R(MTOPI), MODE(U),
		     ILLEGAL_R(MTOPI) } },
	{ "the default order: MEI MSI MTI SEI SSI STI LCOFI",
	  RULE("aia_default_order aia_mtopi_iid aia_mtopi_iprio"), 0, BOTH, 0,
	  .steps = { POKE(MIE, ONES), POKE(MIP, 0x2000),
		     CSRR(MTOPI, TOPI(13, 255)), POKE(MIP, 0x2020),
		     CSRR(MTOPI, TOPI(5, 255)), POKE(MIP, 0x2022),
		     CSRR(MTOPI, TOPI(1, 255)), POKE(MIP, 0x2222),
		     CSRR(MTOPI, TOPI(9, 255)), LINE(MTI, 1),
		     CSRR(MTOPI, TOPI(7, 255)), LINE(MSI, 1),
		     CSRR(MTOPI, TOPI(3, 255)), LINE(MEI, 1),
		     CSRR(MTOPI, TOPI(11, 255)) } },
	{ "a number puts one before MEI and those without",
	  RULE("aia_iprio_m_effect aia_mtopi_iprio"), 64, BOTH, 0,
	  .steps = { POKE(MIE, ONES), POKE(MIP, 0x2222), LINE(MEI, 1),
		     LINE(MSI, 1), POKE(MISELECT, 0x32),
		     CSRW(MIREG, PRIO(13, 255)), CSRR(MTOPI, TOPI(13, 255)),
		     POKE(MISELECT, 0x30), CSRW(MIREG, PRIO(5, 254)),
		     CSRR(MTOPI, TOPI(5, 254)),
		     CSRW(MIREG, PRIO(5, 254) | PRIO(1, 1)),
		     CSRR(MTOPI, TOPI(1, 1)), CSRW(MIREG, 0),
		     CSRR(MTOPI, TOPI(13, 255)), POKE(MISELECT, 0x32),
		     CSRW(MIREG, 0), CSRR(MTOPI, TOPI(11, 255)) } },
	{ "equal numbers: the default order", RULE("aia_iprio_ties"), 64, BOTH,
	  0,
	  .steps = { POKE(MIE, ONES), POKE(MIP, 0x22), LINE(MTI, 1),
		     POKE(MISELECT, 0x30),
		     CSRW(MIREG, PRIO(5, 7) | PRIO(1, 7) | PRIO(7, 7)),
		     CSRR(MTOPI, TOPI(7, 7)), LINE(MTI, 0),
		     CSRR(MTOPI, TOPI(1, 7)), POKE(MIP, 0x20),
		     CSRR(MTOPI, TOPI(5, 7)) } },
	{ "SEI has one number for all its sources, in M-mode",
	  RULE("aia_iprio_m_sei"), 64, BOTH, 0,
	  .steps = { POKE(MIE, ONES), LINE(SEI, 1), LINE(MEI, 1),
		     CSRR(MTOPI, TOPI(11, 255)), POKE(MISELECT, 0x32),
		     CSRW(MIREG, PRIO(9, 200)), CSRR(MTOPI, TOPI(9, 200)) } },
	{ "mstatus.MIE has no part in it", RULE("aia_mtopi_mie"), 0, BOTH, 0,
	  .steps = { POKE(MIE, ONES), LINE(MTI, 1), CSRR(MTOPI, TOPI(7, 255)),
		     POKE(MSTATUS, MIE_ON), CSRR(MTOPI, TOPI(7, 255)) } },
	{ "what it shows is taken, and stays",
	  RULE("aia_mtopi_trap aia_m_traps"), 64, BOTH, 0,
	  .steps = { POKE(MIE, ONES), POKE(MIP, 0x20), LINE(MEI, 1),
		     POKE(MISELECT, 0x30), CSRW(MIREG, PRIO(5, 9)), NO_NEXT(),
		     POKE(MSTATUS, MIE_ON), NEXT(STI), POKE(MSTATUS, 0),
		     MODE(S), ENTER(STI), IN(M), PEEK(MCAUSE, H(63) | 5),
		     CSRR(MTOPI, TOPI(5, 9)), NO_NEXT() } },
	{ "M-mode's goes first, whatever the numbers are",
	  RULE("aia_default_order C111"), 64, BOTH, 0,
	  .steps = { POKE(MIE, ONES), POKE(MIDELEG, 2), POKE(MIP, 0x2002),
		     POKE(SISELECT, 0x30), CSRW(SIREG, PRIO(1, 1)), MODE(U),
		     NEXT(LCOFI), POKE(MIP, 2), NEXT(SSI) } },
	{ "after a reset all numbers are 0", RULE("aia_iprio_reset"), 64, BOTH,
	  0,
	  .steps = { POKE(MISELECT, 0x30), CSRW(MIREG, ONES),
		     POKE(MIDELEG, 0x222), POKE(SISELECT, 0x30),
		     CSRW(SIREG, ONES), RESET(), POKE(MIDELEG, 0x222),
		     POKE(MISELECT, 0x30), CSRR(MIREG, 0), POKE(SISELECT, 0x30),
		     CSRR(SIREG, 0) } },
	{ "without S-mode there is mtopi, too", RULE("aia_mtopi_iid"), 0,
	  PMU_EXT_SMAIA, PMU_EXT_S | PMU_EXT_SSCOUNTERENW,
	  .steps = { POKE(MIE, ONES), LINE(MTI, 1), POKE(MISELECT, 0x31),
		     CSRR(MTOPI, TOPI(7, 255)), MODE(U), ENTER(MTI), IN(M),
		     WAKES(1) } },
};

static const struct script s_rows[] = {
	{ "stopi is 0 while nothing pends for S-mode", RULE("aia_stopi_zero"),
	  0, BOTH, 0,
	  .steps = { POKE(MIE, ONES), POKE(MIP, 0x2222), CSRR(STOPI, 0),
		     POKE(MIDELEG, 0x2), CSRR(STOPI, TOPI(1, 255)),
		     POKE(SIE, 0), CSRR(STOPI, 0), POKE(SIE, 2), POKE(MIP, 0),
		     CSRR(STOPI, 0), ILLEGAL_W(STOPI), MODE(S), CSRR(STOPI, 0),
		     MODE(U), ILLEGAL_R(STOPI) } },
	{ "the default order: SEI SSI STI LCOFI",
	  RULE("aia_default_order aia_stopi_iid aia_stopi_iprio"), 0, BOTH, 0,
	  .steps = { POKE(MIDELEG, 0x2222), POKE(MIE, ONES), MODE(S),
		     POKE(MIP, 0x2000), CSRR(STOPI, TOPI(13, 255)),
		     POKE(MIP, 0x2020), CSRR(STOPI, TOPI(5, 255)),
		     POKE(MIP, 0x2022), CSRR(STOPI, TOPI(1, 255)),
		     POKE(MIP, 0x2222), CSRR(STOPI, TOPI(9, 255)) } },
	{ "and SGEI VSEI VSSI VSTI between STI and LCOFI",
	  RULE("aia_default_order aia_stopi_iid"), 64, HYP, 0, .guest_irqs = 2,
	  .steps = { POKE(MIDELEG, 0x2222), POKE(MIE, ONES), POKE(HGEIE, 2),
		     POKE(MIP, 0x2000), POKE(HVIP, 0x40),
		     CSRR(STOPI, TOPI(6, 255)), POKE(HVIP, 0x44),
		     CSRR(STOPI, TOPI(2, 255)), POKE(HVIP, 0x444),
		     CSRR(STOPI, TOPI(10, 255)), GUEST_LINE(1, 1),
		     CSRR(STOPI, TOPI(12, 255)), POKE(MIP, 0x20),
		     CSRR(STOPI, TOPI(5, 255)) } },
	{ "local ones before and behind: 47 to 40, and 39 to 32",
	  RULE("aia_default_order aia_stopi_iprio"), 64, BOTH, 0,
	  .steps = { POKE(MVIEN, ONES),		POKE(MIDELEG, 0x2020),
		     POKE(MIE, ONES),		POKE(SIE, ONES),
		     POKE(MVIP, H(32) | H(16)), CSRR(STOPI, TOPI(16, 255)),
		     POKE(MVIP, H(32) | H(35)), CSRR(STOPI, TOPI(35, 255)),
		     POKE(MIP, 0x2000),		CSRR(STOPI, TOPI(13, 255)),
		     POKE(MVIP, H(32) | 0x200), CSRR(STOPI, TOPI(9, 255)),
		     POKE(MVIP, H(40) | 0x200), CSRR(STOPI, TOPI(40, 0)),
		     POKE(MVIP, H(40) | H(43)), CSRR(STOPI, TOPI(43, 0)),
		     POKE(MVIP, H(23) | H(46)), CSRR(STOPI, TOPI(23, 0)),
		     POKE(MVIP, H(23) | H(47)), CSRR(STOPI, TOPI(47, 0)) } },
	{ "a number lowers what is above SEI, and raises what is below",
	  RULE("aia_iprio_s_effect aia_iprio_ties"), 64, BOTH, 0,
	  .steps = { POKE(MVIEN, H(23) | 0x200), POKE(MIDELEG, 0x20),
		     POKE(MIE, ONES), POKE(SIE, ONES),
		     POKE(MVIP, H(23) | 0x200), POKE(MIP, 0x20),
		     CSRR(STOPI, TOPI(23, 0)), POKE(SISELECT, 0x34),
		     CSRW(SIREG, PRIO(23, 100)), CSRR(STOPI, TOPI(23, 100)),
		     POKE(SISELECT, 0x30), CSRW(SIREG, PRIO(5, 99)),
		     CSRR(STOPI, TOPI(5, 99)), CSRW(SIREG, PRIO(5, 100)),
		     CSRR(STOPI, TOPI(23, 100)), POKE(MVIP, 0x220),
		     CSRR(STOPI, TOPI(5, 100)), CSRW(SIREG, 0),
		     CSRR(STOPI, TOPI(9, 255)) } },
	{ "SEI without a controller's number is behind 255",
	  RULE("aia_sei_256 aia_stopi_iprio"), 64, BOTH, 0,
	  .steps = { POKE(MIDELEG, 0x220), POKE(MIE, ONES), POKE(MIP, 0x220),
		     CSRR(STOPI, TOPI(9, 255)), POKE(SISELECT, 0x30),
		     CSRW(SIREG, PRIO(5, 255)), CSRR(STOPI, TOPI(5, 255)),
		     POKE(MIP, 0x20), LINE(SEI, 1), CSRR(STOPI, TOPI(5, 255)),
		     CSRW(SIREG, 0), CSRR(STOPI, TOPI(9, 255)) } },
	{ "so is the one that mvip makes up", RULE("aia_sei_256"), 64, BOTH, 0,
	  .steps = { POKE(MVIEN, 0x200), POKE(MVIP, 0x200), POKE(SIE, 0x200),
		     POKE(MIDELEG, 0x20), POKE(MIP, 0x20), POKE(MIE, 0x20),
		     CSRR(STOPI, TOPI(9, 255)), POKE(SISELECT, 0x30),
		     CSRW(SIREG, PRIO(5, 255)), CSRR(STOPI, TOPI(5, 255)) } },
	{ "a guest's external interrupts have one number in HS-mode",
	  RULE("aia_iprio_s_vsei"), 64, HYP, 0,
	  .steps = { POKE(MIDELEG, 0x222), POKE(MIE, ONES), POKE(MIP, 0x200),
		     POKE(HVIP, 0x400), CSRR(STOPI, TOPI(9, 255)),
		     POKE(SISELECT, 0x32), CSRW(SIREG, PRIO(10, 3)),
		     CSRR(STOPI, TOPI(10, 3)) } },
	{ "what hideleg passes on is not in it", RULE("aia_stopi_zero"), 64,
	  HYP, 0,
	  .steps = { POKE(MIE, ONES), POKE(HVIP, 0x40),
		     CSRR(STOPI, TOPI(6, 255)), POKE(HIDELEG, 0x40),
		     CSRR(STOPI, 0) } },
	{ "the machine's numbers are nothing to S-mode",
	  RULE("aia_iprio_s_effect"), 64, BOTH, 0,
	  .steps = { POKE(MIDELEG, 0x22), POKE(MIE, ONES), POKE(MIP, 0x22),
		     POKE(MISELECT, 0x30), CSRW(MIREG, PRIO(5, 1)),
		     CSRR(STOPI, TOPI(1, 255)), POKE(SISELECT, 0x30),
		     CSRW(SIREG, PRIO(5, 1)), CSRW(MIREG, 0),
		     CSRR(STOPI, TOPI(5, 1)) } },
	{ "sstatus.SIE has no part in it", RULE("aia_stopi_sie"), 0, BOTH, 0,
	  .steps = { POKE(MIDELEG, 2), POKE(MIE, ONES), POKE(MIP, 2), MODE(S),
		     CSRR(STOPI, TOPI(1, 255)), POKE(SSTATUS, SIE_ON),
		     CSRR(STOPI, TOPI(1, 255)) } },
	{ "what it shows is taken, and stays",
	  RULE("aia_stopi_trap aia_s_traps"), 64, BOTH, 0,
	  .steps = { POKE(MIDELEG, 0x222), POKE(MIE, ONES), POKE(MIP, 0x222),
		     POKE(SISELECT, 0x30), CSRW(SIREG, PRIO(5, 9)), MODE(S),
		     NO_NEXT(), POKE(SSTATUS, SIE_ON), NEXT(STI),
		     POKE(SSTATUS, 0), MODE(U), ENTER(STI), IN(S),
		     PEEK(SCAUSE, H(63) | 5), CSRR(STOPI, TOPI(5, 9)),
		     NO_NEXT() } },
	{ "so is what mvien gives; M-mode takes the real one",
	  RULE("aia_s_traps aia_m_traps aia_mvien_sip_sie"), 64, BOTH, 0,
	  .steps = { POKE(MVIEN, 0x202),
		     POKE(MVIP, 0x2),
		     POKE(SIE, 0x2),
		     POKE(MIE, 0x202),
		     LINE(SEI, 1),
		     MODE(U),
		     ENTER(SEI),
		     IN(M),
		     LINE(SEI, 0),
		     MODE(U),
		     ENTER(SSI),
		     IN(S),
		     PEEK(SCAUSE, H(63) | 1),
		     POKE(MVIEN, H(43)),
		     POKE(MVIP, H(43)),
		     POKE(SIE, H(43)),
		     MODE(U),
		     ENTER_AS(43),
		     IN(S),
		     PEEK(SCAUSE, H(63) | 43) } },
	{ "WFI ends by what mvien gives, and by nothing that is filtered",
	  RULE("aia_wfi C165"), 0, BOTH, 0,
	  .steps = { POKE(MIE, 2), POKE(MIDELEG, 0), POKE(MVIEN, 2),
		     POKE(MVIP, 2), WAKES(0), POKE(SIE, 2), WAKES(1),
		     POKE(MVIP, 0), WAKES(0), POKE(MIP, 2), WAKES(1) } },
};

TEST_ROWS(mtopi_is_as_the_rule_says, m_rows)
{
	script_run(&m_rows[_i]);
}

TEST_ROWS(stopi_is_as_the_rule_says, s_rows)
{
	script_run(&s_rows[_i]);
}

/* All that S-mode can be told, from the first to the last. */
static const uint8_t by_default[] = { 47, 23, 46, 45, 22, 44, 43, 21, 42, 41,
				      20, 40, 9,  1,  5,  13, 39, 19, 38, 37,
				      18, 36, 35, 17, 34, 33, 16, 32 };

/* Each beside all that come after it. */
TEST_ROWS(the_default_order_is_that_of_each_two, by_default)
{
	static const struct pmu_timebase tb = { 10, 1, 0 };
	struct pmu_hart_config cfg;
	struct pmu_hart *h;
	unsigned effects;
	uint64_t got;

	shows(RULE("aia_default_order"));
	pmu_hart_config_init(&cfg, 64);
	cfg.ext |= BOTH;
	ck_assert_int_eq(pmu_hart_new(&h, &cfg, &tb), 0);
	pmu_hart_reset(h);
	pmu_csr_poke(h, PMU_CSR_MVIEN, 0, ONES, &effects);
	pmu_csr_poke(h, PMU_CSR_MIDELEG, 0, 0x2020, &effects);
	pmu_csr_poke(h, PMU_CSR_MIE, 0, ONES, &effects);
	pmu_csr_poke(h, PMU_CSR_SIE, 0, ONES, &effects);
	for (size_t i = (size_t)_i; i < ARRAY_SIZE(by_default); i++) {
		uint64_t two = H(by_default[_i]) | H(by_default[i]);

		pmu_csr_poke(h, PMU_CSR_MVIP, 0, two & ~UINT64_C(0x2020),
			     &effects);
		pmu_csr_poke(h, PMU_CSR_MIP, 0, two & 0x2020, &effects);
		ck_assert_int_eq(pmu_csr_peek(h, PMU_CSR_STOPI, 0, &got), 0);
		ck_assert_uint_eq(got >> 16, by_default[_i]);
	}
	pmu_hart_free(h);
}

SUITE("topi");
