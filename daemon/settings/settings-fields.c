/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a machine is made of beside its settings, and what each of these fields
 * is when nobody says it: read by who shows it to people. What the machine can
 * be is checked where it is made.
 */
#include "settings-fields.h"

#define TEXT_OF(number)	 #number
#define IN_WORDS(number) TEXT_OF(number)

const struct settings_row settings_fields[] = {
	{
		.key = "harts",
		.help = "number of harts",
		.type = SETTINGS_NUMBER,
		.min = 1,
		.max = SETTINGS_HARTS,
		.initial = IN_WORDS(SETTINGS_DEFAULT_HARTS),
	},
	{
		.key = "memory",
		.help = "RAM in pages of 4KiB, with RV32 at most 2GiB",
		.type = SETTINGS_SIZE,
		.min = FOOTPRINT_MIN_MEMORY,
		.max = FOOTPRINT_MAX_MEMORY,
		.initial = IN_WORDS(FOOTPRINT_DEFAULT_MIB) "MiB",
	},
	{
		.key = "mode",
		.help = "begin in S-mode on the firmware model, or in M-mode "
			"with none",
		.type = SETTINGS_CHOICE,
		.values = "s|m",
		.initial = "s",
	},
	{ 0 },
};
