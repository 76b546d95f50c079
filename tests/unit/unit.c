/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * main() of the unit tests: makes one case of Check of all tests that have
 * added themselves. Constructors come in no order that C promises; a test's
 * line does.
 */
#include "unit.h"

#include <string.h>

static struct unit_test *tests;

void unit_add(struct unit_test *test)
{
	struct unit_test **at = &tests;

	while (*at && (*at)->check.line < test->check.line)
		at = &(*at)->next;
	test->next = *at;
	*at = test;
}

static TCase *case_of_all(void)
{
	TCase *tc = tcase_create(unit_suite.test_case ? unit_suite.test_case
						      : unit_suite.name);

	if (unit_suite.timeout > 0)
		tcase_set_timeout(tc, unit_suite.timeout);
	if (unit_suite.setup_all || unit_suite.teardown_all)
		tcase_add_unchecked_fixture(tc, unit_suite.setup_all,
					    unit_suite.teardown_all);
	if (unit_suite.setup || unit_suite.teardown)
		tcase_add_checked_fixture(tc, unit_suite.setup,
					  unit_suite.teardown);
	for (const struct unit_test *t = tests; t; t = t->next)
		for (int i = t->first(); i < t->end(); i++)
			if (t->applies(i))
				tcase_add_loop_test(tc, &t->check, i, i + 1);
	return tc;
}

int main(int argc, char **argv)
{
	Suite *suite = suite_create(unit_suite.name);
	int status;

	if (unit_suite.begin)
		unit_suite.begin(argc, argv);
	if (unit_suite.fork)
		unsetenv("CK_FORK"); /* of scripts/test */
	suite_add_tcase(suite, case_of_all());
	status = unit_main(suite);
	if (unit_suite.end)
		unit_suite.end();
	return status;
}
