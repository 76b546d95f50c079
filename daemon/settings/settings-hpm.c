/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Settings of a hart's mhpmcounters: which exist, their widths, and which
 * events each can count. What they have in common is a list of counters,
 * "3-6+9" or "3-6,9".
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "number.h"
#include "settings-value.h"

enum {
	FIRST = 3,
	LAST = PMU_N_COUNTERS - 1,
	NAME_MAX = 64
};

/* A part of a text, up to a separator. */
struct text_part {
	const char *text;
	size_t len;
};

/* The next part of @*text, which moves behind it. False: there is none. */
static bool next_part(const char **text, const char *separators,
		      struct text_part *ret)
{
	if (!*text)
		return false;
	ret->text = *text;
	ret->len = strcspn(*text, separators);
	*text = ret->text[ret->len] ? ret->text + ret->len + 1 : NULL;
	return true;
}

static bool complain(char *why, struct text_part p, const char *what)
{
	snprintf(why, SETTINGS_ERROR, "'%.*s' %s",
		 p.len < NAME_MAX ? (int)p.len : NAME_MAX, p.text, what);
	return false;
}

/* "5" or "3-7": a bitmap of counters. */
static bool parse_range(struct text_part p, uint32_t *ret, char *why)
{
	const char *at = p.text, *end = p.text + p.len;
	uint64_t lo, hi;

	if (!number_take(&at, &lo))
		return complain(why, p, "is not a counter from 3 to 31");
	hi = lo;
	if (at < end && *at == '-') {
		at++;
		if (!number_take(&at, &hi))
			return complain(why, p, "is not a range of counters");
	}
	if (at != end || lo > hi || lo < FIRST || hi > LAST)
		return complain(why, p,
				"is not a range of counters within 3 to 31");
	*ret = UINT32_MAX >> (LAST - hi) & UINT32_MAX << lo;
	return true;
}

static bool parse_list(struct text_part list, const char *separator,
		       uint32_t *ret, char *why)
{
	char copy[SETTINGS_TEXT];
	const char *text = copy;
	uint32_t bits;
	struct text_part p;

	snprintf(copy, sizeof(copy), "%.*s", (int)list.len, list.text);
	*ret = 0;
	while (next_part(&text, separator, &p)) {
		if (!parse_range(p, &bits, why))
			return false;
		*ret |= bits;
	}
	return true;
}

/* @bits are not 0. */
static void print_list(uint32_t bits, const char *separator, char *buf,
		       size_t size)
{
	size_t len = 0;

	for (unsigned n = FIRST; n <= LAST; n++) {
		unsigned last = n;

		if (!(bits >> n & 1))
			continue;
		while (last < LAST && bits >> (last + 1) & 1)
			last++;
		len += (size_t)snprintf(buf + len, size - len,
					last > n ? "%s%u-%u" : "%s%u",
					len ? separator : "", n, last);
		n = last;
	}
}

bool hpm_parse_counters(const char *text, struct settings_hart *h, char *why)
{
	struct text_part all = { text, strlen(text) };
	uint64_t bits;

	if (!strcmp(text, "none") || !strcmp(text, "all")) {
		h->hpm_counters = text[0] == 'a' ? SETTINGS_HPM_ALL : 0;
		return true;
	}
	if (strncmp(text, "0x", 2) != 0)
		return parse_list(all, ",", &h->hpm_counters, why);
	if (!number_parse(text, &bits) || bits & ~(uint64_t)SETTINGS_HPM_ALL)
		return complain(why, all,
				"is not a bitmap of counters 3 to 31");
	h->hpm_counters = (uint32_t)bits;
	return true;
}

void hpm_print_counters(const struct settings_hart *h, char *buf)
{
	snprintf(buf, SETTINGS_TEXT, "0x%" PRIx32, h->hpm_counters);
}

static bool parse_width(struct text_part p, struct settings_hart *h, char *why)
{
	const char *colon = memchr(p.text, ':', p.len);
	const char *at = colon ? colon + 1 : p.text, *end = p.text + p.len;
	struct text_part list = { p.text,
				  colon ? (size_t)(colon - p.text) : 0 };
	uint32_t counters = SETTINGS_HPM_ALL;
	uint64_t bits;

	if (colon && !parse_range(list, &counters, why))
		return false;
	if (!number_take(&at, &bits) || at != end || bits < 1 || bits > 64)
		return complain(why, p, "is not a width of 1 to 64 bits");
	for (unsigned n = FIRST; n <= LAST; n++)
		if (counters >> n & 1)
			h->hpm_width[n] = (uint8_t)bits;
	return true;
}

bool hpm_parse_widths(const char *text, struct settings_hart *h, char *why)
{
	struct text_part p;

	for (unsigned n = FIRST; n <= LAST; n++)
		h->hpm_width[n] = 64;
	while (next_part(&text, ",", &p))
		if (!parse_width(p, h, why))
			return false;
	return true;
}

/* One number when all are equal, else the runs of equal ones. */
void hpm_print_widths(const struct settings_hart *h, char *buf)
{
	size_t len = 0;
	unsigned last;

	for (unsigned n = FIRST; n <= LAST; n = last + 1) {
		char list[NAME_MAX];

		for (last = n;
		     last < LAST && h->hpm_width[last + 1] == h->hpm_width[n];)
			last++;
		if (n == FIRST && last == LAST) {
			snprintf(buf, SETTINGS_TEXT, "%u", h->hpm_width[n]);
			return;
		}
		print_list(UINT32_MAX >> (LAST - last) & UINT32_MAX << n, "",
			   list, sizeof(list));
		len += (size_t)snprintf(buf + len, SETTINGS_TEXT - len,
					"%s%s:%u", len ? "," : "", list,
					h->hpm_width[n]);
	}
}

static void add_events(struct settings_hart *h, uint32_t counters)
{
	for (unsigned e = 0; e < PMU_N_EVENTS; e++)
		h->hpm_events[e] |= counters;
}

/* "cycles", "cycles:3-6+9", "all:3" */
static bool parse_event(struct text_part p, struct settings_hart *h, char *why)
{
	const char *colon = memchr(p.text, ':', p.len);
	size_t len = colon ? (size_t)(colon - p.text) : p.len;
	uint32_t counters = SETTINGS_HPM_ALL;
	const struct pmu_event_desc *desc;
	char name[NAME_MAX];

	if (colon &&
	    !parse_list((struct text_part){ colon + 1, p.len - len - 1 }, "+",
			&counters, why))
		return false;
	snprintf(name, sizeof(name), "%.*s", (int)len, p.text);
	if (!strcmp(name, "all")) {
		add_events(h, counters);
		return true;
	}
	desc = pmu_event_by_name(name);
	if (!desc)
		return complain(why, (struct text_part){ p.text, len },
				"is not an event: see the list of events");
	h->hpm_events[desc->event] |= counters;
	return true;
}

bool hpm_parse_events(const char *text, struct settings_hart *h, char *why)
{
	struct text_part p;

	memset(h->hpm_events, 0, sizeof(h->hpm_events));
	if (!strcmp(text, "none"))
		return true;
	while (next_part(&text, ",", &p))
		if (!parse_event(p, h, why))
			return false;
	return true;
}

static bool same_everywhere(const struct settings_hart *h)
{
	for (unsigned e = 1; e < PMU_N_EVENTS; e++)
		if (h->hpm_events[e] != h->hpm_events[0])
			return false;
	return true;
}

static size_t print_event(const char *name, uint32_t counters, bool first,
			  char *buf, size_t size)
{
	char list[SETTINGS_TEXT];

	if (!counters)
		return 0;
	print_list(counters, "+", list, sizeof(list));
	if (counters == SETTINGS_HPM_ALL)
		list[0] = 0;
	return (size_t)snprintf(buf, size, "%s%s%s%.128s", first ? "" : ",",
				name, list[0] ? ":" : "", list);
}

void hpm_print_events(const struct settings_hart *h, char *buf)
{
	bool all = same_everywhere(h);
	size_t len = 0;

	for (unsigned e = 0; e < (all ? 1 : PMU_N_EVENTS); e++)
		len += print_event(
			all ? "all" : pmu_event_desc((enum pmu_event)e)->name,
			h->hpm_events[e], len == 0, buf + len,
			SETTINGS_TEXT - len);
	if (!len)
		snprintf(buf, SETTINGS_TEXT, "none");
}
