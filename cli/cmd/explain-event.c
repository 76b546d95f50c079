/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What an event_idx says of itself, and which one a name means: the event types
 * of the SBI's PMU extension, whether a machine counts them or not.
 */
#include "explain-facts.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <fw/event-name.h>
#include <fw/sbi-error.h>
#include <pmu/event.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* event_idx 19:16 */
enum event_idx_type {
	TYPE_GENERAL = 0,
	TYPE_CACHE = FW_EVENT_CACHE >> 16,
	TYPE_RAW = FW_EVENT_RAW >> 16,
	TYPE_RAW_V2 = FW_EVENT_RAW_V2 >> 16,
	TYPE_FIRMWARE = FW_EVENT_FIRMWARE >> 16,
};

#define GENERAL	 "SBI_PMU_HW_"
#define FIRMWARE "fw_"

static const char *const caches[] = { "L1D",  "L1I", "LL",  "DTLB",
				      "ITLB", "BPU", "NODE" };
static const char *const ops[] = { "read", "write", "prefetch" };
static const char *const results[] = { "access", "miss" };

/* "CPU_CYCLES"; NULL: reserved. */
static const char *general_name(uint32_t code)
{
	const struct pmu_event_desc *d = pmu_event_by_selector(code);

	if (!code)
		return "NO_EVENT";
	return fw_event_is_defined(code) && d ? d->alias + strlen(GENERAL)
					      : NULL;
}

/* "set_timer", of those that the SBI has; NULL: reserved. */
static const char *firmware_name(uint32_t code)
{
	return code < FW_N_STANDARD
		       ? fw_event_desc(code)->name + strlen(FIRMWARE)
		       : NULL;
}

static const char *cache_text(unsigned code, char *buf)
{
	if (!fw_event_is_defined(FW_EVENT_CACHE | code))
		snprintf(buf, EVENT_TEXT, "cache event: reserved");
	else
		snprintf(buf, EVENT_TEXT, "cache event: %s, %s, %s",
			 caches[code >> 3], ops[code >> 1 & 3],
			 results[code & 1]);
	return buf;
}

static const char *general_text(unsigned code, char *buf)
{
	const char *name = general_name(code);

	snprintf(buf, EVENT_TEXT, "general event: %s",
		 name ? name : "reserved");
	return buf;
}

static const char *firmware_text(unsigned code, char *buf)
{
	const char *name = firmware_name(code);
	int len;

	if (code == (FW_EVENT_PLATFORM & 0xffff)) {
		snprintf(buf, EVENT_TEXT,
			 "platform firmware event: event_data says which");
		return buf;
	}
	len = snprintf(buf, EVENT_TEXT, "firmware event %u%s", code,
		       name		     ? ": "
		       : code < FW_OWN_FIRST ? ": reserved"
					     : ": of the implementation");
	for (; name && *name; name++)
		buf[len++] = (char)toupper((unsigned char)*name);
	buf[len] = '\0';
	return buf;
}

const char *event_idx_text(uint32_t idx, char *buf)
{
	unsigned type = idx >> 16, code = idx & 0xffff;

	switch (type) {
	case TYPE_GENERAL:
		return general_text(code, buf);
	case TYPE_CACHE:
		return cache_text(code, buf);
	case TYPE_RAW:
	case TYPE_RAW_V2:
		snprintf(buf, EVENT_TEXT,
			 "raw event%s: event_data selects it%s",
			 type == TYPE_RAW_V2 ? ", version 2" : "",
			 code ? "; its code must be 0" : "");
		return buf;
	case TYPE_FIRMWARE:
		return firmware_text(code, buf);
	default:
		snprintf(buf, EVENT_TEXT,
			 type < 16 ? "event type %u: reserved"
				   : "not an event_idx: it "
				     "has 20 bits",
			 type);
		return buf;
	}
}

/* Has the SBI, or an implementation of it, this event? */
static bool is_known(uint32_t idx)
{
	uint32_t code = idx & 0xffff;

	if (idx >> 16 == TYPE_FIRMWARE)
		return firmware_name(code) || code >= FW_OWN_FIRST;
	return fw_event_is_defined(idx);
}

const char *event_idx_uncounted(uint32_t idx, char *buf)
{
	if (idx == FW_EVENT_RAW || idx == FW_EVENT_RAW_V2)
		return "what its event_data selects";
	if (idx > FW_EVENT_BITS)
		return "nothing here: not supported";
	if (!is_known(idx))
		return "nothing: the event_idx is reserved";
	snprintf(buf, EVENT_TEXT,
		 "nothing here: the SBI knows this event, but no counter of "
		 "this machine counts it; counter_config_matching answers %s",
		 sbi_error_name(SBI_ERR_NOT_SUPPORTED));
	return buf;
}

/* "-", "_", "." and "," are one, and so are large and small. */
static int folded(char c)
{
	return strchr("-_.,", c) && c ? '_' : toupper((unsigned char)c);
}

/* What of @text follows @word, or NULL; @word may be all of it. */
static const char *skip_word(const char *text, const char *word)
{
	for (; *word; word++, text++) {
		if (folded(*text) != folded(*word))
			return NULL;
	}
	return text;
}

/* Below @n, by the names that @name_of has. */
static bool find_name(const char *text, const char *(*name_of)(uint32_t code),
		      uint32_t n, uint32_t *ret)
{
	for (uint32_t i = 0; i < n; i++) {
		const char *rest = skip_word(text, name_of(i));

		if (!rest || *rest)
			continue;
		*ret = i;
		return true;
	}
	return false;
}

/* The word of @names that @text begins with; *@text is what follows it. */
static int take_word(const char **text, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *rest = skip_word(*text, names[i]);

		if (!rest || (*rest && folded(*rest) != '_'))
			continue;
		*text = *rest ? rest + 1 : rest;
		return (int)i;
	}
	return -1;
}

/* "DTLB-read-miss"; without a result, accesses are meant. */
static bool find_cache(const char *text, uint32_t *ret)
{
	int cache = take_word(&text, caches, ARRAY_SIZE(caches));
	int op = cache < 0 ? -1 : take_word(&text, ops, ARRAY_SIZE(ops));
	int result = 0;

	if (op >= 0 && *text)
		result = take_word(&text, results, ARRAY_SIZE(results));
	if (cache < 0 || op < 0 || result < 0 || *text)
		return false;
	*ret = (uint32_t)(FW_EVENT_CACHE | cache << 3 | op << 1 | result);
	return true;
}

bool event_idx_find(const char *text, uint32_t *ret)
{
	static const char *const prefixes[] = { "SBI_PMU_HW_CACHE_", GENERAL,
						"SBI_PMU_FW_", FIRMWARE };
	uint32_t code;

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++) {
		const char *rest = skip_word(text, prefixes[i]);

		/* SBI_PMU_HW_CACHE_MISSES is a general event */
		if (rest && (i || find_cache(rest, &code))) {
			text = rest;
			break;
		}
	}
	if (find_name(text, general_name, FW_EVENT_GENERAL_LAST + 1, &code)) {
		*ret = code;
		return true;
	}
	if (find_name(text, firmware_name, FW_N_STANDARD, &code)) {
		*ret = FW_EVENT_FIRMWARE | code;
		return true;
	}
	return find_cache(text, ret);
}
