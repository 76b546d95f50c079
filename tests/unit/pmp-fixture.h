/* SPDX-License-Identifier: BSD-2-Clause */
/* PMP entries for the tests of what they allow. */
#ifndef TESTS_PMP_FIXTURE_H
#define TESTS_PMP_FIXTURE_H

#include <pmu/csr.h>

#include "../../guests/common/csr-short.h"
#include "translate-fixture.h"

#define TOR   0x08u
#define NAPOT 0x18u
#define L     0x80u
#define RO    1u
#define RW    3u
#define XO    4u
#define RX    5u
#define RWX   7u

#define BASE	       UINT64_C(0x80000000)
#define PMPADDR(a)     ((a) >> 2)
/* The pmpaddr of a NAPOT range. */
#define RANGE(a, size) (((a) | ((size) / 2 - 1)) >> 2)

enum {
	MAX_ENTRIES = 4
};

/* Of one entry, both registers. */
struct entry {
	unsigned cfg;
	uint64_t addr;
};

/* Gives @h 16 entries, of which these are the first. */
static inline void set_entries(struct pmu_hart *h, const struct entry *entries)
{
	unsigned effects = 0;
	uint64_t cfg = 0;

	h->cfg.pmp_entries = 16;
	for (unsigned i = 0; i < MAX_ENTRIES; i++) {
		pmu_csr_poke(h, (uint16_t)(PMPADDR0 + i), 0, entries[i].addr,
			     &effects);
		cfg |= (uint64_t)entries[i].cfg << 8 * i;
	}
	pmu_csr_poke(h, PMPCFG0, 0, cfg, &effects);
}

#endif
