/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The machine of a build with 50 events: the last one happens from outside,
 * a guest's counter has it, and both move with the machine.
 */
#include <pmu/csr-number.h>

#include "core/inject.h"
#include "machine-script.h"
#include "view/inspect.h"

enum {
	LAST_EVENT = 49,
	TIMES = 5,
	ENOUGH = 20, /* instructions, for the guest to have its counter */
};

static const struct fake_op counting_ops[] = {
	LI(5, ROOM_SELECTOR(LAST_EVENT)),
	CSRW(PMU_CSR_MHPMEVENT3, 5),
	NOP,
	JUMP(2),
};

static void counted(uint64_t times)
{
	const enum pmu_event last = (enum pmu_event)LAST_EVENT;
	struct inspect_counter c;

	inspect_counter(f.m, 0, 3, &c);
	ck_assert_uint_eq(c.value, times);
	ck_assert_pstr_eq(c.event, pmu_event_desc(last)->name);
	ck_assert_uint_eq(inspect_total(f.m, 0, last, PMU_MODE_M), times);
}

TEST(the_last_event_is_counted_and_moves_with_the_machine)
{
	const struct machine_injection last = {
		.event = (enum pmu_event)LAST_EVENT, .n = TIMES
	};
	struct error e;
	uint32_t number;

	SCRIPT(counting_ops);
	fixture_init(&f, &(struct fixture_config){ .m_mode = true });
	fixture_start(&f);
	fixture_run(&f, 1, ENOUGH);
	counted(0);
	ck_assert_msg(machine_inject(f.m, &last, &number, &e), "%s", e.text);
	counted(TIMES);
	fixture_move(&f);
	counted(TIMES);
	ck_assert_msg(machine_inject(f.m, &last, &number, &e), "%s", e.text);
	counted(2 * TIMES);
}

SUITE("room-machine", .teardown = teardown);
