/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Instructions whose accesses to CSRs are recorded.
 */
#ifndef CORE_MACHINE_CSR_H
#define CORE_MACHINE_CSR_H

#include <pmu/exec.h>

#include "machine-hart.h"

/* As pmu_exec(), with a record if it is an access that is to be told. */
void csr_exec_recorded(struct machine *m, const struct hart *h,
		       const struct pmu_exec_in *in, struct pmu_exec_out *ret);

#endif
