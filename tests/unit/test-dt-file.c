/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/text/dt-file.c: a flattened tree is read as it is, anything else is what
 * dtc makes of it; what is wrong is said with the file's name.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "open-fds.h"
#include "text/dt-file.h"
#include "text/exit-codes.h"
#include "unit.h"

#define MOST (16 << 20)

/* The linker sends these calls here: the first one of a kind is refused. */
enum call {
	PIPE,
	ACTIONS,
	READ,
	WAITPID,
	MALLOC,
	N_CALLS
};

static enum call refused = N_CALLS;
static int why;

static bool refuse(enum call call)
{
	if (refused != call)
		return false;
	refused = N_CALLS;
	errno = why;
	return true;
}

int __real_pipe(int fds[2]);
int __wrap_pipe(int fds[2]);
int __real_posix_spawn_file_actions_init(posix_spawn_file_actions_t *ret);
int __wrap_posix_spawn_file_actions_init(posix_spawn_file_actions_t *ret);
ssize_t __real_read(int from, void *bytes, size_t n);
ssize_t __wrap_read(int from, void *bytes, size_t n);
pid_t __real_waitpid(pid_t pid, int *status, int options);
pid_t __wrap_waitpid(pid_t pid, int *status, int options);
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);

int __wrap_pipe(int fds[2])
{
	return refuse(PIPE) ? -1 : __real_pipe(fds);
}

int __wrap_posix_spawn_file_actions_init(posix_spawn_file_actions_t *ret)
{
	return refuse(ACTIONS) ? why
			       : __real_posix_spawn_file_actions_init(ret);
}

ssize_t __wrap_read(int from, void *bytes, size_t n)
{
	return refuse(READ) ? -1 : __real_read(from, bytes, n);
}

pid_t __wrap_waitpid(pid_t pid, int *status, int options)
{
	return refuse(WAITPID) ? -1 : __real_waitpid(pid, status, options);
}

void *__wrap_malloc(size_t size)
{
	return refuse(MALLOC) ? NULL : __real_malloc(size);
}

static const uint8_t magic[] = { 0xd0, 0x0d, 0xfe, 0xed };
static char path[] = "/tmp/test-dt-file-XXXXXX", said[512];
static int fd;

static void setup(void)
{
	fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
}

static void teardown(void)
{
	close(fd);
	unlink(path);
	memset(path + sizeof(path) - 7, 'X', 6);
}

static void put(const void *bytes, size_t len)
{
	ck_assert_int_eq(pwrite(fd, bytes, len, 0), (ssize_t)len);
}

/* Reads it; what is written to stderr is in @said. */
static int get_refused(enum call call, void **ret, size_t *ret_size)
{
	FILE *to = tmpfile();
	int was = dup(STDERR_FILENO), code;
	size_t n;

	ck_assert_ptr_nonnull(to);
	fflush(stderr);
	dup2(fileno(to), STDERR_FILENO);
	refused = call;
	code = dt_file_read(path, ret, ret_size);
	fflush(stderr);
	dup2(was, STDERR_FILENO);
	close(was);
	ck_assert_int_eq(fseek(to, 0, SEEK_SET), 0);
	n = fread(said, 1, sizeof(said) - 1, to);
	said[n] = '\0';
	fclose(to);
	return code;
}

static int get(void **ret, size_t *ret_size)
{
	return get_refused(N_CALLS, ret, ret_size);
}

static void says(const char *what)
{
	ck_assert_msg(strstr(said, path) && strstr(said, what), "%s", said);
}

static const struct size_row {
	size_t size;
	bool good;
} size_rows[] = {
	{ sizeof(magic), true }, { 5, true },	      { 40000, true },
	{ MOST, true },		 { MOST + 1, false },
};

TEST_ROWS(a_flattened_tree_is_read_whole, size_rows)
{
	const struct size_row *row = &size_rows[_i];
	void *got = NULL;
	size_t size = 0;

	put(magic, sizeof(magic));
	ck_assert_int_eq(ftruncate(fd, (off_t)row->size), 0);
	ck_assert_int_eq(get(&got, &size), row->good ? EXIT_OK : EXIT_FAILED);
	if (!row->good) {
		says("larger than 16 MiB");
		ck_assert_ptr_null(got);
		return;
	}
	ck_assert_str_eq(said, "");
	ck_assert_uint_eq(size, row->size);
	ck_assert_mem_eq(got, magic, sizeof(magic));
	for (size_t i = sizeof(magic); i < size; i++)
		if (((uint8_t *)got)[i])
			ck_abort_msg("byte %zu", i);
	free(got);
}

TEST(source_is_compiled)
{
	static const char source[] = "/dts-v1/;\n/ { model = \"x\"; };\n";
	uint8_t *got = NULL;
	size_t size = 0;

	put(source, strlen(source));
	ck_assert_int_eq(get((void **)&got, &size), EXIT_OK);
	ck_assert_str_eq(said, "");
	ck_assert_uint_gt(size, sizeof(magic));
	ck_assert_mem_eq(got, magic, sizeof(magic));
	/* its own length: nothing of it is missing */
	ck_assert_uint_eq(
		(size_t)(got[4] << 24 | got[5] << 16 | got[6] << 8 | got[7]),
		size);
	free(got);
}

/* Too short to be a tree, or of another beginning: dtc says more. */
static const struct no_row {
	const char *bytes;
	size_t len;
} no_rows[] = {
	{ "\xd0\x0d\xfe", 3 },
	{ "\xd0\x0d\xfe\xee", 4 },
	{ "/dts-v1/;\n/ {\n", 14 },
};

TEST_ROWS(what_is_no_tree_is_not_made_one, no_rows)
{
	void *got = NULL;
	size_t size;

	put(no_rows[_i].bytes, no_rows[_i].len);
	ck_assert_int_eq(get(&got, &size), EXIT_FAILED);
	ck_assert_ptr_null(got);
	says("dtc cannot make a device tree of it");
}

static const struct refused_row {
	const char *what;
	enum call call;
	int error;
	const char *says; /* NULL: it is done all the same */
} refused_rows[] = {
	{ "no pipe", PIPE, EMFILE, "Too many open files" },
	{ "no process", ACTIONS, ENOMEM, "cannot start dtc" },
	{ "a signal while it reads", READ, EINTR, NULL },
	{ "a pipe that cannot be read", READ, EIO, "Input/output error" },
	{ "a signal while it waits", WAITPID, EINTR, NULL },
	{ "nobody to wait for", WAITPID, ECHILD,
	  "dtc cannot make a device tree of it" },
	{ "no memory", MALLOC, ENOMEM, "Cannot allocate memory" },
};

TEST_ROWS(a_host_that_refuses_is_told, refused_rows)
{
	static const char source[] = "/dts-v1/;\n/ { model = \"x\"; };\n";
	const struct refused_row *row = &refused_rows[_i];
	int before = open_fds();
	void *got = NULL;
	size_t size = 0;
	int code;

	put(source, strlen(source));
	why = row->error;
	code = get_refused(row->call, &got, &size);
	ck_assert_msg(refused == N_CALLS, "%s", row->what);
	ck_assert_int_eq(open_fds(), before);
	ck_assert_msg(code == (row->says ? EXIT_FAILED : EXIT_OK), "%s: %s",
		      row->what, said);
	if (row->says) {
		says(row->says);
		ck_assert_ptr_null(got);
	} else {
		ck_assert_str_eq(said, "");
		ck_assert_uint_gt(size, sizeof(magic));
	}
	free(got);
}

TEST(a_flattened_tree_needs_memory)
{
	void *got = NULL;
	size_t size;

	put(magic, sizeof(magic));
	ck_assert_int_eq(ftruncate(fd, 40), 0);
	ck_assert_int_eq(get_refused(MALLOC, &got, &size), EXIT_FAILED);
	says(": no memory for its 40 bytes\n");
	ck_assert_ptr_null(got);
}

TEST_TIMES(without_dtc_there_is_no_source, 2)
{
	void *got = NULL;
	size_t size;

	put("/dts-v1/;", 9);
	ck_assert_int_eq(setenv("PATH", _i ? "/nowhere" : "", 1), 0);
	ck_assert_int_eq(get(&got, &size), EXIT_FAILED);
	says("source needs dtc, which is not installed");
	ck_assert_ptr_null(got);
}

SUITE("dt-file", .setup = setup, .teardown = teardown);
