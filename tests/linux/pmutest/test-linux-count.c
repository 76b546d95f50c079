/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counting: what an event says of work whose instructions are known. What the
 * calls around the work cost is not known, but it is the same each time, so
 * that the numbers of n and 2n rounds differ by n rounds, to the instruction.
 */
#define _GNU_SOURCE
#include "pmutest.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	ROUNDS = 100000,
	MANY = 30,     /* events at once: fewer than there are counters */
	TOO_MANY = 40, /* more than there are */
	AROUND = 200,  /* instructions of a user's that calls may cost */
	BUFFER = 1 << 20,
	CALLS = 10000,
	CALL_LEAST = 100, /* instructions of the kernel's for one */
	CALL_MOST = 1000, /* without a seed of random bytes it is 15400 */
};

/* Events of hardware by their names in the machine's device tree. */
enum raw_event {
	RAW_LOADS = 0x100000,
	RAW_STORES = 0x100001
};

static char buffer[BUFFER] __attribute__((aligned(4096)));

static void walk(long n)
{
	w_walk(n, buffer, 8);
}

static void fill(long n)
{
	w_fill(n, buffer, 8);
}

/* What is counted while work(n) is done. */
static uint64_t count(const struct ask *ask, void (*work)(long), long n)
{
	int fd = event_open(ask);
	uint64_t value;

	event_on(fd);
	work(n);
	event_off(fd);
	value = event_read(fd);
	close(fd);
	return value;
}

/* The part of it that grows with n. */
static uint64_t growth(const struct ask *ask, void (*work)(long), long n)
{
	uint64_t once = count(ask, work, n);

	return count(ask, work, 2 * n) - once;
}

static const struct known {
	const char *what;
	void (*work)(long);
	struct ask ask;
	long rounds;
	uint64_t growth;
} known[] = {
	{ "instructions:u of loop", w_loop, INSTRUCTIONS(.modes = MODES_U),
	  ROUNDS, 2 * ROUNDS },
	{ "instructions:u of straight", w_straight,
	  INSTRUCTIONS(.modes = MODES_U), 1000, 102000 },
	{ "instructions:u of branch", w_branch, INSTRUCTIONS(.modes = MODES_U),
	  ROUNDS, ROUNDS / 2 * 9 },
	{ "instructions:u of walk", walk, INSTRUCTIONS(.modes = MODES_U), 10000,
	  40000 },
	{ "instructions:u of syscall", w_syscall,
	  INSTRUCTIONS(.modes = MODES_U), 1000, 2000 },
	{ "branches:u of loop", w_loop,
	  HARDWARE(PERF_COUNT_HW_BRANCH_INSTRUCTIONS, .modes = MODES_U), ROUNDS,
	  ROUNDS },
	{ "branches:u of branch", w_branch,
	  HARDWARE(PERF_COUNT_HW_BRANCH_INSTRUCTIONS, .modes = MODES_U), ROUNDS,
	  2 * ROUNDS },
	{ "loads:u of walk",
	  walk,
	  { .type = PERF_TYPE_RAW, .config = RAW_LOADS, .modes = MODES_U },
	  10000,
	  10000 },
	{ "stores:u of fill",
	  fill,
	  { .type = PERF_TYPE_RAW, .config = RAW_STORES, .modes = MODES_U },
	  10000,
	  10000 },
	{ "loads:u of loop",
	  w_loop,
	  { .type = PERF_TYPE_RAW, .config = RAW_LOADS, .modes = MODES_U },
	  ROUNDS,
	  0 },
};

static void exact_for_users(void)
{
	/* the first access to a page is the kernel's business */
	memset(buffer, 1, sizeof buffer);
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		const struct known *row = &known[i];
		uint64_t got = growth(&row->ask, row->work, row->rounds);

		demand(got == row->growth, "%s grows by %lu, not %lu",
		       row->what, got, row->growth);
	}
}

static void small_around(void)
{
	uint64_t all = count(&INSTRUCTIONS(.modes = MODES_U), w_loop, ROUNDS);

	note("instructions:u of loop %d: %lu", ROUNDS, all);
	holds(all >= 2 * ROUNDS + 1 && all < 2 * ROUNDS + AROUND);
}

static void repeatable(void)
{
	uint64_t first =
		count(&INSTRUCTIONS(.modes = MODES_U), w_branch, ROUNDS);

	for (int i = 0; i < 5; i++)
		same(count(&INSTRUCTIONS(.modes = MODES_U), w_branch, ROUNDS),
		     first);
}

/* The three start one after the other, the widest first. */
static void modes_add_up(void)
{
	int both = event_open(&INSTRUCTIONS(.modes = MODES_BOTH));
	int user = event_open(&INSTRUCTIONS(.modes = MODES_U, .leader = both));
	int kernel =
		event_open(&INSTRUCTIONS(.modes = MODES_K, .leader = both));
	uint64_t all, of_user, of_kernel;

	event_on(both);
	w_syscall(CALLS);
	event_off(both);
	all = event_read(both);
	of_user = event_read(user);
	of_kernel = event_read(kernel);
	note("%d getppid: user %lu, kernel %lu, all %lu", CALLS, of_user,
	     of_kernel, all);
	holds(of_user >= 2 * CALLS + 3 && of_user < 2 * CALLS + 3 + AROUND);
	holds(of_kernel >= CALLS * CALL_LEAST && of_kernel < CALLS * CALL_MOST);
	holds(all >= of_user + of_kernel);
	holds(all - of_user - of_kernel < 5000);
	close(kernel);
	close(user);
	close(both);
}

/* Open @n equal events, on their own or as a group, around w_loop(). */
static void alike(int *fd, int n, bool group, long rounds)
{
	for (int i = 0; i < n; i++)
		fd[i] = event_open(
			&INSTRUCTIONS(.modes = MODES_U,
				      .leader = group && i > 0 ? fd[0] : 0));
	for (int i = 0; i < (group ? 1 : n); i++)
		event_on(fd[i]);
	w_loop(rounds);
	for (int i = 0; i < (group ? 1 : n); i++)
		event_off(fd[i]);
}

/* Members of a group start within the kernel: users see them start at once. */
static void group_of_equals(void)
{
	int fd[4];

	alike(fd, 4, true, ROUNDS);
	for (int i = 0; i < 4; i++) {
		same(event_read(fd[i]), event_read(fd[0]));
		holds(event_read(fd[i]) > 2 * ROUNDS);
	}
	for (int i = 3; i >= 0; i--)
		close(fd[i]);
}

static void many_at_once(void)
{
	uint64_t first = 0;
	int fd[MANY];

	alike(fd, MANY, false, ROUNDS);
	for (int i = 0; i < MANY; i++) {
		uint64_t value = event_read(fd[i]);

		if (i == 0)
			first = value;
		/* each next one sees one call less at the start, one more at
		 * the end */
		holds(value >= 2 * ROUNDS && value <= first);
		close(fd[i]);
	}
}

static void more_than_counters(void)
{
	/*
	 * Starting the events costs the first ones time without work; where
	 * firmware takes long for it, that must be little beside the rest.
	 */
	enum {
		LONG_ROUNDS = 120000000
	};
	unsigned int shared = 0;
	int fd[TOO_MANY];

	alike(fd, TOO_MANY, false, LONG_ROUNDS);
	for (int i = 0; i < TOO_MANY; i++) {
		struct reading r = event_times(fd[i]);
		double scaled;

		demand(r.running != 0 && r.value != 0,
		       "event %d of %d never counted", i, TOO_MANY);
		scaled =
			(double)r.value * (double)r.enabled / (double)r.running;
		shared += r.running < r.enabled;
		demand(scaled >= 0.9 * 2 * LONG_ROUNDS &&
			       scaled <= 1.1 * 2 * LONG_ROUNDS,
		       "event %d of %d: %.0f, scaled from %lu", i, TOO_MANY,
		       scaled, r.value);
		close(fd[i]);
	}
	note("%u of %d events shared counters", shared, TOO_MANY);
	holds(shared > 0);
}

static void unknown_refused(void)
{
	static const struct ask unknown[] = {
		HARDWARE(PERF_COUNT_HW_CACHE_MISSES, .modes = MODES_U),
		HARDWARE(PERF_COUNT_HW_BRANCH_MISSES, .modes = MODES_U),
		HARDWARE(PERF_COUNT_HW_STALLED_CYCLES_BACKEND,
			 .modes = MODES_U),
		{ .type = PERF_TYPE_HW_CACHE,
		  .config = PERF_COUNT_HW_CACHE_L1D,
		  .modes = MODES_U },
	};

	for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
		int fd = event_try(&unknown[i]);

		holds(fd < 0);
		same((uint64_t)errno, ENOENT);
	}
}

static void of_children(void)
{
	const struct ask ask = INSTRUCTIONS(.modes = MODES_U, .inherit = true);
	int fd = event_open(&ask);
	uint64_t value;
	pid_t child;

	event_on(fd);
	child = fork();
	if (child == 0) {
		w_loop(ROUNDS);
		_exit(0);
	}
	holds(child > 0 && waitpid(child, NULL, 0) == child);
	event_off(fd);
	value = event_read(fd);
	close(fd);
	holds(value >= 2 * ROUNDS && value < 2 * ROUNDS + 20000);
}

struct of_thread {
	long rounds;
	uint64_t value;
};

static void *thread(void *argument)
{
	struct of_thread *work = argument;

	work->value =
		count(&INSTRUCTIONS(.modes = MODES_U), w_loop, work->rounds);
	return NULL;
}

static void by_thread(void)
{
	struct of_thread one = { .rounds = 20 * ROUNDS };
	struct of_thread two = { .rounds = 40 * ROUNDS };
	pthread_t first, second;

	holds(pthread_create(&first, NULL, thread, &one) == 0);
	holds(pthread_create(&second, NULL, thread, &two) == 0);
	pthread_join(first, NULL);
	pthread_join(second, NULL);
	same(two.value - one.value, 40 * ROUNDS);
}

/* The event's value as a user reads it from the counter itself. */
static uint64_t by_itself(volatile struct perf_event_mmap_page *page)
{
	uint64_t value;
	uint32_t lock;

	do {
		uint32_t index;

		lock = page->lock;
		__sync_synchronize();
		index = page->index;
		holds(page->cap_user_rdpmc && index != 0);
		value = counter_csr(index - 1) << (64 - page->pmc_width);
		value = (uint64_t)((int64_t)value >> (64 - page->pmc_width));
		value += (uint64_t)page->offset;
		__sync_synchronize();
	} while (page->lock != lock);
	return value;
}

static uint64_t read_around(volatile struct perf_event_mmap_page *page, long n)
{
	uint64_t before = by_itself(page);

	w_loop(n);
	return by_itself(page) - before;
}

static void read_by_users(void)
{
	int fd = event_open(&INSTRUCTIONS(.modes = MODES_U));
	struct ring ring = ring_map(fd);
	uint64_t once;

	event_on(fd);
	once = read_around(ring.page, ROUNDS);
	note("loop %d by the counter itself: %lu", ROUNDS, once);
	same(read_around(ring.page, 2 * ROUNDS) - once, 2 * ROUNDS);
	holds(once < 2 * ROUNDS + AROUND);
	holds(by_itself(ring.page) <= event_read(fd));
	event_off(fd);
	ring_unmap(&ring);
	close(fd);
}

const struct test count_tests[] = {
	{ "exact", "counts of users grow with the work, to the instruction",
	  exact_for_users },
	{ "around", "starting and stopping costs users next to nothing",
	  small_around },
	{ "repeat", "the same work counts the same, again and again",
	  repeatable },
	{ "modes", "user and kernel add up", modes_add_up },
	{ "group", "four equal events of a group count alike",
	  group_of_equals },
	{ "many", "thirty equal events count at once", many_at_once },
	{ "multiplex", "forty equal events share the counters, none is 0",
	  more_than_counters },
	{ "unknown", "events that the machine does not count are refused",
	  unknown_refused },
	{ "children", "children are counted with an inherited event",
	  of_children },
	{ "threads", "each thread counts its own work", by_thread },
	{ "self", "users read the counter itself", read_by_users },
	{ 0 },
};
