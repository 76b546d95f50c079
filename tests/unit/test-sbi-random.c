/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Random sequences of PMU calls on several harts, with instructions, other
 * calls and a supervisor that starts and stops counters by itself in between.
 * After each step answer, counters, registers and memory are those of the
 * oracle.
 */
#include "../fuzz/seeds.h"
#include "sbi-oracle.h"

enum {
	N_HARTS = 3,
	N_STEPS = 5000,
	PAGES_AT = 0x4000, /* one for each hart */
	PAGE = 0x1000,
	LIST_AT = 0x1000,
	N_LIST = 6,
};

static const struct world {
	enum fw_profile profile;
	unsigned xlen;
	uint64_t without, hpm_mask;
	unsigned fw_counters; /* 0: 6 */
} worlds[] = {
	{ FW_PROFILE_SPEC, 64, 0, 0, 32 }, /* 64 ids */
	{ FW_PROFILE_OPENSBI, 64, 0, 0, 32 },
	{ FW_PROFILE_OPENSBI, 32, 0, 0, 32 },
	{ FW_PROFILE_SPEC, 64, 0, 0 },
	{ FW_PROFILE_SPEC, 64, 0, 0x78 },
	{ FW_PROFILE_SPEC, 64, PMU_EXT_SMCNTRPMF, 0x7fff8 },
	{ FW_PROFILE_SPEC, 64, PMU_EXT_SSCOFPMF, 0x3e3f8 },
	{ FW_PROFILE_SPEC, 32, 0, 0x7fff8 },
	{ FW_PROFILE_SPEC, 32, PMU_EXT_SSCOFPMF, 0 },
	{ FW_PROFILE_OPENSBI, 64, 0, 0x7fff8 },
	{ FW_PROFILE_OPENSBI, 64, 0, 0x78 },
	{ FW_PROFILE_OPENSBI, 64, PMU_EXT_SMCNTRPMF, 0 },
	{ FW_PROFILE_OPENSBI, 64, PMU_EXT_SSCOFPMF, 0x3e3f8 },
	{ FW_PROFILE_OPENSBI, 32, 0, 0 },
	{ FW_PROFILE_OPENSBI, 32, PMU_EXT_SSCOFPMF, 0x78 },
};

struct run {
	struct bench b;
	struct oracle o;
	uint64_t rng;
};

static uint64_t next(struct run *r)
{
	r->rng ^= r->rng << 13;
	r->rng ^= r->rng >> 7;
	r->rng ^= r->rng << 17;
	return r->rng;
}

static uint64_t pick(struct run *r, const uint64_t *from, size_t n)
{
	return from[next(r) % n];
}
#define PICK(r, ...)                                                           \
	pick(r, (const uint64_t[]){ __VA_ARGS__ },                             \
	     sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

/* A set: one counter, a few from one on, anything. */
static void random_set(struct run *r, uint64_t a[6])
{
	unsigned n = r->o.hart[0].n;
	uint64_t any = next(r), one = PICK(r, 3, 4, any % n);

	a[0] = PICK(r, 0, 0, one, one, one, 3, n - 1, n, any % 80, any);
	a[1] = PICK(r, 1, 1, 1, 3, 5, 0xf, 0xfd, 0xfffffffd, 0, any % 256,
		    UINT64_C(1) << any % 64, any);
}

static void random_event(struct run *r, uint64_t a[6])
{
	const struct o_event *e = &o_events[next(r) % n_o_events];

	a[3] = e->idx;
	a[4] = e->data;
	a[5] = r->o.xlen == 32 ? e->data >> 32 : next(r);
}

static void random_value(struct run *r, uint64_t a[6])
{
	uint64_t value = PICK(r, UINT64_MAX, UINT64_MAX - 1, 0, next(r));

	a[3] = value;
	a[4] = r->o.xlen == 32 ? value >> 32 : next(r);
}

static void random_args(struct run *r, unsigned hart, unsigned fid,
			uint64_t a[6])
{
	uint64_t any = next(r), page = RAM_BASE + PAGES_AT + hart * PAGE;

	random_set(r, a);
	a[2] = PICK(r, 0, 0, 0, 1, 2, 3, 4, 6, any & 7, any & 0xff, any);
	a[3] = a[4] = a[5] = any;
	if (fid == CFG)
		random_event(r, a);
	if (fid == START)
		random_value(r, a);
	if (fid != SHMEM && fid != EVENTS)
		return;
	a[0] = fid == EVENTS ? RAM_BASE + LIST_AT : page;
	a[0] = PICK(r, a[0], a[0], a[0], a[0] + 8, 0, RAM_BASE + RAM_SIZE,
		    UINT64_MAX);
	a[1] = PICK(r, 0, 0, 0, 1, UINT64_MAX);
	a[2] = fid == EVENTS ? PICK(r, 1, N_LIST, N_LIST, 0, UINT64_C(1) << 60)
			     : PICK(r, 0, 0, 0, 1);
	a[3] = PICK(r, 0, 0, 0, 1);
}

static void both_ram(struct run *r, unsigned at, uint64_t value, unsigned bytes)
{
	bench_store(&r->b, at, value, bytes);
	memcpy(r->o.ram + at, r->b.ram + at, bytes);
}

static void one_call(struct run *r, unsigned hart)
{
	unsigned fid =
		(unsigned)PICK(r, NUM, INFO, CFG, CFG, CFG, CFG, START, START,
			       START, STOP, STOP, READ, READ_HI, SHMEM, EVENTS);
	struct sbi_ret got, want;
	uint64_t a[6];

	random_args(r, hart, fid, a);
	want = oracle_call(&r->o, hart, fid, a);
	got = bench_call(&r->b, hart, PMU_EID, fid, a);
	ck_assert_msg(got.error == want.error && got.value == want.value,
		      "hart %u fid %u (%llx %llx %llx %llx %llx): "
		      "%d %llx, not %d %llx",
		      hart, fid, (unsigned long long)a[0],
		      (unsigned long long)a[1], (unsigned long long)a[2],
		      (unsigned long long)a[3], (unsigned long long)a[4],
		      (int)got.error, (unsigned long long)got.value,
		      (int)want.error, (unsigned long long)want.value);
}

static void other_call(struct run *r, unsigned hart, uint32_t eid, uint64_t a0)
{
	const uint64_t args[6] = { a0 };
	unsigned remote = (unsigned)__builtin_popcountll(
		a0 & ((1 << N_HARTS) - 1) & ~(UINT64_C(1) << hart));

	bench_call(&r->b, hart, eid, 0, args);
	oracle_fw_event(&r->o, hart, 0xf0100);
	if (eid == TIME_EID)
		oracle_fw_event(&r->o, hart, 0xf0005);
	for (; eid == IPI_EID && remote; remote--)
		oracle_fw_event(&r->o, hart, 0xf0006);
}

static void run_some(struct run *r, unsigned hart)
{
	enum pmu_mode mode = next(r) % 2 ? PMU_MODE_S : PMU_MODE_U;
	uint64_t n = 1 + next(r) % 3;

	pmu_hart_set_mode(r->b.harts[hart], mode);
	bench_run(&r->b, hart, n);
	pmu_hart_set_mode(r->b.harts[hart], PMU_MODE_S);
	oracle_run(&r->o, hart, mode, n);
}

/* As S-mode does through scountinhibit: any counter, whosever it is. */
static void inhibit(struct run *r, unsigned hart)
{
	uint64_t inhibited = bench_csr(&r->b, hart, PMU_CSR_MCOUNTINHIBIT);
	unsigned n = (unsigned)(next(r) % 8);
	bool stop = next(r) % 2;

	inhibited &= ~(UINT64_C(1) << n);
	bench_poke(&r->b, hart, PMU_CSR_MCOUNTINHIBIT,
		   inhibited | (uint64_t)stop << n);
	oracle_inhibit(&r->o, hart, n, stop);
}

/* What happens between the calls. */
static void live(struct run *r, unsigned hart)
{
	switch (next(r) % 8) {
	case 0:
	case 1:
		run_some(r, hart);
		break;
	case 2:
		other_call(r, hart, TIME_EID, UINT64_MAX);
		break;
	case 3:
		other_call(r, hart, IPI_EID, next(r) % (1 << N_HARTS));
		break;
	case 4:
		pmu_irq_soft(r->b.harts[hart], PMU_IRQ_LCOFI, false);
		r->o.hart[hart].lcofi = 0;
		break;
	case 5:
		inhibit(r, hart);
		break;
	case 6:
		both_ram(r, PAGES_AT + hart * PAGE + next(r) % 80 * 8, next(r),
			 8);
		break;
	default: /* nothing */
		break;
	}
}

static void fill_list(struct run *r)
{
	for (unsigned i = 0; i < N_LIST; i++) {
		const struct o_event *e = &o_events[next(r) % n_o_events];

		both_ram(r, LIST_AT + 16 * i, e->idx, 4);
		both_ram(r, LIST_AT + 16 * i + 4, 0xdead, 4);
		both_ram(r, LIST_AT + 16 * i + 8, e->data, 8);
	}
}

TEST_RANGE(random_calls_do_what_the_oracle_says, fuzz_first(),
	   fuzz_end(ARRAY_SIZE(worlds)))
{
	const struct world *w = &worlds[(unsigned)_i % ARRAY_SIZE(worlds)];
	struct opts o = { .profile = w->profile,
			  .xlen = w->xlen,
			  .without = w->without,
			  .hpm_mask = w->hpm_mask,
			  .fw_counters = w->fw_counters ? w->fw_counters : 6,
			  .n_harts = N_HARTS };
	static struct run r;

	shows(RULE("C5 C15 C16 C17 C23 C24 C26 C28 C30 C33 C51 C54 C55 C61"));
	shows(RULE("C62 C67 C69 C70 C71 C73 C76 C83 C85 C89 C91 C136"));
	r.rng = fuzz_seed((unsigned)_i);
	bench_init(&r.b, &o);
	oracle_init(&r.o, &o);
	for (unsigned i = 0; i < N_STEPS; i++) {
		unsigned hart = (unsigned)(next(&r) % N_HARTS);

		if (i % 16 == 0)
			fill_list(&r);
		one_call(&r, hart);
		oracle_compare(&r.o, &r.b);
		live(&r, hart);
		oracle_compare(&r.o, &r.b);
	}
	bench_fini(&r.b);
}

SUITE("sbi-random");
