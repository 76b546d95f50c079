/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The table of settings, and reading and writing values by it. What a setting
 * does to a machine is decided where machines are built.
 */
#include "settings.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AT(member) offsetof(struct settings, member)
#define KEY(key, member, type, help)                                           \
	key, help, SETTINGS_##type, .offset = AT(member)
#define RANGE(lo, hi, dflt) .min = (lo), .max = (hi), .initial = (dflt)
#define WORDS(words, dflt)  .values = (words), .initial = (dflt)

static const struct settings_row rows[] = {
	{ KEY("xlen", xlen, NUMBER, "register width of all harts"),
	  RANGE(32, 64, "64") },
	{ KEY("clock-hz", clock_hz, NUMBER, "cycles of the clock per second"),
	  RANGE(1, 1000000000000, "1000000000") },
	{ KEY("time-hz", time_hz, NUMBER, "ticks of time per second"),
	  RANGE(1, 1000000000000, "10000000") },
	{ KEY("cpi", cpi, NUMBER, "cycles of a retired instruction"),
	  RANGE(1, 1000000, "1") },
	{ KEY("trap-cycles", trap_cycles, NUMBER, "cycles of a trap entry"),
	  RANGE(1, 1000000, "1") },
	{ KEY("quantum", quantum, NUMBER,
	      "cycles that one of several harts runs before the next"),
	  RANGE(1, 1000000000, "10000") },
	{ KEY("wfi-cycles", wfi_cycles, CHOICE,
	      "do cycle counters count or stop while a hart waits"),
	  WORDS("count|stop", "count") },
	{ KEY("zicntr", zicntr, SWITCH, "cycle, time, instret"),
	  RANGE(0, 1, "on") },
	{ KEY("zihpm", zihpm, SWITCH, "hpmcounter3-31"), RANGE(0, 1, "on") },
	{ KEY("sscofpmf", sscofpmf, SWITCH,
	      "overflow interrupts and mode filters"),
	  RANGE(0, 1, "on") },
	{ KEY("smcntrpmf", smcntrpmf, SWITCH,
	      "mode filters of cycle and instret"),
	  RANGE(0, 1, "on") },
	{ KEY("sstc", sstc, SWITCH, "stimecmp"), RANGE(0, 1, "off") },
	{ KEY("svadu", svadu, SWITCH, "A and D bits by hardware"),
	  RANGE(0, 1, "on") },
	{ KEY("svade", svade, SWITCH,
	      "A and D by page faults; with svadu, menvcfg.ADUE chooses"),
	  RANGE(0, 1, "off") },
	{ KEY("sv", sv, CHOICE, "the largest translation scheme"),
	  WORDS("largest|bare|sv32|sv39|sv48|sv57", "largest") },
	{ KEY("asid-bits", asid_bits, NUMBER, "bits of satp.ASID, 9 on RV32"),
	  RANGE(0, 16, "9") },
	{ KEY("hpm-counters", hpm_counters, HEX,
	      "bitmap of the mhpmcounters that exist"),
	  RANGE(0, 0xfffffff8, "0xfffffff8") },
	{ KEY("hpm-width", hpm_width, NUMBER, "bits of each mhpmcounter"),
	  RANGE(1, 64, "64") },
	{ KEY("hpm-events", hpm_events, LIST,
	      "events that the mhpmcounters can count"),
	  WORDS("all, or names of events separated by commas", "all") },
	{ KEY("mvendorid", mvendorid, HEX, "the CSR of this name"),
	  RANGE(0, UINT32_MAX, "0x0") },
	{ KEY("marchid", marchid, HEX, "the CSR of this name"),
	  RANGE(0, UINT64_MAX, "0x0") },
	{ KEY("mimpid", mimpid, HEX, "the CSR of this name"),
	  RANGE(0, UINT64_MAX, "0x0") },
	{ KEY("profile", profile, CHOICE,
	      "what the firmware answers where implementations differ"),
	  WORDS("spec|opensbi", "spec") },
	{ KEY("sbi-version", sbi, CHOICE, "of the firmware's interface"),
	  WORDS("1.0|2.0|3.0", "3.0") },
	{ KEY("snapshot", snapshot, SWITCH, "counter snapshots (PMU FID 7)"),
	  RANGE(0, 1, "on") },
	{ KEY("fw-counters", fw_counters, NUMBER,
	      "firmware counters of each hart"),
	  RANGE(0, 32, "24") },
	{ KEY("max-insns", max_insns, NUMBER,
	      "end after so many instructions of all harts, 0: never"),
	  RANGE(0, UINT64_MAX, "0") },
	{ KEY("max-cycles", max_cycles, NUMBER,
	      "end at this cycle of the clock, 0: never"),
	  RANGE(0, UINT64_MAX, "0") },
	{ KEY("engines", engines, NUMBER,
	      "1: one for all privileges, 2: users have their own"),
	  RANGE(1, 2, "2"), .host_only = true },
	{ KEY("step-only", step_only, SWITCH,
	      "every instruction on its own: slow, for comparison"),
	  RANGE(0, 1, "off"), .host_only = true },
	{ KEY("code-buffer", code_buffer, SIZE,
	      "memory for translated code, per engine"),
	  RANGE(64 << 20, 1 << 30, "64MiB"), .host_only = true },
	{ KEY("host-slice", host_slice, NUMBER,
	      "microseconds between looks at requests"),
	  RANGE(1, 1000000, "1000"), .host_only = true },
};

const struct settings_row *settings_table(size_t *ret_n)
{
	*ret_n = sizeof(rows) / sizeof(rows[0]);
	return rows;
}

static uint64_t *number(struct settings *s, const struct settings_row *row)
{
	return (uint64_t *)((char *)s + row->offset);
}

static uint64_t number_of(const struct settings *s,
			  const struct settings_row *row)
{
	return *(const uint64_t *)((const char *)s + row->offset);
}

const char *settings_values(const struct settings_row *row, char *buf,
			    size_t size)
{
	switch (row->type) {
	case SETTINGS_NUMBER:
		if (row->max == UINT64_MAX)
			snprintf(buf, size, "a number");
		else
			snprintf(buf, size, "%" PRIu64 " to %" PRIu64, row->min,
				 row->max);
		break;
	case SETTINGS_HEX:
		snprintf(buf, size, "0x%" PRIx64 " to 0x%" PRIx64, row->min,
			 row->max);
		break;
	case SETTINGS_SIZE:
		snprintf(buf, size, "%" PRIu64 "MiB to %" PRIu64 "MiB",
			 row->min >> 20, row->max >> 20);
		break;
	case SETTINGS_SWITCH:
		snprintf(buf, size, "on|off");
		break;
	case SETTINGS_CHOICE:
	case SETTINGS_LIST:
		snprintf(buf, size, "%s", row->values);
		break;
	}
	return buf;
}

static const struct {
	const char *suffix;
	uint64_t factor;
} units[] = {
	{ "", 1 },
	{ "k", 1000 },
	{ "M", 1000000 },
	{ "G", 1000000000 },
	{ "KiB", 1ull << 10 },
	{ "MiB", 1ull << 20 },
	{ "GiB", 1ull << 30 },
};

static bool parse_number(const char *text, uint64_t *ret)
{
	char *end;
	uint64_t v;

	if (text[0] < '0' || text[0] > '9')
		return false;
	errno = 0;
	v = strtoull(text, &end, text[0] == '0' && text[1] == 'x' ? 16 : 10);
	if (errno)
		return false;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (!strcmp(end, units[i].suffix))
			return !__builtin_mul_overflow(v, units[i].factor, ret);
	}
	return false;
}

/* The place of @word among words separated by '|', -1: not there. */
static int choice(const char *words, const char *word)
{
	size_t len = strlen(word);

	for (int i = 0; len; i++) {
		size_t n = strcspn(words, "|");

		if (n == len && !memcmp(words, word, n))
			return i;
		if (!words[n])
			break;
		words += n + 1;
	}
	return -1;
}

static bool parse_word(const char *words, const char *text, uint64_t *ret)
{
	int i = choice(words, text);

	if (i < 0)
		return false;
	*ret = (uint64_t)i;
	return true;
}

static bool parse(const struct settings_row *row, const char *text,
		  uint64_t *ret)
{
	bool good = false;

	switch (row->type) {
	case SETTINGS_NUMBER:
	case SETTINGS_HEX:
	case SETTINGS_SIZE:
		good = parse_number(text, ret) && *ret >= row->min &&
		       *ret <= row->max;
		break;
	case SETTINGS_SWITCH:
		good = parse_word("off|on", text, ret);
		break;
	case SETTINGS_CHOICE:
		good = parse_word(row->values, text, ret);
		break;
	case SETTINGS_LIST:
		good = strlen(text) < SETTINGS_TEXT;
		break;
	}
	return good;
}

static const struct settings_row *find(const char *key)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!strcmp(rows[i].key, key))
			return &rows[i];
	return NULL;
}

bool settings_set(struct settings *s, const char *key, const char *value,
		  char *ret_error)
{
	const struct settings_row *row = find(key);
	char values[SETTINGS_TEXT];
	uint64_t n = 0;

	if (!row) {
		snprintf(ret_error, SETTINGS_ERROR,
			 "no setting '%.64s': see the list of settings", key);
		return false;
	}
	if (!parse(row, value, &n)) {
		settings_values(row, values, sizeof(values));
		snprintf(ret_error, SETTINGS_ERROR,
			 "setting %s: '%.64s' is not accepted, but %s", key,
			 value, values);
		return false;
	}
	if (row->type == SETTINGS_LIST)
		memcpy((char *)s + row->offset, value, strlen(value) + 1);
	else
		*number(s, row) = n;
	return true;
}

void settings_init(struct settings *s)
{
	char error[SETTINGS_ERROR];

	*s = (struct settings){ 0 };
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		settings_set(s, rows[i].key, rows[i].initial, error);
}

static const char *conflict(const struct settings *s)
{
	if (s->xlen != 32 && s->xlen != 64)
		return "setting xlen: neither 32 nor 64";
	if (s->time_hz > s->clock_hz)
		return "setting time-hz: above clock-hz";
	if (s->xlen == 32 && s->sv > SETTINGS_SV32)
		return "setting sv: RV32 has bare and sv32 only";
	if (s->xlen == 64 && s->sv == SETTINGS_SV32)
		return "setting sv: RV64 has no sv32";
	if (s->xlen == 32 && s->asid_bits > 9)
		return "setting asid-bits: at most 9 on RV32";
	if (s->hpm_counters & 7)
		return "setting hpm-counters: bits 0 to 2 are no mhpmcounters";
	if (s->xlen == 32 && (s->marchid | s->mimpid) >> 32)
		return "setting marchid, mimpid: above 32 bits on RV32";
	return NULL;
}

bool settings_check(const struct settings *s, char *ret_error)
{
	const char *why = conflict(s);

	if (why)
		snprintf(ret_error, SETTINGS_ERROR, "%s", why);
	return !why;
}

static void print_choice(const char *words, uint64_t n, char *buf, size_t size)
{
	for (; n; n--)
		words += strcspn(words, "|") + 1;
	snprintf(buf, size, "%.*s", (int)strcspn(words, "|"), words);
}

const char *settings_get(const struct settings *s,
			 const struct settings_row *row, char *buf, size_t size)
{
	switch (row->type) {
	case SETTINGS_NUMBER:
	case SETTINGS_SIZE:
		snprintf(buf, size, "%" PRIu64, number_of(s, row));
		break;
	case SETTINGS_HEX:
		snprintf(buf, size, "0x%" PRIx64, number_of(s, row));
		break;
	case SETTINGS_SWITCH:
		snprintf(buf, size, "%s", number_of(s, row) ? "on" : "off");
		break;
	case SETTINGS_CHOICE:
		print_choice(row->values, number_of(s, row), buf, size);
		break;
	case SETTINGS_LIST:
		snprintf(buf, size, "%s", (const char *)s + row->offset);
		break;
	}
	return buf;
}
