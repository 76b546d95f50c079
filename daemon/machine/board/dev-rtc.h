/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The real-time clock of the Goldfish platform, as QEMU's `virt` has it:
 * nanoseconds since 1970 in two words, and an alarm. Time is the machine's
 * clock on top of a base: no clock of the host's is read.
 */
#ifndef BOARD_DEV_RTC_H
#define BOARD_DEV_RTC_H

#include "bus.h"

struct rtc_ops {
	void (*irq)(void *host, bool level); /* called on changes */
	void (*timer_changed)(void *host);   /* rtc->next is another */
};

struct rtc {
	uint64_t clock_hz;
	uint64_t base;	/* nanoseconds at cycle 0; setting the time moves it */
	uint64_t alarm; /* nanoseconds */
	uint64_t next;	/* cycle at which the line rises by itself */
	uint32_t high;	/* the time's upper half, as of the lower one's read */
	bool armed;	/* the alarm is to come */
	bool enabled;	/* it interrupts */
	bool pending;	/* it has come, and nobody has cleared it */
	bool line;	/* as it was driven last */
	const struct rtc_ops *ops;
	void *host;
};

/* No alarm. @clock_hz is not 0. */
void rtc_init(struct rtc *r, uint64_t clock_hz, uint64_t base,
	      const struct rtc_ops *ops, void *host);
bus_access_fn rtc_access;
/* The clock has reached @now. */
void rtc_run(struct rtc *r, uint64_t now);

#endif
