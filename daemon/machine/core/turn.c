/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Turns, the clock and its moments, kept together by whoever gives a turn.
 */
#include "turn.h"

#include <stdlib.h>

struct turn {
	struct clock clock;
	struct sched sched;
	uint64_t moment_clock; /* clock to which the next belongs */
	uint32_t moment;       /* turns, waits, events begun at that clock */
};

struct turn *turn_new(unsigned harts, uint64_t quantum)
{
	struct turn *t = calloc(1, sizeof(*t));

	if (t)
		sched_init(&t->sched, harts, quantum);
	return t;
}

void turn_free(struct turn *t)
{
	free(t);
}

void turn_reset(struct turn *t)
{
	clock_stop(&t->clock);
	sched_init(&t->sched, t->sched.n, t->sched.quantum);
	turn_next_moment(t);
}

const struct clock *turn_clock(const struct turn *t)
{
	return &t->clock;
}

void turn_jump(struct turn *t, uint64_t cycle)
{
	clock_stop(&t->clock);
	clock_jump(&t->clock, cycle);
}

enum hart_status turn_status(const struct turn *t, unsigned hart)
{
	return t->sched.status[hart];
}

void turn_set_status(struct turn *t, unsigned hart, enum hart_status status)
{
	t->sched.status[hart] = status;
}

int turn_hart(const struct turn *t)
{
	return t->sched.cur;
}

unsigned turn_present(const struct turn *t)
{
	return t->sched.cur >= 0 ? (unsigned)t->sched.cur : t->sched.last;
}

unsigned turn_upcoming(const struct turn *t)
{
	return t->sched.cur >= 0 ? (unsigned)t->sched.cur
				 : (t->sched.last + 1) % t->sched.n;
}

bool turn_is_over(const struct turn *t)
{
	/* A hart that left its turn to wait or stop may run again already. */
	return !t->clock.running || sched_due(&t->sched, clock_now(&t->clock));
}

uint64_t turn_end(const struct turn *t)
{
	return sched_turn_end(&t->sched);
}

void turn_urge(struct turn *t)
{
	sched_urge(&t->sched);
}

void turn_urge_at(struct turn *t, uint64_t clock)
{
	sched_urge_at(&t->sched, clock);
}

int turn_next(struct turn *t)
{
	return sched_next(&t->sched, clock_now(&t->clock));
}

void turn_begin(struct turn *t, const struct pmu_hart *h)
{
	clock_run(&t->clock, h);
	turn_next_moment(t);
}

void turn_leave(struct turn *t, const struct pmu_hart *h)
{
	if (t->clock.running == h)
		clock_stop(&t->clock);
}

uint32_t turn_moment(const struct turn *t)
{
	return t->moment_clock == clock_now(&t->clock) ? t->moment : 0;
}

void turn_next_moment(struct turn *t)
{
	t->moment = turn_moment(t) + 1;
	t->moment_clock = clock_now(&t->clock);
}

/* As it is given: the hart that moves the clock by its index. */
struct given_turn {
	struct turn turn;
	int64_t running; /* -1: none; as wide as leaves no gap behind it */
};

void turn_give(const struct turn *t, const struct pmu_hart *const *harts,
	       struct state *to)
{
	struct given_turn g = { .turn = *t, .running = -1 };

	for (unsigned i = 0; i < t->sched.n; i++)
		if (t->clock.running == harts[i])
			g.running = i;
	g.turn.clock.running = NULL;
	state_put(to, "turn", &g, sizeof(g));
}

void turn_take(struct turn *t, const struct pmu_hart *const *harts,
	       struct state *from)
{
	struct given_turn g = { .turn = *t, .running = -1 };

	state_get(from, "turn", &g, sizeof(g));
	*t = g.turn;
	if (g.running >= 0)
		t->clock.running = harts[g.running];
}
