/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * When an injection is due: behind an instruction that its hart retires, named
 * by its number or by its pc. At such a pc the hart stops before the
 * instruction, and its number is known; a trap in between makes it void, for
 * then another instruction would be the next to retire.
 */
#include "injections.h"

#include <stdlib.h>
#include <string.h>

struct waiting_injection {
	struct machine_injection what;
	uint64_t due; /* when its hart has retired so many; 0: not known */
};

struct injections {
	unsigned n;
	uint32_t numbers; /* given */
	uint32_t version;
	struct waiting_injection list[INJECT_MAX_WAITING];
};

struct injections *injections_new(void)
{
	return calloc(1, sizeof(struct injections));
}

void injections_free(struct injections *all)
{
	free(all);
}

bool injections_any(const struct injections *all)
{
	return all->n;
}

bool injections_full(const struct injections *all)
{
	return all->n == INJECT_MAX_WAITING;
}

static bool is_at_pc(const struct waiting_injection *w)
{
	return w->what.when == INJECT_BEHIND_PC;
}

uint32_t injections_add(struct injections *all,
			const struct machine_injection *what, uint64_t due)
{
	struct waiting_injection *w = &all->list[all->n++];

	*w = (struct waiting_injection){ .what = *what, .due = due };
	w->what.number = ++all->numbers;
	w->what.times = 0;
	all->version += is_at_pc(w);
	return w->what.number;
}

static void forget(struct injections *all, unsigned i)
{
	all->version += is_at_pc(&all->list[i]);
	all->n--;
	memmove(&all->list[i], &all->list[i + 1],
		(all->n - i) * sizeof(*all->list));
}

bool injections_cancel(struct injections *all, uint32_t number)
{
	for (unsigned i = 0; i < all->n; i++) {
		if (all->list[i].what.number != number)
			continue;
		forget(all, i);
		return true;
	}
	return false;
}

const struct machine_injection *injections_find(const struct injections *all,
						uint32_t number)
{
	for (unsigned i = 0; i < all->n; i++)
		if (all->list[i].what.number >= number)
			return &all->list[i].what;
	return NULL;
}

/* Done once: until when it waits from here on. False: it does not. */
static bool waits_on(struct waiting_injection *w)
{
	w->what.times++;
	if (!w->what.repeat)
		return false;
	if (!is_at_pc(w))
		return !__builtin_add_overflow(w->due, w->what.at, &w->due);
	w->due = 0;
	return true;
}

static bool is_due(const struct waiting_injection *w, const struct hart *h)
{
	return w->what.hart == h->index && w->due &&
	       pmu_hart_insns(h->pmu) >= w->due;
}

bool injections_take(struct injections *all, const struct hart *h,
		     struct input *ret)
{
	for (unsigned i = 0; i < all->n; i++) {
		struct waiting_injection *w = &all->list[i];

		if (!is_due(w, h))
			continue;
		*ret = (struct input){
			.kind = INPUT_INJECT,
			.hart = w->what.hart,
			.inject = { .event = w->what.event, .n = w->what.n },
		};
		if (is_at_pc(w))
			ret->inject.last_pc = w->what.at;
		if (!waits_on(w))
			forget(all, i);
		return true;
	}
	return false;
}

uint64_t injections_next(const struct injections *all, const struct hart *h)
{
	uint64_t next = UINT64_MAX;

	for (unsigned i = 0; i < all->n; i++) {
		const struct waiting_injection *w = &all->list[i];

		if (w->what.hart == h->index && w->due && w->due < next)
			next = w->due;
	}
	return next;
}

size_t injections_pcs(const struct injections *all, uint64_t *ret, size_t room)
{
	size_t n = 0;

	for (unsigned i = 0; i < all->n && n < room; i++)
		if (is_at_pc(&all->list[i]))
			ret[n++] = all->list[i].what.at;
	return n;
}

size_t injections_at_pc(const struct injections *all)
{
	size_t n = 0;

	for (unsigned i = 0; i < all->n; i++)
		n += is_at_pc(&all->list[i]);
	return n;
}

uint32_t injections_version(const struct injections *all)
{
	return all->version;
}

bool injections_meet(struct injections *all, const struct hart *h, uint64_t pc,
		     bool *ret_fresh)
{
	bool met = false;

	*ret_fresh = false;
	for (unsigned i = 0; i < all->n; i++) {
		struct waiting_injection *w = &all->list[i];

		if (!is_at_pc(w) || w->what.at != pc)
			continue;
		met = true;
		if (w->what.hart != h->index)
			continue;
		*ret_fresh |= !w->due;
		w->due = pmu_hart_insns(h->pmu) + 1;
	}
	return met;
}

void injections_moved(struct injections *all, const struct hart *h)
{
	for (unsigned i = 0; i < all->n; i++) {
		struct waiting_injection *w = &all->list[i];

		/* One that has retired is due all the same. */
		if (is_at_pc(w) && w->what.hart == h->index && !is_due(w, h))
			w->due = 0;
	}
}

void injections_reset(struct injections *all)
{
	for (unsigned i = 0; i < all->n; i++)
		if (is_at_pc(&all->list[i]))
			all->list[i].due = 0;
}

void injections_give(const struct injections *all, struct state *to)
{
	state_put(to, "injections", all, sizeof(*all));
}

void injections_take_all(struct injections *all, struct state *from)
{
	state_get(from, "injections", all, sizeof(*all));
}
