/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The CSRs of the performance monitoring unit and of the traps it causes, with
 * their fields, which are those of the Privileged ISA and of the extensions
 * that a row names.
 */
#include "explain-facts.h"

#include <string.h>

#include <pmu/csr-name.h>
#include <pmu/csr-number.h>
#include <pmu/ebb-csr.h>

#include "number.h"

#define FILTERS                                                                \
	{ 62, 62, "MINH", "do not count in M-mode" },                          \
		{ 61, 61, "SINH", "do not count in S- or HS-mode" },           \
		{ 60, 60, "UINH", "do not count in U-mode" },                  \
		{ 59, 59, "VSINH", "do not count in VS-mode" },                \
	{                                                                      \
		58, 58, "VUINH", "do not count in VU-mode"                     \
	}
#define ENABLES                                                                \
	{ 31, 3, "HPM31-HPM3", "hpmcounter n" }, { 2, 2, "IR", "instret" },    \
		{ 1, 1, "TM", "time" },                                        \
	{                                                                      \
		0, 0, "CY", "cycle"                                            \
	}
#define LCOFI_BIT                                                              \
	{                                                                      \
		13, 13, "LCOFI", "local counter overflow interrupt"            \
	}

#define OF_COUNTERS(what)                                                      \
	{                                                                      \
		31, 3, "HPM31-HPM3", what                                      \
	}

static const char machine_hpm[] = "Hardware Performance Monitor (Machine)";
static const char sscofpmf[] = "Sscofpmf";
static const char smcdeleg[] = "Smcdeleg and Ssccfg";
static const char smcsrind[] = "Smcsrind and Sscsrind";
static const char smcntrpmf[] = "Smcntrpmf";
static const char zicntr[] = "Zicntr and Zihpm";
static const char machine[] = "Machine-Level ISA";
static const char supervisor[] = "Supervisor-Level ISA";
static const char hypervisor[] = "H extension";
static const char sstc[] = "Sstc";
static const char smstateen[] = "Smstateen";
static const char aia[] = "Smaia and Ssaia";
static const char xpmuebb[] = "Xpmuebb (docs/EBB.md)";

#define TOP_INTERRUPT                                                          \
	{ 27, 16, "IID", "its number; 0: there is none" },                     \
	{                                                                      \
		7, 0, "IPRIO", "its priority"                                  \
	}

static const struct csr_info infos[] = {
	{ PMU_CSR_SCOUNTEREN,
	  1,
	  supervisor,
	  "which user counters U-mode (and VU-mode) may read",
	  { ENABLES } },
	{ PMU_CSR_SCOUNTINHIBIT,
	  1,
	  smcdeleg,
	  "mcountinhibit as far as mcounteren delegates; needs menvcfg.CDE",
	  { { 31, 3, "HPM31-HPM3", "mhpmcounter n stands" },
	    { 2, 2, "IR", "minstret stands" },
	    { 0, 0, "CY", "mcycle stands" } } },
	{ PMU_CSR_SIE,
	  1,
	  supervisor,
	  "interrupts enabled for S-mode: delegated bits of mie",
	  { LCOFI_BIT } },
	{ PMU_CSR_SIP,
	  1,
	  supervisor,
	  "interrupts pending for S-mode: delegated bits of mip",
	  { { 13, 13, "LCOFIP", "pending; software clears it" } } },
	{ PMU_CSR_STIMECMP, 1, sstc,
	  "STIP is pending while time is not below it; needs menvcfg.STCE" },
	{ PMU_CSR_SISELECT, 1, smcsrind,
	  "which register sireg to sireg6 reach; 0x40-0x5f: counter n - 0x40" },
	{ PMU_CSR_SIREG, 1, smcdeleg,
	  "the counter that siselect 0x40-0x5f selects (RV32: its low half)" },
	{ PMU_CSR_SIREG2, 1, smcdeleg,
	  "its event or filters (RV32: the low half); MINH is hidden" },
	{ PMU_CSR_SIREG4, 1, smcdeleg, "RV32: the high half of the counter" },
	{ PMU_CSR_SIREG4 + 1, 1, smcdeleg,
	  "RV32: the high half of its event or filters" },
	{ PMU_CSR_MIDELEG,
	  1,
	  machine,
	  "interrupts that S-mode takes",
	  { LCOFI_BIT } },
	{ PMU_CSR_MIE, 1, machine, "interrupts enabled", { LCOFI_BIT } },
	{ PMU_CSR_MCOUNTEREN,
	  1,
	  machine,
	  "which user counters the modes below M may read",
	  { ENABLES } },
	{ PMU_CSR_MENVCFG,
	  1,
	  machine,
	  "features of the modes below M",
	  { { 63, 63, "STCE", "stimecmp drives STIP (Sstc)" },
	    { 61, 61, "ADUE", "hardware sets A and D (Svadu)" },
	    { 60, 60, "CDE", "counters are delegated to S-mode (Smcdeleg)" },
	    { 0, 0, "FIOM", "fences of I/O order memory, too" } } },
	{ PMU_CSR_MSTATEEN0,
	  4,
	  smstateen,
	  "state that modes below M may use",
	  { { 60, 60, "CSRIND", "siselect and sireg (in mstateen0)" } } },
	{ PMU_CSR_MCOUNTINHIBIT,
	  1,
	  machine_hpm,
	  "which counters stand; reading them is not affected",
	  { { 31, 3, "HPM31-HPM3", "mhpmcounter n stands" },
	    { 2, 2, "IR", "minstret stands" },
	    { 0, 0, "CY", "mcycle stands" } } },
	{ PMU_CSR_MCYCLECFG,
	  1,
	  smcntrpmf,
	  "in which modes mcycle stands",
	  { FILTERS } },
	{ PMU_CSR_MINSTRETCFG,
	  1,
	  smcntrpmf,
	  "in which modes minstret stands",
	  { FILTERS } },
	{ PMU_CSR_MHPMEVENT3,
	  29,
	  sscofpmf,
	  "what mhpmcounter n counts, in which modes, and its overflow",
	  { { 63, 63, "OF", "overflowed; while it is 1, no interrupt" },
	    FILTERS,
	    { 55, 0, "event", "selects the event; see pmuctl list" } } },
	{ PMU_CSR_MIP,
	  1,
	  machine,
	  "interrupts pending",
	  { { 13, 13, "LCOFIP", "pending; software clears it" } } },
	{ PMU_CSR_MCYCLECFGH, 1, smcntrpmf, "RV32: bits 63:32 of mcyclecfg" },
	{ PMU_CSR_MINSTRETCFGH, 1, smcntrpmf,
	  "RV32: bits 63:32 of minstretcfg" },
	{ PMU_CSR_MHPMEVENT3H, 29, sscofpmf,
	  "RV32: bits 63:32 of mhpmevent n" },
	{ PMU_CSR_MCYCLE, 1, machine_hpm,
	  "clock cycles of this hart, 64 bits" },
	{ PMU_CSR_MINSTRET, 1, machine_hpm,
	  "instructions that this hart retired, 64 bits" },
	{ PMU_CSR_MHPMCOUNTER3, 29, machine_hpm,
	  "counts the event that mhpmevent n selects" },
	{ PMU_CSR_MCYCLEH, 1, machine_hpm, "RV32: bits 63:32 of mcycle" },
	{ PMU_CSR_MINSTRETH, 1, machine_hpm, "RV32: bits 63:32 of minstret" },
	{ PMU_CSR_MHPMCOUNTER3H, 29, machine_hpm,
	  "RV32: bits 63:32 of mhpmcounter n" },
	{ PMU_CSR_CYCLE, 1, zicntr,
	  "mcycle, read-only; mcounteren and scounteren open it" },
	{ PMU_CSR_TIME, 1, zicntr,
	  "ticks of the time base, the same on all harts" },
	{ PMU_CSR_INSTRET, 1, zicntr,
	  "minstret, read-only; mcounteren and scounteren open it" },
	{ PMU_CSR_HPMCOUNTER3, 29, zicntr,
	  "mhpmcounter n, read-only; mcounteren and scounteren open it" },
	{ PMU_CSR_CYCLEH, 1, zicntr, "RV32: bits 63:32 of cycle" },
	{ PMU_CSR_TIMEH, 1, zicntr, "RV32: bits 63:32 of time" },
	{ PMU_CSR_INSTRETH, 1, zicntr, "RV32: bits 63:32 of instret" },
	{ PMU_CSR_HPMCOUNTER3H, 29, zicntr,
	  "RV32: bits 63:32 of hpmcounter n" },
	{ PMU_CSR_SEBBCS,
	  1,
	  xpmuebb,
	  "whether users have event-based branches",
	  { { 1, 1, "FZ", "claimed counters stand" },
	    { 0, 0, "UE", "users have the extension" } } },
	{ PMU_CSR_SEBBOWN,
	  1,
	  xpmuebb,
	  "claimed counters",
	  { OF_COUNTERS("counter n is claimed") } },
	{ PMU_CSR_SEBBCLAIM,
	  1,
	  xpmuebb,
	  "claims the counters written; reads as what the last claim got",
	  { OF_COUNTERS("counter n was claimed") } },
	{ PMU_CSR_HEBBEN,
	  1,
	  xpmuebb,
	  "counters that a guest may have",
	  { OF_COUNTERS("counter n is a guest's") } },
	{ PMU_CSR_MEBBEN,
	  1,
	  xpmuebb,
	  "counters that may be claimed",
	  { OF_COUNTERS("counter n may be claimed") } },
	{ PMU_CSR_EBBHR, 1, xpmuebb, "address of the user's handler" },
	{ PMU_CSR_EBBRR, 1, xpmuebb, "where the branch came from" },
	{ PMU_CSR_EBBCS,
	  1,
	  xpmuebb,
	  "event-based branches of the user",
	  { { 2, 2, "EO", "a branch was taken" },
	    { 1, 1, "PE", "those of counters are enabled" },
	    { 0, 0, "GE", "branches are enabled" } } },
	{ PMU_CSR_EBBCTL,
	  1,
	  xpmuebb,
	  "what an overflow of a claimed counter does",
	  { { 3, 3, "FC", "claimed counters are frozen" },
	    { 2, 2, "FA", "an alert freezes" },
	    { 1, 1, "AO", "an alert has occurred" },
	    { 0, 0, "AE", "the next overflow is an alert" } } },
	{ PMU_CSR_EBBOVF,
	  1,
	  xpmuebb,
	  "OF of claimed counters; writing 0 clears it",
	  { OF_COUNTERS("counter n has overflowed") } },
	{ PMU_CSR_EBBFRZ,
	  1,
	  xpmuebb,
	  "claimed counters that the user has frozen",
	  { OF_COUNTERS("counter n stands") } },
	{ PMU_CSR_EBBOWN,
	  1,
	  xpmuebb,
	  "claimed counters, for the user; writes are ignored",
	  { OF_COUNTERS("counter n is claimed") } },
	{ PMU_CSR_EBBCTR3, 29, xpmuebb,
	  "mhpmcounter n, for the user who has claimed it" },
	{ PMU_CSR_EBBCTR3H, 29, xpmuebb, "RV32: bits 63:32 of ebbctr n" },
	{ PMU_CSR_HCOUNTEREN,
	  1,
	  hypervisor,
	  "which user counters VS- and VU-mode may read",
	  { ENABLES } },
	{ PMU_CSR_SCOUNTOVF,
	  1,
	  sscofpmf,
	  "OF of every counter that mcounteren opens, read-only",
	  { { 31, 3, "OF31-OF3", "counter n has overflowed" } } },
	{ PMU_CSR_MSTATUS,
	  1,
	  machine,
	  "state of the hart; bits of traps and interrupts",
	  { { 12, 11, "MPP", "the mode that MRET goes to" },
	    { 8, 8, "SPP", "the mode that SRET goes to" },
	    { 7, 7, "MPIE", "MIE before the trap" },
	    { 5, 5, "SPIE", "SIE before the trap" },
	    { 3, 3, "MIE", "M-mode takes its interrupts" },
	    { 1, 1, "SIE", "S-mode takes its interrupts" } } },
	{ PMU_CSR_SSTATUS,
	  1,
	  supervisor,
	  "what S-mode has of mstatus",
	  { { 8, 8, "SPP", "the mode that SRET goes to" },
	    { 5, 5, "SPIE", "SIE before the trap" },
	    { 1, 1, "SIE", "S-mode takes its interrupts" } } },
	{ PMU_CSR_VSSTATUS,
	  1,
	  hypervisor,
	  "sstatus of VS-mode",
	  { { 8, 8, "SPP", "the mode that SRET goes to" },
	    { 5, 5, "SPIE", "SIE before the trap" },
	    { 1, 1, "SIE", "VS-mode takes its interrupts" } } },
	{ PMU_CSR_SIREG2 + 1, 1, smcsrind, "nothing of a counter" },
	{ PMU_CSR_SIREG4 + 2, 1, smcsrind, "nothing of a counter" },
	{ PMU_CSR_STIMECMPH, 1, sstc, "RV32: bits 63:32 of stimecmp" },
	{ PMU_CSR_VSTIMECMP, 1, sstc,
	  "stimecmp of VS-mode, by its time; needs henvcfg.STCE" },
	{ PMU_CSR_VSTIMECMPH, 1, sstc, "RV32: bits 63:32 of vstimecmp" },
	{ PMU_CSR_MISELECT, 1, smcsrind,
	  "which register mireg reaches; 0x30-0x3f: priorities of interrupts" },
	{ PMU_CSR_MIREG, 1, smcsrind, "the register that miselect selects" },
	{ PMU_CSR_MIREG2, 2, smcsrind, "nothing of what miselect selects" },
	{ PMU_CSR_MIREG4, 3, smcsrind, "nothing of what miselect selects" },
	{ PMU_CSR_VSISELECT, 1, smcsrind,
	  "siselect of VS-mode, which has no counters by it" },
	{ PMU_CSR_VSIREG, 1, smcsrind, "sireg of VS-mode" },
	{ PMU_CSR_VSIREG2, 2, smcsrind, "sireg2 and sireg3 of VS-mode" },
	{ PMU_CSR_VSIREG4, 3, smcsrind, "sireg4 to sireg6 of VS-mode" },
	{ PMU_CSR_VSIE,
	  1,
	  hypervisor,
	  "sie of VS-mode: interrupts that hideleg or hvien give it",
	  { LCOFI_BIT } },
	{ PMU_CSR_VSIP,
	  1,
	  hypervisor,
	  "sip of VS-mode: interrupts that hideleg or hvien give it",
	  { LCOFI_BIT } },
	{ PMU_CSR_HIDELEG,
	  1,
	  hypervisor,
	  "interrupts that VS-mode takes",
	  { LCOFI_BIT } },
	{ PMU_CSR_HIE,
	  1,
	  hypervisor,
	  "interrupts of the hypervisor extension enabled",
	  { { 12, 12, "SGEIE", "guest external interrupts" },
	    { 10, 10, "VSEIE", "external interrupts of VS-mode" },
	    { 6, 6, "VSTIE", "timer interrupts of VS-mode" },
	    { 2, 2, "VSSIE", "software interrupts of VS-mode" } } },
	{ PMU_CSR_HIP,
	  1,
	  hypervisor,
	  "interrupts of the hypervisor extension pending",
	  { { 12, 12, "SGEIP", "guest external interrupts" },
	    { 10, 10, "VSEIP", "external interrupts of VS-mode" },
	    { 6, 6, "VSTIP", "timer interrupts of VS-mode" },
	    { 2, 2, "VSSIP", "software interrupts of VS-mode" } } },
	{ PMU_CSR_HGEIP, 1, hypervisor, "guest external interrupts pending" },
	{ PMU_CSR_HGEIE, 1, hypervisor, "guest external interrupts enabled" },
	{ PMU_CSR_HVIP,
	  1,
	  hypervisor,
	  "interrupts that the hypervisor gives VS-mode",
	  { LCOFI_BIT,
	    { 10, 10, "VSEIP", "external interrupts of VS-mode" },
	    { 6, 6, "VSTIP", "timer interrupts of VS-mode" },
	    { 2, 2, "VSSIP", "software interrupts of VS-mode" } } },
	{ PMU_CSR_MVIEN,
	  1,
	  aia,
	  "interrupts of S-mode that mvip gives, not mip",
	  { LCOFI_BIT } },
	{ PMU_CSR_MVIP,
	  1,
	  aia,
	  "interrupts that M-mode gives S-mode",
	  { LCOFI_BIT } },
	{ PMU_CSR_HVIEN,
	  1,
	  aia,
	  "interrupts of VS-mode that hvip gives, undelegated",
	  { LCOFI_BIT } },
	{ PMU_CSR_HVICTL,
	  1,
	  aia,
	  "an interrupt that the hypervisor gives VS-mode by number",
	  { { 30, 30, "VTI", "VS-mode's accesses to sip and sie trap" },
	    { 27, 16, "IID", "its number" },
	    { 9, 9, "DPR", "it comes behind an external one" },
	    { 8, 8, "IPRIOM", "vstopi shows its priority" },
	    { 7, 0, "IPRIO", "its priority" } } },
	{ PMU_CSR_HVIPRIO1, 2, aia, "priorities of interrupts of VS-mode" },
	{ PMU_CSR_MTOPI,
	  1,
	  aia,
	  "the first of the interrupts pending and enabled for M-mode",
	  { TOP_INTERRUPT } },
	{ PMU_CSR_STOPI,
	  1,
	  aia,
	  "the first of the interrupts pending and enabled for S-mode",
	  { TOP_INTERRUPT } },
	{ PMU_CSR_VSTOPI,
	  1,
	  aia,
	  "the first of the interrupts pending and enabled for VS-mode",
	  { TOP_INTERRUPT } },
	{ PMU_CSR_STOPEI, 1, aia, "the first external interrupt of an IMSIC" },
	{ PMU_CSR_VSTOPEI, 1, aia, "stopei of VS-mode" },
	{ PMU_CSR_SIEH, 1, aia, "RV32: bits 63:32 of sie" },
	{ PMU_CSR_SIPH, 1, aia, "RV32: bits 63:32 of sip" },
	{ PMU_CSR_VSIEH, 1, aia, "RV32: bits 63:32 of vsie" },
	{ PMU_CSR_VSIPH, 1, aia, "RV32: bits 63:32 of vsip" },
	{ PMU_CSR_MIEH, 1, aia, "RV32: bits 63:32 of mie" },
	{ PMU_CSR_MIPH, 1, aia, "RV32: bits 63:32 of mip" },
	{ PMU_CSR_MIDELEGH, 1, aia, "RV32: bits 63:32 of mideleg" },
	{ PMU_CSR_HIDELEGH, 1, aia, "RV32: bits 63:32 of hideleg" },
	{ PMU_CSR_MVIENH, 1, aia, "RV32: bits 63:32 of mvien" },
	{ PMU_CSR_MVIPH, 1, aia, "RV32: bits 63:32 of mvip" },
	{ PMU_CSR_HVIENH, 1, aia, "RV32: bits 63:32 of hvien" },
	{ PMU_CSR_HVIPH, 1, aia, "RV32: bits 63:32 of hvip" },
	{ PMU_CSR_HVIPRIO1H, 2, aia, "RV32: the high half of hviprio1 or 2" },
	/* what can close others, as the line of a refused access says */
	{ PMU_CSR_MENVCFGH, 1, machine, "RV32: bits 63:32 of menvcfg" },
	{ PMU_CSR_HENVCFG,
	  1,
	  hypervisor,
	  "features of VS- and VU-mode, if menvcfg has them",
	  { { 63, 63, "STCE", "vstimecmp drives VSTIP (Sstc)" },
	    { 61, 61, "ADUE", "hardware sets A and D (Svadu)" },
	    { 0, 0, "FIOM", "fences of I/O order memory, too" } } },
	{ PMU_CSR_HENVCFGH, 1, hypervisor, "RV32: bits 63:32 of henvcfg" },
	{ PMU_CSR_MSTATEEN0H, 4, smstateen, "RV32: bits 63:32 of mstateen n" },
	{ PMU_CSR_HSTATEEN0,
	  4,
	  smstateen,
	  "state that VS- and VU-mode may use",
	  { { 60, 60, "CSRIND", "siselect and sireg (in hstateen0)" } } },
	{ PMU_CSR_HSTATEEN0H, 4, smstateen, "RV32: bits 63:32 of hstateen n" },
};

enum {
	N_INFOS = sizeof(infos) / sizeof(infos[0])
};

const struct csr_info *csr_info_find(const char *text, uint16_t *ret_number)
{
	uint64_t number = UINT64_MAX;

	number_parse(text, &number);
	for (size_t i = 0; i < N_INFOS; i++) {
		for (unsigned n = 0; n < infos[i].n; n++) {
			unsigned at = infos[i].first + n;

			if (number != at &&
			    strcmp(pmu_csr_number_name(at), text) != 0)
				continue;
			*ret_number = (uint16_t)at;
			return &infos[i];
		}
	}
	return NULL;
}

void csr_info_each(void (*fn)(void *arg, const char *name), void *arg)
{
	for (size_t i = 0; i < N_INFOS; i++)
		for (unsigned n = 0; n < infos[i].n; n++)
			fn(arg, pmu_csr_number_name(infos[i].first + n));
}
