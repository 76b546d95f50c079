/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Names of extensions: which of them a hart lives up to, and how those are told
 * that it does not.
 */
#include "board/dt-promise.h"

#include <stdio.h>
#include <string.h>

#include "unit.h"

/* Each is kept by a hart that has all of these, and by none with less. */
static const struct part_row {
	const char *name;
	uint64_t ext;
} part_rows[] = {
	{ "i", 0 },
	{ "zicsr", 0 },
	{ "zifencei", 0 },
	{ "m", PMU_EXT_M },
	{ "sstc", PMU_EXT_SSTC },
	{ "g", PMU_EXT_M | PMU_EXT_A | PMU_EXT_F | PMU_EXT_D },
	{ "s", PMU_EXT_S },
	{ "u", PMU_EXT_U },
	{ "zmmul", PMU_EXT_M },
	{ "zaamo", PMU_EXT_A },
	{ "zalrsc", PMU_EXT_A },
	{ "zca", PMU_EXT_C },
	{ "zcd", PMU_EXT_C | PMU_EXT_D },
	{ "zcf", PMU_EXT_C | PMU_EXT_F },
	{ "zihintpause", 0 },
	{ "zihintntl", 0 },
	{ "za64rs", 0 },
	{ "ziccamoa", 0 },
	{ "ziccif", 0 },
	{ "zicclsm", 0 },
	{ "ziccrse", 0 },
	{ "ssccptr", 0 },
	{ "sstvecd", 0 },
};

static bool promise_kept(const char *name, uint64_t ext)
{
	struct pmu_hart_config hart = { .xlen = 64, .ext = ext };
	struct promises p = { 0 };
	char text[200];

	promises_list(&p, &hart, name, strlen(name) + 1);
	return !promises_broken(&p, text, sizeof(text));
}

TEST_ROWS(a_name_asks_for_its_extensions, part_rows)
{
	const struct part_row *row = &part_rows[_i];

	ck_assert_msg(promise_kept(row->name, row->ext), "%s", row->name);
	for (unsigned bit = 0; bit < 64; bit++) {
		uint64_t one = UINT64_C(1) << bit;

		ck_assert_msg(promise_kept(row->name, ~one) ==
				      !(row->ext & one),
			      "%s without %u", row->name, bit);
	}
}

static const struct pmu_hart_config plain = { .xlen = 64 };

/* Names of five letters: so many fit. */
TEST(each_name_is_told_whole_or_not_at_all)
{
	enum {
		FIT = 57
	};
	struct promises p = { 0 };
	char want[512] = "", text[512];
	size_t at = 0;

	for (unsigned i = 0; i < FIT + 2; i++) {
		char name[8];

		snprintf(name, sizeof(name), "zx%03u", i);
		promises_list(&p, &plain, name, strlen(name) + 1);
		if (i < FIT)
			at += (size_t)sprintf(want + at, "%s%s", i ? ", " : "",
					      name);
		ck_assert(promises_broken(&p, text, sizeof(text)));
		ck_assert(!memcmp(text + strlen("cpu 0 promises "), want, at));
		ck_assert_str_eq(text + strlen("cpu 0 promises ") + at,
				 i < FIT ? ", which it has not"
					 : " and more, which it has not");
	}
}

TEST(of_a_long_name_the_beginning_is_told)
{
	struct promises p = { 0 };
	char name[64], text[512];

	memset(name, 'z', sizeof(name));
	promises_list(&p, &plain, name, sizeof(name));
	ck_assert(promises_broken(&p, text, sizeof(text)));
	ck_assert_str_eq(text, "cpu 0 promises zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"
			       ", which it has not");
}

SUITE("dt-promise");
