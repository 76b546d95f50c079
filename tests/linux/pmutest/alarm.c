/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The clock's alarm: nothing else in the initial file system sets it where the
 * kernel does not take it for a way to wake up.
 */
#define _GNU_SOURCE
#include "pmutest.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/rtc.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static time_t now(int fd)
{
	struct rtc_time at;
	struct tm tm = { 0 };

	if (ioctl(fd, RTC_RD_TIME, &at) < 0)
		fail("reading the clock: %s", strerror(errno));
	memcpy(&tm, &at, sizeof at);
	return timegm(&tm);
}

/* Sleeps until the clock says @n seconds more, and prints what it says then. */
void w_alarm(long n)
{
	int fd = open("/dev/rtc0", O_RDONLY | O_CLOEXEC);
	struct rtc_wkalrm alarm = { .enabled = 1 };
	unsigned long what;
	time_t from, then;
	struct tm tm;

	if (fd < 0)
		fail("/dev/rtc0: %s", strerror(errno));
	from = now(fd);
	then = from + n;
	gmtime_r(&then, &tm);
	memcpy(&alarm.time, &tm, sizeof alarm.time);
	if (ioctl(fd, RTC_WKALM_SET, &alarm) < 0)
		fail("setting the alarm: %s", strerror(errno));
	if (read(fd, &what, sizeof what) != sizeof what)
		fail("waiting for the alarm: %s", strerror(errno));
	printf("alarm %ld %ld\n", (long)from, (long)now(fd));
	close(fd);
}
