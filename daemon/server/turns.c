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
	STAILQ_HEAD(, turns_worker) queue;
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
	struct turns_worker *t = NULL;

	if (s->n < TURN_USERS_MAX)
		t = STAILQ_FIRST(&ts->queue);
	while (t && was_served(s, t->user))
		t = STAILQ_NEXT(t, next);
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
	if (!STAILQ_EMPTY(&ts->queue))
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
	STAILQ_INIT(&ts->queue);
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
	STAILQ_INSERT_TAIL(&ts->queue, t, next);
	ev_prepare_start(ts->loop, &ts->before_events);
	ev_idle_start(ts->loop, &ts->awake);
}

void turns_leave(struct turns *ts, struct turns_worker *t)
{
	if (!t->queued)
		return;
	STAILQ_REMOVE(&ts->queue, t, turns_worker, next);
	t->queued = false;
}
