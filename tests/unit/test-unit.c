/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The harness: a test that asserts nothing has failed, in a process of its own
 * or not, whatever its fixture asserted.
 */
#include <stdbool.h>

#include "unit.h"

static void asserts(void)
{
	ck_assert(true);
}

START_TEST(empty)
{
}
END_TEST

START_TEST(leaves_early)
{
	if (_i)
		return;
	ck_assert_int_eq(_i, 0);
}
END_TEST

START_TEST(asserts_in_a_function)
{
	asserts();
}
END_TEST

START_TEST(only_prepares)
{
	PREPARING(ck_assert_int_eq(_i, _i));
}
END_TEST

START_TEST(asserts_memory)
{
	ck_assert_mem_eq(&_i, &_i, sizeof(_i));
}
END_TEST

static const struct inner_row {
	const char *why;
	const TTest *const *test;
	int i;
	bool checked, unchecked; /* fixtures */
	int want;
} inner_rows[] = {
	{ "nothing at all", &empty, 0, .want = 1 },
	{ "a return before the assertion", &leaves_early, 1, .want = 1 },
	{ "an assertion", &leaves_early, 0, .want = 0 },
	{ "an assertion in a function", &asserts_in_a_function, 0, .want = 0 },
	{ "a fixture that the test makes", &only_prepares, 0, .want = 1 },
	{ "an assertion that is two", &asserts_memory, 0, .want = 0 },
	{ "a fixture's assertion", &empty, 0, .checked = true, .want = 1 },
	{ "a case's assertion", &empty, 0, .unchecked = true, .want = 1 },
};

enum {
	N_ROWS = ARRAY_SIZE(inner_rows)
};

static int failed[2 * N_ROWS];

/* Runs before the outer suite: Check does not nest. */
static int inner_run(const struct inner_row *row, enum fork_status fork)
{
	Suite *suite = suite_create("inner");
	TCase *tc = tcase_create("inner");
	SRunner *runner = srunner_create(suite);
	int n;

	if (row->checked)
		tcase_add_checked_fixture(tc, asserts, asserts);
	if (row->unchecked)
		tcase_add_unchecked_fixture(tc, asserts, asserts);
	tcase_add_loop_test(tc, *row->test, row->i, row->i + 1);
	suite_add_tcase(suite, tc);
	srunner_set_fork_status(runner, fork);
	srunner_run_all(runner, CK_SILENT);
	n = srunner_ntests_failed(runner);
	srunner_free(runner);
	return n;
}

TEST_TIMES(a_test_that_asserts_nothing_fails, 2 * N_ROWS)
{
	const struct inner_row *row = &inner_rows[_i % N_ROWS];

	ck_assert_msg(failed[_i] == row->want, "%s, %s a process: %d failed",
		      row->why, _i < N_ROWS ? "with" : "without", failed[_i]);
}

static void begin(int argc, char **argv)
{
	for (int i = 0; i < 2 * N_ROWS; i++)
		failed[i] = inner_run(&inner_rows[i % N_ROWS],
				      i < N_ROWS ? CK_FORK : CK_NOFORK);
}

SUITE("unit", .begin = begin);
