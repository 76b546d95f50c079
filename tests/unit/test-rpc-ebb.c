/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * daemon/server/rpc-ebb.c: a session is opened, with its ring or without, and
 * the machine hears of its end whichever way it comes.
 */
#include "hosted-fixture.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "server/daemon-limits.h"
#include "server/tickets.h"
#include "unit.h"

enum {
	SESSION = 5
};

static struct hosted *m;

static void setup(void)
{
	fixture_begin();
	m = fixture_machine(&alice, false);
}

static void teardown(void)
{
	tickets_free(pmud.tickets);
	pmud.tickets = NULL;
	fixture_end();
}

/* pmud has a second socket. */
static void with_tickets(void)
{
	char path[64];

	snprintf(path, sizeof(path), "/tmp/test-rpc-ebb-%d.sock", getpid());
	PREPARING(ck_assert_int_eq(
		tickets_new(&pmud.tickets, pmud.loop, pmud.quota, path), 0));
}

static unsigned count_open(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned n = 0;

	ck_assert_ptr_nonnull(dir);
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

static struct rpc_call *ask(bool ring)
{
	Pmu__V1__OpenEbbRequest req = PMU__V1__OPEN_EBB_REQUEST__INIT;
	struct rpc_call *call = fixture_call(&alice, METHOD_OpenEbb);

	req.machine = m->id;
	req.ring = ring;
	serve_open_ebb(call, &req);
	return call;
}

/* The machine has opened it. */
static void opened(void)
{
	Pmu__V1__OpenEbbResponse answer = PMU__V1__OPEN_EBB_RESPONSE__INIT;

	answer.session = SESSION;
	fixture_answer(&answer.base);
}

static void attached(void)
{
	Pmu__Internal__AttachEbbRingResponse answer =
		PMU__INTERNAL__ATTACH_EBB_RING_RESPONSE__INIT;

	fixture_answer(&answer.base);
}

static struct rpc_call *session(void)
{
	struct rpc_call *call = ask(false);

	opened();
	return call;
}

static const Pmu__V1__OpenEbbResponse *told(const struct rpc_call *call)
{
	ck_assert_uint_eq(call->sent, 1);
	return (const void *)call->got;
}

static void asked_to_end(void)
{
	const Pmu__Internal__EndEbbRequest *q = (const void *)child->request;

	ck_assert_int_eq(child->asked, METHOD_EndEbb);
	ck_assert_uint_eq(q->session, SESSION);
	ck_assert_uint_eq(m->n_readers, 0);
	fixture_error(GRPC_NOT_FOUND, "nobody is told");
}

TEST(a_session_lives_as_long_as_its_call)
{
	struct rpc_call *call = ask(true); /* there is no second socket */

	ck_assert_int_eq(child->asked, METHOD_OpenEbb);
	opened();
	ck_assert_int_eq(child->asked, METHOD_OpenEbb);
	ck_assert_uint_eq(told(call)->session, SESSION);
	ck_assert_uint_eq(told(call)->ticket.len, 0);
	ck_assert_str_eq(told(call)->socket, "");
	ck_assert(!call->over);
	ck_assert_uint_eq(m->n_readers, 1);
	hosted_tell(m);
	fixture_cancel(call);
	asked_to_end();
}

TEST(a_session_that_is_refused_is_none)
{
	struct rpc_call *call = ask(false);
	unsigned asked = child->n_asked;

	fixture_error(GRPC_INVALID_ARGUMENT, "no such hart");
	ck_assert(call->over);
	ck_assert_int_eq(call->status, GRPC_INVALID_ARGUMENT);
	ck_assert_str_eq(call->text, "no such hart");
	ck_assert_ptr_null(call->ops);
	ck_assert_uint_eq(m->n_readers, 0);
	child->busy = true;
	call = ask(false);
	ck_assert_int_eq(call->status, GRPC_UNAVAILABLE);
	ck_assert_str_eq(call->reason, "MACHINE_UNAVAILABLE");
	ck_assert_uint_eq(m->n_readers, 0);
	ck_assert_uint_eq(child->n_asked, asked);
}

TEST(a_machine_has_so_many_sessions_at_once)
{
	struct rpc_call *call[MAX_READERS_PER_MACHINE], *last;

	for (size_t i = 0; i < ARRAY_SIZE(call); i++)
		call[i] = session();
	last = ask(false);
	ck_assert(last->over);
	ck_assert_str_eq(last->reason, "READERS_LIMIT");
	for (size_t i = 0; i < ARRAY_SIZE(call); i++)
		fixture_cancel(call[i]);
	ck_assert_uint_eq(m->n_readers, 0);
}

/* Whose client does not hear it any more. */
TEST_TIMES(a_session_that_opens_too_late_is_ended, 2)
{
	struct rpc_call *call = ask(false);
	unsigned asked = child->n_asked;

	fixture_cancel(call);
	ck_assert_uint_eq(child->n_asked, asked);
	if (_i) {
		fixture_error(GRPC_INVALID_ARGUMENT, "no such hart");
		ck_assert_uint_eq(child->n_asked, asked);
		ck_assert_uint_eq(m->n_readers, 0);
	} else {
		opened();
		ck_assert_uint_eq(call->sent, 0);
		asked_to_end();
	}
}

TEST(a_machine_that_is_deleted_ends_its_sessions)
{
	struct rpc_call *call = session(), *late = ask(false);
	unsigned asked = child->n_asked;

	hosted_delete(m, NULL);
	ck_assert(call->over && call->status == GRPC_OK);
	ck_assert(!late->over);
	fixture_error(GRPC_UNAVAILABLE, "it is gone");
	ck_assert(late->over && late->status == GRPC_UNAVAILABLE);
	ck_assert_uint_eq(child->n_asked, asked);
}

/* A session may hold the machine, so its end is told for certain. */

static void leave_busy(void)
{
	struct rpc_call *call = session();

	child->busy = true;
	child->refused = 0;
	fixture_cancel(call);
	ck_assert_uint_eq(child->refused, 1);
	ck_assert_uint_eq(m->n_readers, 1);
}

TEST(a_machine_that_takes_no_requests_is_told_later)
{
	ev_tstamp begin;

	leave_busy();
	ev_run(pmud.loop, EVRUN_ONCE);
	ck_assert_uint_eq(child->refused, 2);
	begin = ev_now(pmud.loop);
	for (int i = 0; i < 1000; i++) /* ten times a second, not always */
		ev_run(pmud.loop, EVRUN_NOWAIT);
	ck_assert_double_le(child->refused - 2,
			    (ev_now(pmud.loop) - begin) / 0.1 + 1);
	child->busy = false;
	ev_run(pmud.loop, EVRUN_ONCE);
	asked_to_end();
	ck_assert(!ev_run(pmud.loop, EVRUN_NOWAIT)); /* nothing to wait for */
}

TEST_TIMES(a_machine_that_has_died_or_is_deleted_is_told_nothing, 2)
{
	leave_busy();
	if (_i) {
		hosted_delete(m, NULL);
	} else {
		child->dead = true;
		ev_run(pmud.loop, EVRUN_ONCE);
		ck_assert_uint_eq(m->n_readers, 0);
	}
	ck_assert(!ev_run(pmud.loop, EVRUN_NOWAIT));
}

/* With a ring */

TEST(a_ring_is_made_and_its_ticket_told)
{
	struct rpc_call *call;
	unsigned open;

	with_tickets();
	open = count_open();
	call = ask(true);
	opened();
	ck_assert_uint_eq(call->sent, 0);
	ck_assert_uint_eq(child->passed, SESSION);
	ck_assert_int_eq(child->asked, METHOD_AttachEbbRing);
	ck_assert_uint_eq(
		((const Pmu__Internal__AttachEbbRingRequest *)child->request)
			->session,
		SESSION);
	ck_assert_uint_eq(count_open(), open + EBB_CHANNEL_FDS);
	attached();
	ck_assert_uint_eq(told(call)->session, SESSION);
	ck_assert_uint_eq(told(call)->ticket.len, EBB_TICKET);
	ck_assert_str_eq(told(call)->socket, tickets_path(pmud.tickets));
	fixture_cancel(call);
	asked_to_end();
	ck_assert_uint_eq(count_open(), open); /* the ticket is revoked */
}

/* Each is a session all the same; nothing stays open. */
static const struct ringless_row {
	const char *why;
	bool asks, unknown, attaches;
	int pass_error;
} ringless_rows[] = {
	{ "nobody asked for one" },
	{ "a client of another host", true, true },
	{ "no room to pass it", true, .pass_error = -EAGAIN },
	{ "the machine does not take it", true, .attaches = true },
};

TEST_ROWS(a_session_need_not_have_a_ring, ringless_rows)
{
	const struct ringless_row *row = &ringless_rows[_i];
	struct rpc_call *call;
	unsigned open;

	with_tickets();
	open = count_open();
	alice.peer.known = !row->unknown;
	child->pass_error = row->pass_error;
	call = ask(row->asks);
	opened();
	if (row->attaches)
		fixture_error(GRPC_RESOURCE_EXHAUSTED, "no room");
	ck_assert_msg(call->sent == 1, "%s", row->why);
	ck_assert_uint_eq(told(call)->session, SESSION);
	ck_assert_uint_eq(told(call)->ticket.len, 0);
	ck_assert_uint_eq(count_open(), open);
	fixture_cancel(call);
	asked_to_end();
}

/* While the machine is asked to take the ring. */
static const struct attaching_row {
	bool leaves, deleted, gone;
	bool ends; /* the machine is asked to end it */
} attaching_rows[] = {
	{ .leaves = true, .ends = true },
	{ .leaves = true, .gone = true },
	{ .gone = true },
	{ .deleted = true, .gone = true },
	{ .leaves = true, .deleted = true, .gone = true },
};

TEST_ROWS(a_session_ends_while_its_ring_is_attached, attaching_rows)
{
	const struct attaching_row *row = &attaching_rows[_i];
	struct rpc_call *call;
	unsigned open, asked;

	with_tickets();
	open = count_open();
	call = ask(true);
	opened();
	asked = child->n_asked;
	if (row->leaves)
		fixture_cancel(call);
	if (row->deleted)
		hosted_delete(m, NULL);
	ck_assert_uint_eq(child->n_asked, asked);
	if (row->gone)
		fixture_error(GRPC_UNAVAILABLE, "it is gone");
	else
		attached();
	ck_assert_uint_eq(call->sent, 0);
	ck_assert(call->over);
	if (!row->leaves)
		ck_assert_int_eq(call->status, GRPC_UNAVAILABLE);
	ck_assert_uint_eq(child->n_asked, asked + row->ends);
	if (row->ends)
		asked_to_end();
	if (!row->deleted) /* else its stores are closed, too */
		ck_assert_uint_eq(count_open(), open);
}

SUITE("rpc-ebb", .setup = setup, .teardown = teardown);
