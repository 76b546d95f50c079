/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How a hosted machine comes to be: what may be asked for, what of it counts
 * for its user, and what there is before its process is configured. Where one
 * of these fails, nothing is left.
 */
#include "hosted-inside.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "settings/footprint.h"
#include "daemon-limits.h"
#include "wire/cleanup.h"
#include "wire/message.h"

_Static_assert(SETTINGS_MOST == 4096, "a text below says so");

CLEANUP_POINTER(hosted, struct hosted, hosted_free)

/*
 * A setting that is wrong counts as not made: the machine's process will refuse
 * it.
 */
static void read_settings(const Pmu__V1__MachineConfig *config,
			  struct settings *ret)
{
	char why[SETTINGS_ERROR];

	if (config && config->recorded)
		settings_init_recorded(ret);
	else
		settings_init(ret);
	for (size_t i = 0; config && i < config->n_settings; i++)
		(void)settings_set(ret, config->settings[i]->key,
				   config->settings[i]->value, why);
}

/* What a machine so configured can come to use. */
static uint64_t memory_of(const Pmu__V1__MachineConfig *config,
			  const struct settings *s)
{
	uint64_t memory = config ? config->memory_bytes : 0;

	return footprint(memory <= FOOTPRINT_MAX_MEMORY ? memory : 0,
			 config ? config->harts : 0, s);
}

/* Counts @m for its owner. False: it is one too many, @ret_why says why. */
static bool count(struct hosted *m, const Pmu__V1__MachineConfig *config,
		  char ret_why[QUOTA_WHY])
{
	struct quota *q = m->daemon->quota;
	struct settings s;
	uint64_t memory;

	read_settings(config, &s);
	memory = memory_of(config, &s);
	m->has_serial = s.serial;
	m->counted = quota_take(q, QUOTA_MACHINES, m->owner, 1, ret_why);
	if (!m->counted ||
	    !quota_take(q, QUOTA_MEMORY, m->owner, memory, ret_why))
		return false;
	m->memory = memory;
	return true;
}

/* Fills a new machine; 0 or a negated errno. */
static int hosted_init(struct hosted *m,
		       const Pmu__V1__CreateMachineRequest *req)
{
	static const Pmu__V1__MachineConfig plain =
		PMU__V1__MACHINE_CONFIG__INIT;
	int err;

	pmu__v1__recording__init(&m->records);
	if (req->recording) {
		m->recording = message_copy(&req->recording->base);
		if (!m->recording)
			return -ENOMEM;
		message_forget_unknown(&m->recording->base);
		m->records = *m->recording;
	}
	m->config =
		message_copy(req->config ? &req->config->base : &plain.base);
	if (!m->config)
		return -ENOMEM;
	/* each answer about it would have it in it */
	message_forget_unknown(&m->config->base);
	err = hosted_make_stores(m);
	return err ? err : hosted_spawn(m);
}

static bool check_recording(const Pmu__V1__Recording *r, struct rpc_at *ret_at,
			    const char **ret_why)
{
	if (r->trace_bytes && r->trace_bytes < TRACE_BYTES_LEAST) {
		*ret_at = RPC_AT("recording.trace_bytes", "BAD_VALUE");
		*ret_why = "a stored trace has room for 1 MiB at least";
		return false;
	}
	*ret_at = RPC_AT("recording.when_full", "UNKNOWN_VALUE");
	*ret_why = "when_full has no such value";
	return protobuf_c_enum_descriptor_get_value(
		&pmu__v1__when_full__descriptor, (int)r->when_full);
}

int hosted_new(struct hosted **ret, struct rpc_conn *conn,
	       const Pmu__V1__CreateMachineRequest *req, struct rpc_at *ret_at,
	       const char **ret_why)
{
	struct daemon *d = rpc_server_user(rpc_conn_server(conn));
	uid_t uid = rpc_conn_peer(conn)->uid;
	struct hosted *m CLEANUP(hosted) = NULL;
	int err;

	*ret_why = "the configuration is longer than 64 KiB";
	*ret_at = RPC_AT("config", "CONFIG_TOO_LONG");
	if (req->config &&
	    pmu__v1__machine_config__get_packed_size(req->config) > CONFIG_MAX)
		return GRPC_RESOURCE_EXHAUSTED;
	*ret_why = "config.settings: more than 4096 settings";
	*ret_at = RPC_AT("config.settings", "TOO_MANY");
	if (req->config && req->config->n_settings > SETTINGS_MOST)
		return GRPC_INVALID_ARGUMENT;
	*ret_why = "the configuration is longer than 64 KiB";
	*ret_at = RPC_AT("recording", "CONFIG_TOO_LONG");
	if (req->recording &&
	    pmu__v1__recording__get_packed_size(req->recording) > CONFIG_MAX)
		return GRPC_RESOURCE_EXHAUSTED;
	if (req->recording && !check_recording(req->recording, ret_at, ret_why))
		return GRPC_INVALID_ARGUMENT;
	m = calloc(1, sizeof(*m));
	*ret_why = strerror(ENOMEM);
	*ret_at = RPC_AT(NULL, "OUT_OF_MEMORY");
	if (!m)
		return GRPC_RESOURCE_EXHAUSTED;
	m->daemon = d;
	m->owner = uid;
	m->kept = -1;
	if (!count(m, req->config, d->why)) {
		*ret_why = d->why;
		*ret_at = m->counted ? RPC_AT("config.memory_bytes",
					      "MEMORY_LIMIT")
				     : RPC_AT(NULL, "MACHINES_LIMIT");
		return GRPC_RESOURCE_EXHAUSTED;
	}
	snprintf(m->id, sizeof(m->id), "m%llu",
		 (unsigned long long)++d->last_id);
	err = hosted_init(m, req);
	if (err) {
		*ret_why = strerror(-err);
		*ret_at = RPC_AT(NULL, "HOST_FAILED");
		return GRPC_INTERNAL;
	}
	m->lease = conn;
	rpc_conn_hold(conn);
	hosted_list(m);
	*ret = pointer_take(&m);
	return 0;
}
