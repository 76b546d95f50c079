/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A branch comes to ebb_entry (ebb-entry.S), which saves what a C function may
 * change; here the handler is called, and there the unit is armed again, in the
 * order of docs/EBB.md. No CSR can be named by a variable, so each counter has
 * instructions of its own.
 */
#include "ebb.h"

/* clang-format off */
#define COUNTERS(X) \
	X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) \
	X(15) X(16) X(17) X(18) X(19) X(20) X(21) X(22) X(23) X(24) X(25) \
	X(26) X(27) X(28) X(29) X(30) X(31)
/* clang-format on */

extern const char ebb_entry[];
unsigned long ebb_dispatch(void);

__attribute__((weak)) struct ebb *ebb_self(void)
{
	static struct ebb one;

	return &one;
}

__attribute__((weak)) long ebb_open(unsigned long mask)
{
	return mask && !(mask & ~EBB_READ(EBB_CSR_OWN)) ? 0 : -1;
}

__attribute__((weak)) long ebb_close(unsigned long mask)
{
	EBB_SET(EBB_CSR_FRZ, mask);
	return 0;
}

void ebb_handler(ebb_handler_fn *fn, unsigned long control)
{
	ebb_self()->handler = fn;
	ebb_self()->control = control;
	EBB_WRITE(EBB_CSR_HR, ebb_entry);
	EBB_WRITE(EBB_CSR_CTL, control);
}

static void write_low(unsigned n, unsigned long value)
{
	switch (n) {
#define X(i)                                                                   \
	case i:                                                                \
		EBB_WRITE(EBB_CSR_CTR(i), value);                              \
		break;
		COUNTERS(X)
#undef X
	}
}

static unsigned long read_low(unsigned n)
{
	switch (n) {
#define X(i)                                                                   \
	case i:                                                                \
		return EBB_READ(EBB_CSR_CTR(i));
		COUNTERS(X)
#undef X
	}
	return 0;
}

#if __riscv_xlen == 32

static void write_high(unsigned n, unsigned long value)
{
	switch (n) {
#define X(i)                                                                   \
	case i:                                                                \
		EBB_WRITE(EBB_CSR_CTRH(i), value);                             \
		break;
		COUNTERS(X)
#undef X
	}
}

static unsigned long read_high(unsigned n)
{
	switch (n) {
#define X(i)                                                                   \
	case i:                                                                \
		return EBB_READ(EBB_CSR_CTRH(i));
		COUNTERS(X)
#undef X
	}
	return 0;
}

/* A counter that runs does not carry in between. */
void ebb_set_value(unsigned n, uint64_t value)
{
	write_low(n, 0);
	write_high(n, (unsigned long)(value >> 32));
	write_low(n, (unsigned long)value);
}

uint64_t ebb_value(unsigned n)
{
	unsigned long high, low;

	do {
		high = read_high(n);
		low = read_low(n);
	} while (read_high(n) != high);
	return (uint64_t)high << 32 | low;
}

#else

void ebb_set_value(unsigned n, uint64_t value)
{
	write_low(n, value);
}

uint64_t ebb_value(unsigned n)
{
	return read_low(n);
}

#endif

void ebb_load(unsigned n, uint64_t period)
{
	ebb_set_value(n, -period);
}

void ebb_enable(void)
{
	EBB_SET(EBB_CSR_CS, EBB_GE | EBB_PE);
}

void ebb_disable(void)
{
	EBB_CLEAR(EBB_CSR_CS, EBB_GE);
}

/* Of ebb-entry.S; GE is off. Returns what ctl is to be. */
unsigned long ebb_dispatch(void)
{
	unsigned long overflown = EBB_READ(EBB_CSR_OVF);
	struct ebb *e = ebb_self();

	e->branches++;
	e->handler(overflown);
	EBB_CLEAR(EBB_CSR_OVF, overflown);
	return e->control;
}
