/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A session with inputs of every kind, at every moment, repeats from its trace
 * byte for byte. Over the scripted engine, so that slices end anywhere.
 */
#include <pmu/ebb-unit.h>
#include <pmu/csr-number.h>
#include <pmu/rule.h>

#include "../../guests/common/csr-short.h"
#include "board/board.h"
#include "fake-engine.h"
#include "machine-fixture.h"
#include "random-session.h"
#include "unit.h"
#include "view/inspect.h"

#define BASE  BOARD_RAM_BASE
#define PC(i) (BASE + 4 * (i))
#define NOP                                                                    \
	{                                                                      \
		FAKE_NOP, 0, 0, 0, 0                                           \
	}
#define LI(r, v)                                                               \
	{                                                                      \
		FAKE_LI, r, 0, 0, v                                            \
	}
#define JUMP(i)                                                                \
	{                                                                      \
		FAKE_JUMP, 0, 0, 0, PC(i)                                      \
	}
#define INSN(bits)                                                             \
	{                                                                      \
		FAKE_INSN, 0, 0, 0, bits                                       \
	}
#define CSRW(csr, r) INSN(FAKE_CSRRW(0, csr, r))

#define EBBRET 0x8c100073

/* M-mode: timers, software interrupts, overflow, waiting, console. */
static const struct fake_op m_ops[] = {
	LI(1, PC(14)),
	CSRW(MTVEC, 1),
	LI(1, 1 << 13 | 1 << 7 | 1 << 3 | 1 << 1),
	CSRW(MIE, 1),
	LI(1, 2),
	CSRW(MHPMEVENT3, 1),
	LI(1, -19ull),
	CSRW(MHPMCOUNTER3, 1), /* 7 */
	{ FAKE_READ, 2, 1, 0, BOARD_UART_BASE },
	{ FAKE_WRITE, 2, 1, 0, BOARD_UART_BASE },
	NOP,
	INSN(FAKE_WFI),
	INSN(FAKE_CSRRS(3, MIP, 0)),
	JUMP(8), /* 13 */
	/* 14: a trap vector that is never taken, as MIE is off */
	JUMP(8),
};

/* S-mode: the same through the firmware, from a supervisor timer. */
static const struct fake_op s_ops[] = {
	LI(1, 1 << 13 | 1 << 5 | 1 << 1),
	CSRW(SIE, 1),
	LI(10, 400), /* 2: set_timer(400), soon in the past */
	LI(17, 0x54494d45),
	LI(16, 0),
	INSN(FAKE_ECALL),
	INSN(FAKE_WFI),
	NOP,
	LI(10, 'x'), /* legacy console */
	LI(17, 1),
	INSN(FAKE_ECALL),
	LI(1, 2),
	INSN(FAKE_CSRRC(0, SIP, 1)),
	{ FAKE_JUMP, 0, 0, 0, BOARD_S_ENTRY + 4 * 2 },
};

/* A user's event-based branches: a handler that arms itself again. */
static const struct fake_op ebb_ops[] = {
	LI(1, PC(23)),
	CSRW(MTVEC, 1),
	LI(1, PC(19)),
	CSRW(MEPC, 1),
	LI(1, PC(26)),
	CSRW(PMU_CSR_EBBHR, 1),
	LI(1, 1 << 3),
	CSRW(PMU_CSR_MEBBEN, 1),
	CSRW(PMU_CSR_SEBBOWN, 1),
	LI(1, PMU_SEBBCS_UE),
	CSRW(PMU_CSR_SEBBCS, 1),
	LI(1, 2),
	CSRW(MHPMEVENT3, 1),
	LI(1, PMU_EBBCTL_AE),
	CSRW(PMU_CSR_EBBCTL, 1),
	LI(1, PMU_EBBCS_GE | PMU_EBBCS_PE),
	CSRW(PMU_CSR_EBBCS, 1),
	LI(9, -7ull),
	INSN(FAKE_MRET), /* 18; MPP is U */
	CSRW(PMU_CSR_EBBCTR3, 9),
	NOP,
	NOP,
	JUMP(20),
	/* 23: what traps is passed over for good */
	LI(1, PC(20)),
	CSRW(MEPC, 1),
	INSN(FAKE_MRET),
	/* 26: the handler */
	CSRW(PMU_CSR_EBBCTR3, 9),
	CSRW(PMU_CSR_EBBOVF, 0),
	LI(1, PMU_EBBCTL_AE),
	CSRW(PMU_CSR_EBBCTL, 1),
	LI(1, PMU_EBBCS_PE),
	CSRW(PMU_CSR_EBBCS, 1),
	INSN(EBBRET),
};

static void compare(const struct fixture_config *cfg, struct random_session *p)
{
	struct fixture live, again;
	struct fixture_config replay = *cfg;
	Pmu__V1__Trace *t;

	fake.block = 1 + (unsigned)(p->dice % 5);
	fixture_init(&live, cfg);
	fixture_start(&live);
	random_session_run(&live, p);
	t = fixture_trace(&live);
	replay.replay = t;
	replay.pacer = NULL;
	fake.block = 1;
	fixture_init(&again, &replay);
	fixture_start(&again);
	machine_console_eof(again.m);
	fixture_run(&again, 100, UINT32_MAX);
	ck_assert_msg(fixture_same(&live, &again),
		      "%zu bytes recorded, %zu replayed", buf_len(&live.bytes),
		      buf_len(&again.bytes));
	fixture_free_trace(t);
	fixture_fini(&live);
	fixture_fini(&again);
}

/* Idle time of every other session passes by dice. */
static struct pacer *pacer(int i)
{
	static struct random_pacer p;

	random_pacer_init(&p, 1 + (uint64_t)i, 1 + 40 * (uint64_t)(i % 7));
	return i % 2 ? &p.pacer : NULL;
}

TEST_TIMES(a_session_in_m_mode_replays, 60)
{
	static const char *const settings[] = {
		"max-insns=3000 quantum=31 time-hz=1G",
		"max-insns=3000 quantum=7 time-hz=1G cpi=3 trap-cycles=5",
		"max-insns=3000 quantum=1000 time-hz=1G wfi-cycles=stop",
	};
	struct fixture_config cfg = {
		.m_mode = true,
		.harts = 1 + (unsigned)_i % 4,
		.settings = settings[_i % 3],
		.traps = true,
		.pacer = pacer(_i),
	};
	struct random_session p = { .dice = 1 + 7919 * (uint64_t)_i,
				    .inputs = 60,
				    .slice = 150,
				    .registers = true,
				    .scratch = BASE + 0x10000,
				    .moves = _i % 2 ? 20 : 0 };

	fake = (struct fake_script){ .ops = m_ops,
				     .n = ARRAY_SIZE(m_ops),
				     .base = BASE };
	compare(&cfg, &p);
}

TEST_TIMES(a_session_in_s_mode_replays, 60)
{
	struct fixture_config cfg = {
		.settings = "max-insns=3000 max-cycles=100000 time-hz=100M",
		.traps = true,
		.sbi_calls = true,
		.pacer = pacer(_i),
		.address = BOARD_S_ENTRY,
		.image = s_ops,
		.image_size = 64,
	};
	struct random_session p = { .dice = 1 + 104729 * (uint64_t)_i,
				    .inputs = 60,
				    .slice = 150,
				    .sbi = true,
				    .registers = true,
				    .scratch = BASE + 0x10000,
				    .moves = _i % 2 ? 20 : 0 };

	fake = (struct fake_script){ .ops = s_ops,
				     .n = ARRAY_SIZE(s_ops),
				     .base = BOARD_S_ENTRY };
	compare(&cfg, &p);
}

/* A branch takes no cycle: what came before it and behind it is known. */
TEST_TIMES(a_session_with_event_based_branches_replays, 16)
{
	struct fixture_config cfg = {
		.m_mode = true,
		.harts = 1 + (unsigned)_i % 2,
		.settings = "max-insns=3000 quantum=31 xpmuebb=on",
		.traps = true,
	};
	struct random_session p = { .dice = 1 + 15485863 * (uint64_t)_i,
				    .inputs = 100,
				    .slice = 250,
				    .registers = true,
				    .scratch = BASE + 0x10000,
				    .moves = _i % 2 ? 20 : 0 };

	shows(RULE("ebb_deliver"));
	fake = (struct fake_script){ .ops = ebb_ops,
				     .n = ARRAY_SIZE(ebb_ops),
				     .base = BASE };
	compare(&cfg, &p);
}

static void write_scratch(struct fixture *l, uint64_t value)
{
	const struct input in = { .kind = INPUT_CSR_WRITE,
				  .csr_write = { PMU_CSR_MSCRATCH, value } };
	struct error e;

	ck_assert(machine_pause(l->m, &e));
	ck_assert_msg(machine_input(l->m, &in, NULL, &e), "%s", e.text);
	ck_assert(machine_resume(l->m, &e));
}

/* Ahead of a branch, and behind it, before the handler's first instruction. */
TEST(inputs_on_both_sides_of_a_branch_replay)
{
	struct fixture_config cfg = {
		.m_mode = true,
		.settings = "max-insns=300 xpmuebb=on",
		.traps = true,
	};
	struct fixture live, again;
	struct inspect_hart h;
	unsigned behind = 0;
	Pmu__V1__Trace *t;
	uint64_t pc = 0;

	fake = (struct fake_script){ .ops = ebb_ops,
				     .n = ARRAY_SIZE(ebb_ops),
				     .base = BASE,
				     .block = 1 };
	fixture_init(&live, &cfg);
	fixture_start(&live);
	while (fixture_state(&live) == MACHINE_RUNNING) {
		fixture_run(&live, 1, 1);
		inspect_hart(live.m, 0, &h, NULL);
		if (fixture_state(&live) == MACHINE_ENDED || h.pc == pc)
			continue; /* else it would never come to run */
		pc = h.pc;
		behind += pc == PC(26);
		write_scratch(&live, h.insn);
	}
	ck_assert_uint_gt(behind, 10);
	t = fixture_trace(&live);
	cfg.replay = t;
	fixture_init(&again, &cfg);
	fixture_start(&again);
	fixture_run(&again, 100, UINT32_MAX);
	ck_assert(fixture_same(&live, &again));
	fixture_free_trace(t);
	fixture_fini(&live);
	fixture_fini(&again);
}

SUITE("replay");
