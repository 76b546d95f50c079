/* SPDX-License-Identifier: BSD-2-Clause */
/* Why something cannot be done, in the core's words. */
#include "unit.h"

#include <string.h>

#include "core/machine-error.h"

TEST(an_error_has_all_that_it_was_given)
{
	struct error e;

	memset(&e, 'x', sizeof(e));
	ck_assert(!error_set(&e, ERROR_NOT_FOUND, AT(PART_HART, "NO_SUCH_HART"),
			     "hart %d", 9));
	ck_assert_int_eq(e.kind, ERROR_NOT_FOUND);
	ck_assert_uint_eq(e.part, PART_HART);
	ck_assert_int_eq(e.index, ERROR_ALONE);
	ck_assert_str_eq(e.reason, "NO_SUCH_HART");
	ck_assert_str_eq(e.text, "hart 9");
}

TEST(a_part_is_placed_in_the_whole)
{
	struct error e;

	error_set(&e, ERROR_INVALID, AT(PART_HART, "A"), "x");
	ck_assert(!error_within(&e, 7));
	ck_assert_int_eq(e.index, 7);
	ck_assert_uint_eq(e.part, PART_HART);
	/* and the next one is of no list again */
	ck_assert(!error_no_memory(&e));
	ck_assert_int_eq(e.index, ERROR_ALONE);
	ck_assert_int_eq(e.kind, ERROR_NO_ROOM);
	ck_assert_str_eq(e.reason, "OUT_OF_MEMORY");
}

TEST(who_does_not_want_to_know_is_not_told)
{
	ck_assert(!error_set(NULL, ERROR_HOST, AT(PART_NONE, "A"), "x"));
	ck_assert(!error_within(NULL, 1));
	ck_assert(!error_no_memory(NULL));
}

SUITE("error");
