/* SPDX-License-Identifier: BSD-2-Clause */
/* Overflow in VS; the hypervisor takes the interrupt. */
#define DELEGATE 0
#define BY_GUEST 0
#include "hyp-overflow.inc"
