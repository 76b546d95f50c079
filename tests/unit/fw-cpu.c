/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The hart with registers. What it does between instructions is the order of
 * runner_take_interrupt(): LCOFI to the firmware, else the event that is due.
 */
#include "fw-cpu.h"

enum {
	ATTR_AT = 0x8000 /* where attributes go in RAM */
};

void cpu_init(struct cpu *c, struct bench *b, unsigned hart)
{
	*c = (struct cpu){ .b = b, .hart = hart, .pc = RAM_BASE };
	for (unsigned i = 1; i < 32; i++)
		c->x[i] = 0x1000 + i;
}

static const uint64_t *get_args(void *regs)
{
	return &((const struct cpu *)regs)->x[10];
}

static void apply(struct cpu *c, const struct fw_regs *regs)
{
	c->pc = regs->pc;
	for (unsigned i = 0; i < regs->n; i++)
		c->x[regs->reg[i].x] = regs->reg[i].value;
}

static void trap(struct cpu *c, const struct pmu_trap *trap)
{
	struct fw_trap t = {
		.trap = trap, .now = c->b->now, .args = get_args, .regs = c
	};
	struct fw_regs regs = { 0 };
	enum fw_outcome outcome;

	pmu_trap_account(c->b->harts[c->hart], trap);
	outcome = fw_trap(c->b->fw, c->hart, &t, &regs);
	ck_assert_int_ne(outcome, FW_REDIRECT);
	if (outcome == FW_DONE)
		apply(c, &regs);
}

int cpu_call(struct cpu *c, uint32_t eid, uint32_t fid, const uint64_t args[6])
{
	struct pmu_trap ecall = { .cause = PMU_CAUSE_ECALL_S, .pc = c->pc };

	ck_assert_int_eq(pmu_hart_mode(c->b->harts[c->hart]), PMU_MODE_S);
	for (unsigned i = 0; i < 6; i++)
		c->x[A0 + i] = args[i];
	c->x[A6] = fid;
	c->x[A7] = (uint64_t)(int32_t)eid;
	trap(c, &ecall);
	return (int)c->x[A0];
}

static void deliver(struct cpu *c)
{
	struct pmu_trap at = { .pc = c->pc };
	struct fw_trap t = {
		.trap = &at, .now = c->b->now, .args = get_args, .regs = c
	};
	struct fw_regs regs = { 0 };

	fw_sse_deliver(c->b->fw, c->hart, &t, &regs);
	apply(c, &regs);
}

bool cpu_boundary(struct cpu *c)
{
	struct pmu_hart *h = c->b->harts[c->hart];
	struct pmu_trap irq;
	bool due = fw_sse_due(c->b->fw, c->hart);

	if (pmu_interrupt_next(h, c->b->now, &irq) &&
	    pmu_trap_target(h, &irq) == PMU_MODE_M) {
		irq.pc = c->pc;
		trap(c, &irq);
		return true;
	}
	if (due)
		deliver(c);
	return due;
}

void cpu_run(struct cpu *c, unsigned n)
{
	for (; n && !cpu_boundary(c); n--) {
		bench_run(c->b, c->hart, 1);
		c->pc += 4;
	}
	cpu_boundary(c);
}

uint64_t handler_of(uint64_t event)
{
	return event == OVERFLOW ? RAM_BASE + 0x4000
	       : event == LOCAL	 ? RAM_BASE + 0x5000
				 : RAM_BASE + 0x6000;
}

void cpu_want(struct cpu *c, uint64_t event)
{
	ck_assert_int_eq(SSE(c, REGISTER, event, handler_of(event), event + 1),
			 0);
	ck_assert_int_eq(SSE(c, ENABLE, event), 0);
}

int cpu_try(struct cpu *c, uint32_t fid, const uint64_t args[6])
{
	return (int)bench_call(c->b, c->hart, SSE_EID, fid, args).error;
}

static unsigned width(const struct cpu *c)
{
	return pmu_hart_config(c->b->harts[c->hart])->xlen / 8;
}

uint64_t cpu_attr(struct cpu *c, uint64_t event, unsigned attr)
{
	ck_assert_int_eq(TRY(c, READ_ATTRS, event, attr, 1, RAM_BASE + ATTR_AT),
			 0);
	return bench_load(c->b, ATTR_AT, width(c));
}

void cpu_set_attr(struct cpu *c, uint64_t event, unsigned attr, uint64_t value)
{
	bench_store(c->b, ATTR_AT, value, width(c));
	ck_assert_int_eq(
		TRY(c, WRITE_ATTRS, event, attr, 1, RAM_BASE + ATTR_AT), 0);
}
