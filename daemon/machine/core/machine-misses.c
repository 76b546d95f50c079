/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rings of the last misses, one for each hart, event and mode, so that those of
 * any choice are found by taking the youngest of several rings again and again.
 * Only the observers' instance is explained: what a guest sees does not depend
 * on it.
 */
#include "machine-misses.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <pmu/model-events.h>

#include "engine/engine-feed.h"
#include "machine-event.h"
#include "plan.h"
#include "settings/footprint.h"

_Static_assert(sizeof(struct machine_miss) <= FOOTPRINT_MISS,
	       "it is counted as so many bytes");

enum {
	RINGS = PMU_N_MISS_EVENTS * PMU_N_MODES /* of a hart */
};

/* Of an event and mode. */
struct tally {
	uint64_t sum[PMU_N_MISS_REASONS];
	uint64_t n; /* all of them; the last one is at (n - 1) % keep */
};

struct of_hart {
	struct pmu_misses *why;
	struct tally tally[PMU_N_UARCH_EVENTS][PMU_N_MODES];
	struct machine_miss *rings; /* ring_of() */
};

struct misses {
	unsigned n; /* harts */
	size_t keep;
	uint64_t next; /* number */
	struct of_hart hart[PMU_MAX_HARTS];
};

static bool make(struct of_hart *h, size_t keep,
		 const struct pmu_uarch_config *cfg)
{
	h->why = pmu_misses_new(cfg, FOOTPRINT_MISSES_SEEN);
	h->rings = calloc(RINGS * keep, sizeof(*h->rings));
	return h->why && h->rings;
}

bool misses_make(struct machine *m)
{
	const struct settings *s = &m->cfg->settings;
	struct pmu_uarch_config cfg;
	struct misses *all;

	settings_uarch(s, &cfg);
	if (!s->uarch_explain || !pmu_uarch_events(&cfg))
		return true;
	m->misses = all = calloc(1, sizeof(*all));
	if (!all)
		return false;
	all->keep = s->uarch_explain;
	for (; all->n < m->cfg->harts; all->n++)
		if (!make(&all->hart[all->n], all->keep, &cfg))
			return false;
	return true;
}

void misses_free(struct misses *all)
{
	for (unsigned i = 0; all && i < PMU_MAX_HARTS; i++) {
		pmu_misses_free(all->hart[i].why);
		free(all->hart[i].rings);
	}
	free(all);
}

struct pmu_misses *misses_of(const struct misses *all, unsigned hart)
{
	return all ? all->hart[hart].why : NULL;
}

/* How many events before @event have rings, too. */
static unsigned rank_of(enum pmu_uarch_event event)
{
	unsigned rank = 0;

	for (unsigned e = 0; e < event; e++)
		rank += pmu_uarch_is_miss((enum pmu_uarch_event)e);
	return rank;
}

static struct machine_miss *ring_of(const struct misses *all, unsigned hart,
				    enum pmu_uarch_event event, unsigned mode)
{
	size_t ring = rank_of(event) * PMU_N_MODES + mode;

	return all->hart[hart].rings + ring * all->keep;
}

static void keep(struct misses *all, const struct machine_miss *miss)
{
	unsigned event = miss->what.event;
	struct tally *t = &all->hart[miss->hart].tally[event][miss->mode];
	struct machine_miss *ring = ring_of(
		all, miss->hart, (enum pmu_uarch_event)event, miss->mode);

	ring[t->n++ % all->keep] = *miss;
	t->sum[miss->what.reason]++;
}

void misses_keep(struct machine *m, const struct hart *h, uint64_t pc)
{
	struct pmu_miss found[PMU_MISSES_MOST];
	unsigned n = pmu_misses_take(m->misses->hart[h->index].why, found);
	struct machine_miss miss = {
		.pc = pc,
		.hart = (uint16_t)h->index,
		.mode = (uint8_t)pmu_hart_mode(h->pmu),
	};

	if (n) {
		miss.cycle =
			machine_now(m) +
			plan_inside(m->plan, h->pmu, engine_fed(m->engine));
		miss.satp = hart_at(m, h, pc).satp;
	}
	for (unsigned i = 0; i < n; i++) {
		miss.what = found[i];
		miss.number = m->misses->next++;
		keep(m->misses, &miss);
	}
}

/* Queries */

bool machine_misses_check(const struct machine *m, const struct miss_query *q,
			  struct error *e)
{
	if (!q->harts || (q->harts >> 1) >> (m->cfg->harts - 1))
		return error_set(e, ERROR_INVALID,
				 AT(PART_ASKED_HARTS, "NO_SUCH_HART"),
				 "harts: must be from 0 to %u, one is not",
				 m->cfg->harts - 1);
	if ((unsigned)q->event >= PMU_N_EVENTS)
		return error_set(
			e, ERROR_NOT_FOUND, AT(PART_EVENT, "NO_SUCH_EVENT"),
			"event: must be the name of an event of harts");
	if (!pmu_event_is_miss(q->event))
		return error_set(e, ERROR_INVALID, AT(PART_EVENT, "BAD_VALUE"),
				 "event: '%s' counts no misses of a cache or "
				 "TLB, which alone have a reason",
				 pmu_event_desc(q->event)->name);
	if (!q->modes)
		return error_set(
			e, ERROR_INVALID, AT(PART_PRIVILEGES, "BAD_VALUE"),
			"privileges: must be M, S, U, VS or VU, one is "
			"not");
	if (q->limit > SETTINGS_MAX_EXPLAIN)
		return error_set(e, ERROR_INVALID, AT(PART_LIMIT, "BAD_VALUE"),
				 "limit: must be at most %d, not %zu",
				 SETTINGS_MAX_EXPLAIN, q->limit);
	if (!event_is_there(m, q->event, PART_EVENT, "event", e))
		return false;
	return m->misses ||
	       error_set(e, ERROR_NOT_NOW, AT(PART_NONE, "NOT_RECORDED"),
			 "the machine does not keep why it misses (setting "
			 "uarch-explain)");
}

static bool chooses(const struct miss_query *q, unsigned hart, unsigned mode)
{
	return q->harts >> hart & 1 && q->modes >> mode & 1;
}

/* How many there still are of a ring, of which @taken were looked at. */
static uint64_t left(const struct misses *all, const struct tally *t,
		     uint64_t taken)
{
	return (t->n < all->keep ? t->n : all->keep) - taken;
}

size_t machine_misses_most(const struct machine *m, const struct miss_query *q)
{
	return q->limit && q->limit < m->misses->keep ? q->limit
						      : m->misses->keep;
}

/* Rings, and how many of each were taken, youngest first. */
struct merge {
	const struct misses *all;
	const struct miss_query *q;
	enum pmu_uarch_event event;
	uint64_t taken[PMU_MAX_HARTS][PMU_N_MODES];
};

/* The youngest of one ring. NULL: there is none. */
static const struct machine_miss *top(const struct merge *x, unsigned hart,
				      unsigned mode)
{
	const struct tally *t = &x->all->hart[hart].tally[x->event][mode];
	uint64_t taken = x->taken[hart][mode];

	if (!chooses(x->q, hart, mode) || !left(x->all, t, taken))
		return NULL;
	return ring_of(x->all, hart, x->event, mode) +
	       (t->n - 1 - taken) % x->all->keep;
}

/* The youngest of all of them, which is taken. */
static const struct machine_miss *next(struct merge *x)
{
	const struct machine_miss *best = NULL, *one;

	for (unsigned hart = 0; hart < x->all->n; hart++)
		for (unsigned mode = 0; mode < PMU_N_MODES; mode++) {
			one = top(x, hart, mode);
			if (one && (!best || one->number > best->number))
				best = one;
		}
	if (best)
		x->taken[best->hart][best->mode]++;
	return best;
}

size_t machine_misses(const struct machine *m, const struct miss_query *q,
		      struct machine_miss *ret)
{
	struct merge x = {
		m->misses, q, pmu_model_of_event(q->event), { { 0 } }
	};
	size_t most = machine_misses_most(m, q), n = 0;
	const struct machine_miss *one;

	while (n < most && (one = next(&x)))
		ret[most - ++n] = *one;
	memmove(ret, ret + most - n, n * sizeof(*ret));
	return n;
}

uint64_t machine_miss_sum(const struct machine *m, unsigned hart,
			  enum pmu_event event, enum pmu_mode mode,
			  enum pmu_miss_reason reason)
{
	const struct of_hart *h = &m->misses->hart[hart];

	return h->tally[pmu_model_of_event(event)][mode].sum[reason];
}

/* State */

static size_t rings_size(const struct misses *all)
{
	return RINGS * all->keep * sizeof(struct machine_miss);
}

void misses_give(const struct misses *all, struct state *to)
{
	const void *piece;
	size_t size;

	if (!all)
		return;
	state_put(to, "misses", &all->next, sizeof(all->next));
	for (unsigned i = 0; i < all->n; i++) {
		const struct of_hart *h = &all->hart[i];

		state_put(to, "tally", h->tally, sizeof(h->tally));
		state_put(to, "rings", h->rings, rings_size(all));
		for (unsigned k = 0;
		     (piece = pmu_misses_piece(h->why, k, &size)); k++)
			state_put(to, "seen", piece, size);
	}
}

void misses_take(struct misses *all, struct state *from)
{
	void *piece;
	size_t size;

	if (!all)
		return;
	state_get(from, "misses", &all->next, sizeof(all->next));
	for (unsigned i = 0; i < all->n; i++) {
		struct of_hart *h = &all->hart[i];

		state_get(from, "tally", h->tally, sizeof(h->tally));
		state_get(from, "rings", h->rings, rings_size(all));
		for (unsigned k = 0;
		     (piece = pmu_misses_piece(h->why, k, &size)); k++)
			state_get(from, "seen", piece, size);
		pmu_misses_given(h->why);
	}
}
