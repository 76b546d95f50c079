/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The machines that a pmud hosts: who owns each, what its process last said of
 * itself, its stored trace and console, and who is to be told of changes.
 */
#ifndef DAEMON_MACHINES_H
#define DAEMON_MACHINES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <ev.h>

#include "pmu/v1/machines.pb-c.h"
#include "pmu/v1/traces.pb-c.h"
#include "quota.h"
#include "rpc/rpc.h"
#include "store.h"
#include "supervise.h"

struct config;

/*
 * Told after every change of a machine's state, and when it is deleted: it is
 * no watcher any more then, but the machine is there until on_deleted() or, if
 * a call to its process waits, that call's answer has returned.
 */
struct watcher {
	struct watcher *next;
	void (*on_change)(struct watcher *w);
	void (*on_deleted)(struct watcher *w);
	struct machine *machine;
};

struct machine {
	struct machine *next;
	struct daemon *daemon;
	char id[24];
	uid_t owner;
	uint64_t memory; /* counted for the owner; 0: its process is gone */
	bool counted;	 /* for the owner, as a machine */
	struct rpc_conn *lease; /* NULL: detached */
	struct child *child;
	Pmu__V1__MachineConfig *config;
	Pmu__V1__MachineInfo *info; /* as its process last said */
	struct store *trace, *console;
	struct watcher *watchers;
	unsigned n_readers;
	bool deleting;
	/* what is recorded, and the trace's header as last heard (or NULL) */
	bool records_traps, records_sbi;
	Pmu__V1__Header *header;
};

/* What all handlers share; user data of the RPC server. */
struct daemon {
	struct ev_loop *loop;
	const struct config *config;
	struct quota *quota;
	struct machine *machines;
	uint64_t last_id;
	char why[QUOTA_WHY]; /* the last refusal */
};

/*
 * Starts a machine for @conn's user. Returns 0, or a gRPC status with
 * @ret_why set; nothing is left then. Its process is not configured yet.
 */
int machine_new(struct machine **ret, struct rpc_conn *conn,
		const Pmu__V1__MachineConfig *config, const char **ret_why);
/* Kills its process and ends its streams. */
void machine_delete(struct machine *m);
/*
 * The machine @id if it is @conn's user's. NULL: the call was finished with
 * NOT_FOUND or PERMISSION_DENIED.
 */
struct machine *machine_find(struct rpc_call *call, const char *id);
/*
 * What to answer of it: its process's word, with what only pmud knows. The
 * parts belong to the machine; pack it before anything else happens.
 */
void machine_describe(const struct machine *m, const Pmu__V1__MachineInfo *said,
		      Pmu__V1__MachineInfo *ret);
/* Its process answered a call with its state. */
void machine_update(struct machine *m, const Pmu__V1__MachineInfo *said);
void machine_set_header(struct machine *m, const Pmu__V1__Header *said);
/* The lease ends: it lives until somebody deletes it. */
void machine_detach(struct machine *m);
/*
 * May one more stream or upload watch @m? False: the call was finished with
 * RESOURCE_EXHAUSTED.
 */
bool machine_admits(struct machine *m, struct rpc_call *call);
void machine_watch(struct machine *m, struct watcher *w);
/* Harmless when it was done before, as long as the machine is there. */
void machine_unwatch(struct watcher *w);
/* Its creating connection is gone. */
void machines_drop_lease(struct daemon *d, struct rpc_conn *conn);

#endif
