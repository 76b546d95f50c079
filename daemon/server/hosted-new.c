/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How a hosted machine comes to be: what may be asked for, what of it counts
 * for its user, and what there is before its process is configured. Where one
 * of these fails, nothing is left.
 */
#include "hosted-new.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "settings/footprint.h"
#include "daemon-limits.h"
#include "hosted-inside.h"
#include "wire/cleanup.h"
#include "wire/message.h"

CLEANUP_POINTER(hosted, struct hosted, hosted_free)

static bool refuse(struct refusal *ret, enum grpc_status status,
		   struct rpc_at at, const char *text, ...)
	__attribute__((format(printf, 4, 5)));

/* Returns false. */
static bool refuse(struct refusal *ret, enum grpc_status status,
		   struct rpc_at at, const char *text, ...)
{
	va_list ap;

	ret->status = status;
	ret->at = at;
	va_start(ap, text);
	vsnprintf(ret->why, sizeof(ret->why), text, ap);
	va_end(ap);
	return false;
}

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

/* Counts @m for its owner. False: it is one too many. */
static bool count(struct hosted *m, const Pmu__V1__MachineConfig *config,
		  struct refusal *ret_refusal)
{
	struct quota *q = m->daemon->quota;
	struct settings s;
	uint64_t memory;
	char why[QUOTA_WHY];

	read_settings(config, &s);
	memory = memory_of(config, &s);
	m->has_serial = s.serial;
	m->counted = quota_take(q, QUOTA_MACHINES, m->owner, 1, why);
	if (!m->counted)
		return refuse(ret_refusal, GRPC_RESOURCE_EXHAUSTED,
			      RPC_AT(NULL, "MACHINES_LIMIT"), "%s", why);
	if (!quota_take(q, QUOTA_MEMORY, m->owner, memory, why))
		return refuse(ret_refusal, GRPC_RESOURCE_EXHAUSTED,
			      RPC_AT("config.memory_bytes", "MEMORY_LIMIT"),
			      "%s", why);
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

/* The machine's process takes no more in one message. */
static bool check_length(const char *field, const ProtobufCMessage *part,
			 struct refusal *ret_refusal)
{
	size_t len = protobuf_c_message_get_packed_size(part);

	return len <= CONFIG_MAX ||
	       refuse(ret_refusal, GRPC_RESOURCE_EXHAUSTED,
		      RPC_AT(field, "CONFIG_TOO_LONG"),
		      "%s: must be at most %d bytes, not %zu", field,
		      CONFIG_MAX, len);
}

static bool check_config(const Pmu__V1__MachineConfig *c,
			 struct refusal *ret_refusal)
{
	if (!check_length("config", &c->base, ret_refusal))
		return false;
	if (c->n_settings > SETTINGS_MOST)
		return refuse(ret_refusal, GRPC_INVALID_ARGUMENT,
			      RPC_AT("config.settings", "TOO_MANY"),
			      "config.settings: must be at most %d, not %zu",
			      SETTINGS_MOST, c->n_settings);
	return true;
}

static bool check_recording(const Pmu__V1__Recording *r,
			    struct refusal *ret_refusal)
{
	if (!check_length("recording", &r->base, ret_refusal))
		return false;
	if (r->trace_bytes && r->trace_bytes < TRACE_BYTES_LEAST)
		return refuse(ret_refusal, GRPC_INVALID_ARGUMENT,
			      RPC_AT("recording.trace_bytes", "BAD_VALUE"),
			      "recording.trace_bytes: must be at least %u, not "
			      "%" PRIu64,
			      TRACE_BYTES_LEAST, r->trace_bytes);
	if (!protobuf_c_enum_descriptor_get_value(
		    &pmu__v1__when_full__descriptor, (int)r->when_full))
		return refuse(ret_refusal, GRPC_INVALID_ARGUMENT,
			      RPC_AT("recording.when_full", "UNKNOWN_VALUE"),
			      "recording.when_full: must be a value of "
			      "WhenFull, not %d",
			      (int)r->when_full);
	return true;
}

static bool check(const Pmu__V1__CreateMachineRequest *req,
		  struct refusal *ret_refusal)
{
	return (!req->config || check_config(req->config, ret_refusal)) &&
	       (!req->recording ||
		check_recording(req->recording, ret_refusal));
}

bool hosted_new(struct hosted **ret, struct rpc_conn *conn,
		const Pmu__V1__CreateMachineRequest *req,
		struct refusal *ret_refusal)
{
	struct hosted *m CLEANUP(hosted) = NULL;
	int err;

	if (!check(req, ret_refusal))
		return false;
	m = calloc(1, sizeof(*m));
	if (!m)
		return refuse(ret_refusal, GRPC_RESOURCE_EXHAUSTED,
			      RPC_AT(NULL, "OUT_OF_MEMORY"), "out of memory");
	m->daemon = rpc_server_user(rpc_conn_server(conn));
	m->owner = rpc_conn_peer(conn)->uid;
	m->kept = -1;
	if (!count(m, req->config, ret_refusal))
		return false;
	snprintf(m->id, sizeof(m->id), "m%" PRIu64, ++m->daemon->last_id);
	err = hosted_init(m, req);
	if (err)
		return refuse(ret_refusal, GRPC_INTERNAL,
			      RPC_AT(NULL, "HOST_FAILED"), "%s",
			      strerror(-err));
	m->lease = conn;
	rpc_conn_hold(conn);
	hosted_list(m);
	*ret = pointer_take(&m);
	return true;
}
