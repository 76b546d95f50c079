/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sampling: of users' events there are exactly as many samples as periods were
 * counted. Where the kernel is counted, too, periods that end while it has
 * interrupts off fall together; how many samples there are then only a trace
 * of the machine can tell.
 */
#define _GNU_SOURCE
#include "pmutest.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
	ROUNDS = 2500000,
	PERIOD = 100000,
	OTHER_PERIOD = 70000
};

static void sample_once(const struct ask *ask, uint64_t least)
{
	struct sampler sampler = sampler_new(*ask, PERIOD);

	event_on(sampler.fd);
	w_loop(ROUNDS);
	event_off(sampler.fd);
	sampler_exact(&sampler);
	holds(event_read(sampler.fd) >= least);
	sampler_end(&sampler);
}

static void samples_of_users(void)
{
	sample_once(&INSTRUCTIONS(.modes = MODES_U), 2 * ROUNDS);
	sample_once(
		&HARDWARE(PERF_COUNT_HW_BRANCH_INSTRUCTIONS, .modes = MODES_U),
		ROUNDS);
}

static void samples_are_in_the_work(void)
{
	struct sampler sampler =
		sampler_new(INSTRUCTIONS(.modes = MODES_U), PERIOD);
	struct samples found;

	event_on(sampler.fd);
	w_loop(ROUNDS);
	event_off(sampler.fd);
	found = ring_samples(&sampler.ring, (uintptr_t)w_loop,
			     (uintptr_t)w_straight);
	sampler_exact(&sampler);
	same(found.inside, found.n);
	sampler_end(&sampler);
}

/* As perf does it: the first thing it does is a counting event. */
static void samples_after_counting(void)
{
	int fd = event_open(&INSTRUCTIONS(.modes = MODES_U));

	event_on(fd);
	w_loop(1000);
	event_off(fd);
	close(fd);
	sample_once(&INSTRUCTIONS(.modes = MODES_U), 2 * ROUNDS);
}

static void two_at_once(void)
{
	struct sampler one =
		sampler_new(INSTRUCTIONS(.modes = MODES_U), PERIOD);
	struct sampler two =
		sampler_new(INSTRUCTIONS(.modes = MODES_U), OTHER_PERIOD);

	event_on(one.fd);
	event_on(two.fd);
	w_loop(2 * ROUNDS);
	event_off(two.fd);
	event_off(one.fd);
	holds(sampler_exact(&one) >= 4 * ROUNDS / PERIOD);
	holds(sampler_exact(&two) >= 4 * ROUNDS / OTHER_PERIOD);
	sampler_end(&two);
	sampler_end(&one);
}

static void short_periods(void)
{
	static const uint64_t periods[] = { 997, 1000, 1009, 4999 };

	for (size_t i = 0; i < sizeof periods / sizeof *periods; i++) {
		struct sampler sampler =
			sampler_new(INSTRUCTIONS(.modes = MODES_U), periods[i]);

		event_on(sampler.fd);
		w_loop(ROUNDS / 10);
		event_off(sampler.fd);
		holds(sampler_exact(&sampler) >= 2 * ROUNDS / 10 / periods[i]);
		sampler_end(&sampler);
	}
}

static volatile sig_atomic_t signals;

static void on_signal(int number)
{
	(void)number;
	signals++;
}

static void signals_come(void)
{
	struct sampler sampler =
		sampler_new(INSTRUCTIONS(.modes = MODES_U), PERIOD);
	const struct sigaction action = { .sa_handler = on_signal };

	signals = 0;
	sigaction(SIGIO, &action, NULL);
	fcntl(sampler.fd, F_SETFL, O_ASYNC | O_NONBLOCK);
	fcntl(sampler.fd, F_SETOWN, getpid());
	ioctl(sampler.fd, PERF_EVENT_IOC_REFRESH, 1000000);
	w_loop(ROUNDS);
	event_off(sampler.fd);
	same((uint64_t)signals, sampler_exact(&sampler));
	holds(signals > 0);
	sampler_end(&sampler);
}

/*
 * What fell together only the machine's trace can tell, where each of these has
 * its place by its period.
 */
static void samples_of_the_kernel(void)
{
	static const struct {
		enum modes modes;
		uint64_t period;
		long calls;
	} rows[] = {
		{ MODES_K, 100003, 20000 },
		{ MODES_BOTH, 100019, 20000 },
		{ MODES_K, 10007, 20000 },
		{ MODES_BOTH, 2003, 1000 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct sampler sampler = sampler_new(
			INSTRUCTIONS(.modes = rows[i].modes), rows[i].period);
		struct samples found;
		uint64_t counted;

		event_on(sampler.fd);
		w_syscall(rows[i].calls);
		event_off(sampler.fd);
		counted = event_read(sampler.fd);
		found = ring_samples(&sampler.ring, 0, UINTPTR_MAX);
		note_samples(rows[i].period, counted, found.n);
		same(found.lost, 0);
		same(found.throttled, 0);
		holds(found.n > 0 && found.n <= counted / rows[i].period);
		sampler_end(&sampler);
	}
}

const struct test sample_tests[] = {
	{ "sample", "there is one sample for each period", samples_of_users },
	{ "where", "samples lie in the work", samples_are_in_the_work },
	{ "again", "sampling after counting loses nothing",
	  samples_after_counting },
	{ "two", "two periods at once lose nothing", two_at_once },
	{ "short", "short periods lose nothing", short_periods },
	{ "signal", "each sample signals its owner once", signals_come },
	{ "kernel", "the kernel is sampled", samples_of_the_kernel },
	{ 0 },
};
