/* SPDX-License-Identifier: BSD-2-Clause */
/* Who is told when a machine changes, and how many there may be. */
#include "watchers.h"

#include "daemon-limits.h"
#include "hosted.h"

void hosted_tell(struct hosted *m)
{
	struct watcher *next;

	for (struct watcher *w = SLIST_FIRST(&m->watchers); w; w = next) {
		next = SLIST_NEXT(w, next);
		w->on_change(w);
	}
}

bool hosted_admits(struct hosted *m, struct rpc_call *call)
{
	if (m->n_readers < MAX_READERS_PER_MACHINE)
		return true;
	rpc_refuse(call, GRPC_RESOURCE_EXHAUSTED, RPC_AT(NULL, "READERS_LIMIT"),
		   "machine %s has as many readers as it may", m->id);
	return false;
}

void hosted_watch(struct hosted *m, struct watcher *w)
{
	w->machine = m;
	SLIST_INSERT_HEAD(&m->watchers, w, next);
	m->n_readers++;
}

void hosted_unwatch(struct watcher *w)
{
	struct hosted *m = w->machine;
	struct watcher *there;

	SLIST_FOREACH(there, &m->watchers, next)
		if (there == w)
			break;
	if (!there)
		return;
	SLIST_REMOVE(&m->watchers, w, watcher, next);
	m->n_readers--;
}
