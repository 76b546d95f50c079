/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fcsr and the two CSRs that are parts of it: fflags, its bits 4:0, and frm,
 * its bits 7:5. Needs nothing else of libpmu.
 */
#ifndef PMU_FCSR_H
#define PMU_FCSR_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/csr-number.h>

/* fflags, frm or fcsr itself. */
static inline bool pmu_is_fcsr(uint64_t number)
{
	return number >= PMU_CSR_FFLAGS && number <= PMU_CSR_FCSR;
}

static inline unsigned pmu_fcsr_shift(uint64_t number)
{
	return number == PMU_CSR_FRM ? 5 : 0;
}

static inline uint32_t pmu_fcsr_mask(uint64_t number)
{
	return number == PMU_CSR_FFLAGS ? 0x1f
	       : number == PMU_CSR_FRM	? 0x07
					: 0xff;
}

/* What CSR @number reads while fcsr is @fcsr. */
static inline uint32_t pmu_fcsr_read(uint32_t fcsr, uint64_t number)
{
	return fcsr >> pmu_fcsr_shift(number) & pmu_fcsr_mask(number);
}

/* fcsr when @value was written to CSR @number. */
static inline uint32_t pmu_fcsr_write(uint32_t fcsr, uint64_t number,
				      uint64_t value)
{
	uint32_t mask = pmu_fcsr_mask(number);
	unsigned shift = pmu_fcsr_shift(number);

	return (fcsr & ~(mask << shift)) | ((uint32_t)value & mask) << shift;
}

#endif
