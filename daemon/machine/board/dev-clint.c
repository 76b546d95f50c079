/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The core-local interruptor: registers of the SiFive layout, and when the
 * timer line of each hart rises and falls. What an interrupt does to a hart is
 * libpmu's.
 */
#include "dev-clint.h"

#include <assert.h>

enum {
	MSIP = 0x0,
	MTIMECMP = 0x4000,
	MTIME = 0xbff8,
	MTIME_END = 0xc000
};

void clint_init(struct clint *c, unsigned n_harts, struct pmu_timebase *tb,
		const struct clint_ops *ops, void *host)
{
	*c = (struct clint){
		.n_harts = n_harts, .tb = tb, .ops = ops, .host = host
	};
	for (unsigned i = 0; i < PMU_MAX_HARTS; i++)
		c->mtimecmp[i] = c->next[i] = UINT64_MAX;
}

/* The first cycle at which mtime is @missing ticks further than at @now. */
static uint64_t cycle_after(const struct clint *c, uint64_t now,
			    uint64_t missing)
{
	const struct pmu_timebase plain = { c->tb->clock_hz, c->tb->time_hz,
					    0 };
	uint64_t raw = pmu_time(&plain, now);

	if (missing > UINT64_MAX - raw)
		return UINT64_MAX;
	return pmu_time_cycle(&plain, raw + missing);
}

/*
 * MTIP is mtime >= mtimecmp (mtime_intr_pending), no more and no less: it
 * falls again when mtime wraps to 0 or is written.
 */
static void update(struct clint *c, unsigned hart, uint64_t now)
{
	uint64_t time = pmu_time(c->tb, now), cmp = c->mtimecmp[hart];
	bool level = time >= cmp;

	if (level)
		c->next[hart] =
			cmp ? cycle_after(c, now, 0 - time) : UINT64_MAX;
	else
		c->next[hart] = cycle_after(c, now, cmp - time);
	if (level != c->mtip[hart]) {
		c->mtip[hart] = level;
		c->ops->irq(c->host, hart, PMU_IRQ_MTI, level);
	}
}

void clint_run(struct clint *c, uint64_t now)
{
	for (unsigned i = 0; i < c->n_harts; i++)
		if (now >= c->next[i])
			update(c, i, now);
}

static void set_msip(struct clint *c, unsigned hart, bool level)
{
	if (hart < c->n_harts && c->msip[hart] != level) {
		c->msip[hart] = level;
		c->ops->irq(c->host, hart, PMU_IRQ_MSI, level);
	}
}

/* One 32-bit register per hart, bit 0 only; 8 bytes are two registers. */
static bool msip_access(struct clint *c, struct bus_access *a)
{
	unsigned first = (unsigned)(a->offset - MSIP) / 4;
	unsigned n = a->size / 4u;
	uint64_t value = 0;

	assert(n <= 2);
	for (unsigned i = 0; i < n; i++) {
		unsigned hart = first + i;

		if (a->write)
			set_msip(c, hart, a->value >> (32 * i) & 1);
		else if (hart < c->n_harts && c->msip[hart])
			value |= 1ull << (32 * i);
	}
	if (!a->write)
		a->value = value;
	return true;
}

/* Replaces the half at @offset, or all of @old when 8 bytes are written. */
static uint64_t merge(uint64_t old, const struct bus_access *a)
{
	unsigned shift = a->offset & 4 ? 32 : 0;

	if (a->size == 8)
		return a->value;
	return (old & ~(0xffffffffull << shift)) | (a->value & 0xffffffffull)
							   << shift;
}

static uint64_t extract(uint64_t value, const struct bus_access *a)
{
	if (a->size == 8)
		return value;
	return value >> (a->offset & 4 ? 32 : 0) & 0xffffffffull;
}

static bool mtimecmp_access(struct clint *c, struct bus_access *a)
{
	unsigned hart = (unsigned)(a->offset - MTIMECMP) / 8;

	if (hart >= c->n_harts) {
		if (!a->write)
			a->value = 0;
		return true;
	}
	if (!a->write) {
		a->value = extract(c->mtimecmp[hart], a);
		return true;
	}
	c->mtimecmp[hart] = merge(c->mtimecmp[hart], a);
	update(c, hart, a->now);
	c->ops->timer_changed(c->host);
	return true;
}

static bool mtime_access(struct clint *c, struct bus_access *a)
{
	uint64_t time = pmu_time(c->tb, a->now);

	if (!a->write) {
		a->value = extract(time, a);
		return true;
	}
	c->tb->offset += merge(time, a) - time;
	for (unsigned i = 0; i < c->n_harts; i++)
		update(c, i, a->now);
	c->ops->timer_changed(c->host);
	return true;
}

bool clint_access(void *dev, struct bus_access *a)
{
	struct clint *c = dev;

	if (a->size < 4)
		return false;
	if (a->offset < MTIMECMP)
		return msip_access(c, a);
	if (a->offset < MTIME)
		return mtimecmp_access(c, a);
	if (a->offset < MTIME_END)
		return mtime_access(c, a);
	if (!a->write)
		a->value = 0;
	return true;
}
