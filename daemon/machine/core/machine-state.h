/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A machine's state, given and taken: with it, another machine of the same
 * configuration goes on where the first one stands, record for record. What the
 * engine has made of code, what the recorder keeps, how the host lets it run
 * and how far it has slept are no part of it.
 */
#ifndef CORE_MACHINE_STATE_H
#define CORE_MACHINE_STATE_H

#include <stdbool.h>

#include "machine-error.h"
#include "state-bytes.h"

struct machine;

/* Between two machine_run(). False: no memory. */
bool machine_give(const struct machine *m, struct state *to, struct error *e);
/*
 * @m is NEW; what is loaded is forgotten. False: @from is not of such a
 * machine, or there is no memory; then @m is good for machine_free() only.
 */
bool machine_take(struct machine *m, struct state *from, struct error *e);

#endif
