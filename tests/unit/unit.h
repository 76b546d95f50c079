/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What every unit test program shares: tests that are added where they stand,
 * one suite of Check with TAP on standard output, saying which rules a test
 * shows, and the size of a table of rows. A test that ends without having
 * asserted anything has failed.
 */
#ifndef TESTS_UNIT_H
#define TESTS_UNIT_H

#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * Assertions that passed in the running test. Every assertion of Check ends in
 * _mark_point() or fails; those of fixtures that Check calls do not count.
 */
__attribute__((weak)) unsigned unit_assertions;

#define _mark_point(file, line) (unit_assertions++, (_mark_point)(file, line))

/* What only makes a fixture ready shows nothing either. */
#define PREPARING(assertion)                                                   \
	do {                                                                   \
		unsigned before_ = unit_assertions;                            \
		assertion;                                                     \
		unit_assertions = before_;                                     \
	} while (0)

static inline void unit_run(const TTest *test, TFun body, int i)
{
	unit_assertions = 0;
	body(i);
	if (!unit_assertions)
		_ck_assert_failed(test->file, test->line, "Failed",
				  "%s[%d] asserted nothing", test->name, i);
}

/* A test that its file adds to a case of Check itself. */
#undef START_TEST
#define START_TEST(test)                                                       \
	static void test##_body(int _i);                                       \
	static void test##_fn(int _i);                                         \
	static const TTest test##_ttest = { #test, test##_fn, __FILE__,        \
					    __LINE__ };                        \
	static const TTest *test = &test##_ttest;                              \
	static void test##_fn(int _i)                                          \
	{                                                                      \
		unit_run(test, test##_body, _i);                               \
	}                                                                      \
	static void test##_body(int _i)

/*
 * A test where it stands: TEST(name) { ... }. main() runs all of a program in
 * the order of their file, each with _i from @first up to, but not, @end.
 */
#define TEST(name)		TEST_RANGE(name, 0, 1)
#define TEST_ROWS(name, rows)	TEST_RANGE(name, 0, ARRAY_SIZE(rows))
#define TEST_TIMES(name, times) TEST_RANGE(name, 0, times)
#define TEST_RANGE(name, first, end)                                           \
	TEST_WHERE(name, first, end, ((void)_i, true))

/* As above, without those _i for which the last argument is false. */
#define TEST_WHERE(test, first, end, condition)                                \
	static void test##_body(int _i);                                       \
	static int test##_first(void)                                          \
	{                                                                      \
		return (int)(first);                                           \
	}                                                                      \
	static int test##_end(void)                                            \
	{                                                                      \
		return (int)(end);                                             \
	}                                                                      \
	static bool test##_applies(int _i)                                     \
	{                                                                      \
		return condition;                                              \
	}                                                                      \
	static void test##_fn(int _i);                                         \
	static struct unit_test test = {                                       \
		{ #test, test##_fn, __FILE__, __LINE__ },                      \
		test##_first,                                                  \
		test##_end,                                                    \
		test##_applies,                                                \
		NULL,                                                          \
	};                                                                     \
	__attribute__((constructor)) static void test##_add(void)              \
	{                                                                      \
		unit_add(&test);                                               \
	}                                                                      \
	static void test##_fn(int _i)                                          \
	{                                                                      \
		unit_run(&test.check, test##_body, _i);                        \
	}                                                                      \
	static void test##_body(int _i)

/* What the tests of a program have in common: SUITE("name", .setup = ...); */
#define SUITE(...) const struct unit_suite unit_suite = { .name = __VA_ARGS__ }

struct unit_suite {
	const char *name;
	const char *test_case; /* NULL: the same */
	double timeout;	       /* seconds; 0: Check's */
	bool fork; /* a process for each, also where others share one */
	SFun setup, teardown; /* round each test, in its process */
	SFun setup_all, teardown_all;
	void (*begin)(int argc, char **argv); /* before anything else */
	void (*end)(void);
};

struct unit_test {
	TTest check;
	int (*first)(void), (*end)(void);
	bool (*applies)(int _i);
	struct unit_test *next;
};

extern const struct unit_suite unit_suite;

void unit_add(struct unit_test *test);

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/*
 * Says that the running test shows @rules, as RULE() writes them; NULL: none.
 * The line comes before the test's result; scripts/rules reads both.
 */
static inline void shows(const char *rules)
{
	if (rules)
		printf("# shows %s\n", rules);
}

/* Runs @suite and frees it. Returns main()'s exit status. */
static inline int unit_main(Suite *suite)
{
	SRunner *runner = srunner_create(suite);
	int failed;

	/* A test is a process of its own, its lines stand before its result. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	srunner_set_tap(runner, "-");
	srunner_run_all(runner, CK_SILENT);
	failed = srunner_ntests_failed(runner) || !srunner_ntests_run(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
