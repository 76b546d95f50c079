/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The unit of event-based branches by itself: what an alert, a branch and a
 * return do to its state. It knows no hart and no counter, so that whoever
 * delivers branches elsewhere has the same.
 */
#include <pmu/ebb-unit.h>

bool pmu_ebb_alert(struct pmu_ebb *u)
{
	if (!(u->control & PMU_EBBCTL_AE))
		return false;
	u->control &= ~PMU_EBBCTL_AE;
	u->control |= PMU_EBBCTL_AO;
	if (u->control & PMU_EBBCTL_FA)
		u->control |= PMU_EBBCTL_FC;
	return true;
}

bool pmu_ebb_ready(const struct pmu_ebb *u)
{
	const uint64_t enabled = PMU_EBBCS_GE | PMU_EBBCS_PE;

	return (u->status & enabled) == enabled && u->control & PMU_EBBCTL_AO;
}

uint64_t pmu_ebb_enter(struct pmu_ebb *u, uint64_t next)
{
	u->status &= ~(PMU_EBBCS_GE | PMU_EBBCS_PE);
	u->status |= PMU_EBBCS_EO;
	u->back = next;
	return u->handler;
}

uint64_t pmu_ebb_return(struct pmu_ebb *u, bool enabled)
{
	u->status &= ~PMU_EBBCS_GE;
	if (enabled)
		u->status |= PMU_EBBCS_GE;
	return u->back;
}
