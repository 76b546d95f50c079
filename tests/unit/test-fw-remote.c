/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests between harts: every kind of IPI and fence, from every hart, to
 * every choice of targets, in both profiles. All of SBI's firmware events of
 * all harts are compared, so that nothing counts beside what must.
 */
#include "fw-fixture.h"

enum {
	N_HARTS = 4,
	MASK_AT = 0x100,
	IPI_SENT = 6,
	NOWHERE = 1 << 9, /* a hart that is not there */
};

static const struct kind {
	const char *why;
	uint32_t eid, fid;
	unsigned sent; /* the event; the one received follows */
	bool legacy;   /* the mask is in memory */
} kinds[] = {
	{ "IPI", IPI_EID, 0, IPI_SENT, false },
	{ "fence.i", RFENCE_EID, 0, 8, false },
	{ "sfence.vma", RFENCE_EID, 1, 10, false },
	{ "sfence.vma with ASID", RFENCE_EID, 2, 12, false },
	{ "hfence.gvma", RFENCE_EID, 4, 14, false },
	{ "hfence.gvma with VMID", RFENCE_EID, 3, 16, false },
	{ "hfence.vvma", RFENCE_EID, 6, 18, false },
	{ "hfence.vvma with ASID", RFENCE_EID, 5, 20, false },
	{ "legacy IPI", 4, 0, IPI_SENT, true },
	{ "legacy fence.i", 5, 0, 8, true },
	{ "legacy sfence.vma", 6, 0, 10, true },
	{ "legacy sfence.vma with ASID", 7, 0, 12, true },
};

enum {
	SELF = 1,
	OTHERS = 2, /* all of them */
	ONE = 4,    /* the next hart */
};
static const struct target {
	const char *why;
	unsigned who;
	bool all; /* by base -1, or no mask */
	int error;
} targets[] = {
	{ "nobody", 0, false, 0 },
	{ "self", SELF, false, 0 },
	{ "another", ONE, false, 0 },
	{ "self and another", SELF | ONE, false, 0 },
	{ "the others", OTHERS, false, 0 },
	{ "all", SELF | OTHERS, true, 0 },
	{ "another and nowhere", ONE, false, SBI_ERR_INVALID_PARAM },
};
enum {
	N_KINDS = ARRAY_SIZE(kinds),
	N_TARGETS = ARRAY_SIZE(targets),
	N_TESTS = N_KINDS * N_TARGETS * N_HARTS * 2,
};

static uint64_t mask_of(const struct target *t, unsigned from)
{
	uint64_t self = UINT64_C(1) << from, mask = 0;

	if (t->who & SELF)
		mask |= self;
	if (t->who & OTHERS)
		mask |= ((1u << N_HARTS) - 1) & ~self;
	if (t->who & ONE)
		mask |= UINT64_C(1) << (from + 1) % N_HARTS;
	return mask;
}

static struct sbi_ret request(struct bench *b, const struct kind *k,
			      const struct target *t, unsigned from)
{
	uint64_t mask = mask_of(t, from) | (t->error ? NOWHERE : 0);
	uint64_t args[6] = { mask, 0 };

	if (k->legacy) {
		bench_store(b, MASK_AT, mask, 8);
		args[0] = t->all ? 0 : RAM_BASE + MASK_AT;
	} else if (t->all) {
		args[1] = UINT64_MAX;
	}
	return bench_call(b, from, k->eid, k->fid, args);
}

typedef uint64_t counts[N_HARTS][FW_N_STANDARD];

/* C92, C93: what a request of @from to @set must count. */
static void expect(counts want, const struct kind *k, unsigned from,
		   uint64_t set, bool opensbi)
{
	bool ipi = k->sent == IPI_SENT;
	uint64_t remote = set & ~(UINT64_C(1) << from);

	if (!ipi && (remote || opensbi))
		want[from][k->sent]++;
	for (unsigned h = 0; h < N_HARTS; h++) {
		if (remote >> h & 1 && (ipi || opensbi)) {
			want[from][IPI_SENT]++;
			want[h][IPI_SENT + 1]++;
		}
		if (!ipi && (opensbi ? set : remote) >> h & 1)
			want[h][k->sent + 1]++;
	}
}

TEST_TIMES(requests_count_on_both_sides, N_TESTS)
{
	const struct kind *k = &kinds[_i / 2 % N_KINDS];
	const struct target *t = &targets[_i / 2 / N_KINDS % N_TARGETS];
	unsigned from = (unsigned)_i / 2 / N_KINDS / N_TARGETS;
	/* Of a legacy mask who is not there is left out, but by the reference.
	 */
	bool fails = t->error && (!k->legacy || _i & 1);
	struct opts o = { .profile = _i & 1,
			  .n_harts = N_HARTS,
			  .with = PMU_EXT_H };
	counts want = { 0 };
	struct bench b;

	shows(RULE("C92 C93 C94"));
	shows(k->legacy ? RULE("C95") : NULL);
	bench_init(&b, &o);
	ck_assert_int_eq(request(&b, k, t, from).error, fails ? t->error : 0);
	if (!fails)
		expect(want, k, from, mask_of(t, from), _i & 1);
	else if (_i & 1 && k->sent != IPI_SENT)
		want[from][k->sent]++;
	for (unsigned h = 0; h < N_HARTS; h++)
		for (unsigned e = 0; e < FW_N_STANDARD; e++)
			ck_assert_msg(fw_event_total(b.fw, h, e) == want[h][e],
				      "%s to %s: %s of hart %u", k->why, t->why,
				      fw_event_desc(e)->name, h);
	bench_fini(&b);
}

/* Whatever they do, over all harts as many are received as were sent. */
TEST(ipis_sent_are_received)
{
	struct opts o = { .n_harts = N_HARTS };
	uint64_t rng = 12345, sent = 0, received = 0;
	struct bench b;

	shows(RULE("C93"));
	bench_init(&b, &o);
	for (unsigned i = 0; i < 300; i++) {
		rng = rng * UINT64_C(6364136223846793005) + 1;
		request(&b, &kinds[rng >> 40 & 1 ? 0 : 8],
			&targets[(rng >> 45) % N_TARGETS], rng >> 50 & 3);
		if (rng >> 60 & 1)
			bench_run(&b, rng >> 55 & 3, 1);
	}
	for (unsigned h = 0; h < N_HARTS; h++) {
		sent += fw_event_total(b.fw, h, IPI_SENT);
		received += fw_event_total(b.fw, h, IPI_SENT + 1);
	}
	ck_assert_uint_gt(sent, 100);
	ck_assert_uint_eq(sent, received);
	bench_fini(&b);
}

SUITE("fw-remote");
