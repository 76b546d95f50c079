/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A stretch begins when the last hart begins to wait and ends when one goes on:
 * a counter that overflows in between, a console byte that wakes nobody and a
 * look do not begin another. A machine that waits for an input alone has a
 * stretch without an end, whose clock only that input moves, for only the
 * input's stamp tells a replay of it.
 */
#include "pace.h"

#include <stdlib.h>

struct pace {
	struct pacer *pacer; /* or NULL */
	bool idle;	     /* a stretch is under way */
	bool sleeps, waits;  /* until a cycle, for an input */
	uint64_t until;	     /* the clock comes no further by itself */
};

struct pace *pace_new(struct pacer *pacer)
{
	struct pace *p = calloc(1, sizeof(*p));

	if (p)
		p->pacer = pacer;
	return p;
}

void pace_free(struct pace *p)
{
	free(p);
}

static void begin(struct pace *p, const struct turn *t, uint64_t until)
{
	if (!p->idle)
		p->pacer->begin(p->pacer, clock_now(turn_clock(t)));
	p->idle = true;
	p->until = until;
}

/* To where the time has come, at most to the end. True: there. */
static bool advance(struct pace *p, struct turn *t)
{
	uint64_t now = clock_now(turn_clock(t));
	uint64_t to = p->pacer->reached(p->pacer);

	if (to > p->until)
		to = p->until;
	if (to > now)
		turn_jump(t, to);
	return to >= p->until;
}

bool pace_idle(struct pace *p, struct turn *t, uint64_t until)
{
	if (!p->pacer) {
		turn_jump(t, until);
		return true;
	}
	begin(p, t, until);
	p->waits = false;
	p->sleeps = !advance(p, t);
	return !p->sleeps;
}

void pace_wait(struct pace *p, const struct turn *t, uint64_t limit)
{
	if (!p->pacer)
		return;
	begin(p, t, limit);
	p->sleeps = false;
	p->waits = true;
}

void pace_end(struct pace *p)
{
	p->idle = p->sleeps = p->waits = false;
}

void pace_look(struct pace *p, struct turn *t)
{
	if (p->sleeps)
		p->sleeps = !advance(p, t);
}

void pace_act(struct pace *p, struct turn *t)
{
	if (p->waits)
		advance(p, t);
	p->waits = false;
	pace_look(p, t);
}

bool pace_sleeps(const struct pace *p, uint64_t *ret)
{
	if (p->sleeps)
		*ret = p->until;
	return p->sleeps;
}
