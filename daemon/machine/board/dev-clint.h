/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The core-local interruptor: software interrupts, and timer interrupts out of
 * the machine's time base. Lines of harts are driven on changes only; @next
 * says when the caller has to come back, no clock runs in here.
 */
#ifndef BOARD_DEV_CLINT_H
#define BOARD_DEV_CLINT_H

#include <pmu/hart.h>
#include <pmu/trap.h>

#include "bus.h"

struct clint_ops {
	void (*irq)(void *host, unsigned hart, enum pmu_irq irq, bool level);
	void (*timer_changed)(void *host);
};

struct clint {
	unsigned n_harts;
	struct pmu_timebase *tb; /* mtime is a view of it; a write moves it */
	uint64_t mtimecmp[PMU_MAX_HARTS];
	uint64_t next[PMU_MAX_HARTS]; /* cycle at which MTIP changes */
	bool msip[PMU_MAX_HARTS], mtip[PMU_MAX_HARTS];
	const struct clint_ops *ops;
	void *host;
};

/* No interrupt pending, mtimecmp at its maximum. */
void clint_init(struct clint *c, unsigned n_harts, struct pmu_timebase *tb,
		const struct clint_ops *ops, void *host);
bus_access_fn clint_access;
/* Drives MTIP of every hart whose time has come at @now. */
void clint_run(struct clint *c, uint64_t now);

#endif
