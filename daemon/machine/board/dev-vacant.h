/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Addresses at which the guest's device tree describes a device that the board
 * lacks: loads there read as all ones, stores do nothing, so that a driver that
 * looks finds no device instead of a fault.
 */
#ifndef BOARD_DEV_VACANT_H
#define BOARD_DEV_VACANT_H

#include "bus.h"

enum {
	VACANT_MAX = 48
};

struct vacant_range {
	uint64_t base, size; /* the end not beyond 2^64 */
	char node[32];	     /* its name in the tree, cut */
};

struct vacant {
	unsigned n;
	uint64_t seen; /* bit i: range i was accessed */
	struct vacant_range range[VACANT_MAX];
};

/* Does a range touch the page? */
bool vacant_has_page(const struct vacant *v, uint64_t paddr);
/*
 * False: no range holds all of it, or it is not naturally aligned. @ret_new is
 * the range that nobody had accessed before, else VACANT_MAX.
 */
bool vacant_access(struct vacant *v, uint64_t paddr, struct bus_access *access,
		   unsigned *ret_new);

#endif
