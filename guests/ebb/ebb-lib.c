/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The library of ebb-lib.h. A branch comes to ebb_entry (ebb-entry.S), which
 * saves what a C function may change, and here the handler is called and the
 * unit armed again, in the order of docs/EBB.md.
 */
#include "ebb-lib.h"
#include "ebb-kernel.h"

extern const char ebb_entry[];
void ebb_dispatch(void);

/* A program has one of these in its own memory, where tp points. */
static struct user *self(void)
{
	struct user *u;

	__asm__("mv %0, tp" : "=r"(u));
	return u;
}

long ebb_open(unsigned long mask)
{
	return user_call(CALL_OPEN, mask);
}

long ebb_close(unsigned long mask)
{
	return user_call(CALL_CLOSE, mask);
}

void ebb_handler(ebb_handler_fn *fn, unsigned long control)
{
	self()->handler = fn;
	self()->control = control;
	ebb_write(ebbhr, ebb_entry);
	ebb_write(ebbctl, control);
}

void ebb_load(unsigned n, unsigned long period)
{
	unsigned long lo = -period;

#if __riscv_xlen == 32
	if (n == 3)
		ebb_write(ebbctr3h, ~0ul);
	else
		ebb_write(ebbctr4h, ~0ul);
#endif
	if (n == 3)
		ebb_write(ebbctr3, lo);
	else
		ebb_write(ebbctr4, lo);
}

unsigned long ebb_value(unsigned n)
{
	return n == 3 ? ebb_read(ebbctr3) : ebb_read(ebbctr4);
}

void ebb_enable(void)
{
	ebb_set(ebbcs, EBB_GE | EBB_PE);
}

void ebb_disable(void)
{
	ebb_clear(ebbcs, EBB_GE);
}

/* Of ebb-entry.S; GE is off. */
void ebb_dispatch(void)
{
	unsigned long overflown = ebb_read(ebbovf);
	struct user *u = self();

	u->branches++;
	u->handler(overflown);
	ebb_clear(ebbovf, overflown);
	ebb_write(ebbctl, u->control);
	ebb_clear(ebbcs, EBB_EO);
	ebb_set(ebbcs, EBB_PE);
}
