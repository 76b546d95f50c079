/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Caches, TLBs and predictors against traces worked out by hand. A row is a
 * short script (uarch-script.h) and what must have happened at its end; what a
 * row does not name has not happened.
 */
#include <string.h>

#include <pmu/uarch.h>

#include "uarch-script.h"
#include "unit.h"

enum core {
	LRU_2,	/* L1D: 2 sets of 2 lines of 16 bytes, LRU */
	PLRU_4, /* 1 set of 4 */
	RANDOM_2,
	THROUGH, /* LRU_2, write through, and a last level of 4 sets of 2 */
	BACK,	 /* the same, write back */
	LL_ONLY,
	FETCH, /* L1I of LRU_2's shape, ITLB */
	PAGES, /* DTLB of 2 entries, behind it 4 */
	DTLB,  /* of 2 sets of 1 */
	STATIC,
	BIMODAL, /* 4 counters, 2 targets, 2 returns */
	GSHARE,	 /* 4 counters, 2 outcomes, no target, no return */
	AHEAD,	 /* BACK, and the next line is prefetched */
	AHEAD_1, /* the same of LRU_2, which has no last level */
	N_CORES
};

static const struct pmu_uarch_config cores[N_CORES] = {
	[LRU_2] = { .l1d = CACHE(64, 16, 2, LRU) },
	[PLRU_4] = { .l1d = CACHE(64, 16, 4, PLRU) },
	[RANDOM_2] = { .l1d = CACHE(32, 16, 2, RANDOM) },
	[THROUGH] = { .l1d = { .size = 64,
			       .line = 16,
			       .ways = 2,
			       .write = PMU_WRITE_THROUGH },
		      .ll = CACHE(128, 16, 2, LRU) },
	[BACK] = { .l1d = CACHE(64, 16, 2, LRU), .ll = CACHE(128, 16, 2, LRU) },
	[LL_ONLY] = { .ll = CACHE(128, 16, 2, LRU) },
	[FETCH] = { .l1i = CACHE(64, 16, 2, LRU), .itlb = TLB(1, 1, LRU) },
	[PAGES] = { .dtlb = TLB(2, 2, LRU), .stlb = TLB(4, 4, LRU) },
	[DTLB] = { .dtlb = TLB(2, 1, LRU) },
	[STATIC] = { .predictor = { .kind = PMU_PREDICT_STATIC } },
	[BIMODAL] = { .predictor = { .kind = PMU_PREDICT_BIMODAL,
				     .entries = 4,
				     .targets = 2,
				     .returns = 2 } },
	[GSHARE] = { .predictor = { .kind = PMU_PREDICT_GSHARE,
				    .entries = 4,
				    .history = 2 } },
	[AHEAD] = { .l1d = CACHE(64, 16, 2, LRU),
		    .ll = CACHE(128, 16, 2, LRU),
		    .prefetch = PMU_PREFETCH_NEXT },
	[AHEAD_1] = { .l1d = CACHE(64, 16, 2, LRU),
		      .prefetch = PMU_PREFETCH_NEXT },
};

static void begin(struct run *r, enum core core)
{
	run_begin(r, &cores[core]);
}

#define L1D(l, lm, s, sm)                                                      \
	[PMU_UA_L1D_LOADS] = (l), [PMU_UA_L1D_LOAD_MISSES] = (lm),             \
	[PMU_UA_L1D_STORES] = (s), [PMU_UA_L1D_STORE_MISSES] = (sm)
#define LL(l, lm, s, sm)                                                       \
	[PMU_UA_LL_LOADS] = (l), [PMU_UA_LL_LOAD_MISSES] = (lm),               \
	[PMU_UA_LL_STORES] = (s), [PMU_UA_LL_STORE_MISSES] = (sm),             \
	[PMU_UA_CACHE_REFERENCES] = (l) + (s) - (lm) - (sm),                   \
	[PMU_UA_CACHE_MISSES] = (lm) + (sm)
#define L1D_AHEAD(n, m)                                                        \
	[PMU_UA_L1D_PREFETCHES] = (n), [PMU_UA_L1D_PREFETCH_MISSES] = (m)
#define LL_AHEAD(n, m)                                                         \
	[PMU_UA_LL_PREFETCHES] = (n), [PMU_UA_LL_PREFETCH_MISSES] = (m),       \
	[PMU_UA_NODE_PREFETCHES] = (m)
#define L1I(n, m) [PMU_UA_L1I_LOADS] = (n), [PMU_UA_L1I_LOAD_MISSES] = (m)
#define PAGES(l, lm, s, sm)                                                    \
	[PMU_UA_DTLB_LOADS] = (l), [PMU_UA_DTLB_LOAD_MISSES] = (lm),           \
	[PMU_UA_DTLB_STORES] = (s), [PMU_UA_DTLB_STORE_MISSES] = (sm)
#define CODE_PAGES(n, m)                                                       \
	[PMU_UA_ITLB_LOADS] = (n), [PMU_UA_ITLB_LOAD_MISSES] = (m)
#define BRANCH(n, m)                                                           \
	[PMU_UA_BRANCH_LOADS] = (n), [PMU_UA_BRANCH_LOAD_MISSES] = (m),        \
	[PMU_UA_BRANCH_MISSES] = (m)

/*
 * Sets of L1 are bit 4 of an address, of the last level bits 5:4; what is
 * fetched is a load of the last level of its own.
 */
static const struct trace {
	const char *why;
	enum core core;
	const char *script;
	unsigned want[PMU_N_UARCH_EVENTS];
} traces[] = {
	{ "a line is filled once",
	  LRU_2,
	  "l100 l108 l10f:1 s100",
	  { L1D(3, 1, 1, 0) } },
	{ "a store fills, too", LRU_2, "s100 l100", { L1D(1, 0, 1, 1) } },
	{ "two lines of a set stay",
	  LRU_2,
	  "l100 l200 l100 l200",
	  { L1D(4, 2, 0, 0) } },
	{ "a third drops the least recently used",
	  LRU_2,
	  "l100 l200 l100 l300 l100 l200",
	  { L1D(6, 4, 0, 0) } },
	{ "sets are apart",
	  LRU_2,
	  "l100 l110 l200 l210 l100 l110 l200 l210",
	  { L1D(8, 4, 0, 0) } },
	{ "three in turn always miss in two ways",
	  LRU_2,
	  "l100 l200 l300 l100 l200 l300",
	  { L1D(6, 6, 0, 0) } },
	{ "an access to two lines counts one, one miss",
	  LRU_2,
	  "l10c l100 l110 l20c",
	  { L1D(4, 2, 0, 0) } },
	{ "it misses if one of both does",
	  LRU_2,
	  "l100 l10c l110",
	  { L1D(3, 2, 0, 0) } },
	{ "an atomic is a load and then a store",
	  LRU_2,
	  "a100",
	  { L1D(1, 1, 1, 0) } },
	{ "a device is not cached", LRU_2, "d100 d100", { L1D(0, 0, 0, 0) } },
	{ "a fence empties no cache, a reset does",
	  LRU_2,
	  "l100 | l100 ^ l100",
	  { L1D(3, 2, 0, 0) } },
	{ "beyond the page is where its next page is",
	  LRU_2,
	  "lffc l1000 l900000:1",
	  { L1D(3, 2, 0, 0) } },
	/* ways 0-3; behind 0 1 2 3 the tree points to 0 */
	{ "PLRU drops the way its tree points to",
	  PLRU_4,
	  "l0 l10 l20 l30 l40 l10 l20 l30",
	  { L1D(8, 5, 0, 0) } },
	/* 0 used again: the tree points to the other half, the older is 2 */
	{ "which is not always the oldest",
	  PLRU_4,
	  "l0 l10 l20 l30 l0 l40 l10 l30 l20",
	  { L1D(9, 6, 0, 0) } },
	{ "what is there is found whatever is dropped",
	  RANDOM_2,
	  "l0 l10 l0 l10 l0 l10",
	  { L1D(6, 2, 0, 0) } },
	{ "a load that misses asks the last level",
	  BACK,
	  "l100 l100",
	  { L1D(2, 1, 0, 0), LL(2, 2, 0, 0) } },
	{ "it drops lines as the first one does",
	  BACK,
	  "l100 l200 l300 l100",
	  { L1D(4, 4, 0, 0), LL(5, 5, 0, 0) } },
	{ "and has what the first one dropped",
	  BACK,
	  "l100 l120 l140 l100",
	  { L1D(4, 4, 0, 0), LL(5, 4, 0, 0) } },
	{ "a store that hits stays in the first level",
	  BACK,
	  "s100 s100",
	  { L1D(0, 0, 2, 1), LL(1, 1, 1, 1) } },
	{ "write through: each store goes on, none fills",
	  THROUGH,
	  "s100 s100 l100 s100",
	  { L1D(1, 1, 3, 2), LL(2, 1, 3, 1) } },
	{ "the last level alone has all",
	  LL_ONLY,
	  "l100 s100 f10000",
	  { LL(2, 2, 1, 0) } },
	{ "a line is fetched once in a row",
	  FETCH,
	  "f100 f104 f108 f10c:2",
	  { L1I(1, 1) } },
	{ "again behind another one", FETCH, "f100 f110 f100", { L1I(3, 2) } },
	{ "an instruction in two lines fetches both",
	  FETCH,
	  "f100 f10e f110",
	  { L1I(2, 2) } },
	{ "a page once, then by line",
	  FETCH,
	  "@1 f100 f110 f100",
	  { L1I(3, 2), CODE_PAGES(3, 1) } },
	{ "a fence makes it be fetched again",
	  FETCH,
	  "@1 f100 | f104",
	  { L1I(2, 1), CODE_PAGES(2, 2) } },
	{ "so does another space",
	  FETCH,
	  "@1 f100 @2 f104",
	  { L1I(2, 1), CODE_PAGES(2, 2) } },
	{ "an instruction in two pages is in two places",
	  FETCH,
	  "fffe f1000 f900000",
	  { L1I(4, 3) } },
	{ "in the last page and the first one, too",
	  FETCH,
	  "% @1 ffffffffe f0",
	  { L1I(3, 3), CODE_PAGES(3, 2) } },
	{ "two pages do not fit one entry",
	  FETCH,
	  "@1 f100 f1100 f100",
	  { L1I(3, 2), CODE_PAGES(3, 3) } },
	{ "without translation no TLB is asked",
	  PAGES,
	  "l1000 s2000",
	  { PAGES(0, 0, 0, 0) } },
	{ "a page is walked for once",
	  PAGES,
	  "@1 l1000 l1ff8 s1000",
	  { PAGES(2, 1, 1, 0) } },
	{ "an access to two pages counts one",
	  PAGES,
	  "@1 l1ffc l1000 l2000",
	  { PAGES(3, 1, 0, 0) } },
	{ "the first page is behind the last one",
	  PAGES,
	  "@1 lfffffffffffffffc l0",
	  { PAGES(2, 1, 0, 0) } },
	{ "which ends where 32 bits do, if addresses have so many",
	  PAGES,
	  "% @1 lfffffffc l0",
	  { PAGES(2, 1, 0, 0) } },
	{ "the second level saves the walk",
	  PAGES,
	  "@1 l1000 l2000 l3000 l1000",
	  { PAGES(4, 3, 0, 0) } },
	{ "as far as it goes",
	  PAGES,
	  "@1 l1000 l2000 l3000 l4000 l5000 l1000",
	  { PAGES(6, 6, 0, 0) } },
	{ "spaces have pages of their own",
	  PAGES,
	  "@1 l1000 @2 l1000 @1 l1000",
	  { PAGES(3, 2, 0, 0) } },
	{ "a fence drops all",
	  PAGES,
	  "@1 l1000 | l1000",
	  { PAGES(2, 2, 0, 0) } },
	{ "a device's page is translated",
	  PAGES,
	  "@1 d1000",
	  { PAGES(1, 1, 0, 0) } },
	{ "sets are of pages",
	  DTLB,
	  "@1 l1000 l2000 l1000 l3000 l1000",
	  { PAGES(5, 4, 0, 0) } },
	{ "static: backwards is taken",
	  STATIC,
	  "b100>80 b100-80",
	  { BRANCH(2, 1) } },
	{ "forwards is not", STATIC, "b100>180 b100-180", { BRANCH(2, 1) } },
	{ "a jump goes where it says",
	  STATIC,
	  "j100>80 c100>80",
	  { BRANCH(2, 0) } },
	{ "by a register it cannot be known",
	  STATIC,
	  "i100>80 i100>80 r100>80",
	  { BRANCH(3, 3) } },
	/* weakly not taken; miss, hit, hit; then a miss that does not turn it
	 */
	{ "bimodal learns, and forgets slowly",
	  BIMODAL,
	  "b100>80 b100>80 b100>80 b100-80 b100>80",
	  { BRANCH(5, 2) } },
	{ "it begins with not taken",
	  BIMODAL,
	  "b100-80 b100-80 b100>80",
	  { BRANCH(3, 1) } },
	{ "counters are shared by addresses 8 apart",
	  BIMODAL,
	  "b100>80 b108>80 b102>80",
	  { BRANCH(3, 2) } },
	{ "a target is where it went last",
	  BIMODAL,
	  "i100>80 i100>80 i100>90 i100>90",
	  { BRANCH(4, 2) } },
	{ "targets are of one address each",
	  BIMODAL,
	  "i100>80 i104>80 i100>80",
	  { BRANCH(3, 3) } },
	{ "a return goes behind its call",
	  BIMODAL,
	  "c100>80 r80>104",
	  { BRANCH(2, 0) } },
	{ "calls nest",
	  BIMODAL,
	  "c100>80 c80>200 r200>84 r84>104",
	  { BRANCH(4, 0) } },
	{ "only two deep",
	  BIMODAL,
	  "c100>80 c80>200 c200>300 r300>204 r204>84 r84>104",
	  { BRANCH(6, 1) } },
	{ "what is deeper is forgotten",
	  BIMODAL,
	  "c100>80 c100>80 c100>80 r80>104 r80>104 r80>104",
	  { BRANCH(6, 1) } },
	{ "a call by a register is pushed, too",
	  BIMODAL,
	  "x100>80 r80>104",
	  { BRANCH(2, 1) } },
	/* counters by 0, 1, 3, 3, ... outcomes */
	{ "gshare learns by history",
	  GSHARE,
	  "b100>80 b100>80 b100>80 b100>80 b100>80",
	  { BRANCH(5, 3) } },
	/* taken, not taken in turn: bimodal would miss each time */
	{ "and sees a pattern",
	  GSHARE,
	  "b100>80 b100-80 b100>80 b100-80 b100>80 b100-80 b100>80",
	  { BRANCH(7, 2) } },
	{ "behind a miss the next line is fetched",
	  AHEAD,
	  "l100 l110 l118 l120",
	  { L1D(4, 2, 0, 0), LL(3, 3, 0, 0), L1D_AHEAD(2, 2),
	    LL_AHEAD(2, 2) } },
	{ "behind a store's, too",
	  AHEAD,
	  "s100 s110",
	  { L1D(0, 0, 2, 1), LL(1, 1, 1, 1), L1D_AHEAD(1, 1),
	    LL_AHEAD(1, 1) } },
	{ "unless it is there",
	  AHEAD,
	  "l110 l100",
	  { L1D(2, 2, 0, 0), LL(3, 3, 0, 0), L1D_AHEAD(2, 1),
	    LL_AHEAD(1, 1) } },
	{ "the last level may have it",
	  AHEAD,
	  "l110 l200 l210 l300 l310 l100",
	  { L1D(6, 4, 0, 0), LL(5, 5, 0, 0), L1D_AHEAD(4, 4),
	    LL_AHEAD(4, 4) } },
	{ "a page is never left",
	  AHEAD,
	  "lff0",
	  { L1D(1, 1, 0, 0), LL(2, 2, 0, 0), L1D_AHEAD(0, 0) } },
	{ "it is behind the last line of an access",
	  AHEAD,
	  "l10c l120",
	  { L1D(2, 1, 0, 0), LL(2, 2, 0, 0), L1D_AHEAD(1, 1),
	    LL_AHEAD(1, 1) } },
	{ "on whatever page that is",
	  AHEAD,
	  "lffc l900010",
	  { L1D(2, 1, 0, 0), LL(2, 2, 0, 0), L1D_AHEAD(1, 1),
	    LL_AHEAD(1, 1) } },
	{ "a device has no next line", AHEAD, "d100", { LL(1, 1, 0, 0) } },
	{ "memory is asked where there is no last level",
	  AHEAD_1,
	  "l100 l110",
	  { L1D(2, 1, 0, 0), L1D_AHEAD(1, 1), [PMU_UA_NODE_PREFETCHES] = 1 } },
};

/* Memory is asked for what the last cache that there is lacks. */
static unsigned memory_wants(const struct trace *t, unsigned event)
{
	const struct pmu_uarch_config *cfg = &cores[t->core];

	switch (event) {
	case PMU_UA_NODE_LOADS:
		return cfg->ll.size ? t->want[PMU_UA_LL_LOAD_MISSES]
				    : t->want[PMU_UA_L1D_LOAD_MISSES] +
					      t->want[PMU_UA_L1I_LOAD_MISSES];
	case PMU_UA_NODE_STORES:
		return t->want[cfg->ll.size ? PMU_UA_LL_STORE_MISSES
					    : PMU_UA_L1D_STORE_MISSES];
	default:
		return t->want[event];
	}
}

TEST_ROWS(a_trace_counts_what_was_worked_out, traces)
{
	const struct trace *t = &traces[_i];
	struct run r;

	begin(&r, t->core);
	run_play(&r, t->script);
	for (unsigned e = 0; e < PMU_N_UARCH_EVENTS; e++)
		ck_assert_msg(r.n[e] == memory_wants(t, e),
			      "%s: event %u happened %u times, not %u", t->why,
			      e, r.n[e], memory_wants(t, e));
	run_end(&r);
}

TEST(what_follows_an_instruction_that_wraps_is_in_its_line)
{
	static const struct pmu_uarch_insn wraps = { .code = { 0xfffffffe,
							       { 0x80001ffe,
								 0x80000000 },
							       4 } },
					   next = { .code = { 2,
							      { 0x80000002 },
							      4 } };
	struct run r;

	begin(&r, FETCH);
	r.space.narrow = true;
	run_see(&r, &wraps);
	run_see(&r, &next);
	ck_assert_uint_eq(r.n[PMU_UA_L1I_LOADS], 2);
	run_end(&r);
}

/* One set of 2, by chance: each third line finds one of both gone. */
TEST(random_is_the_same_each_time)
{
	static const char script[] = "l0 l10 l20 l0 l10 l20 l0 l10 l20 l0 l10";
	struct run a, b;

	begin(&a, RANDOM_2);
	begin(&b, RANDOM_2);
	run_play(&a, script);
	run_play(&b, script);
	ck_assert_mem_eq(a.n, b.n, sizeof(a.n));
	ck_assert_uint_gt(a.n[PMU_UA_L1D_LOAD_MISSES], 3);
	ck_assert_uint_lt(a.n[PMU_UA_L1D_LOAD_MISSES], 11);
	run_end(&a);
	run_end(&b);
}

/* What an instance remembers, taken by another, makes it go on alike. */
TEST_TIMES(state_is_all_there_is, N_CORES)
{
	static const char first[] = "@1 l100 l200 f100 b100>80 c100>80 l300",
			  rest[] = "l100 f110 b100>80 r80>104 l200 s300";
	struct run a, b;
	void *from, *to;
	size_t size, same;

	begin(&a, (enum core)_i);
	begin(&b, (enum core)_i);
	run_play(&a, first);
	from = pmu_uarch_state(a.u, &size);
	to = pmu_uarch_state(b.u, &same);
	ck_assert_uint_eq(size, same);
	memcpy(to, from, size);
	b.space = a.space;
	memset(a.n, 0, sizeof(a.n));
	run_play(&a, rest);
	run_play(&b, rest);
	ck_assert_mem_eq(a.n, b.n, sizeof(a.n));
	run_end(&a);
	run_end(&b);
}

TEST_TIMES(what_happens_is_what_there_is_to_count, N_CORES)
{
	static const char script[] = "@1 l100 s2200 f100 f1100 b100>80 c100>80 "
				     "r80>200 a3300 i100>80";
	uint32_t events = pmu_uarch_events(&cores[_i]), seen = 0;
	struct run r;

	begin(&r, (enum core)_i);
	run_play(&r, script);
	for (unsigned e = 0; e < PMU_N_UARCH_EVENTS; e++)
		seen |= (r.n[e] ? 1u : 0u) << e;
	ck_assert_uint_eq(seen & ~events, 0);
	ck_assert_uint_ne(seen, 0);
	run_end(&r);
}

SUITE("uarch");
