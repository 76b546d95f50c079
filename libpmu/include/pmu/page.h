/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The page of the architecture: what a leaf of the lowest level maps, whatever
 * the scheme. Needs nothing else of libpmu.
 */
#ifndef PMU_PAGE_H
#define PMU_PAGE_H

#include <stdint.h>

enum {
	PMU_PAGE_BITS = 12,
	PMU_PAGE = 1 << PMU_PAGE_BITS,
};

/* The bits of an address that say which page. */
#define PMU_PAGE_MASK (~(uint64_t)(PMU_PAGE - 1))

#endif
