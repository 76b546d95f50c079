/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The operations of sse-ops.h, and the handler: it keeps all registers and
 * returns by the call that completes its event.
 */
#include "sse-ops.h"

static volatile struct log {
	unsigned n;
	unsigned long order, hart;
} seen;

static struct task {
	op_fn *volatile fn;
	const uint64_t *volatile a;
	struct answer got;
} task;

static unsigned long words[N_ATTRS];

extern const char sse_entry[];

#if __riscv_xlen == 64
#define STORE "sd"
#define LOAD  "ld"
#define SIZE  "8"
#else
#define STORE "sw"
#define LOAD  "lw"
#define SIZE  "4"
#endif
#define EACH "	.irp	r, 1,5,6,7,10,11,12,13,14,15,28,29,30,31\n"
#define REG(insn)                                                              \
	EACH "	" insn "	x\\r, \\r * " SIZE "(sp)\n	.endr\n"
#define BELOW(sign) "	addi	sp, sp, " sign "32 * " SIZE "\n"

__asm__(".text\n"
	"	.balign	4\n"
	"	.globl	sse_entry\n"
	"sse_entry:\n" BELOW("-")
		REG(STORE) "	mv	a0, a6\n"
			   "	mv	a1, a7\n"
			   "	call	sse_handler\n" REG(LOAD)
				   BELOW("") "	li	a6, 6\n"
					     "	li	a7, 0x535345\n"
					     "	ecall\n"
					     "	j	.\n");

void sse_handler(unsigned long hart, unsigned long arg);
void sse_handler(unsigned long hart, unsigned long arg)
{
	const uint64_t counter[] = { mach.hw, 1, 0 };
	op_fn *fn = task.fn;

	seen.n++;
	seen.order = seen.order << 4 | arg;
	seen.hart = hart;
	if (arg == OVERFLOWS)
		stop(counter);
	if (!fn)
		return;
	task.fn = NULL;
	task.got = fn(task.a);
}

struct answer within(op_fn *fn, const uint64_t *a)
{
	task.got = (struct answer){ -1, 0 };
	task.a = a;
	task.fn = fn;
	sbi_call(SBI_SSE, INJECT, LOCAL, mach.hart, 0, 0, 0, 0);
	task.fn = NULL;
	return task.got;
}

struct answer calls(const uint64_t *a)
{
	unsigned n = seen.n;

	(void)a;
	seen.n = 0;
	seen.order = 0;
	return (struct answer){ 0, n };
}

struct answer order(const uint64_t *a)
{
	unsigned long got = seen.order;

	calls(a);
	return (struct answer){ 0, got };
}

struct answer entered(const uint64_t *a)
{
	(void)a;
	return (struct answer){ 0, seen.hart };
}

struct answer sse(const uint64_t *a)
{
	struct sbi_ret r =
		sbi_call(SBI_SSE, (long)a[0], (unsigned long)a[1],
			 (unsigned long)a[2], (unsigned long)a[3],
			 (unsigned long)a[4], (unsigned long)a[5], 0);

	return (struct answer){ r.error, r.value };
}

static struct answer call(long fid, unsigned long a0, unsigned long a1,
			  unsigned long a2, unsigned long a3)
{
	const uint64_t a[6] = { (unsigned long)fid, a0, a1, a2, a3 };

	return sse(a);
}

struct answer attr(const uint64_t *a)
{
	struct answer got = call(READ_ATTRS, (unsigned long)a[0],
				 (unsigned long)a[1], 1, (unsigned long)words);

	if (!got.error)
		got.value = words[0];
	return got;
}

struct answer set_attr(const uint64_t *a)
{
	words[0] = (unsigned long)a[2];
	return call(WRITE_ATTRS, (unsigned long)a[0], (unsigned long)a[1], 1,
		    (unsigned long)words);
}

struct answer set_two(const uint64_t *a)
{
	words[0] = (unsigned long)a[2];
	words[1] = (unsigned long)a[3];
	return call(WRITE_ATTRS, (unsigned long)a[0], (unsigned long)a[1], 2,
		    (unsigned long)words);
}

struct answer reg(const uint64_t *a)
{
	return call(REGISTER, (unsigned long)a[0], (unsigned long)sse_entry,
		    (unsigned long)a[1], 0);
}

struct answer arm(const uint64_t *a)
{
	reg(a);
	return call(ENABLE, (unsigned long)a[0], 0, 0, 0);
}

struct answer disarm(const uint64_t *a)
{
	const uint64_t first[] = { a[0], PRIORITY, 0, 0 };
	const uint64_t hart[] = { a[0], PREFERRED_HART, mach.hart };

	call(DISABLE, (unsigned long)a[0], 0, 0, 0);
	call(UNREGISTER, (unsigned long)a[0], 0, 0, 0);
	set_two(first);
	set_attr(hart);
	return calls(a);
}
