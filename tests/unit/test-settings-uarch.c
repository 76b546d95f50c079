/* SPDX-License-Identifier: BSD-2-Clause */
/* Models of a core as settings: what is read, printed and refused. */
#include <string.h>

#include "settings/settings.h"
#include "unit.h"

static struct settings s;
static struct pmu_uarch_config cfg;
static char error[SETTINGS_ERROR];

static void set(const char *key, const char *value)
{
	ck_assert_msg(settings_set(&s, key, value, error), "%s", error);
}

static const struct text_row {
	const char *key, *given, *printed; /* NULL: as given */
} text_rows[] = {
	{ "l1d", "preset", NULL },
	{ "l1d", "none", NULL },
	{ "l1d", "32KiB:64:8", "32768:64:8:lru:back" },
	{ "l1i", "32K:64:8:plru", "32768:64:8:plru:back" },
	{ "llc", "1MiB:128:16:random:through",
	  "1048576:128:16:random:through" },
	{ "l1d", "1024:64:2:through", "1024:64:2:lru:through" },
	{ "itlb", "32:32", "32:32:lru" },
	{ "dtlb", "64:4:plru", NULL },
	{ "stlb", "512:8:random", NULL },
	{ "predictor", "none", NULL },
	{ "predictor", "static", "static:0:0" },
	{ "predictor", "static:32:8", NULL },
	{ "predictor", "static:00000000000000000000032", "static:32:0" },
	{ "predictor", "gshare:4K:16:512:64", "gshare:4096:16:512:64" },
	{ "l1d", "32KiB:64:16:random:back", "32768:64:16:random:back" },
	{ "predictor", "bimodal:512", "bimodal:512:0:0" },
	{ "predictor", "gshare:4K:12:512:16", "gshare:4096:12:512:16" },
	{ "prefetch", "preset", NULL },
	{ "prefetch", "none", NULL },
	{ "prefetch", "next", NULL },
	{ "stalls", "preset", NULL },
	{ "stalls", "none", NULL },
	{ "stalls", "10:80:4:30:0", NULL },
};

static const char *printed(const char *key, char buf[SETTINGS_TEXT])
{
	struct settings_row row;
	size_t i = 0;

	do
		settings_row(i++, &row);
	while (strcmp(row.key, key) != 0);
	return settings_get(&s, &row, 0, buf);
}

TEST_ROWS(a_part_is_read_and_printed, text_rows)
{
	const struct text_row *row = &text_rows[_i];
	char buf[SETTINGS_TEXT], again[SETTINGS_TEXT];

	settings_init(&s);
	set(row->key, row->given);
	ck_assert_str_eq(printed(row->key, buf),
			 row->printed ? row->printed : row->given);
	set(row->key, buf);
	ck_assert_str_eq(printed(row->key, again), buf);
}

static const struct refused_row {
	const char *key, *value, *why;
} refused_rows[] = {
	{ "uarch", "huge", "none|tiny|small|large" },
	{ "l1d", "", "SIZE:LINE:WAYS" },
	{ "l1d", "32K", "SIZE:LINE:WAYS" },
	{ "l1d", "0:64:8", "SIZE:LINE:WAYS" },
	{ "l1d", "32K:64:8:fifo", "SIZE:LINE:WAYS" },
	{ "l1d", "32K:64:8:lru:back:more", "SIZE:LINE:WAYS" },
	{ "l1d", "32K:64:256", "SIZE:LINE:WAYS" },
	{ "l1d", "32K:64:3", "ways are a power of two" },
	{ "llc", "32MiB:64:8", "at most 16 MiB" },
	{ "llc", "32K:8:8", "a line has" },
	{ "dtlb", "32", "ENTRIES:WAYS" },
	{ "prefetch", "stride", "preset, none, next" },
	{ "prefetch", "next:2", "preset, none, next" },
	{ "stalls", "10:80:4:30", "LAST-LEVEL:MEMORY:STLB:WALK:BRANCH" },
	{ "stalls", "10:80:4:30:0:1", "LAST-LEVEL:MEMORY:STLB:WALK:BRANCH" },
	{ "stalls", "10:80:4:-1:0", "LAST-LEVEL:MEMORY:STLB:WALK:BRANCH" },
	{ "stalls", "10:10001:4:30:0", "at most 10000 cycles" },
	{ "timing", "slow", "fixed|inorder" },
	{ "dtlb", "33:1", "entries of a TLB" },
	{ "dtlb", "32:32:through", "ENTRIES:WAYS" },
	{ "predictor", "oracle", "gshare:ENTRIES:HISTORY" },
	{ "predictor", "bimodal", "gshare:ENTRIES:HISTORY" },
	{ "predictor", "gshare:512", "gshare:ENTRIES:HISTORY" },
	{ "predictor", "gshare:512:17", "history of 1 to 16" },
	{ "predictor", "bimodal:500", "power of two" },
	{ "predictor", "static:000000000000000000000032",
	  "gshare:ENTRIES:HISTORY" },
	{ "predictor", "static:32:256", "gshare:ENTRIES:HISTORY" },
	{ "stalls", "0:80:4:30:65536", "LAST-LEVEL:MEMORY:STLB:WALK:BRANCH" },
	{ "predictor", "static:32:8:1", "gshare:ENTRIES:HISTORY" },
};

TEST_ROWS(what_is_refused_stays_as_it_was, refused_rows)
{
	const struct refused_row *row = &refused_rows[_i];
	char before[SETTINGS_TEXT], after[SETTINGS_TEXT];

	settings_init(&s);
	printed(row->key, before);
	ck_assert(!settings_set(&s, row->key, row->value, error));
	ck_assert_msg(strstr(error, row->key) && strstr(error, row->why), "%s",
		      error);
	ck_assert_str_eq(printed(row->key, after), before);
}

TEST(a_core_is_its_preset_but_for_what_is_given)
{
	struct pmu_uarch_config small;

	pmu_uarch_preset(2, &small);
	settings_init(&s);
	settings_uarch(&s, &cfg);
	ck_assert_uint_eq(pmu_uarch_events(&cfg), 0);
	set("uarch", "small");
	settings_uarch(&s, &cfg);
	ck_assert_mem_eq(&cfg, &small, sizeof(cfg));
	set("l1d", "1024:64:2");
	set("llc", "none");
	settings_uarch(&s, &cfg);
	ck_assert_uint_eq(cfg.l1d.size, 1024);
	ck_assert_uint_eq(cfg.ll.size, 0);
	ck_assert_mem_eq(&cfg.l1i, &small.l1i, sizeof(cfg.l1i));
	ck_assert_mem_eq(&cfg.stlb, &small.stlb, sizeof(cfg.stlb));
}

static const struct events_row {
	const char *uarch, *events, *why; /* NULL: fine */
} events_rows[] = {
	{ "none", "all", NULL },
	{ "none", "all:3,cycles", NULL },
	{ "none", "L1-dcache-loads",
	  "L1-dcache-loads needs what it comes from (settings uarch)" },
	{ "none", "all:3,cache-misses:4",
	  "cache-misses needs what it comes from (settings uarch)" },
	{ "tiny", "L1-dcache-loads:3", NULL },
	{ "tiny", "cache-misses",
	  "cache-misses needs what it comes from (settings uarch)" },
	{ "small", "cache-misses", NULL },
};

TEST_ROWS(an_event_that_is_named_has_its_model, events_rows)
{
	const struct events_row *row = &events_rows[_i];
	bool good;

	settings_init(&s);
	set("uarch", row->uarch);
	set("hpm-events", row->events);
	good = settings_check(&s, 1, error);
	ck_assert_msg(good == !row->why, "%s", error);
	if (row->why)
		ck_assert_msg(strstr(error, row->why), "%s", error);
}

static const struct use_row {
	const char *key, *value, *with, *of, *why; /* NULL: fine */
} use_rows[] = {
	{ "prefetch", "next", "uarch", "none", "prefetch: there is no l1d" },
	{ "prefetch", "next", "llc", "1024:64:1", "prefetch: there is no l1d" },
	{ "prefetch", "next", "l1d", "1024:64:1", NULL },
	{ "prefetch", "none", "uarch", "none", NULL },
	{ "uarch", "large", "l1d", "none", NULL },
	{ "stalls", "1:1:1:1:1", "uarch", "small",
	  "stalls: only timing=inorder" },
	{ "stalls", "preset", "uarch", "small", NULL },
};

TEST_ROWS(what_is_asked_for_has_an_effect, use_rows)
{
	const struct use_row *row = &use_rows[_i];
	bool good;

	settings_init(&s);
	set(row->key, row->value);
	set(row->with, row->of);
	good = settings_check(&s, 1, error);
	ck_assert_msg(good == !row->why, "%s", error);
	if (row->why)
		ck_assert_msg(strstr(error, row->why), "%s", error);
}

static const struct timing_row {
	const char *uarch, *timing, *events, *why; /* NULL: fine */
} timing_rows[] = {
	{ "none", "fixed", "all", NULL },
	{ "none", "fixed", "cycles", NULL },
	{ "none", "inorder", "all", "setting timing: inorder needs a model" },
	{ "tiny", "inorder", "all", NULL },
	{ "tiny", "inorder", "stalled-cycles-backend", NULL },
	{ "tiny", "fixed", "stalled-cycles-backend",
	  "stalled-cycles-backend needs what it comes from (settings "
	  "timing=inorder)" },
	{ "tiny", "fixed", "stalled-cycles-frontend:3,cycles",
	  "stalled-cycles-frontend needs what it comes from (settings "
	  "timing=inorder)" },
};

TEST_ROWS(waiting_needs_a_model_and_stalls_need_waiting, timing_rows)
{
	const struct timing_row *row = &timing_rows[_i];
	bool good;

	settings_init(&s);
	set("uarch", row->uarch);
	set("timing", row->timing);
	set("hpm-events", row->events);
	good = settings_check(&s, 1, error);
	ck_assert_msg(good == !row->why, "%s", error);
	if (row->why)
		ck_assert_msg(strstr(error, row->why), "%s", error);
}

static const struct ticks_row {
	const char *key, *value, *events, *why; /* NULL: fine */
} ticks_rows[] = {
	{ "ref-hz", "0", "all", NULL },
	{ "ref-hz", "1G", "ref-cycles", NULL },
	{ "bus-hz", "1", "bus-cycles:3+5", NULL },
	{ "ref-hz", "1000000001", "all", "ref-hz: must not be above clock-hz" },
	{ "bus-hz", "1000000001", "all", "bus-hz: must not be above clock-hz" },
	{ "ref-hz", "1", "bus-cycles",
	  "bus-cycles needs what it comes from (settings bus-hz)" },
	{ "bus-hz", "1", "ref-cycles",
	  "ref-cycles needs what it comes from (settings ref-hz)" },
};

TEST_ROWS(ticks_need_a_frequency_within_the_clocks, ticks_rows)
{
	const struct ticks_row *row = &ticks_rows[_i];
	bool good;

	settings_init(&s);
	set(row->key, row->value);
	set("hpm-events", row->events);
	good = settings_check(&s, 1, error);
	ck_assert_msg(good == !row->why, "%s", error);
	if (row->why)
		ck_assert_msg(strstr(error, row->why), "%s", error);
}

static void count_pair(void *arg, const char *key, const char *value)
{
	unsigned *n = arg;

	*n += !strcmp(key, "uarch") || !strcmp(key, "l1d") ||
	      !strcmp(key, "uarch-watch");
}

/* What a machine without models was before there were any. */
TEST(a_header_tells_of_models_where_there_are_some)
{
	unsigned n = 0;

	settings_init(&s);
	set("uarch-watch", "on");
	settings_each(&s, 1, count_pair, &n);
	ck_assert_uint_eq(n, 0);
	set("uarch", "tiny");
	set("l1d", "none");
	settings_each(&s, 1, count_pair, &n);
	ck_assert_uint_eq(n, 2);
}

SUITE("settings-uarch");
