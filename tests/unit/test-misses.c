/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Why caches and TLBs miss, against traces worked out by hand (uarch-script.h).
 * A miss in words:
 *
 *	PART ACCESS ADDRESS sSET VICTIM REASON
 *
 * ACCESS is f, l, s or p (prefetch); VICTIM is the line's address, ! behind it:
 * dirty, ? not known, ~ of another address space; - is an empty place, and none
 * is what is not filled.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pmu/miss.h>

#include "uarch-script.h"
#include "unit.h"

enum core {
	DIRECT, /* L1D: 2 sets of 1 line of 16 bytes */
	SETS,	/* 2 sets of 2, LRU */
	FULL,	/* 1 set of 2, LRU */
	TREE,	/* 1 set of 4, PLRU */
	DICE,	/* 1 set of 2, random */
	THROUGH,
	LEVELS, /* DIRECT, and a last level of 4 sets of 1 */
	AHEAD,	/* LEVELS, the next line prefetched */
	CODE,	/* L1I as DIRECT, an ITLB of 1 */
	PAGES,	/* DTLB: 2 sets of 1 */
	SECOND, /* DTLB of 1, behind it 2 sets of 1 */
	N_CORES
};

static const struct pmu_uarch_config cores[N_CORES] = {
	[DIRECT] = { .l1d = CACHE(32, 16, 1, LRU) },
	[SETS] = { .l1d = CACHE(64, 16, 2, LRU) },
	[FULL] = { .l1d = CACHE(32, 16, 2, LRU) },
	[TREE] = { .l1d = CACHE(64, 16, 4, PLRU) },
	[DICE] = { .l1d = CACHE(32, 16, 2, RANDOM) },
	[THROUGH] = { .l1d = { .size = 32,
			       .line = 16,
			       .ways = 2,
			       .write = PMU_WRITE_THROUGH } },
	[LEVELS] = { .l1d = CACHE(32, 16, 1, LRU),
		     .ll = CACHE(64, 16, 1, LRU) },
	[AHEAD] = { .l1d = CACHE(32, 16, 1, LRU),
		    .ll = CACHE(64, 16, 1, LRU),
		    .prefetch = PMU_PREFETCH_NEXT },
	[CODE] = { .l1i = CACHE(32, 16, 1, LRU), .itlb = TLB(1, 1, LRU) },
	[PAGES] = { .dtlb = TLB(2, 1, LRU) },
	[SECOND] = { .dtlb = TLB(1, 1, LRU), .stlb = TLB(2, 1, LRU) },
};

/* Sets are bit 4 of an address, of the last level bits 5:4, of TLBs bit 12. */
static const struct trace {
	const char *why;
	enum core core;
	const char *script, *want;
} traces[] = {
	{ "direct-mapped: the first touch of a line is cold", DIRECT,
	  "l100 l108 l110", "L1D l 100 s0 - cold\nL1D l 110 s1 - cold\n" },
	{ "direct-mapped: two lines of a set that would fit elsewhere", DIRECT,
	  "l100 l120 l100",
	  "L1D l 100 s0 - cold\nL1D l 120 s0 100 cold\n"
	  "L1D l 100 s0 120 conflict\n" },
	{ "direct-mapped: three lines fit nowhere", DIRECT,
	  "l100 l110 l120 l100",
	  "L1D l 100 s0 - cold\nL1D l 110 s1 - cold\nL1D l 120 s0 100 cold\n"
	  "L1D l 100 s0 120 capacity\n" },
	{ "direct-mapped: a hit makes a line young for the other table, too",
	  DIRECT, "l100 l110 l100 l130 l110",
	  "L1D l 100 s0 - cold\nL1D l 110 s1 - cold\nL1D l 130 s1 110 cold\n"
	  "L1D l 110 s1 130 capacity\n" },
	{ "set-associative: three lines of a set, four would fit", SETS,
	  "l100 l200 l300 l100",
	  "L1D l 100 s0 - cold\nL1D l 200 s0 - cold\nL1D l 300 s0 100 cold\n"
	  "L1D l 100 s0 200 conflict\n" },
	{ "set-associative: five lines of both sets", SETS,
	  "l100 l200 l110 l210 l300 l100",
	  "L1D l 100 s0 - cold\nL1D l 200 s0 - cold\nL1D l 110 s1 - cold\n"
	  "L1D l 210 s1 - cold\nL1D l 300 s0 100 cold\n"
	  "L1D l 100 s0 200 capacity\n" },
	{ "fully associative: one line too many, in turn", FULL,
	  "l100 l200 l300 l100 l200",
	  "L1D l 100 s0 - cold\nL1D l 200 s0 - cold\nL1D l 300 s0 100 cold\n"
	  "L1D l 100 s0 200 capacity\nL1D l 200 s0 300 capacity\n" },
	/* the tree drops 200 for 500, LRU would have dropped 300 */
	{ "PLRU of one set: LRU would have it, so it is called conflict", TREE,
	  "l100 l200 l300 l400 l100 l500 l300",
	  "L1D l 100 s0 - cold\nL1D l 200 s0 - cold\nL1D l 300 s0 - cold\n"
	  "L1D l 400 s0 - cold\nL1D l 500 s0 300 cold\n"
	  "L1D l 300 s0 200 conflict\n" },
	{ "random: a line that LRU would have dropped can stay: no miss", DICE,
	  "l100 l200 l300 l200 l100",
	  "L1D l 100 s0 - cold\nL1D l 200 s0 - cold\nL1D l 300 s0 100 cold\n"
	  "L1D l 100 s0 200 capacity\n" },
	{ "a store fills and makes dirty, a load does not", DIRECT,
	  "s100 l120 l140",
	  "L1D s 100 s0 - cold\nL1D l 120 s0 100! cold\n"
	  "L1D l 140 s0 120 cold\n" },
	{ "a store that hits makes dirty; filled again, the line is clean",
	  DIRECT, "l100 s100 l120 l100 l120",
	  "L1D l 100 s0 - cold\nL1D l 120 s0 100! cold\n"
	  "L1D l 100 s0 120 conflict\nL1D l 120 s0 100 conflict\n" },
	{ "what goes through fills nothing, and stays cold until a load",
	  THROUGH, "s100 s100 l100 s100 l200 l300 s100",
	  "L1D s 100 s0 none cold\nL1D s 100 s0 none cold\n"
	  "L1D l 100 s0 - cold\nL1D l 200 s0 - cold\n"
	  "L1D l 300 s0 100 cold\nL1D s 100 s0 none capacity\n" },
	{ "an atomic misses once, with its load", DIRECT, "a100 l120",
	  "L1D l 100 s0 - cold\nL1D l 120 s0 100! cold\n" },
	{ "an access to two lines is one miss, of the first that missed",
	  DIRECT, "l10c l110 l11c",
	  "L1D l 10c s0 - cold\nL1D l 120 s0 100 cold\n" },
	{ "the address is where the access touches the line, here beyond a "
	  "page",
	  DIRECT, "lff0 lffc",
	  "L1D l ff0 s1 - cold\nL1D l 900000/1000 s0 - cold\n" },
	{ "each level for itself; both events of the last level", LEVELS,
	  "l100 l140 l100",
	  "LL f 10030 s3 - cold\nLL f 10030 s3 - cold\n"
	  "L1D l 100 s0 - cold\nLL l 100 s0 - cold\nLL l 100 s0 - cold\n"
	  "L1D l 140 s0 100 cold\n"
	  "LL l 140 s0 100 cold\nLL l 140 s0 100 cold\n"
	  "L1D l 100 s0 140 conflict\n"
	  "LL l 100 s0 140 conflict\nLL l 100 s0 140 conflict\n" },
	{ "a prefetch misses for itself, and no event of both counts it", AHEAD,
	  "l100 l110",
	  "LL f 10030 s3 - cold\nLL f 10030 s3 - cold\n"
	  "L1D l 100 s0 - cold\nLL l 100 s0 - cold\nLL l 100 s0 - cold\n"
	  "L1D p 110 s1 - cold\nLL p 110 s1 - cold\n" },
	{ "behind the last page are the addresses of the first one", AHEAD,
	  "% lfffffff0 lfffffffc",
	  "LL f 10030 s3 - cold\nLL f 10030 s3 - cold\n"
	  "L1D l fffffff0 s1 - cold\nLL l fffffff0 s3 10030 cold\n"
	  "LL l fffffff0 s3 10030 cold\n"
	  "L1D l 1008ff000/0 s0 - cold\nLL l 1008ff000/0 s0 - cold\n"
	  "LL l 1008ff000/0 s0 - cold\n"
	  "L1D p 1008ff010/10 s1 fffffff0 cold\n"
	  "LL p 1008ff010/10 s1 - cold\n" },
	{ "fetches", CODE, "f100 f120 f100",
	  "L1I f 100 s0 - cold\nL1I f 120 s0 100 cold\n"
	  "L1I f 100 s0 120 conflict\n" },
	{ "pages of fetches", CODE, "@1 f100 f1100 f100",
	  "ITLB f 100 s0 - cold\nL1I f 100 s0 - cold\n"
	  "ITLB f 1100 s0 0 cold\nL1I f 1100 s0 100 cold\n"
	  "ITLB f 100 s0 1000 capacity\nL1I f 100 s0 1100 conflict\n" },
	{ "pages: one set of two", PAGES, "@1 l1008 l3000 l1008",
	  "DTLB l 1008 s1 - cold\nDTLB l 3000 s1 1000 cold\n"
	  "DTLB l 1008 s1 3000 conflict\n" },
	{ "pages: of another space, at the same address", PAGES,
	  "@1 l1000 @2 s1000 @1 l1000",
	  "DTLB l 1000 s1 - cold\nDTLB s 1000 s1 1000~ cold\n"
	  "DTLB l 1000 s1 1000~ conflict\n" },
	{ "pages: what a fence took away", PAGES,
	  "@1 l1000 | l1000 l2000 l1000",
	  "DTLB l 1000 s1 - cold\nDTLB l 1000 s1 - fence\n"
	  "DTLB l 2000 s0 - cold\n" },
	{ "pages: after it, what has been back is as ever", PAGES,
	  "@1 l1000 | l3000 l1000 l3000",
	  "DTLB l 1000 s1 - cold\nDTLB l 3000 s1 - cold\n"
	  "DTLB l 1000 s1 3000 fence\nDTLB l 3000 s1 1000 conflict\n" },
	{ "pages: an access to two, where the second one misses", PAGES,
	  "@1 l0 lffc", "DTLB l 0 s0 - cold\nDTLB l 900000/1000 s1 - cold\n" },
	{ "a second level alone says why, of what both lack", SECOND,
	  "@1 l1000 l2000 l1000 l3000 l1000",
	  "STLB l 1000 s1 - cold\nSTLB l 2000 s0 - cold\n"
	  "STLB l 3000 s1 1000 cold\nSTLB l 1000 s1 3000 conflict\n" },
	{ "a reset takes all that was seen", DIRECT, "l100 ^ l100",
	  "L1D l 100 s0 - cold\nL1D l 100 s0 - cold\n" },
};

static char got[4096];

static const char *victim_text(const struct pmu_miss *miss, char *buf)
{
	static const char *const marks[] = {
		[PMU_VICTIM_NOT_PUT] = "none", [PMU_VICTIM_EMPTY] = "-",
		[PMU_VICTIM_CLEAN] = "",       [PMU_VICTIM_DIRTY] = "!",
		[PMU_VICTIM_UNKNOWN] = "?",
	};
	const char *mark = marks[miss->victim];

	if (miss->victim <= PMU_VICTIM_EMPTY) {
		ck_assert(!miss->victim_elsewhere);
		return mark;
	}
	sprintf(buf, "%llx%s%s", (unsigned long long)miss->victim_line, mark,
		miss->victim_elsewhere ? "~" : "");
	return buf;
}

static void write_down(struct run *r, const struct pmu_miss *miss)
{
	static const char *const parts[] = { "L1I",  "L1D",  "LL",
					     "ITLB", "DTLB", "STLB" };
	static const char *const reasons[] = { "cold", "capacity", "conflict",
					       "fence", "unknown" };
	size_t n = strlen(got), room = sizeof(got) - n;
	char victim[32], vaddr[32] = "";

	ck_assert(pmu_uarch_is_miss(miss->event));
	if (miss->vaddr != miss->paddr)
		sprintf(vaddr, "/%llx", (unsigned long long)miss->vaddr);
	snprintf(got + n, room, "%s %c %llx%s s%u %s %s\n", parts[miss->part],
		 "flsp"[miss->access], (unsigned long long)miss -> paddr, vaddr,
		 miss -> set, victim_text(miss, victim), reasons[miss->reason]);
}

TEST_ROWS(a_miss_has_the_reason_that_it_has, traces)
{
	const struct trace *t = &traces[_i];
	struct run r;

	got[0] = 0;
	run_begin(&r, &cores[t->core]);
	run_explain(&r, &cores[t->core], write_down);
	run_play(&r, t->script);
	run_end(&r);
	ck_assert_msg(!strcmp(got, t->want), "%s: %s:\n%sand not\n%s", t->why,
		      t->script, got, t->want);
}

/* Whose misses nobody counts alone needs no memory. */
TEST(a_first_level_before_a_second_one_remembers_nothing)
{
	const struct pmu_uarch_config second = { .stlb = TLB(2, 1, LRU) },
				      all = { .itlb = TLB(1, 1, LRU),
					      .dtlb = TLB(1, 1, LRU),
					      .stlb = TLB(2, 1, LRU) },
				      none = { .prefetch = 0 };

	ck_assert_uint_eq(pmu_misses_bytes(&all, 1000),
			  pmu_misses_bytes(&second, 1000));
	ck_assert_uint_lt(pmu_misses_bytes(&none, 100000), 8192);
	ck_assert_uint_ge(pmu_misses_bytes(&second, 100000), 100000 * 36);
}

TEST_TIMES(it_goes_on_from_what_it_remembered, ARRAY_SIZE(traces))
{
	const struct trace *t = &traces[_i];
	const char *rest = strchr(t->script + strlen(t->script) / 2, ' ');
	char first[64] = "", after[sizeof(got)];
	struct run a, b;
	size_t size, same;
	void *from;

	ck_assert_ptr_nonnull(rest);
	memcpy(first, t->script, (size_t)(rest - t->script));
	run_begin(&a, &cores[t->core]);
	run_begin(&b, &cores[t->core]);
	run_explain(&a, &cores[t->core], write_down);
	run_explain(&b, &cores[t->core], write_down);
	run_play(&a, first);
	from = pmu_uarch_state(a.u, &size);
	memcpy(pmu_uarch_state(b.u, &same), from, size);
	for (unsigned i = 0; (from = pmu_misses_piece(a.why, i, &size)); i++)
		memcpy(pmu_misses_piece(b.why, i, &same), from, size);
	pmu_misses_given(b.why);
	b.space = a.space;
	got[0] = 0;
	run_play(&a, rest);
	strcpy(after, got);
	got[0] = 0;
	run_play(&b, rest);
	ck_assert_str_eq(got, after);
	run_end(&a);
	run_end(&b);
}

SUITE("misses");
