/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The server around its calls: tables, who the peer is, limits on connections,
 * and going down.
 */
#include "unit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "rpc-peer.h"
#include "rpc-service.h"

static char dir[64], path[96];

static void setup(void)
{
	strcpy(dir, "/tmp/rpc-test-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/sock", dir);
}

static void teardown(void)
{
	unlink(path);
	ck_assert_int_eq(rmdir(dir), 0); /* nothing else was left there */
}

static void handle(struct rpc_call *call, const ProtobufCMessage *msg)
{
}

#define ITEM &test__item__descriptor

static const struct table_row {
	const char *why;
	struct rpc_method method;
	int want;
} table_rows[] = {
	{ "complete", { "/a.A/B", ITEM, ITEM, RPC_UNARY, false, handle }, 0 },
	{ "no path", { NULL, ITEM, ITEM, RPC_UNARY, false, handle }, -EINVAL },
	{ "no slash",
	  { "a.A/B", ITEM, ITEM, RPC_UNARY, false, handle },
	  -EINVAL },
	{ "no request",
	  { "/a.A/B", NULL, ITEM, RPC_UNARY, false, handle },
	  -EINVAL },
	{ "no response",
	  { "/a.A/B", ITEM, NULL, RPC_UNARY, false, handle },
	  -EINVAL },
	{ "no handler",
	  { "/a.A/B", ITEM, ITEM, RPC_UNARY, false, NULL },
	  -EINVAL },
	{ "a client stream without end",
	  { "/a.A/B", ITEM, ITEM, RPC_CLIENT_STREAM, false, handle },
	  -EINVAL },
	{ "two directions without end",
	  { "/a.A/B", ITEM, ITEM, RPC_BIDI, false, handle },
	  -EINVAL },
	{ "a request that nests without bound",
	  { "/a.A/B", &test__node__descriptor, ITEM, RPC_UNARY, false, handle },
	  -EINVAL },
	{ "a method that is there already",
	  { "/test.Test/Unary", ITEM, ITEM, RPC_UNARY, false, handle },
	  -EINVAL },
};

TEST_ROWS(a_table_is_checked, table_rows)
{
	const struct table_row *row = &table_rows[_i];
	const struct rpc_table tables[] = { { &row->method, 1 },
					    service_table };
	struct rpc_config cfg = { .loop = ev_loop_new(0),
				  .tables = tables,
				  .n_tables = 2 };
	struct rpc_server *srv = NULL;

	ck_assert_msg(rpc_server_new(&srv, &cfg) == row->want, "%s", row->why);
	rpc_server_free(srv);
	ev_loop_destroy(cfg.loop);
}

TEST(tcp_has_no_identity)
{
	struct sockaddr_in addr = { .sin_family = AF_INET };
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	uint16_t port = 0;

	service_start(NULL);
	ck_assert_int_eq(rpc_listen_tcp(service.server, 0, &port), 0);
	ck_assert_uint_ne(port, 0);
	addr.sin_port = htons(port);
	addr.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	ck_assert_int_eq(connect(fd, (struct sockaddr *)&addr, sizeof(addr)),
			 0);
	ck_assert_int_eq(service_call_over(fd), GRPC_UNAUTHENTICATED);
	service_stop();
}

TEST(a_peer_on_a_unix_socket_is_known)
{
	const struct rpc_peer *who;
	struct peer peer;

	service_start(NULL);
	peer_open(&peer, service.server, service.loop, 1000);
	peer_start(&peer, &(struct peer_request){ .path = "/test.Test/Down",
						  .body = "\0\0\0\0\0",
						  .len = 5 });
	peer_run(&peer);
	who = rpc_conn_peer(rpc_call_conn(service.held));
	ck_assert(who->known);
	ck_assert_uint_eq(who->uid, getuid());
	ck_assert_uint_eq(who->gid, getgid());
	ck_assert_int_eq(who->pid, getpid());
	ck_assert_ptr_eq(rpc_conn_server(rpc_call_conn(service.held)),
			 service.server);
	peer_close(&peer);
	service_stop();
}

static const struct conns_row {
	struct rpc_limits limits;
	const char *why;
} conns_rows[] = {
	{ { .max_conns = 3 }, "too many connections" },
	{ { .max_conns_per_uid = 3 }, "too many connections of this user" },
};

TEST_ROWS(connections_above_the_limit_are_closed, conns_rows)
{
	struct peer peer[4];

	service_start(&conns_rows[_i].limits);
	for (int i = 0; i < 4; i++)
		peer_open(&peer[i], service.server, service.loop, 1000);
	for (int i = 0; i < 4; i++) {
		peer_run(&peer[i]);
		ck_assert_int_eq(peer[i].eof, i == 3);
		ck_assert_str_eq(peer[i].goaway_text,
				 i == 3 ? conns_rows[_i].why : "");
	}
	peer_close(&peer[0]);
	loop_run(service.loop);
	peer_close(&peer[3]);
	peer_open(&peer[3], service.server, service.loop, 1000);
	peer_run(&peer[3]);
	ck_assert(!peer[3].eof);
	for (int i = 1; i < 4; i++)
		peer_close(&peer[i]);
	service_stop();
}

TEST(streams_above_the_limit_are_refused)
{
	const struct rpc_limits limits = { .max_streams = 2 };
	struct peer_call *c[3];
	struct peer peer;

	service_start(&limits);
	peer_open(&peer, service.server, service.loop, 1000);
	for (int i = 0; i < 3; i++)
		c[i] = peer_start(&peer, &(struct peer_request){
						 .path = "/test.Test/Down",
						 .body = "\0\0\0\0\0",
						 .len = 5 });
	peer_run(&peer);
	ck_assert_uint_eq(service.begun, 2);
	ck_assert(c[2]->closed);
	ck_assert_int_eq(c[2]->status, -1);
	ck_assert_uint_eq(c[2]->code, NGHTTP2_REFUSED_STREAM);
	peer_close(&peer);
	service_stop();
}

static unsigned stopped;

static void on_stopped(struct rpc_server *srv)
{
	ck_assert_ptr_eq(srv, service.server);
	stopped++;
}

TEST(going_down_lets_calls_end)
{
	struct peer_call *c, *late;
	struct peer peer;

	service_start(NULL);
	ck_assert_int_eq(rpc_listen_unix(service.server, path, 0600), 0);
	peer_open(&peer, service.server, service.loop, 1000);
	c = peer_start(&peer, &(struct peer_request){ .path = "/test.Test/Down",
						      .body = "\0\0\0\0\0",
						      .len = 5 });
	peer_run(&peer);
	stopped = 0;
	rpc_server_shutdown(service.server, 1000, on_stopped);
	ck_assert_int_eq(service_connect(path), -1);
	peer_run(&peer);
	ck_assert(peer.goaway);
	late = peer_start(&peer,
			  &(struct peer_request){ .path = "/test.Test/Down",
						  .body = "\0\0\0\0\0",
						  .len = 5 });
	peer_run(&peer);
	ck_assert_int_eq(late->http, 0);
	ck_assert_uint_eq(stopped, 0);
	rpc_finish(service.held, GRPC_OK, NULL);
	service.done++;
	peer_run(&peer);
	ck_assert_int_eq(c->status, GRPC_OK);
	ck_assert(peer.eof);
	ck_assert_uint_eq(stopped, 1);
	peer_close(&peer);
	service_stop();
}

TEST(going_down_cancels_what_does_not_end)
{
	struct peer_call *c;
	struct peer peer;
	int pair[2];

	service_start(NULL);
	peer_open(&peer, service.server, service.loop, 1000);
	c = peer_start(&peer, &(struct peer_request){ .path = "/test.Test/Down",
						      .body = "\0\0\0\0\0",
						      .len = 5 });
	peer_run(&peer);
	stopped = 0;
	rpc_server_shutdown(service.server, 0, on_stopped);
	while (!stopped)
		peer_run(&peer);
	ck_assert_int_eq(c->status, GRPC_UNAVAILABLE);
	ck_assert_uint_eq(service.cancelled, 1);
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	ck_assert_int_eq(rpc_adopt(service.server, pair[0]), -ESHUTDOWN);
	close(pair[1]);
	peer_close(&peer);
	service_stop();
}

TEST(going_down_without_connections_is_at_once)
{
	service_start(NULL);
	stopped = 0;
	rpc_server_shutdown(service.server, 1000, on_stopped);
	rpc_server_shutdown(service.server, 1000, on_stopped);
	loop_run(service.loop);
	ck_assert_uint_eq(stopped, 1);
	service_stop();
}

/* Fields in another order than anybody here would pack them. */
TEST(a_message_can_be_answered_as_it_came)
{
	static const uint8_t body[] = { 0,   0,	  0, 0,	  11,  0x12, 2,	  'x',
					'y', 0xa, 5, 'b', 'y', 't',  'e', 's' };
	struct peer_call *c;
	struct peer peer;

	service_start(NULL);
	peer_open(&peer, service.server, service.loop, 1 << 20);
	c = peer_start(&peer,
		       &(struct peer_request){ .path = "/test.Test/Unary",
					       .body = body,
					       .len = sizeof(body) });
	peer_run(&peer);
	ck_assert_int_eq(c->status, GRPC_OK);
	ck_assert_uint_eq(buf_len(&c->in), sizeof(body));
	ck_assert_mem_eq(buf_head(&c->in), body, sizeof(body));
	peer_close(&peer);
	service_stop();
}

SUITE("rpc-server", .setup = setup, .teardown = teardown);
