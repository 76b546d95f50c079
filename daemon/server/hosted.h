/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The machines that a pmud hosts: who owns each, what its process last said of
 * itself, its stored trace and console, and who is to be told of changes.
 */
#ifndef SERVER_HOSTED_H
#define SERVER_HOSTED_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <ev.h>

#include "pmu/v1/machines.pb-c.h"
#include "quota.h"
#include "grpc/refuse.h"
#include "recorded-kinds.h"
#include "store.h"
#include "supervise.h"
#include "watchers.h"

struct config;

struct hosted {
	SLIST_ENTRY(hosted) next;
	struct daemon *daemon;
	char id[24];
	uid_t owner;
	uint64_t memory; /* counted for the owner; 0: its process is gone */
	bool counted, has_serial; /* for the owner; a second UART */
	struct rpc_conn *lease;	  /* NULL: detached */
	struct child *child;
	Pmu__V1__MachineConfig *config;
	Pmu__V1__MachineInfo *info; /* as its process last said */
	struct store_share share;   /* of the owner, for all its stores */
	struct store *trace, *console;
	struct store *inputs; /* of a trace that rotates, all; or NULL */
	struct store *serial; /* what the second UART sends, or NULL */
	struct store *live;   /* all kinds, while one not stored is watched */
	unsigned n_live;      /* such streams */
	struct recorded_watchers watched;	 /* of them, by kind */
	SLIST_HEAD(, served_sampling) samplings; /* of SampleEvents */
	uint32_t last_sampling;			 /* number that was given */
	SLIST_HEAD(, watcher) watchers;
	unsigned n_readers;
	bool deleting;
	struct rpc_call *deletion;  /* waits for the process's end, or NULL */
	Pmu__V1__Recording records; /* what is stored, given at its creation */
	Pmu__V1__Recording *recording; /* whose lists those of @records are */
	Pmu__V1__Header *header; /* of the trace, as last heard, or NULL */
	bool keeping;		 /* it was asked to be kept */
	int kept;		 /* the folder that it is kept in, or -1 */
	ProtobufCMessage *known; /* of it, as written there last, or NULL */
	int held_by; /* a negated errno: nothing can be stored now */
	char held[QUOTA_WHY + 64];  /* the same for people, or "" */
	char ended[QUOTA_WHY + 96]; /* it was, because nothing could, or "" */
	ev_timer retry;		    /* while it is held */
};

/* What all handlers share; user data of the RPC server. */
struct daemon {
	struct ev_loop *loop;
	const struct config *config;
	struct quota *quota;
	struct children *children;
	struct intake *intake;
	struct tickets *tickets; /* NULL: no client gets descriptors */
	SLIST_HEAD(hosted_list, hosted) machines;
	int runs;    /* the folder of the runs that are kept, or -1 */
	bool ending; /* what is kept stays */
	struct hosted_list leaving; /* deleted, processes not yet reaped */
	uint64_t last_id;
};

/* @d: loop and config are set. Returns 0 or a negated errno. */
int daemon_init(struct daemon *d);
/* Also where daemon_init() has failed: ends all machines, waits for them. */
void daemon_fini(struct daemon *d);

/*
 * A machine @id that has no process any more, which is kept in the folder @kept
 * and is its own from now on. NULL: without memory. It is to be filled, and
 * then listed or forgotten.
 */
struct hosted *hosted_without_process(struct daemon *d, const char *id,
				      int kept);
void hosted_list(struct hosted *m);
void hosted_forget(struct hosted *m);
/*
 * Kills its process and ends its streams; nobody finds it any more. It counts
 * among its user's machines until its process is reaped, and @waits, if it is
 * not NULL, is answered then.
 */
void hosted_delete(struct hosted *m, struct rpc_call *waits);
/*
 * The machine @id if it is that of @call's user. NULL: the call was finished
 * with NOT_FOUND or PERMISSION_DENIED.
 */
struct hosted *hosted_find(struct rpc_call *call, const char *id);
/*
 * What to answer of it: its process's word, with what only pmud knows. The
 * parts belong to the machine; pack it before anything else happens.
 */
void hosted_describe(const struct hosted *m, const Pmu__V1__MachineInfo *said,
		     Pmu__V1__MachineInfo *ret);
/* Its process answered a call with its state. */
void hosted_update(struct hosted *m, const Pmu__V1__MachineInfo *said);
void hosted_set_header(struct hosted *m, const Pmu__V1__Header *said);
/* The lease ends: it lives until somebody deletes it. */
void hosted_detach(struct hosted *m);
/*
 * Nothing can be stored because of @err, a negated errno; 0: it can again. Its
 * watchers are told, and may delete it.
 */
void hosted_hold(struct hosted *m, int err);
/* The same of one that is to end then: what its end will be told with. */
void hosted_end_full(struct hosted *m, int err);
/*
 * Tells its process which records are stored or watched; the answer has the
 * trace's header. @reply may be NULL. The call's id; 0: @ret_refusal says why.
 */
uint64_t hosted_record(struct hosted *m, child_reply_fn *reply, void *arg,
		       struct child_reply *ret_refusal);
/* Makes its stores. 0 or a negated errno, then those made by then stay. */
int hosted_make_stores(struct hosted *m);
void hosted_free_stores(struct hosted *m);
/*
 * One more, or one less, watches records that the machine does not store: they
 * have a store while somebody does. 0 or a negated errno.
 */
int hosted_watch_live(struct hosted *m);
void hosted_unwatch_live(struct hosted *m);
/* Where no record can be stored, does it end? Else it waits. */
bool hosted_ends_when_full(const struct hosted *m);
/* No more will come: whoever reads has read all when it has read this far. */
void hosted_end_stores(struct hosted *m);
/* Its creating connection is gone. */
void hosted_drop_lease(struct daemon *d, struct rpc_conn *conn);

#endif
