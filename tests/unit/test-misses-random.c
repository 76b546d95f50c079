/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Why caches and TLBs miss: what holds for every trace, by dice, and how much
 * is remembered.
 */
#include <string.h>

#include <pmu/miss.h>

#include "uarch-script.h"
#include "unit.h"

static const struct pmu_uarch_config cores[] = {
	/* direct-mapped; set-associative */
	{ .l1d = CACHE(32, 16, 1, LRU) },
	{ .l1d = CACHE(64, 16, 2, LRU) },
	{ .l1d = { .size = 32,
		   .line = 16,
		   .ways = 2,
		   .write = PMU_WRITE_THROUGH },
	  .ll = CACHE(64, 16, 4, RANDOM),
	  .prefetch = PMU_PREFETCH_NEXT },
	{ .l1d = CACHE(64, 32, 1, PLRU),
	  .ll = CACHE(64, 16, 1, LRU),
	  .prefetch = PMU_PREFETCH_NEXT },
	{ .ll = CACHE(64, 16, 1, LRU) },
	{ .itlb = TLB(1, 1, LRU),
	  .dtlb = TLB(1, 1, LRU),
	  .stlb = TLB(2, 1, LRU) },
	{ .l1i = CACHE(64, 16, 2, PLRU),
	  .l1d = CACHE(128, 16, 2, LRU),
	  .ll = CACHE(256, 16, 4, RANDOM),
	  .itlb = TLB(2, 2, LRU),
	  .dtlb = TLB(4, 2, PLRU),
	  .prefetch = PMU_PREFETCH_NEXT },
};

enum {
	DIRECT,
	SETS,
	N_CORES = ARRAY_SIZE(cores)
};

enum {
	N_SEEDS = 5,
	N_STEPS = 1000,
	N_PAGES = 24,
	MAX_LINES = RUN_REMEMBERED,
};

static uint64_t seed;

static uint64_t below(uint64_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (seed >> 11) % n;
}

static struct pmu_span some_span(uint64_t page, unsigned size)
{
	uint64_t vaddr = page * 4096 + below(16) * 16 + below(14);

	return (struct pmu_span){ vaddr, { vaddr, 0 }, (uint8_t)size };
}

/* Bytes of a few pages; seldom in two lines. */
static struct pmu_uarch_insn some_insn(void)
{
	struct pmu_uarch_insn insn = { .code = some_span(below(4), 2) };

	insn.code.vaddr &= ~UINT64_C(1);
	insn.code.paddr[0] = insn.code.vaddr;
	insn.data = some_span(below(N_PAGES), below(8) ? 2 : 8);
	insn.load = below(3);
	insn.store = !insn.load || !below(5);
	return insn;
}

static unsigned sums[PMU_N_UARCH_EVENTS][PMU_N_MISS_REASONS];

static void add_up(struct run *r, const struct pmu_miss *miss)
{
	sums[miss->event][miss->reason]++;
}

static void act_by_dice(struct run *r)
{
	uint64_t what = below(200);

	if (what == 0)
		pmu_uarch_fence(r->u);
	else if (what < 4)
		run_play(r, what == 1 ? "@1" : what == 2 ? "@2" : "@0");
}

static unsigned all_of(enum pmu_uarch_event event)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < PMU_N_MISS_REASONS; i++)
		sum += sums[event][i];
	return sum;
}

/* As often as counted, and what is counted is what was so without. */
TEST_TIMES(reasons_add_up_and_change_nothing, (N_CORES * N_SEEDS))
{
	const struct pmu_uarch_config *cfg = &cores[_i % N_CORES];
	struct run with, without;
	size_t size;

	memset(sums, 0, sizeof(sums));
	seed = (uint64_t)_i + 1;
	run_begin(&with, cfg);
	run_begin(&without, cfg);
	run_explain(&with, cfg, add_up);
	for (unsigned i = 0; i < N_STEPS; i++) {
		struct pmu_uarch_insn insn = some_insn();
		uint64_t before = seed;

		run_see(&with, &insn);
		run_see(&without, &insn);
		act_by_dice(&with);
		seed = before;
		act_by_dice(&without);
	}
	ck_assert_mem_eq(with.n, without.n, sizeof(with.n));
	ck_assert_mem_eq(pmu_uarch_state(with.u, &size),
			 pmu_uarch_state(without.u, &size), size);
	for (unsigned e = 0; e < PMU_N_UARCH_EVENTS; e++)
		ck_assert_uint_eq(all_of(e),
				  pmu_uarch_is_miss(e) ? with.n[e] : 0);
	run_end(&with);
	run_end(&without);
}

/* One table, the slow way. */
struct naive {
	unsigned n, near_size; /* of its lines, the last one first */
	uint64_t line[MAX_LINES], space[MAX_LINES];
	unsigned n_near; /* that a fully associative one has */
	unsigned n_held; /* and that nothing has taken away */
};

static enum pmu_miss_reason naive_use(struct naive *t, uint64_t line,
				      uint64_t space)
{
	unsigned i = 0;
	enum pmu_miss_reason reason;

	while (i < t->n && (t->line[i] != line || t->space[i] != space))
		i++;
	reason = i == t->n	 ? PMU_MISS_COLD
		 : i < t->n_near ? PMU_MISS_CONFLICT
		 : i < t->n_held ? PMU_MISS_CAPACITY
				 : PMU_MISS_FENCE;
	t->n_near += i >= t->n_near && t->n_near < t->near_size;
	t->n_held += i >= t->n_held;
	if (i == t->n)
		t->n++;
	ck_assert_uint_lt(i, MAX_LINES);
	memmove(&t->line[1], t->line, i * sizeof(t->line[0]));
	memmove(&t->space[1], t->space, i * sizeof(t->space[0]));
	t->line[0] = line;
	t->space[0] = space;
	return reason;
}

static struct pmu_miss last;
static bool any;

static void keep_last(struct run *r, const struct pmu_miss *miss)
{
	last = *miss;
	any = true;
}

static const struct {
	struct pmu_uarch_config cfg;
	unsigned lines;
	bool full_lru; /* no conflict can be */
} tables[] = {
	{ { .l1d = CACHE(64, 16, 1, LRU) }, 4, false },
	{ { .l1d = CACHE(256, 16, 2, LRU) }, 16, false },
	{ { .l1d = CACHE(256, 16, 16, LRU) }, 16, true },
	{ { .l1d = CACHE(16, 16, 1, RANDOM) }, 1, true },
	{ { .l1d = CACHE(256, 16, 4, PLRU) }, 16, false },
	{ { .l1d = CACHE(128, 16, 8, RANDOM) }, 8, false },
	{ { .dtlb = TLB(8, 2, LRU) }, 8, false },
	{ { .dtlb = TLB(8, 8, LRU) }, 8, true },
	{ { .dtlb = TLB(4, 1, RANDOM) }, 4, false },
};

static void naive_step(struct naive *t, struct run *r, bool full_lru)
{
	struct pmu_uarch_insn insn = { .code = some_span(1000, 2),
				       .data = some_span(below(N_PAGES), 1),
				       .load = true };
	bool pages;
	enum pmu_miss_reason reason;

	any = false;
	run_see(r, &insn);
	pages = r->n[PMU_UA_DTLB_LOADS];
	reason = naive_use(t, insn.data.vaddr / (pages ? 4096 : 16),
			   pages ? r->space.tag : 0);
	if (!any) {
		ck_assert(reason != PMU_MISS_COLD && reason != PMU_MISS_FENCE);
		return;
	}
	ck_assert_int_eq(last.reason, (int)reason);
	ck_assert_uint_eq(last.vaddr, insn.data.vaddr);
	ck_assert(!full_lru || reason != PMU_MISS_CONFLICT);
}

TEST_TIMES(reasons_are_those_of_two_slow_tables, (ARRAY_SIZE(tables) * N_SEEDS))
{
	const struct pmu_uarch_config *cfg = &tables[_i / N_SEEDS].cfg;
	struct naive t = { .near_size = tables[_i / N_SEEDS].lines };
	struct run r;

	seed = (uint64_t)_i + 1;
	run_begin(&r, cfg);
	run_explain(&r, cfg, keep_last);
	run_play(&r, "@1");
	for (unsigned i = 0; i < N_STEPS; i++) {
		naive_step(&t, &r, tables[_i / N_SEEDS].full_lru);
		if (cfg->l1d.size || below(100))
			continue;
		if (below(2)) {
			pmu_uarch_fence(r.u);
			t.n_near = t.n_held = 0;
		} else {
			run_play(&r, r.space.tag == 1 ? "@2" : "@1");
		}
	}
	run_end(&r);
}

/* What is remembered */

static void load(struct run *r, uint64_t line)
{
	struct pmu_uarch_insn insn = {
		.code = some_span(0, 2),
		.data = { line * 16, { line * 16, 0 }, 1 },
		.load = true,
	};

	any = false;
	run_see(r, &insn);
}

static void assert_reason(struct run *r, uint64_t line,
			  enum pmu_miss_reason reason)
{
	load(r, line);
	ck_assert(any);
	ck_assert_int_eq(last.reason, (int)reason);
}

/* As many as are promised; then nobody claims to know. */
TEST(what_is_too_long_ago_is_unknown)
{
	const uint64_t most = RUN_REMEMBERED + 4;
	struct run r;

	run_begin(&r, &cores[SETS]);
	run_explain(&r, &cores[SETS], keep_last);
	for (uint64_t line = 0; line < most; line++)
		assert_reason(&r, line, PMU_MISS_COLD);
	assert_reason(&r, 0, PMU_MISS_CAPACITY);
	assert_reason(&r, most, PMU_MISS_COLD);
	assert_reason(&r, 1, PMU_MISS_UNKNOWN);
	assert_reason(&r, most + 1, PMU_MISS_UNKNOWN);
	/* what is remembered is as sure as before */
	assert_reason(&r, 4, PMU_MISS_CAPACITY);
	assert_reason(&r, most - 5, PMU_MISS_CAPACITY);
	pmu_uarch_reset(r.u);
	pmu_misses_reset(r.why);
	assert_reason(&r, 1, PMU_MISS_COLD);
	run_end(&r);
}

/* More lines of set 1 than are remembered. */
static void flood(struct run *r)
{
	for (uint64_t line = 1; line < 2 * (RUN_REMEMBERED + 4); line += 2)
		load(r, line);
}

static void assert_victim(struct run *r, uint64_t line, uint64_t victim,
			  enum pmu_miss_victim how)
{
	load(r, line);
	ck_assert(any);
	ck_assert_uint_eq(last.victim_line, victim * 16);
	ck_assert_int_eq(last.victim, (int)how);
}

TEST(a_victim_that_is_forgotten_is_not_called_clean)
{
	struct run r;

	run_begin(&r, &cores[DIRECT]);
	run_explain(&r, &cores[DIRECT], keep_last);
	run_play(&r, "s0");
	flood(&r);
	assert_victim(&r, 2, 0, PMU_VICTIM_UNKNOWN);
	assert_victim(&r, 4, 2, PMU_VICTIM_CLEAN);
	/* nor when it is used again */
	flood(&r);
	load(&r, 4);
	ck_assert(!any);
	assert_victim(&r, 6, 4, PMU_VICTIM_UNKNOWN);
	flood(&r);
	run_play(&r, "s60");
	assert_victim(&r, 8, 6, PMU_VICTIM_DIRTY);
	run_end(&r);
}

SUITE("misses-random");
