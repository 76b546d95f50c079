/* SPDX-License-Identifier: BSD-2-Clause */
/* A reboot, and what is kept for it. */
#ifndef CORE_MACHINE_RESET_H
#define CORE_MACHINE_RESET_H

#include <stdbool.h>

#include "owners.h"

struct kept;
struct state;

/*
 * Where the machine reboots, keeps what the images have put into RAM, at the
 * start. False: it is too much, or there is no memory.
 */
bool reset_keep(struct machine *m, struct error *e);
void reset_free(struct kept *kept); /* NULL is fine */
/*
 * At a stop point: harts, devices, firmware and RAM become what they were at
 * the start. What goes on: the clock, all totals, the trace, input that nobody
 * has read, breakpoints. False: it cannot.
 */
bool machine_reset(struct machine *m, enum reboot_kind kind, struct error *e);

/* What is kept, on its way to another machine and there. */
void reset_give(const struct machine *m, struct state *to);
void reset_take(struct machine *m, struct state *from);

#endif
