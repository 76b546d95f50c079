/* SPDX-License-Identifier: BSD-2-Clause */
/* daemon/server/process.c: what a machine's process begins with. */
#include "unit.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/process.h"
#include "shared/ring.h"

static int left; /* calls that succeed */

int __real_posix_spawn_file_actions_adddup2(void *actions, int from, int to);
int __wrap_posix_spawn_file_actions_adddup2(void *actions, int from, int to);

int __wrap_posix_spawn_file_actions_adddup2(void *actions, int from, int to)
{
	return left-- > 0 ? __real_posix_spawn_file_actions_adddup2(actions,
								    from, to)
			  : ENOMEM;
}

static char path[] = "/tmp/test-process-XXXXXX";
static char said[65536];

/* What the program @text (of a shell) says on stderr. */
static void run(const char *text)
{
	struct process p;
	struct ring ring;
	char how[128];
	size_t len = 0;
	ssize_t n;
	int fd;

	strcpy(path + sizeof(path) - 7, "XXXXXX");
	fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_gt(dprintf(fd, "#!/bin/sh\n%s\n", text), 0);
	ck_assert_int_eq(fchmod(fd, 0700), 0);
	close(fd);
	left = INT_MAX;
	ck_assert_int_eq(process_start(&p, &ring, path), 0);
	do {
		struct pollfd readable = { .fd = p.err, .events = POLLIN };

		ck_assert_int_eq(poll(&readable, 1, 60000), 1);
		n = read(p.err, said + len, sizeof(said) - 1 - len);
		len += n > 0 ? (size_t)n : 0;
	} while (n > 0);
	said[len] = '\0';
	process_reap(&p, how, sizeof(how));
	process_close(&p);
	ck_assert(p.socket == -1 && p.data == -1 && p.space == -1);
	ck_assert(p.channels == -1 && p.err == -1 && p.pidfd == -1);
	ring_close(&ring);
	unlink(path);
}

static const struct row {
	const char *why, *set, *want;
} rows[] = {
	{ "nothing is handed on", "SECRET=word", "" },
	{ "not where pmud's user lives", "HOME=/var/lib/me", "" },
	{ "not what systemd says to pmud", "NOTIFY_SOCKET=/run/x", "" },
	{ "where the libraries are", "LD_LIBRARY_PATH=/opt/my lib",
	  "LD_LIBRARY_PATH=/opt/my lib\n" },
	{ "how sanitizers report", "UBSAN_OPTIONS=a=b", "UBSAN_OPTIONS=a=b\n" },
	{ "nothing that only begins like these", "LD_LIBRARY_PATHS=x", "" },
	{ "nor what these begin like", "LD_LIBRARY=x", "" },
};

static int lowest(void)
{
	int fd = dup(0);

	close(fd);
	return fd;
}

/* One for each descriptor: it would find others under their numbers. */
TEST_RANGE(a_process_without_its_descriptors_is_not_started, 0, 6)
{
	struct process p;
	struct ring ring;
	int before = lowest();

	left = _i;
	ck_assert_int_eq(process_start(&p, &ring, "/bin/true"), -ENOMEM);
	ck_assert_int_eq(lowest(), before);
}

TEST_ROWS(the_environment_has_only_what_is_needed, rows)
{
	const struct row *row = &rows[_i];
	static char set[64]; /* the environment's from here on */

	strcpy(set, row->set);
	clearenv();
	ck_assert_int_eq(putenv(set), 0);
	run("tr '\\0' '\\n' </proc/$$/environ >&2");
	ck_assert_msg(!strcmp(said, row->want), "%s: %s", row->why, said);
}

TEST(the_descriptors_are_those_it_expects_and_no_others)
{
	int left_open = dup2(STDERR_FILENO, 99);

	ck_assert_int_eq(left_open, 99);
	/* below 10, where the shell has its script; 8 reads the directory */
	run("cd /proc/$$/fd && printf '%s ' ? >&2");
	ck_assert_str_eq(said, "0 1 2 3 4 5 6 7 8 ");
	run("test ! -e /proc/$$/fd/99 && echo closed >&2");
	ck_assert_str_eq(said, "closed\n");
}

SUITE("process", .timeout = 120);
