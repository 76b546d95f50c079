/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What privilege modes are called. What a mode may do is decided where it does
 * it.
 */
#include <pmu/mode.h>

static const char *const names[PMU_N_MODES] = {
	[PMU_MODE_M] = "M",   [PMU_MODE_S] = "S",   [PMU_MODE_U] = "U",
	[PMU_MODE_VS] = "VS", [PMU_MODE_VU] = "VU",
};

const char *pmu_mode_name(enum pmu_mode mode)
{
	return names[mode];
}
