/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a machine tells its engine: the registers that the firmware has written,
 * whose translations are asked; and when it says that harts wait.
 */
#include <pmu/csr-number.h>
#include <pmu/rule.h>

#include "core/machine-hart.h"
#include "machine-script.h"
#include "view/inspect.h"

static void begin_with(const struct fixture_config *cfg)
{
	fixture_init(&f, cfg);
	fixture_start(&f);
	PREPARING(ck_assert(machine_pause(f.m, NULL)));
}

static void begin(bool m_mode, unsigned harts)
{
	begin_with(
		&(struct fixture_config){ .m_mode = m_mode, .harts = harts });
}

static void write_csr(uint16_t csr, uint64_t value)
{
	const struct input in = { .kind = INPUT_CSR_WRITE,
				  .csr_write = { csr, value } };

	PREPARING(ck_assert(machine_input(f.m, &in, NULL, NULL)));
}

static void step(uint64_t insns)
{
	const struct machine_step steps = { .insns = insns,
					    .hart = STEP_NEXT_HART };

	PREPARING(ck_assert(machine_step(f.m, &steps, NULL)));
	fixture_run(&f, 1000, UINT32_MAX);
}

static uint64_t reg(unsigned x)
{
	struct hart_state s;

	ck_assert(inspect_registers(f.m, 0, &s, NULL));
	return s.x[x];
}

enum {
	A0 = 10,
	A1,
	A2,
	A6 = 16,
	A7,
	BASE_EID = 0x10,
	HSM_EID = 0x48534d,
	PMU_EID = 0x504d55,
	EVENT_GET_INFO = 8,
};

static const struct fake_op call_ops[] = {
	LI(A0, 77),	  LI(A1, 78),	    LI(A6, 0),
	LI(A7, BASE_EID), INSN(FAKE_ECALL), NOP,
};

TEST(a_call_answers_in_two_registers)
{
	SCRIPT(call_ops);
	begin(false, 1);
	step(4);
	ck_assert_uint_eq(reg(A0), 77);
	ck_assert_uint_eq(reg(A1), 78);
	step(1);
	ck_assert_uint_eq(reg(A0), 0);
	ck_assert_uint_eq(reg(A1), 0x03000000);
	ck_assert_uint_eq(reg(A6), 0);
	ck_assert_uint_eq(reg(A7), BASE_EID);
}

/* The version is the setting's. */
static const struct version_row {
	const char *settings;
	uint64_t version;
} version_rows[] = {
	{ "sbi-version=1.0", 0x01000000 },
	{ "sbi-version=2.0", 0x02000000 },
	{ "sbi-version=3.0", 0x03000000 },
};

TEST_ROWS(a_call_says_which_version_was_chosen, version_rows)
{
	const struct version_row *row = &version_rows[_i];

	SCRIPT(call_ops);
	begin_with(&(struct fixture_config){ .settings = row->settings });
	step(5);
	ck_assert_uint_eq(reg(A1), row->version);
}

/* An interrupt is pending, so the hart goes on at once, where it was told. */
static const struct fake_op suspend_ops[] = {
	LI(5, 2),
	CSRW(PMU_CSR_SIE, 5),
	CSRW(PMU_CSR_SIP, 5),
	LI(A0, 0x80000000),
	LI(A1, PC(11)),
	LI(A2, 77),
	LI(A6, 3),
	LI(A7, HSM_EID),
	INSN(FAKE_ECALL),
	NOP,
	NOP,
	NOP,
};

TEST(a_hart_resumes_with_its_id_and_what_it_was_given)
{
	struct hart_state s;

	SCRIPT(suspend_ops);
	begin(false, 1);
	step(9); /* the call, and one behind it */
	ck_assert_uint_eq(reg(A0), 0);
	ck_assert_uint_eq(reg(A1), 77);
	ck_assert(inspect_registers(f.m, 0, &s, NULL));
	ck_assert_uint_eq(s.pc, PC(12));
}

/* The last is x0, which stays 0. */
static const struct fake_op read_ops[] = {
	INSN(FAKE_CSRRS(5, CYCLE, 0)),
	INSN(FAKE_CSRRS(31, CYCLE, 0)),
	INSN(FAKE_CSRRS(0, CYCLE, 0)),
	NOP,
};

TEST(a_counter_that_is_read_for_the_guest_comes_into_its_register)
{
	shows(RULE("C126"));
	SCRIPT(read_ops);
	begin(false, 1);
	step(0);
	fixture_fini(&f);
	begin(false, 1);
	write_csr(PMU_CSR_MCOUNTEREN, 0);
	write_csr(PMU_CSR_MCYCLE, 1000);
	step(3);
	ck_assert_uint_ge(reg(5), 1000);
	ck_assert_uint_gt(reg(31), reg(5));
	ck_assert_uint_eq(reg(0), 0);
	ck_assert_uint_eq(reg(6), 0);
}

/* Translations */

static const struct fake_op spin_ops[] = { NOP, NOP, JUMP(0) };

static const struct space_row {
	const char *why;
	bool m_mode;
	uint64_t mstatus;
	enum pmu_mode fetch, data;
} space_rows[] = {
	{ "M-mode", true, 0, PMU_MODE_M, PMU_MODE_M },
	{ "M-mode as if in U", true, 1 << 17, PMU_MODE_M, PMU_MODE_U },
	{ "M-mode as if in S", true, 1 << 17 | 1 << 11, PMU_MODE_M,
	  PMU_MODE_S },
	{ "S-mode", false, 0, PMU_MODE_S, PMU_MODE_S },
};

/* Also where nothing leaves the engine by which it could be told. */
TEST_ROWS(the_engine_is_told_whose_addresses_they_are, space_rows)
{
	const struct space_row *row = &space_rows[_i];

	SCRIPT(spin_ops);
	begin(row->m_mode, 1);
	write_csr(MSTATUS, row->mstatus);
	fake.space[0] = fake.space[1] = 99;
	step(5);
	ck_assert_msg(fake.space[0] == row->fetch, "%s: %u", row->why,
		      fake.space[0]);
	ck_assert_msg(fake.space[1] == row->data, "%s: %u", row->why,
		      fake.space[1]);
}

/* Waiting */

/* A hart that waits, for its timer alone. */
static const struct fake_op wait_ops[] = {
	LI(1, 1 << 7),
	CSRW(MIE, 1),
	WFI,
	JUMP(2),
};

TEST(whether_a_hart_waits_is_said_anew)
{
	bool waiting = true;

	SCRIPT(spin_ops);
	begin(true, 2);
	step(3);
	ck_assert_uint_eq(harts_next_timer(f.m, &waiting), UINT64_MAX);
	ck_assert(!waiting);
	fixture_fini(&f);
	SCRIPT(wait_ops);
	fixture_init(&f, &(struct fixture_config){ .m_mode = true });
	fixture_start(&f);
	fixture_run(&f, 1000, 10);
	harts_next_timer(f.m, &waiting);
	ck_assert(waiting);
}

/* Slices */

enum {
	N_EVENTS = 4096,
	ENTRY = 16,
	BAD_EVENT = 1 << 20,
};
#define LIST (BASE + 0x10000)

/* After three, four instructions a round, of which the call retires none. */
static const struct fake_op list_ops[] = {
	LI(A6, EVENT_GET_INFO),
	LI(A7, PMU_EID),
	LI(A2, N_EVENTS),
	LI(A0, LIST),
	LI(A1, 0),
	INSN(FAKE_ECALL),
	JUMP(3),
};

static const struct long_row {
	const char *why;
	uint32_t last; /* event of the list; nothing is written if it is bad */
	int64_t error;
	uint64_t soft;
} long_rows[] = {
	{ "reads and writes", 0, 0, 10 * N_EVENTS },
	{ "reads alone", BAD_EVENT, -3, N_EVENTS / 2 },
};

/* What a call does to memory is work of the host, however few they are. */
TEST_ROWS(a_slice_ends_behind_long_calls, long_rows)
{
	const struct long_row *row = &long_rows[_i];
	const struct input last = {
		.kind = INPUT_MEMORY_WRITE,
		.memory_write = { .address = LIST + (N_EVENTS - 1) * ENTRY,
				  .bytes = (const uint8_t *)&row->last,
				  .len = sizeof(row->last) },
	};

	SCRIPT(list_ops);
	begin(false, 1);
	PREPARING(ck_assert(machine_input(f.m, &last, NULL, NULL)));
	step(6);
	ck_assert_int_eq((int64_t)reg(A0), row->error);
	ck_assert(machine_resume(f.m, NULL));
	for (unsigned i = 1; i <= 5; i++) {
		fixture_run(&f, row->soft, 1);
		ck_assert_msg(fixture_status(&f).insn <= 6 + 2 * 3 * i,
			      "%s: %llu instructions in %u slices", row->why,
			      (unsigned long long)fixture_status(&f).insn, i);
	}
	ck_assert_uint_ge(fixture_status(&f).insn, 6 + 2 * 3);
}

SUITE("machine-trap", .teardown = teardown);
