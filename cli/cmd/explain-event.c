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

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

enum perf_type {
	TYPE_GENERAL = 0,
	TYPE_CACHE = 1,
	TYPE_RAW = 2,
	TYPE_RAW_V2 = 3,
	TYPE_FIRMWARE = 15,
};

static const char *const caches[] = { "L1D",  "L1I", "LL",  "DTLB",
				      "ITLB", "BPU", "NODE" };
static const char *const ops[] = { "read", "write", "prefetch" };
static const char *const results[] = { "access", "miss" };

static const char *const general[] = {
	"NO_EVENT",
	"CPU_CYCLES",
	"INSTRUCTIONS",
	"CACHE_REFERENCES",
	"CACHE_MISSES",
	"BRANCH_INSTRUCTIONS",
	"BRANCH_MISSES",
	"BUS_CYCLES",
	"STALLED_CYCLES_FRONTEND",
	"STALLED_CYCLES_BACKEND",
	"REF_CPU_CYCLES",
};

static const char *const firmware[] = {
	"MISALIGNED_LOAD",
	"MISALIGNED_STORE",
	"ACCESS_LOAD",
	"ACCESS_STORE",
	"ILLEGAL_INSN",
	"SET_TIMER",
	"IPI_SENT",
	"IPI_RECEIVED",
	"FENCE_I_SENT",
	"FENCE_I_RECEIVED",
	"SFENCE_VMA_SENT",
	"SFENCE_VMA_RECEIVED",
	"SFENCE_VMA_ASID_SENT",
	"SFENCE_VMA_ASID_RECEIVED",
	"HFENCE_GVMA_SENT",
	"HFENCE_GVMA_RECEIVED",
	"HFENCE_GVMA_VMID_SENT",
	"HFENCE_GVMA_VMID_RECEIVED",
	"HFENCE_VVMA_SENT",
	"HFENCE_VVMA_RECEIVED",
	"HFENCE_VVMA_ASID_SENT",
	"HFENCE_VVMA_ASID_RECEIVED",
};

static bool is_cache(unsigned code)
{
	return code >> 3 < ARRAY_SIZE(caches) && (code >> 1 & 3) <= 2;
}

static const char *cache_text(unsigned code, char *buf)
{
	if (!is_cache(code))
		snprintf(buf, EVENT_TEXT, "cache event: reserved");
	else
		snprintf(buf, EVENT_TEXT, "cache event: %s, %s, %s",
			 caches[code >> 3], ops[code >> 1 & 3],
			 results[code & 1]);
	return buf;
}

static const char *general_text(unsigned code, char *buf)
{
	snprintf(buf, EVENT_TEXT, "general event: %s",
		 code < ARRAY_SIZE(general) ? general[code] : "reserved");
	return buf;
}

static const char *firmware_text(unsigned code, char *buf)
{
	if (code == 0xffff)
		snprintf(buf, EVENT_TEXT,
			 "platform firmware event: event_data says which");
	else if (code < ARRAY_SIZE(firmware))
		snprintf(buf, EVENT_TEXT, "firmware event %u: %s", code,
			 firmware[code]);
	else
		snprintf(buf, EVENT_TEXT, "firmware event %u%s", code,
			 code < 256 ? ": reserved" : ": of the implementation");
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

const char *event_idx_uncounted(uint32_t idx)
{
	static const char known[] =
		"nothing here: the SBI knows this event, but no counter of "
		"this machine counts it; counter_config_matching answers "
		"NOT_SUPPORTED";
	static const char reserved[] = "nothing: the event_idx is reserved";
	unsigned type = idx >> 16, code = idx & 0xffff;

	switch (type) {
	case TYPE_GENERAL:
		return code && code < ARRAY_SIZE(general) ? known : reserved;
	case TYPE_CACHE:
		return is_cache(code) ? known : reserved;
	case TYPE_RAW:
	case TYPE_RAW_V2:
		return code ? reserved : "what its event_data selects";
	case TYPE_FIRMWARE:
		return code < ARRAY_SIZE(firmware) || code >= 256 ? known
								  : reserved;
	default:
		return type < 16 ? reserved : "nothing here: not supported";
	}
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

static bool find_name(const char *text, const char *const *names, size_t n,
		      uint32_t *ret)
{
	for (size_t i = 0; i < n; i++) {
		const char *rest = skip_word(text, names[i]);

		if (!rest || *rest)
			continue;
		*ret = (uint32_t)i;
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
	*ret = (uint32_t)(TYPE_CACHE << 16 | cache << 3 | op << 1 | result);
	return true;
}

bool event_idx_find(const char *text, uint32_t *ret)
{
	static const char *const prefixes[] = { "SBI_PMU_HW_CACHE_",
						"SBI_PMU_HW_", "SBI_PMU_FW_",
						"FW_" };
	uint32_t code;

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++) {
		const char *rest = skip_word(text, prefixes[i]);

		/* SBI_PMU_HW_CACHE_MISSES is a general event */
		if (rest && (i || find_cache(rest, &code))) {
			text = rest;
			break;
		}
	}
	if (find_name(text, general, ARRAY_SIZE(general), &code)) {
		*ret = code;
		return true;
	}
	if (find_name(text, firmware, ARRAY_SIZE(firmware), &code)) {
		*ret = TYPE_FIRMWARE << 16 | code;
		return true;
	}
	return find_cache(text, ret);
}
