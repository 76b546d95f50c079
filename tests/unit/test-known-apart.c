/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What pmuctl knows of machines without asking, for the two share no headers:
 * it is what machines have.
 */
#include "unit.h"

#include <string.h>

#include "core/life.h"
#include "engine/engine-host.h"
#include "export/export-samples.h"
#include "settings/isa-string.h"
#include "settings/settings.h"
#include "text/exit-codes.h"
#include "text/names.h"

TEST(registers_have_the_same_numbers)
{
	ck_assert_int_eq(REGISTER_F0, ENGINE_F0);
	ck_assert_int_eq(REGISTER_FCSR, ENGINE_FCSR);
	ck_assert_int_eq(name_find_register("zero"), ENGINE_X0);
	ck_assert_int_eq(name_find_register("pc"), ENGINE_PC);
	ck_assert_int_eq(name_find_register("fcsr"), ENGINE_FCSR);
}

/* The machine's process cannot say its exit code if it is no longer there. */
TEST(a_crash_has_the_same_exit_code)
{
	ck_assert_int_eq(EXIT_CRASHED, EXIT_CRASH);
}

TEST(the_clock_is_that_of_a_machine_that_is_told_nothing)
{
	struct settings_row row = { 0 };
	char isa[ISA_TEXT];

	for (size_t i = 0; i < settings_count(); i++) {
		settings_row(i, &row);
		if (!strcmp(row.key, "clock-hz"))
			break;
	}
	ck_assert_str_eq(row.key, "clock-hz");
	ck_assert_uint_eq(strtoull(settings_initial(&row, isa), NULL, 10),
			  EXPORT_HZ);
}

SUITE("known-apart");
