/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Records of accesses to CSRs over the scripted engine: one for each that is to
 * be told, as of the moment before it, ahead of what follows from it; none
 * unless asked for; and nothing else is another for them.
 */
#include <pmu/csr-number.h>

#include "machine-script.h"

#define KIND(name) PMU__V1__RECORD__KIND_##name

enum {
	MPP = 3 << 11,
};

static void run(const char *settings, bool recorded)
{
	const struct fixture_config cfg = { .m_mode = true,
					    .settings = settings,
					    .traps = true,
					    .csr_accesses = recorded };

	fixture_play(&f, &cfg, 1000);
}

/* The record at @n, which must be an access to @csr at @pc and @cycle. */
static const Pmu__V1__CsrAccess *access_at(const Pmu__V1__Trace *t, size_t n,
					   uint32_t csr, uint64_t pc,
					   uint64_t cycle)
{
	const Pmu__V1__Record *r;

	ck_assert_uint_gt(t->n_records, n);
	r = t->records[n];
	ck_assert_int_eq(r->kind_case, KIND(CSR_ACCESS));
	ck_assert_uint_eq(r->csr_access->csr, csr);
	ck_assert_uint_eq(r->pc, pc);
	ck_assert_uint_eq(r->cycle, cycle);
	return r->csr_access;
}

static const struct fake_op told_ops[] = {
	NOP,
	LI(1, 0x222),
	CSRW(MIE, 1), /* 2 */
	CSRW(MSCRATCH, 1),
	CSRR(2, MINSTRET), /* 4 */
	CSRW(MINSTRET, 1), /* 5 */
	CSRR(0, MIE),
	PASS,
};

TEST(an_access_is_a_record_of_the_moment_before)
{
	const Pmu__V1__CsrAccess *a;
	Pmu__V1__Trace *t;

	SCRIPT(told_ops);
	run("cpi=3", true);
	t = fixture_trace(&f);
	ck_assert_uint_eq(t->n_records, 1 + 4 + 1); /* a start, an end */
	a = access_at(t, 1, MIE, PC(2), 6);
	ck_assert(a->written && !a->read);
	ck_assert_uint_eq(a->old_value, 0);
	ck_assert_uint_eq(a->new_value, 0x222);
	ck_assert_uint_eq(t->records[1]->insn, 2);
	ck_assert_int_eq(t->records[1]->privilege,
			 PMU__V1__PRIVILEGE__PRIVILEGE_M);
	a = access_at(t, 2, MINSTRET, PC(4), 12);
	ck_assert(a->read && !a->written);
	ck_assert_uint_eq(a->old_value, 4);
	a = access_at(t, 3, MINSTRET, PC(5), 15);
	ck_assert_uint_eq(a->old_value, 5);
	ck_assert_uint_eq(a->new_value, 0x222);
	a = access_at(t, 4, MIE, PC(6), 18);
	ck_assert(a->read && !a->written);
	fixture_free_trace(t);
}

/* Counter 3 counts instructions and overflows at its own reading. */
static const struct fake_op behind_ops[] = {
	LI(1, 2),
	CSRW(MHPMEVENT3, 1),
	LI(1, -1),
	CSRW(MHPMCOUNTER3, 1),
	CSRR(2, MHPMCOUNTER3), /* 4 */
	PASS,
};

TEST(what_it_brings_stands_behind_it)
{
	const Pmu__V1__Record *r;
	Pmu__V1__Trace *t;

	SCRIPT(behind_ops);
	run("", true);
	t = fixture_trace(&f);
	ck_assert_uint_eq(access_at(t, 2, MHPMCOUNTER3, PC(3), 3)->new_value,
			  UINT64_MAX);
	ck_assert_uint_eq(access_at(t, 3, MHPMCOUNTER3, PC(4), 4)->old_value,
			  UINT64_MAX);
	r = t->records[4];
	ck_assert_int_eq(r->kind_case, KIND(OVERFLOW));
	ck_assert_uint_eq(r->overflow->last_pc, PC(4));
	ck_assert_uint_eq(r->cycle, 5);
	fixture_free_trace(t);
}

/* U, where mcounteren is 0 and CSRs of M are beyond reach. */
static const struct fake_op refused_ops[] = {
	LI(1, PC(8)),
	CSRW(MTVEC, 1),
	LI(1, PC(5)),
	CSRW(MEPC, 1),
	INSN(FAKE_MRET),
	CSRR(2, CYCLE), /* 5 */
	NOP,
	NOP,
	LI(1, MPP), /* 8 */
	CSRR(2, MSTATUS),
	PASS,
};

TEST(a_refused_one_stands_before_its_trap)
{
	const Pmu__V1__CsrAccess *a;
	Pmu__V1__Trace *t;

	SCRIPT(refused_ops);
	run("", true);
	t = fixture_trace(&f);
	a = access_at(t, 1, CYCLE, PC(5), 5);
	ck_assert(a->read && !a->written);
	ck_assert_int_eq(a->refusal,
			 PMU__V1__CSR_ACCESS__REFUSAL__REFUSAL_CLOSED);
	ck_assert_uint_eq(a->closed_by, PMU_CSR_MCOUNTEREN);
	ck_assert_int_eq(t->records[1]->privilege,
			 PMU__V1__PRIVILEGE__PRIVILEGE_U);
	ck_assert_int_eq(t->records[2]->kind_case, KIND(TRAP));
	ck_assert_uint_eq(t->records[2]->pc, PC(5));
	access_at(t, 3, MSTATUS, PC(9), 7);
	fixture_free_trace(t);
}

static const struct {
	const struct fake_op *ops;
	size_t n;
} scripts[] = {
	{ told_ops, ARRAY_SIZE(told_ops) },
	{ behind_ops, ARRAY_SIZE(behind_ops) },
	{ refused_ops, ARRAY_SIZE(refused_ops) },
};

/* Records that are no accesses, one behind the other. */
static size_t others(struct fixture *x, Pmu__V1__Record **ret,
		     Pmu__V1__Trace **ret_trace)
{
	Pmu__V1__Trace *t = *ret_trace = fixture_trace(x);
	size_t n = 0;

	for (size_t i = 0; i < t->n_records; i++)
		if (t->records[i]->kind_case != KIND(CSR_ACCESS))
			ret[n++] = t->records[i];
	return n;
}

TEST_ROWS(unless_it_is_asked_for_there_is_none_and_all_else_is_the_same,
	  scripts)
{
	Pmu__V1__Record *with[16], *without[16];
	struct machine_status s;
	Pmu__V1__Trace *t, *u;
	uint8_t a[256], b[256];
	struct fixture first;
	size_t n;

	script(scripts[_i].ops, scripts[_i].n);
	run("", true);
	first = f;
	s = fixture_status(&first);
	run("", false);
	n = others(&first, with, &t);
	ck_assert_uint_lt(n, t->n_records);
	ck_assert_uint_eq(others(&f, without, &u), n);
	ck_assert_uint_eq(u->n_records, n);
	for (size_t i = 0; i < n; i++) {
		size_t len = pmu__v1__record__pack(with[i], a);

		ck_assert_uint_eq(pmu__v1__record__pack(without[i], b), len);
		ck_assert_mem_eq(a, b, len);
	}
	ck_assert_uint_eq(fixture_status(&f).cycle, s.cycle);
	ck_assert_uint_eq(fixture_status(&f).insn, s.insn);
	fixture_free_trace(t);
	fixture_free_trace(u);
	fixture_fini(&first);
}

/* Many records make the slice end, which is in no record. */
static const struct fake_op loop_ops[] = {
	LI(3, 20000), /* 0 */
	CSRR(2, MINSTRET),
	LOOP(3, 1), /* 1 */
	PASS,
};

TEST(a_full_buffer_ends_the_slice_and_loses_nothing)
{
	struct fixture first;
	unsigned slices = 0;

	SCRIPT(loop_ops);
	run("", true);
	first = f;
	fixture_init(&f, &(struct fixture_config){ .m_mode = true,
						   .traps = true,
						   .csr_accesses = true });
	fixture_start(&f);
	for (; fixture_state(&f) == MACHINE_RUNNING; slices++)
		fixture_run(&f, UINT64_MAX, 1);
	ck_assert_uint_gt(slices, 1);
	ck_assert(fixture_same(&first, &f));
	fixture_fini(&first);
}

SUITE("machine-csr", .teardown = teardown);
