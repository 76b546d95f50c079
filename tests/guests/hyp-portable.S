/* SPDX-License-Identifier: BSD-2-Clause */
/* The tests of hyp-paging.S that QEMU 7.2 passes, too. */
#define PORTABLE
#include "hyp-paging.S"
