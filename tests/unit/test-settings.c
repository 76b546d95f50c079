/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Settings: every row takes its default and its bounds and refuses what lies
 * outside, with a text that names key, value and what is accepted.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "number.h"
#include "settings/isa-string.h"
#include "settings/settings-fields.h"
#include "settings/settings.h"
#include "unit.h"

static struct settings s;
static char error[SETTINGS_ERROR];

static struct settings_row row_at(int i)
{
	struct settings_row row;

	settings_row((size_t)i, &row);
	return row;
}

static struct settings_row row_of(const char *key)
{
	struct settings_row row;

	for (size_t i = 0; i < settings_count(); i++) {
		settings_row(i, &row);
		if (!strcmp(row.key, key))
			return row;
	}
	ck_abort_msg("no row %s", key);
}

TEST_TIMES(every_row_reads_back_what_it_prints, settings_count())
{
	const struct settings_row row = row_at(_i);
	char first[SETTINGS_TEXT], again[SETTINGS_TEXT], isa[ISA_TEXT];

	settings_init(&s);
	settings_get(&s, &row, 0, first);
	if (row.type != SETTINGS_SIZE)
		ck_assert_str_eq(first, settings_initial(&row, isa));
	ck_assert(settings_set(&s, row.key, first, error));
	settings_get(&s, &row, 0, again);
	ck_assert_str_eq(first, again);
	ck_assert_str_ne(row.help, "");
	ck_assert_str_ne(settings_values(&row, first, sizeof(first)), "");
}

/* Every number that there is, with what docs and users know of it. */
static const struct bound_row {
	const char *key;
	uint64_t min, max;
	const char *initial;
} bound_rows[] = {
	{ "xlen", 32, 64, "64" },
	{ "clock-hz", 1, 1000000000000, "1000000000" },
	{ "time-hz", 1, 1000000000000, "10000000" },
	{ "ref-hz", 0, 1000000000000, "0" },
	{ "bus-hz", 0, 1000000000000, "0" },
	{ "cpi", 1, 1000000, "1" },
	{ "trap-cycles", 1, 1000000, "1" },
	{ "quantum", 1, 1000000000, "200000" },
	{ "rtc-base", 0, 9223372036, "1767225600" },
	{ "asid-bits", 0, 16, "9" },
	{ "mvendorid", 0, 0xffffffff, "0x0" },
	{ "marchid", 0, UINT64_MAX, "0x0" },
	{ "mimpid", 0, UINT64_MAX, "0x0" },
	{ "fw-counters", 0, 32, "24" },
	{ "max-insns", 0, UINT64_MAX, "0" },
	{ "max-cycles", 0, UINT64_MAX, "0" },
	{ "uarch-explain", 0, 1024, "0" },
	{ "code-buffer", 67108864, 1073741824, "64MiB" },
	{ "host-slice", 1, 1000000, "1000" },
};

TEST_ROWS(a_number_has_its_bounds, bound_rows)
{
	const struct bound_row *row = &bound_rows[_i];
	char text[32];

	ck_assert_str_eq(row_of(row->key).initial, row->initial);
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

static const struct field_row {
	const char *key, *initial, *values;
} field_rows[] = {
	{ "harts", "1", "1 to 64" },
	{ "memory", "128MiB", "4KiB to 16GiB" },
	{ "mode", "s", "s|m" },
	{ NULL, NULL, NULL },
};

TEST_ROWS(what_is_no_setting_has_a_default_and_bounds, field_rows)
{
	const struct field_row *want = &field_rows[_i];
	const struct settings_row *row = &settings_fields[_i];
	char values[SETTINGS_ERROR];
	uint64_t n;

	if (!want->key) {
		ck_assert_ptr_null(row->key);
		return;
	}
	ck_assert_str_eq(row->key, want->key);
	ck_assert_str_eq(row->initial, want->initial);
	ck_assert_str_eq(settings_values(row, values, sizeof(values)),
			 want->values);
	if (row->type == SETTINGS_SIZE) {
		ck_assert(number_parse_size(row->initial, &n));
		ck_assert_uint_eq(n, FOOTPRINT_DEFAULT_MEMORY);
	}
}

static const struct size_row {
	uint64_t min, max;
	const char *values;
} size_rows[] = {
	{ 64 << 20, 1 << 30, "64MiB to 1GiB" },
	{ 0, 1, "0 to 1" },
	{ 1023, 1024, "1023 to 1KiB" },
	{ 1025, 3 << 20, "1025 to 3MiB" },
	{ UINT64_C(3) << 41, UINT64_MAX, "6144GiB to 18446744073709551615" },
};

TEST_ROWS(bounds_of_sizes_are_told_in_the_largest_unit, size_rows)
{
	const struct settings_row row = { .type = SETTINGS_SIZE,
					  .min = size_rows[_i].min,
					  .max = size_rows[_i].max };
	char values[SETTINGS_ERROR];

	ck_assert_str_eq(settings_values(&row, values, sizeof(values)),
			 size_rows[_i].values);
}

/* A number without a row above is one that no test knows the bounds of. */
TEST_TIMES(every_number_has_a_row, settings_count())
{
	const struct settings_row row = row_at(_i);
	unsigned found = 0;

	for (size_t i = 0; i < ARRAY_SIZE(bound_rows); i++)
		found += !strcmp(bound_rows[i].key, row.key);
	ck_assert_msg(found == (row.type <= SETTINGS_SIZE), "%s has %u rows",
		      row.key, found);
}

static const struct value_row {
	const char *key, *value, *want; /* NULL: refused */
} value_rows[] = {
	{ "quantum", "20k", "20000" },
	{ "quantum", "0x10", "16" },
	{ "quantum", "010", "10" },
	{ "max-insns", "3G", "3000000000" },
	{ "code-buffer", "128MiB", "134217728" },
	{ "code-buffer", "128M", "134217728" },
	{ "quantum", "0X10", "16" },
	{ "quantum", "3k", "3000" },
	{ "quantum", "3KiB", "3072" },
	{ "max-insns", "2T", "2000000000000" },
	{ "hpm-counters", "0xf8", "0xf8" },
	{ "hpm-counters", "0xFFFFFFF8", "0xfffffff8" },
	{ "hpm-counters", "all", "0xfffffff8" },
	{ "hpm-counters", "none", "0x0" },
	{ "hpm-counters", "3", "0x8" },
	{ "hpm-counters", "3-6,31", "0x80000078" },
	{ "hpm-counters", "3-31", "0xfffffff8" },
	{ "hpm-counters", "5,3,5", "0x28" },
	{ "hpm-counters", "0xfffffff9", NULL },
	{ "hpm-counters", "0x1fffffff8", NULL },
	{ "hpm-counters", "0x", NULL },
	{ "hpm-counters", "0x-8", NULL },
	{ "hpm-counters", "0x8 ", NULL },
	{ "hpm-counters", "0x0x8", NULL },
	{ "hpm-counters", "0x\t8", NULL },
	{ "hpm-counters", "", NULL },
	{ "hpm-counters", "2", NULL },
	{ "hpm-counters", "32", NULL },
	{ "hpm-counters", "3-32", NULL },
	{ "hpm-counters", "6-3", NULL },
	{ "hpm-counters", "3-", NULL },
	{ "hpm-counters", "-3", NULL },
	{ "hpm-counters", "3,", NULL },
	{ "hpm-counters", "3x", NULL },
	{ "hpm-counters", "4294967299", NULL },
	{ "hpm-width", "1", "1" },
	{ "hpm-width", "3-31:40", "40" },
	{ "hpm-width", "3:40", "3:40,4-31:64" },
	{ "hpm-width", "32,7-8:1,31:2", "3-6:32,7-8:1,9-30:32,31:2" },
	{ "hpm-width", "3:40,3:41", "3:41,4-31:64" },
	{ "hpm-width", "0", NULL },
	{ "hpm-width", "65", NULL },
	{ "hpm-width", "3:0", NULL },
	{ "hpm-width", "3:65", NULL },
	{ "hpm-width", "2:40", NULL },
	{ "hpm-width", "3:", NULL },
	{ "hpm-width", ":40", NULL },
	{ "hpm-width", "3:40,", NULL },
	{ "hpm-width", "3:40:2", NULL },
	{ "hpm-events", "none", "none" },
	{ "hpm-events", "all:3-31", "all" },
	{ "hpm-events", "all:3+5", "all:3+5" },
	{ "hpm-events", "cycles:3-6+9,loads", "loads,cycles:3-6+9" },
	{ "hpm-events", "cycles:3,cycles:4", "cycles:3-4" },
	{ "hpm-events", "SBI_PMU_HW_CPU_CYCLES:5", "cycles:5" },
	{ "hpm-events", "nothing", NULL },
	{ "hpm-events", "", NULL },
	{ "hpm-events", "cycles,", NULL },
	{ "hpm-events", "cycles:", NULL },
	{ "hpm-events", "cycles:2", NULL },
	{ "hpm-events", "cycles:3++4", NULL },
	{ "c", "on", "on" },
	{ "c", "off", NULL },
	{ "s", "off", "off" },
	{ "sstc", "on", "on" },
	{ "wfi-cycles", "stop", "stop" },
	{ "fp-minmax", "native", "native" },
	{ "engine", "portable", "portable" },
	{ "engine", "check", "check" },
	{ "engine", "slow", NULL },
	{ "sv", "sv48", "sv48" },
	{ "pmp-entries", "0", "0" },
	{ "pmp-entries", "64", "64" },
	{ "pmp-entries", "17", NULL },
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

TEST_ROWS(a_value_is_taken_or_refused, value_rows)
{
	const struct value_row *row = &value_rows[_i];
	struct settings_row desc;
	char got[SETTINGS_TEXT];
	static struct settings before;

	settings_init(&s);
	before = s;
	if (row->want) {
		ck_assert(settings_set(&s, row->key, row->value, error));
		desc = row_of(row->key);
		settings_get(&s, &desc, 0, got);
		ck_assert_str_eq(got, row->want);
		return;
	}
	ck_assert(!settings_set(&s, row->key, row->value, error));
	ck_assert_ptr_nonnull(strstr(error, row->key));
	ck_assert(!memcmp(&s, &before, sizeof(s)));
}

/* What was given before is no part of it. */
static const struct anew_row {
	const char *key, *before, *given, *want;
} anew_rows[] = {
	{ "hpm-width", "7", "3:40", "3:40,4-31:64" },
	{ "hpm-width", "7", "31:40", "3-30:64,31:40" },
	{ "hpm-counters", "all", "31", "0x80000000" },
	{ "hpm-counters", "all", "3", "0x8" },
	{ "hpm-counters", "3-9", "none", "0x0" },
	{ "hpm-events", "all", "cycles:3", "cycles:3" },
	{ "hpm-events", "all", "none", "none" },
};

TEST_ROWS(a_list_is_given_anew, anew_rows)
{
	const struct anew_row *row = &anew_rows[_i];
	const struct settings_row desc = row_of(row->key);
	char got[SETTINGS_TEXT];

	settings_init(&s);
	ck_assert(settings_set(&s, row->key, row->before, error));
	ck_assert(settings_set(&s, row->key, row->given, error));
	ck_assert_str_eq(settings_get(&s, &desc, 0, got), row->want);
}

TEST(an_unknown_key_is_named)
{
	settings_init(&s);
	ck_assert(!settings_set(&s, "colour", "red", error));
	ck_assert_ptr_nonnull(strstr(error, "colour"));
}

TEST(a_key_of_old_is_told_its_new_name)
{
	settings_init(&s);
	ck_assert(!settings_set(&s, "xsmaialcofi", "on", error));
	ck_assert_ptr_nonnull(strstr(error, "xsmaialcofi"));
	ck_assert_ptr_nonnull(strstr(error, "as smaia"));
	ck_assert(!settings_set(&s, "hart1.xssaialcofi", "on", error));
	ck_assert_ptr_nonnull(strstr(error, "as ssaia"));
	ck_assert(!settings_known("xsmaialcofi"));
}

TEST(ssaia_comes_with_smaia)
{
	settings_init(&s);
	ck_assert(settings_set(&s, "ssaia", "on", error));
	ck_assert(settings_check(&s, 1, error));
	ck_assert_uint_eq(s.hart[0].ext & (PMU_EXT_SMAIA | PMU_EXT_SSAIA),
			  PMU_EXT_SMAIA | PMU_EXT_SSAIA);
	settings_init(&s);
	ck_assert(settings_set(&s, "smaia", "on", error));
	ck_assert(!settings_check(&s, 1, error));
	ck_assert_ptr_nonnull(strstr(error, "ssaia"));
}

#define SIXTY "000000000000000000000000000000000000000000000000000000000000"

/* Of a list the one part is told that is wrong, of a long one its begin. */
static const struct part_row {
	const char *key, *value, *want;
} part_rows[] = {
	{ "hpm-counters", "3,x,5", "'x' is not a counter from 3 to 31" },
	{ "hpm-counters", "3,4-40,5",
	  "'4-40' is not a range of counters within 3 to 31" },
	{ "hpm-counters", "3,5-4,9",
	  "'5-4' is not a range of counters within 3 to 31" },
	{ "hpm-counters", "3,2,9",
	  "'2' is not a range of counters within 3 to 31" },
	{ "hpm-counters", "3,5-,9", "'5-' is not a range of counters" },
	{ "hpm-counters", "3,5-6-7,9",
	  "'5-6-7' is not a range of counters within 3 to 31" },
	{ "hpm-counters", "0x7", "'0x7' is not a bitmap of counters 3 to 31" },
	{ "hpm-counters", "x" SIXTY "123,5",
	  "'x" SIXTY "123' is not a counter from 3 to 31" },
	{ "hpm-counters", "x" SIXTY "1234,5",
	  "'x" SIXTY "123' is not a counter from 3 to 31" },
	{ "hpm-events", "cycles,foo:3,loads",
	  "'foo' is not an event: see the list of events" },
};

TEST_ROWS(a_wrong_part_is_told_and_no_more, part_rows)
{
	const struct part_row *row = &part_rows[_i];
	char want[SETTINGS_ERROR];

	settings_init(&s);
	ck_assert(!settings_set(&s, row->key, row->value, error));
	snprintf(want, sizeof(want), "setting %s: %s", row->key, row->want);
	ck_assert_str_eq(error, want);
}

TEST(settings_of_all_harts_are_initial_and_nothing_behind_them)
{
	struct {
		struct settings of;
		struct settings_hart behind;
	} two;

	memset(&two, 0xa5, sizeof(two));
	settings_init(&two.of);
	ck_assert_uint_eq(two.of.hart[SETTINGS_HARTS - 1].ext,
			  two.of.hart[0].ext);
	ck_assert_uint_eq(two.behind.ext, 0xa5a5a5a5a5a5a5a5);
}

TEST(a_text_that_is_too_long_is_refused)
{
	char text[SETTINGS_TEXT + 1];

	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = 0;
	settings_init(&s);
	ck_assert(!settings_set(&s, "hpm-events", text, error));
	ck_assert_ptr_nonnull(strstr(error, "longer than 4095 bytes"));
	ck_assert(!settings_set(&s, text, text, error));
}

#define BYTES_32                                                               \
	"00112233445566778899aabbccddeeff"                                     \
	"0123456789abcdef0123456789ABCDEF"

static const struct seed_row {
	const char *text, *shown; /* NULL: refused */
	const char *board;
	size_t len;
	uint8_t first, last;
} seed_rows[] = {
	{ "fixed", "fixed", "virt", 64, 0xfd, 0xbd },
	{ "fixed", "fixed", "plain", 0, 0, 0 },
	{ "none", "none", "virt", 0, 0, 0 },
	{ "random", "random", "virt", 0, 0, 0 },
	{ BYTES_32,
	  "00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef",
	  "virt", 32, 0x00, 0xef },
	{ BYTES_32,
	  "00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef",
	  "plain", 32, 0x00, 0xef },
	{ "", NULL, "virt", 0, 0, 0 },
	{ "some", NULL, "virt", 0, 0, 0 },
	{ BYTES_32 "a", NULL, "virt", 0, 0, 0 },
	{ "0x" BYTES_32, NULL, "virt", 0, 0, 0 },
	{ "00112233445566778899aabbccddeeff", NULL, "virt", 0, 0, 0 },
};

TEST_ROWS(a_seed_is_bytes_or_a_word, seed_rows)
{
	const struct seed_row *row = &seed_rows[_i];
	const struct settings_row setting = row_of("rng-seed");
	char shown[SETTINGS_TEXT];
	const uint8_t *bytes;
	size_t len;

	settings_init(&s);
	ck_assert(settings_set(&s, "board", row->board, error));
	ck_assert(settings_set(&s, "rng-seed", row->text, error) ==
		  !!row->shown);
	settings_get(&s, &setting, 0, shown);
	ck_assert_str_eq(shown, row->shown ? row->shown : "fixed");
	if (!row->shown) {
		ck_assert_ptr_nonnull(strstr(error, "32 to 256 bytes"));
		return;
	}
	len = settings_seed(&s, &bytes);
	ck_assert_uint_eq(len, row->len);
	if (len)
		ck_assert(bytes[0] == row->first &&
			  bytes[len - 1] == row->last);
}

TEST(a_seed_has_its_bounds)
{
	char text[2 * SETTINGS_SEED_MAX + 3];
	const uint8_t *bytes;

	memset(text, 'a', sizeof(text));
	text[2 * SETTINGS_SEED_MAX] = 0;
	settings_init(&s);
	ck_assert(settings_set(&s, "rng-seed", text, error));
	ck_assert_uint_eq(settings_seed(&s, &bytes), SETTINGS_SEED_MAX);
	text[2 * SETTINGS_SEED_MAX] = 'a';
	text[2 * SETTINGS_SEED_MAX + 2] = 0;
	ck_assert(!settings_set(&s, "rng-seed", text, error));
	text[2 * SETTINGS_SEED_MIN] = 0;
	ck_assert(settings_set(&s, "rng-seed", text, error));
	ck_assert_uint_eq(settings_seed(&s, &bytes), SETTINGS_SEED_MIN);
	text[2 * SETTINGS_SEED_MIN - 2] = 0;
	ck_assert(!settings_set(&s, "rng-seed", text, error));
}

/* Each says what it is, not what its neighbour in the table is. */
static const struct help_row {
	const char *key, *help;
} help_rows[] = {
	{ "s", "supervisor mode; off only with a start in M-mode" },
	{ "sstc", "stimecmp" },
	{ "zihpm", "hpmcounter3-31" },
	{ "shlcofideleg", "LCOFI can be delegated to VS-mode" },
	{ "m", "always there, the engine executes it" },
	{ "c", "always there, the engine executes it" },
};

TEST_ROWS(an_extension_says_what_it_is, help_rows)
{
	struct settings_row row;

	for (size_t i = 0; i < settings_count(); i++) {
		settings_row(i, &row);
		if (strcmp(row.key, help_rows[_i].key) != 0)
			continue;
		ck_assert_str_eq(row.help, help_rows[_i].help);
		return;
	}
	ck_abort_msg("no setting %s", help_rows[_i].key);
}

SUITE("settings");
