/* SPDX-License-Identifier: BSD-2-Clause */
/* What a core's models can be: named ones, and what is refused. */
#include <string.h>

#include <pmu/uarch.h>

#include "unit.h"

#define CACHE(s, l, w, r)                                                      \
	{                                                                      \
		.size = (s), .line = (l), .ways = (w),                         \
		.replacement = PMU_REPLACE_##r                                 \
	}
#define TLB(n, w, r)                                                           \
	{                                                                      \
		.entries = (n), .ways = (w), .replacement = PMU_REPLACE_##r    \
	}

TEST(presets_have_names_and_no_fault)
{
	struct pmu_uarch_config cfg;
	size_t i;

	for (i = 0; pmu_uarch_preset(i, &cfg); i++) {
		ck_assert_ptr_null(pmu_uarch_fault(&cfg));
		ck_assert_int_eq(i == 0, pmu_uarch_events(&cfg) == 0);
	}
	ck_assert_uint_eq(i, 4);
	ck_assert_str_eq(pmu_uarch_preset(0, &cfg), "none");
}

#define SMALL .l1d = CACHE(64, 16, 2, LRU)

static const struct fault {
	const char *why; /* part of what is said; NULL: nothing */
	struct pmu_uarch_config cfg;
} faults[] = {
	{ NULL, { SMALL } },
	{ "16 MiB", { .l1d = CACHE(32 << 20, 64, 2, LRU) } },
	{ "a line has", { .l1d = CACHE(64, 8, 2, LRU) } },
	{ "a line has", { .l1i = CACHE(1536, 48, 2, LRU) } },
	{ "a line has", { .ll = CACHE(1024, 512, 2, LRU) } },
	{ "ways are", { .l1d = CACHE(96, 16, 3, LRU) } },
	{ "ways are", { .l1d = CACHE(64, 16, 0, LRU) } },
	{ "ways are", { .l1d = CACHE(4096, 16, 128, LRU) } },
	{ "power of two", { .l1d = CACHE(96, 16, 2, LRU) } },
	{ "power of two", { .l1d = CACHE(72, 16, 2, LRU) } },
	{ "policy", { .l1d = { 64, 16, 2, 3, 0 } } },
	{ "policy", { .l1d = { 64, 16, 2, 0, 2 } } },
	{ "entries", { .dtlb = TLB(3, 1, LRU) } },
	{ "entries", { .itlb = TLB(1 << 17, 1, LRU) } },
	{ "ways are", { .stlb = TLB(4, 8, LRU) } },
	{ "ways are", { .stlb = TLB(4, 3, LRU) } },
	{ "policy", { .stlb = { 4, 4, 3 } } },
	{ "predictor", { .predictor = { .kind = 4 } } },
	{ "counters", { .predictor = { .kind = PMU_PREDICT_BIMODAL } } },
	{ "counters",
	  { .predictor = { .kind = PMU_PREDICT_BIMODAL, .entries = 6 } } },
	{ "counters",
	  { .predictor = { .kind = PMU_PREDICT_STATIC, .entries = 8 } } },
	{ "history",
	  { .predictor = { .kind = PMU_PREDICT_GSHARE, .entries = 8 } } },
	{ "history",
	  { .predictor = { .kind = PMU_PREDICT_GSHARE,
			   .entries = 8,
			   .history = 17 } } },
	{ "history",
	  { .predictor = { .kind = PMU_PREDICT_BIMODAL,
			   .entries = 8,
			   .history = 1 } } },
	{ "targets",
	  { .predictor = { .kind = PMU_PREDICT_STATIC, .targets = 3 } } },
	{ "returns",
	  { .predictor = { .kind = PMU_PREDICT_STATIC, .returns = 65 } } },
	{ "prefetcher", { .prefetch = PMU_PREFETCH_NEXT + 1 } },
	{ "stall", { .stalls = { .last_level = 10001 } } },
	{ "stall", { .stalls = { .branch = 10001 } } },
	{ NULL, { .stalls = { 10000, 10000, 10000, 10000, 10000 } } },
};

TEST_ROWS(what_no_model_can_be_is_named, faults)
{
	const struct fault *f = &faults[_i];
	const char *said = pmu_uarch_fault(&f->cfg);

	if (f->why == NULL)
		ck_assert_ptr_null(said);
	else
		ck_assert_msg(said && strstr(said, f->why), "row %d: %s", _i,
			      said ? said : "no fault");
}

#define FETCH PMU_LOOK_FETCH
#define DATA  PMU_LOOK_DATA
#define FLOW  PMU_LOOK_FLOW

static const struct looks_row {
	unsigned want;
	struct pmu_uarch_config cfg;
} looks_rows[] = {
	{ 0, { .stalls = { 1, 1, 1, 1, 1 } } },
	{ FETCH, { .l1i = CACHE(64, 16, 2, LRU) } },
	{ FETCH, { .itlb = TLB(4, 4, LRU) } },
	{ DATA, { SMALL } },
	{ DATA, { .dtlb = TLB(4, 4, LRU) } },
	{ FETCH | DATA, { .ll = CACHE(64, 16, 2, LRU) } },
	{ FLOW, { .predictor = { .kind = PMU_PREDICT_STATIC } } },
	{ DATA | FLOW, { SMALL, .predictor = { .kind = PMU_PREDICT_STATIC } } },
};

TEST_ROWS(what_a_part_looks_at_is_known, looks_rows)
{
	ck_assert_uint_eq(pmu_uarch_looks(&looks_rows[_i].cfg),
			  looks_rows[_i].want);
}

SUITE("uarch-config");
