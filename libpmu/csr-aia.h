/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What csr-aia.c and csr-iprio.c have for rows of other chapters: interrupts
 * that software gives, and their priorities.
 */
#ifndef LIBPMU_CSR_AIA_H
#define LIBPMU_CSR_AIA_H

#include "csr-row.h"

/*
 * sip, sie, and the local interrupts of vsip and vsie, of what is delegated and
 * what software gives. @pending is mip. aia_settle() follows every change of
 * who has which.
 */
uint64_t aia_sip(const struct pmu_hart *h, uint64_t pending);
uint64_t aia_sie(const struct pmu_hart *h);
uint64_t aia_vsip(const struct pmu_hart *h, uint64_t pending);
uint64_t aia_vsie(const struct pmu_hart *h);
void aia_set_sip(struct pmu_hart *h, uint64_t value, uint64_t mask);
void aia_set_sie(struct pmu_hart *h, uint64_t value, uint64_t mask);
void aia_set_vsip(struct pmu_hart *h, uint64_t value);
void aia_set_vsie(struct pmu_hart *h, uint64_t value);
void aia_settle(struct pmu_hart *h);
/* The bits that hvip has by Ssaia. */
uint64_t aia_hvip_bits(const struct pmu_hart *h);
/* Does hvictl.VTI keep a guest from what @ref asks of its own interrupts? */
enum pmu_csr_result aia_vti(const struct pmu_hart *h,
			    const struct csr_ref *ref);
csr_guard_fn csr_aia_allowed, csr_vsi_allowed, csr_vsih_allowed;
/* csr-iprio.c: the arrays of priorities, ref->arg is the first interrupt. */
extern const struct csr_desc iprio_of_m, iprio_of_s;

#endif
