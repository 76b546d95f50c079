/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What every unit test program shares: running one suite of Check with TAP on
 * standard output, saying which rules a test shows, and the size of a table of
 * rows.
 */
#ifndef TESTS_UNIT_H
#define TESTS_UNIT_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

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
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
