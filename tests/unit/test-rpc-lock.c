/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Several servers that want one socket's path: one has it, at every time, and
 * the others learn who.
 */
#include "unit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rpc-peer.h"
#include "rpc-service.h"

enum {
	ROUNDS = 200,
	STARTERS = 6,
};

static char dir[64], path[96], lock[112];
static unsigned replaced; /* how often the lock file is, once it is open */

int __wrap_flock(int fd, int operation);
int __real_flock(int fd, int operation);

/* Its owner may remove the file when somebody has opened, not yet locked it. */
int __wrap_flock(int fd, int operation)
{
	if (replaced) {
		replaced--;
		unlink(lock);
		fclose(fopen(lock, "w"));
	}
	return __real_flock(fd, operation);
}

static void setup(void)
{
	strcpy(dir, "/tmp/rpc-lock-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/sock", dir);
	snprintf(lock, sizeof(lock), "%s.lock", path);
	service_start(NULL);
}

static void teardown(void)
{
	service_stop();
	unlink(path);
	unlink(lock);
	ck_assert_int_eq(rmdir(dir), 0); /* nothing else was left there */
}

static struct sockaddr_un address(void)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };

	strcpy(addr.sun_path, path);
	return addr;
}

/* A socket whose server died, and its lock file with it. */
static void leave_stale(void)
{
	struct sockaddr_un addr = address();
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	unlink(path);
	ck_assert_int_eq(bind(fd, (struct sockaddr *)&addr, sizeof(addr)), 0);
	close(fd);
	fclose(fopen(lock, "w"));
}

static bool somebody_listens(void)
{
	struct sockaddr_un addr = address();
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	bool yes = !connect(fd, (struct sockaddr *)&addr, sizeof(addr));

	close(fd);
	return yes;
}

/*
 * One that starts when @go ends, tells how it went, and serves until @stay
 * ends; without exit handlers, as one that is killed.
 */
static void starter(int go, int stay, int tell)
{
	struct service own = service;
	char c;
	int rc;

	service_start(NULL);
	(void)!read(go, &c, 1);
	rc = rpc_listen_unix(service.server, path, 0600);
	(void)!write(tell, &rc, sizeof(rc));
	(void)!read(stay, &c, 1);
	service = own;
	_exit(0);
}

static void start_all(int go[2], int stay[2], int tell[2], pid_t *pids)
{
	ck_assert(!pipe(go) && !pipe(stay) && !pipe(tell));
	for (int i = 0; i < STARTERS; i++) {
		pids[i] = fork();
		ck_assert_int_ge(pids[i], 0);
		if (pids[i])
			continue;
		close(go[1]);
		close(stay[1]);
		starter(go[0], stay[0], tell[1]);
	}
}

static void one_round(int round)
{
	int go[2], stay[2], tell[2], rc, won = 0;
	pid_t pids[STARTERS];

	leave_stale();
	start_all(go, stay, tell, pids);
	close(go[1]);
	for (int i = 0; i < STARTERS; i++) {
		ck_assert_int_eq(read(tell[0], &rc, sizeof(rc)), sizeof(rc));
		ck_assert_msg(rc == 0 || rc == -EADDRINUSE, "%s",
			      strerror(-rc));
		won += rc == 0;
	}
	ck_assert_msg(won == 1, "round %d: %d won", round, won);
	ck_assert_msg(somebody_listens(), "round %d: nobody listens", round);
	close(stay[1]);
	for (int i = 0; i < STARTERS; i++)
		waitpid(pids[i], NULL, 0);
	close(go[0]);
	close(stay[0]);
	close(tell[0]);
	close(tell[1]);
}

TEST(of_many_that_start_at_once_one_serves)
{
	for (int round = 0; round < ROUNDS; round++)
		one_round(round);
}

TEST(a_locked_path_says_by_whom)
{
	int fd = open(lock, O_RDWR | O_CREAT, 0600);

	ck_assert_int_eq(rpc_socket_owner(path), 0);
	ck_assert_int_eq(flock(fd, LOCK_EX), 0);
	ck_assert_int_eq(write(fd, "4711\n", 5), 5);
	/* there is no socket yet: its owner may be about to make it */
	ck_assert_int_eq(rpc_listen_unix(service.server, path, 0600),
			 -EADDRINUSE);
	ck_assert_int_eq(rpc_socket_owner(path), 4711);
	ck_assert_int_eq(access(path, F_OK), -1);
	close(fd);
	ck_assert_int_eq(rpc_listen_unix(service.server, path, 0600), 0);
	ck_assert_int_eq(rpc_socket_owner(path), getpid());
}

/* Whoever can open the file can lock it: after a crash nobody could serve. */
TEST(others_cannot_hold_the_lock)
{
	struct stat st;
	mode_t mask = umask(0);

	ck_assert_int_eq(rpc_listen_unix(service.server, path, 0660), 0);
	umask(mask);
	ck_assert_int_eq(stat(lock, &st), 0);
	ck_assert_uint_eq(st.st_mode & 077, 0);
}

static unsigned open_files(void)
{
	DIR *fds = opendir("/proc/self/fd");
	unsigned n = 0;

	while (readdir(fds))
		n++;
	closedir(fds);
	return n;
}

TEST(a_lock_file_that_is_gone_is_no_lock)
{
	unsigned before = open_files();
	struct stat st;
	int fd;

	replaced = 3;
	ck_assert_int_eq(rpc_listen_unix(service.server, path, 0600), 0);
	ck_assert_uint_eq(replaced, 0);
	/* it is the file that is there now which is locked */
	ck_assert_int_eq(stat(lock, &st), 0);
	ck_assert_int_gt(st.st_size, 0);
	fd = open(lock, O_RDWR);
	ck_assert_int_eq(__real_flock(fd, LOCK_EX | LOCK_NB), -1);
	close(fd);
	/* the socket and its lock, and no file of before */
	ck_assert_uint_eq(open_files(), before + 2);
}

/* Its owner removes the file when it ends, and the next one may have it. */
TEST(a_lock_ends_with_its_server)
{
	ck_assert_int_eq(rpc_listen_unix(service.server, path, 0600), 0);
	ck_assert_int_eq(access(lock, F_OK), 0);
	rpc_server_shutdown(service.server, 0, NULL);
	ck_assert_int_eq(access(lock, F_OK), -1);
	service_stop();
	service_start(NULL);
	ck_assert_int_eq(rpc_listen_unix(service.server, path, 0600), 0);
}

TEST(a_failure_leaves_no_lock)
{
	fclose(fopen(path, "w")); /* no socket */
	ck_assert_int_eq(rpc_listen_unix(service.server, path, 0600),
			 -EADDRINUSE);
	ck_assert_int_eq(access(lock, F_OK), -1);
}

TEST(a_lock_that_is_a_link_is_not_followed)
{
	char victim[128];

	snprintf(victim, sizeof(victim), "%s/victim", dir);
	ck_assert_int_eq(symlink(victim, lock), 0);
	ck_assert_int_eq(rpc_listen_unix(service.server, path, 0600), -ELOOP);
	ck_assert_int_eq(access(victim, F_OK), -1);
}

SUITE("rpc-lock", .timeout = 60, .setup = setup, .teardown = teardown);
