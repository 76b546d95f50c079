/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * LCOFIs that software gives: mvien and mvip to S-mode, hvien and hvip to
 * VS-mode, what sip, sie, vsip and vsie then show, and who is interrupted.
 */
#include "hart-script.h"
#include "unit.h"

#define ONES   UINT64_MAX
#define H(n)   (UINT64_C(1) << (n))
#define LCOFI  UINT64_C(0x2000)
#define INSNS  UINT64_C(2)
#define SIE_ON UINT64_C(2) /* sstatus */
#define DELEG                                                                  \
	(PMU_EXT_SMCSRIND | PMU_EXT_SSCSRIND | PMU_EXT_SMCDELEG |              \
	 PMU_EXT_SSCCFG)
#define AIA   (DELEG | PMU_EXT_SMAIA)
#define GUEST (AIA | PMU_EXT_SSAIA | PMU_EXT_H)
#define SHL   PMU_EXT_SHLCOFIDELEG
#define STATE PMU_EXT_SMSTATEEN

static const struct script bit_rows[] = {
	{ "mvien and mvip have bit 13",
	  RULE("ssccfg_lcofi_mvip_mvien C135 SMCD-LCOFI-01 SMCD-LCOFI-02 "
	       "SMCD-LCOFI-04"),
	  0, AIA, 0,
	  .steps = { PEEK(MVIEN, 0), POKE(MVIEN, ONES), EFFECTS(PMU_FX_IRQ),
		     PEEK(MVIEN, LCOFI), POKE(MVIEN, 0), PEEK(MVIEN, 0),
		     POKE(MVIP, LCOFI), EFFECTS(PMU_FX_IRQ), PEEK(MVIP, LCOFI),
		     PEEK(MIP, 0), POKE(MVIP, 0), PEEK(MVIP, 0) } },
	{ "mvip shows what software has in mip",
	  RULE("ssccfg_lcofi_mvip_mvien SMCD-LCOFI-03"), 0, AIA, 0,
	  .steps = { POKE(MVIP, ONES), PEEK(MVIP, 0x2222), PEEK(MIP, 0x222),
		     POKE(MIP, LCOFI), PEEK(MVIP, 0x2000), POKE(MVIP, 0),
		     PEEK(MIP, LCOFI), LINE(SEI, 1), PEEK(MVIP, 0) } },
	{ "mvip has no STIP while it is stimecmp's",
	  RULE("mip_stip_stimecmp_acc"), 64, AIA | PMU_EXT_SSTC, 0,
	  .steps = { POKE(STIMECMP, ONES), POKE(MENVCFG, H(63)),
		     POKE(MVIP, ONES), PEEK(MVIP, 0x2202), POKE(MENVCFG, 0),
		     PEEK(MIP, 0x202) } },
	{ "bit 13 needs Smcdeleg", RULE("ssccfg_lcofi_mvip_mvien C135"), 0,
	  PMU_EXT_SMAIA, 0,
	  .steps = { POKE(MVIEN, ONES), PEEK(MVIEN, 0), POKE(MVIP, ONES),
		     PEEK(MVIP, 0x222) } },
	{ "bit 13 needs Sscofpmf", RULE("ssccfg_lcofi_mvip_mvien C135"), 0, AIA,
	  PMU_EXT_SSCOFPMF,
	  .steps = { POKE(MVIEN, ONES), PEEK(MVIEN, 0), POKE(MVIP, ONES),
		     PEEK(MVIP, 0x222), POKE(SIE, ONES), PEEK(SIE, 0) } },
	{ "mvien and mvip need their extension", RULE("C135"), 0, DELEG, 0,
	  .steps = { ILLEGAL_R(MVIEN), ILLEGAL_W(MVIP), ILLEGAL_R(MVIENH) } },
	{ "their upper halves on RV32 are zero", RULE("C138"), 32, AIA, 0,
	  .steps = { POKE(MVIEN, LCOFI), CSRW(MVIENH, ONES), CSRR(MVIENH, 0),
		     CSRR(MVIEN, LCOFI), CSRW(MVIPH, ONES), CSRR(MVIPH, 0) } },
	{ "and are not there on RV64", RULE("C139"), 64, GUEST, 0,
	  .steps = { ILLEGAL_R(MVIENH), ILLEGAL_R(MVIPH), ILLEGAL_R(HVIENH),
		     ILLEGAL_R(HVIPH) } },
	{ "hvip and hvien have bit 13",
	  RULE("ssccfg_lcofi_hvip_hvien C135 SSCFG-HLCOFI-01 SSCFG-HLCOFI-02 "
	       "SSCFG-HLCOFI-03 SSCFG-HLCOFI-04"),
	  0, GUEST, 0,
	  .steps = { MODE(S), CSRW(HVIP, LCOFI), CSRR(HVIP, LCOFI),
		     CSRW(HVIP, 0), CSRR(HVIP, 0), CSRW(HVIP, ONES),
		     CSRR(HVIP, 0x2444), CSRW(HVIEN, LCOFI), CSRR(HVIEN, LCOFI),
		     CSRW(HVIEN, 0), CSRR(HVIEN, 0), CSRW(HVIEN, ONES),
		     CSRR(HVIEN, LCOFI), PEEK(MIP, 0x444) } },
	{ "hvip.13 needs Ssaia", RULE("ssccfg_lcofi_hvip_hvien C135"), 0,
	  AIA | PMU_EXT_H, 0,
	  .steps = { POKE(HVIP, ONES), PEEK(HVIP, 0x444), ILLEGAL_R(HVIEN) } },
	{ "hvip.13 needs Smcdeleg", RULE("ssccfg_lcofi_hvip_hvien C135"), 0,
	  PMU_EXT_H | PMU_EXT_SMAIA | PMU_EXT_SSAIA, 0,
	  .steps = { POKE(HVIP, ONES), PEEK(HVIP, 0x444), POKE(HVIEN, ONES),
		     PEEK(HVIEN, 0) } },
	{ "hvienh and hviph are zero", RULE("C138"), 32, GUEST, 0,
	  .steps = { MODE(S), CSRW(HVIENH, ONES), CSRR(HVIENH, 0),
		     CSRW(HVIP, LCOFI), CSRW(HVIPH, ONES), CSRR(HVIPH, 0),
		     CSRR(HVIP, LCOFI) } },
	{ "guests have no hvien", RULE("C135"), 0, GUEST, 0,
	  .steps = { MODE(VS), VIRTUAL_R(HVIEN), VIRTUAL_W(HVIEN), MODE(VU),
		     VIRTUAL_R(HVIEN), MODE(U), ILLEGAL_R(HVIEN) } },
	{ "mstateen0.AIA opens hvien to HS-mode", RULE("mstateen0_aia_op"), 64,
	  GUEST | STATE, 0,
	  .steps = { CSRR(HVIEN, 0), MODE(S), ILLEGAL_R(HVIEN), MODE(VS),
		     ILLEGAL_R(HVIEN), POKE(MSTATEEN0, H(59)), VIRTUAL_R(HVIEN),
		     MODE(S), CSRR(HVIEN, 0), CSRR(HVIP, 0) } },
	{ "mstateen0.AIA opens hvienh and hviph", RULE("mstateen0_aia_op"), 32,
	  GUEST | STATE, 0,
	  .steps = { MODE(S), ILLEGAL_R(HVIENH), ILLEGAL_R(HVIPH),
		     POKE(MSTATEEN0H, H(27)), CSRR(HVIENH, 0),
		     CSRR(HVIPH, 0) } },
};

static const struct script view_rows[] = {
	{ "sip.13 and sie.13 are zero where nothing is given", RULE("C135"), 0,
	  AIA, 0,
	  .steps = { POKE(MIP, LCOFI), POKE(MVIP, LCOFI), POKE(MIE, ONES),
		     PEEK(SIP, 0), PEEK(SIE, 0), CSRW(SIE, ONES), PEEK(SIE, 0),
		     CSRW(SIP, 0), PEEK(MIP, LCOFI), PEEK(MVIP, LCOFI) } },
	{ "mideleg: sip.13 is mip.13, sie.13 is mie.13", RULE("C135"), 0, AIA,
	  0,
	  .steps = { POKE(MIDELEG, LCOFI), POKE(MVIEN, LCOFI),
		     POKE(MVIP, LCOFI), CSRR(SIP, 0), POKE(MIP, LCOFI),
		     CSRR(SIP, LCOFI), POKE(MVIP, 0), CSRR(SIP, LCOFI),
		     CSRC(SIP, LCOFI), PEEK(MIP, 0), CSRW(SIE, LCOFI),
		     PEEK(MIE, LCOFI), POKE(MIE, 0), CSRR(SIE, 0) } },
	{ "mvien: sip.13 is mvip.13, sie.13 a bit of its own",
	  RULE("C135 C174"), 0, AIA, 0,
	  .steps = { POKE(MVIEN, LCOFI), MODE(S), POKE(MIP, LCOFI),
		     CSRR(SIP, 0), POKE(MVIP, LCOFI), CSRR(SIP, LCOFI),
		     CSRC(SIP, LCOFI), PEEK(MVIP, 0), PEEK(MIP, LCOFI),
		     CSRS(SIP, LCOFI), PEEK(MVIP, LCOFI), CSRS(SIE, LCOFI),
		     CSRR(SIE, LCOFI), PEEK(MIE, 0), POKE(MIE, LCOFI),
		     CSRC(SIE, LCOFI), CSRR(SIE, 0), PEEK(MIE, LCOFI) } },
	{ "sie.13 is 0 when mvien gives anew", RULE("C174"), 0, AIA, 0,
	  .steps = { POKE(MVIEN, LCOFI), POKE(SIE, LCOFI), PEEK(SIE, LCOFI),
		     POKE(MVIEN, 0), PEEK(SIE, 0), POKE(MVIEN, LCOFI),
		     PEEK(SIE, 0) } },
	{ "sie.13 is 0 when mideleg takes back", RULE("C174"), 0, AIA, 0,
	  .steps = { POKE(MVIEN, LCOFI), POKE(SIE, LCOFI), POKE(MIDELEG, LCOFI),
		     PEEK(SIE, 0), POKE(SIE, LCOFI), PEEK(MIE, LCOFI),
		     POKE(MIDELEG, 0), PEEK(SIE, 0), PEEK(MIE, LCOFI) } },
	{ "vsip.13 and vsie.13 are zero where nothing is given", RULE("C135"),
	  0, GUEST, 0,
	  .steps = { POKE(MIDELEG, LCOFI), POKE(MIP, LCOFI), POKE(HVIP, LCOFI),
		     POKE(MIE, ONES), PEEK(VSIP, 0), PEEK(VSIE, 0),
		     CSRW(VSIE, ONES), PEEK(VSIE, 0), CSRW(VSIP, 0),
		     PEEK(HVIP, LCOFI), PEEK(MIP, LCOFI) } },
	{ "hvien: vsip.13 is hvip.13, vsie.13 a bit of its own",
	  RULE("C135 ssccfg_lcofi_hvip_hvien SSCFG-HLCOFI-05"), 0, GUEST, 0,
	  .steps = { POKE(HVIEN, LCOFI), MODE(VS), CSRR(SIP, 0),
		     POKE(HVIP, LCOFI), CSRR(SIP, LCOFI), CSRC(SIP, LCOFI),
		     PEEK(HVIP, 0), CSRS(SIP, LCOFI), PEEK(HVIP, LCOFI),
		     PEEK(VSIP, LCOFI), CSRS(SIE, LCOFI), CSRR(SIE, LCOFI),
		     PEEK(VSIE, LCOFI), PEEK(MIE, 0), PEEK(SIE, 0),
		     PEEK(MIP, 0), PEEK(SIP, 0) } },
	{ "vsie.13 is 0 when hvien gives anew", RULE("C174"), 0, GUEST, 0,
	  .steps = { POKE(HVIEN, LCOFI), POKE(VSIE, LCOFI), POKE(HVIEN, 0),
		     PEEK(VSIE, 0), POKE(HVIEN, LCOFI), PEEK(VSIE, 0) } },
	{ "hideleg: vsip.13 is sip.13", RULE("C135 C175"), 0, GUEST | SHL, 0,
	  .steps = { POKE(MIDELEG, LCOFI), POKE(HIDELEG, LCOFI),
		     POKE(HVIEN, LCOFI), POKE(HVIP, LCOFI), PEEK(VSIP, 0),
		     POKE(MIP, LCOFI), PEEK(VSIP, LCOFI), MODE(VS),
		     CSRC(SIP, LCOFI), PEEK(MIP, 0), CSRS(SIE, LCOFI),
		     PEEK(MIE, LCOFI), PEEK(HVIP, LCOFI) } },
	{ "hideleg of what mvien gives: vsip.13 is mvip.13", RULE("C135 C175"),
	  0, GUEST | SHL, 0,
	  .steps = { POKE(HIDELEG, LCOFI), PEEK(HIDELEG, 0), POKE(MVIEN, LCOFI),
		     POKE(HIDELEG, LCOFI), PEEK(HIDELEG, LCOFI),
		     POKE(MVIP, LCOFI), POKE(MIP, LCOFI), PEEK(VSIP, LCOFI),
		     MODE(VS), CSRC(SIP, LCOFI), PEEK(MVIP, 0),
		     PEEK(MIP, LCOFI), CSRS(SIE, LCOFI), PEEK(VSIE, LCOFI),
		     PEEK(SIE, LCOFI), PEEK(MIE, 0) } },
	{ "vsie.13 is 0 when hideleg takes back", RULE("C174"), 0, GUEST | SHL,
	  0,
	  .steps = { POKE(MIDELEG, LCOFI), POKE(HVIEN, LCOFI),
		     POKE(VSIE, LCOFI), POKE(HIDELEG, LCOFI), PEEK(VSIE, 0),
		     POKE(VSIE, LCOFI), POKE(HIDELEG, 0), PEEK(VSIE, 0),
		     PEEK(SIE, LCOFI) } },
};

static const struct script irq_rows[] = {
	{ "an overflow pends the real one, and M-mode takes it", RULE("C174"),
	  64, AIA, 0,
	  .steps = { POKE(MVIEN, LCOFI), POKE(MIE, LCOFI), POKE(SIE, LCOFI),
		     POKE(MHPMEVENT + 3, INSNS), POKE(MHPMCOUNTER + 3, ONES),
		     POKE(SSTATUS, SIE_ON), MODE(S), RUN(1), PEEK(MIP, LCOFI),
		     PEEK(MVIP, 0), CSRR(SIP, 0), ENTER(LCOFI), IN(M) } },
	{ "S-mode takes what mvip gives", RULE("C174 ssccfg_lcofi_mvip_mvien"),
	  64, AIA, 0,
	  .steps = { POKE(MVIEN, LCOFI), POKE(MVIP, LCOFI), NO_NEXT(), MODE(S),
		     POKE(SIE, LCOFI), NO_NEXT(), POKE(SSTATUS, SIE_ON),
		     ENTER(LCOFI), IN(S), PEEK(SCAUSE, H(63) | 13),
		     NO_NEXT() } },
	{ "it interrupts U whatever SIE is, and never M", RULE("C174"), 0, AIA,
	  0,
	  .steps = { POKE(MVIEN, LCOFI), POKE(MVIP, LCOFI), POKE(SIE, LCOFI),
		     POKE(MSTATUS, 8), NO_NEXT(), POKE(MSTATUS, 0), MODE(U),
		     ENTER(LCOFI), IN(S) } },
	{ "the real one for M-mode goes first", RULE("C174 C111"), 0, AIA, 0,
	  .steps = { POKE(MVIEN, LCOFI), POKE(MVIP, LCOFI), POKE(SIE, LCOFI),
		     POKE(MIP, LCOFI), POKE(MIE, LCOFI), MODE(U), ENTER(LCOFI),
		     IN(M), POKE(MIP, 0), MODE(U), ENTER(LCOFI), IN(S) } },
	{ "SEI of S-mode goes before it", RULE("C111"), 0, AIA, 0,
	  .steps = { POKE(MVIEN, LCOFI), POKE(MVIP, LCOFI),
		     POKE(MIDELEG, 0x222), POKE(SIE, ONES), MODE(U),
		     NEXT(LCOFI), POKE(MIP, 2), NEXT(SSI), LINE(SEI, 1),
		     NEXT(SEI) } },
	{ "what is given and enabled ends WFI", RULE("C165 C174"), 0, AIA, 0,
	  .steps = { POKE(MVIEN, LCOFI), POKE(MVIP, LCOFI), WAKES(0),
		     POKE(SIE, LCOFI), WAKES(1), MODE(S), WAKES(1), MODE(M),
		     WAKES(1), POKE(MVIEN, 0), WAKES(0) } },
	{ "VS-mode takes what hvip gives", RULE("ssccfg_lcofi_hvip_hvien"), 64,
	  GUEST, 0,
	  .steps = { POKE(HVIEN, LCOFI), POKE(HVIP, LCOFI), POKE(VSIE, LCOFI),
		     POKE(SSTATUS, SIE_ON), MODE(S), NO_NEXT(), MODE(VS),
		     NO_NEXT(), POKE(VSSTATUS, SIE_ON), ENTER(LCOFI), IN(VS),
		     PEEK(VSCAUSE, H(63) | 13), WAKES(1) } },
	{ "it interrupts VU whatever SIE is", RULE("ssccfg_lcofi_hvip_hvien"),
	  32, GUEST, 0,
	  .steps = { POKE(HVIEN, LCOFI), POKE(HVIP, LCOFI), POKE(VSIE, LCOFI),
		     MODE(U), NO_NEXT(), MODE(VU), ENTER(LCOFI), IN(VS),
		     PEEK(VSCAUSE, H(31) | 13) } },
	{ "a guest's own, while HS-mode takes the real one",
	  RULE("C174 ssccfg_lcofi_hvip_hvien"), 64, GUEST, 0,
	  .steps = { POKE(HVIEN, LCOFI), POKE(HVIP, LCOFI), POKE(VSIE, LCOFI),
		     POKE(MIDELEG, LCOFI), POKE(MIE, LCOFI), POKE(MIP, LCOFI),
		     MODE(VU), ENTER(LCOFI), IN(S), POKE(MIP, 0), MODE(VU),
		     ENTER(LCOFI), IN(VS) } },
	{ "what mvien gives goes on to VS-mode by hideleg", RULE("C175"), 64,
	  GUEST | SHL, 0,
	  .steps = { POKE(MVIEN, LCOFI), POKE(HIDELEG, LCOFI),
		     POKE(MVIP, LCOFI), POKE(SIE, LCOFI), MODE(U), NO_NEXT(),
		     MODE(VU), ENTER(LCOFI), IN(VS),
		     PEEK(VSCAUSE, H(63) | 13) } },
};

TEST_ROWS(a_bit_is_there_as_the_rule_says, bit_rows)
{
	script_run(&bit_rows[_i]);
}

TEST_ROWS(a_view_shows_what_is_delegated_or_given, view_rows)
{
	script_run(&view_rows[_i]);
}

TEST_ROWS(the_interrupt_goes_where_it_is_given, irq_rows)
{
	script_run(&irq_rows[_i]);
}

SUITE("csr-aia");
