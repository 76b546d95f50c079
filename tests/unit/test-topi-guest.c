/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ssaia with guests: vstopi's candidates, hvictl, hviprio1 and 2, what is taken
 * in VS-mode, and what ends WFI.
 */
#include "hart-script.h"
#include "unit.h"

#define ONES		 UINT64_MAX
#define H(n)		 (UINT64_C(1) << (n))
#define HYP		 (PMU_EXT_SMAIA | PMU_EXT_SSAIA | PMU_EXT_H)
#define SHL		 PMU_EXT_SHLCOFIDELEG
/* What vstopi reads. */
#define TOPI(irq, iprio) ((uint64_t)(irq) << 16 | (iprio))
/* hvictl */
#define VTI		 H(30)
#define IID(n)		 ((uint64_t)(n) << 16)
#define DPR		 H(9)
#define IPRIOM		 H(8)
/* of hviprio1 */
#define OF_SSI(n)	 ((uint64_t)(n) << 8)
#define OF_STI(n)	 ((uint64_t)(n) << 24)
#define OF_LCOFI(n)	 ((uint64_t)(n) << 40)
/* clang-format off */
#define NEXT_IS(n) { STEP_NEXT, 0, n }
#define ENTER_AS(n) { STEP_ENTER, 0, n }
/* clang-format on */
#define SIE_ON		 2 /* vsstatus */
/* hvip and hideleg: VSSI, VSTI, VSEI */
#define ALL		 0x444

static const struct script first_rows[] = {
	{ "vstopi is 0 while nothing pends for VS-level",
	  RULE("aia_vstopi_first aia_vs_pending"), 0, HYP, 0,
	  .steps = { POKE(MIE, ONES), POKE(HVIP, ALL), CSRR(VSTOPI, 0),
		     POKE(HIDELEG, ALL), CSRR(VSTOPI, TOPI(9, 1)), POKE(HIE, 0),
		     CSRR(VSTOPI, 0), ILLEGAL_W(VSTOPI), MODE(S),
		     CSRR(VSTOPI, 0), MODE(VS), CSRR(STOPI, 0),
		     VIRTUAL_R(VSTOPI), POKE(HIE, 4),
		     CSRR(STOPI, TOPI(1, 1)) } },
	{ "a guest reads it as stopi, by its own numbers: SEI SSI STI LCOFI",
	  RULE("aia_vstopi_major aia_vstopi_sei_256 aia_default_order"), 0, HYP,
	  0,
	  .steps = { POKE(MIE, ONES), POKE(HIDELEG, ALL), POKE(HVIEN, 0x2000),
		     POKE(VSIE, ONES), MODE(VS), POKE(HVIP, 0x2000),
		     CSRR(STOPI, TOPI(13, 1)), POKE(HVIP, 0x2040),
		     CSRR(STOPI, TOPI(5, 1)), POKE(HVIP, 0x2044),
		     CSRR(STOPI, TOPI(1, 1)), POKE(HVIP, 0x2444),
		     CSRR(STOPI, TOPI(9, 1)) } },
	{ "IPRIOM: what the number is", RULE("aia_vstopi_iprio"), 64, HYP, 0,
	  .steps = { POKE(MIE, ONES), POKE(HIDELEG, ALL), POKE(HVICTL, IPRIOM),
		     POKE(HVIP, 4), CSRR(VSTOPI, TOPI(1, 255)),
		     POKE(HVIPRIO1, OF_SSI(7)), CSRR(VSTOPI, TOPI(1, 7)),
		     POKE(HVICTL, 0), CSRR(VSTOPI, TOPI(1, 1)),
		     POKE(HVICTL, IPRIOM), POKE(HVIP, 0x400),
		     CSRR(VSTOPI, TOPI(9, 255)), POKE(HVIEN, H(43)),
		     POKE(VSIE, H(43)), POKE(HVIP, H(43)),
		     CSRR(VSTOPI, TOPI(43, 0)), POKE(HVICTL, 0),
		     CSRR(VSTOPI, TOPI(43, 1)) } },
	{ "hviprio1 and 2 put SSI, STI, LCOFI, 16 to 23 before SEI",
	  RULE("aia_vstopi_major aia_hviprio_effect"), 64, HYP, 0,
	  .steps = { POKE(MIE, ONES),
		     POKE(HIDELEG, ALL),
		     POKE(HVIEN, 0xff2000),
		     POKE(VSIE, ONES),
		     POKE(HVICTL, IPRIOM),
		     POKE(HVIP, ALL | 0xff2000),
		     POKE(HVIPRIO2, UINT64_C(0x08) << 56),
		     CSRR(VSTOPI, TOPI(22, 0)),
		     POKE(HVIP, ALL | 0x812000),
		     CSRR(VSTOPI, TOPI(23, 8)),
		     POKE(HVIPRIO2, 0xfe),
		     CSRR(VSTOPI, TOPI(23, 0)),
		     POKE(HVIP, ALL | 0x012000),
		     CSRR(VSTOPI, TOPI(16, 0xfe)),
		     POKE(HVIPRIO1, OF_STI(9)),
		     CSRR(VSTOPI, TOPI(5, 9)),
		     POKE(HVIPRIO1, OF_STI(9) | OF_LCOFI(8)),
		     CSRR(VSTOPI, TOPI(13, 8)),
		     POKE(HVIPRIO1, OF_STI(8) | OF_LCOFI(8)),
		     CSRR(VSTOPI, TOPI(5, 8)) } },
	{ "the numbers of S-level are nothing to a guest",
	  RULE("aia_vstopi_major"), 64, HYP, 0,
	  .steps = { POKE(MIE, ONES), POKE(HIDELEG, ALL), POKE(HVIP, 0x44),
		     POKE(MIDELEG, 0x222), POKE(SISELECT, 0x30),
		     CSRW(SIREG, UINT64_C(1) << 40 | UINT64_C(1) << 48),
		     CSRR(VSTOPI, TOPI(1, 1)) } },
	{ "SEI's number is hvictl's where IID is 9 and IPRIO is not 0",
	  RULE("aia_vstopi_sei_hvictl aia_vstopi_sei_256"), 64, HYP, 0,
	  .steps = { POKE(MIE, ONES), POKE(HIDELEG, ALL), POKE(HVIP, 0x444),
		     POKE(HVIPRIO1, OF_SSI(10)),
		     POKE(HVICTL, IPRIOM | IID(9) | 10),
		     CSRR(VSTOPI, TOPI(9, 10)),
		     POKE(HVICTL, IPRIOM | IID(9) | 11),
		     CSRR(VSTOPI, TOPI(1, 10)), POKE(HVICTL, IPRIOM | IID(9)),
		     CSRR(VSTOPI, TOPI(1, 10)), POKE(HVIPRIO1, 0),
		     CSRR(VSTOPI, TOPI(9, 255)),
		     POKE(HVICTL, IPRIOM | IID(8) | 1),
		     CSRR(VSTOPI, TOPI(9, 255)) } },
	{ "but not while VGEIN names a line", RULE("aia_vstopi_sei_hvictl"), 64,
	  HYP, 0, .guest_irqs = 2,
	  .steps = { POKE(MIE, ONES), POKE(HIDELEG, ALL), POKE(HVIP, 0x400),
		     POKE(HVICTL, IPRIOM | IID(9) | 10),
		     CSRR(VSTOPI, TOPI(9, 10)), POKE(HSTATUS, 0x1000),
		     CSRR(VSTOPI, TOPI(9, 255)) } },
	{ "VTI: SEI, or what hvictl makes up, and nothing else",
	  RULE("aia_vstopi_hvictl aia_vstopi_major"), 64, HYP, 0,
	  .steps = { POKE(MIE, ONES), POKE(HIDELEG, ALL), POKE(HVIP, 0x44),
		     POKE(HVICTL, VTI | IID(9)), CSRR(VSTOPI, 0),
		     POKE(HVICTL, VTI | IID(9) | 5), CSRR(VSTOPI, 0),
		     POKE(HVICTL, VTI | IID(17)), CSRR(VSTOPI, TOPI(17, 1)),
		     POKE(HVIP, 0x444), CSRR(VSTOPI, TOPI(17, 1)),
		     POKE(HVICTL, VTI | IID(9)), CSRR(VSTOPI, TOPI(9, 1)),
		     POKE(HVICTL, VTI | IID(9) | IPRIOM | 3),
		     CSRR(VSTOPI, TOPI(9, 3)) } },
	{ "DPR: before or behind SEI, where the numbers do not say",
	  RULE("aia_hvictl_dpr"), 64, HYP, 0,
	  .steps = { POKE(MIE, ONES), POKE(HIDELEG, ALL), POKE(HVIP, 0x400),
		     POKE(HVICTL, VTI | IPRIOM | IID(5)),
		     CSRR(VSTOPI, TOPI(5, 0)),
		     POKE(HVICTL, VTI | IPRIOM | IID(5) | DPR),
		     CSRR(VSTOPI, TOPI(9, 255)),
		     POKE(HVICTL, VTI | IPRIOM | IID(43) | DPR),
		     CSRR(VSTOPI, TOPI(9, 255)),
		     POKE(HVICTL, VTI | IPRIOM | IID(5) | DPR | 255),
		     CSRR(VSTOPI, TOPI(5, 255)),
		     POKE(HVICTL, VTI | IPRIOM | IID(5) | 255),
		     CSRR(VSTOPI, TOPI(5, 255)), POKE(HVIP, 0),
		     POKE(HVICTL, VTI | IPRIOM | IID(5) | DPR),
		     CSRR(VSTOPI, TOPI(5, 255)) } },
	{ "with IID 9 DPR is nothing: SEI goes before SSI of its number",
	  RULE("aia_hvictl_dpr aia_vstopi_first"), 64, HYP, 0,
	  .steps = { POKE(MIE, ONES), POKE(HIDELEG, ALL), POKE(HVIP, 0x404),
		     POKE(HVIPRIO1, OF_SSI(10)),
		     POKE(HVICTL, IPRIOM | IID(9) | DPR | 10),
		     CSRR(VSTOPI, TOPI(9, 10)),
		     POKE(HVICTL, VTI | IPRIOM | IID(9) | DPR),
		     CSRR(VSTOPI, TOPI(9, 255)), POKE(HVIP, 0),
		     CSRR(VSTOPI, 0) } },
	{ "IID 0 of the highest priority is no interrupt",
	  RULE("aia_vs_pending"), 64, HYP, 0,
	  .steps = { POKE(VSSTATUS, SIE_ON), POKE(HVICTL, VTI | IPRIOM),
		     CSRR(VSTOPI, 0), MODE(VU), NO_NEXT(), WAKES(0),
		     POKE(HVICTL, VTI | IPRIOM | 1), WAKES(1), ENTER_AS(0),
		     IN(VS), PEEK(VSCAUSE, H(63)) } },
	{ "hvictl is in none of mip, sip, hip, vsip",
	  RULE("aia_hvictl_no_pending"), 0, HYP, 0,
	  .steps = { POKE(HIDELEG, ALL), POKE(HVICTL, VTI | IID(5)),
		     PEEK(MIP, 0), PEEK(SIP, 0), PEEK(HIP, 0), PEEK(VSIP, 0),
		     PEEK(VSTOPI, TOPI(5, 1)) } },
};

static const struct script taken_rows[] = {
	{ "VS-mode takes it while its SIE is set, VU whatever it is",
	  RULE("aia_vs_trap"), 64, HYP, 0,
	  .steps = { POKE(MIE, ONES), POKE(HIDELEG, ALL), POKE(HVIP, 0x440),
		     POKE(HVIPRIO1, OF_STI(1)), MODE(S), NO_NEXT(), MODE(U),
		     NO_NEXT(), MODE(VS), NO_NEXT(), POKE(VSSTATUS, SIE_ON),
		     NEXT(VSTI), POKE(VSSTATUS, 0), MODE(VU), ENTER(VSTI),
		     IN(VS), PEEK(VSCAUSE, H(63) | 5),
		     PEEK(VSTOPI, TOPI(5, 1)) } },
	{ "vscause is IID: what hvictl makes up", RULE("aia_vs_trap"), 64, HYP,
	  0,
	  .steps = { POKE(VSSTATUS, SIE_ON), POKE(HVICTL, VTI | IID(6)),
		     MODE(VS), ENTER_AS(6), IN(VS), PEEK(VSCAUSE, H(63) | 6),
		     POKE(HVICTL, VTI | IID(63)), MODE(VU), ENTER_AS(63),
		     IN(VS), PEEK(VSCAUSE, H(63) | 63),
		     POKE(HVICTL, VTI | IID(1)), MODE(VU), ENTER(SSI),
		     PEEK(VSCAUSE, H(63) | 1) } },
	{ "and is called so, while the guest's own pends", RULE("aia_vs_trap"),
	  64, HYP, 0,
	  .steps = { POKE(MIE, ONES), POKE(HIDELEG, ALL), POKE(HVIP, 4),
		     MODE(VU), NEXT(VSSI), POKE(HVICTL, VTI | IID(1)),
		     NEXT(SSI) } },
	{ "on RV32, too", RULE("aia_vs_trap"), 32, HYP, 0,
	  .steps = { POKE(HVICTL, VTI | IID(63)), POKE(VSTVEC, 0x1001),
		     MODE(VU), ENTER_AS(63), IN(VS),
		     PEEK(VSCAUSE, H(31) | 63) } },
	{ "with VTI a guest's own is not taken", RULE("aia_vs_pending"), 64,
	  HYP, 0,
	  .steps = { POKE(MIE, ONES), POKE(HIDELEG, ALL), POKE(HVIP, 0x44),
		     MODE(VU), NEXT(VSSI), POKE(HVICTL, VTI | IID(9)),
		     NO_NEXT(), POKE(HVIP, 0x444), NEXT(VSEI) } },
	{ "HS-mode's and M-mode's go first", RULE("aia_default_order"), 64, HYP,
	  0,
	  .steps = { POKE(MIDELEG, 0x222), POKE(MIE, ONES),
		     POKE(HVICTL, VTI | IID(43) | 1), POKE(MIP, 0x20), MODE(VU),
		     NEXT(STI), LINE(MTI, 1), NEXT(MTI), LINE(MTI, 0),
		     POKE(MIP, 0), NEXT_IS(43) } },
	{ "what hvien gives, by its priority", RULE("aia_vs_trap"), 64, HYP, 0,
	  .steps = { POKE(MIE, ONES), POKE(HIDELEG, ALL), POKE(HVIEN, H(35)),
		     POKE(VSIE, ONES), POKE(HVIP, H(35)), MODE(VU),
		     ENTER_AS(35), IN(VS), PEEK(VSCAUSE, H(63) | 35), MODE(VU),
		     POKE(HVIP, H(35) | 0x40), ENTER(VSTI), IN(VS) } },
	{ "LCOFI that hideleg passes on, by hviprio1", RULE("aia_vs_trap C175"),
	  64, HYP | SHL, 0,
	  .steps = { POKE(MIDELEG, 0x2000), POKE(HIDELEG, 0x2444),
		     POKE(MIE, ONES), POKE(MIP, 0x2000), POKE(HVIP, 0x40),
		     MODE(VU), NEXT(VSTI), POKE(HVIPRIO1, OF_LCOFI(1)),
		     ENTER(LCOFI), IN(VS), PEEK(VSCAUSE, H(63) | 13) } },
	{ "WFI ends by vstopi", RULE("aia_wfi C165"), 64, HYP, 0,
	  .steps = { POKE(MIE, ONES), POKE(HIDELEG, ALL), WAKES(0),
		     POKE(HVIP, 0x40), WAKES(1), POKE(HVICTL, VTI | IID(9)),
		     WAKES(0), POKE(HVICTL, VTI | IID(5)), WAKES(1),
		     POKE(HVIP, 0), WAKES(1), POKE(HVICTL, 0), WAKES(0) } },
	{ "and by what hideleg leaves HS-mode", RULE("aia_wfi"), 64, HYP, 0,
	  .steps = { POKE(MIE, ONES), POKE(HVIP, 0x40), WAKES(1),
		     POKE(HVICTL, VTI | IID(9)), WAKES(1), POKE(HVIP, 0),
		     WAKES(0) } },
};

TEST_ROWS(vstopi_is_as_the_rule_says, first_rows)
{
	script_run(&first_rows[_i]);
}

TEST_ROWS(a_guest_is_interrupted_as_the_rule_says, taken_rows)
{
	script_run(&taken_rows[_i]);
}

SUITE("topi-guest");
