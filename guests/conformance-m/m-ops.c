/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CSRs as operations of the tables, by number; 64 bits also on RV32, where
 * the upper half is 0x80 or 0x400 further on.
 */
#include "bench.h"

struct answer rd(const uint64_t *a)
{
	const struct code c = { 1, { CSRR(A0, (uint32_t)a[0]) } };

	return run_code(&c, 0);
}

struct answer wr(const uint64_t *a)
{
	const struct code c = { 1, { CSRRW(0, (uint32_t)a[0], A0) } };
	struct answer got = run_code(&c, (unsigned long)a[1]);

	got.value = 0;
	return got;
}

struct answer warl(const uint64_t *a)
{
	const struct code c = {
		2, { CSRRW(0, (uint32_t)a[0], A0), CSRR(A0, (uint32_t)a[0]) }
	};

	return run_code(&c, (unsigned long)a[1]);
}

static struct answer rd64(uint64_t low, uint64_t high)
{
	struct answer got = rd(&low), up;

	if (RV64 || got.error)
		return got;
	up = rd(&high);
	return (struct answer){ up.error, got.value | up.value << 32 };
}

static struct answer wr64(uint64_t low, uint64_t high, uint64_t value)
{
	const uint64_t none[] = { low, 0 }, lower[] = { low, value };
	const uint64_t upper[] = { high, value >> 32 };
	struct answer got = { 0, 0 };

	if (!RV64) {
		wr(none); /* no carry comes between */
		got = wr(upper);
	}
	return got.error ? got : wr(lower);
}

struct answer event(const uint64_t *a)
{
	return rd64(MHPMEVENT3 - 3 + a[0], MHPMEVENT3H - 3 + a[0]);
}

struct answer set_event(const uint64_t *a)
{
	return wr64(MHPMEVENT3 - 3 + a[0], MHPMEVENT3H - 3 + a[0], a[1]);
}

struct answer event_warl(const uint64_t *a)
{
	struct answer got = set_event(a);

	return got.error ? got : event(a);
}

struct answer counter(const uint64_t *a)
{
	return rd64(MCYCLE + a[0], MCYCLEH + a[0]);
}

struct answer set_counter(const uint64_t *a)
{
	return wr64(MCYCLE + a[0], MCYCLEH + a[0], a[1]);
}

struct answer counter_warl(const uint64_t *a)
{
	struct answer got = set_counter(a);

	return got.error ? got : counter(a);
}

struct answer set_cde(const uint64_t *a)
{
	const uint64_t at[] = { BY_XLEN(MENVCFG, MENVCFGH),
				a[0] << BY_XLEN(60, 28) };

	return warl(at);
}
