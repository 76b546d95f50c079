/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Observers for the rest of libpmu: what is counted is told here where some
 * observer watches, which a bit beside the armed counters says.
 */
#ifndef LIBPMU_OBSERVER_STATE_H
#define LIBPMU_OBSERVER_STATE_H

#include "hart-state.h"

enum {
	/* of armed[][]: counter 1 does not exist (it would be time) */
	ARMED_OBSERVERS = 1 << 1
};

/* @n of @event have happened in the current mode. */
void observer_count(struct pmu_hart *h, enum pmu_event event, uint64_t n);
/*
 * One instruction that the firmware emulated: for those that count the mode
 * and not M-mode, as counters do (C126).
 */
void observer_count_emulated(struct pmu_hart *h);
/* How often @event can happen in the current mode until the first is due. */
uint64_t observer_room(const struct pmu_hart *h, enum pmu_event event);

#endif
