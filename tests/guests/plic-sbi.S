/* SPDX-License-Identifier: BSD-2-Clause */
/* External interrupts to S-mode of one hart. */
#include "bare.inc"

#define HARTS	   1

#include "plic-sbi.inc"
