/* SPDX-License-Identifier: BSD-2-Clause */
/* External interrupts to S-mode of four harts. */
#include "bare.inc"

#define HARTS	   4

#include "plic-sbi.inc"
