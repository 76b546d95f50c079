/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What exec.c and exec-hyp.c share: the ways in which an instruction ends in an
 * exception instead of retiring.
 */
#ifndef LIBPMU_EXEC_RAISE_H
#define LIBPMU_EXEC_RAISE_H

#include <pmu/exec.h>

/* The instruction raises the exception of its name. */
void exec_illegal(const struct pmu_exec_in *in, struct pmu_exec_out *ret);
void exec_virtual(const struct pmu_exec_in *in, struct pmu_exec_out *ret);

/* exec-hyp.c: HLV, HLVX, HSV and HFENCE; everything else is illegal. */
void exec_hypervisor(struct pmu_hart *h, const struct pmu_exec_in *in,
		     struct pmu_exec_out *ret);

#endif
