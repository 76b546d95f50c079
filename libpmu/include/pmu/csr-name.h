/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What CSRs are called, whichever hart has them: a trace outlives the machine
 * that it tells of. Needs nothing else of libpmu.
 */
#ifndef PMU_CSR_NAME_H
#define PMU_CSR_NAME_H

#pragma GCC visibility push(default)

/* "mhpmcounter3" of 0xb03; NULL: no hart of ours can have such a CSR. */
const char *pmu_csr_number_name(unsigned number);

#pragma GCC visibility pop

#endif
