/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernel of ebb-kernel.h: what a process calls, when another is next, and
 * the switch of the unit, in the order of docs/EBB.md.
 */
#include "ebb-kernel.h"

#include <string.h>

#include "programs.h"

enum {
	SBI_EBB = 0x08454242,
	CLAIM = 0,
	RELEASE = 1,
	CONFIG_MATCHING = 2,
	RAW = 0x20000, /* an event of the hart's own */
	SINH = 0x40,
	ILLEGAL = 2,
	ECALL_U = 8,
	STIE = 1 << 5,
};

unsigned long user_run(struct process *p);

unsigned long kernel_alerts;

long kernel_claim(void)
{
	return sbi_call(SBI_EBB, CLAIM, 0, COUNTERS, 0, 0, 0, 0).error;
}

static bool configure(unsigned long n, unsigned long event)
{
	bool raw = event >= RAW;
	struct sbi_ret r = sbi_call(SBI_PMU, CONFIG_MATCHING, n, 1,
				    n == COUNTS_KERNEL ? 0 : SINH,
				    raw ? RAW : event, raw ? event : 0, 0);

	return !r.error;
}

bool kernel_init(void)
{
	for (unsigned i = 0; i < N_COUNTERS; i++)
		if (!configure(FIRST_COUNTER + i, counter_event[i]))
			return false;
	if (kernel_claim())
		return false;
	ebb_write(sebbown, 0);
	return true;
}

void kernel_end(void)
{
	sbi_call(SBI_EBB, RELEASE, 0, COUNTERS, 0, 0, 0, 0);
}

void process_fork_unit(struct process *child)
{
	memset(&child->unit, 0, sizeof(child->unit));
}

static void ended(struct user *u, program_fn *fn)
{
	user_call(CALL_EXIT, fn(u));
}

void process_make(struct process *p, program_fn *fn)
{
	memset(p, 0, sizeof(*p));
	p->x[0] = (unsigned long)ended;
	p->x[2] = (unsigned long)(p->stack + N_STACK);
	__asm__("mv %0, gp" : "=r"(p->x[3]));
	p->x[4] = p->x[10] = (unsigned long)&p->user;
	p->x[11] = (unsigned long)fn;
}

/* True: another process is next. */
static bool call(struct process *p)
{
	unsigned long arg = p->x[10];

	p->x[0] += 4;
	switch (p->x[17]) {
	case CALL_EXIT:
		p->done = true;
		p->result = arg;
		return true;
	case CALL_OPEN:
		p->x[10] = (unsigned long)unit_claim(arg);
		break;
	case CALL_CLOSE:
		p->x[10] = (unsigned long)unit_give_up(arg);
		break;
	case CALL_YIELD:
		return true;
	case CALL_WORK:
		spin(arg);
		kernel_alerts += ebb_read(ebbctl) & EBB_AO ? 1 : 0;
		break;
	}
	return false;
}

/* The clock's ticks are 100 cycles. */
static void set_timer(unsigned long ticks)
{
	unsigned long now = csr_read(time);

	if (!ticks)
		sbi_call(SBI_TIME, 0, -1ul, -1ul, 0, 0, 0, 0);
	else
		sbi_call(SBI_TIME, 0, now + ticks, 0, 0, 0, 0, 0);
}

static void turn(struct process *p, unsigned long slice)
{
	unsigned long cause;

	unit_restore(&p->unit);
	if (slice)
		set_timer(slice);
	for (;;) {
		cause = user_run(p);
		if (cause == ECALL_U && !call(p))
			continue;
		if (cause != ILLEGAL)
			break;
		p->illegal++;
		p->x[0] += 4;
	}
	if (cause >> (__riscv_xlen - 1))
		set_timer(0);
	else if (cause != ECALL_U)
		guest_exit(2);
	unit_save(&p->unit);
}

void kernel_step(struct process *p)
{
	turn(p, 0);
}

void kernel_run(struct process *p, unsigned n, unsigned long slice)
{
	bool some = true;

	if (slice)
		csr_set(sie, STIE);
	while (some) {
		some = false;
		for (unsigned i = 0; i < n; i++) {
			if (p[i].done)
				continue;
			turn(&p[i], slice);
			some = true;
		}
	}
	csr_clear(sie, STIE);
}
