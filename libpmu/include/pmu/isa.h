/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The extensions that a hart can have: names as in an ISA string, and what each
 * needs. One table serves configuration, the device tree and messages.
 */
#ifndef PMU_ISA_H
#define PMU_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pmu/hart.h>

#pragma GCC visibility push(default)

struct pmu_ext_desc {
	uint32_t ext;	  /* one bit of enum pmu_ext */
	uint32_t needs;	  /* others that it makes no sense without */
	const char *name; /* "sscofpmf"; of one letter: "h" */
};

/* All that are modelled, in the order of enum pmu_ext. */
const struct pmu_ext_desc *pmu_ext_table(size_t *ret_n);
/*
 * Is @ext complete? False: @ret_ext (may be NULL) is the first one that lacks
 * something, @ret_missing (may be NULL) what it lacks; for bits that name no
 * extension both are NULL.
 */
bool pmu_ext_check(uint32_t ext, const struct pmu_ext_desc **ret_ext,
		   const struct pmu_ext_desc **ret_missing);

#pragma GCC visibility pop

#endif
