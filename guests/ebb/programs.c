/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What programs do with event-based branches, after the self tests that Linux
 * has for the Power ISA's: each is a program in user mode for which any kernel
 * does that has the calls of ebb-kernel.h, and a result by the name of its
 * scenario.
 */
#include "programs.h"

#include <stdio.h>

const char *ebb_where = "";
unsigned ebb_results, ebb_failed;

void ebb_result(bool ok, const char *rules, const char *name)
{
	printf("# shows %s\n", rules);
	printf("%s %u - %s%s\n", ok ? "ok" : "not ok", ++ebb_results, ebb_where,
	       name);
	ebb_failed += !ok;
}

struct ebb *ebb_self(void)
{
	return &user_self()->ebb;
}

long ebb_open(unsigned long mask)
{
	return user_call(CALL_OPEN, mask);
}

long ebb_close(unsigned long mask)
{
	return user_call(CALL_CLOSE, mask);
}

/* Exactly 2 * @turns instructions, the same from everywhere. */
__attribute__((noinline)) void spin(unsigned long turns)
{
	__asm__ volatile("1: addi %0, %0, -1\n\tbnez %0, 1b"
			 : "+r"(turns)::"memory");
}

/* A handler that goes on with the period of u->count[1]. */
void again(unsigned long overflown)
{
	struct user *u = user_self();

	for (unsigned n = 3; n <= 4; n++)
		if (overflown >> n & 1) {
			u->count[2 + (n - 3)]++;
			ebb_load(n, u->count[1]);
		}
	u->count[0] += overflown == 0;
}

void stop(unsigned long overflown)
{
	(void)overflown;
	ebb_set(ebbfrz, COUNTERS);
}

static unsigned long reg_access(struct user *u)
{
	(void)u;
	ebb_write(ebbhr, 0x1234);
	ebb_write(ebbrr, 0x4320);
	ebb_write(ebbcs, EBB_PE);
	user_call(CALL_YIELD, 0);
	return ebb_read(ebbhr) == 0x1234 && ebb_read(ebbrr) == 0x4320 &&
	       ebb_read(ebbcs) == EBB_PE;
}

static unsigned long event_attributes(struct user *u)
{
	(void)u;
	return ebb_open(0) < 0 && ebb_open(0x200) < 0 && ebb_open(0x208) < 0 &&
	       ebb_open(8) == 0 && ebb_open(0x18) < 0 && ebb_open(8) < 0 &&
	       ebb_read(ebbown) == 8 && ebb_open(0x10) == 0 &&
	       ebb_read(ebbown) == 0x18;
}

/*
 * The period is so short that the counter overflows before the handler has
 * returned: none is nested, and all of them come ahead of one instruction.
 */
static void ten(unsigned long overflown)
{
	struct user *u = user_self();

	if (u->ebb.branches == 1)
		u->count[3] = ebb_read(ebbrr);
	if (u->count[3] != ebb_read(ebbrr) || overflown != 8)
		u->count[0]++;
	ebb_load(3, 5);
	if (u->ebb.branches == 10)
		ebb_set(ebbfrz, 8);
}

static unsigned long back_to_back_ebbs(struct user *u)
{
	ebb_open(8);
	ebb_handler(ten, EBB_AE | EBB_FA);
	ebb_load(3, 50);
	ebb_enable();
	spin(1000);
	ebb_disable();
	return u->ebb.branches == 10 && !u->count[0];
}

static unsigned long no_handler(struct user *u)
{
	ebb_open(8);
	ebb_write(ebbctl, EBB_AE | EBB_FA);
	ebb_load(3, 100);
	spin(1000);
	return ebb_read(ebbctl) == (EBB_AO | EBB_FA | EBB_FC) &&
	       ebb_read(ebbhr) == 0 && !u->ebb.branches && ebb_value(3) < 16;
}

static unsigned long pmae_handling(struct user *u)
{
	ebb_open(8);
	ebb_handler(stop, EBB_FA);
	ebb_load(3, 50);
	ebb_enable();
	user_call(CALL_YIELD, 0);
	if (ebb_read(ebbctl) != EBB_FA)
		return 0;
	spin(100);
	user_call(CALL_YIELD, 0);
	return ebb_read(ebbctl) == EBB_FA && ebb_read(ebbovf) == 8 &&
	       !u->ebb.branches;
}

static unsigned long unused_counters(struct user *u)
{
	ebb_open(0x18);
	ebb_handler(stop, EBB_AE | EBB_FA);
	ebb_load(3, 1000000);
	ebb_load(4, 500);
	ebb_close(0x10);
	ebb_write(ebbctl, EBB_AE | EBB_FA);
	ebb_enable();
	spin(1000);
	ebb_disable();
	return !u->ebb.branches && ebb_read(ebbovf) == 0 &&
	       ebb_read(ebbctl) == (EBB_AE | EBB_FA);
}

unsigned long lose_none(struct user *u, unsigned long n)
{
	u->count[1] = 401;
	ebb_open(8);
	ebb_handler(again, EBB_AE | EBB_FA);
	ebb_load(3, 401);
	ebb_enable();
	while (u->ebb.branches < n)
		spin(20);
	ebb_disable();
	return u->count[2] == n && u->ebb.branches == n && !u->count[0];
}

unsigned long idle(struct user *u)
{
	spin(20000);
	return !u->ebb.branches && ebb_read(ebbhr) == 0 &&
	       ebb_read(ebbown) == 0;
}

/* Its counter counts in the kernel, too. */
static unsigned long alert_in_kernel(struct user *u)
{
	ebb_open(0x10);
	ebb_handler(stop, EBB_AE | EBB_FA);
	ebb_enable();
	ebb_load(4, 2000);
	user_call(CALL_WORK, 2000);
	/* Right behind the call, which this would not reach otherwise. */
	return u->ebb.branches == 1;
}

static unsigned long close_clears(struct user *u)
{
	(void)u;
	ebb_open(8);
	ebb_write(ebbctr3, 1);
	ebb_close(8);
	ebb_write(ebbctr3, 1);
	return 1;
}

static unsigned long close_reads(struct user *u)
{
	(void)u;
	ebb_open(8);
	ebb_close(8);
	(void)ebb_read(ebbctr3);
	(void)ebb_read(ebbctl);
	(void)ebb_read(ebbovf);
	(void)ebb_read(ebbfrz);
	return 1;
}

/* A pair of LR and SC; @period instructions from the LR on, a branch. */
static unsigned long pair(unsigned long period)
{
	static unsigned word;
	unsigned long failed;

	ebb_load(3, 1000000);
	__asm__ volatile("csrw 0x823, %1\n\t"
			 "lr.w %0, (%2)\n\t"
			 ".rept 16\n\tnop\n\t.endr\n\t"
			 "sc.w %0, zero, (%2)"
			 : "=&r"(failed)
			 : "r"(-period), "r"(&word)
			 : "memory");
	return failed;
}

static unsigned long reservation(struct user *u)
{
	ebb_open(8);
	ebb_handler(stop, EBB_AE | EBB_FA);
	ebb_enable();
	return pair(1000) == 0 && !u->ebb.branches && pair(8) != 0 &&
	       u->ebb.branches == 1;
}

const struct scenario ebb_scenarios[] = {
	{ "reg_access", RULE("C154 ebb_users ebb_switch"), reg_access, 0 },
	{ "event_attributes", RULE("C155 C156 ebb_claim"), event_attributes,
	  0 },
	{ "cycles", RULE("C149 C152 C153 ebb_rearm"), cycles, 0 },
	{ "cycles_with_freeze", RULE("ebb_user_freeze"), cycles_with_freeze,
	  0 },
	{ "cycles_with_mmcr2", RULE("ebb_user_freeze ebb_switch"),
	  cycles_with_mmcr2, 0 },
	{ "instruction_count", RULE("C158 ebb_freeze"), instruction_count, 0 },
	{ "multi_counter", RULE("ebb_alert ebb_freeze"), multi_counter, 0 },
	{ "back_to_back_ebbs", RULE("C151 ebb_return"), back_to_back_ebbs, 0 },
	{ "no_handler", RULE("C150 ebb_deliver"), no_handler, 0 },
	{ "pmae_handling", RULE("C151 ebb_switch"), pmae_handling, 0 },
	{ "pmc56_overflow", RULE("ebb_alert"), unused_counters, 0 },
	{ "alert in the kernel", RULE("C149 C182"), alert_in_kernel, 0 },
	{ "a branch between LR and SC", RULE("ebb_reservation"), reservation,
	  0 },
	{ "close_clears_pmcc", RULE("C157 ebb_claim"), close_clears, 1 },
	{ "regs_access_pmccext", RULE("C157 ebb_claim"), close_reads, 4 },
};

const unsigned ebb_n_scenarios = N_OF(ebb_scenarios);
