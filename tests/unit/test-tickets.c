/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * daemon/server/tickets.c: whoever sends a ticket of his gets its descriptors,
 * once, and nobody gets anything else.
 */
#include "server/tickets.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "unit.h"

enum {
	MOST = 3 /* connections of a user */
};

static struct tickets *all;
static struct quota *quota;
static struct ev_loop *loop;
static char folder[] = "/tmp/test-tickets-XXXXXX", path[64];
static uint8_t id[EBB_TICKET];

static unsigned entries(const char *of)
{
	DIR *dir = opendir(of);
	unsigned n = 0;

	ck_assert_ptr_nonnull(dir);
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

static unsigned count_open(void)
{
	return entries("/proc/self/fd");
}

static void setup(void)
{
	struct quota_limit limits[N_QUOTAS] = { 0 };

	for (int i = 0; i < N_QUOTAS; i++)
		limits[i] = (struct quota_limit){ .total = MOST,
						  .per_user = MOST,
						  .least = 1 };
	strcpy(folder + strlen(folder) - 6, "XXXXXX");
	PREPARING(ck_assert_ptr_nonnull(mkdtemp(folder)));
	snprintf(path, sizeof(path), "%s/pmud.sock", folder);
	loop = ev_loop_new(0);
	PREPARING(ck_assert_int_eq(quota_new(&quota, limits), 0));
	PREPARING(ck_assert_int_eq(tickets_new(&all, loop, quota, path), 0));
}

static void teardown(void)
{
	tickets_free(all);
	quota_free(quota);
	ev_loop_destroy(loop);
	ck_assert_int_eq(rmdir(folder), 0); /* nothing is left in it */
}

static void turns(void)
{
	for (int i = 0; i < 5; i++)
		ev_run(loop, EVRUN_NOWAIT);
}

static int dial(void)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	strcpy(addr.sun_path, tickets_path(all));
	ck_assert_int_eq(connect(fd, (struct sockaddr *)&addr, sizeof(addr)),
			 0);
	turns();
	return fd;
}

/* Gives one out for @uid; its descriptors are pmud's then. */
static void issue(uid_t uid)
{
	struct ebb_channel client, machine;

	ck_assert_int_eq(ebb_channel_make(&client, &machine), 0);
	ebb_channel_close(&machine);
	ck_assert_int_eq(tickets_issue(all, uid, &client, id), 0);
	ck_assert_int_eq(client.wake, -1);
}

static void say(int fd, const void *bytes, size_t n)
{
	ck_assert_int_eq(send(fd, bytes, n, MSG_NOSIGNAL), (ssize_t)n);
	turns();
}

/* It has ended, without saying anything. */
static void is_sent_away(int fd)
{
	char byte;

	ck_assert_int_eq(recv(fd, &byte, 1, MSG_DONTWAIT), 0);
	close(fd);
}

static void gets_descriptors(int fd)
{
	struct ebb_channel got = ebb_channel_none();
	uint32_t number = 99;

	ck_assert_int_eq(ebb_channel_receive(fd, &number, &got), 0);
	ck_assert_uint_eq(number, 0);
	ck_assert_int_ge(got.said, 0);
	ck_assert_int_ge(got.wishes, 0);
	ck_assert_int_ge(got.wake, 0);
	ebb_channel_close(&got);
	is_sent_away(fd);
}

static void nobody_is_there(void)
{
	ck_assert_uint_eq(quota_held(quota, QUOTA_CONNECTIONS, getuid()), 0);
}

/* However it arrives. */
TEST_RANGE(a_ticket_is_good_once, 1, EBB_TICKET + 1)
{
	unsigned open = count_open();
	int fd = dial();

	ck_assert_uint_eq(quota_held(quota, QUOTA_CONNECTIONS, getuid()), 1);
	issue(getuid());
	say(fd, id, (size_t)_i);
	if (_i < EBB_TICKET)
		say(fd, id + _i, (size_t)(EBB_TICKET - _i));
	gets_descriptors(fd);
	nobody_is_there();
	fd = dial();
	say(fd, id, sizeof(id));
	is_sent_away(fd);
	nobody_is_there();
	ck_assert_uint_eq(count_open(), open);
}

TEST(each_ticket_is_for_its_own_descriptors)
{
	uint8_t first[EBB_TICKET];
	struct ebb_channel mine, other;
	uint32_t number;
	int fd;

	ck_assert_int_eq(ebb_channel_make(&mine, &other), 0);
	ck_assert_int_eq(tickets_issue(all, getuid(), &mine, first), 0);
	issue(getuid());
	ck_assert_mem_ne(first, id, sizeof(id));
	fd = dial();
	say(fd, first, sizeof(first));
	ck_assert_int_eq(ebb_channel_receive(fd, &number, &mine), 0);
	ck_assert_int_eq(write(other.wake, "!", 1), 1);
	ck_assert_int_eq(recv(mine.wake, &number, 1, MSG_DONTWAIT), 1);
	ebb_channel_close(&mine);
	ebb_channel_close(&other);
	is_sent_away(fd);
	fd = dial();
	say(fd, id, sizeof(id));
	gets_descriptors(fd);
}

enum wrong {
	OTHERS,
	REVOKED,
	ONE_BIT,
	ENDS
};

/* And the ticket, if there is one, is still good for whose it is. */
TEST_TIMES(what_is_no_ticket_of_ones_own_gets_nothing, ENDS + 1)
{
	unsigned open = count_open();
	int fd = dial();

	issue(_i == OTHERS ? getuid() + 1 : getuid());
	if (_i == REVOKED)
		tickets_revoke(all, id);
	if (_i == REVOKED)
		ck_assert_uint_eq(count_open(), open + 2);
	if (_i == ONE_BIT)
		id[EBB_TICKET - 1] ^= 1;
	say(fd, id, EBB_TICKET - (_i == ENDS));
	if (_i == ENDS) {
		shutdown(fd, SHUT_WR);
		turns();
	}
	is_sent_away(fd);
	nobody_is_there();
	if (_i == ONE_BIT || _i == ENDS) {
		id[EBB_TICKET - 1] ^= _i == ONE_BIT;
		fd = dial();
		say(fd, id, sizeof(id));
		gets_descriptors(fd);
	}
	tickets_revoke(all, id);
	ck_assert_uint_eq(count_open(), open);
	tickets_revoke(all, id); /* it is fine */
}

TEST(a_connection_counts_as_its_users)
{
	int fd[MOST], more;

	for (int i = 0; i < MOST; i++)
		fd[i] = dial();
	ck_assert_uint_eq(quota_held(quota, QUOTA_CONNECTIONS, getuid()), MOST);
	more = dial();
	is_sent_away(more);
	ck_assert_uint_eq(quota_held(quota, QUOTA_CONNECTIONS, getuid()), MOST);
	close(fd[0]);
	turns();
	more = dial();
	issue(getuid());
	say(more, id, sizeof(id));
	gets_descriptors(more);
	say(fd[1], "no ticket at all", EBB_TICKET);
	is_sent_away(fd[1]);
	for (int i = 2; i < MOST; i++)
		close(fd[i]);
	turns();
	nobody_is_there();
}

/* What the host says instead of a connection, or of random bytes. */
static int accept_error;
static unsigned accepts;
static bool no_random;

int __wrap_accept4(int fd, struct sockaddr *addr, socklen_t *len, int flags);
int __real_accept4(int fd, struct sockaddr *addr, socklen_t *len, int flags);
ssize_t __wrap_getrandom(void *buf, size_t len, unsigned flags);
ssize_t __real_getrandom(void *buf, size_t len, unsigned flags);

int __wrap_accept4(int fd, struct sockaddr *addr, socklen_t *len, int flags)
{
	accepts++;
	if (!accept_error)
		return __real_accept4(fd, addr, len, flags);
	errno = accept_error;
	return -1;
}

ssize_t __wrap_getrandom(void *buf, size_t len, unsigned flags)
{
	return no_random ? (ssize_t)len - 1 : __real_getrandom(buf, len, flags);
}

static const struct accept_row {
	int error;
	bool waits; /* before it looks again */
} accept_rows[] = {
	{ EAGAIN, false },
	{ EINTR, false },
	{ EMFILE, true },
	{ ENOMEM, true },
};

/* Without descriptors the loop would turn for nothing. */
TEST_ROWS(where_no_connection_can_be_had_it_waits, accept_rows)
{
	const struct accept_row *row = &accept_rows[_i];
	int fd;

	accepts = 0;
	accept_error = row->error;
	fd = dial(); /* five turns of the loop */
	ck_assert_uint_eq(accepts, row->waits ? 1 : 5);
	accept_error = 0;
	while (accepts < (row->waits ? 2 : 6))
		ev_run(loop, EVRUN_ONCE);
	ck_assert_uint_eq(quota_held(quota, QUOTA_CONNECTIONS, getuid()), 1);
	/* and then goes on as ever */
	close(dial());
	ck_assert_uint_eq(accepts, row->waits ? 3 : 7);
	turns();
	issue(getuid());
	say(fd, id, sizeof(id));
	gets_descriptors(fd);
}

TEST(a_ticket_that_could_be_guessed_is_not_given)
{
	struct ebb_channel client, machine;
	unsigned open = count_open();

	ck_assert_int_eq(ebb_channel_make(&client, &machine), 0);
	ebb_channel_close(&machine);
	no_random = true;
	ck_assert_int_eq(tickets_issue(all, getuid(), &client, id), -ENOMEM);
	no_random = false;
	ck_assert_uint_eq(count_open(), open);
}

/* Its connections and its tickets with it. */
TEST(nothing_is_left_at_the_end)
{
	unsigned open = count_open();
	int fd[2] = { dial(), dial() };

	issue(getuid());
	issue(getuid());
	tickets_free(all);
	all = NULL;
	nobody_is_there();
	is_sent_away(fd[0]);
	is_sent_away(fd[1]);
	ck_assert_uint_eq(count_open(), open - 1); /* the socket itself */
	ck_assert_uint_eq(entries(folder), 2);	   /* . and .. */
	tickets_free(NULL);
}

/* The socket */

static const struct path_row {
	const char *socket, *want;
} path_rows[] = {
	{ "pmud.sock", "pmud.fd.sock" },
	{ "a", "a.fd.sock" },
	{ ".sock", ".fd.sock" },
	{ "xsock", "xsock.fd.sock" },
	{ "x.sock.1", "x.sock.1.fd.sock" },
};

TEST_ROWS(it_stands_beside_the_socket_of_the_calls, path_rows)
{
	char socket[96], want[96], first[97];
	struct tickets *one;
	struct stat st;
	FILE *f;

	snprintf(socket, sizeof(socket), "%s/%s", folder, path_rows[_i].socket);
	snprintf(want, sizeof(want), "%s/%s", folder, path_rows[_i].want);
	tickets_free(all);
	all = NULL;
	f = fopen(want, "w"); /* of a pmud that was killed */
	fclose(f);
	snprintf(first, sizeof(first), "%s~", want); /* and of its beginning */
	f = fopen(first, "w");
	fclose(f);
	ck_assert_int_eq(tickets_new(&one, loop, quota, socket), 0);
	ck_assert_str_eq(tickets_path(one), want);
	ck_assert_int_eq(stat(want, &st), 0);
	ck_assert(S_ISSOCK(st.st_mode));
	ck_assert_uint_eq(st.st_mode & 07777, 0660);
	ck_assert_uint_eq(entries(folder), 3);
	tickets_free(one);
}

/* With "~" behind it, it must fit in an address. */
TEST_TIMES(a_path_may_be_so_long, 3)
{
	struct sockaddr_un addr;
	size_t len = sizeof(addr.sun_path) - 1 - strlen(".fd.sock~") + 1;
	char socket[200];
	struct tickets *one = NULL;

	len += (size_t)_i - 1;
	snprintf(socket, sizeof(socket), "%s/", folder);
	memset(socket + strlen(socket), 'x', sizeof(socket) - strlen(socket));
	socket[len] = 0;
	ck_assert_int_eq(tickets_new(&one, loop, quota, socket),
			 _i ? -ENAMETOOLONG : 0);
	ck_assert((one != NULL) == !_i);
	tickets_free(one);
}

TEST(a_folder_that_is_not_there_is_an_error)
{
	unsigned open = count_open();
	struct tickets *one;

	ck_assert_int_eq(tickets_new(&one, loop, quota, "/nonexistent/x"),
			 -ENOENT);
	ck_assert_uint_eq(count_open(), open);
}

TEST(a_host_without_descriptors_is_an_error)
{
	struct rlimit was, none;
	struct tickets *one;
	int first = dup(0), err;

	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &was), 0);
	none = was;
	none.rlim_cur = (rlim_t)first;
	close(first);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
	err = tickets_new(&one, loop, quota, path);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &was), 0);
	ck_assert_int_eq(err, -EMFILE);
}

/* The name it is first made under is free again. */
TEST(a_name_that_is_a_folders_is_an_error)
{
	unsigned open = count_open();
	char socket[96], taken[96];
	struct tickets *one;

	snprintf(socket, sizeof(socket), "%s/x.sock", folder);
	snprintf(taken, sizeof(taken), "%s/x.fd.sock", folder);
	ck_assert_int_eq(mkdir(taken, 0700), 0);
	ck_assert_int_eq(tickets_new(&one, loop, quota, socket), -EISDIR);
	ck_assert_uint_eq(count_open(), open);
	ck_assert_uint_eq(entries(folder), 4); /* ., .., all's, the folder */
	ck_assert_int_eq(rmdir(taken), 0);
}

SUITE("tickets", .setup = setup, .teardown = teardown);
