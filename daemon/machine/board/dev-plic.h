/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The platform-level interrupt controller of the PLIC specification 1.0.0, in
 * the size that QEMU's `virt` machine has: 95 level-sensitive sources, seven
 * priorities, and two contexts for each hart, 2h for M-mode and 2h + 1 for
 * S-mode. Lines of harts are driven on changes only.
 */
#ifndef BOARD_DEV_PLIC_H
#define BOARD_DEV_PLIC_H

#include <pmu/hart.h>
#include <pmu/trap.h>

#include "bus.h"

enum {
	PLIC_SOURCES = 95,
	PLIC_MAX_PRIORITY = 7,
	PLIC_WORDS = 3, /* of 32 bits, source 0 included */
	PLIC_MAX_CONTEXTS = 2 * PMU_MAX_HARTS
};

/* What one hart's privilege mode has of its own. */
struct plic_context {
	uint32_t enabled[PLIC_WORDS];
	uint8_t threshold;
	bool notified; /* EIP, as the hart sees it */
};

struct plic {
	unsigned n_contexts;
	uint8_t priority[32 * PLIC_WORDS];
	uint32_t level[PLIC_WORDS];   /* asserted by the device */
	uint32_t pending[PLIC_WORDS]; /* IP */
	uint32_t claimed[PLIC_WORDS]; /* no completion yet: gateway shut */
	struct plic_context context[PLIC_MAX_CONTEXTS];
	/* Drives MEI or SEI of a hart. */
	void (*irq)(void *host, unsigned hart, enum pmu_irq irq, bool level);
	void *host;
};

/*
 * Nothing enabled, all priorities 0, every context's threshold @threshold. The
 * caller sets p->irq and p->host.
 */
void plic_init(struct plic *p, unsigned n_harts, uint8_t threshold);
bus_access_fn plic_access;
/* A device drives the line of @source, 1 to PLIC_SOURCES. */
void plic_set(struct plic *p, unsigned source, bool level);

#endif
