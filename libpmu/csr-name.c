/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The names of CSRs: the one table, for harts and for whoever prints numbers.
 * Which of them a hart has is decided by the rows of csr-*.c.
 */
#include <pmu/csr-name.h>

#include <stddef.h>
#include <stdint.h>

#include <pmu/csr-number.h>
#include <pmu/ebb-unit.h>

/* clang-format off */
#define LIST(...)                                                              \
	sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(const char *),   \
	((const char *const[]){ __VA_ARGS__ })
/* Ten: a digit between @p with @t and @s. */
#define TEN(p, t, s)                                                           \
	p t "0" s, p t "1" s, p t "2" s, p t "3" s, p t "4" s, p t "5" s,      \
	p t "6" s, p t "7" s, p t "8" s, p t "9" s
/* 3 to 31, between @p and @s: of programmable counters. */
#define HPM(p, s)                                                              \
	LIST(p "3" s, p "4" s, p "5" s, p "6" s, p "7" s, p "8" s, p "9" s,    \
	     TEN(p, "1", s), TEN(p, "2", s), p "30" s, p "31" s)
#define FOUR(p, s) LIST(p "0" s, p "1" s, p "2" s, p "3" s)

/* A run of CSRs from @first on. */
static const struct named_run {
	uint16_t first, n;
	const char *const *names;
} runs[] = {
	{ PMU_CSR_FFLAGS, LIST("fflags") },
	{ PMU_CSR_FRM, LIST("frm") },
	{ PMU_CSR_FCSR, LIST("fcsr") },
	{ PMU_CSR_SSTATUS, LIST("sstatus") },
	{ PMU_CSR_SIE, LIST("sie") },
	{ PMU_CSR_STVEC, LIST("stvec") },
	{ PMU_CSR_SCOUNTEREN, LIST("scounteren") },
	{ PMU_CSR_SENVCFG, LIST("senvcfg") },
	{ PMU_CSR_SSTATEEN0, LIST("sstateen0") },
	{ PMU_CSR_SSTATEEN0 + 1, LIST("sstateen1", "sstateen2", "sstateen3") },
	{ PMU_CSR_SIEH, LIST("sieh") },
	{ PMU_CSR_SCOUNTINHIBIT, LIST("scountinhibit") },
	{ PMU_CSR_SSCRATCH, LIST("sscratch") },
	{ PMU_CSR_SEPC, LIST("sepc") },
	{ PMU_CSR_SCAUSE, LIST("scause") },
	{ PMU_CSR_STVAL, LIST("stval") },
	{ PMU_CSR_SIP, LIST("sip") },
	{ PMU_CSR_STIMECMP, LIST("stimecmp") },
	{ PMU_CSR_SISELECT, LIST("siselect") },
	{ PMU_CSR_SIREG, LIST("sireg") },
	{ PMU_CSR_SIREG2, LIST("sireg2", "sireg3") },
	{ PMU_CSR_SIPH, LIST("siph") },
	{ PMU_CSR_SIREG4, LIST("sireg4", "sireg5", "sireg6") },
	{ PMU_CSR_STOPEI, LIST("stopei") },
	{ PMU_CSR_STIMECMPH, LIST("stimecmph") },
	{ PMU_CSR_SATP, LIST("satp") },
	{ PMU_CSR_VSSTATUS, LIST("vsstatus") },
	{ PMU_CSR_VSIE, LIST("vsie") },
	{ PMU_CSR_VSTVEC, LIST("vstvec") },
	{ PMU_CSR_VSIEH, LIST("vsieh") },
	{ PMU_CSR_VSSCRATCH, LIST("vsscratch") },
	{ PMU_CSR_VSEPC, LIST("vsepc") },
	{ PMU_CSR_VSCAUSE, LIST("vscause") },
	{ PMU_CSR_VSTVAL, LIST("vstval") },
	{ PMU_CSR_VSIP, LIST("vsip") },
	{ PMU_CSR_VSTIMECMP, LIST("vstimecmp") },
	{ PMU_CSR_VSISELECT, LIST("vsiselect") },
	{ PMU_CSR_VSIREG, LIST("vsireg") },
	{ PMU_CSR_VSIREG2, LIST("vsireg2", "vsireg3") },
	{ PMU_CSR_VSIPH, LIST("vsiph") },
	{ PMU_CSR_VSIREG4, LIST("vsireg4", "vsireg5", "vsireg6") },
	{ PMU_CSR_VSTOPEI, LIST("vstopei") },
	{ PMU_CSR_VSTIMECMPH, LIST("vstimecmph") },
	{ PMU_CSR_VSATP, LIST("vsatp") },
	{ PMU_CSR_MSTATUS, LIST("mstatus") },
	{ PMU_CSR_MISA, LIST("misa") },
	{ PMU_CSR_MEDELEG, LIST("medeleg") },
	{ PMU_CSR_MIDELEG, LIST("mideleg") },
	{ PMU_CSR_MIE, LIST("mie") },
	{ PMU_CSR_MTVEC, LIST("mtvec") },
	{ PMU_CSR_MCOUNTEREN, LIST("mcounteren") },
	{ PMU_CSR_MVIEN, LIST("mvien") },
	{ PMU_CSR_MVIP, LIST("mvip") },
	{ PMU_CSR_MENVCFG, LIST("menvcfg") },
	{ PMU_CSR_MSTATEEN0, FOUR("mstateen", "") },
	{ PMU_CSR_MSTATUSH, LIST("mstatush") },
	{ PMU_CSR_MEDELEGH, LIST("medelegh") },
	{ PMU_CSR_MIDELEGH, LIST("midelegh") },
	{ PMU_CSR_MIEH, LIST("mieh") },
	{ PMU_CSR_MVIENH, LIST("mvienh") },
	{ PMU_CSR_MVIPH, LIST("mviph") },
	{ PMU_CSR_MENVCFGH, LIST("menvcfgh") },
	{ PMU_CSR_MSTATEEN0H, FOUR("mstateen", "h") },
	{ PMU_CSR_MCOUNTINHIBIT, LIST("mcountinhibit") },
	{ PMU_CSR_MCYCLECFG, LIST("mcyclecfg") },
	{ PMU_CSR_MINSTRETCFG, LIST("minstretcfg") },
	{ PMU_CSR_MHPMEVENT3, HPM("mhpmevent", "") },
	{ PMU_CSR_MSCRATCH, LIST("mscratch") },
	{ PMU_CSR_MEPC, LIST("mepc") },
	{ PMU_CSR_MCAUSE, LIST("mcause") },
	{ PMU_CSR_MTVAL, LIST("mtval") },
	{ PMU_CSR_MIP, LIST("mip") },
	{ PMU_CSR_MTINST, LIST("mtinst") },
	{ PMU_CSR_MTVAL2, LIST("mtval2") },
	{ PMU_CSR_MISELECT, LIST("miselect") },
	{ PMU_CSR_MIREG, LIST("mireg") },
	{ PMU_CSR_MIREG2, LIST("mireg2", "mireg3") },
	{ PMU_CSR_MIPH, LIST("miph") },
	{ PMU_CSR_MIREG4, LIST("mireg4", "mireg5", "mireg6") },
	{ PMU_CSR_PMPCFG0, LIST(TEN("pmpcfg", "", ""), "pmpcfg10", "pmpcfg11",
	  "pmpcfg12", "pmpcfg13", "pmpcfg14", "pmpcfg15") },
	{ PMU_CSR_PMPADDR0, LIST(TEN("pmpaddr", "", ""), TEN("pmpaddr", "1", ""),
	  TEN("pmpaddr", "2", ""), TEN("pmpaddr", "3", ""),
	  TEN("pmpaddr", "4", ""), TEN("pmpaddr", "5", ""),
	  "pmpaddr60", "pmpaddr61", "pmpaddr62", "pmpaddr63") },
	{ PMU_CSR_SEBBCS, LIST("sebbcs") },
	{ PMU_CSR_SEBBOWN, LIST("sebbown") },
	{ PMU_CSR_SEBBCLAIM, LIST("sebbclaim") },
	{ PMU_CSR_HSTATUS, LIST("hstatus") },
	{ PMU_CSR_HEDELEG, LIST("hedeleg") },
	{ PMU_CSR_HIDELEG, LIST("hideleg") },
	{ PMU_CSR_HIE, LIST("hie") },
	{ PMU_CSR_HTIMEDELTA, LIST("htimedelta") },
	{ PMU_CSR_HCOUNTEREN, LIST("hcounteren") },
	{ PMU_CSR_HGEIE, LIST("hgeie") },
	{ PMU_CSR_HVIEN, LIST("hvien") },
	{ PMU_CSR_HVICTL, LIST("hvictl") },
	{ PMU_CSR_HENVCFG, LIST("henvcfg") },
	{ PMU_CSR_HSTATEEN0, FOUR("hstateen", "") },
	{ PMU_CSR_HEDELEGH, LIST("hedelegh") },
	{ PMU_CSR_HIDELEGH, LIST("hidelegh") },
	{ PMU_CSR_HTIMEDELTAH, LIST("htimedeltah") },
	{ PMU_CSR_HVIENH, LIST("hvienh") },
	{ PMU_CSR_HENVCFGH, LIST("henvcfgh") },
	{ PMU_CSR_HSTATEEN0H, FOUR("hstateen", "h") },
	{ PMU_CSR_HTVAL, LIST("htval") },
	{ PMU_CSR_HIP, LIST("hip") },
	{ PMU_CSR_HVIP, LIST("hvip") },
	{ PMU_CSR_HVIPRIO1, LIST("hviprio1") },
	{ PMU_CSR_HVIPRIO2, LIST("hviprio2") },
	{ PMU_CSR_HTINST, LIST("htinst") },
	{ PMU_CSR_HVIPH, LIST("hviph") },
	{ PMU_CSR_HVIPRIO1H, LIST("hviprio1h") },
	{ PMU_CSR_HVIPRIO2H, LIST("hviprio2h") },
	{ PMU_CSR_HGATP, LIST("hgatp") },
	{ PMU_CSR_HEBBEN, LIST("hebben") },
	{ PMU_CSR_MCYCLECFGH, LIST("mcyclecfgh") },
	{ PMU_CSR_MINSTRETCFGH, LIST("minstretcfgh") },
	{ PMU_CSR_MHPMEVENT3H, HPM("mhpmevent", "h") },
	{ PMU_CSR_TSELECT, LIST("tselect", "tdata1", "tdata2", "tdata3") },
	{ PMU_CSR_MEBBEN, LIST("mebben") },
	{ PMU_CSR_EBBHR, LIST("ebbhr") },
	{ PMU_CSR_EBBRR, LIST("ebbrr") },
	{ PMU_CSR_EBBCS, LIST("ebbcs") },
	{ PMU_CSR_EBBCTL, LIST("ebbctl") },
	{ PMU_CSR_EBBOVF, LIST("ebbovf") },
	{ PMU_CSR_EBBFRZ, LIST("ebbfrz") },
	{ PMU_CSR_EBBOWN, LIST("ebbown") },
	{ PMU_CSR_EBBCTR3, HPM("ebbctr", "") },
	{ PMU_CSR_EBBCTR3H, HPM("ebbctr", "h") },
	{ PMU_CSR_MCYCLE, LIST("mcycle") },
	{ PMU_CSR_MINSTRET, LIST("minstret") },
	{ PMU_CSR_MHPMCOUNTER3, HPM("mhpmcounter", "") },
	{ PMU_CSR_MCYCLEH, LIST("mcycleh") },
	{ PMU_CSR_MINSTRETH, LIST("minstreth") },
	{ PMU_CSR_MHPMCOUNTER3H, HPM("mhpmcounter", "h") },
	{ PMU_CSR_CYCLE, LIST("cycle") },
	{ PMU_CSR_TIME, LIST("time") },
	{ PMU_CSR_INSTRET, LIST("instret") },
	{ PMU_CSR_HPMCOUNTER3, HPM("hpmcounter", "") },
	{ PMU_CSR_CYCLEH, LIST("cycleh") },
	{ PMU_CSR_TIMEH, LIST("timeh") },
	{ PMU_CSR_INSTRETH, LIST("instreth") },
	{ PMU_CSR_HPMCOUNTER3H, HPM("hpmcounter", "h") },
	{ PMU_CSR_SCOUNTOVF, LIST("scountovf") },
	{ PMU_CSR_STOPI, LIST("stopi") },
	{ PMU_CSR_HGEIP, LIST("hgeip") },
	{ PMU_CSR_VSTOPI, LIST("vstopi") },
	{ PMU_CSR_MVENDORID, LIST("mvendorid") },
	{ PMU_CSR_MARCHID, LIST("marchid") },
	{ PMU_CSR_MIMPID, LIST("mimpid") },
	{ PMU_CSR_MHARTID, LIST("mhartid") },
	{ PMU_CSR_MCONFIGPTR, LIST("mconfigptr") },
	{ PMU_CSR_MTOPI, LIST("mtopi") },
};
/* clang-format on */

const char *pmu_csr_number_name(unsigned number)
{
	for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
		const struct named_run *r = &runs[i];

		if (number >= r->first && number - r->first < r->n)
			return r->names[number - r->first];
	}
	return NULL;
}
