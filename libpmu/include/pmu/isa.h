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

/* Extensions that change the model. M, A and D only name the ISA. */
#define PMU_EXT_M	  (UINT64_C(1) << 0)
#define PMU_EXT_A	  (UINT64_C(1) << 1)
#define PMU_EXT_F	  (UINT64_C(1) << 2)
#define PMU_EXT_D	  (UINT64_C(1) << 3)
#define PMU_EXT_C	  (UINT64_C(1) << 4)
#define PMU_EXT_S	  (UINT64_C(1) << 5)
#define PMU_EXT_U	  (UINT64_C(1) << 6)
#define PMU_EXT_ZICNTR	  (UINT64_C(1) << 7)
#define PMU_EXT_ZIHPM	  (UINT64_C(1) << 8)
#define PMU_EXT_SSCOFPMF  (UINT64_C(1) << 9)
#define PMU_EXT_SMCNTRPMF (UINT64_C(1) << 10)
#define PMU_EXT_SSTC	  (UINT64_C(1) << 11)
#define PMU_EXT_SVADU                                                          \
	(UINT64_C(1) << 12) /* alone: A/D by hardware from reset on */
#define PMU_EXT_SVADE                                                          \
	(UINT64_C(1) << 13) /* with Svadu: menvcfg.ADUE chooses                \
			     */
#define PMU_EXT_H	     (UINT64_C(1) << 14)
#define PMU_EXT_SMCSRIND     (UINT64_C(1) << 15)
#define PMU_EXT_SSCSRIND     (UINT64_C(1) << 16)
#define PMU_EXT_SMCDELEG     (UINT64_C(1) << 17)
#define PMU_EXT_SSCCFG	     (UINT64_C(1) << 18)
#define PMU_EXT_SMSTATEEN    (UINT64_C(1) << 19)
#define PMU_EXT_SMAIA	     (UINT64_C(1) << 20) /* without an IMSIC */
#define PMU_EXT_SSAIA	     (UINT64_C(1) << 21) /* the same */
#define PMU_EXT_SSCOUNTERENW (UINT64_C(1) << 22)
#define PMU_EXT_SHCOUNTERENW (UINT64_C(1) << 23)
#define PMU_EXT_SHLCOFIDELEG (UINT64_C(1) << 24)
#define PMU_EXT_XPMUEBB	     (UINT64_C(1) << 25) /* our own, docs/EBB.md */

/* The letter G, whose other parts every hart has. */
#define PMU_EXT_G (PMU_EXT_M | PMU_EXT_A | PMU_EXT_F | PMU_EXT_D)

/*
 * What a hart has unless whoever makes it says otherwise, as a machine's
 * settings do: rv{32,64}imafdc_zicntr_...
 */
#define PMU_EXT_DEFAULT                                                        \
	(PMU_EXT_G | PMU_EXT_C | PMU_EXT_S | PMU_EXT_U | PMU_EXT_ZICNTR |      \
	 PMU_EXT_ZIHPM | PMU_EXT_SSCOFPMF | PMU_EXT_SMCNTRPMF |                \
	 PMU_EXT_SSCOUNTERENW)

struct pmu_ext_desc {
	uint64_t ext;	       /* one of PMU_EXT_... */
	uint64_t needs;	       /* others that it makes no sense without */
	const char *name;      /* "sscofpmf"; of one letter: "h" */
	uint64_t needs_with_s; /* further ones, where there is S-mode */
};

/* All that are modelled, in the order of their bits. */
const struct pmu_ext_desc *pmu_ext_table(size_t *ret_n);
/*
 * Is @ext complete? False: @ret_ext (may be NULL) is the first one that lacks
 * something, @ret_missing (may be NULL) what it lacks; for bits that name no
 * extension both are NULL.
 */
bool pmu_ext_check(uint64_t ext, const struct pmu_ext_desc **ret_ext,
		   const struct pmu_ext_desc **ret_missing);

#pragma GCC visibility pop

#endif
