/* SPDX-License-Identifier: BSD-2-Clause */
/* How much of why caches and TLBs miss is kept, as a setting, and its memory.
 */
#include <string.h>

#include <pmu/miss.h>

#include "settings/footprint.h"
#include "settings/settings.h"
#include "unit.h"

static char error[SETTINGS_ERROR];

/* "uarch-watch=on uarch-explain=4" */
static bool apply(struct settings *s, const char *text)
{
	char copy[128], *save = NULL;

	settings_init(s);
	snprintf(copy, sizeof(copy), "%s", text);
	for (char *word = strtok_r(copy, " ", &save); word;
	     word = strtok_r(NULL, " ", &save)) {
		char *value = strchr(word, '=');

		*value = 0;
		if (!settings_set(s, word, value + 1, error))
			return false;
	}
	return settings_check(s, 2, error);
}

static const struct value_row {
	const char *text;
	uint64_t keeps;
	const char *why; /* it is refused; NULL: it is not */
} value_rows[] = {
	{ "", 0, NULL },
	{ "uarch-explain=0", 0, NULL },
	{ "uarch-watch=on", 0, NULL },
	{ "uarch-watch=on uarch-explain=1", 1, NULL },
	{ "uarch-explain=1024 uarch-watch=on", 1024, NULL },
	{ "uarch-watch=on uarch-explain=1k", 1000, NULL },
	{ "uarch-watch=on uarch-explain=1025", 0, "1024" },
	{ "uarch-watch=on uarch-explain=-1", 0, "uarch-explain" },
	{ "uarch-watch=on uarch-explain=", 0, "uarch-explain" },
	{ "uarch-watch=on uarch-explain=all", 0, "uarch-explain" },
	{ "uarch-explain=1", 0, "setting uarch-explain: needs uarch-watch=on" },
	{ "uarch-watch=off uarch-explain=1024", 0,
	  "setting uarch-explain: needs uarch-watch=on" },
	{ "hart0.uarch-explain=1", 0, "of the machine" },
};

TEST_ROWS(so_many_misses_are_kept, value_rows)
{
	const struct value_row *row = &value_rows[_i];
	struct settings s;
	bool good = apply(&s, row->text);

	ck_assert_msg(good == !row->why, "%s: %s", row->text, error);
	if (row->why)
		ck_assert_msg(strstr(error, row->why), "%s: %s", row->text,
			      error);
	else
		ck_assert_uint_eq(s.uarch_explain, row->keeps);
}

static void find(void *arg, const char *key, const char *value)
{
	bool *found = arg;

	*found |= !strcmp(key, "uarch-explain");
}

/* A trace is the same with it and without, and so is its header. */
TEST(it_is_the_hosts_and_no_header_has_it)
{
	bool found = false;
	struct settings s;

	ck_assert(apply(&s, "uarch=tiny uarch-watch=on uarch-explain=7"));
	settings_each(&s, 2, find, &found);
	ck_assert(!found);
}

/* What a machine of @harts takes for it, beside its models. */
static uint64_t takes(unsigned harts, const char *core, unsigned keeps)
{
	struct settings with, without;
	char text[128];

	snprintf(text, sizeof(text), "%s uarch-watch=on uarch-explain=%u", core,
		 keeps);
	ck_assert(apply(&with, text));
	ck_assert(apply(&without, core));
	return footprint(0, harts, &with) - footprint(0, harts, &without);
}

static const struct room_row {
	const char *why;
	unsigned harts;
	const char *core;
	unsigned keeps;
	uint64_t misses; /* for so many there is room */
	bool seen;	 /* and for what was seen of lines, of each hart */
} room_rows[] = {
	{ "off", 4, "uarch=small", 0, 0, false },
	{ "no model", 4, "", 9, 0, false },
	{ "one", 1, "uarch=small", 1, 11 * 5, true },
	{ "nine", 1, "uarch=small", 9, 9 * 11 * 5, true },
	{ "of four harts", 4, "uarch=small", 9, 4 * 9 * 11 * 5, true },
	{ "all", 64, "uarch=large", 1024, 64 * 1024 * 11 * 5, true },
};

TEST_ROWS(its_memory_is_counted_and_bounded, room_rows)
{
	const struct room_row *row = &room_rows[_i];
	struct pmu_uarch_config cfg;
	struct settings s;
	uint64_t seen;

	ck_assert(apply(&s, row->core));
	settings_uarch(&s, &cfg);
	seen = row->seen ? row->harts *
				   pmu_misses_bytes(&cfg, FOOTPRINT_MISSES_SEEN)
			 : 0;
	ck_assert_msg(takes(row->harts, row->core, row->keeps) ==
			      row->misses * FOOTPRINT_MISS + seen,
		      "%s", row->why);
	/* few megabytes a part: lines of 24 bytes and their index */
	ck_assert_uint_le(seen, row->harts * (UINT64_C(64) << 20));
}

/* Of which there is a ring each. */
TEST(so_many_events_have_a_reason)
{
	unsigned n = 0;

	for (unsigned e = 0; e < PMU_N_UARCH_EVENTS; e++)
		n += pmu_uarch_is_miss((enum pmu_uarch_event)e);
	ck_assert_uint_eq(n, PMU_N_MISS_EVENTS);
}

SUITE("settings-explain");
