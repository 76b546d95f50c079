/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every row of the table, whatever it is: what its type accepts is taken and
 * shown again, what it does not is refused and leaves all as it was.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <nettle/sha2.h>

#include "settings/settings.h"
#include "unit.h"

static struct settings s, before;
static char error[SETTINGS_ERROR];
static struct settings_row row;

static void begin(int i)
{
	settings_row((size_t)i, &row);
	settings_init(&s);
	before = s;
}

/* A value that is refused says whose it is, and what would be good. */
static void refused(const char *value)
{
	char values[256], key[80];

	snprintf(key, sizeof(key), "setting %s: ", row.key);
	settings_values(&row, values, sizeof(values));
	ck_assert_msg(!settings_set(&s, row.key, value, error), "%s=%s",
		      row.key, value);
	ck_assert_msg(strstr(error, key) == error, "%s", error);
	ck_assert_msg(memcmp(&s, &before, sizeof(s)) == 0, "%s=%s", row.key,
		      value);
	if (row.type < SETTINGS_EXT)
		ck_assert_msg(strstr(error, values), "%s: %s", values, error);
}

static void taken(const char *value, const char *shown)
{
	char got[SETTINGS_TEXT];

	ck_assert_msg(settings_set(&s, row.key, value, error), "%s", error);
	ck_assert_str_eq(settings_get(&s, &row, 0, got), shown);
	if (row.per_hart)
		ck_assert_str_eq(
			settings_get(&s, &row, SETTINGS_HARTS - 1, got), shown);
}

/* What no row of any type takes. */
TEST_TIMES(a_row_refuses_what_is_no_value, (int)settings_count())
{
	static const char *const never[] = { "", " ", "-1", "1 ", "\n", "=" };

	begin(_i);
	for (size_t n = 0; n < ARRAY_SIZE(never); n++)
		refused(never[n]);
}

static bool has_bounds(int i)
{
	settings_row((size_t)i, &row);
	return row.type == SETTINGS_NUMBER || row.type == SETTINGS_HEX ||
	       row.type == SETTINGS_SIZE;
}

static void show(uint64_t n, char text[32])
{
	const char *format =
		row.type == SETTINGS_HEX ? "0x%" PRIx64 : "%" PRIu64;

	snprintf(text, 32, format, n);
}

TEST_WHERE(a_number_is_taken_from_its_least_to_its_most, 0,
	   (int)settings_count(), has_bounds(_i))
{
	char text[32];

	begin(_i);
	ck_assert_uint_lt(row.min, row.max);
	if (row.min) {
		show(row.min - 1, text);
		refused(text);
	}
	if (row.max < UINT64_MAX) {
		show(row.max + 1, text);
		refused(text);
	}
	show(row.min, text);
	taken(text, text);
	show(row.max, text);
	taken(text, text);
}

static bool has_words(int i)
{
	settings_row((size_t)i, &row);
	return row.type == SETTINGS_CHOICE || row.type == SETTINGS_SWITCH;
}

/* Words are taken as they stand, and no others. */
TEST_WHERE(a_word_is_one_of_its_row, 0, (int)settings_count(), has_words(_i))
{
	char words[256], other[80], *save = NULL;

	begin(_i);
	snprintf(words, sizeof(words), "%s", row.values);
	refused(words);
	for (char *word = strtok_r(words, "|", &save); word;
	     word = strtok_r(NULL, "|", &save)) {
		snprintf(other, sizeof(other), "%sx", word);
		before = s;
		refused(other);
		snprintf(other, sizeof(other), "%.*s", (int)strlen(word) - 1,
			 word);
		refused(other);
		taken(word, word);
	}
}

static bool is_extension(int i)
{
	settings_row((size_t)i, &row);
	return row.type == SETTINGS_EXT;
}

/* An extension is on or off by itself; what is always on is never off. */
TEST_WHERE(a_switch_of_an_extension_does_what_it_says, 0, (int)settings_count(),
	   is_extension(_i))
{
	begin(_i);
	refused("yes");
	refused("on|off");
	taken("on", "on");
	ck_assert(s.hart[0].ext & row.ext);
	if (strcmp(row.values, "on") == 0) {
		before = s;
		refused("off");
		return;
	}
	taken("off", "off");
	ck_assert(!(s.hart[0].ext & row.ext));
}

TEST_TIMES(a_row_belongs_to_harts_or_to_the_machine, (int)settings_count())
{
	char key[80], value[SETTINGS_TEXT];

	begin(_i);
	settings_get(&s, &row, 0, value);
	snprintf(key, sizeof(key), "hart0-63.%s", row.key);
	ck_assert(settings_known(row.key));
	ck_assert_int_eq(settings_known(key), row.per_hart);
	ck_assert_int_eq(settings_set(&s, key, value, error), row.per_hart);
	if (!row.per_hart)
		ck_assert_ptr_nonnull(strstr(error, "of the machine"));
	/* what it was set to is what it was, and now it is said of harts */
	ck_assert(s.named == (row.per_hart ? UINT64_MAX : 0));
}

/* The default of a row is a value of it, as is what was before it. */
TEST_TIMES(a_row_takes_its_own_texts, (int)settings_count())
{
	char was[SETTINGS_TEXT], is[SETTINGS_TEXT], isa[SETTINGS_TEXT];

	begin(_i);
	settings_get(&s, &row, 0, was);
	ck_assert(
		settings_set(&s, row.key, settings_initial(&row, isa), error));
	ck_assert_str_eq(settings_get(&s, &row, 0, is), was);
	ck_assert(*row.help && *row.key);
	if (!row.before)
		return;
	settings_init_recorded(&s);
	ck_assert_str_eq(settings_get(&s, &row, 0, is), row.before);
}

static const struct values_row {
	const char *key, *want;
} values_rows[] = {
	{ "cpi", "1 to 1000000" },
	{ "max-insns", "a number" },
	{ "mvendorid", "0x0 to 0xffffffff" },
	{ "marchid", "0x0 to 0xffffffffffffffff" },
	{ "code-buffer", "64MiB to 1GiB" },
	{ "yield", "on|off" },
	{ "pmp-entries", "0|16|64" },
	{ "sstc", "on|off" },
	{ "m", "on" },
	{ "profile", "spec|opensbi" },
};

TEST_ROWS(what_a_row_accepts_is_told, values_rows)
{
	char text[256], cut[5] = "";

	for (int i = 0; i < (int)settings_count(); i++) {
		settings_row((size_t)i, &row);
		if (strcmp(row.key, values_rows[_i].key) != 0)
			continue;
		ck_assert_str_eq(settings_values(&row, text, sizeof(text)),
				 values_rows[_i].want);
		settings_values(&row, cut, sizeof(cut));
		ck_assert_int_eq(strncmp(cut, text, sizeof(cut) - 1), 0);
		ck_assert_uint_lt(strlen(cut), sizeof(cut));
		return;
	}
	ck_abort_msg("no row %s", values_rows[_i].key);
}

/* Settings that need each other, where they just have it. */
static const struct good_row {
	const char *text;
	unsigned harts;
} good_rows[] = {
	{ "", 1 },
	{ "", SETTINGS_HARTS },
	{ "xlen=32", 1 },
	{ "clock-hz=1M time-hz=1M", 1 },
	{ "board=plain serial=off", 1 },
	{ "serial=on", 1 },
	{ "xlen=32 sv=sv32", 1 },
	{ "xlen=32 sv=bare", 1 },
	{ "xlen=64 sv=bare", 1 },
	{ "xlen=64 sv=sv39", 1 },
	{ "xlen=64 asid-bits=16", 1 },
	{ "xlen=32 asid-bits=9", 1 },
	{ "xlen=32 marchid=0xffffffff mimpid=0xffffffff", 1 },
	{ "marchid=0x100000000", 1 },
	{ "s=off svadu=off svade=off sv=bare", 1 },
	{ "s=off svadu=off svade=off", 1 },
	{ "h=on", 1 },
	{ "h=on sv=sv39", 1 },
	{ "h=off sv=bare", 1 },
	{ "f=off d=off", 1 },
	{ "hpm-counters=none zihpm=off sscofpmf=off", 1 },
	{ "hpm-counters=all zihpm=off sscofpmf=off", 1 },
	{ "hpm-counters=3 zihpm=on", 1 },
	{ "isa=rv32gc xlen=32", 1 },
	{ "hart1.sstc=on", 2 },
	{ "hart0-1.mvendorid=1", 2 },
	{ "hart63.mvendorid=1", SETTINGS_HARTS },
};

TEST_ROWS(settings_that_have_what_they_need_are_good, good_rows)
{
	char copy[256], *save = NULL;

	settings_init(&s);
	snprintf(copy, sizeof(copy), "%s", good_rows[_i].text);
	for (char *word = strtok_r(copy, " ", &save); word;
	     word = strtok_r(NULL, " ", &save)) {
		char *value = strchr(word, '=');

		*value++ = 0;
		ck_assert_msg(settings_set(&s, word, value, error), "%s",
			      error);
	}
	ck_assert_msg(settings_check(&s, good_rows[_i].harts, error), "%s: %s",
		      good_rows[_i].text, error);
}

/* Traces name it by a word: all of it stays what it is. */
TEST(the_fixed_seed_is_the_hash_of_its_name)
{
	static const char name[] = "pmud rng-seed";
	uint8_t want[SHA512_DIGEST_SIZE];
	struct sha512_ctx ctx;
	const uint8_t *got;

	sha512_init(&ctx);
	sha512_update(&ctx, sizeof(name) - 1, (const uint8_t *)name);
	sha512_digest(&ctx, sizeof(want), want);
	settings_init(&s);
	ck_assert_uint_eq(settings_seed(&s, &got), sizeof(want));
	ck_assert_mem_eq(got, want, sizeof(want));
}

SUITE("settings-rows");
