/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Event-based branches without a firmware: M-mode permits the counters, claims
 * them by CSR and runs the programs of programs.c, in U and, with H, in VU; and
 * what only M-mode can set up: what a hypervisor or Smstateen keeps away, an
 * interrupt of the very boundary at which a branch is due.
 */
#include <stdio.h>
#include <string.h>

#include "programs.h"

enum {
	PAIR = 0x18,
	INSTRUCTIONS = 2,
	ILLEGAL = 2,
	VIRTUAL = 22,
	LCOFIP = 1 << 13,
	MPIE = 0x80,
	EBBRET = 0x8c100073,
};

#define MPP   0x1800ul
#define MPP_S 0x800ul
#define C     1ul /* of mstateen0, hstateen0, sstateen0 */

/* Of mhpmevent: not in M, not in S, not in VS. */
#if __riscv_xlen == 64
#define USERS	    (1ul << 62 | 1ul << 61 | 1ul << 59)
#define MPV_SET()   csr_set(mstatus, 1ul << 39)
#define MPV_CLEAR() csr_clear(mstatus, 1ul << 39)
#else
#define USERS	    (1ul << 30 | 1ul << 29 | 1ul << 27)
#define MPV_SET()   csr_set(0x310, 1ul << 7)
#define MPV_CLEAR() csr_clear(0x310, 1ul << 7)
#endif

static struct visit {
	program_fn *fn;
	unsigned long result;
	struct user user;
} visit;
static bool guest; /* visits are of VS and VU */
static bool has_s, has_h, has_stateen;
static struct {
	unsigned long n, cause, interrupts, at;
} traps;

/* Calls @code with @v in the mode of mstatus, tp being @u. */
void leave(void (*code)(struct visit *v), struct visit *v, struct user *u);
__asm__(".text\n"
	".globl leave\n"
	"leave:\n"
	"	csrw mepc, a0\n"
	"	mv a0, a1\n"
	"	mv tp, a2\n"
	"	mret\n");

static void set_guest(void)
{
	if (has_h && guest)
		MPV_SET();
	else if (has_h)
		MPV_CLEAR();
}

/* It goes on behind its last call in M-mode, and returns. */
static void visited(struct visit *v)
{
	v->result = v->fn(&v->user);
	user_call(CALL_EXIT, 0);
}

static unsigned long go(program_fn *fn, unsigned long mpp)
{
	visit.fn = fn;
	csr_clear(mstatus, MPP);
	csr_set(mstatus, mpp);
	set_guest();
	leave(visited, &visit, &visit.user);
	return visit.result;
}

static unsigned long in_user(program_fn *fn)
{
	return go(fn, 0);
}

static unsigned long in_kernel(program_fn *fn)
{
	return go(fn, MPP_S);
}

/* Another process has the unit for a while. */
static void yield(void)
{
	static const struct unit none;
	struct unit own;

	unit_save(&own);
	unit_restore(&none);
	unit_restore(&own);
}

static unsigned long call(unsigned long number, unsigned long arg)
{
	switch (number) {
	case CALL_EXIT:
		csr_set(mstatus, MPP);
		csr_clear(mstatus, MPIE);
		if (has_h)
			MPV_CLEAR();
		break;
	case CALL_OPEN:
		return (unsigned long)unit_claim(arg);
	case CALL_CLOSE:
		return (unsigned long)unit_give_up(arg);
	case CALL_YIELD:
		yield();
		break;
	case CALL_WORK:
		spin(arg);
		break;
	}
	return arg;
}

void trap(unsigned long *frame)
{
	unsigned long cause = csr_read(mcause), pc = csr_read(mepc);

	if ((long)cause < 0) {
		traps.interrupts++;
		traps.at = pc;
		csr_clear(mip, LCOFIP);
		return;
	}
	csr_write(mepc, pc + 4);
	if (cause == ILLEGAL || cause == VIRTUAL) {
		traps.n++;
		traps.cause = cause;
		return;
	}
	if (cause < 8 || cause > 10)
		guest_exit(2);
	frame[10] = call(frame[17], frame[10]);
}

void trap_s(unsigned long *frame)
{
	(void)frame;
	guest_exit(3);
}

/* Nobody has the unit; of what came before, nothing is left. */
static void fresh(void)
{
	static const struct unit none;

	ebb_write(mebben, COUNTERS);
	if (has_h)
		ebb_write(hebben, COUNTERS);
	unit_restore(&none);
	csr_clear(mip, LCOFIP);
	csr_write(mie, 0);
	memset(&visit, 0, sizeof(visit));
	memset(&traps, 0, sizeof(traps));
}

/* An event, by its number from FIRST_COUNTER on. */
#if __riscv_xlen == 64
#define count_users(csr, high, i) csr_write(csr, USERS | counter_event[i])
#else
#define count_users(csr, high, i)                                              \
	do {                                                                   \
		csr_write(csr, counter_event[i]);                              \
		csr_write(high, USERS);                                        \
	} while (0)
#endif

static void set_up(void)
{
	unsigned long misa = csr_read(misa), before = traps.n;

	has_s = misa >> ('S' - 'A') & 1;
	has_h = misa >> ('H' - 'A') & 1;
	csr_write(0x30c, C);
	has_stateen = traps.n == before;
	if (has_stateen && has_s)
		csr_write(0x10c, C);
	if (has_stateen && has_h)
		csr_write(0x60c, C);
	count_users(0x323, 0x723, 0);
	csr_write(0x324, INSTRUCTIONS);
	count_users(0x325, 0x725, 2);
	count_users(0x326, 0x726, 3);
	count_users(0x327, 0x727, 4);
	count_users(0x328, 0x728, 5);
}

static void all_programs(void)
{
	for (unsigned i = 0; i < ebb_n_scenarios; i++) {
		const struct scenario *s = &ebb_scenarios[i];

		fresh();
		in_user(s->fn);
		ebb_result(visit.result && traps.n == s->illegal, s->rules,
			   s->name);
	}
}

/* Counters 3, 4 or both; a handler that lets them stand. */
static unsigned long prepare(struct user *u)
{
	(void)u;
	ebb_open(PAIR);
	ebb_handler(stop, EBB_AE);
	ebb_enable();
	ebb_load(3, 1000000);
	ebb_load(4, 1000000);
	return 1;
}

static unsigned long work(struct user *u)
{
	(void)u;
	spin(1000);
	return 1;
}

/* How many there have been before its first instruction, or behind it. */
static unsigned long branches(struct user *u)
{
	return u->ebb.branches;
}

static unsigned long touch(struct user *u)
{
	(void)u;
	(void)ebb_read(ebbcs);
	return 1;
}

/* What S-mode, or a hypervisor's guest, does meanwhile is no user's time. */
static void kernel_alert(void)
{
	bool held;

	fresh();
	in_user(prepare);
	ebb_load(4, 1000);
	in_kernel(work);
	held = ebb_read(ebbctl) & EBB_AO && !visit.user.ebb.branches;
	ebb_result(held && in_user(branches) == 1 &&
			   visit.user.ebb.branches == 1,
		   RULE("C149 C182 ebb_deliver"), "an alert in the mode above");
}

/* LCOFI of a counter that nobody claimed, and an alert, at one instruction. */
static void same_boundary(void)
{
	unsigned long back;

	fresh();
	in_user(prepare);
	unit_give_up(0x10);
	ebb_write(ebbctl, EBB_AE);
	csr_write(0xb04, -1000ul);
#if __riscv_xlen == 64
	csr_write(0x324, USERS | INSTRUCTIONS);
#else
	csr_write(0xb84, -1ul);
	csr_write(0x324, INSTRUCTIONS);
	csr_write(0x724, USERS);
#endif
	csr_write(mie, LCOFIP);
	ebb_load(3, 1000);
	in_user(work);
	back = ebb_read(ebbrr);
	csr_write(0x324, INSTRUCTIONS);
#if __riscv_xlen == 32
	csr_write(0x724, 0);
#endif
	ebb_result(traps.interrupts == 1 && visit.user.ebb.branches == 1 &&
			   traps.at == back,
		   RULE("C182 ebb_order"),
		   "an interrupt of the same boundary goes first");
}

static unsigned long returns(struct user *u)
{
	(void)u;
	__asm__ volatile(".word %0" ::"i"(EBBRET));
	return 1;
}

static void elsewhere(void)
{
	fresh();
	if (has_s)
		in_kernel(returns);
	else
		returns(NULL);
	ebb_result(traps.n == 1 && traps.cause == ILLEGAL,
		   RULE("C182 ebb_return"), "ebbret above users is illegal");
}

/* Without a bit of mebben a counter is as ever, whoever asks. */
static void not_permitted(void)
{
	bool good;

	fresh();
	ebb_write(mebben, 0x10);
	good = unit_claim(8) < 0 && unit_claim(COUNTERS) < 0 &&
	       !ebb_read(sebbown) && !unit_claim(0x10);
	ebb_write(mebben, 0);
	good = good && !ebb_read(sebbown);
	ebb_result(good, RULE("C159 ebb_permit ebb_claim"),
		   "what M-mode does not permit is no claim");
	fresh();
	ebb_write(mebben, 0);
	csr_write(0xb03, -100ul);
#if __riscv_xlen == 32
	csr_write(0xb83, -1ul);
#endif
	in_user(work);
	ebb_result(csr_read(mip) & LCOFIP && !ebb_read(ebbctl),
		   RULE("C159 ebb_permit"), "LCOFI without a claim");
#if __riscv_xlen == 64
	csr_clear(0x323, 1ul << 63);
#else
	csr_clear(0x723, 1ul << 31);
#endif
}

/* An alert is held while @off, accesses have @cause; then it is taken. */
static void kept_away(void (*off)(bool off), unsigned long cause,
		      const char *rules, const char *name)
{
	bool good;

	fresh();
	in_user(prepare);
	off(true);
	ebb_load(3, 100);
	in_user(work);
	good = !visit.user.ebb.branches && !traps.n &&
	       ebb_read(ebbctl) & EBB_AO;
	in_user(touch);
	good = good && traps.n == 1 && traps.cause == cause;
	off(false);
	good = good && in_user(branches) == 1;
	ebb_result(good, rules, name);
}

static void no_users(bool off)
{
	ebb_write(sebbcs, !off);
}

static void no_guests(bool off)
{
	ebb_write(hebben, off ? 0 : COUNTERS);
}

static void no_sstateen(bool off)
{
	csr_write(0x10c, off ? 0 : C);
}

static void no_hstateen(bool off)
{
	csr_write(0x60c, off ? 0 : C);
	csr_write(0x10c, C);
}

static void no_mstateen(bool off)
{
	csr_write(0x30c, off ? 0 : C);
}

static void refusals(void)
{
	unsigned long below = guest ? VIRTUAL : ILLEGAL;

	kept_away(no_users, below, RULE("C154 ebb_users"), "UE of sebbcs");
	if (has_stateen)
		kept_away(no_mstateen, ILLEGAL, RULE("C181 ebb_stateen"),
			  "C of mstateen0");
	if (has_stateen && has_s)
		kept_away(no_sstateen, below, RULE("C181 ebb_stateen"),
			  "C of sstateen0");
	if (has_stateen && guest)
		kept_away(no_hstateen, VIRTUAL, RULE("C181 ebb_stateen"),
			  "C of hstateen0");
	if (guest)
		kept_away(no_guests, VIRTUAL, RULE("ebb_guests"), "hebben");
}

/* By a guest's kernel, of what its hypervisor leaves it. */
static unsigned long guest_claims(struct user *u)
{
	(void)u;
	return unit_claim(PAIR) < 0 && unit_claim(0x10) < 0 && !unit_claim(8) &&
	       ebb_read(sebbown) == 8 && !unit_give_up(8);
}

static void claims_of_a_guest(void)
{
	fresh();
	ebb_write(hebben, 8);
	ebb_result(in_kernel(guest_claims) && !ebb_read(sebbown),
		   RULE("ebb_guests ebb_claim"), "claims in VS");
}

static void in_one_of(bool is_guest, const char *where)
{
	guest = is_guest;
	ebb_where = where;
	all_programs();
	if (has_s)
		kernel_alert();
	same_boundary();
	elsewhere();
	refusals();
	if (guest)
		claims_of_a_guest();
}

int main(void)
{
	set_up();
	ebb_write(mebben, COUNTERS);
	if (ebb_read(mebben) != COUNTERS) {
		puts("not ok 1 - no counters");
		return 1;
	}
	in_one_of(false, "in U: ");
	not_permitted();
	if (has_h)
		in_one_of(true, "in VU: ");
	printf("1..%u\n", ebb_results);
	return ebb_failed != 0;
}
