/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Injections and breakpoints of a hart that an instrument's SBI call stops or
 * suspends, so that it goes on elsewhere: what it was about to execute has not
 * been executed.
 */
#include <pmu/csr-number.h>

#include "core/inject.h"
#include "core/input.h"
#include "machine-script.h"
#include "view/inspect.h"

enum {
	A0 = 10,
	A1,
	A6 = 16,
	A7,
	HSM_EID = 0x48534d,
	HART_START = 0,
	HART_STOP,
	HART_SUSPEND = 3,
	SSIE = 2,
	WAIT_AT = 5,
	AGAIN_AT = 8,
};
#define NON_RETENTIVE UINT64_C(0x80000000)

/* Hart 0 starts hart 1, and waits. */
static const struct fake_op ops[] = {
	LI(A0, 1),
	LI(A1, PC(AGAIN_AT)),
	LI(A6, HART_START),
	LI(A7, HSM_EID),
	INSN(FAKE_ECALL),
	WFI, /* its fifth */
	NOP,
	JUMP(6),
	NOP, /* 8 */
	NOP,
	JUMP(AGAIN_AT),
};

static void begin(void)
{
	const struct fixture_config cfg = {
		.harts = 2,
		.settings = "quantum=10 max-insns=400",
	};

	SCRIPT(ops);
	fixture_init(&f, &cfg);
	fixture_start(&f);
}

/* An instrument's call in the name of @hart. */
static void call(unsigned hart, unsigned fid, uint64_t a0, uint64_t a1)
{
	struct input in = { .kind = INPUT_SBI_CALL, .hart = hart };
	struct record_sbi answer = { 0 };

	in.sbi_call.n_args = INPUT_SBI_ARGS;
	in.sbi_call.args[0] = a0;
	in.sbi_call.args[1] = a1;
	in.sbi_call.args[6] = fid;
	in.sbi_call.args[7] = HSM_EID;
	PREPARING(ck_assert(machine_input(f.m, &in, &answer, NULL)));
	PREPARING(ck_assert_int_eq(answer.error, 0));
}

static void write_csr(uint16_t csr, uint64_t value)
{
	const struct input in = { .kind = INPUT_CSR_WRITE,
				  .csr_write = { csr, value } };

	PREPARING(ck_assert(machine_input(f.m, &in, NULL, NULL)));
}

static void stop_and_start(uint64_t pc)
{
	call(0, HART_STOP, 0, 0);
	call(1, HART_START, 0, pc);
}

static void suspend_and_wake(uint64_t pc)
{
	call(0, HART_SUSPEND, NON_RETENTIVE, pc);
	write_csr(PMU_CSR_SIE, SSIE);
	write_csr(PMU_CSR_SIP, SSIE);
}

/* The hart of the injection waits in WFI, its fifth instruction, till then. */
static const struct elsewhere_row {
	const char *why;
	void (*go)(uint64_t pc);
	enum inject_when when;
	uint64_t at;
	bool acts; /* behind the first instruction elsewhere */
} elsewhere_rows[] = {
	{ "behind the wait, stopped", stop_and_start, INJECT_BEHIND_PC,
	  PC(WAIT_AT), false },
	{ "behind the wait, suspended", suspend_and_wake, INJECT_BEHIND_PC,
	  PC(WAIT_AT), false },
	{ "behind its fifth, stopped", stop_and_start, INJECT_BEHIND_INSN, 5,
	  true },
	{ "behind its fifth, suspended", suspend_and_wake, INJECT_BEHIND_INSN,
	  5, true },
	{ "behind its first then, stopped", stop_and_start, INJECT_BEHIND_PC,
	  PC(AGAIN_AT), true },
	{ "behind its first then, suspended", suspend_and_wake,
	  INJECT_BEHIND_PC, PC(AGAIN_AT), true },
};

TEST_ROWS(an_injection_waits_on_for_a_hart_that_goes_elsewhere, elsewhere_rows)
{
	const struct elsewhere_row *row = &elsewhere_rows[_i];
	const struct machine_injection want = { .n = 1,
						.when = row->when,
						.at = row->at };
	const Pmu__V1__Record *r;
	Pmu__V1__Trace *t;
	uint32_t number;
	unsigned n = 0, acted = 0;

	begin();
	PREPARING(ck_assert(machine_inject(f.m, &want, &number, NULL)));
	fixture_run(&f, 50, 10);
	PREPARING(ck_assert(machine_pause(f.m, NULL)));
	row->go(PC(AGAIN_AT));
	PREPARING(ck_assert(machine_resume(f.m, NULL)));
	fixture_run(&f, 1000, UINT32_MAX);
	ended(CAUSE_MAX_INSNS, 124);
	t = fixture_trace(&f);
	while ((r = fixture_record(t, PMU__V1__RECORD__KIND_INPUT, n++))) {
		if (r->input->kind_case != PMU__V1__INPUT__KIND_INJECT)
			continue;
		acted++;
		ck_assert_msg(
			row->acts && r->hart == 0 && r->pc == PC(AGAIN_AT + 1),
			"%s: at %#llx", row->why, (unsigned long long)r->pc);
	}
	ck_assert_msg(acted == row->acts, "%s: %u times", row->why, acted);
	ck_assert(!machine_injection(f.m, number) == row->acts);
	fixture_free_trace(t);
}

/* A breakpoint holds it in its new life, though it was held there before. */
TEST(a_hart_that_starts_again_is_held_at_its_breakpoint)
{
	const uint64_t pc = PC(WAIT_AT);
	struct inspect_hart before, after;

	begin();
	PREPARING(ck_assert(machine_set_breakpoints(f.m, &pc, 1, NULL)));
	fixture_run(&f, 1000, UINT32_MAX);
	ck_assert_int_eq(fixture_status(&f).cause, CAUSE_BREAKPOINT);
	stop_and_start(pc);
	PREPARING(ck_assert(inspect_hart(f.m, 0, &before, NULL)));
	PREPARING(ck_assert(machine_resume(f.m, NULL)));
	fixture_run(&f, 1000, UINT32_MAX);
	ck_assert_int_eq(fixture_status(&f).cause, CAUSE_BREAKPOINT);
	ck_assert_int_eq(fixture_state(&f), MACHINE_PAUSED);
	PREPARING(ck_assert(inspect_hart(f.m, 0, &after, NULL)));
	ck_assert_uint_eq(after.pc, pc);
	ck_assert_uint_eq(after.insn, before.insn);
}

SUITE("machine-inject-hsm", .teardown = teardown);
