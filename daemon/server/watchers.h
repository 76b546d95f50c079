/* SPDX-License-Identifier: BSD-2-Clause */
/* The streams, watchers and uploads of a machine, which hear of its changes. */
#ifndef SERVER_WATCHERS_H
#define SERVER_WATCHERS_H

#include <stdbool.h>
#include <sys/queue.h>

struct hosted;
struct rpc_call;

/*
 * Told after every change of a machine's state, and when it is deleted: it is
 * no watcher any more then, but the machine is there until on_deleted() or, if
 * a call to its process waits, that call's answer has returned.
 */
struct watcher {
	SLIST_ENTRY(watcher) next;
	void (*on_change)(struct watcher *w);
	void (*on_deleted)(struct watcher *w);
	struct hosted *machine;
};

/* Its watchers look at it again. */
void hosted_tell(struct hosted *m);
/*
 * May one more stream or upload watch @m? False: the call was finished with
 * RESOURCE_EXHAUSTED.
 */
bool hosted_admits(struct hosted *m, struct rpc_call *call);
void hosted_watch(struct hosted *m, struct watcher *w);
/* Harmless when it was done before, as long as the machine is there. */
void hosted_unwatch(struct watcher *w);

#endif
