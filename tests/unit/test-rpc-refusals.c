/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where the server's own means end: listeners, descriptors, memory, the length
 * of an answer, the patience with who says nothing.
 */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rpc-peer.h"
#include "rpc-service.h"

enum {
	LISTENERS = 8,
	MIB = 1 << 20
};

static char dir[64];
static bool no_memory;
static double repeats[8]; /* of the timers that were started, in order */
static unsigned n_repeats;

void *__wrap_malloc(size_t size);
void *__real_malloc(size_t size);
void __wrap_ev_timer_again(struct ev_loop *loop, ev_timer *w);
void __real_ev_timer_again(struct ev_loop *loop, ev_timer *w);

void *__wrap_malloc(size_t size)
{
	return no_memory ? NULL : __real_malloc(size);
}

void __wrap_ev_timer_again(struct ev_loop *loop, ev_timer *w)
{
	if (n_repeats < ARRAY_SIZE(repeats))
		repeats[n_repeats++] = w->repeat;
	__real_ev_timer_again(loop, w);
}

static void setup(void)
{
	n_repeats = 0;
	strcpy(dir, "/tmp/rpc-refusals-XXXXXX");
	PREPARING(ck_assert_ptr_nonnull(mkdtemp(dir)));
	service_start(NULL);
}

static void teardown(void)
{
	service_stop();
	ck_assert_int_eq(rmdir(dir), 0); /* nothing was left there */
}

/* Serves also on the @n-th path. */
static int listen_on(unsigned n)
{
	char path[96];

	snprintf(path, sizeof(path), "%s/%u", dir, n);
	return rpc_listen_unix(service.server, path, 0600);
}

static bool exists(unsigned n)
{
	char path[96];
	struct stat st;

	snprintf(path, sizeof(path), "%s/%u", dir, n);
	return !stat(path, &st);
}

TEST(there_are_so_many_listeners)
{
	for (unsigned i = 0; i < LISTENERS; i++) {
		ck_assert_int_eq(listen_on(i), 0);
		ck_assert(exists(i));
	}
	ck_assert_int_eq(listen_on(LISTENERS), -ENOSPC);
	ck_assert(!exists(LISTENERS));
}

static void nothing(struct rpc_server *srv)
{
}

TEST(a_server_that_goes_down_takes_nobody_new)
{
	uint16_t port = 7;
	int pair[2];

	rpc_server_shutdown(service.server, 1, nothing);
	ck_assert_int_eq(rpc_listen_tcp(service.server, 0, &port), -ENOSPC);
	ck_assert_uint_eq(port, 7);
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	ck_assert_int_eq(rpc_adopt(service.server, pair[0]), -ESHUTDOWN);
	ck_assert_int_eq(fcntl(pair[0], F_GETFD), -1); /* it was given away */
	close(pair[1]);
}

/* At the lock, at the socket: whichever is the first that there is none for. */
TEST(without_descriptors_nothing_is_served)
{
	struct rlimit limit, low;
	unsigned failed = 0;
	int first = open("/dev/null", O_RDONLY), rc;

	ck_assert_int_ge(first, 0);
	close(first);
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
	low = limit;
	for (low.rlim_cur = (rlim_t)first; failed < 100; low.rlim_cur++) {
		ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &low), 0);
		rc = listen_on(0);
		ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
		if (!rc)
			break;
		failed++;
		ck_assert_int_eq(rc, -EMFILE);
		ck_assert(!exists(0));
	}
	ck_assert_uint_eq(failed, 2);
	ck_assert(exists(0));
}

/* A program whose standard input is closed has such a lock. */
TEST(a_lock_may_be_descriptor_0)
{
	int before = dup(STDIN_FILENO), rc;

	close(STDIN_FILENO);
	rc = listen_on(0);
	rpc_server_shutdown(service.server, 1, nothing);
	ck_assert_int_eq(rc, 0);
	ck_assert_int_eq(fcntl(STDIN_FILENO, F_GETFD), -1);
	if (before >= 0)
		dup2(before, STDIN_FILENO);
	close(before);
}

static void handle(struct rpc_call *call, const ProtobufCMessage *msg)
{
}

TEST_TIMES(the_path_of_a_method_has_a_length, 2)
{
	char path[RPC_MAX_PATH + 1] = "/a.A/";
	const struct rpc_method method = { .path = path,
					   .request = &test__item__descriptor,
					   .response = &test__item__descriptor,
					   .kind = RPC_UNARY,
					   .handle = handle };
	const struct rpc_table table = { &method, 1 };
	struct rpc_config cfg = { .loop = service.loop,
				  .tables = &table,
				  .n_tables = 1 };
	struct rpc_server *srv = NULL;

	memset(path + 5, 'x', sizeof(path) - 5);
	path[RPC_MAX_PATH - 1 + _i] = '\0';
	ck_assert_int_eq(rpc_server_new(&srv, &cfg), _i ? -EINVAL : 0);
	rpc_server_free(srv);
}

/* A call that its handler has not answered yet. */
static struct peer_call *hold(struct peer *peer)
{
	static const char body[] = "\0\0\0\0\6\x0a\4hold";
	struct peer_call *c;

	peer_open(peer, service.server, service.loop, 1 << 30);
	c = peer_start(peer, &(struct peer_request){ .path = "/test.Test/Unary",
						     .body = body,
						     .len = sizeof(body) - 1 });
	peer_run(peer);
	PREPARING(ck_assert_ptr_nonnull(service.held));
	return c;
}

static int send_without_memory(const Test__Item *item)
{
	int rc;

	no_memory = true;
	rc = rpc_send(service.held, &item->base);
	no_memory = false;
	return rc;
}

/* What was not queued is not charged either: many times the user's share. */
TEST(what_there_is_no_memory_for_is_not_queued)
{
	Test__Item item = TEST__ITEM__INIT;
	struct peer_call *c;
	struct peer peer;

	c = hold(&peer);
	item.data.len = MIB;
	item.data.data = calloc(1, MIB);
	for (unsigned i = 0; i < 2 * RPC_MAX_TOTAL_BYTES / MIB; i++)
		ck_assert_int_eq(send_without_memory(&item), -ENOMEM);
	ck_assert_int_ge(rpc_send(service.held, &item.base), 0);
	rpc_finish(service.held, GRPC_OK, NULL);
	service.done++;
	peer_run(&peer);
	ck_assert_int_eq(c->status, GRPC_OK);
	ck_assert_uint_eq(buf_len(&c->in),
			  FRAME_PREFIX + test__item__get_packed_size(&item));
	free(item.data.data);
	peer_close(&peer);
	loop_run(service.loop);
}

static const struct answer_row {
	size_t len;
	bool memory, packed;
	const char *reason, *text;
} answer_rows[] = {
	{ 5 * MIB, true, false, "ANSWER_TOO_LONG",
	  "the answer is above the message limit of 4194304 bytes" },
	{ 1 * MIB, false, false, "QUEUE_FULL", "no room to queue the answer" },
	{ 5 * MIB, true, true, "ANSWER_TOO_LONG",
	  "the answer is above the message limit of 4194304 bytes" },
	{ 1 * MIB, false, true, "QUEUE_FULL", "no room to queue the answer" },
};

TEST_ROWS(an_answer_that_cannot_be_sent_is_a_refusal, answer_rows)
{
	const struct answer_row *row = &answer_rows[_i];
	Test__Item item = TEST__ITEM__INIT;
	struct peer_call *c;
	struct peer peer;

	c = hold(&peer);
	item.data.len = row->len;
	item.data.data = calloc(1, row->len);
	no_memory = !row->memory;
	if (row->packed)
		rpc_reply_bytes(service.held,
				(struct rpc_bytes){ item.data.data, row->len });
	else
		rpc_reply(service.held, &item.base);
	no_memory = false;
	service.done++;
	peer_run(&peer);
	ck_assert_int_eq(c->status, GRPC_RESOURCE_EXHAUSTED);
	ck_assert_str_eq(c->text, row->text);
	ck_assert_str_eq(c->details.reason, row->reason);
	ck_assert_uint_eq(buf_len(&c->in), 0);
	free(item.data.data);
	peer_close(&peer);
	loop_run(service.loop);
}

TEST(who_comes_over_tcp_is_nobody)
{
	struct sockaddr_in addr = { .sin_family = AF_INET };
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	const struct rpc_peer *who;
	struct peer peer;
	uint16_t port;

	ck_assert_int_eq(rpc_listen_tcp(service.server, 0, &port), 0);
	addr.sin_port = htons(port);
	addr.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	ck_assert_int_eq(connect(fd, (struct sockaddr *)&addr, sizeof(addr)),
			 0);
	fcntl(fd, F_SETFL, O_NONBLOCK);
	peer_adopt(&peer, fd, service.loop, 1000);
	while (!service.opened)
		peer_run(&peer);
	who = &service.last;
	ck_assert(!who->known);
	ck_assert_uint_eq(who->uid, (uid_t)-1);
	ck_assert_uint_eq(who->gid, (gid_t)-1);
	ck_assert_int_eq(who->pid, -1);
	peer_close(&peer);
	loop_run(service.loop);
}

/* Nobody waits ten seconds to see it: these are the timers. */
TEST(who_says_nothing_is_waited_for_as_long_as_is_said)
{
	struct peer peer;

	peer_open(&peer, service.server, service.loop, 1000);
	ck_assert_uint_eq(n_repeats, 1);
	ck_assert(repeats[0] == RPC_HELLO_SECONDS);
	peer_run(&peer);
	ck_assert_uint_eq(n_repeats, 2);
	ck_assert(repeats[1] == RPC_IDLE_SECONDS);
	peer_close(&peer);
	loop_run(service.loop);
}

SUITE("rpc-refusals", .setup = setup, .teardown = teardown);
