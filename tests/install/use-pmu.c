/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A stranger's program: makes a hart of the installed libpmu, lets it retire
 * instructions and reads them back. It decides only whether libpmu can be used
 * as installed; what it computes is the unit tests' affair.
 */
#include <stdio.h>

#include <pmu/error.h>
#include <pmu/hart.h>

int main(void)
{
	struct pmu_timebase tb = { .clock_hz = 1000, .time_hz = 10 };
	struct pmu_hart_config cfg;
	struct pmu_progress done = { .n = { 0 } };
	struct pmu_hart *hart;
	int err;

	pmu_hart_config_init(&cfg, 64);
	err = pmu_hart_new(&hart, &cfg, &tb);
	if (err) {
		fprintf(stderr, "%s\n", pmu_strerror(err));
		return 1;
	}
	done.n[PMU_EV_INSNS] = 100;
	pmu_hart_advance(hart, &done);
	err = pmu_hart_insns(hart) != 100;
	pmu_hart_free(hart);
	return err;
}
