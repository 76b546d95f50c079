/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs sequences of instructions in M, S and U, passes over what traps, and
 * notes which interrupts came, where and in which order.
 */
#include "protection.h"

#include <stdio.h>

enum {
	RET = 0x8067,
	CAUSE_FETCH_ACCESS = 1,
	CAUSE_ECALL_U = 8,
	CAUSE_ECALL_VS = 10,
	CAUSE_FETCH_PAGE = 12,
	REG_RA = 1,
	MSI = 3,
	MTI = 7,
	MPIE = 0x80,
	MAX_TRAPS = 100000,
};

#define MPP   0x1800ul
#define MPP_S 0x800ul
/* mstatus.MPV: whether mret goes to a guest */
#if __riscv_xlen == 64
#define MPV_SET()   csr_set(mstatus, 1ul << 39)
#define MPV_CLEAR() csr_clear(mstatus, 1ul << 39)
#else
#define MPV_SET()   csr_set(0x310, 1ul << 7)
#define MPV_CLEAR() csr_clear(0x310, 1ul << 7)
#endif
#define GUEST	 1ul /* beside the bits of MPP */
#define MSIP	 ((volatile uint32_t *)0x2000000)
#define MTIMECMP ((volatile uint32_t *)0x2004000)

void skip_trap(void);

static uint32_t page[128] __attribute__((aligned(4096)));
static volatile struct {
	unsigned n; /* exceptions */
	unsigned long cause;
	uint64_t taken; /* interrupts, a digit each */
	unsigned long pc;
	unsigned long at, tval; /* the last exception */
} traps;

/* Goes to code in the mode of mstatus.MPP, or calls it in this one. */
unsigned long leave(const void *code, unsigned long a0);
unsigned long enter(const void *code, unsigned long a0);
__asm__(".text\n"
	".globl leave\n"
	"leave:\n"
	"	csrw mepc, a0\n"
	"	mv a0, a1\n"
	"	mret\n"
	".globl enter\n"
	"enter:\n"
	"	mv t0, a0\n"
	"	mv a0, a1\n"
	"	jr t0\n");

static void store(const struct code *c, uint32_t last)
{
	for (unsigned i = 0; i < c->n; i++)
		page[i] = c->insn[i];
	page[c->n] = last;
	page[c->n + 1] = RET;
	__asm__ volatile("fence.i" ::: "memory");
}

static struct answer trap_or(unsigned before, unsigned long value)
{
	if (traps.n != before)
		return (struct answer){ (long)traps.cause, 0 };
	return (struct answer){ 0, value };
}

struct answer run_code(const struct code *c, unsigned long a0)
{
	unsigned before = traps.n;

	store(c, NOP);
	return trap_or(before, enter(page, a0));
}

struct answer run_code_in(const struct code *c, unsigned long a0,
			  unsigned long mpp)
{
	unsigned before = traps.n;

	store(c, ECALL);
	csr_clear(mstatus, MPP);
	csr_set(mstatus, mpp & MPP);
	if (mpp & GUEST)
		MPV_SET();
	return trap_or(before, leave(page, a0));
}

struct answer run_code_in_user(const struct code *c, unsigned long a0)
{
	return run_code_in(c, a0, 0);
}

static void take(struct code *c, const uint64_t *a)
{
	c->n = 0;
	for (unsigned i = 1; i < 10 && a[i]; i++)
		c->insn[c->n++] = (uint32_t)a[i];
}

struct answer in_m(const uint64_t *a)
{
	struct code c;

	take(&c, a);
	return run_code(&c, (unsigned long)a[0]);
}

struct answer in_m_skipping(const uint64_t *a)
{
	unsigned long vector = csr_read(mtvec);
	struct answer got;

	csr_write(mtvec, (unsigned long)skip_trap);
	got = in_m(a);
	csr_write(mtvec, vector);
	return got;
}

struct answer in_s(const uint64_t *a)
{
	struct code c;

	take(&c, a);
	return run_code_in(&c, (unsigned long)a[0], MPP_S);
}

struct answer in_u(const uint64_t *a)
{
	struct code c;

	take(&c, a);
	return run_code_in(&c, (unsigned long)a[0], 0);
}

struct answer in_vs(const uint64_t *a)
{
	struct code c;

	take(&c, a);
	return run_code_in(&c, (unsigned long)a[0], MPP_S | GUEST);
}

struct answer in_vu(const uint64_t *a)
{
	struct code c;

	take(&c, a);
	return run_code_in(&c, (unsigned long)a[0], GUEST);
}

static unsigned long next(unsigned long cause, unsigned long pc,
			  const unsigned long *frame)
{
	if (cause == CAUSE_FETCH_ACCESS || cause == CAUSE_FETCH_PAGE)
		return frame[REG_RA];
	return pc + ((*(const uint16_t *)pc & 3) == 3 ? 4 : 2);
}

static void note(unsigned long cause, unsigned long pc)
{
	traps.taken = traps.taken << 4 | (cause & 15);
	traps.pc = pc;
}

static void interrupt(unsigned long cause)
{
	note(cause, csr_read(mepc));
	if (cause == MSI)
		*MSIP = 0;
	else if (cause == MTI)
		MTIMECMP[0] = MTIMECMP[1] = UINT32_MAX;
	else
		csr_clear(mip, 1ul << cause);
}

void trap(const unsigned long *frame)
{
	unsigned long cause = csr_read(mcause), pc = csr_read(mepc);

	if ((long)cause < 0) {
		interrupt(cause & 0xff);
		return;
	}
	csr_write(mepc, next(cause, pc, frame));
	if (cause >= CAUSE_ECALL_U && cause <= CAUSE_ECALL_VS) {
		csr_set(mstatus, MPP); /* a visit ends */
		csr_clear(mstatus, MPIE);
		if (known.hypervisor)
			MPV_CLEAR();
		return;
	}
	traps.cause = cause;
	traps.at = pc;
	traps.tval = csr_read(mtval);
	if (++traps.n < MAX_TRAPS)
		return;
	printf("Bail out! traps without end, cause %#lx at %#lx\n", cause, pc);
	guest_exit(1);
}

/* Only interrupts are delegated; what S cannot clear it disables. */
void trap_s(const unsigned long *frame)
{
	unsigned long cause = csr_read(scause) & 0xff;

	(void)frame;
	note(cause, csr_read(sepc));
	csr_clear(sip, 1ul << cause);
	csr_clear(sie, 1ul << cause);
}

struct answer taken(const uint64_t *a)
{
	uint64_t value = traps.taken;

	(void)a;
	traps.taken = 0;
	return (struct answer){ 0, value };
}

struct answer taken_at(const uint64_t *a)
{
	(void)a;
	return (struct answer){ traps.taken ? 0 : -1,
				(traps.pc - (unsigned long)page) / 4 };
}

struct answer fault_at(const uint64_t *a)
{
	(void)a;
	return (struct answer){ 0, (traps.at - (unsigned long)page) / 4 };
}

unsigned long fault_tval(void)
{
	return traps.tval;
}

struct answer overflow_in(const uint64_t *a)
{
	struct code c = { 1, { CSRRW(0, MHPMCOUNTER3, A0) } };

	traps.taken = 0;
	if (a[0] != 'M')
		c.insn[0] = NOP;
	while (c.n < 60)
		c.insn[c.n++] = NOP;
	if (a[0] == 'M')
		run_code(&c, -(unsigned long)a[1]);
	else
		run_code_in(&c, 0, a[0] == 'S' ? MPP_S : 0);
	return taken_at(a);
}

struct answer pending(const uint64_t *a)
{
	return (struct answer){ 0, csr_read(mip) & (unsigned long)a[0] };
}

struct answer fresh(const uint64_t *a)
{
	const uint64_t no[] = { 0 };

	(void)a;
	csr_clear(mstatus, MSTATUS_MIE | 0x22 | 0x80);
	csr_write(mie, 0);
	csr_write(mideleg, 0);
	csr_write(mcountinhibit, 0);
	for (uint64_t n = 3; n < 32; n++) {
		const uint64_t none[] = { n, 0 };

		set_event(none);
		set_counter(none);
	}
	for (uint64_t number = MCYCLECFG; number <= MINSTRETCFG; number++) {
		const uint64_t low[] = { number, 0 };
		const uint64_t high[] = { number + 0x400, 0 };

		wr(low);
		if (!RV64)
			wr(high);
	}
	csr_write(mcounteren, ALL);
	csr_write(scounteren, 0);
	if (known.hypervisor)
		csr_write(0x606, ALL); /* hcounteren */
	if (known.delegation)
		set_cde(no);
	csr_clear(mip, 0x2222);
	*MSIP = 0;
	MTIMECMP[0] = MTIMECMP[1] = UINT32_MAX;
	traps.taken = 0;
	return (struct answer){ 0, 0 };
}
