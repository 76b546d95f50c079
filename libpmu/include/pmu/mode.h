/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The privilege modes and their names: the one table, for harts and for whoever
 * prints what they did. Needs nothing else of libpmu.
 */
#ifndef PMU_MODE_H
#define PMU_MODE_H

#include <stdbool.h>

#pragma GCC visibility push(default)

/*
 * The modes that totals, filters and records distinguish, in this order
 * everywhere. S is HS where the H extension exists.
 */
enum pmu_mode {
	PMU_MODE_M,
	PMU_MODE_S,
	PMU_MODE_U,
	PMU_MODE_VS,
	PMU_MODE_VU,
	PMU_N_MODES,
};

/* V = 1: the mode of a guest. */
static inline bool pmu_mode_is_guest(enum pmu_mode mode)
{
	return mode == PMU_MODE_VS || mode == PMU_MODE_VU;
}

/* The lowest privilege, the host's or a guest's. */
static inline bool pmu_mode_is_user(enum pmu_mode mode)
{
	return mode == PMU_MODE_U || mode == PMU_MODE_VU;
}

/* "M", "S", "U", "VS", "VU". */
const char *pmu_mode_name(enum pmu_mode mode);

#pragma GCC visibility pop

#endif
