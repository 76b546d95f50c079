/* SPDX-License-Identifier: BSD-2-Clause */
/* cli/session/private.c: where a private pmud is looked for. None is started.
 */
#include "session/private.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "captured.h"
#include "proc-self.h"
#include "unit.h"

/* The one program that is there, and what was asked for. */
static const char *there;
static char asked[256], started[128], options[64];
static bool is_short; /* of memory */

int __wrap_access(const char *path, int mode);
int __wrap_asprintf(char **ret, const char *format, ...);
int __wrap_posix_spawn(pid_t *ret, const char *path,
		       const posix_spawn_file_actions_t *files,
		       const posix_spawnattr_t *attr, char *const argv[],
		       char *const env[]);

int __wrap_access(const char *path, int mode)
{
	ck_assert_int_eq(mode, X_OK);
	strncat(asked, path, sizeof(asked) - strlen(asked) - 1);
	strncat(asked, " ", sizeof(asked) - strlen(asked) - 1);
	errno = ENOENT;
	return there && strcmp(path, there) == 0 ? 0 : -1;
}

/* What it leaves behind where it fails is nobody's to free. */
int __wrap_asprintf(char **ret, const char *format, ...)
{
	va_list args;
	int n;

	if (is_short) {
		*ret = (char *)1;
		return -1;
	}
	va_start(args, format);
	n = vasprintf(ret, format, args);
	va_end(args);
	return n;
}

int __wrap_posix_spawn(pid_t *ret, const char *path,
		       const posix_spawn_file_actions_t *files,
		       const posix_spawnattr_t *attr, char *const argv[],
		       char *const env[])
{
	static const int some[] = { SIGHUP, SIGINT, SIGPIPE, SIGTERM, SIGCHLD };
	sigset_t reset, masked;

	/* what pmuctl ignores or blocks is its own business */
	ck_assert_int_eq(posix_spawnattr_getsigdefault(attr, &reset), 0);
	ck_assert_int_eq(posix_spawnattr_getsigmask(attr, &masked), 0);
	for (size_t i = 0; i < sizeof(some) / sizeof(some[0]); i++) {
		ck_assert_int_eq(sigismember(&reset, some[i]), 1);
		ck_assert_int_eq(sigismember(&masked, some[i]), 0);
	}
	snprintf(started, sizeof(started), "%s", path);
	for (char *const *word = argv + 1; *word; word++) {
		strcat(options, *word);
		strcat(options, " ");
	}
	return EPERM;
}

static const struct program_row {
	const char *why, *self, *there;
	bool is_short;
	const char *asked, *started;
} program_rows[] = {
	{ "as built", "/t/cli/pmuctl", "/t/cli/../daemon/pmud", false,
	  "/t/cli/../daemon/pmud ", "/t/cli/../daemon/pmud" },
	{ "beside pmuctl", "/t/bin/pmuctl", "/t/bin/pmud", false,
	  "/t/bin/../daemon/pmud /t/bin/pmud ", "/t/bin/pmud" },
	{ "in no place: as installed", "/t/bin/pmuctl", NULL, false,
	  "/t/bin/../daemon/pmud /t/bin/pmud ", PMUD_PROGRAM },
	{ "without /proc", NULL, "/t/bin/pmud", false, "", PMUD_PROGRAM },
	{ "no memory", "/t/bin/pmuctl", "/t/bin/pmud", true, "", "" },
};

TEST_ROWS(pmud_is_looked_for_in_three_places, program_rows)
{
	const struct program_row *row = &program_rows[_i];
	struct private_daemon p;
	int fd = -1, err;

	self = row->self;
	there = row->there;
	is_short = row->is_short;
	asked[0] = started[0] = '\0';
	capture();
	err = private_start(&p, false, &fd);
	ck_assert_str_eq(capture_end(),
			 row->self ? ""
				   : "pmuctl: /proc/self/exe: No such file or "
				     "directory; is /proc mounted?\n");
	is_short = false;
	ck_assert_msg(err == (row->is_short ? -ENOMEM : -EPERM), "%s",
		      row->why);
	ck_assert_int_eq(p.pid, 0);
	ck_assert_int_eq(fd, -1);
	ck_assert_str_eq(asked, row->asked);
	ck_assert_str_eq(started, row->started);
}

static const struct trace_row {
	const char *folder; /* $TMPDIR */
	bool traced;
	const char *options;
} trace_rows[] = {
	{ "/tmp", false, "--client-fd=3 " },
	{ "/tmp", true, "--client-fd=3 --trace-fd=4 " },
	{ "", true, "--client-fd=3 --trace-fd=4 " },
	{ "/nowhere", true, "--client-fd=3 " }, /* which pmud will say */
};

TEST_ROWS(a_trace_is_stored_where_it_outlives_pmud, trace_rows)
{
	struct private_daemon p;
	int fd = -1;

	self = "/t/bin/pmuctl";
	there = "/t/bin/pmud";
	options[0] = '\0';
	setenv("TMPDIR", trace_rows[_i].folder, 1);
	ck_assert_int_eq(private_start(&p, trace_rows[_i].traced, &fd), -EPERM);
	ck_assert_str_eq(options, trace_rows[_i].options);
	ck_assert_int_eq(p.trace, -1);
}

SUITE("private");
