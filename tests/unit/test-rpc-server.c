/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The server around its calls: tables, sockets, who the peer is, limits on
 * connections, and going down.
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

static int connect_path(void)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);

	strcpy(addr.sun_path, path);
	if (!connect(fd, (struct sockaddr *)&addr, sizeof(addr)))
		return fd;
	close(fd);
	return -1;
}

/* The status of a unary call over @fd, which it closes. */
static int call_over(int fd)
{
	struct peer peer;
	struct peer_call *c;
	int status;

	ck_assert_int_ge(fd, 0);
	peer_adopt(&peer, fd, service.loop, 1000);
	c = peer_start(&peer,
		       &(struct peer_request){ .path = "/test.Test/Unary",
					       .body = "\0\0\0\0\0",
					       .len = 5 });
	peer_run(&peer);
	status = c->status;
	peer_close(&peer);
	loop_run(service.loop);
	return status;
}

TEST(a_unix_socket_is_served_and_removed)
{
	struct stat st;

	service_start(NULL);
	ck_assert_int_eq(rpc_listen_unix(service.server, path, 0600), 0);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_int_eq(st.st_mode & 07777, 0600);
	ck_assert_int_eq(call_over(connect_path()), GRPC_OK);
	service_stop();
	ck_assert_int_eq(stat(path, &st), -1);
}

TEST(a_live_socket_is_left_alone_and_a_stale_one_replaced)
{
	int dead = socket(AF_UNIX, SOCK_STREAM, 0);
	struct sockaddr_un addr = { .sun_family = AF_UNIX };

	strcpy(addr.sun_path, path);
	ck_assert_int_eq(bind(dead, (struct sockaddr *)&addr, sizeof(addr)), 0);
	close(dead);
	service_start(NULL);
	ck_assert_int_eq(rpc_listen_unix(service.server, path, 0600), 0);
	ck_assert_int_eq(rpc_listen_unix(service.server, path, 0600),
			 -EADDRINUSE);
	ck_assert_int_eq(call_over(connect_path()), GRPC_OK);
	service_stop();
}

TEST(what_is_no_socket_is_left_alone)
{
	FILE *f = fopen(path, "w");

	fclose(f);
	service_start(NULL);
	ck_assert_int_eq(rpc_listen_unix(service.server, path, 0600),
			 -EADDRINUSE);
	service_stop();
	ck_assert_int_eq(access(path, F_OK), 0);
}

TEST(a_path_that_cannot_be_is_an_error)
{
	char name[200];

	service_start(NULL);
	memset(name, 'x', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	ck_assert_int_eq(rpc_listen_unix(service.server, name, 0600),
			 -ENAMETOOLONG);
	ck_assert_int_eq(rpc_listen_unix(service.server, "/no/where", 0600),
			 -ENOENT);
	service_stop();
}

TEST(a_listening_descriptor_is_taken_over)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0), none;

	strcpy(addr.sun_path, path);
	service_start(NULL);
	ck_assert_int_eq(rpc_listen_fd(service.server, fd), -EINVAL);
	none = dup(fd);
	close(none);
	ck_assert_int_eq(rpc_listen_fd(service.server, none), -EBADF);
	ck_assert_int_eq(bind(fd, (struct sockaddr *)&addr, sizeof(addr)), 0);
	ck_assert_int_eq(listen(fd, 5), 0);
	ck_assert_int_eq(rpc_listen_fd(service.server, fd), 0);
	ck_assert_int_eq(call_over(connect_path()), GRPC_OK);
	service_stop();
	ck_assert_int_eq(access(path, F_OK), 0); /* it is systemd's to remove */
}

static unsigned count_open(void)
{
	DIR *d = opendir("/proc/self/fd");
	unsigned n = 0;

	ck_assert_ptr_nonnull(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

/* Whoever left it open to us may have left it so. */
static void is_ours_alone(int fd)
{
	ck_assert_int_eq(fcntl(fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	ck_assert_int_eq(fcntl(fd, F_GETFL) & O_NONBLOCK, O_NONBLOCK);
}

TEST(what_is_taken_over_neither_blocks_nor_outlives_exec)
{
	struct sockaddr_in addr = { .sin_family = AF_INET };
	int fd = socket(AF_INET, SOCK_STREAM, 0), pair[2];

	service_start(NULL);
	ck_assert_int_eq(bind(fd, (struct sockaddr *)&addr, sizeof(addr)), 0);
	ck_assert_int_eq(listen(fd, 5), 0);
	ck_assert_int_eq(rpc_listen_fd(service.server, fd), 0);
	is_ours_alone(fd);
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	ck_assert_int_eq(rpc_adopt(service.server, pair[1]), 0);
	is_ours_alone(pair[1]);
	ck_assert_uint_eq(service.opened, 1);
	ck_assert_int_eq(rpc_adopt(service.server, -1), -EBADF);
	close(pair[0]);
	loop_run(service.loop);
	ck_assert_uint_eq(service.closed, 1);
	service_stop();
}

/* And what came with it is closed. */
TEST(a_server_that_goes_down_takes_nothing_over)
{
	unsigned open;
	int pair[2];

	service_start(NULL);
	ck_assert_int_eq(rpc_listen_unix(service.server, path, 0600), 0);
	rpc_server_shutdown(service.server, 100, NULL);
	open = count_open();
	ck_assert_int_eq(rpc_listen_unix(service.server, path, 0600), -ENOSPC);
	ck_assert_int_eq(access(path, F_OK), -1);
	ck_assert_int_eq(rpc_listen_tcp(service.server, 0, NULL), -ENOSPC);
	ck_assert_uint_eq(count_open(), open);
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	ck_assert_int_eq(rpc_adopt(service.server, pair[1]), -ESHUTDOWN);
	close(pair[0]);
	ck_assert_uint_eq(count_open(), open);
	service_stop();
}

enum {
	LISTENERS = 8
};

TEST(a_server_listens_in_so_many_places)
{
	unsigned open;

	service_start(NULL);
	for (int i = 0; i < LISTENERS; i++)
		ck_assert_int_eq(rpc_listen_tcp(service.server, 0, NULL), 0);
	open = count_open();
	ck_assert_int_eq(rpc_listen_unix(service.server, path, 0600), -ENOSPC);
	ck_assert_int_eq(rpc_listen_tcp(service.server, 0, NULL), -ENOSPC);
	ck_assert_uint_eq(count_open(), open);
	service_stop();
}

/* With "~" behind it, as which it is made. */
TEST_TIMES(a_path_may_be_so_long, 2)
{
	const size_t longest = sizeof(((struct sockaddr_un *)0)->sun_path) - 2;
	char name[200];

	snprintf(name, sizeof(name), "%s/", dir);
	memset(name + strlen(name), 'x', longest);
	name[longest + (size_t)_i] = '\0';
	service_start(NULL);
	ck_assert_int_eq(rpc_listen_unix(service.server, name, 0600),
			 _i ? -ENAMETOOLONG : 0);
	service_stop();
	ck_assert_int_eq(access(name, F_OK), -1);
}

/* Who connects waits until it has one, and it costs nothing meanwhile. */
TEST(without_a_descriptor_it_is_tried_again)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0), next = dup(fd);
	struct rlimit before, none;
	ev_tstamp begin;

	service_start(NULL);
	strcpy(addr.sun_path, path);
	ck_assert_int_eq(rpc_listen_unix(service.server, path, 0600), 0);
	close(next);
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
	none = before;
	none.rlim_cur = (rlim_t)next;
	ck_assert_int_eq(connect(fd, (struct sockaddr *)&addr, sizeof(addr)),
			 0);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
	ev_run(service.loop, EVRUN_NOWAIT);
	begin = ev_now(service.loop);
	for (int i = 0; i < 2; i++) /* the timer, and the socket again */
		ev_run(service.loop, EVRUN_ONCE);
	ck_assert_uint_eq(service.opened, 0);
	ck_assert_double_gt(ev_now(service.loop) - begin, 0.05);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &before), 0);
	for (int i = 0; i < 10 && !service.opened; i++)
		ev_run(service.loop, EVRUN_ONCE);
	ck_assert_uint_eq(service.opened, 1);
	close(fd);
	service_stop();
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
	ck_assert_int_eq(call_over(fd), GRPC_UNAUTHENTICATED);
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
	ck_assert_int_eq(connect_path(), -1);
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
