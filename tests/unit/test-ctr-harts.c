/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Harts that differ: in their counters, and in the node of the tree that is for
 * them. Ids mean the same on all of them; what counts an event does not.
 */
#include "fw-fixture.h"

#include "dt-fixture.h"

#define LINES	"interrupts-extended"
#define NOT	-2
#define BAD	-3
#define FW_INFO (INT64_MIN | 0x3f000)

enum {
	N_HARTS = 3,
	LIST = 0x100,
	N_IDS = 9 + 16, /* hart 0 has 3-8, hart 1 only 3-5 */
	FIRST_FW = 9,
};

static const struct dt_cpu cpus[N_HARTS] = {
	{ 0, "rv64imac_zihpm_sscofpmf_smcntrpmf" },
	{ 1, "rv64imac_zihpm_sscofpmf_smcntrpmf" },
	{ 2, "rv64imac_zihpm_sscofpmf_smcntrpmf" },
};
/* Hart 2 has no node. */
static const struct dt_prop of_0[] = {
	PROP(RANGES, 1, 1, 0x101, 5, 5, 0x1f0),
	PROP(RAWS, 0, 2, ~0u, ~0u, 0x100),
	PROP(LINES, DT_INTC + 0, 13),
};
static const struct dt_prop of_1[] = {
	PROP(SELECTS, 6, 0, 5),
	PROP(RANGES, 5, 6, 0x1f0),
	PROP(LINES, DT_INTC + 1, 13),
};

struct world {
	struct bench b;
	void *dtb;
};

static void begin_of(struct world *w, enum fw_profile profile, unsigned cells)
{
	struct opts o = { .profile = profile,
			  .n_harts = N_HARTS,
			  .hpm_masks = { 0x1f8, 0x38, 0x1f8 } };

	w->dtb = dt_begin();
	dt_cpus_of(w->dtb, cpus, N_HARTS, cells);
	dt_pmu(w->dtb, "pmu-0", of_0, ARRAY_SIZE(of_0));
	dt_pmu(w->dtb, "pmu-1", of_1, ARRAY_SIZE(of_1));
	o.dtb = dt_end(w->dtb);
	bench_init(&w->b, &o);
}

static void begin(struct world *w, enum fw_profile profile)
{
	begin_of(w, profile, 1);
}

static void end(struct world *w)
{
	bench_fini(&w->b);
	free(w->dtb);
}

/* The reference has the first node for all harts. */
static const struct hart_row {
	const char *rule, *why;
	unsigned hart, fid;
	uint64_t a[5];
	int64_t spec, opensbi; /* the error, or the value of a success */
} hart_rows[] = {
#define ROW(rule, why, hart, fid, args, spec, opensbi)                         \
	{                                                                      \
		rule, why, hart, fid, args, spec, opensbi                      \
	}
#define A(...)                                                                 \
	{                                                                      \
		__VA_ARGS__                                                    \
	}
	ROW(RULE("C7"), "as the one with the most", 1, NUM, A(0), N_IDS, N_IDS),
	ROW(RULE("C10"), "counter 8 of hart 0", 0, INFO, A(8), 0x3fc08,
	    0x3fc08),
	ROW(RULE("C10"), "counter 8 of hart 1", 1, INFO, A(8), BAD, BAD),
	ROW(RULE("C5"), "the firmware's first, hart 1", 1, INFO, A(FIRST_FW),
	    FW_INFO, FW_INFO),
	ROW(RULE("C5"), "branches, hart 0", 0, CFG, A(3, 0x3f, 0, 5), 4, 4),
	ROW(RULE("C5"), "branches, hart 1", 1, CFG, A(3, 7, 0, 5), 4, 4),
	ROW(RULE("C5"), "branches, hart 2", 2, CFG, A(3, 0x3f, 0, 5), NOT, 4),
	ROW(RULE("C99"), "misses, hart 0", 0, CFG, A(3, 0x3f, 0, 6), NOT, NOT),
	ROW(RULE("C99"), "misses, hart 1, its selector", 1, CFG, A(3, 7, 0, 6),
	    4, NOT),
	ROW(RULE("C42"), "raw, hart 0", 0, CFG, A(3, 0x3f, 0, 0x20000, 2), 8,
	    8),
	ROW(RULE("C42"), "raw, hart 1", 1, CFG, A(3, 7, 0, 0x20000, 2), NOT,
	    NOT),
	ROW(RULE("C24"), "cycles, hart 0", 0, CFG, A(0, 0x1f9, 0, 1), 8, 8),
	ROW(RULE("C24"), "cycles, hart 1", 1, CFG, A(0, 0x39, 0, 1), 0, 0),
	ROW(RULE("C86"), "cycles, hart 2", 2, CFG, A(0, 0x1f9, 0, 1), 0, 8),
	ROW(RULE("C43"), "firmware, hart 2", 2, CFG,
	    A(FIRST_FW, 1, 0, FW_TIMER), FIRST_FW, FIRST_FW),
};

/* Whether an id has one cell or two. */
TEST_TIMES(each_hart_counts_as_its_node_says, 4 * ARRAY_SIZE(hart_rows))
{
	const struct hart_row *row = &hart_rows[_i / 4];
	int64_t want = _i & 1 ? row->opensbi : row->spec;
	uint64_t args[6] = { 0 };
	struct sbi_ret ret;
	struct world w;

	shows(row->rule);
	begin_of(&w, _i & 1, _i & 2 ? 2 : 1);
	memcpy(args, row->a, sizeof(row->a));
	ret = bench_call(&w.b, row->hart, PMU_EID, row->fid, args);
	ck_assert_msg(ret.error ? ret.error == want
				: ret.value == (uint64_t)want,
		      "%s: %d 0x%llx", row->why, (int)ret.error,
		      (unsigned long long)ret.value);
	end(&w);
}

/* Ids are of the hart with the most counters, whichever it is. */
static const uint32_t most_rows[][N_HARTS] = {
	{ 0x38, 0x1f8, 0x38 },
	{ 0x38, 0x38, 0x1f8 },
};

TEST_ROWS(any_hart_may_have_the_most, most_rows)
{
	struct opts o = { .n_harts = N_HARTS };
	struct bench b;

	shows(RULE("C7"));
	memcpy(o.hpm_masks, most_rows[_i], sizeof(most_rows[_i]));
	bench_init(&b, &o);
	for (unsigned hart = 0; hart < N_HARTS; hart++)
		ck_assert_uint_eq(
			bench_call(&b, hart, PMU_EID, NUM, (uint64_t[6]){ 0 })
				.value,
			N_IDS);
	bench_fini(&b);
}

/* What Linux does: the mask of the boot hart on the others, too. */
TEST_TIMES(the_mask_of_one_hart_on_another, 2)
{
	static const uint64_t all = (UINT64_C(1) << N_IDS) - 1 - 2;
	const uint64_t cfg[6] = { 0, all, 0, 5 }, stop[6] = { 0, all, RESET };
	struct sbi_ret ret;
	struct world w;

	shows(RULE("C17"));
	begin(&w, _i);
	ret = bench_call(&w.b, 1, PMU_EID, CFG, cfg);
	ck_assert_int_eq(ret.error, _i ? 0 : BAD);
	ck_assert_uint_eq(ret.value, _i ? 4 : 0);
	ck_assert_int_eq(bench_call(&w.b, 1, PMU_EID, STOP, stop).error,
			 _i ? SBI_ERR_ALREADY_STOPPED : BAD);
	end(&w);
}

/* The same list on each hart, and its own answers. */
TEST_TIMES(event_infos_are_the_harts_own, 2)
{
	static const uint32_t idx[] = { 1, 5, 6, FW_TIMER };
	static const unsigned want[2][N_HARTS][4] = {
		{
			{ 1, 1, 0, 1 },
			{ 1, 1, 1, 1 },
			{ 1, 0, 0, 1 },
		},
		{ { 1, 1, 0, 1 }, { 1, 1, 0, 1 }, { 1, 1, 0, 1 } },
	};
	const uint64_t args[6] = { RAM_BASE + LIST, 0, ARRAY_SIZE(idx) };
	struct world w;

	shows(RULE("C86 C5"));
	begin(&w, _i);
	for (unsigned hart = 0; hart < N_HARTS; hart++) {
		for (unsigned i = 0; i < ARRAY_SIZE(idx); i++)
			bench_store(&w.b, LIST + 16 * i, idx[i], 4);
		ck_assert_int_eq(
			bench_call(&w.b, hart, PMU_EID, EVENTS, args).error, 0);
		for (unsigned i = 0; i < ARRAY_SIZE(idx); i++)
			ck_assert_uint_eq(
				bench_load(&w.b, LIST + 16 * i + 4, 4),
				want[_i][hart][i]);
	}
	end(&w);
}

SUITE("ctr-harts");
