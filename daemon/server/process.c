/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * posix_spawn() of the machine process. Descriptors are first moved above the
 * numbers that the child expects, so that none is overwritten on the way.
 */
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	FD_STDERR = 2,
	FD_FIRST = 3,
	FD_SAFE = 16,
	N_PASSED = 4
};

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Moves @fd out of the way of the child's numbers. */
static int lift(int *fd)
{
	int high = fcntl(*fd, F_DUPFD_CLOEXEC, FD_SAFE);

	if (high < 0)
		return -errno;
	close(*fd);
	*fd = high;
	return 0;
}

/*
 * What a machine gets to see of pmud's environment: where its libraries are,
 * and how a build with sanitizers reports. Nothing else is its business.
 */
static const char *const passed_on[] = {
	"LD_LIBRARY_PATH",
	"ASAN_OPTIONS",
	"LSAN_OPTIONS",
	"UBSAN_OPTIONS",
};

enum {
	N_ENV = sizeof(passed_on) / sizeof(*passed_on)
};

/* Fills @env with pointers into our own environment. */
static void choose_environment(char *env[N_ENV + 1])
{
	size_t n = 0;

	for (char **e = environ; *e; e++) {
		size_t len = strcspn(*e, "=");

		for (int i = 0; i < N_ENV && n < N_ENV; i++) {
			if (strlen(passed_on[i]) == len &&
			    !memcmp(*e, passed_on[i], len))
				env[n++] = *e;
		}
	}
	env[n] = NULL;
}

/* @theirs: control, ring, data, space, stderr. */
static int start(pid_t *ret, const char *program, const int theirs[5])
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	sigset_t none, all;
	char *argv[] = { (char *)program, NULL }, *env[N_ENV + 1];
	int err;

	sigemptyset(&none);
	sigfillset(&all);
	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attr);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, theirs[4], FD_STDERR);
	for (int i = 0; i < N_PASSED; i++)
		posix_spawn_file_actions_adddup2(&actions, theirs[i],
						 FD_FIRST + i);
	/* what pmud's own parent left open is nobody's business here */
	posix_spawn_file_actions_addclosefrom_np(&actions, FD_FIRST + N_PASSED);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &all);
	/* a group of its own: the terminal's Ctrl-C is not for machines */
	posix_spawnattr_setpgroup(&attr, 0);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK |
						POSIX_SPAWN_SETSIGDEF |
						POSIX_SPAWN_SETPGROUP);
	choose_environment(env);
	err = posix_spawn(ret, program, &actions, &attr, argv, env);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&actions);
	return -err;
}

/* Makes every descriptor: ours in @p, the child's in @theirs. */
static int make_fds(struct process *p, struct ring *ring, int theirs[5])
{
	int pair[2], err;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return -errno;
	p->socket = pair[0];
	theirs[0] = pair[1];
	if (pipe2(pair, O_CLOEXEC))
		return -errno;
	p->err = pair[0];
	theirs[4] = pair[1];
	err = ring_create(ring, RING_DEFAULT, &theirs[1]);
	if (err)
		return err;
	theirs[2] = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	theirs[3] = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (theirs[2] < 0 || theirs[3] < 0)
		return -errno;
	for (int i = 0; i < 5; i++) {
		err = lift(&theirs[i]);
		if (err)
			return err;
	}
	p->data = fcntl(theirs[2], F_DUPFD_CLOEXEC, 0);
	p->space = fcntl(theirs[3], F_DUPFD_CLOEXEC, 0);
	if (p->data < 0 || p->space < 0)
		return -errno;
	fcntl(p->socket, F_SETFL, O_NONBLOCK);
	fcntl(p->err, F_SETFL, O_NONBLOCK);
	return 0;
}

int process_start(struct process *ret, struct ring *ret_ring,
		  const char *program)
{
	struct process p = { -1, -1, -1, -1, -1, -1 };
	int theirs[5] = { -1, -1, -1, -1, -1 };
	struct ring ring = { 0 };
	int err = make_fds(&p, &ring, theirs);

	if (!err)
		err = start(&p.pid, program, theirs);
	for (int i = 0; i < 5; i++)
		close_fd(&theirs[i]);
	if (!err) {
		p.pidfd = (int)syscall(SYS_pidfd_open, p.pid, 0);
		if (p.pidfd < 0) {
			err = -errno;
			kill(p.pid, SIGKILL);
			waitpid(p.pid, NULL, 0);
		}
	}
	if (err) {
		process_close(&p);
		ring_close(&ring);
		return err;
	}
	*ret = p;
	*ret_ring = ring;
	return 0;
}

void process_kill(const struct process *p)
{
	if (p->pid > 0)
		kill(p->pid, SIGKILL);
}

void process_reap(struct process *p, char *how, size_t len)
{
	int status = 0;

	snprintf(how, len, "is gone");
	if (p->pid <= 0)
		return;
	/* a process that is ending by itself keeps its own status */
	if (waitpid(p->pid, &status, WNOHANG) == 0) {
		kill(p->pid, SIGKILL);
		while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR)
			;
	}
	p->pid = -1;
	if (WIFSIGNALED(status))
		snprintf(how, len, "was killed by signal %d (%s)",
			 WTERMSIG(status), sigdescr_np(WTERMSIG(status)));
	else
		snprintf(how, len, "exited with status %d",
			 WEXITSTATUS(status));
}

void process_close(struct process *p)
{
	close_fd(&p->pidfd);
	close_fd(&p->socket);
	close_fd(&p->data);
	close_fd(&p->space);
	close_fd(&p->err);
}
