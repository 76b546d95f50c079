/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Samples at awkward moments: periods that end right before and behind a fork,
 * an exec and an exit, with the counters left open, and while counters are
 * taken from events and given to others. All are users' events: what was
 * counted says exactly how many samples there are.
 */
#define _GNU_SOURCE
#include "pmutest.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	PERIOD = 997,
	CHILDREN = 40,
	NEAR = 3,    /* instructions around a moment */
	WORK = 3000, /* rounds of what ends then */
	EVENTS = 40, /* more than there are counters */
	ROUNDS = 20000000
};

/* Ends by itself; @i is how far it goes beyond the work. */
typedef void life(long i);

static void exits(long i)
{
	(void)i;
	w_loop(WORK);
	_exit(0);
}

static void goes_further(long i)
{
	w_loop(WORK + i);
	_exit(0);
}

static void executes(long i)
{
	w_loop(1 + i);
	execl("/proc/self/exe", "pmutest", "loop", "1000", (char *)NULL);
	_exit(1);
}

/* A family's events: of all its members, of the first alone, and samples. */
struct family {
	int all, first;
	struct sampler sampler;
	uint64_t children; /* what they have counted */
	uint64_t samples;  /* that they must have */
};

static struct family family_new(uint64_t period)
{
	struct ask ask = INSTRUCTIONS(.modes = MODES_U, .at_cpu = true);
	struct family family = { .first = event_open(&ask) };

	pin_to(0);
	ask.inherit = true;
	family.all = event_open(&ask);
	family.sampler = sampler_new(ask, period);
	event_on(family.all);
	event_on(family.first);
	event_on(family.sampler.fd);
	return family;
}

/*
 * Of the children that have ended, but for what is the same each time: what is
 * executed between the two, which is always this code.
 */
__attribute__((noinline)) static uint64_t
beyond_first(const struct family *family)
{
	uint64_t all = event_read(family->all);

	return all - event_read(family->first);
}

/* Returns what the child has counted. */
static uint64_t family_grow(struct family *family, life *live, long i)
{
	uint64_t before = beyond_first(family), of_child;
	int status = 1;
	pid_t child;

	w_loop(1 + i);
	child = fork();
	if (child == 0)
		live(i);
	holds(child > 0 && waitpid(child, &status, 0) == child);
	same((uint64_t)status, 0);
	of_child = beyond_first(family) - before;
	family->children += of_child;
	family->samples += of_child / family->sampler.period;
	return of_child;
}

/* Each member begins a period of its own. */
static void family_end(struct family *family)
{
	uint64_t counted, of_first;

	event_off(family->sampler.fd);
	counted = event_read(family->sampler.fd);
	holds(counted > family->children);
	of_first = counted - family->children;
	sampler_has(&family->sampler,
		    family->samples + of_first / family->sampler.period);
	sampler_end(&family->sampler);
	close(family->first);
	close(family->all);
}

/* The moment moves against the periods. */
static void at_all_distances(life *live)
{
	struct family family = family_new(PERIOD);

	for (long i = 0; i < CHILDREN; i++)
		holds(family_grow(&family, live, i) >= 2 * (uint64_t)i);
	holds(family.samples > 0);
	family_end(&family);
}

static void forks(void)
{
	at_all_distances(goes_further);
}

static void execs(void)
{
	at_all_distances(executes);
}

/* Of a child that lives as long with this period as with any. */
static uint64_t whole_life(uint64_t period, uint64_t *ret_samples)
{
	struct family family = family_new(period);
	uint64_t counted = family_grow(&family, exits, 0);

	*ret_samples = family.samples;
	family_end(&family);
	return counted;
}

static void children_end_with_a_period(void)
{
	uint64_t samples, counted = whole_life(PERIOD, &samples);

	for (int by = -NEAR; by <= NEAR; by++) {
		same(whole_life(counted + (uint64_t)by, &samples), counted);
		same(samples, by <= 0);
	}
}

/* A thread that ends with its event on; the event stays, for who looks. */
static void *leaves(void *argument)
{
	struct sampler *sampler = argument;

	*sampler = sampler_new(INSTRUCTIONS(.modes = MODES_U), sampler->period);
	event_on(sampler->fd);
	w_loop(WORK);
	return NULL;
}

static uint64_t left_by_thread(uint64_t period, uint64_t *ret_samples)
{
	struct sampler sampler = { .period = period };
	uint64_t counted;
	pthread_t thread;

	holds(pthread_create(&thread, NULL, leaves, &sampler) == 0);
	pthread_join(thread, NULL);
	counted = event_read(sampler.fd);
	*ret_samples = sampler_exact(&sampler);
	sampler_end(&sampler);
	return counted;
}

static void threads_end_with_a_period(void)
{
	uint64_t samples, counted;

	/* what is done for the first thread only */
	left_by_thread(PERIOD, &samples);
	counted = left_by_thread(PERIOD, &samples);
	for (int by = -NEAR; by <= NEAR; by++) {
		same(left_by_thread(counted + (uint64_t)by, &samples), counted);
		same(samples, by <= 0);
	}
}

/*
 * Equal events, each with a period of its own. Not of instructions: where all
 * other counters are taken, firmware gives one of them the counter that cannot
 * interrupt.
 */
static void counters_rotate(void)
{
	const struct ask ask =
		HARDWARE(PERF_COUNT_HW_BRANCH_INSTRUCTIONS, .modes = MODES_U);
	struct sampler sampler[EVENTS];
	unsigned int shared = 0;

	for (unsigned int i = 0; i < EVENTS; i++)
		sampler[i] = sampler_new(ask, 100 * PERIOD + i);
	for (unsigned int i = 0; i < EVENTS; i++)
		event_on(sampler[i].fd);
	w_loop(ROUNDS);
	for (unsigned int i = 0; i < EVENTS; i++)
		event_off(sampler[i].fd);
	for (unsigned int i = 0; i < EVENTS; i++) {
		struct reading r = event_times(sampler[i].fd);

		holds(r.value >= sampler[i].period);
		shared += r.running < r.enabled;
		sampler_has(&sampler[i], r.value / sampler[i].period);
		sampler_end(&sampler[i]);
	}
	holds(shared > 0);
}

const struct test moment_tests[] = {
	{ "fork", "periods end around forks, none is lost", forks },
	{ "exec", "periods end around execs, none is lost", execs },
	{ "exit", "a child's last instruction ends its period",
	  children_end_with_a_period },
	{ "leave", "a thread's last instruction ends its period",
	  threads_end_with_a_period },
	{ "rotate", "events that share counters lose no sample",
	  counters_rotate },
	{ 0 },
};
