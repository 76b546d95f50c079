/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What one connection may do in a turn of the loop: callbacks, messages of a
 * stream, bytes that are said; and what a portion that cost too much leaves.
 */
#include "unit.h"

#include <sys/ioctl.h>

#include "grpc/internal.h"
#include "rpc-peer.h"
#include "rpc-service.h"

enum {
	BLOCK = 16 << 10, /* what is read at once */
	TURN = 48 << 10,
	MESSAGES = 1000,
};

/* One in each turn, if that is what one costs. */
TEST(callbacks_are_work_too)
{
	const struct rpc_limits limits = { .work_turn = TURN };
	struct rpc_call *calls_of[5];
	struct peer peer;

	service_start(&limits);
	service.work = TURN;
	peer_open(&peer, service.server, service.loop, 1000);
	for (int i = 0; i < 5; i++) {
		peer_start(&peer,
			   &(struct peer_request){ .path = "/test.Test/Down",
						   .body = "\0\0\0\0\0",
						   .len = 5 });
		peer_run(&peer);
		calls_of[i] = service.held;
	}
	for (int i = 0; i < 10; i++)
		rpc_call_later(calls_of[i / 2]);
	for (unsigned i = 1; i <= 5; i++) {
		ev_run(service.loop, EVRUN_NOWAIT);
		ck_assert_uint_eq(service.turns, i);
	}
	peer_run(&peer);
	ck_assert_uint_eq(service.turns, 5);
	peer_close(&peer);
	service_stop();
}

/* As many in each turn as it pays for; all come, in order, before the end. */
TEST(messages_of_one_block_take_turns)
{
	const struct rpc_limits limits = { .work_turn = 20 * RPC_WORK_CALL };
	struct buf body = { 0 };
	Test__Item item = TEST__ITEM__INIT;
	struct peer_call *c;
	struct peer peer;
	unsigned before = 0, turns = 0;

	service_start(&limits);
	peer_open(&peer, service.server, service.loop, 1000);
	for (item.number = 1; item.number <= MESSAGES; item.number++)
		ck_assert_int_eq(frame_append(&body, &item.base), 0);
	c = peer_start(&peer, &(struct peer_request){ .path = "/test.Test/Up",
						      .body = buf_head(&body),
						      .len = buf_len(&body) });
	for (int i = 0; i < 1000 && c->status < 0; i++) {
		peer_turn(&peer);
		ck_assert_uint_le(service.messages - before, 20);
		turns += service.messages > before;
		before = service.messages;
	}
	ck_assert_int_eq(c->status, GRPC_OK);
	ck_assert_uint_eq(service.messages, MESSAGES);
	ck_assert_uint_eq(service.in_order, MESSAGES);
	ck_assert_uint_ge(turns, MESSAGES / 20);
	buf_free(&body);
	peer_close(&peer);
	service_stop();
}

/* However much there is to say: then others have their turn. */
TEST(a_connection_says_so_much_in_a_turn)
{
	const struct rpc_limits limits = { .work_turn = 1 };
	const int turn = 64 << 10;
	struct peer peer;
	int before = 0, now, full = 0;

	service_start(&limits);
	service.n = 64;
	service.size = 16000;
	peer_open(&peer, service.server, service.loop, 1 << 20);
	nghttp2_session_set_local_window_size(peer.session, 0, 0, 1 << 20);
	for (int i = 0; i < 4; i++)
		peer_start(&peer,
			   &(struct peer_request){ .path = "/test.Test/Down",
						   .body = "\0\0\0\0\0",
						   .len = 5 });
	peer_turn(&peer);
	for (int i = 0; i < 1000 && !full; i++, before = now) {
		ev_run(service.loop, EVRUN_NOWAIT);
		ck_assert_int_eq(ioctl(peer.fd, FIONREAD, &now), 0);
		ck_assert_int_lt(now - before, turn + 2 * BLOCK);
		full = now - before >= turn;
	}
	ck_assert(full);
	peer_close(&peer);
	service_stop();
}

TEST(a_call_that_is_gone_has_no_turn)
{
	struct peer peer;

	service_start(NULL);
	peer_open(&peer, service.server, service.loop, 1000);
	peer_start(&peer, &(struct peer_request){ .path = "/test.Test/Down",
						  .body = "\0\0\0\0\0",
						  .len = 5 });
	peer_run(&peer);
	peer_reset(peer.calls);
	while (!service.cancelled) {
		/* it is asked for until the call is gone */
		rpc_call_later(service.held);
		peer_turn(&peer);
	}
	service.turns = 0;
	peer_run(&peer);
	ck_assert_uint_eq(service.turns, 0);
	peer_close(&peer);
	service_stop();
}

/* A debt is no greater than so many turns, whatever a portion has cost. */
TEST(a_debt_has_an_end)
{
	const struct rpc_limits limits = { .work_turn = RPC_WORK_DEBT / 4 };
	struct rpc_conn *conn;
	struct peer peer;

	service_start(&limits);
	peer_open(&peer, service.server, service.loop, 1000);
	peer_start(&peer, &(struct peer_request){ .path = "/test.Test/Down",
						  .body = "\0\0\0\0\0",
						  .len = 5 });
	peer_run(&peer);
	conn = rpc_call_conn(service.held);
	for (int i = 0; i < 100; i++)
		rpc_call_work(service.held, (size_t)-1);
	ck_assert_ptr_nonnull(conn);
	rpc_call_later(service.held);
	for (int i = 0; i < 6; i++)
		ev_run(service.loop, EVRUN_NOWAIT);
	ck_assert_uint_eq(service.turns, 1);
	peer_close(&peer);
	service_stop();
}

SUITE("rpc-turns");
