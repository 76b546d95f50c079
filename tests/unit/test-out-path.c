/* SPDX-License-Identifier: BSD-2-Clause */
/* cli/text/out-path.c: what a file that is not there yet will be called. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "text/out-path.h"
#include "unit.h"

enum {
	LINKS = 42
};

/* What the linker sends here finds nothing once, or may not. */
static bool not_there, unreadable;

char *__real_realpath(const char *path, char *to);
char *__wrap_realpath(const char *path, char *to);
ssize_t __real_readlink(const char *path, char *to, size_t size);
ssize_t __wrap_readlink(const char *path, char *to, size_t size);

char *__wrap_realpath(const char *path, char *to)
{
	if (!not_there)
		return __real_realpath(path, to);
	not_there = false;
	errno = ENOENT;
	return NULL;
}

ssize_t __wrap_readlink(const char *path, char *to, size_t size)
{
	if (!unreadable)
		return __real_readlink(path, to, size);
	unreadable = false;
	errno = EACCES;
	return -1;
}

static char folder[] = "/tmp/test-out-path-XXXXXX", *real;

static void make(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	ck_assert_int_ge(fd, 0);
	close(fd);
}

/* a file, a folder, links to each and to what is not there */
static void setup(void)
{
	ck_assert_ptr_nonnull(mkdtemp(folder));
	ck_assert_int_eq(chdir(folder), 0);
	real = realpath(".", NULL);
	ck_assert_int_eq(mkdir("sub", 0700), 0);
	make("file");
	ck_assert_int_eq(symlink("../new", "sub/up"), 0);
	ck_assert_int_eq(symlink("sub/up", "to-up"), 0);
	ck_assert_int_eq(symlink("file", "to-file"), 0);
	ck_assert_int_eq(symlink("sub", "to-sub"), 0);
	ck_assert_int_eq(symlink("/new", "to-root"), 0);
	ck_assert_int_eq(symlink("nowhere/x", "to-nowhere"), 0);
	ck_assert_int_eq(symlink("loop", "loop"), 0);
	for (int i = 1; i <= LINKS; i++) {
		char from[16], to[16];

		snprintf(from, sizeof(from), "l%d", i);
		snprintf(to, sizeof(to), i > 1 ? "l%d" : "new", i - 1);
		ck_assert_int_eq(symlink(to, from), 0);
	}
}

static void teardown(void)
{
	static const char *const names[] = { "sub/up", "to-up",	  "to-file",
					     "to-sub", "to-root", "to-nowhere",
					     "loop",   "file" };
	char name[16];

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		unlink(names[i]);
	for (int i = 1; i <= LINKS; i++) {
		snprintf(name, sizeof(name), "l%d", i);
		unlink(name);
	}
	rmdir("sub");
	ck_assert_int_eq(chdir("/"), 0);
	rmdir(folder);
	free(real);
	memset(folder + sizeof(folder) - 7, 'X', 6);
}

static const struct folder_row {
	const char *path, *want;
} folder_rows[] = {
	{ "a", "." },  { "/a", "/" },  { "a/b", "a" },	 { "/a/b", "/a" },
	{ "a/", "a" }, { "./a", "." }, { "a//b", "a/" }, { "/", "/" },
};

TEST_ROWS(a_file_has_its_folder, folder_rows)
{
	char *got = out_path_folder(folder_rows[_i].path);

	ck_assert_str_eq(got, folder_rows[_i].want);
	free(got);
}

static const struct path_row {
	const char *path, *want; /* from the folder on, or an error */
	int err;
} path_rows[] = {
	{ "file", "/file", 0 },		{ "new", "/new", 0 },
	{ "./new", "/new", 0 },		{ "sub/../new", "/new", 0 },
	{ "sub/new", "/sub/new", 0 },	{ "to-sub/new", "/sub/new", 0 },
	{ "to-file", "/file", 0 },	{ "to-up", "/new", 0 },
	{ "to-sub/up", "/new", 0 },	{ "nowhere/x", NULL, ENOENT },
	{ "to-nowhere", NULL, ENOENT }, { "file/x", NULL, ENOTDIR },
	{ "loop", NULL, ELOOP },	{ "l1", "/new", 0 },
	{ "l40", "/new", 0 },		{ "l41", NULL, ELOOP },
};

TEST_ROWS(a_path_is_followed_to_what_will_be, path_rows)
{
	const struct path_row *row = &path_rows[_i];
	char want[PATH_MAX], *got;

	errno = 0;
	got = out_path_resolve(row->path);
	if (row->err) {
		ck_assert_ptr_null(got);
		ck_assert_int_eq(errno, row->err);
		return;
	}
	snprintf(want, sizeof(want), "%s%s", real, row->want);
	ck_assert_ptr_nonnull(got);
	ck_assert_str_eq(got, want);
	free(got);
}

/* So many links may be followed to a file that is made, too. */
TEST_TIMES(the_kernel_follows_as_many, 2)
{
	int fd = open(_i ? "l41" : "l40", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	ck_assert_int_eq(fd < 0, _i);
	if (_i)
		ck_assert_int_eq(errno, ELOOP);
	close(fd);
	unlink("new");
}

/* Another process makes them meanwhile: it ends all the same. */
TEST(links_that_turn_into_a_loop_are_one)
{
	not_there = true;
	errno = 0;
	ck_assert_ptr_null(out_path_resolve("loop"));
	ck_assert_int_eq(errno, ELOOP);
	not_there = true;
	unreadable = true;
	ck_assert_ptr_null(out_path_resolve("to-up"));
	ck_assert_int_eq(errno, EACCES);
	ck_assert(!not_there && !unreadable);
}

TEST(what_is_in_the_root_begins_with_one_slash)
{
	char *got = out_path_resolve("to-root");

	ck_assert_str_eq(got, "/new");
	free(got);
	got = out_path_resolve("/new");
	ck_assert_str_eq(got, "/new");
	free(got);
}

SUITE("out-path", .setup = setup, .teardown = teardown);
