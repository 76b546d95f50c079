/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Settings together: what they demand of each other, and the list of them that
 * makes a machine again.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <pmu/isa.h>

#include "settings-value.h"

enum {
	KEY_TEXT = 64,
	REASON_TEXT = 160
};

static const char *conflict(const struct settings *s)
{
	struct pmu_uarch_config cfg;

	if (s->xlen != 32 && s->xlen != 64)
		return "setting xlen: must be 32 or 64";
	if (s->time_hz > s->clock_hz)
		return "setting time-hz: must not be above clock-hz";
	if (s->tick_hz[PMU_TICK_REF] > s->clock_hz)
		return "setting ref-hz: must not be above clock-hz";
	if (s->tick_hz[PMU_TICK_BUS] > s->clock_hz)
		return "setting bus-hz: must not be above clock-hz";
	if (s->serial && s->board == SETTINGS_BOARD_PLAIN)
		return "setting serial: board=plain has no second UART";
	settings_uarch(s, &cfg);
	if (cfg.inorder && !pmu_uarch_events(&cfg))
		return "setting timing: inorder needs a model of the core, see "
		       "uarch";
	if (s->uarch_explain && !s->uarch_watch)
		return "setting uarch-explain: needs uarch-watch=on, whose "
		       "misses it explains";
	/* asked for by name; a preset's own is not used then, and fine */
	if (s->prefetch.kind == SETTINGS_PART_OWN && !cfg.l1d.size)
		return "setting prefetch: there is no l1d to fetch into";
	if (s->stalls.kind == SETTINGS_PART_OWN && !cfg.inorder)
		return "setting stalls: only timing=inorder waits for them";
	return NULL;
}

/* What is wrong with one hart: the key, and the reason why. */
struct setting_fault {
	const char *key;
	char reason[REASON_TEXT];
};

static bool bad(struct setting_fault *f, const char *key, const char *reason)
{
	f->key = key;
	snprintf(f->reason, sizeof(f->reason), "%s", reason);
	return false;
}

/* The first of the engine's own that is off, NULL if none is. */
static const char *lacks_fixed(uint64_t ext)
{
	size_t n;
	const struct pmu_ext_desc *exts = pmu_ext_table(&n);

	for (size_t i = 0; i < n; i++)
		if (exts[i].ext & SETTINGS_EXT_FIXED & ~ext)
			return exts[i].name;
	return NULL;
}

static bool ext_good(const struct settings_hart *h, struct setting_fault *ret)
{
	const char *fixed = lacks_fixed(h->ext);
	const struct pmu_ext_desc *ext, *missing;

	if (fixed)
		return bad(ret, fixed,
			   "cannot be off: the engine always executes it");
	if (!pmu_ext_check(h->ext, &ext, &missing)) {
		ret->key = ext->name;
		snprintf(ret->reason, sizeof(ret->reason),
			 "needs %s, which is off", missing->name);
		return false;
	}
	if (h->ext & PMU_EXT_F && !(h->ext & PMU_EXT_D))
		return bad(ret, "d",
			   "is off, but f is on: the engine has both "
			   "or neither");
	return true;
}

static bool translation_good(const struct settings *s,
			     const struct settings_hart *h,
			     struct setting_fault *ret)
{
	if (s->xlen == 32 && h->sv > SETTINGS_SV32)
		return bad(ret, "sv", "must be bare or sv32 on RV32");
	if (s->xlen == 64 && h->sv == SETTINGS_SV32)
		return bad(ret, "sv", "must not be sv32 on RV64");
	if (h->sv > SETTINGS_SV_BARE && !(h->ext & PMU_EXT_S))
		return bad(ret, "sv", "needs s, which is off");
	if (h->sv == SETTINGS_SV_BARE && h->ext & PMU_EXT_H)
		return bad(ret, "h", "needs page tables, but sv is bare");
	if (s->xlen == 32 && h->asid_bits > 9)
		return bad(ret, "asid-bits", "must be at most 9 on RV32");
	return true;
}

/* Those that "all" stands for may be more than there are; a name is meant. */
static bool events_good(const struct settings *s, const struct settings_hart *h,
			struct setting_fault *ret)
{
	uint64_t there = settings_countable(s);
	uint32_t all = UINT32_MAX;

	for (unsigned e = 0; e < PMU_N_EVENTS; e++)
		all &= h->hpm_events[e];
	for (unsigned e = 0; e < PMU_N_EVENTS; e++) {
		if (!(h->hpm_events[e] & ~all) || there >> e & 1)
			continue;
		ret->key = "hpm-events";
		snprintf(ret->reason, sizeof(ret->reason),
			 "%s needs what it comes from (settings %s)",
			 pmu_event_desc((enum pmu_event)e)->name,
			 settings_of_event((enum pmu_event)e));
		return false;
	}
	return true;
}

static bool hart_good(const struct settings *s, const struct settings_hart *h,
		      struct setting_fault *ret)
{
	if (h->isa_xlen && h->isa_xlen != s->xlen) {
		ret->key = "isa";
		snprintf(ret->reason, sizeof(ret->reason),
			 "rv%" PRIu32 ", but all harts have xlen %" PRIu64,
			 h->isa_xlen, s->xlen);
		return false;
	}
	if (!ext_good(h, ret) || !translation_good(s, h, ret) ||
	    !events_good(s, h, ret))
		return false;
	if (h->hpm_counters && h->hpm_counters != SETTINGS_HPM_ALL &&
	    !(h->ext & PMU_EXT_ZIHPM))
		return bad(ret, "hpm-counters", "needs zihpm, which is off");
	if (s->xlen == 32 && (h->marchid | h->mimpid) >> 32)
		return bad(ret, h->marchid >> 32 ? "marchid" : "mimpid",
			   "must fit in 32 bits on RV32");
	return true;
}

/* Member by member: between them are bytes of no meaning. */
static bool alike(const struct settings_hart *a, const struct settings_hart *b)
{
	return a->ext == b->ext && a->isa_xlen == b->isa_xlen &&
	       a->hpm_counters == b->hpm_counters &&
	       !memcmp(a->hpm_events, b->hpm_events, sizeof(a->hpm_events)) &&
	       !memcmp(a->hpm_width, b->hpm_width, sizeof(a->hpm_width)) &&
	       a->sv == b->sv && a->asid_bits == b->asid_bits &&
	       a->mvendorid == b->mvendorid && a->marchid == b->marchid &&
	       a->mimpid == b->mimpid && a->pmp == b->pmp;
}

static bool all_alike(const struct settings *s, unsigned n_harts)
{
	for (unsigned i = 1; i < n_harts; i++)
		if (!alike(&s->hart[i], &s->hart[0]))
			return false;
	return true;
}

bool settings_check(const struct settings *s, unsigned n_harts, char *ret_error)
{
	const char *why = conflict(s);
	char prefix[24] = "";
	struct setting_fault f;

	if (why) {
		snprintf(ret_error, SETTINGS_ERROR, "%s", why);
		return false;
	}
	for (unsigned i = n_harts; i < SETTINGS_HARTS; i++)
		if (s->named >> i & 1) {
			snprintf(ret_error, SETTINGS_ERROR,
				 "setting hart%u: the machine has harts 0 to "
				 "%u",
				 i, n_harts - 1);
			return false;
		}
	for (unsigned i = 0; i < n_harts; i++) {
		if (hart_good(s, &s->hart[i], &f))
			continue;
		if (!all_alike(s, n_harts))
			snprintf(prefix, sizeof(prefix), "hart%u.", i);
		snprintf(ret_error, SETTINGS_ERROR, "setting %s%s: %s", prefix,
			 f.key, f.reason);
		return false;
	}
	return true;
}

/* The list */

struct settings_walk {
	const struct settings *s;
	unsigned n_harts;
	void (*pair)(void *arg, const char *key, const char *value);
	void *arg;
};

/* The run of harts from @first that all have @value. */
static unsigned last_with(const struct settings_walk *w,
			  const struct settings_row *row, unsigned first,
			  const char *value)
{
	char other[SETTINGS_TEXT];
	unsigned last = first;

	while (last + 1 < w->n_harts &&
	       !strcmp(settings_get(w->s, row, last + 1, other), value))
		last++;
	return last;
}

/* Is @row for all harts what it was before it was a row? */
static bool as_before(const struct settings_walk *w,
		      const struct settings_row *row)
{
	char value[SETTINGS_TEXT];

	if (!row->before)
		return false;
	settings_get(w->s, row, 0, value);
	return !strcmp(value, row->before) &&
	       (!row->per_hart ||
		last_with(w, row, 0, value) + 1 == w->n_harts);
}

static void walk_row(const struct settings_walk *w,
		     const struct settings_row *row)
{
	char all[SETTINGS_TEXT], value[SETTINGS_TEXT], key[KEY_TEXT];
	unsigned last;

	settings_get(w->s, row, 0, all);
	w->pair(w->arg, row->key, all);
	for (unsigned i = 1; row->per_hart && i < w->n_harts; i = last + 1) {
		settings_get(w->s, row, i, value);
		last = last_with(w, row, i, value);
		if (!strcmp(value, all))
			continue;
		if (last == i)
			snprintf(key, sizeof(key), "hart%u.%s", i, row->key);
		else
			snprintf(key, sizeof(key), "hart%u-%u.%s", i, last,
				 row->key);
		w->pair(w->arg, key, value);
	}
}

void settings_each(const struct settings *s, unsigned n_harts,
		   void (*pair)(void *arg, const char *key, const char *value),
		   void *arg)
{
	struct settings_walk w = { s, n_harts, pair, arg };
	struct settings_row row;

	for (size_t i = 0; i < settings_count(); i++) {
		settings_row(i, &row);
		if (row.host_only || as_before(&w, &row))
			continue;
		if (row.type == SETTINGS_EXT &&
		    !(row.ext & (PMU_EXT_S | PMU_EXT_U)))
			continue;
		walk_row(&w, &row);
	}
}
