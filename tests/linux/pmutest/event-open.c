/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perf_event_open() and what comes with it: the program's only way to events.
 * No library stands between, so that what is counted is the kernel's doing.
 */
#define _GNU_SOURCE
#include "pmutest.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	RING_PAGES = 256,
	PAGE = 4096
};

int event_try(const struct ask *ask)
{
	struct perf_event_attr attr = {
		.type = ask->type,
		.size = sizeof attr,
		.config = ask->config,
		.sample_period = ask->period,
		.disabled = ask->leader == 0,
		.inherit = ask->inherit,
		.exclude_user = !(ask->modes & MODES_U),
		.exclude_kernel = !(ask->modes & MODES_K),
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
	};

	if (ask->period != 0)
		attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD;
	return (int)syscall(SYS_perf_event_open, &attr, ask->of_cpu ? -1 : 0,
			    ask->of_cpu || ask->at_cpu ? (int)ask->cpu : -1,
			    ask->leader != 0 ? ask->leader : -1,
			    PERF_FLAG_FD_CLOEXEC);
}

int event_open(const struct ask *ask)
{
	int fd = event_try(ask);

	if (fd < 0)
		fail("perf_event_open(type %u, config 0x%lx): %s", ask->type,
		     (unsigned long)ask->config, strerror(errno));
	return fd;
}

void event_on(int fd)
{
	ioctl(fd, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
}

void event_off(int fd)
{
	ioctl(fd, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
}

struct reading event_times(int fd)
{
	struct reading reading;

	if (read(fd, &reading, sizeof reading) != sizeof reading)
		fail("reading an event: %s", strerror(errno));
	return reading;
}

uint64_t event_read(int fd)
{
	struct reading reading = event_times(fd);

	if (reading.running != reading.enabled)
		fail("an event shared its counter: %lu of %lu ns",
		     reading.running, reading.enabled);
	return reading.value;
}

int count_users(void)
{
	int fd = event_open(&INSTRUCTIONS(.modes = MODES_U));

	event_on(fd);
	return fd;
}

void users_counted(int fd, const char *what)
{
	event_off(fd);
	note("instructions:u of %s: %lu", what, event_read(fd));
	close(fd);
}

struct ring ring_map(int fd)
{
	struct ring ring = { .size = (RING_PAGES + 1) * PAGE };

	ring.page = mmap(NULL, ring.size, PROT_READ | PROT_WRITE, MAP_SHARED,
			 fd, 0);
	if (ring.page == MAP_FAILED)
		fail("mapping an event's ring: %s", strerror(errno));
	return ring;
}

void ring_unmap(struct ring *ring)
{
	munmap(ring->page, ring->size);
}

static void look_at(struct samples *found, const char *record, uintptr_t from,
		    uintptr_t to)
{
	const struct perf_event_header *head = (const void *)record;
	const uint64_t *body = (const void *)(head + 1);

	switch (head->type) {
	case PERF_RECORD_SAMPLE:
		found->n++;
		found->inside += body[0] >= from && body[0] < to;
		found->periods += body[1];
		break;
	case PERF_RECORD_LOST:
		found->lost += body[1];
		break;
	case PERF_RECORD_THROTTLE:
		found->throttled++;
		break;
	default:
		break;
	}
}

/* The ring never wraps here: who fills it, loses records, which is told. */
struct samples ring_samples(const struct ring *ring, uintptr_t from,
			    uintptr_t to)
{
	const char *data = (const char *)ring->page + PAGE;
	struct samples found = { 0 };
	uint64_t at = 0;

	while (at < ring->page->data_head) {
		const struct perf_event_header *head =
			(const void *)(data + at);

		look_at(&found, data + at, from, to);
		at += head->size;
	}
	return found;
}
