/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * daemon/server/rpc-machines.c and the lists of this build: what a client is
 * answered, and when.
 */
#include "hosted-fixture.h"

#include <errno.h>
#include <string.h>

#include <fw/fw.h>
#include <pmu/event.h>

#include "server/daemon-limits.h"
#include "settings/settings.h"
#include "unit.h"
#include "wire/record.h"

#define STATE(name) PMU__V1__MACHINE_STATE__MACHINE_STATE_##name

/* Calls of one line: the request has a machine's id and nothing else. */
#define ASK(method, name)                                                      \
	static struct rpc_call *ask_##name(struct rpc_conn *conn,              \
					   const char *id)                     \
	{                                                                      \
		struct rpc_call *call = fixture_call(conn, METHOD_##method);   \
		Pmu__V1__##method##Request req;                                \
                                                                               \
		pmu__v1__##name##_request__init(&req);                         \
		req.machine = (char *)id;                                      \
		serve_##name(call, &req);                                      \
		return call;                                                   \
	}
ASK(GetMachine, get_machine)
ASK(DetachMachine, detach_machine)
ASK(DeleteMachine, delete_machine)
ASK(WatchMachine, watch_machine)

static const Pmu__V1__MachineInfo *got(const struct rpc_call *call)
{
	ck_assert(call->over);
	ck_assert_int_eq(call->status, GRPC_OK);
	return ((const Pmu__V1__GetMachineResponse *)call->got)->machine;
}

static const Pmu__V1__ListMachinesResponse *list(struct rpc_conn *conn)
{
	Pmu__V1__ListMachinesRequest req = PMU__V1__LIST_MACHINES_REQUEST__INIT;
	struct rpc_call *call = fixture_call(conn, METHOD_ListMachines);

	serve_list_machines(call, &req);
	ck_assert(call->over && call->status == GRPC_OK);
	return (const Pmu__V1__ListMachinesResponse *)call->got;
}

TEST(a_list_is_of_the_callers_machines)
{
	fixture_machine(&alice, false);
	fixture_machine(&bob, false);
	fixture_machine(&alice, true);
	ck_assert_uint_eq(list(&alice)->n_machines, 2);
	ck_assert_str_eq(list(&alice)->machines[0]->id, "m3");
	ck_assert(list(&alice)->machines[0]->detached);
	ck_assert_str_eq(list(&alice)->machines[1]->id, "m1");
	ck_assert(!list(&alice)->machines[1]->detached);
	ck_assert_uint_eq(list(&bob)->n_machines, 1);
	ck_assert_str_eq(list(&bob)->machines[0]->id, "m2");
}

/* It would come back, much larger, in each answer. */
TEST(what_nobody_knows_is_not_kept)
{
	static uint8_t zero[1];
	ProtobufCMessageUnknownField unknown = {
		.tag = 99,
		.wire_type = PROTOBUF_C_WIRE_TYPE_VARINT,
		.len = 1,
		.data = zero,
	};
	struct rpc_call *call = fixture_call(&alice, METHOD_CreateMachine);
	Pmu__V1__CreateMachineRequest req =
		PMU__V1__CREATE_MACHINE_REQUEST__INIT;
	Pmu__V1__MachineConfig cfg = PMU__V1__MACHINE_CONFIG__INIT;
	Pmu__V1__Recording recording = PMU__V1__RECORDING__INIT;
	Pmu__V1__Setting setting = PMU__V1__SETTING__INIT, *list_of = &setting;
	Pmu__V1__Sampler sampler = PMU__V1__SAMPLER__INIT, *samplers = &sampler;
	ProtobufCMessage *const all[] = { &cfg.base, &recording.base,
					  &setting.base, &sampler.base };
	const Pmu__V1__MachineInfo *m;

	for (int i = 0; i < 4; i++) {
		all[i]->n_unknown_fields = 1;
		all[i]->unknown_fields = &unknown;
	}
	setting.key = (char *)"cpi";
	cfg.settings = &list_of;
	recording.samplers = &samplers;
	cfg.n_settings = recording.n_samplers = 1;
	req.config = &cfg;
	req.recording = &recording;
	req.detach = true;
	serve_create_machine(call, &req);
	fixture_state(STATE(NEW));
	m = list(&alice)->machines[0];
	ck_assert_uint_eq(m->config->base.n_unknown_fields, 0);
	ck_assert_uint_eq(m->config->settings[0]->base.n_unknown_fields, 0);
	ck_assert_str_eq(m->config->settings[0]->key, "cpi");
	ck_assert_uint_eq(m->recording->base.n_unknown_fields, 0);
	ck_assert_uint_eq(m->recording->samplers[0]->base.n_unknown_fields, 0);
}

/* It would run without its records. */
TEST(a_machine_that_cannot_be_told_what_to_store_is_not_created)
{
	struct rpc_call *call = fixture_call(&alice, METHOD_CreateMachine);
	Pmu__V1__CreateMachineRequest req =
		PMU__V1__CREATE_MACHINE_REQUEST__INIT;
	Pmu__V1__Recording recording = PMU__V1__RECORDING__INIT;

	recording.traps = true;
	req.recording = &recording;
	serve_create_machine(call, &req);
	child->busy = true;
	fixture_state(STATE(NEW));
	ck_assert(call->over);
	ck_assert_int_eq(call->status, GRPC_UNAVAILABLE);
	ck_assert_uint_eq(list(&alice)->n_machines, 0);
}

TEST(watchers_are_told_of_what_is_new)
{
	Pmu__V1__MachineInfo said = PMU__V1__MACHINE_INFO__INIT;
	struct rpc_call *call;

	fixture_machine(&alice, true);
	call = ask_watch_machine(&alice, "m1");
	ck_assert_uint_eq(call->sent, 1);
	said.state = STATE(PAUSED);
	for (int i = 0; i < 3; i++)
		child->cfg.ops->notice(child->cfg.owner, &said);
	ck_assert_uint_eq(call->sent, 2);
	said.insn = 1;
	child->cfg.ops->notice(child->cfg.owner, &said);
	ck_assert_uint_eq(call->sent, 3);
}

/* What a process said last may be old; its clock stands beside its records. */
TEST(a_list_says_how_far_machines_are)
{
	Pmu__V1__MachineInfo said = PMU__V1__MACHINE_INFO__INIT;

	fixture_machine(&alice, false);
	said.insn = 10;
	said.cycle = 20;
	child->cfg.ops->notice(child->cfg.owner, &said);
	child->insn = 11;
	child->cycle = 19;
	ck_assert_uint_eq(list(&alice)->machines[0]->insn, 11);
	ck_assert_uint_eq(list(&alice)->machines[0]->cycle, 20);
}

TEST(a_machine_that_lives_is_asked)
{
	Pmu__V1__GetMachineResponse answer =
		PMU__V1__GET_MACHINE_RESPONSE__INIT;
	Pmu__V1__MachineInfo info = PMU__V1__MACHINE_INFO__INIT;
	struct rpc_call *call;

	fixture_machine(&alice, false);
	call = ask_get_machine(&alice, "m1");
	ck_assert(!call->over);
	info.state = STATE(PAUSED);
	answer.machine = &info;
	fixture_answer(&answer.base);
	ck_assert_int_eq(got(call)->state, STATE(PAUSED));
	ck_assert_str_eq(got(call)->id, "m1");
	ck_assert_int_eq(list(&alice)->machines[0]->state, STATE(PAUSED));
}

TEST(of_one_that_has_died_the_last_is_told)
{
	struct rpc_call *call;

	fixture_machine(&alice, false);
	fixture_die(child, "killed by signal 9");
	child->cycle = 5;
	call = ask_get_machine(&alice, "m1");
	ck_assert_int_eq(got(call)->state, STATE(CRASHED));
	ck_assert_str_eq(got(call)->detail, "killed by signal 9");
	ck_assert_uint_eq(got(call)->cycle, 5);
	ck_assert_uint_eq(child->n_asked, 1); /* Configure */
}

TEST(what_is_anothers_is_refused_everywhere)
{
	struct rpc_call *refused[4];

	fixture_machine(&alice, false);
	refused[0] = ask_get_machine(&bob, "m1");
	refused[1] = ask_detach_machine(&bob, "m1");
	refused[2] = ask_delete_machine(&bob, "m1");
	refused[3] = ask_watch_machine(&bob, "m1");
	for (int i = 0; i < 4; i++) {
		ck_assert(refused[i]->over);
		ck_assert_int_eq(refused[i]->status, GRPC_PERMISSION_DENIED);
		ck_assert_uint_eq(refused[i]->sent, 0);
	}
	ck_assert_uint_eq(list(&alice)->n_machines, 1);
	ck_assert(!list(&alice)->machines[0]->detached);
}

TEST(a_detached_machine_outlives_its_connection)
{
	struct rpc_call *call;

	fixture_machine(&alice, false);
	call = ask_detach_machine(&alice, "m1");
	ck_assert(call->over && call->status == GRPC_OK);
	ck_assert_uint_eq(alice.holds, 0);
	hosted_drop_lease(&pmud, &alice);
	ck_assert_uint_eq(list(&alice)->n_machines, 1);
	ck_assert(list(&alice)->machines[0]->detached);
}

TEST(a_deletion_is_answered_when_nothing_is_left)
{
	struct rpc_call *call, *again;

	fixture_machine(&alice, false);
	call = ask_delete_machine(&alice, "m1");
	ck_assert(!call->over);
	ck_assert_uint_eq(list(&alice)->n_machines, 0);
	again = ask_delete_machine(&alice, "m1");
	ck_assert_int_eq(again->status, GRPC_NOT_FOUND);
	child->ended(child->cfg.owner);
	ck_assert(call->over && call->status == GRPC_OK);
	ck_assert_uint_eq(call->sent, 1);
}

TEST(a_deletion_that_nobody_waits_for_goes_on)
{
	struct rpc_call *call;

	fixture_machine(&alice, false);
	call = ask_delete_machine(&alice, "m1");
	fixture_cancel(call);
	child->ended(child->cfg.owner);
	ck_assert_uint_eq(call->sent, 0);
	ck_assert_ptr_null(SLIST_FIRST(&pmud.leaving));
}

static int state_in(const struct rpc_call *call)
{
	return ((const Pmu__V1__WatchMachineResponse *)call->got)
		->machine->state;
}

static void notice(Pmu__V1__MachineState state)
{
	Pmu__V1__MachineInfo said = PMU__V1__MACHINE_INFO__INIT;

	said.state = state;
	child->cfg.ops->notice(child->cfg.owner, &said);
}

TEST(a_watcher_is_told_the_state_and_each_change)
{
	struct rpc_call *call;

	fixture_machine(&alice, false);
	call = ask_watch_machine(&alice, "m1");
	ck_assert_uint_eq(call->sent, 1);
	ck_assert_int_eq(state_in(call), STATE(NEW));
	notice(STATE(RUNNING));
	ck_assert_uint_eq(call->sent, 2);
	ck_assert_int_eq(state_in(call), STATE(RUNNING));
	hosted_hold(SLIST_FIRST(&pmud.machines), -ENOSPC);
	ck_assert_uint_eq(call->sent, 3);
	hosted_hold(SLIST_FIRST(&pmud.machines),
		    -ENOSPC); /* that is no change */
	ck_assert_uint_eq(call->sent, 3);
	fixture_die(child, "killed");
	ck_assert_uint_eq(call->sent, 4);
	ck_assert_int_eq(state_in(call), STATE(CRASHED));
	ck_assert(!call->over);
	hosted_delete(SLIST_FIRST(&pmud.machines), NULL);
	ck_assert(call->over && call->status == GRPC_OK);
	ck_assert_uint_eq(call->sent, 4);
}

TEST(a_watcher_that_is_too_slow_is_left)
{
	struct rpc_call *call, *other;

	fixture_machine(&alice, false);
	other = ask_watch_machine(&alice, "m1");
	call = ask_watch_machine(&alice, "m1");
	call->slow = -ENOBUFS;
	notice(STATE(RUNNING));
	ck_assert(call->over);
	ck_assert_int_eq(call->status, GRPC_RESOURCE_EXHAUSTED);
	ck_assert_str_eq(call->reason, "READER_TOO_SLOW");
	ck_assert_uint_eq(other->sent, 2);
	notice(STATE(PAUSED));
	ck_assert_uint_eq(other->sent, 3);
}

TEST(a_watcher_that_goes_is_told_nothing_more)
{
	struct rpc_call *call;

	fixture_machine(&alice, false);
	call = ask_watch_machine(&alice, "m1");
	fixture_cancel(call);
	notice(STATE(RUNNING));
	ck_assert_uint_eq(call->sent, 1);
	ck_assert_uint_eq(SLIST_FIRST(&pmud.machines)->n_readers, 0);
}

TEST(a_machine_has_so_many_readers)
{
	struct rpc_call *first = NULL, *call;

	fixture_machine(&alice, false);
	for (int i = 0; i < MAX_READERS_PER_MACHINE; i++) {
		call = ask_watch_machine(&alice, "m1");
		first = first ? first : call;
		ck_assert(!call->over);
	}
	call = ask_watch_machine(&alice, "m1");
	ck_assert(call->over);
	ck_assert_str_eq(call->reason, "READERS_LIMIT");
	fixture_cancel(first);
	call = ask_watch_machine(&alice, "m1");
	ck_assert(!call->over);
}

/* Lists of this build */

TEST(every_setting_is_listed_as_it_is)
{
	Pmu__V1__ListSettingsRequest req = PMU__V1__LIST_SETTINGS_REQUEST__INIT;
	struct rpc_call *call = fixture_call(&alice, METHOD_ListSettings);
	const Pmu__V1__ListSettingsResponse *answer;
	struct settings_row row;

	serve_list_settings(call, &req);
	ck_assert(call->over && call->status == GRPC_OK);
	answer = (const Pmu__V1__ListSettingsResponse *)call->got;
	ck_assert_uint_eq(answer->n_settings, settings_count());
	for (size_t i = 0; i < answer->n_settings; i++) {
		settings_row(i, &row);
		ck_assert_str_eq(answer->settings[i]->key, row.key);
		if (row.initial)
			ck_assert_str_eq(answer->settings[i]->default_value,
					 row.initial);
		ck_assert_ptr_nonnull(answer->settings[i]->default_value);
		ck_assert_int_eq(answer->settings[i]->host_only, row.host_only);
		ck_assert_str_ne(answer->settings[i]->values, "");
		ck_assert_str_ne(answer->settings[i]->help, "");
	}
}

TEST(every_event_is_listed_as_it_is)
{
	Pmu__V1__ListEventsRequest req = PMU__V1__LIST_EVENTS_REQUEST__INIT;
	struct rpc_call *call = fixture_call(&alice, METHOD_ListEvents);
	const Pmu__V1__ListEventsResponse *answer;

	serve_list_events(call, &req);
	ck_assert(call->over && call->status == GRPC_OK);
	answer = (const Pmu__V1__ListEventsResponse *)call->got;
	ck_assert_uint_eq(answer->n_events, PMU_N_EVENTS + FW_N_EVENTS);
	for (unsigned i = 0; i < PMU_N_EVENTS; i++) {
		const struct pmu_event_desc *d =
			pmu_event_desc((enum pmu_event)i);

		ck_assert_str_eq(answer->events[i]->name, d->name);
		ck_assert_str_eq(answer->events[i]->counts, d->counts);
		ck_assert_str_eq(answer->events[i]->rule, d->rule);
		ck_assert_uint_eq(answer->events[i]->selector, d->selector);
		ck_assert_int_eq(answer->events[i]->kind,
				 PMU__V1__EVENT_KIND__EVENT_KIND_HARDWARE);
	}
	for (unsigned i = 0; i < FW_N_EVENTS; i++) {
		const Pmu__V1__Event *e = answer->events[PMU_N_EVENTS + i];

		ck_assert_str_eq(e->name, fw_event_desc(i)->name);
		ck_assert_str_eq(e->counts, fw_event_desc(i)->counts);
		ck_assert_str_eq(e->rule, fw_event_desc(i)->rule);
		ck_assert_uint_eq(e->selector,
				  0xf0000 + fw_event_desc(i)->code);
		ck_assert_int_eq(e->kind,
				 PMU__V1__EVENT_KIND__EVENT_KIND_FIRMWARE);
	}
}

TEST(a_version_names_the_protocol)
{
	Pmu__V1__GetVersionRequest req = PMU__V1__GET_VERSION_REQUEST__INIT;
	struct rpc_call *call = fixture_call(&alice, METHOD_GetVersion);
	const Pmu__V1__GetVersionResponse *answer;

	serve_get_version(call, &req);
	ck_assert(call->over && call->status == GRPC_OK);
	answer = (const Pmu__V1__GetVersionResponse *)call->got;
	ck_assert_str_eq(answer->protocol, "pmu.v1");
	ck_assert_uint_eq(answer->trace_version, RECORD_TRACE_VERSION);
	ck_assert_str_ne(answer->version, "");
}

SUITE("rpc-machines", .setup = fixture_begin, .teardown = fixture_end);
