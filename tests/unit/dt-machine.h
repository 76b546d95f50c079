/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Configurations of machines for the tests of the device tree.
 */
#ifndef TESTS_DT_MACHINE_H
#define TESTS_DT_MACHINE_H

#include <pmu/hart.h>

#include "board/dt.h"

struct dt_machine {
	struct pmu_hart_config hart[64];
	const struct pmu_hart_config *harts[64];
	struct dt_config cfg;
};

/* @n default harts of @xlen, 128 MiB, 10 MHz, CLINT for the guest. */
static inline void dt_machine_init(struct dt_machine *m, unsigned xlen,
				   unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		pmu_hart_config_init(&m->hart[i], xlen);
		m->hart[i].hartid = i;
		m->harts[i] = &m->hart[i];
	}
	m->cfg = (struct dt_config){ .harts = m->harts,
				     .n_harts = n,
				     .clint = true,
				     .ram_size = 128 << 20,
				     .time_hz = 10000000 };
}

#endif
