/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Values of settings by their type: from what a user writes to the parsed form
 * and back to what a trace header has.
 */
#include "settings-value.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "isa-string.h"
#include "number.h"

static uint64_t *number(void *base, const struct settings_row *row)
{
	return (uint64_t *)((char *)base + row->offset);
}

static uint64_t number_of(const void *base, const struct settings_row *row)
{
	return *(const uint64_t *)((const char *)base + row->offset);
}

enum {
	SIZE_TEXT = 32
};

/* In the largest unit that leaves no rest. */
static void print_size(uint64_t bytes, char buf[SIZE_TEXT])
{
	static const char *const units[] = { "", "KiB", "MiB", "GiB" };
	size_t unit = 0;

	while (unit < 3 && bytes && bytes % 1024 == 0) {
		bytes /= 1024;
		unit++;
	}
	snprintf(buf, SIZE_TEXT, "%" PRIu64 "%s", bytes, units[unit]);
}

const char *settings_values(const struct settings_row *row, char *buf,
			    size_t size)
{
	char least[SIZE_TEXT], most[SIZE_TEXT];

	switch (row->type) {
	case SETTINGS_NUMBER:
		if (row->values)
			snprintf(buf, size, "%s", row->values);
		else if (row->max == UINT64_MAX)
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
		print_size(row->min, least);
		print_size(row->max, most);
		snprintf(buf, size, "%s to %s", least, most);
		break;
	case SETTINGS_SWITCH:
	case SETTINGS_EXT:
	case SETTINGS_CHOICE:
	case SETTINGS_ISA:
	case SETTINGS_COUNTERS:
	case SETTINGS_WIDTHS:
	case SETTINGS_EVENTS:
	case SETTINGS_SEED:
	case SETTINGS_PART:
		snprintf(buf, size, "%s", row->values);
		break;
	}
	return buf;
}

static bool parse_number(const struct settings_row *row, const char *text,
			 uint64_t *ret)
{
	bool good = row->type == SETTINGS_SIZE ? number_parse_size(text, ret)
					       : number_parse_count(text, ret);

	return good && *ret >= row->min && *ret <= row->max;
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

static bool parse_ext(const struct settings_row *row, const char *text,
		      struct settings_hart *h)
{
	uint64_t ext = row->ext;
	uint64_t on;

	/* A row that only knows "on" is an extension that cannot go. */
	if (!parse_word("off|on", text, &on) || choice(row->values, text) < 0)
		return false;
	/* Who switches H on gets what is offered by default with it (C168). */
	if (row->ext == PMU_EXT_H)
		ext |= PMU_EXT_SHCOUNTERENW;
	/* Ssaia is what S-mode sees of Smaia. */
	if (row->ext == PMU_EXT_SSAIA && on)
		ext |= PMU_EXT_SMAIA;
	h->ext = on ? h->ext | ext : h->ext & ~ext;
	return true;
}

/* The modes S and U are not part of an ISA string: they stay. */
static bool parse_isa(const char *text, struct settings_hart *h, char *why)
{
	struct isa isa;

	if (!isa_parse(text, &isa, why, SETTINGS_ERROR))
		return false;
	h->ext = (h->ext & (PMU_EXT_S | PMU_EXT_U)) | isa.ext;
	h->isa_xlen = isa.xlen;
	return true;
}

bool value_parse(const struct settings_row *row, const char *text, void *base,
		 char *ret_why)
{
	char values[SETTINGS_ERROR / 2];
	const char *fault = NULL;
	uint64_t *n = number(base, row);

	switch (row->type) {
	case SETTINGS_NUMBER:
	case SETTINGS_HEX:
	case SETTINGS_SIZE:
		if (parse_number(row, text, n))
			return true;
		break;
	case SETTINGS_SWITCH:
		if (parse_word("off|on", text, n))
			return true;
		break;
	case SETTINGS_CHOICE:
		if (parse_word(row->values, text, n))
			return true;
		break;
	case SETTINGS_EXT:
		if (parse_ext(row, text, base))
			return true;
		break;
	case SETTINGS_ISA:
		return parse_isa(text, base, ret_why);
	case SETTINGS_COUNTERS:
		return hpm_parse_counters(text, base, ret_why);
	case SETTINGS_WIDTHS:
		return hpm_parse_widths(text, base, ret_why);
	case SETTINGS_EVENTS:
		return hpm_parse_events(text, base, ret_why);
	case SETTINGS_SEED:
		if (seed_parse(text, (void *)n))
			return true;
		break;
	case SETTINGS_PART:
		if (part_parse(row, text, (void *)n, &fault))
			return true;
		break;
	}
	snprintf(ret_why, SETTINGS_ERROR, "'%.64s' is not accepted; %s%s", text,
		 fault ? "" : "expected ",
		 fault ? fault : settings_values(row, values, sizeof(values)));
	return false;
}

/* How many bytes of a hart its row says. */
static size_t size_of(const struct settings_row *row)
{
	const struct settings_hart *h = NULL;

	if (row->type == SETTINGS_COUNTERS)
		return sizeof(h->hpm_counters);
	if (row->type == SETTINGS_WIDTHS)
		return sizeof(h->hpm_width);
	if (row->type == SETTINGS_EVENTS)
		return sizeof(h->hpm_events);
	return sizeof(uint64_t);
}

static bool is_of_ext(const struct settings_row *row)
{
	return row->type == SETTINGS_EXT || row->type == SETTINGS_ISA;
}

/*
 * Each extension is switched on, switched off or left: read over none of them
 * the value tells those that it switches on, read over all of them what stays.
 */
bool value_parse_hart(const struct settings_row *row, const char *text,
		      struct value_of_hart *ret, char *ret_why)
{
	struct settings_hart all = { .ext = UINT64_MAX };

	*ret = (struct value_of_hart){ .keep = UINT64_MAX };
	if (!value_parse(row, text, &ret->set, ret_why))
		return false;
	if (is_of_ext(row)) {
		(void)value_parse(row, text, &all, ret_why);
		ret->keep = all.ext;
	}
	return true;
}

void value_apply(const struct settings_row *row, const struct value_of_hart *v,
		 struct settings_hart *h)
{
	if (is_of_ext(row)) {
		h->ext = (h->ext & v->keep) | v->set.ext;
		if (row->type == SETTINGS_ISA)
			h->isa_xlen = v->set.isa_xlen;
		return;
	}
	memcpy((char *)h + row->offset, (const char *)&v->set + row->offset,
	       size_of(row));
}

static void print_choice(const char *words, uint64_t n, char *buf)
{
	for (; n; n--)
		words += strcspn(words, "|") + 1;
	snprintf(buf, SETTINGS_TEXT, "%.*s", (int)strcspn(words, "|"), words);
}

static void print_switch(bool on, char *buf)
{
	snprintf(buf, SETTINGS_TEXT, "%s", on ? "on" : "off");
}

void value_print(const struct settings_row *row, const void *base,
		 unsigned xlen, char *buf)
{
	const struct settings_hart *h = base;

	switch (row->type) {
	case SETTINGS_NUMBER:
	case SETTINGS_SIZE:
		snprintf(buf, SETTINGS_TEXT, "%" PRIu64, number_of(base, row));
		break;
	case SETTINGS_HEX:
		snprintf(buf, SETTINGS_TEXT, "0x%" PRIx64,
			 number_of(base, row));
		break;
	case SETTINGS_SWITCH:
		print_switch(number_of(base, row), buf);
		break;
	case SETTINGS_CHOICE:
		print_choice(row->values, number_of(base, row), buf);
		break;
	case SETTINGS_EXT:
		print_switch(h->ext & row->ext, buf);
		break;
	case SETTINGS_ISA:
		isa_print(xlen, h->ext, buf);
		break;
	case SETTINGS_COUNTERS:
		hpm_print_counters(h, buf);
		break;
	case SETTINGS_WIDTHS:
		hpm_print_widths(h, buf);
		break;
	case SETTINGS_EVENTS:
		hpm_print_events(h, buf);
		break;
	case SETTINGS_SEED:
		seed_print((const void *)((const char *)base + row->offset),
			   buf);
		break;
	case SETTINGS_PART:
		part_print(row,
			   (const void *)((const char *)base + row->offset),
			   buf);
		break;
	}
}
