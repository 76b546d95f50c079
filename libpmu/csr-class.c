/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which CSRs are those of counters, of interrupts and of event-based branches:
 * the accesses that a trace can tell. A CSR is of a class by its number,
 * whether a hart has it or not, and with its upper half.
 */
#include <pmu/csr-access.h>

#include <stddef.h>

#include <pmu/csr-number.h>
#include <pmu/ebb-csr.h>

enum {
	N_HPM = 29
};

/* A run of @n CSRs from @first on. */
static const struct csr_run {
	uint16_t first, n;
} counters[] = {
	/* what has been counted */
	{ PMU_CSR_MCYCLE, 1 },
	{ PMU_CSR_MINSTRET, 1 },
	{ PMU_CSR_MHPMCOUNTER3, N_HPM },
	{ PMU_CSR_MCYCLEH, 1 },
	{ PMU_CSR_MINSTRETH, 1 },
	{ PMU_CSR_MHPMCOUNTER3H, N_HPM },
	/* the same to modes below M, and the time that they measure it by */
	{ PMU_CSR_CYCLE, 3 },
	{ PMU_CSR_HPMCOUNTER3, N_HPM },
	{ PMU_CSR_CYCLEH, 3 },
	{ PMU_CSR_HPMCOUNTER3H, N_HPM },
	/* what is counted, in which modes; which overflows stop interrupts */
	{ PMU_CSR_MHPMEVENT3, N_HPM },
	{ PMU_CSR_MHPMEVENT3H, N_HPM },
	{ PMU_CSR_MCYCLECFG, 1 },
	{ PMU_CSR_MCYCLECFGH, 1 },
	{ PMU_CSR_MINSTRETCFG, 1 },
	{ PMU_CSR_MINSTRETCFGH, 1 },
	{ PMU_CSR_SCOUNTOVF, 1 },
	/* what stands still, and who may read */
	{ PMU_CSR_MCOUNTINHIBIT, 1 },
	{ PMU_CSR_SCOUNTINHIBIT, 1 },
	{ PMU_CSR_MCOUNTEREN, 1 },
	{ PMU_CSR_SCOUNTEREN, 1 },
	{ PMU_CSR_HCOUNTEREN, 1 },
	/* S-mode's way to counters that it is given, and a guest's attempts */
	{ PMU_CSR_SISELECT, 1 },
	{ PMU_CSR_SIREG, 1 },
	{ PMU_CSR_SIREG2, 2 },
	{ PMU_CSR_SIREG4, 3 },
	{ PMU_CSR_VSISELECT, 1 },
	{ PMU_CSR_VSIREG, 1 },
	{ PMU_CSR_VSIREG2, 2 },
	{ PMU_CSR_VSIREG4, 3 },
}, interrupts[] = {
	/* which are pending, and which are enabled */
	{ PMU_CSR_MIP, 1 },
	{ PMU_CSR_MIPH, 1 },
	{ PMU_CSR_MIE, 1 },
	{ PMU_CSR_MIEH, 1 },
	{ PMU_CSR_SIP, 1 },
	{ PMU_CSR_SIPH, 1 },
	{ PMU_CSR_SIE, 1 },
	{ PMU_CSR_SIEH, 1 },
	{ PMU_CSR_VSIP, 1 },
	{ PMU_CSR_VSIPH, 1 },
	{ PMU_CSR_VSIE, 1 },
	{ PMU_CSR_VSIEH, 1 },
	{ PMU_CSR_HIP, 1 },
	{ PMU_CSR_HIE, 1 },
	{ PMU_CSR_HGEIP, 1 },
	{ PMU_CSR_HGEIE, 1 },
	/* MIE and SIE, which enable all of a mode, and what xRET restores */
	{ PMU_CSR_MSTATUS, 1 },
	{ PMU_CSR_SSTATUS, 1 },
	{ PMU_CSR_VSSTATUS, 1 },
	/* whose they are */
	{ PMU_CSR_MIDELEG, 1 },
	{ PMU_CSR_MIDELEGH, 1 },
	{ PMU_CSR_HIDELEG, 1 },
	{ PMU_CSR_HIDELEGH, 1 },
	/* those that software gives */
	{ PMU_CSR_MVIEN, 1 },
	{ PMU_CSR_MVIENH, 1 },
	{ PMU_CSR_MVIP, 1 },
	{ PMU_CSR_MVIPH, 1 },
	{ PMU_CSR_HVIEN, 1 },
	{ PMU_CSR_HVIENH, 1 },
	{ PMU_CSR_HVIP, 1 },
	{ PMU_CSR_HVIPH, 1 },
	{ PMU_CSR_HVICTL, 1 },
	/* which comes first */
	{ PMU_CSR_HVIPRIO1, 2 },
	{ PMU_CSR_HVIPRIO1H, 2 },
	{ PMU_CSR_MISELECT, 1 },
	{ PMU_CSR_MIREG, 1 },
	{ PMU_CSR_MIREG2, 2 },
	{ PMU_CSR_MIREG4, 3 },
	{ PMU_CSR_MTOPI, 1 },
	{ PMU_CSR_STOPI, 1 },
	{ PMU_CSR_VSTOPI, 1 },
	{ PMU_CSR_STOPEI, 1 },
	{ PMU_CSR_VSTOPEI, 1 },
	/* STIP and VSTIP follow them */
	{ PMU_CSR_STIMECMP, 1 },
	{ PMU_CSR_STIMECMPH, 1 },
	{ PMU_CSR_VSTIMECMP, 1 },
	{ PMU_CSR_VSTIMECMPH, 1 },
}, branches[] = {
	/* the unit, who may have it, which counters it has */
	{ PMU_CSR_EBBHR, 7 },
	{ PMU_CSR_EBBCTR3, N_HPM },
	{ PMU_CSR_EBBCTR3H, N_HPM },
	{ PMU_CSR_SEBBCS, 3 },
	{ PMU_CSR_HEBBEN, 1 },
	{ PMU_CSR_MEBBEN, 1 },
};

#define CLASS(runs) runs, sizeof(runs) / sizeof(runs[0])

static const struct {
	const struct csr_run *runs;
	size_t n;
	enum pmu_csr_class class;
} classes[] = {
	{ CLASS(counters), PMU_CSR_OF_COUNTERS },
	{ CLASS(interrupts), PMU_CSR_OF_INTERRUPTS },
	{ CLASS(branches), PMU_CSR_OF_BRANCHES },
};

static bool holds(const struct csr_run *runs, size_t n, unsigned number)
{
	for (size_t i = 0; i < n; i++)
		if (number >= runs[i].first &&
		    number - runs[i].first < runs[i].n)
			return true;
	return false;
}

enum pmu_csr_class pmu_csr_class(unsigned number)
{
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (holds(classes[i].runs, classes[i].n, number))
			return classes[i].class;
	return PMU_CSR_OF_NONE;
}
