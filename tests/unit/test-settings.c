/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Settings: every row takes its default and its bounds and refuses what lies
 * outside, with a text that names key, value and what is accepted.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "ipc/settings.h"
#include "unit.h"

static struct settings s;
static char error[SETTINGS_ERROR];

static const struct settings_row *row_at(int i)
{
	size_t n;

	return settings_table(&n) + i;
}

static const struct settings_row *row_of(const char *key)
{
	size_t n;
	const struct settings_row *rows = settings_table(&n);

	for (size_t i = 0; i < n; i++)
		if (!strcmp(rows[i].key, key))
			return &rows[i];
	ck_abort_msg("no row %s", key);
}

START_TEST(every_row_reads_back_what_it_prints)
{
	const struct settings_row *row = row_at(_i);
	char first[SETTINGS_TEXT], again[SETTINGS_TEXT];

	settings_init(&s);
	settings_get(&s, row, first, sizeof(first));
	ck_assert(settings_set(&s, row->key, first, error));
	settings_get(&s, row, again, sizeof(again));
	ck_assert_str_eq(first, again);
	ck_assert_str_ne(row->help, "");
	ck_assert_str_ne(settings_values(row, first, sizeof(first)), "");
}
END_TEST

START_TEST(every_number_has_bounds)
{
	const struct settings_row *row = row_at(_i);
	char text[32];

	if (row->type > SETTINGS_SIZE)
		return;
	settings_init(&s);
	snprintf(text, sizeof(text), "%" PRIu64, row->max);
	ck_assert(settings_set(&s, row->key, text, error));
	snprintf(text, sizeof(text), "%" PRIu64, row->min);
	ck_assert(settings_set(&s, row->key, text, error));
	if (row->min > 0) {
		snprintf(text, sizeof(text), "%" PRIu64, row->min - 1);
		ck_assert(!settings_set(&s, row->key, text, error));
	}
	if (row->max < UINT64_MAX) {
		snprintf(text, sizeof(text), "%" PRIu64, row->max + 1);
		ck_assert(!settings_set(&s, row->key, text, error));
		ck_assert_ptr_nonnull(strstr(error, row->key));
		ck_assert_ptr_nonnull(strstr(error, text));
	}
}
END_TEST

static const struct value_row {
	const char *key, *value, *want; /* NULL: refused */
} value_rows[] = {
	{ "quantum", "20k", "20000" },
	{ "quantum", "0x10", "16" },
	{ "quantum", "010", "10" },
	{ "max-insns", "3G", "3000000000" },
	{ "code-buffer", "128MiB", "134217728" },
	{ "hpm-counters", "0xf8", "0xf8" },
	{ "sstc", "on", "on" },
	{ "wfi-cycles", "stop", "stop" },
	{ "sv", "sv48", "sv48" },
	{ "profile", "opensbi", "opensbi" },
	{ "hpm-events", "instructions,cycles", "instructions,cycles" },
	{ "quantum", "", NULL },
	{ "quantum", "-1", NULL },
	{ "quantum", " 1", NULL },
	{ "quantum", "1 ", NULL },
	{ "quantum", "12x", NULL },
	{ "max-insns", "18446744073709551616", NULL },
	{ "max-insns", "99999999999999999G", NULL },
	{ "sstc", "yes", NULL },
	{ "sstc", "", NULL },
	{ "wfi-cycles", "count|stop", NULL },
	{ "wfi-cycles", "coun", NULL },
	{ "profile", "spec ", NULL },
};

START_TEST(a_value_is_taken_or_refused)
{
	const struct value_row *row = &value_rows[_i];
	char got[SETTINGS_TEXT];
	struct settings before;

	settings_init(&s);
	before = s;
	if (row->want) {
		ck_assert(settings_set(&s, row->key, row->value, error));
		settings_get(&s, row_of(row->key), got, sizeof(got));
		ck_assert_str_eq(got, row->want);
		return;
	}
	ck_assert(!settings_set(&s, row->key, row->value, error));
	ck_assert_ptr_nonnull(strstr(error, row->key));
	ck_assert(!memcmp(&s, &before, sizeof(s)));
}
END_TEST

START_TEST(an_unknown_key_is_named)
{
	settings_init(&s);
	ck_assert(!settings_set(&s, "colour", "red", error));
	ck_assert_ptr_nonnull(strstr(error, "colour"));
}
END_TEST

START_TEST(a_text_that_is_too_long_is_refused)
{
	char text[1000];

	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = 0;
	settings_init(&s);
	ck_assert(!settings_set(&s, "hpm-events", text, error));
	ck_assert(!settings_set(&s, text, text, error));
}
END_TEST

static const struct conflict_row {
	const char *key1, *value1, *key2, *value2;
} conflict_rows[] = {
	{ "xlen", "48", "quantum", "1" },
	{ "clock-hz", "1M", "time-hz", "2M" },
	{ "xlen", "32", "sv", "sv39" },
	{ "xlen", "64", "sv", "sv32" },
	{ "xlen", "32", "asid-bits", "10" },
	{ "xlen", "64", "hpm-counters", "0xfffffff9" },
	{ "xlen", "32", "marchid", "0x100000000" },
};

START_TEST(settings_that_contradict_each_other_are_refused)
{
	const struct conflict_row *row = &conflict_rows[_i];
	char unused[SETTINGS_ERROR];

	settings_init(&s);
	ck_assert(settings_check(&s, unused));
	if (!settings_set(&s, row->key1, row->value1, error) ||
	    !settings_set(&s, row->key2, row->value2, error))
		return;
	ck_assert(!settings_check(&s, error));
	ck_assert_ptr_nonnull(strstr(error, "setting "));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("settings");
	TCase *tc = tcase_create("settings");
	size_t n;

	settings_table(&n);
	tcase_add_loop_test(tc, every_row_reads_back_what_it_prints, 0, (int)n);
	tcase_add_loop_test(tc, every_number_has_bounds, 0, (int)n);
	tcase_add_loop_test(tc, a_value_is_taken_or_refused, 0,
			    ARRAY_SIZE(value_rows));
	tcase_add_test(tc, an_unknown_key_is_named);
	tcase_add_test(tc, a_text_that_is_too_long_is_refused);
	tcase_add_loop_test(tc, settings_that_contradict_each_other_are_refused,
			    0, ARRAY_SIZE(conflict_rows));
	suite_add_tcase(suite, tc);
	return unit_main(suite);
}
