/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An instruction that is executed here and whose own fetch overflows a counter:
 * what it writes, and what that overflow sets, are of one moment, as with the
 * overflow of its retirement. Branches stand for the events of its fetch.
 */
#include <pmu/model-events.h>

#include "hart-script.h"
#include "insn-encoding.h"
#include "unit.h"

#define ONES  UINT64_C(0xffffffff) /* of counters of 32 bits */
#define C(n)  (MHPMCOUNTER + (n))
#define E(n)  (MHPMEVENT + (n))
#define INSNS UINT64_C(2) /* the selectors */
#define FETCH UINT64_C(5)
#define CYCLE UINT64_C(1)
#define OF    PMU_EVENT_OF
#define LCOFI (1 << PMU_IRQ_LCOFI)

#define CLAIMED(set)                                                           \
	POKE(PMU_CSR_MEBBEN, set), POKE(PMU_CSR_SEBBOWN, set),                 \
		POKE(PMU_CSR_SEBBCS, PMU_SEBBCS_UE)
#define FULL(n, event) POKE(E(n), event), POKE(C(n), ONES)
#define FETCH_IT()     FETCHED(), COUNT(BRANCHES, 1)

static const struct script rows[] = {
	{ "it overflows with the instruction, not before", RULE("C176 C107"), 0,
	  0, 0,
	  .steps = { FULL(3, FETCH), FETCH_IT(), PEEK(MIP, 0),
		     PEEK(SCOUNTOVF, 0), TAKE(0), PEEK(C(3), 0),
		     CSRW(MSCRATCH, 0), PEEK(MIP, LCOFI), PEEK(SCOUNTOVF, 8),
		     EFFECTS(PMU_FX_COUNT | PMU_FX_IRQ), TAKE(8) } },
	{ "the next one is on its own again", RULE("C107"), 0, 0, 0,
	  .steps = { FETCH_IT(), CSRW(MSCRATCH, 0), FULL(3, FETCH),
		     COUNT(BRANCHES, 1), PEEK(MIP, LCOFI), TAKE(8) } },
	{ "csrc mip, LCOFI: the request is not lost", RULE("C161 C109"), 0, 0,
	  0,
	  .steps = { FULL(3, FETCH), FETCH_IT(), CSRC(MIP, LCOFI),
		     PEEK(MIP, LCOFI), PEEK(SCOUNTOVF, 8), TAKE(8) } },
	{ "mhpmevent3: what is written stands, and nothing is requested",
	  RULE("C161 csrw_order"), 0, 0, 0,
	  .steps = { FULL(3, FETCH), FETCH_IT(), CSRW(E(3), FETCH),
		     PEEK(MIP, 0), PEEK(SCOUNTOVF, 0), TAKE(0),
		     POKE(C(3), ONES), COUNT(BRANCHES, 1), TAKE(8) } },
	{ "mhpmcounter3: that is no overflow", RULE("C117 C161"), 0, 0, 0,
	  .steps = { FULL(3, FETCH), FETCH_IT(), CSRW(C(3), 7), PEEK(C(3), 7),
		     PEEK(MIP, 0), PEEK(SCOUNTOVF, 0), TAKE(0) } },
	{ "that of another counter is", RULE("C161"), 0, 0, 0,
	  .steps = { FULL(3, FETCH), FULL(4, FETCH), FETCH_IT(), CSRW(C(3), 7),
		     PEEK(MIP, LCOFI), PEEK(SCOUNTOVF, 0x10), TAKE(0x10) } },
	{ "mcountinhibit: under the old setting", RULE("C160"), 0, 0, 0,
	  .steps = { FULL(3, FETCH), FETCH_IT(), CSRW(MCOUNTINHIBIT, 8),
		     PEEK(MIP, LCOFI), TAKE(8), PEEK(C(3), 0) } },
	{ "waiting for the fetch, of a counter of cycles", RULE("C161 C109"), 0,
	  0, 0,
	  .steps = { FULL(3, CYCLE), FETCHED(), IDLE(5), CSRC(MIP, LCOFI),
		     PEEK(MIP, LCOFI), PEEK(C(3), 5), TAKE(8) } },
	{ "by its fetch and by its retirement", RULE("C107 C161"), 0, 0, 0,
	  .steps = { FULL(3, FETCH), FULL(4, INSNS), FETCH_IT(),
		     CSRC(MIP, LCOFI), PEEK(MIP, LCOFI), PEEK(SCOUNTOVF, 0x18),
		     TAKE(0x18) } },
	{ "one that returns, before the mode changes", RULE("C107 C126"), 0, 0,
	  0,
	  .steps = { FULL(3, FETCH), FETCH_IT(), EXEC(PMU_WORD_MRET), IN(U),
		     PEEK(MIP, LCOFI), TAKE(8) } },
	{ "one that traps, before its handler", RULE("C162"), 0, 0, 0,
	  .steps = { FULL(3, FETCH), FETCH_IT(), FAULT(2), PEEK(MIP, LCOFI),
		     PEEK(SCOUNTOVF, 8), TAKE(8), FULL(4, FETCH),
		     COUNT(BRANCHES, 1), TAKE(0x10) } },
	{ "a freeze by it acts behind the instruction", RULE("ebb_freeze"), 0,
	  PMU_EXT_XPMUEBB, 0,
	  .steps = { CLAIMED(0x18),
		     POKE(PMU_CSR_EBBCTL, PMU_EBBCTL_AE | PMU_EBBCTL_FA),
		     FULL(3, FETCH), POKE(E(4), INSNS), FETCH_IT(), RUN(0),
		     CSRW(MSCRATCH, 0), PEEK(C(4), 1), RUN(2), PEEK(C(4), 1),
		     TAKE(8) } },
	{ "nor is the alert lost to a write of ebbctl", RULE("ebb_rearm"), 0,
	  PMU_EXT_XPMUEBB, 0,
	  .steps = { CLAIMED(8), POKE(PMU_CSR_EBBCTL, PMU_EBBCTL_AE),
		     FULL(3, FETCH), FETCH_IT(), CSRW(PMU_CSR_EBBCTL, 0),
		     PEEK(PMU_CSR_EBBCTL, PMU_EBBCTL_AO), TAKE(8) } },
};

TEST_ROWS(what_a_fetch_overflows_is_of_its_instruction, rows)
{
	struct script s = rows[_i];

	s.width = 32;
	script_run(&s);
}

/* What is not over with pmu_exec(): it waits, or accesses memory first. */
static const struct later_row {
	const char *why;
	uint32_t insn;
	enum pmu_exec_kind kind;
	bool now;
} later_rows[] = {
	{ "a WFI, which may wait long", PMU_WORD_WFI, PMU_EXEC_WAIT, true },
	{ "HLV.W, whose access may trap", 0x680542f3, PMU_EXEC_ACCESS, false },
};

TEST_ROWS(what_is_not_over_yet_overflows_when_it_is, later_rows)
{
	const struct later_row *row = &later_rows[_i];
	static const struct script any = { .add = PMU_EXT_H };
	struct pmu_exec_in in = { .pc = 0x1000, .insn = row->insn };
	struct pmu_hart *h = script_hart(&any, 64);
	struct pmu_overflow found[PMU_N_COUNTERS];
	struct pmu_exec_out out;

	shows(RULE("C162 C165"));
	pmu_counter_set_event(h, 3, FETCH);
	pmu_counter_set(h, 3, UINT64_MAX);
	pmu_hart_fetched(h);
	ck_assert_int_eq(pmu_hart_inject(h, PMU_EV_BRANCHES, 1), 0);
	pmu_exec(h, &in, &out);
	ck_assert_msg(out.kind == row->kind, "%s", row->why);
	ck_assert_uint_eq(pmu_hart_take_overflows(h, found), row->now);
	ck_assert_int_eq(!!(out.effects & PMU_FX_IRQ), row->now);
	if (!row->now) {
		pmu_exec_accessed(h, 0, &out);
		ck_assert(out.effects & PMU_FX_IRQ);
		ck_assert_uint_eq(pmu_hart_take_overflows(h, found), 1);
	}
	ck_assert(pmu_counter_event(h, 3) & OF);
	pmu_hart_free(h);
}

SUITE("fetched");
