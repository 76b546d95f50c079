/* SPDX-License-Identifier: BSD-2-Clause */
/* One hart given away and taken (state-bytes.h), for machine-hart.c. */
#ifndef CORE_MACHINE_HART_STATE_H
#define CORE_MACHINE_HART_STATE_H

#include "owners.h"

struct hart;
struct state;

void hart_give(const struct machine *m, const struct hart *h, struct state *to);
/* @from says what it did not find, or was not a hart of this configuration. */
void hart_take(struct machine *m, const struct hart *h, struct state *from);

#endif
