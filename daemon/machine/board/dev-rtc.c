/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The Goldfish real-time clock: what each register reads and what writing it
 * does, and the cycle at which the alarm comes.
 */
#include "dev-rtc.h"

#include <assert.h>

enum {
	TIME_LOW = 0x00, /* reading it latches the upper half */
	TIME_HIGH = 0x04,
	ALARM_LOW = 0x08, /* writing it arms the alarm */
	ALARM_HIGH = 0x0c,
	IRQ_ENABLED = 0x10,
	CLEAR_ALARM = 0x14,
	ALARM_STATUS = 0x18,
	CLEAR_INTERRUPT = 0x1c
};

__extension__ typedef unsigned __int128 u128;

static const uint64_t second = 1000000000; /* in nanoseconds */

void rtc_init(struct rtc *r, uint64_t clock_hz, uint64_t base,
	      const struct rtc_ops *ops, void *host)
{
	assert(clock_hz);
	*r = (struct rtc){ .clock_hz = clock_hz,
			   .base = base,
			   .next = UINT64_MAX,
			   .ops = ops,
			   .host = host };
}

/* Nanoseconds since cycle 0. */
static u128 elapsed(const struct rtc *r, uint64_t now)
{
	return (u128)now * second / r->clock_hz;
}

/* 64 bits of nanoseconds, which go round. */
static uint64_t time_at(const struct rtc *r, uint64_t now)
{
	return r->base + (uint64_t)elapsed(r, now);
}

/* The first cycle that is @missing nanoseconds or more behind @now. */
static uint64_t cycle_after(const struct rtc *r, uint64_t now, uint64_t missing)
{
	u128 product = (elapsed(r, now) + missing) * r->clock_hz;
	u128 cycle = (product + second - 1) / second;

	return cycle > UINT64_MAX ? UINT64_MAX : (uint64_t)cycle;
}

static void ring(struct rtc *r, uint64_t now)
{
	if (!r->armed || time_at(r, now) < r->alarm)
		return;
	r->armed = false;
	r->pending = true;
}

/* What follows from the registers as they are at @now. */
static void update(struct rtc *r, uint64_t now)
{
	bool level;

	ring(r, now);
	r->next = r->armed && r->enabled
			  ? cycle_after(r, now, r->alarm - time_at(r, now))
			  : UINT64_MAX;
	level = r->pending && r->enabled;
	if (level == r->line)
		return;
	r->line = level;
	r->ops->irq(r->host, level);
}

void rtc_run(struct rtc *r, uint64_t now)
{
	if (now >= r->next)
		update(r, now);
}

static uint32_t low(uint64_t value)
{
	return (uint32_t)value;
}

static uint32_t high(uint64_t value)
{
	return (uint32_t)(value >> 32);
}

static uint64_t with_low(uint64_t old, uint32_t value)
{
	return old >> 32 << 32 | value;
}

static uint64_t with_high(uint64_t old, uint32_t value)
{
	return (uint64_t)value << 32 | low(old);
}

static uint32_t read(struct rtc *r, const struct bus_access *a)
{
	uint64_t time = time_at(r, a->now);

	switch (a->offset) {
	case TIME_LOW:
		r->high = high(time);
		return low(time);
	case TIME_HIGH:
		return r->high;
	case ALARM_LOW:
		return low(r->alarm);
	case ALARM_HIGH:
		return high(r->alarm);
	case IRQ_ENABLED:
		return r->enabled;
	case ALARM_STATUS:
		return r->armed;
	default:
		return 0;
	}
}

static void write(struct rtc *r, const struct bus_access *a)
{
	uint64_t time = time_at(r, a->now);
	uint32_t value = (uint32_t)a->value;

	switch (a->offset) {
	case TIME_LOW:
		r->base += with_low(time, value) - time;
		break;
	case TIME_HIGH:
		r->base += with_high(time, value) - time;
		break;
	case ALARM_LOW:
		r->alarm = with_low(r->alarm, value);
		r->armed = true;
		break;
	case ALARM_HIGH:
		r->alarm = with_high(r->alarm, value);
		break;
	case IRQ_ENABLED:
		r->enabled = value & 1;
		break;
	case CLEAR_ALARM:
		r->armed = false;
		break;
	case CLEAR_INTERRUPT:
		r->pending = false;
		break;
	default:
		break;
	}
}

/* Every register has 32 bits and is accessed by words. */
bool rtc_access(void *dev, struct bus_access *a)
{
	struct rtc *r = dev;

	if (a->size != 4)
		return false;
	ring(r, a->now);
	if (!a->write) {
		a->value = read(r, a);
		return true;
	}
	write(r, a);
	update(r, a->now);
	r->ops->timer_changed(r->host);
	return true;
}
