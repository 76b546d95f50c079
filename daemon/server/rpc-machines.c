/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * MachineService, as far as it is more than forwarding: creating, watching,
 * listing, detaching and deleting. Uploads are in rpc-upload.c, the console in
 * rpc-streams.c.
 */
#include <assert.h>
#include <stdlib.h>

#include "settings/isa-string.h"
#include "settings/settings-fields.h"
#include "settings/settings.h"
#include "daemon-limits.h"
#include "hosted-new.h"
#include "rpc-forward.h"
#include "rpc-services.h"
#include "wire/cleanup.h"

enum {
	/* of those that a configuration has by default, and of each other */
	WORK_SETTINGS = 8 << 10,
	WORK_SETTING = 512,
};

/* CreateMachine: a machine that cannot be configured does not stay. */
struct creation {
	struct hosted *machine;
	struct rpc_call *call;
	uint64_t id;
};

static void creation_cancel(struct rpc_call *call, void *data)
{
	struct creation *c = data;
	struct hosted *m = c->machine;

	child_forget(m->child, c->id);
	free(c);
	hosted_delete(m, NULL);
}

static const struct rpc_call_ops creation_ops = {
	.on_cancel = creation_cancel,
};

static void answer_created(struct rpc_call *call, struct hosted *m,
			   const Pmu__V1__MachineInfo *said)
{
	Pmu__V1__CreateMachineResponse answer =
		PMU__V1__CREATE_MACHINE_RESPONSE__INIT;
	Pmu__V1__MachineInfo info;

	hosted_update(m, said);
	hosted_describe(m, said, &info);
	answer.machine = &info;
	rpc_reply(call, &answer.base);
}

/* Before anything can start it. False: it takes no more requests. */
static bool record_chosen(struct hosted *m, struct child_reply *ret_refusal)
{
	if (!recorded_stored(&m->records))
		return true;
	return hosted_record(m, NULL, NULL, ret_refusal);
}

static void on_configured(void *arg, const struct child_reply *reply)
{
	struct creation *c = arg;
	struct hosted *m = c->machine;
	struct rpc_call *call = c->call;

	struct child_reply unsent;

	free(c);
	rpc_call_watch(call, NULL, NULL);
	if (reply->code != GRPC_OK) {
		forward_refuse(call, reply);
		hosted_delete(m, NULL);
	} else if (!record_chosen(m, &unsent)) {
		forward_refuse(call, &unsent);
		hosted_delete(m, NULL);
	} else {
		answer_created(call, m, *reply->machine);
	}
}

static bool configure(struct creation *c, struct child_reply *ret_refusal)
{
	Pmu__Internal__ConfigureRequest configure =
		PMU__INTERNAL__CONFIGURE_REQUEST__INIT;
	const struct child_request request = {
		.method = METHOD_Configure,
		.message = &configure.base,
	};

	configure.config = c->machine->config;
	configure.recording = &c->machine->records;
	c->id = child_call(c->machine->child, &request, on_configured, c,
			   ret_refusal);
	return c->id != 0;
}

void serve_create_machine(struct rpc_call *call,
			  const Pmu__V1__CreateMachineRequest *req)
{
	struct creation *c CLEANUP(free) = calloc(1, sizeof(*c));
	struct child_reply unsent;
	struct refusal no;

	/* too many are not read at all */
	if (req->config && req->config->n_settings <= SETTINGS_MOST)
		rpc_call_work(call, WORK_SETTINGS + req->config->n_settings *
							    WORK_SETTING);
	if (!c) {
		rpc_refuse(call, GRPC_RESOURCE_EXHAUSTED,
			   RPC_AT(NULL, "OUT_OF_MEMORY"), "out of memory");
		return;
	}
	if (!hosted_new(&c->machine, rpc_call_conn(call), req, &no)) {
		rpc_refuse(call, no.status, no.at, "%s", no.why);
		return;
	}
	if (req->detach)
		hosted_detach(c->machine);
	c->call = call;
	if (configure(c, &unsent)) {
		rpc_call_watch(call, &creation_ops, pointer_take(&c));
		return;
	}
	forward_refuse(call, &unsent);
	hosted_delete(c->machine, NULL);
}

/* Its own last word may be old; how far it is stands beside its records. */
static void describe_now(const struct hosted *m, Pmu__V1__MachineInfo *ret)
{
	uint64_t insn, cycle;

	hosted_describe(m, m->info, ret);
	child_progress(m->child, &insn, &cycle);
	if (insn > ret->insn)
		ret->insn = insn;
	if (cycle > ret->cycle)
		ret->cycle = cycle;
}

void serve_get_machine(struct rpc_call *call,
		       const Pmu__V1__GetMachineRequest *req)
{
	struct hosted *m = hosted_find(call, req->machine);
	Pmu__V1__GetMachineResponse answer =
		PMU__V1__GET_MACHINE_RESPONSE__INIT;
	Pmu__V1__MachineInfo info;

	if (!m)
		return;
	if (child_alive(m->child)) {
		forward(call, m, METHOD_GetMachine);
		return;
	}
	describe_now(m, &info);
	answer.machine = &info;
	rpc_reply(call, &answer.base);
}

void serve_list_machines(struct rpc_call *call,
			 const Pmu__V1__ListMachinesRequest *req)
{
	struct daemon *d = rpc_server_user(rpc_call_server(call));
	uid_t uid = rpc_conn_peer(rpc_call_conn(call))->uid;
	Pmu__V1__ListMachinesResponse answer =
		PMU__V1__LIST_MACHINES_RESPONSE__INIT;
	Pmu__V1__MachineInfo info[MAX_MACHINES], *rows[MAX_MACHINES];
	struct hosted *m;

	SLIST_FOREACH(m, &d->machines, next) {
		size_t i = answer.n_machines;

		if (m->owner != uid)
			continue;
		describe_now(m, &info[i]);
		rows[i] = &info[i];
		answer.n_machines++;
	}
	answer.machines = rows;
	rpc_reply(call, &answer.base);
}

void serve_detach_machine(struct rpc_call *call,
			  const Pmu__V1__DetachMachineRequest *req)
{
	struct hosted *m = hosted_find(call, req->machine);
	Pmu__V1__DetachMachineResponse answer =
		PMU__V1__DETACH_MACHINE_RESPONSE__INIT;

	if (!m)
		return;
	hosted_detach(m);
	rpc_reply(call, &answer.base);
}

void serve_delete_machine(struct rpc_call *call,
			  const Pmu__V1__DeleteMachineRequest *req)
{
	struct hosted *m = hosted_find(call, req->machine);

	if (m)
		hosted_delete(m, call);
}

struct watching {
	struct watcher watcher; /* first: found again from it */
	struct rpc_call *call;
};

static void watching_end(struct watching *w)
{
	hosted_unwatch(&w->watcher);
	free(w);
}

static void watching_cancel(struct rpc_call *call, void *data)
{
	watching_end(data);
}

static const struct rpc_call_ops watching_ops = {
	.on_cancel = watching_cancel,
};

static void watching_change(struct watcher *watcher)
{
	struct watching *w = (struct watching *)watcher;
	Pmu__V1__WatchMachineResponse answer =
		PMU__V1__WATCH_MACHINE_RESPONSE__INIT;
	Pmu__V1__MachineInfo info;
	struct rpc_call *call = w->call;

	hosted_describe(watcher->machine, watcher->machine->info, &info);
	answer.machine = &info;
	if (rpc_send(call, &answer.base) >= 0)
		return;
	watching_end(w);
	rpc_call_watch(call, NULL, NULL);
	rpc_refuse(call, GRPC_RESOURCE_EXHAUSTED,
		   RPC_AT(NULL, "READER_TOO_SLOW"), "the watcher is too slow");
}

static void watching_deleted(struct watcher *watcher)
{
	struct watching *w = (struct watching *)watcher;
	struct rpc_call *call = w->call;

	watching_end(w);
	rpc_call_watch(call, NULL, NULL);
	rpc_finish(call, GRPC_OK, NULL);
}

void serve_watch_machine(struct rpc_call *call,
			 const Pmu__V1__WatchMachineRequest *req)
{
	struct hosted *m = hosted_find(call, req->machine);
	struct watching *w;

	if (!m || !hosted_admits(m, call))
		return;
	w = calloc(1, sizeof(*w));
	if (!w) {
		rpc_refuse(call, GRPC_RESOURCE_EXHAUSTED,
			   RPC_AT(NULL, "OUT_OF_MEMORY"), "out of memory");
		return;
	}
	w->call = call;
	w->watcher.on_change = watching_change;
	w->watcher.on_deleted = watching_deleted;
	hosted_watch(m, &w->watcher);
	rpc_call_watch(call, &watching_ops, w);
	watching_change(&w->watcher);
}

enum {
	SETTING_ROWS_MAX = 96,
	VALUES_TEXT = 160
};

static void describe_setting(const struct settings_row *row, char isa[ISA_TEXT],
			     char values[VALUES_TEXT],
			     Pmu__V1__SettingInfo *ret)
{
	pmu__v1__setting_info__init(ret);
	ret->key = (char *)row->key;
	ret->help = (char *)row->help;
	ret->default_value = (char *)settings_initial(row, isa);
	ret->values = (char *)settings_values(row, values, VALUES_TEXT);
	ret->host_only = row->host_only;
}

void serve_list_settings(struct rpc_call *call,
			 const Pmu__V1__ListSettingsRequest *req)
{
	Pmu__V1__ListSettingsResponse answer =
		PMU__V1__LIST_SETTINGS_RESPONSE__INIT;
	Pmu__V1__SettingInfo info[SETTING_ROWS_MAX], *rows[SETTING_ROWS_MAX];
	char values[SETTING_ROWS_MAX][VALUES_TEXT];
	char isa[ISA_TEXT]; /* of the one row that has an ISA string */
	struct settings_row row;
	size_t n = 0;

	answer.n_settings = settings_count();
	assert(answer.n_settings <= SETTING_ROWS_MAX);
	for (; n < answer.n_settings; n++) {
		settings_row(n, &row);
		rows[n] = &info[n];
		describe_setting(&row, isa, values[n], rows[n]);
	}
	answer.settings = rows;
	answer.fields = rows + n;
	for (; settings_fields[answer.n_fields].key; n++) {
		assert(n < SETTING_ROWS_MAX);
		rows[n] = &info[n];
		describe_setting(&settings_fields[answer.n_fields++], isa,
				 values[n], rows[n]);
	}
	rpc_reply(call, &answer.base);
}
