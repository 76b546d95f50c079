/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The pager reads from stdout's place and keeps the terminal. Ctrl-C is its
 * own: pmuctl ends when there is nobody to write to.
 */
#include "pager.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <fcntl.h>

#include "report.h"
#include "tty.h"

static bool refused;
static pid_t pager; /* 0: none */

void pager_allow(bool allowed)
{
	refused = !allowed;
}

/* A shell's command line; NULL: none is wanted. */
static const char *command(void)
{
	const char *set = getenv("PAGER");

	if (!set)
		return "if command -v less >/dev/null; then exec less; "
		       "else exec cat; fi";
	return *set && strcmp(set, "cat") != 0 ? set : NULL;
}

static int spawn(const char *line, int input)
{
	char shell[] = "sh", option[] = "-c";
	char *argv[] = { shell, option, (char *)line, NULL };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t normal;
	int err = posix_spawn_file_actions_init(&files);

	if (err)
		return err;
	sigemptyset(&normal);
	sigaddset(&normal, SIGPIPE);
	sigaddset(&normal, SIGINT);
	sigaddset(&normal, SIGQUIT);
	err = posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
	if (!err)
		err = posix_spawnattr_init(&attr);
	if (!err) {
		posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
		posix_spawnattr_setsigdefault(&attr, &normal);
		err = posix_spawn(&pager, "/bin/sh", &files, &attr, argv,
				  environ);
		posix_spawnattr_destroy(&attr);
	}
	posix_spawn_file_actions_destroy(&files);
	return err;
}

/* Puts the pager between; without one, output is as it would be. */
static int start(const char *line)
{
	int fds[2], err;

	if (pipe2(fds, O_CLOEXEC) < 0)
		return errno;
	/* leave at once if it fits, pass colours on, leave the screen alone */
	setenv("LESS", "FRX", 0);
	fflush(stdout);
	err = spawn(line, fds[0]);
	if (!err && dup2(fds[1], STDOUT_FILENO) < 0)
		err = errno;
	close(fds[0]);
	close(fds[1]);
	return err;
}

static void on_signals(void (*action)(int number))
{
	signal(SIGPIPE, action);
	signal(SIGINT, action);
	signal(SIGQUIT, action);
}

void pager_begin(size_t lines)
{
	const char *line = command();
	int err;

	if (refused || pager || !line || !tty_height(stdout) ||
	    lines < tty_height(stdout))
		return;
	on_signals(SIG_IGN);
	err = start(line);
	if (err) {
		pager = 0;
		on_signals(SIG_DFL);
		refused = true;
		report_note("no pager: %s", strerror(err));
	}
}

bool pager_end(void)
{
	bool ok = fflush(stdout) == 0 && !ferror(stdout);

	if (!pager)
		return ok;
	/* its input ends; whatever is printed later is lost, as it should */
	close(STDOUT_FILENO);
	while (waitpid(pager, NULL, 0) < 0 && errno == EINTR)
		;
	pager = 0;
	return true;
}
