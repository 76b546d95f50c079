/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every operation on every kind of counter in every state, in both profiles,
 * with each flag that goes with it and with OF and LCOFIP set or not: 2 * 4 * 6
 * * 10 cells, as many calls as each has variants. The table is the oracle's.
 */
#include "sbi-oracle.h"

enum {
	PAGE_AT = 0x4000,
	START_VALUE = 12345,
	N_CELLS = 2 * N_KINDS * N_STATES * N_OPS,
	N_POSSIBLE = 220,
	N_VARIANTS = 32
};

struct cell {
	enum fw_profile profile;
	enum o_kind kind;
	enum o_state state;
	enum o_op op;
};

static struct cell cell_of(int i)
{
	struct cell c = { .op = (enum o_op)(i % N_OPS) };

	i /= N_OPS;
	c.state = (enum o_state)(i % N_STATES);
	i /= N_STATES;
	c.kind = (enum o_kind)(i % N_KINDS);
	c.profile = (enum fw_profile)(i / N_KINDS);
	return c;
}

/* By kind: the counter, its event, another one, one that it never counts. */
static const struct subject {
	unsigned n;
	uint64_t own, other, never, wrong;
} subjects[N_KINDS] = {
	[K_NONE] = { 1, 1, 2, 3, 0xf0005 },
	[K_HPM] = { 4, 2, 5, 3, 0xf0005 },
	[K_FIXED] = { 0, 1, 2, 2, 0xf0005 },
	[K_FW] = { 32, 0xf0005, 0xf0006, 2, 1 },
};

static bool possible(int i)
{
	struct cell c = cell_of(i);

	return oracle_cell(c.profile, c.kind, c.state, c.op).possible;
}

/* What is varied: CLEAR and AUTO, or a value or snapshot; OF, and whether it
 * has been kept by a start; LCOFIP. */
enum {
	V_FIRST = 1,
	V_SECOND = 2,
	V_OF = 4,
	V_LCOFI = 8,
	V_OLD = 16
};

struct both {
	struct bench b;
	struct oracle o;
};

static void both_call(struct both *t, unsigned fid, const uint64_t a[6])
{
	struct sbi_ret want = oracle_call(&t->o, 0, fid, a);
	struct sbi_ret got = bench_call(&t->b, 0, PMU_EID, fid, a);

	ck_assert_msg(got.error == want.error && got.value == want.value,
		      "fid %u: %d %llx, not %d %llx", fid, (int)got.error,
		      (unsigned long long)got.value, (int)want.error,
		      (unsigned long long)want.value);
	oracle_compare(&t->o, &t->b);
}
#define BOTH(t, fid, ...) both_call(t, fid, (const uint64_t[6]){ __VA_ARGS__ })

static void both_inhibit(struct both *t, unsigned n, bool stop)
{
	uint64_t inhibited = bench_csr(&t->b, 0, PMU_CSR_MCOUNTINHIBIT);

	inhibited &= ~(UINT64_C(1) << n);
	bench_poke(&t->b, 0, PMU_CSR_MCOUNTINHIBIT,
		   inhibited | (uint64_t)stop << n);
	oracle_inhibit(&t->o, 0, n, stop);
}

/* Gives counter @n, a programmable one, an overflow that hardware saw. */
static void overflow(struct both *t, unsigned n, bool old)
{
	BOTH(t, CFG, n, 1, 0, 2);
	BOTH(t, START, n, 1, INIT, UINT64_MAX);
	bench_run(&t->b, 0, 1);
	oracle_run(&t->o, 0, PMU_MODE_S, 1);
	BOTH(t, STOP, n, 1, 0);
	if (!old)
		return;
	BOTH(t, START, n, 1, 0);
	BOTH(t, STOP, n, 1, 0);
}

static void bring_to(struct both *t, const struct cell *c, unsigned variant)
{
	const struct subject *s = &subjects[c->kind];

	BOTH(t, SHMEM, RAM_BASE + PAGE_AT);
	if (c->kind == K_HPM && variant & V_OF)
		overflow(t, s->n, variant & V_OLD);
	else if (c->state == S_STOPPED || c->state == S_RUNNING)
		BOTH(t, CFG, s->n, 1, 0, s->own);
	if (c->kind == K_HPM && variant & V_OF &&
	    (c->state == S_FREE || c->state == S_WILD))
		BOTH(t, STOP, s->n, 1, RESET);
	if (c->state == S_RUNNING)
		BOTH(t, START, s->n, 1, 0);
	if (c->state == S_WILD)
		both_inhibit(t, s->n, false);
	if (c->state == S_LOOSE_STOP)
		BOTH(t, STOP, s->n, 1, 0);
	if (!(variant & V_LCOFI)) {
		pmu_irq_soft(t->b.harts[0], PMU_IRQ_LCOFI, false);
		t->o.hart[0].lcofi = false;
	}
	ck_assert_int_eq(t->o.hart[0].c[s->n].state, c->state);
}

static void operate(struct both *t, const struct cell *c, unsigned variant)
{
	const struct subject *s = &subjects[c->kind];
	uint64_t cfg = (variant & V_FIRST ? CLEAR : 0) |
		       (variant & V_SECOND ? AUTO : 0);
	uint64_t snap = variant & V_FIRST ? SNAP : 0;

	switch (c->op) {
	case O_MATCH:
		BOTH(t, CFG, s->n, 1, cfg, s->own);
		break;
	case O_SKIP_SAME:
		BOTH(t, CFG, s->n, 1, SKIP | cfg, s->own);
		break;
	case O_SKIP_OTHER:
		BOTH(t, CFG, s->n, 1, SKIP | cfg, s->other);
		break;
	case O_SKIP_FILTER:
		BOTH(t, CFG, s->n, 1, SKIP | UINH | cfg, s->own);
		break;
	case O_SKIP_NEVER:
		BOTH(t, CFG, s->n, 1, SKIP | cfg, s->never);
		break;
	case O_SKIP_WRONG:
		BOTH(t, CFG, s->n, 1, SKIP | cfg, s->wrong);
		break;
	case O_START:
		BOTH(t, START, s->n, 1, variant & 3, START_VALUE);
		break;
	case O_STOP:
		BOTH(t, STOP, s->n, 1, snap);
		break;
	case O_RESET:
		BOTH(t, STOP, s->n, 1, RESET | snap);
		break;
	case O_READ:
	case N_OPS:
		BOTH(t, READ, s->n);
		BOTH(t, READ_HI, s->n);
		BOTH(t, INFO, s->n);
		break;
	}
}

/* The cell itself, where nothing but it decides the answer. */
static void check_cell(const struct both *t, const struct cell *c,
		       const struct o_cell *want, unsigned variant)
{
	const struct o_counter *got = &t->o.hart[0].c[subjects[c->kind].n];

	if (c->op < O_START && variant & V_SECOND)
		return;
	if (c->op == O_START && variant & 3)
		return;
	ck_assert_int_eq(got->state, want->next);
}

TEST_WHERE(every_operation_in_every_state, 0, N_CELLS, possible(_i))
{
	struct cell c = cell_of(_i);
	struct o_cell want = oracle_cell(c.profile, c.kind, c.state, c.op);
	struct opts opts = { .profile = c.profile };
	static struct both t;

	shows(RULE("C23 C26 C29 C30 C31 C32 C33 C35 C36 C37 C51 C52 C55 C58"));
	shows(RULE("C61 C62 C63 C64 C67 C71 C72 C79 C80"));
	for (unsigned variant = 0; variant < N_VARIANTS; variant++) {
		bench_init(&t.b, &opts);
		oracle_init(&t.o, &opts);
		bring_to(&t, &c, variant);
		operate(&t, &c, variant);
		check_cell(&t, &c, &want, variant);
		bench_fini(&t.b);
	}
}

/* A state that a counter cannot be in is one that no call leads to. */
TEST(the_table_is_closed)
{
	int n = 0;

	for (int i = 0; i < N_CELLS; i++) {
		struct cell c = cell_of(i);
		struct o_cell cell =
			oracle_cell(c.profile, c.kind, c.state, c.op);

		if (!cell.possible)
			continue;
		n++;
		ck_assert(oracle_cell(c.profile, c.kind, cell.next, c.op)
				  .possible);
	}
	ck_assert_int_eq(n, N_POSSIBLE);
}

SUITE("sbi-table");
