/* SPDX-License-Identifier: BSD-2-Clause */
/* Which events a machine counts, of models and others: its settings say it. */
#ifndef CORE_MACHINE_EVENT_H
#define CORE_MACHINE_EVENT_H

#include <stdbool.h>

#include <pmu/event.h>

#include "machine.h"

/*
 * Does a hart of @m count @event? False: @e says which settings would have it
 * counted, of @part of the request, which users know as @what.
 */
bool event_is_there(const struct machine *m, enum pmu_event event,
		    enum error_part part, const char *what, struct error *e);

#endif
