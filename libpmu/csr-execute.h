/* SPDX-License-Identifier: BSD-2-Clause */
/* Accesses of instructions to CSRs, made by csr.c for exec.c. */
#ifndef LIBPMU_CSR_EXECUTE_H
#define LIBPMU_CSR_EXECUTE_H

#include "hart-state.h"

/*
 * pmu_csr() as an instruction that retires. Checks and reads (before it
 * counts, C118), counts the retirement under the configuration so far (C160)
 * without a counter that it writes (C117), then writes (C161). Counts nothing
 * unless PMU_CSR_OK. fflags, frm and fcsr: only legality, counting and
 * PMU_FX_FCSR; exec.c has their value.
 */
enum pmu_csr_result csr_execute(struct pmu_hart *h,
				const struct pmu_csr_req *req,
				uint64_t *ret_old, unsigned *effects);
/* What @req writes to a register of value @old. */
uint64_t csr_combine(const struct pmu_csr_req *req, uint64_t old);

#endif
