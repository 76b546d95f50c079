/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers of the CSRs of Xpmuebb, which are this project's own (docs/EBB.md).
 */
#ifndef PMU_EBB_CSR_H
#define PMU_EBB_CSR_H

enum pmu_ebb_csr {
	PMU_CSR_SEBBCS = 0x5c0,
	PMU_CSR_SEBBOWN = 0x5c1,
	PMU_CSR_SEBBCLAIM = 0x5c2,
	PMU_CSR_HEBBEN = 0x6c0,
	PMU_CSR_MEBBEN = 0x7c0,
	PMU_CSR_EBBHR = 0x800,
	PMU_CSR_EBBRR = 0x801,
	PMU_CSR_EBBCS = 0x802,
	PMU_CSR_EBBCTL = 0x803,
	PMU_CSR_EBBOVF = 0x804,
	PMU_CSR_EBBFRZ = 0x805,
	PMU_CSR_EBBOWN = 0x806,
	PMU_CSR_EBBCTR3 = 0x823, /* and so on, to 31 */
	PMU_CSR_EBBCTR3H = 0x8a3,
};

#endif
