/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * daemon/server/hosted.c: how a machine comes to be, whose it is, what is told
 * of it, and that nothing is left of it.
 */
#include "hosted-fixture.h"

#include <errno.h>
#include <string.h>

#include "server/daemon-limits.h"
#include "settings/settings.h"
#include "unit.h"

#define STATE(name) PMU__V1__MACHINE_STATE__MACHINE_STATE_##name

TEST(a_machine_is_its_creators_and_as_it_was_wanted)
{
	Pmu__V1__CreateMachineRequest req =
		PMU__V1__CREATE_MACHINE_REQUEST__INIT;
	Pmu__V1__MachineConfig cfg = PMU__V1__MACHINE_CONFIG__INIT;
	const Pmu__Internal__ConfigureRequest *asked;
	const Pmu__V1__MachineInfo *info;
	struct rpc_call *call;

	cfg.harts = 5;
	req.config = &cfg;
	call = fixture_create(&alice, &req);
	ck_assert(!call->over);
	ck_assert_uint_eq(child->cfg.user, alice.peer.uid);
	ck_assert_str_eq(child->cfg.program, "/played");
	ck_assert_int_eq(child->asked, METHOD_Configure);
	asked = (const Pmu__Internal__ConfigureRequest *)child->request;
	ck_assert_uint_eq(asked->config->harts, 5);
	fixture_state(STATE(NEW));
	info = fixture_created(call);
	ck_assert_str_eq(info->id, "m1");
	ck_assert_uint_eq(info->owner_uid, alice.peer.uid);
	ck_assert_uint_eq(info->config->harts, 5);
	ck_assert(!info->detached);
	ck_assert_uint_eq(alice.holds, 1);
	ck_assert_uint_eq(child->n_asked, 1); /* nothing is to be recorded */
	ck_assert_uint_eq(quota_held(pmud.quota, QUOTA_MACHINES, 1000), 1);
	ck_assert_uint_gt(quota_held(pmud.quota, QUOTA_MEMORY, 1000), 0);
}

TEST_TIMES(what_is_to_be_stored_is_said_before_the_start, 5)
{
	Pmu__V1__CreateMachineRequest req =
		PMU__V1__CREATE_MACHINE_REQUEST__INIT;
	Pmu__V1__Recording recording = PMU__V1__RECORDING__INIT;
	const Pmu__Internal__SetRecordingRequest *set;
	const Pmu__V1__MachineInfo *info;
	struct rpc_call *call;

	recording.traps = _i == 0 || _i == 2;
	recording.sbi_calls = _i == 1 || _i == 2;
	recording.csr_accesses = _i == 3;
	recording.deliveries = _i == 4;
	req.recording = &recording;
	call = fixture_create(&alice, &req);
	fixture_state(STATE(NEW));
	ck_assert_int_eq(child->asked, METHOD_SetRecording);
	set = (const Pmu__Internal__SetRecordingRequest *)child->request;
	ck_assert_int_eq(set->traps, recording.traps);
	ck_assert_int_eq(set->sbi_calls, recording.sbi_calls);
	ck_assert_int_eq(set->csr_accesses, recording.csr_accesses);
	ck_assert_int_eq(set->deliveries, recording.deliveries);
	info = fixture_created(call);
	ck_assert_int_eq(info->recording->traps, recording.traps);
	ck_assert_int_eq(info->recording->csr_accesses, recording.csr_accesses);
	ck_assert_int_eq(info->recording->deliveries, recording.deliveries);
}

/* Of a machine that cannot be configured nothing stays. */
TEST(a_refused_configuration_is_told_and_undone)
{
	Pmu__V1__CreateMachineRequest req =
		PMU__V1__CREATE_MACHINE_REQUEST__INIT;
	struct rpc_call *call = fixture_create(&alice, &req);

	fixture_error(GRPC_INVALID_ARGUMENT, "harts: 65");
	fixture_refused(call, GRPC_INVALID_ARGUMENT, "BAD_VALUE");
	ck_assert_str_eq(call->field, "config.harts");
	ck_assert_str_eq(call->text, "harts: 65");
	ck_assert_ptr_null(SLIST_FIRST(&pmud.machines));
	ck_assert(child->ended);
	ck_assert_uint_eq(alice.holds, 0);
}

TEST(a_creation_that_is_cancelled_is_undone)
{
	Pmu__V1__CreateMachineRequest req =
		PMU__V1__CREATE_MACHINE_REQUEST__INIT;
	struct rpc_call *call = fixture_create(&alice, &req);

	fixture_cancel(call);
	ck_assert_uint_eq(child->forgotten, 1);
	ck_assert_ptr_null(SLIST_FIRST(&pmud.machines));
	ck_assert(child->ended);
}

TEST(a_process_that_does_not_start_leaves_nothing)
{
	Pmu__V1__CreateMachineRequest req =
		PMU__V1__CREATE_MACHINE_REQUEST__INIT;

	spawn_error = -ENOENT;
	fixture_refused(fixture_create(&alice, &req), GRPC_INTERNAL,
			"HOST_FAILED");
	ck_assert_ptr_null(SLIST_FIRST(&pmud.machines));
	ck_assert_uint_eq(quota_held(pmud.quota, QUOTA_MACHINES, 1000), 0);
	ck_assert_uint_eq(quota_held(pmud.quota, QUOTA_MEMORY, 1000), 0);
}

/*
 * Memory, as far as a test lets it fail: the how manieth block, 0: none. Not
 * malloc(), which Check needs, but who calls it here.
 */
static unsigned blocks, fail_block;

void *__real_message_copy(const ProtobufCMessage *msg);
void *__wrap_message_copy(const ProtobufCMessage *msg);
void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);

void *__wrap_message_copy(const ProtobufCMessage *msg)
{
	return ++blocks == fail_block ? NULL : __real_message_copy(msg);
}

void *__wrap_calloc(size_t n, size_t size)
{
	return ++blocks == fail_block ? NULL : __real_calloc(n, size);
}

/* Wherever it ends. */
TEST(without_memory_there_is_no_machine_and_nothing_is_left)
{
	Pmu__V1__CreateMachineRequest req =
		PMU__V1__CREATE_MACHINE_REQUEST__INIT;
	Pmu__V1__MachineConfig cfg = PMU__V1__MACHINE_CONFIG__INIT;
	Pmu__V1__Recording recording = PMU__V1__RECORDING__INIT;
	Pmu__V1__Setting serial = PMU__V1__SETTING__INIT, *list = &serial;
	struct rpc_call *call = fixture_call(&alice, METHOD_CreateMachine);
	unsigned failed = 0;

	serial.key = "serial";
	serial.value = "on";
	cfg.settings = &list;
	cfg.n_settings = 1;
	req.config = &cfg;
	recording.traps = true;
	req.recording = &recording;
	for (;; call = fixture_call(&alice, METHOD_CreateMachine)) {
		blocks = 0;
		fail_block = failed + 1;
		serve_create_machine(call, &req);
		if (blocks < fail_block)
			break;
		failed++;
		if (!call->over) { /* only the played process had none */
			fixture_cancel(call);
			continue;
		}
		ck_assert_int_ne(call->status, GRPC_OK);
		ck_assert_msg(strstr(call->text, "memory"), "%s", call->text);
		ck_assert_ptr_null(SLIST_FIRST(&pmud.machines));
		ck_assert_uint_eq(alice.holds, 0);
		for (int i = 0; i < N_QUOTAS; i++)
			ck_assert_uint_eq(quota_held(pmud.quota,
						     (enum quota_kind)i, 1000),
					  0);
	}
	fail_block = 0;
	/* call, machine, recording, config, and each of three stores */
	ck_assert_uint_ge(failed, 7);
	ck_assert(SLIST_FIRST(&pmud.machines)->serial);
	fixture_cancel(call);
}

/* What is known stays. */
TEST(a_state_for_which_there_is_no_memory_is_passed_over)
{
	struct hosted *m = fixture_machine(&alice, false);
	Pmu__V1__MachineInfo said = PMU__V1__MACHINE_INFO__INIT;
	Pmu__V1__Header header = PMU__V1__HEADER__INIT;

	said.state = STATE(RUNNING);
	header.version = 1;
	for (int i = 0; i < 2; i++) {
		blocks = 0;
		fail_block = !i;
		child->cfg.ops->notice(child->cfg.owner, &said);
		fail_block = 0;
		ck_assert_int_eq(m->info->state,
				 i ? STATE(RUNNING) : STATE(NEW));
		blocks = 0;
		fail_block = !i;
		hosted_set_header(m, &header);
		fail_block = 0;
		ck_assert((m->header != NULL) == i);
	}
	header.version = 2;
	hosted_set_header(m, &header);
	ck_assert_uint_eq(m->header->version, 2);
}

TEST(a_user_has_so_many_machines)
{
	Pmu__V1__CreateMachineRequest req =
		PMU__V1__CREATE_MACHINE_REQUEST__INIT;

	for (int i = 0; i < 3; i++)
		fixture_machine(&alice, true);
	fixture_refused(fixture_create(&alice, &req), GRPC_RESOURCE_EXHAUSTED,
			"MACHINES_LIMIT");
	ck_assert_str_eq(SLIST_FIRST(&pmud.machines)->id, "m3");
	ck_assert_uint_eq(quota_held(pmud.quota, QUOTA_MACHINES, 1000), 3);
}

TEST(a_machine_is_found_by_its_owner)
{
	struct hosted *m = fixture_machine(&alice, false);
	struct rpc_call *call = fixture_call(&bob, METHOD_GetMachine);

	ck_assert_ptr_eq(
		hosted_find(fixture_call(&alice, METHOD_GetMachine), "m1"), m);
	ck_assert_ptr_null(hosted_find(call, "m1"));
	fixture_refused(call, GRPC_PERMISSION_DENIED, "NOT_THE_OWNER");
	ck_assert_str_eq(call->field, "machine");
	call = fixture_call(&alice, METHOD_GetMachine);
	ck_assert_ptr_null(hosted_find(call, "m2"));
	fixture_refused(call, GRPC_NOT_FOUND, "NO_SUCH_MACHINE");
}

/* The state in which its process said that it was, and what came of it. */
static const struct end_row {
	Pmu__V1__MachineState said, want;
	const char *detail;
	int exit_code;
} end_rows[] = {
	{ STATE(NEW), STATE(CRASHED), "killed", EXIT_MACHINE_CRASHED },
	{ STATE(RUNNING), STATE(CRASHED), "killed", EXIT_MACHINE_CRASHED },
	{ STATE(ENDED), STATE(ENDED), "passed", 7 },
	{ STATE(CRASHED), STATE(CRASHED), "passed", 7 },
};

TEST_ROWS(a_process_that_dies_has_crashed_unless_its_run_was_over, end_rows)
{
	const struct end_row *row = &end_rows[_i];
	struct hosted *m = fixture_machine(&alice, false);
	Pmu__V1__MachineInfo said = PMU__V1__MACHINE_INFO__INIT;

	said.state = row->said;
	said.detail = "passed";
	said.exit_code = 7;
	said.cycle = 99;
	child->cfg.ops->notice(child->cfg.owner, &said);
	fixture_die(child, "killed");
	ck_assert_int_eq(m->info->state, row->want);
	ck_assert_str_eq(m->info->detail, row->detail);
	ck_assert_int_eq(m->info->exit_code, row->exit_code);
	ck_assert_uint_eq(m->info->cycle, 99);
	/* no more will come, and its memory is for others */
	ck_assert(store_ended(m->trace) && store_ended(m->console));
	ck_assert_uint_eq(quota_held(pmud.quota, QUOTA_MEMORY, 1000), 0);
	ck_assert_uint_eq(quota_held(pmud.quota, QUOTA_MACHINES, 1000), 1);
}

TEST(a_lease_ends_with_its_connection)
{
	fixture_machine(&alice, false);
	fixture_machine(&alice, true);
	fixture_machine(&bob, false);
	ck_assert_uint_eq(alice.holds, 1);
	hosted_drop_lease(&pmud, &alice);
	ck_assert_uint_eq(alice.holds, 0);
	ck_assert_str_eq(SLIST_FIRST(&pmud.machines)->id, "m3");
	ck_assert_str_eq(SLIST_NEXT(SLIST_FIRST(&pmud.machines), next)->id,
			 "m2");
	ck_assert_ptr_null(SLIST_NEXT(
		SLIST_NEXT(SLIST_FIRST(&pmud.machines), next), next));
	ck_assert_str_eq(SLIST_FIRST(&pmud.leaving)->id, "m1");
}

/* Records that find no room. */
TEST(a_machine_that_is_held_says_why)
{
	struct hosted *m = fixture_machine(&alice, false);
	Pmu__V1__MachineInfo info;

	hosted_hold(m, -ENOSPC);
	hosted_describe(m, m->info, &info);
	ck_assert_str_eq(info.held, "its records wait for room: the disk of "
				    "pmud's --state-dir is full");
	ck_assert(ev_is_active(&m->retry));
	hosted_hold(m, -EFBIG);
	hosted_describe(m, m->info, &info);
	ck_assert_str_eq(info.held, "its records wait for room: pmud's files "
				    "may not grow");
	child->cfg.ops->flows(m);
	hosted_describe(m, m->info, &info);
	ck_assert_str_eq(info.held, "");
	ck_assert(!ev_is_active(&m->retry));
}

/* Its store is for others at once. */
TEST(what_is_held_is_tried_again_when_another_goes)
{
	struct hosted *m = fixture_machine(&alice, false);
	struct child *held = child;

	hosted_hold(m, -EDQUOT);
	hosted_delete(fixture_machine(&alice, false), NULL);
	ck_assert_uint_eq(held->resumed, 1);
}

TEST(a_machine_counts_until_its_process_is_reaped)
{
	struct hosted *m = fixture_machine(&alice, false);

	hosted_delete(m, NULL);
	ck_assert_ptr_null(SLIST_FIRST(&pmud.machines));
	ck_assert_uint_eq(quota_held(pmud.quota, QUOTA_MACHINES, 1000), 1);
	ck_assert_uint_eq(quota_held(pmud.quota, QUOTA_STORE, 1000), 0);
	child->ended(child->cfg.owner);
	ck_assert_uint_eq(quota_held(pmud.quota, QUOTA_MACHINES, 1000), 0);
	ck_assert_ptr_null(SLIST_FIRST(&pmud.leaving));
}

TEST(what_is_stored_for_watchers_alone_goes_with_its_machine)
{
	struct hosted *m = fixture_machine(&alice, false);

	ck_assert_int_eq(hosted_watch_live(m), 0);
	ck_assert_int_eq(store_put(m->live, "x", 1), 0);
	ck_assert_uint_eq(quota_held(pmud.quota, QUOTA_STORE, 1000), 1);
	hosted_delete(m, NULL);
	ck_assert_uint_eq(quota_held(pmud.quota, QUOTA_STORE, 1000), 0);
}

/* A watcher who goes when he is told, and one who ends the machine again. */
static unsigned told_gone;
static struct watcher *other;

static void on_deleted(struct watcher *w)
{
	told_gone++;
	if (other)
		hosted_unwatch(other);
	other = NULL;
	hosted_delete(w->machine, NULL);
}

TEST(who_watches_is_told_once_that_it_goes)
{
	struct hosted *m = fixture_machine(&alice, false);
	struct watcher a = { .on_deleted = on_deleted }, b = a;

	told_gone = 0;
	other = &a;
	hosted_watch(m, &a);
	hosted_watch(m, &b); /* is told first, and takes the other away */
	ck_assert_uint_eq(m->n_readers, 2);
	hosted_delete(m, NULL);
	ck_assert_uint_eq(told_gone, 1);
	ck_assert_uint_eq(m->n_readers, 0);
	ck_assert_ptr_null(SLIST_FIRST(&m->watchers));
	ck_assert_ptr_eq(SLIST_FIRST(&pmud.leaving), m);
	ck_assert_ptr_null(SLIST_NEXT(m, next));
}

/* Only who is held. */
TEST(one_that_is_not_held_is_not_tried_again)
{
	fixture_machine(&alice, false);
	hosted_delete(SLIST_NEXT(fixture_machine(&alice, false), next), NULL);
	ck_assert_uint_eq(child->resumed, 0);
}

TEST_TIMES(a_deletion_is_answered_if_somebody_waits, 2)
{
	struct hosted *m = fixture_machine(&alice, false);
	struct rpc_call *call = fixture_call(&alice, METHOD_DeleteMachine);

	hosted_hold(m, -ENOMEM);
	hosted_delete(m, call);
	ck_assert(!ev_is_active(&m->retry));
	ck_assert(!call->over);
	if (_i)
		fixture_cancel(call);
	child->ended(child->cfg.owner);
	ck_assert_uint_eq(call->sent, !_i);
	ck_assert(call->over);
	ck_assert_ptr_null(call->ops);
}

/* How often it is tried is the timer's business. */
TEST(what_is_held_is_tried_now_and_then)
{
	struct hosted *m = fixture_machine(&alice, false);

	hosted_hold(m, -EDQUOT);
	ck_assert_str_eq(m->held, "its records wait for room: the disk's quota "
				  "is used up");
	hosted_hold(m, -ENOMEM);
	ck_assert_str_eq(m->held, "its records wait for room: pmud is short "
				  "of memory");
	ck_assert(ev_timer_remaining(pmud.loop, &m->retry) > 0);
	ck_assert(ev_timer_remaining(pmud.loop, &m->retry) < 1);
	ev_invoke(pmud.loop, &m->retry, EV_TIMER);
	ev_invoke(pmud.loop, &m->retry, EV_TIMER);
	ck_assert_uint_eq(child->resumed, 2);
}

SUITE("hosted", .setup = fixture_begin, .teardown = fixture_end);
