/* SPDX-License-Identifier: BSD-2-Clause */
/* Overflow in VS, delegated: the guest takes the interrupt itself. */
#define DELEGATE (1 << IRQ_LCOFI)
#define BY_GUEST 1
#include "hyp-overflow.inc"

	expect_run shlcofideleg, 1
