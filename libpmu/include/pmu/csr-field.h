/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Fields of CSRs that not only the hart goes by, as bits of 64-bit words: what
 * a firmware sets up, an engine switches and a reader of traces takes apart.
 * Needs nothing else of libpmu.
 */
#ifndef PMU_CSR_FIELD_H
#define PMU_CSR_FIELD_H

#include <stdint.h>

/* mstatus, and where they are of it sstatus and vsstatus */
#define PMU_MSTATUS_SIE	 (UINT64_C(1) << 1)
#define PMU_MSTATUS_SPIE (UINT64_C(1) << 5)
#define PMU_MSTATUS_SPP	 (UINT64_C(1) << 8)
#define PMU_MSTATUS_MPP	 (UINT64_C(3) << 11)
#define PMU_MSTATUS_FS	 (UINT64_C(3) << 13)

#define PMU_HSTATUS_SPV	 (UINT64_C(1) << 7)
#define PMU_HSTATUS_SPVP (UINT64_C(1) << 8)

#define PMU_MENVCFG_STCE (UINT64_C(1) << 63)
#define PMU_MENVCFG_ADUE (UINT64_C(1) << 61)
#define PMU_MENVCFG_CDE	 (UINT64_C(1) << 60)

/* mstateen0 and hstateen0; SE is in each of the four of them */
#define PMU_STATEEN_SE	     (UINT64_C(1) << 63)
#define PMU_STATEEN0_ENVCFG  (UINT64_C(1) << 62)
#define PMU_STATEEN0_CSRIND  (UINT64_C(1) << 60)
#define PMU_STATEEN0_AIA     (UINT64_C(1) << 59)
#define PMU_STATEEN0_IMSIC   (UINT64_C(1) << 58)
#define PMU_STATEEN0_CONTEXT (UINT64_C(1) << 57)
#define PMU_STATEEN0_P1P13   (UINT64_C(1) << 56)
#define PMU_STATEEN0_C	     (UINT64_C(1) << 0)

/* satp.ASID, and vsatp's. */
static inline uint64_t pmu_satp_asid(unsigned xlen)
{
	return xlen == 32 ? UINT64_C(0x7fc00000) : UINT64_C(0x0ffff00000000000);
}

#endif
