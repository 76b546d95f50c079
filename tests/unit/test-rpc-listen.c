/* SPDX-License-Identifier: BSD-2-Clause */
/* Where a server listens: paths, ports, descriptors that it takes over. */
#include "unit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
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

TEST(a_unix_socket_is_served_and_removed)
{
	struct stat st;

	service_start(NULL);
	ck_assert_int_eq(rpc_listen_unix(service.server, path, 0600), 0);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_int_eq(st.st_mode & 07777, 0600);
	ck_assert_int_eq(service_call_over(service_connect(path)), GRPC_OK);
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
	ck_assert_int_eq(service_call_over(service_connect(path)), GRPC_OK);
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
	ck_assert_int_eq(service_call_over(service_connect(path)), GRPC_OK);
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

static int refused; /* errno of accept4(); 0: it is the system's */

int __wrap_accept4(int fd, struct sockaddr *addr, socklen_t *len, int flags);
int __real_accept4(int fd, struct sockaddr *addr, socklen_t *len, int flags);

int __wrap_accept4(int fd, struct sockaddr *addr, socklen_t *len, int flags)
{
	if (!refused)
		return __real_accept4(fd, addr, len, flags);
	errno = refused;
	return -1;
}

static const int out_of[] = { EMFILE, ENFILE, ENOBUFS, ENOMEM };

/* Who connects waits until there is room, and it costs nothing meanwhile. */
TEST_ROWS(without_room_it_is_tried_again, out_of)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	ev_tstamp begin;

	service_start(NULL);
	strcpy(addr.sun_path, path);
	ck_assert_int_eq(rpc_listen_unix(service.server, path, 0600), 0);
	refused = out_of[_i];
	ck_assert_int_eq(connect(fd, (struct sockaddr *)&addr, sizeof(addr)),
			 0);
	ev_run(service.loop, EVRUN_NOWAIT);
	begin = ev_now(service.loop);
	for (int i = 0; i < 2; i++) /* the timer, and the socket again */
		ev_run(service.loop, EVRUN_ONCE);
	ck_assert_uint_eq(service.opened, 0);
	ck_assert_double_gt(ev_now(service.loop) - begin, 0.05);
	refused = 0;
	for (int i = 0; i < 10 && !service.opened; i++)
		ev_run(service.loop, EVRUN_ONCE);
	ck_assert_uint_eq(service.opened, 1);
	close(fd);
	service_stop();
}

/* What the host denies: the how manieth of these calls; NOTHING: none. */
#define NOTHING UINT32_MAX
#define DENIED	EDQUOT
static unsigned asked, deny = NOTHING;

static bool denied(void)
{
	if (asked++ != deny)
		return false;
	errno = DENIED;
	return true;
}

int __wrap_socket(int family, int type, int protocol);
int __real_socket(int family, int type, int protocol);
int __wrap_bind(int fd, const struct sockaddr *addr, socklen_t len);
int __real_bind(int fd, const struct sockaddr *addr, socklen_t len);
int __wrap_listen(int fd, int backlog);
int __real_listen(int fd, int backlog);
int __wrap_chmod(const char *file, mode_t mode);
int __real_chmod(const char *file, mode_t mode);
int __wrap_link(const char *from, const char *to);
int __real_link(const char *from, const char *to);
int __wrap_setsockopt(int fd, int level, int name, const void *value,
		      socklen_t len);
int __real_setsockopt(int fd, int level, int name, const void *value,
		      socklen_t len);
int __wrap_getsockname(int fd, struct sockaddr *addr, socklen_t *len);
int __real_getsockname(int fd, struct sockaddr *addr, socklen_t *len);

int __wrap_socket(int family, int type, int protocol)
{
	return denied() ? -1 : __real_socket(family, type, protocol);
}

int __wrap_bind(int fd, const struct sockaddr *addr, socklen_t len)
{
	return denied() ? -1 : __real_bind(fd, addr, len);
}

int __wrap_listen(int fd, int backlog)
{
	return denied() ? -1 : __real_listen(fd, backlog);
}

int __wrap_chmod(const char *file, mode_t mode)
{
	return denied() ? -1 : __real_chmod(file, mode);
}

int __wrap_link(const char *from, const char *to)
{
	return denied() ? -1 : __real_link(from, to);
}

int __wrap_setsockopt(int fd, int level, int name, const void *value,
		      socklen_t len)
{
	return denied() ? -1 : __real_setsockopt(fd, level, name, value, len);
}

int __wrap_getsockname(int fd, struct sockaddr *addr, socklen_t *len)
{
	return denied() ? -1 : __real_getsockname(fd, addr, len);
}

static int listen_unix(void)
{
	return rpc_listen_unix(service.server, path, 0600);
}

static int listen_tcp(void)
{
	return rpc_listen_tcp(service.server, 0, NULL);
}

static const struct denied_row {
	int (*listen)(void);
	unsigned least; /* calls that it makes */
} denied_rows[] = {
	{ listen_unix, 5 },
	{ listen_tcp, 5 },
};

TEST_ROWS(what_the_host_denies_is_said_and_leaves_nothing, denied_rows)
{
	const struct denied_row *row = &denied_rows[_i];
	unsigned all, open;

	service_start(NULL);
	asked = 0;
	ck_assert_int_eq(row->listen(), 0);
	all = asked;
	ck_assert_uint_ge(all, row->least);
	service_stop();
	service_start(NULL);
	open = count_open();
	for (deny = 0; deny < all; deny++) {
		asked = 0;
		ck_assert_msg(row->listen() == -DENIED, "call %u", deny);
		ck_assert_uint_eq(count_open(), open);
		ck_assert_int_eq(rmdir(dir), 0); /* it is empty */
		ck_assert_int_eq(mkdir(dir, 0700), 0);
	}
	deny = NOTHING;
	ck_assert_int_eq(row->listen(), 0);
	service_stop();
}

/* What the last server's connections have left waits out its time. */
TEST(a_port_is_free_again_at_once)
{
	struct sockaddr_in addr = { .sin_family = AF_INET };
	uint16_t port, again;
	char bytes[64];
	int fd;

	service_start(NULL);
	ck_assert_int_eq(rpc_listen_tcp(service.server, 0, &port), 0);
	addr.sin_port = htons(port);
	addr.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	fd = socket(AF_INET, SOCK_STREAM, 0);
	ck_assert_int_eq(connect(fd, (struct sockaddr *)&addr, sizeof(addr)),
			 0);
	loop_run(service.loop);
	service_stop(); /* which ends it, and not its client */
	while (read(fd, bytes, sizeof(bytes)) > 0)
		;
	close(fd);
	service_start(NULL);
	ck_assert_int_eq(rpc_listen_tcp(service.server, port, &again), 0);
	ck_assert_uint_eq(again, port);
	service_stop();
}

SUITE("rpc-listen", .setup = setup, .teardown = teardown);
