/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The models of a core: each part is that of the named core, or none, or one of
 * its own, from what a user writes to libpmu's configuration and back.
 *
 *	cache     = SIZE:LINE:WAYS[:lru|plru|random][:back|through]
 *	tlb       = ENTRIES:WAYS[:lru|plru|random]
 *	predictor = static[:TARGETS[:RETURNS]]
 *	          | bimodal:ENTRIES[:TARGETS[:RETURNS]]
 *	          | gshare:ENTRIES:HISTORY[:TARGETS[:RETURNS]]
 *	prefetch  = next
 *	stalls    = LAST-LEVEL:MEMORY:STLB:WALK:BRANCH
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pmu/model-events.h>

#include "number.h"
#include "settings-value.h"

enum {
	MAX_FIELDS = 5,
	FIELD_TEXT = 24,
};

/* In the order of the enums of uarch.h. */
static const char *const replacements[] = { "lru", "plru", "random", NULL };
static const char *const writes[] = { "back", "through", NULL };
static const char *const predictors[] = { "none", "static", "bimodal", "gshare",
					  NULL };
static const char *const prefetchers[] = { "none", "next", NULL };

struct fields {
	unsigned n, at;
	char text[MAX_FIELDS][FIELD_TEXT];
};

static bool split(const char *text, struct fields *ret)
{
	*ret = (struct fields){ .n = 0 };
	for (;;) {
		size_t len = strcspn(text, ":");

		if (ret->n == MAX_FIELDS || len >= FIELD_TEXT)
			return false;
		memcpy(ret->text[ret->n++], text, len);
		if (!text[len])
			return true;
		text += len + 1;
	}
}

/* The next field, a number up to @max. */
static bool take(struct fields *f, uint64_t max, uint64_t *ret)
{
	if (f->at == f->n || !number_parse_size(f->text[f->at], ret) ||
	    *ret > max)
		return false;
	f->at++;
	return true;
}

/* The next field if it is one of @words. */
static uint8_t take_word(struct fields *f, const char *const *words)
{
	for (uint8_t i = 0; f->at < f->n && words[i]; i++)
		if (!strcmp(f->text[f->at], words[i])) {
			f->at++;
			return i;
		}
	return 0;
}

static bool read_cache(struct fields *f, struct pmu_cache_config *ret)
{
	uint64_t size, line, ways;

	if (!take(f, UINT32_MAX, &size) || !take(f, UINT32_MAX, &line) ||
	    !take(f, UINT8_MAX, &ways) || !size)
		return false;
	ret->size = (uint32_t)size;
	ret->line = (uint32_t)line;
	ret->ways = (uint8_t)ways;
	ret->replacement = take_word(f, replacements);
	ret->write = take_word(f, writes);
	return true;
}

static bool read_tlb(struct fields *f, struct pmu_tlb_config *ret)
{
	uint64_t entries, ways;

	if (!take(f, UINT32_MAX, &entries) || !take(f, UINT8_MAX, &ways) ||
	    !entries)
		return false;
	ret->entries = (uint32_t)entries;
	ret->ways = (uint8_t)ways;
	ret->replacement = take_word(f, replacements);
	return true;
}

static bool read_predictor(struct fields *f, struct pmu_predictor_config *ret)
{
	uint64_t entries = 0, history = 0, targets = 0, returns = 0;

	ret->kind = take_word(f, predictors);
	if (ret->kind == PMU_PREDICT_NONE)
		return false;
	if (ret->kind != PMU_PREDICT_STATIC && !take(f, UINT32_MAX, &entries))
		return false;
	if (ret->kind == PMU_PREDICT_GSHARE && !take(f, UINT8_MAX, &history))
		return false;
	if (take(f, UINT32_MAX, &targets))
		take(f, UINT8_MAX, &returns);
	ret->entries = (uint32_t)entries;
	ret->history = (uint8_t)history;
	ret->targets = (uint32_t)targets;
	ret->returns = (uint8_t)returns;
	return true;
}

static bool read_prefetch(struct fields *f, uint8_t *ret)
{
	*ret = take_word(f, prefetchers);
	return *ret != PMU_PREFETCH_NONE;
}

static bool read_stalls(struct fields *f, struct pmu_stall_config *ret)
{
	uint16_t *const all[] = { &ret->last_level, &ret->memory, &ret->stlb,
				  &ret->walk, &ret->branch };
	uint64_t n;

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (!take(f, UINT16_MAX, &n))
			return false;
		*all[i] = (uint16_t)n;
	}
	return true;
}

/* A part's place in a configuration. */
static void *place(const struct settings_row *row, struct pmu_uarch_config *cfg)
{
	return (char *)cfg + row->part;
}

static bool read_part(const struct settings_row *row, struct fields *f,
		      struct pmu_uarch_config *cfg)
{
	switch (row->part_kind) {
	case SETTINGS_PART_CACHE:
		return read_cache(f, place(row, cfg));
	case SETTINGS_PART_TLB:
		return read_tlb(f, place(row, cfg));
	case SETTINGS_PART_PREDICTOR:
		return read_predictor(f, place(row, cfg));
	case SETTINGS_PART_PREFETCH:
		return read_prefetch(f, place(row, cfg));
	case SETTINGS_PART_STALLS:
		return read_stalls(f, place(row, cfg));
	}
	return false;
}

bool part_parse(const struct settings_row *row, const char *text,
		struct settings_part *ret, const char **ret_fault)
{
	struct settings_part got = { .kind = SETTINGS_PART_OWN };
	struct fields f;

	*ret_fault = NULL;
	if (!strcmp(text, "preset"))
		got.kind = SETTINGS_PART_PRESET;
	else if (!strcmp(text, "none"))
		got.kind = SETTINGS_PART_NONE;
	else if (!split(text, &f) || !read_part(row, &f, &got.own) ||
		 f.at != f.n)
		return false;
	*ret_fault = pmu_uarch_fault(&got.own);
	if (*ret_fault)
		return false;
	*ret = got;
	return true;
}

static void print_cache(const struct pmu_cache_config *c, char *buf)
{
	snprintf(buf, SETTINGS_TEXT, "%" PRIu32 ":%" PRIu32 ":%u:%s:%s",
		 c->size, c->line, c->ways, replacements[c->replacement],
		 writes[c->write]);
}

static void print_tlb(const struct pmu_tlb_config *t, char *buf)
{
	snprintf(buf, SETTINGS_TEXT, "%" PRIu32 ":%u:%s", t->entries, t->ways,
		 replacements[t->replacement]);
}

static void print_predictor(const struct pmu_predictor_config *p, char *buf)
{
	int n = snprintf(buf, SETTINGS_TEXT, "%s", predictors[p->kind]);

	if (p->entries)
		n += snprintf(buf + n, FIELD_TEXT, ":%" PRIu32, p->entries);
	if (p->history)
		n += snprintf(buf + n, FIELD_TEXT, ":%u", p->history);
	snprintf(buf + n, FIELD_TEXT, ":%" PRIu32 ":%u", p->targets,
		 p->returns);
}

static void print_stalls(const struct pmu_stall_config *s, char *buf)
{
	snprintf(buf, SETTINGS_TEXT, "%u:%u:%u:%u:%u", s->last_level, s->memory,
		 s->stlb, s->walk, s->branch);
}

void part_print(const struct settings_row *row, const struct settings_part *p,
		char *buf)
{
	struct pmu_uarch_config cfg = p->own;

	switch (p->kind) {
	case SETTINGS_PART_PRESET:
		snprintf(buf, SETTINGS_TEXT, "preset");
		return;
	case SETTINGS_PART_NONE:
		snprintf(buf, SETTINGS_TEXT, "none");
		return;
	case SETTINGS_PART_OWN:
		break;
	}
	switch (row->part_kind) {
	case SETTINGS_PART_CACHE:
		print_cache(place(row, &cfg), buf);
		break;
	case SETTINGS_PART_TLB:
		print_tlb(place(row, &cfg), buf);
		break;
	case SETTINGS_PART_PREDICTOR:
		print_predictor(place(row, &cfg), buf);
		break;
	case SETTINGS_PART_PREFETCH:
		snprintf(buf, SETTINGS_TEXT, "%s", prefetchers[cfg.prefetch]);
		break;
	case SETTINGS_PART_STALLS:
		print_stalls(place(row, &cfg), buf);
		break;
	}
}

#define OVERRIDE(part)                                                         \
	do {                                                                   \
		if (s->part.kind != SETTINGS_PART_PRESET)                      \
			ret->part = s->part.own.part;                          \
	} while (0)

void settings_uarch(const struct settings *s, struct pmu_uarch_config *ret)
{
	pmu_uarch_preset((size_t)s->uarch, ret);
	OVERRIDE(l1i);
	OVERRIDE(l1d);
	OVERRIDE(ll);
	OVERRIDE(itlb);
	OVERRIDE(dtlb);
	OVERRIDE(stlb);
	OVERRIDE(predictor);
	OVERRIDE(prefetch);
	OVERRIDE(stalls);
	ret->inorder = s->timing == SETTINGS_TIMING_INORDER;
}

uint64_t settings_countable(const struct settings *s)
{
	struct pmu_uarch_config cfg;

	settings_uarch(s, &cfg);
	return pmu_event_set(&cfg) | pmu_event_set_of_ticks(s->tick_hz);
}

const char *settings_of_event(enum pmu_event event)
{
	if (pmu_event_is_model(event))
		return "uarch";
	if (event == PMU_EV_STALLED_FRONTEND || event == PMU_EV_STALLED_BACKEND)
		return "timing=inorder";
	if (event == PMU_EV_REF_CYCLES)
		return "ref-hz";
	return event == PMU_EV_BUS_CYCLES ? "bus-hz" : NULL;
}
