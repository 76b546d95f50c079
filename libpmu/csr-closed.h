/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How a guard says which CSR keeps a mode from another one: for whoever looks
 * on, and for nothing that the hart does.
 */
#ifndef LIBPMU_CSR_CLOSED_H
#define LIBPMU_CSR_CLOSED_H

#include "hart-state.h"

/* The guard's answer, by what is in CSR @num. @by: NULL where nobody asks. */
static inline enum pmu_csr_result csr_closed(uint16_t *by, uint16_t num,
					     enum pmu_csr_result answer)
{
	if (by)
		*by = num;
	return answer;
}

/*
 * Of menvcfg, henvcfg and the state-enables, all of which have it 16 numbers
 * further on: the upper half on RV32 if @bit is there, else @num.
 */
static inline uint16_t csr_with_bit(const struct pmu_hart *h, uint16_t num,
				    uint64_t bit)
{
	return h->cfg.xlen == 32 && bit >> 32 ? (uint16_t)(num + 0x10) : num;
}

#endif
