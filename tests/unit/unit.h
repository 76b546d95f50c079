/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What every unit test program shares: running one suite of Check with TAP on
 * standard output, saying which rules a test shows, and the size of a table of
 * rows. A test that ends without having asserted anything has failed.
 */
#ifndef TESTS_UNIT_H
#define TESTS_UNIT_H

#include <check.h>
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

/* Check's, with the body inside unit_run(). */
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
