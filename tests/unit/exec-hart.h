/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the tests of exec.c share: a hart whose instructions cost three cycles,
 * and running one instruction on it.
 */
#ifndef TESTS_EXEC_H
#define TESTS_EXEC_H

#include "unit.h"

#include <string.h>

#include "hart-state.h"
#include "insn-encoding.h"
#include <pmu/rule.h>

static const struct pmu_timebase timebase = { .clock_hz = 1, .time_hz = 1 };

#define M PMU_MODE_M
#define S PMU_MODE_S
#define U PMU_MODE_U

static inline struct pmu_hart *new_hart_xlen(unsigned xlen, uint64_t without)
{
	struct pmu_hart_config cfg;
	struct pmu_hart *h;

	pmu_hart_config_init(&cfg, xlen);
	cfg.ext &= ~without;
	if (without & PMU_EXT_S)
		cfg.sv_modes = 0;
	cfg.cpi = 3;
	PREPARING(ck_assert_int_eq(pmu_hart_new(&h, &cfg, &timebase), 0));
	return h;
}

static inline struct pmu_hart *new_hart(uint64_t without)
{
	return new_hart_xlen(64, without);
}

static inline struct pmu_exec_out run_with(struct pmu_hart *h, uint32_t insn,
					   uint64_t rs1, uint32_t fcsr)
{
	struct pmu_exec_in in = {
		.pc = 0x1000, .insn = insn, .rs1 = rs1, .fcsr = fcsr
	};
	struct pmu_exec_out out;

	memset(&out, 0xa5, sizeof(out));
	pmu_exec(h, &in, &out);
	return out;
}

static inline struct pmu_exec_out run(struct pmu_hart *h, uint32_t insn)
{
	return run_with(h, insn, 0, 0);
}

static inline uint64_t retired(const struct pmu_hart *h, enum pmu_mode mode)
{
	return h->totals[PMU_EV_INSNS][mode];
}

#endif
