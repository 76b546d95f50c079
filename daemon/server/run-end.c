/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether a run is over, and what is said of one whose process was lost. */
#include "run-end.h"

#include "pmud-config.h"

bool run_is_over(const Pmu__V1__MachineInfo *said)
{
	return said->state == PMU__V1__MACHINE_STATE__MACHINE_STATE_ENDED ||
	       said->state == PMU__V1__MACHINE_STATE__MACHINE_STATE_CRASHED;
}

void run_lost(Pmu__V1__MachineInfo *said, const char *why)
{
	if (run_is_over(said))
		return;
	said->state = PMU__V1__MACHINE_STATE__MACHINE_STATE_CRASHED;
	said->cause = PMU__V1__STOP_CAUSE__STOP_CAUSE_CRASH;
	said->exit_code = EXIT_MACHINE_CRASHED;
	said->detail = (char *)why;
}
