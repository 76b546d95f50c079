/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Indirect access to counters: which select value and alias reach what, what a
 * write through an alias does, and scountinhibit. Who may do it in which mode
 * is test-csr-ind-hyp.c's.
 */
#include "hart-script.h"
#include "unit.h"

#define ONES   UINT64_MAX
#define ONES32 UINT64_C(0xffffffff)
#define H(n)   (UINT64_C(1) << (n))
#define INSNS  UINT64_C(2)
#define MINH   PMU_EVENT_MINH
#define SINH   PMU_EVENT_SINH
#define DELEG                                                                  \
	(PMU_EXT_SMCSRIND | PMU_EXT_SSCSRIND | PMU_EXT_SMCDELEG |              \
	 PMU_EXT_SSCCFG)
/* Delegates the counters of @mask, with CDE on RV64 or RV32. */
#define CDE64(mask) POKE(MENVCFG, H(60)), POKE(MCOUNTEREN, mask)
#define CDE32(mask) POKE(MENVCFGH, H(28)), POKE(MCOUNTEREN, mask)
#define AT(n)	    CSRW(SISELECT, 0x40 + (n))

static const struct script select_rows[] = {
	{ "CDE is there with Smcdeleg",
	  RULE("menvcfg_cde_op C128 SMCD-MENV-01"), 64, DELEG, 0,
	  .steps = { POKE(MENVCFG, ONES), PEEK(MENVCFG, H(60) | 1),
		     POKE(MENVCFG, 0), PEEK(MENVCFG, 0) } },
	{ "CDE is bit 28 of menvcfgh", RULE("C171"), 32, DELEG, 0,
	  .steps = { POKE(MENVCFGH, ONES), PEEK(MENVCFGH, H(28)),
		     PEEK(MENVCFG, 0) } },
	{ "no CDE without Smcdeleg", RULE("menvcfg_cde_op,C172"), 64, 0, 0,
	  .steps = { POKE(MENVCFG, ONES), PEEK(MENVCFG, 1) } },
	{ "siselect, miselect hold 0 to 0xfff",
	  RULE("siselect_min_range C169 SMCD-DEP-03"), 0, DELEG, 0,
	  .steps = { MODE(S), CSRW(SISELECT, 0xfff), CSRR(SISELECT, 0xfff),
		     CSRW(SISELECT, 0x41), CSRR(SISELECT, 0x41), MODE(M),
		     CSRW(MISELECT, 0xfff), CSRR(MISELECT, 0xfff),
		     CSRR(SISELECT, 0x41), CSRW(SISELECT, 0x42),
		     CSRR(SISELECT, 0x42), CSRR(MISELECT, 0xfff) } },
	{ "siselect does not wait for CDE", RULE("C170"), 0, DELEG, 0,
	  .steps = { MODE(S), CSRW(SISELECT, 0x43), CSRR(SISELECT, 0x43) } },
	{ "without Sscsrind there is no siselect", RULE("C169 SMCD-DEP-02"), 0,
	  0, 0,
	  .steps = { ILLEGAL_R(SISELECT), ILLEGAL_R(SIREG), ILLEGAL_R(MISELECT),
		     ILLEGAL_R(MIREG), ILLEGAL_R(SCOUNTINHIBIT),
		     ILLEGAL_R(SIREG6) } },
	{ "nothing is behind miselect", RULE("miselect_op,C169"), 0, DELEG, 0,
	  .steps = { ILLEGAL_R(MIREG), CSRW(MISELECT, 0x43),
		     POKE(MCOUNTEREN, ONES), ILLEGAL_R(MIREG), ILLEGAL_W(MIREG),
		     ILLEGAL_R(MIREG + 6) } },
	{ "cycle, instret and hpmcounters of RV64",
	  RULE("C129 SSCFG-MAP-01 SSCFG-MAP-03 SSCFG-MAP-05 SSCFG-MAP-08 "
	       "SMCD-MCTR-01 SMCD-MCTR-03 SMCD-MCTR-05 SMCD-MCTR-07"),
	  64, DELEG, 0,
	  .steps = { CDE64(ONES), MODE(S), POKE(MCYCLE, ONES),
		     POKE(MHPMCOUNTER + 3, H(40)), POKE(MHPMCOUNTER + 31, 7),
		     AT(31), CSRR(SIREG, 7), AT(3), CSRR(SIREG, H(40)), AT(0),
		     CSRR(SIREG, 4), AT(2), CSRR(SIREG, 7) } },
	{ "events of RV64", RULE("C129 SSCFG-MAP-07"), 64, DELEG, 0,
	  .steps = { CDE64(ONES), MODE(S), AT(3), CSRW(SIREG2, H(61) | 5),
		     CSRR(SIREG2, H(61) | 5), PEEK(MHPMEVENT + 3, H(61) | 5),
		     AT(31), CSRW(SIREG2, 1), PEEK(MHPMEVENT + 31, 1), AT(0),
		     CSRW(SIREG2, H(60)), PEEK(MCYCLECFG, H(60)), AT(2),
		     CSRW(SIREG2, H(61)), PEEK(MINSTRETCFG, H(61)) } },
	{ "counters of RV32 in halves",
	  RULE("C129 C138 SSCFG-MAP-02 SSCFG-MAP-04 SSCFG-MAP-06"), 32, DELEG,
	  0,
	  .steps = { CDE32(ONES), MODE(S), POKE(MCYCLEH, 9), AT(0),
		     CSRR(SIREG4, 9), POKE(MINSTRETH, 8), AT(2),
		     CSRR(SIREG4, 8), AT(3), CSRW(SIREG, ONES), CSRW(SIREG4, 6),
		     CSRR(SIREG, ONES32), CSRR(SIREG4, 6),
		     PEEK(MHPMCOUNTERH + 3, 6) } },
	{ "events of RV32 in halves",
	  RULE("C129 C138 SSCFG-MINH-02 SSCFG-MINH-06"), 32, DELEG, 0,
	  .steps = { CDE32(ONES), MODE(S), AT(3), CSRW(SIREG2, ONES),
		     CSRR(SIREG2, ONES32), CSRR(SIREG5, 0),
		     CSRW(SIREG5, ONES32), CSRR(SIREG5, 0xb0ffffff),
		     PEEK(MHPMEVENT + 3, ONES32),
		     PEEK(MHPMEVENTH + 3, 0xb0ffffff), AT(0),
		     CSRW(SIREG5, ONES), PEEK(MCYCLECFGH, 0x30000000),
		     CSRR(SIREG2, 0) } },
	{ "a counter that does not exist is read-only zero", RULE("C114,C129"),
	  64, DELEG, 0, .hpm_mask = H(3),
	  .steps = { CDE64(ONES), MODE(S), AT(4), CSRW(SIREG, 5),
		     CSRR(SIREG, 0), CSRW(SIREG2, ONES), CSRR(SIREG2, 0) } },
};

static const struct script illegal_rows[] = {
	{ "no sireg without CDE, M included",
	  RULE("ssccfg_illegal_sireg_cde0 C129 SSCFG-ILL-01 SSCFG-ILL-02 "
	       "SSCFG-ILL-07 SMCD-MENV-02"),
	  64, DELEG, 0,
	  .steps = { POKE(MCOUNTEREN, ONES), AT(3), ILLEGAL_R(SIREG),
		     ILLEGAL_W(SIREG2), ILLEGAL_R(SIREG3), ILLEGAL_R(SIREG4),
		     ILLEGAL_W(SIREG5), ILLEGAL_R(SIREG6), MODE(S),
		     ILLEGAL_R(SIREG), ILLEGAL_W(SIREG2), ILLEGAL_R(SIREG3),
		     ILLEGAL_R(SIREG4), ILLEGAL_W(SIREG5),
		     ILLEGAL_R(SIREG6) } },
	/* Where sireg4 and sireg5 are something else than illegal. */
	{ "the same on RV32",
	  RULE("ssccfg_illegal_sireg_cde0 SSCFG-ILL-03 SSCFG-ILL-04"), 32,
	  DELEG, 0,
	  .steps = { POKE(MCOUNTEREN, ONES), AT(3), ILLEGAL_R(SIREG),
		     ILLEGAL_W(SIREG2), ILLEGAL_R(SIREG4), ILLEGAL_W(SIREG5),
		     MODE(S), ILLEGAL_R(SIREG), ILLEGAL_R(SIREG2),
		     ILLEGAL_R(SIREG4), ILLEGAL_R(SIREG5) } },
	{ "CDE comes and goes",
	  RULE("menvcfg_cde_op smcdeleg_cde_en C172 SMCD-MENV-03 "
	       "SMCD-MENV-04"),
	  64, DELEG, 0,
	  .steps = { CDE64(ONES), MODE(S), AT(3), CSRW(SIREG, 5),
		     CSRW(SIREG2, H(61) | INSNS), POKE(MENVCFG, 0),
		     ILLEGAL_R(SIREG), ILLEGAL_R(SCOUNTINHIBIT),
		     PEEK(MHPMCOUNTER + 3, 5),
		     PEEK(MHPMEVENT + 3, H(61) | INSNS), POKE(MENVCFG, H(60)),
		     CSRR(SIREG, 5) } },
	{ "sireg3 and sireg6 are nobody's",
	  RULE("ssccfg_illegal_sireg3_6 SSCFG-ILL-05 SSCFG-ILL-06 "
	       "SSCFG-ILL-14 SSCFG-ILL-15"),
	  64, DELEG, 0,
	  .steps = { CDE64(ONES), AT(0), ILLEGAL_R(SIREG3), ILLEGAL_W(SIREG6),
		     MODE(S), ILLEGAL_R(SIREG3), ILLEGAL_W(SIREG3),
		     ILLEGAL_R(SIREG6), AT(31), ILLEGAL_R(SIREG3),
		     ILLEGAL_W(SIREG6) } },
	{ "sireg4 and sireg5 are not on RV64",
	  RULE("ssccfg_illegal_sireg4_5_xlen64 SSCFG-ILL-08 SSCFG-ILL-09"), 64,
	  DELEG, 0,
	  .steps = { CDE64(ONES), AT(0), ILLEGAL_R(SIREG4), ILLEGAL_W(SIREG5),
		     MODE(S), ILLEGAL_R(SIREG4), ILLEGAL_W(SIREG4), AT(3),
		     ILLEGAL_W(SIREG5), ILLEGAL_R(SIREG5) } },
	{ "0x41 is nobody's",
	  RULE("ssccfg_illegal_sireg_not_delegated C129 SSCFG-ILL-11 "
	       "SSCFG-ILL-12 SSCFG-MAP-11 SMCD-MCTR-10"),
	  64, DELEG, 0,
	  .steps = { CDE64(ONES), AT(1), ILLEGAL_R(SIREG), ILLEGAL_W(SIREG2),
		     MODE(S), ILLEGAL_R(SIREG), ILLEGAL_R(SIREG2),
		     POKE(MCOUNTEREN, ~UINT64_C(2)), ILLEGAL_R(SIREG) } },
	{ "0x41 on RV32", RULE("ssccfg_illegal_sireg_not_delegated"), 32, DELEG,
	  0,
	  .steps = { CDE32(ONES), AT(1), ILLEGAL_R(SIREG4), MODE(S),
		     ILLEGAL_R(SIREG), ILLEGAL_R(SIREG4), ILLEGAL_R(SIREG5) } },
	{ "a counter that is not delegated, M included",
	  RULE("ssccfg_illegal_sireg_not_delegated C129 SSCFG-ILL-10 "
	       "SMCD-MCTR-02 SMCD-MCTR-04 SMCD-MCTR-06 SMCD-MCTR-08"),
	  64, DELEG, 0,
	  .steps = { CDE64(~(H(5) | 0xd)), AT(5), ILLEGAL_R(SIREG),
		     ILLEGAL_W(SIREG2), MODE(S), ILLEGAL_R(SIREG), AT(0),
		     ILLEGAL_R(SIREG), AT(2), ILLEGAL_R(SIREG), AT(3),
		     ILLEGAL_R(SIREG), POKE(MCOUNTEREN, H(3)), CSRR(SIREG, 0),
		     POKE(MCOUNTEREN, 0), ILLEGAL_R(SIREG) } },
	{ "values beside the counters", RULE("C169 SSCFG-ILL-13"), 64, DELEG, 0,
	  .steps = { CDE64(ONES), MODE(S), CSRW(SISELECT, 0x60),
		     ILLEGAL_R(SIREG), ILLEGAL_W(SIREG), CSRW(SISELECT, 0x3f),
		     ILLEGAL_R(SIREG), CSRW(SISELECT, 0), ILLEGAL_R(SIREG),
		     CSRW(SISELECT, 0xfff), ILLEGAL_R(SIREG) } },
	{ "cycle needs Zicntr",
	  RULE("ssccfg_missing_extension_illegal C167 SSCFG-MAP-12"), 64, DELEG,
	  PMU_EXT_ZICNTR,
	  .steps = { CDE64(ONES), MODE(S), AT(0), ILLEGAL_R(SIREG),
		     ILLEGAL_R(SIREG2), AT(2), ILLEGAL_R(SIREG),
		     ILLEGAL_R(SIREG2), MODE(M), ILLEGAL_W(SIREG), AT(3),
		     CSRR(SIREG, 0) } },
	{ "hpmcounters need Zihpm",
	  RULE("ssccfg_missing_extension_illegal SSCFG-MAP-13"), 64, DELEG,
	  PMU_EXT_ZIHPM | PMU_EXT_SSCOFPMF,
	  .steps = { CDE64(ONES), MODE(S), AT(3), ILLEGAL_R(SIREG),
		     ILLEGAL_R(SIREG2), MODE(M), ILLEGAL_R(SIREG), AT(2),
		     CSRW(SIREG, 7), CSRR(SIREG, 7) } },
	{ "cyclecfg needs Smcntrpmf", RULE("ssccfg_missing_extension_illegal"),
	  64, DELEG, PMU_EXT_SMCNTRPMF,
	  .steps = { CDE64(ONES), MODE(S), AT(0), ILLEGAL_R(SIREG2),
		     CSRR(SIREG, 1), AT(2), ILLEGAL_W(SIREG2), CSRR(SIREG, 3),
		     AT(3), CSRW(SIREG2, 9), CSRR(SIREG2, 9) } },
	{ "hpmeventh needs Sscofpmf, hpmevent and hpmcounterh do not",
	  RULE("ssccfg_missing_extension_illegal"), 32, DELEG, PMU_EXT_SSCOFPMF,
	  .steps = { CDE32(ONES), MODE(S), AT(3), ILLEGAL_R(SIREG5),
		     ILLEGAL_W(SIREG5), CSRW(SIREG2, ONES32),
		     CSRR(SIREG2, ONES32), CSRW(SIREG4, 3), CSRR(SIREG4, 3) } },
};

static const struct script write_rows[] = {
	{ "MINH is hidden, and stays when S-mode writes",
	  RULE("mhpmevent_inh_op C130 SSCFG-MINH-01 SSCFG-MINH-03"), 64, DELEG,
	  0,
	  .steps = { CDE64(ONES), POKE(MHPMEVENT + 3, MINH | SINH | 7), MODE(S),
		     AT(3), CSRR(SIREG2, SINH | 7),
		     PEEK(MHPMEVENT + 3, MINH | SINH | 7), CSRW(SIREG2, 5),
		     CSRR(SIREG2, 5), PEEK(MHPMEVENT + 3, MINH | 5),
		     POKE(MHPMEVENT + 31, 0), AT(31), CSRW(SIREG2, MINH | 1),
		     CSRR(SIREG2, 1), PEEK(MHPMEVENT + 31, 1) } },
	{ "MINH of cyclecfg and instretcfg",
	  RULE("C130 SSCFG-MAP-09 SSCFG-MAP-10 SSCFG-MINH-04 SSCFG-MINH-05 "
	       "PMF-DELEG-01 PMF-DELEG-02"),
	  64, DELEG, 0,
	  .steps = { CDE64(ONES), POKE(MCYCLECFG, MINH | H(60)), MODE(S), AT(0),
		     CSRR(SIREG2, H(60)), PEEK(MCYCLECFG, MINH | H(60)),
		     CSRW(SIREG2, ONES), PEEK(MCYCLECFG, 7 * H(60)), AT(2),
		     CSRW(SIREG2, ONES), CSRR(SIREG2, 3 * H(60)),
		     PEEK(MINSTRETCFG, 3 * H(60)) } },
	{ "MINH on RV32", RULE("C130"), 32, DELEG, 0,
	  .steps = { CDE32(ONES), POKE(MHPMEVENTH + 3, H(30) | H(29)), MODE(S),
		     AT(3), CSRR(SIREG5, H(29)), CSRW(SIREG5, H(28)),
		     PEEK(MHPMEVENTH + 3, H(30) | H(28)), CSRC(SIREG5, H(30)),
		     PEEK(MHPMEVENTH + 3, H(30) | H(28)) } },
	{ "without Sscofpmf bit 62 is one of the event", RULE("C106,C130"), 64,
	  DELEG, PMU_EXT_SSCOFPMF,
	  .steps = { CDE64(ONES), MODE(S), AT(3), CSRW(SIREG2, ONES),
		     CSRR(SIREG2, ONES) } },
	{ "a write through sireg suppresses its increment", RULE("C117"), 64,
	  DELEG, 0,
	  .steps = { CDE64(ONES), POKE(MHPMEVENT + 3, INSNS), MODE(S), AT(2),
		     CSRW(SIREG, 100), CSRR(SIREG, 100), CSRR(SIREG, 101),
		     AT(3), CSRW(SIREG, ONES), PEEK(MHPMCOUNTER + 3, ONES),
		     PEEK(MIP, 0), CSRS(SIREG, 0), PEEK(MHPMCOUNTER + 3, ONES),
		     PEEK(SCOUNTOVF, 0) } },
	{ "so does one through sireg4", RULE("C117,C138"), 32, DELEG, 0,
	  .steps = { CDE32(ONES), POKE(MHPMEVENT + 3, INSNS), MODE(S), AT(3),
		     CSRW(SIREG, ONES32), CSRW(SIREG4, ONES32),
		     PEEK(MHPMCOUNTER + 3, ONES32),
		     PEEK(MHPMCOUNTERH + 3, ONES32), PEEK(MIP, 0),
		     CSRW(SIREG4, 1), PEEK(MHPMCOUNTER + 3, ONES32), RUN(1),
		     PEEK(MHPMCOUNTERH + 3, 2), PEEK(MHPMCOUNTER + 3, 0),
		     PEEK(MIP, 0) } },
	{ "a write through sireg2 counts under the old event", RULE("C160"), 64,
	  DELEG, 0,
	  .steps = { CDE64(ONES), MODE(S), AT(3), CSRW(SIREG2, INSNS),
		     CSRR(SIREG, 0), CSRW(SIREG2, 0), CSRR(SIREG, 2), AT(2),
		     CSRW(SIREG, 0), CSRW(SIREG2, SINH), CSRR(SIREG, 1),
		     CSRW(SIREG2, 0), CSRR(SIREG, 1) } },
	{ "a write through sireg2 hides its own overflow", RULE("C161"), 64,
	  DELEG, 0,
	  .steps = { CDE64(ONES), POKE(MHPMEVENT + 3, INSNS), MODE(S), AT(3),
		     POKE(MHPMCOUNTER + 3, ONES), CSRW(SIREG2, INSNS),
		     PEEK(MHPMCOUNTER + 3, 0), PEEK(MIP, 0), PEEK(SCOUNTOVF, 0),
		     LIMIT(INSNS, UINT64_MAX) } },
	{ "OF is written through sireg2, and pends nothing",
	  RULE("count_overflow_trigger,C173"), 64, DELEG, 0,
	  .steps = { CDE64(ONES), MODE(S), AT(3), CSRW(SIREG2, H(63) | INSNS),
		     CSRR(SCOUNTOVF, 8), PEEK(MIP, 0), CSRW(SIREG, ONES),
		     RUN(2), PEEK(MIP, 0), CSRC(SIREG2, H(63)),
		     CSRR(SCOUNTOVF, 0), PEEK(MIP, 0) } },
	{ "OF is written through sireg5", RULE("C173"), 32, DELEG, 0,
	  .steps = { CDE32(ONES), MODE(S), AT(3), CSRW(SIREG5, H(31)),
		     CSRR(SCOUNTOVF, 8), PEEK(MIP, 0), CSRW(SIREG5, 0),
		     CSRR(SCOUNTOVF, 0) } },
	{ "a counter set through sireg overflows like any other",
	  RULE("C107,C173"), 64, DELEG, 0,
	  .steps = { CDE64(ONES), MODE(S), AT(3), CSRW(SIREG2, INSNS),
		     CSRW(SIREG, ONES), EFFECTS(PMU_FX_COUNT), LIMIT(INSNS, 1),
		     RUN(1), CSRR(SCOUNTOVF, 8), PEEK(MIP, 0x2000), TAKE(8) } },
	{ "S-mode's filter works", RULE("csr_supervisor_access PMF-DELEG-04"),
	  64, DELEG, 0,
	  .steps = { CDE64(ONES), MODE(S), AT(0), CSRW(SIREG2, SINH),
		     CSRW(SIREG, 0), RUN(9), CSRR(SIREG, 0), MODE(U), RUN(3),
		     MODE(S), CSRR(SIREG, 3) } },
	{ "direct access to mcyclecfg stays M-mode's",
	  RULE("csr_supervisor_access PMF-DELEG-03 PMF-CSR-10 PMF-CSR-11"), 64,
	  DELEG, 0,
	  .steps = { CDE64(ONES), MODE(S), ILLEGAL_R(MCYCLECFG),
		     ILLEGAL_R(MINSTRETCFG), ILLEGAL_W(MHPMEVENT + 3), MODE(U),
		     ILLEGAL_R(MCYCLECFG), ILLEGAL_R(MINSTRETCFG) } },
	{ "a counter that loses delegation keeps running", RULE("C172"), 64,
	  DELEG, 0,
	  .steps = { CDE64(ONES), MODE(S), AT(3), CSRW(SIREG2, INSNS),
		     POKE(MCOUNTEREN, 0), RUN(5), ILLEGAL_R(SIREG),
		     PEEK(MHPMCOUNTER + 3, 5), POKE(MENVCFG, 0), RUN(5),
		     PEEK(MHPMCOUNTER + 3, 10) } },
	{ "an illegal access through sireg retires nothing", RULE("C119"), 64,
	  DELEG, 0,
	  .steps = { CDE64(~H(4)), MODE(S), AT(4), ILLEGAL_R(SIREG),
		     ILLEGAL_W(SIREG2), ILLEGAL_R(SIREG3), AT(2),
		     CSRR(SIREG, 2) } },
	{ "two counters follow one event, and leave it, through sireg2",
	  RULE("C122"), 64, DELEG, 0,
	  .steps = { CDE64(ONES), MODE(S), AT(3), CSRW(SIREG2, INSNS), AT(4),
		     CSRW(SIREG2, INSNS), RUN(5), CSRW(SIREG2, 1), RUN(3),
		     CSRR(SIREG, 9), AT(3), CSRR(SIREG, 13) } },
	{ "instruments see what M-mode sees behind siselect", RULE("C129"), 64,
	  DELEG, 0,
	  .steps = { CDE64(ONES), POKE(SISELECT, 0x44), POKE(SIREG, 11),
		     EFFECTS(PMU_FX_COUNT), PEEK(SIREG, 11),
		     PEEK(MHPMCOUNTER + 4, 11), POKE(SIREG2, MINH | 3),
		     PEEK(SIREG2, 3), PEEK(MHPMEVENT + 4, 3) } },
};

static const struct script inhibit_rows[] = {
	{ "scountinhibit is there with Smcdeleg and CDE",
	  RULE("ssccfg_scountinhibit_exists C132 SSCFG-SINH-01 "
	       "SSCFG-SINH-12 SSCFG-SINH-13"),
	  64, DELEG, 0,
	  .steps = { POKE(MCOUNTEREN, ONES), ILLEGAL_R(SCOUNTINHIBIT), MODE(S),
		     ILLEGAL_R(SCOUNTINHIBIT), ILLEGAL_W(SCOUNTINHIBIT),
		     POKE(MENVCFG, H(60)), CSRR(SCOUNTINHIBIT, 0), MODE(M),
		     CSRR(SCOUNTINHIBIT, 0), MODE(U),
		     ILLEGAL_R(SCOUNTINHIBIT) } },
	{ "delegated bits are mcountinhibit's",
	  RULE("ssccfg_scountinhibit_delegated_rw C131 SSCFG-SINH-02 "
	       "SSCFG-SINH-03 SSCFG-SINH-04 SSCFG-SINH-05 SSCFG-SINH-06 "
	       "SSCFG-SINH-14 SSCFG-SINH-15"),
	  64, DELEG, 0,
	  .steps = { CDE64(ONES), MODE(S), CSRW(SCOUNTINHIBIT, 1),
		     EFFECTS(PMU_FX_COUNT), CSRR(SCOUNTINHIBIT, 1),
		     PEEK(MCOUNTINHIBIT, 1), CSRW(SCOUNTINHIBIT, 0),
		     PEEK(MCOUNTINHIBIT, 0), CSRW(SCOUNTINHIBIT, 0x8000000c),
		     PEEK(MCOUNTINHIBIT, 0x8000000c), POKE(MCOUNTINHIBIT, 0x30),
		     CSRR(SCOUNTINHIBIT, 0x30) } },
	{ "other bits read zero and stay as they are",
	  RULE("ssccfg_scountinhibit_nondelegated_ro C131 SSCFG-SINH-07 "
	       "SSCFG-SINH-08 SSCFG-SINH-09 SSCFG-SINH-11"),
	  64, DELEG, 0,
	  .steps = { CDE64(9), POKE(MCOUNTINHIBIT, 0x7fffd), MODE(S),
		     CSRR(SCOUNTINHIBIT, 9), CSRW(SCOUNTINHIBIT, 0),
		     CSRR(SCOUNTINHIBIT, 0), PEEK(MCOUNTINHIBIT, 0x7fff4),
		     CSRW(SCOUNTINHIBIT, ONES), CSRR(SCOUNTINHIBIT, 9),
		     PEEK(MCOUNTINHIBIT, 0x7fffd), POKE(MCOUNTINHIBIT, 0),
		     CSRS(SCOUNTINHIBIT, ONES), PEEK(MCOUNTINHIBIT, 9) } },
	{ "bit 1 is read-only zero", RULE("C131 SSCFG-SINH-10"), 32, DELEG, 0,
	  .steps = { CDE32(ONES), MODE(S), CSRW(SCOUNTINHIBIT, ONES),
		     CSRR(SCOUNTINHIBIT, 0xfffffffd),
		     PEEK(MCOUNTINHIBIT, 0xfffffffd) } },
	{ "scountinhibit stops counting", RULE("C131 C177 SSCFG-SINH-16"), 64,
	  DELEG, 0,
	  .steps = { CDE64(ONES), MODE(S), CSRW(SCOUNTINHIBIT, 1), AT(0),
		     CSRR(SIREG, 1), RUN(10), CSRR(SIREG, 1),
		     CSRW(SCOUNTINHIBIT, 0), RUN(10), CSRR(SIREG, 11) } },
	{ "inhibiting through scountinhibit counts itself", RULE("C160"), 64,
	  DELEG, 0,
	  .steps = { CDE64(ONES), MODE(S), AT(2), CSRW(SIREG, 0),
		     CSRW(SCOUNTINHIBIT, 4), CSRR(SIREG, 1),
		     CSRW(SCOUNTINHIBIT, 0), CSRR(SIREG, 1), CSRR(SIREG, 2) } },
	{ "the instruction that inhibits a counter may overflow it",
	  RULE("C160,C161"), 64, DELEG, 0,
	  .steps = { CDE64(ONES), POKE(MHPMEVENT + 3, INSNS),
		     POKE(MHPMCOUNTER + 3, ONES), MODE(S),
		     CSRW(SCOUNTINHIBIT, 8), PEEK(MIP, 0x2000),
		     CSRR(SCOUNTOVF, 8), PEEK(MHPMCOUNTER + 3, 0) } },
};

TEST_ROWS(a_select_value_reaches_what_the_table_says, select_rows)
{
	script_run(&select_rows[_i]);
}

TEST_ROWS(an_access_is_refused_as_the_rule_says, illegal_rows)
{
	script_run(&illegal_rows[_i]);
}

TEST_ROWS(a_write_through_an_alias_does_what_the_rule_says, write_rows)
{
	script_run(&write_rows[_i]);
}

TEST_ROWS(scountinhibit_is_a_masked_alias, inhibit_rows)
{
	script_run(&inhibit_rows[_i]);
}

/* The walk of a plan: all counters at once, 0x40 to 0x5f, time is not there. */
TEST_TIMES(all_counters_are_delegated_at_once, 2 * PMU_N_COUNTERS)
{
	unsigned xlen = _i < PMU_N_COUNTERS ? 32 : 64;
	uint16_t n = (uint16_t)(_i % PMU_N_COUNTERS);
	uint64_t value = 1000 + n;
	const struct script counter = {
		"all counters at once",
		"SMCD-MCTR-09",
		xlen,
		DELEG,
		0,
		.steps = { POKE(xlen == 64 ? MENVCFG : MENVCFGH,
				xlen == 64 ? H(60) : H(28)),
			   POKE(MCOUNTEREN, ONES), PEEK(MCOUNTEREN, ONES32),
			   POKE(MCOUNTINHIBIT, ONES), MODE(S), AT(n),
			   CSRW(SIREG, value), CSRR(SIREG, value),
			   PEEK(MHPMCOUNTER + n, value), CSRW(SIREG2, H(3)),
			   CSRR(SIREG2, n < 3 ? 0 : H(3)), MODE(U),
			   ILLEGAL_R(SIREG) }
	};
	const struct script time = {
		"all counters at once, but time",
		"SMCD-MCTR-09",
		xlen,
		DELEG,
		0,
		.steps = { POKE(xlen == 64 ? MENVCFG : MENVCFGH,
				xlen == 64 ? H(60) : H(28)),
			   POKE(MCOUNTEREN, ONES), MODE(S), AT(1),
			   ILLEGAL_R(SIREG), ILLEGAL_W(SIREG),
			   ILLEGAL_R(SIREG2), ILLEGAL_W(SIREG2) }
	};

	shows(RULE("SMCD-MCTR-09"));
	script_run(n == 1 ? &time : &counter);
}

SUITE("csr-ind");
