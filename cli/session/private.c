/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Starting a private pmud. It gets a process group of its own, so that Ctrl-C
 * of a terminal ends pmuctl, which ends it in order, and not both at once.
 */
#include "private.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "text/report.h"
#include "wire/cleanup.h"

enum {
	CLIENT_FD = 3, /* in the daemon */
	TRACE_FD,
	SAFE_FD,	/* above both */
	GRACE_MS = 5000 /* for its end */
};

/* The path of pmud, to be freed: as built, beside pmuctl, as installed. */
static char *find_program(void)
{
	static const char *const places[] = { "../daemon/pmud", "pmud" };
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *path;

	if (n < 0) {
		report_error("/proc/self/exe: %s; is /proc mounted?",
			     strerror(errno));
		return strdup(PMUD_PROGRAM);
	}
	self[n] = '\0';
	*strrchr(self, '/') = '\0';
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		if (asprintf(&path, "%s/%s", self, places[i]) < 0)
			return NULL;
		if (access(path, X_OK) == 0)
			return path;
		free(path);
	}
	return strdup(PMUD_PROGRAM);
}

/*
 * A file for its trace that has no name, as its own would have none. -1: there
 * can be none, which it then finds and says itself.
 */
static int make_trace(void)
{
	const char *folder = getenv("TMPDIR");
	int fd CLEANUP(close) = open(folder && *folder ? folder : P_tmpdir,
				     O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	return fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, SAFE_FD);
}

/* Its descriptors and its process group. */
static int describe(posix_spawn_file_actions_t *files, posix_spawnattr_t *attr,
		    int fd, int trace)
{
	sigset_t all, none;
	int err;

	sigfillset(&all);
	sigemptyset(&none);
	err = posix_spawn_file_actions_addopen(files, 0, "/dev/null", O_RDONLY,
					       0);
	if (!err)
		err = posix_spawn_file_actions_addopen(files, 1, "/dev/null",
						       O_WRONLY, 0);
	if (!err)
		err = posix_spawn_file_actions_adddup2(files, fd, CLIENT_FD);
	if (!err && trace >= 0)
		err = posix_spawn_file_actions_adddup2(files, trace, TRACE_FD);
	if (!err)
		err = posix_spawnattr_setflags(
			attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
				      POSIX_SPAWN_SETSIGDEF);
	if (!err)
		err = posix_spawnattr_setsigmask(attr, &none);
	if (!err)
		err = posix_spawnattr_setsigdefault(attr, &all);
	return err;
}

static int spawn(struct private_daemon *p, const char *program, int fd)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	char name[] = "pmud", client[] = "--client-fd=3",
	     trace[] = "--trace-fd=4";
	char *argv[] = { name, client, p->trace >= 0 ? trace : NULL, NULL };
	int err = posix_spawn_file_actions_init(&files);

	if (err)
		return -err;
	err = posix_spawnattr_init(&attr);
	if (!err) {
		err = describe(&files, &attr, fd, p->trace);
		if (!err)
			err = posix_spawn(&p->pid, program, &files, &attr, argv,
					  environ);
		posix_spawnattr_destroy(&attr);
	}
	posix_spawn_file_actions_destroy(&files);
	return -err;
}

static void forget_trace(struct private_daemon *p)
{
	if (p->trace >= 0)
		close(p->trace);
	p->trace = -1;
}

int private_start(struct private_daemon *p, bool traced, int *ret_fd)
{
	char *program CLEANUP(free) = find_program();
	int fds[2], ours CLEANUP(close) = -1, theirs CLEANUP(close) = -1, err;

	*p = (struct private_daemon){ .trace = -1 };
	if (!program)
		return -ENOMEM;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) < 0)
		return -errno;
	ours = fds[0];
	theirs = fds[1];
	if (traced)
		p->trace = make_trace();
	err = spawn(p, program, theirs);
	if (err) {
		p->pid = 0;
		forget_trace(p);
		return err;
	}
	*ret_fd = fd_take(&ours);
	return 0;
}

void private_wait(struct private_daemon *p)
{
	struct pollfd ended = { .events = POLLIN };

	if (!p->pid)
		return;
	ended.fd = (int)syscall(SYS_pidfd_open, p->pid, 0);
	if (ended.fd >= 0 && poll(&ended, 1, GRACE_MS) == 0)
		kill(p->pid, SIGKILL);
	while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR)
		;
	if (ended.fd >= 0)
		close(ended.fd);
	p->pid = 0;
	forget_trace(p);
}
