/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Round robin as plain data: statuses, one turn, the order of turns.
 */
#include "sched.h"

#include <assert.h>

void sched_init(struct sched *s, unsigned n, uint64_t quantum)
{
	assert(n >= 1 && n <= PMU_MAX_HARTS && quantum >= 1);
	*s = (struct sched){ .n = n,
			     .quantum = quantum,
			     .cur = -1,
			     .last = n - 1,
			     .alarm = UINT64_MAX };
}

uint64_t sched_turn_end(const struct sched *s)
{
	uint64_t length = s->quantum, end;

	if (s->n == 1 || s->cur < 0)
		return UINT64_MAX;
	if (s->over)
		return s->turn_start;
	if (s->urgent && length > SCHED_URGENT)
		length = SCHED_URGENT;
	if (__builtin_add_overflow(s->turn_start, length, &end) ||
	    end > s->alarm)
		return s->alarm;
	return end;
}

void sched_urge(struct sched *s)
{
	if (s->n == 1 || s->cur < 0 || s->status[s->cur] != HART_RUNNING)
		return;
	s->over = s->urgent = true;
	s->urged_by = (unsigned)s->cur;
}

void sched_urge_at(struct sched *s, uint64_t at)
{
	s->alarm = at;
}

bool sched_due(const struct sched *s, uint64_t now)
{
	return s->cur < 0 || s->status[s->cur] != HART_RUNNING ||
	       now >= sched_turn_end(s);
}

/* Its turn is over. */
static void leave(struct sched *s)
{
	if (s->cur >= 0)
		s->last = (unsigned)s->cur;
	s->cur = -1;
}

int sched_next(struct sched *s, uint64_t now)
{
	unsigned from = s->cur >= 0 ? (unsigned)s->cur : s->last;

	if (now >= s->alarm)
		sched_urge(s);
	s->alarm = UINT64_MAX;
	s->over = false;
	for (unsigned i = 1; i <= s->n; i++) {
		unsigned hart = (from + i) % s->n;

		/* Round once: everybody had a short turn. */
		if (hart == s->urged_by)
			s->urgent = false;
		if (s->status[hart] != HART_RUNNING)
			continue;
		s->last = from;
		s->cur = (int)hart;
		s->turn_start = now;
		return s->cur;
	}
	leave(s);
	return -1;
}
