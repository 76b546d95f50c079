/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Life of the hosted machines. A machine is bound to the connection that
 * created it unless detached; its process may die, the object stays until it is
 * deleted so that its trace and its cause of death can still be read.
 */
#include "machines.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "ipc/footprint.h"
#include "ipc/record.h"
#include "wire/unpack.h"
#include "daemon-limits.h"

static void tell(struct machine *m)
{
	struct watcher *next;

	for (struct watcher *w = m->watchers; w; w = next) {
		next = w->next;
		w->on_change(w);
	}
}

/* A copy of our own of a message. */
static void *copy(const ProtobufCMessage *msg)
{
	size_t len = protobuf_c_message_get_packed_size(msg);
	uint8_t *bytes = malloc(len ? len : 1);
	void *ret = NULL;

	if (bytes) {
		protobuf_c_message_pack(msg, bytes);
		ret = protobuf_c_message_unpack(msg->descriptor, NULL, len,
						bytes);
	}
	free(bytes);
	return ret;
}

void machine_set_header(struct machine *m, const Pmu__V1__Header *said)
{
	Pmu__V1__Header *header = copy(&said->base);

	if (!header)
		return;
	if (m->header)
		pmu__v1__header__free_unpacked(m->header, NULL);
	m->header = header;
}

void machine_update(struct machine *m, const Pmu__V1__MachineInfo *said)
{
	Pmu__V1__MachineInfo *info = copy(&said->base);

	if (!info)
		return;
	if (m->info)
		pmu__v1__machine_info__free_unpacked(m->info, NULL);
	m->info = info;
	tell(m);
}

static void on_notice(void *owner, const Pmu__V1__MachineInfo *info)
{
	machine_update(owner, info);
}

/* No more will come: whoever reads has read all when it has read this far. */
static void end_stores(struct machine *m)
{
	store_end(m->trace);
	store_end(m->console);
}

/* Records that were looked at and are to be stored in one go. */
struct portion {
	const uint8_t *bytes;
	size_t len;
	uint64_t items;
};

enum {
	PORTION_BYTES = 32 << 10
};

static int store_portion(struct machine *m, struct portion *p)
{
	struct portion all = *p;

	*p = (struct portion){ 0 };
	return all.len ? store_append(m->trace, all.bytes, all.len, all.items)
		       : 0;
}

static Pmu__V1__Record *unpack_record(const struct record_view *v)
{
	struct wire_bytes in = { v->message, v->message_len, RECORD_UNPACKED };
	enum grpc_status status;
	const char *why;

	return (Pmu__V1__Record *)wire_unpack(&pmu__v1__record__descriptor, &in,
					      &status, &why);
}

/*
 * Takes a record into @p. Console output also goes to the console's own log; a
 * Stop is the last record of a run. -ENOBUFS: no room, nothing was done.
 */
static int take_record(struct machine *m, const struct record_view *v,
		       struct portion *p)
{
	Pmu__V1__Record *r = unpack_record(v);
	bool stops;
	int err = 0;

	if (!r || store_ended(m->trace))
		err = -EPROTO;
	else if (!store_has_room(m->trace, p->len + v->field_len))
		err = -ENOBUFS;
	else if (r->kind_case == PMU__V1__RECORD__KIND_CONSOLE_OUTPUT)
		err = store_append(m->console, r->console_output->data.data,
				   r->console_output->data.len,
				   r->console_output->data.len);
	stops = r && r->kind_case == PMU__V1__RECORD__KIND_STOP;
	wire_unpack_free(r ? &r->base : NULL);
	if (err)
		return err;
	p->bytes = p->len ? p->bytes : v->field;
	p->len += v->field_len;
	p->items++;
	if (stops || p->len >= PORTION_BYTES)
		err = store_portion(m, p);
	if (!err && stops)
		end_stores(m);
	return err;
}

static ssize_t on_records(void *owner, const uint8_t *bytes, size_t len,
			  bool *ret_full)
{
	struct machine *m = owner;
	struct portion p = { 0 };
	struct record_view v;
	size_t used = 0;
	int n, stored, err = 0;

	while ((n = record_first(bytes + used, len - used, &v)) > 0) {
		err = v.tag == RECORD_TAG_RECORD ? take_record(m, &v, &p)
						 : store_portion(m, &p);
		if (err)
			break;
		used += v.field_len;
	}
	/* there is room for what was taken, whatever came behind it */
	stored = store_portion(m, &p);
	*ret_full = err == -ENOBUFS;
	if (err && !*ret_full)
		return err;
	if (stored)
		return stored;
	return n < 0 ? n : (ssize_t)used;
}

static void give_memory(struct machine *m)
{
	quota_give(m->daemon->quota, QUOTA_MEMORY, m->owner, m->memory);
	m->memory = 0;
}

static void on_gone(void *owner, const char *why)
{
	struct machine *m = owner;
	Pmu__V1__MachineInfo said = PMU__V1__MACHINE_INFO__INIT;

	if (m->info)
		said = *m->info;
	if (said.state != PMU__V1__MACHINE_STATE__MACHINE_STATE_ENDED) {
		said.state = PMU__V1__MACHINE_STATE__MACHINE_STATE_CRASHED;
		said.cause = PMU__V1__STOP_CAUSE__STOP_CAUSE_CRASH;
		said.exit_code = EXIT_MACHINE_CRASHED;
		said.detail = (char *)why;
		machine_update(m, &said);
	}
	end_stores(m);
	give_memory(m);
}

static const struct child_ops child_ops = {
	.notice = on_notice,
	.records = on_records,
	.gone = on_gone,
};

/*
 * What a machine so configured can come to use. A setting that is wrong counts
 * as not made: the machine's process will refuse it.
 */
static uint64_t memory_of(const Pmu__V1__MachineConfig *config)
{
	char why[SETTINGS_ERROR];
	uint64_t memory = config ? config->memory_bytes : 0;
	struct settings s;

	settings_init(&s);
	for (size_t i = 0; config && i < config->n_settings; i++)
		(void)settings_set(&s, config->settings[i]->key,
				   config->settings[i]->value, why);
	return footprint(memory <= FOOTPRINT_MAX_MEMORY ? memory : 0, &s);
}

/* Counts @m for its owner. False: it is one too many, @ret_why says why. */
static bool count(struct machine *m, const Pmu__V1__MachineConfig *config,
		  char ret_why[QUOTA_WHY])
{
	struct quota *q = m->daemon->quota;
	uint64_t memory = memory_of(config);

	m->counted = quota_take(q, QUOTA_MACHINES, m->owner, 1, ret_why);
	if (!m->counted ||
	    !quota_take(q, QUOTA_MEMORY, m->owner, memory, ret_why))
		return false;
	m->memory = memory;
	return true;
}

static void machine_free(struct machine *m)
{
	child_free(m->child);
	give_memory(m);
	quota_give(m->daemon->quota, QUOTA_MACHINES, m->owner, m->counted);
	store_free(m->trace);
	store_free(m->console);
	if (m->config)
		pmu__v1__machine_config__free_unpacked(m->config, NULL);
	if (m->info)
		pmu__v1__machine_info__free_unpacked(m->info, NULL);
	if (m->header)
		pmu__v1__header__free_unpacked(m->header, NULL);
	free(m);
}

/* Fills a new machine; 0 or a negated errno. */
static int machine_init(struct machine *m, const Pmu__V1__MachineConfig *config)
{
	static const Pmu__V1__MachineConfig plain =
		PMU__V1__MACHINE_CONFIG__INIT;
	const struct config *cfg = m->daemon->config;
	int err;

	m->config = copy(config ? &config->base : &plain.base);
	if (!m->config)
		return -ENOMEM;
	err = store_new(&m->trace, cfg->state_dir, cfg->trace_bytes);
	if (!err)
		err = store_new(&m->console, cfg->state_dir,
				CONSOLE_BYTES_DEFAULT);
	if (!err)
		err = child_spawn(&m->child, m->daemon->loop,
				  cfg->machine_program, &child_ops, m);
	return err;
}

int machine_new(struct machine **ret, struct rpc_conn *conn,
		const Pmu__V1__MachineConfig *config, const char **ret_why)
{
	struct daemon *d = rpc_server_user(rpc_conn_server(conn));
	uid_t uid = rpc_conn_peer(conn)->uid;
	struct machine *m;
	int err;

	*ret_why = "the configuration is longer than 64 KiB";
	if (config &&
	    pmu__v1__machine_config__get_packed_size(config) > CONFIG_MAX)
		return GRPC_RESOURCE_EXHAUSTED;
	m = calloc(1, sizeof(*m));
	*ret_why = strerror(ENOMEM);
	if (!m)
		return GRPC_RESOURCE_EXHAUSTED;
	m->daemon = d;
	m->owner = uid;
	if (!count(m, config, d->why)) {
		*ret_why = d->why;
		machine_free(m);
		return GRPC_RESOURCE_EXHAUSTED;
	}
	snprintf(m->id, sizeof(m->id), "m%llu",
		 (unsigned long long)++d->last_id);
	err = machine_init(m, config);
	if (err) {
		*ret_why = strerror(-err);
		machine_free(m);
		return GRPC_INTERNAL;
	}
	m->lease = conn;
	rpc_conn_hold(conn);
	m->next = d->machines;
	d->machines = m;
	*ret = m;
	return 0;
}

void machine_delete(struct machine *m)
{
	struct daemon *d = m->daemon;

	if (m->deleting)
		return; /* the end of a pending call led here again */
	m->deleting = true;
	for (struct machine **p = &d->machines; *p; p = &(*p)->next) {
		if (*p == m) {
			*p = m->next;
			break;
		}
	}
	while (m->watchers) {
		struct watcher *w = m->watchers;

		/* it may be freed, and so may be others */
		machine_unwatch(w);
		w->on_deleted(w);
	}
	machine_detach(m);
	machine_free(m);
}

struct machine *machine_find(struct rpc_call *call, const char *id)
{
	struct daemon *d = rpc_server_user(rpc_call_server(call));
	uid_t uid = rpc_conn_peer(rpc_call_conn(call))->uid;

	for (struct machine *m = d->machines; m; m = m->next) {
		if (strcmp(m->id, id) != 0)
			continue;
		if (m->owner == uid)
			return m;
		rpc_finish(call, GRPC_PERMISSION_DENIED,
			   "machine %s belongs to another user", id);
		return NULL;
	}
	rpc_finish(call, GRPC_NOT_FOUND, "no machine '%s'", id);
	return NULL;
}

void machine_describe(const struct machine *m, const Pmu__V1__MachineInfo *said,
		      Pmu__V1__MachineInfo *ret)
{
	pmu__v1__machine_info__init(ret);
	if (said)
		*ret = *said;
	ret->id = (char *)m->id;
	ret->config = m->config;
	ret->owner_uid = m->owner;
	ret->detached = !m->lease;
}

void machine_detach(struct machine *m)
{
	if (m->lease)
		rpc_conn_release(m->lease);
	m->lease = NULL;
}

bool machine_admits(struct machine *m, struct rpc_call *call)
{
	if (m->n_readers < MAX_READERS_PER_MACHINE)
		return true;
	rpc_finish(call, GRPC_RESOURCE_EXHAUSTED,
		   "machine %s has as many readers as it may", m->id);
	return false;
}

void machine_watch(struct machine *m, struct watcher *w)
{
	w->machine = m;
	w->next = m->watchers;
	m->watchers = w;
	m->n_readers++;
}

void machine_unwatch(struct watcher *w)
{
	struct machine *m = w->machine;

	for (struct watcher **p = &m->watchers; *p; p = &(*p)->next) {
		if (*p == w) {
			*p = w->next;
			m->n_readers--;
			break;
		}
	}
}

void machines_drop_lease(struct daemon *d, struct rpc_conn *conn)
{
	struct machine *next;

	for (struct machine *m = d->machines; m; m = next) {
		next = m->next;
		if (m->lease == conn)
			machine_delete(m);
	}
}
