/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a connection's recv() ends with: an error ends the connection at once,
 * as its end does, and cancels its calls.
 */
#include "unit.h"

#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "rpc-peer.h"
#include "rpc-service.h"

static struct peer peer;
static int given;     /* errno of the server's next recv(); 0: the system's */
static int last;      /* errno of the server's last recv() that failed */
static unsigned ends; /* how often it was told of an end */

ssize_t __wrap_recv(int fd, void *bytes, size_t len, int flags);
ssize_t __real_recv(int fd, void *bytes, size_t len, int flags);

ssize_t __wrap_recv(int fd, void *bytes, size_t len, int flags)
{
	ssize_t n;

	if (fd == peer.fd)
		return __real_recv(fd, bytes, len, flags);
	n = given ? -1 : __real_recv(fd, bytes, len, flags);
	if (given)
		errno = given;
	given = 0;
	if (n < 0)
		last = errno;
	ends += n == 0;
	return n;
}

static void setup(void)
{
	given = last = 0;
	ends = 0;
	peer.fd = -1;
	service_start(NULL);
}

static struct peer_call *ask(const char *path)
{
	return peer_start(&peer, &(struct peer_request){ .path = path,
							 .body = "\0\0\0\0\0",
							 .len = 5 });
}

static const struct error_row {
	int error;
	bool ends;
} error_rows[] = {
	{ ECONNRESET, true }, { ETIMEDOUT, true }, { EHOSTUNREACH, true },
	{ ENOMEM, true },     { EAGAIN, false },
};

TEST_ROWS(an_error_ends_the_connection_unless_there_is_only_nothing, error_rows)
{
	const struct error_row *row = &error_rows[_i];
	struct peer_call *c;

	peer_open(&peer, service.server, service.loop, 1 << 20);
	peer_run(&peer);
	c = ask("/test.Test/Unary");
	given = row->error;
	peer_run(&peer);
	ck_assert_int_eq(last, row->error);
	ck_assert_uint_eq(service.closed, row->ends);
	ck_assert_uint_eq(service.done, !row->ends);
	ck_assert_int_eq(c->closed, !row->ends);
	peer_close(&peer);
	service_stop();
}

static int connected(uint16_t port)
{
	struct sockaddr_in addr = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
		.sin_port = htons(port),
	};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(connect(fd, (struct sockaddr *)&addr, sizeof(addr)),
			 0);
	return fd;
}

/* The system's own: a reset is told once, and not as an end. */
TEST(a_reset_ends_the_connection)
{
	const struct linger none = { .l_onoff = 1 };
	uint16_t port;
	int fd;

	ck_assert_int_eq(rpc_listen_tcp(service.server, 0, &port), 0);
	fd = connected(port);
	while (service.opened == 0)
		loop_run(service.loop);
	ck_assert_uint_eq(service.closed, 0);
	ck_assert_int_eq(
		setsockopt(fd, SOL_SOCKET, SO_LINGER, &none, sizeof(none)), 0);
	close(fd);
	while (service.closed == 0)
		loop_run(service.loop);
	ck_assert_int_eq(last, ECONNRESET);
	ck_assert_uint_eq(ends, 0);
	service_stop();
}

SUITE("rpc-read", .setup = setup);
