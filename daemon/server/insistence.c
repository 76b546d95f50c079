/* SPDX-License-Identifier: BSD-2-Clause */
/* A process whose queue is full has room again when it has read: asked anew. */
#include "insistence.h"

#include "hosted.h"

#define RETRY_S 0.1

/* @t may be gone afterwards. */
static void try_once(struct insistence *t)
{
	const struct hosted *m = t->machine;

	if (t->ops->tell(t->arg) || !child_alive(m->child)) {
		insistence_end(t);
		t->ops->over(t->arg);
	} else {
		ev_timer_again(m->daemon->loop, &t->retry);
	}
}

static void on_retry(struct ev_loop *loop, ev_timer *timer, int events)
{
	try_once(timer->data);
}

void insistence_begin(struct insistence *t)
{
	try_once(t);
}

void insistence_init(struct insistence *t, struct hosted *m,
		     const struct insistence_ops *ops, void *arg)
{
	t->machine = m;
	t->ops = ops;
	t->arg = arg;
	ev_timer_init(&t->retry, on_retry, 0, RETRY_S);
	t->retry.data = t;
}

void insistence_end(struct insistence *t)
{
	ev_timer_stop(t->machine->daemon->loop, &t->retry);
}
