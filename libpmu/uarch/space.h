/* SPDX-License-Identifier: BSD-2-Clause */
/* Addresses of a space that were computed, and so may be beyond its last. */
#ifndef LIBPMU_UARCH_SPACE_H
#define LIBPMU_UARCH_SPACE_H

#include <pmu/uarch.h>

static inline uint64_t space_address(const struct pmu_space *s, uint64_t vaddr)
{
	return s->narrow ? (uint32_t)vaddr : vaddr;
}

#endif
