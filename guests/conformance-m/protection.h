/* SPDX-License-Identifier: BSD-2-Clause */
/* What protection.c adds to bench.h, and is told of exceptions. */
#ifndef PROTECTION_H
#define PROTECTION_H

#include "bench.h"

op_fn fault_at; /* where the last exception was, in instructions */
/* mtval of the last exception. */
unsigned long fault_tval(void);

void chapter_protection(void);

#endif
