/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What acts of event-based branches do to counters, and their delivery. An act
 * is checked before it is done: one that is done cannot fail.
 */
#ifndef CORE_MACHINE_EBB_H
#define CORE_MACHINE_EBB_H

#include "ebb-query.h"
#include "machine-error.h"
#include "owners.h"

bool machine_ebb_check(struct machine *m, unsigned hart,
		       const struct ebb_act *act, struct error *e);
/* Fills in the number that a session which is opened gets. */
void machine_ebb_stamp(const struct machine *m, struct ebb_act *act);
void machine_ebb_act(struct machine *m, unsigned hart,
		     const struct ebb_act *act);
/* Tells whom it is due to; the machine is held if they want that. */
void machine_ebb_deliver(struct machine *m);
/* Does it stand still until a handler has returned, though it is RUNNING? */
bool machine_frozen(const struct machine *m);
/* @hart is reset: nobody has a counter of it any more. */
void machine_ebb_hart_reset(struct machine *m, unsigned hart);
void machine_ebb_reset(struct machine *m); /* all harts are */

#endif
