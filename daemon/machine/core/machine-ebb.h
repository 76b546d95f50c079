/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What acts of event-based branches do to counters, and their delivery. An act
 * is checked before it is done: one that is done cannot fail.
 */
#ifndef CORE_MACHINE_EBB_H
#define CORE_MACHINE_EBB_H

#include "ebb-session.h"
#include "machine-error.h"
#include "owners.h"

bool machine_ebb_check(struct machine *m, unsigned hart,
		       const struct ebb_act *act, struct error *e);
/* Fills in the number that a session which is opened gets. */
void machine_ebb_stamp(const struct machine *m, struct ebb_act *act);
void machine_ebb_act(struct machine *m, unsigned hart,
		     const struct ebb_act *act);
/* The number that was given last. */
uint32_t machine_ebb_newest(const struct machine *m);
/* NULL: there is none of that number. */
const struct ebb_session *machine_ebb_session(const struct machine *m,
					      uint32_t number);
/* Says in @e that there is none. Always false. */
bool machine_ebb_none(uint32_t number, struct error *e);
/* What its counter @n has now. */
uint64_t machine_ebb_value(const struct machine *m, const struct ebb_session *s,
			   unsigned n);
/* Tells whom it is due to; the machine is held if they want that. */
void machine_ebb_deliver(struct machine *m);
/* Does it stand still until a handler has returned, though it is RUNNING? */
bool machine_frozen(const struct machine *m);
/* @hart is reset: nobody has a counter of it any more. */
void machine_ebb_hart_reset(struct machine *m, unsigned hart);
void machine_ebb_reset(struct machine *m); /* all harts are */

#endif
