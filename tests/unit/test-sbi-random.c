/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Random sequences of PMU calls against what always holds: a refused call
 * changes nothing, another hart is never touched, M-mode never counts, memory
 * changes in the snapshot page only.
 */
#include "fw-fixture.h"

enum {
	MAX_IDS = 64,
	N_CALLS = 1000,
	PAGE_AT = 0x4000,
	PAGE = 0x1000
};

static const struct world {
	enum fw_profile profile;
	unsigned xlen;
	uint32_t without, hpm_mask;
} worlds[] = {
	{ FW_PROFILE_SPEC, 64, 0, 0 },
	{ FW_PROFILE_SPEC, 64, PMU_EXT_SMCNTRPMF, 0x7fff8 },
	{ FW_PROFILE_SPEC, 64, PMU_EXT_SSCOFPMF, 0x3e3f8 },
	{ FW_PROFILE_SPEC, 32, 0, 0x7fff8 },
	{ FW_PROFILE_OPENSBI, 64, 0, 0x7fff8 },
	{ FW_PROFILE_OPENSBI, 64, PMU_EXT_SMCNTRPMF, 0 },
	{ FW_PROFILE_OPENSBI, 64, PMU_EXT_SSCOFPMF, 0x3e3f8 },
	{ FW_PROFILE_OPENSBI, 32, 0, 0 },
};

static uint64_t next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static uint64_t pick(uint64_t *rng, const uint64_t *from, size_t n)
{
	return from[next(rng) % n];
}
#define PICK(rng, ...)                                                         \
	pick(rng, (const uint64_t[]){ __VA_ARGS__ },                           \
	     sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

/* Everything that a PMU call of hart @hart may change. */
struct view {
	struct fw_counter ctr[MAX_IDS];
	uint64_t event[32];
	uint32_t inhibit;
};

static void look(const struct bench *b, unsigned hart, struct view *v)
{
	memset(v, 0, sizeof(*v));
	for (unsigned n = 0; n < fw_num_counters(b->fw, hart); n++)
		fw_counter_state(b->fw, hart, n, &v->ctr[n]);
	for (unsigned n = 0; n < 32; n++)
		v->event[n] = pmu_counter_event(b->harts[hart], n);
	v->inhibit = pmu_counter_inhibit(b->harts[hart]);
}

static bool same(const struct view *a, const struct view *b)
{
	for (unsigned n = 0; n < MAX_IDS; n++) {
		const struct fw_counter *x = &a->ctr[n], *y = &b->ctr[n];

		if (x->exists != y->exists || x->mapped != y->mapped ||
		    x->started != y->started || x->value != y->value ||
		    x->event_idx != y->event_idx ||
		    x->event_data != y->event_data || x->flags != y->flags)
			return false;
	}
	return !memcmp(a->event, b->event, sizeof(a->event)) &&
	       a->inhibit == b->inhibit;
}

static void random_args(uint64_t *rng, unsigned fid, uint64_t a[6])
{
	uint64_t any = next(rng);

	a[0] = PICK(rng, 0, 0, 0, 3, 4, 16, 19, 20, 32, any % 64, any);
	a[1] = PICK(rng, 1, 3, 5, 0xfffffffd, 0x7fffffffd, any % 256, any, 0);
	a[2] = PICK(rng, 0, 0, 1, 2, 4, 6, any & 0xff, any);
	a[3] = PICK(rng, 1, 2, 5, 0x20000, 0x30000, FW_TIMER, 0xf0006, any);
	a[4] = PICK(rng, 0, 0, 0, 5, 2, any);
	a[5] = any;
	if (fid == START)
		a[3] = PICK(rng, UINT64_MAX, UINT64_MAX - 1, any);
	if (fid == SHMEM || fid == EVENTS) {
		a[0] = PICK(rng, RAM_BASE + PAGE_AT, RAM_BASE + PAGE_AT, 0,
			    UINT64_MAX, any);
		a[1] = PICK(rng, 0, 0, UINT64_MAX);
		a[2] = PICK(rng, 0, 0, 1, 3);
		a[3] = PICK(rng, 0, 0, 0, 1);
	}
}

static bool error_known(unsigned fid, int64_t error)
{
	if (error >= 0 || error == SBI_ERR_INVALID_PARAM)
		return error <= 0;
	if (fid == CFG)
		return error == SBI_ERR_NOT_SUPPORTED;
	if (fid == SHMEM || fid == EVENTS)
		return error == SBI_ERR_INVALID_ADDRESS;
	if (fid == START || fid == STOP)
		return error == SBI_ERR_NO_SHMEM ||
		       error == (fid == START ? SBI_ERR_ALREADY_STARTED
					      : SBI_ERR_ALREADY_STOPPED);
	return false;
}

/* -7 and -8 are about one of a set: the others may have changed. */
static bool refused(unsigned fid, const uint64_t a[6], int64_t error)
{
	if (error != SBI_ERR_ALREADY_STARTED &&
	    error != SBI_ERR_ALREADY_STOPPED)
		return error;
	return __builtin_popcountll(a[1]) == 1 &&
	       !(fid == STOP && a[2] & RESET);
}

static void check_view(const struct bench *b, const struct world *w,
		       const struct view *v)
{
	bool filters = !(w->without & PMU_EXT_SSCOFPMF);

	for (unsigned n = 0; n < fw_num_counters(b->fw, 0); n++) {
		const struct fw_counter *c = &v->ctr[n];

		ck_assert(!c->mapped || c->exists);
		if (!c->mapped)
			continue;
		ck_assert(c->firmware == (c->event_idx >> 16 == 15));
		if (!c->firmware && filters && n > 2)
			ck_assert(v->event[n] & PMU_EVENT_MINH);
		if (!c->firmware && !filters && n > 2)
			ck_assert_uint_eq(v->event[n] >> 56, 0);
	}
	ck_assert(!(v->inhibit & 2));
}

static void one_call(struct bench *b, const struct world *w, uint64_t *rng)
{
	static struct view before, after, other, other_after;
	static uint8_t ram[RAM_SIZE];
	unsigned fid =
		(unsigned)PICK(rng, NUM, INFO, CFG, CFG, CFG, START, START,
			       STOP, STOP, READ, READ_HI, SHMEM, EVENTS);
	bool page = fid == EVENTS;
	struct sbi_ret ret;
	uint64_t a[6];

	random_args(rng, fid, a);
	look(b, 0, &before);
	look(b, 1, &other);
	memcpy(ram, b->ram, sizeof(ram));
	ret = bench_call(b, 0, PMU_EID, fid, a);
	look(b, 0, &after);
	look(b, 1, &other_after);
	ck_assert_msg(error_known(fid, ret.error), "fid %u: %d", fid,
		      (int)ret.error);
	ck_assert(!ret.error || !ret.value);
	ck_assert(fid < START || fid == READ || fid == READ_HI || !ret.value);
	if (fid != CFG && fid != START && fid != STOP)
		ck_assert(same(&before, &after));
	if (refused(fid, a, ret.error))
		ck_assert_msg(same(&before, &after), "fid %u: %d", fid,
			      (int)ret.error);
	ck_assert(same(&other, &other_after));
	check_view(b, w, &after);
	page = page || (fid == STOP && a[2] & SNAP);
	ck_assert(!memcmp(ram, b->ram, PAGE_AT));
	ck_assert(!memcmp(ram + PAGE_AT + PAGE, b->ram + PAGE_AT + PAGE,
			  RAM_SIZE - PAGE_AT - PAGE));
	ck_assert(page || !memcmp(ram, b->ram, RAM_SIZE));
}

/* What happens between the calls. */
static void live(struct bench *b, uint64_t *rng)
{
	switch (next(rng) % 6) {
	case 0:
		bench_run(b, 0, 1 + next(rng) % 3);
		break;
	case 1:
		CALL(b, TIME_EID, 0, UINT64_MAX);
		break;
	case 2:
		CALL(b, IPI_EID, 0, 3, 0);
		break;
	case 3:
		pmu_irq_soft(b->harts[0], PMU_IRQ_LCOFI, false);
		break;
	}
}

START_TEST(random_calls_keep_the_rules)
{
	const struct world *w = &worlds[_i];
	struct opts o = { .profile = w->profile,
			  .xlen = w->xlen,
			  .without = w->without,
			  .hpm_mask = w->hpm_mask,
			  .n_harts = 2 };
	uint64_t rng = 0x9e3779b97f4a7c15 + (uint64_t)_i;
	struct bench b;

	bench_init(&b, &o);
	bench_call(&b, 1, PMU_EID, CFG, (const uint64_t[6]){ 3, 1, AUTO, 2 });
	for (unsigned i = 0; i < N_CALLS; i++) {
		one_call(&b, w, &rng);
		live(&b, &rng);
	}
	bench_fini(&b);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("sbi-random");
	TCase *tc = tcase_create("sbi-random");

	tcase_add_loop_test(tc, random_calls_keep_the_rules, 0,
			    ARRAY_SIZE(worlds));
	suite_add_tcase(s, tc);
	return unit_main(s);
}
