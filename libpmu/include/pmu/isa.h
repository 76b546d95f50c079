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

#pragma GCC visibility push(default)

/* Extensions that change the model. I, M, A, F, D, C only name the ISA. */
enum pmu_ext {
	PMU_EXT_M = 1u << 0,
	PMU_EXT_A = 1u << 1,
	PMU_EXT_F = 1u << 2,
	PMU_EXT_D = 1u << 3,
	PMU_EXT_C = 1u << 4,
	PMU_EXT_S = 1u << 5,
	PMU_EXT_U = 1u << 6,
	PMU_EXT_ZICNTR = 1u << 7,
	PMU_EXT_ZIHPM = 1u << 8,
	PMU_EXT_SSCOFPMF = 1u << 9,
	PMU_EXT_SMCNTRPMF = 1u << 10,
	PMU_EXT_SSTC = 1u << 11,
	PMU_EXT_SVADU = 1u << 12, /* alone: A/D by hardware from reset on */
	PMU_EXT_SVADE = 1u << 13, /* with Svadu: menvcfg.ADUE chooses */
	PMU_EXT_H = 1u << 14,
	PMU_EXT_SMCSRIND = 1u << 15,
	PMU_EXT_SSCSRIND = 1u << 16,
	PMU_EXT_SMCDELEG = 1u << 17,
	PMU_EXT_SSCCFG = 1u << 18,
	PMU_EXT_SMSTATEEN = 1u << 19,
	PMU_EXT_SMAIA = 1u << 20, /* only what the LCOFI needs: mvien, mvip */
	PMU_EXT_SSAIA = 1u << 21, /* the same: hvien, hvip */
	PMU_EXT_SSCOUNTERENW = 1u << 22,
	PMU_EXT_SHCOUNTERENW = 1u << 23,
	PMU_EXT_SHLCOFIDELEG = 1u << 24,
};

/* What a hart has unless it is told otherwise: rv{32,64}imafdc_zicntr_... */
#define PMU_EXT_DEFAULT                                                        \
	(PMU_EXT_M | PMU_EXT_A | PMU_EXT_F | PMU_EXT_D | PMU_EXT_C |           \
	 PMU_EXT_S | PMU_EXT_U | PMU_EXT_ZICNTR | PMU_EXT_ZIHPM |              \
	 PMU_EXT_SSCOFPMF | PMU_EXT_SMCNTRPMF | PMU_EXT_SSCOUNTERENW)

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
