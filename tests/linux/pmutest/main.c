/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmutest: work with known counts for perf to look at, and tests of the
 * kernel's events by perf_event_open() alone. It prints TAP; each test is a
 * process, so that what one leaves open is closed before the next. One that
 * does not come to its end, or has asserted nothing there, has failed.
 */
#define _GNU_SOURCE
#include "pmutest.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	WALKED = 4 << 20,
	LINE = 64, /* of caches, by the models of cores with names */
	MIB = 1 << 20,
	WHOLE = 42 /* the exit status at a test's end: nobody's else */
};

unsigned int asserted;

static void walk(long n)
{
	char *memory = mmap(NULL, WALKED, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return;
	for (; n > 0; n--)
		w_walk(WALKED / 4096, memory, 4096);
}

/* Like walk(), of lines that the caches of no core with a name can keep. */
static void miss(long n)
{
	char *memory = mmap(NULL, WALKED, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		fail("no memory to walk over");
	/* or all pages are the one of zeros */
	w_fill(WALKED / 4096, memory, 4096);
	for (; n > 0; n--)
		w_walk(WALKED / LINE, memory, LINE);
}

/* Writes to one page of each of n MiB, and looks at them all again. */
static void spread(long n)
{
	size_t size = (size_t)n * MIB;
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (memory == MAP_FAILED)
		fail("no memory for %ld MiB", n);
	madvise(memory, size, MADV_NOHUGEPAGE);
	for (long i = 0; i < n; i++)
		*(long *)(memory + i * MIB) = i;
	for (long i = 0; i < n; i++)
		same(*(uint64_t *)(memory + i * MIB), (uint64_t)i);
	munmap(memory, size);
}

static const struct {
	const char *name;
	void (*run)(long n);
	const char *help;
} works[] = {
	{ "loop", w_loop, "2 instructions a round" },
	{ "straight", w_straight, "102 instructions a round" },
	{ "branch", w_branch,
	  "2 branches a round, one taken every other time" },
	{ "walk", walk, "loads from each page of 4 MiB" },
	{ "miss", miss, "65536 loads, from each line of 4 MiB" },
	{ "spread", spread, "stores to a page of each MiB of so many" },
	{ "syscall", w_syscall, "getppid()" },
	{ "alarm", w_alarm,
	  "sleeps until the clock's alarm in so many seconds" },
};

static const struct test own_tests[];
static const struct test *const tables[] = { own_tests,	   count_tests,
					     sample_tests, moment_tests,
					     cpu_tests,	   provoke_tests,
					     width_tests };

void note(const char *text, ...)
{
	va_list args;

	va_start(args, text);
	printf("# ");
	vprintf(text, args);
	printf("\n");
	va_end(args);
	fflush(stdout);
}

void fail(const char *why, ...)
{
	va_list args;

	va_start(args, why);
	printf("# ");
	vprintf(why, args);
	printf("\n");
	va_end(args);
	fflush(stdout);
	_exit(1);
}

static bool passes(const struct test *test)
{
	int status = 1;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child == 0) {
		asserted = 0;
		test->run();
		if (asserted == 0)
			fail("%s asserted nothing", test->name);
		fflush(stdout);
		_exit(WHOLE);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		return false;
	if (WIFSIGNALED(status))
		note("killed by signal %d", WTERMSIG(status));
	else if (WEXITSTATUS(status) == 0)
		note("%s left before its end", test->name);
	return WIFEXITED(status) && WEXITSTATUS(status) == WHOLE;
}

static void returns(void)
{
}

static void leaves(void)
{
	holds(true);
	exit(0);
}

static void asserts(void)
{
	holds(true);
}

static void tests_assert(void)
{
	static const struct test few[] = {
		{ "(one that returns)", NULL, returns },
		{ "(one that exits)", NULL, leaves },
		{ "(one that asserts)", NULL, asserts },
	};

	holds(!passes(&few[0]));
	holds(!passes(&few[1]));
	holds(passes(&few[2]));
}

static const struct test own_tests[] = {
	{ "asserted", "a test that asserts nothing, or leaves, has failed",
	  tests_assert },
	{ 0 },
};

static bool wanted(const char *name, char **names)
{
	if (*names == NULL)
		return true;
	for (; *names != NULL; names++)
		if (strcmp(*names, name) == 0)
			return true;
	return false;
}

/* Returns how many failed. */
static int test(char **names)
{
	int n = 0, failed = 0;

	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
		for (const struct test *t = tables[i]; t->name != NULL; t++) {
			bool fine;

			if (!wanted(t->name, names))
				continue;
			fine = passes(t);
			failed += !fine;
			printf("%sok %d - %s: %s\n", fine ? "" : "not ", ++n,
			       t->name, t->sentence);
		}
	}
	printf("1..%d\n", n);
	return failed;
}

static void usage(void)
{
	printf("usage: pmutest WORK N\n"
	       "       pmutest test [NAME...]\n\nwork:\n");
	for (size_t i = 0; i < sizeof works / sizeof *works; i++)
		printf("  %-10s %s\n", works[i].name, works[i].help);
	printf("\ntests:\n");
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		for (const struct test *t = tables[i]; t->name != NULL; t++)
			printf("  %-10s %s\n", t->name, t->sentence);
}

int main(int argc, char **argv)
{
	if (argc >= 2 && strcmp(argv[1], "test") == 0)
		return test(argv + 2) == 0 ? 0 : 1;
	for (size_t i = 0; argc == 3 && i < sizeof works / sizeof *works; i++) {
		long n = atol(argv[2]);

		if (strcmp(argv[1], works[i].name) != 0 || n < 1)
			continue;
		works[i].run(n);
		return 0;
	}
	usage();
	return 2;
}
