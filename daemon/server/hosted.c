/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Life of the hosted machines. A machine is bound to the connection that
 * created it unless detached; its process may die, the object stays until it is
 * deleted so that its trace and its cause of death can still be read.
 */
#include "hosted-inside.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kept-runs.h"
#include "pmud-config.h"
#include "daemon-limits.h"
#include "record-intake.h"
#include "run-end.h"
#include "wire/message.h"

void hosted_set_header(struct hosted *m, const Pmu__V1__Header *said)
{
	Pmu__V1__Header *header = message_copy(&said->base);

	if (!header)
		return;
	if (m->header)
		pmu__v1__header__free_unpacked(m->header, NULL);
	m->header = header;
}

void hosted_update(struct hosted *m, const Pmu__V1__MachineInfo *said)
{
	Pmu__V1__MachineInfo *info = message_copy(&said->base);
	bool same;

	if (!info)
		return;
	message_forget_unknown(&info->base);
	same = m->info && message_equal(&m->info->base, &info->base) > 0;
	if (m->info)
		pmu__v1__machine_info__free_unpacked(m->info, NULL);
	m->info = info;
	kept_update(m);
	/* an answer to somebody's question is no news */
	if (!same)
		hosted_tell(m);
}

static void on_notice(void *owner, const Pmu__V1__MachineInfo *info)
{
	hosted_update(owner, info);
}

static ssize_t on_records(void *owner, const uint8_t *bytes, size_t len,
			  bool *ret_full)
{
	return intake_take(owner, bytes, len, ret_full);
}

static void give_memory(struct hosted *m)
{
	quota_give(m->daemon->quota, QUOTA_MEMORY, m->owner, m->memory);
	m->memory = 0;
}

static void on_gone(void *owner, const char *why)
{
	struct hosted *m = owner;
	Pmu__V1__MachineInfo said = PMU__V1__MACHINE_INFO__INIT;

	if (m->info)
		said = *m->info;
	if (!run_is_over(&said)) {
		run_lost(&said, *m->ended ? m->ended : why);
		hosted_update(m, &said);
	}
	hosted_end_stores(m);
	kept_update(m);
	give_memory(m);
}

uint64_t hosted_record(struct hosted *m, child_reply_fn *reply, void *arg,
		       struct child_reply *ret_refusal)
{
	Pmu__Internal__SetRecordingRequest set;
	const struct child_request request = {
		.method = METHOD_SetRecording,
		.message = &set.base,
	};

	recorded_ask(&set, recorded_stored(&m->records) |
				   recorded_watched(&m->watched));
	return child_call(m->child, &request, reply, arg, ret_refusal);
}

/* What waited in the ring is stored: it is held no more, and is told so. */
static void on_flows(void *owner)
{
	hosted_hold(owner, 0);
}

static const struct child_ops child_ops = {
	.notice = on_notice,
	.records = on_records,
	.flows = on_flows,
	.gone = on_gone,
};

int hosted_spawn(struct hosted *m)
{
	const struct child_config child = {
		.program = m->daemon->config->machine_program,
		.ops = &child_ops,
		.owner = m,
		.user = m->owner,
		.quota = m->daemon->quota,
	};

	return child_spawn(&m->child, m->daemon->children, &child);
}

/* Room may have come: whoever waits for some tries at once. */
static void retry_all(struct daemon *d)
{
	struct hosted *m;

	SLIST_FOREACH(m, &d->machines, next) {
		if (m->held_by)
			child_resume_ring(m->child);
	}
}

void hosted_free(struct hosted *m)
{
	if (!m)
		return;
	hosted_free_stores(m);
	give_memory(m);
	quota_give(m->daemon->quota, QUOTA_MACHINES, m->owner, m->counted);
	if (m->kept >= 0)
		close(m->kept);
	if (m->config)
		pmu__v1__machine_config__free_unpacked(m->config, NULL);
	if (m->recording)
		pmu__v1__recording__free_unpacked(m->recording, NULL);
	if (m->info)
		pmu__v1__machine_info__free_unpacked(m->info, NULL);
	if (m->header)
		pmu__v1__header__free_unpacked(m->header, NULL);
	protobuf_c_message_free_unpacked(m->known, NULL);
	free(m);
}

void hosted_list(struct hosted *m)
{
	SLIST_INSERT_HEAD(&m->daemon->machines, m, next);
}

struct hosted *hosted_without_process(struct daemon *d, const char *id,
				      int kept)
{
	struct hosted *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->daemon = d;
	m->kept = kept;
	m->keeping = true;
	snprintf(m->id, sizeof(m->id), "%s", id);
	m->child = child_without_process(d->children, m);
	if (m->child)
		return m;
	free(m);
	return NULL;
}

static void freed(void *owner)
{
	hosted_free(owner);
}

void hosted_forget(struct hosted *m)
{
	child_end(m->child, freed);
}

/* Where it is in neither list, it stays so. */
static void unlink_from(struct hosted_list *list, struct hosted *m)
{
	struct hosted *there;

	SLIST_FOREACH(there, list, next)
		if (there == m)
			break;
	if (there)
		SLIST_REMOVE(list, m, hosted, next);
}

/* Its process is reaped: nothing of it is left. */
static void on_ended(void *owner)
{
	struct hosted *m = owner;
	struct rpc_call *waits = m->deletion;
	Pmu__V1__DeleteMachineResponse answer =
		PMU__V1__DELETE_MACHINE_RESPONSE__INIT;

	unlink_from(&m->daemon->leaving, m);
	hosted_free(m);
	if (!waits)
		return;
	rpc_call_watch(waits, NULL, NULL);
	rpc_reply(waits, &answer.base);
}

static void deletion_cancel(struct rpc_call *call, void *data)
{
	((struct hosted *)data)->deletion = NULL;
}

static const struct rpc_call_ops deletion_ops = {
	.on_cancel = deletion_cancel,
};

void hosted_delete(struct hosted *m, struct rpc_call *waits)
{
	struct daemon *d = m->daemon;

	if (m->deleting)
		return; /* the end of a pending call led here again */
	m->deleting = true;
	m->deletion = waits;
	if (waits)
		rpc_call_watch(waits, &deletion_ops, m);
	ev_timer_stop(d->loop, &m->retry);
	unlink_from(&d->machines, m);
	SLIST_INSERT_HEAD(&d->leaving, m, next);
	while (!SLIST_EMPTY(&m->watchers)) {
		struct watcher *w = SLIST_FIRST(&m->watchers);

		/* it may be freed, and so may be others */
		hosted_unwatch(w);
		w->on_deleted(w);
	}
	hosted_detach(m);
	if (!d->ending)
		kept_remove(m);
	hosted_free_stores(m); /* their room is for others at once */
	retry_all(d);
	child_end(m->child, on_ended);
}

struct hosted *hosted_find(struct rpc_call *call, const char *id)
{
	struct daemon *d = rpc_server_user(rpc_call_server(call));
	uid_t uid = rpc_conn_peer(rpc_call_conn(call))->uid;
	struct hosted *m;

	SLIST_FOREACH(m, &d->machines, next) {
		if (strcmp(m->id, id) != 0)
			continue;
		if (m->owner == uid)
			return m;
		rpc_refuse(call, GRPC_PERMISSION_DENIED,
			   RPC_AT("machine", "NOT_THE_OWNER"),
			   "machine %s belongs to another user", id);
		return NULL;
	}
	rpc_refuse(call, GRPC_NOT_FOUND, RPC_AT("machine", "NO_SUCH_MACHINE"),
		   "no machine '%s'", id);
	return NULL;
}

void hosted_describe(const struct hosted *m, const Pmu__V1__MachineInfo *said,
		     Pmu__V1__MachineInfo *ret)
{
	pmu__v1__machine_info__init(ret);
	if (said)
		*ret = *said;
	ret->id = (char *)m->id;
	ret->config = m->config;
	ret->owner_uid = m->owner;
	ret->detached = !m->lease;
	ret->recording = (Pmu__V1__Recording *)&m->records;
	ret->held = (char *)m->held;
}

void hosted_detach(struct hosted *m)
{
	if (m->lease)
		rpc_conn_release(m->lease);
	m->lease = NULL;
}

void hosted_drop_lease(struct daemon *d, struct rpc_conn *conn)
{
	struct hosted *next;

	for (struct hosted *m = SLIST_FIRST(&d->machines); m; m = next) {
		next = SLIST_NEXT(m, next);
		if (m->lease == conn)
			hosted_delete(m, NULL);
	}
}

int daemon_init(struct daemon *d)
{
	int err = children_new(&d->children, d->loop);

	d->runs = -1;
	return err ? err : intake_new(&d->intake);
}

void daemon_fini(struct daemon *d)
{
	d->ending = true;
	while (!SLIST_EMPTY(&d->machines))
		hosted_delete(SLIST_FIRST(&d->machines), NULL);
	while (!SLIST_EMPTY(&d->leaving))
		child_wait(SLIST_FIRST(&d->leaving)->child);
	children_free(d->children);
	intake_free(d->intake);
	if (d->runs >= 0)
		close(d->runs);
}
