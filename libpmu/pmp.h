/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Physical memory protection, its state: the registers as they were written,
 * and the regions that they make, which translations ask. csr-pmp.c keeps both
 * in step; pmp.c has the regions and what they allow.
 */
#ifndef LIBPMU_PMP_H
#define LIBPMU_PMP_H

#include <stdbool.h>
#include <stdint.h>

/* The grain is 2^(PMP_G + 2) bytes: a page, so that no page is two regions. */
enum {
	PMP_ENTRIES = 64,
	PMP_G = 10,
	PMP_CFG_R = 0x01,
	PMP_CFG_W = 0x02,
	PMP_CFG_X = 0x04,
	PMP_CFG_A = 0x18, /* how the entry matches: one of those below */
	PMP_CFG_OFF = 0x00,
	PMP_CFG_TOR = 0x08,
	PMP_CFG_NA4 = 0x10,
	PMP_CFG_NAPOT = 0x18,
	PMP_CFG_L = 0x80,
};

/* What an entry matches, all of a page or nothing of it. */
struct pmp_region {
	uint64_t first, last; /* addresses, both included */
	uint8_t perms;	      /* PMU_PERM_... */
	bool locked;	      /* they hold for M-mode, too */
};

struct pmp {
	uint64_t addr[PMP_ENTRIES]; /* as written, whatever can be read */
	uint8_t cfg[PMP_ENTRIES];
	/* Of entries that match something, the lowest-numbered first. */
	struct pmp_region region[PMP_ENTRIES];
	uint8_t n_regions;
};

struct pmu_hart;

/* Makes the regions anew: a register was written. */
void pmp_settle(struct pmu_hart *h);
/*
 * What an access may do to the page of @paddr, PMU_PERM_...; @machine: its
 * effective mode is M.
 */
unsigned pmp_perms(const struct pmu_hart *h, uint64_t paddr, bool machine);

#endif
