/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmud's command line: every option into its field, the limits that follow from
 * others, mistakes exit with 2.
 */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <unistd.h>

#include "captured.h"
#include "proc-self.h"
#include "server/pmud-config.h"

#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)

static struct config c;

/* The one program that can be started. */
static const char *there = "/bin/true";

/* Parses the words of @line behind what every case needs. */
static int parse(const char *line)
{
	static char words[512], program[] = "--machine-program=/bin/true";
	static char dir[] = "--state-dir=/tmp";
	static char *argv[32];
	int argc = 0;
	char *rest = words;

	snprintf(words, sizeof(words), "pmud %s", line);
	argv[argc++] = strtok_r(rest, " ", &rest);
	argv[argc++] = program;
	argv[argc++] = dir;
	while ((argv[argc] = strtok_r(rest, " ", &rest)))
		argc++;
	return config_parse(&c, argc, argv);
}

static void teardown(void)
{
	config_free(&c);
}

TEST(options_land_in_their_fields)
{
	ck_assert_int_eq(parse("-s /a/b --tcp 77 --trace-bytes 2MiB "
			       "--client-fd=9"),
			 0);
	ck_assert_str_eq(c.socket, "/a/b");
	ck_assert_str_eq(c.state_dir, "/tmp");
	ck_assert_str_eq(c.machine_program, "/bin/true");
	ck_assert_int_eq(c.tcp_port, 77);
	ck_assert_uint_eq(c.trace_bytes, 2 << 20);
	ck_assert_int_eq(c.adopt_fd, 9);
	ck_assert(c.until_adopted_closes);
}

TEST(what_is_not_said_has_a_default)
{
	ck_assert_int_eq(parse("-s /a"), 0);
	ck_assert_int_eq(c.tcp_port, -1);
	ck_assert_uint_eq(c.trace_bytes, 256 << 20);
	ck_assert(!c.keep);
	ck_assert_int_eq(c.adopt_fd, -1);
	ck_assert(!c.until_adopted_closes);
}

#define NONE QUOTA_NONE

static const struct limit_row {
	const char *line;
	enum quota_kind kind;
	uint64_t total, per_user; /* 0: see the test */
} limit_rows[] = {
	{ "-s a", QUOTA_MACHINES, 64, 16 },
	/* no option has it: 4 times the queue of a machine, and one */
	{ "-s a --machines=8", QUOTA_REQUESTS, 65 << 20, 65 << 18 },
	{ "-s a --machines=100", QUOTA_MACHINES, 100, 25 },
	{ "-s a --machines=3", QUOTA_MACHINES, 3, 1 },
	{ "-s a --machines-per-user=5", QUOTA_MACHINES, 64, 5 },
	{ "-s a --machines=8 --machines-per-user=99", QUOTA_MACHINES, 8, 8 },
	{ "-s a --machines=256", QUOTA_MACHINES, 256, 64 },
	{ "-s a", QUOTA_CONNECTIONS, 256, 64 },
	{ "-s a --connections=40", QUOTA_CONNECTIONS, 40, 10 },
	{ "-s a --connections-per-user=7", QUOTA_CONNECTIONS, 256, 7 },
	{ "-s a --memory=8GiB", QUOTA_MEMORY, 8 * GIB, 4 * GIB },
	{ "-s a --memory=400MiB", QUOTA_MEMORY, 400 * MIB, 320 * MIB },
	{ "-s a --memory=8GiB --memory-per-user=1GiB", QUOTA_MEMORY, 8 * GIB,
	  GIB },
	{ "-s a", QUOTA_STORE, 17 * GIB, 17 * GIB / 4 },
	{ "-s a --store=4GiB", QUOTA_STORE, 4 * GIB, GIB },
	{ "-s a --store-per-user=64KiB", QUOTA_STORE, 17 * GIB, 64 << 10 },
	{ "--client-fd=3", QUOTA_MEMORY, NONE, NONE },
	{ "--client-fd=3", QUOTA_STORE, NONE, NONE },
	{ "--client-fd=3 --memory-per-user=1GiB", QUOTA_MEMORY, NONE, GIB },
	{ "--client-fd=3", QUOTA_MACHINES, 64, 16 },
};

TEST_ROWS(limits_follow_from_each_other, limit_rows)
{
	const struct limit_row *row = &limit_rows[_i];

	ck_assert_int_eq(parse(row->line), 0);
	ck_assert_msg(c.limits[row->kind].total == row->total, "%s: %llu",
		      row->line, (unsigned long long)c.limits[row->kind].total);
	ck_assert_msg(c.limits[row->kind].per_user == row->per_user, "%s: %llu",
		      row->line,
		      (unsigned long long)c.limits[row->kind].per_user);
}

TEST(machines_get_three_quarters_of_the_systems_memory)
{
	struct sysinfo info;
	uint64_t all;

	ck_assert_int_eq(sysinfo(&info), 0);
	all = (uint64_t)info.totalram * info.mem_unit;
	ck_assert_int_eq(parse("-s a"), 0);
	ck_assert_uint_eq(c.limits[QUOTA_MEMORY].total, all / 4 * 3);
	ck_assert_uint_eq(c.limits[QUOTA_MEMORY].per_user, all / 4 * 3 / 2);
	ck_assert_uint_eq(c.limits[QUOTA_MEMORY].least, 320 << 20);
}

TEST(numbers_are_those_of_pmuctl)
{
	ck_assert_int_eq(parse("-s a --tcp 010 --machines 0x10 --memory 1G "
			       "--store 010GiB --trace-bytes 64M"),
			 0);
	ck_assert_int_eq(c.tcp_port, 10);
	ck_assert_uint_eq(c.limits[QUOTA_MACHINES].total, 16);
	ck_assert_uint_eq(c.limits[QUOTA_MEMORY].total, GIB);
	ck_assert_uint_eq(c.limits[QUOTA_STORE].total, 10 * GIB);
	ck_assert_uint_eq(c.trace_bytes, 64 * MIB);
}

static const char *const wrong_rows[] = {
	"--tcp",
	"--socket",
	"--state-dir",
	"--trace-bytes",
	"--machines",
	"--machines-per-user",
	"--memory",
	"--memory-per-user",
	"--store",
	"--store-per-user",
	"--connections",
	"--connections-per-user",
	"--machine-program",
	"--client-fd",
	"--tcp=",
	"--tcp=65536",
	"--tcp=-1",
	"--tcp=+1",
	"--tcp=1x",
	"--tcp=99999999999999999999",
	"--tcp=18446744073709551616",
	"--client-fd=2",
	"--client-fd=2147483648",
	"--client-fd=3 --trace-fd=2",
	"--client-fd=3 --trace-fd=2147483648",
	"--client-fd=3 --trace-fd",
	"--trace-fd=4",
	"--trace-bytes=1048575",
	"--tcp=1KiB",
	"--machines=1KiB",
	"--trace-bytes=1MB",
	"--machines=0",
	"--machines=257",
	"--machines-per-user=0",
	"--connections=0",
	"--connections=16385",
	"--memory=0",
	"--memory=2000TiB",
	"--store-per-user=many",
	"--nonsense",
	"word",
};

TEST_ROWS(a_mistake_exits_with_2, wrong_rows)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr));
		parse(wrong_rows[_i]);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_USAGE,
		      "%s", wrong_rows[_i]);
}

static const struct file_row {
	const char *why, *path;
	int flags, want;
} file_rows[] = {
	{ "a new file", "/tmp", O_TMPFILE | O_RDWR, 0 },
	{ "none that can be read", "/tmp", O_TMPFILE | O_WRONLY, -EINVAL },
	{ "none that can be written", "/proc/version", O_RDONLY, -EINVAL },
	{ "somebody's bytes", "/proc/self/exe", O_RDONLY, -EINVAL },
	{ "no file", "/dev/null", O_RDWR, -EINVAL },
	{ "not open", "/nowhere", O_RDWR, -EBADF },
};

TEST_ROWS(the_file_for_the_trace_is_looked_at, file_rows)
{
	const struct file_row *row = &file_rows[_i];
	int fd = open(row->path, row->flags, 0600);
	char line[64];

	ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr));
	snprintf(line, sizeof(line), "--client-fd=3 --trace-fd=%d",
		 fd < 0 ? 999 : fd);
	ck_assert_msg(parse(line) == row->want, "%s", row->why);
	if (row->want)
		return;
	ck_assert_int_eq(c.trace_fd, fd);
	ck_assert_int_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
	ck_assert_int_eq(write(fd, "", 1), 1); /* some bytes are in it now */
	ck_assert_int_eq(parse(line), -EINVAL);
}

static uid_t user;
static bool is_short; /* of memory */

uid_t __wrap_geteuid(void);
int __wrap_asprintf(char **ret, const char *format, ...);

uid_t __wrap_geteuid(void)
{
	return user;
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

static const struct place_row {
	const char *why;
	uid_t user;
	const char *dir;
	bool is_short;
	int want;
	const char *socket;
} place_rows[] = {
	{ "root's, whatever root's environment says", 0, "/run/user/0", false,
	  0, "/run/pmud/pmud.sock" },
	{ "a user's", 1000, "/run/user/1000", false, 0,
	  "/run/user/1000/pmud.sock" },
	{ "a user has none", 1000, NULL, false, -EINVAL, NULL },
	{ "a user's is empty", 1000, "", false, -EINVAL, NULL },
	{ "no memory", 1000, "/run/user/1000", true, -ENOMEM, NULL },
};

TEST_ROWS(a_socket_that_is_not_named_has_its_place, place_rows)
{
	const struct place_row *row = &place_rows[_i];

	user = row->user;
	is_short = row->is_short;
	unsetenv("XDG_RUNTIME_DIR");
	if (row->dir)
		setenv("XDG_RUNTIME_DIR", row->dir, 1);
	ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr));
	ck_assert_msg(parse("--machines=2") == row->want, "%s", row->why);
	if (row->socket)
		ck_assert_str_eq(c.socket, row->socket);
}

int __wrap_access(const char *path, int mode);

int __wrap_access(const char *path, int mode)
{
	errno = ENOENT;
	ck_assert_int_eq(mode, X_OK);
	return strcmp(path, there) ? -1 : 0;
}

static const struct program_row {
	const char *why, *self, *there;
	bool is_short;
	int want;
} program_rows[] = {
	{ "as it was built", "/t/daemon/pmud", "/t/daemon/machine/pmud-machine",
	  false, 0 },
	{ "as it is installed", "/t/bin/pmud", "/t/bin/" MACHINE_FROM_PMUD,
	  false, 0 },
	{ "as it was configured", "/t/bin/pmud", MACHINE_PROGRAM, false, 0 },
	{ "without /proc", NULL, MACHINE_PROGRAM, false, 0 },
	{ "nowhere", "/t/bin/pmud", "/t/bin/pmud", false, -ENOENT },
	{ "no memory", "/t/bin/pmud", MACHINE_PROGRAM, true, -ENOMEM },
};

TEST_ROWS(the_machines_program_is_looked_for, program_rows)
{
	static char name[] = "pmud", socket[] = "--socket=/s";
	static char dir[] = "--state-dir=/tmp";
	char *argv[] = { name, socket, dir, NULL };
	const struct program_row *row = &program_rows[_i];
	const char *said;
	int err;

	self = row->self;
	there = row->there;
	is_short = row->is_short;
	capture();
	err = config_parse(&c, 3, argv);
	said = capture_end();
	ck_assert_msg(err == row->want, "%s", row->why);
	ck_assert_msg(!strstr(said, "pmud: /proc/self/exe: No such file or "
				    "directory; is /proc mounted?\n") ==
			      (row->self != NULL),
		      "%s: %s", row->why, said);
	is_short = false;
	if (!row->want)
		ck_assert_str_eq(c.machine_program, row->there);
}

/* Whoever named it is told, and none that was not. */
TEST_TIMES(a_folder_that_is_not_there_is_named_as_it_was, 2)
{
	static char name[] = "pmud", socket[] = "--socket=/s";
	static char dir[] = "--state-dir=/nowhere";
	char *argv[] = { name, socket, dir, NULL };
	const char *said;
	int err;

	self = "/t/daemon/pmud";
	there = "/t/daemon/machine/pmud-machine";
	setenv("TMPDIR", "/nowhere", 1);
	capture();
	err = config_parse(&c, _i ? 3 : 2, argv);
	said = capture_end();
	unsetenv("TMPDIR");
	ck_assert_int_eq(err, -ENOENT);
	ck_assert_str_eq(said,
			 _i ? "pmud: --state-dir /nowhere: No such file or "
			      "directory\n"
			    : "pmud: $TMPDIR /nowhere: No such file or "
			      "directory\n");
}

SUITE("config", .teardown = teardown);
