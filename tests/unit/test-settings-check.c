/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Settings of several harts: whom a key means, what settings demand of each
 * other, and that the list of them makes the same machine again.
 */
#include <stdio.h>
#include <string.h>

#include <pmu/isa.h>

#include "settings/settings.h"
#include "unit.h"

static struct settings s, again;
static char error[SETTINGS_ERROR];

/* "key=value key=value". False: one was refused. */
static bool apply(const char *text)
{
	char copy[512], *save = NULL;

	settings_init(&s);
	snprintf(copy, sizeof(copy), "%s", text);
	for (char *word = strtok_r(copy, " ", &save); word;
	     word = strtok_r(NULL, " ", &save)) {
		char *value = strchr(word, '=');

		*value++ = 0;
		if (!settings_set(&s, word, value, error))
			return false;
	}
	return true;
}

static const struct bad_row {
	const char *text;
	const char *want[2]; /* parts of the error */
} bad_rows[] = {
	{ "xlen=48", { "xlen", "64" } },
	{ "clock-hz=1M time-hz=2M", { "time-hz", "clock-hz" } },
	{ "board=plain serial=on", { "serial", "board=plain" } },
	{ "xlen=32 sv=sv39", { "sv", "RV32" } },
	{ "xlen=64 sv=sv32", { "sv", "RV64" } },
	{ "xlen=32 asid-bits=10", { "asid-bits", "RV32" } },
	{ "xlen=32 marchid=0x100000000", { "marchid", "RV32" } },
	{ "xlen=32 mimpid=0x100000000", { "mimpid", "RV32" } },
	{ "zihpm=off", { "sscofpmf", "zihpm" } },
	{ "sstc=on zicntr=off", { "sstc", "zicntr" } },
	{ "s=off", { "svadu", "needs s" } },
	{ "s=off svadu=off svade=off sv=sv39", { "sv", "needs s" } },
	{ "h=on sv=bare", { "setting h", "sv is bare" } },
	{ "hart1.h=on hart1.sv=bare", { "setting hart1.h", "page tables" } },
	{ "d=off", { "setting d", "f" } },
	{ "f=off", { "setting d", "needs f" } },
	{ "isa=rv64imafd_zicsr", { "setting c", "engine" } },
	{ "isa=rv64i", { "setting m", "engine" } },
	{ "isa=rv64imafdc_sscofpmf", { "sscofpmf", "zihpm" } },
	{ "xlen=64 isa=rv32gc", { "rv32", "xlen 64" } },
	{ "hart1.isa=rv32gc", { "setting hart1.isa", "xlen 64" } },
	{ "sscofpmf=off zihpm=off hpm-counters=3",
	  { "hpm-counters", "zihpm" } },
	{ "hart1.zihpm=off", { "setting hart1.sscofpmf", "zihpm" } },
	{ "hart0-1.zihpm=off hart0-1.mvendorid=1",
	  { "setting sscofpmf", "zihpm" } },
	{ "hart2.sstc=on", { "hart2", "0 to 1" } },
	{ "hart1-63.sstc=on", { "hart2", "0 to 1" } },
};

TEST_ROWS(settings_that_contradict_each_other_are_refused, bad_rows)
{
	const struct bad_row *row = &bad_rows[_i];

	ck_assert_msg(apply(row->text), "%s: %s", row->text, error);
	ck_assert_msg(!settings_check(&s, 2, error), "%s", row->text);
	for (unsigned i = 0; i < ARRAY_SIZE(row->want); i++)
		ck_assert_msg(strstr(error, row->want[i]), "%s: %s", row->text,
			      error);
}

static const struct bad_row key_rows[] = {
	{ "hart.sstc=on", { "hart.sstc", "hartN" } },
	{ "hartx.sstc=on", { "hartx.sstc", "hartN" } },
	{ "hart64.sstc=on", { "hart64.sstc", "63" } },
	{ "hart4294967296.sstc=on", { "hart4294967296.sstc", "63" } },
	{ "hart1-0.sstc=on", { "hart1-0.sstc", "hartN" } },
	{ "hart1-.sstc=on", { "hart1-.sstc", "hartN" } },
	{ "hart1x.sstc=on", { "hart1x.sstc", "hartN" } },
	{ "hart1.quantum=5", { "quantum", "of the machine" } },
	{ "hart1.xlen=32", { "xlen", "of the machine" } },
	{ "hart1.max-insns=5", { "max-insns", "of the machine" } },
	{ "hart1.colour=red", { "hart1.colour", "no setting" } },
	{ "hart1=5", { "hart1", "no setting" } },
	{ "hart1.sstc=yes", { "hart1.sstc", "on|off" } },
};

TEST_ROWS(a_key_that_means_nobody_is_refused, key_rows)
{
	const struct bad_row *row = &key_rows[_i];

	ck_assert(!apply(row->text));
	for (unsigned i = 0; i < ARRAY_SIZE(row->want); i++)
		ck_assert_msg(strstr(error, row->want[i]), "%s: %s", row->text,
			      error);
}

static const struct switch_row {
	const char *why, *text;
	bool want[3]; /* sstc of harts 0 to 2 */
} switch_rows[] = {
	{ "off by default", "", { false, false, false } },
	{ "a plain key means all harts", "sstc=on", { true, true, true } },
	{ "hartN. means one", "hart1.sstc=on", { false, true, false } },
	{ "hartN-M. means some", "hart1-2.sstc=on", { false, true, true } },
	{ "a later one wins", "sstc=on hart0.sstc=off", { false, true, true } },
	{ "also where it means more",
	  "hart0.sstc=on sstc=off",
	  { false, false, false } },
	{ "an ISA string states all",
	  "sstc=on isa=rv64gc_zihpm",
	  { false, false, false } },
	{ "and a switch behind it adds to it",
	  "hart2.isa=rv64gc_zicntr hart2.sstc=on",
	  { false, false, true } },
};

TEST_ROWS(a_switch_reaches_the_harts_it_means, switch_rows)
{
	const struct switch_row *row = &switch_rows[_i];

	ck_assert(apply(row->text));
	ck_assert_msg(settings_check(&s, 3, error), "%s", error);
	for (unsigned i = 0; i < 3; i++)
		ck_assert_msg(!!(s.hart[i].ext & PMU_EXT_SSTC) == row->want[i],
			      "%s: hart %u", row->why, i);
}

TEST_TIMES(a_hart_is_named_by_its_number, SETTINGS_HARTS)
{
	char text[64];

	snprintf(text, sizeof(text), "hart%d.mvendorid=%d", _i, _i + 1);
	ck_assert_msg(apply(text), "%s: %s", text, error);
	for (int i = 0; i < SETTINGS_HARTS; i++)
		ck_assert_uint_eq(s.hart[i].mvendorid, i == _i ? i + 1 : 0);
}

static size_t n_extensions(void)
{
	size_t n;

	pmu_ext_table(&n);
	return n;
}

TEST_TIMES(every_extension_has_a_switch, n_extensions())
{
	size_t n;
	const struct pmu_ext_desc *d = &pmu_ext_table(&n)[_i];
	struct settings_row row;
	bool found = false;

	for (size_t i = 0; i < settings_count(); i++) {
		settings_row(i, &row);
		found = found ||
			(row.ext == d->ext && !strcmp(row.key, d->name));
	}
	ck_assert_msg(found, "%s", d->name);
	settings_init(&s);
	ck_assert(settings_set(&s, d->name, "on", error));
	ck_assert_uint_ne(s.hart[63].ext & d->ext, 0);
	if (settings_set(&s, d->name, "off", error))
		ck_assert_uint_eq(s.hart[63].ext & d->ext, 0);
	else
		ck_assert_ptr_nonnull(strstr(error, "on"));
}

TEST(an_isa_string_says_the_xlen)
{
	ck_assert(apply("isa=rv32gc"));
	ck_assert_uint_eq(s.xlen, 32);
	ck_assert(settings_check(&s, 1, error));
	ck_assert(apply("isa=rv32gc isa=rv64gc"));
	ck_assert_uint_eq(s.xlen, 64);
	ck_assert(apply("xlen=32 hart0.isa=rv32gc"));
	ck_assert(settings_check(&s, 1, error));
}

static const char *const machines[] = {
	"",
	"xlen=32",
	"s=off svadu=off svade=off u=off cpi=3",
	"isa=rv32imac_zicntr hart1.isa=rv32gc_zihpm_sscofpmf",
	"hart1.hpm-width=3-5:40 hart1-2.hpm-events=cycles:3 hart3.mvendorid=7",
	"hpm-counters=none hart0.hpm-counters=3-6 hart2.asid-bits=0",
	"pmp-entries=0 board=plain",
	"pmp-entries=64 hart1.pmp-entries=0",
	"pmp-entries=0 hart3.pmp-entries=16",
};

static void collect(void *arg, const char *key, const char *value)
{
	ck_assert_str_ne(key, "engines");
	ck_assert_msg(settings_set(arg, key, value, error), "%s", error);
}

TEST_ROWS(the_list_makes_the_same_machine_again, machines)
{
	char one[SETTINGS_TEXT], two[SETTINGS_TEXT];
	struct settings_row row;

	ck_assert(apply(machines[_i]));
	ck_assert_msg(settings_check(&s, 4, error), "%s", error);
	settings_init_recorded(&again);
	settings_each(&s, 4, collect, &again);
	ck_assert_msg(settings_check(&again, 4, error), "%s", error);
	for (size_t i = 0; i < settings_count(); i++)
		for (unsigned hart = 0; hart < 4; hart++) {
			settings_row(i, &row);
			settings_get(&s, &row, hart, one);
			settings_get(&again, &row, hart, two);
			ck_assert_str_eq(one, two);
		}
}

static void find_key(void *arg, const char *key, const char *value)
{
	const char **looked_for = arg;

	(void)value;
	if (*looked_for && strstr(key, *looked_for))
		*looked_for = NULL;
}

/* What the header of a trace says of it: nothing, when that is what it was. */
static const struct new_row {
	const char *settings, *key;
	bool listed;
} new_rows[] = {
	{ "", "pmp-entries", true },
	{ "pmp-entries=64", "pmp-entries", true },
	{ "pmp-entries=0", "pmp-entries", false },
	{ "", "yield", true },
	{ "yield=off", "yield", false },
	{ "", "sum-pages", true },
	{ "sum-pages=off", "sum-pages", false },
	{ "pmp-entries=0 hart3.pmp-entries=16", "pmp-entries", true },
	{ "pmp-entries=0 hart4.pmp-entries=16", "pmp-entries", false },
};

TEST_ROWS(a_new_setting_is_left_out_where_it_is_as_before, new_rows)
{
	const char *key = new_rows[_i].key;

	ck_assert(apply(new_rows[_i].settings));
	settings_each(&s, 4, find_key, &key);
	ck_assert_msg(!key == new_rows[_i].listed, "%s", new_rows[_i].settings);
}

/* As the traces of those times have it, which say nothing of these. */
static const struct old_row {
	const char *key, *value;
} old_rows[] = {
	{ "board", "plain" },
	{ "pmp-entries", "0" },
	{ "serial", "off" },
	{ "rtc-base", "1767225600" },
	{ "rng-seed", "fixed" },
	{ "yield", "off" },
	{ "reboot", "off" },
	{ "prefetch", "none" },
	{ "sum-pages", "off" },
	{ "profile", "spec" }, /* and a setting that always was */
};

TEST_ROWS(a_header_without_a_setting_is_from_before_it, old_rows)
{
	const struct old_row *r = &old_rows[_i];
	char value[SETTINGS_TEXT];
	struct settings_row row;

	settings_init_recorded(&s);
	for (size_t i = 0; i < settings_count(); i++) {
		settings_row(i, &row);
		if (strcmp(row.key, r->key) != 0)
			continue;
		for (unsigned hart = 0; hart < SETTINGS_HARTS; hart++)
			ck_assert_str_eq(settings_get(&s, &row, hart, value),
					 r->value);
		return;
	}
	ck_abort_msg("no setting %s", r->key);
}

static void count(void *arg, const char *key, const char *value)
{
	unsigned *n = arg;

	*n += !strncmp(key, "hart", 4);
}

TEST(the_list_names_only_harts_that_differ)
{
	unsigned n = 0;

	ck_assert(apply("hart1-2.sstc=on hart3.mvendorid=1"));
	settings_each(&s, 4, count, &n);
	ck_assert_uint_eq(n, 2);
}

SUITE("settings-check");
