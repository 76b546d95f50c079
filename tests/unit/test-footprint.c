/* SPDX-License-Identifier: BSD-2-Clause */
/* daemon/settings/footprint.c: what a machine's memory is counted as. */
#include "unit.h"

#include "settings/footprint.h"

#define MIB (UINT64_C(1) << 20)

static const struct row {
	const char *name;
	uint64_t memory;
	const char *key, *value;
	uint64_t counted, addresses;
} rows[] = {
	{ "as it is by default", 0, "engines", "2", 320 * MIB, 640 * MIB },
	{ "said to be that", 128 * MIB, "engines", "2", 320 * MIB, 640 * MIB },
	{ "a page", 4096, "engines", "2", 192 * MIB + 4096,
	  384 * MIB + 2 * 4096 },
	{ "one engine", 0, "engines", "1", 256 * MIB, 576 * MIB },
	{ "much code", 0, "code-buffer", "1GiB", 2240 * MIB, 2560 * MIB },
	{ "images for a reboot", 512 * MIB, "reboot", "on", 832 * MIB,
	  1536 * MIB },
	{ "which fit into memory", 64 * MIB, "reboot", "on", 320 * MIB,
	  576 * MIB },
	{ "the most", FOOTPRINT_MAX_MEMORY, "engines", "2",
	  FOOTPRINT_MAX_MEMORY + 192 * MIB,
	  2 * FOOTPRINT_MAX_MEMORY + 384 * MIB },
	{ "what nobody has does not wrap", UINT64_MAX - MIB, "engines", "2",
	  UINT64_MAX, UINT64_MAX },
};

TEST_ROWS(memory_is_counted_with_what_a_machine_needs_beside_it, rows)
{
	const struct row *row = &rows[_i];
	char why[SETTINGS_ERROR];
	struct settings s;

	settings_init(&s);
	ck_assert(settings_set(&s, row->key, row->value, why));
	ck_assert_msg(footprint(row->memory, 4, &s) == row->counted, "%s",
		      row->name);
	ck_assert_msg(footprint_addresses(row->memory, 4, &s) == row->addresses,
		      "%s", row->name);
}

/* 16 bytes for a line, of 16, and 8 for its set; three instances a hart. */
TEST(models_of_a_core_are_counted_for_each_hart)
{
	char why[SETTINGS_ERROR];
	struct settings none, some;
	uint64_t more;

	settings_init(&none);
	settings_init(&some);
	ck_assert(settings_set(&some, "llc", "1MiB:16:1", why));
	more = footprint(0, 4, &some) - footprint(0, 4, &none);
	ck_assert_uint_ge(more, 12 * (MIB + MIB / 2));
	ck_assert_uint_lt(more, 12 * (MIB + MIB / 2 + 4096));
	ck_assert_uint_eq(footprint(0, 0, &some) - footprint(0, 0, &none),
			  more / 4);
	ck_assert_uint_eq(footprint(0, 100, &some) - footprint(0, 64, &none),
			  more * 16);
}

SUITE("footprint");
