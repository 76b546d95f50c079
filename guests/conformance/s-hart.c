/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a hart does by itself: instructions made at run time, so that any CSR
 * can be reached by number and none of them needs a build of its own; traps,
 * none of which ends the guest; and work handed to another hart.
 */
#include "conf.h"

#include <stdio.h>

#include <pmu/insn-word.h>

enum {
	BREATH = 2000, /* naps until a hart counts as dead */
	NAP = 1000,    /* ticks of time */
	REG_RA = 1,
	CAUSE_FETCH_ACCESS = 1,
	CAUSE_ECALL_U = 8,
	CAUSE_FETCH_PAGE = 12,
	STI = 5,
	MAX_TRAPS = 10000,
	RET = 0x8067,
};

#define SSTATUS_SPP  0x100
#define SSTATUS_SPIE 0x20
#define IRQ(n)	     (1ul << (__riscv_xlen - 1) | (n))

volatile struct traps traps;

static struct mail {
	op_fn *volatile fn;
	const uint64_t *volatile a;
	volatile struct answer got;
} mail[MAX_HARTS];

static uint32_t page[128] __attribute__((aligned(4096)));

unsigned long enter(const void *code, unsigned long a0);
unsigned long enter_user(const void *code, unsigned long a0);
__asm__(".text\n"
	".globl enter\n"
	"enter:\n"
	"	mv t0, a0\n"
	"	mv a0, a1\n"
	"	jr t0\n"
	".globl enter_user\n"
	"enter_user:\n"
	"	csrw sepc, a0\n"
	"	mv a0, a1\n"
	"	li t0, 0x120\n" /* SPP, SPIE */
	"	csrc sstatus, t0\n"
	"	sret\n");

static void store_code(const struct code *c, uint32_t last)
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

	store_code(c, NOP);
	return trap_or(before, enter(page, a0));
}

struct answer run_code_in_user(const struct code *c, unsigned long a0)
{
	unsigned before = traps.n;

	store_code(c, PMU_WORD_ECALL); /* ends the visit */
	return trap_or(before, enter_user(page, a0));
}

struct answer read_csr(const uint64_t *a)
{
	struct code c = { 1, { CSRR(A0, (uint32_t)a[0]) } };

	return run_code(&c, 0);
}

struct answer write_csr(const uint64_t *a)
{
	struct code c = { 1, { CSRRW(0, (uint32_t)a[0], A0) } };
	struct answer got = run_code(&c, (unsigned long)a[1]);

	got.value = 0;
	return got;
}

struct answer read_counter(const uint64_t *a)
{
	uint64_t low = CYCLE + a[0], high = CYCLEH + a[0];
	struct answer got = read_csr(&low), up;

	if (RV64 || got.error)
		return got;
	up = read_csr(&high);
	got.value |= up.value << 32;
	got.error = up.error;
	return got;
}

uint64_t time_now(void)
{
	uint64_t now = csr_read(time);

#if __riscv_xlen == 32
	uint32_t high = csr_read(timeh);

	/* the halves belong together, or the lower one has just wrapped */
	now = csr_read(time);
	now |= (uint64_t)csr_read(timeh) << 32;
	if (now >> 32 != high)
		now = now >> 32 << 32;
#endif
	return now;
}

void nap(void)
{
	uint64_t t = time_now() + NAP;

	set_timer(&t);
	csr_set(sie, 1ul << STI);
	__asm__ volatile("wfi" ::: "memory");
	csr_clear(sie, 1ul << STI);
	t = ~0ull;
	set_timer(&t);
}

unsigned long code_page(void)
{
	return (unsigned long)page;
}

struct answer scountovf(const uint64_t *a)
{
	uint64_t number = SCOUNTOVF;
	struct answer got = read_csr(&number);

	got.value &= a[0];
	return got;
}

struct answer clear_lcofi(const uint64_t *a)
{
	(void)a;
	csr_clear(sip, 1ul << LCOFI);
	return (struct answer){ 0, 0 };
}

struct answer lcofi(const uint64_t *a)
{
	(void)a;
	return (struct answer){ 0, csr_read(sip) >> LCOFI & 1 };
}

struct answer work(const uint64_t *a)
{
	unsigned long rounds = (unsigned long)a[0] / 2 + 1;

	__asm__ volatile("1: addi %0, %0, -1; bnez %0, 1b" : "+r"(rounds));
	return (struct answer){ 0, 0 };
}

/* What PMU software does first on an overflow, without SBI (C145). */
static void on_lcofi(unsigned long pc)
{
	traps.lcofi_overflown = csr_read(scountovf);
	csr_clear(sip, 1ul << LCOFI);
	traps.n_lcofi++;
	traps.lcofi_pc = pc;
}

static void interrupt(unsigned long cause, unsigned long pc)
{
	if (cause == IRQ(LCOFI)) {
		on_lcofi(pc);
	} else if (cause == IRQ(5)) {
		traps.n_timer++;
		csr_clear(sie, 1ul << 5);
	} else {
		traps.n_soft++;
		csr_clear(sip, 2);
	}
}

/* Passes over what trapped; a jump to nowhere returns to its caller. */
static unsigned long next(unsigned long cause, unsigned long pc,
			  const unsigned long *frame)
{
	if (cause == CAUSE_FETCH_ACCESS || cause == CAUSE_FETCH_PAGE)
		return frame[REG_RA];
	return pc + ((*(const uint16_t *)pc & 3) == 3 ? 4 : 2);
}

void trap(const unsigned long *frame)
{
	unsigned long cause = csr_read(scause), pc = csr_read(sepc);

	if ((long)cause < 0) {
		interrupt(cause, pc);
		return;
	}
	csr_write(sepc, next(cause, pc, frame));
	if (cause == CAUSE_ECALL_U) {
		csr_set(sstatus, SSTATUS_SPP);
		return;
	}
	traps.cause = cause;
	traps.pc = pc;
	if (++traps.n < MAX_TRAPS)
		return;
	printf("Bail out! traps without end, cause %#lx at %#lx\n", cause, pc);
	guest_exit(1);
}

/* A hart that was started: does what comes by mail. */
void hart_main(unsigned long hart)
{
	struct mail *m = &mail[hart];

	for (;;) {
		struct answer got;

		while (!m->fn)
			nap();
		__sync_synchronize();
		got = m->fn(m->a);
		m->got.error = got.error;
		m->got.value = got.value;
		__sync_synchronize();
		m->fn = NULL;
	}
}

void mail_to(unsigned hart, op_fn *fn)
{
	mail[hart].fn = fn;
	__sync_synchronize();
}

struct answer on_hart(unsigned hart, op_fn *fn, const uint64_t *a)
{
	struct mail *m = &mail[hart];

	m->a = a;
	__sync_synchronize();
	m->fn = fn;
	for (unsigned i = 0; m->fn; i++) {
		if (i == BREATH)
			return (struct answer){ -1, 0 };
		nap();
	}
	__sync_synchronize();
	return (struct answer){ m->got.error, m->got.value };
}
