/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/export/export-folder.c: what a folder is until it is whole, what it
 * becomes, and that nothing of it is left open or lies about after a failure.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "captured.h"
#include "export/export-folder.h"
#include "open-fds.h"
#include "text/exit-codes.h"

static char dir[] = "/tmp/export-folder-XXXXXX";
static bool no_stream; /* of fdopen() */

FILE *__wrap_fdopen(int fd, const char *mode);
FILE *__real_fdopen(int fd, const char *mode);

FILE *__wrap_fdopen(int fd, const char *mode)
{
	errno = ENOMEM;
	return no_stream ? NULL : __real_fdopen(fd, mode);
}

static void setup(void)
{
	strcpy(dir + sizeof(dir) - 7, "XXXXXX");
	PREPARING(ck_assert_ptr_nonnull(mkdtemp(dir)));
	PREPARING(ck_assert(!chdir(dir)));
}

static void teardown(void)
{
	PREPARING(ck_assert(!chdir("/")));
	PREPARING(ck_assert(!rmdir(dir)));
}

/* How many names there are in it. */
static int names_in(const char *path)
{
	DIR *d = opendir(path);
	int n = -2;

	ck_assert_ptr_nonnull(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

static struct export_folder *make(const char *path)
{
	struct export_folder *f = NULL;

	ck_assert_int_eq(export_folder_make(&f, path), EXIT_OK);
	return f;
}

static void put(const struct export_folder *f, const char *name)
{
	FILE *file = export_folder_open(f, name);

	ck_assert_ptr_nonnull(file);
	ck_assert_int_ge(fputs("bytes\n", file), 0);
	ck_assert_int_eq(export_folder_close(f, file), EXIT_OK);
}

static const char *const paths[] = { "out", "out/", "out///" };

TEST_ROWS(a_folder_has_its_name_when_it_is_whole, paths)
{
	int before = open_fds();
	struct export_folder *f = make(paths[_i]);
	struct stat st;
	char part[40];

	snprintf(part, sizeof(part), "out.part-%d", (int)getpid());
	ck_assert_int_eq(stat("out", &st), -1);
	ck_assert_int_eq(stat(part, &st), 0);
	put(f, "one");
	put(f, "two");
	ck_assert_int_eq(names_in(part), 2);
	ck_assert_int_eq(export_folder_end(f, EXIT_OK), EXIT_OK);
	ck_assert_int_eq(names_in("."), 1);
	ck_assert_int_eq(names_in("out"), 2);
	ck_assert_int_eq(stat("out/two", &st), 0);
	ck_assert_int_eq(st.st_size, 6);
	ck_assert_int_eq(open_fds(), before);
	unlink("out/one");
	unlink("out/two");
	rmdir("out");
}

TEST(nothing_is_left_of_one_that_failed)
{
	int before = open_fds();
	struct export_folder *f = make("out");

	put(f, "one");
	ck_assert_int_eq(export_folder_end(f, EXIT_GONE), EXIT_GONE);
	ck_assert_int_eq(names_in("."), 0);
	ck_assert_int_eq(open_fds(), before);
}

/* Meanwhile somebody has made one. */
TEST(a_name_may_be_taken_meanwhile)
{
	struct export_folder *f = make("out");
	char said[100];

	put(f, "one");
	PREPARING(ck_assert(!mkdir("out", 0700)));
	PREPARING(ck_assert(!mkdir("out/other", 0700)));
	capture();
	ck_assert_int_eq(export_folder_end(f, EXIT_OK), EXIT_FAILED);
	snprintf(said, sizeof(said), "pmuctl: --output: out: %s\n",
		 strerror(ENOTEMPTY));
	ck_assert_str_eq(capture_end(), said);
	ck_assert_int_eq(names_in("."), 1);
	ck_assert_int_eq(names_in("out"), 1);
	rmdir("out/other");
	rmdir("out");
}

TEST(an_empty_folder_may_be_there)
{
	PREPARING(ck_assert(!mkdir("out", 0700)));
	ck_assert_int_eq(export_folder_end(make("out"), EXIT_OK), EXIT_OK);
	ck_assert_int_eq(names_in("out"), 0);
	rmdir("out");
}

static const struct taken_row {
	const char *why, *path;
	int code;
	const char *says;
} taken_rows[] = {
	{ "a file", "file", EXIT_USAGE, "exists and is not an empty folder" },
	{ "a folder with one name", ".", EXIT_USAGE,
	  "exists and is not an empty folder" },
	{ "below nothing", "none/out", EXIT_FAILED, "No such file" },
};

TEST_ROWS(a_place_may_be_none, taken_rows)
{
	const struct taken_row *row = &taken_rows[_i];
	int before = open_fds();
	struct export_folder *f = NULL;

	PREPARING(ck_assert(close(creat("file", 0600)) == 0));
	capture();
	ck_assert_int_eq(export_folder_make(&f, row->path), row->code);
	ck_assert_msg(strstr(capture_end(), row->says), "%s: %s", row->why,
		      captured);
	ck_assert_ptr_null(f);
	ck_assert_int_eq(names_in("."), 1);
	ck_assert_int_le(open_fds(), before + 1); /* what is captured */
	unlink("file");
}

/* A name that is there, or no memory for a stream. */
TEST_TIMES(a_file_may_not_be_had, 2)
{
	struct export_folder *f = make("out");
	int before;
	char said[100];

	put(f, "one");
	capture();
	before = open_fds();
	no_stream = _i;
	ck_assert_ptr_null(export_folder_open(f, _i ? "two" : "one"));
	ck_assert_int_eq(open_fds(), before);
	snprintf(said, sizeof(said), "pmuctl: --output: out.part-%d: %s\n",
		 (int)getpid(), strerror(_i ? ENOMEM : EEXIST));
	ck_assert_str_eq(capture_end(), said);
	ck_assert_int_eq(export_folder_end(f, EXIT_FAILED), EXIT_FAILED);
}

TEST(a_full_disk_is_told)
{
	struct export_folder *f = make("out");
	FILE *file = fopen("/dev/full", "w");

	PREPARING(ck_assert_ptr_nonnull(file));
	fputs("bytes\n", file);
	capture();
	ck_assert_int_eq(export_folder_close(f, file), EXIT_FAILED);
	ck_assert_ptr_nonnull(strstr(capture_end(), strerror(ENOSPC)));
	file = fopen("/dev/full", "w");
	fputs("bytes\n", file);
	fflush(file); /* it has failed before it is closed */
	capture();
	ck_assert_int_eq(export_folder_close(f, file), EXIT_FAILED);
	ck_assert_int_eq(export_folder_end(f, EXIT_FAILED), EXIT_FAILED);
	ck_assert_ptr_nonnull(strstr(capture_end(), "--output"));
}

/* Whatever number a descriptor has. */
TEST(a_folder_may_be_descriptor_0)
{
	struct export_folder *f;

	close(STDIN_FILENO);
	f = make("out");
	ck_assert_int_eq(export_folder_end(f, EXIT_FAILED), EXIT_FAILED);
	ck_assert_int_eq(fcntl(STDIN_FILENO, F_GETFD), -1);
}

SUITE("cli-export-folder", .setup = setup, .teardown = teardown, .fork = true);
