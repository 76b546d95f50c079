/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A guest that owes its fences, with other dice than its own: what it saw, old
 * or new, is the same bytes of trace however it is executed, also where the
 * host's clock has the engine resize its TLBs all the time. Arguments: the
 * guest owes for each ISA.
 */
#include <inttypes.h>
#include <string.h>
#include <sys/time.h>

#include "../unit/unit.h"
#include "guest-image.h"
#include "machine-fixture.h"

enum {
	LOOKS = 100 /* at the host's clock, at least: as TLBs are emptied */
};

static const uint32_t seeds[] = { 1, 271828, 31415926 };

static char **paths;
static int n_paths;
static struct guest guest;
static struct fixture f, other;

static void setup(void)
{
	memset(&f, 0, sizeof(f));
	memset(&other, 0, sizeof(other));
}

static void teardown(void)
{
	fixture_fini(&f);
	fixture_fini(&other);
	guest_free(&guest);
}

/* Seconds between two looks at the host's clock, and how many looks. */
static time_t host_leap;
static unsigned long host_looks;

int gettimeofday(struct timeval *restrict tv, void *restrict tz)
{
	static time_t now = 1000000000;

	host_looks++;
	now += host_leap;
	*tv = (struct timeval){ .tv_sec = now };
	return 0;
}

/* The word of the image by which its dice begin. */
static void set_seed(uint32_t seed)
{
	static const char before[] = "the seed";
	uint8_t *at = memmem(guest.bytes, guest.size, before, strlen(before));

	ck_assert_ptr_nonnull(at);
	memcpy(at + strlen(before), &seed, sizeof(seed));
}

static void play(struct fixture *ret, const char *settings, uint64_t soft)
{
	char text[GUEST_SETTINGS];
	struct fixture_config cfg;
	struct machine_status s;

	guest_configure(&guest, settings, text, &cfg);
	fixture_init(ret, &cfg);
	fixture_start(ret);
	machine_console_eof(ret->m);
	fixture_run(ret, soft, UINT32_MAX);
	s = fixture_status(ret);
	ck_assert_msg(s.state == MACHINE_ENDED && s.exit_code == 0,
		      "%s: state %d, exit code %d: %s", guest.name, s.state,
		      s.exit_code, s.detail);
}

static const struct variant_row {
	const char *settings;
	uint64_t soft;
	time_t leap;
	bool looks; /* its engine asks how late it is */
} variant_rows[] = {
	{ "", 997, 0, true },
	{ "", 100003, 1, true },
	{ "engines=2", 10007, 1, true },
	{ "engine=portable", 1000000, 1, true },
	{ "engine=check", 1000000, 0, true },
	{ "step-only=on", 1000000, 0, false },
};

/* By each seed, and by the guest's own, which is another run. */
TEST_TIMES(fences_may_be_owed_by_any_dice, n_paths *(int)ARRAY_SIZE(seeds))
{
	guest_read(&guest, paths[_i % n_paths]);
	play(&other, "", 1000000);
	set_seed(seeds[_i / n_paths]);
	play(&f, "", 1000000);
	ck_assert_msg(!fixture_same(&f, &other), "it has another seed");
	fixture_fini(&other);
	for (size_t i = 0; i < ARRAY_SIZE(variant_rows); i++) {
		const struct variant_row *row = &variant_rows[i];

		host_looks = 0;
		host_leap = row->leap;
		play(&other, row->settings, row->soft);
		host_leap = 0;
		ck_assert_msg(fixture_same(&f, &other), "%s: '%s', seed %u",
			      guest.name, row->settings, seeds[_i / n_paths]);
		fixture_fini(&other);
		ck_assert_msg(!row->looks || host_looks >= LOOKS,
			      "'%s' has looked at the clock %lu times",
			      row->settings, host_looks);
	}
}

static void begin(int argc, char **argv)
{
	paths = argv + 1;
	n_paths = argc - 1;
}

SUITE("owes", .timeout = 120, .begin = begin, .setup = setup,
      .teardown = teardown);
