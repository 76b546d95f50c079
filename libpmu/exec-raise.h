/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What exec.c and exec-hyp.c share: the ways in which an instruction ends in an
 * exception instead of retiring.
 */
#ifndef LIBPMU_EXEC_RAISE_H
#define LIBPMU_EXEC_RAISE_H

#include <pmu/exec.h>

/* The instruction raises @cause, with @tval for xtval. */
void exec_raise(const struct pmu_exec_in *in, enum pmu_cause cause,
		uint64_t tval, struct pmu_exec_out *ret);
void exec_illegal(const struct pmu_exec_in *in, struct pmu_exec_out *ret);
void exec_virtual(const struct pmu_exec_in *in, struct pmu_exec_out *ret);

/* exec-hyp.c: HLV, HLVX, HSV and HFENCE; everything else is illegal. */
void exec_hypervisor(struct pmu_hart *h, const struct pmu_exec_in *in,
		     struct pmu_exec_out *ret);

#endif
