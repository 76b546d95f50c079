/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Events of a CPU, whoever runs there, and events of a thread that moves from
 * CPU to CPU; firmware events, which are a CPU's, too.
 */
#define _GNU_SOURCE
#include "pmutest.h"

#include <sched.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum {
	ROUNDS = 1000000,
	PERIOD = 50000,
	OTHERS = 400000,
	CPUS = 64
};

/* Firmware events: bit 63 of a raw event's config, the code below. */
enum firmware_event {
	FW_MISALIGNED_LOAD = 0,
	FW_SET_TIMER = 5
};
#define FIRMWARE(code) (UINT64_C(1) << 63 | (code))

unsigned int cpus_online(void)
{
	return (unsigned int)sysconf(_SC_NPROCESSORS_ONLN);
}

void pin_to(unsigned int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	holds(sched_setaffinity(0, sizeof set, &set) == 0);
}

void unpin(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	for (unsigned int cpu = 0; cpu < cpus_online(); cpu++)
		CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof set, &set);
}

static int of_cpu(unsigned int cpu, uint64_t period)
{
	return event_open(&INSTRUCTIONS(.modes = MODES_U, .period = period,
					.of_cpu = true, .cpu = cpu));
}

static void each_cpu_counts_its_own(void)
{
	unsigned int n = cpus_online();
	int fd[CPUS];

	holds(n <= CPUS);
	for (unsigned int busy = 0; busy < n; busy++) {
		pin_to(busy);
		for (unsigned int cpu = 0; cpu < n; cpu++)
			event_on(fd[cpu] = of_cpu(cpu, 0));
		w_loop(ROUNDS);
		for (unsigned int cpu = 0; cpu < n; cpu++) {
			uint64_t value;

			event_off(fd[cpu]);
			value = event_read(fd[cpu]);
			if (cpu == busy)
				holds(value > 2 * ROUNDS);
			holds(value < (cpu == busy ? 2 * ROUNDS : 0) + OTHERS);
			close(fd[cpu]);
		}
	}
}

static void each_cpu_is_sampled(void)
{
	for (unsigned int cpu = 0; cpu < cpus_online(); cpu++) {
		struct samples found;
		struct ring ring;
		int fd;

		pin_to(cpu);
		fd = of_cpu(cpu, PERIOD);
		ring = ring_map(fd);
		event_on(fd);
		w_loop(ROUNDS);
		event_off(fd);
		found = ring_samples(&ring, 0, UINTPTR_MAX);
		note_samples(PERIOD, event_read(fd), found.n);
		same(found.lost + found.throttled, 0);
		same(found.n, event_read(fd) / PERIOD);
		holds(found.n >= 2 * ROUNDS / PERIOD);
		ring_unmap(&ring);
		close(fd);
	}
}

/* What a thread counts that goes from CPU to CPU, n rounds on each. */
static uint64_t on_the_way(long n)
{
	int fd = event_open(&INSTRUCTIONS(.modes = MODES_U));
	uint64_t value;

	event_on(fd);
	for (unsigned int cpu = 0; cpu < cpus_online(); cpu++) {
		pin_to(cpu);
		w_loop(n);
	}
	event_off(fd);
	value = event_read(fd);
	close(fd);
	return value;
}

static void threads_take_counts_along(void)
{
	uint64_t once;

	/* what a library does the first time only is done */
	on_the_way(1);
	pin_to(0);
	once = on_the_way(ROUNDS);
	pin_to(0);
	same(on_the_way(2 * ROUNDS) - once, 2 * ROUNDS * cpus_online());
}

static uint64_t firmware_while_asleep(uint64_t code)
{
	const struct timespec a_while = { .tv_nsec = 50000000 };
	const struct ask ask = { .type = PERF_TYPE_RAW,
				 .config = FIRMWARE(code),
				 .modes = MODES_BOTH,
				 .of_cpu = true };
	int fd = event_open(&ask);
	uint64_t value;

	event_on(fd);
	nanosleep(&a_while, NULL);
	event_off(fd);
	value = event_read(fd);
	close(fd);
	return value;
}

static void firmware_counts(void)
{
	pin_to(0);
	note("set_timer in 50 ms of sleep: %lu",
	     firmware_while_asleep(FW_SET_TIMER));
	holds(firmware_while_asleep(FW_SET_TIMER) > 0);
	same(firmware_while_asleep(FW_MISALIGNED_LOAD), 0);
}

const struct test cpu_tests[] = {
	{ "cpu", "each CPU counts what runs on it", each_cpu_counts_its_own },
	{ "cpu-sample", "each CPU has a sample for each period",
	  each_cpu_is_sampled },
	{ "move", "a thread takes its counts from CPU to CPU",
	  threads_take_counts_along },
	{ "firmware", "firmware events count", firmware_counts },
	{ 0 },
};
