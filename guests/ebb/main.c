/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Processes under the kernel of ebb-kernel.h: the programs of programs.c, each
 * alone, and what takes two processes, another hart, or a neighbour by the
 * firmware's PMU extension.
 */
#include <stdio.h>

#include "programs.h"

enum {
	SBI_ALREADY_STARTED = -7
};

static struct process a[2];

static void alone(program_fn *fn)
{
	process_make(&a[0], fn);
	kernel_run(a, 1, 0);
}

static unsigned long lost_exception(struct user *u)
{
	return lose_none(u, 2000);
}

static unsigned long raised_by_other(struct user *u)
{
	ebb_open(0x10);
	ebb_handler(stop, EBB_AE | EBB_FA);
	ebb_enable();
	ebb_load(4, 400);
	user_call(CALL_YIELD, 0);
	return u->ebb.branches == 1;
}

static unsigned long unwilling(struct user *u)
{
	ebb_write(ebbctl, EBB_AE | EBB_FA);
	ebb_load(3, 100);
	spin(1000);
	return !u->ebb.branches && ebb_read(ebbctl) & EBB_AO;
}

static unsigned long willing(struct user *u)
{
	ebb_handler(stop, EBB_AE | EBB_FA);
	ebb_enable();
	user_call(CALL_YIELD, 0);
	ebb_load(3, 100);
	spin(1000);
	return u->ebb.branches == 1;
}

static unsigned long child(struct user *u)
{
	(void)u;
	ebb_write(ebbctr3, 0); /* illegal */
	return !ebb_read(ebbhr) && !ebb_read(ebbrr) && !ebb_read(ebbcs) &&
	       !ebb_read(ebbown);
}

static unsigned long mover(struct user *u)
{
	ebb_open(8);
	ebb_handler(stop, EBB_AE | EBB_FA);
	ebb_enable();
	ebb_load(3, 1000);
	spin(100);
	user_call(CALL_YIELD, 0);
	if (u->ebb.branches)
		return 0;
	spin(300);
	if (u->ebb.branches)
		return 0;
	spin(200);
	return u->ebb.branches == 1;
}

static void two_processes(void)
{
	bool ok;

	process_make(&a[0], lost_exception);
	process_make(&a[1], idle);
	kernel_run(a, 2, 5);
	ebb_result(a[0].result, RULE("C150 ebb_switch ebb_order"),
		   "lost_exception");
	ebb_result(a[1].result, RULE("ebb_switch"),
		   "a process without branches");
	process_make(&a[0], lost_exception);
	process_make(&a[1], lost_exception);
	kernel_run(a, 2, 7);
	ok = a[0].result && a[1].result;
	ebb_result(ok, RULE("ebb_switch"), "multi_ebb_procs");
	process_make(&a[0], raised_by_other);
	process_make(&a[1], idle);
	kernel_step(&a[0]);
	/* On its account, before the other runs. */
	unit_restore(&a[0].unit);
	for (volatile unsigned i = 0; i < 1000; i++)
		;
	unit_save(&a[0].unit);
	ok = a[0].unit.ctl & EBB_AO && !a[0].user.ebb.branches;
	kernel_run(&a[1], 1, 0);
	ok = ok && a[1].result && !a[0].user.ebb.branches;
	kernel_run(a, 1, 0);
	ebb_result(ok && a[0].result, RULE("C149 ebb_switch"),
		   "an alert in S-mode of the process that does not run");
}

/* Each with a pattern of its own. */
static unsigned long freeze_even(struct user *u)
{
	return freeze_some(u, 0x150);
}

static unsigned long freeze_odd(struct user *u)
{
	return freeze_some(u, 0xa0);
}

static void two_patterns(void)
{
	process_make(&a[0], freeze_even);
	process_make(&a[1], freeze_odd);
	kernel_run(a, 2, 9);
	ebb_result(a[0].result && a[1].result,
		   RULE("ebb_user_freeze ebb_switch"),
		   "two processes with a freeze of their own");
}

static void parent_and_child(void)
{
	process_make(&a[0], unwilling);
	a[0].unit.own = 8;
	kernel_run(a, 1, 0);
	ebb_result(a[0].result, RULE("C154"), "ebb_on_child");
	process_make(&a[0], willing);
	a[0].unit.own = 8;
	kernel_run(a, 1, 0);
	ebb_result(a[0].result, RULE("C154"), "ebb_on_willing_child");
	process_make(&a[0], child);
	a[0].unit.hr = a[0].unit.cs = a[0].unit.own = COUNTERS;
	process_fork_unit(&a[0]);
	kernel_run(a, 1, 0);
	ebb_result(a[0].result && a[0].illegal == 1, RULE("C157"),
		   "fork_cleanup");
}

/* Of S-mode's own events, which the firmware has. */
static void others(void)
{
	struct sbi_ret r = sbi_call(SBI_PMU, 2, 3, 3, 0, 2, 0, 0);

	ebb_result(r.error, RULE("C155"), "ebb_vs_cpu_event");
	kernel_end();
	r = sbi_call(SBI_PMU, 2, 3, 1, 4, 2, 0, 0);
	ebb_result(!r.error && kernel_claim() == SBI_ALREADY_STARTED,
		   RULE("C155"), "cpu_event_pinned_vs_ebb");
	sbi_call(SBI_PMU, 4, 3, 3, 1, 0, 0, 0);
	ebb_result(kernel_init(), RULE("C155"), "cpu_event_vs_ebb");
}

static volatile bool there;

/* The other hart: the same process goes on. */
void hart_main(unsigned long hartid, unsigned long opaque)
{
	(void)hartid;
	(void)opaque;
	if (kernel_init())
		kernel_run(a, 1, 0);
	__asm__ volatile("fence" ::: "memory");
	there = true;
	for (;;)
		__asm__ volatile("wfi");
}

extern const char _start[];

/* Nothing where there is no other hart. */
static void move(unsigned long hartid)
{
	unsigned long other = hartid ? 0 : 1;
	struct sbi_ret r;

	process_make(&a[0], mover);
	kernel_step(&a[0]);
	r = sbi_call(SBI_HSM, 0, other, (unsigned long)_start, 0, 0, 0, 0);
	if (r.error)
		return;
	while (!there)
		__asm__ volatile("nop");
	__asm__ volatile("fence" ::: "memory");
	ebb_result(a[0].done && a[0].result, RULE("ebb_switch ebb_claim"),
		   "a process that moves to another hart");
}

int main(unsigned long hartid)
{
	if (!kernel_init()) {
		puts("not ok 1 - no counters");
		return 1;
	}
	for (unsigned i = 0; i < ebb_n_scenarios; i++) {
		const struct scenario *s = &ebb_scenarios[i];

		alone(s->fn);
		ebb_result(a[0].result && a[0].illegal == s->illegal, s->rules,
			   s->name);
	}
	two_processes();
	two_patterns();
	parent_and_child();
	move(hartid);
	others();
	printf("1..%u\n", ebb_results);
	return ebb_failed != 0;
}
