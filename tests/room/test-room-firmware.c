/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The firmware model of a build with 50 events: by the selector of the last one
 * SBI finds a counter, which counts it.
 */
#include "counter-state.h"
#include "../unit/fw-fixture.h"

enum {
	LAST_EVENT = 49,
	RAW = 0x20000,
	TIMES = 5,
};

TEST(a_call_has_the_last_event_counted)
{
	const uint64_t selector = ROOM_SELECTOR(LAST_EVENT);
	struct sbi_ret ret;
	struct bench b;
	unsigned n;

	bench_init(&b, &(struct opts){ .profile = FW_PROFILE_SPEC });
	ret = PMU(&b, CFG, 3, 0xff, CLEAR | AUTO, RAW, selector);
	ck_assert_int_eq(ret.error, 0);
	n = (unsigned)ret.value;
	ck_assert_uint_ge(n, 3);
	ck_assert_uint_eq(pmu_counter_event(b.harts[0], n) & UINT64_MAX >> 8,
			  selector);
	counter_count(b.harts[0], (enum pmu_event)LAST_EVENT, TIMES);
	ck_assert_uint_eq(bench_value(&b, n), TIMES);
	bench_fini(&b);
}

SUITE("room-firmware");
