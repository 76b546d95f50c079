/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the parts of pmutest share: workloads of known counts, events opened by
 * perf_event_open(2), and how a result is told.
 */
#ifndef PMUTEST_H
#define PMUTEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

/* workloads.S says what each executes. */
void w_loop(long n);
void w_straight(long n);
void w_branch(long n);
void w_walk(long n, const void *from, long step);
void w_fill(long n, void *from, long step);
void w_syscall(long n);
uint64_t counter_csr(unsigned int n);
void w_alarm(long n); /* alarm.c */

/* What an event is counted for. */
enum modes {
	MODES_U = 1,
	MODES_K = 2,
	MODES_BOTH = MODES_U | MODES_K,
};

/* An event, and what perf_event_open() is asked for with it. */
struct ask {
	uint32_t type;
	uint64_t config;
	enum modes modes;
	uint64_t period; /* 0: count only */
	int leader;	 /* of a group, or 0 */
	bool of_cpu;	 /* of cpu, whoever runs there; else of this thread, */
	bool at_cpu;	 /* while it runs on cpu */
	unsigned int cpu;
	bool inherit;
};

#define HARDWARE(event, ...)                                                   \
	((struct ask){                                                         \
		.type = PERF_TYPE_HARDWARE, .config = (event), __VA_ARGS__ })
#define INSTRUCTIONS(...) HARDWARE(PERF_COUNT_HW_INSTRUCTIONS, __VA_ARGS__)

/* What read() says. */
struct reading {
	uint64_t value, enabled, running;
};

/* perf_event_open(), stopped; a failure is -1 with errno. */
int event_try(const struct ask *ask);

/* The same, and a failure ends the test. */
int event_open(const struct ask *ask);
void event_on(int fd);
void event_off(int fd);
uint64_t event_read(int fd);
struct reading event_times(int fd);

/* Counts instructions of users up to users_counted(), which says how many. */
int count_users(void);
void users_counted(int fd, const char *what);

/* The event's pages; one of them is shared with the kernel. */
struct ring {
	struct perf_event_mmap_page *page;
	size_t size;
};

/* A line of output that is no verdict. */
__attribute__((format(printf, 1, 2))) void note(const char *text, ...);

/* What was found in a ring. */
struct samples {
	uint64_t n;	  /* records of samples */
	uint64_t periods; /* the sum of their periods */
	uint64_t inside;  /* whose pc lies in [from, to) */
	uint64_t lost, throttled;
};

struct ring ring_map(int fd);
struct samples ring_samples(const struct ring *ring, uintptr_t from,
			    uintptr_t to);
void ring_unmap(struct ring *ring);

/* An event with its ring. */
struct sampler {
	int fd;
	struct ring ring;
	uint64_t period;
};

struct sampler sampler_new(struct ask ask, uint64_t period);
void sampler_end(struct sampler *sampler);
/* There are @n samples, whole periods, and none is lost. */
void sampler_has(const struct sampler *sampler, uint64_t n);
/* One for each period that was counted, all the time; returns how many. */
uint64_t sampler_exact(const struct sampler *sampler);

/* Says what a trace of the machine is compared with. */
static inline void note_samples(uint64_t period, uint64_t counted, uint64_t n)
{
	note("period %lu: %lu counted, %lu samples", period, counted, n);
}

/* The test that is being made fails, and is left. */
__attribute__((noreturn, format(printf, 1, 2))) void fail(const char *why, ...);

/* Assertions that held in this process: a test without any shows nothing. */
extern unsigned int asserted;

/* Fails, for the reason that follows, unless it is so. */
#define demand(condition, ...)                                                 \
	do {                                                                   \
		if (!(condition))                                              \
			fail(__VA_ARGS__);                                     \
		asserted++;                                                    \
	} while (0)
#define holds(condition)                                                       \
	demand(condition, "line %d: not so: %s", __LINE__, #condition)
/* Fails unless the numbers are the same. */
#define same(got, want) same_at(__LINE__, #got, (got), (want))

static inline void same_at(int line, const char *what, uint64_t got,
			   uint64_t want)
{
	demand(got == want, "line %d: %s is %lu, not %lu", line, what, got,
	       want);
}

struct test {
	const char *name, *sentence;
	void (*run)(void);
};

/* Ended by a row without a name. */
extern const struct test count_tests[], sample_tests[], moment_tests[],
	cpu_tests[], provoke_tests[], width_tests[];

unsigned int cpus_online(void);
void pin_to(unsigned int cpu);
void unpin(void);

#endif
