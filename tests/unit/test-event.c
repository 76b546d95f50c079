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

/* A constant, which a cast of a sum is. */
#define MODEL(id) (enum pmu_event)(PMU_EV_UARCH + (int)PMU_UA_##id)

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
	{ PMU_EV_STALLED_FRONTEND, 0x8, "stalled-cycles-frontend",
	  "SBI_PMU_HW_STALLED_CYCLES_FRONTEND" },
	{ PMU_EV_STALLED_BACKEND, 0x9, "stalled-cycles-backend",
	  "SBI_PMU_HW_STALLED_CYCLES_BACKEND" },
	{ PMU_EV_REF_CYCLES, 0xa, "ref-cycles", "SBI_PMU_HW_REF_CPU_CYCLES" },
	{ PMU_EV_BUS_CYCLES, 0x7, "bus-cycles", "SBI_PMU_HW_BUS_CYCLES" },
	{ MODEL(CACHE_REFERENCES), 0x3, "cache-references",
	  "SBI_PMU_HW_CACHE_REFERENCES" },
	{ MODEL(CACHE_MISSES), 0x4, "cache-misses", "SBI_PMU_HW_CACHE_MISSES" },
	{ MODEL(BRANCH_MISSES), 0x6, "branch-misses",
	  "SBI_PMU_HW_BRANCH_MISSES" },
	{ MODEL(L1D_LOADS), 0x10000, "L1-dcache-loads", NULL },
	{ MODEL(L1D_LOAD_MISSES), 0x10001, "L1-dcache-load-misses", NULL },
	{ MODEL(L1D_STORES), 0x10002, "L1-dcache-stores", NULL },
	{ MODEL(L1D_STORE_MISSES), 0x10003, "L1-dcache-store-misses", NULL },
	{ MODEL(L1D_PREFETCHES), 0x10004, "L1-dcache-prefetches", NULL },
	{ MODEL(L1D_PREFETCH_MISSES), 0x10005, "L1-dcache-prefetch-misses",
	  NULL },
	{ MODEL(L1I_LOADS), 0x10008, "L1-icache-loads", NULL },
	{ MODEL(L1I_LOAD_MISSES), 0x10009, "L1-icache-load-misses", NULL },
	{ MODEL(LL_LOADS), 0x10010, "LLC-loads", NULL },
	{ MODEL(LL_LOAD_MISSES), 0x10011, "LLC-load-misses", NULL },
	{ MODEL(LL_STORES), 0x10012, "LLC-stores", NULL },
	{ MODEL(LL_STORE_MISSES), 0x10013, "LLC-store-misses", NULL },
	{ MODEL(LL_PREFETCHES), 0x10014, "LLC-prefetches", NULL },
	{ MODEL(LL_PREFETCH_MISSES), 0x10015, "LLC-prefetch-misses", NULL },
	{ MODEL(DTLB_LOADS), 0x10018, "dTLB-loads", NULL },
	{ MODEL(DTLB_LOAD_MISSES), 0x10019, "dTLB-load-misses", NULL },
	{ MODEL(DTLB_STORES), 0x1001a, "dTLB-stores", NULL },
	{ MODEL(DTLB_STORE_MISSES), 0x1001b, "dTLB-store-misses", NULL },
	{ MODEL(ITLB_LOADS), 0x10020, "iTLB-loads", NULL },
	{ MODEL(ITLB_LOAD_MISSES), 0x10021, "iTLB-load-misses", NULL },
	{ MODEL(BRANCH_LOADS), 0x10028, "branch-loads", NULL },
	{ MODEL(BRANCH_LOAD_MISSES), 0x10029, "branch-load-misses", NULL },
	{ MODEL(NODE_LOADS), 0x10030, "node-loads", NULL },
	{ MODEL(NODE_STORES), 0x10032, "node-stores", NULL },
	{ MODEL(NODE_PREFETCHES), 0x10034, "node-prefetches", NULL },
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
	ck_assert_ptr_null(pmu_event_by_selector(0xb));
	ck_assert_ptr_null(pmu_event_by_selector(0x1000a));
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
