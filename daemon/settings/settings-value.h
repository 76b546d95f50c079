/* SPDX-License-Identifier: BSD-2-Clause */
/* One value of a setting: text to the parsed form and back, for settings.c. */
#ifndef SETTINGS_SETTINGS_VALUE_H
#define SETTINGS_SETTINGS_VALUE_H

#include "settings.h"

/* What the engine executes whatever a hart is said to be. */
#define SETTINGS_EXT_FIXED (PMU_EXT_M | PMU_EXT_A | PMU_EXT_C)

/*
 * Reads @text into @base, the struct settings or struct settings_hart that the
 * row's offset counts from. False: @base is partly changed, @ret_why
 * (SETTINGS_ERROR bytes) says what is wrong with the text.
 */
bool value_parse(const struct settings_row *row, const char *text, void *base,
		 char *ret_why);
/* What a value of a row of harts says, for any of them. */
struct value_of_hart {
	struct settings_hart set;
	uint64_t keep; /* of the extensions that there are */
};

/* The same of such a row; where it is refused, @ret is of no use. */
bool value_parse_hart(const struct settings_row *row, const char *text,
		      struct value_of_hart *ret, char *ret_why);
void value_apply(const struct settings_row *row, const struct value_of_hart *v,
		 struct settings_hart *h);
/* @xlen: for ISA strings. @buf has SETTINGS_TEXT bytes. */
void value_print(const struct settings_row *row, const void *base,
		 unsigned xlen, char *buf);

/* A seed (settings-seed.c), as above, but untouched where it is refused. */
bool seed_parse(const char *text, struct settings_seed *ret);
void seed_print(const struct settings_seed *seed, char *buf);

/*
 * A part of the models (settings-uarch.c), as above; @ret_fault: what is wrong
 * with what it says, NULL: it does not say anything.
 */
bool part_parse(const struct settings_row *row, const char *text,
		struct settings_part *ret, const char **ret_fault);
void part_print(const struct settings_row *row, const struct settings_part *p,
		char *buf);

/* The lists of a hart's counters (settings-hpm.c), as above. */
bool hpm_parse_counters(const char *text, struct settings_hart *h, char *why);
bool hpm_parse_widths(const char *text, struct settings_hart *h, char *why);
bool hpm_parse_events(const char *text, struct settings_hart *h, char *why);
void hpm_print_counters(const struct settings_hart *h, char *buf);
void hpm_print_widths(const struct settings_hart *h, char *buf);
void hpm_print_events(const struct settings_hart *h, char *buf);

#endif
