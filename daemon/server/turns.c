/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The queue of workers. While it is not empty it runs once in every turn of the
 * loop, before the loop looks for events, which it then does without sleeping.
 */
#include "turns.h"

#include <errno.h>
#include <stdlib.h>

struct turns {
	struct ev_loop *loop;
	ev_prepare before_events;
	ev_idle awake; /* while it is active the loop does not sleep */
	struct turns_worker *first, **end;
};

/* Users who had their piece in this turn. */
struct served {
	uid_t users[TURN_USERS_MAX];
	size_t n;
};

static bool was_served(const struct served *s, uid_t user)
{
	for (size_t i = 0; i < s->n; i++) {
		if (s->users[i] == user)
			return true;
	}
	return false;
}

/* The first worker whose user was not served yet, and NULL at the limit. */
static struct turns_worker *next_of(const struct turns *ts,
				    const struct served *s)
{
	struct turns_worker *t = s->n < TURN_USERS_MAX ? ts->first : NULL;

	while (t && was_served(s, t->user))
		t = t->next;
	return t;
}

static size_t users_waiting(const struct turns *ts)
{
	struct served seen = { .n = 0 };
	struct turns_worker *t;

	while ((t = next_of(ts, &seen)))
		seen.users[seen.n++] = t->user;
	return seen.n;
}

static void serve(struct turns *ts)
{
	size_t users = users_waiting(ts);
	size_t piece = users ? TURN_BYTES / users : 0;
	struct served served = { .n = 0 };
	struct turns_worker *t;

	if (piece < TURN_BYTES_MIN)
		piece = TURN_BYTES_MIN;
	/* work may queue and remove any worker, this one included */
	while ((t = next_of(ts, &served))) {
		served.users[served.n++] = t->user;
		turns_leave(ts, t);
		t->work(t, piece);
	}
}

static void sleep_if_empty(struct turns *ts)
{
	if (ts->first)
		return;
	ev_prepare_stop(ts->loop, &ts->before_events);
	ev_idle_stop(ts->loop, &ts->awake);
}

static void on_turn(struct ev_loop *loop, ev_prepare *w, int revents)
{
	serve(w->data);
	sleep_if_empty(w->data);
}

static void on_idle(struct ev_loop *loop, ev_idle *w, int revents)
{
}

int turns_new(struct turns **ret, struct ev_loop *loop)
{
	struct turns *ts = calloc(1, sizeof(*ts));

	if (!ts)
		return -ENOMEM;
	ts->loop = loop;
	ts->end = &ts->first;
	ev_prepare_init(&ts->before_events, on_turn);
	ev_idle_init(&ts->awake, on_idle);
	ts->before_events.data = ts;
	*ret = ts;
	return 0;
}

void turns_free(struct turns *ts)
{
	if (!ts)
		return;
	ev_prepare_stop(ts->loop, &ts->before_events);
	ev_idle_stop(ts->loop, &ts->awake);
	free(ts);
}

void turns_ask(struct turns *ts, struct turns_worker *t)
{
	if (t->queued)
		return;
	t->queued = true;
	t->next = NULL;
	*ts->end = t;
	ts->end = &t->next;
	ev_prepare_start(ts->loop, &ts->before_events);
	ev_idle_start(ts->loop, &ts->awake);
}

void turns_leave(struct turns *ts, struct turns_worker *t)
{
	struct turns_worker **p = &ts->first;

	if (!t->queued)
		return;
	while (*p != t)
		p = &(*p)->next;
	*p = t->next;
	if (!*p)
		ts->end = p;
	t->queued = false;
}
