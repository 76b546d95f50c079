/* SPDX-License-Identifier: BSD-2-Clause */
/* Why a request cannot be done, as it goes up from the part to the whole. */
#include "unit.h"

#include <string.h>

#include "core/error.h"

TEST(an_error_has_all_that_it_was_given)
{
	struct error e;

	memset(&e, 'x', sizeof(e));
	ck_assert(!error_set(&e, STATUS_NOT_FOUND, AT("hart", "NO_SUCH_HART"),
			     "hart %d", 9));
	ck_assert_int_eq(e.status, STATUS_NOT_FOUND);
	ck_assert_str_eq(e.field, "hart");
	ck_assert_str_eq(e.reason, "NO_SUCH_HART");
	ck_assert_str_eq(e.text, "hart 9");
	ck_assert(
		!error_set(&e, STATUS_INTERNAL, AT(NULL, "HOST_FAILED"), "x"));
	ck_assert_str_eq(e.field, "");
	ck_assert(!error_set(NULL, STATUS_INTERNAL, AT(NULL, "A"), "x"));
	ck_assert(!error_within(NULL, "a."));
	ck_assert(!error_rename(NULL, "a", "b"));
}

static const struct within_row {
	const char *field, *want;
} within_rows[] = {
	{ "hart", "inputs[7].hart" },
	{ "csr_write.csr", "inputs[7].csr_write.csr" },
	{ NULL, "" }, /* no field stays none */
};

TEST_ROWS(a_part_is_placed_in_the_whole, within_rows)
{
	const struct within_row *r = &within_rows[_i];
	struct error e;

	error_set(&e, STATUS_INTERNAL, AT(r->field, "A"), "x");
	ck_assert(!error_within(&e, "inputs[%d].", 7));
	ck_assert_str_eq(e.field, r->want);
}

static const struct rename_row {
	const char *field, *part, *whole, *want;
} rename_rows[] = {
	{ "console", "console", "data", "data" },
	{ "consoles", "console", "data", "consoles" },
	{ "a.console", "console", "data", "a.console" },
	{ "csr_write.csr", "csr_write.csr", "csr", "csr" },
	{ "register_write.number", "register_write.", "", "number" },
	{ "hart", "register_write.", "", "hart" },
	{ NULL, "console", "data", "" },
};

TEST_ROWS(a_part_has_another_name_in_the_whole, rename_rows)
{
	const struct rename_row *r = &rename_rows[_i];
	struct error e;

	error_set(&e, STATUS_INTERNAL, AT(r->field, "A"), "x");
	ck_assert(!error_rename(&e, r->part, r->whole));
	ck_assert_str_eq(e.field, r->want);
}

TEST(a_path_too_long_is_cut)
{
	char long_[2 * ERROR_FIELD];
	struct error e;

	memset(long_, 'l', sizeof(long_));
	long_[sizeof(long_) - 1] = '\0';
	error_set(&e, STATUS_INTERNAL, AT(long_, "A"), "x");
	ck_assert_uint_eq(strlen(e.field), ERROR_FIELD - 1);
	error_within(&e, "a.");
	ck_assert_uint_eq(strlen(e.field), ERROR_FIELD - 1);
	ck_assert_int_eq(memcmp(e.field, "a.l", 3), 0);
	error_within(&e, "%s", long_);
	ck_assert_uint_eq(strlen(e.field), ERROR_FIELD - 1);
	error_rename(&e, "llll", long_);
	ck_assert_uint_eq(strlen(e.field), ERROR_FIELD - 1);
}

SUITE("error");
