/* SPDX-License-Identifier: BSD-2-Clause */
/* What is due at the present clock. */
#ifndef CORE_MACHINE_INPUT_H
#define CORE_MACHINE_INPUT_H

#include "owners.h"

/* Timers, lines, waiting overflows, and the inputs that are queued for now. */
void machine_settle(struct machine *m);

#endif
