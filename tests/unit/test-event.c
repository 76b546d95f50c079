/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The event catalogue, frozen: selectors and names are part of device trees,
 * traces and scripts, so a change here is a change for every user. And the
 * texts of the errors.
 */
#include <limits.h>
#include <string.h>

#include <pmu/error.h>
#include <pmu/event.h>

#include "unit.h"

static const struct frozen {
	enum pmu_event event;
	uint32_t selector;
	const char *name, *alias;
} frozen[] = {
	{ PMU_EV_INSNS, 0x2, "instructions", "SBI_PMU_HW_INSTRUCTIONS" },
	{ PMU_EV_BRANCHES, 0x5, "branches", "SBI_PMU_HW_BRANCH_INSTRUCTIONS" },
	{ PMU_EV_LOADS, 0x100000, "loads", NULL },
	{ PMU_EV_STORES, 0x100001, "stores", NULL },
	{ PMU_EV_CYCLES, 0x1, "cycles", "SBI_PMU_HW_CPU_CYCLES" },
	{ PMU_EV_EXCEPTIONS, 0x100002, "exceptions", NULL },
	{ PMU_EV_INTERRUPTS, 0x100003, "interrupts", NULL },
};

TEST_ROWS(an_event_keeps_its_selector_and_names, frozen)
{
	const struct frozen *want = &frozen[_i];
	const struct pmu_event_desc *d = pmu_event_desc(want->event);

	ck_assert_int_eq(d->event, want->event);
	ck_assert_uint_eq(d->selector, want->selector);
	ck_assert_str_eq(d->name, want->name);
	ck_assert_ptr_eq(pmu_event_by_selector(want->selector), d);
	ck_assert_ptr_eq(pmu_event_by_name(want->name), d);
	if (want->alias) {
		ck_assert_str_eq(d->alias, want->alias);
		ck_assert_ptr_eq(pmu_event_by_name(want->alias), d);
	} else {
		ck_assert_ptr_null(d->alias);
	}
	ck_assert_uint_gt(strlen(d->counts), 0);
	ck_assert_uint_gt(strlen(d->rule), 0);
}

TEST(the_catalogue_is_complete)
{
	ck_assert_uint_eq(ARRAY_SIZE(frozen), PMU_N_EVENTS);
	ck_assert_ptr_null(pmu_event_by_selector(0));
	ck_assert_ptr_null(pmu_event_by_selector(3));
	ck_assert_ptr_null(pmu_event_by_selector(0x100004));
	ck_assert_ptr_null(pmu_event_by_selector(UINT64_C(1) << 32 | 2));
	ck_assert_ptr_null(pmu_event_by_name("cycle"));
	ck_assert_ptr_null(pmu_event_by_name(""));
}

TEST_TIMES(modes_have_names, PMU_N_MODES)
{
	static const char *const names[] = { "M", "S", "U", "VS", "VU" };

	ck_assert_str_eq(pmu_mode_name((enum pmu_mode)_i), names[_i]);
}

TEST(errors_have_texts)
{
	ck_assert_str_eq(pmu_strerror(0), "success");
	ck_assert_str_eq(pmu_strerror(PMU_EINVAL), "argument out of range");
	ck_assert_str_eq(pmu_strerror(-PMU_EINVAL), "argument out of range");
	ck_assert_str_eq(pmu_strerror(-PMU_ENOMEM), "out of memory");
	ck_assert_str_eq(pmu_strerror(PMU_EBUG + 1), "unknown error");
	ck_assert_str_eq(pmu_strerror(INT_MAX), "unknown error");
	ck_assert_str_eq(pmu_strerror(INT_MIN), "unknown error");
}

SUITE("event");
