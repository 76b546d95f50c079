/* SPDX-License-Identifier: BSD-2-Clause */
/* posix_spawn() of the machine process, and its end. */
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ipc/passed.h"

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

static int plan_files(posix_spawn_file_actions_t *actions,
		      const struct passed *theirs)
{
	int err = posix_spawn_file_actions_addopen(actions, 0, "/dev/null",
						   O_RDONLY, 0);

	if (!err)
		err = posix_spawn_file_actions_addopen(actions, 1, "/dev/null",
						       O_WRONLY, 0);
	return err ? err : passed_on_spawn(theirs, actions);
}

static void plan_signals(posix_spawnattr_t *attr)
{
	sigset_t none, all;

	sigemptyset(&none);
	sigfillset(&all);
	posix_spawnattr_setsigmask(attr, &none);
	posix_spawnattr_setsigdefault(attr, &all);
	/* a group of its own: the terminal's Ctrl-C is not for machines */
	posix_spawnattr_setpgroup(attr, 0);
	posix_spawnattr_setflags(attr, POSIX_SPAWN_SETSIGMASK |
					       POSIX_SPAWN_SETSIGDEF |
					       POSIX_SPAWN_SETPGROUP);
}

static int start(pid_t *ret, const char *program, const struct passed *theirs)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	char *argv[] = { (char *)program, NULL }, *env[N_ENV + 1];
	int err;

	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attr);
	err = plan_files(&actions, theirs);
	plan_signals(&attr);
	choose_environment(env);
	if (!err)
		err = posix_spawn(ret, program, &actions, &attr, argv, env);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&actions);
	return -err;
}

/* Starts @program with @theirs, and a pidfd to see its end. */
static int start_watched(struct process *p, const char *program,
			 const struct passed *theirs)
{
	int err = start(&p->pid, program, theirs);

	if (err)
		return err;
	p->pidfd = (int)syscall(SYS_pidfd_open, p->pid, 0);
	if (p->pidfd >= 0)
		return 0;
	err = -errno;
	kill(p->pid, SIGKILL);
	waitpid(p->pid, NULL, 0);
	return err;
}

int process_start(struct process *ret, struct ring *ret_ring,
		  const char *program)
{
	struct process p = { .pid = -1, .pidfd = -1, .channels = -1 };
	struct passed ours, theirs;
	struct ring ring;
	int err = passed_make(&ours, &theirs, &ring);

	if (err)
		return err;
	p.socket = ours.socket;
	p.data = ours.data;
	p.space = ours.space;
	p.channels = ours.channels;
	p.err = ours.err;
	err = start_watched(&p, program, &theirs);
	passed_close(&theirs);
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
	passed_close_one(&p->pidfd);
	passed_close_one(&p->socket);
	passed_close_one(&p->data);
	passed_close_one(&p->space);
	passed_close_one(&p->channels);
	passed_close_one(&p->err);
}
