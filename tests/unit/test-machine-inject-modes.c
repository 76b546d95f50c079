/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * In which privilege an injected event happens, over the scripted engine: in
 * the one that its instruction left the hart in, and before an interrupt that
 * is pending there takes it to another.
 */
#include "core/inject.h"
#include "machine-script.h"
#include "view/inspect.h"

enum {
	HANDLER = 1,
	MAIN = 4,
	USER = 40,
	INSNS = 2, /* the selector */
	N = 1000,
	MSI = 1 << 3,
	LCOFI = 1 << 13,
	MIE_ON = 1 << 3, /* of mstatus */
};
#define MINH UINT64_C(0x4000000000000000)
#define MRET INSN(FAKE_MRET)

#define SET(csr, v) LI(5, v), CSRW(csr, 5)
#define BEGIN                                                                  \
	[0] = JUMP(MAIN), [HANDLER] = LI(31, 0x5555),                          \
	[HANDLER + 1] = WRITE(31, 4, BOARD_FINISHER_BASE), [MAIN] = NOP,       \
	SET(MTVEC, PC(HANDLER))
#define TO_USER	  SET(MEPC, PC(USER)), MRET
/* Which waits until M-mode lets it, or is left. */
#define INTERRUPT SET(MIE, MSI), LI(5, 1), WRITE(5, 4, MSIP(0))
/* Of counter 3, with the @k-th instruction below M-mode. */
#define OVERFLOW(k)                                                            \
	SET(MIE, LCOFI), SET(MHPMEVENT3, MINH | INSNS),                        \
		SET(MHPMCOUNTER3, (uint64_t) - (int64_t)(k))
#define PRIVILEGE(mode) PMU_MODE_##mode, PMU__V1__PRIVILEGE__PRIVILEGE_##mode

static const struct fake_op quiet[] = {
	BEGIN, TO_USER, [USER] = NOP, NOP, INSN(FAKE_ECALL),
};
static const struct fake_op pending[] = {
	BEGIN, INTERRUPT, TO_USER, [USER] = NOP, NOP,
};
static const struct fake_op overflows[] = {
	BEGIN, OVERFLOW(2), TO_USER, [USER] = NOP, NOP, NOP,
};
static const struct fake_op lets[] = {
	BEGIN, INTERRUPT, LI(6, MIE_ON), [USER] = CSRW(MSTATUS, 6), NOP,
};

#define OPS(name) name, ARRAY_SIZE(name)

static const struct mode_row {
	const char *why;
	const struct fake_op *ops;
	size_t n;
	uint64_t at, pc; /* behind, and the next */
	enum pmu_mode mode;
	Pmu__V1__Privilege privilege;
	bool interrupts; /* right there */
} mode_rows[] = {
	{ "an mret to U", OPS(quiet), PC(MAIN + 5), PC(USER), PRIVILEGE(U),
	  false },
	{ "an mret to U, where an interrupt is pending", OPS(pending),
	  PC(MAIN + 9), PC(USER), PRIVILEGE(U), true },
	{ "what overflows in U, whose interrupt is pending", OPS(overflows),
	  PC(USER + 1), PC(USER + 2), PRIVILEGE(U), true },
	{ "what lets a pending interrupt of M", OPS(lets), PC(USER),
	  PC(USER + 1), PRIVILEGE(M), true },
};

static void run(const struct mode_row *row, enum inject_when when, uint64_t at)
{
	const struct fixture_config cfg = {
		.m_mode = true,
		.settings = "max-insns=100",
		.traps = true,
	};
	const struct machine_injection want = {
		.event = PMU_EV_LOADS, .n = N, .when = when, .at = at
	};
	uint32_t number;

	script(row->ops, row->n);
	fixture_init(&f, &cfg);
	fixture_start(&f);
	PREPARING(ck_assert(machine_inject(f.m, &want, &number, NULL)));
	fixture_run(&f, 1000, UINT32_MAX);
	ended(CAUSE_FINISHER_PASS, 0);
}

/* Its record, and the one behind, if that is of the same moment. */
static void check_records(const struct mode_row *row, uint64_t *ret_insn)
{
	const Pmu__V1__Record *r = NULL, *next;
	Pmu__V1__Trace *t = fixture_trace(&f);
	size_t i = 0;

	while (i < t->n_records &&
	       t->records[i]->kind_case != PMU__V1__RECORD__KIND_INPUT)
		i++;
	ck_assert_uint_lt(i + 1, t->n_records);
	r = t->records[i];
	next = t->records[i + 1];
	ck_assert_msg(r->pc == row->pc && r->privilege == row->privilege,
		      "%s: at %#llx in %d", row->why, (unsigned long long)r->pc,
		      (int)r->privilege);
	ck_assert_msg((next->kind_case == PMU__V1__RECORD__KIND_TRAP &&
		       next->insn == r->insn) == row->interrupts,
		      "%s: before kind %d", row->why, (int)next->kind_case);
	*ret_insn = r->insn;
	fixture_free_trace(t);
}

TEST_ROWS(it_happens_where_its_instruction_left_the_hart, mode_rows)
{
	const struct mode_row *row = &mode_rows[_i];
	uint64_t insn, again;

	run(row, INJECT_BEHIND_PC, row->at);
	check_records(row, &insn);
	for (int mode = 0; mode < PMU_N_MODES; mode++)
		ck_assert_uint_eq(inspect_total(f.m, 0, PMU_EV_LOADS,
						(enum pmu_mode)mode),
				  (enum pmu_mode)mode == row->mode ? N : 0);
	fixture_fini(&f);
	run(row, INJECT_BEHIND_INSN, insn);
	check_records(row, &again);
	ck_assert_uint_eq(again, insn);
}

SUITE("machine-inject-modes", .teardown = teardown);
