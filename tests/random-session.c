/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Throws the dice: see random-session.h.
 */
#include "random-session.h"

#include <pmu/csr-number.h>

#include "core/inject.h"
#include "engine/engine.h"
#include "view/inspect.h"
#include "unit/unit.h"

enum {
	SBI_EID_BASE = 0x10,
	SBI_EID_TIME = 0x54494d45,
	SBI_EID_IPI = 0x735049,
	SBI_EID_DBCN = 0x4442434e,
	SBI_EID_SSE = 0x535345,
	SSE_INJECT = 7,
};
#define SSE_LOCAL  0xffff0000
#define SSE_GLOBAL 0xffff8000

static uint64_t throw(uint64_t * dice, uint64_t n)
{
	*dice ^= *dice << 13;
	*dice ^= *dice >> 7;
	*dice ^= *dice << 17;
	return *dice % n;
}

static uint64_t roll(struct random_session *p, uint64_t n)
{
	return throw(&p->dice, n);
}

static void begin(struct pacer *pacer, uint64_t start)
{
	struct random_pacer *p = (struct random_pacer *)pacer;

	p->at = start;
	p->begun++;
}

static uint64_t reached(struct pacer *pacer)
{
	struct random_pacer *p = (struct random_pacer *)pacer;

	p->at += throw(&p->dice, p->stride + 1);
	return p->at;
}

void random_pacer_init(struct random_pacer *p, uint64_t dice, uint64_t stride)
{
	*p = (struct random_pacer){
		.pacer = { .begin = begin, .reached = reached },
		.dice = dice,
		.stride = stride,
	};
}

static void console(struct fixture *f, struct random_session *p)
{
	uint8_t bytes[3];
	struct input in = { .kind = INPUT_CONSOLE };
	struct error e;

	for (unsigned i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)('a' + roll(p, 26));
	in.console.bytes = bytes;
	in.console.len = 1 + roll(p, sizeof(bytes));
	machine_input(f->m, &in, NULL, &e);
}

static void write_csr(struct fixture *f, struct random_session *p,
		      unsigned hart)
{
	static const uint32_t csrs[] = { PMU_CSR_SSCRATCH, PMU_CSR_SIP,
					 PMU_CSR_MSCRATCH, PMU_CSR_MIP,
					 PMU_CSR_MCYCLE };
	struct input in = { .kind = INPUT_CSR_WRITE, .hart = hart };
	struct error e;

	in.csr_write.csr = csrs[roll(p, sizeof(csrs) / sizeof(csrs[0]))];
	in.csr_write.value = roll(p, UINT64_MAX);
	ck_assert_msg(machine_input(f->m, &in, NULL, &e), "%s", e.text);
}

static void write_register(struct fixture *f, struct random_session *p,
			   unsigned hart)
{
	struct input in = { .kind = INPUT_REGISTER_WRITE, .hart = hart };
	struct error e;

	in.register_write.number = 31; /* t6 */
	in.register_write.value = roll(p, UINT32_MAX);
	ck_assert_msg(machine_input(f->m, &in, NULL, &e), "%s", e.text);
}

static void write_memory(struct fixture *f, struct random_session *p)
{
	uint8_t bytes[16];
	struct input in = { .kind = INPUT_MEMORY_WRITE };
	struct error e;

	for (unsigned i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)roll(p, 256);
	in.memory_write.address = p->scratch + roll(p, 2048);
	in.memory_write.bytes = bytes;
	in.memory_write.len = sizeof(bytes);
	ck_assert_msg(machine_input(f->m, &in, NULL, &e), "%s", e.text);
}

static void call_sbi(struct fixture *f, struct random_session *p, unsigned hart)
{
	static const uint64_t eids[] = { SBI_EID_BASE, SBI_EID_TIME,
					 SBI_EID_IPI,  SBI_EID_DBCN,
					 SBI_EID_SSE,  SBI_EID_SSE };
	struct input in = {
		.kind = INPUT_SBI_CALL,
		.hart = hart,
		.sbi_call = { { roll(p, 4), roll(p, 2) }, INPUT_SBI_ARGS },
	};
	uint64_t *args = in.sbi_call.args;
	struct error e;

	args[7] = eids[roll(p, sizeof(eids) / sizeof(eids[0]))];
	args[6] = args[7] == SBI_EID_DBCN ? 2 : 0;
	if (args[7] == SBI_EID_SSE) {
		args[6] = SSE_INJECT;
		args[0] = args[0] & 1 ? SSE_GLOBAL : SSE_LOCAL;
	}
	machine_input(f->m, &in, NULL, &e);
}

/* Events of any kind, now or behind an instruction that is near. */
static void inject(struct fixture *f, struct random_session *p)
{
	struct machine_injection want = {
		.hart = (unsigned)roll(p, machine_config(f->m)->harts),
		.event = (enum pmu_event)roll(p, PMU_N_EVENTS),
		.n = 1 + roll(p, UINT64_C(1) << roll(p, 63)),
		.when = (enum inject_when)roll(p, 3),
		.repeat = roll(p, 4) == 0,
	};
	struct inspect_hart h = { 0 };
	uint32_t number;

	inspect_hart(f->m, want.hart, &h, NULL);
	want.at = h.insn + 1 + roll(p, 100);
	if (want.when == INJECT_BEHIND_PC)
		want.at = h.pc + 4 * roll(p, 3);
	machine_inject(f->m, &want, &number, NULL);
	if (roll(p, 4) == 0)
		machine_cancel_injection(f->m, (uint32_t)roll(p, 8), NULL);
}

/* What needs a paused machine. */
static void paused_input(struct fixture *f, struct random_session *p)
{
	unsigned hart = (unsigned)roll(p, machine_config(f->m)->harts);
	unsigned kind = (unsigned)roll(p, p->sbi ? 4 : 3);

	if (kind == 3)
		call_sbi(f, p, hart);
	else if (!p->registers)
		console(f, p);
	else if (kind == 0)
		write_csr(f, p, hart);
	else if (kind == 1)
		write_register(f, p, hart);
	else
		write_memory(f, p);
}

/* Looking is no input. */
static void look(struct fixture *f, struct random_session *p)
{
	unsigned hart = (unsigned)roll(p, machine_config(f->m)->harts);
	struct inspect_hart h;
	struct inspect_csr csr;
	struct hart_state s;

	machine_look(f->m);
	inspect_hart(f->m, hart, &h, NULL);
	inspect_csr(f->m, hart, PMU_CSR_MCYCLE, &csr, NULL);
	inspect_registers(f->m, hart, &s, NULL);
}

/* Breakpoints where harts are and near it, or none. */
static void set_breakpoints(struct fixture *f, struct random_session *p)
{
	unsigned hart = (unsigned)roll(p, machine_config(f->m)->harts);
	struct inspect_hart h = { 0 };
	uint64_t pcs[2];

	inspect_hart(f->m, hart, &h, NULL);
	pcs[0] = h.pc + 4 * roll(p, 3);
	pcs[1] = h.pc - 4 * roll(p, 3);
	machine_set_breakpoints(f->m, pcs, p->inputs ? roll(p, 3) : 0, NULL);
}

static void go_on(struct fixture *f, struct random_session *p)
{
	struct machine_until until = { .kind = UNTIL_CYCLE };
	struct machine_step step = { .hart = STEP_NEXT_HART };

	if (fixture_state(f) != MACHINE_PAUSED)
		return;
	switch (roll(p, 4)) {
	case 0:
		step.insns = 1 + roll(p, 20);
		machine_step(f->m, &step, NULL);
		break;
	case 1:
		until.value = fixture_status(f).cycle + roll(p, 500);
		machine_run_until(f->m, &until, NULL);
		break;
	default:
		machine_resume(f->m, NULL);
		break;
	}
}

static void disturb(struct fixture *f, struct random_session *p)
{
	look(f, p);
	if (!p->inputs || roll(p, 4) == 0)
		set_breakpoints(f, p);
	if (roll(p, 2) == 0) {
		machine_pause(f->m, NULL);
		look(f, p);
	}
	if (p->inputs == 0)
		return;
	p->inputs--;
	if (roll(p, 3) == 0)
		inject(f, p);
	if (fixture_state(f) == MACHINE_PAUSED)
		paused_input(f, p);
	else
		console(f, p);
}

static void move(struct fixture *f, struct random_session *p)
{
	if (!p->moves || roll(p, 3))
		return;
	p->moves--;
	fixture_move(f);
}

void random_session_run(struct fixture *f, struct random_session *p)
{
	enum machine_state state;

	for (;;) {
		fixture_run(f, 1 + roll(p, p->slice), 1);
		state = fixture_state(f);
		if (state == MACHINE_ENDED || state == MACHINE_CRASHED)
			return;
		move(f, p);
		if (p->inputs || state == MACHINE_PAUSED)
			disturb(f, p);
		if (!p->inputs && state == MACHINE_WAITING)
			machine_console_eof(f->m);
		go_on(f, p);
	}
}
