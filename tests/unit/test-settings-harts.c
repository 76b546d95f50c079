/* SPDX-License-Identifier: BSD-2-Clause */
/* A setting of all harts is read once and says the same to each of them. */
#include <stdio.h>

#include "settings/settings.h"
#include "unit.h"

static struct settings s;
static char error[SETTINGS_ERROR];

/* Values that set, values that clear, and lists that do both. */
static const struct hart_row {
	const char *key, *value;
} hart_rows[] = {
	{ "isa", "rv64gch_sstc" },
	{ "isa", "rv32imac" },
	{ "sstc", "off" },
	{ "smaia", "on" },
	{ "h", "on" },
	{ "ssaia", "off" },
	{ "u", "off" },
	{ "hpm-width", "3-6:40,9:32" },
	{ "hpm-counters", "3-6,9" },
	{ "hpm-events", "cycles:3-6+9,loads" },
	{ "asid-bits", "4" },
	{ "sv", "sv48" },
	{ "marchid", "0x123456789" },
};

TEST_ROWS(what_all_harts_are_told_each_is_told, hart_rows)
{
	const struct hart_row *row = &hart_rows[_i];
	static struct settings all, each;
	char key[SETTINGS_TEXT];

	settings_init(&all);
	/* they are not alike before */
	ck_assert(settings_set(&all, "hart5-9.sstc", "off", error));
	ck_assert(settings_set(&all, "hart7.isa", "rv64gc_smaia", error));
	ck_assert(settings_set(&all, "hart8.hpm-width", "11", error));
	ck_assert(settings_set(&all, "hart9.s", "off", error));
	each = all;
	ck_assert(settings_set(&all, row->key, row->value, error));
	for (int i = 0; i < SETTINGS_HARTS; i++) {
		snprintf(key, sizeof(key), "hart%d.%s", i, row->key);
		ck_assert(settings_set(&each, key, row->value, error));
	}
	ck_assert_mem_eq(all.hart, each.hart, sizeof(all.hart));
}

/* What the harts have of it already is not taken from the first one. */
TEST(each_hart_keeps_what_it_is_not_told)
{
	settings_init(&s);
	ck_assert(settings_set(&s, "sstc", "on", error));
	ck_assert(settings_set(&s, "hart1.sstc", "off", error));
	ck_assert(settings_set(&s, "hart2.s", "off", error));
	ck_assert(settings_set(&s, "smaia", "on", error));
	ck_assert(!(s.hart[1].ext & PMU_EXT_SSTC));
	ck_assert(s.hart[0].ext & s.hart[2].ext & PMU_EXT_SSTC);
	ck_assert(s.hart[0].ext & s.hart[2].ext & PMU_EXT_SMAIA);
	ck_assert(settings_set(&s, "isa", "rv64gc_sstc", error));
	ck_assert(s.hart[0].ext & s.hart[1].ext & PMU_EXT_SSTC);
	ck_assert(!((s.hart[0].ext | s.hart[63].ext) & PMU_EXT_SMAIA));
	ck_assert(!(s.hart[2].ext & PMU_EXT_S));
	ck_assert(s.hart[0].ext & s.hart[63].ext & PMU_EXT_S);
}

SUITE("settings-harts");
